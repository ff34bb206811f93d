//! The tokens of signal temporal logic.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token. `G`, `F` and `U` are operators only where one can stand; a field of that name is written in quotes.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
pub(super) enum Lexeme {
    /// `G`
    #[token("G")]
    #[token("G_")]
    #[token("always")]
    #[token("always_")]
    #[token("□")]
    Globally,
    /// `F`
    #[token("F")]
    #[token("F_")]
    #[token("eventually")]
    #[token("eventually_")]
    #[token("◇")]
    Finally,
    /// `U`
    #[token("U")]
    #[token("U_")]
    #[token("until")]
    #[token("until_")]
    Until,
    /// `true`
    #[token("true")]
    True,
    /// `false`
    #[token("false")]
    False,
    /// `not`
    #[token("not")]
    #[token("!")]
    #[token("¬")]
    Not,
    /// `and`
    #[token("and")]
    #[token("&")]
    #[token("&&")]
    #[token("∧")]
    And,
    /// `or`
    #[token("or")]
    #[token("|")]
    #[token("||")]
    #[token("∨")]
    Or,
    /// `=>`
    #[token("=>")]
    #[token("->")]
    #[token("implies")]
    #[token("→")]
    #[token("⇒")]
    Implies,
    /// `<=>`
    #[token("<=>")]
    #[token("<->")]
    #[token("↔")]
    #[token("⇔")]
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
    #[token("==")]
    Equal,
    /// `!=`
    #[token("!=")]
    #[token("≠")]
    NotEqual,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Times,
    /// `/`
    #[token("/")]
    Divide,
    /// `,`
    #[token(",")]
    #[token(":")]
    Comma,
    /// `(`
    #[token("(")]
    OpenRound,
    /// `)`
    #[token(")")]
    CloseRound,
    /// `[`
    #[token("[")]
    OpenSquare,
    /// `]`
    #[token("]")]
    CloseSquare,
    /// A field.
    #[regex(r"[\p{XID_Start}_$][\p{XID_Continue}$]*", priority = 1)]
    Name,
    /// A number.
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    /// A number with a unit of time.
    #[regex(r"[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h|d)")]
    Duration,
    /// A string.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    /// A string that its line does not close.
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
    OpenString,
    /// A comment.
    #[regex(r"(//|#)[^\n]*", allow_greedy = true)]
    Comment,
    /// The end of the file.
    End,
}

impl fmt::Display for Lexeme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lexeme::Globally => "`G`",
            Lexeme::Finally => "`F`",
            Lexeme::Until => "`U`",
            Lexeme::True => "`true`",
            Lexeme::False => "`false`",
            Lexeme::Not => "`not`",
            Lexeme::And => "`and`",
            Lexeme::Or => "`or`",
            Lexeme::Implies => "`=>`",
            Lexeme::Iff => "`<=>`",
            Lexeme::Less => "`<`",
            Lexeme::LessOrEqual => "`<=`",
            Lexeme::Greater => "`>`",
            Lexeme::GreaterOrEqual => "`>=`",
            Lexeme::Equal => "`=`",
            Lexeme::NotEqual => "`!=`",
            Lexeme::Plus => "`+`",
            Lexeme::Minus => "`-`",
            Lexeme::Times => "`*`",
            Lexeme::Divide => "`/`",
            Lexeme::Comma => "`,`",
            Lexeme::OpenRound => "`(`",
            Lexeme::CloseRound => "`)`",
            Lexeme::OpenSquare => "`[`",
            Lexeme::CloseSquare => "`]`",
            Lexeme::Name => "a field",
            Lexeme::Number => "a number",
            Lexeme::Duration => "a length of time",
            Lexeme::String | Lexeme::OpenString => "a string",
            Lexeme::Comment => "a comment",
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
        (self == Lexeme::OpenString).then_some(("this string has no end", "close it with `\"` on the same line"))
    }

    fn closing(self) -> Option<Lexeme> {
        match self {
            Lexeme::OpenRound => Some(Lexeme::CloseRound),
            Lexeme::OpenSquare => Some(Lexeme::CloseSquare),
            _ => None,
        }
    }
}
