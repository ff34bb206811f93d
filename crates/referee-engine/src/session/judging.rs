//! A session: hands events, points and time to the judges of its rules, and puts what they find into order.

use std::sync::Arc;

use referee_spec::core::{Outcome, Rule, Status};
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::ShapeId;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::dispatch::{AssignedJudge, Settings, judges};
use crate::judge::{Finding, ReportRow, Size, Wanted};
use crate::session::error::SessionError;
use crate::session::kind::{Handling, SessionKind, shape_of};
use crate::session::peaks::Peaks;
use crate::session::record::Record;

/// Makes the judges of rules; [`crate::judges`] unless somebody has others.
pub type MakeJudges = fn(&[Arc<Rule>], &Settings) -> Vec<AssignedJudge>;

/// After so many points what is no longer needed is given back: to ask takes as long as to judge a small event.
const TIDY_PERIOD: u64 = 64;

/// Judges rules, event by event. See the [module](crate::session).
pub struct Session {
    pub(super) rules: Vec<Arc<Rule>>,
    pub(super) settings: Settings,
    pub(super) make: MakeJudges,
    pub(super) judges: Vec<AssignedJudge>,
    /// After which point each judge's rules began: 0 where they saw the whole trace.
    pub(super) begun_after: Vec<u64>,
    /// What is read of events of the shapes that a state was loaded with.
    pub(super) heard: Vec<Interest>,
    /// Whether somebody wants to know more of each rule.
    pub(super) active: Vec<bool>,
    /// How many violations of each rule were told, in this trace.
    pub(super) violations: Vec<u64>,
    /// What is kept of the trace for each rule, where violations are to be explained.
    pub(super) records: Vec<Option<Record>>,
    pub(super) shapes: EventShapes,
    pub(super) kinds: Vec<Handling>,
    pub(super) values: Values,
    /// The points that wait to be judged.
    pub(super) batch: Points,
    pub(super) found: Vec<Finding>,
    pub(super) trace: u64,
    /// The number of the newest point.
    pub(super) point: u64,
    /// How many events there were.
    pub(super) events: u64,
    pub(super) clock: Option<Number>,
    /// The time of the newest point, where a rule takes one point per time.
    pub(super) newest_time: Option<Number>,
    /// Whether points have times, once that is known.
    pub(super) is_timed: Option<bool>,
    /// The rule that takes one point per time, if there is one.
    pub(super) one_per_time: Option<usize>,
    pub(super) keeps_empty_points: bool,
    pub(super) has_ended: bool,
    /// How many rows the judges had.
    pub(super) peaks: Peaks,
    /// After which point what is no longer needed is given back next.
    tidy_at: u64,
}

impl Session {
    /// A session that tells all violations of a trace that will be complete when it ends.
    pub fn new(rules: &[Arc<Rule>]) -> Session {
        Session::with(rules, &Settings::default())
    }

    /// A session with other settings: which violations are wanted, and whether the trace may go on after the end.
    pub fn with(rules: &[Arc<Rule>], settings: &Settings) -> Session {
        Session::with_judges(rules, settings, judges)
    }

    /// A session whose judges somebody else makes.
    pub fn with_judges(rules: &[Arc<Rule>], settings: &Settings, make: MakeJudges) -> Session {
        let mut session = Session::empty(rules, settings, make);
        session.start_judges();
        session
    }

    /// A session for one trace with these judges.
    pub(crate) fn of_judges(rules: &[Arc<Rule>], settings: &Settings, judges: Vec<AssignedJudge>) -> Session {
        let mut session = Session::empty(rules, settings, crate::dispatch::judges);
        session.begun_after = vec![0; judges.len()];
        session.judges = judges;
        session.keeps_empty_points = session.wants_empty_points();
        session
    }

    fn empty(rules: &[Arc<Rule>], settings: &Settings, make: MakeJudges) -> Session {
        Session {
            rules: rules.to_vec(),
            settings: *settings,
            make,
            judges: Vec::new(),
            begun_after: Vec::new(),
            heard: Vec::new(),
            active: vec![true; rules.len()],
            violations: vec![0; rules.len()],
            records: Vec::new(),
            shapes: EventShapes::default(),
            kinds: Vec::new(),
            values: Values::new(),
            batch: Points::new(1),
            found: Vec::new(),
            trace: 1,
            point: 0,
            events: 0,
            clock: None,
            newest_time: None,
            is_timed: None,
            one_per_time: rules.iter().position(|rule| matches!(**rule, Rule::Quantity(_))),
            keeps_empty_points: false,
            has_ended: false,
            peaks: Peaks::default(),
            tidy_at: 0,
        }
    }

