//! The step-by-step interface to machines: for programs that judge their own events, and for going on where another one stopped.
//!
//! ```text
//!   MachineMonitor::new(machine) ─▶ kind(name, arguments) ─▶ step(events)* ─▶ end()
//!                                                             ├▶ violations, each when it is decided
//!                                                             └▶ rule_state(): the verdict if the trace ended here
//!                       snapshot ─▶ bytes ─▶ restore          between any two steps
//! ```
//!
//! A snapshot holds the values themselves, the kinds by name, and for each instance what its automaton, its grammar or its string has come to;
//! of DATEs, the contexts with their variables and clocks; of rules, the facts that hold.
//! Cost: one pass over the instances. The bytes are framed as those of formulas are: **nothing that is damaged is ever restored**, and a
//! snapshot of another machine is refused.

use std::sync::Arc;

use referee_spec::core::facts::RuleSet;
use referee_spec::core::machine::{Body, Machine};
use referee_spec::core::{Outcome, Rule, Status, Violation};
use referee_trace::event::{Argument, EventShape};
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::dates::DatesJudge;
use super::quantified::QuantifiedJudge;
use super::slices::SlicedJudge;
use super::symmetry::Halving;
use crate::facts::FactsJudge;
use crate::judge::{Finding, Judge, RuleState, Size};
use crate::shared::bytes::{Damaged, Reader, Writer, fingerprint, seal, unseal};
use crate::shared::restore_error::{RestoreError, SNAPSHOT_VERSION};

/// What the bytes of a snapshot begin with.
const MAGIC: &[u8] = b"RFM";

/// An event kind that a monitor of a machine knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MachineKind(u32);

/// Judges one quantified automaton, sliced logic, file of DATEs or set of rules over facts, event by event.
///
/// ```
/// use referee_engine::machine::MachineMonitor;
/// use referee_spec::core::{Language, Rule};
/// use referee_spec::language::{Options, Source, compile};
/// use referee_trace::value::Value;
///
/// let text = "qea { forall(i) accept skip(unsafe) { hasnext(i) -> safe; next(i) -> failure } accept skip(safe) { next(i) -> unsafe } }";
/// let compiled = compile(Language::Qea, &Source::new("hasnext.qea", text), &Options::default());
/// let Rule::Machine(machine) = &compiled.properties[0] else { panic!("QEA are machines") };
///
/// let mut monitor = MachineMonitor::new(machine.clone(), false).expect("automata can be followed step by step");
/// let (hasnext, next) = (monitor.kind("hasnext", 1), monitor.kind("next", 1));
/// assert!(monitor.step(&[(hasnext, &[Value::from(7)])]).is_empty());
///
/// // Another monitor of the same machine goes on; kinds keep their numbers.
/// let bytes = monitor.snapshot();
/// let mut monitor = MachineMonitor::new(machine.clone(), false).expect("as above");
/// monitor.restore(&bytes)?;
/// assert!(monitor.step(&[(next, &[Value::from(7)])]).is_empty());
/// assert_eq!(monitor.step(&[(next, &[Value::from(7)])]).len(), 1);
/// # Ok::<(), referee_engine::RestoreError>(())
/// ```
#[derive(Debug)]
pub struct MachineMonitor {
    judged: Judged,
    /// Whether the trace will be ended as one that may go on.
    prefix: bool,
    halving: Halving,
    judge: SavableJudge,
    values: Values,
    kinds: Vec<(Box<str>, usize)>,
    point: u64,
}

/// What is judged.
#[derive(Debug, Clone)]
enum Judged {
    Machine(Arc<Machine>),
    Rules(Arc<RuleSet>),
}

/// The judges whose state can be saved.
#[derive(Debug)]
enum SavableJudge {
    Quantified(Box<QuantifiedJudge>),
    Sliced(Box<SlicedJudge>),
    Dates(Box<DatesJudge>),
    Facts(Box<FactsJudge>),
}

impl SavableJudge {
    fn new(judged: &Judged, prefix: bool, halving: Halving) -> Option<SavableJudge> {
        let machine = match judged {
            Judged::Machine(machine) => machine,
            Judged::Rules(rules) => return Some(SavableJudge::Facts(Box::new(FactsJudge::new(rules.clone())))),
        };
        Some(match &machine.body {
            Body::Quantified(body) => {
                let judge = QuantifiedJudge::with_halving(machine, body, !prefix, halving);
                SavableJudge::Quantified(Box::new(judge))
            }
            Body::Sliced(body) => SavableJudge::Sliced(Box::new(SlicedJudge::new(machine, body))),
            Body::Dates(body) => SavableJudge::Dates(Box::new(DatesJudge::new(machine, body))),
            Body::Plane(_) => return None,
        })
    }

