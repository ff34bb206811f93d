//! The tokens of the stream language.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token.
///
/// `with`, `when`, `at`, `end`, `report`, `to` and `from` are ordinary names that the parser knows by their place: fields
/// of events are often called so.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
pub(super) enum Lexeme {
    /// `input`
    #[token("input")]
    Input,
    /// `output`
    #[token("output")]
    Output,
    /// `trigger`
    #[token("trigger")]
    Trigger,
    /// `constant`
    #[token("constant")]
    #[token("const")]
    Constant,
    /// `spawn`
    #[token("spawn")]
    Spawn,
    /// `eval`
    #[token("eval")]
    Eval,
    /// `close`
    #[token("close")]
    Close,
    /// `if`
    #[token("if")]
    If,
    /// `then`
    #[token("then")]
    Then,
    /// `else`
    #[token("else")]
    Else,
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
    #[token("&&")]
    #[token("&")]
    #[token("∧")]
    And,
    /// `or`
    #[token("or")]
    #[token("||")]
    #[token("|")]
    #[token("∨")]
    Or,
    /// `->`
    #[token("->")]
    #[token("=>")]
    #[token("→")]
    #[token("⇒")]
    Implies,
    /// `<->`
    #[token("<->")]
    #[token("<=>")]
    #[token("↔")]
    #[token("⇔")]
    Iff,
    /// `=`
    #[token("=")]
    #[token("==")]
    Equal,
    /// `!=`
    #[token("!=")]
    #[token("≠")]
    NotEqual,
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
    /// `%`
    #[token("%")]
    Remainder,
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
    /// A name.
    #[regex(r"[\p{XID_Start}_$][\p{XID_Continue}$]*", priority = 1)]
    Name,
    /// A number.
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    /// A number with a unit of time.
    #[regex(r"[0-9]+(\.[0-9]+)?(ns|us|ms|s|sec|m|min|h|d)")]
    Duration,
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
            Lexeme::Input => "`input`",
            Lexeme::Output => "`output`",
            Lexeme::Trigger => "`trigger`",
            Lexeme::Constant => "`constant`",
            Lexeme::Spawn => "`spawn`",
            Lexeme::Eval => "`eval`",
            Lexeme::Close => "`close`",
            Lexeme::If => "`if`",
            Lexeme::Then => "`then`",
            Lexeme::Else => "`else`",
            Lexeme::True => "`true`",
            Lexeme::False => "`false`",
            Lexeme::Not => "`not`",
            Lexeme::And => "`and`",
            Lexeme::Or => "`or`",
            Lexeme::Implies => "`->`",
            Lexeme::Iff => "`<->`",
            Lexeme::Equal => "`=`",
            Lexeme::NotEqual => "`!=`",
            Lexeme::Less => "`<`",
            Lexeme::LessOrEqual => "`<=`",
            Lexeme::Greater => "`>`",
            Lexeme::GreaterOrEqual => "`>=`",
            Lexeme::Plus => "`+`",
            Lexeme::Minus => "`-`",
            Lexeme::Times => "`*`",
            Lexeme::Divide => "`/`",
            Lexeme::Remainder => "`%`",
            Lexeme::Define => "`:=`",
            Lexeme::Colon => "`:`",
            Lexeme::Dot => "`.`",
            Lexeme::Comma => "`,`",
            Lexeme::OpenRound => "`(`",
            Lexeme::CloseRound => "`)`",
            Lexeme::OpenSquare => "`[`",
            Lexeme::CloseSquare => "`]`",
            Lexeme::Name => "a name",
            Lexeme::Number => "a number",
            Lexeme::Duration => "a length of time",
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
        match self {
            Lexeme::OpenRound => Some(Lexeme::CloseRound),
            Lexeme::OpenSquare => Some(Lexeme::CloseSquare),
            _ => None,
        }
    }
}

impl Lexeme {
    /// Whether an item begins here; `report` is found by its text.
    pub(super) fn begins_item(self) -> bool {
        matches!(self, Lexeme::Input | Lexeme::Output | Lexeme::Trigger | Lexeme::Constant | Lexeme::End)
    }
}
