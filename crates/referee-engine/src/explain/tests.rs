//! Outlines word by word.

use referee_spec::core::Language;
use referee_spec::language::{Options, Source, compile};

use super::of;

fn outline(language: Language, specification: &str) -> String {
    let compiled = compile(language, &Source::new("test", specification), &Options::default());
    let property = compiled.properties.first().unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    of(property).to_string()
}

#[test]
fn a_guard_and_two_tables() {
    let specification =
        "prop access: Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))";
    let expected = "\
access (qtl)
  judged: at every point; a point has at most one violation
  verdicts: a violation is reported at the point that causes it
  tables:
    `[login(u), logout(u))`: one row per u; deleted when `logout(u)` is true
    `[open(f), close(f))`: one row per f; deleted when `close(f)` is true
  events:
    `access(u, f)` is checked when it happens, with `[login(u), logout(u))` and `[open(f), close(f))`
    `logout(u)` deletes the row of u from `[login(u), logout(u))`
    `login(u)` inserts the row of u into `[login(u), logout(u))`
    `close(f)` deletes the row of f from `[open(f), close(f))`
    `open(f)` inserts the row of f into `[open(f), close(f))`
  runs as:
    tables and handlers:
    T0 `!logout(a) S login(a)`: rows by 1 column
    T1 `!close(a) S open(a)`: rows by 1 column
    on logout/1: deletes the row of T0
    on login/1: makes the row of T0
    on close/1: deletes the row of T1
    on open/1: makes the row of T1
    on access/2: looks up T0 and finds no row, or looks up T1 and finds no row; reports a violation
  cost per event:
    one look-up per table and value: constant but for the logarithm of the table's size
  grows without bound:
    `[login(u), logout(u))`: one row per u, from when `login(u)` is true until `logout(u)` is true
    `[open(f), close(f))`: one row per f, from when `open(f)` is true until `close(f)` is true
  variables:
    u, f range over all values; those that nobody names share one row
  gives up: none
";
    assert_eq!(outline(Language::Qtl, specification), expected);
}

#[test]
fn a_table_that_only_grows() {
    let specification = "prop twice: Forall x . enter(x) -> !@P enter(x)";
    let expected = "\
twice (qtl)
  judged: at every point; a point has at most one violation
  verdicts: a violation is reported at the point that causes it
  tables:
    `@P enter(x)`: one row per x; kept for one point
    `P enter(x)`: one row per x; kept for ever
  events:
    `enter(x)` is checked when it happens, with `@P enter(x)`; inserts the row of x into `P enter(x)`
  runs as:
    tables and handlers:
    T0 `P enter(a)`: rows by 1 column
    on enter/1: looks up T0; reports a violation
    on enter/1: makes the row of T0
  cost per event:
    one look-up per table and value: constant but for the logarithm of the table's size
  grows without bound:
    `P enter(x)`: one row per x ever seen, for nothing deletes it
  variables:
    x ranges over all values; those that nobody names share one row
  gives up: none
";
    assert_eq!(outline(Language::Qtl, specification), expected);
}

#[test]
fn obligations_that_end_with_the_trace() {
    let specification = "(forall p:proc)(forall f:file)(always (open(p,f) => eventually close(p,f)))";
    let expected = "\
test (foltl)
  judged: once, at the first point, for each p, f
  verdicts: some violations are certain only when the trace ends
  tables:
    `eventually close(p,f)`: one row per p, f; open until it is settled or the trace ends
  events:
    `open(p,f)` is checked when it happens, with `eventually close(p,f)`
    `close(p,f)` fulfils the row of p, f of `eventually close(p,f)`
  runs as:
    tables and handlers:
    T0 `open demands of property 1`: rows by 2 columns
    on close/2: looks up T0; meets the demand
    on open/2: opens a demand
  cost per event:
    one look-up per table and value: constant but for the logarithm of the table's size
    grows with the open obligations of `eventually close(p,f)`
  grows without bound:
    `eventually close(p,f)`: one obligation per p, f that is still open
  variables:
    p ranges over what the whole trace shows as proc
    f ranges over what the whole trace shows as file
  gives up: none
";
    assert_eq!(outline(Language::Foltl, specification), expected);
}

