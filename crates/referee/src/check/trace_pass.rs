//! One pass over the trace: gives each batch of points to the engine's session, and what that finds to the one of the command.
//!
//! ```text
//!   Points ─▶ judging ─▶ findings, by the point that decides them ─▶ Session::report
//!      └────▶ contexts: what the points showed, as long as somebody may report them
//! ```

use std::borrow::Cow;

use referee_engine::judge::{Finding, Reader, ReportRow, Size, Writer};
use referee_engine::session::{SavedState, StateError};
use referee_monitor::contexts::{Contexts, term_of};
use referee_trace::error::{Flow, Stop};
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::points::{Amount, Interest, Last, PointSink, PointView, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use super::cut::Cut;
use super::growth::Growth;
use super::oracle;
use super::resumption::Resumption;
use super::rows::Rows;
use super::session::Session;
use super::state_file::WrittenState;
use super::warnings;
use crate::failure::Failure;
use crate::streams::tell;

/// How many shapes a pause looks at.
const SHAPES_PER_PAUSE: usize = 1024;

/// What was read but not judged, as everything was decided before.
pub(super) struct Unjudged {
    /// The last point that was judged.
    pub after: u64,
    /// The shapes of the events that came after it.
    pub events: Vec<ShapeId>,
}

/// What a pass has shown beside violations.
pub(super) struct Results {
    /// The shapes of all events, and whether some rule hears of such events.
    pub shapes: (EventShapes, Vec<bool>),
    /// What the judges remember, by rule.
    pub sizes: Vec<(usize, Vec<Size>)>,
    /// What ended the check before the end of the trace, if something did.
    pub cut: Option<Cut>,
    /// What was read in vain.
    pub unjudged: Option<Unjudged>,
}

/// A pass for the rules of a session that are active.
pub(super) struct TracePass<'p, 'a> {
    session: &'p mut Session<'a>,
    /// Judges the rules that were active when the pass began.
    judging: referee_engine::session::Session,
    /// The number of each of its rules among all rules.
    numbers: Vec<usize>,
    contexts: Contexts,
    /// Whether the rules remember ever more.
    growth: Growth,
    /// What ended the check before the end of the trace, if something did.
    cut: Option<Cut>,
    unjudged: Option<Unjudged>,
    failure: Option<Failure>,
    /// The files of reports.
    rows: Rows,
    /// Which trace of the input is being read.
    trace: u64,
    /// The event that is printed.
    term: String,
    /// How often reading paused since it was noted how much was read.
    pauses: usize,
    /// What is known of earlier runs, where the trace goes on.
    resumption: Option<Resumption>,
}

impl<'p, 'a> TracePass<'p, 'a> {
    /// Starts a judge for every rule that is active.
    pub(super) fn new(session: &'p mut Session<'a>) -> TracePass<'p, 'a> {
        let Session { rules: states, settings, .. } = &*session;
        let numbers: Vec<usize> = (0..states.len()).filter(|&rule| states[rule].active).collect();
        let rules: Vec<_> = numbers.iter().map(|&rule| states[rule].rule.clone()).collect();
        let make = if settings.oracle { oracle::judges } else { referee_engine::judges };
        TracePass {
            judging: referee_engine::session::Session::with_judges(&rules, &settings.of_judges(), make),
            growth: Growth::new(numbers.len()),
            session,
            numbers,
            contexts: Contexts::default(),
            cut: None,
            unjudged: None,
            failure: None,
            rows: Rows::default(),
            trace: 1,
            term: String::new(),
            pauses: 0,
            resumption: None,
        }
    }

    /// Goes on from a saved state: judges, what reports need of earlier points, and what is known of each rule.
    pub(super) fn load(&mut self, saved: &SavedState<'_>, contexts: &mut Reader) -> Result<(), StateError> {
        let loaded = self.judging.load_state(saved)?;
        for (shape, interest) in self.known_interests().iter().enumerate() {
            self.contexts.shape(&self.judging.shapes().get(shape), interest);
        }
        self.contexts.read(contexts, self.judging.values_mut())?;
        let names = (0..self.numbers.len()).map(|own| self.judging.violations(own));
        let earlier: Vec<u64> = names.collect();
        for (own, &rule) in self.numbers.iter().enumerate() {
            self.session.go_on(rule, earlier[own], self.judging.is_active(own));
        }
        for name in &loaded.dropped {
            tell!("note: the state has a rule `{name}` that is not judged here; what was known of it is dropped");
        }
        for own in loaded.begun {
            let name = self.session.rules[self.numbers[own]].rule.name();
            tell!("note: `{name}` is not in the state: it is judged from point {} on", saved.position.point + 1);
        }
        Ok(())
    }

    /// What is read of events of the shapes that came in earlier runs.
    pub(super) fn known_interests(&self) -> Vec<Interest> {
        let all = (0..).map_while(|shape| self.judging.loaded_interest(shape).cloned());
        all.map(|interest| if self.session.settings.follows_points() { Interest::all() } else { interest }).collect()
    }

    /// The trace goes on.
    pub(super) fn resume(&mut self, resumption: Resumption) {
        self.resumption = Some(resumption);
    }

    /// What is known of earlier runs.
    pub(super) fn resumption(&self) -> &Resumption {
        self.resumption.as_ref().expect("only a trace that goes on is asked")
    }

    /// The same, to note more.
    pub(super) fn resumption_mut(&mut self) -> &mut Resumption {
        self.resumption.as_mut().expect("only a trace that goes on is asked")
    }

    /// The engine's session.
    pub(super) fn judging(&self) -> &referee_engine::session::Session {
        &self.judging
    }

    /// The points up to this one have passed.
    pub(super) fn pass_to(&mut self, point: u64) {
        self.judging.pass_to(point);
    }

    /// Whether something ended the check.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Writes the state after all that was read.
    pub(super) fn write_state(&self) -> Result<WrittenState, Failure> {
        self.resumption().write(&self.judging, &self.written_contexts())
    }

    fn written_contexts(&self) -> Vec<u8> {
        let mut out = Writer::default();
        self.contexts.write(self.judging.judges(), self.judging.values(), &mut out);
        out.as_bytes().to_vec()
    }

    /// What went wrong while reporting, if anything did.
    pub(super) fn take_failure(&mut self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The trace is over after the point `last`.
    pub(super) fn finish(&mut self, last: u64) -> Result<(), Failure> {
        if self.cut.is_some() {
            return Ok(());
        }
        self.finish_trace(last, self.session.settings.prefix)?;
        self.rows.finish(&self.session.rules)
    }

    /// What there is to say when the pass is over.
    pub(super) fn into_results(self) -> Results {
        let all = self.judging.sizes();
        let of = |own: usize| all.iter().filter(|size| size.rule == own).cloned().collect();
        let sizes = self.numbers.iter().enumerate().map(|(own, &rule)| (rule, of(own))).collect();
        let shapes = (self.judging.into_shapes(), self.contexts.heard_of());
        Results { shapes, sizes, cut: self.cut, unjudged: self.unjudged }
    }

    /// Ends the judges of one trace. Only the last trace of the input may be a prefix.
    fn finish_trace(&mut self, last: u64, prefix: bool) -> Result<(), Failure> {
        self.judging.pass_to(last);
        let active: Vec<bool> = (0..self.numbers.len()).map(|own| self.judging.is_active(own)).collect();
        let outcomes = self.judging.end_as(prefix);
        for own in (0..self.numbers.len()).filter(|own| active[*own]) {
            self.session.measured(self.numbers[own], self.judging.robustness(own));
        }
        self.write_rows()?;
        for (own, mut outcome) in outcomes.into_iter().enumerate().filter(|(own, _)| active[*own]) {
            let rule = self.numbers[own];
            let violations = std::mem::take(&mut outcome.violations);
            self.session.conclude_trace(rule, outcome);
            for violation in violations {
                let finding = Finding { rule: own, violation };
                let context = self.contexts.of(&finding.violation, None, self.judging.shapes(), self.judging.values());
                let why = self.judging.explain(&finding);
                self.session.report(rule, &finding.violation, context, why)?;
            }
        }
        self.session.reporter.flush()
    }

    /// Writes the rows that reports got.
    fn write_rows(&mut self) -> Result<(), Failure> {
        let rows: Vec<ReportRow> = self.judging.take_reports();
        if rows.is_empty() {
            return Ok(());
        }
        self.rows.write(&self.numbers, &self.session.rules, self.trace, rows)
    }

    /// Reports findings; with `--trace` and `--witness`, between the points that decide them.
    fn tell(&mut self, found: Vec<Finding>, points: &Points) -> Result<(), Failure> {
        if found.is_empty() && !self.session.settings.follows_points() {
            return Ok(());
        }
        let mut found = found.into_iter().peekable();
        if self.session.settings.follows_points() {
            for point in points.iter() {
                self.follow(point)?;
                while let Some(found) = found.next_if(|found| decision(found) <= point.number) {
                    self.report(&found, points)?;
                }
                if !self.is_wanted() {
                    break;
                }
            }
        }
        found.try_for_each(|found| self.report(&found, points))?;
        // All that a batch decides is shown together, before more is read.
        self.session.reporter.flush()
    }

    /// Leaves out what an earlier run has judged of a batch, and keeps the state where it is time to. Nothing is left if there is
    /// nothing new.
    fn go_on<'b>(&mut self, points: &'b Points) -> Result<Option<Cow<'b, Points>>, Failure> {
        let Some(resumption) = &self.resumption else { return Ok(Some(Cow::Borrowed(points))) };
        let points = match resumption.unjudged(points)? {
            Some(rest) if rest.is_empty() => return Ok(None),
            Some(rest) => Cow::Owned(rest),
            None => Cow::Borrowed(points),
        };
        let is_due = resumption.is_due();
        if self.asks_to_end() || is_due {
            let contexts = self.written_contexts();
            if let Some(resumption) = &mut self.resumption {
                resumption.keep(&self.judging, &contexts)?;
            }
        }
        Ok(if self.cut.is_some() { None } else { Some(points) })
    }

    fn report(&mut self, found: &Finding, points: &Points) -> Result<(), Failure> {
        let rule = self.numbers[found.rule];
        if !self.session.rules[rule].active {
            return Ok(());
        }
        let context = self.contexts.of(&found.violation, Some(points), self.judging.shapes(), self.judging.values());
        let why = self.judging.explain(found);
        self.session.report(rule, &found.violation, context, why)?;
        if !self.session.rules[rule].active {
            self.judging.retire(found.rule);
        }
        if let (false, Some(after)) = (self.is_wanted(), found.violation.decided) {
            self.unjudged = Some(Unjudged { after, events: points.shapes_after(after).collect() });
        }
        Ok(())
    }

    /// Prints a point, if that is wanted.
    fn follow(&mut self, point: PointView<'_>) -> Result<(), Failure> {
        if self.session.settings.print_events {
            for (shape, arguments) in point.events() {
                self.term.clear();
                term_of(&self.judging.shapes().get(shape.index()), arguments, self.judging.values(), &mut self.term);
                self.session.reporter.event(&self.term)?;
            }
        }
        Ok(())
    }

    /// Whether something asks the check to end.
    fn asks_to_end(&mut self) -> bool {
        self.cut = self.session.reporter.why_cut();
        self.cut.is_some()
    }

    /// Whether more points are wanted: by a rule, or by later runs, for which all are counted.
    fn is_wanted(&self) -> bool {
        self.session.is_judging() || self.resumption.is_some()
    }

    /// Warns of rules that remember the more the longer the trace is.
    #[cold]
    fn tell_growth(&mut self) {
        let growing = self.growth.look(self.judging.position(), &self.judging.sizes());
        let name = |own: usize| self.session.rules[self.numbers[own]].rule.name().to_string();
        let warnings = growing.iter().map(|growing| warnings::of_growth(&name(growing.rule), growing)).collect();
        self.session.reporter.warn(warnings, true);
    }

    fn stop(&mut self, failure: Failure) -> Flow {
        self.failure = Some(failure);
        Err(Stop::Enough)
    }
}

