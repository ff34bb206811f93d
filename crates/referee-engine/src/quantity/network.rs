//! Builds a network of a rule: temporal operators, the Boolean statements between them, and the windows they read.
//!
//! ```text
//!   position ─▶ atoms ─▶ windows ─▶ operators, inner ones first:   arguments now ─▶ arrive ─▶ decides earlier positions
//!                                      └ what an inner operator decides late goes to the statement that waits for it,
//!                                        which may decide an argument of the outer one, and so on up to the rule
//! ```
//!
//! A *site* is one place for a statement: an argument of an operator, or the rule itself at the first position. Its leaves
//! are atoms, windows and inner operators. Where the leaves do not decide it, a record keeps what they are so far, and
//! is looked at again when one of them is decided. Operators are asked only where their site is not decided without them:
//! `start -> (!start U stop)` opens nothing at positions without `start`. Where none of the rule's atoms holds, nearly all
//! operators have a true left and a false right side whatever the rest says; for those only time passes. If no operator
//! waits for time either, the network is *calm*, and such positions are counted and nothing else.
//!
//! Cost per position: one evaluation of each site, and O(log) for each decision; each position of each operator is decided
//! at most once.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use referee_spec::core::quantity::{Modality, QuantityRule, QuantityStatement, StatementKind, StrictOperator};
use referee_trace::number::Number;

use super::gauge::Gauge;
use super::reach::{QuantityReach, ReachDecision, ReachSide};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// A statement over the leaves of its site.
#[derive(Debug, Clone)]
enum Expression {
    Constant(bool),
    /// An atom, by number, and the leaf's slot.
    Atom(usize, usize),
    /// A window, by number, and the leaf's slot.
    Window(usize, usize),
    /// An operator, by number, and the leaf's slot.
    Operator(usize, usize),
    Not(Box<Expression>),
    /// A conjunction (`true`) or a disjunction, cheap members first.
    Join(bool, Vec<Expression>),
    Iff(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// How much it costs to look at: atoms, then windows, then operators.
    fn cost(&self) -> u8 {
        match self {
            Expression::Constant(_) | Expression::Atom(..) => 0,
            Expression::Window(..) => 1,
            Expression::Operator(..) => 2,
            Expression::Not(body) => body.cost(),
            Expression::Join(_, members) => members.iter().map(Expression::cost).max().unwrap_or(0),
            Expression::Iff(left, right) => left.cost().max(right.cost()),
        }
    }
}

/// Who waits for a site.
#[derive(Debug, Clone, Copy)]
enum SiteOwner {
    Rule,
    Argument(usize, ReachSide),
}

/// What the leaves of a site are at a position, by slot.
type Record = Box<[Option<bool>]>;

#[derive(Debug, Clone)]
struct Site {
    owner: SiteOwner,
    expression: Expression,
    /// Whether operators are among the leaves, so that it may be decided late.
    may_wait: bool,
    /// The leaves at the current position.
    current: Record,
    /// Positions at which it is not decided.
    waiting: HashMap<i64, Record, FixedState>,
}

#[derive(Debug, Clone)]
struct QuantityOperator {
    reach: QuantityReach,
    left: usize,
    right: usize,
    /// Whether its left side is true and its right side false wherever no atom holds.
    needs_event: bool,
    /// The site it is a leaf of, and the slot there.
    site: usize,
    slot: usize,
}

#[derive(Debug, Clone)]
struct QuantityWindow {
    gauge: Gauge,
    first: Expression,
    second: Option<Expression>,
    /// Whether its arguments are false wherever no atom holds.
    needs_event: bool,
}

/// A rule that is being judged.
#[derive(Debug, Clone)]
pub struct QuantityNetwork {
    atoms: Vec<Arc<str>>,
    present: Vec<bool>,
    /// Whether any atom is present.
    happens: bool,
    /// Whether a position at which no atom holds changes nothing.
    calm: bool,
    windows: Vec<QuantityWindow>,
    /// Inner operators before outer ones.
    operators: Vec<QuantityOperator>,
    sites: Vec<Site>,
    position: i64,
    now: Number,
    verdict: Option<bool>,
    /// Where the argument of the outermost operator lies that decided the verdict, if it was decided later than it came.
    late: Option<i64>,
    decided: Vec<ReachDecision>,
}

impl QuantityNetwork {
    /// A rule before the first position; `whole` keeps windows in full, for those who want to show them.
    pub fn new(rule: &QuantityRule, whole: bool) -> QuantityNetwork {
        let mut builder = NetworkBuilder {
            rule,
            whole,
            atoms: rule.atoms(),
            windows: Vec::new(),
            operators: Vec::new(),
            sites: Vec::new(),
        };
        builder.site(SiteOwner::Rule, &rule.body);
        let NetworkBuilder { atoms, windows, operators, sites, .. } = builder;
        QuantityNetwork {
            present: vec![false; atoms.len()],
            happens: false,
            calm: false,
            atoms,
            windows,
            operators,
            sites,
            position: 0,
            now: Number::ZERO,
            verdict: None,
            late: None,
            decided: Vec::new(),
        }
    }

