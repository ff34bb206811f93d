//! Uses go one way only: between crates, between folders and between files.

use std::collections::{BTreeMap, BTreeSet};

use referee_structure::graph::{Graph, circles};
use referee_structure::manifest::{Dependency, dependencies};
use referee_structure::modules::Modules;
use referee_structure::{crates, workspace};

/// The crates from the bottom to the top: each may depend on those before it alone, its tests included. (Cargo would let tests
/// depend upwards, but then the lower crate is compiled twice, and the lower one cannot be read without the upper one.)
const ORDER: [&str; 11] = [
    "workspace-hack",
    "referee-testing",
    "referee-structure",
    "referee-trace",
    "referee-spec",
    "referee-oracle",
    "referee-engine",
    "referee-generate",
    "referee-contest",
    "referee-cases",
    "referee",
];

/// The folders of the compiled path of formulas: what each may use of the others.
const LAYERS: [(&str, &[&str]); 6] = [
    ("interpret", &[]),
    ("compile", &["code", "types"]),
    ("run", &["code", "store", "types", "interpret"]),
    ("code", &["types"]),
    ("store", &["types"]),
    ("types", &[]),
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
    for (place, name) in ORDER.iter().enumerate() {
        let manifest = manifest(name);
        for Dependency { name: used, is_for_tests } in dependencies(&manifest) {
            let is_own = ORDER.contains(&used.as_str());
            let which = if is_for_tests { "the tests of " } else { "" };
            assert!(
                !is_own || ORDER[..place].contains(&used.as_str()),
                "{which}{name} depend(s) on {used}, which is not below"
            );
        }
    }
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
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.into();
    let siblings = modules("referee-engine").uses_of_siblings();
    let graph = siblings.get("fo").expect("formulas have a folder");
    for layer in allowed.keys().filter(|layer| **layer != "types") {
        assert!(graph.keys().any(|own| own == layer) || *layer == "interpret", "the folder fo/{layer} is gone");
    }
    for (from, used) in graph {
        let Some(allowed) = allowed.get(from.as_str()) else { continue };
        for to in used {
            assert!(allowed.contains(&to.as_str()), "fo/{from} uses fo/{to}");
        }
    }
}
