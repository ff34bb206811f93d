//! Rows of comma-separated cells: what the three CSV formats share.
//!
//! ```text
//!  block ─▶ Lines ─┬─ no quote, no NUL, few cells, with a line end
//!                  │                   ─▶ plain_row    cells are slices of the block
//!                  └─ odd ─▶ QuotedRow ─▶ quoted_row   cells are slices of the block, or of a scratch text
//!                                                      where doubled quotes had to be made single
//! ```
//!
//! * Commas separate cells; CR, LF, or both end a row, in any mixture. Rows of nothing but blanks are skipped.
//! * Spaces and tabs around a cell are insignificant, also around its quotes.
//! * A cell that starts with a quote ends with one; between them commas and line ends are text and `""` is one quote.
//! * A quote within a cell that does not start with one is text: `5" disk` needs no quotes.
//! * A NUL byte is a fault wherever it stands.

use std::ops::Range;

use memchr::memchr;

use super::decoder::Block;
use super::split::{LineSink, Lines, Pause, Tapes, is_blank, trim};
use crate::error::{Fault, Flow, Stop};

/// What a format does with the rows of a block.
pub(crate) trait Rows<'t> {
    /// Whether `=` separates a cell's field from its value.
    const NAMED: bool;

    /// Takes rows of a text from `start` on, as long as they need not be cut into cells; tells how many separators were used up.
    ///
    /// # Safety
    ///
    /// As for [`LineSink::bulk`].
    #[inline(always)]
    unsafe fn bulk(&mut self, _text: &'t str, _start: usize, _separators: &[usize]) -> Result<usize, Stop> {
        Ok(0)
    }

    /// A row without quotes, from `start`: its first cell, which is not empty, and the others.
    fn plain_row(&mut self, start: usize, name: &'t str, cells: &[&'t str]) -> Flow;

    /// What is wrong with a row without quotes whose first cell is empty and not the only one.
    fn nameless_row(&self, start: usize) -> Fault {
        no_name(start)
    }

    /// A row with quotes, or one that is odd in another way, from `start`.
    fn quoted_row(&mut self, start: usize, row: &QuotedRow) -> Flow;
}

/// The buffers of [`for_each_row`], kept from block to block.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    tapes: Tapes,
    row: QuotedRow,
}

impl Splitter {
    /// Cuts the row that starts at `start` by itself; gives it and the start of the next one, or nothing if the block ends before it.
    pub(crate) fn cut(
        &mut self,
        block: Block<'_>,
        start: usize,
        named: bool,
    ) -> Result<Option<(&QuotedRow, usize)>, Fault> {
        let end = self.row.cut(block, start, named)?;
        Ok(end.map(|end| (&self.row, end)))
    }
}

/// Hands every complete row of a block, from `start` on, to `rows` and says how far it came.
#[inline]
pub(crate) fn for_each_row<'t, R: Rows<'t>>(
    splitter: &mut Splitter,
    block: Block<'t>,
    start: usize,
    rows: &mut R,
) -> Result<usize, Stop> {
    let row = &mut splitter.row;
    let mut lines = Lines::new(block, &mut splitter.tapes);
    lines.skip_to(start);
    loop {
        let pause = lines.each(&mut Cut(rows))?;
        let Pause::Odd(start) = pause else { return Ok(lines.used()) };
        match row.cut(block, start, R::NAMED)? {
            Some(end) => lines.skip_to(end),
            None => return Ok(start),
        }
        if !row.is_blank() {
            rows.quoted_row(start, row)?;
        }
    }
}

/// Hands the lines of a block to those who take rows.
struct Cut<'r, R>(&'r mut R);

impl<'t, R: Rows<'t>> LineSink<'t> for Cut<'_, R> {
    #[inline(always)]
    unsafe fn bulk(&mut self, text: &'t str, start: usize, separators: &[usize]) -> Result<usize, Stop> {
        // SAFETY: the caller's promise.
        unsafe { self.0.bulk(text, start, separators) }
    }