    fn judge(&mut self) -> &mut dyn Judge {
        match self {
            SavableJudge::Quantified(judge) => &mut **judge,
            SavableJudge::Sliced(judge) => &mut **judge,
            SavableJudge::Dates(judge) => &mut **judge,
            SavableJudge::Facts(judge) => &mut **judge,
        }
    }
}

impl MachineMonitor {
    /// A monitor before the first point; `prefix` says that the end will be that of a trace that may go on. Nothing for
    /// those about the plane.
    pub fn new(machine: Arc<Machine>, prefix: bool) -> Option<MachineMonitor> {
        MachineMonitor::with_halving(machine, prefix, Halving::default())
    }

    /// The same, with a say in whether one instance stands for two bindings of variables that can be exchanged.
    pub fn with_halving(machine: Arc<Machine>, prefix: bool, halving: Halving) -> Option<MachineMonitor> {
        MachineMonitor::follow(Judged::Machine(machine), prefix, halving)
    }

    /// The same of any rule; nothing for formulas, streams and signals, too. Rules over facts must not read arguments by their names: the
    /// events of a monitor have none.
    pub fn of_rule(rule: &Rule, prefix: bool) -> Option<MachineMonitor> {
        match rule {
            Rule::Machine(machine) => MachineMonitor::new(machine.clone(), prefix),
            Rule::Facts(rules) => MachineMonitor::follow(Judged::Rules(rules.clone()), prefix, Halving::default()),
            Rule::Formula(_) | Rule::Quantity(_) | Rule::Stream(_) | Rule::Signal(_) => None,
        }
    }

    fn follow(judged: Judged, prefix: bool, halving: Halving) -> Option<MachineMonitor> {
        let judge = SavableJudge::new(&judged, prefix, halving)?;
        Some(MachineMonitor { judged, prefix, halving, judge, values: Values::new(), kinds: Vec::new(), point: 0 })
    }

    /// Resolves an event kind with so many arguments.
    pub fn kind(&mut self, name: &str, arguments: usize) -> MachineKind {
        let argument = |place: usize| Argument { name: (place + 1).to_string().into(), declared: None };
        let shape =
            EventShape { name: name.into(), arguments: (0..arguments).map(argument).collect(), positional: arguments };
        self.judge.judge().shape(&shape, &mut self.values);
        self.kinds.push((name.into(), arguments));
        MachineKind(u32::try_from(self.kinds.len() - 1).unwrap_or(u32::MAX))
    }

    /// Judges the next point and returns what it decides. An event that has not as many values as its kind has arguments is none.
    /// Clocks take the number of the point for its time.
    pub fn step(&mut self, events: &[(MachineKind, &[Value])]) -> Vec<Violation> {
        self.judge_point(None, events)
    }

    /// The same at a time, which only clocks read.
    pub fn step_at(&mut self, time: &Number, events: &[(MachineKind, &[Value])]) -> Vec<Violation> {
        self.judge_point(Some(time), events)
    }

    fn judge_point(&mut self, time: Option<&Number>, events: &[(MachineKind, &[Value])]) -> Vec<Violation> {
        self.point += 1;
        let fits = |(kind, arguments): &&(MachineKind, &[Value])| {
            self.kinds.get(kind.0 as usize).is_some_and(|(_, count)| *count == arguments.len())
        };
        let mut known: Vec<(usize, Vec<Atom>)> = Vec::with_capacity(events.len());
        for (kind, arguments) in events.iter().filter(fits) {
            let atoms = arguments.iter().map(|value| self.values.intern_value(value)).collect();
            known.push((kind.0 as usize, atoms));
        }
        let events = known.iter().map(|(shape, atoms)| (*shape, &atoms[..]));
        let mut found: Vec<Finding> = Vec::new();
        match &mut self.judge {
            SavableJudge::Quantified(judge) => judge.point(self.point, events, &mut self.values, &mut found),
            SavableJudge::Sliced(judge) => judge.point(self.point, events, &self.values, &mut found),
            SavableJudge::Dates(judge) => judge.point(self.point, time, events, &mut self.values, &mut found),
            SavableJudge::Facts(judge) => judge.point(self.point, events, &mut self.values, &mut found),
        }
        found.into_iter().map(|finding| finding.violation).collect()
    }

