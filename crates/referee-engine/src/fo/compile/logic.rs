//! The compiler's own logic: past-time formulas in negation normal form.
//!
//! | here | in the core |
//! |---|---|
//! | `φ S ψ` | Since, Once (φ true), Historically, Trigger and the weak forms by duality |
//! | `Prev` of an event, a `Since` or truth | Prev of anything, pushed inwards: `@(a & b) = @a & @b`, `@!a = @true & !@a` |
//! | `∃` | both quantifiers; `∀x φ` is `¬∃x ¬φ` |
//! | `Last(a, m)` | `P (a & m)` where m stays true once it is: compared by stamps (see [`crate::fo::compile::laws`]) |
//! | `Defined`, `Own` | a recursive definition, and the call of itself in its body (see [`crate::fo::compile::recursion`]) |
//!
//! `Not` stands only above leaves, `∃`, `Prev`, `S` and `Last`. Definitions are expanded; every variable is bound once.

use crate::fo::code::expression::Argument;
use crate::fo::code::expression::Compare;
use crate::fo::code::expression::Pattern;
use crate::fo::types::Var;
use std::collections::{BTreeSet, HashMap};

use referee_spec::core::Interval;
use referee_trace::number::Number;

/// One event of the point that looks so.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    /// Its name, arguments or fields.
    pub pattern: Pattern,
    /// One per argument or field of the pattern.
    pub arguments: Vec<Argument>,
    /// What must hold of its fields besides.
    pub condition: Option<Compare>,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Logic {
    /// True or false.
    Constant(bool),
    /// An event of this point.
    Event(Event),
    /// Two terms compare.
    Compare(Compare),
    /// Negation of a leaf, of `∃` or of a temporal operator.
    Not(Box<Logic>),
    /// Conjunction.
    And(Vec<Logic>),
    /// Disjunction.
    Or(Vec<Logic>),
    /// For some values of these variables.
    Exists(Vec<Var>, Box<Logic>),
    /// At the point before.
    Prev(Box<Logic>),
    /// The right side within the interval, and the left side ever since.
    Since(Interval, Box<Logic>, Box<Logic>),
    /// At some point up to now both held, the second of which stays true once it is.
    Last(Box<Logic>, Box<Logic>),
    /// A definition that calls itself, of these arguments.
    Defined(Box<Defined>),
    /// The definition around it, by its number, of these arguments.
    Own(u32, Vec<Var>),
    /// A part that the interpreter evaluates, by its number, of these arguments; whether the others give the value of the
    /// last one (see [`crate::fo::compile::fallback`]).
    Part(usize, Vec<Var>, bool),
}

/// A definition that calls itself: `D := right ∨ (@D ∧ left)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Defined {
    /// Which definition.
    pub number: u32,
    /// Its parameters.
    pub parameters: Vec<Var>,
    /// What keeps it true.
    pub left: Logic,
    /// What makes it true.
    pub right: Logic,
    /// What it is asked of.
    pub arguments: Vec<Var>,
}

impl Event {
    /// The variables that an event binds, in order.
    pub(crate) fn bound(&self) -> impl Iterator<Item = Var> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Var(variable) => Some(*variable),
            _ => None,
        })
    }

    /// The variables of the arguments and of the condition.
    pub(crate) fn variables(&self) -> Vec<Var> {
        self.bound().chain(self.condition.iter().flat_map(Compare::variables)).collect()
    }

    /// The same with other variables.
    pub(crate) fn rename(&self, rename: &mut impl FnMut(Var) -> Var) -> Event {
        Event {
            pattern: self.pattern.clone(),
            arguments: self.arguments.iter().map(|argument| argument.rename(rename)).collect(),
            condition: self.condition.as_ref().map(|condition| condition.rename(rename)),
        }
    }
}

