//! The tokens of MOP files. Pointcuts may hold anything, so every character is some token.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
pub(super) enum Lexeme {
    /// A sign of one of the logics.
    #[token("->")]
    Arrow,
    /// `=>`
    #[token("=>")]
    Implies,
    /// `<=>`
    #[token("<=>")]
    Iff,
    /// `[]`
    #[token("[]")]
    Always,
    /// `<>`
    #[token("<>")]
    Eventually,
    /// `[*]`
    #[token("[*]")]
    Historically,
    /// `<*>`
    #[token("<*>")]
    Once,
    /// `(*)`
    #[token("(*)")]
    Previous,
    /// `(*a)`
    #[token("(*a)")]
    FramePrevious,
    /// `<*a>`
    #[token("<*a>")]
    FrameOnce,
    /// `[*a]`
    #[token("[*a]")]
    FrameHistorically,
    /// `<*s@b>`, `<*s@c>`, `<*s@bc>`
    #[token("<*s@b>")]
    #[token("<*s@c>")]
    #[token("<*s@bc>")]
    StackOnce,
    /// `[*s@b]`, `[*s@c]`, `[*s@bc]`
    #[token("[*s@b]")]
    #[token("[*s@c]")]
    #[token("[*s@bc]")]
    StackHistorically,
    /// `~`
    #[token("~")]
    Tilde,
    /// `!`
    #[token("!")]
    Bang,
    /// `|`
    #[token("|")]
    #[token("||")]
    Bar,
    /// `&`
    #[token("&")]
    #[token("&&")]
    Ampersand,
    /// `*`
    #[token("*")]
    Star,
    /// `+`
    #[token("+")]
    Plus,
    /// `?`
    #[token("?")]
    Question,
    /// `.`
    #[token(".")]
    Dot,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `=`
    #[token("=")]
    Equal,
    /// `^`
    #[token("^")]
    Caret,
    /// `$`
    #[token("$")]
    Dollar,
    /// `#`
    #[token("#")]
    Hash,
    /// `@`
    #[token("@")]
    At,
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
    #[regex(r"[\p{XID_Start}_][\p{XID_Continue}]*")]
    Name,
    /// A string.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    /// Anything else.
    #[regex(r".", priority = 0)]
    Other,
    /// A comment.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    /// The end of the file.
    End,
}

impl fmt::Display for Lexeme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lexeme::Arrow => "`->`",
            Lexeme::Implies => "`=>`",
            Lexeme::Iff => "`<=>`",
            Lexeme::Always => "`[]`",
            Lexeme::Eventually => "`<>`",
            Lexeme::Historically => "`[*]`",
            Lexeme::Once => "`<*>`",
            Lexeme::Previous => "`(*)`",
            Lexeme::FramePrevious => "`(*a)`",
            Lexeme::FrameOnce => "`<*a>`",
            Lexeme::FrameHistorically => "`[*a]`",
            Lexeme::StackOnce => "`<*s@b>`",
            Lexeme::StackHistorically => "`[*s@b]`",
            Lexeme::Tilde => "`~`",
            Lexeme::Bang => "`!`",
            Lexeme::Bar => "`|`",
            Lexeme::Ampersand => "`&`",
            Lexeme::Star => "`*`",
            Lexeme::Plus => "`+`",
            Lexeme::Question => "`?`",
            Lexeme::Dot => "`.`",
            Lexeme::Comma => "`,`",
            Lexeme::Semicolon => "`;`",
            Lexeme::Colon => "`:`",
            Lexeme::Equal => "`=`",
            Lexeme::Caret => "`^`",
            Lexeme::Dollar => "`$`",
            Lexeme::Hash => "`#`",
            Lexeme::At => "`@`",
            Lexeme::Open => "`(`",
            Lexeme::Close => "`)`",
            Lexeme::OpenSquare => "`[`",
            Lexeme::CloseSquare => "`]`",
            Lexeme::OpenBrace => "`{`",
            Lexeme::CloseBrace => "`}`",
            Lexeme::Name => "a name",
            Lexeme::String => "a string",
            Lexeme::Other => "something else",
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
        None
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
