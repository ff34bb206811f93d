//! The packages that commands name: by path, or by name in the directory of all packages.

use std::path::{Path, PathBuf};

use referee_contest::package::{DOCUMENTS, Package};
use referee_trace::mapping::nearest;

use super::complaint::failure;
use crate::failure::Failure;

/// Where packages are looked for.
pub(super) const DIRECTORY: &str = "benchmarks";

/// Whether a path is a package: its directory, or its document.
pub(super) fn is_package(path: &Path) -> bool {
    path.is_file() || DOCUMENTS.iter().any(|name| path.join(name).is_file())
}

/// The packages that a directory holds, sorted.
pub(super) fn packages_in(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| failure(format!("{}: cannot be listed: {error}", directory.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        found.push(entry.map_err(unreadable)?.path());
    }
    found.retain(|path| path.is_dir() && is_package(path));
    found.sort();
    Ok(found)
}

/// The packages that paths name: each is one, or a directory of them.
pub(super) fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(failure(format!("{}: there is no such package", path.display())));
        }
        let within = if is_package(path) { Vec::new() } else { packages_in(path)? };
        match within.is_empty() {
            true => all.push(path.clone()),
            false => all.extend(within),
        }
    }
    Ok(all)
}

/// The package that a name means: a path, a directory in `directory`, or the identifier or name of one there.
pub(super) fn find(name: &str, directory: &Path) -> Result<Package, Failure> {
    let path = Path::new(name);
    if is_package(path) {
        return Package::load(path).map_err(failure);
    }
    let inside = directory.join(name);
    if is_package(&inside) {
        return Package::load(&inside).map_err(failure);
    }
    let packages: Vec<Package> = match directory.is_dir() {
        true => packages_in(directory)?.iter().filter_map(|path| Package::load(path).ok()).collect(),
        false => Vec::new(),
    };
    let named = packages.iter().find(|package| package.id == name || package.name == name);
    named.cloned().ok_or_else(|| unknown(name, directory, &packages))
}

fn unknown(name: &str, directory: &Path, packages: &[Package]) -> Failure {
    let near = nearest(name, packages.iter().map(|package| package.id.as_str()));
    let hint = match (near, packages.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => format!("there are no packages in {}; give a path", directory.display()),
        (None, false) => "`referee contest list` names them".to_owned(),
    };
    failure(format!("there is no package called `{name}`\n  hint: {hint}"))
}
