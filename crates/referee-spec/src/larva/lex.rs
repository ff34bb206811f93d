//! The tokens of LARVA. Words are all names: which of them are words of the language depends on where they stand.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
pub enum Lexeme {
    /// `->`
    #[token("->")]
    #[token("→")]
    Arrow,
    /// `\`
    #[token("\\")]
    Backslash,
    /// `@`
    #[token("@")]
    At,
    /// `|`
    #[token("|")]
    Bar,
    /// `..`
    #[token("..")]
    #[token("...")]
    Dots,
    /// `++`
    #[token("++")]
    Increment,
    /// `--`
    #[token("--")]
    Decrement,
    /// `+=`
    #[token("+=")]
    AddTo,
    /// `-=`
    #[token("-=")]
    SubtractFrom,
    /// `=`
    #[token("=")]
    #[token(":=")]
    Assign,
    /// `==`
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
    /// `&&`
    #[token("&&")]
    #[token("∧")]
    And,
    /// `||`
    #[token("||")]
    #[token("∨")]
    Or,
    /// `!`
    #[token("!")]
    #[token("¬")]
    Not,
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
    Modulo,
    /// `.`
    #[token(".")]
    Dot,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
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
    /// A name or a word of the language.
    #[regex(r"[\p{XID_Start}_$][\p{XID_Continue}$]*")]
    Name,
    /// A number without its sign.
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    /// A string.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    /// A string that its line does not close.
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
    OpenString,
    /// A comment.
    #[regex(r"(//|%%)[^\n]*", allow_greedy = true)]
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
            Lexeme::Arrow => "`->`",
            Lexeme::Backslash => "`\\`",
            Lexeme::At => "`@`",
            Lexeme::Bar => "`|`",
            Lexeme::Dots => "`..`",
            Lexeme::Increment => "`++`",
            Lexeme::Decrement => "`--`",
            Lexeme::AddTo => "`+=`",
            Lexeme::SubtractFrom => "`-=`",
            Lexeme::Assign => "`=`",
            Lexeme::Equal => "`==`",
            Lexeme::NotEqual => "`!=`",
            Lexeme::Less => "`<`",
            Lexeme::LessOrEqual => "`<=`",
            Lexeme::Greater => "`>`",
            Lexeme::GreaterOrEqual => "`>=`",
            Lexeme::And => "`&&`",
            Lexeme::Or => "`||`",
            Lexeme::Not => "`!`",
            Lexeme::Plus => "`+`",
            Lexeme::Minus => "`-`",
            Lexeme::Times => "`*`",
            Lexeme::Divide => "`/`",
            Lexeme::Modulo => "`%`",
            Lexeme::Dot => "`.`",
            Lexeme::Comma => "`,`",
            Lexeme::Semicolon => "`;`",
            Lexeme::Open => "`(`",
            Lexeme::Close => "`)`",
            Lexeme::OpenSquare => "`[`",
            Lexeme::CloseSquare => "`]`",
            Lexeme::OpenBrace => "`{`",
            Lexeme::CloseBrace => "`}`",
            Lexeme::Name => "a name",
            Lexeme::Number => "a number",
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
            Lexeme::Open => Some(Lexeme::Close),
            Lexeme::OpenSquare => Some(Lexeme::CloseSquare),
            Lexeme::OpenBrace => Some(Lexeme::CloseBrace),
            _ => None,
        }
    }
}
