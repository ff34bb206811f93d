//! What is to be done with the events of one shape, worked out once.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet, HashTable};

use super::clocks::Stamp;
use super::meaning::{Meaning, Ties, TimeField};
use crate::error::{Fault, Stop, excerpt};
use crate::event::{Argument, EventShape, EventSink};
use crate::instant::{Guess, guess};
use crate::mapping::{
    Bound, Condition, MappingEntry, Part, SplitRule, Template, TimeMemory, TimePlace, TimeRule, nearest,
};
use crate::number::Number;
use crate::raw::{RawEvent, Shape, ShapeId, Want};
use crate::signature::are_numerals;
use crate::value::Type;

/// The shapes of abstract events that the sink knows, with what it wants of them. A log may have as many names as lines, so what is kept of one
/// is small.
#[derive(Default)]
pub(super) struct Announced {
    /// How many there are.
    count: u32,
    /// Whether some were there before the first event.
    goes_on: bool,
    /// Those that may come again, of another raw shape.
    known: Vec<(EventShape, ShapeId, Want)>,
    index: HashTable<u32>,
    /// The lists of arguments, each once.
    lists: HashSet<Arc<[Argument]>, foldhash::fast::FixedState>,
    hasher: foldhash::fast::FixedState,
}

impl Announced {
    /// The list of these arguments.
    fn list(&mut self, arguments: &[Argument]) -> Arc<[Argument]> {
        if let Some(known) = self.lists.get(arguments) {
            return known.clone();
        }
        let list: Arc<[Argument]> = arguments.into();
        self.lists.insert(list.clone());
        list
    }

    /// The number of a shape, and what the sink wants of it; a new one is announced to the sink.
    fn announce<E: EventSink>(&mut self, shape: EventShape, sink: &mut E) -> (ShapeId, Want) {
        let hash = self.hasher.hash_one(&shape);
        if let Some(&at) = self.index.find(hash, |&at| self.known[at as usize].0 == shape) {
            let (_, id, want) = self.known[at as usize];
            return (id, want);
        }
        let (id, want) = self.announce_new(&shape, sink);
        self.keep(shape, id, want);
        (id, want)
    }

    /// Keeps a shape that may come again.
    fn keep(&mut self, shape: EventShape, id: ShapeId, want: Want) {
        let hash = self.hasher.hash_one(&shape);
        let at = u32::try_from(self.known.len()).expect("fewer than four billion shapes fit in memory");
        self.known.push((shape, id, want));
        let (known, hasher) = (&self.known, &self.hasher);
        self.index.insert_unique(hash, at, |&at| hasher.hash_one(&known[at as usize].0));
    }

    /// Announces a shape that comes from one raw shape only: nobody will look for it again, unless the trace goes on.
    fn announce_once<E: EventSink>(&mut self, shape: EventShape, sink: &mut E) -> (ShapeId, Want) {
        if self.goes_on { self.announce(shape, sink) } else { self.announce_new(&shape, sink) }
    }

    fn announce_new<E: EventSink>(&mut self, shape: &EventShape, sink: &mut E) -> (ShapeId, Want) {
        let id = ShapeId(self.count);
        self.count = self.count.checked_add(1).expect("fewer than four billion shapes fit in memory");
        (id, sink.shape(id, shape))
    }
}

/// What is to be done with an event.
pub(super) enum EventPlan {
    /// It is one point and one event, its values are the arguments.
    Plain(ShapeId),
    /// It starts a new trace.
    Split,
    /// Everything else: a plan by its number.
    Full(u32),
}

/// A plan for events that are mapped, timed or labelled.
pub(super) struct Full {
    pub names: Names,
    /// The field whose value tells the trace, if one does; a name if the events lack it.
    pub group: Option<Result<usize, Box<str>>>,
    /// The field with the label of the point.
    pub label: Option<usize>,
    pub time: TimePlan,
    /// Every output whose condition holds makes an event.
    pub outputs: Vec<OutputPlan>,
    /// What is made when none holds.
    pub otherwise: Option<OutputPlan>,
    /// Where the time is, if such events are points by themselves and it is written as a number.
    pub alone: Option<usize>,
    /// The shape of the event, if the values are its arguments as they stand.
    pub plain: Option<ShapeId>,
}

