//! From a checked tree to the core.
//!
//! ```text
//!  prop p: Forall x . m(x) -> r(x)      bindings x;  body Implies(…m's body…, Call(r, x))
//!    where r(x) := e(x) | @ r(x)        definition r(x), recursive
//!  pred m(y) = P e(y)                   written out at each call, y replaced by the caller's term
//! ```
//!
//! | written | core |
//! |---|---|
//! | `p S[<=n] q`, `p S[>n] q`, `p Z[<=n] q` | Since [0, n], Since (n, ∞), StrictSince [0, n] |
//! | `P[..] q`, `H[..] q` | Once, Historically with that interval |
//! | `[p, q)` | (Not q) Since p |
//! | `7`, `"7"` | the text 7 |
//! | leading `Forall x .` | a binding; stripped only where nothing else stands before it |
//!
//! Every quantifier that is written out gets a variable of its own, so that macros cannot catch their callers' variables.
//! The rules become definitions, each after those that it reads at the same point; one that calls itself or a later one
//! is recursive. Linear in the size of the property with its macros written out, which is bounded.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::calls::rule_order;
use super::names::{Names, rule_index};
use super::syntax::{self, Argument, Bound, Kind, Name, Quantification};
use crate::core::stream::Duration;
use crate::core::{
    BinaryOp, Binding, DefId, Definition, Domain, Equality, EventAtom, Formula, Interval, Judgement, Kind as Core,
    Language, Position, Property, Quantifier, Sort, SortId, Term, UnaryOp, UnseenOrder, VarId, Variable,
};
use crate::options::Options;
use crate::source::Source;

/// Lowers a property without errors whose macros have none either.
pub(super) fn lower(property: &syntax::Property, names: &Names<'_>, source: &Source, options: &Options) -> Property {
    let order = rule_order(property);
    let index = rule_index(property);
    let place: HashMap<usize, DefId> = (0..).zip(&order).map(|(place, rule)| (*rule, DefId(place))).collect();
    let rules = index.into_iter().filter_map(|(name, rule)| Some((name, *place.get(&rule)?))).collect();
    let mut lowering =
        Lowering { names, rules, unit: options.unit, timed: false, variables: Vec::new(), seen: Vec::new() };
    let formula = lowering.formula(&property.formula, &mut Scope::new());
    let definitions: Vec<Definition> = (0..)
        .zip(&order)
        .filter_map(|(place, rule)| Some(lowering.definition(DefId(place), property.rules.get(*rule)?)))
        .collect();
    let (bindings, body) = strip(formula);
    let mut lowered = Property {
        name: property.name.text.clone(),
        language: Language::Qtl,
        source: source.text.clone(),
        variables: lowering.variables,
        sorts: Vec::new(),
        definitions,
        bindings,
        body,
        judgement: Judgement::EveryPoint,
        equality: Equality::ByText,
        timed: lowering.timed,
        unseen_order: UnseenOrder::False,
    };
    if options.seen {
        restrict_to_seen(&mut lowered, &lowering.seen);
    }
    lowered
}

/// The universal quantifiers that a formula begins with, and what follows them.
fn strip(mut formula: Formula) -> (Vec<Binding>, Formula) {
    let mut bindings = Vec::new();
    while let Core::Quantified(Quantifier::Forall, variable, body) = formula.kind {
        bindings.push(Binding { variable });
        formula = *body;
    }
    (bindings, formula)
}

/// What the variables in scope stand for: variables of the property, or what a macro was called with.
type Scope<'t> = HashMap<&'t str, Term>;

struct Lowering<'n, 't> {
    names: &'n Names<'t>,
    rules: HashMap<&'n str, DefId>,
    /// The unit of the trace's times.
    unit: Unit,
    /// Whether some bound is written with a unit.
    timed: bool,
    variables: Vec<Variable>,
    /// The variables that were quantified in lower case.
    seen: Vec<VarId>,
}

