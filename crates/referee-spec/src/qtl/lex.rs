//! The tokens of DejaVu, in ASCII and in the symbols of the papers.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token.
///
/// `Z` is an ordinary name that the parser takes for an operator where only an operator can stand.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
pub(super) enum Lexeme {
    /// `prop`
    #[token("prop")]
    Prop,
    /// `where`
    #[token("where")]
    Where,
    /// `pred`, which begins a macro or declares events.
    #[token("pred")]
    Pred,
    /// `preds`, `event`, `events`
    #[token("preds")]
    #[token("event")]
    #[token("events")]
    Events,
    /// `true`
    #[token("true")]
    True,
    /// `false`
    #[token("false")]
    False,
    /// `Forall`
    #[token("Forall")]
    #[token("∀")]
    Forall,
    /// `Exists`
    #[token("Exists")]
    #[token("∃")]
    Exists,
    /// `forall`
    #[token("forall")]
    ForallSeen,
    /// `exists`
    #[token("exists")]
    ExistsSeen,
    /// `S`
    #[token("S")]
    Since,
    /// `P`
    #[token("P")]
    #[token("◆")]
    Once,
    /// `H`
    #[token("H")]
    #[token("■")]
    Historically,
    /// `@`
    #[token("@")]
    #[token("⊖")]
    #[token("●")]
    Previous,
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
    Iff,
    /// An operator of other languages whose meaning is plain: read with an error that names the right one.
    #[token("&&")]
    #[token("||")]
    #[token("=>")]
    #[token("<=>")]
    #[token("==")]
    #[token("!=")]
    #[token("<>")]
    #[token("≠")]
    Foreign,
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
    /// `:=`
    #[token(":=")]
    Define,
    /// `:`
    #[token(":")]
    Colon,
    /// `.`
    #[token(".")]
    Dot,
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
    /// A name of an event, a macro, a rule, a property or a variable.
    #[regex(r"[\p{XID_Start}_$][\p{XID_Continue}$]*", priority = 1)]
    Name,
    /// A whole number.
    #[regex(r"-?[0-9]+")]
    Integer,
    /// A number with a fraction: read with an error, since DejaVu has none.
    #[regex(r"-?[0-9]+\.[0-9]+")]
    Decimal,
    /// A string.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    /// A string that its line does not close.
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
    OpenString,
    /// A comment.
    #[regex(r"(//|--|#)[^\n]*", allow_greedy = true)]
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
            Lexeme::Prop => "`prop`",
            Lexeme::Where => "`where`",
            Lexeme::Pred => "`pred`",
            Lexeme::Events => "`event`",
            Lexeme::True => "`true`",
            Lexeme::False => "`false`",
            Lexeme::Forall => "`Forall`",
            Lexeme::Exists => "`Exists`",
            Lexeme::ForallSeen => "`forall`",
            Lexeme::ExistsSeen => "`exists`",
            Lexeme::Since => "`S`",
            Lexeme::Once => "`P`",
            Lexeme::Historically => "`H`",
            Lexeme::Previous => "`@`",
            Lexeme::Not => "`!`",
            Lexeme::And => "`&`",
            Lexeme::Or => "`|`",
            Lexeme::Implies => "`->`",
            Lexeme::Iff => "`<->`",
            Lexeme::Foreign => "an operator of another language",
            Lexeme::Less => "`<`",
            Lexeme::LessOrEqual => "`<=`",
            Lexeme::Greater => "`>`",
            Lexeme::GreaterOrEqual => "`>=`",
            Lexeme::Equal => "`=`",
            Lexeme::Define => "`:=`",
            Lexeme::Colon => "`:`",
            Lexeme::Dot => "`.`",
            Lexeme::Comma => "`,`",
            Lexeme::Open => "`(`",
            Lexeme::Close => "`)`",
            Lexeme::OpenSquare => "`[`",
            Lexeme::CloseSquare => "`]`",
            Lexeme::Name => "a name",
            Lexeme::Integer => "a whole number",
            Lexeme::Decimal => "a number with a fraction",
            Lexeme::String | Lexeme::OpenString => "a string",
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
            Lexeme::OpenString => Some(("this string has no end", "close it with `\"` on the same line")),
            Lexeme::OpenComment => Some(("this comment has no end", "close it with `*/`")),
            _ => None,
        }
    }

    fn closing(self) -> Option<Lexeme> {
        (self == Lexeme::Open).then_some(Lexeme::Close)
    }
}

impl Lexeme {
    /// Whether an item begins here.
    pub(super) fn begins_item(self) -> bool {
        matches!(self, Lexeme::Prop | Lexeme::Pred | Lexeme::Events | Lexeme::End)
    }

    /// Whether this compares two arguments.
    pub(super) fn is_relation(self) -> bool {
        matches!(self, Lexeme::Less | Lexeme::LessOrEqual | Lexeme::Greater | Lexeme::GreaterOrEqual | Lexeme::Equal)
    }
}
