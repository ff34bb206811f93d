//! Quantified automata with registers.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::formula::{Arithmetic, Comparison, Quantifier, Span};

/// Quantifiers over an automaton.
#[derive(Debug, Clone)]
pub struct Quantified {
    /// The quantified variables, outermost first.
    pub variables: Vec<QuantifiedVariable>,
    /// Which combinations of values count.
    pub conditions: Vec<Condition>,
    /// The free variables.
    pub registers: Vec<Register>,
    /// The events that the automaton can see.
    pub classes: Vec<EventClass>,
    /// The states; the first is initial.
    pub states: Vec<AutomatonState>,
    /// Whether a binding is accepted if no run is.
    pub negated: bool,
}

/// A quantified variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantifiedVariable {
    /// Its name.
    pub name: Arc<str>,
    /// For all values of its domain, or for some.
    pub quantifier: Quantifier,
    /// The number of its domain; joined variables share one.
    pub domain: usize,
    /// Where it is bound.
    pub span: Span,
}

/// A condition on quantified variables.
#[derive(Debug, Clone)]
pub struct Condition {
    /// What must hold.
    pub guard: AutomatonGuard,
    /// The innermost variable that it mentions.
    pub level: usize,
}

/// A free variable of the automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it holds a set of values; such a one is empty at first.
    pub is_set: bool,
}

/// Events that look alike to the automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventClass {
    /// Their name.
    pub event: Arc<str>,
    /// What their positional arguments must be.
    pub arguments: Vec<ClassArgument>,
    /// Where such an event is first mentioned.
    pub span: Span,
}

impl EventClass {
    /// The quantified variables that the class binds, each once, with a position of each.
    pub fn variables(&self) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (position, argument) in self.arguments.iter().enumerate() {
            if let ClassArgument::Variable(variable) = argument
                && found.iter().all(|(known, _)| known != variable)
            {
                found.push((*variable, position));
            }
        }
        found
    }
}

/// What one argument of an event must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassArgument {
    /// The value of a quantified variable.
    Variable(usize),
    /// A constant.
    Constant(Value),
    /// Equal to an earlier argument: a free variable that stands there too. The automaton then sees the class with anything there as well: free
    /// variables are wildcards where it is asked to which bindings an event belongs.
    Same(usize),
    /// Anything.
    Any,
}

/// What a state does with an event for which it has no transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It stays.
    Skip,
    /// It fails.
    Next,
}

/// A state.
#[derive(Debug, Clone)]
pub struct AutomatonState {
    /// Its name.
    pub name: Arc<str>,
    /// Whether a run that ends here is accepted.
    pub accepting: bool,
    /// What happens without a transition.
    pub mode: Mode,
    /// The transitions, in textual order.
    pub transitions: Vec<AutomatonTransition>,
}

/// What a state does on events of one class.
#[derive(Debug, Clone)]
pub struct AutomatonTransition {
    /// The class.
    pub class: usize,
    /// The free variables of its pattern: a position and the register that takes the value there.
    pub takes: Vec<(usize, usize)>,
    /// The first of these whose guard is true is taken.
    pub branches: Vec<Branch>,
}

/// One way through a transition.
#[derive(Debug, Clone)]
pub struct Branch {
    /// What must hold.
    pub guard: AutomatonGuard,
    /// What is done then.
    pub statements: Vec<AutomatonStatement>,
    /// Where it leads.
    pub target: usize,
}

/// A condition on variables and registers. An atom over a register that nothing has bound is false.
#[derive(Debug, Clone)]
pub enum AutomatonGuard {
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<AutomatonGuard>),
    /// All of them.
    And(Vec<AutomatonGuard>),
    /// One of them.
    Or(Vec<AutomatonGuard>),
    /// Two values compare so; an order only between two numbers or two strings.
    Compare(Comparison, AutomatonExpression, AutomatonExpression),
    /// The value is in the set.
    In(AutomatonExpression, usize),
    /// The set is empty.
    Empty(usize),
}

impl AutomatonGuard {
    /// Whether nothing is demanded.
    pub fn is_true(&self) -> bool {
        matches!(self, AutomatonGuard::Constant(true))
    }

    /// The expressions that stand in this guard.
    pub fn expressions(&self) -> Vec<&AutomatonExpression> {
        match self {
            AutomatonGuard::Constant(_) | AutomatonGuard::Empty(_) => Vec::new(),
            AutomatonGuard::Not(body) => body.expressions(),
            AutomatonGuard::And(all) | AutomatonGuard::Or(all) => {
                all.iter().flat_map(AutomatonGuard::expressions).collect()
            }
            AutomatonGuard::Compare(_, left, right) => vec![left, right],
            AutomatonGuard::In(element, _) => vec![element],
        }
    }
}

/// A value that is computed.
#[derive(Debug, Clone)]
pub enum AutomatonExpression {
    /// That of a quantified variable.
    Variable(usize),
    /// That of a register.
    Register(usize),
    /// A constant.
    Constant(Value),
    /// Arithmetic, and its place.
    Binary(Arithmetic, Box<AutomatonExpression>, Box<AutomatonExpression>, Span),
}

impl AutomatonExpression {
    /// Calls `visit` for this expression and all in it.
    pub fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e AutomatonExpression)) {
        visit(self);
        if let AutomatonExpression::Binary(_, left, right, _) = self {
            left.visit(visit);
            right.visit(visit);
        }
    }
}

/// Something that a transition does.
#[derive(Debug, Clone)]
pub enum AutomatonStatement {
    /// A register gets a value.
    Assign(usize, AutomatonExpression, Span),
    /// A set gets an element.
    Add(usize, AutomatonExpression, Span),
    /// A set loses an element.
    Remove(usize, AutomatonExpression, Span),
    /// A set becomes empty.
    Clear(usize),
}

impl Quantified {
    /// The leading universal variables, whose values violations report.
    pub fn leading(&self) -> impl Iterator<Item = &QuantifiedVariable> {
        self.variables.iter().take_while(|variable| variable.quantifier == Quantifier::Forall)
    }

    /// How many domains there are.
    pub fn domains(&self) -> usize {
        self.variables.iter().map(|variable| variable.domain + 1).max().unwrap_or(0)
    }

    /// For every state, whether an accepting and whether a rejecting state can be reached from it, guards ignored.
    pub fn prospects(&self) -> Vec<Prospect> {
        let mut prospects: Vec<Prospect> = (self.states.iter())
            .map(|state| Prospect { accept: state.accepting, reject: !state.accepting || state.mode == Mode::Next })
            .collect();
        loop {
            let before = prospects.clone();
            for (number, state) in self.states.iter().enumerate() {
                for target in state.transitions.iter().flat_map(|transition| &transition.branches) {
                    let reached = prospects[target.target];
                    prospects[number].accept |= reached.accept;
                    prospects[number].reject |= reached.reject;
                }
            }
            if prospects == before {
                return prospects;
            }
        }
    }
}

/// What can still become of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prospect {
    /// It can come to an accepting state.
    pub accept: bool,
    /// It can come to a rejecting state.
    pub reject: bool,
}
