//! The parts of formulas that the interpreter evaluates, while a program runs.
//!
//! ```text
//!   point ─▶ step: names its values, moves past operators on ─▶ units run; plans ask: does part 0 hold of (7, 3)?
//!                                                                └ evaluated for these values, in what the point left
//! ```
//!
//! The parts of one property have one evaluator, for which values count as named, sorts grow and constants are known just as if
//! it judged the whole property: so both paths mean the same by a value that nobody has named.
//!
//! Cost: per point what the past operators inside the parts cost on the interpreter. A question is a look-up in the table
//! of a past operator, or the evaluation of what stands above such operators for the values that are asked for.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::HashMap;
use referee_spec::core::{Equality, Obstacle, Problem, Property, Span};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;
use referee_trace::values::{Atom, Values};

use crate::fo::code::program::Part;
use crate::fo::interpret::evaluate::{FormulaEvaluator, Occurrence};
use crate::fo::interpret::event_kind::EventKind;
use crate::fo::interpret::interpreter::algebra;
use crate::fo::interpret::plan::{InterpretedFormula, PlanPart};
use crate::fo::interpret::snapshot::{self, Snapshot};
use crate::fo::interpret::table::{Condition, ConditionTable, earlier};
use crate::fo::interpret::variables::FormulaVar;
use crate::fo::run::values::value;
use crate::judge::{Damaged, Reader, Size, Writer};
use crate::shared::universe::ValueId;

/// All parts of a program.
#[derive(Debug, Default)]
pub(super) struct FallbackParts {
    /// One per property that has parts.
    evaluators: Vec<PropertyParts>,
    /// By part: which evaluator knows it, and its number there.
    places: Vec<(usize, usize)>,
}

impl FallbackParts {
    /// The parts of these properties, before the first point.
    pub(super) fn new(properties: &[Arc<Property>], parts: &[Part]) -> FallbackParts {
        let mut fallback = FallbackParts { evaluators: Vec::new(), places: vec![(0, 0); parts.len()] };
        for (rule, property) in properties.iter().enumerate() {
            let is_own = |number: &usize| parts[*number].rule == rule && parts[*number].is_used;
            let own: Vec<usize> = (0..parts.len()).filter(is_own).collect();
            for (place, number) in own.iter().enumerate() {
                fallback.places[*number] = (fallback.evaluators.len(), place);
            }
            if !own.is_empty() {
                let own: Vec<&Part> = own.iter().map(|number| &parts[*number]).collect();
                fallback.evaluators.push(PropertyParts::new(rule, property, &own));
            }
        }
        fallback
    }

    /// Whether some part has to hear of every point.
    pub(super) fn is_moving(&self) -> bool {
        self.evaluators.iter().any(|parts| parts.is_moving)
    }

    /// A shape of events comes for the first time.
    pub(super) fn shape(&mut self, shape: &EventShape) {
        self.evaluators.iter_mut().for_each(|parts| parts.shape(shape));
    }

    /// Enters a point.
    pub(super) fn step(&mut self, point: u64, time: &Number, events: &[(ShapeId, &[Atom])], values: &Values) {
        for parts in self.evaluators.iter_mut().filter(|parts| parts.is_moving) {
            parts.step(point, time, events, values);
        }
    }

    /// Whether a part holds of these values at this point; nothing if that cannot be told.
    pub(super) fn holds(&mut self, part: usize, words: &[u64], values: &Values) -> Option<bool> {
        let (evaluator, place) = self.places[part];
        self.evaluators[evaluator].holds(place, words, values)
    }

    /// The word of the value that a part has for its last variable, given those of the others, if there is one.
    pub(super) fn yielded(&mut self, part: usize, words: &[u64], values: &Values) -> Option<u64> {
        let (evaluator, place) = self.places[part];
        self.evaluators[evaluator].yielded(place, words, values)
    }

    /// What kept parts from being judged, by property.
    pub(super) fn obstacles(&mut self) -> Vec<(usize, Obstacle)> {
        self.evaluators.iter_mut().filter_map(|parts| Some((parts.rule, parts.obstacle.take()?))).collect()
    }

    /// What is remembered.
    pub(super) fn sizes(&self) -> Vec<Size> {
        self.evaluators.iter().flat_map(PropertyParts::sizes).collect()
    }
}

/// As bytes.
impl FallbackParts {
    /// Writes what the parts remember.
    pub(super) fn write(&self, out: &mut Writer) {
        self.evaluators.iter().for_each(|parts| parts.write(out));
    }

    /// Words may come to stand for other values: forgets which they were.
    pub(super) fn drop_words(&mut self) {
        self.evaluators.iter_mut().for_each(PropertyParts::drop_words);
    }

    /// Reads it, before the first point.
    pub(super) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        self.evaluators.iter_mut().try_for_each(|parts| parts.read(reader))
    }
}

/// The parts of one property.
#[derive(Debug)]
struct PropertyParts {
    rule: usize,
    property: Arc<Property>,
    evaluator: FormulaEvaluator,
    plans: Vec<PlanPart>,
    /// Where each part stands.
    spans: Vec<Span>,
    is_moving: bool,
    /// By shape, what such events mean to the property.
    kinds: Vec<EventKind>,
    /// The values of each sort so far.
    members: Vec<HashSet<ValueId>>,
    /// The number of each word that was met.
    numbers: HashMap<u64, ValueId>,
    obstacle: Option<Obstacle>,
    /// Room for what is asked.
    given: Vec<(FormulaVar, ValueId)>,
    /// Room for the arguments of an event.
    arguments: Vec<ValueId>,
}

