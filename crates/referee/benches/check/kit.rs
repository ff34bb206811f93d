//! What the command line asks for, and how works are measured.
//!
//! ```text
//!   round 1   loop  original  writing  writing …
//!   round 2   loop  original  writing  writing …      of each, the least CPU time counts
//! ```
//!
//! What is compared is measured in turn: a machine that is slow for a second is slow for all of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_generate::{Breach, Generator, Request, Values, Verdict};
use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::measure::{self, Run};
use crate::references::{csv_loop, xml_loop};
use crate::traces::{self, Trace};

/// Options of the bench.
pub(crate) struct Kit {
    /// Sections whose title contains it.
    filter: Option<String>,
    /// How many events a trace has.
    pub events: u64,
    timeout: u64,
    repeat: u32,
}

/// A specification and a trace that is judged by it, with these arguments besides.
#[derive(Clone, Copy)]
pub(crate) struct Work<'w> {
    pub specification: &'w Path,
    pub trace: &'w Trace,
    pub more: &'w [&'w str],
}

impl Kit {
    /// `check [SECTION] [--events N] [--timeout S] [--repeat N]`; cargo's own `--bench` is ignored.
    pub(crate) fn new(arguments: &[String]) -> Kit {
        let mut kit = Kit { filter: None, events: 1_000_000, timeout: 10, repeat: 9 };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut number = || rest.next().and_then(|number| number.parse().ok()).expect("a number");
            match argument.as_str() {
                "--events" => kit.events = number(),
                "--timeout" => kit.timeout = number(),
                "--repeat" => kit.repeat = number().try_into().expect("a small number"),
                _ if !argument.starts_with("--") => kit.filter = Some(argument.clone()),
                _ => {}
            }
        }
        kit
    }

    /// Whether a section was asked for.
    pub(crate) fn selects(&self, title: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| title.contains(filter.as_str()))
    }

    /// A request for a trace that is broken by an event in its last thousandth, or a share of them.
    pub(crate) fn request(&self, values: Values) -> Request {
        Request { events: Some(self.events), seed: 1, verdict: Verdict::Violated, values, ..Request::default() }
    }

    /// Works in turn: the least CPU time of several runs of each, without memory.
    pub(crate) fn in_turn(&self, works: &[Work<'_>]) -> Vec<Run> {
        self.in_turn_beside(works, || ())
    }

    /// The same of one, in turn with the loop that its trace's figures refer to, and its peak memory.
    pub(crate) fn beside_loop(&self, work: Work<'_>) -> (Run, (&'static str, Duration)) {
        let bytes = work.trace.bytes();
        let (name, looped): (_, fn(&[u8]) -> u64) = match work.trace.format == Format::Xml {
            true => ("xml loop", |bytes| xml_loop(std::str::from_utf8(bytes).expect("traces are text"))),
            false => ("csv loop", csv_loop),
        };
        let mut least = Duration::MAX;
        let run = self.in_turn_beside(&[work], || least = least.min(measure::cpu_of(|| looped(&bytes)))).remove(0);
        (self.with_peak(work, run), (name, least))
    }

    /// A run with the peak memory of one that reads standard input.
    pub(crate) fn with_peak(&self, work: Work<'_>, run: Run) -> Run {
        if !run.is_finished() {
            return run;
        }
        let arguments = self.arguments(work, Path::new("-"));
        Run { peak: measure::run(&arguments, Some(&work.trace.path)).peak, ..run }
    }

    fn in_turn_beside(&self, works: &[Work<'_>], mut other: impl FnMut()) -> Vec<Run> {
        let mut best: Vec<Option<Run>> = works.iter().map(|_| None).collect();
        for _ in 0..self.repeat.max(1) {
            other();
            for (work, best) in works.iter().zip(&mut best) {
                for _ in 0..runs_a_round(best.as_ref()) {
                    let run = measure::run(&self.arguments(*work, &work.trace.path), None);
                    if best.as_ref().is_none_or(|best| run.cpu < best.cpu) {
                        *best = Some(Run { peak: 0, ..run });
                    }
                }
            }
        }
        best.into_iter().flatten().collect()
    }

    fn arguments(&self, Work { specification, trace, more }: Work<'_>, path: &Path) -> Vec<String> {
        let mut arguments = vec!["check".to_owned(), specification.display().to_string(), path.display().to_string()];
        let timeout = self.timeout.to_string();
        // The figures are those of one core.
        let fixed = ["--threads", "1", "--format", trace.format.name(), "--timeout", &timeout];
        arguments.extend(fixed.map(str::to_owned));
        arguments.extend(trace.timed.then(|| "--timed".to_owned()));
        arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
        arguments
    }
}

/// How often a work is run in a round.
fn runs_a_round(best: Option<&Run>) -> usize {
    match best {
        // What takes seconds is not repeated: its ratio is far from any aim.
        Some(best) if !best.is_finished() || best.cpu > Duration::from_secs(2) => 0,
        // What is over at once differs most from run to run.
        Some(best) if best.cpu < Duration::from_millis(20) => 4,
        _ => 1,
    }
}

/// A generator's trace; where its property is broken once, and by the event itself, the place is known.
pub(crate) fn trace_of(generator: &'static Generator, request: &Request) -> Trace {
    let trace = traces::generated(generator, request, generator.format);
    let known = generator.breach != Breach::Spread && generator.language != Language::Foltl;
    let place = referee_generate::Share::thousandths(999).up(trace.events).max(1);
    Trace { broken: known.then_some(place), ..trace }
}

/// A generator's specification, in a file.
pub(crate) fn specification_of(generator: &Generator) -> PathBuf {
    let name = generator.name.replace(" --", "-");
    let path = traces::folder().join(format!("{name}.{}", generator.language.name()));
    std::fs::write(&path, generator.specification).expect("there is room for a file");
    path
}
