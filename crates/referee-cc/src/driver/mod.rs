//! Does what the compiler was asked to do, and adds events.
//!
//! ```text
//!                 ┌ nothing to add ────▶ the compiler itself, in our place
//!  command line ──┤ C files ───────────▶ compile: each becomes an object ─┐
//!                 └ a program at the end ◀─────────────────────── link ◀──┘
//! ```
//!
//! **What the user sees is about the original text**: warnings and errors come from compiling that, and a file that cannot be
//! edited is compiled as it is.

mod arguments;
mod compile;
mod embed;
mod error;
mod link;
mod process;
mod runtime;
mod section;
mod settings;

use arguments::{Argument, Arguments, InputKind, Untouched};
use compile::Compilation;
pub use error::DriverError;
pub use settings::{Driver, EmbeddedOption, EmbeddedSpecification};

impl Driver {
    /// Does what a command line of a compiler asks for; the answer is the exit code.
    ///
    /// # Errors
    ///
    /// If a compiler cannot be started, the mapping does not fit the program, or the run time is not found.
    pub fn run(&self, command: &[String]) -> Result<i32, DriverError> {
        let arguments = Arguments::read(command);
        match arguments.untouched() {
            Some(Untouched::Quietly) => return process::replace(command),
            Some(Untouched::Saying(why)) => {
                (self.tell)(&format!("note: compiled without events: {why}"));
                return process::replace(command);
            }
            None => {}
        }
        let folder = tempfile::Builder::new().prefix("referee-cc-").tempdir().map_err(DriverError::folder)?;
        let compilation = Compilation { driver: self, arguments: &arguments, folder: folder.path() };
        let mut objects = Vec::new();
        for (number, (path, kind)) in arguments.inputs().enumerate() {
            let is_c = matches!(kind, InputKind::C | InputKind::PreprocessedC);
            objects.push(is_c.then(|| compilation.object(number, path)));
            if let Some(object) = objects.last().and_then(Option::as_ref) {
                match compilation.compile(number, path, kind, object)? {
                    0 => {}
                    code => return Ok(code),
                }
            }
        }
        match arguments.compiles_only() {
            true => self.other_inputs(&arguments),
            false => self.link(&arguments, &objects, folder.path()),
        }
    }

    /// `-c` with files that are not C among those that are: the compiler takes them as they are.
    fn other_inputs(&self, arguments: &Arguments) -> Result<i32, DriverError> {
        let is_other = |kind| matches!(kind, InputKind::OtherLanguage | InputKind::Object);
        if !arguments.inputs().any(|(_, kind)| is_other(kind)) {
            return Ok(0);
        }
        let mut words = vec!["-c".to_owned()];
        for argument in &arguments.all {
            match argument {
                Argument::Option { words: own, .. } => words.extend(own.iter().cloned()),
                Argument::Language(language) => words.extend(["-x".to_owned(), language.clone()]),
                Argument::Input { path, kind } if is_other(*kind) => words.push(path.display().to_string()),
                _ => {}
            }
        }
        process::run(&arguments.compiler, &words)
    }
}
