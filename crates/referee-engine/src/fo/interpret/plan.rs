//! From a property to a plan: negations pushed inwards, variables numbered from the outside in, derived operators spelt out.
//!
//! | operator | becomes |
//! |---|---|
//! | `WeakPrev φ` | not Prev (not φ) |
//! | `Once φ`, `Historically φ` | true Since φ, not (true Since not φ) |
//! | `φ Trigger ψ` | not (not φ Since not ψ) |
//! | `φ WeakSince ψ` | (φ Since ψ) or Historically φ |
//! | the same for the future | Next, Until |
//! | a call of a definition that is not recursive | its body, with variables and constants for the parameters |
//! | a call of a recursive definition | exists p (p = argument and the definition's table over p) |
//!
//! What is left of the temporal operators are *pasts* (Prev, Since, Match), which keep state from point to point, and
//! *futures* (Next, Until, Match), which leave conditions open. Every law used holds in Kleene's logic.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use referee_spec::core::{
    Aggregation, BinaryOp, Comparison, DefId, Direction, Domain, Formula, Interval, Kind, Observation, Property,
    Quantifier, Regex, Span, Term, UnaryOp, VarId,
};

use crate::fo::interpret::aggregate::Aggregate;
use crate::fo::interpret::obligation::FutureId;
use crate::fo::interpret::operand::OperandSlot;
use crate::fo::interpret::regex_automaton::RegexAutomaton;
use crate::fo::interpret::table::dual;
use crate::fo::interpret::variables::FormulaVar;

/// A term whose variables are numbered from the outside in.
#[derive(Debug, Clone)]
pub(crate) enum PlanTerm {
    /// A variable.
    Var(FormulaVar),
    /// Anything without variables in it: a constant, a field, the number or time of the point, or `_`.
    Leaf(Term),
    /// Arithmetic.
    Binary(referee_spec::core::Arithmetic, Box<PlanTerm>, Box<PlanTerm>),
    /// The negative.
    Negate(Box<PlanTerm>),
    /// A conversion.
    Apply(referee_spec::core::Function, Box<PlanTerm>),
}

impl PlanTerm {
    fn collect(&self, vars: &mut BTreeSet<FormulaVar>) {
        match self {
            PlanTerm::Var(var) => {
                vars.insert(*var);
            }
            PlanTerm::Leaf(_) => {}
            PlanTerm::Binary(_, left, right) => {
                left.collect(vars);
                right.collect(vars);
            }
            PlanTerm::Negate(body) | PlanTerm::Apply(_, body) => body.collect(vars),
        }
    }
}

/// An event atom.
#[derive(Debug, Clone)]
pub(crate) struct PlanAtom {
    /// The event's name.
    pub name: Arc<str>,
    /// The arguments, unless any will do.
    pub arguments: Option<Vec<PlanTerm>>,
    /// Where it stands.
    pub span: Span,
}

/// An observation of one event's fields.
#[derive(Debug, Clone)]
pub(crate) struct PlanObservation {
    /// Fields the event must have, with these values.
    pub required: Vec<(Arc<str>, PlanTerm)>,
    /// Fields the event must have.
    pub present: Vec<Arc<str>>,
    /// What must hold of them.
    pub constraint: Option<(Comparison, PlanTerm, PlanTerm)>,
    /// Where it stands.
    pub span: Span,
}

/// A past operator, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PastId(pub u32);

/// A formula with its negations at the leaves.
#[derive(Debug, Clone)]
pub(crate) enum FormulaPlan {
    /// True or false.
    Constant(bool),
    /// An event atom, or its negation.
    Event(Arc<PlanAtom>, bool),
    /// A comparison, or its negation.
    Compare(Comparison, PlanTerm, PlanTerm, bool, Span),
    /// An observation, or its negation.
    Observe(Arc<PlanObservation>, bool),
    /// A conjunction (`true`) or a disjunction.
    Join(bool, Vec<FormulaPlan>),
    /// A quantifier.
    Quantified(Quantifier, FormulaVar, Domain, Box<FormulaPlan>),
    /// A past operator, or its negation.
    Past(PastId, bool),
    /// A future operator, or its negation.
    Future(FutureId, bool),
    /// The table of a recursive definition, over these variables.
    Table(DefId, Vec<FormulaVar>, bool),
    /// An aggregation, or its negation.
    Aggregate(Arc<PlanAggregation>, bool),
}

