//! Logs of machine operations, as the STePR team describes them (CRV 2014, 4.3.11–4.3.14): several traces in one file, with
//! failures at known positions.
//!
//! ```text
//!  log                                  a trace begins
//!  group_start  phase_start             a phase: processes init, run and finish, interleaved; all finish before the next
//!    init 7  init 9  run 7  …           in between: start1 and stop, start2 and alarm, counts of errors and cycles
//!  group_end
//! ```
//!
//! The machine obeys all properties except where a failure is injected; each failure is a short sequence of steps that
//! breaks one property, at one step or at each of several, and leaves the rest as it was. Where one place is asked for, a
//! single step there breaks a property of each of the four specifications, and no other step breaks any. All chance comes from a seed, in
//! integers: the same wish gives the same bytes everywhere. Costs one line per event and memory for one phase.

use std::collections::VecDeque;
use std::io::{self, Write};

use referee_spec::core::Language;
use referee_trace::format::Format;
use referee_trace::write::{Entry, Word};

use crate::generator::{Breach, Generator, Sizes};
use crate::order::{Order, Schedule};
use crate::random::{Random, Shuffle};
use crate::request::Values;
use crate::story::{Content, Kind, Row, Story};

/// How many steps, traces and process numbers a log has unless told otherwise.
pub const STEPS: u64 = 1_000_000;
/// See [`STEPS`].
pub const TRACES: u64 = 4;
/// See [`STEPS`].
pub const PROCESSES: u64 = 1_000;

/// A wish for a log.
#[derive(Debug, Clone)]
pub struct MachineLog {
    /// How many steps there are, of all traces together.
    pub steps: u64,
    /// How many traces they are spread over.
    pub traces: u64,
    /// How many process numbers there are.
    pub processes: u64,
    /// One failure in so many steps, on average; none if 0.
    pub failures_every: u64,
    /// The number of the step that breaks all specifications at once. It must not be the first of its trace.
    pub at: Option<u64>,
    /// How processes are called.
    pub values: Values,
    /// Where chance begins.
    pub seed: u64,
}

/// How a log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineFormat {
    /// `step, init = 7, time = 12` per line.
    CsvNamed,
    /// `step,,,,7,,…,12` per line, below a line with the names of the columns.
    Csv,
    /// `<log><event>…</event></log>`
    Xml,
}

impl MachineFormat {
    /// Every way to write a log.
    pub const ALL: [MachineFormat; 3] = [MachineFormat::CsvNamed, MachineFormat::Csv, MachineFormat::Xml];

    /// The trace format that it is.
    pub fn format(self) -> Format {
        match self {
            MachineFormat::CsvNamed => Format::CsvNamed,
            MachineFormat::Csv => Format::Csv,
            MachineFormat::Xml => Format::Xml,
        }
    }
}

/// A property that a step breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// `alarm`, `duration`, `errors`, or `P1` to `P9`.
    pub property: &'static str,
    /// Which trace, from 1.
    pub trace: u64,
    /// Which step of it, from 1.
    pub point: u64,
}

