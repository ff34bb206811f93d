//! Lines and columns of a text.

/// A line and a column, both counted from 1; columns count characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinePlace {
    pub line: u64,
    pub column: u64,
}

impl LinePlace {
    pub(super) const START: LinePlace = LinePlace { line: 1, column: 1 };

    /// The place behind `text`, which starts here. Characters are counted on the last line only.
    pub(super) fn after(self, text: &[u8]) -> LinePlace {
        let characters = |text: &[u8]| text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        match memchr::memrchr(b'\n', text) {
            Some(at) => LinePlace {
                line: self.line + memchr::memchr_iter(b'\n', text).count() as u64,
                column: 1 + characters(&text[at + 1..]),
            },
            None => LinePlace { line: self.line, column: self.column + characters(text) },
        }
    }
}
