//! The table of languages: what belongs to each, and the way in for callers who name one.
//!
//! A new language is a folder of its own, a name in [`Language`] and an entry of the table below. Names, extensions, the values
//! of `--language`, the explanations of codes and how traces are read follow from these.

use referee_trace::abstraction::TimeField;

pub use crate::compiled::Compiled;
use crate::core::{Language, Rule, Span};
use crate::diagnostic::{Diagnostic, Explanation};
pub use crate::options::Options;
pub use crate::source::Source;
pub use crate::vocabulary::{Argument, EventShape, Vocabulary};
use crate::{foltl, gcl, larva, logfire, lola, mfotl, mop, qea, qtl, ruler, rules, soloist, stl};

/// What belongs to a language.
struct Description {
    /// Which one it is.
    language: Language,
    /// Makes rules of a text.
    compile: fn(&Source, &Options) -> Compiled<Rule>,
    /// Lays a text out, or says what keeps it from that.
    format: fn(&Source) -> Result<String, Vec<Diagnostic>>,
    /// What the codes mean that its compiler reports.
    codes: &'static [&'static [Explanation]],
    /// How its rules read traces.
    traces: Traces,
}

/// How the rules of a language read traces.
struct Traces {
    /// Which field of an event is its time.
    time: TimeField,
    /// Which it is in a trace that the user says is timed.
    time_if_timed: TimeField,
    /// The built-in mapping that is used where none is given.
    mapping: Option<&'static str>,
    /// Whether no two points may have the same time.
    increasing_times: bool,
}

/// For languages that order events and do not measure time.
const ORDERED: Traces =
    Traces { time: TimeField::Ts, time_if_timed: TimeField::Ts, mapping: None, increasing_times: false };

/// For languages that measure time.
const TIMED: Traces = Traces { time: TimeField::Named, time_if_timed: TimeField::Named, ..ORDERED };

/// Every language, in the order of [`Language::ALL`].
static TABLE: [Description; Language::ALL.len()] = [
    Description {
        language: Language::Foltl,
        compile: foltl::compile,
        format: foltl::format,
        codes: &[foltl::CODES],
        traces: ORDERED,
    },
    Description {
        language: Language::Qtl,
        compile: |source, options| qtl::compile(source, options).into_rules(),
        format: qtl::format,
        codes: &[qtl::CODES],
        traces: Traces { time_if_timed: TimeField::LastPositional, ..ORDERED },
    },
    Description {
        language: Language::Mfotl,
        compile: |source, options| mfotl::compile(source, options).into_rules(),
        format: mfotl::format,
        codes: &[mfotl::CODES],
        traces: TIMED,
    },
    Description {
        language: Language::Soloist,
        compile: |source, options| soloist::compile(source, options).into_rules(),
        format: soloist::format,
        codes: &[soloist::CODES],
        traces: Traces { mapping: Some("soloist"), increasing_times: true, ..TIMED },
    },
    Description {
        language: Language::Qea,
        compile: |source, options| qea::compile(source, options).into_rules(),
        format: qea::format,
        codes: &[qea::CODES],
        traces: ORDERED,
    },
    Description {
        language: Language::Mop,
        compile: |source, options| mop::compile(source, options).into_rules(),
        format: mop::format,
        codes: &[mop::CODES],
        traces: ORDERED,
    },
    Description {
        language: Language::Gcl,
        compile: |source, options| gcl::compile(source, options).into_rules(),
        format: gcl::format,
        codes: &[rules::CODES],
        traces: ORDERED,
    },
    Description {
        language: Language::Ruler,
        compile: |source, options| ruler::compile(source, options).into_rules(),
        format: ruler::format,
        codes: &[rules::CODES],
        traces: ORDERED,
    },
    Description {
        language: Language::Logfire,
        compile: |source, options| logfire::compile(source, options).into_rules(),
        format: logfire::format,
        codes: &[rules::CODES],
        traces: ORDERED,
    },
    Description {
        language: Language::Larva,
        compile: |source, options| larva::compile(source, options).into_rules(),
        format: larva::format,
        codes: &[larva::CODES],
        traces: TIMED,
    },
    Description {
        language: Language::Lola,
        compile: |source, options| lola::compile(source, options).into_rules(),
        format: lola::format,
        codes: &[lola::CODES],
        traces: TIMED,
    },
    Description {
        language: Language::Stl,
        compile: |source, options| stl::compile(source, options).into_rules(),
        format: stl::format,
        codes: &[stl::CODES],
        traces: TIMED,
    },
];

// A language without an entry, or in another place, does not compile.
const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].language as usize == at, "the table of languages is in the order of `Language::ALL`");
        at += 1;
    }
};

fn description(language: Language) -> &'static Description {
    &TABLE[language as usize]
}

impl Language {
    /// Which field is the time of an event, for rules of this language; `timed` where the trace is a timed DejaVu trace.
    pub fn time_field(self, timed: bool) -> TimeField {
        let traces = &description(self).traces;
        if timed { traces.time_if_timed } else { traces.time }
    }

    /// The built-in mapping that is used where none is given.
    pub fn built_in_mapping(self) -> Option<&'static str> {
        description(self).traces.mapping
    }

    /// Whether no two points may have the same time.
    pub fn wants_increasing_times(self) -> bool {
        description(self).traces.increasing_times
    }
}

/// How many bytes a specification may have.
pub const MAX_SPECIFICATION: usize = 16 << 20;

/// What is wrong with a specification that is longer.
fn too_long(source: &Source) -> Option<Diagnostic> {
    let message = "the specification has more than 16 MiB";
    let hint = "cut it into several files: `--spec` takes more of them, or a folder";
    (source.text.len() > MAX_SPECIFICATION).then(|| Diagnostic::error("E0005", Span::default(), message).hint(hint))
}

/// Compiles a specification.
pub fn compile(language: Language, source: &Source, options: &Options) -> Compiled<Rule> {
    if let Some(long) = too_long(source) {
        return Compiled { properties: Vec::new(), diagnostics: vec![long] };
    }
    (description(language).compile)(source, options)
}

/// A specification in canonical layout, or the errors that keep it from being laid out.
pub fn format(language: Language, source: &Source) -> Result<String, Vec<Diagnostic>> {
    if let Some(long) = too_long(source) {
        return Err(vec![long]);
    }
    (description(language).format)(source)
}

/// What the codes mean that the languages report, language by language; rule languages share theirs.
pub(crate) fn codes() -> impl Iterator<Item = &'static Explanation> {
    TABLE.iter().flat_map(|description| description.codes.iter().copied().flatten())
}
