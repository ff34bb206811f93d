//! `docs/gallery` is made from the packages. `REFEREE_UPDATE=1` writes it anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use referee_contest::gallery::{file_name, index, page};
use referee_contest::package::{DOCUMENTS, Package};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All packages of the repository, by the names of their directories.
fn packages() -> Vec<Package> {
    let entries = fs::read_dir(repository().join("benchmarks")).expect("the packages");
    let mut directories: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    directories.retain(|path| DOCUMENTS.iter().any(|name| path.join(name).is_file()));
    directories.sort();
    directories.iter().map(|path| Package::load(path).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// The pages as they should be.
fn pages() -> BTreeMap<String, String> {
    let packages = packages();
    let mut pages: BTreeMap<String, String> =
        packages.iter().map(|package| (file_name(package), page(package))).collect();
    pages.insert("index.md".into(), index(&packages));
    pages
}

/// The pages as they are.
fn found(gallery: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(gallery).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let named = entries.map(|path| (path.file_name().unwrap_or_default().display().to_string(), path));
    named.map(|(name, path)| (name, fs::read_to_string(path).expect("a readable page"))).collect()
}

#[test]
fn the_gallery_is_up_to_date() {
    let gallery = repository().join("docs/gallery");
    let expected = pages();
    if std::env::var_os("REFEREE_UPDATE").is_some() {
        let _ = fs::remove_dir_all(&gallery);
        fs::create_dir_all(&gallery).expect("made");
        expected.iter().for_each(|(name, text)| fs::write(gallery.join(name), text).expect("written"));
    }
    let found = found(&gallery);
    let differ = |name: &&String| found.get(*name) != expected.get(*name);
    let stale: Vec<&String> = expected.keys().chain(found.keys()).filter(differ).collect();
    assert!(stale.is_empty(), "docs/gallery is out of date: run this test with REFEREE_UPDATE=1: {stale:?}");
}