impl PropertyParts {
    fn new(rule: usize, property: &Arc<Property>, parts: &[&Part]) -> PropertyParts {
        let formulas: Vec<_> = parts.iter().map(|part| (&part.formula, &part.variables[..])).collect();
        let (compiled, plans) = InterpretedFormula::parts(property, &formulas);
        PropertyParts {
            rule,
            property: property.clone(),
            evaluator: FormulaEvaluator::new(Arc::new(compiled), algebra(property)),
            plans,
            spans: parts.iter().map(|part| part.formula.span).collect(),
            is_moving: parts.iter().any(|part| part.is_moving),
            kinds: Vec::new(),
            members: vec![HashSet::new(); property.sorts.len()],
            numbers: HashMap::default(),
            obstacle: None,
            given: Vec::new(),
            arguments: Vec::new(),
        }
    }

    fn shape(&mut self, shape: &EventShape) {
        let fields: Vec<&str> = shape.arguments.iter().map(|argument| &*argument.name).collect();
        self.kinds.push(EventKind::of(&self.property, &shape.name, &fields, shape.positional));
    }

    fn step(&mut self, point: u64, time: &Number, events: &[(ShapeId, &[Atom])], values: &Values) {
        self.evaluator.point = point - 1;
        self.evaluator.begin(time.clone());
        let mut happened: Vec<Occurrence> = Vec::new();
        for (shape, atoms) in events {
            if !self.kinds[shape.index()].is_seen() {
                continue;
            }
            self.arguments.clear();
            for atom in *atoms {
                let number = self.number(atom.word(), values);
                self.arguments.push(number);
            }
            let kind = &self.kinds[shape.index()];
            let algebra = &mut self.evaluator.algebra;
            happened.extend(kind.enter(&self.arguments, point, algebra, &mut self.members));
        }
        self.evaluator.happen(happened);
        self.evaluator.settle();
    }

    /// The evaluator's number for a word.
    fn number(&mut self, word: u64, values: &Values) -> ValueId {
        let by_text = self.property.equality == Equality::ByText;
        let universe = &mut self.evaluator.algebra.universe;
        *self.numbers.entry(word).or_insert_with(|| universe.intern(&value(word, values, by_text)))
    }

    /// The table of a part where its first variables have these values.
    fn table(&mut self, part: usize, words: &[u64], values: &Values) -> ConditionTable {
        self.given.clear();
        for (place, word) in words.iter().enumerate() {
            let number = self.number(*word, values);
            self.given.push((self.plans[part].variables[place], number));
        }
        self.evaluator.table_given(&self.plans[part].body, &self.given)
    }

    fn holds(&mut self, part: usize, words: &[u64], values: &Values) -> Option<bool> {
        match self.table(part, words, values) {
            ConditionTable::Leaf(Condition::Constant(truth)) => Some(truth),
            table => self.give_up(part, &table),
        }
    }

    fn yielded(&mut self, part: usize, words: &[u64], values: &Values) -> Option<u64> {
        let table = self.table(part, words, values);
        let number = match &table {
            ConditionTable::Leaf(Condition::Constant(false)) => return None,
            ConditionTable::Node(node) if node.rest.as_constant() == Some(false) && node.rows.size() == 1 => {
                node.rows.iter().find(|(_, row)| row.as_constant() == Some(true)).map(|(value, _)| *value)
            }
            _ => None,
        };
        let value = number.map(|number| self.evaluator.algebra.universe.value(number));
        let integer = value.and_then(|value| value.as_number()).and_then(Number::as_i64).and_then(Atom::integer);
        integer.map(Atom::word).or_else(|| self.give_up(part, &table))
    }

    /// A part is decided wherever it is asked for; were it not, nothing may be concluded.
    fn give_up<T>(&mut self, part: usize, table: &ConditionTable) -> Option<T> {
        let (point, span) = (self.evaluator.point, self.spans[part]);
        let mut obstacle = None;
        table.for_each_condition(&mut |condition| obstacle = earlier(obstacle.take(), condition.obstacle()));
        let unknown = || Obstacle { point, span, problem: Problem::UnnamedValue };
        self.obstacle = earlier(self.obstacle.take(), Some(obstacle.unwrap_or_else(unknown)));
        None
    }

    /// What does not move remembers nothing but what stood in its way.
    fn drop_words(&mut self) {
        self.numbers.clear();
        if !self.is_moving {
            // It remembers nothing, so it needs no values but those that it is asked for.
            let compiled = self.evaluator.compiled.clone();
            self.evaluator = FormulaEvaluator::new(compiled, algebra(&self.property));
        }
    }

    fn write(&self, out: &mut Writer) {
        if out.is_marking() {
            // An evaluator has values of its own.
            return;
        }
        if self.is_moving {
            return Snapshot::of_evaluator(&self.evaluator, self.obstacle.clone()).write(out);
        }
        out.truth(self.obstacle.is_some());
        self.obstacle.iter().for_each(|obstacle| out.obstacle(obstacle));
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        if self.is_moving {
            (self.members, self.obstacle) = self.evaluator.restore(snapshot::read(reader)?)?;
        } else if reader.truth()? {
            self.obstacle = Some(reader.obstacle()?);
        }
        Ok(())
    }

    fn sizes(&self) -> Vec<Size> {
        let pasts = self.evaluator.compiled.pasts.iter().zip(self.evaluator.sizes());
        let size = |(past, rows): (&crate::fo::interpret::plan::Past, usize)| Size {
            rule: self.rule,
            purpose: self.property.text(past.span).to_owned(),
            rows,
        };
        pasts.map(size).collect()
    }
}