    /// New judges for all rules of which somebody wants to know more.
    fn start_judges(&mut self) {
        let active: Vec<usize> = (0..self.rules.len()).filter(|&rule| self.active[rule]).collect();
        let rules: Vec<Arc<Rule>> = active.iter().map(|&rule| self.rules[rule].clone()).collect();
        self.judges = (self.make)(&rules, &self.settings);
        self.begun_after = vec![0; self.judges.len()];
        for rule in self.judges.iter_mut().flat_map(|own| &mut own.rules) {
            *rule = active[*rule];
        }
        let record = |rule: usize| match self.settings.witness && self.active[rule] {
            true => Record::of(&self.rules[rule]),
            false => None,
        };
        self.records = (0..self.rules.len()).map(record).collect();
        (self.peaks, self.tidy_at) = (Peaks::default(), 0);
        self.keeps_empty_points = self.wants_empty_points();
    }

    /// Begins another trace for the rules of which somebody wants to know more: kinds and values stay, all else is as it was
    /// before the first point.
    pub fn begin_trace(&mut self) {
        self.trace += 1;
        self.restart();
    }

    /// All is as before the first point of a trace.
    pub(super) fn restart(&mut self) {
        self.batch.clear(self.trace);
        (self.point, self.clock, self.newest_time) = (0, None, None);
        (self.is_timed, self.has_ended) = (None, false);
        self.violations.fill(0);
        self.start_judges();
        for at in 0..self.shapes.count() {
            self.tell_shape(&self.shapes.get(at));
        }
    }
}

/// What events are made of, resolved once.
impl Session {
    /// The kind of events of this name that have these arguments, by position and by name.
    pub fn kind(&mut self, name: &str, arguments: &[&str]) -> SessionKind {
        self.kind_of(&shape_of(name, arguments))
    }

    /// The kind of events of a shape.
    pub fn kind_of(&mut self, shape: &EventShape) -> SessionKind {
        match self.shapes.find(shape) {
            Some(known) => SessionKind(known as u32),
            None => {
                self.shape(shape);
                SessionKind(self.shapes.count() as u32 - 1)
            }
        }
    }

    /// The value of an integer.
    #[inline]
    pub fn integer(&mut self, integer: i64) -> Atom {
        Atom::integer(integer).unwrap_or_else(|| self.value(&Value::from(integer)))
    }

    /// The value of a text as a trace has it: `7` is a number, `true` a truth value, `ann` a string. It may be kept and used
    /// again, which costs nothing, until it is [forgotten](Session::forget).
    pub fn text(&mut self, text: &str) -> Atom {
        let passing = self.passing_text(text);
        self.keep(passing)
    }

    /// The same for the next call that judges something, and not beyond: where every event has texts of its own, nothing is kept of
    /// those to which no rule refers.
    #[inline]
    pub fn passing_text(&mut self, text: &str) -> Atom {
        self.values.intern(text)
    }

    /// Any value. It may be kept as one of [`Session::text`] may.
    pub fn value(&mut self, value: &Value) -> Atom {
        let passing = self.passing_value(value);
        self.keep(passing)
    }

    /// Any value for the next call that judges something; see [`Session::passing_text`].
    pub fn passing_value(&mut self, value: &Value) -> Atom {
        self.values.intern_value(value)
    }

    /// Lets a passing value be kept, until it is [forgotten](Session::forget).
    pub fn keep(&mut self, value: Atom) -> Atom {
        self.values.pinned(value)
    }

    /// The value of an object that is compared for equality only: rules see a number.
    pub fn identity(&mut self, identity: u64) -> Atom {
        match i64::try_from(identity) {
            Ok(identity) => self.integer(identity),
            Err(_) => self.text(&identity.to_string()),
        }
    }
}

