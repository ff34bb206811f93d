//! The tokens of C-like languages, and what else differs between these.

use crate::core::{Arithmetic, Comparison};
use crate::parse::token::TokenKind;

/// The tokens that every C-like language has, by what they are for; [`c_like_tokens`] writes it.
pub(crate) trait Tokens: TokenKind {
    /// A name or a word of the language.
    const NAME: Self;
    /// A number without its sign.
    const NUMBER: Self;
    /// A string.
    const STRING: Self;
    /// A comment that the file does not close.
    const OPEN_COMMENT: Self;
    /// `(`
    const OPEN: Self;
    /// `)`
    const CLOSE: Self;
    /// `}`
    const CLOSE_BRACE: Self;
    /// `;`
    const SEMICOLON: Self;
    /// `-`
    const MINUS: Self;
    /// Joins conditions that must all hold.
    const AND: Self;
    /// Joins conditions of which one must hold.
    const OR: Self;
    /// Stands before a condition that must not hold.
    const NOT: Self;

    /// How the token compares two values that need not be equal.
    fn order(self) -> Option<Comparison>;

    /// What `+` and `-` compute.
    fn sum(self) -> Option<Arithmetic>;

    /// What `*`, `/` and `%` compute.
    fn product(self) -> Option<Arithmetic>;

    /// How `++`, `--`, `+=` and `-=` change a variable, and whether by one.
    fn change(self) -> Option<(Arithmetic, bool)>;
}

/// What differs between C-like languages beside their tokens.
pub(crate) trait Dialect: Tokens {
    /// Whether words of the language are read in any case of letters.
    const WORDS_IN_ANY_CASE: bool;
    /// Whether `true` and `false` are.
    const TRUTH_IN_ANY_CASE: bool;
    /// Whether `and`, `or` and `not` say the same as the symbols.
    const CONNECTIVES_ARE_WORDS: bool;
    /// Whether `mod` says the same as `%`.
    const MODULO_IS_A_WORD: bool;

    /// Whether the token compares two values that must be equal.
    fn is_equal(self) -> bool;

    /// A name without what only marks it as one.
    fn bare(name: &str) -> &str {
        name
    }

    /// How the token compares two values.
    fn comparison(self) -> Option<Comparison> {
        if self.is_equal() { Some(Comparison::Equal) } else { self.order() }
    }

    /// Whether the token stands between two values.
    fn joins_values(self) -> bool {
        self.comparison().is_some() || self.sum().is_some() || self.product().is_some()
    }
}

