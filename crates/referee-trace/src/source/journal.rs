//! Makes text of what `journalctl -o export` writes.
//!
//! ```text
//!  MESSAGE=hello ⏎                        as it is
//!  NOTE ⏎ 0x09 00 00 00 00 00 00 00 two ⏎ lines ⏎      ─▶      NOTE ⏎ =two\nlines ⏎
//! ```
//!
//! A value with line ends or bytes that are no text stands behind its length in eight bytes. It becomes one line behind `=`, in which `\n` is a line
//! end and `\\` a backslash; what is no UTF-8, and NUL, becomes U+FFFD. Everything else passes as it is, so memory is that of the
//! longest such value, which has a limit.

use std::io::{self, Read};

/// How every export begins.
pub(super) const MARK: &[u8] = b"__CURSOR=";

/// The longest key; journald takes 64 bytes.
const LONGEST_KEY: usize = 256;

/// The longest value behind a length.
const LONGEST_VALUE: usize = 64 << 20;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// An export as text; any other text as it is.
pub(super) struct JournalText<R> {
    reader: R,
    input: Vec<u8>,
    /// How much of the input is used up.
    used: usize,
    output: Vec<u8>,
    /// How much of the output was handed over.
    given: usize,
    state: JournalState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JournalState {
    /// At the start of the input, which may be any text.
    Start,
    /// In a text that is no export.
    Other,
    /// At the start of a line.
    Line,
    /// Behind the `=` of a line.
    Value,
    /// Behind a key that stands alone.
    Length,
    /// In a value of so many bytes, and the line end behind it.
    Bytes(usize),
}

impl<R: Read> JournalText<R> {
    pub(super) fn new(reader: R) -> JournalText<R> {
        JournalText { reader, input: Vec::new(), used: 0, output: Vec::new(), given: 0, state: JournalState::Start }
    }

    /// Makes text of the input as far as it reaches; whether there was any.
    fn advance(&mut self) -> io::Result<bool> {
        let before = self.output.len();
        while self.step()? {}
        self.input.drain(..self.used);
        self.used = 0;
        Ok(self.output.len() > before)
    }

    /// One step; whether another may follow.
    fn step(&mut self) -> io::Result<bool> {
        let rest = &self.input[self.used..];
        match self.state {
            JournalState::Start => {
                let known = rest.len().min(MARK.len());
                let is_export = rest[..known] == MARK[..known];
                if is_export && known < MARK.len() {
                    return Ok(false);
                }
                self.state = if is_export { JournalState::Line } else { JournalState::Other };
                Ok(true)
            }
            JournalState::Other => {
                self.output.extend(rest);
                self.used = self.input.len();
                Ok(false)
            }
            JournalState::Line => match memchr::memchr2(b'=', b'\n', rest) {
                None if rest.len() > LONGEST_KEY => Err(damaged("a line is neither KEY=VALUE nor a key alone")),
                None => Ok(false),
                Some(end) => {
                    self.output.extend(&rest[..=end]);
                    self.used += end + 1;
                    self.state = match (rest[end], end) {
                        (b'=', _) => JournalState::Value,
                        (_, 0) => JournalState::Line,
                        _ => JournalState::Length,
                    };
                    Ok(true)
                }
            },
            JournalState::Value => {
                let end = memchr::memchr(b'\n', rest);
                let taken = end.map_or(rest.len(), |end| end + 1);
                self.output.extend(&rest[..taken]);
                self.used += taken;
                if end.is_some() {
                    self.state = JournalState::Line;
                }
                Ok(end.is_some())
            }
            JournalState::Length => {
                let Some(length) = rest.first_chunk::<8>() else { return Ok(false) };
                let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
                if length > LONGEST_VALUE {
                    return Err(damaged("a field is longer than 64 MiB"));
                }
                self.used += 8;
                self.state = JournalState::Bytes(length);
                Ok(true)
            }
            JournalState::Bytes(length) => {
                if rest.len() <= length {
                    return Ok(false);
                }
                if rest[length] != b'\n' {
                    return Err(damaged("the line end behind a field with a length is missing"));
                }
                self.output.push(b'=');
                escape(&String::from_utf8_lossy(&rest[..length]), &mut self.output);
                self.output.push(b'\n');
                self.used += length + 1;
                self.state = JournalState::Line;
                Ok(true)
            }
        }
    }