/// An aggregation.
#[derive(Debug)]
pub(crate) struct PlanAggregation {
    /// How values are put together, and which variables are bound.
    pub spec: Arc<Aggregate>,
    /// What is to be the result.
    pub result: PlanTerm,
    /// Whose values are put together.
    pub over: PlanTerm,
    /// What assignments must satisfy.
    pub body: FormulaPlan,
}

/// A past operator.
#[derive(Debug)]
pub(crate) struct Past {
    /// Which one.
    pub kind: PastKind,
    /// Its interval.
    pub interval: Interval,
    /// Where it stands.
    pub span: Span,
    /// Its free variables.
    pub vars: Vec<FormulaVar>,
}

/// The past operators that are left.
#[derive(Debug)]
pub(crate) enum PastKind {
    /// At the previous point.
    Prev(FormulaPlan),
    /// Since.
    Since {
        /// What must have held since.
        left: FormulaPlan,
        /// What must have held once.
        right: FormulaPlan,
        /// Whether once means before now.
        strict: bool,
    },
    /// A regular expression that ends now.
    Match(RegexAutomaton<FormulaPlan>),
}

/// A future operator.
#[derive(Debug)]
pub(crate) struct Future {
    /// Which one.
    pub kind: FutureKind,
    /// Its interval.
    pub interval: Interval,
    /// Its free variables, each standing for itself.
    pub slots: Arc<[OperandSlot]>,
}

/// The future operators that are left.
#[derive(Debug)]
pub(crate) enum FutureKind {
    /// At the next point.
    Next(FormulaPlan),
    /// Until.
    Until {
        /// What must hold until then.
        left: FormulaPlan,
        /// What must hold once.
        right: FormulaPlan,
    },
    /// A regular expression of which this state is reached.
    Match {
        /// The expression.
        automaton: Arc<RegexAutomaton<FormulaPlan>>,
        /// The state.
        state: usize,
        /// The future of state 0; that of state n has this number plus n.
        first: FutureId,
    },
}

/// A recursive definition.
#[derive(Debug)]
pub(crate) struct PlanDefinition {
    /// The variables of its table, in order.
    pub parameters: Vec<FormulaVar>,
    /// Its body.
    pub body: FormulaPlan,
}

/// A compiled property.
#[derive(Debug)]
pub(crate) struct InterpretedFormula {
    /// The past operators; one stands after those inside it.
    pub pasts: Vec<Past>,
    /// The future operators.
    pub futures: Vec<Future>,
    /// The recursive definitions.
    pub definitions: HashMap<DefId, PlanDefinition>,
    /// The variables that violations report, outermost first, with their domains.
    pub bindings: Vec<(FormulaVar, Domain)>,
    /// What must hold.
    pub body: FormulaPlan,
    /// Whether the property mentions the numbers of points.
    pub mentions_number: bool,
    /// Whether the property mentions the times of points.
    pub mentions_time: bool,
}

impl InterpretedFormula {
    /// Compiles a property.
    pub(crate) fn new(property: &Property) -> InterpretedFormula {
        let mut compiler =
            FormulaPlanner { property, next_var: 0, scope: HashMap::new(), pasts: Vec::new(), futures: Vec::new() };
        let mut definitions = HashMap::new();
        for (index, definition) in property.definitions.iter().enumerate() {
            if definition.recursive {
                let id = DefId(u32::try_from(index).unwrap_or(u32::MAX));
                definitions.insert(id, compiler.definition(&definition.parameters, &definition.body));
            }
        }
        let bindings: Vec<(FormulaVar, Domain)> = property
            .bindings
            .iter()
            .map(|binding| {
                let domain = property.variable(binding.variable).domain;
                (compiler.bind(binding.variable), domain)
            })
            .collect();
        let body = compiler.plan(&property.body, false);
        InterpretedFormula {
            pasts: compiler.pasts,
            futures: compiler.futures,
            definitions,
            bindings,
            body,
            mentions_number: mentions(property, &Term::PointNumber),
            mentions_time: mentions(property, &Term::PointTime),
        }
    }
}

/// A subformula of a property, by itself.
#[derive(Debug)]
pub(crate) struct PlanPart {
    /// Its free variables.
    pub variables: Vec<FormulaVar>,
    /// What it says.
    pub body: FormulaPlan,
}

