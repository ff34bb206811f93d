//! The tokens of SOLOIST, in ASCII and in the symbols of its papers.
//!
//! Operators that are letters are names to the lexer; the parser takes them for operators where one can stand.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
pub(super) enum Lexeme {
    /// `true`
    #[token("true")]
    #[token("⊤")]
    True,
    /// `false`
    #[token("false")]
    #[token("⊥")]
    False,
    /// `inf`
    #[token("inf")]
    #[token("∞")]
    Infinity,
    /// `!`
    #[token("!")]
    #[token("¬")]
    Not,
    /// `&`
    #[token("&")]
    #[token("∧")]
    And,
    /// `|`
    #[token("|")]
    #[token("∨")]
    Or,
    /// `->`
    #[token("->")]
    #[token("→")]
    #[token("⇒")]
    Implies,
    /// `<->`
    #[token("<->")]
    #[token("↔")]
    #[token("⇔")]
    #[token("≡")]
    Iff,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    #[token("≤")]
    LessOrEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    #[token("≥")]
    GreaterOrEqual,
    /// `=`
    #[token("=")]
    Equal,
    /// `^`
    #[token("^")]
    Caret,
    /// `_`
    #[token("_")]
    Underscore,
    /// `:`
    #[token(":")]
    Colon,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `,`
    #[token(",")]
    Comma,
    /// `(`
    #[token("(")]
    Open,
    /// `)`
    #[token(")")]
    Close,
    /// `[`
    #[token("[")]
    OpenSquare,
    /// `]`
    #[token("]")]
    CloseSquare,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// An atom, the name of a property, or an operator that is a letter.
    #[regex(r"[\p{XID_Start}_$][\p{XID_Continue}$]*", priority = 1)]
    Name,
    /// A natural number.
    #[regex(r"[0-9]+")]
    Natural,
    /// A number with a sign or a fraction: read with an error, since SOLOIST has none.
    #[regex(r"-[0-9]+(\.[0-9]+)?|[0-9]+\.[0-9]+")]
    OtherNumber,
    /// An atom in quotes.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Quoted,
    /// A string that its line does not close.
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
    OpenQuoted,
    /// A comment.
    #[regex(r"(//|#)[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    /// A comment that the file does not close.
    #[regex(r"/\*([^*]|\*+[^*/])*\**", allow_greedy = true)]
    OpenComment,
    /// The end of the file.
    End,
}

impl fmt::Display for Lexeme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lexeme::True => "`true`",
            Lexeme::False => "`false`",
            Lexeme::Infinity => "`inf`",
            Lexeme::Not => "`!`",
            Lexeme::And => "`&`",
            Lexeme::Or => "`|`",
            Lexeme::Implies => "`->`",
            Lexeme::Iff => "`<->`",
            Lexeme::Less => "`<`",
            Lexeme::LessOrEqual => "`<=`",
            Lexeme::Greater => "`>`",
            Lexeme::GreaterOrEqual => "`>=`",
            Lexeme::Equal => "`=`",
            Lexeme::Caret => "`^`",
            Lexeme::Underscore => "`_`",
            Lexeme::Colon => "`:`",
            Lexeme::Semicolon => "`;`",
            Lexeme::Comma => "`,`",
            Lexeme::Open => "`(`",
            Lexeme::Close => "`)`",
            Lexeme::OpenSquare => "`[`",
            Lexeme::CloseSquare => "`]`",
            Lexeme::OpenBrace => "`{`",
            Lexeme::CloseBrace => "`}`",
            Lexeme::Name => "a name",
            Lexeme::Natural | Lexeme::OtherNumber => "a natural number",
            Lexeme::Quoted | Lexeme::OpenQuoted => "a name in quotes",
            Lexeme::Comment | Lexeme::OpenComment => "a comment",
            Lexeme::End => "the end of the file",
        })
    }
}

impl TokenKind for Lexeme {
    const END: Lexeme = Lexeme::End;

    fn is_comment(self) -> bool {
        self == Lexeme::Comment
    }

    fn fault(self) -> Option<(&'static str, &'static str)> {
        match self {
            Lexeme::OpenQuoted => Some(("this name in quotes has no end", "close it with `\"` on the same line")),
            Lexeme::OpenComment => Some(("this comment has no end", "close it with `*/`")),
            _ => None,
        }
    }

    fn closing(self) -> Option<Lexeme> {
        match self {
            Lexeme::Open => Some(Lexeme::Close),
            Lexeme::OpenSquare => Some(Lexeme::CloseSquare),
            Lexeme::OpenBrace => Some(Lexeme::CloseBrace),
            _ => None,
        }
    }
}

/// An operator that is a letter or a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    /// `U`
    Until,
    /// `S`
    Since,
    /// `F`
    Eventually,
    /// `G`
    Globally,
    /// `P`
    Previously,
    /// `H`
    Historically,
    /// `X`
    Next,
    /// `Y`
    Yesterday,
    /// `C`
    Count,
    /// `AVG`
    Average,
    /// `MAX`
    Maximum,
    /// `D`
    Distance,
}

impl Letter {
    /// The operator that a name writes, in ASCII, in fraktur or in script.
    pub(super) fn of(name: &str) -> Option<Letter> {
        Some(match name {
            "U" => Letter::Until,
            "S" => Letter::Since,
            "F" => Letter::Eventually,
            "G" => Letter::Globally,
            "P" => Letter::Previously,
            "H" => Letter::Historically,
            "X" => Letter::Next,
            "Y" => Letter::Yesterday,
            "C" | "ℭ" | "𝕮" | "𝒞" | "𝓒" => Letter::Count,
            "AVG" | "𝔘" | "𝖀" | "𝒰" | "𝓤" => Letter::Average,
            "MAX" | "𝔐" | "𝕸" | "ℳ" | "𝓜" => Letter::Maximum,
            "D" | "𝔇" | "𝕯" | "𝒟" | "𝓓" => Letter::Distance,
            _ => return None,
        })
    }

    /// Whether it stands before one operand.
    pub(super) fn is_unary(self) -> bool {
        !matches!(self, Letter::Until | Letter::Since) && !self.is_modality()
    }

    /// Whether it measures a window.
    pub(super) fn is_modality(self) -> bool {
        matches!(self, Letter::Count | Letter::Average | Letter::Maximum | Letter::Distance)
    }

    /// How it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Letter::Until => "U",
            Letter::Since => "S",
            Letter::Eventually => "F",
            Letter::Globally => "G",
            Letter::Previously => "P",
            Letter::Historically => "H",
            Letter::Next => "X",
            Letter::Yesterday => "Y",
            Letter::Count => "C",
            Letter::Average => "AVG",
            Letter::Maximum => "MAX",
            Letter::Distance => "D",
        }
    }
}
