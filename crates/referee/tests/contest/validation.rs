//! `referee contest validate`: packages that do not keep their promises. That ours do is a step of `.ci/run`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::kit::{Contest, SMALL, referee, repository};

fn copy_directory(from: &Path, to: &Path) {
    fs::create_dir(to).expect("made");
    for entry in fs::read_dir(from).expect("a directory") {
        let file = entry.expect("an entry").path();
        let target = to.join(file.file_name().expect("a name"));
        match file.is_dir() {
            true => copy_directory(&file, &target),
            false => drop(fs::copy(&file, target).expect("copied")),
        }
    }
}

/// A copy of a package of ours, to be broken.
struct Copy {
    directory: tempfile::TempDir,
    name: &'static str,
}

impl Copy {
    fn of(name: &'static str) -> Copy {
        let copy = Copy { directory: tempfile::tempdir().expect("a directory"), name };
        copy_directory(&repository().join("benchmarks").join(name), &copy.path(""));
        copy
    }

    fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(self.name).join(file)
    }

    /// Exchanges a text of a file, which must have it.
    fn exchange(self, file: &str, old: &str, new: &str) -> Copy {
        let text = fs::read_to_string(self.path(file)).expect("readable");
        assert!(text.contains(old), "{file} has no `{old}`");
        fs::write(self.path(file), text.replacen(old, new, 1)).expect("written");
        self
    }

    fn validate(&self, more: &[&str]) -> Output {
        let path = self.path("");
        let path = path.to_str().expect("a readable name");
        referee(&[&["contest", "validate", path, "--random", "500"], more].concat())
    }

    /// The lines that say FAIL.
    fn complaints(&self) -> Vec<String> {
        let output = self.validate(&[]);
        let text = String::from_utf8(output.stdout).expect("text");
        let failed: Vec<String> = text.lines().filter(|line| line.starts_with("FAIL ")).map(str::to_owned).collect();
        let code = if failed.is_empty() { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&output.stderr));
        failed
    }

    /// One of the complaints has all these parts.
    fn caught(&self, parts: &[&str]) {
        let complaints = self.complaints();
        let found = complaints.iter().any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(found, "expected {parts:?} in {complaints:#?}");
    }
}