    /// The number of an atom, if the rule has it.
    pub fn atom(&self, name: &str) -> Option<usize> {
        self.atoms.iter().position(|atom| **atom == *name)
    }

    /// The name of an atom.
    pub fn name(&self, atom: usize) -> &str {
        &self.atoms[atom]
    }

    /// An atom holds at the position that [`QuantityNetwork::step`] will judge next.
    #[inline]
    pub fn happen(&mut self, atom: usize) {
        self.present[atom] = true;
        self.happens = true;
    }

    /// Judges the next position, at this time; without times, positions count. The verdict, once there is one.
    #[inline]
    pub fn step(&mut self, time: Option<&Number>) -> Option<bool> {
        self.position += 1;
        if self.calm && !self.happens {
            return self.verdict;
        }
        self.judge(time)
    }

    /// Time passes: no position will come before this time. The verdict, once there is one.
    pub fn advance(&mut self, time: &Number) -> Option<bool> {
        for index in 0..self.operators.len() {
            let mut decided = std::mem::take(&mut self.decided);
            self.operators[index].reach.advance(time, &mut decided);
            self.pass_on(index, decided);
        }
        self.verdict
    }

    fn judge(&mut self, time: Option<&Number>) -> Option<bool> {
        match time {
            Some(time) => self.now.clone_from(time),
            None => self.now = Number::Int(self.position),
        }
        if self.verdict.is_none() {
            self.observe();
            self.operate();
        }
        if std::mem::take(&mut self.happens) {
            self.present.fill(false);
        }
        self.calm = self.is_calm();
        self.verdict
    }

    fn is_calm(&self) -> bool {
        let rests = |QuantityOperator { reach, needs_event, .. }: &QuantityOperator| {
            reach.is_idle() || (*needs_event && !reach.has_deadline())
        };
        self.windows.iter().all(|window| window.needs_event) && self.operators.iter().all(rests)
    }

    /// The trace is over: the verdict.
    pub fn end(&mut self) -> bool {
        if self.position == 0 {
            return self.verdict_on_nothing();
        }
        for index in 0..self.operators.len() {
            let mut decided = std::mem::take(&mut self.decided);
            self.operators[index].reach.end(&mut decided);
            self.pass_on(index, decided);
        }
        // With all operators decided, so is the rule.
        self.verdict.unwrap_or(false)
    }

    /// The verdict, once there is one.
    pub fn verdict(&self) -> Option<bool> {
        self.verdict
    }

    /// The position that left the verdict open, if it was decided later than there: where the statement below the outermost
    /// operator is what it should not be.
    pub fn opened(&self) -> Option<u64> {
        self.late.and_then(|position| u64::try_from(position).ok())
    }

    /// How many rows operators and windows keep.
    pub fn sizes(&self) -> (usize, usize) {
        let waiting: usize = self.sites.iter().map(|site| site.waiting.len()).sum();
        let operators: usize = self.operators.iter().map(|operator| operator.reach.size()).sum();
        (operators + waiting, self.windows.iter().map(|window| window.gauge.size()).sum())
    }

    /// Tells the windows what happens now.
    fn observe(&mut self) {
        let happens = self.happens;
        for window in self.windows.iter_mut().filter(|window| happens || !window.needs_event) {
            let first = holds(&window.first, &self.present);
            let second = window.second.as_ref().is_some_and(|second| holds(second, &self.present));
            window.gauge.observe(&self.now, first, second);
        }
    }