/// Where the time is.
pub(super) enum TimePlan {
    None,
    At {
        position: usize,
        rule: Option<TimeRule>,
    },
    /// Several fields make it together.
    Joined {
        positions: Vec<usize>,
        rule: TimeRule,
    },
    /// The mapping requires this field, and the events lack it.
    Missing(Box<str>),
}

/// One abstract event made of a raw one.
pub(super) struct OutputPlan {
    /// The number of the entry of the mapping that it comes from.
    pub entry: usize,
    pub when: Option<Condition<Bound>>,
    pub naming: Naming,
    /// Which field each argument is; nothing if the values are passed on as they stand.
    pub order: Option<Vec<usize>>,
    /// The declared types that must be checked.
    pub typed: Vec<TypedField>,
    /// A field that the mapping names and the events lack.
    pub missing: Option<Box<str>>,
    /// The time of these events, if they have one of their own: then they are points of their own.
    pub time: Option<TimePlan>,
    /// Where that time is, if it is written as a number.
    pub alone: Option<usize>,
}

/// Stands for the place of a field that may be absent and is.
const ABSENT: usize = usize::MAX;

/// The time of events in logs for process mining, in XES and in tables made of it: a date, in all languages.
const PROCESS_TIME: &str = "time:timestamp";

/// A field of a declared type.
pub(super) struct TypedField {
    pub position: usize,
    pub field: Box<str>,
    pub declared: Type,
}

/// How the abstract event gets its name.
pub(super) enum Naming {
    Fixed(ShapeId),
    BuiltName(Box<BuiltName>),
}

/// A name that depends on the values.
pub(super) struct BuiltName {
    parts: Vec<BuiltPart>,
    arguments: Vec<Argument>,
    positional: usize,
    known: HashMap<Box<str>, ShapeId, foldhash::fast::FixedState>,
}

enum BuiltPart {
    Text(Box<str>),
    Name,
    Field(usize),
}

/// The names of a raw shape, for messages.
pub(super) struct Names {
    pub event: Arc<str>,
    fields: Arc<[Box<str>]>,
}

impl TimePlan {
    /// The time of an event.
    #[inline]
    pub(super) fn read(
        &self,
        names: &Names,
        raw: RawEvent<'_>,
        memory: &mut TimeMemory,
    ) -> Result<Option<Number>, Stop> {
        let (time, position, rule) = match self {
            TimePlan::None => return Ok(None),
            TimePlan::At { position, rule: None } => (Number::parse(raw.values[*position]), *position, None),
            TimePlan::At { position, rule: Some(rule) } => {
                (rule.read(raw.values[*position], memory), *position, Some(rule))
            }
            TimePlan::Joined { positions, rule } => return joined(positions, rule, names, raw, memory).map(Some),
            TimePlan::Missing(field) => {
                return Err(names.lacks(field, "the mapping names as its time", raw.offset).into());
            }
        };
        match time {
            Some(time) => Ok(Some(time)),
            None => Err(no_time(rule, &[&names.fields[position]], raw.values[position], raw.offset, memory).into()),
        }
    }
}

/// The time that several fields make together.
fn joined(
    positions: &[usize],
    rule: &TimeRule,
    names: &Names,
    raw: RawEvent<'_>,
    memory: &mut TimeMemory,
) -> Result<Number, Stop> {
    let mut text = std::mem::take(&mut memory.joined);
    text.clear();
    for (number, &position) in positions.iter().enumerate() {
        if number > 0 {
            text.push(' ');
        }
        text.push_str(raw.values[position]);
    }
    let time = rule.read(&text, memory).ok_or_else(|| {
        let fields: Vec<&str> = positions.iter().map(|&position| &*names.fields[position]).collect();
        no_time(Some(rule), &fields, &text, raw.offset, memory).into()
    });
    memory.joined = text;
    time
}

