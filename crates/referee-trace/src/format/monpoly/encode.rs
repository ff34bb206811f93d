//! `monpoly`: `@ts P (v,…)(v,…) Q (v,…);` per point.

use std::io::{self, Write};

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::error::WriteError;
use crate::format::encode::encoder::{EncodeOptions, Encoder, Record, check_no_nul};
use crate::format::encode::entry::Entry;
use crate::format::encode::pieces::Piece;
use crate::format::encode::term::write_quoted;
use crate::format::encode::text::{ByteSet, Text};

/// What MonPoly itself reads as part of a word.
const PLAIN: ByteSet = ByteSet::of(b"_[]/:-.!").and(b'0', b'9').and(b'A', b'Z').and(b'a', b'z');

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    MonpolyEncoder::new(out)
}

struct MonpolyEncoder<W> {
    text: Text<W>,
    /// What the tuples of each kind of event begin with, made at its first event.
    predicates: Vec<Option<Predicate>>,
    /// The kind of event whose tuples are being written; events of one name in a row share what they begin with.
    kind: Option<usize>,
}

/// What tuples begin with.
struct Predicate {
    name: Box<str>,
    /// The name and the parenthesis of the first tuple.
    opening: Piece,
}

impl Predicate {
    fn new(name: &str) -> Predicate {
        let mut opening = vec![b' '];
        write_word(&mut opening, name);
        opening.extend_from_slice(b" (");
        Predicate { name: name.into(), opening: Piece::new(&opening) }
    }
}

impl<W: Write> MonpolyEncoder<W> {
    fn new(out: W) -> Self {
        MonpolyEncoder { text: Text::new(out), predicates: Vec::new(), kind: None }
    }

    /// Begins a tuple, behind the name unless the tuple before it has the same.
    fn open(&mut self, record: &Record<'_>) {
        if self.predicates.len() <= record.kind {
            self.predicates.resize_with(record.kind + 1, || None);
        }
        let last = self.kind.replace(record.kind);
        let is_name_of = |kind: usize| self.predicates[kind].as_ref().is_some_and(|known| *known.name == *record.name);
        if last.is_some_and(|last| last == record.kind || is_name_of(last)) {
            return self.text.waiting().push(b'(');
        }
        let predicate = self.predicates[record.kind].get_or_insert_with(|| Predicate::new(record.name));
        predicate.opening.put(self.text.waiting());
    }
}

impl<W: Write> Encoder for MonpolyEncoder<W> {
    fn check_shape(&self, name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "event", name)
    }

    fn check_value(&self, value: &str) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "value", value)
    }

    fn begin_point(&mut self, time: Entry<'_>) -> io::Result<()> {
        self.kind = None;
        let out = self.text.waiting();
        out.push(b'@');
        time.append_to(out);
        Ok(())
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.open(record);
        let out = self.text.waiting();
        for (position, value) in record.own.iter().enumerate() {
            if position > 0 {
                out.push(b',');
            }
            value.put(out, write_word);
        }
        out.push(b')');
        self.text.settle()
    }

    fn end_point(&mut self) -> io::Result<()> {
        self.text.waiting().extend_from_slice(b";\n");
        self.text.settle()
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.text.finish()?)
    }
}

/// Writes a text, without quotes if MonPoly itself reads it as one word.
#[inline]
fn write_word(out: &mut Vec<u8>, text: &str) {
    match !text.is_empty() && PLAIN.make_up(text) {
        true => out.extend_from_slice(text.as_bytes()),
        false => write_quoted(out, text),
    }
}
