//! Conditions.

use referee_trace::value::Value;

use super::super::syntax::{Expression, Name};
use super::lowering::{Lowering, Meaning};
use crate::core::facts::{EventPattern, FactGuard, FactPattern, FactTerm};
use crate::core::{Comparison, Span};
use crate::diagnostic::Diagnostic;

/// The conditions of a rule, sorted.
pub(crate) struct Conditions {
    /// The event that must be the one at hand.
    pub event: Option<EventPattern>,
    /// The facts that must hold.
    pub facts: Vec<FactPattern>,
    /// All else.
    pub guards: Vec<FactGuard>,
}

impl Lowering<'_> {
    /// Sorts the conditions of a rule. First events and facts bind their variables, wherever they stand; then all else is
    /// judged.
    pub(crate) fn conditions(&mut self, all: &[&Expression]) -> Conditions {
        let mut sorted = Conditions { event: None, facts: Vec::new(), guards: Vec::new() };
        let mut rest = Vec::new();
        let mut first: Option<Span> = None;
        for condition in all {
            match condition {
                Expression::Call(name, arguments, _) if !is_function(&name.text) => {
                    self.pattern(name, Some(arguments), &mut sorted, &mut first);
                }
                other => rest.push(*other),
            }
        }
        rest.retain(|condition| match condition {
            Expression::Name(name) if self.variable(&name.text).is_none() => {
                self.pattern(name, None, &mut sorted, &mut first);
                false
            }
            _ => true,
        });
        sorted.guards = rest.iter().map(|condition| self.guard(condition)).collect();
        sorted
    }

    /// Adds a pattern that must hold to the conditions.
    fn pattern(
        &mut self,
        name: &Name,
        arguments: Option<&[Expression]>,
        sorted: &mut Conditions,
        first: &mut Option<Span>,
    ) {
        match self.meaning(&name.text) {
            None => self.unknown(name),
            Some(Meaning::Relation(relation)) => sorted.facts.push(self.fact(relation, name, arguments)),
            Some(Meaning::Event) => {
                let event = self.event(name, arguments);
                if let Some(earlier) = *first {
                    let message = "a rule speaks of one event: two cannot happen at once";
                    let hint = "let the first event insert a fact, and wait for the second with that fact";
                    let found = Diagnostic::error("E1004", name.span, message).hint(hint);
                    self.diagnostics.push(found.related(earlier, "the first event"));
                }
                first.get_or_insert(name.span);
                sorted.event.get_or_insert(event);
            }
        }
    }

    /// A condition that binds nothing.
    pub(crate) fn guard(&mut self, condition: &Expression) -> FactGuard {
        match condition {
            Expression::Constant(Value::Boolean(truth), _) => FactGuard::Constant(*truth),
            Expression::Unreadable(_) => FactGuard::Constant(false),
            Expression::Not(body, _) => FactGuard::Not(Box::new(self.guard(body))),
            Expression::And(all, _) => FactGuard::And(all.iter().map(|part| self.guard(part)).collect()),
            Expression::Or(all, _) => FactGuard::Or(all.iter().map(|part| self.guard(part)).collect()),
            Expression::Compare(comparison, left, right, _) => self.comparison(*comparison, left, right),
            Expression::In(element, set, _) => self.membership(set, std::slice::from_ref(element)),
            Expression::Name(name) => self.named_condition(name),
            Expression::Call(name, arguments, span) => self.called_condition(name, arguments, *span),
            Expression::Member(base, method, Some(arguments), _) => self.method(condition, base, method, arguments),
            Expression::Member(..) | Expression::Index(..) => is_true(self.term(condition)),
            Expression::Typed(name, _) => self.named_condition(name),
            Expression::Constant(..) | Expression::Any(_) | Expression::Binary(..) => {
                let hint = "compare it with another value: `x + 1 > y`";
                self.misplaced(condition.span(), "this is a value and no condition", hint);
                FactGuard::Constant(false)
            }
        }
    }

    fn comparison(&mut self, comparison: Comparison, left: &Expression, right: &Expression) -> FactGuard {
        let is_null = |side: &Expression| matches!(side, Expression::Name(name) if &*name.text == "null");
        let other = match (is_null(left), is_null(right)) {
            (true, _) => right,
            (_, true) => left,
            _ => return FactGuard::Compare(comparison, self.term(left), self.term(right)),
        };
        let defined = FactGuard::Defined(self.term(other));
        match comparison {
            Comparison::NotEqual => defined,
            Comparison::Equal => FactGuard::Not(Box::new(defined)),
            _ => {
                self.misplaced(left.span().to(right.span()), "nothing is greater or less than `null`", "use == or !=");
                FactGuard::Constant(false)
            }
        }
    }

    fn named_condition(&mut self, name: &Name) -> FactGuard {
        if self.variable(&name.text).is_some() {
            return is_true(self.term(&Expression::Name(name.clone())));
        }
        match self.meaning(&name.text) {
            Some(Meaning::Relation(relation)) if self.is_single(relation) => {
                is_true(FactTerm::Lookup(relation, Vec::new()))
            }
            Some(Meaning::Relation(relation)) => {
                FactGuard::Holds(relation, self.relations[relation].columns.iter().map(|_| None).collect())
            }
            Some(Meaning::Event) if self.joins => FactGuard::Happens(self.event_of(name, Vec::new(), true)),
            _ => {
                self.unbound(name);
                FactGuard::Constant(false)
            }
        }
    }

    fn called_condition(&mut self, name: &Name, arguments: &[Expression], span: Span) -> FactGuard {
        match (&*name.text, arguments) {
            ("empty", [set]) => return self.emptiness(set),
            ("defined", [value]) => return FactGuard::Defined(self.term(value)),
            ("empty" | "defined" | "size", _) => {
                return self.no_condition(span, "write `empty(S)`, `defined(x)` or `size(S) > 0`");
            }
            _ => {}
        }
        match self.meaning(&name.text) {
            Some(Meaning::Relation(relation)) => self.holds(relation, name, arguments),
            Some(Meaning::Event) if self.joins => {
                let slots = self.testing_slots(arguments);
                FactGuard::Happens(self.event_of(name, slots, false))
            }
            _ => {
                self.unknown(name);
                FactGuard::Constant(false)
            }
        }
    }

    fn no_condition(&mut self, span: Span, hint: &str) -> FactGuard {
        self.misplaced(span, "this is no condition", hint);
        FactGuard::Constant(false)
    }

    /// A fact with these values holds; variables without a value stand for any.
    pub(crate) fn holds(&mut self, relation: usize, name: &Name, arguments: &[Expression]) -> FactGuard {
        let (columns, keys) = (self.relations[relation].columns.len(), self.relations[relation].keys);
        // A map has a key if some value stands there.
        if arguments.len() != columns && arguments.len() != keys {
            self.wrong_arity(name, keys, arguments.len());
        }
        let mut loose: Vec<&Name> = Vec::new();
        let mut terms = Vec::new();
        for argument in arguments {
            terms.push(match argument {
                Expression::Any(_) => None,
                Expression::Name(name) | Expression::Typed(name, _) if self.is_loose(name) => {
                    if loose.iter().any(|known| known.text == name.text) {
                        self.unbound(name);
                    }
                    loose.push(name);
                    None
                }
                other => Some(self.term(other)),
            });
        }
        terms.resize_with(columns, || None);
        FactGuard::Holds(relation, terms)
    }

    /// Whether a name in a fact that must not hold stands for any value.
    fn is_loose(&self, name: &Name) -> bool {
        let single = self.relation(&name.text).is_some_and(|relation| self.is_single(relation));
        self.joins && self.variable(&name.text).is_none() && !single
    }

    fn membership(&mut self, set: &Expression, elements: &[Expression]) -> FactGuard {
        match self.set(set) {
            Some((relation, name)) => self.holds(relation, &name, elements),
            None => FactGuard::Constant(false),
        }
    }

    fn emptiness(&mut self, set: &Expression) -> FactGuard {
        match self.set(set) {
            Some((relation, _)) => {
                FactGuard::Compare(Comparison::Equal, FactTerm::Size(relation), FactTerm::Constant(Value::from(0)))
            }
            None => FactGuard::Constant(false),
        }
    }

    /// The set or map that an expression names.
    pub(crate) fn set(&mut self, expression: &Expression) -> Option<(usize, Name)> {
        if let Expression::Name(name) = expression
            && let Some(relation) = self.relation(&name.text)
        {
            return Some((relation, name.clone()));
        }
        if !matches!(expression, Expression::Unreadable(_)) {
            let hint = "name a set or a map: `S.contains(x)`, `x in S`";
            self.misplaced(expression.span(), format!("this is no {} with elements", self.what), hint);
        }
        None
    }

    fn method(&mut self, whole: &Expression, base: &Expression, method: &Name, arguments: &[Expression]) -> FactGuard {
        match (&*method.text, arguments) {
            ("contains" | "containsKey", _) => self.membership(base, arguments),
            ("isEmpty" | "empty", []) => self.emptiness(base),
            ("equals", [other]) => FactGuard::Compare(Comparison::Equal, self.term(base), self.term(other)),
            _ => is_true(self.term(whole)),
        }
    }

    /// Whether a relation is a variable that holds one value.
    pub(crate) fn is_single(&self, relation: usize) -> bool {
        self.relations[relation].keys == 0 && self.relations[relation].columns.len() == 1
    }
}

/// Whether a name is that of a built-in function and not of events or facts.
fn is_function(name: &str) -> bool {
    ["empty", "size", "defined"].contains(&name)
}

fn is_true(term: FactTerm) -> FactGuard {
    FactGuard::Compare(Comparison::Equal, term, FactTerm::Constant(Value::Boolean(true)))
}