/// The fault of a text that is no time as it should be written.
#[cold]
fn no_time(rule: Option<&TimeRule>, fields: &[&str], text: &str, offset: usize, memory: &TimeMemory) -> Fault {
    let expected = rule.map_or("a number".into(), |rule| rule.expected(memory));
    let fields = fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(" and ");
    let plural = if fields.contains(" and ") { "fields" } else { "field" };
    let found = excerpt(text);
    let fault = Fault::new(offset, format!("expected {expected} as timestamp in {plural} {fields}, found `{found}`"));
    if let Some(objection) = rule.and_then(|rule| rule.objection(text)) {
        return fault.hint(objection);
    }
    let written = match (guess(text), rule) {
        (Some(Guess { name, format }), Some(_)) if rule.is_none_or(|rule| !rule.is_epoch()) => {
            format!("this looks like {name}: write format = \"{format}\"")
        }
        (Some(Guess { name, format }), None) => format!(
            "this looks like {name}: write time = {{ field = {fields}, format = \"{format}\" }} in a mapping, and give it with --map",
            fields = fields.replace('`', "\"")
        ),
        _ => "`format` in the mapping's `time` says how times are written: number, epoch, rfc3339, apache, syslog, \
              or a pattern such as \"%d.%m.%Y %H:%M:%S\""
            .to_owned(),
    };
    fault.hint(written)
}

impl BuiltName {
    /// Writes the name of an event into `name`.
    pub(super) fn write(&self, event: &str, values: &[&str], name: &mut String) {
        name.clear();
        for part in &self.parts {
            name.push_str(match part {
                BuiltPart::Text(text) => text,
                BuiltPart::Name => event,
                BuiltPart::Field(position) => values[*position],
            });
        }
    }

    /// The shape of events with this name; a new one is announced to the sink.
    pub(super) fn shape<E: EventSink>(&mut self, name: &str, planner: &mut Planner<'_>, sink: &mut E) -> ShapeId {
        if let Some(shape) = self.known.get(name) {
            return *shape;
        }
        let mut arguments = self.arguments.clone();
        planner.declare(name, &mut arguments[..self.positional]);
        let arguments = planner.announced.list(&arguments);
        let shape = EventShape { name: name.into(), arguments, positional: self.positional };
        let (id, _) = planner.announced.announce(shape, sink);
        self.known.insert(name.into(), id);
        id
    }
}

impl Names {
    /// Whether a condition holds; a fault if it needs a field that is not there.
    pub(super) fn holds(&self, when: Option<&Condition<Bound>>, raw: RawEvent<'_>) -> Result<bool, Stop> {
        let Some(when) = when else { return Ok(true) };
        when.holds(raw.values).map_err(|field| {
            let fault = self.lacks(field, "a condition of the mapping names", raw.offset);
            let hint = fault.hint.clone().unwrap_or_default();
            let stop = if hint.ends_with('?') { "" } else { ";" };
            fault.hint(format!("{hint}{stop} `has {field} and …` asks first")).into()
        })
    }

    /// The fault of an event that lacks a field.
    pub(super) fn lacks(&self, field: &str, reason: &str, offset: usize) -> Fault {
        let fault = Fault::new(offset, format!("event `{}` has no field `{field}`, which {reason}", self.event));
        let near = nearest(field, self.fields.iter().map(|field| &**field));
        match (near, self.fields.len()) {
            (Some(near), _) => fault.hint(format!("did you mean `{near}`?")),
            (None, 0) => fault.hint("it has no fields at all"),
            (None, _) => fault.hint(format!("it has {}", list(&self.fields))),
        }
    }
}

/// The first few names.
fn list(fields: &[Box<str>]) -> String {
    let shown: Vec<String> = fields.iter().take(12).map(|field| format!("`{field}`")).collect();
    match fields.len() > shown.len() {
        true => format!("{} and {} more", shown.join(", "), fields.len() - shown.len()),
        false => shown.join(", "),
    }
}

