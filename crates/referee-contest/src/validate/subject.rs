//! The trace of a package: made or found, read strictly, counted and judged, all in one pass.
//!
//! ```text
//!  generator ─▶ bytes in memory, or a pipe ─┐
//!  file of the package ─────────────────────┴─▶ reader ─▶ Batcher ─▶ TracePass: judges of all specifications
//! ```

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Cursor, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_trace::abstraction::TimeNeed;
use referee_trace::event::{EventShape, EventSink};
use referee_trace::format::Format;
use referee_trace::points::Batcher;
use referee_trace::reader::{self, ReadOptions};

use super::checklist::{Check, Effort, Grade};
use super::declared::{Declared, Shown};
use super::judge::{TracePass, read_alike, read_options, worst};
use super::judged::Judged;
use super::specification::{Specification, mapping_of};
use super::types::{BEGINNING, Types};
use super::{program, witness};
use crate::hash::{self, Hasher};
use crate::package::{Expected, Generated, Package, Program, Subject, Trace, TraceSource, Verdict};
use crate::run::elsewhere;
use referee_generate::Order;

/// From how many events on a trace is piped to its reader instead of waiting in memory.
const PIPED: u64 = 100_000;

/// Checks the trace of a package, and its further ones.
pub(super) fn checks(
    package: &Package,
    specifications: &[Specification],
    assumed: Option<&Specification>,
    effort: &Effort,
) -> Vec<Check> {
    let trace = match &package.subject {
        Subject::Trace(trace) => trace,
        Subject::Program(program) => return program_checks(package, program, specifications, effort),
    };
    let first = Case { package, label: String::new(), trace, verdict: &package.verdict, specifications };
    let mut checks = first.checks(effort, true);
    // Of a trace that nobody can read, one complaint is enough.
    let is_read = checks.iter().all(|check| check.name != first.name("trace") || check.grade != Grade::Wrong);
    checks.extend(assumed.filter(|_| is_read).and_then(|assumed| first.keeps(assumed, effort)));
    for further in &package.further {
        let label = format!(" {}", further.name);
        // Its authors' specification is enough for traces that may be very long.
        let first = &specifications[..specifications.len().min(1)];
        let case = Case { package, label, trace: &further.trace, verdict: &further.verdict, specifications: first };
        checks.extend(case.checks(effort, false));
    }
    checks
}

/// Checks the program of a package, and the log of its events.
fn program_checks(
    package: &Package,
    program: &Program,
    specifications: &[Specification],
    effort: &Effort,
) -> Vec<Check> {
    let mut checks = program::checks(package, program);
    match program::log(package, program) {
        Err(reason) => checks.push(Check::wrong("log", reason)),
        Ok(None) => {
            checks.push(Check::doubtful("log", "there is no log of its events to count and judge; name one in `log`"))
        }
        Ok(Some(trace)) => {
            let label = " log".to_owned();
            let case = Case { package, label, trace: &trace, verdict: &package.verdict, specifications };
            checks.extend(case.checks(effort, true));
        }
    }
    checks
}

/// One trace and what is said of it.
struct Case<'a> {
    package: &'a Package,
    /// What follows the name of a check: nothing for the first trace.
    label: String,
    trace: &'a Trace,
    verdict: &'a Verdict,
    specifications: &'a [Specification],
}

/// Where the bytes of a trace come from.
enum Bytes<'a> {
    File(PathBuf),
    Memory(Arc<[u8]>),
    Piped(&'a Generated, Order),
}

