//! What the codes of signal temporal logic mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E0801",
        title: "a formula where a value is needed, or the other way round",
        meaning: "Temporal operators and `and`, `or`, `not` join formulas; `+`, `-`, `*`, `/` and comparisons join values.",
        why: "A number is neither true nor false.",
        example: "G_[0,10] x",
        instead: "G_[0,10] x > 0",
    },
    Explanation {
        code: "E0802",
        title: "a number that cannot be read",
        meaning: "A number has leading zeros, or an exponent that is too large to be computed with exactly.",
        why: "Numbers are exact here, so each must have one clear writing.",
        example: "G x < 05",
        instead: "G x < 5",
    },
    Explanation {
        code: "E0803",
        title: "an interval that cannot be",
        meaning: "The interval ends before it begins, or only one of its bounds has a unit.",
        why: "No sample would ever lie in it, or nobody could tell which.",
        example: "F_[10,5] x > 7",
        instead: "F_[5,10] x > 7",
    },
];
