//! What a session is made of: specifications and options as C gives them, and the rules that they become.

use std::ffi::{CStr, c_char};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use referee_engine::Settings;
use referee_engine::judge::Wanted;
use referee_spec::core::{Language, Rule};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{MAX_SPECIFICATION, Options, Source, compile};
use referee_spec::lint;
use referee_spec::trace_needs::time_need;
use referee_trace::abstraction::NeededTimes;
use referee_trace::mapping::Unit;

use crate::failure::{Failure, REFEREE_ERROR_FILE, REFEREE_ERROR_OPTION, REFEREE_ERROR_SPECIFICATION};

/// All violations are findings. Without it the first of each rule is, and of streams all.
pub const REFEREE_ALL: u32 = 1;
/// The first violation of each rule is a finding, also of streams.
pub const REFEREE_FIRST: u32 = 2;
/// The trace may go on after the end: what is open there is pending and not violated.
pub const REFEREE_PREFIX: u32 = 4;
/// Every point must have a time.
pub const REFEREE_TIMED: u32 = 8;
/// Findings have witness lines, which say why. All that the rules can see of the trace is then kept.
pub const REFEREE_WITNESS: u32 = 16;
/// Every rule has a judge of its own, so that a saved state can be loaded with other rules beside it.
pub const REFEREE_SEPARATE: u32 = 32;
/// FO-LTL: binary operators may be mixed without parentheses.
pub const REFEREE_LENIENT: u32 = 64;
/// DejaVu: quantifiers range over the values seen so far.
pub const REFEREE_SEEN: u32 = 128;
/// SOLOIST: a modality is false as long as less than its window has passed.
pub const REFEREE_FULL_WINDOW: u32 = 256;
/// SOLOIST: a distance without a pair is true.
pub const REFEREE_VACUOUS: u32 = 512;

/// Every flag that there is.
const FLAGS: u32 = 1023;

/// A specification: a text, or a file where the text is null.
#[repr(C)]
pub struct GivenSpecification {
    /// The name of the file. Errors name it, and its extension is the language where none is given. Null for a text without a file.
    pub file: *const c_char,
    /// `foltl`, `qtl`, `mfotl`, `soloist`, `qea`, `mop`, `gcl`, `ruler`, `logfire`, `larva`, `lola` or `stl`; null to take the file's extension.
    pub language: *const c_char,
    /// The text, which ends with NUL; null to read the file.
    pub text: *const c_char,
}

/// What a session is to do. All zero is what is usual.
#[repr(C)]
pub struct GivenOptions {
    /// `REFEREE_ALL`, `REFEREE_PREFIX` and their like, joined with `|`.
    pub flags: u32,
    /// Must be 0.
    pub reserved: u32,
    /// The unit of the times that are handed over: `ns`, `us`, `ms`, `s`, `m`, `h` or `d`, null for `s`. Lengths such as `30s` in rules are
    /// counted in it.
    pub unit: *const c_char,
}

/// What a session needs to begin.
pub(crate) struct Setup {
    /// The rules of all specifications.
    pub(crate) rules: Vec<Arc<Rule>>,
    /// The specification of each rule.
    pub(crate) sources: Vec<Source>,
    /// For the engine.
    pub(crate) settings: Settings,
    /// Whether only the first violation of a stream is wanted, too.
    pub(crate) first: bool,
    /// Why every point must have a time, if it must.
    pub(crate) needs_time: Option<String>,
    /// What is doubtful.
    pub(crate) warnings: Vec<String>,
}

impl Setup {
    /// Reads and compiles.
    ///
    /// # Safety
    ///
    /// The texts must end with NUL.
    pub(crate) unsafe fn new(
        specifications: &[GivenSpecification],
        options: Option<&GivenOptions>,
    ) -> Result<Setup, Failure> {
        // SAFETY: the caller vouches for texts.
        let unit = options.map_or(Ok(None), |options| unsafe { optional(options.unit, "unit") })?;
        let (flags, unit) = (flags_of(options)?, unit_of(unit)?);
        let has = |flag: u32| flags & flag != 0;
        let compiling = Options {
            lenient: has(REFEREE_LENIENT),
            seen: has(REFEREE_SEEN),
            full_window: has(REFEREE_FULL_WINDOW),
            vacuous: has(REFEREE_VACUOUS),
            unit,
            ..Options::default()
        };
        let settings = Settings {
            wanted: if has(REFEREE_ALL) { Wanted::All } else { Wanted::First },
            prefix: has(REFEREE_PREFIX),
            witness: has(REFEREE_WITNESS),
            separate: has(REFEREE_SEPARATE),
            ..Settings::default()
        };
        let mut setup = Setup {
            rules: Vec::new(),
            sources: Vec::new(),
            settings,
            first: has(REFEREE_FIRST),
            needs_time: has(REFEREE_TIMED).then(|| "the option REFEREE_TIMED asks for one".to_owned()),
            warnings: Vec::new(),
        };
        for (number, specification) in specifications.iter().enumerate() {
            // SAFETY: the caller vouches for texts.
            let (language, source) = unsafe { specification.load(number) }?;
            setup.add(language, &source, &compiling)?;
        }
        Ok(setup)
    }

