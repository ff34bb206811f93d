//! Verdicts of automata, slices and rules that were wrong once.

use crate::kit::{Desk, Run};

/// Judges a trace in abstract form, by the engine; the oracle has to agree.
#[track_caller]
fn check(specification: &str, text: &str, trace: &str) -> Run {
    let desk = Desk::with(specification, text);
    desk.write("t.trace", trace);
    let run = desk.run(&["check", specification, "t.trace", "--all"]);
    let oracle = desk.run(&["check", specification, "t.trace", "--all", "--oracle"]);
    assert_eq!(run.out, oracle.out, "engine and oracle");
    run
}

#[test]
fn a_larva_context_stays_for_events_that_show_its_own_variable_only() {
    let text = "GLOBAL {
        FOREACH (User u) {
            FOREACH (Session s) {
                EVENTS { opens() = { open(u, s) } closes() = { close(s) } }
                PROPERTY sessions {
                    STATES { BAD { closedTwice } NORMAL { opened } STARTING { closed } }
                    TRANSITIONS {
                        closed -> opened [opens]
                        opened -> closed [closes]
                        closed -> closedTwice [closes]
                    }
                }
            }
        }
    }";
    let run = check("sessions.larva", text, "open(ann,1).close(1).close(1)");
    assert!(run.out.contains("point 3, close(1)") && run.out.ends_with("STATUS: Violated\n"), "{}", run.out);
}

#[test]
fn a_free_variable_twice_in_a_pattern_is_a_wildcard_for_belonging() {
    let next = "qea { forall(x) accept next(s) { p(x,f,f) -> s; q(x) -> s } }";
    let run = check("next.qea", next, "p(1,2,2).q(1).p(1,2,3)");
    assert_eq!(run.out, "VIOLATION next: point 3, p(1,2,3), x = 1\nSTATUS: Violated\n");
    let skip = "qea { exists(x) accept skip(s) { p(x,f,f) -> s } }";
    assert_eq!(check("skip.qea", skip, "p(1,2,3)").out, "STATUS: Satisfied\n");
}

/// The slice of `x` alone is rewritten without end, and is not to be judged; that of `x` and `y` is.
#[test]
fn full_binding_gives_up_only_on_slices_that_are_judged() {
    let text = "full-binding P(T x, T y) {
        event a(x)
        event b(x, y)
        srs: a -> a . b -> #succeed .
        @succeed
    }";
    let partial = check("p.mop", text, "a(1)");
    assert_eq!(partial.out, "STATUS: Satisfied\n");
    let total = check("p.mop", text, "b(2,3).a(1)");
    assert!(total.out.ends_with("STATUS: Violated\n") && total.out.contains("point 1, b(2,3)"), "{}", total.out);
    let extended = check("p.mop", text, "a(1).b(2,3).b(1,2)");
    assert!(extended.out.contains("point 2, b(2,3)") && !extended.out.contains("point 3"), "{}", extended.out);
}

#[test]
fn several_fails_of_one_rule_are_one_violation_per_firing() {
    let logfire = "rule r: p(x) -> fail, fail \"again\", fail\n";
    let run = check("r.logfire", logfire, "p(1).p(2)");
    assert_eq!(run.out.matches("VIOLATION").count(), 2, "{}", run.out);
    assert_eq!(run.out.matches("again").count(), 2, "{}", run.out);
    let ruler = "ruler R { observes p(obj); always Start { p(x) -> Fail, Fail(\"again\"); } initials Start; }";
    let run = check("r.ruler", ruler, "p(1).p(2)");
    assert_eq!(run.out.matches("VIOLATION").count(), 2, "{}", run.out);
    // Guarded commands say each `fail` by itself.
    let run = check("r.gcl", "p(x) | -> fail; fail(\"again\");\n", "p(1)");
    assert_eq!(run.out.matches("VIOLATION").count(), 2, "{}", run.out);
}
