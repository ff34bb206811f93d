//! From the document to the package: the checks of meaning.

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::path::{Component, Path, PathBuf};

use referee_spec::core::Language;
use referee_trace::format::Format;
use referee_trace::mapping::{Mapping, nearest};

use super::document::{
    Benchmark, Expected, GeneratorOptions, GeneratorTable, Program, Property, TraceTable, Track, ValuesName,
    VerdictName,
};
use super::id::camel_case;
use super::model::{DOCUMENTS, Further, Generated, LANGUAGES, Package, Subject, Trace, TraceSource};
use crate::document::{Document, DocumentError, Wrong};
use referee_generate::{Request, Values, Verdict as GeneratedVerdict};

/// The version of the format that this loader reads.
const FORMAT: u32 = 1;

impl Package {
    /// Loads the package in a directory, or the one whose document this is.
    pub fn load(path: &Path) -> Result<Package, DocumentError> {
        let file = document_of(path)?;
        let document: Document<Benchmark> = Document::read(&file)?;
        let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        package(&document.content, directory, &file).map_err(|wrong| document.error(wrong))
    }
}

/// The document that a path means.
fn document_of(path: &Path) -> Result<PathBuf, DocumentError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let found = DOCUMENTS.map(|name| path.join(name)).into_iter().find(|file| file.is_file());
    found.ok_or_else(|| DocumentError {
        file: path.to_owned(),
        place: None,
        message: "no package: it holds neither benchmark.toml nor benchmark.json".into(),
        hint: None,
    })
}

fn package(benchmark: &Benchmark, directory: &Path, file: &Path) -> Result<Package, Wrong> {
    if benchmark.format != FORMAT {
        let message = format!("format {} is unknown, expected {FORMAT}", benchmark.format);
        return Err(Wrong::at("format", message));
    }
    let id = camel_case(&benchmark.name);
    if id.is_empty() {
        return Err(Wrong::at("name", format!("`{}` has no letters to make an identifier of", benchmark.name)));
    }
    if benchmark.domains.is_empty() {
        return Err(Wrong::at("domains", "expected at least one domain").hint("write [\"artificial\"] if nothing fits"));
    }
    check_property(&benchmark.property, benchmark.track, directory)?;
    Ok(Package {
        subject: subject(benchmark, directory)?,
        further: further(benchmark, directory)?,
        directory: directory.to_owned(),
        document: file.to_owned(),
        id,
        name: benchmark.name.clone(),
        track: benchmark.track,
        team: benchmark.team.clone(),
        description: benchmark.description.clone(),
        domains: benchmark.domains.clone(),
        licence: benchmark.licence.clone(),
        origin: benchmark.origin.clone(),
        property: benchmark.property.clone(),
        verdict: benchmark.verdict.clone(),
        clarifications: benchmark.clarifications.clone(),
    })
}

fn check_property(property: &Property, track: Track, directory: &Path) -> Result<(), Wrong> {
    let mut names = HashSet::new();
    for (index, event) in property.events.iter().enumerate() {
        if !names.insert((&event.name, event.fields.len())) {
            return Err(Wrong::at(
                format!("property.events[{index}].name"),
                format!("`{}` is declared twice", event.name),
            ));
        }
    }
    for (index, demonstration) in property.demonstrations.iter().enumerate() {
        let path = format!("property.demonstrations[{index}]");
        match (&demonstration.trace, &demonstration.file) {
            (Some(_), None) => {}
            (None, Some(file)) => inside(directory, file, &format!("{path}.file")).map(drop)?,
            _ => {
                return Err(
                    Wrong::at(path, "expected either `trace` or `file`").hint("the empty trace is trace = \"\"")
                );
            }
        }
    }
    check_formal(property, directory)?;
    check_assumed(property, directory)?;
    for (index, snippet) in property.snippets.iter().enumerate() {
        inside(directory, &snippet.file, &format!("property.snippets[{index}].file"))?;
    }
    match (property.implicit, track) {
        (Some(_), Track::CImplicit) | (None, _) => Ok(()),
        (Some(_), track) => {
            let message = format!("the track is {}, and only c-implicit has implicit properties", track.name());
            Err(Wrong::at("property.implicit", message))
        }
    }
}

