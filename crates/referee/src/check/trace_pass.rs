//! One pass over the trace: gives each batch of points to all judges, and what they find to the session.
//!
//! ```text
//!   Points ─▶ judges ─▶ findings, by the point that decides them ─▶ Session::report
//!      └────▶ contexts: what the points showed, as long as somebody may report them
//! ```

use referee_engine::judge::{Finding, Size};
use referee_engine::{AssignedJudge, judges};
use referee_trace::error::{Flow, Stop};
use referee_trace::event::EventShape;
use referee_trace::points::{Amount, Interest, Last, PointSink, PointView, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use super::contexts::Contexts;
use super::cut::Cut;
use super::oracle;
use super::record::Record;
use super::rows::Rows;
use super::session::Session;
use crate::failure::Failure;

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
    pub shapes: (Vec<EventShape>, Vec<bool>),
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
    judges: Vec<AssignedJudge>,
    contexts: Contexts,
    /// What was found in the current batch.
    found: Vec<Finding>,
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
}

impl<'p, 'a> TracePass<'p, 'a> {
    /// Starts a judge for every rule that is active.
    pub(super) fn new(session: &'p mut Session<'a>) -> TracePass<'p, 'a> {
        let mut pass = TracePass {
            session,
            judges: Vec::new(),
            contexts: Contexts::default(),
            found: Vec::new(),
            cut: None,
            unjudged: None,
            failure: None,
            rows: Rows::default(),
            trace: 1,
            term: String::new(),
            pauses: 0,
        };
        pass.start_judges();
        pass
    }

    /// New judges for a new trace.
    fn start_judges(&mut self) {
        let Session { rules: states, settings, .. } = &mut *self.session;
        let active: Vec<usize> = (0..states.len()).filter(|&rule| states[rule].active).collect();
        let rules: Vec<_> = active.iter().map(|&rule| states[rule].rule.clone()).collect();
        self.judges = match settings.oracle {
            true => oracle::judges(&rules),
            false => judges(&rules, &settings.of_judges()),
        };
        for rule in self.judges.iter_mut().flat_map(|own| &mut own.rules) {
            *rule = active[*rule];
        }
        for &rule in &active {
            let record = if settings.witness { Record::of(&states[rule].rule) } else { None };
            states[rule].record = record;
        }
    }