/// Events, points and time.
impl Session {
    /// Judges a point with one event and no time; tells what it decides.
    ///
    /// # Errors
    ///
    /// If the kind is unknown, the arguments do not fit it, or the points before have times. Nothing has happened then.
    #[inline(never)]
    pub fn event(&mut self, kind: SessionKind, arguments: &[Atom]) -> Result<Vec<Finding>, SessionError> {
        self.check_untimed()?;
        self.take_single(None, kind, arguments)
    }

    /// The same at a time.
    ///
    /// # Errors
    ///
    /// As for [`Session::event`], or if time goes back, or the points before have no times.
    #[inline]
    pub fn event_at(
        &mut self,
        time: &Number,
        kind: SessionKind,
        arguments: &[Atom],
    ) -> Result<Vec<Finding>, SessionError> {
        self.check_time(time)?;
        self.take_single(Some(time), kind, arguments)
    }

    /// Judges a point with any number of events, which happen at once; tells what it decides.
    ///
    /// # Errors
    ///
    /// As for [`Session::event_at`].
    pub fn point(
        &mut self,
        time: Option<&Number>,
        events: &[(SessionKind, &[Atom])],
    ) -> Result<Vec<Finding>, SessionError> {
        self.add(time, events)?;
        Ok(self.judge())
    }

    /// Adds a point to those that [`Session::judge`] will judge together.
    ///
    /// # Errors
    ///
    /// As for [`Session::event_at`].
    pub fn add(&mut self, time: Option<&Number>, events: &[(SessionKind, &[Atom])]) -> Result<(), SessionError> {
        match time {
            Some(time) => self.check_time(time)?,
            None => self.check_untimed()?,
        }
        if let [(kind, arguments)] = *events {
            return self.add_single(time, kind, arguments);
        }
        for (kind, arguments) in events {
            self.check_event(*kind, arguments)?;
        }
        let (mut steps, mut is_bare, mut has_dropped) = (false, true, false);
        for (kind, arguments) in events {
            let handling = self.kinds[kind.0 as usize];
            self.events += 1;
            steps |= handling.steps;
            if handling.is_read {
                is_bare = false;
                self.batch.push_event(ShapeId(kind.0), self.events, arguments);
            } else {
                has_dropped = true;
            }
        }
        self.pass_point(time);
        // As the reader does: nobody hears of points that nobody wants.
        if !is_bare || steps || (!has_dropped && self.keeps_empty_points) {
            self.batch.end_point(self.point, time.cloned());
        }
        Ok(())
    }

    /// Adds a point with one event, as most are.
    #[inline(always)]
    fn add_single(&mut self, time: Option<&Number>, kind: SessionKind, arguments: &[Atom]) -> Result<(), SessionError> {
        self.check_event(kind, arguments)?;
        self.events += 1;
        self.pass_point(time);
        // As the reader does: nobody hears of points that nobody wants.
        let handling = self.kinds[kind.0 as usize];
        if handling.is_read {
            self.batch.push_event(ShapeId(kind.0), self.events, arguments);
        }
        if handling.is_read || handling.steps {
            self.batch.end_point(self.point, time.cloned());
        }
        Ok(())
    }

    /// Judges the points that were added; tells what they decide, in the order in which it is decided.
    #[inline]
    pub fn judge(&mut self) -> Vec<Finding> {
        if self.batch.is_empty() {
            self.tidy_up();
            return Vec::new();
        }
        let mut all = Vec::new();
        let Session { judges, active, values, found, batch, .. } = self;
        for own in judges.iter_mut() {
            if is_wanted(own, active) {
                own.judge.points(batch, values, found);
                collect(own, found, &mut all);
            }
        }
        if self.settings.witness {
            self.record_waiting();
        }
        self.batch.clear(self.trace);
        self.tidy_up();
        self.in_order(all)
    }

    /// Keeps what is to be explained of the points that waited.
    #[cold]
    fn record_waiting(&mut self) {
        let batch = std::mem::replace(&mut self.batch, Points::new(self.trace));
        self.record(&batch);
        self.batch = batch;
    }

    /// Keeps what is to be explained of points.
    fn record(&mut self, points: &Points) {
        for record in self.records.iter_mut().flatten() {
            points.iter().for_each(|point| record.push(point, &self.shapes, &self.values));
        }
    }