fn check_formal(property: &Property, directory: &Path) -> Result<(), Wrong> {
    for (index, formal) in property.formal.iter().enumerate() {
        let path = |key: &str| format!("property.formal[{index}].{key}");
        if !LANGUAGES.contains(&formal.language.as_str()) {
            let message = format!("unknown language `{}`, expected one of {}", formal.language, LANGUAGES.join(", "));
            return Err(with_nearest(Wrong::at(path("language"), message), &formal.language, LANGUAGES));
        }
        if formal.language == "other" && formal.reference.is_none() {
            let wrong = Wrong::at(path("language"), "`other` needs `reference`: where the language is documented");
            return Err(wrong);
        }
        inside(directory, &formal.file, &path("file"))?;
    }
    Ok(())
}

/// Assumptions are judged, so they are in a language that is.
fn check_assumed(property: &Property, directory: &Path) -> Result<(), Wrong> {
    let Some(file) = &property.assumed else { return Ok(()) };
    let found = inside(directory, file, "property.assumed")?;
    let extension = found.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match Language::from_name(extension) {
        Some(_) => Ok(()),
        None => {
            let names: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
            let message = format!("expected a name that ends in one of .{}, found `{file}`", names.join(", ."));
            Err(Wrong::at("property.assumed", message))
        }
    }
}

fn with_nearest<'a>(wrong: Wrong, word: &str, known: impl IntoIterator<Item = &'a str>) -> Wrong {
    match nearest(word, known) {
        Some(name) => wrong.hint(format!("did you mean `{name}`?")),
        None => wrong,
    }
}

/// A file of the package: there, and not outside.
fn inside(directory: &Path, file: &str, path: &str) -> Result<PathBuf, Wrong> {
    let relative = Path::new(file);
    let within = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !within || file.is_empty() {
        let wrong = Wrong::at(path, format!("`{file}` is not inside the package"));
        return Err(wrong.hint("name it relative to the package's directory, without `..`"));
    }
    let found = directory.join(relative);
    match found.exists() {
        true => Ok(found),
        false => Err(Wrong::at(path, format!("`{file}` does not exist in {}", directory.display()))),
    }
}

fn subject(benchmark: &Benchmark, directory: &Path) -> Result<Subject, Wrong> {
    let track = benchmark.track;
    match (&benchmark.trace, &benchmark.program) {
        (Some(trace), None) if !track.is_online() => {
            let table = Table { trace, path: "trace", verdict: benchmark.verdict.status };
            Ok(Subject::Trace(table.read(directory)?))
        }
        (None, Some(program)) if track.is_online() => {
            check_program(program, directory)?;
            Ok(Subject::Program(program.clone()))
        }
        (Some(_), _) if track.is_online() => {
            Err(Wrong::at("trace", format!("the track is {}, which judges a [program]", track.name())))
        }
        (_, Some(_)) => Err(Wrong::at("program", "the track is offline, which judges a [trace]")),
        (_, None) => {
            let table = if track.is_online() { "program" } else { "trace" };
            Err(Wrong::at("track", format!("expected a table [{table}] for the track {}", track.name())))
        }
    }
}

/// The other traces of the property, each with a name of its own.
fn further(benchmark: &Benchmark, directory: &Path) -> Result<Vec<Further>, Wrong> {
    let mut names = HashSet::new();
    let mut found = Vec::new();
    for (index, table) in benchmark.further.iter().enumerate() {
        let path = format!("further[{index}]");
        if benchmark.track.is_online() {
            return Err(Wrong::at(path, format!("the track is {}, which judges a [program]", benchmark.track.name())));
        }
        if table.name.is_empty() || !names.insert(&table.name) {
            let message = format!("expected a name that no other trace has, found `{}`", table.name);
            return Err(Wrong::at(format!("{path}.name"), message));
        }
        let place = Table { trace: &table.trace, path: &format!("{path}.trace"), verdict: table.verdict.status };
        let trace = place.read(directory)?;
        found.push(Further { name: table.name.clone(), trace, verdict: table.verdict.clone() });
    }
    Ok(found)
}

fn check_program(program: &Program, directory: &Path) -> Result<(), Wrong> {
    inside(directory, &program.sources, "program.sources")?;
    if let Some(log) = &program.log {
        inside(directory, log, "program.log")?;
    }
    if let Some(file) = program.instrumentation.as_ref().and_then(|instrumentation| instrumentation.file.as_deref()) {
        inside(directory, file, "program.instrumentation.file")?;
    }
    Ok(())
}

