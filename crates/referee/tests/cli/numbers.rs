//! Numbers, streams and signals: what `--witness` says of them, the robustness, and reports.

use crate::kit::Desk;

/// Standard output of a violated check, line by line.
#[track_caller]
fn violated(desk: &Desk, arguments: &[&str]) -> Vec<String> {
    let run = desk.run(&[&["check"], arguments].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{}", run.out);
    run.out.lines().map(str::to_owned).collect()
}

#[test]
fn a_witness_of_soloist_names_the_window_the_number_and_the_limit() {
    let desk = Desk::with("atm.soloist", "property QP1: G (logoff -> C[600] <= 3 (withdraw))\n");
    desk.write(
        "atm.log",
        "@1 withdraw ();\n@100 withdraw ();\n@200 withdraw ();\n@300 withdraw ();\n@650 withdraw ();\n@660 logoff ();\n",
    );
    assert_eq!(
        violated(&desk, &["atm.soloist", "atm.log", "--witness"]),
        [
            "VIOLATION QP1: point 6, time 660, logoff()",
            "  `C[600] <= 3 (withdraw)` fails at point 6, time 660: in (60, 660] the count is 4, from 4 occurrences, the \
             first at point 2, time 100, the last at point 5, time 650; the limit is <= 3",
            "STATUS: Violated",
        ]
    );
}

#[test]
fn a_witness_of_soloist_says_what_should_not_hold_what_is_not_full_and_what_was_left_open() {
    let desk = Desk::with("not.soloist", "G !(C[10] >= 2 (p))\n");
    desk.write("pay.log", "@1 p (7);\n@3 p (9);\n");
    assert_eq!(
        violated(&desk, &["not.soloist", "pay.log", "--witness"]),
        [
            "VIOLATION not: point 2, time 3, p(9)",
            "  `(C[10] >= 2 (p))` holds at point 2, time 3: in (-7, 3] the count is 2, from 2 occurrences, the first at point 1, \
             time 1, the last at point 2, time 3; the limit is >= 2",
            "STATUS: Violated",
        ]
    );
    desk.write("full.soloist", "G C[10] <= 5 (p)\n");
    assert_eq!(
        violated(&desk, &["full.soloist", "pay.log", "--full-window", "--witness"])[1],
        "  `C[10] <= 5 (p)` fails at point 2, time 3: its window is not full before time 10"
    );
    desk.write("open.soloist", "G (start -> F complete)\n");
    desk.write("open.log", "@1 x ();\n@3 start ();\n@20 y ();\n");
    assert_eq!(
        violated(&desk, &["open.soloist", "open.log", "--witness"])[1],
        "  opened at point 2, time 3, by start: what it asks for did not come"
    );
}

#[test]
fn the_event_is_shown_although_its_arguments_decide_nothing() {
    let desk = Desk::with("r.soloist", "G C[5] < 2 (r)\n");
    desk.write("r.csv", "a,x=5,ts=1\nr,x=7,ts=2\nr,x=3,ts=3\n");
    assert_eq!(violated(&desk, &["r.soloist", "r.csv"])[0], "VIOLATION r: point 3, time 3, r(3)");
    desk.write("x.lola", "input x: Int\ntrigger x > 2\n");
    desk.write("x.csv", "a, x = 1, y = 5, ts = 3\na, x = 4, y = 1, ts = 10\n");
    assert_eq!(violated(&desk, &["x.lola", "x.csv"])[0], "VIOLATION x: point 2, time 10, a(4,1), x > 2");
    desk.write("x.stl", "G x < 2\n");
    assert_eq!(violated(&desk, &["x.stl", "x.csv"])[0], "VIOLATION x: point 2, time 10, a(4,1)");
}

#[test]
fn a_witness_of_an_aggregate_names_the_window_the_number_and_the_limit() {
    let desk = Desk::with(
        "withdraw.mfotl",
        "ALWAYS FORALL s, u. (s <- SUM a; u. ONCE[0, 28] withdraw(u, a) AND tp(i)) IMPLIES s <= 10000\n",
    );
    desk.write(
        "withdraw.log",
        "@1 withdraw (ann, 9000);\n@5 withdraw (bob, 500);\n@20 withdraw (ann, 700);\n@31 withdraw (ann, 5000);\n\
         @40 withdraw (ann, 4600);\n",
    );
    assert_eq!(
        violated(&desk, &["withdraw.mfotl", "withdraw.log", "--witness"]),
        [
            "VIOLATION withdraw: point 5, time 40, withdraw(ann,4600), s = 10300, u = ann",
            "  from time 12 to 40 the sum of a is 10300 for u = ann: 3 values, the first at time 20 (point 3), the last at \
             time 40 (point 5)",
            "  `10300 <= 10000` does not hold",
            "STATUS: Violated",
        ]
    );
}

#[test]
fn a_witness_of_an_aggregate_that_the_general_engine_judges() {
    let desk = Desk::with(
        "most.mfotl",
        "FORALL m. (m <- MAX n (n <- CNT i; u (p(u) SINCE[0, 9] login(u)) AND ONCE[0, 9] (try(u) AND tp(i)))) IMPLIES m < 2\n",
    );
    desk.write("most.log", "@1 login (1) p (1);\n@2 p (1) try (1);\n@4 p (1) try (1);\n");
    let lines = violated(&desk, &["most.mfotl", "most.log", "--witness"]);
    assert_eq!(lines.first().map(String::as_str), Some("VIOLATION most: point 3, time 4, p(1), m = 2"));
    assert!(lines.iter().any(|line| line.contains("the greatest of n is 2")), "{lines:#?}");
    assert!(lines.contains(&"  `2 < 2` does not hold".to_owned()), "{lines:#?}");
}

#[test]
fn a_witness_of_a_signal_names_the_samples_that_decide() {
    let desk = Desk::with("x.stl", "G_[0,10] (x < 5 => F_[0,3] x > 7)\n");
    desk.write("x.csv", "event,x,time\ns,6,0\ns,4,1\ns,9,2\ns,3,5\ns,5,6\ns,7,8\ns,8,9\n");
    assert_eq!(
        violated(&desk, &["x.stl", "x.csv", "--witness"]),
        [
            "VIOLATION x: point 7, time 9, s(8)",
            "  `x < 5` holds at point 4, time 5: x = 3",
            "  `x > 7` holds at no sample from point 4, time 5 to point 6, time 8",
            "STATUS: Violated",
        ]
    );
    let with_robustness = violated(&desk, &["x.stl", "x.csv", "--robustness"]);
    assert_eq!(with_robustness[1..], ["ROBUSTNESS x: 0", "STATUS: Violated"]);
}

#[test]
fn the_robustness_is_told_however_early_the_violation_was() {
    let desk = Desk::with("x.stl", "G x < 5\n");
    desk.write("x.csv", "event,x,time\ns,6,0\ns,4,1\ns,9,2\ns,3,5\n");
    let lines = violated(&desk, &["x.stl", "x.csv", "--robustness"]);
    assert_eq!(lines, ["VIOLATION x: point 1, time 0, s(6)", "ROBUSTNESS x: -4", "STATUS: Violated"]);
    desk.write("x.stl", "G 1 / (x - 4) < 1\n");
    let run = desk.run(&["check", "x.stl", "x.csv", "--robustness"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
    assert_eq!(run.err, "x: GaveUp: division by zero in `1 / (x - 4)` at point 2\n");
}

#[test]
fn reports_are_written_as_csv_and_as_json() {
    let desk = Desk::with(
        "sum.lola",
        "input x: Int, name: String\noutput total := total.last(or: 0) + x\noutput mean := total / 3\n\
         trigger total > 100\nreport name, total to \"sums.csv\"\nreport mean, name to \"sums.json\"\n\
         report x to \"none.csv\"\n",
    );
    desk.write("x.csv", "event,name,x,time\ns,\"a,\"\"b\",2,1\ns,c,,2\nt,,1,4\n");
    assert_eq!(desk.run(&["check", "sum.lola", "x.csv"]).fine(), "STATUS: Satisfied\n");
    assert_eq!(desk.read("sums.csv"), "trace,point,time,name,total\n1,1,1,\"a,\"\"b\",2\n1,2,2,c,\n1,3,4,,3\n");
    assert_eq!(
        desk.read("sums.json"),
        "{\"trace\":1,\"point\":1,\"time\":1,\"mean\":\"2/3\",\"name\":\"a,\\\"b\"}\n\
         {\"trace\":1,\"point\":2,\"time\":2,\"mean\":null,\"name\":\"c\"}\n\
         {\"trace\":1,\"point\":3,\"time\":4,\"mean\":1,\"name\":null}\n"
    );
    assert_eq!(desk.run(&["check", "sum.lola", "--inline", "a.b"]).fine(), "STATUS: Satisfied\n");
    assert_eq!(desk.read("none.csv"), "trace,point,time,x\n");
    assert!(desk.files().iter().all(|name| !name.ends_with(".part")), "{:?}", desk.files());
}

#[test]
fn triggers_give_their_places_in_the_trace_and_in_the_file() {
    let desk = Desk::with("alarm.lola", "input alarm: Bool\ntrigger alarm \"alarm\"\n");
    desk.write(
        "machine.csv",
        "log, id = 1\nstep, time = 1\nstep, alarm = true, time = 2\nlog, id = 2\nstep, alarm = true, time = 1\n",
    );
    let run = desk.run(&["check", "alarm.lola", "machine.csv", "--map", "stepr", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("a document");
    let violations = document["properties"][0]["violations"].as_array().expect("violations");
    let places: Vec<_> = violations
        .iter()
        .map(|violation| ["trace", "point", "event_number"].map(|place| violation[place].as_u64()))
        .collect();
    assert_eq!(places, [[Some(1), Some(2), Some(3)], [Some(2), Some(1), Some(5)]]);
    assert_eq!(
        violated(&desk, &["alarm.lola", "machine.csv", "--map", "stepr"]),
        [
            "VIOLATION alarm: trace 1, point 2, event 3, time 2, step(true), alarm",
            "VIOLATION alarm: trace 2, point 1, event 5, time 1, step(true), alarm",
            "STATUS: Violated",
        ]
    );
}
