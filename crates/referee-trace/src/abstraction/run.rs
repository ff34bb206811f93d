//! Turns raw events into points and events, one after the other.

use hashbrown::HashSet;

use crate::error::{Fault, Flow, Stop, excerpt};
use crate::event::{Event, EventSink, Point, RowSink};
use crate::mapping::{TimeMemory, Unit};
use crate::number::{Number, parse_short};
use crate::raw::{Bulk, IntegerRows, RawEvent, RawRowSink, RawSink, RowHead, Shape, ShapeId, Want};
use crate::recycle::recycle;
use crate::value::{Type, Value};

use super::clocks::{Clocks, Stamp};
use super::meaning::{Meaning, NeededTimes, Ties, TimeNeed, equal_times};
use super::plan::{self, EntryUse, EventPlan, Full, Naming, OutputPlan, Planner, TimePlan};
use super::position::Position;

/// How much has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Raw events, also those that the mapping dropped.
    pub events: u64,
    /// Points of all traces.
    pub points: u64,
    /// Traces; an input without events is one empty trace.
    pub traces: u64,
}

/// Turns raw events into the points and events of an [`EventSink`].
pub struct Abstraction<'a, E: EventSink> {
    plans: Vec<EventPlan>,
    /// The plans that take more room than a number.
    fulls: Vec<Full>,
    planner: Planner<'a>,
    clocks: Clocks,
    run: Run<'a, E>,
}

impl<'a, E: EventSink> Abstraction<'a, E> {
    /// Passes on to `sink` what raw events mean.
    pub fn new(meaning: &'a Meaning, sink: &'a mut E) -> Self {
        let mut planner = Planner::new(meaning);
        if let Some(start) = &meaning.start {
            planner.announce_known(&start.shapes, sink);
        }
        Abstraction {
            plans: Vec::new(),
            fulls: Vec::new(),
            planner,
            clocks: Clocks::default(),
            run: Run::new(sink, meaning),
        }
    }

    /// Where it stands, for another reading to go on from there.
    pub fn position(&self) -> Position {
        Position {
            events: self.run.events,
            point: self.run.point,
            time: self.run.time.clone(),
            label: self.run.label.clone(),
            epoch: self.run.memory.epoch,
            newest_second: self.run.memory.newest,
        }
    }

    /// How much has passed so far.
    pub fn totals(&self) -> Totals {
        Totals { events: self.run.events, points: self.run.points_before + self.run.point, traces: self.run.trace }
    }

    /// The unit of times since 1970, if the first of them told it by its size.
    pub fn epoch_unit(&self) -> Option<Unit> {
        self.run.memory.epoch
    }

    /// A field that is an argument here, and would be the time for rules of a language that measures it.
    pub fn other_time(&self) -> Option<&str> {
        self.planner.other_time.as_deref()
    }

    /// What came of the entries of the mapping so far, in their order.
    pub(crate) fn entry_uses(&self) -> &[EntryUse] {
        &self.planner.uses
    }

    /// A file is over: an explicit point ends with it. Rows with equal `tp` may go on in the next file.
    pub fn end_file(&mut self) -> Flow {
        match self.run.state {
            State::Pending | State::Explicit | State::Spent => self.run.close(),
            State::Between | State::Labelled => Ok(()),
        }
    }

    /// More may take its time to come: passes that on.
    pub fn pause(&mut self) -> Flow {
        self.run.sink.pause()
    }

    /// The input is over: so is the current point.
    pub fn finish(&mut self) -> Flow {
        self.run.close()
    }
}

impl<E: EventSink> RawSink for Abstraction<'_, E> {
    type Rows = Self;

    fn shape(&mut self, id: ShapeId, shape: &Shape) -> Want {
        debug_assert_eq!(id.index(), self.plans.len(), "shapes are announced in the order of their numbers");
        let (plan, want) = self.planner.plan(shape, &mut self.fulls, self.run.sink);
        self.plans.push(plan);
        want
    }

    // Inlined into the loop over rows, which then calls nothing for a row of integers.
    #[inline(always)]
    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        self.run.events += 1;
        match self.plans[event.shape.index()] {
            EventPlan::Plain(shape) => self.run.plain(shape, event),
            EventPlan::Split => self.run.split(),
            EventPlan::Full(number) => {
                let full = &mut self.fulls[number as usize];
                match full.plain {
                    Some(shape) if self.run.takes_time(full.alone, event) => self.run.plain_in_time(shape, event),
                    _ => self.run.full(full, &mut self.planner, event),
                }
            }
        }
    }

    #[inline(always)]
    fn rows(&mut self) -> Option<&mut Self> {
        self.run.sink.rows().is_some().then_some(self)
    }

    fn point(&mut self, time: &str, offset: usize) -> Flow {
        let Some(time) = Number::parse(time) else {
            return Err(Fault::new(offset, format!("expected a number as timestamp, found `{time}`")).into());
        };
        if self.run.goes_on(&time) {
            return Ok(());
        }
        self.run.close()?;
        self.run.advance_time(time, offset)?;
        self.run.state = State::Pending;
        Ok(())
    }
}