/// The point that decides a finding; those that the end decides come last.
fn decision(found: &Finding) -> u64 {
    found.violation.decided.unwrap_or(u64::MAX)
}

impl PointSink for TracePass<'_, '_> {
    fn values(&mut self) -> &mut Values {
        self.judging.values_mut()
    }

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest {
        if let Some(known) = self.resumption.as_ref().and_then(|resumption| resumption.interests.get(id.index())) {
            return known.clone();
        }
        let mut interest = self.judging.shape(shape);
        if self.session.settings.follows_points() {
            interest = interest.or(Interest::all());
        }
        self.contexts.shape(shape, &interest);
        if let Some(resumption) = &mut self.resumption {
            resumption.interests.push(interest.clone());
        }
        interest
    }

    fn wants_empty_points(&self) -> bool {
        self.session.settings.follows_points() || self.judging.wants_empty_points()
    }

    fn shows_last_point(&self) -> bool {
        // The end of a trace that goes on decides nothing.
        self.resumption.is_none() && self.judging.reports_last_point()
    }

    fn last_point(&mut self, last: &Last) {
        if self.resumption.is_some() {
            return;
        }
        self.contexts.end_trace(last, self.judging.shapes(), self.judging.values());
    }

    fn begin_trace(&mut self, trace: u64, last: u64) -> Flow {
        if self.resumption.is_some() {
            return self.stop(Failure::Other(
                "--resume does not go with a log of several traces: a state is that of one trace\n  \
                 hint: judge each trace with a state of its own"
                    .into(),
            ));
        }
        if let Err(failure) = self.finish_trace(last, false) {
            return self.stop(failure);
        }
        if !self.session.is_judging() {
            return Err(Stop::Enough);
        }
        self.judging.begin_trace();
        self.trace = trace;
        self.contexts.begin_trace(trace);
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        let points = match self.go_on(points) {
            Ok(Some(points)) => points,
            Ok(None) if self.cut.is_some() => return Err(Stop::Enough),
            Ok(None) => return Ok(()),
            Err(failure) => return self.stop(failure),
        };
        let points = &*points;
        let found = self.judging.points(points);
        if let Err(failure) = self.write_rows() {
            return self.stop(failure);
        }
        if let Err(failure) = self.tell(found, points) {
            return self.stop(failure);
        }
        // A trace that goes on is cut where a point is known to follow.
        if !self.is_wanted() || (self.resumption.is_none() && self.asks_to_end()) {
            return Err(Stop::Enough);
        }
        self.contexts.keep(points, self.judging.judges());
        self.judging.reclaim_values(|live| self.contexts.mark(live));
        if self.growth.is_due(self.judging.position()) {
            self.tell_growth();
        }
        Ok(())
    }

    fn pause(&mut self, amount: impl FnOnce() -> Amount) {
        // To look at all shapes at every pause would be quadratic where there are many.
        self.pauses += 1;
        if self.pauses > self.judging.shapes().count() / SHAPES_PER_PAUSE {
            self.pauses = 0;
            let mut amount = amount();
            if let Some(resumption) = &self.resumption {
                amount.counts = resumption.before().sums(&amount.counts);
            }
            let names = self.judging.shapes().names();
            self.session.reporter.reads(amount.points, names.zip(amount.counts.iter().copied()));
        }
    }
}
