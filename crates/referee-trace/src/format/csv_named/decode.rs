//! `csv-named`: every cell names its field.
//!
//! ```text
//!  open, user = u1, file=f          open(user = "u1", file = "f")
//!  note, text = "a, b", "k = x, y"  note(text = "a, b", k = "x, y")
//!  logout                           logout()
//! ```
//!
//! Spaces around `=` are insignificant, and the first `=` of a cell counts: `a = b = c` is the text `b = c`. A value may
//! be empty. Quotes may stand around the value, around the field's name, or, as RFC 4180 has it, around the whole
//! cell. How cells and lines end is told in `format::decode::rows`.
//!
//! Rows of integers that are written like an earlier one are read in bulk (`format::decode::integers`). Any other row
//! is tried against the templates (`format::decode::event_template`) of earlier ones first: most rows differ in their values alone, and then
//! neither separators nor blanks have to be found. A row that fits none is cut by itself and leaves its own, and where many fit
//! none, what is left of the block is cut as other rows are. There an event's shape is looked up by its name and number of
//! cells and proved by comparing the names of the fields, without a hash.

use std::ops::Range;

use crate::error::{Fault, Flow, Stop};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::event_template::{EventTemplates, Filling, Hole, HoleKind};
use crate::format::decode::integers::{Integers, Named};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::plain;
use crate::format::decode::rows::{QuotedCell, QuotedRow, Rows, Splitter, cell_offset, for_each_row, no_name};
use crate::format::decode::split::{Marks, head, head_within};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// Decodes `name, field = value, …`.
#[derive(Debug, Default)]
pub struct CsvNamedDecoder {
    splitter: Splitter,
    marks: Marks,
    integers: Integers<Named>,
    templates: EventTemplates<()>,
    holes: Vec<Hole>,
    names: NameCache,
    fields: Vec<&'static str>,
    values: Vec<&'static str>,
    quoted_fields: Vec<&'static str>,
    quoted_values: Vec<&'static str>,
}

impl Decoder for CsvNamedDecoder {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let (fields, values) = (std::mem::take(&mut self.fields), std::mem::take(&mut self.values));
        let mut run = CsvNamedRun {
            text: block.text,
            emitter: Emitter { names: &mut self.names, shapes, sink },
            fields: recycle(fields),
            values: recycle(values),
            quoted_fields: &mut self.quoted_fields,
            quoted_values: &mut self.quoted_values,
        };
        self.marks.clear();
        let CsvNamedDecoder { splitter, marks, integers, templates, holes, .. } = self;
        let from_template = run.rows_by_template(block, splitter, &mut Patterns { marks, integers, templates, holes });
        let used = match integers.finish(from_template, run.emitter.sink)? {
            FromTemplates::All(used) => used,
            FromTemplates::UpTo(start) => for_each_row(splitter, block, start, &mut run)?,
        };
        (self.fields, self.values) = (recycle(run.fields), recycle(run.values));
        Ok(used)
    }
}

/// How many rows of a block may fit no template, beside one in eight.
const PATIENCE: usize = 32;

/// How far templates came.
enum FromTemplates {
    /// No complete row is left behind this place.
    All(usize),
    /// Too many rows before this place fit none.
    UpTo(usize),
}

/// What stands in the holes of a row.
enum NamedCell {}

impl Filling for NamedCell {
    #[inline]
    fn end(_: HoleKind, bytes: &[u8], at: usize) -> Option<usize> {
        Some(plain::cell_end(bytes, at))
    }

    #[inline]
    fn trim(text: &str) -> &str {
        text
    }

    fn build(_: HoleKind, _: &str, _: usize, _: &mut String) -> Option<usize> {
        None
    }
}

/// The decoding of one block.
struct CsvNamedRun<'r, 'b, S> {
    text: &'b str,
    emitter: Emitter<'r, S>,
    fields: Vec<&'b str>,
    values: Vec<&'b str>,
    quoted_fields: &'r mut Vec<&'static str>,
    quoted_values: &'r mut Vec<&'static str>,
}

