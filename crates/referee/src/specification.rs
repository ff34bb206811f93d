//! Specifications that a command reads: files, folders of files, and their languages.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use referee_spec::core::{Language, Rule};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{self, Argument, EventShape, MAX_SPECIFICATION, Options, Source, Vocabulary};
use referee_spec::trace_needs;
use referee_trace::abstraction::TimeNeed;
use referee_trace::event;
use referee_trace::signature::Signature;

use crate::failure::Failure;
use crate::streams::tell;

/// A specification's text and language.
pub(crate) struct Specification {
    /// The text.
    pub source: Source,
    /// The language.
    pub language: Language,
}

impl Specification {
    /// Reads a specification, or all in a folder; `-` is standard input.
    pub(crate) fn load(path: &Path, language: Option<Language>) -> Result<Vec<Specification>, Failure> {
        if path.is_dir() {
            return Specification::load_folder(path, language);
        }
        let text = read_text(path)?;
        let language = match language.or_else(|| language_of(path)) {
            Some(language) => language,
            None => return Err(unknown_language(path)),
        };
        Ok(vec![Specification { source: Source::new(path.display().to_string(), text), language }])
    }

    fn load_folder(folder: &Path, language: Option<Language>) -> Result<Vec<Specification>, Failure> {
        let unreadable = |error| Failure::Other(format!("{}: the folder cannot be read: {error}", folder.display()));
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            files.push(entry.map_err(unreadable)?.path());
        }
        files.retain(|file| file.is_file() && language_of(file).is_some());
        files.sort();
        if files.is_empty() {
            let hint = format!("specifications end in {}", extensions());
            return Err(Failure::Other(format!(
                "{}: no specification in this folder\n  hint: {hint}",
                folder.display()
            )));
        }
        let mut all = Vec::new();
        for file in files {
            all.extend(Specification::load(&file, language)?);
        }
        Ok(all)
    }

    /// Which points must have a time, as a rule of the specification measures it.
    pub(crate) fn time_need(&self, rule: &Rule) -> TimeNeed {
        trace_needs::time_need(rule, &self.source)
    }

    /// Compiles the specification; what was found wrong is printed, and errors end the command.
    pub(crate) fn compile(&self, options: &Options) -> Result<Vec<Rule>, Failure> {
        Ok(self.compile_and_keep(options)?.0)
    }

    /// The same, also with what was found doubtful.
    pub(crate) fn compile_and_keep(&self, options: &Options) -> Result<(Vec<Rule>, Vec<Diagnostic>), Failure> {
        let compiled = language::compile(self.language, &self.source, options);
        self.report(&compiled.diagnostics)?;
        Ok((compiled.properties, compiled.diagnostics))
    }

    /// Prints errors and lints; errors end the command.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic]) -> Result<(), Failure> {
        for diagnostic in diagnostics {
            tell!("{}", diagnostic.render(&self.source, true));
        }
        match diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            Some(error) => Err(self.failure(error)),
            None => Ok(()),
        }
    }

    fn failure(&self, error: &Diagnostic) -> Failure {
        let (line, column) = self.source.line_column(error.span);
        Failure::Specification {
            message: error.message.clone(),
            file: self.source.name.clone(),
            line: line as u64,
            column: column as u64,
        }
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let unreadable = |error| Failure::Other(format!("{}: the specification cannot be read: {error}", path.display()));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut text = String::new();
    // One byte more than a specification may have, so that the compiler notices.
    input.take(MAX_SPECIFICATION as u64 + 1).read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// The language that a file's extension names.
pub(crate) fn language_of(path: &Path) -> Option<Language> {
    Language::from_name(&path.extension()?.to_str()?.to_ascii_lowercase())
}

fn names() -> Vec<&'static str> {
    Language::ALL.iter().map(|language| language.name()).collect()
}

/// `.foltl, .qtl or .mfotl`
fn extensions() -> String {
    let all: Vec<String> = names().iter().map(|name| format!(".{name}")).collect();
    match all.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => all.concat(),
    }
}

fn unknown_language(path: &Path) -> Failure {
    let names = names().join(", ");
    let path = path.display();
    Failure::Other(format!(
        "{path}: the name of the specification does not tell its language\n  hint: add --language with one of {names}"
    ))
}

/// A signature as the front ends see it.
pub(crate) fn vocabulary(signature: &Signature) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for declaration in signature.declarations() {
        let argument =
            |argument: &event::Argument| Argument { name: Some((*argument.name).into()), declared: argument.declared };
        let arguments = declaration.arguments.iter().map(argument).collect();
        vocabulary.events.entry((*declaration.name).into()).or_default().push(EventShape { arguments });
    }
    vocabulary
}
