//! Mistakes that people make, and what they are told: the place, what is wrong, what to write.

use crate::kit::{Desk, Run};

/// Checks that a run failed, said this about a place of the specification, and gave this advice.
#[track_caller]
fn told(run: Run, place: &str, message: &str, advice: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"), "{}", run.err);
    for part in [place, message, advice] {
        assert!(run.err.contains(part), "expected {part:?} in {}", run.err);
    }
}

#[test]
fn misspelt_operators_are_recognised() {
    for (name, text, place, advice) in [
        ("a.mfotl", "ALWAYS FORALL x. p(x) IMPLIS q(x)\n", "1:23", "did you mean `IMPLIES`?"),
        ("a.mfotl", "ALWAYS FORALL x. (p(x) IMPLIS q(x))\n", "1:24", "did you mean `IMPLIES`?"),
        ("a.mfotl", "ALWAYS FORALL x. p(x) ADN q(x)\n", "1:23", "did you mean `AND`?"),
        ("a.mfotl", "ALLWAYS FORALL x. p(x) IMPLIES q(x)\n", "1:1", "did you mean `ALWAYS`?"),
        ("a.mfotl", "ALWAYS FORALL x. p(x) IMPLIES ONEC q(x)\n", "1:31", "did you mean `ONCE`?"),
        ("a.foltl", "always (p implis q)\n", "1:11", "write `=>`"),
        ("a.foltl", "always (p => eventualy q)\n", "1:24", "did you mean `eventually` instead of `eventualy`?"),
        ("a.stl", "G_[0,10] (x < 3 adn x > 1)\n", "1:17", "did you mean `and`?"),
    ] {
        let desk = Desk::with(name, text);
        told(desk.run(&["check", name, "--inline", "p(1)"]), &format!("{name}:{place}"), "error[", advice);
    }
}

#[test]
fn operators_of_other_languages_are_translated() {
    for (name, text, place, message, advice) in [
        ("a.mfotl", "ALWAYS FORALL x. p(x) -> q(x)\n", "1:23", "`->` has no meaning here", "write `IMPLIES`"),
        ("a.mfotl", "ALWAYS FORALL x. p(x) => q(x)\n", "1:23", "`=>` has no meaning here", "write `IMPLIES`"),
        ("a.mfotl", "ALWAYS FORALL x. p(x) <-> q(x)\n", "1:23", "`<->` has no meaning here", "write `EQUIV`"),
        ("a.mfotl", "ALWAYS FORALL x. p(x) && q(x)\n", "1:23", "`&&` has no meaning here", "write `AND`"),
        ("a.foltl", "always (p IMPLIES q)\n", "1:11", "found `IMPLIES`", "write `=>`"),
        ("a.qtl", "prop a : Forall x . p(x) IMPLIES q(x)\n", "1:26", "found `IMPLIES`", "write `->`"),
        ("a.qtl", "prop a : Forall x . p(x) => q(x)\n", "1:26", "no operator `=>`", "write `->`"),
        ("a.soloist", "G(p => F q)\n", "1:5", "expected an operator", "write `->`"),
        ("a.soloist", "G(p implies F q)\n", "1:5", "found `implies`", "write `->`"),
    ] {
        let desk = Desk::with(name, text);
        let run = desk.run(&["check", name, "--inline", "p(1)"]);
        assert_eq!(run.err.matches("error[").count(), 1, "one mistake, one error: {}", run.err);
        told(run, &format!("{name}:{place}"), message, advice);
    }
}

#[test]
fn a_misspelt_option_names_the_nearest() {
    let desk = Desk::with("a.qtl", "prop a : p\n");
    for (option, nearest) in [("--verbos", "'--version'"), ("--propety", "'--property'"), ("--jsn", "'--json'")] {
        let err = desk.run(&["check", "a.qtl", "--inline", "p", option]).failed();
        assert!(err.contains(&format!("unexpected argument '{option}'")) && err.contains(nearest), "{err}");
    }
}

#[test]
fn an_unknown_property_names_the_nearest_or_all() {
    let desk = Desk::with("a.qtl", "prop access : p\nprop order : p\n");
    let check = |name: &str| desk.run(&["check", "a.qtl", "--inline", "p", "--property", name]);
    check("acess").failed_with("no property is called `acess`", "did you mean `access`?");
    check("safety").failed_with("no property is called `safety`", "there are `access`, `order`");
}

#[test]
fn an_iso_time_where_a_number_is_expected() {
    let desk = Desk::with("a.mfotl", "ALWAYS FORALL x. q(x) IMPLIES ONCE[0,5] p(x)\n");
    desk.write("log.csv", "event, ts, x\np, 2026-01-02T03:04:05Z, 1\n");
    desk.write("time.toml", "time = { field = \"ts\", format = \"rfc3339\" }\n");
    let message = "log.csv:2:1: expected a number as timestamp in field `ts`, found `2026-01-02T03:04:05Z`";
    let hint = "write time = { field = \"ts\", format = \"rfc3339\" } in a mapping, and give it with --map";
    desk.run(&["check", "a.mfotl", "log.csv"]).failed_with(message, hint);
    assert_eq!(desk.run(&["check", "a.mfotl", "log.csv", "--map", "time.toml"]).code, Some(0), "the advice is good");
}

#[test]
fn a_missing_time_field_names_those_that_there_are() {
    let desk = Desk::with("a.mfotl", "ALWAYS FORALL x. q(x) IMPLIES ONCE[0,5] p(x)\n");
    desk.write("log.csv", "event, stamp, x\np, 1, 1\n");
    for (field, hint) in [("stmp", "did you mean `stamp`?"), ("when", "it has `stamp`, `x`")] {
        desk.write("time.toml", format!("time = {{ field = \"{field}\" }}\n"));
        let run = desk.run(&["check", "a.mfotl", "log.csv", "--map", "time.toml"]);
        let message = format!("log.csv:2:1: event `p` has no field `{field}`, which the mapping names as its time");
        run.failed_with(&message, hint);
    }
}

#[test]
fn exchanged_arguments_are_recognised() {
    let desk = Desk::with("a.qtl", "prop a : p\n");
    desk.write("b.mfotl", "p()\n");
    desk.write("log.csv", "p\n");
    let exchanged = "log.csv: the first argument is the specification, and a.qtl looks like one";
    for more in [&[][..], &["--language", "qtl"]] {
        let run = desk.run(&[&["check", "log.csv", "a.qtl"], more].concat());
        run.failed_with(exchanged, "exchange the two: referee check a.qtl log.csv");
    }
    let both = desk.run(&["check", "a.qtl", "b.mfotl"]);
    both.failed_with("b.mfotl: this is a specification by its name, not a trace", "--spec b.mfotl judges it, too");
    let trace = desk.run(&["check", "log.csv", "log.csv"]);
    trace.failed_with("log.csv: the name of the specification does not tell its language", "--language");
    assert_eq!(
        desk.run(&["check", "a.qtl", "b.mfotl", "--format", "csv-plain"]).code,
        Some(1),
        "whoever insists is heard"
    );
}

#[test]
fn the_help_lists_every_ready_mapping() {
    let desk = Desk::new();
    let unknown = desk.run(&["cat", "t.csv", "--map", "nowhere.toml"]).failed();
    let (_, names) = unknown.split_once("one of: ").expect("the message lists the ready mappings");
    for command in ["check", "cat", "stats", "convert"] {
        let help = desk.run(&[command, "--help"]).fine();
        let help: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(&format!("a ready one ({})", names.trim())), "{command}: {help}");
    }
}