impl<'b, S: RawSink> Rows<'b> for CsvNamedRun<'_, 'b, S> {
    const NAMED: bool = true;

    #[inline]
    fn plain_row(&mut self, start: usize, name: &'b str, cells: &[&'b str]) -> Flow {
        self.fields.clear();
        self.values.clear();
        for (index, &cell) in cells.iter().enumerate() {
            match split_at_equals(cell) {
                Some((field, value)) => {
                    self.fields.push(field);
                    self.values.push(value);
                }
                None => return Err(no_field(cell, cell_offset(self.text, start, index + 1)).into()),
            }
        }
        let key = NameKey::new(name, head_within(self.text, name), self.fields.len() as u64);
        self.emitter.event(start, name, key, &self.fields, &self.values).map(drop)
    }

    fn quoted_row(&mut self, start: usize, row: &QuotedRow) -> Flow {
        self.cut_row(start, row).map(drop)
    }
}

impl<'b, S: RawSink> CsvNamedRun<'_, 'b, S> {
    /// Hands over the rows of a block that are like earlier ones, and those between them.
    fn rows_by_template(
        &mut self,
        block: Block<'b>,
        splitter: &mut Splitter,
        patterns: &mut Patterns<'_>,
    ) -> Result<FromTemplates, Stop> {
        let (mut at, mut hits, mut misses) = (0, 0, 0);
        loop {
            while let Some((end, rows)) = self.like_others(at, patterns)? {
                at = end;
                hits += rows;
            }
            if misses > PATIENCE + hits / 8 {
                return Ok(FromTemplates::UpTo(at));
            }
            misses += 1;
            let Some((row, mut end)) = splitter.cut(block, at, true)? else { return Ok(FromTemplates::All(at)) };
            // Both are line ends; as one they need not be looked at twice.
            if block.text[..end].ends_with('\r') && block.text[end..].starts_with('\n') {
                end += 1;
            }
            if !row.is_blank() {
                patterns.integers.hand_over(self.emitter.sink)?;
                let shape = self.cut_row(at, row)?;
                patterns.learn(block.text, at..end, row, shape, self.emitter.sink);
            }
            at = end;
            if at == block.text.len() {
                return Ok(FromTemplates::All(at));
            }
        }
    }

    /// Reads rows of integers from `at` on, or one row that fits a template; tells where the next one starts and how many there
    /// were at least.
    #[inline]
    fn like_others(&mut self, at: usize, patterns: &mut Patterns<'_>) -> Result<Option<(usize, usize)>, Stop> {
        let Patterns { marks, integers, templates, .. } = patterns;
        if self.emitter.sink.rows().is_some() && integers.tries() {
            let separators = marks.from(self.text.as_bytes(), at, Named::MOST_SEPARATORS);
            // SAFETY: these are positions within the block, from `at` on.
            let (end, used) = unsafe { integers.take(self.text, at, separators, self.emitter.sink)? };
            if used > 0 {
                marks.skip(used);
                return Ok(Some((end, used / Named::MOST_SEPARATORS + 1)));
            }
        }
        integers.hand_over(self.emitter.sink)?;
        let read = templates.read::<NamedCell, S>(self.text, at, &mut self.values, self.emitter.sink)?;
        Ok(read.map(|((), end)| (end, 1)))
    }

    /// A row that was cut by itself: hands it over and tells its shape.
    fn cut_row(&mut self, start: usize, row: &QuotedRow) -> Result<ShapeId, Stop> {
        let mut fields = recycle(std::mem::take(self.quoted_fields));
        let mut values = recycle(std::mem::take(self.quoted_values));
        let mut cells = row.cells(self.text);
        let name = cells.next().map(|cell| cell.text).unwrap_or_default();
        if name.is_empty() {
            return Err(no_name(start).into());
        }
        while let Some(cell) = cells.next() {
            let (field, value) = field_and_value(cell, &mut cells)?;
            fields.push(field);
            values.push(value);
        }
        let key = NameKey::new(name, head(name.as_bytes()), fields.len() as u64);
        let shape = self.emitter.event(start, name, key, &fields, &values)?;
        (*self.quoted_fields, *self.quoted_values) = (recycle(fields), recycle(values));
        Ok(shape)
    }
}