impl InterpretedFormula {
    /// Compiles subformulas of a property, each with its free variables, and nothing else of it.
    pub(crate) fn parts(property: &Property, parts: &[(&Formula, &[VarId])]) -> (InterpretedFormula, Vec<PlanPart>) {
        let mut compiler =
            FormulaPlanner { property, next_var: 0, scope: HashMap::new(), pasts: Vec::new(), futures: Vec::new() };
        let mut called = BTreeSet::new();
        parts.iter().for_each(|(formula, _)| collect_calls(property, formula, &mut called));
        let mut definitions = HashMap::new();
        for id in called {
            let definition = &property.definitions[id.index()];
            if definition.recursive {
                definitions.insert(id, compiler.definition(&definition.parameters, &definition.body));
            }
        }
        let part = |(formula, variables): &(&Formula, &[VarId])| PlanPart {
            variables: variables.iter().map(|variable| compiler.bind(*variable)).collect(),
            body: compiler.plan(formula, false),
        };
        let plans = parts.iter().map(part).collect();
        let compiled = InterpretedFormula {
            pasts: compiler.pasts,
            futures: compiler.futures,
            definitions,
            bindings: Vec::new(),
            body: FormulaPlan::Constant(true),
            mentions_number: mentions(property, &Term::PointNumber),
            mentions_time: mentions(property, &Term::PointTime),
        };
        (compiled, plans)
    }
}

/// The definitions that a formula calls, and those that they call.
fn collect_calls(property: &Property, formula: &Formula, called: &mut BTreeSet<DefId>) {
    formula.visit(&mut |part| {
        if let Kind::Call(id, _) = &part.kind
            && called.insert(*id)
        {
            collect_calls(property, &property.definitions[id.index()].body, called);
        }
    });
}

struct FormulaPlanner<'p> {
    property: &'p Property,
    next_var: u32,
    scope: HashMap<VarId, PlanTerm>,
    pasts: Vec<Past>,
    futures: Vec<Future>,
}

