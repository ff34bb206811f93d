//! Uses go one way only: between crates, between folders and between files.

use std::collections::{BTreeMap, BTreeSet};

use referee_structure::graph::{Graph, circles};
use referee_structure::modules::Modules;
use referee_structure::{crates, workspace};

/// The crates from the bottom to the top: each may depend on those before it alone.
const ORDER: [&str; 10] = [
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
        let manifest = workspace().join("crates").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("a crate has a manifest");
        let dependencies = manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or("");
        for line in dependencies.lines().filter(|line| line.starts_with("referee")) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or(line);
            assert!(ORDER[..place].contains(&used), "{name} depends on {used}, which is not below it");
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
    for layer in allowed.keys().filter(|layer| !["types", "passes"].contains(layer)) {
        assert!(graph.keys().any(|own| own == layer) || *layer == "interpret", "the folder fo/{layer} is gone");
    }
    for (from, used) in graph {
        let Some(allowed) = allowed.get(from.as_str()) else { continue };
        for to in used {
            assert!(allowed.contains(&to.as_str()), "fo/{from} uses fo/{to}");
        }
    }
}
