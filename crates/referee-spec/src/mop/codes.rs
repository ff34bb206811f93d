//! What the codes of MOP mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E0701",
        title: "an event that is not declared",
        meaning: "The logic mentions a name that no `event` of the property declares.",
        why: "Which parameters such an event binds would be unknown.",
        example: "P(T x) { event a(x) ere: a b @match }",
        instead: "P(T x) { event a(x) event b(x) ere: a b @match }",
    },
    Explanation {
        code: "E0702",
        title: "a name that is there already",
        meaning: "Two properties of a file, or two events or two states of a property, have the same name.",
        why: "The name could mean either.",
        example: "P(T x) { event a(x) event a(x) ere: a @match }",
        instead: "P(T x) { event a(x) event b(x) ere: a b @match }",
    },
    Explanation {
        code: "E0703",
        title: "a parameter that the property does not have",
        meaning: "An event binds a name that does not stand in the parentheses after the property's name.",
        why: "Slices are made over the property's parameters only.",
        example: "P(T x) { event a(y) ere: a @match }",
        instead: "P(T x) { event a(x) ere: a @match }",
    },
    Explanation {
        code: "E0704",
        title: "a state that does not exist",
        meaning: "A transition, a default or an alias names a state that the machine does not define.",
        why: "What such a transition does would be a guess.",
        example: "P(T x) { event a(x) fsm: s [ a -> t ] @fail }",
        instead: "P(T x) { event a(x) fsm: s [ a -> t ] t [] @fail }",
    },
    Explanation {
        code: "E0705",
        title: "a category that the logic does not have",
        meaning: "`@name` must be one of the logic's categories: a state, an alias or `fail` for `fsm`; `match` or `fail` for \
                  `ere` and `cfg`; `violation` or `validation` for `ltl`, `ptltl` and `ptcaret`; `succeed` or `fail` for `srs`.",
        why: "The category says what counts as a violation.",
        example: "P(T x) { event a(x) ere: a @violation }",
        instead: "P(T x) { event a(x) ere: a @match }",
    },
    Explanation {
        code: "E0706",
        title: "an operator of the future in `ptltl` or `ptcaret`",
        meaning: "`ptltl` and `ptcaret` judge at every event what has happened up to it.",
        why: "What is still to come is not known then; `ltl` waits for it.",
        example: "P(T x) { event a(x) ptltl: <> a @violation }",
        instead: "P(T x) { event a(x) ptltl: <*> a @violation }",
    },
    Explanation {
        code: "E0707",
        title: "an operator of the call stack outside `ptcaret`",
        meaning: "Operators with `a`, `s`, `@b` or `@c` in them speak of calls that are open. Only `ptcaret` follows these.",
        why: "In the other logics no event is a call, whatever stands behind its declaration.",
        example: "P(T x) { event a(x) ptltl: (*a) a @violation }",
        instead: "P(T x) { event a(x) call event b(x) return ptcaret: (*a) a @violation }",
    },
    Explanation {
        code: "E0708",
        title: "a file without a property",
        meaning: "The file has no property.",
        why: "There is nothing to judge; every trace would satisfy it.",
        example: "// nothing yet",
        instead: "P(T x) { event a(x) ere: a a @match }",
    },
];
