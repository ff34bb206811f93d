//! Tables with a header of their own: whatever separates their cells, and whichever column names the events.
//!
//! ```text
//!  time;user;action            the header, told or found; its first line tells `,`, `;`, tabulator or `|`
//!  1;ann;login                 login(time=1, user=ann)     named by the column `action`
//!                              row(time=1, user=ann, …)    named by a constant
//! ```
//!
//! Cells are those of `csv` but for the separator: blank cells are absent, quotes follow RFC 4180, blanks around cells do not
//! count. A byte is looked at once, many at a time; the shape of a row is found by its name and by which cells are blank.

use memchr::{memchr, memchr2};

use crate::error::{Fault, Flow, Stop, excerpt};
use crate::format::decode::decoder::Block;
use crate::format::decode::draft::{Span, repeated};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::split::head;
use crate::format::input::{InputRule, Naming};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

use super::header::{ROW, delimiter_of};

/// Reads a table with a header of its own.
#[derive(Debug)]
pub(super) struct TableDecoder {
    delimiter: Option<u8>,
    naming: Naming,
    columns: Option<Columns>,
    row: Row,
    names: NameCache,
    values: Vec<&'static str>,
}

/// The columns, of which one may name the events.
#[derive(Debug)]
struct Columns {
    names: Vec<Box<str>>,
    name_at: Option<usize>,
    constant: Box<str>,
}

/// The cells of a row.
#[derive(Debug, Default)]
struct Row {
    cells: Vec<TableCell>,
    /// Texts whose doubled quotes are made single.
    buffer: String,
}

#[derive(Debug, Clone, Copy)]
struct TableCell {
    span: Span,
    is_quoted: bool,
}

impl TableDecoder {
    pub(super) fn new(input: &InputRule) -> TableDecoder {
        TableDecoder {
            delimiter: input.delimiter,
            naming: input.naming.clone(),
            columns: None,
            row: Row::default(),
            names: NameCache::default(),
            values: Vec::new(),
        }
    }

    pub(super) fn decode<S: RawSink>(
        &mut self,
        block: Block<'_>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<usize, Stop> {
        let text = block.text;
        let mut start = 0;
        while start < text.len() {
            let delimiter = match self.delimiter {
                Some(delimiter) => delimiter,
                None => match header_line(block, start) {
                    Some(line) => *self.delimiter.insert(delimiter_of(line)),
                    None => break,
                },
            };
            let Some(end) = self.row.cut(block, start, delimiter)? else { break };
            if !self.row.is_blank() {
                match &self.columns {
                    None => self.columns = Some(Columns::read(text, &self.row, &self.naming)?),
                    Some(_) => self.event(text, start, shapes, sink)?,
                }
            }
            start = end;
        }
        Ok(start)
    }

    /// The names of all columns, once the header was read.
    pub(super) fn columns(&self) -> Option<&[Box<str>]> {
        self.columns.as_ref().map(|columns| &*columns.names)
    }

    fn event<S: RawSink>(&mut self, text: &str, start: usize, shapes: &mut Shapes, sink: &mut S) -> Flow {
        let Some(columns) = &self.columns else { return Ok(()) };
        let Row { cells, buffer } = &self.row;
        columns.refuse_more(cells)?;
        let name = match columns.name_at {
            None => &*columns.constant,
            Some(at) => match cells.get(at).map(|cell| cell.span.of(text, buffer)).filter(|name| !name.is_empty()) {
                Some(name) => name,
                None => return Err(columns.nameless(at, start).into()),
            },
        };
        let is_present = |(at, cell): &(usize, &TableCell)| Some(*at) != columns.name_at && cell.is_present();
        let present = || cells.iter().enumerate().filter(is_present);
        let variant = present().fold(0u64, |bits, (at, _)| bits.wrapping_mul(31).wrapping_add(at as u64 + 1));
        let key = NameKey::new(name, head(name.as_bytes()), variant);
        let is_same = |shape: ShapeId| {
            let known = shapes.fields(shape).iter().map(|field| &**field);
            known.eq(present().map(|(at, _)| &*columns.names[at]))
        };
        let shape = match self.names.get(key, is_same) {
            Some(shape) => shape,
            None => {
                let fields: Vec<&str> = present().map(|(at, _)| &*columns.names[at]).collect();
                let shape = shapes.find(name, &fields, sink);
                self.names.keep(key, shape)
            }
        };
        let mut values = recycle(std::mem::take(&mut self.values));
        values.extend(present().map(|(_, cell)| cell.span.of(text, buffer)));
        let flow = sink.event(RawEvent { shape, values: &values, offset: start });
        self.values = recycle(values);
        flow
    }
}

/// The first line that is not blank from here on, if it is whole.
fn header_line(block: Block<'_>, start: usize) -> Option<&str> {
    let rest = block.text[start..].trim_start_matches(['\n', '\r']);
    match memchr(b'\n', rest.as_bytes()) {
        Some(end) => Some(&rest[..end]),
        None => block.last.then_some(rest),
    }
}