    /// Time passes without an event: no point will come before this time. Tells what that decides; see the [module](crate::session).
    ///
    /// # Errors
    ///
    /// If time goes back, or the points before have no times.
    pub fn advance(&mut self, time: &Number) -> Result<Vec<Finding>, SessionError> {
        if self.has_ended {
            return Err(SessionError::Ended);
        }
        self.check_clock(time)?;
        let mut all = self.judge();
        (self.clock, self.is_timed) = (Some(time.clone()), Some(true));
        let Session { judges, active, values, found, .. } = self;
        for own in judges.iter_mut() {
            if is_wanted(own, active) {
                own.judge.advance(self.point, time, values, found);
                collect(own, found, &mut all);
            }
        }
        Ok(self.in_order(all))
    }

    /// Gives back, every now and then, what is no longer needed.
    #[inline(always)]
    fn tidy_up(&mut self) {
        if self.point >= self.tidy_at {
            self.tidy_at = self.point + TIDY_PERIOD;
            self.reclaim_values(|_| {});
        }
    }

    #[inline(always)]
    fn take_single(
        &mut self,
        time: Option<&Number>,
        kind: SessionKind,
        arguments: &[Atom],
    ) -> Result<Vec<Finding>, SessionError> {
        self.add_single(time, kind, arguments)?;
        Ok(self.judge())
    }

    #[inline(always)]
    fn pass_point(&mut self, time: Option<&Number>) {
        self.point += 1;
        match (time, &mut self.clock) {
            // Without times the clock never moves.
            (None, _) => {}
            (Some(Number::Int(time)), Some(Number::Int(clock))) => *clock = *time,
            (time, clock) => *clock = time.cloned(),
        }
        self.is_timed = Some(time.is_some());
        if self.one_per_time.is_some() {
            self.newest_time = time.cloned();
        }
    }

    #[inline(always)]
    fn check_event(&self, kind: SessionKind, arguments: &[Atom]) -> Result<(), SessionError> {
        let Some(handling) = self.kinds.get(kind.0 as usize) else { return Err(SessionError::UnknownKind) };
        if handling.arity as usize != arguments.len() {
            return Err(self.wrong_count(kind, arguments.len()));
        }
        match arguments.iter().all(|atom| atom.as_integer().is_some()) {
            true => Ok(()),
            false => self.check_values(kind, arguments),
        }
    }

    #[inline(never)]
    fn check_values(&self, kind: SessionKind, arguments: &[Atom]) -> Result<(), SessionError> {
        match arguments.iter().position(|atom| !self.values.has(*atom)) {
            None => Ok(()),
            Some(place) => Err(SessionError::UnknownValue { kind: self.name_of(kind), argument: place + 1 }),
        }
    }

    #[cold]
    fn wrong_count(&self, kind: SessionKind, found: usize) -> SessionError {
        let expected = self.kinds[kind.0 as usize].arity as usize;
        SessionError::ArgumentCount { kind: self.name_of(kind), expected, found }
    }

    fn name_of(&self, kind: SessionKind) -> String {
        self.shapes.get(kind.0 as usize).name.to_string()
    }

    #[inline(always)]
    fn check_untimed(&self) -> Result<(), SessionError> {
        match (self.has_ended, self.is_timed) {
            (true, _) => Err(SessionError::Ended),
            (false, Some(true)) => Err(SessionError::TimeMissing),
            (false, _) => Ok(()),
        }
    }

    /// Checks the time of a point.
    #[inline]
    fn check_time(&self, time: &Number) -> Result<(), SessionError> {
        if self.has_ended {
            return Err(SessionError::Ended);
        }
        self.check_clock(time)?;
        match self.one_per_time {
            Some(rule) => self.check_increasing(rule, time),
            None => Ok(()),
        }
    }

    /// The clock may stand at this time, but no point may have it already.
    fn check_increasing(&self, rule: usize, time: &Number) -> Result<(), SessionError> {
        if self.point > 0 && self.newest_time.as_ref() == Some(time) {
            let rule = self.rules[rule].name().to_string();
            return Err(SessionError::TimeStands { time: time.clone(), rule });
        }
        Ok(())
    }

