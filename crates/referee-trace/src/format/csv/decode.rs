//! `csv`: a header names the fields of all events.
//!
//! ```text
//!  event, user, file      the first cell is `event`, the others name the columns
//!  open, u1, f            open(user = "u1", file = "f")
//!  logout, u1,            logout(user = "u1")       a blank cell is absent
//!  logout, u1             the same                  cells missing at the end are blank, too
//!  note, "", "a, b"       note(user = "", file = "a, b")    quotes make an empty text
//! ```
//!
//! An event's shape is its name and the set of its columns that are not blank; as a word of bits that set is part of the
//! key under which the shape is cached, so no row is hashed whose like came before. Rows of short integers are read in
//! bulk (`format::decode::integers`): as long as no cell is blank, by position, and after that by which cells are. A row
//! with *more* cells than the header is a fault, for nobody knows what they mean. How cells and lines end is told in
//! `format::decode::rows`.

use std::collections::HashSet;

use super::table::TableDecoder;
use crate::error::{Fault, Flow, Stop};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::integers::{Filled, Integers, Sparse};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::rows::{QuotedCell, QuotedRow, Rows, Splitter, cell_offset, for_each_row, no_name};
use crate::format::decode::split::{head, head_within};
use crate::format::decode::whole;
use crate::format::input::{InputRule, Naming};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// Decodes CSV whose header starts with `event`.
#[derive(Debug, Default)]
pub struct CsvDecoder {
    splitter: Splitter,
    header: Option<Header>,
    names: NameCache,
    bulk: TableIntegers,
    values: Vec<&'static str>,
    quoted_values: Vec<&'static str>,
    /// The reader of a table with a header of its own.
    table: Option<Box<TableDecoder>>,
}

impl Decoder for CsvDecoder {
    const TAKES_NAMING: bool = true;

    fn new(input: &InputRule) -> CsvDecoder {
        let is_table = input.header || input.delimiter.is_some() || input.naming != Naming::Usual;
        CsvDecoder { table: is_table.then(|| Box::new(TableDecoder::new(input))), ..CsvDecoder::default() }
    }

    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        if let Some(table) = &mut self.table {
            return table.decode(block, shapes, sink);
        }
        let values = recycle(std::mem::take(&mut self.values));
        let found = Finder { names: &mut self.names, bulk: &mut self.bulk, shapes, sink };
        let (header, quoted_values) = (&mut self.header, &mut self.quoted_values);
        let mut run = CsvRun { text: block.text, header, found, values, quoted_values };
        let used = for_each_row(&mut self.splitter, block, 0, &mut run);
        let used = run.found.bulk.finish(used, run.found.sink);
        self.values = recycle(run.values);
        used
    }

    fn columns(&self) -> Option<&[Box<str>]> {
        match &self.table {
            Some(table) => table.columns(),
            None => self.header.as_ref().map(|header| &*header.columns),
        }
    }
}

/// Rows that are read in bulk.
#[derive(Debug)]
enum TableIntegers {
    /// No cell has been blank.
    Filled(Integers<Filled>),
    /// Some have.
    Sparse(Integers<Sparse>),
}

impl Default for TableIntegers {
    fn default() -> TableIntegers {
        TableIntegers::Filled(Integers::default())
    }
}

impl TableIntegers {
    #[inline(always)]
    fn tries(&mut self) -> bool {
        match self {
            TableIntegers::Filled(integers) => integers.tries(),
            TableIntegers::Sparse(integers) => integers.tries(),
        }
    }

    #[inline(always)]
    fn hand_over<S: RawSink>(&mut self, sink: &mut S) -> Flow {
        match self {
            TableIntegers::Filled(integers) => integers.hand_over(sink),
            TableIntegers::Sparse(integers) => integers.hand_over(sink),
        }
    }

    fn finish<T, S: RawSink>(&mut self, outcome: Result<T, Stop>, sink: &mut S) -> Result<T, Stop> {
        match self {
            TableIntegers::Filled(integers) => integers.finish(outcome, sink),
            TableIntegers::Sparse(integers) => integers.finish(outcome, sink),
        }
    }

    fn is_filled(&self) -> bool {
        matches!(self, TableIntegers::Filled(_))
    }

