//! A type name stands for one thing.
//!
//! A reader who meets a name asks which type it is. The answer must not need more than the folder that the file is in:
//!
//! - Within a top-level folder of a crate, a name that is visible outside of its module (`pub`, `pub(crate)`, …) is one type.
//! - Within a crate, a name that is used beyond its top-level folder is one type: `core::Formula` is the formula of the whole crate,
//!   so no other folder may hand out a `Formula`; `qtl::syntax::Formula`, which only `qtl` uses, is that of this language.
//!
//! A type that only its own module sees may have any name: whoever reads it has its definition on the same page.

use std::collections::{BTreeMap, BTreeSet};

use referee_structure::modules::Modules;
use referee_structure::{crates, workspace};

/// The names of a crate that stand for more than one type, each with the modules that define it.
fn ambiguous(modules: &Modules) -> BTreeMap<String, Vec<String>> {
    let used_elsewhere = modules.types_used_elsewhere();
    let mut found = BTreeMap::new();
    for (name, places) in modules.types() {
        let homes: Vec<String> =
            places.into_iter().filter(|place| place.is_visible).map(|place| place.module).collect();
        let folders: BTreeSet<&str> = homes.iter().filter_map(|module| module.split("::").next()).collect();
        let is_used_elsewhere = |module: &&String| used_elsewhere.contains(&((*module).clone(), name.to_owned()));
        if folders.len() < homes.len() || homes.iter().filter(is_used_elsewhere).count() > 1 {
            found.insert(name.to_owned(), homes);
        }
    }
    found
}

#[test]
fn a_type_name_stands_for_one_thing() {
    let mut found = String::new();
    for name in crates() {
        let modules = Modules::read(&workspace().join("crates").join(&name).join("src"));
        for (type_name, homes) in ambiguous(&modules) {
            found += &format!("    {name}: {type_name} in {}\n", homes.join(", "));
        }
    }
    assert!(found.is_empty(), "these names stand for more than one type:\n{found}");
}

#[test]
fn names_in_two_places_are_found() {
    let modules = |files: &[(&str, &str)]| {
        let path = |words: &str| words.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Modules::of(files.iter().map(|(words, text)| (path(words), (*text).to_owned())))
    };
    let names = |files: &[(&str, &str)]| ambiguous(&modules(files)).into_keys().collect::<Vec<_>>();
    let one_folder = [("a", ""), ("a::b", "pub struct X; struct Y;"), ("a::c", "pub(crate) enum X {} struct Y;")];
    assert_eq!(names(&one_folder), ["X"]);
    let two_folders =
        [("a", "pub struct X; pub struct Y;"), ("b", "pub struct X; pub struct Y;"), ("c", "use crate::a::X;")];
    assert!(names(&two_folders).is_empty());
    let both_used = [two_folders[0], two_folders[1], ("c", "use crate::a::X; use crate::b;  fn f(x: b::X) {}")];
    assert_eq!(names(&both_used), ["X"]);
}
