//! What each name stands for.
//!
//! ```text
//!  name in a term ──▶ bound by a quantifier or a parameter? ─yes─▶ that variable
//!                         └─no─▶ in an aggregation?         ─yes─▶ a variable of the aggregation, whose result and groups
//!                                                                  belong to the formula around it
//!                                 └─no─▶ policy begins with FORALL? ─yes─▶ the string that the name spells (L0006)
//!                                          └─no─▶ in a definition? ─yes─▶ E0311   ─no─▶ a free variable
//!  P(t, …)        ──▶ defined by LET or LETPAST around it?  ─yes─▶ that definition
//!                         └─no─▶ tp, ts, tpts, or an event
//! ```
//!
//! Every name has a place of its own, so what it stands for is kept by the offset at which it begins, and later stages
//! need no scopes. A definition sees its parameters and nothing of the variables around it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::syntax::{Aggregation, Formula, FormulaKind, Interval, Let, Name, Predicate, Term, TermKind};
use crate::core::{BinaryOp, DefId, Direction, Domain, Quantifier, Span, UnaryOp, VarId, Variable};
use crate::diagnostic::Diagnostic;

/// What a name in a term stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A variable.
    Variable(VarId),
    /// The string that the name spells.
    Text,
}

/// What the name of a predicate stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// An event of the trace.
    Event,
    /// A definition.
    Definition(DefId),
    /// `tp`: the number of the point.
    PointNumber,
    /// `ts`: the time of the point.
    PointTime,
    /// `tpts`: both.
    PointNumberAndTime,
}

/// The meaning of all names of a policy.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// All variables, by number.
    pub(super) variables: Vec<Variable>,
    /// The free ones, in order of first occurrence.
    pub(super) free: Vec<VarId>,
    /// What names in terms, and names that bind, stand for.
    meanings: HashMap<usize, Meaning>,
    /// What names of predicates stand for.
    targets: HashMap<usize, Target>,
    /// How many parameters each definition has, and which variables they are.
    pub(super) parameters: HashMap<DefId, Vec<VarId>>,
    /// The definitions that use themselves.
    pub(super) recursive: HashSet<DefId>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Names {
    /// What a name in a term stands for.
    pub(super) fn meaning(&self, span: Span) -> Meaning {
        self.meanings.get(&span.start).copied().unwrap_or(Meaning::Text)
    }

    /// What the name of a predicate, or of a definition, stands for.
    pub(super) fn target(&self, name: &Name) -> Target {
        self.targets.get(&name.span.start).copied().unwrap_or(Target::Event)
    }

    /// The variable that a binding name introduces.
    pub(super) fn bound(&self, name: &Name) -> Option<VarId> {
        match self.meaning(name.span) {
            Meaning::Variable(variable) => Some(variable),
            Meaning::Text => None,
        }
    }
}

/// A policy taken apart: what leads it, and the rest.
pub(super) struct Policy<'t> {
    /// The definitions in front, outermost first.
    pub(super) definitions: Vec<&'t Let>,
    /// The variables of the leading universal quantifiers.
    pub(super) stripped: Vec<&'t Name>,
    /// What remains.
    pub(super) body: &'t Formula,
    /// Whether the policy begins with FORALL, so that a name that nothing binds is a string.
    pub(super) names_are_texts: bool,
}

impl<'t> Policy<'t> {
    /// Takes a policy apart: definitions, one ALWAYS without interval, universal quantifiers.
    pub(super) fn of(formula: &'t Formula) -> Policy<'t> {
        let mut policy =
            Policy { definitions: Vec::new(), stripped: Vec::new(), body: formula, names_are_texts: false };
        policy.take_definitions();
        if let FormulaKind::Unary(UnaryOp::Always, None, inner) = &policy.body.kind {
            policy.body = inner;
            policy.take_definitions();
        }
        while let FormulaKind::Quantified(Quantifier::Forall, names, inner) = &policy.body.kind {
            policy.stripped.extend(names);
            policy.body = inner;
            policy.names_are_texts = true;
        }
        policy
    }

    fn take_definitions(&mut self) {
        while let FormulaKind::Let(definition) = &self.body.kind {
            self.definitions.push(definition);
            self.body = &definition.body;
        }
    }
}

/// Finds out what every name stands for.
pub(super) fn resolve(formula: &Formula) -> Names {
    let mut resolver = Resolver { names_are_texts: Policy::of(formula).names_are_texts, ..Resolver::default() };
    resolver.formula(formula, Reach::Now);
    resolver.names
}

/// Which points a formula reads, seen from the definition that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The current one, and perhaps earlier ones.
    Now,
    /// Earlier ones only.
    Before,
    /// Perhaps later ones.
    Ahead,
}