    /// From now on cells may be blank. Nothing waits.
    fn allow_blanks(&mut self, header: &Header) {
        let mut sparse = Integers::default();
        sparse.frame(header.columns.len() + 1);
        *self = TableIntegers::Sparse(sparse);
    }

    /// Rows of a shape, with this name and values in these columns, may come in bulk if the sink takes them so.
    fn keep<S: RawSink>(&mut self, header: &Header, name: &str, columns: &[usize], shape: ShapeId, sink: &mut S) {
        match self {
            TableIntegers::Filled(integers) => integers.keep(name, columns.len(), Filled, shape, sink),
            TableIntegers::Sparse(integers) => {
                let width = header.columns.len() + 1;
                if let Some(layout) = Sparse::of(width, columns.iter().map(|column| column + 1)) {
                    // The name is never blank.
                    let kind = columns.iter().fold(1, |kind, column| kind | 1 << (column + 1));
                    integers.keep_kind(name, kind, columns.len(), layout, shape, sink);
                }
            }
        }
    }
}

/// The names of the columns after the first.
#[derive(Debug)]
struct Header {
    columns: Vec<Box<str>>,
}

impl Header {
    /// Reads the header's cells; `offset` says where a cell begins.
    fn read<'a>(mut cells: impl Iterator<Item = &'a str>, offset: impl Fn(usize) -> usize) -> Result<Header, Fault> {
        match cells.next() {
            Some("event") => {}
            first => return Err(not_a_header(first.unwrap_or_default(), offset(0))),
        }
        let (mut columns, mut seen) = (Vec::new(), HashSet::new());
        for (name, index) in cells.zip(1..) {
            if name.is_empty() {
                return Err(Fault::new(offset(index), "expected the name of a column, found an empty cell")
                    .hint("name every column of the header, or remove the comma at its end"));
            }
            if !seen.insert(name) {
                return Err(Fault::new(offset(index), format!("expected a new column, found `{name}` again"))
                    .hint("give each column of the header a name of its own"));
            }
            columns.push(name.into());
        }
        Ok(Header { columns })
    }

    /// The fault of a row with more cells than the header, if this is one.
    fn refuse_more(&self, count: usize, text: &str, start: usize) -> Result<(), Fault> {
        let (found, named) = (count + 1, self.columns.len() + 1);
        if found <= named {
            return Ok(());
        }
        let message = format!("expected at most {named} cells, as in the header, found {found}");
        Err(Fault::new(cell_offset(text, start, named), message)
            .hint("name the column in the header, or put cells that contain commas in quotes"))
    }
}

fn not_a_header(found: &str, offset: usize) -> Fault {
    let shown: String = found.chars().take(40).collect();
    Fault::new(offset, format!("expected a header whose first cell is `event`, found `{shown}`"))
        .hint("start with a line such as `event, user, file`, or read the file as csv-plain if it has no header")
}

/// The decoding of one block.
struct CsvRun<'r, 'b, S> {
    text: &'b str,
    header: &'r mut Option<Header>,
    found: Finder<'r, S>,
    values: Vec<&'b str>,
    quoted_values: &'r mut Vec<&'static str>,
}

impl<'b, S: RawSink> Rows<'b> for CsvRun<'_, 'b, S> {
    const NAMED: bool = false;

    #[inline]
    unsafe fn bulk(&mut self, text: &'b str, mut start: usize, separators: &[usize]) -> Result<usize, Stop> {
        let Some(header) = &*self.header else { return Ok(0) };
        let count = header.columns.len() + 1;
        let mut used = 0;
        if self.found.sink.rows().is_some() && self.found.bulk.tries() {
            // SAFETY: the caller's promise.
            (start, used) = unsafe {
                match self.found.bulk {
                    TableIntegers::Filled(integers) => integers.take(text, start, separators, self.found.sink)?,
                    TableIntegers::Sparse(integers) => integers.take(text, start, separators, self.found.sink)?,
                }
            };
            if used > 0 {
                return Ok(used);
            }
        }
        while let Some(row) = separators.get(used..used + count)
            && let Some(present) = whole::present(text.as_bytes(), start, row)
        {
            self.whole_row(start, row, present)?;
            start = row[count - 1] + 1;
            used += count;
            if self.found.sink.rows().is_some() && self.found.bulk.tries() {
                break;
            }
        }
        Ok(used)
    }

