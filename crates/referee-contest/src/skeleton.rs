//! A new package: a document with blanks, and the files that it names.
//!
//! A blank is a text between `«` and `»` that says what belongs there. Validation finds those that are left.

use std::io;
use std::path::{Path, PathBuf};

use crate::package::camel_case;

/// Where a blank begins and ends.
const BLANK: (char, char) = ('«', '»');

const DOCUMENT: &str = include_str!("../skeleton/benchmark.toml");
const FORMULA: &str = include_str!("../skeleton/property.foltl");
const TRACE: &str = include_str!("../skeleton/trace.csv");

/// Why there is no new package.
#[derive(Debug, thiserror::Error)]
pub enum SkeletonError {
    /// The name has no letters.
    #[error("`{0}` has no letters to make an identifier of")]
    Name(String),
    /// There is one already.
    #[error("{} is there already, and nothing was written\n  hint: choose another name or another --packages, fill the blanks of {}, or remove the directory first", path.display(), path.join("benchmark.toml").display())]
    Taken {
        /// Its directory.
        path: PathBuf,
    },
    /// The directory cannot be made or written.
    #[error("{}: {error}", path.display())]
    File {
        /// It.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Makes a package with this name in a directory of its own below `parent`, and says where.
pub fn create(name: &str, parent: &Path) -> Result<PathBuf, SkeletonError> {
    if camel_case(name).is_empty() {
        return Err(SkeletonError::Name(name.to_owned()));
    }
    let directory = parent.join(directory_name(name));
    let failed = |path: &Path, error| SkeletonError::File { path: path.to_owned(), error };
    std::fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
    std::fs::create_dir(&directory).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => SkeletonError::Taken { path: directory.clone() },
        _ => failed(&directory, error),
    })?;
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    let files = [
        ("benchmark.toml", DOCUMENT.replace("NAME", &quoted)),
        ("property.foltl", FORMULA.to_owned()),
        ("trace.csv", TRACE.to_owned()),
    ];
    for (file, text) in files {
        let path = directory.join(file);
        std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    Ok(directory)
}

/// `Very interesting property` becomes `very-interesting-property`.
fn directory_name(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// The blanks of a text: what each asks for, and its line, from 1.
pub fn blanks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).flat_map(|(number, line)| {
        let parts = line.split(BLANK.0).skip(1);
        parts.filter_map(move |part| Some((number, part.split_once(BLANK.1)?.0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_directories() {
        assert_eq!(directory_name("Very interesting property"), "very-interesting-property");
        assert_eq!(directory_name("4.3.10: insert"), "4-3-10-insert");
    }

    #[test]
    fn blanks_are_found() {
        let found: Vec<(usize, &str)> = blanks("a\nb «one» c «two»\n«open").collect();
        assert_eq!(found, [(2, "one"), (2, "two")]);
    }
}