    #[inline(always)]
    fn line(&mut self, start: usize, first: &'t str, cells: &[&'t str]) -> Flow {
        match cells {
            [_, values @ ..] if !first.is_empty() => self.0.plain_row(start, first, values),
            [_] | [] => Ok(()),
            _ => Err(self.0.nameless_row(start).into()),
        }
    }
}

/// A cell of a row with quotes, or one side of its `=`.
#[derive(Debug, Clone, Copy)]
struct RowPiece {
    start: usize,
    end: usize,
    /// Where its text is: within the row's scratch text, or within the block.
    rewritten: bool,
    /// Whether it had quotes: then blank does not mean absent.
    quoted: bool,
    /// Where it begins in the block, at its opening quote if it has one.
    offset: usize,
    /// Whether `=` follows.
    is_field: bool,
}

/// A row cut into pieces with regard to quotes. Serves row after row.
#[derive(Debug, Default)]
pub(crate) struct QuotedRow {
    pieces: Vec<RowPiece>,
    scratch: String,
}

/// A cell of a [`QuotedRow`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuotedCell<'a> {
    /// Its text without quotes, blanks around it, and doubled quotes.
    pub text: &'a str,
    /// Whether it had quotes.
    pub quoted: bool,
    /// Where it begins in the block.
    pub offset: usize,
    /// Whether `=` follows and the next cell is the value of this one.
    pub is_field: bool,
}

impl QuotedRow {
    /// Whether there is nothing, not even quotes.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self.pieces[..], [RowPiece { start, end, quoted: false, .. }] if start == end)
    }

    /// The cells; with [`Rows::NAMED`] a cell and its value are two.
    pub(crate) fn cells<'a>(&'a self, text: &'a str) -> impl Iterator<Item = QuotedCell<'a>> + Clone {
        self.pieces.iter().map(move |piece| {
            let source = if piece.rewritten { self.scratch.as_str() } else { text };
            let RowPiece { start, end, quoted, offset, is_field, .. } = *piece;
            QuotedCell { text: &source[start..end], quoted, offset, is_field }
        })
    }

    /// Where the pieces of a row without quotes stand in the block; nothing if it has quotes.
    pub(crate) fn places(&self) -> Option<impl Iterator<Item = Range<usize>>> {
        let is_plain = !self.pieces.iter().any(|piece| piece.quoted || piece.rewritten);
        is_plain.then(|| self.pieces.iter().map(|piece| piece.start..piece.end))
    }

    /// Cuts the row that starts at `start`. Gives the start of the next one, or nothing if the block ends before it.
    pub(crate) fn cut(&mut self, block: Block<'_>, start: usize, named: bool) -> Result<Option<usize>, Fault> {
        self.pieces.clear();
        self.scratch.clear();
        let (bytes, mut at) = (block.text.as_bytes(), start);
        let mut may_be_field = false;
        loop {
            let Some(mut piece) = self.piece(block, at, may_be_field)? else { return Ok(None) };
            at = piece.1;
            let stop = bytes.get(at).copied();
            piece.0.is_field = stop == Some(b'=');
            self.pieces.push(piece.0);
            match stop {
                Some(b'=') => may_be_field = false,
                Some(b',') => may_be_field = named,
                _ => return Ok(Some((at + 1).min(bytes.len()))),
            }
            at += 1;
        }
    }

    /// The piece at `at` and where it stops: at `,`, `=`, a line end, or the end of the input.
    fn piece(&mut self, block: Block<'_>, at: usize, stop_at_equals: bool) -> Result<Option<(RowPiece, usize)>, Fault> {
        let bytes = block.text.as_bytes();
        let at = skip_blanks(bytes, at);
        let is_stop = |byte: &u8| matches!(byte, b',' | b'\n' | b'\r') || stop_at_equals && *byte == b'=';
        if bytes.get(at) == Some(&b'"') {
            let Some((piece, end)) = self.quoted(block, at)? else { return Ok(None) };
            let end = skip_blanks(bytes, end);
            return match bytes.get(end) {
                Some(byte) if is_stop(byte) => Ok(Some((piece, end))),
                Some(_) => Err(text_after_quote(block.text, end)),
                None => Ok(block.last.then_some((piece, end))),
            };
        }
        let length = bytes[at..].iter().position(is_stop);
        let Some(end) = length.map(|length| at + length).or(block.last.then_some(bytes.len())) else {
            return Ok(None);
        };
        let Range { start, end: trimmed } = trim(bytes, at..end);
        refuse_nul(bytes, start..trimmed)?;
        let piece = RowPiece { start, end: trimmed, rewritten: false, quoted: false, offset: at, is_field: false };
        Ok(Some((piece, end)))
    }

    /// The quoted text whose opening quote is at `opening`, and where it ends.
    fn quoted(&mut self, block: Block<'_>, opening: usize) -> Result<Option<(RowPiece, usize)>, Fault> {
        let bytes = block.text.as_bytes();
        let (mut at, mut doubled) = (opening + 1, false);
        let closing = loop {
            let Some(length) = memchr(b'"', &bytes[at..]) else {
                return if block.last { Err(unterminated(opening)) } else { Ok(None) };
            };
            at += length + 1;
            match bytes.get(at) {
                Some(b'"') => (at, doubled) = (at + 1, true),
                None if !block.last => return Ok(None),
                _ => break at - 1,
            }
        };
        refuse_nul(bytes, opening + 1..closing)?;
        let (mut start, mut end) = (opening + 1, closing);
        if doubled {
            (start, end) = self.rewrite(&block.text[start..end]);
        }
        let piece = RowPiece { start, end, rewritten: doubled, quoted: true, offset: opening, is_field: false };
        Ok(Some((piece, closing + 1)))
    }

    /// Appends a text to the scratch with single quotes for doubled ones, and says where it lies there.
    fn rewrite(&mut self, text: &str) -> (usize, usize) {
        let start = self.scratch.len();
        for (index, part) in text.split("\"\"").enumerate() {
            self.scratch.push_str(if index == 0 { "" } else { "\"" });
            self.scratch.push_str(part);
        }
        (start, self.scratch.len())
    }
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|&&byte| is_blank(byte)).count()
}

