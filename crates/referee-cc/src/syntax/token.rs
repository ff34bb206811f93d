//! Tokens of preprocessed C.
//!
//! Comments and the lines of directives are left out; of each bracket the token knows its mate, so that whoever looks for
//! something passes over what is in brackets in one step.

use super::lines::{Lines, Marker};

/// What a token is, as far as anybody asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A number.
    Number,
    /// A text or character in quotes.
    Literal,
    /// Anything else, in as many characters as belong together.
    Sign,
}

/// A token, by its place in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    /// Its first byte.
    pub(crate) start: u32,
    /// The byte behind it.
    pub(crate) end: u32,
    /// Of a bracket, the number of the token that it belongs to; of others, its own.
    pub(crate) mate: u32,
    /// What it is.
    pub(crate) kind: TokenKind,
}

/// A preprocessed text and its tokens.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    /// The text.
    pub(crate) text: &'t [u8],
    /// The tokens.
    pub(crate) all: Vec<Token>,
    /// Where files and lines begin.
    pub(crate) lines: Lines<'t>,
}

impl<'t> Tokens<'t> {
    /// Cuts a text into tokens. There are none of a text that is too long, or whose brackets do not match.
    pub(crate) fn of(text: &'t [u8]) -> Option<Tokens<'t>> {
        u32::try_from(text.len()).ok()?;
        let mut scanner =
            Scanner { text, at: 0, all: Vec::with_capacity(text.len() / 6), open: Vec::new(), markers: Vec::new() };
        scanner.scan()?;
        let Scanner { all, open, markers, .. } = scanner;
        open.is_empty().then(|| Tokens { text, all, lines: Lines::new(text, markers) })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The text of a token; nothing behind the last one.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> &'t [u8] {
        self.all.get(at).map_or(&[], |token| &self.text[token.start as usize..token.end as usize])
    }

    /// The text of the token before this one.
    #[inline]
    pub(crate) fn before(&self, at: usize) -> &'t [u8] {
        at.checked_sub(1).map_or(&[], |before| self.get(before))
    }

    /// Whether a token is a word.
    #[inline]
    pub(crate) fn is_word(&self, at: usize) -> bool {
        self.all.get(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// The mate of a bracket.
    #[inline]
    pub(crate) fn mate(&self, at: usize) -> usize {
        self.all.get(at).map_or(at, |token| token.mate as usize)
    }

    /// The last token of what begins here: the mate of an opening bracket, else the token itself.
    #[inline]
    pub(crate) fn last_of(&self, at: usize) -> usize {
        self.mate(at).max(at)
    }

    /// The token as text, for messages and names.
    pub(crate) fn name(&self, at: usize) -> &'t str {
        std::str::from_utf8(self.get(at)).unwrap_or("")
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    all: Vec<Token>,
    open: Vec<u32>,
    markers: Vec<Marker>,
}

impl Scanner<'_> {
    fn scan(&mut self) -> Option<()> {
        let mut is_line_start = true;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    is_line_start = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.at += 1;
                    continue;
                }
                b'#' if is_line_start => {
                    self.directive();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'"' | b'\'' => self.literal(self.at, byte),
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                _ if is_word_byte(byte) => self.word(),
                _ => self.sign(byte)?,
            }
            is_line_start = false;
        }
        Some(())
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let mate = self.all.len() as u32;
        self.all.push(Token { start: start as u32, end: self.at as u32, mate, kind });
    }

    fn word(&mut self) {
        let start = self.at;
        while is_word_byte(self.peek(0)) {
            self.at += 1;
        }
        // A prefix of a text: L"…", u8'…'.
        let quote = self.peek(0);
        if (quote == b'"' || quote == b'\'') && self.at - start <= 2 {
            return self.literal(start, quote);
        }
        self.push(start, TokenKind::Word);
    }

    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            let byte = self.peek(0);
            let is_sign = matches!(byte, b'+' | b'-') && matches!(self.text[self.at - 1], b'e' | b'E' | b'p' | b'P');
            if !(is_word_byte(byte) || byte == b'.' || is_sign) {
                break;
            }
            self.at += 1;
        }
        self.push(start, TokenKind::Number);
    }

    /// A text in quotes, up to the end of its line at most.
    fn literal(&mut self, start: usize, quote: u8) {
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\\' => self.at += 2,
                b'\n' => break,
                0 if self.at >= self.text.len() => break,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.text.len());
        self.push(start, TokenKind::Literal);
    }

    fn block_comment(&mut self) {
        self.at += 2;
        while self.at < self.text.len() && !(self.text[self.at] == b'*' && self.peek(1) == b'/') {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.text.len());
    }

    /// Goes to the end of the line, which a backslash may put off.
    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            self.at += if self.text[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at = self.at.min(self.text.len());
    }

    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        self.markers.extend(Marker::parse(self.text, start, self.at));
    }

    fn sign(&mut self, byte: u8) -> Option<()> {
        let start = self.at;
        self.at += sign_length(&self.text[start..]);
        self.push(start, TokenKind::Sign);
        match byte {
            b'(' | b'[' | b'{' => self.open.push(self.all.len() as u32 - 1),
            b')' | b']' | b'}' => self.close(byte)?,
            _ => {}
        }
        Some(())
    }

    fn close(&mut self, byte: u8) -> Option<()> {
        let (open, close) = (self.open.pop()?, self.all.len() - 1);
        let expected = match self.text[self.all[open as usize].start as usize] {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        self.all[open as usize].mate = close as u32;
        self.all[close].mate = open;
        (byte == expected).then_some(())
    }
}

/// Bytes of identifiers; those beyond ASCII belong to letters.
#[inline]
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// How many characters belong to the sign at the start.
fn sign_length(text: &[u8]) -> usize {
    const LONG: [&[u8]; 3] = [b"<<=", b">>=", b"..."];
    if LONG.iter().any(|sign| text.starts_with(sign)) {
        return 3;
    }
    let second = text.get(1).copied().unwrap_or(0);
    match (text[0], second) {
        (b'-', b'>') | (b'+', b'+') | (b'-', b'-') | (b'&', b'&') | (b'|', b'|') | (b'<', b'<') | (b'>', b'>') => 2,
        (b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', b'=') => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let tokens = Tokens::of(text.as_bytes()).expect("brackets match");
        (0..tokens.len()).map(|at| tokens.name(at).to_owned()).collect()
    }

    #[test]
    fn tokens_are_cut_where_the_language_cuts_them() {
        assert_eq!(words("a->b+++c>>=1.5e-3f ...;"), ["a", "->", "b", "++", "+", "c", ">>=", "1.5e-3f", "...", ";"]);
        assert_eq!(words("x = L\"a\\\"(\" u8'{' /* ( */ // {\n;"), ["x", "=", "L\"a\\\"(\"", "u8'{'", ";"]);
        assert_eq!(words("# 1 \"a.c\"\na\n#pragma pack(\nb"), ["a", "b"]);
        assert_eq!(words("0x1E+1"), ["0x1E+1"]);
    }

    #[test]
    fn brackets_that_do_not_match_are_noticed() {
        for text in ["(", ")", "(]", "{(})", "'"] {
            assert_eq!(Tokens::of(text.as_bytes()).is_some(), text == "'", "{text}");
        }
    }
}
