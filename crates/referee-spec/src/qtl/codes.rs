//! What the codes of DejaVu mean.

use crate::diagnostic::Explanation;

/// The explanations.
pub const CODES: &[Explanation] = &[
    Explanation {
        code: "E0201",
        title: "a variable that nothing binds",
        meaning: "An argument is neither a constant nor a variable that a quantifier or a parameter list binds here.",
        why: "A free variable has no values to range over, so the formula would mean nothing. Properties, macros and rules \
              are scopes of their own: a rule does not see the variables of its property.",
        example: "prop p: open(f) -> P request(f)",
        instead: "prop p: Forall f . open(f) -> P request(f)",
    },
    Explanation {
        code: "E0202",
        title: "a variable that hides another",
        meaning: "A quantifier or a parameter list binds a name that is already bound around it.",
        why: "Inside, the outer variable cannot be reached, and readers take one for the other.",
        example: "prop p: Forall x . open(x) -> Exists x . P request(x)",
        instead: "prop p: Forall x . open(x) -> Exists y . P request(y)",
    },
    Explanation {
        code: "E0203",
        title: "a variable that is never used",
        meaning: "A quantifier or a parameter list binds a variable that does not occur where it is bound.",
        why: "It is a slip of the pen, or a trace of an earlier version: the formula says the same for every value.",
        example: "prop p: Forall x . Forall y . open(x) -> P request(x)",
        instead: "prop p: Forall x . open(x) -> P request(x)",
    },
    Explanation {
        code: "E0204",
        title: "an event with the wrong number of arguments",
        meaning: "An event is used with another number of arguments than in its declaration, or than where the file uses \
                  it first.",
        why: "An atom holds only for events with as many arguments, so one of the two would never be true.",
        example: "prop p: Forall f . close(f) -> Exists m . P (open(f, m) & !open(f))",
        instead: "prop p: Forall f . close(f) -> Exists m . P open(f, m)",
    },
    Explanation {
        code: "E0205",
        title: "a name that stands for nothing",
        meaning: "The file declares events, and this name is not among them; nor is it a macro, or a rule of this \
                  property.",
        why: "An event that never comes makes formulas true or false for no visible reason. Declarations catch misspelt \
              names.",
        example: "events open(f), close(f)\nprop p: Forall f . close(f) -> P opne(f)",
        instead: "events open(f), close(f)\nprop p: Forall f . close(f) -> P open(f)",
    },
    Explanation {
        code: "E0206",
        title: "a call with the wrong number of arguments",
        meaning: "A macro or a rule is called with more or fewer arguments than it has parameters.",
        why: "Some parameter would have no value, or some argument no meaning.",
        example: "pred held(t, l) = [acq(t, l), rel(t, l))\nprop p: Forall t . sleep(t) -> !held(t)",
        instead: "pred held(t, l) = [acq(t, l), rel(t, l))\nprop p: Forall t . sleep(t) -> !Exists l . held(t, l)",
    },
    Explanation {
        code: "E0207",
        title: "a macro that calls itself",
        meaning: "The macros named in the message call each other in a circle.",
        why: "A macro is written out where it is called; a circle would never come to an end. Only rules can be recursive, \
              because they speak of earlier points.",
        example: "pred reach(x) = start(x) | @ reach(x)\nprop p: Forall x . stop(x) -> reach(x)",
        instead: "prop p: Forall x . stop(x) -> reach(x) where reach(x) := start(x) | @ reach(x)",
    },
    Explanation {
        code: "E0208",
        title: "a rule that depends on itself at the same point",
        meaning: "The rules named in the message call each other in a circle, and no call of the circle stands below `@`.",
        why: "Below `@` a rule reads the point before, which is known. Without it, a value would have to be known before it \
              is computed.",
        example: "prop p: Forall x . stop(x) -> reach(x) where reach(x) := start(x) | reach(x)",
        instead: "prop p: Forall x . stop(x) -> reach(x) where reach(x) := start(x) | @ reach(x)",
    },
    Explanation {
        code: "E0209",
        title: "a name that is defined twice",
        meaning: "Two properties, two rules of one property, or two macros or declared events have the same name; or a rule \
                  has the name of a macro or a declared event.",
        why: "A call, or a verdict, could mean either.",
        example: "prop p: H !crash\nprop p: H !halt",
        instead: "prop no_crash: H !crash\nprop no_halt: H !halt",
    },
    Explanation {
        code: "E0210",
        title: "a macro that calls a rule",
        meaning: "The body of a macro uses a name that is a rule of some property.",
        why: "A rule belongs to one property, a macro to the whole file: in another property the name would mean an event.",
        example: "pred idle(x) = !busy(x)\nprop p: Forall x . stop(x) -> idle(x) where busy(x) := [start(x), done(x))",
        instead: "prop p: Forall x . stop(x) -> idle(x) where busy(x) := [start(x), done(x)), idle(x) := !busy(x)",
    },
    Explanation {
        code: "E0211",
        title: "a property that is too large",
        meaning: "With its macros written out, the property has more than 50000 formulas or nests more than 200 levels deep.",
        why: "Macros that call others twice double at every step; a page of them can fill any memory. A rule is computed \
              once, however often it is called.",
        example: "pred a = e & e\npred b = a & a\npred c = b & b\n…",
        instead: "prop p: c where a := e & e, b := a & a, c := b & b",
    },
    Explanation {
        code: "E0212",
        title: "an operator of another language",
        meaning: "The operator is written differently in DejaVu.",
        why: "The meaning is plain, but files should say the same to every reader and tool.",
        example: "prop p: Forall x . open(x) && x != 3 => P request(x)",
        instead: "prop p: Forall x . open(x) & !(x = 3) -> P request(x)",
    },
    Explanation {
        code: "E0213",
        title: "a time bound that cannot be",
        meaning: "A time bound is `[<=n]` or `[>n]` with a whole number n that is not negative; `Z` has `[<=n]` always.",
        why: "Other bounds have no agreed meaning in the language.",
        example: "prop p: Forall x . stop(x) -> P[<10] start(x)",
        instead: "prop p: Forall x . stop(x) -> P[<=9] start(x)",
    },
    Explanation {
        code: "E0214",
        title: "a number with a fraction",
        meaning: "The numbers of DejaVu are whole.",
        why: "Values compare as texts, where 0.5 and 0.50 differ; quotes say that a text is meant.",
        example: "prop p: Forall x . level(x) -> x < 0.5",
        instead: "prop p: Forall x . level(x) -> x < \"0.5\"",
    },
    Explanation {
        code: "E0215",
        title: "a file without a property",
        meaning: "The file has no `prop`.",
        why: "There is nothing to judge; every trace would satisfy it.",
        example: "pred held(t, l) = [acq(t, l), rel(t, l))",
        instead: "pred held(t, l) = [acq(t, l), rel(t, l))\nprop p: Forall t . Forall l . rel(t, l) -> @ held(t, l)",
    },
    Explanation {
        code: "E0216",
        title: "`S` or `Z` without parentheses",
        meaning: "Two of the operators follow each other, and nothing says which comes first.",
        why: "`(a S b) S c` and `a S (b S c)` differ, and the language gives preference to neither.",
        example: "prop p: a S b S c",
        instead: "prop p: a S (b S c)",
    },
];