impl Case<'_> {
    fn name(&self, check: &str) -> String {
        format!("{check}{}", self.label)
    }

    /// All checks of the trace. One that is too large is made smaller if it is `needed` and can be.
    fn checks(&self, effort: &Effort, needed: bool) -> Vec<Check> {
        let whole = effort.allows(self.trace.events);
        let made_smaller = needed && matches!(self.trace.source, TraceSource::Generated(_));
        if !whole && !made_smaller {
            let text = format!("its {} events are left out; ask for published sizes", self.trace.events);
            return vec![Check::fine(self.name("trace"), text)];
        }
        let judged = self.bytes(if whole { None } else { effort.events }).and_then(|bytes| self.judge(&bytes));
        match judged {
            Err(reason) => vec![Check::wrong(self.name("trace"), reason)],
            Ok(judged) => self.conclude(&judged, whole),
        }
    }

    /// Whether the trace keeps what is assumed; nothing of one that is too large, of which other checks speak.
    fn keeps(&self, assumed: &Specification, effort: &Effort) -> Option<Check> {
        let whole = effort.allows(self.trace.events);
        if !whole && !matches!(self.trace.source, TraceSource::Generated(_)) {
            return None;
        }
        let case = Case { specifications: std::slice::from_ref(assumed), label: self.label.clone(), ..*self };
        let bytes = case.bytes(if whole { None } else { effort.events }).ok()?;
        let status = match case.judge(&bytes) {
            Ok(judged) => judged.statuses.first().copied()?,
            Err(reason) => return Some(Check::wrong(self.name("assumed"), reason)),
        };
        Some(match status {
            Status::Satisfied => Check::fine(self.name("assumed"), "the trace keeps what is assumed"),
            other => Check::wrong(self.name("assumed"), format!("of the trace {} says {other}", assumed.name)),
        })
    }

    fn conclude(&self, judged: &Judged, whole: bool) -> Vec<Check> {
        let events = judged.events();
        let size = if whole { String::new() } else { format!(" instead of {}", self.trace.events) };
        let mut checks = vec![
            Check::fine(self.name("trace"), format!("{} with {events} events{size}", self.trace.format.name())),
            Check::of(self.name("events"), self.events(judged)),
            Check::of(self.name("counts"), self.counts(judged, whole)),
        ];
        if !self.specifications.is_empty() {
            checks.push(Check::of(self.name("verdict"), self.status(judged)));
            if whole {
                let places = witness::places(self.verdict, self.specifications, judged);
                checks.extend(places.map(|result| Check::of(self.name("violation"), result)));
            }
            checks.extend(late(judged).map(|result| Check::of(self.name("late"), result)));
        }
        checks.extend(self.types());
        checks
    }

    /// Whether values are written as their fields are declared; nothing where no type is, or where the trace cannot be read,
    /// of which other checks speak.
    fn types(&self) -> Option<Check> {
        let mut types = Types::new(self.declared());
        if !types.are_declared() {
            return None;
        }
        let bytes = self.bytes(Some(BEGINNING)).ok()?;
        let options = self.options(None).ok()?;
        self.read(&bytes, &options, &mut types).ok()?;
        let result = match types.wrong {
            Some(complaint) => Err(complaint),
            None => Ok(format!("{} values are written as declared", types.seen)),
        };
        Some(Check::of(self.name("types"), result))
    }

    fn declared(&self) -> Declared<'_> {
        Declared { kinds: &self.package.property.events, mapped: self.trace.mapping.is_some() }
    }

    fn events(&self, judged: &Judged) -> Result<String, String> {
        match &judged.stranger {
            Some(reason) => Err(reason.clone()),
            None => Ok("all its events are declared".into()),
        }
    }

    fn counts(&self, judged: &Judged, whole: bool) -> Result<String, String> {
        let count = |name: &String| judged.counts.get(name).copied().unwrap_or(0);
        let said = &self.trace.counts;
        if let Some((name, count)) = judged.counts.iter().find(|(name, _)| !said.contains_key(*name)) {
            return Err(format!("the trace has {count} events `{name}`, of which the counts say nothing"));
        }
        if !whole {
            return Ok(format!("{} kinds of events, as the package says; not counted in full", judged.counts.len()));
        }
        match said.iter().find(|(name, said)| count(name) != **said) {
            Some((name, said)) => {
                Err(format!("the package says {said} events `{name}`, and the trace has {}", count(name)))
            }
            None => Ok(format!("{} events of {} kinds, as the package says", judged.events(), judged.counts.len())),
        }
    }

    fn status(&self, judged: &Judged) -> Result<String, String> {
        let expected = match self.verdict.status {
            Expected::Satisfied => Status::Satisfied,
            Expected::Violated => Status::Violated,
        };
        let mut named = self.specifications.iter().zip(&judged.statuses);
        match named.find(|(_, status)| **status != expected) {
            Some((specification, status)) => {
                Err(format!("the package says {expected}, and {} says {status}", specification.name))
            }
            None => Ok(format!("{expected}, and so says every specification")),
        }
    }

    /// The bytes of the trace; of a generated one, with `most` events at most.
    fn bytes(&self, most: Option<u64>) -> Result<Bytes<'_>, String> {
        match &self.trace.source {
            TraceSource::File(file) => self.hashed(file.clone()),
            TraceSource::Url(url) => self.hashed(elsewhere(self.package, url).map_err(|error| error.to_string())?),
            TraceSource::Generated(generated) => self.generated(generated, most),
        }
    }

    fn hashed(&self, file: PathBuf) -> Result<Bytes<'_>, String> {
        if let Some(said) = &self.trace.sha256 {
            let found = hash::of_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            same_hash(said, &found)?;
        }
        Ok(Bytes::File(file))
    }

    fn generated<'g>(&self, generated: &'g Generated, most: Option<u64>) -> Result<Bytes<'g>, String> {
        let order = order(generated, most)?;
        if let (Some(said), None) = (&self.trace.sha256, most) {
            let mut hashing = Hashing(Hasher::default());
            write(generated, &order, self.trace.format, &mut hashing)?;
            same_hash(said, &hashing.0.finish())?;
        }
        if order.events > PIPED {
            return Ok(Bytes::Piped(generated, order));
        }
        let mut bytes = Vec::new();
        write(generated, &order, self.trace.format, &mut bytes)?;
        Ok(Bytes::Memory(bytes.into()))
    }

    /// One pass for all specifications that read traces alike.
    fn judge(&self, bytes: &Bytes<'_>) -> Result<Judged, String> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, specification) in self.specifications.iter().enumerate() {
            match groups.iter_mut().find(|group| read_alike(&self.specifications[group[0]], specification)) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let count = self.specifications.len();
        let mut judged = Judged {
            counts: BTreeMap::new(),
            points: 0,
            statuses: vec![Status::GaveUp; count],
            found: vec![Vec::new(); count],
            stranger: None,
        };
        if groups.is_empty() {
            groups.push(Vec::new());
        }
        for group in &groups {
            self.pass(bytes, group, &mut judged)?;
        }
        Ok(judged)
    }

    fn pass(&self, bytes: &Bytes<'_>, group: &[usize], judged: &mut Judged) -> Result<(), String> {
        let members = group.iter().map(|&index| (index, &self.specifications[index]));
        let (owners, rules): (Vec<usize>, Vec<Arc<Rule>>) =
            members.flat_map(|(index, one)| one.rules.iter().map(move |rule| (index, rule.clone()))).unzip();
        let mut options = self.options(group.first().map(|&index| &self.specifications[index]))?;
        let needs = group.iter().map(|&index| self.specifications[index].time_need());
        options.meaning.need = needs.fold(TimeNeed::default(), TimeNeed::and);
        let mut batcher = Batcher::new(TracePass::new(&rules));
        self.read(bytes, &options, &mut batcher)?;
        // A pass never has enough.
        let _ = batcher.finish();
        let (amount, last) = (batcher.amount(), batcher.last_point());
        let pass = batcher.sink();
        pass.end(last);
        judged.points = amount.points;
        judged.counts.clear();
        for (shape, count) in pass.shapes().iter().zip(&amount.counts).filter(|(_, count)| **count > 0) {
            *judged.counts.entry(shape.name.to_string()).or_default() += count;
            judged.stranger = judged.stranger.take().or_else(|| self.stranger(&shape));
        }
        for &index in group {
            let own = (0..rules.len()).filter(|rule| owners[*rule] == index);
            judged.statuses[index] = worst(&own.map(|rule| pass.status(rule)).collect::<Vec<_>>());
        }
        for found in std::mem::take(&mut pass.found) {
            judged.found[owners[found.rule]].push((rules[found.rule].clone(), found));
        }
        Ok(())
    }

    /// What is wrong with events of a shape, if anything.
    fn stranger(&self, shape: &EventShape) -> Option<String> {
        let arguments = shape.arguments.iter().map(|argument| &*argument.name).collect();
        self.declared().check(&Shown { name: &shape.name, arguments, positional: shape.positional }).err()
    }

    fn options(&self, specification: Option<&Specification>) -> Result<ReadOptions, String> {
        let mapping = self.trace.mapping.as_deref().map(|name| mapping_of(self.package, name)).transpose()?;
        let format = Some(self.trace.format);
        Ok(match specification {
            Some(specification) => read_options(specification, format, mapping),
            None => {
                let mut options = ReadOptions { format, ..ReadOptions::default() };
                options.meaning.mapping = mapping.unwrap_or_default();
                options
            }
        })
    }

    fn read(&self, bytes: &Bytes<'_>, options: &ReadOptions, sink: &mut impl EventSink) -> Result<(), String> {
        let name = format!("the trace of {}", self.package.id);
        match bytes {
            Bytes::File(file) => reader::read(&[file], options, sink).map(drop).map_err(|error| error.to_string()),
            Bytes::Memory(bytes) => read_from(&name, Cursor::new(bytes.clone()), options, sink),
            Bytes::Piped(generated, order) => {
                let (reader, writer) = io::pipe().map_err(|error| format!("there is no pipe: {error}"))?;
                std::thread::scope(|scope| {
                    let format = self.trace.format;
                    let writing = scope.spawn(move || write(generated, order, format, &mut BufWriter::new(writer)));
                    let read = read_from(&name, reader, options, sink);
                    // A reader that stops early breaks the pipe: what it says comes first.
                    read.and(writing.join().unwrap_or_else(|_| Err("the generator stopped".into())))
                })
            }
        }
    }
}