impl<E: EventSink> RawRowSink for Abstraction<'_, E> {
    fn bulk(&mut self, shape: ShapeId) -> Option<Bulk> {
        let (shape, stamp) = match self.plans[shape.index()] {
            EventPlan::Plain(shape) => (shape, Stamp::default()),
            EventPlan::Full(number) if self.run.ties == Ties::Apart => {
                let full = &self.fulls[number as usize];
                (full.plain?, full.stamp()?)
            }
            _ => return None,
        };
        let is_needed = self.run.need.times != NeededTimes::Nothing;
        if self.clocks.differs(shape, stamp) || (is_needed && stamp.time.is_none()) {
            return None;
        }
        let want = self.run.sink.rows()?.wanted(shape, stamp.label.is_none())?;
        self.clocks.keep(shape, stamp);
        let stamped = Want::fields(stamp.places());
        let want = want.or(stamped);
        Some(Bulk { shape, want, texts: want.without(stamped) })
    }

    fn take(&mut self, rows: &mut IntegerRows) -> Flow {
        if self.clocks.has_labels() {
            let flow = self.run.labelled_rows(&self.clocks, rows);
            rows.clear();
            return flow;
        }
        // Rows with equal `tp` of a file before.
        self.run.close()?;
        if let Some(first) = rows.heads().first().filter(|first| self.clocks.stamp(first.shape).time.is_some()) {
            self.run.timed(first.start)?;
        }
        let back = self.clocks.read(rows, &mut self.run.time, self.run.point > 0);
        if !rows.is_empty() {
            self.run.single_rows(rows)?;
        }
        // The row that goes back in time is refused like any other.
        back.map_or(Ok(()), |(time, start)| self.run.advance_time(time, start))
    }

    fn newest(&mut self, shape: ShapeId, values: &[&str]) {
        let number = self.run.events;
        if let Some(sink) = self.run.sink.rows() {
            sink.newest(&Event { shape, arguments: values, number, offset: 0 });
        }
    }
}

/// Where in the sequence of points we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No point is open.
    Between,
    /// A point of equal labels is open.
    Labelled,
    /// An explicit point is announced, and has no event yet.
    Pending,
    /// An explicit point is open.
    Explicit,
    /// An explicit point was cut off by a split: what follows of it, if anything, is the new trace's first point.
    Spent,
}

/// The traces of a log that a field splits.
#[derive(Default)]
struct Groups {
    newest: Option<Box<str>>,
    seen: HashSet<Box<str>, foldhash::fast::RandomState>,
}

/// The part that changes with every event.
struct Run<'a, E: EventSink> {
    sink: &'a mut E,
    ties: Ties,
    /// Whether times may go back.
    unsorted: bool,
    /// Which points must have a time.
    need: TimeNeed,
    state: State,
    events: u64,
    trace: u64,
    /// Points of the current trace.
    point: u64,
    /// Points of the traces before.
    points_before: u64,
    split_seen: bool,
    /// The newest timestamp of the trace.
    time: Option<Number>,
    /// The newest `tp` of the trace.
    label: Option<Number>,
    memory: TimeMemory,
    groups: Groups,
    /// Room for arguments that move; empty between events.
    arguments: Vec<&'static str>,
    /// Room for names that are built.
    name: String,
}

impl<'a, E: EventSink> Run<'a, E> {
    fn new(sink: &'a mut E, meaning: &Meaning) -> Self {
        let start = meaning.start.as_ref().map(|start| start.position.clone()).unwrap_or_default();
        Run {
            sink,
            ties: meaning.ties,
            unsorted: meaning.unsorted,
            need: meaning.need.clone(),
            state: State::Between,
            events: start.events,
            trace: 1,
            point: start.point,
            points_before: 0,
            split_seen: false,
            time: start.time,
            label: start.label,
            memory: TimeMemory::going_on(start.epoch, start.newest_second),
            groups: Groups::default(),
            arguments: Vec::new(),
            name: String::new(),
        }
    }

