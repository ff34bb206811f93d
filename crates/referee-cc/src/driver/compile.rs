//! From a C file to an object with events.
//!
//! ```text
//!  a.c ─▶ gcc -E -C ─▶ instrument ─▶ gcc -x cpp-output ─┬▶ a.o, nothing printed         done
//!                                                       ├▶ a.o, and warnings            compile the original for its warnings
//!                                                       └▶ refused                      compile the original into a.o;
//!                                                             the mapping's expressions alone say whether they are the reason
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use super::arguments::{Argument, Arguments, InputKind, Step};
use super::error::DriverError;
use super::process::{capture, capture_plain, run};
use super::settings::Driver;
use crate::instrument::{Complaint, Instrumented, Mode, complaint, instrument, skipped};

/// By this the header of `REFEREE_EVENT` knows that somebody listens.
const MACRO: &str = "-D__REFEREE__=1";

/// The files of one command line.
pub(super) struct Compilation<'d> {
    pub(super) driver: &'d Driver,
    pub(super) arguments: &'d Arguments,
    /// For temporary files.
    pub(super) folder: &'d Path,
}

/// One file of them.
struct Unit<'u> {
    path: &'u Path,
    kind: InputKind,
    object: &'u Path,
    /// The preprocessed text, for the compiler.
    text: PathBuf,
}