/// Makes plans.
pub(super) struct Planner<'a> {
    meaning: &'a Meaning,
    announced: Announced,
    /// The first field that is an argument here, and the time for languages that measure it.
    pub other_time: Option<Box<str>>,
    /// What came of the entries of the mapping so far.
    pub uses: Vec<EntryUse>,
}

/// What came of an entry of the mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EntryUse {
    /// No event has the name that it is about.
    Unmet,
    /// There are such events, and its condition held for none of them.
    Meant,
    /// It made an event.
    Matched,
}

/// Which fields go where, before the event has a name.
struct ArgumentOrder {
    order: Vec<usize>,
    arguments: Vec<Argument>,
    positional: usize,
    missing: Option<Box<str>>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(meaning: &'a Meaning) -> Self {
        let uses = vec![EntryUse::Unmet; meaning.mapping.entries.len()];
        Planner { meaning, announced: Announced::default(), other_time: None, uses }
    }

    /// Announces the shapes of events that came before.
    pub(super) fn announce_known<E: EventSink>(&mut self, shapes: &[EventShape], sink: &mut E) {
        self.announced.goes_on = true;
        for shape in shapes {
            let arguments = self.announced.list(&shape.arguments);
            let shape = EventShape { arguments, ..shape.clone() };
            let (id, want) = self.announced.announce_new(&shape, sink);
            self.announced.keep(shape, id, want);
        }
    }

    /// The plan for a shape, and which of its fields must be decoded. One that takes room is added to `fulls`.
    pub(super) fn plan<E: EventSink>(
        &mut self,
        shape: &Shape,
        fulls: &mut Vec<Full>,
        sink: &mut E,
    ) -> (EventPlan, Want) {
        let mapping = &self.meaning.mapping;
        let group = match &mapping.split {
            Some(SplitRule::Event(name)) if **name == *shape.name => return (EventPlan::Split, Want::NONE),
            Some(SplitRule::Field(field)) => Some(position_of(field, shape).ok_or_else(|| field.clone())),
            _ => None,
        };
        let label = shape.fields.iter().position(|field| **field == *"tp");
        let time = self.time_of(shape);
        let apart: Vec<usize> = label.into_iter().chain(time.positions().iter().copied()).collect();
        let mut wanted = apart.clone();
        wanted.extend(group.iter().flatten());
        let is_meant = |entry: &MappingEntry| entry.from.as_ref().is_none_or(|from| **from == *shape.name);
        let mut outputs: Vec<OutputPlan> = Vec::new();
        for (number, entry) in mapping.entries.iter().enumerate().filter(|(_, entry)| is_meant(entry)) {
            self.uses[number] = self.uses[number].max(EntryUse::Meant);
            let when = entry.when.as_ref().map(|when| when.bind(shape));
            if when.as_ref().and_then(Condition::verdict) != Some(false) {
                let output = self.output(entry, when, shape, &apart, &mut wanted, sink);
                if output.when.is_none() {
                    self.uses[number] = EntryUse::Matched;
                }
                outputs.push(OutputPlan { entry: number, ..output });
                self.own_time(entry, shape, outputs.last_mut(), &mut wanted);
            }
        }
        let always = outputs.iter().any(|output| output.when.is_none());
        let otherwise = (!always && !mapping.drop_others).then(|| {
            let unchanged = MappingEntry {
                from: None,
                when: None,
                to: Template::unchanged(),
                arguments: None,
                time: None,
                line: 0,
            };
            self.output(&unchanged, None, shape, &apart, &mut wanted, sink)
        });
        let want = want_of(wanted, shape.fields.len());
        let only = match (outputs.as_slice(), &otherwise) {
            ([], Some(only)) => Some(only),
            ([only], None) if only.when.is_none() && only.time.is_none() => Some(only),
            _ => None,
        };
        let plain = only.and_then(OutputPlan::plain).filter(|_| group.is_none());
        if let Some(plain) = plain
            && apart.is_empty()
            && !matches!(time, TimePlan::Missing(_))
        {
            return (EventPlan::Plain(plain), want);
        }
        let is_alone = label.is_none() && self.meaning.ties != Ties::Merged;
        let alone = time.number_at().filter(|_| is_alone);
        let names = Names { event: shape.name.clone(), fields: shape.fields.clone() };
        let number = u32::try_from(fulls.len()).expect("fewer than four billion plans fit in memory");
        fulls.push(Full { names, group, label, time, outputs, otherwise, alone, plain });
        (EventPlan::Full(number), want)
    }