impl Reach {
    /// Below an operator that reads earlier points only.
    fn before(self) -> Reach {
        if self == Reach::Ahead { Reach::Ahead } else { Reach::Before }
    }

    /// Below a past operator with this interval: strictly past if it does not contain 0.
    fn past(self, interval: Option<&Interval>) -> Reach {
        let strict = interval.is_some_and(|interval| &*interval.low.digits != "0" || !interval.low_included);
        if strict { self.before() } else { self }
    }
}

/// A definition whose name can be used.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: DefId,
    arity: usize,
    /// Where its name was introduced.
    span: Span,
}

#[derive(Default)]
struct Resolver {
    names: Names,
    names_are_texts: bool,
    /// The variables in scope, innermost last.
    scope: HashMap<Arc<str>, Vec<VarId>>,
    /// The definitions in scope, innermost last.
    definitions: HashMap<Arc<str>, Vec<Known>>,
    /// How many definitions there are; they are numbered in the order in which their texts end.
    defined: u32,
    /// The definitions that are being read, innermost last; LET hides its own name, so nothing for it.
    open: Vec<Option<DefId>>,
    /// How many aggregations are open.
    aggregations: usize,
    /// The names that were already reported.
    told: HashSet<Arc<str>>,
}

impl Resolver {
    fn formula(&mut self, formula: &Formula, reach: Reach) {
        match &formula.kind {
            FormulaKind::Missing | FormulaKind::Constant(_) => {}
            FormulaKind::Predicate(predicate) => self.predicate(predicate, formula.span, reach),
            FormulaKind::Compare(_, left, right) => {
                self.term(left);
                self.term(right);
            }
            FormulaKind::Not(body) => self.formula(body, reach),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().for_each(|part| self.formula(part, reach)),
            FormulaKind::Implies(left, right) | FormulaKind::Equiv(left, right) => {
                self.formula(left, reach);
                self.formula(right, reach);
            }
            FormulaKind::Quantified(_, variables, body) => {
                variables.iter().for_each(|name| self.bind(name));
                self.formula(body, reach);
                variables.iter().for_each(|name| self.unbind(name));
            }
            FormulaKind::Unary(operator, interval, body) => {
                self.formula(body, below_unary(*operator, interval.as_ref(), reach));
            }
            FormulaKind::Binary(operator, interval, left, right) => {
                let past = matches!(operator, BinaryOp::Since | BinaryOp::Trigger);
                self.formula(left, if past { reach } else { Reach::Ahead });
                self.formula(right, if past { reach.past(interval.as_ref()) } else { Reach::Ahead });
            }
            FormulaKind::Match(direction, _, regex) => {
                let reach = if *direction == Direction::Past { reach } else { Reach::Ahead };
                regex.formulas().into_iter().for_each(|formula| self.formula(formula, reach));
            }
            FormulaKind::Let(definition) => self.definition(definition, reach),
            FormulaKind::Aggregation(aggregation) => self.aggregation(aggregation, reach),
        }
    }

    fn predicate(&mut self, predicate: &Predicate, span: Span, reach: Reach) {
        predicate.arguments.iter().for_each(|argument| self.term(argument));
        let known = self.definitions.get(&predicate.name.text).and_then(|all| all.last()).copied();
        let target = match (known, &*predicate.name.text) {
            (Some(known), _) => {
                self.check_call(predicate, known, span, reach);
                Target::Definition(known.id)
            }
            (None, "tp") => self.built_in(predicate, span, Target::PointNumber, 1),
            (None, "ts") => self.built_in(predicate, span, Target::PointTime, 1),
            (None, "tpts") => self.built_in(predicate, span, Target::PointNumberAndTime, 2),
            (None, _) => Target::Event,
        };
        self.names.targets.insert(predicate.name.span.start, target);
    }

    fn built_in(&mut self, predicate: &Predicate, span: Span, target: Target, arity: usize) -> Target {
        if predicate.arguments.len() != arity {
            let name = &predicate.name.text;
            let usage = if arity == 1 { format!("{name}(x)") } else { format!("{name}(i, t)") };
            let message =
                format!("`{name}` is built in and has {}, not {}", arguments(arity), predicate.arguments.len());
            self.report(Diagnostic::error("E0307", span, message).hint(format!("write `{usage}`")));
        }
        target
    }