    #[inline(always)]
    fn check_clock(&self, time: &Number) -> Result<(), SessionError> {
        match (&self.clock, self.is_timed) {
            (Some(clock), _) if time < clock => {
                Err(SessionError::TimeGoesBack { clock: clock.clone(), time: time.clone() })
            }
            (_, Some(false)) => Err(SessionError::TimeUnexpected { time: time.clone() }),
            _ => Ok(()),
        }
    }
}

/// Findings.
impl Session {
    /// Lets all judges judge points.
    fn judge_points(&mut self, points: &Points) -> Vec<Finding> {
        let mut all = Vec::new();
        let Session { judges, active, values, found, .. } = self;
        for own in judges.iter_mut() {
            if is_wanted(own, active) {
                own.judge.points(points, values, found);
                collect(own, found, &mut all);
            }
        }
        if self.settings.witness {
            self.record(points);
        }
        self.in_order(all)
    }

    /// Sorts findings by the point that decides them, then by rule, then as reports do, and leaves out what nobody wants.
    #[inline]
    fn in_order(&mut self, mut all: Vec<Finding>) -> Vec<Finding> {
        if all.is_empty() {
            return all;
        }
        let key = |found: &Finding| (found.violation.decided.unwrap_or(u64::MAX), found.rule);
        all.sort_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.violation.report_order(&other.violation)));
        all.retain(|found| self.takes(found.rule));
        all
    }

    /// Counts a violation of a rule, unless nobody wants to know it.
    fn takes(&mut self, rule: usize) -> bool {
        let is_active = self.active[rule];
        self.violations[rule] += u64::from(is_active);
        if self.settings.wanted == Wanted::First && !lists_all(&self.rules[rule]) {
            self.active[rule] = false;
        }
        is_active
    }

    /// Nobody wants to know more of a rule: its judge may rest.
    pub fn retire(&mut self, rule: usize) {
        self.active[rule] = false;
    }

    /// The rules.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// The number of the newest point.
    pub fn position(&self) -> u64 {
        self.point
    }

    /// How many violations of a rule were told, in this trace.
    pub fn violations(&self, rule: usize) -> u64 {
        self.violations[rule]
    }

    /// Whether somebody wants to know more of a rule.
    pub fn is_active(&self, rule: usize) -> bool {
        self.active[rule]
    }

    /// Why a finding is a violation, line by line, in a session with [`Settings::witness`]. Machines and streams have no reasons.
    pub fn explain(&self, finding: &Finding) -> Vec<String> {
        let record = self.records.get(finding.rule).and_then(Option::as_ref);
        record.map_or_else(Vec::new, |record| record.explain(&finding.violation))
    }

    /// A value never comes again: what only it could reach may go. If it does come again, the verdicts on it are those on a value
    /// with another past.
    pub fn forget(&mut self, value: Atom) {
        if self.values.has(value) {
            self.judges.iter_mut().for_each(|own| own.judge.forget(value, &self.values));
            self.values.unpin(value);
        }
    }

    /// Ends the trace: one outcome per rule, with the violations that points which still waited and the end decide.
    pub fn end(&mut self) -> Vec<Outcome> {
        let prefix = self.settings.prefix;
        self.end_as(prefix)
    }

    /// The same of a trace that may go on (`prefix`), or not. Only a session with [`Settings::prefix`] counts what is pending.
    pub fn end_as(&mut self, prefix: bool) -> Vec<Outcome> {
        let mut waiting = self.judge();
        self.has_ended = true;
        let nothing = || Outcome { status: Status::Satisfied, violations: Vec::new(), pending: 0, obstacle: None };
        let mut outcomes: Vec<Outcome> = self.rules.iter().map(|_| nothing()).collect();
        for own in &mut self.judges {
            if !own.rules.iter().any(|&rule| self.active[rule]) {
                continue;
            }
            for (&rule, outcome) in own.rules.iter().zip(own.judge.end(self.point, prefix, &mut self.values)) {
                if self.active[rule] {
                    outcomes[rule] = outcome;
                }
            }
        }
        for (rule, outcome) in outcomes.iter_mut().enumerate() {
            let own = waiting.extract_if(.., |found| found.rule == rule).map(|found| found.violation);
            let mut violations: Vec<_> = own.collect();
            violations.append(&mut outcome.violations);
            outcome.violations = violations;
            if self.violations[rule] > 0 || !outcome.violations.is_empty() {
                outcome.status = Status::Violated;
            }
        }
        outcomes
    }
}