    /// Gives an output the time that its entry says.
    fn own_time(&self, entry: &MappingEntry, shape: &Shape, output: Option<&mut OutputPlan>, wanted: &mut Vec<usize>) {
        let (Some(rule), Some(output)) = (&entry.time, output) else { return };
        let time = time_by(rule, shape).unwrap_or(TimePlan::None);
        wanted.extend(time.positions());
        output.alone = time.number_at().filter(|_| self.meaning.ties != Ties::Merged);
        output.time = Some(time);
    }

    /// Where the time of such events is: as the mapping says, else as the language says.
    fn time_of(&mut self, shape: &Shape) -> TimePlan {
        let rule = self.meaning.mapping.time.as_ref();
        if let Some(rule) = rule {
            // A mapping that speaks of time says all about it, so that all languages see the same.
            return time_by(rule, shape).unwrap_or(TimePlan::None);
        }
        let own = default_time(self.meaning.time, shape);
        if let Some(position) = default_time(TimeField::Named, shape).filter(|named| own != Some(*named)) {
            self.other_time.get_or_insert_with(|| shape.fields[position].clone());
        }
        match (own, position_of(PROCESS_TIME, shape)) {
            (Some(position), _) => TimePlan::At { position, rule: None },
            (None, Some(position)) => TimePlan::At { position, rule: Some(TimeRule::rfc3339(PROCESS_TIME)) },
            (None, None) => TimePlan::None,
        }
    }

    fn output<E: EventSink>(
        &mut self,
        entry: &MappingEntry,
        when: Option<Condition<Bound>>,
        shape: &Shape,
        apart: &[usize],
        wanted: &mut Vec<usize>,
        sink: &mut E,
    ) -> OutputPlan {
        let when = when.filter(|when| when.verdict() != Some(true));
        if let Some(when) = &when {
            when.add_positions(wanted);
        }
        let own = entry.time.as_ref().and_then(|rule| time_by(rule, shape));
        let apart: Vec<usize> = apart.iter().chain(own.iter().flat_map(TimePlan::positions)).copied().collect();
        let mut layout = layout(entry, shape, &apart);
        self.declare_groups(shape, &mut layout);
        let (naming, want) = self.naming(&entry.to, shape, &mut layout, wanted, sink);
        let is_read = |at: usize| want.has(at) && layout.order[at] != ABSENT;
        wanted.extend(layout.order.iter().enumerate().filter(|(at, _)| is_read(*at)).map(|(_, position)| *position));
        let typed = layout.order.iter().zip(&layout.arguments).enumerate().filter(|(at, _)| is_read(*at));
        let typed = typed.filter_map(|(_, (&position, argument))| {
            let declared = argument.declared.filter(|declared| *declared != Type::String)?;
            Some(TypedField { position, field: shape.fields[position].clone(), declared })
        });
        let as_they_stand = layout.order.iter().copied().eq(0..shape.fields.len());
        OutputPlan {
            entry: 0,
            when,
            naming,
            typed: typed.collect(),
            order: (!as_they_stand).then(|| layout.order.clone()),
            missing: layout.missing.take(),
            time: None,
            alone: None,
        }
    }

