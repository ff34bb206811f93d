use std::fs;
use std::path::{Path, PathBuf};

use referee_spec::core::Language;

use super::*;

/// A package in a directory of its own, with `from` replaced by `to` in its document.
fn changed(from: &str, to: &str) -> Result<Package, String> {
    let source = benchmarks().join("has-next");
    let text = fs::read_to_string(source.join("benchmark.toml")).expect("the package is readable");
    assert!(text.contains(from), "{from}");
    let directory = copied(&source);
    fs::write(directory.path().join("benchmark.toml"), text.replacen(from, to, 1)).expect("written");
    let prefix = format!("{}/", directory.path().display());
    Package::load(directory.path()).map_err(|error| error.to_string().replace(&prefix, ""))
}

/// The files of a package in another directory.
fn copied(source: &Path) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for file in fs::read_dir(source).expect("the package").map(|entry| entry.expect("an entry")) {
        fs::copy(file.path(), directory.path().join(file.file_name())).expect("a copy");
    }
    directory
}

fn benchmarks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks")
}

#[test]
fn a_package_is_loaded() {
    let package = Package::load(&benchmarks().join("has-next")).expect("it loads");
    assert_eq!((package.id.as_str(), package.track), ("HasNext", Track::Offline));
    assert_eq!(package.demonstrations(Acceptance::Accepted), 5);
    let (language, file) = package.own_specification().expect("one of ours");
    assert!(language == Language::Foltl && file.ends_with("property.foltl"));
    let Subject::Trace(trace) = &package.subject else { panic!("offline") };
    assert_eq!(trace.events, trace.counts.values().sum::<u64>());
    assert_eq!(package.verdict.status, Expected::Violated);
}

#[test]
fn every_package_of_the_repository_loads_under_an_id_of_its_own() {
    let entries = fs::read_dir(benchmarks()).expect("benchmarks").map(|entry| entry.expect("an entry").path());
    let ids: Vec<String> = entries
        .filter(|path| path.is_dir())
        .map(|path| Package::load(&path).unwrap_or_else(|error| panic!("{error}")).id)
        .collect();
    assert!(ids.len() >= 7);
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len());
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (from, to, expected) in [
        ("format = 1", "format = 2", "benchmark.toml:1:10: format 2 is unknown, expected 1"),
        ("name = \"HasNext\"", "name = \"?\"", "benchmark.toml:2:8: `?` has no letters to make an identifier of"),
        ("\"offline\"", "\"ofline\"", "unknown variant `ofline`"),
        ("domains = [\"Software Engineering\"]", "domains = []", "expected at least one domain"),
        ("language = \"foltl\"", "language = \"fotl\"", "hint: did you mean `foltl`?"),
        ("language = \"foltl\"", "language = \"other\"", "`other` needs `reference`"),
        ("file = \"property.foltl\"", "file = \"../x\"", "`../x` is not inside the package"),
        ("file = \"property.foltl\"", "file = \"p.foltl\"", "`p.foltl` does not exist in"),
        ("trace = \"hasNext(A,false)\"", "", "expected either `trace` or `file`"),
        ("format = \"csv\"", "format = \"cvs\"", "hint: did you mean `csv`?"),
        ("name = \"hasnext\"", "name = \"hasnxt\"", "hint: did you mean `hasnext`?"),
        ("seed = 1", "seed = 1\noptions = { at = \"2\" }", "`2` is no number from 0 to 1"),
        ("seed = 1", "seed = 1\noptions = { timed = true }", "hasnext does not take --timed"),
        ("seed = 1", "seed = 1\noptions = { speed = 3 }", "unknown field `speed`"),
        ("violating_event = ", "violating_event = 0 # ", "expected a nonzero u64"),
        ("track = \"offline\"", "track = \"java\"", "the track is java, which judges a [program]"),
        ("[trace.generator]", "[trace.generators]", "unknown field `generators`"),
        ("events = 10000", "file = \"property.foltl\"\nevents = 10000", "expected exactly one of `file`, `url`"),
        ("name = \"next\"", "name = \"hasNext\"", ""),
    ] {
        match changed(from, to) {
            // Another number of arguments makes another event.
            Ok(_) => assert!(expected.is_empty(), "{to} is accepted"),
            Err(said) => assert!(!expected.is_empty() && said.contains(expected), "{to}: {said}"),
        }
    }
}

const FURTHER: &str =
    "[[further]]\nname = \"small\"\nverdict = { status = \"Satisfied\" }\n[further.trace]\nformat = \"csv\"
events = 4\ncounts = { hasNext = 2, next = 2 }\ngenerator = { name = \"hasnext\", seed = 2 }\n\n";

#[test]
fn a_package_has_further_traces() {
    let with = |from: &str, to: &str| changed("[verdict]", &format!("{}[verdict]", FURTHER.replacen(from, to, 1)));
    let package = with("", "").expect("it loads");
    let [small, ..] = &package.further[..] else { panic!("there is one") };
    assert_eq!((small.name.as_str(), small.trace.events, small.verdict.status), ("small", 4, Expected::Satisfied));
    let TraceSource::Generated(generated) = &small.trace.source else { panic!("it is generated") };
    assert_eq!(generated.request.verdict, referee_generate::Verdict::Satisfied);
    let broken = with("seed = 2", "seed = 2, options = { verdict = \"violated\" }").expect("it loads");
    let [broken, ..] = &broken.further[..] else { panic!("there is one") };
    let TraceSource::Generated(generated) = &broken.trace.source else { panic!("it is generated") };
    assert_eq!(generated.request.verdict, referee_generate::Verdict::Violated);
    for (from, to, expected) in [
        ("small", "", "expected a name that no other trace has, found ``"),
        ("\"hasnext\"", "\"hasnxt\"", "hint: did you mean `hasnext`?"),
        ("Satisfied", "Perhaps", "unknown variant `Perhaps`"),
        ("seed = 2", "seed = 2, options = { at = \"2\" }", "`2` is no number from 0 to 1"),
    ] {
        let said = with(from, to).expect_err("it is refused");
        assert!(said.contains(expected) && said.contains("benchmark.toml:"), "{to}: {said}");
    }
}

#[test]
fn json_is_the_same() {
    let source = benchmarks().join("has-next");
    let directory = copied(&source);
    fs::remove_file(directory.path().join("benchmark.toml")).expect("removed");
    let text = fs::read_to_string(source.join("benchmark.toml")).expect("readable");
    let value: serde_json::Value = toml::from_str(&text).expect("a document");
    fs::write(directory.path().join("benchmark.json"), value.to_string()).expect("written");
    let package = Package::load(directory.path()).expect("it loads");
    assert_eq!(package.property, Package::load(&source).expect("it loads").property);
}