/// Declares the tokens of a C-like language: its own, each with the ways to write it and how messages show it, and those that
/// all have. Its own must contain `And`, `Or`, `Not` and `NotEqual`.
macro_rules! c_like_tokens {
    (
        $(#[$meta:meta])*
        $lexeme:ident {
            name: $name:tt,
            comment: $comment:tt,
            $($own:ident: $($spelling:tt)|+ => $shown:tt,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(::logos::Logos, Debug, Clone, Copy, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\n\f\u{FEFF}\u{A0}]+")]
        pub(crate) enum $lexeme {
            $($(#[token($spelling)])+ $own,)+
            #[token("++")]
            Increment,
            #[token("--")]
            Decrement,
            #[token("+=")]
            AddTo,
            #[token("-=")]
            SubtractFrom,
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
            Minus,
            #[token("*")]
            Times,
            #[token("/")]
            Divide,
            #[token("%")]
            Modulo,
            #[token(".")]
            Dot,
            #[token(",")]
            Comma,
            #[token(";")]
            Semicolon,
            #[token("(")]
            Open,
            #[token(")")]
            Close,
            #[token("[")]
            OpenSquare,
            #[token("]")]
            CloseSquare,
            #[token("{")]
            OpenBrace,
            #[token("}")]
            CloseBrace,
            #[regex($name)]
            Name,
            #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
            Number,
            #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
            String,
            /// A string that its line does not close.
            #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#)]
            OpenString,
            #[regex($comment, allow_greedy = true)]
            #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
            Comment,
            /// A comment that the file does not close.
            #[regex(r"/\*([^*]|\*+[^*/])*\**", allow_greedy = true)]
            OpenComment,
            /// The end of the file.
            End,
        }

        impl ::std::fmt::Display for $lexeme {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(match self {
                    $($lexeme::$own => $shown,)+
                    $lexeme::Increment => "`++`",
                    $lexeme::Decrement => "`--`",
                    $lexeme::AddTo => "`+=`",
                    $lexeme::SubtractFrom => "`-=`",
                    $lexeme::Less => "`<`",
                    $lexeme::LessOrEqual => "`<=`",
                    $lexeme::Greater => "`>`",
                    $lexeme::GreaterOrEqual => "`>=`",
                    $lexeme::Plus => "`+`",
                    $lexeme::Minus => "`-`",
                    $lexeme::Times => "`*`",
                    $lexeme::Divide => "`/`",
                    $lexeme::Modulo => "`%`",
                    $lexeme::Dot => "`.`",
                    $lexeme::Comma => "`,`",
                    $lexeme::Semicolon => "`;`",
                    $lexeme::Open => "`(`",
                    $lexeme::Close => "`)`",
                    $lexeme::OpenSquare => "`[`",
                    $lexeme::CloseSquare => "`]`",
                    $lexeme::OpenBrace => "`{`",
                    $lexeme::CloseBrace => "`}`",
                    $lexeme::Name => "a name",
                    $lexeme::Number => "a number",
                    $lexeme::String | $lexeme::OpenString => "a string",
                    $lexeme::Comment | $lexeme::OpenComment => "a comment",
                    $lexeme::End => "the end of the file",
                })
            }
        }

        impl $crate::parse::token::TokenKind for $lexeme {
            const END: $lexeme = $lexeme::End;

            fn is_comment(self) -> bool {
                self == $lexeme::Comment
            }

            fn fault(self) -> Option<(&'static str, &'static str)> {
                match self {
                    $lexeme::OpenString => Some(("this string has no end", "close it with `\"` on the same line")),
                    $lexeme::OpenComment => Some(("this comment has no end", "close it with `*/`")),
                    _ => None,
                }
            }

            fn closing(self) -> Option<$lexeme> {
                match self {
                    $lexeme::Open => Some($lexeme::Close),
                    $lexeme::OpenSquare => Some($lexeme::CloseSquare),
                    $lexeme::OpenBrace => Some($lexeme::CloseBrace),
                    _ => None,
                }
            }
        }

        impl $crate::parse::c_like::token::Tokens for $lexeme {
            const NAME: $lexeme = $lexeme::Name;
            const NUMBER: $lexeme = $lexeme::Number;
            const STRING: $lexeme = $lexeme::String;
            const OPEN_COMMENT: $lexeme = $lexeme::OpenComment;
            const OPEN: $lexeme = $lexeme::Open;
            const CLOSE: $lexeme = $lexeme::Close;
            const CLOSE_BRACE: $lexeme = $lexeme::CloseBrace;
            const SEMICOLON: $lexeme = $lexeme::Semicolon;
            const MINUS: $lexeme = $lexeme::Minus;
            const AND: $lexeme = $lexeme::And;
            const OR: $lexeme = $lexeme::Or;
            const NOT: $lexeme = $lexeme::Not;

            fn order(self) -> Option<$crate::core::Comparison> {
                use $crate::core::Comparison;
                match self {
                    $lexeme::NotEqual => Some(Comparison::NotEqual),
                    $lexeme::Less => Some(Comparison::Less),
                    $lexeme::LessOrEqual => Some(Comparison::LessOrEqual),
                    $lexeme::Greater => Some(Comparison::Greater),
                    $lexeme::GreaterOrEqual => Some(Comparison::GreaterOrEqual),
                    _ => None,
                }
            }

            fn sum(self) -> Option<$crate::core::Arithmetic> {
                match self {
                    $lexeme::Plus => Some($crate::core::Arithmetic::Add),
                    $lexeme::Minus => Some($crate::core::Arithmetic::Subtract),
                    _ => None,
                }
            }

            fn product(self) -> Option<$crate::core::Arithmetic> {
                match self {
                    $lexeme::Times => Some($crate::core::Arithmetic::Multiply),
                    $lexeme::Divide => Some($crate::core::Arithmetic::Divide),
                    $lexeme::Modulo => Some($crate::core::Arithmetic::Modulo),
                    _ => None,
                }
            }

            fn change(self) -> Option<($crate::core::Arithmetic, bool)> {
                use $crate::core::Arithmetic;
                match self {
                    $lexeme::Increment => Some((Arithmetic::Add, true)),
                    $lexeme::Decrement => Some((Arithmetic::Subtract, true)),
                    $lexeme::AddTo => Some((Arithmetic::Add, false)),
                    $lexeme::SubtractFrom => Some((Arithmetic::Subtract, false)),
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use c_like_tokens;