impl Logic {
    /// What a formula says at the first point: nothing was before it, and only now can what a `Since` looks for have been.
    pub(crate) fn at_first(self) -> Logic {
        match self {
            Logic::Prev(_) => Logic::FALSE,
            Logic::Since(interval, _, right) => match interval.contains(&Number::ZERO) {
                true => right.at_first(),
                false => Logic::FALSE,
            },
            Logic::Not(body) => body.at_first().negate(),
            Logic::And(parts) => Logic::and(parts.into_iter().map(Logic::at_first)),
            Logic::Or(parts) => Logic::or(parts.into_iter().map(Logic::at_first)),
            // What holds of no value of a sort is known when all are.
            Logic::Exists(..) => self,
            Logic::Last(event, state) => Logic::and([event.at_first(), state.at_first()]),
            Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) => self,
            Logic::Defined(_) | Logic::Own(..) | Logic::Part(..) => self,
        }
    }

    /// Truth.
    pub(crate) const TRUE: Logic = Logic::Constant(true);
    /// Falsity.
    pub(crate) const FALSE: Logic = Logic::Constant(false);

    /// A conjunction, flat and without constants.
    pub(crate) fn and(parts: impl IntoIterator<Item = Logic>) -> Logic {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Logic::Constant(true) => {}
                Logic::Constant(false) => return Logic::FALSE,
                Logic::And(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        dedup(&mut all);
        match all.len() {
            0 => Logic::TRUE,
            1 => all.remove(0),
            _ => Logic::And(all),
        }
    }

    /// A disjunction, flat and without constants.
    pub(crate) fn or(parts: impl IntoIterator<Item = Logic>) -> Logic {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Logic::Constant(false) => {}
                Logic::Constant(true) => return Logic::TRUE,
                Logic::Or(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        dedup(&mut all);
        match all.len() {
            0 => Logic::FALSE,
            1 => all.remove(0),
            _ => Logic::Or(all),
        }
    }

    /// Some value of the variables, of which those that do not occur are left out: every domain here has a value.
    pub(crate) fn exists(variables: Vec<Var>, body: Logic) -> Logic {
        let free = body.free();
        let mut variables: Vec<Var> = variables.into_iter().filter(|variable| free.contains(variable)).collect();
        match body {
            body if variables.is_empty() => body,
            Logic::Exists(inner, body) => {
                variables.extend(inner);
                Logic::Exists(variables, body)
            }
            body => Logic::Exists(variables, Box::new(body)),
        }
    }

    /// `φ S ψ`.
    pub(crate) fn since(interval: Interval, left: Logic, right: Logic) -> Logic {
        match right {
            // What never was cannot have been since.
            Logic::Constant(false) => Logic::FALSE,
            right => Logic::Since(interval, Box::new(left), Box::new(right)),
        }
    }

    /// The negation, pushed down to leaves and operators.
    pub(crate) fn negate(self) -> Logic {
        match self {
            Logic::Constant(truth) => Logic::Constant(!truth),
            Logic::Not(body) => *body,
            Logic::And(parts) => Logic::or(parts.into_iter().map(Logic::negate)),
            Logic::Or(parts) => Logic::and(parts.into_iter().map(Logic::negate)),
            other => Logic::Not(Box::new(other)),
        }
    }

    /// The disjuncts.
    pub(crate) fn disjuncts(&self) -> Vec<&Logic> {
        match self {
            Logic::Constant(false) => Vec::new(),
            Logic::Or(parts) => parts.iter().collect(),
            other => vec![other],
        }
    }

    /// The conjuncts.
    pub(crate) fn conjuncts(&self) -> Vec<&Logic> {
        match self {
            Logic::Constant(true) => Vec::new(),
            Logic::And(parts) => parts.iter().collect(),
            other => vec![other],
        }
    }

    /// The free variables.
    pub(crate) fn free(&self) -> BTreeSet<Var> {
        let mut found = Vec::new();
        self.collect_free(&mut found);
        found.into_iter().collect()
    }

    /// The free variables in the order in which they occur, perhaps more than once.
    pub(crate) fn collect_free(&self, found: &mut Vec<Var>) {
        match self {
            Logic::Constant(_) => {}
            Logic::Event(event) => found.extend(event.variables()),
            Logic::Compare(compare) => found.extend(compare.variables()),
            Logic::Not(body) | Logic::Prev(body) => body.collect_free(found),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().for_each(|part| part.collect_free(found)),
            Logic::Exists(variables, body) => {
                let start = found.len();
                body.collect_free(found);
                let mut place = 0;
                found.retain(|variable| {
                    place += 1;
                    place <= start || !variables.contains(variable)
                });
            }
            Logic::Since(_, left, right) => {
                right.collect_free(found);
                left.collect_free(found);
            }
            Logic::Last(event, state) => {
                event.collect_free(found);
                state.collect_free(found);
            }
            Logic::Defined(defined) => found.extend(&defined.arguments),
            Logic::Own(_, arguments) | Logic::Part(_, arguments, _) => found.extend(arguments),
        }
    }

    /// The variables that quantifiers bind.
    pub(crate) fn collect_bound(&self, found: &mut Vec<Var>) {
        match self {
            Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) | Logic::Own(..) | Logic::Part(..) => {}
            Logic::Defined(defined) => {
                found.extend(&defined.parameters);
                defined.left.collect_bound(found);
                defined.right.collect_bound(found);
            }
            Logic::Not(body) | Logic::Prev(body) => body.collect_bound(found),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().for_each(|part| part.collect_bound(found)),
            Logic::Exists(variables, body) => {
                found.extend(variables);
                body.collect_bound(found);
            }
            Logic::Since(_, left, right) | Logic::Last(left, right) => {
                left.collect_bound(found);
                right.collect_bound(found);
            }
        }
    }

    /// The same with other variables, free and bound.
    pub(crate) fn rename(&self, rename: &mut impl FnMut(Var) -> Var) -> Logic {
        match self {
            Logic::Constant(truth) => Logic::Constant(*truth),
            Logic::Event(event) => Logic::Event(event.rename(rename)),
            Logic::Compare(compare) => Logic::Compare(compare.rename(rename)),
            Logic::Not(body) => Logic::Not(Box::new(body.rename(rename))),
            Logic::Prev(body) => Logic::Prev(Box::new(body.rename(rename))),
            Logic::And(parts) => Logic::And(parts.iter().map(|part| part.rename(rename)).collect()),
            Logic::Or(parts) => Logic::Or(parts.iter().map(|part| part.rename(rename)).collect()),
            Logic::Exists(variables, body) => {
                let variables = variables.iter().map(|variable| rename(*variable)).collect();
                Logic::Exists(variables, Box::new(body.rename(rename)))
            }
            Logic::Since(interval, left, right) => {
                Logic::Since(interval.clone(), Box::new(left.rename(rename)), Box::new(right.rename(rename)))
            }
            Logic::Last(event, state) => Logic::Last(Box::new(event.rename(rename)), Box::new(state.rename(rename))),
            Logic::Defined(defined) => Logic::Defined(Box::new(Defined {
                number: defined.number,
                parameters: defined.parameters.iter().map(|variable| rename(*variable)).collect(),
                left: defined.left.rename(rename),
                right: defined.right.rename(rename),
                arguments: defined.arguments.iter().map(|variable| rename(*variable)).collect(),
            })),
            Logic::Own(number, arguments) => {
                Logic::Own(*number, arguments.iter().map(|variable| rename(*variable)).collect())
            }
            Logic::Part(part, arguments, yields) => {
                Logic::Part(*part, arguments.iter().map(|variable| rename(*variable)).collect(), *yields)
            }
        }
    }

    /// The same with names for the variables that quantifiers bind which depend on their order only.
    fn with_canonical_names(&self) -> Logic {
        let mut bound = Vec::new();
        self.collect_bound(&mut bound);
        if bound.is_empty() {
            return self.clone();
        }
        // Different variables stay different, and free ones keep their names: so the meaning is the same.
        let (free, mut names) = (self.free(), HashMap::new());
        self.rename(&mut |variable| {
            let next = Var::MAX - names.len() as Var;
            if free.contains(&variable) { variable } else { *names.entry(variable).or_insert(next) }
        })
    }

    /// Whether it keeps this truth value once it has it: at all later points, whatever happens.
    pub(crate) fn stays(&self, truth: bool) -> bool {
        match self {
            Logic::Constant(_) => true,
            Logic::Not(body) => body.stays(!truth),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().all(|part| part.stays(truth)),
            Logic::Exists(_, body) => body.stays(truth),
            // It is false at the first point, whatever the body is.
            Logic::Prev(body) => truth && body.stays(true),
            Logic::Since(..) | Logic::Last(..) => truth && self.is_monotone(),
            Logic::Event(_) | Logic::Compare(_) | Logic::Defined(_) | Logic::Own(..) | Logic::Part(..) => false,
        }
    }

    /// Whether it stays true once it is: at all later points, whatever happens.
    pub(crate) fn is_monotone(&self) -> bool {
        match self {
            Logic::Constant(_) | Logic::Last(..) => true,
            Logic::Since(interval, left, _) => interval.is_all() && **left == Logic::TRUE,
            Logic::Prev(body) => body.is_monotone(),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().all(Logic::is_monotone),
            Logic::Exists(_, body) => body.is_monotone(),
            Logic::Event(_) | Logic::Compare(_) | Logic::Not(_) | Logic::Defined(_) => false,
            Logic::Own(..) | Logic::Part(..) => false,
        }
    }

    /// Whether it calls the definition around it.
    pub(crate) fn calls_itself(&self) -> bool {
        match self {
            Logic::Own(..) => true,
            Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) | Logic::Part(..) | Logic::Defined(_) => false,
            Logic::Not(body) | Logic::Prev(body) | Logic::Exists(_, body) => body.calls_itself(),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().any(Logic::calls_itself),
            Logic::Since(_, left, right) | Logic::Last(left, right) => left.calls_itself() || right.calls_itself(),
        }
    }

    /// Whether it has a part that the interpreter evaluates.
    pub(crate) fn has_parts(&self) -> bool {
        match self {
            Logic::Part(..) => true,
            Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) | Logic::Own(..) => false,
            Logic::Not(body) | Logic::Prev(body) | Logic::Exists(_, body) => body.has_parts(),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().any(Logic::has_parts),
            Logic::Since(_, left, right) | Logic::Last(left, right) => left.has_parts() || right.has_parts(),
            Logic::Defined(defined) => defined.left.has_parts() || defined.right.has_parts(),
        }
    }
}

/// Drops parts that say what others say, whatever their quantifiers call their variables.
fn dedup(parts: &mut Vec<Logic>) {
    let mut seen: Vec<Logic> = Vec::with_capacity(parts.len());
    parts.retain(|part| {
        let canonical = part.with_canonical_names();
        let new = !seen.contains(&canonical);
        if new {
            seen.push(canonical);
        }
        new
    });
}
