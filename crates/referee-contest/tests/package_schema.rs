//! The published schema of packages says what the loader says.

mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use referee_contest::package::Package;
use serde_json::{Value, json};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn published() -> Value {
    let text = fs::read_to_string(repository().join("schemas/benchmark.schema.json")).expect("the schema is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn document(package: &Path) -> Value {
    toml::from_str(&fs::read_to_string(package.join("benchmark.toml")).expect("a document")).expect("TOML")
}

#[test]
fn every_package_follows_the_schema() {
    let schema = published();
    for entry in fs::read_dir(repository().join("benchmarks")).expect("benchmarks") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            assert_eq!(schema::violations(&schema, &document(&path)), Vec::<String>::new(), "{}", path.display());
        }
    }
}

#[test]
fn schema_and_loader_refuse_the_same() {
    let source = repository().join("benchmarks/has-next");
    let schema = published();
    let directory = tempfile::tempdir().expect("a directory");
    fs::copy(source.join("property.foltl"), directory.path().join("property.foltl")).expect("a copy");
    let changes: [(&str, Value); 13] = [
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
        ("/verdict/status", json!("Maybe")),
        ("/verdict/violating_event", json!(0)),
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
