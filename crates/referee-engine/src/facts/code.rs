//! Resolves in terms and guards everything that does not depend on the event, and evaluates the rest.

use std::cmp::Ordering;
use std::sync::Arc;

use referee_spec::core::facts::{EventPattern, FactGuard, FactTerm, LONGEST_NUMBER, Slot};
use referee_spec::core::{Arithmetic, Comparison, Problem, Span};
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::table::{Access, FactsTable, NONE};
use crate::shared::arithmetic::compute;

/// What cannot be computed, and where.
pub(super) type RuleTrouble = (Problem, Span);

/// Something whose value is known once the variables are.
#[derive(Debug)]
pub(super) enum RuleCode {
    /// The value of a variable.
    Variable(usize),
    /// A constant.
    Constant(Atom),
    /// A field of the event, by its number among the fields that the rules mention.
    Field(usize),
    /// The last value of the row of a relation with this key.
    Lookup(usize, Box<[RuleCode]>),
    /// How many rows a relation has.
    Size(usize),
    /// Arithmetic, and its place.
    Binary(Arithmetic, Box<RuleCode>, Box<RuleCode>, Span),
}

/// A condition.
#[derive(Debug)]
pub(super) enum RuleTest {
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<RuleTest>),
    /// All of them.
    And(Box<[RuleTest]>),
    /// One of them.
    Or(Box<[RuleTest]>),
    /// Two values compare so.
    Compare(Comparison, RuleCode, RuleCode),
    /// There is such a row.
    Holds(RulePattern),
    /// The event fits the pattern of this number, with these arguments.
    Happens(usize, Box<[(usize, RuleCode)]>),
    /// There is a value.
    Defined(RuleCode),
}

/// Rows with given values in some columns.
#[derive(Debug)]
pub(super) struct RulePattern {
    /// The relation.
    pub relation: usize,
    /// How they are found.
    pub access: Access,
    /// The columns, in ascending order, and the values.
    pub columns: Box<[(usize, RuleCode)]>,
}

/// What is shared by all that is compiled: the tables with their indexes, and the fields and events that tests mention.
#[derive(Debug, Default)]
pub(super) struct RuleCompiler {
    /// The tables.
    pub tables: Vec<FactsTable>,
    /// The fields that terms mention.
    pub fields: Vec<Arc<str>>,
    /// The patterns of events that tests mention.
    pub happenings: Vec<EventPattern>,
}

impl RuleCompiler {
    /// Compiles a term.
    pub(super) fn term(&mut self, term: &FactTerm, values: &mut Values) -> RuleCode {
        match term {
            FactTerm::Variable(variable) => RuleCode::Variable(*variable),
            FactTerm::Constant(value) => RuleCode::Constant(values.constant(value)),
            FactTerm::Field(name) => RuleCode::Field(self.field(name)),
            FactTerm::Size(relation) => RuleCode::Size(*relation),
            FactTerm::Lookup(relation, keys) => {
                RuleCode::Lookup(*relation, keys.iter().map(|key| self.term(key, values)).collect())
            }
            FactTerm::Binary(operator, left, right, span) => {
                let (left, right) = (self.term(left, values), self.term(right, values));
                RuleCode::Binary(*operator, Box::new(left), Box::new(right), *span)
            }
        }
    }

    fn field(&mut self, name: &Arc<str>) -> usize {
        self.fields.iter().position(|known| known == name).unwrap_or_else(|| {
            self.fields.push(name.clone());
            self.fields.len() - 1
        })
    }

    /// Compiles a condition.
    pub(super) fn test(&mut self, guard: &FactGuard, values: &mut Values) -> RuleTest {
        match guard {
            FactGuard::Constant(truth) => RuleTest::Constant(*truth),
            FactGuard::Not(body) => RuleTest::Not(Box::new(self.test(body, values))),
            FactGuard::And(all) => RuleTest::And(all.iter().map(|guard| self.test(guard, values)).collect()),
            FactGuard::Or(all) => RuleTest::Or(all.iter().map(|guard| self.test(guard, values)).collect()),
            FactGuard::Compare(comparison, left, right) => {
                RuleTest::Compare(*comparison, self.term(left, values), self.term(right, values))
            }
            FactGuard::Holds(relation, terms) => RuleTest::Holds(self.pattern(*relation, terms, values)),
            FactGuard::Defined(term) => RuleTest::Defined(self.term(term, values)),
            FactGuard::Happens(pattern) => {
                let number = self.happenings.len();
                self.happenings.push(pattern.clone());
                RuleTest::Happens(number, slots(&pattern.arguments, values))
            }
        }
    }

