//! What the codes of SOLOIST mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E0401",
        title: "an interval that holds no natural number",
        meaning: "The lower end is above the upper one, or no whole number of time units lies between them.",
        why: "The operator would be false everywhere, which nobody means to write.",
        example: "G (request -> F_(10,5) response)",
        instead: "G (request -> F_(5,10) response)",
    },
    Explanation {
        code: "E0402",
        title: "a stretch that does not fit its window",
        meaning: "`AVG[K, h]` and `MAX[K, h]` cut the last K time units into stretches of length h; h is missing or 0, or longer than the window of an average, or written for a modality that has none.",
        why: "An average over no stretch divides by zero.",
        example: "G AVG[30, 60] <= 5 (request)",
        instead: "G AVG[600, 60] <= 5 (request)",
    },
    Explanation {
        code: "E0403",
        title: "a modality over something that is no combination of atoms",
        meaning: "What `C`, `AVG`, `MAX` and `D` count are positions at which atoms hold or do not; a temporal operator or another modality cannot stand there.",
        why: "Whether a position counts would depend on others, and a count on counts.",
        example: "G C[600] <= 3 (F error)",
        instead: "G C[600] <= 3 (error | fatal)",
    },
    Explanation {
        code: "E0404",
        title: "a number that is no natural number",
        meaning: "Windows, stretches, bounds and the ends of intervals are natural numbers, in the time unit of the trace or with a unit: `10m`.",
        why: "Fractions and negative numbers have no meaning in them.",
        example: "G D[900] <= 2.5 (start, finish)",
        instead: "G D[900] <= 2 (start, finish)",
    },
    Explanation {
        code: "E0405",
        title: "an operator that is repeated in the wrong way",
        meaning: "`X^n` and `Y^n` stand for n operators in a row; n is 0, or the operator is another one.",
        why: "Only `X` and `Y` go one position further each time; others say the same twice.",
        example: "F^2 response",
        instead: "X^2 response",
    },
    Explanation {
        code: "E0406",
        title: "a file without a formula",
        meaning: "There is nothing to judge.",
        why: "An empty specification would be satisfied by every trace.",
        example: "# to be written",
        instead: "G (recvlogoff -> C[600] <= 3 (repwithdraw))",
    },
    Explanation {
        code: "E0407",
        title: "two properties of one name",
        meaning: "Two properties of the file are called the same.",
        why: "Reports and `--property` could not tell them apart.",
        example: "property limit: G p\nproperty limit: G q",
        instead: "property limit: G p\nproperty answer: G q",
    },
    Explanation {
        code: "L0401",
        title: "a bound that is the same everywhere",
        meaning: "A window or an interval of length 0 holds no position, or a number that is never negative is compared with 0 in a way that never or always holds.",
        why: "The modality requires nothing, or can never be met.",
        example: "G C[600] >= 0 (request)",
        instead: "G C[600] >= 1 (request)",
    },
];