impl<'n, 't: 'n> Lowering<'n, 't> {
    fn definition(&mut self, id: DefId, rule: &'n syntax::Definition) -> Definition {
        let mut scope = Scope::new();
        let parameters: Vec<VarId> = rule.head.parameters.iter().map(|name| self.bind(name, &mut scope)).collect();
        let body = self.formula(&rule.body, &mut scope);
        let mut recursive = false;
        body.visit(&mut |part| recursive |= matches!(part.kind, Core::Call(called, _) if called >= id));
        Definition { name: rule.head.name.text.clone(), parameters, body, recursive }
    }

    fn interval(&mut self, bound: &Bound) -> Interval {
        match bound {
            Bound::None => Interval::all(),
            Bound::AtMost(limit) => self.at_most(limit),
            Bound::MoreThan(limit) => Interval { low: self.length(limit), low_included: false, ..Interval::all() },
        }
    }

    fn at_most(&mut self, limit: &Duration) -> Interval {
        Interval { high: Some(self.length(limit)), high_included: true, ..Interval::all() }
    }

    /// A length of time in the unit of the trace.
    fn length(&mut self, limit: &Duration) -> Number {
        self.timed |= limit.unit.is_some();
        limit.in_unit(self.unit)
    }

    /// A new variable.
    fn bind(&mut self, name: &'n Name, scope: &mut Scope<'n>) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable { name: name.text.clone(), domain: Domain::Infinite, span: name.span });
        scope.insert(&name.text, Term::Variable(id));
        id
    }

    fn formula(&mut self, formula: &'n syntax::Formula, scope: &mut Scope<'n>) -> Formula {
        if let Kind::Atom(name, arguments) = &formula.kind {
            return self.atom(name, arguments, formula, scope);
        }
        let interval = match &formula.kind {
            Kind::Once(bound, _) | Kind::Historically(bound, _) | Kind::Since(bound, ..) => self.interval(bound),
            Kind::StrictSince(limit, ..) => self.at_most(limit),
            _ => Interval::all(),
        };
        let mut below = |part: &'n syntax::Formula| Box::new(self.formula(part, scope));
        let kind = match &formula.kind {
            Kind::Constant(truth) => Core::Constant(*truth),
            Kind::Relation(relation, left, right) => {
                Core::Compare(relation.comparison(), term(left, scope), term(right, scope))
            }
            Kind::Not(body) => Core::Not(below(body)),
            Kind::Previous(body) => Core::Unary(UnaryOp::Prev, Interval::all(), below(body)),
            Kind::Once(_, body) => Core::Unary(UnaryOp::Once, interval, below(body)),
            Kind::Historically(_, body) => Core::Unary(UnaryOp::Historically, interval, below(body)),
            Kind::Since(_, left, right) => Core::Binary(BinaryOp::Since, interval, below(left), below(right)),
            Kind::StrictSince(_, left, right) => {
                Core::Binary(BinaryOp::StrictSince, interval, below(left), below(right))
            }
            Kind::Interval(from, to) => {
                let from = below(from);
                let open = Formula::new(Core::Not(below(to)), to.span);
                Core::Binary(BinaryOp::Since, Interval::all(), Box::new(open), from)
            }
            Kind::Quantified(how, name, body) => self.quantified(*how, name, body, scope),
            Kind::And(all) => Core::And(all.iter().map(|part| *below(part)).collect()),
            Kind::Or(all) => Core::Or(all.iter().map(|part| *below(part)).collect()),
            Kind::Implies(left, right) => Core::Implies(below(left), below(right)),
            Kind::Iff(left, right) => Core::Iff(below(left), below(right)),
            // Formulas with atoms or errors do not come here; nothing is judged by what could not be read.
            Kind::Atom(..) | Kind::Unreadable => Core::Constant(true),
        };
        Formula::new(kind, formula.span)
    }

    fn quantified(
        &mut self,
        how: Quantification,
        name: &'n Name,
        body: &'n syntax::Formula,
        scope: &mut Scope<'n>,
    ) -> Core {
        let variable = self.bind(name, scope);
        if how.lower_case {
            self.seen.push(variable);
        }
        let body = self.formula(body, scope);
        scope.remove(&*name.text);
        Core::Quantified(how.quantifier, variable, Box::new(body))
    }

    /// An event, a call of a rule, or a macro written out.
    fn atom(
        &mut self,
        name: &'n Name,
        arguments: &'n [Argument],
        formula: &syntax::Formula,
        scope: &Scope<'n>,
    ) -> Formula {
        let terms: Vec<Term> = arguments.iter().map(|argument| term(argument, scope)).collect();
        if let Some(&rule) = self.rules.get(&*name.text) {
            return Formula::new(Core::Call(rule, terms), formula.span);
        }
        if let Some(&node) = self.names.macro_index.get(&*name.text) {
            let syntax::Definition { head, body, .. } = self.names.macros[node];
            let mut inner: Scope<'n> = head.parameters.iter().map(|name| &*name.text).zip(terms).collect();
            return self.formula(body, &mut inner);
        }
        Formula::new(Core::Event(EventAtom { name: name.text.clone(), arguments: Some(terms) }), formula.span)
    }
}

