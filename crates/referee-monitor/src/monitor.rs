//! Reads records, makes events of them, lets a session judge them and prints what it finds.
//!
//! ```text
//!   record ─▶ kind (name, arguments: resolved once) ─▶ atoms ─▶ batch ─▶ Session::points ─▶ lines
//!                                                        └────▶ recorder
//! ```
//!
//! A point has one event. What no rule reads is counted and goes no further, as with a file. Cost: a record is decoded in some nanoseconds;
//! judges get batches of some hundred points, so that they fetch rows ahead.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::sync::Arc;

use referee_engine::Settings;
use referee_engine::judge::Wanted;
use referee_engine::session::Session;
use referee_spec::core::{Language, Rule, Status, Violation};
use referee_spec::language::{Options, Source, Vocabulary, compile};
use referee_spec::trace_needs;
use referee_trace::event::{Argument, EventShape};
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Atom;

use crate::configuration::{Configuration, EmbeddedSpecification};
use crate::contexts::Contexts;
use crate::lines::{Closing, Labels, overall};
use crate::recorder::Recorder;
use crate::ring::{DEFINITION, RecordHeader, Ring, TIMED_EVENT, tag};

/// After how many points judges see them.
const BATCH: usize = 512;
/// How many kinds of events the records of one ring may define.
const MOST_KINDS: usize = 1 << 20;
/// The length of a text that was a null pointer, which is shown as `null`.
pub const NULL_TEXT: u64 = u64::MAX;

/// What is known of a kind of events.
#[derive(Clone, Copy)]
struct KindState {
    /// Its shape in the session.
    shape: u32,
    arity: u32,
}

/// What is known of a shape of events.
struct ShapeState {
    is_read: bool,
    count: u64,
}

/// A value of an event that comes without a record.
#[derive(Debug, Clone, Copy)]
pub enum EventValue<'a> {
    /// An integer.
    Integer(i64),
    /// A text.
    Text(&'a str),
}

/// Judges the events of programs that run.
pub struct Monitor {
    configuration: Configuration,
    session: Session,
    sources: Vec<(Source, Vec<usize>)>,
    labels: Vec<Labels>,
    contexts: Contexts,
    kinds: Vec<Option<KindState>>,
    numbers: HashMap<EventShape, u32>,
    shapes: Vec<ShapeState>,
    batch: Points,
    events: u64,
    time: Option<u64>,
    atoms: Vec<Atom>,
    bytes: Vec<u8>,
    line: String,
    out: Box<dyn Write>,
    recorder: Option<Recorder>,
    keeps_all: bool,
    is_violated: bool,
    /// Why nothing more can be judged.
    obstacle: Option<String>,
    /// Whether the writer waits where a violation is found.
    holds: bool,
    /// The parent of a child that has printed nothing yet.
    parent: Option<i32>,
}

/// What a monitor needs from its surroundings.
pub struct Outlets {
    /// Where results go.
    pub results: Box<dyn Write>,
    /// Where the trace goes, and the name that tells its format.
    pub trace: Option<(String, Box<dyn Write>)>,
}

impl Monitor {
    /// Compiles the specifications.
    ///
    /// # Errors
    ///
    /// With what is wrong with one of them, as `check` says it.
    pub fn new(configuration: Configuration, outlets: Outlets) -> Result<Monitor, String> {
        let (rules, sources) = rules_of(&configuration)?;
        let options = &configuration.options;
        let wanted = if options.all { Wanted::All } else { Wanted::First };
        let settings = Settings { wanted, witness: options.witness, ..Settings::default() };
        let session = Session::with(&rules, &settings);
        let keeps_all = options.witness || session.reports_last_point();
        Ok(Monitor {
            session,
            sources,
            labels: rules.iter().map(|rule| Labels::of(rule)).collect(),
            contexts: Contexts::default(),
            kinds: Vec::new(),
            numbers: HashMap::new(),
            shapes: Vec::new(),
            batch: Points::new(1),
            events: 0,
            time: None,
            atoms: Vec::new(),
            bytes: Vec::new(),
            line: String::new(),
            out: outlets.results,
            recorder: outlets.trace.map(|(name, out)| Recorder::new(&name, out)),
            keeps_all,
            is_violated: false,
            obstacle: None,
            holds: false,
            parent: None,
            configuration,
        })
    }

    /// Whether the rules or the options want every point to have a time.
    pub fn is_timed(&self) -> bool {
        let measures = |rule: &Arc<Rule>| rule.needed_times().is_some();
        self.configuration.options.timed || self.session.rules().iter().any(measures)
    }

