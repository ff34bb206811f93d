//! The trace of a package as a file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use referee_trace::format::Format;

use crate::hash;
use crate::package::{Generated, Package, Trace, TraceSource};
use referee_generate::GenerateError;

/// How many events a generated trace has in a quick run, at most.
const QUICK: u64 = 30;

/// Why there is no trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// It cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It cannot be made.
    #[error("{package}: its trace cannot be made: {error}")]
    Generate {
        /// The package's identifier.
        package: String,
        /// Why.
        error: Box<GenerateError>,
    },
    /// It is not the one that the package means.
    #[error("{}: the SHA-256 of this trace is {found}, but the package says {expected}", file.display())]
    Hash {
        /// The file.
        file: PathBuf,
        /// Its hash.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// It is somewhere else.
    #[error("{package}: its trace is not here\n  hint: save {url} as {}", file.display())]
    Elsewhere {
        /// The package's identifier.
        package: String,
        /// Where it is.
        url: String,
        /// Where it should be.
        file: PathBuf,
    },
}

/// The file of a package's trace, made if it must be, and its hash.
pub(super) fn file(
    package: &Package,
    trace: &Trace,
    directory: &Path,
    quick: bool,
) -> Result<(PathBuf, String), TraceError> {
    let file = match &trace.source {
        TraceSource::File(file) => file.clone(),
        TraceSource::Url(url) => elsewhere(package, url)?,
        TraceSource::Generated(generated) => made(package, trace.format, generated, directory, quick)?,
    };
    let file = file.canonicalize().map_err(|error| TraceError::File { file: file.clone(), error })?;
    let found = hash::of_file(&file).map_err(|error| TraceError::File { file: file.clone(), error })?;
    match &trace.sha256 {
        Some(expected) if *expected != found && !quick => {
            Err(TraceError::Hash { file, found, expected: expected.clone() })
        }
        _ => Ok((file, found)),
    }
}

/// A trace from elsewhere lies in the package under its own name, once somebody has fetched it.
pub(crate) fn elsewhere(package: &Package, url: &str) -> Result<PathBuf, TraceError> {
    let name = url.rsplit('/').find(|part| !part.is_empty()).unwrap_or("trace");
    let file = package.path(name);
    match file.is_file() {
        true => Ok(file),
        false => Err(TraceError::Elsewhere { package: package.id.clone(), url: url.to_owned(), file }),
    }
}

fn made(
    package: &Package,
    format: Format,
    generated: &Generated,
    directory: &Path,
    quick: bool,
) -> Result<PathBuf, TraceError> {
    let refused = |error: GenerateError| TraceError::Generate { package: package.id.clone(), error: Box::new(error) };
    let mut request = generated.request.clone();
    if quick {
        request.events = request.events.map(|events| events.min(QUICK));
        // A short trace may have no place for the breach: then the whole one is taken.
        if generated.generator.order(&request).is_err() {
            request.events = generated.request.events;
        }
    }
    let order = generated.generator.order(&request).map_err(|refusal| refused(refusal.into()))?;
    let mark = hash::of_bytes(format!("{} {request:?}", generated.generator.name).as_bytes());
    let name = format!("{}-{}.{}", package.id, mark.get(..8).unwrap_or_default(), format.extension());
    let target = directory.join(name);
    if target.is_file() {
        return Ok(target);
    }
    let unfinished = target.with_added_extension("unfinished");
    let failed = |error| TraceError::File { file: unfinished.clone(), error };
    let mut out = BufWriter::new(File::create(&unfinished).map_err(failed)?);
    generated.generator.write(&order, format, &mut out, Some(directory)).map_err(refused)?;
    out.flush().map_err(failed)?;
    fs::rename(&unfinished, &target).map_err(failed)?;
    Ok(target)
}
