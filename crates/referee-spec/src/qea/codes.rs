//! What the codes of QEA mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E0601",
        title: "a state that does not exist",
        meaning: "A transition leads to a state that the automaton does not define; `failure` and `success` are always there.",
        why: "What such a transition does would be a guess.",
        example: "qea { forall(x) accept skip(start) { open(x) -> opne } accept skip(open) { } }",
        instead: "qea { forall(x) accept skip(start) { open(x) -> open } accept skip(open) { } }",
    },
    Explanation {
        code: "E0602",
        title: "a name that is there already",
        meaning: "A variable is quantified twice, or two states or two automata of a file have the same name, or a state is \
                  called `failure` or `success`.",
        why: "The name could mean either.",
        example: "qea { forall(x) exists(x) accept skip(start) { open(x) -> failure } }",
        instead: "qea { forall(x) exists(y) accept skip(start) { open(x, y) -> failure } }",
    },
    Explanation {
        code: "E0603",
        title: "`where` or `join` of a variable that is not quantified",
        meaning: "`where` selects combinations of values of quantified variables, and `join` makes their domains one.",
        why: "A free variable has a value only while a run goes on; test it in a guard.",
        example: "qea { forall(x) where(x != y) accept skip(start) { open(x, y) -> failure } }",
        instead: "qea { forall(x) accept skip(start) { open(x, y) if [x != y] -> failure } }",
    },
    Explanation {
        code: "E0605",
        title: "an automaton without states",
        meaning: "The automaton has no state.",
        why: "There is nothing in which a run could begin.",
        example: "qea { forall(x) }",
        instead: "qea { forall(x) accept skip(start) { open(x) -> failure } }",
    },
    Explanation {
        code: "E0606",
        title: "a set that is used as a value",
        meaning: "The variable stands in `in`, `empty`, `add` or `remove`, and also where a single value is needed.",
        why: "A set is not comparable with a value.",
        example: "qea { accept skip(s) { a(x) do [S.add(x)] -> s; b(x) if [S = x] -> failure } }",
        instead: "qea { accept skip(s) { a(x) do [S.add(x)] -> s; b(x) if [x in S] -> failure } }",
    },
    Explanation {
        code: "E0607",
        title: "an assignment to a quantified variable",
        meaning: "A statement changes a variable that is quantified.",
        why: "Its value is that of the binding and never changes.",
        example: "qea { forall(x) accept skip(s) { a(x, y) do [x := y] -> s } }",
        instead: "qea { forall(x) accept skip(s) { a(x, y) do [z := y] -> s } }",
    },
    Explanation {
        code: "E0608",
        title: "computing with a variable that nothing binds",
        meaning: "No event and no statement gives the variable a value, and an expression computes with it.",
        why: "There is nothing to compute with. Counters begin with an assignment.",
        example: "qea { forall(x) accept skip(s) { a(x) if [n + 1 > 3] -> failure } }",
        instead: "qea { forall(x) accept skip(s) { new(x) do [n := 0] -> t } accept skip(t) { a(x) if [n + 1 > 3] -> failure else do [n++] -> t } }",
    },
    Explanation {
        code: "E0609",
        title: "a file without an automaton",
        meaning: "The file has no `qea`.",
        why: "There is nothing to judge; every trace would satisfy it.",
        example: "# nothing yet",
        instead: "qea { forall(x) accept skip(start) { open(x) -> failure } }",
    },
    Explanation {
        code: "L0601",
        title: "a comparison with a variable that nothing binds",
        meaning: "No event and no statement gives the variable a value. The comparison is then always false.",
        why: "A text that is meant as a constant needs quotes.",
        example: "qea { forall(x) accept skip(s) { set(x, v) if [v = on] -> failure } }",
        instead: "qea { forall(x) accept skip(s) { set(x, v) if [v = \"on\"] -> failure } }",
    },
    Explanation {
        code: "L0602",
        title: "a variable that no event shows",
        meaning: "The quantified variable stands in no event of the automaton, so its domain is always empty.",
        why: "`forall` over nothing is true and `exists` over nothing is false, whatever the trace.",
        example: "qea { forall(x, y) accept skip(start) { open(x) -> failure } }",
        instead: "qea { forall(x) accept skip(start) { open(x) -> failure } }",
    },
];