/// What is known of how rows are written.
struct Patterns<'r> {
    marks: &'r mut Marks,
    integers: &'r mut Integers<Named>,
    templates: &'r mut EventTemplates<()>,
    /// Memory for the holes of a row.
    holes: &'r mut Vec<Hole>,
}

impl Patterns<'_> {
    /// Learns from a row, if it has no quotes: its name and the values are holes.
    fn learn<S: RawSink>(&mut self, text: &str, all: Range<usize>, row: &QuotedRow, shape: ShapeId, sink: &mut S) {
        let Some(places) = row.places() else { return };
        self.holes.clear();
        // The name, then fields and values by turns.
        self.holes.extend(places.step_by(2).map(|place| Hole {
            start: place.start,
            end: place.end,
            kind: HoleKind::Text,
        }));
        self.templates.learn(text, all, self.holes, 0, shape, ());
        let gaps = self.holes.windows(2).map(|pair| &text[pair[0].end..pair[1].start]);
        if sink.rows().is_some()
            && let Some(layout) = Named::of(gaps)
        {
            let Hole { start, end, .. } = self.holes[0];
            self.integers.keep(&text[start..end], self.holes.len() - 1, layout, shape, sink);
        }
    }
}

/// The two sides of a cell's first `=`; nothing if there is none or nothing before it.
#[inline]
fn split_at_equals(cell: &str) -> Option<(&str, &str)> {
    let at = cell.bytes().position(|byte| byte == b'=')?;
    let (field, value) = (cell[..at].trim_end_matches([' ', '\t']), cell[at + 1..].trim_start_matches([' ', '\t']));
    (!field.is_empty()).then_some((field, value))
}

/// The field that a cell is, or holds within its quotes, with its value.
fn field_and_value<'a>(
    cell: QuotedCell<'a>,
    rest: &mut impl Iterator<Item = QuotedCell<'a>>,
) -> Result<(&'a str, &'a str), Fault> {
    let pair = match cell {
        QuotedCell { is_field: true, text: "", quoted: false, offset } => {
            let value = rest.next().map_or("", |value| value.text);
            return Err(no_field(&format!("= {value}"), offset));
        }
        QuotedCell { is_field: true, text: "", .. } => None,
        QuotedCell { is_field: true, text, .. } => rest.next().map(|value| (text, value.text)),
        QuotedCell { is_field: false, text, .. } => split_at_equals(text.trim_matches([' ', '\t'])),
    };
    pair.ok_or_else(|| no_field(cell.text, cell.offset))
}

#[cold]
fn no_field(cell: &str, offset: usize) -> Fault {
    let shown: String = cell.chars().take(40).collect();
    let found = if shown.is_empty() { "nothing".into() } else { format!("`{shown}`") };
    Fault::new(offset, format!("expected `field = value`, found {found}"))
        .hint("name the field of every value, as in `open, file = f`; csv-plain has values without names")
}

/// Finds shapes and hands over events.
struct Emitter<'r, S> {
    names: &'r mut NameCache,
    shapes: &'r mut Shapes,
    sink: &'r mut S,
}