    /// Tells the operators what their arguments are now, inner ones first, and passes on what they decide.
    fn operate(&mut self) {
        for index in 0..self.operators.len() {
            let QuantityOperator { reach, needs_event, .. } = &self.operators[index];
            let unaffected = *needs_event && !self.happens;
            if reach.is_idle() || (unaffected && !reach.has_deadline()) {
                continue;
            }
            let mut decided = std::mem::take(&mut self.decided);
            if !unaffected && self.operators[index].reach.wants(&self.now) {
                let (left, right) = (self.operators[index].left, self.operators[index].right);
                let (left, right) = (self.look(left), self.look(right));
                self.operators[index].reach.arrive(self.position, &self.now, left, right, &mut decided);
            } else {
                self.operators[index].reach.pass(&self.now, &mut decided);
            }
            self.pass_on(index, decided);
        }
        if self.position == 1 {
            let rule = self.sites.len() - 1;
            self.verdict = self.look(rule);
        }
    }

    /// A site at the current position; if it is not decided, it waits.
    #[inline]
    fn look(&mut self, site: usize) -> Option<bool> {
        let Site { expression, may_wait, current, waiting, .. } = &mut self.sites[site];
        if *may_wait {
            current.fill(None);
        }
        let mut leaves = Leaves {
            present: &self.present,
            windows: &mut self.windows,
            operators: &mut self.operators,
            position: self.position,
            now: &self.now,
            record: if *may_wait { &mut current[..] } else { &mut [] },
        };
        let truth = leaves.evaluate(expression);
        if truth.is_none() {
            waiting.insert(self.position, current.clone());
        }
        truth
    }

    /// Passes decisions of an operator on to the site that waits for them, and on from there.
    fn pass_on(&mut self, operator: usize, mut decided: Vec<ReachDecision>) {
        if decided.is_empty() {
            self.decided = decided;
            return;
        }
        let (site, slot) = (self.operators[operator].site, self.operators[operator].slot);
        for (position, truth) in decided.drain(..) {
            if let Some(truth) = self.learn(site, slot, position, truth) {
                self.settle(site, position, truth);
            }
        }
        self.decided = decided;
    }

    /// A leaf of a site is decided at a position; the site's own truth, if that decides it.
    fn learn(&mut self, site: usize, slot: usize, position: i64, truth: bool) -> Option<bool> {
        let Site { waiting, expression, .. } = &mut self.sites[site];
        let record = waiting.get_mut(&position)?;
        record[slot] = Some(truth);
        let truth = recorded(expression, record)?;
        waiting.remove(&position);
        Some(truth)
    }

    fn settle(&mut self, site: usize, position: i64, truth: bool) {
        match self.sites[site].owner {
            SiteOwner::Rule => self.verdict = Some(truth),
            SiteOwner::Argument(operator, side) => {
                let mut decided = Vec::new();
                self.operators[operator].reach.settle(side, position, truth, &mut decided);
                if !decided.is_empty() {
                    self.pass_on(operator, decided);
                    // The argument of the outermost operator comes to this first.
                    if self.verdict.is_some() {
                        self.late.get_or_insert(position);
                    }
                }
            }
        }
    }

    /// On the empty trace atoms and operators are false, and windows hold nothing.
    fn verdict_on_nothing(&mut self) -> bool {
        let rule = self.sites.len() - 1;
        let windows = &self.windows;
        nothing(&self.sites[rule].expression, &|window| windows[window].gauge.holds_of_nothing())
    }
}

/// State.
impl QuantityNetwork {
    /// Writes all that later verdicts depend on.
    pub(super) fn save(&self, out: &mut Writer) {
        out.integer(self.position);
        out.exact(&self.now);
        out.perhaps(self.verdict);
        out.truth(self.late.is_some());
        out.integer(self.late.unwrap_or(0));
        out.truth(self.calm);
        self.windows.iter().for_each(|window| window.gauge.save(out));
        self.operators.iter().for_each(|operator| operator.reach.save(out));
        for site in &self.sites {
            let mut waiting: Vec<(&i64, &Record)> = site.waiting.iter().collect();
            waiting.sort_by_key(|(position, _)| **position);
            out.length(waiting.len());
            for (position, record) in waiting {
                out.integer(*position);
                record.iter().for_each(|leaf| out.perhaps(*leaf));
            }
        }
    }

    /// Reads what [`QuantityNetwork::save`] wrote, before the first position.
    pub(super) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        self.position =
            Some(reader.signed()?).filter(|position| (0..i64::MAX / 2).contains(position)).ok_or(Damaged)?;
        self.now = reader.exact()?;
        self.verdict = reader.perhaps()?;
        let is_late = reader.truth()?;
        self.late = Some(reader.signed()?).filter(|_| is_late);
        self.calm = reader.truth()?;
        for window in &mut self.windows {
            window.gauge.load(reader)?;
        }
        for operator in &mut self.operators {
            operator.reach.load(self.position, reader)?;
        }
        for site in &mut self.sites {
            let leaves = site.current.len();
            let entry = |reader: &mut Reader| {
                let position = reader.signed()?;
                Ok((position, (0..leaves).map(|_| reader.perhaps()).collect::<Result<Record, Damaged>>()?))
            };
            site.waiting = reader.list(entry)?.into_iter().collect();
        }
        Ok(())
    }
}

