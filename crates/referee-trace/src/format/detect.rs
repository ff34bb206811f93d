//! Which format a text is in.
//!
//! Some texts say so themselves, and then nothing else counts, not even the file's extension:
//!
//! ```text
//!  <…                                xml         a,x = 1             csv-named
//!  {…  […  name: {…                  json        event,x,y           csv
//!  @10 p (1)                         monpoly
//! ```
//!
//! The other three look alike on short texts: a line `a` is an event in each of them, and nearly any line is plain
//! CSV. There the extension speaks first: `.csv` is never blocks or terms, and a `.xml` without `<` is better refused
//! by the XML decoder than read as plain CSV. Without such an extension it is blocks if a name line is followed by a
//! line with `=`, abstract if the first line that is more than a name can be read so, and plain CSV otherwise. `.log`
//! and `.trace` are names for anything; but what has terms in such a file, `open(1)close(1)`, is no plain CSV either, and is
//! better refused by the decoder of what the extension says.

use super::abstract_::Abstract;
use super::{Block, Decoder, Format};
use crate::error::{Fault, Flow};
use crate::number::Number;
use crate::raw::{RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

/// How many bytes at the start of a text are looked at.
pub const HEAD: usize = 64 * 1024;

/// The format of the text that begins with `head`, which came under a name with `extension`, if with any.
///
/// An empty text is the empty trace in plain CSV. A fault means that this is no text.
pub fn detect(head: &str, extension: Option<&str>) -> Result<Format, Fault> {
    let head = first(head);
    refuse_binary(head)?;
    Ok(certain(head).unwrap_or_else(|| match extension.and_then(claimed) {
        Some(format) if !head.trim().is_empty() => format,
        _ => match likely(head) {
            Format::CsvPlain if has_terms(head) => extension.and_then(Format::of_extension).unwrap_or(Format::CsvPlain),
            format => format,
        },
    }))
}

/// At most [`HEAD`] bytes of a text.
fn first(text: &str) -> &str {
    &text[..text.floor_char_boundary(HEAD)]
}

impl Format {
    /// The format in which a file with this extension is written.
    pub fn of_extension(extension: &str) -> Option<Format> {
        Some(match extension {
            "csv" => Format::Csv,
            "xml" => Format::Xml,
            "json" | "jsonl" => Format::Json,
            "blocks" => Format::Blocks,
            "log" => Format::Monpoly,
            "trace" => Format::Abstract,
            _ => return None,
        })
    }
}

/// What an extension says about a text that does not speak for itself.
fn claimed(extension: &str) -> Option<Format> {
    match Format::of_extension(&extension.to_ascii_lowercase())? {
        Format::Csv => Some(Format::CsvPlain),
        format @ (Format::Xml | Format::Json | Format::Blocks) => Some(format),
        _ => None,
    }
}

fn refuse_binary(head: &str) -> Result<(), Fault> {
    let control = |byte: u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let offset = if head.bytes().next().is_some_and(control) { Some(0) } else { head.find('\0') };
    match offset {
        Some(offset) => Err(Fault::new(offset, "expected text, found binary data").hint(
            "traces are text, plain or compressed with gzip or zstd; name the format with --format if this is text",
        )),
        None => Ok(()),
    }
}

/// The format that a text's own marks leave no doubt about.
fn certain(head: &str) -> Option<Format> {
    let text = skip_comments(head);
    match text.bytes().next()? {
        b'<' => return Some(Format::Xml),
        b'{' | b'[' => return Some(Format::Json),
        b'@' => return Some(Format::Monpoly),
        _ if begins_with_object_member(text) => return Some(Format::Json),
        _ => {}
    }
    if has_header(head) {
        return Some(Format::Csv);
    }
    names_its_fields(head).then_some(Format::CsvNamed)
}

/// The text from the first line on that is neither blank nor a `#` comment.
fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, after)| after.trim_start());
    }
    rest
}