#[test]
fn a_wrong_count_is_caught() {
    let copy =
        Copy::of("has-next").exchange("benchmark.toml", "hasNext = 5995, next = 4005", "hasNext = 5994, next = 4006");
    copy.caught(&["FAIL HasNext counts: ", "the package says 5994 events `hasNext`, and the trace has 5995"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "next = 4005", "next = 4006");
    copy.caught(&["FAIL HasNext counts: ", "the counts add up to 10001, not to the 10000 events"]);
}

#[test]
fn a_swapped_verdict_is_caught() {
    let copy = Copy::of("has-next").exchange("benchmark.toml", "verdict = \"rejected\"", "verdict = \"accepted\"");
    copy.caught(&["demonstrations property.foltl: demonstration 5 (`next(A)`)", "the package says accepted"]);
    let copy = Copy::of("has-next")
        .exchange("benchmark.toml", "status = \"Violated\"", "status = \"Satisfied\"")
        .exchange("benchmark.toml", "seed = 1", "seed = 1\noptions = { verdict = \"violated\" }");
    copy.caught(&["FAIL HasNext verdict: the package says Satisfied, and property.foltl says Violated"]);
}

#[test]
fn a_missing_always_is_caught() {
    let copy = Copy::of("dejavu-access").exchange("property.foltl", "(always", "(");
    copy.caught(&["FAIL AccessToFiles demonstrations property.foltl: demonstration "]);
    copy.caught(&["FAIL AccessToFiles agreement property.foltl: on ", "property.qtl says Violated"]);
}

#[test]
fn an_undeclared_event_is_caught() {
    let copy = Copy::of("has-next").exchange("benchmark.toml", "name = \"next\"", "name = \"hasNext\"");
    copy.caught(&["FAIL HasNext events property.foltl: property.foltl:1:29: the package has no event `next`"]);
    copy.caught(&["FAIL HasNext events: the event `next` is not declared"]);
    copy.caught(&["FAIL HasNext demonstrations property.foltl: ", "the event `next` is not declared"]);
}

#[test]
fn a_misspelt_event_is_caught() {
    let copy = Copy::of("has-next").exchange("property.foltl", "hasNext(i, true)", "hasNexxt(i, true)");
    copy.caught(&["FAIL HasNext events property.foltl: ", "no event `hasNexxt`", "hasNext"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "hasNext(A,false)\"", "hasNxt(A,false)\"");
    copy.caught(&["demonstration 2 (`hasNxt(A,false)`): the event `hasNxt` is not declared; did you mean `hasNext`?"]);
}

#[test]
fn an_unparsable_formula_is_caught() {
    let copy = Copy::of("has-next").exchange("property.foltl", "always (next(i) =>", "always (next(i) =>)");
    copy.caught(&["FAIL HasNext specification property.foltl: property.foltl:1:", "E0"]);
}

#[test]
fn five_demonstrations_are_too_few() {
    let copy = Copy::of("has-next");
    let text = fs::read_to_string(copy.path("benchmark.toml")).expect("readable");
    let mut parts: Vec<&str> = text.split("[[property.demonstrations]]").collect();
    parts.drain(1..5);
    fs::write(copy.path("benchmark.toml"), parts.join("[[property.demonstrations]]")).expect("written");
    copy.caught(&["FAIL HasNext parts: expected at least 3 accepted and 3 rejected demonstrations, found 1 and 4"]);
}

#[test]
fn what_else_is_promised_is_checked() {
    let copy = Copy::of("has-next").exchange("benchmark.toml", "why = \"Nobody asked.\"", "why = \" \"");
    copy.caught(&["FAIL HasNext reasons: demonstration 5 has no reason"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "violating_event = 9990", "violating_event = 9989");
    copy.caught(&["FAIL HasNext violation: the package says that event 9989 violates it", "reports point 9990"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "witness = { i = 741 }", "witness = { i = 742 }");
    copy.caught(&["FAIL HasNext violation: the package says that i = 742 is the witness", "i = 741"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "seed = 1", "seed = 1\noptions = { at = \"0.002\" }");
    copy.caught(&["FAIL HasNext late: decided by point 20 of 10000, within the first hundredth"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "name = \"hasNext\"", "name = \"asked\"");
    copy.caught(&["FAIL HasNext wording: declared, but nowhere in the informal description: asked"]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "track = ", "trakc = ");
    copy.caught(&["FAIL has-next document: ", "benchmark.toml:3:1: unknown field `trakc`"]);
    let copy = Copy::of("has-next").exchange("property.foltl", "always (next(i) => ", "always (true or next(i) => ");
    assert!(!copy.complaints().is_empty());
}

#[test]
fn the_shortest_disagreement_is_printed() {
    let copy = Copy::of("dejavu-access").exchange("property.foltl", " and (not close(f) since open(f))", "");
    copy.caught(&[
        "FAIL AccessToFiles agreement property.foltl: on login(",
        "property.qtl says Violated and property.foltl says Satisfied",
    ]);
    let complaints = copy.complaints();
    let line = complaints.iter().find(|line| line.contains("agreement")).expect("a disagreement");
    let trace = line.split(" on ").nth(1).and_then(|rest| rest.split(", property").next()).expect("a trace");
    assert_eq!(trace.matches(")").count(), 2, "two events are enough: {trace}");
}

#[test]
fn what_is_assumed_is_asked_of_the_trace_and_of_demonstrations() {
    let stricter = Copy::of("mop-locks").exchange("assumed.foltl", "not last once begin(t)", "false");
    stricter.caught(&["assumed: of the trace assumed.foltl says Violated"]);

    // The second specification does not count brackets of two kinds: without the assumption it is found out.
    let unassumed = Copy::of("mop-locks").exchange("benchmark.toml", "assumed = \"assumed.foltl\"\n", "");
    unassumed.caught(&["agreement property.lola", "property.mop says Violated and property.lola says Satisfied"]);

    // A demonstration that breaks it is left to the first specification, and to that alone.
    let output = Copy::of("atm-average").validate(&[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("demonstrations property.soloist: 8 judged as the package says\n"), "{text}");
    assert!(text.contains("mfotl: 6 judged as the package says; 2 left out, which break what is assumed\n"), "{text}");
    assert!(text.contains("assumed: the trace keeps what is assumed"), "{text}");
}

#[test]
fn values_of_other_types_are_caught() {
    let copy = Copy::of("has-next").exchange("benchmark.toml", "hasNext(A,false)\"", "hasNext(A,perhaps)\"");
    copy.caught(&[
        "demonstration 2 (`hasNext(A,perhaps)`): expected true or false in the argument 2",
        "found `perhaps`",
    ]);
    let copy = Copy::of("larva-balance").exchange("trace.csv", "amount = ", "amount = x");
    copy.caught(&["types: event 1: expected a whole number in the field `amount`", "declare the field with type ="]);
    let copy = Copy::of("has-next").exchange("benchmark.toml", "type = \"bool\"", "type = \"int\"");
    copy.caught(&["FAIL HasNext types: event ", "expected a whole number in the field `result`"]);
    let copy = Copy::of("larva-balance").exchange(
        "benchmark.toml",
        "sort = \"amount\", type = \"int\"",
        "sort = \"amount\", type = \"bool\"",
    );
    copy.caught(&[
        "FAIL NoNegativeBalance sorts: benchmark.toml: the sort `amount` is of type bool in `withdraw`, and int",
    ]);
}

#[test]
fn counts_of_undeclared_events_are_caught() {
    let copy =
        Copy::of("has-next").exchange("benchmark.toml", "hasNext = 5995, next = 4005", "hasNxt = 5995, next = 4005");
    copy.caught(&["FAIL HasNext counts: benchmark.toml: the counts speak of `hasNxt`", "did you mean `hasNext`?"]);
}

#[test]
fn a_word_is_no_description() {
    let described = |description: &str| {
        let copy = Copy::of("has-next");
        let text = fs::read_to_string(copy.path("benchmark.toml")).expect("readable");
        let (before, rest) = text.split_once("description = \"\"\"").expect("a description");
        let (_, after) = rest.split_once("\"\"\"").expect("its end");
        fs::write(copy.path("benchmark.toml"), format!("{before}description = \"{description}\"{after}"))
            .expect("written");
        copy
    };
    for description in ["", "  ", "Iterators"] {
        let found = format!("found `{}`", description.trim());
        described(description)
            .caught(&["FAIL HasNext words: benchmark.toml: description: expected two or three", &found]);
    }
}

#[test]
fn disagreements_stay_inside_the_signature() {
    let copy = Copy::of("monpoly-report").exchange("property.larva", "a > 2000", "a > 3000");
    let complaints = copy.complaints();
    let line = complaints.iter().find(|line| line.contains("agreement property.larva")).expect("a disagreement");
    let number = line.split("t = ").nth(1).and_then(|rest| rest.split(',').next()).expect("a transaction");
    assert!(number.parse::<i64>().is_ok(), "a transaction has a number: {line}");
}

#[test]
fn packages_that_agree_on_everything_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, title) in [("one", "HasNext"), ("two", "Has it next")] {
        let copy =
            Copy::of("has-next").exchange("benchmark.toml", "name = \"HasNext\"", &format!("name = \"{title}\""));
        fs::rename(copy.path(""), directory.path().join(name)).expect("moved");
    }
    let output = referee(&["contest", "validate", directory.path().to_str().expect("a name")]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "a warning is no failure: {text}");
    assert!(text.contains("ok HasItNext dissimilar: warning: no random trace tells it from HasNext"), "{text}");
}

#[test]
fn the_document_has_every_check() {
    let copy = Copy::of("has-next").exchange("benchmark.toml", "violating_event = 9990", "violating_event = 9989");
    let output = copy.validate(&["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let package = &document["packages"][0];
    assert_eq!((&package["name"], &package["ok"]), (&Value::from("HasNext"), &Value::from(false)));
    let checks = package["checks"].as_array().expect("a list");
    let check = |name: &str| checks.iter().find(|check| check["check"] == name).expect("the check");
    assert_eq!((&check("parts")["ok"], &check("parts")["reason"]), (&Value::from(true), &Value::Null));
    assert_eq!(check("violation")["ok"], false);
    assert!(check("violation")["reason"].as_str().is_some_and(|reason| reason.contains("9989")));
}

#[test]
fn large_traces_are_made_smaller_unless_asked_for() {
    let copy = Copy::of("has-next");
    let text = |more: &[&str]| String::from_utf8(copy.validate(more).stdout).expect("text");
    assert!(text(&["--events", "100"]).contains("ok HasNext trace: csv with 100 events instead of 10000"));
    let whole = text(&["--events", "10000"]);
    assert!(whole.contains("ok HasNext trace: csv with 10000 events\n"), "{whole}");
    assert!(whole.contains("ok HasNext trace long: its 1000000 events are left out"), "{whole}");
}

/// What is done to a competition before its package is validated.
type Change<'a> = &'a dyn Fn(&Contest);

#[test]
fn programs_are_compiled_run_and_compared() {
    let validate = |run: &str, change: Change<'_>| {
        let contest = Contest::new(SMALL);
        contest.program(run);
        change(&contest);
        let package = contest.path("packages/count");
        let output = referee(&["contest", "validate", package.to_str().expect("a name"), "--random", "20"]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let fine = "test -f compiled && sh program.sh";
    let (code, text) = validate(fine, &|_| {});
    assert_eq!(code, Some(0), "{text}");
    for line in [
        "ok CountSteps compile: `test -f program.sh && touch compiled` ends well\n",
        "ok CountSteps program: 3 runs without a monitor end well\n",
        "ok CountSteps deterministic: 3 runs print the same, with the SHA-256 ",
        "ok CountSteps counts log: 3 events of 1 kinds, as the package says\n",
        "ok CountSteps verdict log: Satisfied, and so says every specification\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let document = "packages/count/benchmark.toml";
    let edit = |from: &'static str, to: &'static str| {
        move |contest: &Contest| {
            let text = fs::read_to_string(contest.path(document)).expect("readable");
            assert!(text.contains(from), "{from}");
            contest.write(document, &text.replace(from, to));
        }
    };
    let nothing = |_: &Contest| {};
    let cases: [(&str, Change<'_>, &str); 6] = [
        (
            "echo no >&2; exit 7",
            &nothing,
            "FAIL CountSteps program: `echo no >&2; exit 7` ends with code 7, expected 0; it says: no",
        ),
        ("kill -SEGV $$", &nothing, "FAIL CountSteps program: `kill -SEGV $$` dies of signal 11"),
        (
            "echo same; cat /proc/sys/kernel/random/uuid",
            &nothing,
            "FAIL CountSteps deterministic: run 2 prints something else than run 1: line 2 is `",
        ),
        (
            fine,
            &edit("touch compiled", "exit 4"),
            "FAIL CountSteps compile: `test -f program.sh && exit 4` ends with code 4, expected 0",
        ),
        (
            fine,
            &edit("step = 3", "step = 4"),
            "FAIL CountSteps counts log: the package says 4 events `step`, and the trace has 3",
        ),
        (
            fine,
            &edit("status = \"Satisfied\"", "status = \"Violated\""),
            "FAIL CountSteps verdict log: the package says Violated",
        ),
    ];
    for (run, change, line) in cases {
        let (code, text) = validate(run, change);
        assert_eq!(code, Some(1), "{line}: {text}");
        assert!(text.contains(line), "{line}: {text}");
    }
    let (code, text) = validate(fine, &edit("log = \"steps.trace\"\n", ""));
    assert!(code == Some(0) && text.contains("ok CountSteps log: warning: there is no log of its events"), "{text}");
}

#[test]
fn what_is_not_there_is_refused() {
    let output = referee(&["contest", "validate", "no/such/package"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/package: there is no such package"));
}
