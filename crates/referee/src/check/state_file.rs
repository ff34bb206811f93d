//! The file that keeps the state: read before the first point, and replaced as a whole.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use referee_engine::session::{Session, StateError};
use referee_trace::write::Output;

use crate::failure::Failure;
use crate::interrupt;

/// The bytes of a state; none if there is no file of this name.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Other(format!("{}: the state cannot be read: {error}", path.display()))),
    }
}

/// What is wrong with a state, and what to do.
pub(crate) fn refused(path: &Path, error: &StateError) -> Failure {
    let hint = match error {
        StateError::NotAState => "a state is a file that `check --resume` has written; under a new name it makes one",
        StateError::OtherVersion(_) => "go on with the version that wrote it, or remove the file and begin anew",
        StateError::Damaged => "put back a copy of it, or remove the file and begin anew",
        StateError::OtherRules(_) => {
            "give the rules and options that it was saved with, such as --all, or another name for the state"
        }
        StateError::Unsavable(_) => "leave --resume out and judge the whole log each time",
        StateError::TooManyKinds => "a mapping (--map) can make an argument of what tells them apart",
        StateError::Unwritable(_) => "the old state is still there, if there was one",
        StateError::Begun | StateError::Witness | StateError::Ended => "judge without --resume",
    };
    Failure::Other(format!("{}: {error}\n  hint: {hint}", path.display()))
}

/// A state that is written, and has not got its name.
pub(super) struct WrittenState {
    output: Output,
    temporary: Option<PathBuf>,
    path: PathBuf,
}

impl WrittenState {
    /// Writes the state of a session beside the file that it will replace, to the disk.
    pub(super) fn write(path: &Path, session: &Session, note: &[u8]) -> Result<WrittenState, Failure> {
        let unwritable = |error: &io::Error| refused(path, &StateError::Unwritable(reason(error)));
        let output = Output::create(path).map_err(|error| unwritable(&error))?;
        let temporary = output.temporary().map(Path::to_owned);
        temporary.iter().for_each(|file| interrupt::add_unfinished(file));
        let mut written = WrittenState { output, temporary, path: path.to_owned() };
        session.save_to(&mut written.output, note).map_err(|error| refused(path, &error))?;
        written.output.sync().map_err(|error| unwritable(&error))?;
        Ok(written)
    }

    /// Gives it its name, in the place of the state before.
    pub(super) fn commit(self) -> Result<(), Failure> {
        let WrittenState { output, temporary, path } = self;
        output.commit().map_err(|error| refused(&path, &StateError::Unwritable(reason(&error))))?;
        temporary.iter().for_each(|file| interrupt::forget_unfinished(file));
        sync_folder(&path);
        Ok(())
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "its folder does not exist".to_owned(),
        ErrorKind::PermissionDenied => "no permission to write here".to_owned(),
        _ => error.to_string(),
    }
}

/// A new name is safe when its folder is on the disk. Where that cannot be asked for, it will be there soon.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    #[cfg(unix)]
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Whether the state of a session can be written at all: a judge may have no form for it.
pub(super) fn check(path: &Path, session: &Session) -> Result<(), Failure> {
    session.save_to(&mut io::sink(), &[]).map_err(|error| refused(path, &error))?;
    // A folder that is not there is better told now than in the morning.
    let mut probe = Output::create(path).map_err(|error| refused(path, &StateError::Unwritable(reason(&error))))?;
    probe.flush().map_err(|error| refused(path, &StateError::Unwritable(reason(&error))))
}
