//! The tokens of QEA. Words are all names: which of them are words of the language depends on where they stand.

use crate::parse::c_like::{Dialect, c_like_tokens};

c_like_tokens! {
    /// A kind of token of QEA.
    Lexeme {
        name: r"[\p{XID_Start}_$][\p{XID_Continue}$']*",
        comment: r"(//|#)[^\n]*",
        Arrow: "->" | "→" => "`->`",
        Assign: ":=" => "`:=`",
        Equal: "=" | "==" => "`=`",
        NotEqual: "!=" | "<>" | "≠" => "`!=`",
        And: "&&" | "∧" => "`and`",
        Or: "||" | "∨" => "`or`",
        Not: "!" | "¬" => "`not`",
    }
}

impl Dialect for Lexeme {
    const WORDS_IN_ANY_CASE: bool = true;
    const TRUTH_IN_ANY_CASE: bool = true;
    const CONNECTIVES_ARE_WORDS: bool = true;
    const MODULO_IS_A_WORD: bool = false;

    fn is_equal(self) -> bool {
        self == Lexeme::Equal
    }
}