impl FormulaPlanner<'_> {
    fn fresh(&mut self) -> FormulaVar {
        self.next_var += 1;
        FormulaVar(self.next_var - 1)
    }

    fn bind(&mut self, variable: VarId) -> FormulaVar {
        let var = self.fresh();
        self.scope.insert(variable, PlanTerm::Var(var));
        var
    }

    fn definition(&mut self, parameters: &[VarId], body: &Formula) -> PlanDefinition {
        let parameters = parameters.iter().map(|&parameter| self.bind(parameter)).collect();
        PlanDefinition { parameters, body: self.plan(body, false) }
    }

    fn plan(&mut self, formula: &Formula, negated: bool) -> FormulaPlan {
        let span = formula.span;
        match &formula.kind {
            Kind::Constant(truth) => FormulaPlan::Constant(*truth != negated),
            Kind::Event(atom) => {
                let arguments = atom.arguments.as_ref().map(|terms| terms.iter().map(|term| self.term(term)).collect());
                FormulaPlan::Event(Arc::new(PlanAtom { name: atom.name.clone(), arguments, span }), negated)
            }
            Kind::Compare(comparison, left, right) => {
                FormulaPlan::Compare(*comparison, self.term(left), self.term(right), negated, span)
            }
            Kind::Observe(observation) => FormulaPlan::Observe(Arc::new(self.observation(observation, span)), negated),
            Kind::Not(body) => self.plan(body, !negated),
            Kind::And(members) => self.join(true, members, negated),
            Kind::Or(members) => self.join(false, members, negated),
            Kind::Implies(left, right) => {
                let members = vec![self.plan(left, !negated), self.plan(right, negated)];
                FormulaPlan::Join(negated, members)
            }
            Kind::Iff(left, right) => self.equivalence(left, right, negated),
            Kind::Quantified(quantifier, variable, body) => {
                let var = self.bind(*variable);
                let domain = self.property.variable(*variable).domain;
                let quantifier = if negated { dual(*quantifier) } else { *quantifier };
                FormulaPlan::Quantified(quantifier, var, domain, Box::new(self.plan(body, negated)))
            }
            Kind::Unary(op, interval, body) => self.unary(*op, interval, body, negated, span),
            Kind::Binary(op, interval, left, right) => self.binary(*op, interval, left, right, negated, span),
            Kind::Match(direction, interval, regex) => self.regex(*direction, interval, regex, negated, span),
            Kind::Call(definition, arguments) => self.call(*definition, arguments, negated, span),
            Kind::Aggregate(aggregation) => {
                FormulaPlan::Aggregate(Arc::new(self.aggregation(aggregation, span)), negated)
            }
        }
    }

    fn aggregation(&mut self, aggregation: &Aggregation, span: Span) -> PlanAggregation {
        let result = self.term(&Term::Variable(aggregation.result));
        let own = aggregation.own().into_iter().map(|variable| self.bind(variable)).collect();
        let over = self.term(&Term::Variable(aggregation.over));
        let body = self.plan(&aggregation.body, false);
        let grouped = !aggregation.groups.is_empty();
        PlanAggregation {
            spec: Arc::new(Aggregate { function: aggregation.function, grouped, own, span }),
            result,
            over,
            body,
        }
    }

    fn join(&mut self, all: bool, members: &[Formula], negated: bool) -> FormulaPlan {
        FormulaPlan::Join(all != negated, members.iter().map(|member| self.plan(member, negated)).collect())
    }

    /// `a <=> b` is `(a => b) and (b => a)`; its negation `(a and not b) or (b and not a)`.
    fn equivalence(&mut self, left: &Formula, right: &Formula, negated: bool) -> FormulaPlan {
        let mut side =
            |a: &Formula, b: &Formula| FormulaPlan::Join(negated, vec![self.plan(a, !negated), self.plan(b, negated)]);
        let sides = vec![side(left, right), side(right, left)];
        FormulaPlan::Join(!negated, sides)
    }

    fn unary(&mut self, op: UnaryOp, interval: &Interval, body: &Formula, negated: bool, span: Span) -> FormulaPlan {
        // The weak and universal operators are the duals of the strong and existential ones.
        let dual = matches!(op, UnaryOp::WeakPrev | UnaryOp::WeakNext | UnaryOp::Historically | UnaryOp::Always);
        let body = self.plan(body, dual);
        let negated = negated != dual;
        match op {
            UnaryOp::Prev | UnaryOp::WeakPrev => self.past(PastKind::Prev(body), interval, negated, span),
            UnaryOp::Next | UnaryOp::WeakNext => self.future(FutureKind::Next(body), interval, negated),
            UnaryOp::Once | UnaryOp::Historically => {
                self.since(FormulaPlan::Constant(true), body, false, interval, negated, span)
            }
            UnaryOp::Eventually | UnaryOp::Always => self.until(FormulaPlan::Constant(true), body, interval, negated),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        interval: &Interval,
        left: &Formula,
        right: &Formula,
        negated: bool,
        span: Span,
    ) -> FormulaPlan {
        match op {
            BinaryOp::Since | BinaryOp::StrictSince => {
                let (left, right) = (self.plan(left, false), self.plan(right, false));
                self.since(left, right, op == BinaryOp::StrictSince, interval, negated, span)
            }
            BinaryOp::Until => {
                let (left, right) = (self.plan(left, false), self.plan(right, false));
                self.until(left, right, interval, negated)
            }
            BinaryOp::Trigger => {
                let (left, right) = (self.plan(left, true), self.plan(right, true));
                self.since(left, right, false, interval, !negated, span)
            }
            BinaryOp::Release => {
                let (left, right) = (self.plan(left, true), self.plan(right, true));
                self.until(left, right, interval, !negated)
            }
            BinaryOp::WeakSince => {
                let strong = self.binary(BinaryOp::Since, interval, left, right, negated, span);
                let always = self.unary(UnaryOp::Historically, interval, left, negated, span);
                FormulaPlan::Join(negated, vec![strong, always])
            }
            BinaryOp::WeakUntil => {
                let strong = self.binary(BinaryOp::Until, interval, left, right, negated, span);
                let always = self.unary(UnaryOp::Always, interval, left, negated, span);
                FormulaPlan::Join(negated, vec![strong, always])
            }
        }
    }

    fn since(
        &mut self,
        left: FormulaPlan,
        right: FormulaPlan,
        strict: bool,
        interval: &Interval,
        negated: bool,
        span: Span,
    ) -> FormulaPlan {
        self.past(PastKind::Since { left, right, strict }, interval, negated, span)
    }

    fn until(&mut self, left: FormulaPlan, right: FormulaPlan, interval: &Interval, negated: bool) -> FormulaPlan {
        self.future(FutureKind::Until { left, right }, interval, negated)
    }

    fn past(&mut self, kind: PastKind, interval: &Interval, negated: bool, span: Span) -> FormulaPlan {
        let vars: Vec<FormulaVar> = self.past_variables(&kind).into_iter().collect();
        let id = PastId(u32::try_from(self.pasts.len()).unwrap_or(u32::MAX));
        self.pasts.push(Past { kind, interval: interval.clone(), span, vars });
        FormulaPlan::Past(id, negated)
    }

    fn future(&mut self, kind: FutureKind, interval: &Interval, negated: bool) -> FormulaPlan {
        let vars = match &kind {
            FutureKind::Next(body) => self.variables(&[body]),
            FutureKind::Until { left, right } => self.variables(&[left, right]),
            FutureKind::Match { automaton, .. } => self.variables(&automaton.plans()),
        };
        let slots = vars.into_iter().map(OperandSlot::Var).collect();
        let id = FutureId(u32::try_from(self.futures.len()).unwrap_or(u32::MAX));
        self.futures.push(Future { kind, interval: interval.clone(), slots });
        FormulaPlan::Future(id, negated)
    }

    fn regex(
        &mut self,
        direction: Direction,
        interval: &Interval,
        regex: &Regex,
        negated: bool,
        span: Span,
    ) -> FormulaPlan {
        let automaton = RegexAutomaton::of(regex, &mut |formula| self.plan(formula, false));
        if direction == Direction::Past {
            return self.past(PastKind::Match(automaton), interval, negated, span);
        }
        let automaton = Arc::new(automaton);
        let first = FutureId(u32::try_from(self.futures.len()).unwrap_or(u32::MAX));
        for state in 0..automaton.states() {
            self.future(FutureKind::Match { automaton: automaton.clone(), state, first }, interval, false);
        }
        FormulaPlan::Future(FutureId(first.0 + u32::try_from(automaton.start()).unwrap_or(0)), negated)
    }

    fn call(&mut self, id: DefId, arguments: &[Term], negated: bool, span: Span) -> FormulaPlan {
        let definition = &self.property.definitions[id.index()];
        let terms: Vec<PlanTerm> = arguments.iter().map(|term| self.term(term)).collect();
        if definition.recursive {
            return self.recursive_call(id, terms, negated, span);
        }
        let outer = self.scope.clone();
        let (mut bound, mut members) = (Vec::new(), Vec::new());
        for (parameter, term) in definition.parameters.iter().zip(terms) {
            match term {
                PlanTerm::Var(_) | PlanTerm::Leaf(Term::Constant(_)) => {
                    self.scope.insert(*parameter, term);
                }
                // A computed argument is computed here, not where the body uses it: there it may lack a value.
                computed => {
                    let var = self.bind(*parameter);
                    bound.push(var);
                    members.extend(equation(var, computed, negated, span));
                }
            }
        }
        members.push(self.plan(&definition.body, negated));
        self.scope = outer;
        wrap(FormulaPlan::Join(!negated, members), bound, negated)
    }

    fn recursive_call(&mut self, id: DefId, terms: Vec<PlanTerm>, negated: bool, span: Span) -> FormulaPlan {
        let vars: Vec<FormulaVar> = terms.iter().map(|_| self.fresh()).collect();
        let equations = vars.iter().zip(terms).filter_map(|(var, term)| equation(*var, term, negated, span));
        let mut members: Vec<FormulaPlan> = equations.collect();
        members.push(FormulaPlan::Table(id, vars.clone(), negated));
        wrap(FormulaPlan::Join(!negated, members), vars, negated)
    }

    fn observation(&mut self, observation: &Observation, span: Span) -> PlanObservation {
        PlanObservation {
            required: observation.required.iter().map(|(field, term)| (field.clone(), self.term(term))).collect(),
            present: observation.present.clone(),
            constraint: observation
                .constraint
                .as_ref()
                .map(|found| (found.comparison, self.term(&found.left), self.term(&found.right))),
            span,
        }
    }

    fn term(&mut self, term: &Term) -> PlanTerm {
        match term {
            Term::Variable(variable) => match self.scope.get(variable) {
                Some(found) => found.clone(),
                None => PlanTerm::Var(self.bind(*variable)),
            },
            Term::Binary(op, left, right) => {
                PlanTerm::Binary(*op, Box::new(self.term(left)), Box::new(self.term(right)))
            }
            Term::Negate(body) => PlanTerm::Negate(Box::new(self.term(body))),
            Term::Apply(function, body) => PlanTerm::Apply(*function, Box::new(self.term(body))),
            Term::Constant(_) | Term::Field(_) | Term::Any | Term::PointNumber | Term::PointTime => {
                PlanTerm::Leaf(term.clone())
            }
        }
    }

    fn past_variables(&self, kind: &PastKind) -> BTreeSet<FormulaVar> {
        match kind {
            PastKind::Prev(body) => self.variables(&[body]),
            PastKind::Since { left, right, .. } => self.variables(&[left, right]),
            PastKind::Match(automaton) => self.variables(&automaton.plans()),
        }
    }

    /// The variables that occur in plans and are not bound in them.
    fn variables(&self, plans: &[&FormulaPlan]) -> BTreeSet<FormulaVar> {
        let mut vars = BTreeSet::new();
        plans.iter().for_each(|plan| self.collect(plan, &mut vars));
        vars
    }

    fn collect(&self, plan: &FormulaPlan, vars: &mut BTreeSet<FormulaVar>) {
        match plan {
            FormulaPlan::Constant(_) => {}
            FormulaPlan::Event(atom, _) => atom.arguments.iter().flatten().for_each(|term| term.collect(vars)),
            FormulaPlan::Compare(_, left, right, ..) => {
                left.collect(vars);
                right.collect(vars);
            }
            FormulaPlan::Observe(observation, _) => {
                observation.required.iter().for_each(|(_, term)| term.collect(vars));
                if let Some((_, left, right)) = &observation.constraint {
                    left.collect(vars);
                    right.collect(vars);
                }
            }
            FormulaPlan::Join(_, members) => members.iter().for_each(|member| self.collect(member, vars)),
            FormulaPlan::Quantified(_, var, _, body) => {
                self.collect(body, vars);
                vars.remove(var);
            }
            FormulaPlan::Past(id, _) => vars.extend(&self.pasts[id.0 as usize].vars),
            FormulaPlan::Future(id, _) => {
                vars.extend(self.futures[id.0 as usize].slots.iter().filter_map(|slot| match slot {
                    OperandSlot::Var(var) => Some(*var),
                    OperandSlot::Value(_) => None,
                }))
            }
            FormulaPlan::Table(_, own, _) => vars.extend(own),
            FormulaPlan::Aggregate(aggregation, _) => {
                self.collect(&aggregation.body, vars);
                aggregation.over.collect(vars);
                vars.retain(|var| !aggregation.spec.own.contains(var));
                aggregation.result.collect(vars);
            }
        }
    }
}

