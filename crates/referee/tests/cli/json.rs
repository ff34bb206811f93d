//! `check --json` and `check --json-lines`: what they print is what the published schemas say.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::kit::{Desk, Run, repository};

#[path = "../../../referee-contest/tests/schema/mod.rs"]
mod schema;

fn published(name: &str) -> Value {
    let text = std::fs::read_to_string(repository().join("schemas").join(name)).expect("the schema is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn lines_of(run: &Run) -> Vec<Value> {
    let value = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    run.out.lines().map(value).collect()
}

fn desk() -> Desk {
    let desk = Desk::with("never.qtl", "prop never : Forall x . !bad(x)\n");
    desk.write("closed.foltl", "(forall f:file)(always (open(f) => eventually close(f)))\n");
    desk.write("report.mfotl", "ALWAYS FORALL t, a. trans(t, a) AND 2000 < a IMPLIES EVENTUALLY[0,5] report(t)\n");
    desk.write("ratio.mfotl", "FORALL x. p(x) IMPLIES 10 / x > 1\n");
    desk.write("high.stl", "G_[0,10] (x < 3)\n");
    desk.write("limit.lola", "input n: Int\ntrigger n > 3 \"too many\"\n");
    desk.write("wrong.foltl", "always (open(1)\nand or\n");
    desk.write("lint.foltl", "always request => eventually response\n");
    desk.write("steps.csv", "event, n\nstep, 1\nstep, 7\n");
    desk.write("signal.csv", "event, ts, x\ns, 0, 1\ns, 0.5, 4\n");
    desk.write("bank.csv", "trans, ts=1, t=a, a=3000\nend, ts=9\n");
    desk.write("broken.xml", "<log><event><name>bad</name>");
    desk
}

/// Checks of all kinds of rules and outcomes.
const CHECKS: [&[&str]; 16] = [
    &["never.qtl", "--inline", "bad(1).bad(x).good(2)", "--all"],
    &["never.qtl", "--inline", "bad(1).bad(x).good(2)", "--all", "--witness"],
    &["never.qtl", "--inline", "good(1)"],
    &["never.qtl", "--inline", ""],
    &["closed.foltl", "--inline", "open(1).open(2).close(1)"],
    &["closed.foltl", "--inline", "open(1).open(2).close(1)", "--prefix"],
    &["report.mfotl", "bank.csv", "--all"],
    &["ratio.mfotl", "--inline", "p(1).p(0)"],
    &["ratio.mfotl", "--inline", "p(0).p(50)", "--all"],
    &["high.stl", "signal.csv", "--robustness"],
    &["limit.lola", "steps.csv"],
    &["limit.lola", "steps.csv", "--spec", "never.qtl", "--events"],
    &["wrong.foltl", "steps.csv"],
    &["lint.foltl", "--inline", "request.request"],
    &["never.qtl", "missing.csv"],
    &["never.qtl", "broken.xml"],
];

#[test]
fn the_document_of_every_outcome_follows_the_schema() {
    let (desk, schema) = (desk(), published("check.schema.json"));
    let mut statuses: Vec<String> = Vec::new();
    for check in CHECKS {
        let run = desk.run(&[&["check"], check, &["--json"]].concat());
        let [document] = lines_of(&run).try_into().expect("one document");
        assert_eq!(schema::violations(&schema, &document), Vec::<String>::new(), "{check:?}: {document}");
        statuses.push(document["status"].as_str().expect("a status").to_owned());
    }
    for status in ["Satisfied", "Violated", "GaveUp"] {
        assert!(statuses.iter().any(|found| found == status), "{status} is among the outcomes");
    }
}

#[test]
fn states_and_what_is_resumed_follow_their_schemas() {
    let desk = Desk::with(
        "once.qea",
        "qea { forall(x) accept skip(start) { a(x) -> seen } accept skip(seen) { a(x) -> failure } }\n",
    );
    for (name, text) in [("one.csv", "a,1\nb,1\n"), ("two.csv", "a,1\na,2\n"), ("three.csv", "a,2\n")] {
        desk.write(name, text);
        let run = desk.run(&["check", "once.qea", name, "--resume", "state", "--all", "--json"]);
        let document: Value = serde_json::from_str(&run.out).expect("a document");
        assert_eq!(schema::violations(&published("check.schema.json"), &document), Vec::<String>::new(), "{document}");
        let state: Value = serde_json::from_str(&desk.run(&["state", "state", "--json"]).fine()).expect("a document");
        assert_eq!(schema::violations(&published("state.schema.json"), &state), Vec::<String>::new(), "{state}");
    }
}

#[test]
fn the_schema_refuses_what_is_not_a_document() {
    let (desk, schema) = (desk(), published("check.schema.json"));
    let run = desk.run(&["check", "never.qtl", "--inline", "bad(1)", "--json"]);
    let document = lines_of(&run).remove(0);
    for (path, value) in [
        ("/status", json!("Fine")),
        ("/warnings", json!(null)),
        ("/properties/0/violations/0/point", json!("1")),
        ("/properties/0/language", json!("cobol")),
        ("/properties/0/violations", json!(1)),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(path).expect("a place") = value;
        assert!(!schema::violations(&schema, &changed).is_empty(), "the schema accepts {path}");
    }
}

/// The lines say what the document says, in the order of decisions.
#[test]
fn json_lines_are_the_findings_and_the_outcome() {
    let (desk, schema) = (desk(), published("check-lines.schema.json"));
    for check in CHECKS {
        let run = desk.run(&[&["check"], check, &["--json-lines"]].concat());
        let mut lines = lines_of(&run);
        for line in &lines {
            assert_eq!(schema::violations(&schema, line), Vec::<String>::new(), "{check:?}: {line}");
        }
        let outcome = lines.pop().expect("a last line");
        assert_eq!(outcome["type"], json!("outcome"), "{check:?}");
        assert!(lines.iter().all(|line| line["type"] == json!("violation")), "{check:?}");

        let document = desk.run(&[&["check"], check, &["--json"]].concat());
        assert_eq!(document.code, run.code);
        let mut document = lines_of(&document).remove(0);
        let mut listed: Vec<Value> = Vec::new();
        for property in document["properties"].as_array_mut().expect("properties") {
            let Some(Value::Array(violations)) = property.as_object_mut().expect("a property").remove("violations")
            else {
                panic!("the document lists violations");
            };
            for mut violation in violations {
                let about = violation.as_object_mut().expect("a violation");
                about.insert("type".into(), json!("violation"));
                about.insert("property".into(), property["name"].clone());
                about.insert("language".into(), property["language"].clone());
                listed.push(violation);
            }
        }
        document["type"] = json!("outcome");
        assert_eq!(outcome, document, "{check:?}");
        assert_eq!(listed.len(), lines.len(), "{check:?}");
        assert!(lines.iter().all(|line| listed.contains(line)), "{check:?}");
    }
}

#[test]
fn json_lines_come_as_they_are_decided() {
    let desk = desk();
    let mut child = desk.start(&["check", "never.qtl", "-", "--all", "--json-lines"]);
    let mut input = child.stdin.take().expect("standard input is piped");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    for number in 1..=3 {
        input.write_all(format!("bad,{number}\n").as_bytes()).and_then(|()| input.flush()).expect("the program reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("a line before the stream ends");
        let line: Value = serde_json::from_str(&line).expect("an object");
        let found = (&line["type"], &line["property"], &line["bindings"]);
        assert_eq!(found, (&json!("violation"), &json!("never"), &json!({"x": number})));
    }
    drop(input);
    let mut line = String::new();
    output.read_line(&mut line).expect("the outcome");
    let outcome: Value = serde_json::from_str(&line).expect("an object");
    assert_eq!((&outcome["status"], &outcome["properties"][0]["violation_count"]), (&json!("Violated"), &json!(3)));
    assert_eq!(child.wait().expect("the program ends").code(), Some(1));
}