    #[inline]
    fn plain_row(&mut self, start: usize, name: &'b str, cells: &[&'b str]) -> Flow {
        let Some(header) = &*self.header else {
            let all = std::iter::once(name).chain(cells.iter().copied());
            *self.header = Some(Header::read(all, |index| cell_offset(self.text, start, index))?);
            return Ok(());
        };
        header.refuse_more(cells.len(), self.text, start)?;
        self.values.clear();
        let columns = || cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).map(|(column, _)| column);
        let present = columns().fold(0, |present, column| present | 1 << (column % 64));
        self.values.extend(cells.iter().filter(|cell| !cell.is_empty()));
        let key = NameKey::new(name, head_within(self.text, name), present);
        let shape = self.found.shape(header, name, key, columns)?;
        self.hand_over(shape, start)
    }

    fn nameless_row(&self, start: usize) -> Fault {
        match &self.header {
            Some(_) => no_name(start),
            None => not_a_header("", start),
        }
    }

    fn quoted_row(&mut self, start: usize, row: &QuotedRow) -> Flow {
        let mut cells = row.cells(self.text);
        let Some(header) = &*self.header else {
            let all = cells.map(|cell| cell.text);
            *self.header = Some(Header::read(all, |index| cell_offset(self.text, start, index))?);
            return Ok(());
        };
        let name = cells.next().map(|cell| cell.text).unwrap_or_default();
        if name.is_empty() {
            return Err(no_name(start).into());
        }
        header.refuse_more(cells.clone().count(), self.text, start)?;
        let is_present = |cell: &QuotedCell<'_>| cell.quoted || !cell.text.is_empty();
        let columns = || cells.clone().enumerate().filter(|(_, cell)| is_present(cell)).map(|(column, _)| column);
        let present = columns().fold(0, |present, column| present | 1 << (column % 64));
        let key = NameKey::new(name, head(name.as_bytes()), present);
        let shape = self.found.shape(header, name, key, columns)?;
        let mut values = recycle(std::mem::take(self.quoted_values));
        values.extend(cells.clone().filter(is_present).map(|cell| cell.text));
        let flow = self.found.sink.event(RawEvent { shape, values: &values, offset: start });
        *self.quoted_values = recycle(values);
        flow
    }
}

impl<'b, S: RawSink> CsvRun<'_, 'b, S> {
    /// A row with all these separators, and with the cells of which the bits are set.
    #[inline]
    fn whole_row(&mut self, start: usize, row: &[usize], present: u64) -> Flow {
        let Some(header) = &*self.header else { return Ok(()) };
        let name = &self.text[start..row[0]];
        let present = present >> 1;
        self.values.clear();
        for column in ones(present) {
            self.values.push(&self.text[row[column] + 1..row[column + 1]]);
        }
        let key = NameKey::new(name, head_within(self.text, name), present);
        let shape = self.found.shape(header, name, key, || ones(present))?;
        self.hand_over(shape, start)
    }

    /// Hands an event with the values that were read to the sink. One copy of all that happens to it is enough.
    #[inline(never)]
    fn hand_over(&mut self, shape: ShapeId, start: usize) -> Flow {
        self.found.sink.event(RawEvent { shape, values: &self.values, offset: start })
    }
}

/// The places of the bits of a word that are set.
#[inline]
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        let is_one = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_one.then_some(place)
    })
}

/// Finds shapes.
struct Finder<'r, S> {
    names: &'r mut NameCache,
    bulk: &'r mut TableIntegers,
    shapes: &'r mut Shapes,
    sink: &'r mut S,
}