/// What a step says, apart from its time.
#[derive(Debug, Clone, Copy)]
enum Field {
    Flag(&'static str),
    Number(&'static str, u64),
    Counts {
        errors: u64,
        cycles: u64,
    },
    /// Two starts, so that the next step can break something.
    Starts,
    /// A process finishes that never ran, a stop comes late, an alarm early, and there are too many errors.
    Breach {
        process: u64,
    },
    Nothing,
}

/// How far a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Initialised,
    Ran,
}

impl MachineLog {
    /// Writes the log and tells where it fails.
    pub fn write(&self, format: MachineFormat, out: impl Write) -> io::Result<Vec<Failure>> {
        let names = Word::new("process").filter(|_| self.values == Values::Strings);
        let names = names.map(|sort| (sort, Shuffle::new(self.seed, 0)));
        let out = Writer { out, waiting: Vec::with_capacity(2 * FULL), format, column: 0, names };
        let mut machine = Machine::new(self.clone(), Random::new(self.seed), out);
        machine.out.begin()?;
        for trace in 1..=self.traces {
            let before = self.steps * (trace - 1) / self.traces;
            machine.trace(trace, self.steps * trace / self.traces - before)?;
        }
        machine.out.end()?;
        Ok(machine.failures)
    }
}

/// Hears of the steps.
trait Hear {
    fn event(&mut self, name: &str, field: Field, time: Option<u64>) -> io::Result<()>;
}

/// Tells the steps one by one.
struct Machine<H: Hear> {
    out: H,
    random: Random,
    wish: MachineLog,
    trace: u64,
    point: u64,
    /// How many steps the trace will have.
    length: u64,
    /// How many steps there were in all traces.
    steps: u64,
    in_group: bool,
    time: u64,
    /// The processes that have begun and not finished.
    active: Vec<(u64, Progress)>,
    last_start2: Option<u64>,
    last_start1: Option<u64>,
    /// When the group began.
    opened: u64,
    /// How many failures wait for a place at which one can be made.
    due: u64,
    failures: Vec<Failure>,
}

/// The columns of a table, after the event's name.
const COLUMNS: [&str; 14] = [
    "id",
    "group_start",
    "group_end",
    "phase_start",
    "init",
    "run",
    "finish",
    "start1",
    "stop",
    "start2",
    "alarm",
    "error_count",
    "cycle_count",
    "time",
];

/// An error, and one cycle too few for it.
const FEW: (u64, u64) = (1, 49_999);
/// How many steps a group has, and how many of them a phase.
const GROUP: u64 = 4000;
const PHASE: u64 = 900;
/// How many processes are active at a time, at most.
const ACTIVE: usize = 40;

impl<H: Hear> Machine<H> {
    fn new(wish: MachineLog, random: Random, out: H) -> Self {
        Machine {
            out,
            random,
            wish,
            trace: 0,
            point: 0,
            length: 0,
            steps: 0,
            in_group: false,
            time: 0,
            active: Vec::new(),
            last_start2: None,
            last_start1: None,
            opened: 0,
            due: 0,
            failures: Vec::new(),
        }
    }

    fn trace(&mut self, trace: u64, steps: u64) -> io::Result<()> {
        self.begin(trace, steps);
        self.out.event("log", Field::Number("id", trace), None)?;
        while self.point < self.length {
            self.go_on()?;
        }
        Ok(())
    }

    fn begin(&mut self, trace: u64, steps: u64) {
        (self.trace, self.point, self.time) = (trace, 0, self.random.below(1_000_000));
        (self.last_start1, self.last_start2, self.length) = (None, None, steps);
    }

    /// A group, or an idle step where there is no room for one.
    fn go_on(&mut self) -> io::Result<()> {
        if self.length - self.point < 12 {
            return self.step(Field::Nothing);
        }
        self.between_groups()?;
        self.group((self.length - self.point).min(GROUP))
    }

    /// Whether a failure is due; if so, it is made here.
    fn fails(&mut self) -> bool {
        let fails = self.due > 0;
        self.due -= u64::from(fails);
        fails
    }

    fn step(&mut self, field: Field) -> io::Result<()> {
        if self.wish.at.is_some_and(|at| at == self.steps + 2) {
            self.breach()?;
            if self.point >= self.length {
                return Ok(());
            }
            // What was not too early before is too early now.
            if matches!(field, Field::Flag("alarm")) {
                return self.tell(Field::Nothing);
            }
        }
        self.tell(field)
    }

    /// Breaks a property of each specification, with one step and one before it.
    fn breach(&mut self) -> io::Result<()> {
        self.tell(Field::Starts)?;
        self.time += 30_001;
        self.tell(Field::Breach { process: self.wish.processes + 1 })?;
        let outside = (!self.in_group).then_some("P8");
        for property in ["alarm", "duration", "errors", "P6"].into_iter().chain(outside) {
            self.failures.push(Failure { property, trace: self.trace, point: self.point });
        }
        Ok(())
    }

