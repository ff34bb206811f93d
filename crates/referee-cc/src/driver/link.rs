//! The program at the end: one configuration, one run time, and the question whether the mapping fits.

use std::fs;
use std::path::{Path, PathBuf};

use referee_trace::error::TraceError;
use referee_trace::mapping::nearest;

use super::arguments::{Argument, Arguments, InputKind, Step};
use super::error::DriverError;
use super::process::{capture, run};
use super::section::section;
use super::settings::Driver;
use crate::instrument::{MARK, Records};
use crate::mapping::Happening;

impl Driver {
    /// Links; objects stand in for the files that they were made of.
    pub(super) fn link(
        &self,
        arguments: &Arguments,
        objects: &[Option<PathBuf>],
        folder: &Path,
    ) -> Result<i32, DriverError> {
        let mut words = link_words(arguments, objects);
        let is_program = !arguments.links_with("-shared") && !arguments.links_with("-r");
        if !is_program {
            if arguments.links_with("-z defs") || arguments.links_with("--no-undefined") {
                // The program that loads the library brings the run time.
                words.push("-Wl,-z,undefs".to_owned());
            }
            return run(&arguments.compiler, &words);
        }
        if arguments.links_with("-nostdlib") || arguments.links_with("-nodefaultlibs") {
            (self.tell)(
                "note: linked without judging: a program without standard libraries has no room for the run time",
            );
            return run(&arguments.compiler, &words);
        }
        let library = self.runtime_library()?;
        let configuration = self.compile_configuration(arguments, folder)?;
        words.extend(["-x", "none"].map(str::to_owned));
        words.extend([configuration, library].map(|path| path.display().to_string()));
        // What the library of Rust needs, and what libraries that are loaded later look for.
        words.extend(["-lpthread", "-ldl", "-lm", "-Wl,--export-dynamic-symbol=referee_*"].map(str::to_owned));
        let code = run(&arguments.compiler, &words)?;
        if code == 0 {
            let program = arguments.output().map_or_else(|| PathBuf::from("a.out"), Path::to_path_buf);
            self.check_program(arguments, &program).inspect_err(|_| drop(fs::remove_file(&program)))?;
        }
        Ok(code)
    }

    fn compile_configuration(&self, arguments: &Arguments, folder: &Path) -> Result<PathBuf, DriverError> {
        let (source, object) = (folder.join("configuration.c"), folder.join("configuration.o"));
        fs::write(&source, self.configuration_source()).map_err(|error| DriverError::file(&source, &error))?;
        let is_target = |word: &&str| word.starts_with("-m") || word.starts_with("--sysroot") || word.starts_with("-B");
        let mut words: Vec<String> =
            arguments.options(|step| step == Step::Both).filter(is_target).map(str::to_owned).collect();
        words.extend(["-w", "-fPIC", "-c", "-x", "c", "-o"].map(str::to_owned));
        words.extend([object.display().to_string(), source.display().to_string()]);
        let output = capture(&arguments.compiler, &words)?;
        match output.status.success() {
            true => Ok(object),
            false => Err(DriverError::Other(format!(
                "the configuration of the program cannot be compiled: {}",
                String::from_utf8_lossy(&output.stderr).trim_end()
            ))),
        }
    }

    /// Says what of the mapping has no place in the program.
    fn check_program(&self, arguments: &Arguments, program: &Path) -> Result<(), DriverError> {
        let mut records = Records::default();
        let libraries = shared_libraries(arguments);
        for path in std::iter::once(program).chain(libraries.iter().map(PathBuf::as_path)) {
            let Ok(file) = fs::read(path) else { continue };
            if let Some(section) = section(&file, MARK) {
                records.read(section, &self.mapping);
            }
        }
        self.tell_records(&records);
        let is_missing = |number: &usize| {
            let entry = &self.mapping.entries[*number];
            !records.hit.contains(number) && !entry.optional && entry.happening != Happening::Manual
        };
        let missing = (0..self.mapping.entries.len()).filter(is_missing);
        let errors: Vec<TraceError> = missing.map(|number| self.missing(number, &records)).collect();
        if errors.is_empty() { Ok(()) } else { Err(DriverError::Mapping(errors)) }
    }