    #[inline(always)]
    fn plain(&mut self, shape: ShapeId, raw: RawEvent<'_>) -> Flow {
        let event = Event { shape, arguments: raw.values, number: self.events, offset: raw.offset };
        if self.state != State::Between {
            return self.plain_in_point(event);
        }
        if self.need.times != NeededTimes::Nothing {
            self.untimed(raw.offset)?;
        }
        self.point += 1;
        self.sink.single_event(Point { trace: self.trace, number: self.point, time: None }, event)
    }

    /// Rows that are points by themselves.
    fn single_rows(&mut self, rows: &mut IntegerRows) -> Flow {
        let (point, number) = (self.point + 1, self.events + 1);
        self.point += rows.len() as u64;
        self.events += rows.len() as u64;
        let point = Point { trace: self.trace, number: point, time: None };
        self.sink.rows().map_or(Ok(()), |sink| sink.single_rows(point, number, rows))
    }

    /// Rows that may share their points, one by one.
    fn labelled_rows(&mut self, clocks: &Clocks, rows: &IntegerRows) -> Flow {
        let (mut first, mut open) = (0, None);
        for &RowHead { start, shape, end } in rows.heads() {
            let values = &rows.values()[first..end as usize];
            first = end as usize;
            let stamp = clocks.stamp(shape);
            let own = stamp.label.map(|label| (values[label], stamp.time.map(|time| values[time])));
            self.events += 1;
            // Most rows have label and time of the one before them, whose point is open.
            if own.is_none() || own != open {
                let number = |place: usize| values[place].as_integer().map(Number::Int);
                self.enter_point(stamp.time.and_then(number), stamp.label.and_then(number), start)?;
                open = own;
            }
            if let Some(sink) = self.sink.rows() {
                sink.row(shape, self.events, values)?;
            }
            self.leave()?;
        }
        Ok(())
    }

    #[cold]
    fn plain_in_point(&mut self, event: Event<'_>) -> Flow {
        self.enter(None, false, event.offset)?;
        self.sink.event(event)?;
        self.leave()
    }

    /// Takes the time of an event that is a point by itself, if it is a small integer that does not go back.
    #[inline(always)]
    fn takes_time(&mut self, alone: Option<usize>, raw: RawEvent<'_>) -> bool {
        let Some(position) = alone else { return false };
        let Some(time) = parse_short(raw.values[position].as_bytes()) else { return false };
        let Some(Number::Int(newest)) = &mut self.time else { return false };
        let goes_on = time > *newest || (time == *newest && self.ties == Ties::Apart);
        if !goes_on || self.state != State::Between {
            return false;
        }
        *newest = time;
        true
    }

    /// An event whose values are its arguments, and whose time has been taken.
    #[inline(always)]
    fn plain_in_time(&mut self, shape: ShapeId, raw: RawEvent<'_>) -> Flow {
        self.begin(true)?;
        self.sink.event(Event { shape, arguments: raw.values, number: self.events, offset: raw.offset })?;
        self.sink.end_point()
    }

    #[inline(never)]
    fn full(&mut self, full: &mut Full, planner: &mut Planner<'_>, raw: RawEvent<'_>) -> Flow {
        if let Some(group) = &full.group {
            self.follow(group, &full.names, raw)?;
        }
        let (mut made, mut entered) = (false, false);
        for output in &mut full.outputs {
            if !full.names.holds(output.when.as_ref(), raw)? {
                continue;
            }
            made = true;
            if output.when.is_some() {
                planner.uses[output.entry] = EntryUse::Matched;
            }
            if let Some(time) = &output.time {
                if std::mem::take(&mut entered) {
                    self.leave()?;
                }
                self.enter_of(output.alone, time, None, &full.names, raw)?;
                self.emit(output, &full.names, planner, raw)?;
                self.leave()?;
                continue;
            }
            if !entered {
                self.enter_of(full.alone, &full.time, full.label, &full.names, raw)?;
                entered = true;
            }
            self.emit(output, &full.names, planner, raw)?;
        }
        if made && !entered {
            return Ok(());
        }
        if !made {
            let Some(unchanged) = &mut full.otherwise else { return Ok(()) };
            self.enter_of(full.alone, &full.time, full.label, &full.names, raw)?;
            self.emit(unchanged, &full.names, planner, raw)?;
        }
        self.leave()
    }