    fn tell(&mut self, field: Field) -> io::Result<()> {
        self.point += 1;
        self.steps += 1;
        let every = self.wish.failures_every;
        self.due += u64::from(every > 0 && self.random.one_in(every));
        self.time += self.random.below(20);
        match field {
            Field::Flag("start1") => self.last_start1 = Some(self.time),
            Field::Flag("start2") => self.last_start2 = Some(self.time),
            Field::Flag("stop") => self.last_start1 = None,
            Field::Flag("group_start") => (self.opened, self.in_group) = (self.time, true),
            Field::Flag("group_end") => self.in_group = false,
            Field::Starts => (self.last_start1, self.last_start2) = (Some(self.time), Some(self.time)),
            Field::Breach { .. } => self.last_start1 = None,
            _ => {}
        }
        self.out.event("step", field, Some(self.time))
    }

    /// A step that breaks a property.
    fn broken(&mut self, property: &'static str, field: Field) -> io::Result<()> {
        self.step(field)?;
        self.failures.push(Failure { property, trace: self.trace, point: self.point });
        Ok(())
    }

    fn process(&mut self) -> u64 {
        self.random.up_to(self.wish.processes)
    }

    /// What can go wrong where no group is open.
    fn between_groups(&mut self) -> io::Result<()> {
        if self.point > 0 && self.fails() {
            match self.random.below(3) {
                // A group that has ended can end again; one that never began cannot.
                0 => {
                    self.broken("P2", Field::Flag("group_end"))?;
                    // Of a group that took too long that is said again.
                    if self.time - self.opened >= 480_000 {
                        self.failures.push(Failure { property: "P9", trace: self.trace, point: self.point });
                    }
                }
                1 => self.broken("P3", Field::Flag("phase_start"))?,
                _ => {
                    let process = self.process();
                    for name in ["init", "run", "finish"] {
                        self.broken("P8", Field::Number(name, process))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, steps: u64) -> io::Result<()> {
        let end = self.point + steps;
        self.step(Field::Flag("group_start"))?;
        if self.fails() {
            self.broken("P1", Field::Flag("group_start"))?;
        }
        while self.point + 10 < end {
            self.phase((self.point + PHASE).min(end - 4))?;
        }
        if self.fails() {
            self.time += 480_000;
            return self.broken("P9", Field::Flag("group_end"));
        }
        self.step(Field::Flag("group_end"))
    }

    fn phase(&mut self, end: u64) -> io::Result<()> {
        self.step(Field::Flag("phase_start"))?;
        // Every active process needs at most two more steps.
        while self.point + 2 * (self.active.len() as u64) + 6 < end {
            match self.random.below(8) {
                0 => self.background()?,
                1 if self.fails() => self.failure()?,
                _ => self.advance(true)?,
            }
        }
        while !self.active.is_empty() {
            self.advance(false)?;
        }
        Ok(())
    }

    /// A process begins, or one that has begun goes on.
    fn advance(&mut self, may_begin: bool) -> io::Result<()> {
        if may_begin && (self.active.is_empty() || (self.active.len() < ACTIVE && self.random.one_in(3))) {
            let process = self.process();
            if self.active.iter().all(|(active, _)| *active != process) {
                self.active.push((process, Progress::Initialised));
                return self.step(Field::Number("init", process));
            }
        }
        let index = self.random.index(self.active.len());
        match self.active.get_mut(index) {
            Some((process, progress @ Progress::Initialised)) => {
                *progress = Progress::Ran;
                let process = *process;
                self.step(Field::Number("run", process))
            }
            Some((process, Progress::Ran)) => {
                let process = *process;
                self.active.swap_remove(index);
                self.step(Field::Number("finish", process))
            }
            None => self.step(Field::Nothing),
        }
    }

    /// A step that has nothing to do with processes.
    fn background(&mut self) -> io::Result<()> {
        match self.random.below(6) {
            0 => self.step(Field::Flag("start1")),
            1 => self.stop(),
            2 => self.step(Field::Flag("start2")),
            3 => self.alarm(),
            4 => {
                let errors = self.random.below(4);
                let cycles = errors * 50_000 + if self.random.one_in(4) { 0 } else { self.random.below(1_000_000) };
                self.step(Field::Counts { errors, cycles })
            }
            _ => self.step(Field::Nothing),
        }
    }

    /// A stop that is not late; a late one would be a failure, so the process that is late is started again first.
    fn stop(&mut self) -> io::Result<()> {
        if self.last_start1.is_some_and(|start| self.time + 20 > start + 30_000) {
            self.step(Field::Flag("start1"))?;
        }
        self.step(Field::Flag("stop"))
    }

    /// An alarm that is not early.
    fn alarm(&mut self) -> io::Result<()> {
        match self.last_start2 {
            Some(start) if self.time < start + 60_000 => self.step(Field::Nothing),
            _ => self.step(Field::Flag("alarm")),
        }
    }

    /// Breaks a property within a phase.
    fn failure(&mut self) -> io::Result<()> {
        let idle = self.idle_process();
        // Failures that take time must not make the group too long.
        let has_time = self.time - self.opened < 300_000;
        match (self.random.below(7), idle) {
            (0 | 1, _) if !has_time => Ok(()),
            (0, _) => {
                self.step(Field::Flag("start2"))?;
                self.time += self.random.below(59_000);
                self.broken("alarm", Field::Flag("alarm"))
            }
            (1, _) => {
                self.step(Field::Flag("start1"))?;
                self.time += 30_001;
                self.broken("duration", Field::Flag("stop"))
            }
            (2, _) => {
                let errors = self.random.up_to(4);
                self.broken("errors", Field::Counts { errors, cycles: errors * 50_000 - 1 })
            }
            (3, _) if !self.active.is_empty() => self.broken("P4", Field::Flag("phase_start")),
            (4, Some(process)) => {
                self.broken("P5", Field::Number("run", process))?;
                self.step(Field::Number("finish", process))
            }
            (5, Some(process)) => self.broken("P6", Field::Number("finish", process)),
            (_, Some(process)) => {
                self.step(Field::Number("init", process))?;
                self.broken("P7", Field::Number("init", process))?;
                self.step(Field::Number("run", process))?;
                self.step(Field::Number("finish", process))
            }
            _ => Ok(()),
        }
    }

    fn idle_process(&mut self) -> Option<u64> {
        let process = self.process();
        self.active.iter().all(|(active, _)| *active != process).then_some(process)
    }
}

/// How many bytes are handed on together.
const FULL: usize = 64 * 1024;

/// Writes events.
struct Writer<W: Write> {
    out: W,
    waiting: Vec<u8>,
    format: MachineFormat,
    /// The next column of a table.
    column: usize,
    /// How processes are called, unless they keep their numbers.
    names: Option<(Word<'static>, Shuffle)>,
}

/// A value of a step.
#[derive(Debug, Clone, Copy)]
enum Value {
    True,
    Number(u64),
    Process(u64),
}

impl<W: Write> Hear for Writer<W> {
    fn event(&mut self, name: &str, field: Field, time: Option<u64>) -> io::Result<()> {
        self.line(name, field, time);
        if self.waiting.len() >= FULL {
            self.out.write_all(&self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }
}

impl<W: Write> Writer<W> {
    fn begin(&mut self) -> io::Result<()> {
        match self.format {
            MachineFormat::CsvNamed => Ok(()),
            MachineFormat::Csv => writeln!(self.waiting, "event,{}", COLUMNS.join(",")),
            MachineFormat::Xml => self.waiting.write_all(b"<log>\n"),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if self.format == MachineFormat::Xml {
            self.put("</log>\n");
        }
        self.out.write_all(&self.waiting)?;
        self.out.flush()
    }

    #[inline]
    fn put(&mut self, text: &str) {
        self.waiting.extend_from_slice(text.as_bytes());
    }

    fn line(&mut self, name: &str, field: Field, time: Option<u64>) {
        let is_xml = self.format == MachineFormat::Xml;
        self.put(if is_xml { "<event><name>" } else { "" });
        self.put(name);
        self.put(if is_xml { "</name>" } else { "" });
        self.column = 0;
        self.content(field);
        if let Some(time) = time {
            self.field("time", Value::Number(time));
        }
        match self.format {
            MachineFormat::CsvNamed => {}
            MachineFormat::Csv => self.skip_to(COLUMNS.len()),
            MachineFormat::Xml => self.put("</event>"),
        }
        self.put("\n");
    }

    /// The fields of a step, in the order of the columns.
    fn content(&mut self, field: Field) {
        match field {
            Field::Flag(field) => self.field(field, Value::True),
            Field::Number(field @ ("init" | "run" | "finish"), process) => self.field(field, Value::Process(process)),
            Field::Number(field, number) => self.field(field, Value::Number(number)),
            Field::Counts { errors, cycles } => {
                self.field("error_count", Value::Number(errors));
                self.field("cycle_count", Value::Number(cycles));
            }
            Field::Starts => {
                self.field("start1", Value::True);
                self.field("start2", Value::True);
            }
            Field::Breach { process } => {
                self.field("finish", Value::Process(process));
                self.field("stop", Value::True);
                self.field("alarm", Value::True);
                self.content(Field::Counts { errors: FEW.0, cycles: FEW.1 });
            }
            Field::Nothing => {}
        }
    }

    /// Leaves columns blank up to this one.
    fn skip_to(&mut self, column: usize) {
        while self.column < column {
            self.waiting.push(b',');
            self.column += 1;
        }
    }

    fn field(&mut self, name: &str, value: Value) {
        match self.format {
            MachineFormat::CsvNamed => {
                self.put(", ");
                self.put(name);
                self.put(" = ");
            }
            MachineFormat::Csv => {
                self.skip_to(COLUMNS.iter().position(|column| *column == name).unwrap_or(COLUMNS.len()));
                self.column += 1;
                self.put(",");
            }
            MachineFormat::Xml => {
                self.put("<field><name>");
                self.put(name);
                self.put("</name><value>");
            }
        }
        self.value(value);
        if self.format == MachineFormat::Xml {
            self.put("</value></field>");
        }
    }

    #[inline]
    fn value(&mut self, value: Value) {
        let entry = match (value, self.names) {
            (Value::True, _) => Entry::Text("true"),
            (Value::Process(process), Some((sort, shuffle))) => Entry::Tagged(sort, shuffle.apply(process)),
            (Value::Number(number) | Value::Process(number), _) => Entry::Integer(number.cast_signed()),
        };
        entry.append_to(&mut self.waiting);
    }
}

/// The four properties of the team, each as a generator: one trace, one step of which breaks all of them.
///
/// The machine tells a group of steps at a time, which wait here until they are asked for.
pub(crate) const ALL: &[Generator] = &[
    Generator {
        name: "stepr-alarm",
        about: "No alarm within 60 seconds after the second operation has started",
        specification: specification!("stepr-alarm.lola"),
        ..COMMON
    },
    Generator {
        name: "stepr-duration",
        about: "A stop comes at most 30 seconds after the start that it ends",
        specification: specification!("stepr-duration.lola"),
        ..COMMON
    },
    Generator {
        name: "stepr-errors",
        about: "No more errors than two in a hundred thousand cycles",
        specification: specification!("stepr-errors.lola"),
        ..COMMON
    },
    Generator {
        name: "stepr-order",
        about: "Groups, phases and processes come in order",
        specification: specification!("stepr-order.lola"),
        ..COMMON
    },
];

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Lola,
    specification: "",
    events: 100_000,
    sizes: Sizes::ANY,
    format: Format::CsvNamed,
    times: false,
    kinds: STEPS_KINDS,
    breach: Breach::Once { before: 1, after: 0 },
    timed: None,
    story: steps,
};

const TIME: (&str, Content) = ("time", Content::Quantity);

const TRUE: Content = Content::Word(&["false", "true"]);

macro_rules! flag {
    ($($name:literal),+) => {
        Kind { name: "step", fields: &[$(($name, TRUE),)+ TIME] }
    };
}

macro_rules! process {
    ($name:literal) => {
        Kind { name: "step", fields: &[($name, Content::Identity("process")), TIME] }
    };
}

const ERRORS: (&str, Content) = ("error_count", Content::Quantity);
const CYCLES: (&str, Content) = ("cycle_count", Content::Quantity);

/// Steps say different things, so each form of a step is a kind of its own.
const STEPS_KINDS: &[Kind] = &[
    Kind { name: "step", fields: &[TIME] },
    flag!("group_start"),
    flag!("group_end"),
    flag!("phase_start"),
    flag!("start1"),
    flag!("stop"),
    flag!("start2"),
    flag!("alarm"),
    process!("init"),
    process!("run"),
    process!("finish"),
    Kind { name: "step", fields: &[ERRORS, CYCLES, TIME] },
    flag!("start1", "start2"),
    Kind {
        name: "step",
        fields: &[("finish", Content::Identity("process")), ("stop", TRUE), ("alarm", TRUE), ERRORS, CYCLES, TIME],
    },
];
const IDLE: usize = 0;
const COUNTS: usize = 11;
const STARTS: usize = 12;
const BREACH: usize = 13;

/// The kind of a step with this field: a table, as every step asks for it.
fn kind_of(field: &str) -> usize {
    match field {
        "group_start" => 1,
        "group_end" => 2,
        "phase_start" => 3,
        "start1" => 4,
        "stop" => 5,
        "start2" => 6,
        "alarm" => 7,
        "init" => 8,
        "run" => 9,
        "finish" => 10,
        _ => IDLE,
    }
}

/// Steps that wait to be told.
#[derive(Default)]
struct Waiting(VecDeque<Row>);

impl Hear for Waiting {
    fn event(&mut self, _: &str, field: Field, time: Option<u64>) -> io::Result<()> {
        let time = time.unwrap_or_default();
        self.0.push_back(match field {
            Field::Flag(name) => Row::new(kind_of(name), [1, time]),
            Field::Number(name, process) => Row::new(kind_of(name), [process, time]),
            Field::Counts { errors, cycles } => Row::new(COUNTS, [errors, cycles, time]),
            Field::Starts => Row::new(STARTS, [1, 1, time]),
            Field::Breach { process } => Row::new(BREACH, [process, 1, 1, FEW.0, FEW.1, time]),
            Field::Nothing => Row::new(IDLE, [time]),
        });
        Ok(())
    }
}

struct Steps(Machine<Waiting>);

fn steps(order: &Order, random: Random) -> Box<dyn Story> {
    let at = match order.schedule {
        Schedule::Once { last, .. } => Some(last),
        Schedule::Never | Schedule::Spread(_) => None,
    };
    let wish = MachineLog {
        steps: order.events,
        traces: 1,
        processes: PROCESSES.min(order.events.max(1)),
        failures_every: 0,
        at,
        values: order.values,
        seed: order.seed,
    };
    let mut machine = Machine::new(wish, random, Waiting::default());
    machine.begin(1, order.events);
    Box::new(Steps(machine))
}

impl Steps {
    fn next(&mut self) -> Row {
        if self.0.out.0.is_empty() && self.0.point < self.0.length {
            // Nothing is written, so nothing fails.
            let _ = self.0.go_on();
        }
        self.0.out.0.pop_front().unwrap_or(Row::new(IDLE, [self.0.time]))
    }
}

impl Story for Steps {
    fn obey(&mut self, _: u64) -> Row {
        self.next()
    }

    /// The machine itself knows where it breaks.
    fn breach(&mut self, _: u64) -> Row {
        self.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_first_field() {
        for (index, kind) in STEPS_KINDS.iter().enumerate().filter(|(index, _)| (1..COUNTS).contains(index)) {
            assert_eq!(kind_of(kind.fields[0].0), index);
        }
    }
}
