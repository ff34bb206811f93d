//! `referee stats`.

use crate::kit::Desk;

const BANK: &str =
    "event, user, amount, ts\nlogin, ann,, 1\nwithdraw, ann, 50, 3\nwithdraw, ann, 7.5, 3\nlogout, ann,, 8\n";

#[test]
fn the_table_is_aligned() {
    let desk = Desk::with("bank.csv", BANK);
    assert_eq!(
        desk.run(&["stats", "bank.csv"]).fine(),
        "format   csv, its first line is the header\n\
         events   4\n\
         points   4\n\
         time     1 to 8\n\
         \n\
         event     count  arguments\n\
         login         1  user: string\n\
         logout        1  user: string\n\
         withdraw      2  user: string, amount: float\n"
    );
}

#[test]
fn wide_letters_do_not_break_the_table() {
    let desk = Desk::with("t.csv", "öffnen,1\nab,22\n名前,x\n");
    let out = desk.run(&["stats", "t.csv"]).fine();
    assert!(out.ends_with(
        "event   count  arguments\nab          1  1: int\nöffnen      1  1: int\n名前        1  1: string\n"
    ));
}

#[test]
fn the_json_document_is_exactly_as_promised() {
    let desk = Desk::with("bank.csv", BANK);
    assert_eq!(
        desk.run(&["stats", "--json", "bank.csv"]).fine(),
        concat!(
            r#"{"format":"csv","traces":1,"events":4,"points":4,"time":{"first":1,"last":8},"kinds":{"#,
            r#""login":{"count":1,"arguments":[{"name":"user","type":"string","distinct":null}]},"#,
            r#""logout":{"count":1,"arguments":[{"name":"user","type":"string","distinct":null}]},"#,
            r#""withdraw":{"count":2,"arguments":[{"name":"user","type":"string","distinct":null},"#,
            r#"{"name":"amount","type":"float","distinct":null}]}}}"#,
            "\n"
        )
    );
}

#[test]
fn distinct_values_are_counted_when_asked() {
    let desk = Desk::with("t", "a,1,x\na,1.0,y\na,2,x\n");
    let out = desk.run(&["stats", "--distinct", "t"]).fine();
    assert!(out.ends_with("a          3  1: float (2 distinct), 2: string (2 distinct)\n"), "{out}");
    let json = desk.run(&["stats", "--distinct", "--json", "t"]).fine();
    assert!(json.contains(r#"[{"name":"1","type":"float","distinct":2},{"name":"2","type":"string","distinct":2}]"#));
}

#[test]
fn an_empty_file_is_the_empty_trace() {
    let desk = Desk::with("empty.xml", "");
    assert_eq!(desk.run(&["stats", "empty.xml"]).fine(), "format   none: the trace is empty\nevents   0\npoints   0\n");
    assert_eq!(
        desk.run(&["stats", "--json", "empty.xml"]).fine(),
        "{\"format\":null,\"traces\":1,\"events\":0,\"points\":0,\"time\":null,\"kinds\":{}}\n"
    );
}

#[test]
fn several_files_are_one_trace_also_in_several_formats() {
    let desk = Desk::with("1.csv", "a,1\n");
    desk.write("2.log", "@7 b (2)(3);\n");
    desk.write("3.json", r#"{"a": {"1": 4}}"#);
    let out = desk.run(&["stats", "1.csv", "2.log", "3.json"]).fine();
    assert!(out.starts_with("format   csv-plain\nevents   4\npoints   3\ntime     7 to 7\n"), "{out}");
}

#[test]
fn a_format_that_is_named_is_not_detected() {
    let desk = Desk::with("t.csv", "event,17\nopen,2\n");
    let run = desk.run(&["stats", "t.csv"]);
    assert!(run.err.starts_with("note: the first line was read as the header of csv"), "{}", run.err);
    assert!(run.out.contains("events   1\n"));
    let plain = desk.run(&["stats", "--format", "csv-plain", "t.csv"]).fine();
    assert!(plain.starts_with("format   csv-plain\nevents   2\n"), "{plain}");
    assert!(desk.run(&["stats", "--format", "csv", "t.csv"]).fine().contains("events   1\n"));
}

#[test]
fn types_are_inferred_and_declared() {
    let desk = Desk::with("t", "a,1,true,x,1.5,007\n");
    desk.write("m.toml", "[[event]]\nfrom = 'a'\nargs = ['id = 5:string', '2:bool', '1:float']\n");
    let inferred = desk.run(&["stats", "t"]).fine();
    assert!(inferred.ends_with("1: int, 2: bool, 3: string, 4: float, 5: string\n"), "{inferred}");
    let declared = desk.run(&["stats", "--map", "m.toml", "t"]).fine();
    assert!(declared.ends_with("id: string, 2: bool, 1: float\n"), "{declared}");
}

#[test]
fn a_split_makes_several_traces() {
    let input = "log\nstep, v = 1\nlog\nstep, v = 2\nstep, v = 3\n";
    let json = Desk::new().run_with(&["stats", "--map", "stepr", "--json", "-"], input).fine();
    assert!(json.starts_with(r#"{"format":"csv-named","traces":2,"events":3,"points":3,"#), "{json}");
}

#[test]
fn a_name_of_seventy_thousand_letters_is_shown() {
    let name = "n".repeat(70_000);
    let desk = Desk::with("t.csv", format!("a,1\n{name},2\n"));
    let out = desk.run(&["stats", "t.csv"]).fine();
    assert!(
        out.ends_with(&format!("event  count  arguments\na          1  1: int\n{name}      1  1: int\n")),
        "{}",
        out.len()
    );
}

/// Seconds of CPU that `stats` takes for two events with so many fields: the least of three runs, as others use the machine, too.
#[cfg(unix)]
fn seconds_for_fields(fields: usize) -> f64 {
    let row = |value: usize| (0..fields).map(|field| format!(",f{field}={value}")).collect::<String>();
    let desk = Desk::with("t.csv", format!("a{}\na{}\n", row(1), row(2)));
    let line = format!("TIMEFORMAT='%3U %3S'; time '{}' stats t.csv > counts.txt", env!("CARGO_BIN_EXE_referee"));
    let run = || {
        let mut bash = std::process::Command::new("bash");
        let output = bash.args(["-c", &line]).current_dir(desk.path("")).output().expect("bash starts");
        let times = String::from_utf8_lossy(&output.stderr).into_owned();
        let parts: Vec<f64> = times.split_whitespace().filter_map(|part| part.parse().ok()).collect();
        assert!(output.status.success() && parts.len() == 2, "{times}");
        parts.iter().sum::<f64>()
    };
    (0..3).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// What is compared is work on the same machine, so that a slow machine is no failure: ten times the fields would take a hundred times
/// the work if each were compared with all before it.
#[cfg(unix)]
#[test]
fn ten_times_the_fields_are_about_ten_times_the_work() {
    let (few, many) = (seconds_for_fields(20_000), seconds_for_fields(200_000));
    assert!(many < 40.0 * few.max(0.001), "{few} s for 20,000 fields, {many} s for 200,000");
}

#[test]
fn an_event_may_have_half_a_million_fields() {
    let row = |value: usize| (0..500_000).map(|field| format!(",f{field}={value}")).collect::<String>();
    let desk = Desk::with("t.csv", format!("a{}\na{}\n", row(1), row(2)));
    let out = desk.run(&["stats", "t.csv"]).fine();
    assert!(out.contains("events   2\n") && out.trim_end().ends_with(", f499999: int"), "{}", out.len());
}
