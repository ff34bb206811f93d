//! Uses go one way only: between crates, between folders and between files.

use std::collections::{BTreeMap, BTreeSet};

use referee_structure::graph::{Graph, circles};
use referee_structure::manifest::{Dependency, dependencies};
use referee_structure::modules::Modules;
use referee_structure::{crates, workspace};

/// The crates from the bottom to the top: each may depend on those before it alone, its tests included. (Cargo would let tests
/// depend upwards, but then the lower crate is compiled twice, and the lower one cannot be read without the upper one.)
const ORDER: [&str; 15] = [
    "workspace-hack",
    "referee-testing",
    "referee-structure",
    "referee-trace",
    "referee-spec",
    "referee-oracle",
    "referee-engine",
    "referee-c",
    "referee-monitor",
    "referee-cc-runtime",
    "referee-generate",
    "referee-contest",
    "referee-cases",
    "referee-cc",
    "referee",
];

/// The folders of the compiled path of formulas, and its switches: what each may use of the others.
///
/// `passes` says which steps of the compiler and of its programs are used, and knows none of them. `code` describes tables by
/// their shape, which is in `types`, so that it need not know the store.
const LAYERS: [(&str, &[&str]); 7] = [
    ("interpret", &[]),
    ("compile", &["code", "types", "passes"]),
    ("run", &["code", "store", "types", "interpret", "passes"]),
    ("code", &["types"]),
    ("store", &["types"]),
    ("types", &[]),
    ("passes", &[]),
];

fn manifest(name: &str) -> String {
    let file = workspace().join("crates").join(name).join("Cargo.toml");
    std::fs::read_to_string(file).expect("a crate has a manifest")
}

fn modules(name: &str) -> Modules {
    Modules::read(&workspace().join("crates").join(name).join("src"))
}

/// A circle with the uses that make it one.
fn drawn(circle: &BTreeSet<String>, graph: &Graph) -> String {
    let inside = |from: &String| graph[from].intersection(circle).cloned().collect::<Vec<_>>().join(", ");
    circle.iter().map(|from| format!("    {from} uses {}\n", inside(from))).collect()
}

#[test]
fn crates_use_those_below_them() {
    let mut all: Vec<String> = ORDER.iter().map(|name| (*name).to_owned()).collect();
    all.sort();
    assert_eq!(crates(), all, "a crate has no place in the order");
    let manifests: Vec<(&str, String)> = ORDER.iter().map(|name| (*name, manifest(name))).collect();
    let found = against_order(&manifests);
    assert!(found.is_empty(), "these dependencies lead upwards:\n{found}");
}

/// The dependencies of crates, given from the bottom to the top with their manifests, that do not lead down.
fn against_order(manifests: &[(&str, String)]) -> String {
    let place = |name: &str| manifests.iter().position(|(own, _)| *own == name);
    let mut found = String::new();
    for (at, (name, manifest)) in manifests.iter().enumerate() {
        for Dependency { name: used, is_for_tests } in dependencies(manifest) {
            // A crate may name itself for its tests, to switch on what only tests may have.
            let is_itself = is_for_tests && used == *name;
            if !is_itself && place(&used).is_some_and(|used| used >= at) {
                let which = if is_for_tests { ", for its tests" } else { "" };
                found += &format!("    {name} depends on {used}{which}\n");
            }
        }
    }
    found
}

#[test]
fn a_dependency_that_leads_upwards_is_found() {
    let crates = |low: &str, high: &str| against_order(&[("low", low.to_owned()), ("high", high.to_owned())]);
    assert_eq!(crates("[dependencies]\nother = \"1\"", "[dependencies]\nlow.workspace = true"), "");
    assert_eq!(crates("[dependencies]\nhigh.workspace = true", ""), "    low depends on high\n");
    let for_tests = "[dev-dependencies.alias]\npackage = \"high\"";
    assert_eq!(crates(for_tests, ""), "    low depends on high, for its tests\n");
}

#[test]
fn no_dependency_is_overlooked() {
    for name in ORDER {
        let manifest = manifest(name);
        let found = dependencies(&manifest);
        let mentions = |other: &str| {
            manifest.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|word| word == other)
        };
        for other in ORDER.iter().filter(|other| **other != name && **other != "referee" && mentions(other)) {
            assert!(found.iter().any(|own| own.name == *other), "the manifest of {name} mentions {other}: as what?");
        }
    }
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    let mut found = String::new();
    for name in crates() {
        let graph = modules(&name).uses();
        for circle in circles(&graph) {
            found += &format!("{name}, {} files:\n{}", circle.len(), drawn(&circle, &graph));
        }
    }
    assert!(found.is_empty(), "these files use each other:\n{found}");
}

#[test]
fn folders_do_not_use_each_other_in_circles() {
    let mut found = String::new();
    for name in crates() {
        for (folder, graph) in modules(&name).uses_of_siblings() {
            for circle in circles(&graph) {
                found += &format!("{name}, in `{folder}`:\n{}", drawn(&circle, &graph));
            }
        }
    }
    assert!(found.is_empty(), "these folders use each other:\n{found}");
}

#[test]
fn the_layers_of_compiled_formulas_keep_their_order() {
    let modules = modules("referee-engine");
    for (layer, _) in LAYERS {
        assert!(modules.uses().contains_key(&format!("fo::{layer}")), "fo/{layer} is gone");
    }
    let siblings = modules.uses_of_siblings();
    let graph = siblings.get("fo").expect("formulas have a folder");
    let found = against_layers(graph);
    assert!(found.is_empty(), "these folders of fo use others against their order:\n{found}");
}

/// The uses between layers that [`LAYERS`] does not allow.
fn against_layers(graph: &Graph) -> String {
    let mut found = String::new();
    for (layer, allowed) in LAYERS {
        for to in graph.get(layer).into_iter().flatten().filter(|to| !allowed.contains(&to.as_str())) {
            found += &format!("    {layer} uses {to}\n");
        }
    }
    found
}

#[test]
fn a_use_against_the_direction_is_found() {
    let path = |words: &str| words.split("::").map(str::to_owned).collect();
    let uses = |from: &str, text: &str| {
        let files = [("fo", "pub use run::Run;"), ("fo::run", "pub struct Run;"), ("fo::store", ""), (from, text)];
        let files: BTreeMap<&str, &str> = files.into();
        let modules = Modules::of(files.into_iter().map(|(words, text)| (path(words), text.to_owned())));
        modules.uses_of_siblings().get("fo").map_or_else(String::new, against_layers)
    };
    assert_eq!(uses("fo::run", "use crate::fo::store::Store;"), "");
    assert_eq!(uses("fo::store::table", "use crate::fo::run::Run;"), "    store uses run\n");
    assert_eq!(uses("fo::store::table", "fn f(run: &crate::fo::Run) {}"), "    store uses run\n");
}
