//! Tokens of FO-LTL: words, ASCII symbols and Unicode symbols. Synonyms share a token.

use std::fmt;

use logos::Logos;

use crate::parse::TokenKind;

/// A kind of token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\u{A0}\u{FEFF}]+")]
#[allow(missing_docs, reason = "each variant is its text")]
pub(super) enum Kind {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("not")]
    #[token("!")]
    #[token("~")]
    #[token("¬")]
    Not,
    #[token("and")]
    #[token("&")]
    #[token("&&")]
    #[token("∧")]
    And,
    #[token("or")]
    #[token("|")]
    #[token("||")]
    #[token("∨")]
    Or,
    #[token("=>")]
    #[token("->")]
    #[token("→")]
    #[token("⇒")]
    #[token("⟹")]
    Implies,
    #[token("<=>")]
    #[token("<->")]
    #[token("↔")]
    #[token("⇔")]
    #[token("⟺")]
    Iff,
    #[token("forall")]
    #[token("∀")]
    Forall,
    #[token("exists")]
    #[token("∃")]
    Exists,
    #[token("next")]
    #[token("strong-next")]
    #[token("○")]
    #[token("◯")]
    Next,
    #[token("weak-next")]
    #[token("○\u{302}")]
    #[token("◯\u{302}")]
    WeakNext,
    #[token("last")]
    #[token("strong-last")]
    #[token("●")]
    Last,
    #[token("weak-last")]
    #[token("●\u{302}")]
    WeakLast,
    #[token("always")]
    #[token("□")]
    Always,
    #[token("always-been")]
    #[token("■")]
    AlwaysBeen,
    #[token("eventually")]
    #[token("◇")]
    #[token("⋄")]
    Eventually,
    #[token("once")]
    #[token("previously")]
    #[token("◆")]
    #[token("⧫")]
    Once,
    #[token("weakly")]
    Weakly,
    #[token("until")]
    #[token("𝒰")]
    Until,
    #[token("weak-until")]
    #[token("𝒲")]
    WeakUntil,
    #[token("since")]
    #[token("𝒮")]
    Since,
    #[token("weak-since")]
    #[token("back-to")]
    #[token("ℬ")]
    WeakSince,
    #[token("release")]
    #[token("ℛ")]
    Release,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    #[token("≠")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("≤")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    #[token("≥")]
    GreaterOrEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    #[token("−")]
    Minus,
    #[token("*")]
    #[token("·")]
    #[token("×")]
    Times,
    #[token("/")]
    #[token("÷")]
    Divide,
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    #[regex(r#""([^"\\\n]|\\[^\n])*"#, priority = 1)]
    OpenString,
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*'*", priority = 1)]
    Name,
    #[regex(r"#[^\n]*", allow_greedy = true)]
    #[regex(r"//[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex(r"/\*([^*]|\*+[^*/])*\**", priority = 1, allow_greedy = true)]
    OpenComment,
    End,
}

impl Kind {
    /// Whether it is a word that can also be the name of an event.
    pub(super) fn is_temporal_word(self) -> bool {
        use Kind::*;
        matches!(self, Next | Last | Always | Eventually | Once | Until | Since | Release)
    }

    /// Whether a term can hold this token.
    pub(super) fn is_of_terms(self) -> bool {
        use Kind::*;
        matches!(self, Name | Number | String | True | False | Open | Close | Comma) || self.is_arithmetic()
    }

    /// Whether it is an operator on terms that gives a term.
    pub(super) fn is_arithmetic(self) -> bool {
        use Kind::*;
        matches!(self, Plus | Minus | Times | Divide)
    }

    /// Whether it compares terms.
    pub(super) fn is_comparison(self) -> bool {
        use Kind::*;
        matches!(self, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// Whether a formula or a term can begin with it.
    pub(super) fn begins_operand(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Open | True | False | Not | Forall | Exists | Next | WeakNext | Last | WeakLast | Always | AlwaysBeen
        ) || matches!(self, Eventually | Once | Minus | Number | String | Name | Less)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Kind::*;
        f.write_str(match self {
            Open => "`(`",
            Close => "`)`",
            Comma => "`,`",
            Colon => "`:`",
            Dot => "`.`",
            True => "`true`",
            False => "`false`",
            Not => "`not`",
            And => "`and`",
            Or => "`or`",
            Implies => "`=>`",
            Iff => "`<=>`",
            Forall => "`forall`",
            Exists => "`exists`",
            Next => "`next`",
            WeakNext => "`weak-next`",
            Last => "`last`",
            WeakLast => "`weak-last`",
            Always => "`always`",
            AlwaysBeen => "`always-been`",
            Eventually => "`eventually`",
            Once => "`once`",
            Weakly => "`weakly`",
            Until => "`until`",
            WeakUntil => "`weakly until`",
            Since => "`since`",
            WeakSince => "`weakly since`",
            Release => "`release`",
            Equal => "`=`",
            NotEqual => "`!=`",
            Less => "`<`",
            LessOrEqual => "`<=`",
            Greater => "`>`",
            GreaterOrEqual => "`>=`",
            Plus => "`+`",
            Minus => "`-`",
            Times => "`*`",
            Divide => "`/`",
            Number => "a number",
            String | OpenString => "a string",
            Name => "a name",
            Comment | OpenComment => "a comment",
            End => "the end of the file",
        })
    }
}

impl TokenKind for Kind {
    const END: Kind = Kind::End;

    fn is_comment(self) -> bool {
        matches!(self, Kind::Comment | Kind::OpenComment)
    }

    fn fault(self) -> Option<(&'static str, &'static str)> {
        match self {
            Kind::OpenString => {
                Some(("this string has no closing `\"` on its line", "close it; a line break is `\\n`"))
            }
            Kind::OpenComment => Some(("this comment has no end", "close it with `*/`")),
            _ => None,
        }
    }

    fn closing(self) -> Option<Kind> {
        (self == Kind::Open).then_some(Kind::Close)
    }
}