    /// Compiles the search for rows with these values, where there are any.
    pub(super) fn pattern(&mut self, relation: usize, terms: &[Option<FactTerm>], values: &mut Values) -> RulePattern {
        let given = terms.iter().enumerate().filter_map(|(column, term)| Some((column, term.as_ref()?)));
        let columns: Box<[(usize, RuleCode)]> = given.map(|(column, term)| (column, self.term(term, values))).collect();
        let numbers: Vec<usize> = columns.iter().map(|(column, _)| *column).collect();
        RulePattern { relation, access: self.tables[relation].access(&numbers), columns }
    }
}

/// The arguments that a pattern of events demands.
fn slots(slots: &[Slot], values: &mut Values) -> Box<[(usize, RuleCode)]> {
    let code = |(place, slot): (usize, &Slot)| match slot {
        Slot::Any => None,
        Slot::Constant(value) => Some((place, RuleCode::Constant(values.constant(value)))),
        Slot::Variable(variable) => Some((place, RuleCode::Variable(*variable))),
    };
    slots.iter().enumerate().filter_map(code).collect()
}

/// A value: an atom in normal form, or a number that was computed and that nobody has asked to keep.
#[derive(Debug, Clone)]
pub(super) enum RuleDatum {
    /// A value that has an atom.
    Atom(Atom),
    /// A number that was computed.
    Number(Number),
}

/// The event at hand, as far as the rules see it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RuleEvent<'e> {
    /// The arguments in normal form; only those that are wanted mean anything.
    pub arguments: &'e [Atom],
    /// Where the fields that terms mention stand.
    pub fields: &'e [Option<usize>],
    /// Which patterns of tests its shape admits.
    pub happens: &'e [bool],
}

/// What terms and tests are evaluated on.
pub(super) struct RuleScope<'a> {
    /// The facts.
    pub tables: &'a [FactsTable],
    /// The event at hand.
    pub event: RuleEvent<'a>,
    /// The values of the rule's variables.
    pub binding: &'a [Atom],
    /// All values.
    pub values: &'a mut Values,
}