fn read_from(
    name: &str,
    bytes: impl Read + Send + 'static,
    options: &ReadOptions,
    sink: &mut impl EventSink,
) -> Result<(), String> {
    reader::read_stream(name, bytes, options, sink).map(drop).map_err(|error| error.to_string())
}

fn write(generated: &Generated, order: &Order, format: Format, out: &mut impl Write) -> Result<(), String> {
    let temporary = std::env::temp_dir();
    generated.generator.write(order, format, &mut *out, Some(&temporary)).map_err(|error| error.to_string())?;
    out.flush().map_err(|error| error.to_string())
}

/// What is asked of the generator: as the package has it, or with `most` events, or as few more as the breach needs.
pub(super) fn order(generated: &Generated, most: Option<u64>) -> Result<Order, String> {
    let mut request = generated.request.clone();
    let all = request.events.unwrap_or(generated.generator.events);
    let mut events = most.unwrap_or(all);
    loop {
        request.events = Some(events.min(all));
        match generated.generator.order(&request) {
            Ok(order) => return Ok(order),
            Err(refusal) if events >= all => return Err(refusal.to_string()),
            Err(_) => events = events.saturating_mul(2).max(1),
        }
    }
}

fn same_hash(said: &str, found: &str) -> Result<(), String> {
    match said == found {
        true => Ok(()),
        false => Err(format!("its SHA-256 is {found}, and the package says {said}")),
    }
}

/// Hashes what is written.
struct Hashing(Hasher);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the verdict comes after the first hundredth of the trace; nothing of a short one.
fn late(judged: &Judged) -> Option<Result<String, String>> {
    let decided = judged.found.iter().flatten().map(|(_, found)| found.violation.decided.unwrap_or(judged.points));
    let points = judged.points;
    let decided = decided.min().filter(|_| points >= 100)?;
    Some(match decided.saturating_mul(100) >= points {
        true => Ok(format!("decided by point {decided} of {points}")),
        false => Err(format!("decided by point {decided} of {points}, within the first hundredth: the rest is idle")),
    })
}
