//! Where a trace is written: beside its target, under the target's name only once it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// An output that leaves nothing partial behind: dropped before [`Output::commit`], it removes what it wrote.
#[derive(Debug)]
pub struct Output {
    place: BufWriter<OutputPlace>,
}

#[derive(Debug)]
enum OutputPlace {
    /// Standard output.
    Standard(io::Stdout),
    /// A device or a named pipe, which nothing may replace.
    Direct(File),
    /// A file that will get the target's name.
    Beside { file: NamedTempFile, target: PathBuf },
}

impl Output {
    /// Opens the output for `target`; `-` is standard output.
    pub fn create(target: &Path) -> io::Result<Output> {
        let place =
            if target == Path::new("-") { OutputPlace::Standard(io::stdout()) } else { OutputPlace::open(target)? };
        Ok(Output { place: BufWriter::with_capacity(256 * 1024, place) })
    }

    /// The directory in which the output is made, where it is a file.
    pub fn directory(&self) -> Option<PathBuf> {
        match self.place.get_ref() {
            OutputPlace::Beside { target, .. } => Some(directory_of(target).to_owned()),
            OutputPlace::Standard(_) | OutputPlace::Direct(_) => None,
        }
    }

    /// The file that is written beside the target until the output is complete.
    pub fn temporary(&self) -> Option<&Path> {
        match self.place.get_ref() {
            OutputPlace::Beside { file, .. } => Some(file.path()),
            OutputPlace::Standard(_) | OutputPlace::Direct(_) => None,
        }
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.place.flush()?;
        match self.place.get_ref() {
            OutputPlace::Beside { file, .. } => file.as_file().sync_all(),
            OutputPlace::Standard(_) | OutputPlace::Direct(_) => Ok(()),
        }
    }

    /// Completes the output: from now on it has the target's name.
    pub fn commit(self) -> io::Result<()> {
        match self.place.into_inner().map_err(io::IntoInnerError::into_error)? {
            OutputPlace::Beside { file, target } => file.persist(target).map(drop).map_err(|failed| failed.error),
            mut place => place.flush(),
        }
    }
}

impl OutputPlace {
    fn open(target: &Path) -> io::Result<OutputPlace> {
        // A link keeps pointing to its file, which is what gets the new content.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        match fs::metadata(&target) {
            Ok(found) if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(found) if !found.is_file() => File::options().write(true).open(&target).map(OutputPlace::Direct),
            _ => Ok(OutputPlace::Beside { file: beside(&target)?, target }),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            OutputPlace::Standard(stream) => stream,
            OutputPlace::Direct(file) => file,
            OutputPlace::Beside { file, .. } => file,
        }
    }
}

fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A new file in the target's directory, with the rights any new file gets.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".referee-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory_of(target))
}

impl Write for OutputPlace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.place.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.place.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("the directory is readable");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_target_appears_at_the_end() {
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out.csv");
        let mut output = Output::create(&target).expect("an output");
        output.write_all(b"a,1\n").expect("written");
        assert!(!target.exists());
        output.commit().expect("renamed");
        assert_eq!(fs::read(&target).expect("readable"), b"a,1\n");
        assert_eq!(names(directory.path()), ["out.csv"]);
    }

    #[test]
    fn nothing_partial_remains() {
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out.csv");
        fs::write(&target, "before").expect("written");
        let mut output = Output::create(&target).expect("an output");
        output.write_all(b"half").expect("written");
        drop(output);
        assert_eq!(fs::read(&target).expect("readable"), b"before");
        assert_eq!(names(directory.path()), ["out.csv"]);
    }

    #[test]
    fn a_directory_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let error = Output::create(directory.path()).expect_err("a directory is no output");
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced() {
        let mut output = Output::create(Path::new("/dev/null")).expect("an output");
        assert!(matches!(output.place.get_ref(), OutputPlace::Direct(_)));
        output.write_all(b"gone").expect("written");
        output.commit().expect("flushed");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_stay_as_usual() {
        use std::os::unix::fs::{MetadataExt, symlink};
        let directory = tempfile::tempdir().expect("a directory");
        let (plain, target, link) =
            (directory.path().join("plain"), directory.path().join("target"), directory.path().join("link"));
        fs::write(&plain, "").expect("written");
        fs::write(&target, "before").expect("written");
        symlink(&target, &link).expect("linked");
        let mut output = Output::create(&link).expect("an output");
        output.write_all(b"after").expect("written");
        output.commit().expect("renamed");
        assert!(fs::symlink_metadata(&link).expect("metadata").is_symlink());
        assert_eq!(fs::read(&target).expect("readable"), b"after");
        let mode = |path: &Path| fs::metadata(path).expect("metadata").mode();
        assert_eq!(mode(&target), mode(&plain));
    }
}
