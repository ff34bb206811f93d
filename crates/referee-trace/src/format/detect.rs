//! Which format a text is in.
//!
//! Some texts say so themselves, and then nothing else counts, not even the file's extension:
//!
//! ```text
//!  <…                                xml         a,x = 1             csv-named
//!  {…  […  name: {…                  json        event,x,y           csv
//!  @10 p (1)                         monpoly     event=a x=1         logfmt
//!  <log xes.version=…                xes         __CURSOR=…          journald
//! ```
//!
//! The other three look alike on short texts: a line `a` is an event in each of them, and nearly any line is plain
//! CSV. There the extension speaks first: `.csv` is never blocks or terms, and a `.xml` without `<` is better refused
//! by the XML decoder than read as plain CSV. Without such an extension it is blocks if a name line is followed by a
//! line with `=`, abstract if the first line that is more than a name can be read so, and plain CSV otherwise. `.log`
//! and `.trace` are names for anything; but what has terms in such a file, `open(1)close(1)`, is no plain CSV either, and is
//! better refused by the decoder of what the extension says.

use super::decode::head::{first, lines, skip_comments};
use super::{Detection, Format};
use crate::error::Fault;

pub use super::decode::head::HEAD;

/// The format of the text that begins with `head`, which came under a name with `extension`, if with any.
///
/// An empty text is the empty trace in plain CSV. A fault means that this is no text.
pub fn detect(head: &str, extension: Option<&str>) -> Result<Format, Fault> {
    let head = first(head);
    refuse_binary(head)?;
    let extension = extension.map(str::to_ascii_lowercase);
    let extension = extension.as_deref();
    let trusted = || extension.and_then(trusted).filter(|_| !head.trim().is_empty());
    let found = opened(skip_comments(head)).or_else(|| by_line(head)).or_else(trusted).or_else(|| by_likeness(head));
    Ok(found.unwrap_or_else(|| otherwise(head, extension)))
}

/// The format that the first characters of a text leave no doubt about, if there is one.
pub(crate) fn opened(text: &str) -> Option<Format> {
    // What begins like another format and goes on in a way of its own stands behind it: XES behind XML.
    let begins = |format: &Format| matches!(format.description().detection, Detection::Opening(begins) if begins(text));
    Format::READ.into_iter().rev().find(begins)
}

/// Whether a text does not begin as its format does, so that nothing but a file's name can have said that it is in this format.
pub(crate) fn is_by_name_only(text: &str, format: Format) -> bool {
    matches!(format.description().detection, Detection::Opening(begins) if !begins(skip_comments(first(text))))
}

/// The format that the first telling line leaves no doubt about.
fn by_line(head: &str) -> Option<Format> {
    find(|detection| matches!(detection, Detection::Line(tells) if tells(head)))
}

/// The format that a text without marks looks like.
fn by_likeness(head: &str) -> Option<Format> {
    find(|detection| matches!(detection, Detection::Likeness(resembles) if resembles(head)))
}

/// The format of a text that looks like none: terms that went wrong are better refused by the decoder of what the
/// extension says.
fn otherwise(head: &str, extension: Option<&str>) -> Format {
    let said = extension.filter(|_| has_terms(head)).and_then(Format::of_extension);
    said.or_else(|| find(|detection| matches!(detection, Detection::Otherwise))).unwrap_or(Format::CsvPlain)
}

/// The first format that is recognised in a way.
fn find(is_this: impl Fn(Detection) -> bool) -> Option<Format> {
    Format::READ.into_iter().find(|format| is_this(format.description().detection))
}

/// What an extension says about a text that does not speak for itself.
fn trusted(extension: &str) -> Option<Format> {
    Format::READ.into_iter().find(|format| {
        let description = format.description();
        description.trusts_extension && description.extensions.contains(&extension)
    })
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

#[cfg(test)]
mod tests;
