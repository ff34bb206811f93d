//! Events as terms, `a(1,"x, y")`: what `abstract` and `monpoly` share, and what people are shown.

use std::fmt;

use super::text::ByteSet;
use crate::number::Number;

/// An event as a term, `a(1,x)`: what the format `abstract` reads.
#[derive(Debug, Clone, Copy)]
pub struct Term<'a> {
    /// The event's name.
    pub name: &'a str,
    /// Its values.
    pub values: &'a [&'a str],
}

impl fmt::Display for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(self.name, f)?;
        f.write_str("(")?;
        for (position, value) in self.values.iter().enumerate() {
            f.write_str(if position > 0 { "," } else { "" })?;
            write_value(value, f)?;
        }
        f.write_str(")")
    }
}

impl Term<'_> {
    /// How such a term begins: `a(`.
    pub fn head(name: &str) -> String {
        let mut head = String::new();
        // A text takes all that is written.
        let _ = write_name(name, &mut head);
        head.push('(');
        head
    }

    /// Writes one value of a term behind a text.
    pub fn push_value(value: &str, out: &mut String) {
        let _ = write_value(value, out);
    }
}

fn write_name(name: &str, out: &mut impl fmt::Write) -> fmt::Result {
    match is_plain(name) {
        true => out.write_str(name),
        false => write!(out, "{}", Quoted(name)),
    }
}

fn write_value(value: &str, out: &mut impl fmt::Write) -> fmt::Result {
    match needs_no_quotes(value) {
        true => out.write_str(value),
        false => write!(out, "{}", Quoted(value)),
    }
}

/// What needs no quotes apart from letters and digits.
const MARKS: &str = "_-+/:$%&*<>=!?'";

/// Whether a text needs no quotes anywhere.
fn is_plain(text: &str) -> bool {
    let plain = |character: char| character.is_alphanumeric() || MARKS.contains(character);
    !text.is_empty() && text.chars().all(plain)
}

/// Whether a value needs no quotes although it may hold a dot.
fn is_number(value: &str) -> bool {
    let may_be = value.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    may_be && (is_short_decimal(value) || Number::parse(value).is_some())
}

/// Whether a text is a few digits on both sides of a dot, perhaps behind a sign, without needless zeros at its front: a
/// number, without a closer look.
fn is_short_decimal(text: &str) -> bool {
    let digits = |text: &str| (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let leads = |integer: &str| integer == "0" || !integer.starts_with('0');
    unsigned.split_once('.').is_some_and(|(integer, fraction)| digits(integer) && leads(integer) && digits(fraction))
}

/// A text in quotes, with `\" \\ \n \t \r` where needed.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut rest = self.0;
        while let Some(at) = rest.find(['"', '\\', '\n', '\t', '\r']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\t' => "\\t",
                _ => "\\r",
            })?;
            rest = &rest[at + 1..];
        }
        write!(f, "{rest}\"")
    }
}

/// Writes a text in quotes, as both formats of terms read it.
pub(crate) fn write_quoted(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(Quoted(text).to_string().as_bytes());
}

/// Writes a value, in quotes where it needs them.
#[inline]
pub(crate) fn put_value(out: &mut Vec<u8>, value: &str) {
    match needs_no_quotes(value) {
        true => out.extend_from_slice(value.as_bytes()),
        false => write_quoted(out, value),
    }
}

#[inline]
fn needs_no_quotes(value: &str) -> bool {
    let is_plain_ascii = !value.is_empty() && PLAIN.make_up(value);
    is_plain_ascii || is_number(value) || is_plain(value)
}

/// What needs no quotes in a name or a value; other letters and digits need none either.
const PLAIN: ByteSet = ByteSet::of(MARKS.as_bytes()).and(b'0', b'9').and(b'A', b'Z').and(b'a', b'z');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_number_is_one() {
        for text in ["0.0", "-0.5", "12.3", "10.10", "-123456789.123456789"] {
            assert!(is_short_decimal(text) && Number::parse(text).is_some(), "{text}");
        }
        for text in ["", "-", ".", "1.", ".5", "--1.0", "1.2.3", "1.-2", "00.10", "01.5", "-00.1", "٣.0"] {
            assert!(!is_short_decimal(text) && Number::parse(text).is_none(), "{text}");
        }
        for text in ["1e5", "1234567890.1"] {
            assert!(!is_short_decimal(text) && Number::parse(text).is_some(), "{text} takes the closer look");
        }
    }
}
