//! What a tool says: `STATUS:` and `MEMORY:` lines, found while its output streams by.

use memchr::memmem;

/// How much of a line is looked at.
const LONGEST: usize = 256;
const STATUS: &[u8] = b"STATUS:";
const MEMORY: &[u8] = b"MEMORY:";
/// How many `STATUS:` lines are remembered; more than one is a mistake anyway.
const REMEMBERED: usize = 8;

/// Finds the lines that count in a stream of any length, in constant memory.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// The beginning of the line that the last piece ended in.
    line: Vec<u8>,
    statuses: Vec<String>,
    count: usize,
    memory: Option<u64>,
}

/// What a tool said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// The words of its `STATUS:` lines, in order; the first few.
    pub statuses: Vec<String>,
    /// How many such lines there were.
    pub status_count: usize,
    /// What it said about its own memory, in bytes.
    pub memory: Option<u64>,
}

impl Scanner {
    /// Takes the next piece of the output.
    pub(super) fn take(&mut self, mut piece: &[u8]) {
        if let Some(end) = memchr::memchr(b'\n', piece) {
            self.extend_line(&piece[..end]);
            self.end_line();
            piece = &piece[end + 1..];
            let last = memchr::memrchr(b'\n', piece).map_or(0, |at| at + 1);
            self.whole_lines(&piece[..last]);
            piece = &piece[last..];
        }
        self.extend_line(piece);
    }

    /// Lines that are in one piece: only the words that count are looked for.
    fn whole_lines(&mut self, text: &[u8]) {
        for word in [STATUS, MEMORY] {
            for at in memmem::find_iter(text, word) {
                if at == 0 || text.get(at - 1) == Some(&b'\n') {
                    let rest = &text[at..];
                    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    self.line(&rest[..end.min(LONGEST)]);
                }
            }
        }
    }

    fn extend_line(&mut self, piece: &[u8]) {
        let room = LONGEST.saturating_sub(self.line.len());
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.line(&line);
    }

    fn line(&mut self, line: &[u8]) {
        if let Some(word) = line.strip_prefix(STATUS) {
            self.count += 1;
            if self.statuses.len() < REMEMBERED {
                self.statuses.push(String::from_utf8_lossy(word).trim().to_owned());
            }
        } else if let Some(number) = line.strip_prefix(MEMORY) {
            self.memory = String::from_utf8_lossy(number).trim().parse().ok().or(self.memory);
        }
    }

    /// What was said; a last line need not be ended.
    pub(super) fn finish(mut self) -> Said {
        self.end_line();
        Said { statuses: self.statuses, status_count: self.count, memory: self.memory }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &[u8], piece: usize) -> Said {
        let mut scanner = Scanner::default();
        text.chunks(piece).for_each(|piece| scanner.take(piece));
        scanner.finish()
    }

    #[test]
    fn where_pieces_end_changes_nothing() {
        let text =
            b"hello\nSTATUS: Violated\r\nno STATUS: x\nMEMORY: 123\n\nSTATUS:Satisfied\nMEMORY: much\nSTATUS: GaveUp";
        let whole = said(text, text.len());
        assert_eq!(whole.statuses, ["Violated", "Satisfied", "GaveUp"]);
        assert_eq!((whole.status_count, whole.memory), (3, Some(123)));
        for piece in 1..text.len() {
            assert_eq!(said(text, piece), whole, "{piece}");
        }
    }

    #[test]
    fn long_and_many_lines_are_no_burden() {
        let mut text = vec![b'x'; 100_000];
        text.extend_from_slice(b"\nSTATUS: Violated\n");
        assert_eq!(said(&text, 4096).statuses, ["Violated"]);
        let many = b"STATUS: Satisfied\n".repeat(100);
        let said = said(&many, 1000);
        assert_eq!((said.statuses.len(), said.status_count), (REMEMBERED, 100));
    }

    #[test]
    fn nothing_said() {
        assert_eq!(said(b"", 1), Said::default());
        assert_eq!(said(b"The verdict is Violated.\n status: Violated", 3), Said::default());
    }
}