/// Whether a text begins with `name: {`, the name quoted or not.
fn begins_with_object_member(text: &str) -> bool {
    let after_name = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(_, after)| after.trim_start()),
        None => text.find([':', '\n', ',', '(', '=']).map(|end| &text[end..]),
    };
    after_name.and_then(|after| after.strip_prefix(':')).is_some_and(|value| value.trim_start().starts_with('{'))
}

/// Whether the first line is a header: its first cell is `event`, and no line of blocks follows.
fn has_header(head: &str) -> bool {
    let mut lines = head.trim_start().lines();
    let first = lines.next().unwrap_or_default();
    let (cell, rest) = first_cell(first);
    cell == "event" && (rest.is_some() || lines.next().is_none_or(|second| field_of(second).is_none()))
}

/// Whether the first line is a header with a number for a name, other than the position that stands for one: it may be
/// an event that is called `event`.
pub fn header_has_values(head: &str) -> bool {
    let head = first(head).trim_start();
    let line = head.lines().next().unwrap_or_default();
    let is_value = |(position, cell): (usize, &str)| {
        let cell = cell.trim().trim_matches('"');
        Number::parse(cell).is_some() && cell != position.to_string()
    };
    has_header(head) && line.split(',').enumerate().skip(1).any(is_value)
}

/// Whether the first line with two cells has `=` in the second and none in the first.
fn names_its_fields(head: &str) -> bool {
    let with_cells = lines(head).find_map(|line| match first_cell(line) {
        (cell, Some(rest)) => Some((cell, first_cell(rest).0)),
        _ => None,
    });
    with_cells.is_some_and(|(first, second)| !first.contains(['=', '(']) && second.contains('='))
}

/// A line's first cell without quotes and outer blanks, and what follows its comma.
fn first_cell(line: &str) -> (&str, Option<&str>) {
    let line = line.trim();
    if let Some((cell, after)) = line.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
        return (cell, after.split_once(',').map(|(_, rest)| rest));
    }
    match line.split_once(',') {
        Some((cell, rest)) => (cell.trim_end(), Some(rest)),
        None => (line, None),
    }
}

/// The lines that are not blank.
fn lines(head: &str) -> impl Iterator<Item = &str> {
    head.lines().filter(|line| !line.trim().is_empty())
}

fn likely(head: &str) -> Format {
    if is_blocks(head) {
        Format::Blocks
    } else if is_abstract(head) {
        Format::Abstract
    } else {
        Format::CsvPlain
    }
}

/// Whether the first line with `=` is a field right below a name line.
fn is_blocks(head: &str) -> bool {
    let mut name_above = false;
    for line in head.lines() {
        if field_of(line).is_some() {
            return name_above;
        }
        name_above = !line.trim().is_empty();
        if line.contains([',', '(', '"']) {
            return false;
        }
    }
    false
}

/// The name of the field that a line of blocks gives, if it looks like one.
fn field_of(line: &str) -> Option<&str> {
    let (field, _) = line.split_once('=')?;
    let field = field.trim();
    (!field.is_empty() && !field.contains([',', '(', '"'])).then_some(field)
}

/// Whether the first line that is more than a word can be read as terms.
fn is_abstract(head: &str) -> bool {
    let Some(telling) = lines(skip_comments(head)).find(|line| line.contains([',', '(', '.', '"', ' '])) else {
        return false;
    };
    let block = Block { text: telling, last: false };
    Abstract::default().decode(block, &mut Shapes::new(), &mut Nobody).is_ok()
}

/// Whether the first line that is no comment has parentheses, and no comma outside them.
fn has_terms(head: &str) -> bool {
    let line = lines(skip_comments(head)).next().unwrap_or_default();
    let (mut depth, mut opens) = (0usize, false);
    for byte in line.bytes() {
        match byte {
            b'(' => (depth, opens) = (depth + 1, true),
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return false,
            _ => {}
        }
    }
    opens
}

/// Listens to nothing: only faults are of interest.
struct Nobody;

impl RawSink for Nobody {
    fn shape(&mut self, _: ShapeId, _: &Shape) -> Want {
        Want::NONE
    }

    fn event(&mut self, _: RawEvent<'_>) -> Flow {
        Ok(())
    }

    fn point(&mut self, _: &str, _: usize) -> Flow {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