    /// Opens the point of an event with these fields, or finds it open.
    #[inline]
    fn enter_of(
        &mut self,
        alone: Option<usize>,
        time: &TimePlan,
        label: Option<usize>,
        names: &plan::Names,
        raw: RawEvent<'_>,
    ) -> Flow {
        if self.takes_time(alone, raw) {
            return self.begin(true);
        }
        self.enter_slowly(time, label, names, raw)
    }

    #[inline(never)]
    fn enter_slowly(&mut self, time: &TimePlan, label: Option<usize>, names: &plan::Names, raw: RawEvent<'_>) -> Flow {
        if matches!(self.state, State::Pending | State::Explicit | State::Spent) {
            return self.enter(None, false, raw.offset);
        }
        let label = match label {
            Some(position) => Some(read_label(raw.values[position], raw.offset)?),
            None => None,
        };
        let time = time.read(names, raw, &mut self.memory)?;
        let timed = time.is_some();
        // Merged points are those of equal times, whatever their labels.
        let label = if self.ties == Ties::Merged && timed { time.clone() } else { label };
        self.enter_point(time, label, raw.offset)
    }

    /// Opens the point with this time and label, or finds it open.
    #[inline]
    fn enter_point(&mut self, time: Option<Number>, label: Option<Number>, offset: usize) -> Flow {
        let timed = time.is_some();
        if label.is_some() && self.label == label && self.state == State::Labelled {
            return self.same_point(time, offset);
        }
        if let Some(time) = time {
            self.close()?;
            self.advance_time(time, offset)?;
        }
        self.enter(label, timed, offset)
    }

