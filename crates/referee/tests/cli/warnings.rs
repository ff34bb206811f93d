//! Warnings: verdicts that say less than they seem to say.

use serde_json::{Value, json};

use crate::kit::{Desk, Run};

const ACCESS: &str = "prop access : Forall u . Forall f . access(u, f) -> [login(u), logout(u))\n";

fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

/// Runs a check that must warn: these lines on standard error, this verdict, and exit code 2 if warnings are denied.
#[track_caller]
fn warns(desk: &Desk, arguments: &[&str], status: &str, code: i32, expected: &[&str]) {
    let run = desk.run(arguments);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!((run.code, run.out.lines().last(), lines.as_slice()), (Some(code), Some(status), expected));
    let denied = desk.run(&[arguments, &["--deny-warnings"]].concat());
    assert_eq!((denied.code, denied.out.as_str()), (Some(2), run.out.as_str()));
    let document = desk.run(&[arguments, &["--json"]].concat());
    let warnings = json_of(&document)["warnings"].as_array().map_or(0, Vec::len);
    assert!(warnings >= expected.len().min(5), "{}", document.out);
}

#[test]
fn an_empty_trace_warns() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("empty.csv", "");
    let warning = "warning[L0022]: the trace has no events, so there was nothing to judge (empty.csv); \
                   --expect-events refuses such traces";
    warns(&desk, &["check", "access.qtl", "empty.csv"], "STATUS: Satisfied", 0, &[warning]);

    let refused = desk.run(&["check", "access.qtl", "empty.csv", "--expect-events"]);
    assert_eq!(refused.out, "STATUS: GaveUp\n");
    refused.failed_with("empty.csv: the trace has no events", "referee cat");
    desk.write("full.csv", "login,1\naccess,1,2\nlogout,1\n");
    assert_eq!(desk.run(&["check", "access.qtl", "full.csv", "--expect-events"]).fine(), "STATUS: Satisfied\n");
}

#[test]
fn a_mapping_that_leaves_nothing_warns() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv", "entered,1\n");
    desk.write("map.toml", "drop-others = true\n");
    let run = desk.run(&["check", "access.qtl", "log.csv", "--map", "map.toml"]);
    assert_eq!(run.code, Some(0));
    assert!(run.err.starts_with("warning[L0022]: the mapping left no event of the trace"), "{}", run.err);
    let run = desk.run(&["check", "access.qtl", "log.csv", "--map", "map.toml", "--expect-events"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
}

#[test]
fn a_rule_of_the_mapping_that_never_matched_warns() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv-named", "Login, user=1, kind=a\nAccess, user=1, file=2\nLogout, user=1\n");
    desk.write(
        "map.toml",
        "[[event]]\nfrom = \"Lgoin\"\nto = \"login\"\n\n[[event]]\nfrom = \"Login\"\nwhen = 'kind = \"b\"'\nto = \"x\"\n\n\
         [[event]]\nfrom = \"Login\"\nto = \"login\"\nargs = [\"user\"]\n\n[[event]]\nfrom = \"Access\"\nto = \"access\"\n\n\
         [[event]]\nfrom = \"Logout\"\nto = \"logout\"\n",
    );
    let arguments = ["check", "access.qtl", "log.csv-named", "--format", "csv-named", "--map", "map.toml"];
    let expected = [
        "warning[L0023]: an [[event]] of the mapping matched nothing: no event is called `Lgoin` (map.toml:2); \
         did you mean `Login`?",
        "warning[L0023]: an [[event]] of the mapping matched nothing: its `when` held for no event `Login` (map.toml:6); \
         look at the values with `referee cat` without the mapping",
    ];
    warns(&desk, &arguments, "STATUS: Satisfied", 0, &expected);
}

#[test]
fn a_pattern_that_never_fitted_warns() {
    let desk = Desk::with("gone.qtl", "prop gone : Forall u . left(u) -> P came(u)\n");
    desk.write("log.txt", "ann came\nann left\n");
    desk.write(
        "map.toml",
        "[input]\npatterns = [\n  { pattern = '(?<user>\\w+) came', name = \"came\" },\n  \
         { pattern = '(?<user>\\w+) left', name = \"left\" },\n  { pattern = '(?<user>\\w+) gone', name = \"left\" },\n]\n",
    );
    let warning = "warning[L0023]: a pattern of the mapping fitted no line that those before it left (map.toml:5); \
                   look at what the lines give with `referee cat`";
    warns(&desk, &["check", "gone.qtl", "log.txt", "--map", "map.toml"], "STATUS: Satisfied", 0, &[warning]);
}

#[test]
fn an_event_that_never_occurred_warns() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv", "login,1\naccess,1,2\nlogut,1\n");
    let warning = "warning[L0007]: the trace has no event `logout` (access.qtl:1:64); did you mean `logut`?";
    warns(&desk, &["check", "access.qtl", "log.csv"], "STATUS: Satisfied", 0, &[warning]);
}

/// What comes after the violation is unknown, and not denied.
#[test]
fn an_event_that_did_not_occur_before_the_violation_is_told_as_that() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv", "signin,1\naccess,1,2\nlogin,1\nlogout,1\n");
    let warning = "warning[L0007]: up to the violation, where reading stopped, the trace has no event `login` \
                   (access.qtl:1:54); the trace has the events `access`, `signin`";
    for more in [&[][..], &["--deny-warnings"]] {
        let run = desk.run(&[&["check", "access.qtl", "log.csv"], more].concat());
        assert_eq!((run.code, run.err.trim_end()), (Some(1), warning));
    }
    let whole = desk.run(&["check", "access.qtl", "log.csv", "--all"]);
    assert_eq!((whole.code, whole.err.as_str()), (Some(1), ""), "all events are there");
}