/// What a count costs, in the middle of tables.
#[test]
fn a_part_for_the_general_path() {
    let specification = "ALWAYS FORALL u, c. access(u) AND ((NOT logout(u)) SINCE login(u)) \
                         AND (c <- CNT i; u ONCE[0,9] fail(u, i)) IMPLIES c < 3";
    let text = outline(Language::Mfotl, specification);
    let lines = |title: &str| {
        let section = text.split(&format!("  {title}:\n")).nth(1).unwrap_or("");
        section.lines().take_while(|line| line.starts_with("    ")).map(str::trim).collect::<Vec<_>>()
    };
    let way = [
        "tables and handlers, which ask the general path for what G0, G1, … stand for:",
        "T0 `!logout(a) S login(a)`: rows by 1 column",
        "G0 `c <- CNT i; u ONCE[0,9] fail(u, i)`: evaluated for the values that are asked for, moved on at every point; \
         aggregations are judged by the general path",
        "on logout/1: deletes the row of T0",
        "on login/1: makes the row of T0",
        "on access/1: looks up T0; asks G0 for its value; compares values; reports a violation",
    ];
    assert_eq!(lines("runs as"), way);
    let cost = [
        "one look-up per table and value: constant but for the logarithm of the table's size",
        "grows with the points in the window of `ONCE[0,9] fail(u, i)`",
        "every point, whatever its events, moves the tables inside `c <- CNT i; u ONCE[0,9] fail(u, i)` on",
    ];
    assert_eq!(lines("cost per event"), cost);
    // Without an event nobody knows when to ask.
    let unguarded = outline(Language::Mfotl, "ALWAYS FORALL u. (PREVIOUS[0,1] p(u)) IMPLIES ONCE q(u)");
    assert!(unguarded.contains("general tables, joined anew at every point: "), "{unguarded}");
}

#[test]
fn a_bounded_future_and_a_size() {
    let specification = "ALWAYS FORALL x, a. request(x, a) IMPLIES a / 2 < 100 AND EVENTUALLY[0,5] report(x)";
    let expected = "\
test (mfotl)
  judged: at every point, for each x, a
  verdicts: a violation is reported as soon as more than 5 time units have passed, or the trace ends
  tables:
    `EVENTUALLY[0,5] report(x)`: one row per x; gone after 5 time units
  events:
    `request(x, a)` is checked when it happens, with `EVENTUALLY[0,5] report(x)`
    `report(x)` fulfils the row of x of `EVENTUALLY[0,5] report(x)`
  runs as:
    tables and handlers, which ask the general path for what G0, G1, … stand for:
    T0 `open demands of property 1`: rows by 2 columns, 1 index
    G0 `a / 2 < 100`: evaluated for the values that are asked for; computed values are judged by the general path
    on request/2: asks G0 and finds that it is not so; reports a violation
    on report/1: goes through the rows of T0 by 1 of its columns; meets the demand
    on request/2: opens a demand
  cost per event:
    one look-up per table and value: constant but for the logarithm of the table's size
    grows with the open obligations of `EVENTUALLY[0,5] report(x)`
  grows without bound: none
  variables:
    x, a range over all values; those that nobody names share one row
  gives up:
    `a / 2 < 100` would decide the verdict for values that nobody names
";
    assert_eq!(outline(Language::Mfotl, specification), expected);
}

#[test]
fn a_recursive_definition() {
    let specification = "prop ancestry: Forall x . Forall y . stop(x, y) -> ancestor(x, y) where ancestor(a, c) := @ancestor(a, c) | spawn(a, c) | Exists b . @ancestor(a, b) & spawn(b, c)";
    let expected = "\
ancestry (qtl)
  judged: at every point; a point has at most one violation
  verdicts: a violation is reported at the point that causes it
  tables:
    `@ancestor(a, c)`: one row per a, c; kept for one point
    `@ancestor(a, b)`: one row per a, b; kept for one point
  events:
    `spawn(a, c)` decides the rows of `ancestor`
    `spawn(b, c)` decides the rows of `ancestor`
    `stop(x, y)` is checked when it happens, with `ancestor(x, y)`
  runs as:
    tables and handlers:
    T0 `D0(a, b) := (spawn(a, b) | (exists c . (@D0(a, c) & spawn(c, b)))) | @D0(a, b)`: rows by 2 columns, 1 index
    on spawn/2: makes the row of T0
    on spawn/2: goes through the rows of T0 by 1 of its columns; makes the row of T0
    on stop/2: looks up T0 and finds no row; reports a violation
  cost per event:
    one look-up per table and value: constant but for the logarithm of the table's size
    may grow with the rows of `ancestor`
  grows without bound:
    `ancestor`: one row per a, c for which it holds
  variables:
    x, y, a, c, b range over all values; those that nobody names share one row
  gives up: none
";
    assert_eq!(outline(Language::Qtl, specification), expected);
}

