//! Strings in quotes with the escapes of JSON (RFC 8259), which logfmt has as well.

use super::cursor::{Cursor, Read, Trouble};
use super::plain;
use crate::error::Fault;

/// Reads the characters of a string up to its closing quote into the buffer.
pub(crate) fn build_string(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<()> {
    loop {
        let start = cursor.at;
        cursor.at = plain::json_string_end(cursor.text.as_bytes(), start);
        buffer.push_str(&cursor.text[start..cursor.at]);
        if cursor.peek() == Some(b'"') {
            return Ok(());
        }
        escape(cursor, buffer)?;
    }
}

/// Reads an escape into the buffer. Nothing else but the closing quote may end a stretch of plain characters.
fn escape(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<()> {
    const EXPECTED: &str = "the closing quote of a string";
    let start = *cursor;
    if cursor.need(EXPECTED)? != b'\\' {
        let hint = "close the string, or write the character as \\n, \\t or \\u0000";
        return Err(cursor.unexpected(EXPECTED).hint(hint).into());
    }
    cursor.at += 1;
    let letter = cursor.need("the rest of an escape")?;
    if letter == b'u' {
        buffer.push(unicode(start, cursor)?);
        return Ok(());
    }
    buffer.push(match letter {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return Err(cursor.unexpected("one of \" \\ / b f n r t u after \\").hint("write \\ as \\\\").into()),
    });
    cursor.at += 1;
    Ok(())
}

/// Reads an escape behind its backslash at `start`: `uXXXX`, or two of them that are a surrogate pair.
fn unicode(start: Cursor<'_>, cursor: &mut Cursor<'_>) -> Read<char> {
    let lone = |start: Cursor<'_>| -> Trouble {
        Fault::new(start.at, "expected a pair of surrogates \\uD800-\\uDBFF \\uDC00-\\uDFFF, found half of one")
            .hint("write both halves, or the character itself")
            .into()
    };
    cursor.at += 1;
    let mut code = hexadecimal(cursor)?;
    if (0xD800..0xDC00).contains(&code) {
        if !cursor.eat("\\u", "the second half of a surrogate pair")? {
            return Err(lone(start));
        }
        let low = hexadecimal(cursor)?;
        if !(0xDC00..0xE000).contains(&low) {
            return Err(lone(start));
        }
        code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    char::from_u32(code).ok_or_else(|| lone(start))
}

/// Reads four hexadecimal digits.
fn hexadecimal(cursor: &mut Cursor<'_>) -> Read<u32> {
    let mut code = 0;
    for _ in 0..4 {
        let byte = cursor.need("four hexadecimal digits after \\u")?;
        let Some(digit) = char::from(byte).to_digit(16) else {
            return Err(cursor
                .unexpected("four hexadecimal digits after \\u")
                .hint("write \\u00e9, for example")
                .into());
        };
        code = code * 16 + digit;
        cursor.at += 1;
    }
    Ok(code)
}