impl Columns {
    fn read(text: &str, row: &Row, naming: &Naming) -> Result<Columns, Fault> {
        let names: Vec<&str> = row.cells.iter().map(|cell| cell.span.of(text, &row.buffer)).collect();
        let offset = |at: usize| row.cells[at].span.offset;
        if let Some(at) = names.iter().position(|name| name.is_empty()) {
            return Err(Fault::new(offset(at), "expected the name of a column, found an empty cell")
                .hint("name every column of the header"));
        }
        if let Some(at) = repeated(&names) {
            return Err(Fault::new(offset(at), format!("expected a new column, found `{}` again", names[at]))
                .hint("give each column of the header a name of its own"));
        }
        let position = |column: &str| names.iter().position(|name| *name == column);
        let (name_at, constant) = match naming {
            Naming::Constant(name) => (None, name.clone()),
            Naming::Usual => (position("event"), ROW.into()),
            Naming::Field(column) => match position(column) {
                Some(at) => (Some(at), "".into()),
                None => return Err(no_column(column, &names, offset(0))),
            },
        };
        Ok(Columns { names: names.into_iter().map(Into::into).collect(), name_at, constant })
    }

    fn refuse_more(&self, cells: &[TableCell]) -> Result<(), Fault> {
        let named = self.names.len();
        let Some(first) = cells.get(named) else { return Ok(()) };
        let message = format!("expected at most {named} cells, as in the header, found {}", cells.len());
        Err(Fault::new(first.span.offset, message)
            .hint("name the column in the header, or put cells that contain the separator in quotes"))
    }

    fn nameless(&self, at: usize, start: usize) -> Fault {
        Fault::new(start, format!("the column `{}`, which names the event, is empty", self.names[at]))
            .hint("fill the cell, or name all events with `constant` in [input] of the mapping")
    }
}

fn no_column(column: &str, names: &[&str], offset: usize) -> Fault {
    let message = format!("the table has no column `{column}`, which the mapping names the events by");
    match crate::nearest::nearest(column, names.iter().copied()) {
        Some(near) => Fault::new(offset, message).hint(format!("did you mean `{near}`?")),
        None => Fault::new(offset, message).hint(format!("its columns are {}", excerpt(&names.join(", ")))),
    }
}

impl TableCell {
    /// Whether it holds something, or is an empty text in quotes.
    fn is_present(&self) -> bool {
        self.is_quoted || !self.span.is_empty()
    }
}

impl Row {
    fn is_blank(&self) -> bool {
        matches!(self.cells[..], [cell] if !cell.is_present())
    }

    /// Cuts the row that starts here; tells where the next one starts, or nothing if the block ends before.
    fn cut(&mut self, block: Block<'_>, start: usize, delimiter: u8) -> Result<Option<usize>, Fault> {
        self.cells.clear();
        self.buffer.clear();
        let bytes = block.text.as_bytes();
        let mut at = start;
        loop {
            at += bytes[at..].iter().take_while(|&&byte| is_blank(byte, delimiter)).count();
            let cell = match bytes.get(at) {
                Some(b'"') => self.quoted(block, at)?,
                _ => self.plain(block, at, delimiter),
            };
            let Some((cell, end)) = cell else { return Ok(None) };
            let end = end + bytes[end..].iter().take_while(|&&byte| is_blank(byte, delimiter)).count();
            self.cells.push(cell);
            match bytes.get(end) {
                Some(&byte) if byte == delimiter => at = end + 1,
                Some(b'\n') => return Ok(Some(end + 1)),
                None if block.last => return Ok(Some(end)),
                None => return Ok(None),
                Some(_) => return Err(text_behind_quote(block.text, end, delimiter)),
            }
        }
    }

    /// A cell without quotes, and where its separator or line end is.
    fn plain(&self, block: Block<'_>, start: usize, delimiter: u8) -> Option<(TableCell, usize)> {
        let bytes = block.text.as_bytes();
        let end = match memchr2(delimiter, b'\n', &bytes[start..]) {
            Some(length) => start + length,
            None if block.last => bytes.len(),
            None => return None,
        };
        let blanks = bytes[start..end].iter().rev().take_while(|&&byte| is_blank(byte, delimiter)).count();
        Some((TableCell { span: Span::plain(start, start, end - blanks), is_quoted: false }, end))
    }

    /// The cell whose opening quote is here, and where it ends.
    fn quoted(&mut self, block: Block<'_>, opening: usize) -> Result<Option<(TableCell, usize)>, Fault> {
        let bytes = block.text.as_bytes();
        let (mut at, mut is_doubled) = (opening + 1, false);
        let closing = loop {
            let Some(length) = memchr(b'"', &bytes[at..]) else {
                return if block.last { Err(unterminated(opening)) } else { Ok(None) };
            };
            at += length + 1;
            match bytes.get(at) {
                Some(b'"') => (at, is_doubled) = (at + 1, true),
                None if !block.last => return Ok(None),
                _ => break at - 1,
            }
        };
        let span = if is_doubled {
            let from = self.buffer.len();
            self.buffer.push_str(&block.text[opening + 1..closing].replace("\"\"", "\""));
            Span::built(opening, from, &self.buffer)
        } else {
            Span::plain(opening, opening + 1, closing)
        };
        Ok(Some((TableCell { span, is_quoted: true }, closing + 1)))
    }
}

fn is_blank(byte: u8, delimiter: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r') && byte != delimiter
}

#[cold]
fn unterminated(opening: usize) -> Fault {
    Fault::new(opening, "expected a closing quote, found the end of the input")
        .hint("close the quote that opens here, or double it where it is text: \"\"")
}

#[cold]
fn text_behind_quote(text: &str, at: usize, delimiter: u8) -> Fault {
    let found = text[at..].chars().next().unwrap_or_default().escape_default();
    let separator = char::from(delimiter).escape_default();
    Fault::new(at, format!("expected `{separator}` or the end of the line after a closing quote, found `{found}`"))
        .hint("put the whole cell in quotes, and double the quotes that are text: \"\"")
}

#[cfg(test)]
mod tests;