    /// The name, and what the sink wants of events with it; of a name yet to be built, everything.
    fn naming<E: EventSink>(
        &mut self,
        template: &Template,
        shape: &Shape,
        layout: &mut ArgumentOrder,
        wanted: &mut Vec<usize>,
        sink: &mut E,
    ) -> (Naming, Want) {
        let mut fixed = String::new();
        let mut parts = Vec::new();
        let mut is_fixed = true;
        for part in &template.0 {
            parts.push(match part {
                Part::Text(text) => {
                    fixed.push_str(text);
                    BuiltPart::Text(text.clone())
                }
                Part::Name => {
                    fixed.push_str(&shape.name);
                    BuiltPart::Name
                }
                Part::Field(field) => match position_of(field, shape) {
                    Some(position) => {
                        is_fixed = false;
                        wanted.push(position);
                        BuiltPart::Field(position)
                    }
                    None => {
                        is_fixed = false;
                        layout.missing.get_or_insert_with(|| field.clone());
                        BuiltPart::Text("".into())
                    }
                },
            });
        }
        if is_fixed && layout.missing.is_none() {
            self.declare(&fixed, &mut layout.arguments[..layout.positional]);
            let arguments = self.announced.list(&layout.arguments);
            let name = if *fixed == *shape.name { shape.name.clone() } else { fixed.into() };
            let shape = EventShape { name, arguments, positional: layout.positional };
            // Without a mapping, and with no field apart, the arguments are the fields as they stand: other raw shapes are others here, too.
            let is_new = self.meaning.mapping.entries.is_empty() && shape.positional == shape.arguments.len();
            let (id, want) = match is_new {
                true => self.announced.announce_once(shape, sink),
                false => self.announced.announce(shape, sink),
            };
            return (Naming::Fixed(id), want);
        }
        let (arguments, positional) = (layout.arguments.clone(), layout.positional);
        let built = BuiltName { parts, arguments, positional, known: HashMap::default() };
        (Naming::BuiltName(Box::new(built)), Want::ALL)
    }

    /// Gives arguments without a type of their own the one that a pattern declares for the group.
    fn declare_groups(&self, shape: &Shape, layout: &mut ArgumentOrder) {
        let input = &self.meaning.mapping.input;
        if input.patterns.is_empty() || layout.missing.is_some() {
            return;
        }
        for (argument, position) in layout.arguments.iter_mut().zip(&layout.order) {
            // A field that may be absent and is has no place.
            let field = shape.fields.get(*position);
            argument.declared = argument.declared.or_else(|| input.declared(field?));
        }
    }

    /// Gives arguments without a type of their own the one that the signature declares.
    ///
    /// Arguments are found by name, or by position where either side has no names.
    fn declare(&self, name: &str, arguments: &mut [Argument]) {
        let Some(declaration) = self.meaning.signature.as_ref().and_then(|signature| signature.get(name)) else {
            return;
        };
        let declared = &declaration.arguments;
        let by_position = has_no_names(declared) || has_no_names(arguments);
        for (at, argument) in arguments.iter_mut().enumerate().filter(|(_, argument)| argument.declared.is_none()) {
            let found = match by_position {
                true => declared.get(at),
                false => declared.iter().find(|other| other.name == argument.name),
            };
            argument.declared = found.and_then(|found| found.declared);
        }
    }
}

impl Full {
    /// Where time and label are, if both are read as numbers; nothing if something else decides about points.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        let time = match &self.time {
            TimePlan::None => None,
            time => Some(time.number_at()?),
        };
        let is_alone = self.alone.is_some();
        (is_alone || self.label.is_some()).then_some(Stamp { time, label: self.label })
    }
}

impl TimePlan {
    fn positions(&self) -> &[usize] {
        match self {
            TimePlan::At { position, .. } => std::slice::from_ref(position),
            TimePlan::Joined { positions, .. } => positions,
            TimePlan::None | TimePlan::Missing(_) => &[],
        }
    }

    /// Where the time is, if it is written as a number.
    fn number_at(&self) -> Option<usize> {
        match self {
            TimePlan::At { position, rule } if rule.as_ref().is_none_or(TimeRule::is_number) => Some(*position),
            _ => None,
        }
    }
}