/// A table that describes a trace: where it stands in the document, and the verdict that goes with it.
struct Table<'a> {
    trace: &'a TraceTable,
    path: &'a str,
    verdict: Expected,
}

impl Table<'_> {
    /// Something wrong with one of its keys.
    fn wrong(&self, key: &str, message: impl Into<String>) -> Wrong {
        Wrong::at(self.path_of(key), message)
    }

    fn path_of(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn read(&self, directory: &Path) -> Result<Trace, Wrong> {
        let table = self.trace;
        if let Some(hash) = &table.sha256 {
            self.check_hash(hash)?;
        }
        if let Some(mapping) = &table.mapping
            && !Mapping::built_in_names().any(|name| name == mapping)
        {
            inside(directory, mapping, &self.path_of("mapping"))?;
        }
        Ok(Trace {
            source: self.source(directory)?,
            format: self.format()?,
            sha256: table.sha256.clone(),
            events: table.events,
            counts: table.counts.clone(),
            mapping: table.mapping.clone(),
        })
    }

    fn format(&self) -> Result<Format, Wrong> {
        let name = &self.trace.format;
        Format::from_name(name).ok_or_else(|| {
            let names = Format::ALL.map(Format::name);
            let message = format!("unknown format `{name}`, expected one of {}", names.join(", "));
            with_nearest(self.wrong("format", message), name, names)
        })
    }

    fn check_hash(&self, hash: &str) -> Result<(), Wrong> {
        match hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            true => Ok(()),
            false => Err(self.wrong("sha256", "expected 64 digits of 0-9 and a-f")),
        }
    }

    fn source(&self, directory: &Path) -> Result<TraceSource, Wrong> {
        match (&self.trace.file, &self.trace.url, &self.trace.generator) {
            (Some(file), None, None) => Ok(TraceSource::File(inside(directory, file, &self.path_of("file"))?)),
            (None, Some(url), None) if self.trace.sha256.is_some() => Ok(TraceSource::Url(url.clone())),
            (None, Some(_), None) => {
                Err(self.wrong("url", "a trace from elsewhere needs `sha256`, so that it is the right one"))
            }
            (None, None, Some(generator)) => Ok(TraceSource::Generated(Box::new(self.generated(generator)?))),
            _ => Err(Wrong::at(self.path, "expected exactly one of `file`, `url` and `generator`")),
        }
    }

    /// The generator and what is asked of it, already checked: what loads can be made.
    fn generated(&self, table: &GeneratorTable) -> Result<Generated, Wrong> {
        let found = referee_generate::find(&table.name).ok_or_else(|| {
            let wrong = self.wrong("generator.name", format!("there is no generator called `{}`", table.name));
            with_nearest(wrong, &table.name, referee_generate::all().map(|generator| generator.name))
        })?;
        let request = self.request(table.seed, &table.options)?;
        let refused = |refusal: referee_generate::Refusal| self.wrong("generator", refusal.to_string());
        let generator = found.variant(&request).map_err(refused)?;
        generator.order(&request).map_err(refused)?;
        Ok(Generated { generator, request })
    }

    fn request(&self, seed: u64, options: &GeneratorOptions) -> Result<Request, Wrong> {
        let at = options.at.as_ref().map(|text| text.parse().map_err(|error| self.option_error("at", error)));
        let violations = options.violations.as_ref().map(|text| {
            referee_generate::Share::of_percent(text).map_err(|error| self.option_error("violations", error))
        });
        Ok(Request {
            events: Some(self.trace.events),
            seed,
            verdict: match (options.verdict, self.verdict) {
                (Some(VerdictName::Satisfied), _) | (None, Expected::Satisfied) => GeneratedVerdict::Satisfied,
                (Some(VerdictName::Violated), _) | (None, Expected::Violated) => GeneratedVerdict::Violated,
            },
            values: match options.values {
                Some(ValuesName::Strings) => Values::Strings,
                Some(ValuesName::Integers) | None => Values::Integers,
            },
            at: at.transpose()?,
            timed: options.timed,
            per_point: options.per_point.map(|count| count.get().min(1_000_000)),
            live: options.live.map(NonZeroU64::get),
            violations: violations.transpose()?,
        })
    }

    fn option_error(&self, option: &str, error: String) -> Wrong {
        self.wrong(&format!("generator.options.{option}"), error)
    }
}