impl RuleScope<'_> {
    /// The value of a term, if it has one.
    pub(super) fn value(&mut self, code: &RuleCode) -> Result<Option<RuleDatum>, RuleTrouble> {
        Ok(match code {
            RuleCode::Variable(variable) => Some(RuleDatum::Atom(self.binding[*variable])),
            RuleCode::Constant(atom) => Some(RuleDatum::Atom(*atom)),
            RuleCode::Field(field) => {
                self.event.fields[*field].map(|place| RuleDatum::Atom(self.event.arguments[place]))
            }
            RuleCode::Size(relation) => Some(RuleDatum::Number(Number::Int(self.tables[*relation].len() as i64))),
            RuleCode::Lookup(relation, keys) => match self.atoms(keys.iter())? {
                Some(key) => {
                    let table = &self.tables[*relation];
                    table.find(&key).and_then(|slot| table.row(slot).last().copied()).map(RuleDatum::Atom)
                }
                None => None,
            },
            RuleCode::Binary(operator, left, right, span) => {
                let (Some(left), Some(right)) = (self.value(left)?, self.value(right)?) else {
                    return Err((Problem::Unbound, *span));
                };
                Some(self.compute(*operator, &left, &right).map_err(|problem| (problem, *span))?)
            }
        })
    }

    fn compute(&self, operator: Arithmetic, left: &RuleDatum, right: &RuleDatum) -> Result<RuleDatum, Problem> {
        let (Some(left), Some(right)) = (self.number(left), self.number(right)) else {
            return Err(Problem::NotANumber);
        };
        match compute(operator, &left, &right)? {
            Number::Ratio(ratio) if ratio.numer().bits() + ratio.denom().bits() > LONGEST_NUMBER => {
                Err(Problem::TooLong)
            }
            number => Ok(RuleDatum::Number(number)),
        }
    }

    fn number(&self, datum: &RuleDatum) -> Option<Number> {
        match datum {
            RuleDatum::Number(number) => Some(number.clone()),
            RuleDatum::Atom(atom) => match atom.as_integer() {
                Some(integer) => Some(Number::Int(integer)),
                None => self.values.value(*atom).as_number().cloned(),
            },
        }
    }

    /// The atom of a value.
    pub(super) fn atom(&mut self, datum: RuleDatum) -> Atom {
        match datum {
            RuleDatum::Atom(atom) => atom,
            RuleDatum::Number(number) => self.values.intern_value(&Value::Number(number)),
        }
    }

    /// The atoms of some terms; nothing if one has no value.
    fn atoms<'c>(&mut self, codes: impl Iterator<Item = &'c RuleCode>) -> Result<Option<FactKey>, RuleTrouble> {
        let mut key = FactKey::default();
        let mut complete = true;
        for code in codes {
            match self.value(code)? {
                Some(datum) => key.push(self.atom(datum)),
                None => complete = false,
            }
        }
        Ok(complete.then_some(key))
    }

    /// The first row with the values of a pattern; nothing if there is none.
    pub(super) fn first(&mut self, pattern: &RulePattern) -> Result<Option<u32>, RuleTrouble> {
        let Some(key) = self.atoms(pattern.columns.iter().map(|(_, code)| code))? else { return Ok(None) };
        let table = &self.tables[pattern.relation];
        let slot = table.first(pattern.access, &key);
        // The key of a primary access may be only a part of what is asked for.
        let fits = slot != NONE
            && pattern.columns.iter().zip(&*key).all(|((column, _), atom)| table.row(slot)[*column] == *atom);
        Ok(fits.then_some(slot))
    }

    /// Whether a test holds.
    pub(super) fn holds(&mut self, test: &RuleTest) -> Result<bool, RuleTrouble> {
        match test {
            RuleTest::Constant(truth) => Ok(*truth),
            RuleTest::Not(body) => Ok(!self.holds(body)?),
            RuleTest::And(all) => self.decide(all, false),
            RuleTest::Or(all) => self.decide(all, true),
            RuleTest::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                Ok(match (left?, right?) {
                    (Some(left), Some(right)) => self.compare(*comparison, &left, &right),
                    _ => false,
                })
            }
            RuleTest::Holds(pattern) => Ok(self.first(pattern)?.is_some()),
            RuleTest::Happens(number, arguments) => {
                let fits = |(place, code): &(usize, RuleCode)| match code {
                    RuleCode::Variable(variable) => self.event.arguments[*place] == self.binding[*variable],
                    RuleCode::Constant(atom) => self.event.arguments[*place] == *atom,
                    _ => false,
                };
                Ok(self.event.happens[*number] && arguments.iter().all(fits))
            }
            RuleTest::Defined(code) => Ok(self.value(code)?.is_some()),
        }
    }

    /// Whether one of the tests is as wanted, which decides them all; what cannot be told matters only if none is.
    fn decide(&mut self, all: &[RuleTest], wanted: bool) -> Result<bool, RuleTrouble> {
        let mut trouble = None;
        for test in all {
            match self.holds(test) {
                Ok(truth) if truth == wanted => return Ok(wanted),
                Ok(_) => {}
                Err(found) => trouble = trouble.or(Some(found)),
            }
        }
        trouble.map_or(Ok(!wanted), Err)
    }

    fn compare(&self, comparison: Comparison, left: &RuleDatum, right: &RuleDatum) -> bool {
        if let (RuleDatum::Atom(one), RuleDatum::Atom(other)) = (left, right)
            && matches!(comparison, Comparison::Equal | Comparison::NotEqual)
        {
            return (one == other) == (comparison == Comparison::Equal);
        }
        let order = match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            (None, None) => self.texts(left, right),
            _ => None,
        };
        match comparison {
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::NotEqual => order != Some(Ordering::Equal),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Comparison::Substring | Comparison::Matches => false,
        }
    }

    /// The order of two strings.
    fn texts(&self, left: &RuleDatum, right: &RuleDatum) -> Option<Ordering> {
        let (RuleDatum::Atom(left), RuleDatum::Atom(right)) = (left, right) else { return None };
        match (self.values.value(*left), self.values.value(*right)) {
            (Value::String(left), Value::String(right)) => Some(left.cmp(&right)),
            _ => None,
        }
    }
}

/// A few atoms without an allocation.
#[derive(Debug)]
pub(super) struct FactKey {
    few: [Atom; 4],
    len: usize,
    many: Vec<Atom>,
}

impl Default for FactKey {
    fn default() -> FactKey {
        FactKey { few: [Atom::boolean(false); 4], len: 0, many: Vec::new() }
    }
}

impl FactKey {
    /// Adds an atom.
    pub(super) fn push(&mut self, atom: Atom) {
        if self.len == self.few.len() && self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        match self.few.get_mut(self.len) {
            Some(place) => *place = atom,
            None => self.many.push(atom),
        }
        self.len += 1;
    }
}

impl std::ops::Deref for FactKey {
    type Target = [Atom];

    fn deref(&self) -> &[Atom] {
        if self.many.is_empty() { &self.few[..self.len] } else { &self.many }
    }
}