fn term(argument: &Argument, scope: &Scope<'_>) -> Term {
    match argument {
        Argument::Constant(constant) => Term::Constant(Value::String(constant.text.clone())),
        // Every variable of a checked tree is in scope; its name as a constant is what a reader would expect otherwise.
        Argument::Variable(name) => {
            scope.get(&*name.text).cloned().unwrap_or_else(|| Term::Constant(Value::String(name.text.clone())))
        }
    }
}

/// Lets variables range over the values seen so far at the positions at which they stand, in events or, by way of rules,
/// in the events of the rules.
fn restrict_to_seen(property: &mut Property, seen: &[VarId]) {
    let uses = Uses::of(property);
    for &variable in seen {
        let sort = SortId(property.sorts.len() as u32);
        let Some(restricted) = property.variables.get_mut(variable.index()) else { continue };
        restricted.domain = Domain::SoFar(sort);
        property.sorts.push(Sort { name: restricted.name.clone(), positions: uses.positions(variable) });
    }
}

/// Where each variable stands.
#[derive(Default)]
struct Uses {
    events: HashMap<VarId, Vec<Position>>,
    /// The parameters of rules that it is handed to.
    parameters: HashMap<VarId, Vec<VarId>>,
}

impl Uses {
    fn of(property: &Property) -> Uses {
        let mut uses = Uses::default();
        for body in property.definitions.iter().map(|definition| &definition.body).chain([&property.body]) {
            body.visit(&mut |part| match &part.kind {
                Core::Event(atom) => uses.event(atom),
                Core::Call(rule, arguments) => {
                    let parameters = property.definitions.get(rule.index()).map_or(&[][..], |rule| &rule.parameters);
                    uses.call(arguments, parameters);
                }
                _ => {}
            });
        }
        uses
    }

    fn event(&mut self, atom: &EventAtom) {
        let arguments = atom.arguments.as_deref().unwrap_or_default();
        for (index, argument) in arguments.iter().enumerate() {
            if let Term::Variable(variable) = argument {
                let position = Position::Argument { event: Arc::clone(&atom.name), arity: arguments.len(), index };
                self.events.entry(*variable).or_default().push(position);
            }
        }
    }

    fn call(&mut self, arguments: &[Term], parameters: &[VarId]) {
        for (argument, parameter) in arguments.iter().zip(parameters) {
            if let Term::Variable(variable) = argument {
                self.parameters.entry(*variable).or_default().push(*parameter);
            }
        }
    }

    /// The positions of a variable, in textual order, each once.
    fn positions(&self, variable: VarId) -> Vec<Position> {
        let mut positions: Vec<Position> = Vec::new();
        let (mut reached, mut waiting) = (BTreeSet::from([variable]), vec![variable]);
        while let Some(variable) = waiting.pop() {
            for position in self.events.get(&variable).into_iter().flatten() {
                if !positions.contains(position) {
                    positions.push(position.clone());
                }
            }
            let parameters = self.parameters.get(&variable).into_iter().flatten().copied();
            waiting.extend(parameters.filter(|parameter| reached.insert(*parameter)));
        }
        positions
    }
}