    /// Whether a violation was told.
    pub fn is_violated(&self) -> bool {
        self.is_violated
    }

    /// Whether nothing that comes can be of interest.
    pub fn is_decided(&self) -> bool {
        let rules = self.session.rules().len();
        rules > 0
            && self.recorder.is_none()
            && !self.configuration.options.events
            && (0..rules).all(|rule| !self.session.is_active(rule))
    }

    /// What was configured.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Something keeps the verdict from being known, unless it is a violation. The first reason counts.
    pub fn hinder(&mut self, reason: &str) {
        if self.obstacle.is_none() {
            self.obstacle = Some(reason.to_owned());
        }
    }

    /// The process is a child that begins with a copy of all this. What waits to be written to a trace is its parent's.
    pub fn become_child(&mut self, parent: i32) {
        std::mem::forget(self.recorder.take());
        self.parent = Some(parent);
    }

    /// Says something that is no result.
    pub fn note(&mut self, text: &str) {
        self.print(&format!("note: {text}\n"));
    }

    /// Judges all records that are there, and frees their room.
    pub fn drain(&mut self, ring: &Ring) {
        let start = ring.tail();
        let mut tail = start;
        while let Some(header) = ring.record(tail) {
            let end = match header.record {
                DEFINITION => self.define(ring, tail, header.kind),
                _ => self.take(ring, tail, header),
            };
            ring.clear(tail, end);
            tail = end;
            if self.batch.len() >= BATCH {
                self.judge();
            }
        }
        if tail != start {
            self.judge();
            if !(self.holds && self.is_violated) {
                ring.set_tail(tail);
            }
        }
    }

    /// Who waits for its event to be judged goes on waiting if that is a violation, until somebody ends it.
    pub fn hold_at_violation(&mut self) {
        self.holds = self.configuration.options.halt;
    }