impl Compilation<'_> {
    /// Where the object of a file goes.
    pub(super) fn object(&self, number: usize, path: &Path) -> PathBuf {
        let name = path.file_stem().map(PathBuf::from).unwrap_or_default().with_extension("o");
        match (self.arguments.compiles_only(), self.arguments.output()) {
            (true, Some(output)) => output.to_path_buf(),
            (true, None) => PathBuf::from(format!("{}.o", path.file_stem().unwrap_or_default().display())),
            (false, _) => self.folder.join(format!("{number}-{}", name.display())),
        }
    }

    /// Compiles a file; the answer is an exit code.
    pub(super) fn compile(
        &self,
        number: usize,
        path: &Path,
        kind: InputKind,
        object: &Path,
    ) -> Result<i32, DriverError> {
        let name = path.file_stem().unwrap_or_default().display();
        let folder = self.folder.join(number.to_string());
        fs::create_dir_all(&folder).map_err(|error| DriverError::file(&folder, &error))?;
        let unit = Unit { path, kind, object, text: folder.join(format!("{name}.i")) };
        let Some((text, has_warned)) = self.preprocess(&unit)? else { return self.original(&unit, true) };
        let mapping = &self.driver.mapping;
        let Some(edited) = instrument(&text, mapping, Mode::Compile)? else {
            return self.fall_back(&unit, &text, "its brackets do not match");
        };
        let output = self.edited(&unit, &edited)?;
        match (output.status.success(), has_warned || !output.stderr.is_empty()) {
            (true, false) => Ok(0),
            (true, true) => self.warnings(&unit, &folder),
            (false, _) => self.explain(&unit, &text),
        }
    }

    /// The preprocessed text, and whether warnings came with it. If the preprocessor fails there is none.
    fn preprocess(&self, unit: &Unit<'_>) -> Result<Option<(Vec<u8>, bool)>, DriverError> {
        if unit.kind == InputKind::PreprocessedC {
            let text = fs::read(unit.path).map_err(|error| DriverError::file(unit.path, &error))?;
            return Ok(Some((text, false)));
        }
        let mut words = self.words(|step| step != Step::Link);
        words.extend(["-E", "-C", MACRO].map(str::to_owned));
        words.extend(self.dependencies(unit));
        words.extend(["-x".to_owned(), "c".to_owned(), unit.path.display().to_string()]);
        let output = capture(&self.arguments.compiler, &words)?;
        Ok(output.status.success().then_some((output.stdout, !output.stderr.is_empty())))
    }

    /// Rules for make name the object of the user, and are where the compiler would have put them.
    fn dependencies(&self, unit: &Unit<'_>) -> Vec<String> {
        let given: Vec<&str> = self.arguments.options(|step| step == Step::Preprocess).collect();
        let has = |option: &str| given.iter().any(|word| word.starts_with(option));
        let is_asked = given.iter().any(|word| matches!(*word, "-MD" | "-MMD"));
        let by_input = |suffix| PathBuf::from(unit.path.file_name().unwrap_or_default()).with_extension(suffix);
        let target = self.arguments.output().map_or_else(|| by_input("o"), Path::to_path_buf);
        let mut words = Vec::new();
        if is_asked && !has("-MF") {
            let stem = unit.path.file_stem().unwrap_or_default().display();
            let file = match self.arguments.output() {
                Some(output) => output.with_extension("d"),
                // The program would be a.out, from which the compiler takes the beginning of the name.
                None if !self.arguments.compiles_only() && unit.path.file_stem() != Some("a".as_ref()) => {
                    PathBuf::from(format!("a-{stem}.d"))
                }
                None => by_input("d"),
            };
            words.extend(["-MF".to_owned(), file.display().to_string()]);
        }
        if is_asked && !has("-MT") && !has("-MQ") {
            words.extend(["-MQ".to_owned(), target.display().to_string()]);
        }
        words
    }

    /// Compiles the edited text. Nothing that the user wants to know about his text comes from there, so that no warning may be an error.
    fn edited(&self, unit: &Unit<'_>, edited: &Instrumented) -> Result<std::process::Output, DriverError> {
        let mut words = self.words_for_text(unit, &edited.text)?;
        if edited.keeps_stack {
            words.push("-fstack-reuse=none".to_owned());
        }
        words.extend(["-c".to_owned(), "-o".to_owned(), unit.object.display().to_string()]);
        capture(&self.arguments.compiler, &words)
    }

    /// Writes a text; the options that compile it, but for what is to come out.
    fn words_for_text(&self, unit: &Unit<'_>, text: &[u8]) -> Result<Vec<String>, DriverError> {
        fs::write(&unit.text, text).map_err(|error| DriverError::file(&unit.text, &error))?;
        let mut words: Vec<String> = self.arguments.options(|step| step == Step::Both).filter_map(lenient).collect();
        words.extend(["-x".to_owned(), "cpp-output".to_owned(), unit.text.display().to_string()]);
        Ok(words)
    }

    fn words(&self, is_meant: impl Fn(Step) -> bool) -> Vec<String> {
        self.arguments.options(is_meant).map(str::to_owned).collect()
    }

    /// Compiles the original for its warnings; if these are errors there is no object.
    fn warnings(&self, unit: &Unit<'_>, folder: &Path) -> Result<i32, DriverError> {
        let aside = folder.join("warnings.o");
        let code = run(&self.arguments.compiler, &self.words_for_original(unit, &aside, false))?;
        if code != 0 {
            // It is not there if somebody else was faster, which is as good.
            let _ = fs::remove_file(unit.object);
        }
        Ok(code)
    }

    /// Compiles the original as if there were no Referee.
    fn original(&self, unit: &Unit<'_>, with_dependencies: bool) -> Result<i32, DriverError> {
        run(&self.arguments.compiler, &self.words_for_original(unit, unit.object, with_dependencies))
    }

    fn words_for_original(&self, unit: &Unit<'_>, object: &Path, with_dependencies: bool) -> Vec<String> {
        let is_dependency = |word: &str| word.starts_with("-M") || word.starts_with("-Wp,-M");
        let mut words = Vec::new();
        for argument in &self.arguments.all {
            match argument {
                Argument::Option { step, words: own }
                    if *step != Step::Link && (with_dependencies || !own.iter().any(|word| is_dependency(word))) =>
                {
                    words.extend(own.iter().cloned());
                }
                _ => {}
            }
        }
        if with_dependencies {
            words.extend(self.dependencies(unit));
        }
        let language = if unit.kind == InputKind::C { "c" } else { "cpp-output" };
        words.extend(["-c".to_owned(), "-o".to_owned(), object.display().to_string()]);
        words.extend(["-x".to_owned(), language.to_owned(), unit.path.display().to_string()]);
        words
    }

    /// Finds out whether the mapping is the reason why the edited text was refused, and else does without events.
    fn explain(&self, unit: &Unit<'_>, text: &[u8]) -> Result<i32, DriverError> {
        let mapping = &self.driver.mapping;
        let mut reason = "the compiler refuses the text with events".to_owned();
        if let Some(explained) = instrument(text, mapping, Mode::Explain)? {
            let mut words = self.words_for_text(unit, &explained.text)?;
            words.extend(["-fsyntax-only", "-w", "-fdiagnostics-color=never"].map(str::to_owned));
            let output = capture_plain(&self.arguments.compiler, &words)?;
            match complaint(&String::from_utf8_lossy(&output.stderr), mapping) {
                Some(Complaint::Mapping(error)) => return Err(error.into()),
                Some(Complaint::Other(line)) => reason = line,
                None => {}
            }
        }
        self.fall_back(unit, text, &reason)
    }

    /// Compiles a file without events. If it cannot be compiled at all, its own errors are all that is said.
    fn fall_back(&self, unit: &Unit<'_>, text: &[u8], reason: &str) -> Result<i32, DriverError> {
        let code = self.original(unit, false)?;
        if code != 0 {
            return Ok(code);
        }
        let message = format!("{} has no events: {reason}", unit.path.display());
        if self.driver.strict {
            let _ = fs::remove_file(unit.object);
            return Err(DriverError::Other(message));
        }
        (self.driver.tell)(&format!("warning: {message}"));
        // The object says so, too, if the compiler allows it.
        if let Some(marked) = skipped(text, &self.driver.mapping, reason) {
            let aside = unit.text.with_extension("o");
            let mut words = self.words_for_text(unit, &marked)?;
            words.extend(["-w".to_owned(), "-c".to_owned(), "-o".to_owned(), aside.display().to_string()]);
            if capture(&self.arguments.compiler, &words)?.status.success() {
                fs::copy(&aside, unit.object).map_err(|error| DriverError::file(unit.object, &error))?;
            }
        }
        Ok(0)
    }
}

/// An option under which a warning stays one.
fn lenient(word: &str) -> Option<String> {
    match word {
        "-Werror" => None,
        "-pedantic-errors" => Some("-pedantic".to_owned()),
        _ => Some(word.replace("-Werror=", "-W")),
    }
}
