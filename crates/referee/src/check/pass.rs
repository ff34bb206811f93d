//! One pass over the trace: batches of points to all judges, and what they find to the bench.
//!
//! ```text
//!   Points ─▶ judges ─▶ findings, by the point that decides them ─▶ Bench::report
//!      └────▶ contexts: what the points showed, as long as somebody may report them
//! ```

use referee_engine::judge::{Finding, Size};
use referee_engine::{Seated, judges};
use referee_trace::error::{Flow, Stop};
use referee_trace::event::EventShape;
use referee_trace::points::{Interest, Last, PointSink, PointView, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use super::bench::Bench;
use super::contexts::Contexts;
use super::oracle;
use super::record::Record;
use super::rows::Rows;
use crate::failure::Failure;

/// After how many points the clock is asked.
const WATCH: usize = 256;

/// How much was read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Events.
    pub events: u64,
    /// Points of all traces.
    pub points: u64,
}

/// What was read but not judged, as everything was decided before.
pub struct Unjudged {
    /// The last point that was judged.
    pub after: u64,
    /// The shapes of the events that came after it.
    pub events: Vec<ShapeId>,
}

/// What a pass has shown beside violations.
pub struct Results {
    /// The shapes of all events.
    pub shapes: Vec<EventShape>,
    /// What the judges remember, by rule.
    pub sizes: Vec<(usize, Vec<Size>)>,
    /// Whether time ran out.
    pub timed_out: bool,
    /// What was read in vain.
    pub unjudged: Option<Unjudged>,
}

/// A pass for the rules of a bench that are active.
pub struct Pass<'p, 'a> {
    bench: &'p mut Bench<'a>,
    seats: Vec<Seated>,
    contexts: Contexts,
    /// What was found in the current batch.
    found: Vec<Finding>,
    /// How many points were judged since somebody looked at the clock.
    unwatched: usize,
    timed_out: bool,
    unjudged: Option<Unjudged>,
    failure: Option<Failure>,
    /// The files of reports.
    rows: Rows,
    /// Which trace of the input is being read.
    trace: u64,
    /// The event that is printed.
    term: String,
}

impl<'p, 'a> Pass<'p, 'a> {
    /// Seats a judge for every rule that is active.
    pub fn new(bench: &'p mut Bench<'a>) -> Pass<'p, 'a> {
        let mut pass = Pass {
            bench,
            seats: Vec::new(),
            contexts: Contexts::default(),
            found: Vec::new(),
            unwatched: 0,
            timed_out: false,
            unjudged: None,
            failure: None,
            rows: Rows::default(),
            trace: 1,
            term: String::new(),
        };
        pass.seat();
        pass
    }

    /// New judges for a new trace.
    fn seat(&mut self) {
        let Bench { standings, settings, .. } = &mut *self.bench;
        let active: Vec<usize> = (0..standings.len()).filter(|&rule| standings[rule].active).collect();
        let rules: Vec<_> = active.iter().map(|&rule| standings[rule].rule.clone()).collect();
        self.seats = match settings.oracle {
            true => oracle::judges(&rules),
            false => judges(&rules, &settings.of_judges()),
        };
        for rule in self.seats.iter_mut().flat_map(|seat| &mut seat.rules) {
            *rule = active[*rule];
        }
        for &rule in &active {
            let record = if settings.witness { Record::of(&standings[rule].rule) } else { None };
            standings[rule].record = record;
        }
    }