impl OutputPlan {
    /// The shape of the event, if the values are its arguments as they stand and nothing is to be checked.
    fn plain(&self) -> Option<ShapeId> {
        match self.naming {
            Naming::Fixed(shape) if self.order.is_none() && self.typed.is_empty() => Some(shape),
            _ => None,
        }
    }
}

/// The arguments of an entry's events: those listed, or all fields with label and time behind the others.
fn layout(entry: &MappingEntry, shape: &Shape, apart: &[usize]) -> ArgumentOrder {
    let Some(rules) = &entry.arguments else {
        let (behind, mut order): (Vec<_>, Vec<_>) =
            (0..shape.fields.len()).partition(|position| apart.contains(position));
        let positional = order.len();
        order.extend(behind);
        let arguments = order.iter().map(|&position| Argument { name: shape.fields[position].clone(), declared: None });
        return ArgumentOrder { arguments: arguments.collect(), order, positional, missing: None };
    };
    let mut layout = ArgumentOrder { order: Vec::new(), arguments: Vec::new(), positional: rules.len(), missing: None };
    for rule in rules {
        match position_of(&rule.field, shape) {
            Some(position) => layout.order.push(position),
            None if rule.optional => layout.order.push(ABSENT),
            None => {
                layout.missing.get_or_insert_with(|| rule.field.clone());
            }
        }
        layout.arguments.push(Argument { name: rule.name.clone(), declared: rule.declared });
    }
    layout
}

/// The wanted positions, of so many fields.
fn want_of(positions: Vec<usize>, fields: usize) -> Want {
    let want = Want::fields(positions);
    let everything = fields > 0 && (0..fields).all(|position| want.has(position));
    if everything { Want::ALL } else { want }
}

fn position_of(name: &str, shape: &Shape) -> Option<usize> {
    shape.fields.iter().position(|field| **field == *name)
}

/// Where a rule finds the time; nothing if such events may lack it and do.
fn time_by(rule: &TimeRule, shape: &Shape) -> Option<TimePlan> {
    match found_at(&rule.place, shape) {
        Ok(Found::First(position)) => Some(TimePlan::At { position, rule: Some(rule.clone()) }),
        Ok(Found::All(positions)) => Some(TimePlan::Joined { positions, rule: rule.clone() }),
        Err(missing) if !rule.optional => Some(TimePlan::Missing(missing.into())),
        Err(_) => None,
    }
}

/// Which fields of a shape make the time.
enum Found {
    First(usize),
    All(Vec<usize>),
}

/// Where the time is, or the field that is missing.
fn found_at<'p>(place: &'p TimePlace, shape: &Shape) -> Result<Found, &'p str> {
    match place {
        TimePlace::FirstOf(fields) => match fields.iter().find_map(|field| position_of(field, shape)) {
            Some(position) => Ok(Found::First(position)),
            None => Err(fields.first().map_or("", |field| field)),
        },
        TimePlace::Joined(fields) => {
            let all = fields.iter().map(|field| position_of(field, shape).ok_or(&**field));
            all.collect::<Result<_, _>>().map(Found::All)
        }
    }
}

fn default_time(which: TimeField, shape: &Shape) -> Option<usize> {
    let is_time = |field: &str| ["ts", "time", "timestamp"].iter().any(|name| field.eq_ignore_ascii_case(name));
    let named = || position_of("ts", shape).or_else(|| shape.fields.iter().position(|field| is_time(field)));
    match which {
        TimeField::Ts => position_of("ts", shape),
        TimeField::Named => named(),
        TimeField::LastPositional => {
            // Where positional events share a point, a label follows their values.
            let values = match shape.fields.split_last() {
                Some((label, values)) if **label == *"tp" => values,
                _ => &shape.fields,
            };
            match are_numerals(values.iter().map(|field| &**field)) {
                true => values.len().checked_sub(1),
                false => named(),
            }
        }
    }
}

fn has_no_names(arguments: &[Argument]) -> bool {
    are_numerals(arguments.iter().map(|argument| &*argument.name))
}