    /// Checks the number of arguments, and that a definition is used in itself for earlier points only.
    fn check_call(&mut self, predicate: &Predicate, known: Known, span: Span, reach: Reach) {
        let name = &predicate.name.text;
        if predicate.arguments.len() != known.arity {
            let message = format!("`{name}` has {}, not {}", arguments(known.arity), predicate.arguments.len());
            let hint = "give one term for each parameter of the definition; `_` stands for any value";
            self.report(Diagnostic::error("E0307", span, message).hint(hint).related(known.span, "defined here"));
        }
        if !self.open.contains(&Some(known.id)) {
            return;
        }
        self.names.recursive.insert(known.id);
        let within_another = self.open.last() != Some(&Some(known.id));
        if within_another {
            let message = format!("`{name}` is not complete inside a definition of its own definition");
            let hint = "write the inner definition's formula where it is used";
            self.report(Diagnostic::error("E0305", span, message).hint(hint).related(known.span, "defined here"));
        } else if reach != Reach::Before {
            let message = format!("`{name}` uses itself at a point that is not earlier");
            let hint = format!("write `PREV {name}(…)`, or a past operator with an interval above 0 around it");
            self.report(Diagnostic::error("E0305", span, message).hint(hint).related(known.span, "defined here"));
        }
    }

    fn definition(&mut self, definition: &Let, reach: Reach) {
        let outside = std::mem::take(&mut self.scope);
        let parameters = self.parameters(definition);
        let name = &definition.name;
        let known = |id| Known { id, arity: definition.parameters.len(), span: name.span };
        // Numbers are given when a definition ends, so that it comes after those inside it. What LETPAST itself gets is
        // known before: the number of definitions inside it is counted.
        let id = DefId(self.defined + definitions_in(&definition.definition));
        self.open.push(definition.past.then_some(id));
        if definition.past {
            self.definitions.entry(name.text.clone()).or_default().push(known(id));
        }
        self.formula(&definition.definition, Reach::Now);
        self.open.pop();
        self.defined = id.0 + 1;
        self.scope = outside;
        self.names.parameters.insert(id, parameters);
        self.names.targets.insert(name.span.start, Target::Definition(id));
        if !definition.past {
            self.definitions.entry(name.text.clone()).or_default().push(known(id));
        }
        self.formula(&definition.body, reach);
        self.definitions.entry(name.text.clone()).or_default().pop();
    }

    fn parameters(&mut self, definition: &Let) -> Vec<VarId> {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in &definition.parameters {
            if let Some(first) = seen.insert(&name.text, name.span) {
                let message = format!("the parameter `{}` is there twice", name.text);
                let hint = "give each parameter a name of its own";
                self.report(Diagnostic::error("E0306", name.span, message).hint(hint).related(first, "first here"));
            }
            self.bind(name);
        }
        definition.parameters.iter().filter_map(|name| self.names.bound(name)).collect()
    }

    fn aggregation(&mut self, aggregation: &Aggregation, reach: Reach) {
        let shared = [&aggregation.result].into_iter().chain(&aggregation.groups);
        shared.clone().for_each(|name| self.shared_occurrence(name));
        let mut inside: HashMap<Arc<str>, Vec<VarId>> = HashMap::new();
        for group in &aggregation.groups {
            inside.entry(group.text.clone()).or_default().extend(self.names.bound(group));
        }
        let outside = std::mem::replace(&mut self.scope, inside);
        self.aggregations += 1;
        self.formula(&aggregation.body, reach);
        self.occurrence(&aggregation.over.text, aggregation.over.span);
        self.aggregations -= 1;
        let inside = std::mem::replace(&mut self.scope, outside);
        self.compare_scopes(aggregation, &inside);
    }

    /// The result or a group of an aggregation: a variable of the formula around it, free if nothing binds it there.
    fn shared_occurrence(&mut self, name: &Name) {
        let bound = self.scope.get(&name.text).is_some_and(|variables| !variables.is_empty());
        if bound || self.aggregations > 0 || (!self.open.is_empty() && !self.names_are_texts) {
            return self.occurrence(&name.text, name.span);
        }
        let variable = self.introduce(&name.text, name.span);
        self.names.free.push(variable);
        self.names.meanings.insert(name.span.start, Meaning::Variable(variable));
    }