fn refuse_nul(bytes: &[u8], range: Range<usize>) -> Result<(), Fault> {
    match memchr(0, &bytes[range.clone()]) {
        Some(at) => Err(Fault::new(range.start + at, "expected text, found a NUL byte")
            .hint("remove the NUL bytes; a file full of them is no text, or is not in UTF-8")),
        None => Ok(()),
    }
}

fn unterminated(opening: usize) -> Fault {
    Fault::new(opening, "expected a closing quote, found the end of the input")
        .hint("close the quote that opens here, or double it where it is text: \"\"")
}

fn text_after_quote(text: &str, at: usize) -> Fault {
    let found = text[at..].chars().next().map_or_else(String::new, |found| format!("`{}`", found.escape_default()));
    Fault::new(at, format!("expected a comma or the end of the line after a closing quote, found {found}"))
        .hint("put the whole cell in quotes, and double the quotes that are text: \"\"")
}

/// Where the cell number `index` of a row begins; for faults, found anew.
#[cold]
pub(crate) fn cell_offset(text: &str, start: usize, index: usize) -> usize {
    let mut row = QuotedRow::default();
    let cut = row.cut(Block { text, last: true }, start, false);
    let offset = row.pieces.get(index).map(|piece| piece.offset);
    offset.filter(|_| cut.is_ok()).unwrap_or(start)
}

/// An event without a name.
#[cold]
pub(crate) fn no_name(start: usize) -> Fault {
    Fault::new(start, "expected the name of an event, found an empty cell")
        .hint("write the event's name in the first cell of every row")
}

#[cfg(test)]
mod tests;