    /// What went wrong while reporting, if anything did.
    pub fn take_failure(&mut self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The trace is over after the point `last`.
    pub fn finish(&mut self, last: u64, values: &mut Values) -> Result<(), Failure> {
        if self.timed_out {
            return Ok(());
        }
        self.finish_trace(last, self.bench.settings.prefix, values)?;
        self.rows.finish(&self.bench.standings)
    }

    /// What there is to say when the pass is over.
    pub fn take_results(&mut self) -> Results {
        let mut sizes: Vec<(usize, Vec<Size>)> = Vec::new();
        for seat in &self.seats {
            let all = seat.judge.sizes();
            for (own, &rule) in seat.rules.iter().enumerate() {
                sizes.push((rule, all.iter().filter(|size| size.rule == own).cloned().collect()));
            }
        }
        let (shapes, unjudged) = (self.contexts.take_shapes(), self.unjudged.take());
        Results { shapes, sizes, timed_out: self.timed_out, unjudged }
    }

    /// Ends the judges of one trace. Only the last trace of the input may be a prefix.
    fn finish_trace(&mut self, last: u64, prefix: bool, values: &mut Values) -> Result<(), Failure> {
        let mut outcomes = Vec::new();
        let mut measured = Vec::new();
        for seat in &mut self.seats {
            if seat.rules.iter().any(|&rule| self.bench.standings[rule].active) {
                outcomes.extend(seat.rules.iter().copied().zip(seat.judge.end(last, prefix, values)));
                let robustness = |(number, &rule): (usize, &usize)| (rule, seat.judge.robustness(number));
                measured.extend(seat.rules.iter().enumerate().map(robustness));
                self.rows.write(&seat.rules, &self.bench.standings, self.trace, seat.judge.take_reports())?;
            }
        }
        outcomes.retain(|(rule, _)| self.bench.standings[*rule].active);
        outcomes.sort_by_key(|(rule, _)| *rule);
        measured.into_iter().for_each(|(rule, robustness)| self.bench.measured(rule, robustness));
        for (rule, mut outcome) in outcomes {
            let violations = std::mem::take(&mut outcome.violations);
            self.bench.conclude_trace(rule, outcome);
            for violation in violations {
                let context = self.contexts.of(&violation, None, values);
                self.bench.report(rule, &violation, context)?;
            }
        }
        self.bench.reporter.flush()
    }

    /// Lets all judges judge, and sorts what they find by the point that decides it, then by rule, then as reports do.
    fn judge(&mut self, points: &Points, values: &mut Values) -> Vec<Finding> {
        let mut all = Vec::new();
        for seat in &mut self.seats {
            if seat.rules.iter().any(|&rule| self.bench.standings[rule].active) {
                seat.judge.points(points, values, &mut self.found);
                all.extend(self.found.drain(..).map(|found| Finding { rule: seat.rules[found.rule], ..found }));
            }
        }
        let key = |found: &Finding| (decision(found), found.rule);
        all.sort_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.violation.report_order(&other.violation)));
        all
    }

    /// Writes the rows that reports got.
    fn write_rows(&mut self) -> Result<(), Failure> {
        for seat in &mut self.seats {
            let rows = seat.judge.take_reports();
            if !rows.is_empty() {
                self.rows.write(&seat.rules, &self.bench.standings, self.trace, rows)?;
            }
        }
        Ok(())
    }

    /// Reports findings; with `--trace` and `--witness`, between the points that decide them.
    fn tell(&mut self, found: Vec<Finding>, points: &Points, values: &Values) -> Result<(), Failure> {
        if found.is_empty() && !self.bench.settings.follows_points() {
            return Ok(());
        }
        let mut found = found.into_iter().peekable();
        if self.bench.settings.follows_points() {
            for point in points.iter() {
                self.follow(point, values)?;
                while let Some(found) = found.next_if(|found| decision(found) <= point.number) {
                    self.report(&found, points, values)?;
                }
                if !self.bench.is_judging() {
                    break;
                }
            }
        }
        found.try_for_each(|found| self.report(&found, points, values))?;
        // All that a batch decides is shown together, before more is read.
        self.bench.reporter.flush()
    }

    fn report(&mut self, found: &Finding, points: &Points, values: &Values) -> Result<(), Failure> {
        if !self.bench.standings[found.rule].active {
            return Ok(());
        }
        let context = self.contexts.of(&found.violation, Some(points), values);
        self.bench.report(found.rule, &found.violation, context)?;
        if let (false, Some(after)) = (self.bench.is_judging(), found.violation.decided) {
            self.unjudged = Some(Unjudged { after, events: points.shapes_after(after).collect() });
        }
        Ok(())
    }

    /// Prints and records a point, as far as that is wanted.
    fn follow(&mut self, point: PointView<'_>, values: &Values) -> Result<(), Failure> {
        let Bench { standings, settings, reporter, .. } = &mut *self.bench;
        if settings.print_events {
            for (shape, arguments) in point.events() {
                self.term.clear();
                self.contexts.term(shape, arguments, values, &mut self.term);
                reporter.event(&self.term)?;
            }
        }
        for record in standings.iter_mut().filter_map(|standing| standing.record.as_mut()) {
            record.push(point, self.contexts.shapes(), values);
        }
        Ok(())
    }

    /// Whether time is up, after so many more points. The clock is asked now and then only.
    fn is_late(&mut self, points: usize) -> bool {
        self.unwatched += points;
        if self.unwatched >= WATCH {
            self.unwatched = 0;
            self.timed_out = self.bench.settings.is_late();
        }
        self.timed_out
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

impl PointSink for Pass<'_, '_> {
    fn shape(&mut self, _: ShapeId, shape: &EventShape, values: &mut Values) -> Interest {
        let interests = self.seats.iter_mut().map(|seat| seat.judge.shape(shape, values));
        let mut interest = interests.fold(Interest::none(), Interest::or);
        if self.bench.settings.follows_points() {
            interest = interest.or(Interest::all());
        }
        for record in self.bench.standings.iter_mut().filter_map(|standing| standing.record.as_mut()) {
            record.resolve(shape);
        }
        self.contexts.shape(shape, &interest);
        interest
    }

    fn wants_empty_points(&self) -> bool {
        self.bench.settings.follows_points() || self.seats.iter().any(|seat| seat.judge.wants_empty_points())
    }

    fn shows_last_point(&self) -> bool {
        self.seats.iter().any(|seat| seat.judge.reports_last_point())
    }

    fn last_point(&mut self, last: &Last, values: &Values) {
        self.contexts.end_trace(last, values);
    }

    fn begin_trace(&mut self, trace: u64, last: u64, values: &mut Values) -> Flow {
        if let Err(failure) = self.finish_trace(last, false, values) {
            return self.stop(failure);
        }
        if !self.bench.is_judging() {
            return Err(Stop::Enough);
        }
        self.seat();
        self.trace = trace;
        self.contexts.begin_trace(trace);
        for shape in self.contexts.shapes() {
            self.seats.iter_mut().for_each(|seat| drop(seat.judge.shape(shape, values)));
            for record in self.bench.standings.iter_mut().filter_map(|standing| standing.record.as_mut()) {
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
        if self.is_late(points.len()) || !self.bench.is_judging() {
            return Err(Stop::Enough);
        }
        self.contexts.keep(points, &self.seats);
        Ok(())
    }
}