    /// At the end of the input nothing may be left over; the last line may lack its end.
    fn finish(&mut self) -> io::Result<()> {
        match self.state {
            JournalState::Start | JournalState::Other | JournalState::Line | JournalState::Value => {
                self.output.append(&mut self.input);
                Ok(())
            }
            JournalState::Length | JournalState::Bytes(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl<R: Read> Read for JournalText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.output.len() {
            if self.state == JournalState::Other {
                return self.reader.read(buffer);
            }
            self.output.clear();
            self.given = 0;
            let mut chunk = vec![0; CHUNK];
            while !self.advance()? {
                let count = self.reader.read(&mut chunk)?;
                if count == 0 {
                    self.finish()?;
                    break;
                }
                self.input.extend(&chunk[..count]);
            }
        }
        let count = (&self.output[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes a value as one line of text.
fn escape(text: &str, output: &mut Vec<u8>) {
    let mut letters = [0; 4];
    for letter in text.chars() {
        match letter {
            '\n' => output.extend(b"\\n"),
            '\\' => output.extend(b"\\\\"),
            '\0' => output.extend("\u{fffd}".as_bytes()),
            letter => output.extend(letter.encode_utf8(&mut letters).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn text_of(bytes: &[u8], step: usize) -> Result<String, String> {
        let mut text = String::new();
        let outcome = JournalText::new(Slow(bytes, step)).read_to_string(&mut text);
        outcome.map(|_| text).map_err(|error| error.to_string())
    }

    fn export(value: &[u8]) -> Vec<u8> {
        let length = (value.len() as u64).to_le_bytes();
        [b"__CURSOR=s=1\nNOTE\n".as_slice(), &length, value, b"\nMESSAGE=a\\n=b\n\n__CURSOR=s=2"].concat()
    }

    #[test]
    fn values_with_a_length_become_one_line_however_they_arrive() {
        for step in [1, 2, 3, 7, 1000] {
            let expected = "__CURSOR=s=1\nNOTE\n=a\\nb = \\\\n\u{fffd}\u{fffd}\u{e9}\nMESSAGE=a\\n=b\n\n__CURSOR=s=2";
            assert_eq!(
                text_of(&export("a\nb = \\n\0\u{e9}".as_bytes()), step).as_deref(),
                Ok(expected.replacen('\u{fffd}', "", 1).as_str())
            );
            assert_eq!(text_of(&export(b"\xff\0"), step).map(|text| text.matches('\u{fffd}').count()), Ok(2));
            for other in ["", "_", "__CURSOR", "__CURS!\nNOTE\n12345678", "a,b\n"] {
                assert_eq!(text_of(other.as_bytes(), step).as_deref(), Ok(other));
            }
        }
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_an_error() {
        let whole = export(b"a\nb");
        for end in [b"__CURSOR=s=1\nNOTE\n".len(), whole.len() - 30] {
            assert!(text_of(&whole[..end], 1000).is_err(), "{end}");
        }
        let mut without_end = whole.clone();
        without_end[b"__CURSOR=s=1\nNOTE\n".len()] = 2;
        assert_eq!(text_of(&without_end, 1000), Err("the line end behind a field with a length is missing".to_owned()));
        let mut long = whole;
        long[b"__CURSOR=s=1\nNOTE\n".len() + 7] = 1;
        assert_eq!(text_of(&long, 1000), Err("a field is longer than 64 MiB".to_owned()));
        assert!(text_of(format!("__CURSOR=\n{}", "a".repeat(1000)).as_bytes(), 9).is_err());
    }
}
