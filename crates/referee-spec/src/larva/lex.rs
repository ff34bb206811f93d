//! The tokens of LARVA. Words are all names: which of them are words of the language depends on where they stand.

use crate::parse::c_like::{Dialect, c_like_tokens};

c_like_tokens! {
    /// A kind of token of LARVA.
    Lexeme {
        name: r"[\p{XID_Start}_$][\p{XID_Continue}$]*",
        comment: r"(//|%%)[^\n]*",
        Arrow: "->" | "→" => "`->`",
        Backslash: "\\" => "`\\`",
        At: "@" => "`@`",
        Bar: "|" => "`|`",
        Dots: ".." | "..." => "`..`",
        Assign: "=" | ":=" => "`=`",
        Equal: "==" => "`==`",
        NotEqual: "!=" | "≠" => "`!=`",
        And: "&&" | "∧" => "`&&`",
        Or: "||" | "∨" => "`||`",
        Not: "!" | "¬" => "`!`",
    }
}

impl Dialect for Lexeme {
    const WORDS_IN_ANY_CASE: bool = true;
    const TRUTH_IN_ANY_CASE: bool = false;
    const CONNECTIVES_ARE_WORDS: bool = false;
    const MODULO_IS_A_WORD: bool = false;

    fn is_equal(self) -> bool {
        matches!(self, Lexeme::Equal | Lexeme::Assign)
    }
}