    /// Says where a name inside an aggregation is another variable than the one of that name around it.
    fn compare_scopes(&mut self, aggregation: &Aggregation, inside: &HashMap<Arc<str>, Vec<VarId>>) {
        let mut doubtful: Vec<(&Arc<str>, VarId)> = inside
            .iter()
            .filter(|(name, _)| self.scope.get(*name).is_some_and(|variables| !variables.is_empty()))
            .filter(|(name, _)| !aggregation.groups.iter().any(|group| group.text == **name))
            .filter_map(|(name, variables)| Some((name, *variables.last()?)))
            .collect();
        doubtful.sort_by_key(|(_, variable)| variable.index());
        for (name, variable) in doubtful {
            let span = self.names.variables[variable.index()].span;
            let message = format!("`{name}` inside the aggregation is another variable than `{name}` around it");
            let hint = format!("list `{name}` among the groups after `;` if they are meant to be one, or rename it");
            self.report(Diagnostic::warning("L0301", span, message).hint(hint));
        }
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Name(name) => self.occurrence(name, term.span),
            TermKind::Binary(_, left, right) => {
                self.term(left);
                self.term(right);
            }
            TermKind::Negate(body) | TermKind::Apply(_, body) => self.term(body),
            TermKind::Missing | TermKind::Number(_) | TermKind::Text(_) | TermKind::Any => {}
        }
    }

    /// A name in a term.
    fn occurrence(&mut self, name: &Arc<str>, span: Span) {
        let bound = self.scope.get(name).and_then(|variables| variables.last());
        let meaning = match bound {
            Some(variable) => Meaning::Variable(*variable),
            None => self.unbound(name, span),
        };
        self.names.meanings.insert(span.start, meaning);
    }

    fn unbound(&mut self, name: &Arc<str>, span: Span) -> Meaning {
        if self.aggregations > 0 {
            return Meaning::Variable(self.introduce(name, span));
        }
        if self.names_are_texts {
            if self.told.insert(name.clone()) {
                let message = format!("nothing binds `{name}`, so it is read as the string \"{name}\"");
                let hint = format!("write `\"{name}\"`, or bind it with a quantifier if a variable is meant");
                self.report(Diagnostic::warning("L0006", span, message).hint(hint));
            }
            return Meaning::Text;
        }
        if !self.open.is_empty() {
            let message = format!("`{name}` is no parameter of this definition");
            let hint =
                format!("add `{name}` to the parameters, bind it with EXISTS, or write `\"{name}\"` for the string");
            self.report(Diagnostic::error("E0311", span, message).hint(hint));
            return Meaning::Text;
        }
        let variable = self.introduce(name, span);
        self.names.free.push(variable);
        Meaning::Variable(variable)
    }

    /// Makes a variable and puts it in scope.
    fn introduce(&mut self, name: &Arc<str>, span: Span) -> VarId {
        // A text of 4 GiB, which no file has, would be needed to run out of numbers.
        let id = VarId(self.names.variables.len() as u32);
        self.names.variables.push(Variable { name: name.clone(), domain: Domain::Infinite, span });
        self.scope.entry(name.clone()).or_default().push(id);
        id
    }

    fn bind(&mut self, name: &Name) {
        let variable = self.introduce(&name.text, name.span);
        self.names.meanings.insert(name.span.start, Meaning::Variable(variable));
    }

    fn unbind(&mut self, name: &Name) {
        self.scope.entry(name.text.clone()).or_default().pop();
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.names.diagnostics.push(diagnostic);
    }
}

fn below_unary(operator: UnaryOp, interval: Option<&Interval>, reach: Reach) -> Reach {
    match operator {
        UnaryOp::Prev | UnaryOp::WeakPrev => reach.before(),
        UnaryOp::Once | UnaryOp::Historically => reach.past(interval),
        UnaryOp::Next | UnaryOp::WeakNext | UnaryOp::Eventually | UnaryOp::Always => Reach::Ahead,
    }
}

/// "1 argument", "2 arguments".
fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

/// How many definitions stand in a formula.
fn definitions_in(formula: &Formula) -> u32 {
    let own = u32::from(matches!(formula.kind, FormulaKind::Let(_)));
    own + formula.children().into_iter().map(definitions_in).sum::<u32>()
}