    /// The verdict if the trace ended here, as a complete one.
    ///
    /// Of a quantified automaton it is known at the cost of what has changed since this was asked last, unless its guards
    /// read variables that their events do not bind. A property with an event that follows the last one, or with clocks, is ended in
    /// a copy.
    ///
    /// It is settled by the structure of the property: a `forall` can be false before the end and an `exists` true, because a
    /// later value changes nothing of that. So a prefix with both is settled by the end only.
    pub fn rule_state(&mut self) -> RuleState {
        match &mut self.judge {
            SavableJudge::Quantified(judge) => judge.rule_state(&mut self.values),
            SavableJudge::Sliced(judge) => judge.rule_state().unwrap_or_else(|| self.try_the_end()),
            SavableJudge::Dates(judge) => judge.rule_state().unwrap_or_else(|| self.try_the_end()),
            SavableJudge::Facts(judge) => judge.rule_state(&mut self.values),
        }
    }

    fn try_the_end(&self) -> RuleState {
        RuleState { status: self.end_of_copy(), settled: false }
    }

    /// The verdict of a copy that is ended.
    fn end_of_copy(&self) -> Status {
        let mut out = Writer(Vec::new());
        self.write(&mut out);
        match self.read(false, &mut Reader::new(&out.0)) {
            Ok(mut copy) => copy.end().status,
            Err(Damaged) => Status::GaveUp,
        }
    }

    /// What is kept, and how much of it.
    pub fn sizes(&mut self) -> Vec<Size> {
        self.judge.judge().sizes()
    }

    /// Ends the trace: the verdict, with what only the end decides.
    pub fn end(&mut self) -> Outcome {
        let (point, prefix) = (self.point, self.prefix);
        self.judge.judge().end(point, prefix, &mut self.values).remove(0)
    }

    /// The state between two points as bytes, from which another monitor of the same machine can go on.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.0.push(SNAPSHOT_VERSION);
        out.0.extend(self.fingerprint().to_le_bytes());
        self.write(&mut out);
        seal(out.0)
    }

    fn write(&self, out: &mut Writer) {
        out.number(self.point);
        out.length(self.kinds.len());
        for (name, arguments) in &self.kinds {
            out.text(name);
            out.length(*arguments);
        }
        match &self.judge {
            SavableJudge::Quantified(judge) => judge.save(&self.values, out),
            SavableJudge::Sliced(judge) => judge.save(&self.values, out),
            SavableJudge::Dates(judge) => judge.save(&self.values, out),
            SavableJudge::Facts(judge) => judge.save(&self.values, out),
        }
    }

    /// Goes on from a snapshot: kinds have the numbers they had when it was taken.
    ///
    /// # Errors
    ///
    /// If the bytes are no snapshot, are damaged, or belong to another machine; the monitor is then as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let content = bytes.strip_prefix(MAGIC).ok_or(RestoreError::NotASnapshot)?;
        match content.first() {
            Some(&SNAPSHOT_VERSION) => {}
            Some(version) => return Err(RestoreError::OtherVersion(*version)),
            None => return Err(RestoreError::Damaged),
        }
        let content = &unseal(bytes)?[MAGIC.len() + 1..];
        let (own, content) = content.split_first_chunk::<8>().ok_or(RestoreError::Damaged)?;
        if u64::from_le_bytes(*own) != self.fingerprint() {
            return Err(RestoreError::OtherProperty);
        }
        *self = self.read(self.prefix, &mut Reader::new(content))?;
        Ok(())
    }

    fn fingerprint(&self) -> u64 {
        match &self.judged {
            Judged::Machine(machine) => fingerprint(&[&**machine, &self.prefix]),
            Judged::Rules(rules) => fingerprint(&[&**rules, &self.prefix]),
        }
    }

    fn read(&self, prefix: bool, reader: &mut Reader) -> Result<MachineMonitor, Damaged> {
        let mut monitor = MachineMonitor::follow(self.judged.clone(), prefix, self.halving).ok_or(Damaged)?;
        monitor.point = reader.number()?;
        for (name, arguments) in reader.list(|reader| Ok((reader.text()?, reader.small()? as usize)))? {
            // No event of a trace has as many arguments as this; damaged bytes must not take all memory.
            if arguments > usize::from(u16::MAX) {
                return Err(Damaged);
            }
            monitor.kind(name, arguments);
        }
        match &mut monitor.judge {
            SavableJudge::Quantified(judge) => judge.load(&mut monitor.values, reader)?,
            SavableJudge::Sliced(judge) => judge.load(&mut monitor.values, reader)?,
            SavableJudge::Dates(judge) => judge.load(&mut monitor.values, reader)?,
            SavableJudge::Facts(judge) => judge.load(&mut monitor.values, reader)?,
        }
        if reader.is_done() { Ok(monitor) } else { Err(Damaged) }
    }
}
