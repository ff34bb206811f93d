//! A format has one place: its folder, and a line in the list of formats. What else speaks of all formats takes them from
//! there, or is checked here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use referee_trace::format::Format;

/// The file with the list of formats.
const LIST: &str = "crates/referee-trace/src/format/mod.rs";

/// How many files besides its folder a format may need: the list, its section in the manual, the changelog and the schema.
const MOST_FILES: usize = 4;

/// A file outside the list that names so many formats in its code is a second list.
const MOST_FORMATS: usize = 3;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files below a folder with one of these endings, but for those for tests.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_for_tests = matches!(name.as_str(), "tests" | "tests.rs" | "testing.rs" | "benches" | "target" | "runs");
        if path.is_dir() && !is_for_tests && !name.starts_with('.') {
            files(&path, endings, found);
        } else if !is_for_tests && endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
}

fn product() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&repository().join("crates"), &[".rs"], &mut found);
    found
}

/// The code of a file: without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    product.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// Whether a code names a format: by its variant, or by its name as a text of its own.
fn names(code: &str, format: Format) -> bool {
    let variant = format!("Format::{format:?}");
    let is_variant = code.match_indices(&variant).any(|(at, _)| {
        !code[at + variant.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    });
    is_variant || code.contains(&format!("\"{}\"", format.name()))
}

/// The folder of a format.
fn folder(format: Format) -> String {
    let folder = format.name().replace('-', "_");
    let folder = if folder == "abstract" { "abstract_".to_owned() } else { folder };
    format!("crates/referee-trace/src/format/{folder}/")
}

fn relative(path: &Path) -> String {
    let root = repository();
    path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into_owned()
}

#[test]
fn there_is_one_list_of_formats() {
    for path in product() {
        let name = relative(&path);
        let code = code(&fs::read_to_string(&path).expect("a source"));
        let named: Vec<&str> =
            Format::ALL.into_iter().filter(|format| names(&code, *format)).map(Format::name).collect();
        assert!(name == LIST || named.len() <= MOST_FORMATS, "{name} lists formats by hand: {}", named.join(", "));
    }
}

#[test]
fn nothing_but_its_folder_and_the_list_knows_a_format_that_nobody_prefers() {
    // Some formats are chosen by name: what a generator writes, what a hint or `init` proposes. The others are found in the list
    // alone.
    let preferred = ["csv", "csv-named", "csv-plain", "xml", "json", "logfmt", "monpoly", "abstract"];
    for format in Format::ALL.into_iter().filter(|format| !preferred.contains(&format.name())) {
        for path in product() {
            let (name, code) = (relative(&path), code(&fs::read_to_string(&path).expect("a source")));
            let is_own = name == LIST || name.starts_with(&folder(format));
            assert!(is_own || !names(&code, format), "{name} knows {}", format.name());
        }
    }
}

#[test]
fn a_new_format_needs_few_files() {
    // One that nobody chooses by name: what speaks of it is what every format needs.
    let format = Format::Blocks;
    let mut all = Vec::new();
    for part in ["crates", "fuzz", "schemas"] {
        files(&repository().join(part), &[".rs", ".json", ".toml"], &mut all);
    }
    let is_needed = |path: &PathBuf| {
        let (name, text) = (relative(path), fs::read_to_string(path).unwrap_or_default());
        let is_code = name.ends_with(".rs");
        let says = if is_code { names(&code(&text), format) } else { text.contains(format.name()) };
        says && !name.starts_with(&folder(format))
    };
    let mut needed: BTreeSet<String> = all.iter().filter(|path| is_needed(path)).map(|path| relative(path)).collect();
    // Other pages may speak of it, and need not.
    needed.extend([LIST, "docs/traces.md", "CHANGELOG.md"].map(str::to_owned));
    assert!(needed.len() <= MOST_FILES, "{} needs {needed:?}", format.name());
}

#[test]
fn the_manual_and_the_changelog_name_every_format() {
    let (manual, changelog) = (read("docs/traces.md"), read("CHANGELOG.md"));
    for format in Format::ALL {
        let name = format.name();
        assert!(manual.contains(&format!("\n### {name}\n")), "docs/traces.md has no section about {name}");
        assert!(changelog.contains(&format!("`{name}`")), "CHANGELOG.md does not name {name}");
    }
}

#[test]
fn names_and_folders_are_as_described() {
    let names: BTreeSet<&str> = Format::ALL.map(Format::name).into();
    assert_eq!(names.len(), Format::ALL.len(), "no two formats share a name");
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert!(repository().join(folder(format)).join("mod.rs").is_file(), "{} has a folder", format.name());
        assert!(!format.extension().is_empty());
    }
}
