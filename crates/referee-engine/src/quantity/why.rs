//! Tells why a quantitative rule fails: the numbers behind it.
//!
//! The history keeps the time of every point and the atoms that hold there. An explanation looks at the point that decided
//! the violation: each modality that is false there, or true where its negation is wanted, is shown with its window, the number
//! it reached, the occurrences that make it up (how many, the first and the last), and its limit.

use referee_spec::core::Violation;
use referee_spec::core::quantity::{Measure, Modality, QuantityRule, QuantityStatement, StatementKind};
use referee_trace::number::Number;

use super::QuantityNetwork;
use super::gauge::Gauge;

/// What a rule has seen of a trace.
#[derive(Debug, Clone)]
pub struct QuantityHistory {
    rule: QuantityRule,
    network: QuantityNetwork,
    points: Vec<SeenEvents>,
    open: Vec<usize>,
}

/// A point: its time, and the atoms that hold there.
#[derive(Debug, Clone)]
struct SeenEvents {
    time: Number,
    atoms: Vec<usize>,
}

/// Occurrences, by their points.
struct Occurred {
    points: Vec<usize>,
}

impl QuantityHistory {
    /// Nothing has been seen yet.
    pub fn new(rule: &QuantityRule) -> QuantityHistory {
        QuantityHistory {
            network: QuantityNetwork::new(rule, false),
            rule: rule.clone(),
            points: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The number of an atom, if the rule has it.
    pub fn atom(&self, name: &str) -> Option<usize> {
        self.network.atom(name)
    }

    /// An atom holds at the point that [`QuantityHistory::push_point`] will end.
    pub fn happen(&mut self, atom: usize) {
        self.open.push(atom);
    }

    /// Ends a point.
    pub fn push_point(&mut self, time: Option<&Number>) {
        let number = i64::try_from(self.points.len() + 1).unwrap_or(i64::MAX);
        let time = time.cloned().unwrap_or(Number::Int(number));
        self.points.push(SeenEvents { time, atoms: std::mem::take(&mut self.open) });
    }

    /// Why a violation is one, line by line.
    pub fn explain(&self, violation: &Violation) -> Vec<String> {
        let index = |point: u64| usize::try_from(point).ok().and_then(|point| point.checked_sub(1));
        let Some(at) = index(violation.opened.unwrap_or(violation.point)) else { return Vec::new() };
        let mut lines = Vec::new();
        lines.extend(violation.opened.and_then(|_| self.opened(at)));
        self.look_at(&self.rule.body, Some(true), at, &mut lines);
        lines
    }

    /// What was asked for at a point, and did not come.
    fn opened(&self, at: usize) -> Option<String> {
        let SeenEvents { time, atoms } = self.points.get(at)?;
        let names: Vec<&str> = atoms.iter().map(|&atom| self.network.name(atom)).collect();
        let by = if names.is_empty() { String::new() } else { format!(", by {}", names.join(", ")) };
        Some(format!("opened at point {}, time {time}{by}: what it asks for did not come", at + 1))
    }

    /// Explains the modalities of a statement; `wanted` is what it should be, or nothing if that depends on others.
    fn look_at(&self, statement: &QuantityStatement, wanted: Option<bool>, at: usize, lines: &mut Vec<String>) {
        match &statement.kind {
            StatementKind::Constant(_) | StatementKind::Atom(_) => {}
            StatementKind::Not(body) => self.look_at(body, wanted.map(|wanted| !wanted), at, lines),
            StatementKind::And(all) | StatementKind::Or(all) => {
                all.iter().for_each(|one| self.look_at(one, wanted, at, lines));
            }
            StatementKind::Iff(left, right) => {
                [left, right].into_iter().for_each(|one| self.look_at(one, None, at, lines));
            }
            StatementKind::Reach(_, _, left, right) => {
                [left, right].into_iter().for_each(|one| self.look_at(one, wanted, at, lines));
            }
            StatementKind::Modality(modality) => lines.extend(self.number(statement, modality, wanted, at)),
        }
    }

    /// A modality that is not what it should be at a point, with the number that makes it so.
    fn number(
        &self,
        statement: &QuantityStatement,
        modality: &Modality,
        wanted: Option<bool>,
        at: usize,
    ) -> Option<String> {
        let now = &self.points.get(at)?.time;
        let mut gauge = Gauge::new(modality, &self.rule, true);
        let arguments = modality.measure.arguments();
        for seen in &self.points[..=at] {
            let holds = |index: usize| arguments.get(index).is_some_and(|argument| self.holds(argument, seen));
            gauge.observe(&seen.time, holds(0), holds(1));
        }
        let holds = gauge.holds(now);
        if wanted == Some(holds) {
            return None;
        }
        let text = self.rule.text(statement.span);
        let verb = if holds { "holds" } else { "fails" };
        let place = format!("`{text}` {verb} at point {}, time {now}", at + 1);
        if let Some(length) = gauge.missing(now) {
            return Some(format!("{place}: its window is not full before time {length}"));
        }
        let occurred = self.occurred(modality, at).words(self);
        let window = format!("in ({}, {now}]", now.sub(&self.window(modality)));
        let limit = format!("the limit is {} {}", modality.comparison.word(), modality.bound);
        Some(format!("{place}: {window} {}, {occurred}; {limit}", self.reached(modality, &mut gauge, now)))
    }

    /// The length of the window that counts: that of an average is made of whole stretches.
    fn window(&self, modality: &Modality) -> Number {
        match &modality.measure {
            Measure::Average(_, stretch) => modality.stretches().mul(stretch),
            _ => modality.window.clone(),
        }
    }

    fn reached(&self, modality: &Modality, gauge: &mut Gauge, now: &Number) -> String {
        let words = modality.measure.words();
        match gauge.number(now, modality) {
            Some(number) => format!("{words} is {number}"),
            None => format!("{words} has no pair"),
        }
    }

    /// The points of the window at which the first argument holds.
    fn occurred(&self, modality: &Modality, at: usize) -> Occurred {
        let Some(argument) = modality.measure.arguments().first().copied() else {
            return Occurred { points: Vec::new() };
        };
        let window = self.window(modality);
        let now = &self.points[at].time;
        let within = |seen: &SeenEvents| now.sub(&seen.time) < window && self.holds(argument, seen);
        let points = self.points[..=at].iter().enumerate().filter(|(_, seen)| within(seen));
        Occurred { points: points.map(|(index, _)| index).collect() }
    }

    /// Whether a Boolean combination of atoms holds at a point.
    fn holds(&self, statement: &QuantityStatement, seen: &SeenEvents) -> bool {
        match &statement.kind {
            StatementKind::Constant(truth) => *truth,
            StatementKind::Atom(name) => self.atom(name).is_some_and(|atom| seen.atoms.contains(&atom)),
            StatementKind::Not(body) => !self.holds(body, seen),
            StatementKind::And(all) => all.iter().all(|one| self.holds(one, seen)),
            StatementKind::Or(all) => all.iter().any(|one| self.holds(one, seen)),
            StatementKind::Iff(left, right) => self.holds(left, seen) == self.holds(right, seen),
            // What windows count has no operators in it.
            StatementKind::Reach(..) | StatementKind::Modality(_) => false,
        }
    }
}

impl Occurred {
    /// "from 4 occurrences, the first at point 3, time 40, the last at point 9, time 95".
    fn words(&self, history: &QuantityHistory) -> String {
        let place = |index: usize| format!("at point {}, time {}", index + 1, history.points[index].time);
        match self.points[..] {
            [] => "from no occurrence".to_owned(),
            [only] => format!("from 1 occurrence {}", place(only)),
            [first, .., last] => {
                format!("from {} occurrences, the first {}, the last {}", self.points.len(), place(first), place(last))
            }
        }
    }
}
