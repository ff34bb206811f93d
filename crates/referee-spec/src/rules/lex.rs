//! The tokens of the rule languages. Words are all names: which of them are words of a language depends on where they stand.

use crate::parse::c_like::{Dialect, c_like_tokens};

c_like_tokens! {
    /// A kind of token of the rule languages; LogFire writes names as Scala's symbols, `'x`.
    Lexeme {
        name: r"'?[\p{XID_Start}_$][\p{XID_Continue}$']*",
        comment: r"(//|#)[^\n]*",
        Arrow: "->" | "|->" | "→" => "`->`",
        Assign: ":=" => "`:=`",
        Equal: "=" => "`=`",
        Same: "==" => "`==`",
        NotEqual: "!=" | "<>" | "≠" => "`!=`",
        And: "&" | "&&" | "∧" => "`&`",
        Or: "||" | "∨" => "`or`",
        Bar: "|" => "`|`",
        Not: "!" | "¬" => "`not`",
        Dots: ".." | "…" => "`..`",
        Colon: ":" => "`:`",
    }
}

/// The words of all rule languages: a symbol that is called like one keeps its tick.
const WORDS: [&str; 33] = [
    "_",
    "and",
    "or",
    "not",
    "in",
    "mod",
    "true",
    "false",
    "null",
    "empty",
    "size",
    "defined",
    "Verification",
    "target",
    "fail",
    "property",
    "var",
    "set",
    "map",
    "ruler",
    "observes",
    "always",
    "state",
    "step",
    "initials",
    "forbidden",
    "Ok",
    "Fail",
    "rule",
    "event",
    "fact",
    "hot",
    "monitor",
];

impl Dialect for Lexeme {
    const WORDS_IN_ANY_CASE: bool = false;
    const TRUTH_IN_ANY_CASE: bool = false;
    const CONNECTIVES_ARE_WORDS: bool = true;
    const MODULO_IS_A_WORD: bool = true;

    fn is_equal(self) -> bool {
        matches!(self, Lexeme::Equal | Lexeme::Same)
    }

    /// The name without the tick of Scala's symbols.
    fn bare(name: &str) -> &str {
        name.strip_prefix('\'').filter(|bare| !WORDS.contains(bare)).unwrap_or(name)
    }
}
