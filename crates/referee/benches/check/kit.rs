//! What the command line asks for, and how a work is measured.

use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_contest::generate::{Breach, Generator, Request, Values, Verdict};
use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::measure::{self, Run};
use crate::references::{csv_loop, xml_loop};
use crate::traces::{self, Trace};

/// Options of the bench.
pub struct Kit {
    /// Sections whose title contains it.
    filter: Option<String>,
    /// How many events a trace has.
    pub events: u64,
    timeout: u64,
    repeat: u32,
}

impl Kit {
    /// `check [SECTION] [--events N] [--timeout S] [--repeat N]`; cargo's own `--bench` is ignored.
    pub fn new(arguments: &[String]) -> Kit {
        let mut kit = Kit { filter: None, events: 1_000_000, timeout: 10, repeat: 5 };
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
    pub fn selects(&self, title: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| title.contains(filter.as_str()))
    }

    /// A request for a trace that is broken by an event in its last thousandth, or a share of them.
    pub fn request(&self, values: Values) -> Request {
        Request { events: Some(self.events), seed: 1, verdict: Verdict::Violated, values, ..Request::default() }
    }

    /// The least CPU time of several runs, and the peak memory of one that reads standard input.
    pub fn check(&self, specification: &Path, trace: &Trace, more: &[&str]) -> Run {
        let mut run = self.check_quickly(specification, trace, more);
        if run.is_finished() {
            let arguments = self.arguments(specification, Path::new("-"), trace, more);
            run.peak = measure::run(&arguments, Some(&trace.path)).peak;
        }
        run
    }

    /// The same without memory.
    pub fn check_quickly(&self, specification: &Path, trace: &Trace, more: &[&str]) -> Run {
        let arguments = self.arguments(specification, &trace.path, trace, more);
        let mut best = measure::run(&arguments, None);
        for _ in 1..self.repeat {
            // What takes seconds is not repeated: its ratio is far from any aim.
            if !best.is_finished() || best.cpu > Duration::from_secs(2) {
                break;
            }
            let run = measure::run(&arguments, None);
            if run.cpu < best.cpu {
                best = run;
            }
        }
        Run { peak: 0, ..best }
    }

    fn arguments(&self, specification: &Path, path: &Path, trace: &Trace, more: &[&str]) -> Vec<String> {
        let mut arguments = vec!["check".to_owned(), specification.display().to_string(), path.display().to_string()];
        let timeout = self.timeout.to_string();
        // The figures are those of one core.
        let fixed = ["--threads", "1", "--format", trace.format.name(), "--timeout", &timeout];
        arguments.extend(fixed.map(str::to_owned));
        arguments.extend(trace.timed.then(|| "--timed".to_owned()));
        arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
        arguments
    }

    /// The CPU time of the loop that a trace's figures refer to, in this process on the same bytes.
    pub fn reference(&self, trace: &Trace) -> (&'static str, Duration) {
        let bytes = trace.bytes();
        let repeat = self.repeat.max(3);
        match trace.format {
            Format::Xml => {
                let text = std::str::from_utf8(&bytes).expect("traces are text");
                ("xml loop", measure::least(repeat, || xml_loop(text)))
            }
            _ => ("csv loop", measure::least(repeat, || csv_loop(&bytes))),
        }
    }
}

/// A generator's trace; where its property is broken once, and by the event itself, the place is known.
pub fn trace_of(generator: &'static Generator, request: &Request) -> Trace {
    let trace = traces::generated(generator, request, generator.format);
    let known = generator.breach != Breach::Spread && generator.language != Language::Foltl;
    let place = referee_contest::generate::Share::thousandths(999).up(trace.events).max(1);
    Trace { broken: known.then_some(place), ..trace }
}

/// A generator's specification, in a file.
pub fn specification_of(generator: &Generator) -> PathBuf {
    let name = generator.name.replace(" --", "-");
    let path = traces::folder().join(format!("{name}.{}", generator.language.name()));
    std::fs::write(&path, generator.specification).expect("there is room for a file");
    path
}
