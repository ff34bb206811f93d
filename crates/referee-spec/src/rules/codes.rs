//! What the codes of the rule languages mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub(crate) const CODES: &[Explanation] = &[
    Explanation {
        code: "E1001",
        title: "a name that stands for nothing",
        meaning: "The name is neither a declared event nor a fact, a rule or a variable of the specification.",
        why: "A condition on something that cannot happen would silently never hold.",
        example: "ruler R {\n  observes next(obj);\n  always Start { nxet(i) -> Fail }\n  initials Start;\n}",
        instead: "ruler R {\n  observes next(obj);\n  always Start { next(i) -> Fail }\n  initials Start;\n}",
    },
    Explanation {
        code: "E1002",
        title: "a name that is there already",
        meaning: "Two rules, facts, events, variables or properties of a file have the same name.",
        why: "The name could mean either.",
        example: "fact Open(f)\nhot fact Open(f)\nrule r: open(f) -> insert Open(f)",
        instead: "hot fact Open(f)\nrule r: open(f) -> insert Open(f)",
    },
    Explanation {
        code: "E1003",
        title: "a variable without a value",
        meaning: "The variable stands in a condition or an action, and neither the event nor a fact of the rule gives it a value.",
        why: "There is nothing to compare or to compute with. A text that is meant as a constant needs quotes.",
        example: "rule r: set(x, v) & v = on -> fail",
        instead: "rule r: set(x, v) & v = \"on\" -> fail",
    },
    Explanation {
        code: "E1004",
        title: "two events in one rule",
        meaning: "A rule has two events that must both be the one at hand.",
        why: "Events come one after the other, so that the rule would never fire. What happened before is a fact.",
        example: "rule r: open(f) & close(f) -> fail",
        instead: "rule r: open(f) -> insert Open(f)\nrule s: close(f) & Open(f) -> fail",
    },
    Explanation {
        code: "E1005",
        title: "a wrong number of arguments",
        meaning: "An event, a fact, a set or a map is declared or used elsewhere with another number of arguments.",
        why: "Facts with different numbers of values never meet.",
        example: "hot fact Open(f)\nrule r: open(f, m) -> insert Open(f, m)",
        instead: "hot fact Open(f, m)\nrule r: open(f, m) -> insert Open(f, m)",
    },
    Explanation {
        code: "E1006",
        title: "a set, a map and a variable of one name",
        meaning: "A name is used as a single value in one place and as something with elements or keys in another.",
        why: "A set is not comparable with a value, and a value has no elements.",
        example: "open(f) | -> files.add(f);\nclose(f) | files == f -> fail(\"closed\");",
        instead: "open(f) | -> files.add(f);\nclose(f) | files.contains(f) -> fail(\"closed\");",
    },
    Explanation {
        code: "E1007",
        title: "an assignment to a variable of the event",
        meaning: "An action changes a variable that the rule's event binds.",
        why: "Its value is the event's, and it is gone after the event. Only global variables keep what they are given.",
        example: "step(n) | n > 3 -> n = 0;",
        instead: "step(n) | n > 3 -> last = n;",
    },
    Explanation {
        code: "E1008",
        title: "an update of no fact, or of several",
        meaning: "`update F(…)` replaces the fact `F` of the rule's conditions; there is none, or more than one.",
        why: "It would be unclear what is replaced.",
        example: "rule r: tick() -> update Count(1)",
        instead: "rule r: tick() & Count(n) -> update Count(n + 1)",
    },
    Explanation {
        code: "E1009",
        title: "a file without rules",
        meaning: "The file, or one of its properties, has no rule.",
        why: "There is nothing to judge; every trace would satisfy it.",
        example: "// nothing yet",
        instead: "rule r: next(i) & not Safe(i) -> fail \"unsafe\"\nrule s: hasNext(i, true) -> insert Safe(i)",
    },
    Explanation {
        code: "E1010",
        title: "something that cannot stand here",
        meaning: "A value stands where a condition is needed, a condition where a value is needed, or an expression where an event \
                  or a fact has its arguments.",
        why: "Arguments of events and facts are compared as they are; what is computed is compared in a condition of its own.",
        example: "rule r: step(n + 1) & Last(n) -> fail",
        instead: "rule r: step(m) & Last(n) & m = n + 1 -> fail",
    },
    Explanation {
        code: "L1001",
        title: "a fact that nothing inserts",
        meaning: "Conditions or actions mention a fact or a rule that is not there at first and that no rule inserts, or a variable, \
                  set or map that nothing changes.",
        why: "A condition on it never holds, and its negation always does.",
        example: "fact Safe(i)\nrule r: next(i) & not Safe(i) -> fail",
        instead: "fact Safe(i)\nrule r: next(i) & not Safe(i) -> fail\nrule s: hasNext(i, true) -> insert Safe(i)",
    },
    Explanation {
        code: "L1002",
        title: "rules that nothing can violate",
        meaning: "No rule fails, and no fact is forbidden at the end.",
        why: "Every trace satisfies such rules.",
        example: "open(f) | -> files.add(f);",
        instead: "open(f) | files.contains(f) -> fail(\"opened twice\");\nopen(f) | -> files.add(f);",
    },
];
