//! What the codes of LARVA mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E1101",
        title: "a state that does not exist",
        meaning: "A transition begins in or leads to a state that STATES does not list.",
        why: "What such a transition does would be a guess.",
        example: "GLOBAL { EVENTS { e() = { e() } } PROPERTY p { STATES { BAD { bad } STARTING { s } } TRANSITIONS { s -> bda [e] } } }",
        instead: "GLOBAL { EVENTS { e() = { e() } } PROPERTY p { STATES { BAD { bad } STARTING { s } } TRANSITIONS { s -> bad [e] } } }",
    },
    Explanation {
        code: "E1102",
        title: "a name that is there already",
        meaning: "Two states of a property, two properties of a scope, or two variables, clocks, channels or events that are visible \
                  at the same place have one name, or the file has two GLOBAL scopes.",
        why: "The name could mean either.",
        example: "GLOBAL { VARIABLES { int n; Clock n; } EVENTS { e() = { n@5 } } PROPERTY p { STATES { STARTING { s } } TRANSITIONS { s -> s [e] } } }",
        instead: "GLOBAL { VARIABLES { int n; Clock c; } EVENTS { e() = { c@5 } } PROPERTY p { STATES { STARTING { s } } TRANSITIONS { s -> s [e] } } }",
    },
    Explanation {
        code: "E1103",
        title: "an event that no line describes",
        meaning: "A transition, or an alternative of an event, names an event that no EVENTS of its scope or of an outer one describes, or \
                  one that only a later line describes.",
        why: "Nothing would ever be that event.",
        example: "GLOBAL { EVENTS { open() = { open(x) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [close] } } }",
        instead: "GLOBAL { EVENTS { close() = { close(x) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [close] } } }",
    },
    Explanation {
        code: "E1104",
        title: "a variable, clock or channel that is not declared",
        meaning: "A condition or an action speaks of a name that is no variable, clock or channel of its scope or an outer one, no variable \
                  of FOREACH, and nothing that its event shows.",
        why: "It has no value. A text that is meant as a constant needs quotes.",
        example: "GLOBAL { EVENTS { e() = { e(x) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e \\ x > limit \\ ] } } }",
        instead: "GLOBAL { VARIABLES { int limit = 3; } EVENTS { e() = { e(x) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e \\ x > limit \\ ] } } }",
    },
    Explanation {
        code: "E1105",
        title: "a thing of another kind is needed",
        meaning: "A clock, a channel or a set stands where a value is needed, or the other way round.",
        why: "A clock is read by `c.current()`; sets are asked by `S.contains(x)`; only sets have elements, and only channels carry messages.",
        example: "GLOBAL { VARIABLES { Clock c; } EVENTS { e() = { e() } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e \\ c > 5 \\ ] } } }",
        instead: "GLOBAL { VARIABLES { Clock c; } EVENTS { e() = { e() } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e \\ c.current() > 5 \\ ] } } }",
    },
    Explanation {
        code: "E1106",
        title: "an assignment to something that cannot change",
        meaning: "An action assigns to a variable of FOREACH or to a value that the event shows.",
        why: "The one belongs to the context, the other to the event. What is to be kept needs a variable.",
        example: "GLOBAL { EVENTS { e() = { e(x) } } PROPERTY p { STATES { STARTING { s } } TRANSITIONS { s -> s [e \\\\ x = 1; ] } } }",
        instead: "GLOBAL { VARIABLES { int n; } EVENTS { e() = { e(x) } } PROPERTY p { STATES { STARTING { s } } TRANSITIONS { s -> s [e \\\\ n = x; ] } } }",
    },
    Explanation {
        code: "E1107",
        title: "not one starting state",
        meaning: "A property lists no starting state, or several.",
        why: "An automaton begins in one state.",
        example: "GLOBAL { EVENTS { e() = { e() } } PROPERTY p { STATES { NORMAL { s } BAD { b } } TRANSITIONS { s -> b [e] } } }",
        instead: "GLOBAL { EVENTS { e() = { e() } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e] } } }",
    },
    Explanation {
        code: "E1108",
        title: "a file without a property",
        meaning: "No scope of the file has a PROPERTY.",
        why: "There is nothing to judge; every trace would satisfy it.",
        example: "GLOBAL { EVENTS { e() = { e() } } }",
        instead: "GLOBAL { EVENTS { e() = { e() } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e] } } }",
    },
    Explanation {
        code: "E1109",
        title: "a timeout after no time",
        meaning: "The delay after `@` is not above zero.",
        why: "A clock is at zero when it is reset; a timeout there would come again and again without any time passing.",
        example: "GLOBAL { VARIABLES { Clock c; } EVENTS { t() = { c@0 } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [t] } } }",
        instead: "GLOBAL { VARIABLES { Clock c; } EVENTS { t() = { c@5 } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [t] } } }",
    },
    Explanation {
        code: "L1101",
        title: "a parameter that nothing gives a value",
        meaning: "The event's list of parameters names something that none of its alternatives shows.",
        why: "Comparisons with it are always false.",
        example: "GLOBAL { EVENTS { e(User u) = { e(x) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e] } } }",
        instead: "GLOBAL { EVENTS { e(User u) = { e(u) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e] } } }",
    },
    Explanation {
        code: "L1102",
        title: "a FOREACH that nothing opens",
        meaning: "No event line in the scope, or below it, shows all variables of its FOREACH and of those around it.",
        why: "No context of it will ever exist, so its properties hold of every trace.",
        example: "GLOBAL { FOREACH (User u) { EVENTS { e() = { e(x) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e] } } } }",
        instead: "GLOBAL { FOREACH (User u) { EVENTS { e() = { e(u) } } PROPERTY p { STATES { STARTING { s } BAD { b } } TRANSITIONS { s -> b [e] } } } }",
    },
];
