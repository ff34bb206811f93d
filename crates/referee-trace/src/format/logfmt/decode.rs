//! `logfmt`: one event per line, as pairs of a key and a value.
//!
//! ```text
//!  # from the proxy
//!  ts=3 event=login user=ann msg="a \"b\"" cached     login(user=ann, msg=a "b", cached=true, ts=3)
//! ```
//!
//! The key `event`, or another one that the mapping says, names the event, wherever it stands in its line; all other pairs are its fields, in the order of the
//! line. A key alone has the value `true`, `key=` the empty text. Quoted values have the escapes of JSON, and a bare
//! value reaches to the next blank, so that it may hold `=`. Blank lines and lines that begin with `#` are left out.
//!
//! A line costs one look at each byte; its shape is found by the name and a comparison of the keys with those that came
//! with that name before. A line that the block cuts in two is read with the next block.

use memchr::memchr_iter;

use super::line::{EVENT, Line, nameless, skip_blanks};
use crate::error::{Fault, Flow, Stop};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::draft::repeated;
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::split::head;
use crate::format::input::{InputRule, Naming};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// The decoder of `logfmt`.
#[derive(Debug, Default)]
pub struct LogfmtDecoder {
    naming: Naming,
    cache: NameCache,
    line: Line,
    keys: Vec<&'static str>,
    texts: Vec<&'static str>,
}

impl Decoder for LogfmtDecoder {
    const TAKES_NAMING: bool = true;

    fn new(input: &InputRule) -> LogfmtDecoder {
        LogfmtDecoder { naming: input.naming.clone(), ..LogfmtDecoder::default() }
    }

    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let text = block.text;
        let mut start = 0;
        for end in memchr_iter(b'\n', text.as_bytes()) {
            self.line(text, start, end, shapes, sink)?;
            start = end + 1;
        }
        if block.last {
            self.line(text, start, text.len(), shapes, sink)?;
            start = text.len();
        }
        Ok(start)
    }
}

impl LogfmtDecoder {
    /// Hands over the event of a line, if there is one.
    fn line<S: RawSink>(&mut self, text: &str, start: usize, end: usize, shapes: &mut Shapes, sink: &mut S) -> Flow {
        let start = skip_blanks(&text[..end], start);
        if start == end || text.as_bytes()[start] == b'#' {
            return Ok(());
        }
        self.line.read(text, start, end)?;
        let Line { keys: places, values, buffer } = &self.line;
        let name_key = match &self.naming {
            Naming::Usual => Some(EVENT),
            Naming::Field(key) => Some(&**key),
            Naming::Constant(_) => None,
        };
        let at = name_key.and_then(|name_key| places.iter().position(|key| key.text(text) == name_key));
        let name = match (&self.naming, at) {
            (Naming::Constant(name), _) => name,
            (_, None) => return Err(nameless(&text[start..end], start, name_key).into()),
            (_, Some(at)) => values[at].of(text, buffer),
        };
        if let Some(at) = at
            && (places[at].is_bare || name.is_empty())
        {
            return Err(nameless(&text[start..end], places[at].start, name_key).into());
        }
        let mut keys = recycle(std::mem::take(&mut self.keys));
        keys.extend(places.iter().map(|key| key.text(text)));
        let fault = |twice: usize| two_fields(name, keys[twice], places[twice].start, name_key);
        let others = |index: &usize| Some(*index) != at;
        let shape = {
            let fields = || (0..keys.len()).filter(others).map(|index| keys[index]);
            let cached = NameKey::new(name, head(name.as_bytes()), keys.len() as u64);
            let is_same = |shape: ShapeId| {
                let known = shapes.fields(shape);
                known.len() + usize::from(at.is_some()) == keys.len()
                    && known.iter().zip(fields()).all(|(known, field)| **known == *field)
            };
            // Keys that came before are not the same twice, but for a second `event`.
            match self.cache.get(cached, is_same) {
                Some(shape) => shape,
                None => {
                    if let Some(twice) = repeated(&keys) {
                        return Err(fault(twice).into());
                    }
                    let shape = shapes.find(name, &fields().collect::<Vec<_>>(), sink);
                    self.cache.keep(cached, shape)
                }
            }
        };
        self.keys = recycle(keys);
        let mut texts = recycle(std::mem::take(&mut self.texts));
        texts.extend((0..values.len()).filter(others).map(|index| values[index].of(text, buffer)));
        let flow = sink.event(RawEvent { shape, values: &texts, offset: start });
        self.texts = recycle(texts);
        flow
    }
}

#[cold]
fn two_fields(name: &str, key: &str, offset: usize, name_key: Option<&str>) -> Fault {
    match key {
        _ if Some(key) == name_key => {
            Fault::new(offset, format!("the line has two keys `{key}`")).hint("a line is one event, with one name")
        }
        _ => Fault::new(offset, format!("event `{name}` has two fields `{key}`"))
            .hint("the fields of an event need different names"),
    }
}

#[cfg(test)]
mod tests;