/// What the leaves of a site are asked for at the current position.
struct Leaves<'l> {
    present: &'l [bool],
    windows: &'l mut [QuantityWindow],
    operators: &'l mut [QuantityOperator],
    position: i64,
    now: &'l Number,
    /// Where the leaves are noted; empty for a site that never waits.
    record: &'l mut [Option<bool>],
}

impl Leaves<'_> {
    fn evaluate(&mut self, expression: &Expression) -> Option<bool> {
        let (slot, truth) = match expression {
            Expression::Constant(truth) => return Some(*truth),
            Expression::Atom(atom, slot) => (*slot, Some(self.present[*atom])),
            Expression::Window(window, slot) => (*slot, Some(self.windows[*window].gauge.holds(self.now))),
            Expression::Operator(operator, slot) => {
                (*slot, self.operators[*operator].reach.ask(self.position, self.now))
            }
            Expression::Not(body) => return self.evaluate(body).map(|truth| !truth),
            Expression::Join(all, members) => return self.join(*all, members),
            Expression::Iff(left, right) => {
                let (left, right) = (self.evaluate(left), self.evaluate(right));
                return Some(left? == right?);
            }
        };
        if let Some(place) = self.record.get_mut(slot) {
            *place = truth;
        }
        truth
    }

    fn join(&mut self, all: bool, members: &[Expression]) -> Option<bool> {
        let mut joined = Some(all);
        for member in members {
            match self.evaluate(member) {
                Some(truth) if truth == all => {}
                None => joined = None,
                absorbing => return absorbing,
            }
        }
        joined
    }
}

/// A Boolean combination of atoms.
fn holds(expression: &Expression, present: &[bool]) -> bool {
    match expression {
        Expression::Constant(truth) => *truth,
        Expression::Atom(atom, _) => present[*atom],
        Expression::Not(body) => !holds(body, present),
        Expression::Join(true, members) => members.iter().all(|member| holds(member, present)),
        Expression::Join(false, members) => members.iter().any(|member| holds(member, present)),
        Expression::Iff(left, right) => holds(left, present) == holds(right, present),
        // What windows count has no windows or operators in it.
        Expression::Window(..) | Expression::Operator(..) => false,
    }
}

/// A statement whose leaves are recorded, in Kleene's sense.
fn recorded(expression: &Expression, record: &[Option<bool>]) -> Option<bool> {
    match expression {
        Expression::Constant(truth) => Some(*truth),
        Expression::Atom(_, slot) | Expression::Window(_, slot) | Expression::Operator(_, slot) => record[*slot],
        Expression::Not(body) => recorded(body, record).map(|truth| !truth),
        Expression::Join(all, members) => {
            let mut joined = Some(*all);
            for member in members {
                match recorded(member, record) {
                    Some(truth) if truth == *all => {}
                    None => joined = None,
                    absorbing => return absorbing,
                }
            }
            joined
        }
        Expression::Iff(left, right) => Some(recorded(left, record)? == recorded(right, record)?),
    }
}

/// A statement where no atom holds, if that alone decides it.
fn without_atoms(expression: &Expression) -> Option<bool> {
    match expression {
        Expression::Constant(truth) => Some(*truth),
        Expression::Atom(..) => Some(false),
        Expression::Window(..) | Expression::Operator(..) => None,
        Expression::Not(body) => without_atoms(body).map(|truth| !truth),
        Expression::Join(all, members) => {
            let mut truths = members.iter().map(without_atoms);
            if truths.clone().any(|truth| truth == Some(!all)) {
                return Some(!all);
            }
            truths.all(|truth| truth == Some(*all)).then_some(*all)
        }
        Expression::Iff(left, right) => Some(without_atoms(left)? == without_atoms(right)?),
    }
}

fn nothing(expression: &Expression, window: &impl Fn(usize) -> bool) -> bool {
    match expression {
        Expression::Constant(truth) => *truth,
        Expression::Atom(..) | Expression::Operator(..) => false,
        Expression::Window(index, _) => window(*index),
        Expression::Not(body) => !nothing(body, window),
        Expression::Join(true, members) => members.iter().all(|member| nothing(member, window)),
        Expression::Join(false, members) => members.iter().any(|member| nothing(member, window)),
        Expression::Iff(left, right) => nothing(left, window) == nothing(right, window),
    }
}