    /// Judges an event of a kind that was set.
    pub fn happen(&mut self, kind: u32, time: Option<u64>, values: &[EventValue<'_>]) {
        self.atoms.clear();
        for value in values {
            let atom = match value {
                EventValue::Integer(integer) => self.session.integer(*integer),
                EventValue::Text(text) => self.session.passing_text(text),
            };
            self.atoms.push(atom);
        }
        self.event(kind, time);
        self.judge();
    }

    /// Makes a kind of the names that a record has.
    fn define(&mut self, ring: &Ring, at: u64, kind: u32) -> u64 {
        let mut bytes = std::mem::take(&mut self.bytes);
        let end = ring.get_bytes(at + 2, ring.get(at + 1), &mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        self.bytes = bytes;
        let mut names = text.split('\0');
        let name = names.next().unwrap_or_default();
        let names: Vec<&str> = names.collect();
        self.set_kind(kind, name, &names);
        end
    }

    /// Says what a kind means.
    pub fn set_kind(&mut self, kind: u32, name: &str, arguments: &[&str]) {
        let place = kind as usize;
        if place >= MOST_KINDS {
            return self.hinder("the program has too many places with events");
        }
        if self.kinds.len() <= place {
            self.kinds.resize(place + 1, None);
        }
        let shape = self.shape(name, arguments);
        self.kinds[place] = Some(KindState { shape, arity: arguments.len() as u32 });
    }

    fn shape(&mut self, name: &str, arguments: &[&str]) -> u32 {
        let argument = |name: &&str| Argument { name: (*name).into(), declared: None };
        let arguments: Arc<[Argument]> = arguments.iter().map(argument).collect();
        let shape = EventShape { name: name.into(), positional: arguments.len(), arguments };
        if let Some(known) = self.numbers.get(&shape) {
            return *known;
        }
        let number = self.shapes.len() as u32;
        let mut interest = self.session.shape(&shape);
        let is_read = !interest.want.is_none() || interest.steps;
        // The end may speak of the last point, whichever that is.
        self.keeps_all |= self.session.reports_last_point();
        if self.keeps_all {
            interest = interest.or(Interest::all());
        }
        self.contexts.shape(&shape, &interest);
        if let Some(recorder) = &mut self.recorder {
            recorder.shape(ShapeId(number), &shape);
        }
        self.shapes.push(ShapeState { is_read, count: 0 });
        self.numbers.insert(shape, number);
        number
    }

    /// Takes an event; tells where its record ends.
    #[inline]
    fn take(&mut self, ring: &Ring, at: u64, header: RecordHeader) -> u64 {
        let mut next = at + 1;
        let mut time = None;
        if header.record == TIMED_EVENT {
            time = Some(ring.get(next));
            next += 1;
        }
        self.atoms.clear();
        let mut tags = header.tags;
        let mut more = next;
        if header.count > 4 {
            next += (header.count as u64 - 4).div_ceil(16);
        }
        for place in 0..header.count {
            if place >= 4 && (place - 4) % 16 == 0 {
                tags = ring.get(more);
                more += 1;
            }
            let word = ring.get(next);
            next += 1;
            let atom = match (tags & 0xf) as u8 {
                tag::SIGNED => self.session.integer(word.cast_signed()),
                tag::DOUBLE => self.session.passing_text(&f64::from_bits(word).to_string()),
                tag::TEXT if word == NULL_TEXT => self.session.passing_text("null"),
                tag::TEXT => {
                    next = ring.get_bytes(next, word, &mut self.bytes);
                    self.session.passing_text(&String::from_utf8_lossy(&self.bytes))
                }
                tag::BOOLEAN => Atom::boolean(word != 0),
                _ => self.session.identity(word),
            };
            self.atoms.push(atom);
            tags >>= 4;
        }
        self.event(header.kind, time);
        next
    }

    /// An event whose arguments stand in `atoms`.
    #[inline]
    fn event(&mut self, kind: u32, time: Option<u64>) {
        let known = self.kinds.get(kind as usize).copied().flatten();
        let Some(KindState { shape, arity }) = known else {
            return self.hinder("an event came before its name: the memory that the program shares is damaged");
        };
        let shape = if arity as usize == self.atoms.len() { shape } else { self.other_arity(shape) };
        self.events += 1;
        let state = &mut self.shapes[shape as usize];
        state.count += 1;
        let is_read = state.is_read || self.keeps_all;
        let time = time.map(|time| self.number_of(time));
        if self.recorder.is_some() {
            self.record(shape, time.as_ref());
        }
        if is_read {
            self.batch.push_event(ShapeId(shape), self.events, &self.atoms);
            self.batch.end_point(self.events, time);
        }
    }

    /// Another number of arguments than the kind has: they have no names.
    #[cold]
    fn other_arity(&mut self, shape: u32) -> u32 {
        let name = self.session.shapes().get(shape as usize).name;
        let names: Vec<String> = (1..=self.atoms.len()).map(|place| place.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.shape(&name, &names)
    }

    /// Seconds, from nanoseconds; microseconds are kept. Time never goes back, whatever clocks of several cores say.
    fn number_of(&mut self, nanoseconds: u64) -> Number {
        let time = self.time.map_or(nanoseconds, |before| before.max(nanoseconds));
        self.time = Some(time);
        let (seconds, micros) = (time / 1_000_000_000, time / 1000 % 1_000_000);
        let text = format!("{seconds}.{micros:06}");
        Number::parse(&text).unwrap_or(Number::Int(seconds.cast_signed()))
    }

    fn record(&mut self, shape: u32, time: Option<&Number>) {
        let Monitor { recorder: Some(recorder), session, atoms, .. } = self else { return };
        let texts: Vec<_> = atoms.iter().map(|atom| session.values().text(*atom)).collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        recorder.event(self.events, time, ShapeId(shape), &texts);
    }

    /// Lets the judges see what has come, and prints what they find.
    fn judge(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let batch = std::mem::replace(&mut self.batch, Points::new(1));
        let found = self.session.points(&batch);
        // Reports of streams are rows of files that `check` writes.
        drop(self.session.take_reports());
        for finding in found {
            let why = self.session.explain(&finding);
            self.tell(finding.rule, &finding.violation, Some(&batch), &why);
        }
        self.contexts.keep(&batch, self.session.judges());
        self.batch = batch;
        self.batch.clear(1);
        self.session.reclaim_values(|live| self.contexts.mark(live));
    }

    fn tell(&mut self, rule: usize, violation: &Violation, batch: Option<&Points>, why: &[String]) {
        self.is_violated = true;
        let context = self.contexts.of(violation, batch, self.session.shapes(), self.session.values());
        self.line.clear();
        self.labels[rule].push_lines(violation, context, false, why, &mut self.line);
        let line = std::mem::take(&mut self.line);
        self.print(&line);
        self.line = line;
    }

    /// Prints text at once. Nobody can be told where that fails.
    fn print(&mut self, text: &str) {
        if let Some(parent) = self.parent.take() {
            let note = format!("note: what follows is of process {}, a child of {parent}\n", std::process::id());
            let _ = self.out.write_all(note.as_bytes());
        }
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    /// Ends the trace: prints the rest and the verdict.
    pub fn conclude(&mut self) -> Status {
        self.judge();
        let statuses = self.finish();
        let mut status = overall(statuses.iter().copied());
        if let Some(Err(problem)) = self.recorder.take().map(Recorder::finish) {
            self.print(&format!("error: the trace cannot be written: {problem}\n"));
        }
        if let Some(reason) = self.obstacle.clone() {
            self.print(&format!("note: {reason}\n"));
            if status == Status::Satisfied {
                status = Status::GaveUp;
            }
        }
        let mut kinds: BTreeMap<Arc<str>, u64> = BTreeMap::new();
        for (number, state) in self.shapes.iter().enumerate().filter(|(_, state)| state.count > 0) {
            *kinds.entry(self.session.shapes().get(number).name).or_default() += state.count;
        }
        let properties = self.session.rules().iter().map(|rule| &**rule.name()).zip(statuses.iter().copied());
        let closing = Closing {
            pending: None,
            properties: properties.collect(),
            events: self.configuration.options.events.then_some((self.events, &kinds)),
            status,
        };
        let text = closing.to_string();
        self.print(&text);
        status
    }

    /// The verdict on each rule, after all has been told that the end decides.
    fn finish(&mut self) -> Vec<Status> {
        self.session.pass_to(self.events);
        let rules = self.session.rules().len();
        let active: Vec<bool> = (0..rules).map(|rule| self.session.is_active(rule)).collect();
        let outcomes = self.session.end_as(false);
        let mut statuses = Vec::new();
        for (rule, outcome) in outcomes.into_iter().enumerate() {
            let mut status = outcome.status;
            let reports = outcome.violations.into_iter().filter(|_| active[rule]);
            // As `check`: streams tell all.
            let all = self.configuration.options.all || matches!(*self.session.rules()[rule], Rule::Stream(_));
            for violation in reports.take(if all { usize::MAX } else { 1 }) {
                let finding = referee_engine::judge::Finding { rule, violation };
                let why = self.session.explain(&finding);
                self.tell(rule, &finding.violation, None, &why);
                status = Status::Violated;
            }
            if self.session.violations(rule) > 0 {
                status = Status::Violated;
            }
            if let Some(obstacle) = &outcome.obstacle {
                let rule = &self.session.rules()[rule];
                let text = format!(
                    "{}: {status}: {} in `{}` at point {}\n",
                    rule.name(),
                    obstacle.problem,
                    rule.text(obstacle.span),
                    obstacle.point
                );
                self.print(&text);
            }
            statuses.push(status);
        }
        self.look_for_inputs(&mut statuses);
        statuses
    }

    /// A rule that reads what no event carries says nothing of the program.
    fn look_for_inputs(&mut self, statuses: &mut [Status]) {
        let mut vocabulary = Vocabulary::default();
        for (number, _) in self.shapes.iter().enumerate().filter(|(_, state)| state.count > 0) {
            vocabulary.add(&self.session.shapes().get(number));
        }
        let mut text = String::new();
        for (source, rules) in &self.sources {
            for &rule in rules {
                if statuses[rule] == Status::Violated {
                    continue;
                }
                for missing in trace_needs::check_inputs(&self.session.rules()[rule], &vocabulary) {
                    statuses[rule] = Status::GaveUp;
                    text.push_str(&missing.render(source, true));
                    text.push('\n');
                }
            }
        }
        if !text.is_empty() {
            self.print(&text);
        }
    }
}

/// Rules, and the sources with the numbers of theirs.
type CompiledRules = (Vec<Arc<Rule>>, Vec<(Source, Vec<usize>)>);

/// The rules of all specifications.
fn rules_of(configuration: &Configuration) -> Result<CompiledRules, String> {
    let given = &configuration.options;
    let options = Options {
        lenient: given.lenient,
        seen: given.seen,
        full_window: given.full_window,
        vacuous: given.vacuous,
        ..Options::default()
    };
    let mut rules = Vec::new();
    let mut sources = Vec::new();
    for specification in &configuration.specifications {
        let (source, own) = compiled(specification, &options)?;
        let first = rules.len();
        rules.extend(own.into_iter().map(Arc::new));
        sources.push((source, (first..rules.len()).collect()));
    }
    Ok((rules, sources))
}

fn compiled(specification: &EmbeddedSpecification, options: &Options) -> Result<(Source, Vec<Rule>), String> {
    let EmbeddedSpecification { file, language, text } = specification;
    let Some(known) = Language::from_name(language) else {
        return Err(format!("{file}: there is no language `{language}`"));
    };
    let source = Source::new(file.clone(), text.clone());
    let compiled = compile(known, &source, options);
    match compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(error) => Err(error.render(&source, true)),
        None => Ok((source, compiled.properties)),
    }
}