    /// Rows of one point agree about its time.
    fn same_point(&mut self, time: Option<Number>, offset: usize) -> Flow {
        match (time, &self.time) {
            (Some(new), Some(old)) if new != *old => {
                let message = format!("events with the same `tp` have the timestamps {old} and {new}");
                Err(Fault::new(offset, message)
                    .hint("a time point has one timestamp; give later events a larger `tp`")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Begins a point unless an explicit one is open.
    fn enter(&mut self, label: Option<Number>, timed: bool, offset: usize) -> Flow {
        match self.state {
            State::Explicit => return Ok(()),
            State::Pending | State::Spent => {
                self.state = State::Explicit;
                return self.begin(true);
            }
            State::Labelled => self.close()?,
            State::Between => {}
        }
        if !timed {
            self.untimed(offset)?;
        }
        if let Some(label) = label {
            self.advance_label(label, offset)?;
            self.state = State::Labelled;
        }
        self.begin(timed)
    }

    /// Whether an explicit point is open that a point at this time is to be merged with.
    fn goes_on(&self, time: &Number) -> bool {
        let open = matches!(self.state, State::Pending | State::Explicit);
        self.ties == Ties::Merged && open && self.time.as_ref() == Some(time)
    }

    /// Ends the point after an event that is a point by itself.
    fn leave(&mut self) -> Flow {
        match self.state {
            State::Between => self.sink.end_point(),
            _ => Ok(()),
        }
    }

    #[inline]
    fn begin(&mut self, timed: bool) -> Flow {
        self.point += 1;
        let time = if timed { self.time.as_ref() } else { None };
        self.sink.begin_point(Point { trace: self.trace, number: self.point, time })
    }

    /// Ends the open point, if there is one. An explicit one counts even if it stayed empty.
    fn close(&mut self) -> Flow {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Between | State::Spent => Ok(()),
            State::Labelled | State::Explicit => self.sink.end_point(),
            State::Pending => {
                self.begin(true)?;
                self.sink.end_point()
            }
        }
    }

    /// Where a field tells the trace: another value of it begins another trace.
    fn follow(&mut self, group: &Result<usize, Box<str>>, names: &plan::Names, raw: RawEvent<'_>) -> Flow {
        let position = match group {
            Ok(position) => *position,
            Err(field) => return Err(names.lacks(field, "the mapping splits the log by", raw.offset).into()),
        };
        let value = raw.values[position];
        if self.groups.newest.as_deref() == Some(value) {
            return Ok(());
        }
        if !self.groups.seen.insert(value.into()) {
            let message = format!("`{}` comes again, after events of another trace", excerpt(value));
            let hint =
                "events of one trace must be neighbours where a field splits the log: sort it by that field first";
            return Err(Fault::new(raw.offset, message).hint(hint).into());
        }
        self.groups.newest = Some(value.into());
        self.split()
    }

    /// A marker event: what follows is a new trace. The first marker of the input, if nothing precedes it, begins trace 1.
    fn split(&mut self) -> Flow {
        let explicit = matches!(self.state, State::Pending | State::Explicit | State::Spent);
        if self.state == State::Pending {
            self.state = State::Between;
        }
        self.close()?;
        if self.split_seen || self.point > 0 {
            self.trace += 1;
        }
        self.split_seen = true;
        self.points_before += std::mem::take(&mut self.point);
        self.label = None;
        if explicit {
            self.state = State::Spent;
        } else {
            self.time = None;
        }
        Ok(())
    }

    /// A point without a time comes: that is a fault where a rule needs its time.
    fn untimed(&self, offset: usize) -> Flow {
        let is_fault = match self.need.times {
            NeededTimes::Nothing => false,
            NeededTimes::First => self.point == 0,
            NeededTimes::AllOrNone => self.time.is_some(),
            NeededTimes::All => true,
        };
        if is_fault { Err(self.need.missing(offset)) } else { Ok(()) }
    }

    /// Points with a time come, the first of them at `offset`: that is a fault where a rule needs all times or none.
    fn timed(&self, offset: usize) -> Flow {
        let are_first = self.need.times == NeededTimes::AllOrNone && self.time.is_none() && self.point > 0;
        if are_first { Err(self.need.unexpected(offset)) } else { Ok(()) }
    }

    fn advance_time(&mut self, time: Number, offset: usize) -> Flow {
        self.timed(offset)?;
        if let Some(newest) = &self.time
            && time < *newest
            && self.point > 0
            && !self.unsorted
        {
            let fault = Fault::new(offset, format!("timestamp {time} comes after {newest}"));
            let hint = "timestamps must not decrease; sort the log by time, or let `--reorder 5s` do so within a window, or \
                 `--reorder all` in memory";
            return Err(fault.hint(hint).into());
        }
        if self.ties == Ties::Refused && self.time.as_ref() == Some(&time) && self.point > 0 {
            return Err(equal_times(&time, offset));
        }
        self.time = Some(time);
        Ok(())
    }

    fn advance_label(&mut self, label: Number, offset: usize) -> Flow {
        if let Some(newest) = &self.label
            && label <= *newest
        {
            let fault = Fault::new(offset, format!("tp {label} comes after tp {newest}"));
            return Err(fault
                .hint("`tp` must increase from point to point, and rows of one point must be adjacent")
                .into());
        }
        self.label = Some(label);
        Ok(())
    }

    fn emit(
        &mut self,
        output: &mut OutputPlan,
        names: &plan::Names,
        planner: &mut Planner<'_>,
        raw: RawEvent<'_>,
    ) -> Flow {
        if let Some(field) = &output.missing {
            return Err(names.lacks(field, "the mapping names", raw.offset).into());
        }
        let shape = match &mut output.naming {
            Naming::Fixed(shape) => *shape,
            Naming::BuiltName(built) => {
                built.write(&names.event, raw.values, &mut self.name);
                built.shape(&self.name, planner, self.sink)
            }
        };
        for typed in &output.typed {
            check_type(raw.values[typed.position], typed.declared, &typed.field, raw.offset)?;
        }
        let Some(order) = &output.order else {
            let event = Event { shape, arguments: raw.values, number: self.events, offset: raw.offset };
            return self.sink.event(event);
        };
        let mut arguments: Vec<&str> = std::mem::take(&mut self.arguments);
        // A field that may be absent and is has no place.
        arguments.extend(order.iter().map(|&position| raw.values.get(position).copied().unwrap_or_default()));
        let event = Event { shape, arguments: &arguments, number: self.events, offset: raw.offset };
        let flow = self.sink.event(event);
        self.arguments = recycle(arguments);
        flow
    }
}

fn read_label(text: &str, offset: usize) -> Result<Number, Stop> {
    Number::parse(text)
        .ok_or_else(|| Fault::new(offset, format!("expected a number in field `tp`, found `{text}`")).into())
}

fn check_type(text: &str, declared: Type, field: &str, offset: usize) -> Flow {
    if crate::number::parse_small(text.as_bytes()).is_some() && declared != Type::Boolean {
        return Ok(());
    }
    if Value::of_type(text, Some(declared)).is_some() {
        return Ok(());
    }
    let fault = Fault::new(offset, format!("field `{field}` is declared {declared}, found `{text}`"));
    Err(match declared {
        Type::Integer if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            fault.hint("an integer has no leading zeros; declare the field `string` to keep them")
        }
        _ => fault.hint("correct the value, or declare another type"),
    }
    .into())
}
