//! What the codes of the shared parser kit mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E0001",
        title: "text that is no token",
        meaning: "The language has no word, number or symbol that begins with this character.",
        why: "Skipping it silently could change what the specification says.",
        example: "always (open(x) $ close(x))",
        instead: "always (open(x) and close(x))",
    },
    Explanation {
        code: "E0002",
        title: "something that has no end",
        meaning: "A string or a comment was opened and not closed before the line or the file ended.",
        why: "Everything after it would be read as part of it.",
        example: "always not login(\"root)",
        instead: "always not login(\"root\")",
    },
    Explanation {
        code: "E0003",
        title: "something else was expected here",
        meaning: "The text up to this token is the beginning of a specification, but no specification goes on with this token.",
        why: "The message lists what may stand here; the rest of the file is still read, so that all errors are shown at once.",
        example: "always (open(x) and )",
        instead: "always (open(x) and close(x))",
    },
    Explanation {
        code: "E0004",
        title: "nested too deeply",
        meaning: "Formulas may nest 200 levels deep; each pair of parentheses, each operator and each link of a chain of binary operators is a level.",
        why: "The bound keeps every later step from running out of stack. No specification that people write comes near it.",
        example: "not not not …",
        instead: "several properties, or definitions that name the inner parts",
    },
    Explanation {
        code: "E0005",
        title: "a specification that is too long",
        meaning: "A specification may have 16 MiB of text.",
        why: "The bound keeps what made the file by mistake from filling the memory. No specification that people write comes near it.",
        example: "a log where the specification was meant",
        instead: "the specification; or several files, which `--spec` takes together",
    },
    Explanation {
        code: "E0009",
        title: "a number that cannot be written so",
        meaning: "A number begins with zeros, or has more than 10000 digits or an exponent beyond 9999.",
        why: "In traces `007` is a text and not the number 7. Past the bounds a number would have to become something else.",
        example: "limit > 007",
        instead: "limit > 7",
    },
];