impl<S: RawSink> Finder<'_, S> {
    /// The shape of an event with values in `columns`; the key's variant has a bit for each of them, modulo 64. Rows before
    /// it that wait are handed over first: they come before what is announced here.
    #[inline]
    fn shape<C: Iterator<Item = usize>>(
        &mut self,
        header: &Header,
        name: &str,
        key: NameKey<'_>,
        columns: impl Fn() -> C,
    ) -> Result<ShapeId, Stop> {
        self.bulk.hand_over(self.sink)?;
        let same = |shape: ShapeId| {
            let mut fields = self.shapes.fields(shape).iter();
            header.columns.len() <= 64
                || columns().all(|column| fields.next() == header.columns.get(column)) && fields.next().is_none()
        };
        Ok(self.names.get(key, same).unwrap_or_else(|| self.shape_anew(header, name, key, columns())))
    }

    #[cold]
    fn shape_anew(
        &mut self,
        header: &Header,
        name: &str,
        key: NameKey<'_>,
        columns: impl Iterator<Item = usize>,
    ) -> ShapeId {
        let columns: Vec<usize> = columns.filter(|column| *column < header.columns.len()).collect();
        let fields: Vec<&str> = columns.iter().map(|column| &*header.columns[*column]).collect();
        let shape = self.shapes.find(name, &fields, self.sink);
        if self.bulk.is_filled() && columns.len() < header.columns.len() {
            self.bulk.allow_blanks(header);
            // What was found before is asked for again, and then known by its columns.
            *self.names = NameCache::default();
        }
        self.bulk.keep(header, name, &columns, shape, self.sink);
        self.names.keep(key, shape)
    }
}

#[cfg(test)]
mod tests {
    use super::CsvDecoder;
    use crate::format::testing::collect;

    fn shown(text: &str) -> Vec<String> {
        collect(CsvDecoder::default(), text).shown()
    }

    fn fault(text: &str) -> (usize, String) {
        let outcome = collect(CsvDecoder::default(), text);
        let (offset, message) = outcome.fault();
        (offset, message.to_owned())
    }

    #[test]
    fn columns_name_the_fields() {
        let text = "event, user, file\nopen, u1, f\nopen,u2,g\r\n\r\nclose , u1 ,\tf";
        assert_eq!(shown(text), ["open(user=u1,file=f)", "open(user=u2,file=g)", "close(user=u1,file=f)"]);
    }

    #[test]
    fn blank_and_missing_cells_are_absent_but_quoted_ones_are_not() {
        let text = "event,a,b,c\nx,1,,3\nx,,,\nx,1\nx\nx,\"\",2,\nx,1,,3\n";
        assert_eq!(shown(text), ["x(a=1,c=3)", "x()", "x(a=1)", "x()", "x(a=,b=2)", "x(a=1,c=3)"]);
    }

    #[test]
    fn the_header_may_be_quoted_and_alone() {
        assert_eq!(shown("\n \n\"event\",\"a,b\"\nx,1\n"), ["x(a,b=1)"]);
        assert_eq!(shown("event\na\nb\n"), ["a()", "b()"]);
        assert_eq!(shown("event, f"), [""; 0]);
        assert_eq!(shown(""), [""; 0]);
    }

    #[test]
    fn more_than_64_columns_are_told_apart() {
        let header: Vec<String> = (0..130).map(|column| format!("f{column}")).collect();
        let row = |column: usize| format!("x{}7", ",".repeat(column + 1));
        let text = format!("event,{}\n{}\n{}\n{}\n", header.join(","), row(1), row(65), row(129));
        assert_eq!(shown(&text), ["x(f1=7)", "x(f65=7)", "x(f129=7)"]);
    }

    #[test]
    fn wrong_headers_are_refused() {
        assert_eq!(fault("\nopen,1\n"), (1, "expected a header whose first cell is `event`, found `open`".into()));
        assert_eq!(fault(",a\n"), (0, "expected a header whose first cell is `event`, found ``".into()));
        assert_eq!(fault("event, a,, b\n"), (9, "expected the name of a column, found an empty cell".into()));
        assert_eq!(fault("event,a,\n"), (8, "expected the name of a column, found an empty cell".into()));
        assert_eq!(fault("event,a, \"a\"\n"), (9, "expected a new column, found `a` again".into()));
    }

    #[test]
    fn longer_rows_are_refused_at_the_first_cell_too_many() {
        let message = "expected at most 2 cells, as in the header, found 4";
        assert_eq!(fault("event,a\nx,1\nx,1, 2,3\n"), (17, message.into()));
        assert_eq!(fault("event,a\nx,\"1\", 2,3\n"), (15, message.into()));
    }

    #[test]
    fn a_row_needs_a_name() {
        let message = "expected the name of an event, found an empty cell";
        assert_eq!(fault("event,a\n ,1\n"), (8, message.into()));
        assert_eq!(fault("event,a\n\"\",1\n"), (8, message.into()));
    }
}
