//! The published schemas say what the loader and the scores say.

mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use referee_contest::package::Package;
use referee_contest::score::{BenchmarkResults, CellResult, Outcome, Results, Rules, RunLink, TrackResults, score};
use referee_trace::format::Format;
use serde_json::{Value, json};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn published(name: &str) -> Value {
    let text = fs::read_to_string(repository().join("schemas").join(name)).expect("the schema is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn document(package: &Path) -> Value {
    toml::from_str(&fs::read_to_string(package.join("benchmark.toml")).expect("a document")).expect("TOML")
}

#[test]
fn every_package_follows_the_schema() {
    let schema = published("benchmark.schema.json");
    for entry in fs::read_dir(repository().join("benchmarks")).expect("benchmarks") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            assert_eq!(schema::violations(&schema, &document(&path)), Vec::<String>::new(), "{}", path.display());
        }
    }
}

#[test]
fn the_schema_lists_every_trace_format() {
    let schema = published("benchmark.schema.json");
    let mut lists = Vec::new();
    enums(&schema, &mut lists);
    let names: Vec<Value> = Format::ALL.map(|format| json!(format.name())).to_vec();
    let listed: Vec<&Vec<Value>> =
        lists.into_iter().filter(|list| list.contains(&json!(Format::Abstract.name()))).collect();
    assert!(!listed.is_empty(), "the schema names the formats somewhere");
    for list in listed {
        assert_eq!(*list, names, "the formats in the order in which Referee lists them");
    }
}

/// All lists of allowed values in a schema.
fn enums<'s>(schema: &'s Value, found: &mut Vec<&'s Vec<Value>>) {
    match schema {
        Value::Object(members) => {
            found.extend(members.get("enum").and_then(Value::as_array));
            members.values().for_each(|member| enums(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| enums(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn schema_and_loader_refuse_the_same() {
    let source = repository().join("benchmarks/has-next");
    let schema = published("benchmark.schema.json");
    let directory = tempfile::tempdir().expect("a directory");
    for file in fs::read_dir(&source).expect("the package").map(|entry| entry.expect("an entry")) {
        if file.file_name() != "benchmark.toml" {
            fs::copy(file.path(), directory.path().join(file.file_name())).expect("a copy");
        }
    }
    let changes: [(&str, Value); 16] = [
        ("/format", json!(2)),
        ("/track", json!("cobol")),
        ("/description", json!(7)),
        ("/domains", json!([])),
        ("/property/events/0/name", json!(null)),
        ("/property/events/0/colour", json!("red")),
        ("/property/demonstrations/0/verdict", json!("perhaps")),
        ("/property/formal/0/language", json!("klingon")),
        ("/trace/events", json!(-1)),
        ("/trace/counts/next", json!("many")),
        ("/trace/sha256", json!("abc")),
        ("/property/assumed", json!(7)),
        ("/verdict/status", json!("Maybe")),
        ("/verdict/violating_event", json!(0)),
        ("/further/0/name", json!("")),
        ("/further/0/trace/events", json!("many")),
    ];
    for (path, value) in changes {
        let mut changed = document(&source);
        let (parent, key) = path.rsplit_once('/').expect("a path");
        changed.pointer_mut(parent).expect("a parent")[key] = value;
        assert!(!schema::violations(&schema, &changed).is_empty(), "the schema accepts {path}");
        fs::write(directory.path().join("benchmark.json"), changed.to_string()).expect("written");
        assert!(Package::load(directory.path()).is_err(), "the loader accepts {path}");
    }
}

#[test]
fn scores_follow_their_schema() {
    let cell = CellResult {
        outcome: Outcome::Correct,
        verdict: Some("Violated".into()),
        walls: vec![1.0, 2.0],
        memories: vec![1e6, 2e6],
        own_memory: Some(1e5),
        notes: vec!["noted".into()],
        runs: vec![RunLink {
            label: "run 1".into(),
            file: "results/outputs/x.out".into(),
            errors: "results/outputs/x.out.err".into(),
            wall: 1.5,
            cpu: 1.0,
            memory: Some(1 << 20),
            pressed: false,
        }],
    };
    let cells = vec![cell.clone(), CellResult::default(), CellResult { outcome: Outcome::Crash, ..cell }];
    let benchmark = BenchmarkResults { id: "B".into(), cells, ..BenchmarkResults::default() };
    let tools = vec!["a".into(), "b".into(), "c".into()];
    let track = TrackResults { track: "offline".into(), online: false, tools, benchmarks: vec![benchmark] };
    let results = Results { tracks: vec![track], ..Results::default() };
    let scores = score(&results, &Rules::load("crv16").expect("rules"));
    let mut document = serde_json::to_value(&scores).expect("JSON");
    let schema = published("scores.schema.json");
    assert_eq!(schema::violations(&schema, &document), Vec::<String>::new());
    assert!(document["tracks"][0]["ranking"][0]["interval"].is_object(), "every part of the schema is used");
    document["tracks"][0]["cells"][0]["outcome"] = json!("splendid");
    assert_eq!(schema::violations(&schema, &document).len(), 1);
}