impl<S: RawSink> Emitter<'_, S> {
    #[inline]
    fn event(
        &mut self,
        start: usize,
        name: &str,
        key: NameKey<'_>,
        fields: &[&str],
        values: &[&str],
    ) -> Result<ShapeId, Stop> {
        let same = |shape: ShapeId| self.shapes.fields(shape).iter().zip(fields).all(|(a, b)| **a == **b);
        let shape = match self.names.get(key, same) {
            Some(shape) => shape,
            None => self.shape_anew(key, name, fields),
        };
        self.sink.event(RawEvent { shape, values, offset: start })?;
        Ok(shape)
    }

    #[cold]
    fn shape_anew(&mut self, key: NameKey<'_>, name: &str, fields: &[&str]) -> ShapeId {
        let shape = self.shapes.find(name, fields, self.sink);
        self.names.keep(key, shape)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use referee_testing::properties;

    use super::CsvNamedDecoder;
    use crate::format::testing::collect;

    fn shown(text: &str) -> Vec<String> {
        collect(CsvNamedDecoder::default(), text).shown()
    }

    fn fault(text: &str) -> (usize, String) {
        let outcome = collect(CsvNamedDecoder::default(), text);
        let (offset, message) = outcome.fault();
        (offset, message.to_owned())
    }

    #[test]
    fn cells_name_their_fields() {
        let text = "open, user = u1, file=f\nlogout\r\nopen , user= u 2 ,file =\t\n";
        assert_eq!(shown(text), ["open(user=u1,file=f)", "logout()", "open(user=u 2,file=)"]);
    }

    #[test]
    fn one_name_may_have_several_lists_of_fields() {
        assert_eq!(shown("a,x=1\na,y=1\na,x=2\na,x=1,y=2\n"), ["a(x=1)", "a(y=1)", "a(x=2)", "a(x=1,y=2)"]);
    }

    #[test]
    fn the_first_equals_sign_counts() {
        assert_eq!(shown("a, x = b = c, y == d\na,x=\"p\"\" = q\"\n"), ["a(x=b = c,y== d)", "a(x=p\" = q)"]);
    }

    #[test]
    fn quotes_stand_around_value_field_or_cell() {
        let text = "n, t = \"a, b\", \"k = x\ny\" , \"f,=\" = 2, z = 5\"\n\"m,\",\" x=\"\n";
        assert_eq!(shown(text), ["n(t=a, b,k=x\ny,f,==2,z=5\")", "m,(x=)"]);
    }

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn rows_mean_the_same_after_others(rows in prop::collection::vec(row(), 1..80)) {
            let text = rows.concat();
            let outcome = collect(CsvNamedDecoder::default(), &text);
            let alone = rows.iter().flat_map(|row| shown(row)).collect::<Vec<_>>();
            prop_assert_eq!(outcome.shown(), alone);
        }
    }

    /// A row, written in one of many ways, a few of which come often.
    fn row() -> impl Strategy<Value = String> {
        let value = prop_oneof![4 => "[a-c]{0,3}", 1 => "[a-c=é ]{0,12}", 1 => "\"[a,\n]{0,2}\""];
        let name = prop_oneof![3 => Just("open"), 1 => Just("a name that is long"), 1 => Just(" x"), 1 => Just("x=y")];
        let equals = prop_oneof![4 => Just(" = "), 1 => Just("="), 1 => Just("  =\t")];
        let comma = prop_oneof![4 => Just(", "), 1 => Just(","), 1 => Just(" ,")];
        let end =
            prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\n \n"), 1 => Just(" \n")];
        let cells = prop::collection::vec((comma, prop_oneof![Just("u"), Just("amount")], equals, value), 0..3);
        (name, cells, end).prop_map(|(name, cells, end)| {
            let cells = cells.iter().map(|(comma, field, equals, value)| format!("{comma}{field}{equals}{value}"));
            format!("{name}{}{end}", cells.collect::<String>())
        })
    }

    #[test]
    fn a_cell_without_a_field_is_refused() {
        assert_eq!(fault("a, x=1, 7\n"), (8, "expected `field = value`, found `7`".into()));
        assert_eq!(fault("a, x=1,\n"), (7, "expected `field = value`, found nothing".into()));
        assert_eq!(fault("a, = 1\n"), (3, "expected `field = value`, found `= 1`".into()));
        assert_eq!(fault("a, \"x\"\n"), (3, "expected `field = value`, found `x`".into()));
        assert_eq!(fault("a, \"\" = 1\n"), (3, "expected `field = value`, found nothing".into()));
        assert_eq!(fault("a, x = \"1\" 2\n").0, 11);
        assert_eq!(fault(", x = 1\n").0, 0);
    }
}