/// For those who read traces: batches as they come from a file.
impl Session {
    /// A shape of events comes for the first time; shapes are numbered in this order. Tells what is read of such events.
    pub fn shape(&mut self, shape: &EventShape) -> Interest {
        let mut interest = self.tell_shape(shape);
        if self.settings.witness {
            interest = interest.or(Interest::all());
        }
        self.kinds.push(Handling::new(shape, &interest));
        self.shapes.push(shape);
        interest
    }

    fn tell_shape(&mut self, shape: &EventShape) -> Interest {
        let interests = self.judges.iter_mut().map(|own| own.judge.shape(shape, &mut self.values));
        let interest = interests.fold(Interest::none(), Interest::or);
        self.records.iter_mut().flatten().for_each(|record| record.resolve(shape));
        interest
    }

    /// Judges a batch of points of the session's shapes and values; tells what it decides. Who reads a file has seen to it that
    /// points are in order.
    pub fn points(&mut self, points: &Points) -> Vec<Finding> {
        if let Some(last) = points.last() {
            self.point = last.number;
            if let Some(time) = last.time {
                (self.clock, self.is_timed) = (Some(time.clone()), Some(true));
                self.newest_time = self.one_per_time.and(self.clock.clone());
            }
        }
        self.judge_points(points)
    }

    /// The points up to this number have passed; those that were not handed over, nobody wants to see.
    pub fn pass_to(&mut self, point: u64) {
        self.point = self.point.max(point);
    }

    /// Whether somebody must hear of points without events.
    pub fn wants_empty_points(&self) -> bool {
        self.settings.witness || self.judges.iter().any(|own| own.judge.wants_empty_points())
    }

    /// Whether the end may decide violations of the last point, whose events nobody need have read.
    pub fn reports_last_point(&self) -> bool {
        self.judges.iter().any(|own| own.judge.reports_last_point())
    }

    /// The table of values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The table of values, for those who look texts up.
    pub fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    /// All shapes.
    pub fn shapes(&self) -> &EventShapes {
        &self.shapes
    }

    /// All shapes, when all is over.
    pub fn into_shapes(self) -> EventShapes {
        self.shapes
    }

    /// The judges, with the numbers of their rules.
    pub fn judges(&self) -> &[AssignedJudge] {
        &self.judges
    }

    /// The rows that reports got since they were asked for last, by the session's rules.
    pub fn take_reports(&mut self) -> Vec<ReportRow> {
        let mut all = Vec::new();
        for own in &mut self.judges {
            let rows = own.judge.take_reports();
            all.extend(rows.into_iter().map(|row| ReportRow { rule: own.rules[row.rule], ..row }));
        }
        all
    }

    /// How far a formula over signals is from changing its truth, once that is known.
    pub fn robustness(&self, rule: usize) -> Option<String> {
        self.judges.iter().find_map(|own| {
            let number = own.rules.iter().position(|&other| other == rule)?;
            own.judge.robustness(number)
        })
    }

    /// What is remembered, by the session's rules.
    pub fn sizes(&self) -> Vec<Size> {
        let of = |own: &AssignedJudge| {
            let sizes = own.judge.sizes();
            sizes.into_iter().map(|size| Size { rule: own.rules[size.rule], ..size }).collect::<Vec<_>>()
        };
        self.judges.iter().flat_map(of).collect()
    }
}

/// Whether somebody wants to know more of one of a judge's rules.
#[inline]
fn is_wanted(own: &AssignedJudge, active: &[bool]) -> bool {
    own.rules.iter().any(|&rule| active[rule])
}

/// Takes what a judge has found, by the session's rules.
#[inline]
fn collect(own: &AssignedJudge, found: &mut Vec<Finding>, all: &mut Vec<Finding>) {
    if !found.is_empty() {
        all.extend(found.drain(..).map(|found| Finding { rule: own.rules[found.rule], ..found }));
    }
}

/// Whether all violations of a rule are told even where first ones are wanted: those of streams, and the samples behind the
/// only one of a signal whose robustness is wanted.
fn lists_all(rule: &Rule) -> bool {
    match rule {
        Rule::Stream(_) => true,
        Rule::Signal(signal) => signal.robustness,
        _ => false,
    }
}