    fn add(&mut self, language: Language, source: &Source, options: &Options) -> Result<(), Failure> {
        let compiled = compile(language, source, options);
        if let Some(error) = compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            return Err(refused(error, &compiled.diagnostics, source));
        }
        self.warn(&compiled.diagnostics, source);
        for rule in compiled.properties {
            let lints: Vec<Diagnostic> = lint::lint(&rule, None);
            self.warn(&lints, source);
            self.needs_time = self.needs_time.take().or_else(|| why_timed(&rule, source));
            if let Rule::Stream(program) = &rule
                && !program.reports.is_empty()
            {
                let name = rule.name();
                self.warnings.push(format!("{name}: reports are written by `referee check` alone; here they are not"));
            }
            self.sources.push(source.clone());
            self.rules.push(Arc::new(rule));
        }
        Ok(())
    }

    fn warn(&mut self, diagnostics: &[Diagnostic], source: &Source) {
        let warnings = diagnostics.iter().filter(|diagnostic| diagnostic.code != GROWING_TABLE);
        self.warnings.extend(warnings.map(|diagnostic| {
            let (line, column) = source.line_column(diagnostic.span);
            format!("{}:{line}:{column}: {}: {}", source.name, diagnostic.code, diagnostic.message)
        }));
    }
}

/// The lint that `explain` tells: what grows is no mistake, and true of many good rules.
const GROWING_TABLE: &str = "L0005";

/// Why a rule cannot be judged on points without times. A point without one has that of the point before in traces, but a session
/// takes times on all points or on none.
fn why_timed(rule: &Rule, source: &Source) -> Option<String> {
    let need = time_need(rule, source);
    let is_needed = matches!(need.times, NeededTimes::All | NeededTimes::First);
    is_needed.then(|| format!("the rule `{}` measures time at {}", rule.name(), need.place))
}

fn flags_of(options: Option<&GivenOptions>) -> Result<u32, Failure> {
    let Some(options) = options else { return Ok(0) };
    let refuse = |message: String| Err(Failure::new(REFEREE_ERROR_OPTION, message));
    match options.flags {
        _ if options.reserved != 0 => {
            refuse("`reserved` of the options is not 0; begin with all of them zero".to_owned())
        }
        flags if flags & !FLAGS != 0 => refuse(format!("there is no option {:#x}", flags & !FLAGS)),
        flags if flags & REFEREE_ALL != 0 && flags & REFEREE_FIRST != 0 => {
            refuse("REFEREE_ALL and REFEREE_FIRST exclude each other".to_owned())
        }
        flags => Ok(flags),
    }
}

fn unit_of(sign: Option<&str>) -> Result<Unit, Failure> {
    let Some(sign) = sign else { return Ok(Unit::default()) };
    let unknown = || {
        let signs: Vec<&str> = Unit::ALL.iter().map(|unit| unit.sign()).collect();
        Failure::new(REFEREE_ERROR_OPTION, format!("`{sign}` is no unit of time; take one of {}", signs.join(", ")))
    };
    Unit::from_sign(sign).ok_or_else(unknown)
}

/// A text that C hands over, if it does.
///
/// # Safety
///
/// It must end with NUL and stay as it is.
pub(crate) unsafe fn optional<'t>(text: *const c_char, what: &str) -> Result<Option<&'t str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, and the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| Failure::new(REFEREE_ERROR_OPTION, format!("`{what}` is no text in UTF-8")))
}

impl GivenSpecification {
    /// The language and the text; `number` counts specifications from 0.
    ///
    /// # Safety
    ///
    /// The texts must end with NUL.
    unsafe fn load(&self, number: usize) -> Result<(Language, Source), Failure> {
        // SAFETY: the caller vouches for texts.
        let (file, language, text) = unsafe {
            (optional(self.file, "file")?, optional(self.language, "language")?, optional(self.text, "text")?)
        };
        let name = file.map_or_else(|| format!("specification {}", number + 1), str::to_owned);
        let extension = file.and_then(|file| file.rsplit(['/', '\\']).next()?.rsplit_once('.'));
        let chosen = language.or(extension.map(|(_, extension)| extension));
        let found = chosen.and_then(|language| Language::from_name(&language.to_ascii_lowercase()));
        let Some(found) = found else { return Err(unknown_language(&name, language)) };
        let text = match (text, file) {
            (Some(text), _) => text.to_owned(),
            (None, Some(file)) => read(file)?,
            (None, None) => {
                let message = format!("{name} has neither a file nor a text");
                return Err(Failure::new(REFEREE_ERROR_SPECIFICATION, message));
            }
        };
        Ok((found, Source::new(name, text)))
    }
}

fn unknown_language(name: &str, given: Option<&str>) -> Failure {
    let names: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
    let message = match given {
        Some(given) => format!("{name}: there is no language `{given}`; take one of {}", names.join(", ")),
        None => format!("{name}: the name does not tell the language; give one of {}", names.join(", ")),
    };
    Failure { place: Some((name.to_owned(), 0, 0)), ..Failure::new(REFEREE_ERROR_SPECIFICATION, message) }
}

fn read(file: &str) -> Result<String, Failure> {
    let mut text = String::new();
    // One byte more than a specification may have, so that the compiler notices.
    let read = File::open(file).and_then(|open| open.take(MAX_SPECIFICATION as u64 + 1).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(error) => {
            let message = format!("{file}: the specification cannot be read: {error}");
            let place = Some((file.to_owned(), 0, 0));
            Err(Failure { place, ..Failure::new(REFEREE_ERROR_FILE, message) })
        }
    }
}

/// The first error, with its place; the details show all of them.
fn refused(error: &Diagnostic, all: &[Diagnostic], source: &Source) -> Failure {
    let (line, column) = source.line_column(error.span);
    let shown: Vec<String> = all.iter().filter(|each| each.is_error()).map(|each| each.render(source, false)).collect();
    Failure {
        code: REFEREE_ERROR_SPECIFICATION,
        message: error.message.clone(),
        details: Some(shown.join("\n")),
        place: Some((source.name.clone(), line as u64, column as u64)),
    }
}