struct NetworkBuilder<'r> {
    rule: &'r QuantityRule,
    whole: bool,
    atoms: Vec<Arc<str>>,
    windows: Vec<QuantityWindow>,
    operators: Vec<QuantityOperator>,
    sites: Vec<Site>,
}

impl NetworkBuilder<'_> {
    /// Builds a site after all that is inside it, so that the last one is the rule's.
    fn site(&mut self, owner: SiteOwner, statement: &QuantityStatement) -> usize {
        let (mut slots, first_operator) = (0, self.operators.len());
        let mut leaves = Vec::new();
        let expression = self.expression(statement, &mut slots, &mut leaves);
        let index = self.sites.len();
        for (operator, slot) in leaves {
            self.operators[operator].site = index;
            self.operators[operator].slot = slot;
        }
        let may_wait = self.operators.len() > first_operator;
        let current = vec![None; slots].into_boxed_slice();
        self.sites.push(Site { owner, expression, may_wait, current, waiting: HashMap::default() });
        index
    }

    fn expression(
        &mut self,
        statement: &QuantityStatement,
        slots: &mut usize,
        leaves: &mut Vec<(usize, usize)>,
    ) -> Expression {
        let mut slot = || {
            *slots += 1;
            *slots - 1
        };
        match &statement.kind {
            StatementKind::Constant(truth) => Expression::Constant(*truth),
            StatementKind::Atom(name) => {
                let atom = self.atoms.iter().position(|atom| atom == name).unwrap_or_default();
                Expression::Atom(atom, slot())
            }
            StatementKind::Modality(modality) => Expression::Window(self.window(modality), slot()),
            StatementKind::Reach(..) => {
                let slot = slot();
                let operator = self.operator(statement);
                leaves.push((operator, slot));
                Expression::Operator(operator, slot)
            }
            StatementKind::Not(body) => Expression::Not(Box::new(self.expression(body, slots, leaves))),
            StatementKind::And(all) => self.join(true, all, slots, leaves),
            StatementKind::Or(all) => self.join(false, all, slots, leaves),
            StatementKind::Iff(left, right) => {
                let left = self.expression(left, slots, leaves);
                Expression::Iff(Box::new(left), Box::new(self.expression(right, slots, leaves)))
            }
        }
    }

    fn join(
        &mut self,
        all: bool,
        members: &[QuantityStatement],
        slots: &mut usize,
        leaves: &mut Vec<(usize, usize)>,
    ) -> Expression {
        let mut members: Vec<Expression> =
            members.iter().map(|member| self.expression(member, slots, leaves)).collect();
        members.sort_by_key(Expression::cost);
        Expression::Join(all, members)
    }

    fn window(&mut self, modality: &Modality) -> usize {
        let mut arguments = modality.measure.arguments().into_iter();
        let mut argument = || {
            let statement = arguments.next()?;
            Some(self.expression(statement, &mut 0, &mut Vec::new()))
        };
        let first = argument().unwrap_or(Expression::Constant(false));
        let second = argument();
        let is_false = |expression: &Expression| without_atoms(expression) == Some(false);
        let needs_event = is_false(&first) && second.as_ref().is_none_or(is_false);
        self.windows.push(QuantityWindow {
            gauge: Gauge::new(modality, self.rule, self.whole),
            first,
            second,
            needs_event,
        });
        self.windows.len() - 1
    }

    fn operator(&mut self, statement: &QuantityStatement) -> usize {
        let StatementKind::Reach(reach, interval, left, right) = &statement.kind else {
            return self.operators.len();
        };
        // Sites get their operator's number when that is known: after those of the operators inside.
        let (left, right) = (self.site(SiteOwner::Rule, left), self.site(SiteOwner::Rule, right));
        let index = self.operators.len();
        self.sites[left].owner = SiteOwner::Argument(index, ReachSide::Left);
        self.sites[right].owner = SiteOwner::Argument(index, ReachSide::Right);
        let forward = *reach == StrictOperator::Until;
        let reach = QuantityReach::new(forward, interval.clone());
        let of = |site: usize| without_atoms(&self.sites[site].expression);
        let needs_event = of(left) == Some(true) && of(right) == Some(false);
        self.operators.push(QuantityOperator { reach, left, right, needs_event, site: 0, slot: 0 });
        index
    }
}