    fn tell_records(&self, records: &Records) {
        if let Some((file, reason)) = records.skipped.first() {
            let (count, all) = (records.skipped.len(), records.units);
            (self.tell)(&format!(
                "warning: {count} of {all} files of the program have no events, the first is {file}: {reason}"
            ));
        }
        if let Some(file) = records.foreign.first() {
            let count = records.foreign.len();
            let what = if count == 1 { "object was" } else { "objects were" };
            (self.tell)(&format!("warning: {count} {what} compiled with another mapping; build {file} again"));
        }
    }

    fn missing(&self, number: usize, records: &Records) -> TraceError {
        let entry = &self.mapping.entries[number];
        let name = &entry.pattern.name;
        let (message, known) = match (entry.happening, &entry.pattern.object) {
            (Happening::Write, Some(object)) => {
                (format!("the program writes no field `{name}` of `{object}`"), &records.written)
            }
            (Happening::Write, None) => (format!("the program writes no variable `{name}`"), &records.written),
            (Happening::Enter | Happening::Leave, _) => {
                (format!("the program has no function `{name}`"), &records.functions)
            }
            _ => (format!("the program has and calls no function `{name}`"), &records.functions),
        };
        let error = self.mapping.error(entry.pattern.offset, message);
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) if near != name => error.hint(format!("did you mean `{near}`?")),
            _ if records.units == 0 => error.hint("no object of the program was compiled with `referee cc`"),
            _ => error.hint("`optional = true` in the [[event]] lets a program lack it"),
        }
    }
}

/// The words of the user, with objects for the files that were compiled.
fn link_words(arguments: &Arguments, objects: &[Option<PathBuf>]) -> Vec<String> {
    let mut words = Vec::new();
    let mut objects = objects.iter();
    let mut language = None;
    for argument in &arguments.all {
        match argument {
            Argument::Option { step: Step::Preprocess, words: own } if own[0].starts_with("-M") => {}
            Argument::Option { words: own, .. } => words.extend(own.iter().cloned()),
            Argument::Language(named) => {
                language = Some(named.clone());
                words.extend(["-x".to_owned(), named.clone()]);
            }
            Argument::Output(path) => words.extend(["-o".to_owned(), path.display().to_string()]),
            Argument::Input { path, .. } => match objects.next().and_then(Option::as_ref) {
                Some(object) => {
                    let again = language.clone().unwrap_or_else(|| "none".to_owned());
                    words.extend(["-x".to_owned(), "none".to_owned(), object.display().to_string()]);
                    words.extend(["-x".to_owned(), again]);
                }
                None => words.push(path.display().to_string()),
            },
            Argument::CompileOnly => {}
        }
    }
    words
}

/// The libraries among the arguments that are loaded with the program.
fn shared_libraries(arguments: &Arguments) -> Vec<PathBuf> {
    let is_shared = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(".so"));
    let named = arguments.inputs().filter(|(path, kind)| *kind == InputKind::Object && is_shared(path));
    let mut found: Vec<PathBuf> = named.map(|(path, _)| path.to_path_buf()).collect();
    let link: Vec<&str> = arguments.options(|step| step == Step::Link).collect();
    let values = |option: &'static str| {
        let behind = link.iter().enumerate().filter_map(move |(at, word)| match word.strip_prefix(option)? {
            "" => Some(at + 1),
            _ => Some(at),
        });
        behind.filter_map(|at| link.get(at)).map(move |word| word.strip_prefix(option).unwrap_or(word))
    };
    for name in values("-l") {
        let file = format!("lib{name}.so");
        found.extend(values("-L").map(|folder| Path::new(folder).join(&file)).find(|path| path.is_file()));
    }
    found
}