/// Whether a term occurs anywhere in a property.
pub(crate) fn mentions(property: &Property, wanted: &Term) -> bool {
    let mut found = false;
    for body in property.definitions.iter().map(|definition| &definition.body).chain([&property.body]) {
        body.visit(&mut |formula| found |= formula.kind.terms().into_iter().any(|term| contains(term, wanted)));
    }
    found
}

fn contains(term: &Term, wanted: &Term) -> bool {
    term == wanted
        || match term {
            Term::Binary(_, left, right) => contains(left, wanted) || contains(right, wanted),
            Term::Negate(body) | Term::Apply(_, body) => contains(body, wanted),
            _ => false,
        }
}

/// `var = term`, or its negation; nothing where the term is `_`.
fn equation(var: FormulaVar, term: PlanTerm, negated: bool, span: Span) -> Option<FormulaPlan> {
    let any = matches!(term, PlanTerm::Leaf(Term::Any));
    (!any).then_some(FormulaPlan::Compare(Comparison::Equal, PlanTerm::Var(var), term, negated, span))
}

/// `exists` over variables, or `forall` where the negation is meant.
fn wrap(body: FormulaPlan, vars: Vec<FormulaVar>, negated: bool) -> FormulaPlan {
    let quantifier = if negated { Quantifier::Forall } else { Quantifier::Exists };
    vars.into_iter()
        .rev()
        .fold(body, |body, var| FormulaPlan::Quantified(quantifier, var, Domain::Infinite, Box::new(body)))
}
