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
    desk.write("open.log", "@1 complete ();\n@3 start ();\n@20 y ();\n");
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
    let empty = desk.run(&["check", "sum.lola", "--inline", ""]);
    assert_eq!((empty.code, empty.out.as_str()), (Some(0), "STATUS: Satisfied\n"), "{}", empty.err);
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

/// The first property of a document.
fn property_of(desk: &Desk, arguments: &[&str]) -> serde_json::Value {
    let run = desk.run(&[&["check"], arguments, &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("a document");
    document["properties"][0].clone()
}

#[test]
fn a_trigger_has_no_values_for_the_parameters_of_another() {
    let desk = Desk::with(
        "two.lola",
        "input x: Int\ntrigger (p: Int) spawn with x eval when x = p and p > 3 \"hit {p}\"\ntrigger x > 2 \"big\"\n",
    );
    desk.write("x.csv", "step, x = 5\n");
    for oracle in [&[][..], &["--oracle"]] {
        let arguments = [&["two.lola", "x.csv"], oracle].concat();
        let lines = ["VIOLATION two: point 1, step(5), p = 5, hit 5", "VIOLATION two: point 1, step(5), big"];
        let mut found = violated(&desk, &arguments);
        found.sort();
        assert_eq!(found, ["STATUS: Violated", lines[1], lines[0]]);
        let property = property_of(&desk, &arguments);
        let bindings: Vec<String> = property["violations"]
            .as_array()
            .expect("violations")
            .iter()
            .map(|violation| violation["bindings"].to_string())
            .collect();
        assert!(bindings.contains(&"{}".to_owned()) && bindings.contains(&"{\"p\":5}".to_owned()), "{bindings:?}");
    }
}

#[test]
fn what_could_not_be_judged_is_told_beside_violations() {
    let desk = Desk::with("x.lola", "input x: Int\ntrigger x > 2 \"{x}\"\n");
    desk.write("x.csv", "step, x = 3\nstep, x = high\nstep, x = 9\n");
    desk.write("ratio.mfotl", "FORALL x. p(x) IMPLIES 6 / x > 2");
    desk.write("p.csv", "p, x = 5\np, x = 0\np, x = 7\n");
    let wrong = "not all could be judged: the trace has a value of another type here in `x` at point 2";
    let divided = "not all could be judged: division by zero in `6 / x > 2` at point 2";
    for (name, arguments, reason) in
        [("x", &["x.lola", "x.csv"][..], wrong), ("ratio", &["ratio.mfotl", "p.csv", "--all"], divided)]
    {
        for oracle in [&[][..], &["--oracle"]] {
            let arguments = [arguments, oracle].concat();
            let run = desk.run(&[&["check"], &arguments[..]].concat());
            assert_eq!(run.code, Some(1), "{}", run.err);
            assert!(run.out.contains("point 1,") && run.out.contains("point 3,"), "{}", run.out);
            assert!(run.out.ends_with("STATUS: Violated\n"), "{}", run.out);
            assert_eq!(run.err, format!("{name}: Violated: {reason}\n"), "{arguments:?}");
            assert_eq!(property_of(&desk, &arguments)["reason"], reason, "{arguments:?}");
        }
    }
    for (arguments, oracle) in [(["ratio.mfotl", "p.csv"], ""), (["x.lola", "x.csv"], "--oracle")] {
        let options = if oracle.is_empty() { vec!["--first"] } else { vec!["--first", oracle] };
        let run = desk.run(&[&["check"], &arguments[..], &options[..]].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{arguments:?}");
    }
}

#[test]
fn the_oracle_writes_the_same_reports() {
    let desk = Desk::with(
        "sum.lola",
        "input x: Int, y: Int\noutput total := total.last(or: 0) + x\noutput ahead := x[1, 0]\n\
         trigger total > 100\nreport y, total to \"sums.csv\"\nreport ahead, x to \"ahead.json\"\n",
    );
    desk.write("x.csv", "s, x = 2, time = 1\ns, y = 4, time = 2\ns, z = 1\ns, x = 3, y = 1\n");
    for prefix in [&[][..], &["--prefix"]] {
        let read = |oracle: &[&str]| {
            desk.run(&[&["check", "sum.lola", "x.csv"], prefix, oracle].concat());
            (desk.read("sums.csv"), desk.read("ahead.json"))
        };
        let engine = read(&[]);
        assert_eq!(engine.0.lines().count(), 4, "{}", engine.0);
        assert_eq!(read(&["--oracle"]), engine);
    }
}

#[test]
fn a_report_that_fails_leaves_nothing_behind() {
    let desk = Desk::with("sum.lola", "input x: Int\ntrigger x > 100\nreport x to \"sums.csv\"\n");
    desk.write("sums.csv", "as it was\n");
    let event = "<event><name>s</name><field><name>x</name><value>1</value></field></event>";
    desk.write("x.xml", format!("<log>{}<event>", event.repeat(20_000)));
    let run = desk.run(&["check", "sum.lola", "x.xml"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"), "{}", run.err);
    assert_eq!(desk.read("sums.csv"), "as it was\n");
    assert!(desk.files().iter().all(|name| !name.ends_with(".part")), "{:?}", desk.files());
}

#[test]
fn reports_that_cannot_be_written_are_refused_before_reading() {
    let desk = Desk::with("one.lola", "input x: Int\ntrigger x > 0\nreport x to \"sums.csv\"\n");
    desk.write("two.lola", "input y: Int\ntrigger y > 0\nreport y to \"./sums.csv\"\n");
    desk.write("three.lola", "input x: Int\ntrigger x > 0\nreport x to \"none/sums.csv\"\n");
    desk.write("x.csv", "s, x = 1\n");
    for (arguments, error) in [
        (
            &["one.lola", "x.csv", "--spec", "two.lola"][..],
            "error: ./sums.csv: the report cannot be written: another report goes to this file\n",
        ),
        (&["three.lola", "x.csv"], "error: none/sums.csv: the report cannot be written: its folder does not exist\n"),
    ] {
        let run = desk.run(&[&["check"], arguments].concat());
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(2), "STATUS: GaveUp\n", error));
    }
    assert!(!desk.files().iter().any(|name| name.contains("sums")), "{:?}", desk.files());
}

#[test]
fn the_robustness_is_in_the_document_and_told_by_the_oracle() {
    let desk = Desk::with("x.stl", "G_[0,5] x < 5\n");
    desk.write("y.stl", "G y < 5/2\n");
    desk.write("z.stl", "true\n");
    desk.write("x.csv", "s, x = 3, y = 1, time = 0\ns, x = 7, y = 2, time = 1\n");
    for oracle in [&[][..], &["--oracle"]] {
        let arguments = [&["x.stl", "x.csv", "--spec", "y.stl", "--spec", "z.stl", "--robustness"], oracle].concat();
        let lines = violated(&desk, &arguments);
        assert_eq!(lines[1..4], ["ROBUSTNESS x: -2", "ROBUSTNESS y: 0.5", "ROBUSTNESS z: inf"], "{oracle:?}");
        let run = desk.run(&[&["check"], &arguments[..], &["--json"]].concat());
        let document: serde_json::Value = serde_json::from_str(&run.out).expect("a document");
        let values: Vec<String> =
            (0..3).map(|property| document["properties"][property]["robustness"].to_string()).collect();
        assert_eq!(values, ["[-2]", "[0.5]", "[\"inf\"]"], "{oracle:?}");
    }
    assert!(property_of(&desk, &["x.stl", "x.csv"]).get("robustness").is_none());
}