#[test]
fn a_window() {
    let specification = "ALWAYS FORALL u. ok(u) IMPLIES (NOT fail(u) SINCE[0,7] login(u))";
    let expected = "\
test (mfotl)
  judged: at every point, for each u
  verdicts: a violation is reported at the point that causes it
  tables:
    `NOT fail(u) SINCE[0,7] login(u)`: one row per u; deleted when `fail(u)` is true or after 7 time units
  events:
    `ok(u)` is checked when it happens, with `NOT fail(u) SINCE[0,7] login(u)`
    `fail(u)` deletes the row of u from `NOT fail(u) SINCE[0,7] login(u)`
    `login(u)` inserts the row of u into `NOT fail(u) SINCE[0,7] login(u)`
  runs as:
    tables and handlers:
    T0 `!fail(a) S[0, 7] login(a)`: rows by 1 column, each with its newest point that counts
    on fail/1: deletes the row of T0
    on login/1: makes the row of T0
    on ok/1: looks up T0 and finds no row; reports a violation
  cost per event:
    one look-up per table and value: constant but for the logarithm of the table's size
  grows without bound: none
  variables:
    u ranges over all values; those that nobody names share one row
  gives up: none
";
    assert_eq!(outline(Language::Mfotl, specification), expected);
}

#[test]
fn totals_cost_what_changes() {
    let specification = "ALWAYS FORALL s, u. (s <- SUM a; u ONCE[0, 28] withdraw(u, a) AND tp(i)) IMPLIES s <= 10000";
    let outline = outline(Language::Mfotl, specification);
    assert!(outline.contains("  cost per event:\n    constant: each event enters its group once"), "{outline}");
    assert!(!outline.contains("grows with the"), "{outline}");
}

#[test]
fn streams_say_what_they_read_and_how_instances_are_found() {
    let specification = "input x: Int, who: String from login.name\noutput total := total.last(or: 0) + x\n\
                         trigger (p: Int) spawn with x eval when x = p and total > p \"{p}\"\n\
                         trigger (q: Int) spawn with x eval when q > 9";
    let expected = "\
test (lola)
  judged: at every event; a trigger that is true is a violation of its point
  verdicts: at once; those of `at end` at the end of the trace
  tables:
    `input x: int`: constant
    `input who: string`: constant
    `output total: int`: constant: the last 2 values
    `trigger 1(p)`: one row per p seen (nothing closes them)
    `trigger 2(q)`: one row per q seen (nothing closes them)
  events:
    `x` is read by output total, trigger 1, trigger 2 in any event
    `login.name` is read by nobody
  cost per event:
    the clauses that can be evaluated on such an event; no other is looked at
    instances of trigger 1(p) are found by key: x
    instances of trigger 2(q) are all visited at every event
  grows without bound:
    trigger 1(p)
    trigger 2(q)
  variables: none
  gives up:
    division by zero
    a value that is not of its input's type
";
    assert_eq!(outline(Language::Lola, specification), expected);
}

#[test]
fn an_outermost_operator_over_signals_keeps_nothing() {
    let kept = |specification: &str| {
        let text = outline(Language::Stl, specification);
        let lines = text.lines().map(str::trim).skip_while(|line| *line != "tables:").skip(1);
        let tables: Vec<String> = lines.take_while(|line| line.starts_with('`')).map(str::to_owned).collect();
        (tables, text.contains("grows without bound: none"), text.contains("events: none"))
    };
    let first = "`G x < 5`: constant: it is judged at the first sample only".to_owned();
    assert_eq!(kept("G x < 5"), (vec![first], true, false));
    let (tables, bounded, _) = kept("G (x < 5 => F_[0,10] x > 7)");
    assert!(bounded, "{tables:?}");
    assert_eq!(tables[1], "`F_[0,10] x > 7`: the samples of the last 10");
    let (tables, bounded, _) = kept("G (x < 5 => F x > 7)");
    assert!(!bounded, "{tables:?}");
    assert_eq!(tables[1], "`F x > 7`: the samples that are not decided yet");
}