    /// What went wrong while reporting, if anything did.
    pub(super) fn take_failure(&mut self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The trace is over after the point `last`.
    pub(super) fn finish(&mut self, last: u64, values: &mut Values) -> Result<(), Failure> {
        if self.cut.is_some() {
            return Ok(());
        }
        self.finish_trace(last, self.session.settings.prefix, values)?;
        self.rows.finish(&self.session.rules)
    }

    /// What there is to say when the pass is over.
    pub(super) fn take_results(&mut self) -> Results {
        let mut sizes: Vec<(usize, Vec<Size>)> = Vec::new();
        for own in &self.judges {
            let all = own.judge.sizes();
            for (own, &rule) in own.rules.iter().enumerate() {
                sizes.push((rule, all.iter().filter(|size| size.rule == own).cloned().collect()));
            }
        }
        let (shapes, unjudged) = (self.contexts.take_shapes(), self.unjudged.take());
        Results { shapes, sizes, cut: self.cut, unjudged }
    }

    /// Ends the judges of one trace. Only the last trace of the input may be a prefix.
    fn finish_trace(&mut self, last: u64, prefix: bool, values: &mut Values) -> Result<(), Failure> {
        let mut outcomes = Vec::new();
        let mut measured = Vec::new();
        for own in &mut self.judges {
            if own.rules.iter().any(|&rule| self.session.rules[rule].active) {
                outcomes.extend(own.rules.iter().copied().zip(own.judge.end(last, prefix, values)));
                let robustness = |(number, &rule): (usize, &usize)| (rule, own.judge.robustness(number));
                measured.extend(own.rules.iter().enumerate().map(robustness));
                self.rows.write(&own.rules, &self.session.rules, self.trace, own.judge.take_reports())?;
            }
        }
        outcomes.retain(|(rule, _)| self.session.rules[*rule].active);
        outcomes.sort_by_key(|(rule, _)| *rule);
        measured.into_iter().for_each(|(rule, robustness)| self.session.measured(rule, robustness));
        for (rule, mut outcome) in outcomes {
            let violations = std::mem::take(&mut outcome.violations);
            self.session.conclude_trace(rule, outcome);
            for violation in violations {
                let context = self.contexts.of(&violation, None, values);
                self.session.report(rule, &violation, context)?;
            }
        }
        self.session.reporter.flush()
    }

    /// Lets all judges judge, and sorts what they find by the point that decides it, then by rule, then as reports do.
    fn judge(&mut self, points: &Points, values: &mut Values) -> Vec<Finding> {
        let mut all = Vec::new();
        for own in &mut self.judges {
            if own.rules.iter().any(|&rule| self.session.rules[rule].active) {
                own.judge.points(points, values, &mut self.found);
                all.extend(self.found.drain(..).map(|found| Finding { rule: own.rules[found.rule], ..found }));
            }
        }
        let key = |found: &Finding| (decision(found), found.rule);
        all.sort_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.violation.report_order(&other.violation)));
        all
    }

    /// Writes the rows that reports got.
    fn write_rows(&mut self) -> Result<(), Failure> {
        for own in &mut self.judges {
            let rows = own.judge.take_reports();
            if !rows.is_empty() {
                self.rows.write(&own.rules, &self.session.rules, self.trace, rows)?;
            }
        }
        Ok(())
    }

    /// Reports findings; with `--trace` and `--witness`, between the points that decide them.
    fn tell(&mut self, found: Vec<Finding>, points: &Points, values: &Values) -> Result<(), Failure> {
        if found.is_empty() && !self.session.settings.follows_points() {
            return Ok(());
        }
        let mut found = found.into_iter().peekable();
        if self.session.settings.follows_points() {
            for point in points.iter() {
                self.follow(point, values)?;
                while let Some(found) = found.next_if(|found| decision(found) <= point.number) {
                    self.report(&found, points, values)?;
                }
                if !self.session.is_judging() {
                    break;
                }
            }
        }
        found.try_for_each(|found| self.report(&found, points, values))?;
        // All that a batch decides is shown together, before more is read.
        self.session.reporter.flush()
    }

    fn report(&mut self, found: &Finding, points: &Points, values: &Values) -> Result<(), Failure> {
        if !self.session.rules[found.rule].active {
            return Ok(());
        }
        let context = self.contexts.of(&found.violation, Some(points), values);
        self.session.report(found.rule, &found.violation, context)?;
        if let (false, Some(after)) = (self.session.is_judging(), found.violation.decided) {
            self.unjudged = Some(Unjudged { after, events: points.shapes_after(after).collect() });
        }
        Ok(())
    }

    /// Prints and records a point, as far as that is wanted.
    fn follow(&mut self, point: PointView<'_>, values: &Values) -> Result<(), Failure> {
        let Session { rules: states, settings, reporter, .. } = &mut *self.session;
        if settings.print_events {
            for (shape, arguments) in point.events() {
                self.term.clear();
                self.contexts.term(shape, arguments, values, &mut self.term);
                reporter.event(&self.term)?;
            }
        }
        for record in states.iter_mut().filter_map(|state| state.record.as_mut()) {
            record.push(point, self.contexts.shapes(), values);
        }
        Ok(())
    }

    /// Whether something asks the check to end.
    fn is_cut(&mut self) -> bool {
        self.cut = self.session.reporter.why_cut();
        self.cut.is_some()
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
    fn shape(&mut self, _: ShapeId, shape: &EventShape, values: &mut Values) -> Interest {
        let interests = self.judges.iter_mut().map(|own| own.judge.shape(shape, values));
        let mut interest = interests.fold(Interest::none(), Interest::or);
        if self.session.settings.follows_points() {
            interest = interest.or(Interest::all());
        }
        for record in self.session.rules.iter_mut().filter_map(|state| state.record.as_mut()) {
            record.resolve(shape);
        }
        self.contexts.shape(shape, &interest);
        interest
    }

    fn wants_empty_points(&self) -> bool {
        self.session.settings.follows_points() || self.judges.iter().any(|own| own.judge.wants_empty_points())
    }

    fn shows_last_point(&self) -> bool {
        self.judges.iter().any(|own| own.judge.reports_last_point())
    }

    fn last_point(&mut self, last: &Last, values: &Values) {
        self.contexts.end_trace(last, values);
    }

    fn begin_trace(&mut self, trace: u64, last: u64, values: &mut Values) -> Flow {
        if let Err(failure) = self.finish_trace(last, false, values) {
            return self.stop(failure);
        }
        if !self.session.is_judging() {
            return Err(Stop::Enough);
        }
        self.start_judges();
        self.trace = trace;
        self.contexts.begin_trace(trace);
        for shape in self.contexts.shapes() {
            self.judges.iter_mut().for_each(|own| drop(own.judge.shape(shape, values)));
            for record in self.session.rules.iter_mut().filter_map(|state| state.record.as_mut()) {
                record.resolve(shape);
            }
        }
        Ok(())
    }

    fn points(&mut self, points: &Points, values: &mut Values) -> Flow {
        let found = self.judge(points, values);
        if let Err(failure) = self.write_rows() {
            return self.stop(failure);
        }
        if let Err(failure) = self.tell(found, points, values) {
            return self.stop(failure);
        }
        if !self.session.is_judging() || self.is_cut() {
            return Err(Stop::Enough);
        }
        self.contexts.keep(points, &self.judges);
        Ok(())
    }

    fn pause(&mut self, amount: impl FnOnce() -> Amount) {
        // To look at all shapes at every pause would be quadratic where there are many.
        self.pauses += 1;
        if self.pauses > self.contexts.shapes().len() / SHAPES_PER_PAUSE {
            self.pauses = 0;
            let amount = amount();
            let counts =
                self.contexts.shapes().iter().map(|shape| shape.name.clone()).zip(amount.counts.iter().copied());
            self.session.reporter.reads(amount.points, counts.collect());
        }
    }
}