#[test]
fn a_wrong_number_of_arguments_warns() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv", "login,1\naccess,1\nlogout,1\n");
    let warning =
        "warning[L0008]: `access` has 1 argument in the trace, not 2 (access.qtl:1:37); the trace has `access(1)`";
    warns(&desk, &["check", "access.qtl", "log.csv"], "STATUS: Satisfied", 0, &[warning]);
}

#[test]
fn events_with_other_arguments_than_all_properties_ask_for_warn() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv", "login,1\naccess,1,2\naccess,1\nlogout,1\n");
    let warning = "warning[L0008]: some events `access` have 1 argument, and no property looks at those; \
                   a mapping (--map) can give all of them the same";
    warns(&desk, &["check", "access.qtl", "log.csv"], "STATUS: Satisfied", 0, &[warning]);
    desk.write("other.qtl", "prop other : Forall u . access(u) -> P login(u)\n");
    desk.run(&["check", "access.qtl", "log.csv", "--spec", "other.qtl"]).fine();
}

#[test]
fn a_property_that_was_never_triggered_warns() {
    let desk = Desk::with("order.foltl", "always (request => eventually response)\n");
    desk.write("log.csv", "Demand\nAnswer\n");
    let run = desk.run(&["check", "order.foltl", "log.csv"]);
    let untested = "warning[L0021]: property `order` was not tested: the trace has none of its events (order.foltl); \
                    a mapping (--map) translates other names";
    assert_eq!((run.code, run.err.lines().last()), (Some(0), Some(untested)), "{}", run.err);
    assert_eq!(desk.run(&["check", "order.foltl", "log.csv", "--deny-warnings"]).code, Some(2));
    // One event is enough: the rule has been listening.
    desk.write("half.csv", "response\n");
    assert!(!desk.run(&["check", "order.foltl", "half.csv"]).err.contains("L0021"));
}

#[test]
fn soloist_rules_tell_of_missing_events() {
    let desk = Desk::with("calls.soloist", "G(a -> C[10] <= 3 (b))\n");
    desk.write("log.csv", "c, ts=1\nd, ts=2\n");
    let run = desk.run(&["check", "calls.soloist", "log.csv", "--map", "common", "--format", "csv-named"]);
    assert_eq!(run.code, Some(2), "a ready mapping for something else: {}", run.err);
    desk.write("none.toml", "");
    let run = desk.run(&["check", "calls.soloist", "log.csv", "--map", "none.toml", "--format", "csv-named"]);
    let codes: Vec<&str> = run.err.lines().filter_map(|line| line.get(8..13)).collect();
    assert_eq!((run.code, codes.as_slice()), (Some(0), &["L0007", "L0007", "L0021"][..]), "{}", run.err);
}

#[test]
fn many_warnings_of_a_kind_are_counted() {
    let names: Vec<String> = (0..20).map(|number| format!("event{number}x{number}")).collect();
    let formula = names.iter().map(|name| format!("!{name}")).collect::<Vec<_>>().join(" & ");
    let desk = Desk::with("many.qtl", format!("prop many : {formula}\n"));
    desk.write("log.csv", "other\n");
    let run = desk.run(&["check", "many.qtl", "log.csv"]);
    assert_eq!(run.err.lines().count(), 5 + 1 + 1, "{}", run.err);
    assert!(run.err.contains("warning[L0007]: and 15 more of this kind; --json lists all"), "{}", run.err);
    let document = json_of(&desk.run(&["check", "many.qtl", "log.csv", "--json"]));
    assert_eq!(document["warnings"].as_array().map(Vec::len), Some(21));
}

#[test]
fn warnings_of_the_specification_are_in_the_document_too() {
    let desk = Desk::with("order.foltl", "always request => eventually response\n");
    desk.write("log.csv", "request\nresponse\n");
    let document = json_of(&desk.run(&["check", "order.foltl", "log.csv", "--json"]));
    let warning = &document["warnings"][0];
    assert_eq!(
        (&warning["code"], &warning["file"], &warning["line"]),
        (&json!("L0003"), &json!("order.foltl"), &json!(1))
    );
    assert_eq!(desk.run(&["check", "order.foltl", "log.csv", "--deny-warnings"]).code, Some(2));
}

#[test]
fn a_check_without_warnings_says_nothing() {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("log.csv", "login,1\naccess,1,2\nlogout,1\n");
    assert_eq!(desk.run(&["check", "access.qtl", "log.csv", "--deny-warnings"]).fine(), "STATUS: Satisfied\n");
}

/// More than a million objects come and never go.
#[test]
fn a_rule_that_grows_with_the_trace_warns_while_there_is_memory() {
    let desk = Desk::with("twice.qtl", "prop twice : Forall s . login(s) -> !@P login(s)\n");
    let log: String = (0..1_100_000).map(|session| format!("login,{session}\n")).collect();
    desk.write("log.csv", &log);
    let run = desk.run(&["check", "twice.qtl", "log.csv"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "STATUS: Satisfied\n"));
    let grown = run.err.strip_prefix("warning[L0024]: `twice` remembers 1").unwrap_or_else(|| panic!("{}", run.err));
    assert!(
        grown.contains("most of them for `P login(s)`") || grown.contains("most of them for `P login(a)`"),
        "{}",
        run.err
    );
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    let denied = desk.run(&["check", "twice.qtl", "log.csv", "--deny-warnings"]);
    assert_eq!(denied.code, Some(0), "it says nothing of the verdict");
}
