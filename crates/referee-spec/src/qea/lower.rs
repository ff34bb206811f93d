//! From the tree to the core: names become numbers, patterns become classes, and what makes no sense is reported.

use std::collections::HashMap;
use std::sync::Arc;

use super::syntax::{Argument, Automaton, Branch, Expression, Guard, HeadKind, Name, Statement, Transition};
use crate::core::machine::{self, ClassArgument, EventClass, Mode, Quantified, QuantifiedVariable, Register};
use crate::core::{Quantifier, Span};
use crate::diagnostic::Diagnostic;
use crate::lint::suggest;

/// The core of an automaton; what is wrong with it is added to the diagnostics.
pub(super) fn lower(automaton: &Automaton, diagnostics: &mut Vec<Diagnostic>) -> Quantified {
    let mut lowering = Lowering::new(automaton, diagnostics);
    lowering.quantifiers();
    lowering.state_names();
    lowering.collect_registers();
    let states = lowering.states();
    let conditions = lowering.conditions();
    lowering.check_domains();
    Quantified {
        variables: lowering.variables,
        conditions,
        registers: lowering.registers,
        classes: lowering.classes,
        states,
        negated: automaton.head.iter().any(|head| head.kind == HeadKind::Negated),
    }
}

/// What is known of a free variable.
struct Use {
    /// Where it is first used as a set, and as a value.
    set: Option<Span>,
    value: Option<Span>,
    /// Whether a pattern or a statement gives it a value.
    bound: bool,
}

struct Lowering<'t> {
    automaton: &'t Automaton,
    diagnostics: &'t mut Vec<Diagnostic>,
    variables: Vec<QuantifiedVariable>,
    registers: Vec<Register>,
    uses: Vec<Use>,
    by_name: HashMap<Arc<str>, usize>,
    states: HashMap<Arc<str>, usize>,
    classes: Vec<EventClass>,
}

impl<'t> Lowering<'t> {
    fn new(automaton: &'t Automaton, diagnostics: &'t mut Vec<Diagnostic>) -> Lowering<'t> {
        Lowering {
            automaton,
            diagnostics,
            variables: Vec::new(),
            registers: Vec::new(),
            uses: Vec::new(),
            by_name: HashMap::new(),
            states: HashMap::new(),
            classes: Vec::new(),
        }
    }

    fn quantifiers(&mut self) {
        for head in &self.automaton.head {
            if let HeadKind::Quantified(quantifier, names) = &head.kind {
                names.iter().for_each(|name| self.quantify(*quantifier, name));
            }
        }
        for head in &self.automaton.head {
            if let HeadKind::Join(names) = &head.kind {
                self.join(names);
            }
        }
    }

    fn quantify(&mut self, quantifier: Quantifier, name: &Name) {
        if let Some(first) = self.variable(&name.text) {
            let first = self.variables[first].span;
            return self.twice("variable", name, first);
        }
        let domain = self.variables.len();
        self.variables.push(QuantifiedVariable { name: name.text.clone(), quantifier, domain, span: name.span });
    }

    fn twice(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("{what} `{}` is there already", name.text);
        let found = Diagnostic::error("E0602", name.span, message).hint("rename one of them");
        self.diagnostics.push(found.related(first, "the first one"));
    }

    fn join(&mut self, names: &[Name]) {
        let found: Vec<usize> = names.iter().filter_map(|name| self.quantified(name, "join")).collect();
        let Some(&first) = found.first() else { return };
        let domain = self.variables[first].domain;
        for other in found {
            let joined = self.variables[other].domain;
            self.variables.iter_mut().filter(|variable| variable.domain == joined).for_each(|v| v.domain = domain);
        }
    }

    fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| *variable.name == *name)
    }

    /// A variable that must be quantified, because `part` speaks of such only.
    fn quantified(&mut self, name: &Name, part: &str) -> Option<usize> {
        let found = self.variable(&name.text);
        if found.is_none() && !name.text.is_empty() {
            let message = format!("`{}` is not quantified, so `{part}` cannot speak of it", name.text);
            let hint = format!("quantify it: `forall({})`", name.text);
            self.diagnostics.push(Diagnostic::error("E0603", name.span, message).hint(hint));
        }
        found
    }

    fn state_names(&mut self) {
        for (number, state) in self.automaton.states.iter().enumerate() {
            if ["failure", "success"].contains(&&*state.name.text) {
                let message = format!("`{}` is a state of every automaton", state.name.text);
                let hint = "give the state another name";
                self.diagnostics.push(Diagnostic::error("E0602", state.name.span, message).hint(hint));
            } else if let Some(&first) = self.states.get(&state.name.text) {
                self.twice("state", &state.name, self.automaton.states[first].name.span);
            } else {
                self.states.insert(state.name.text.clone(), number);
            }
        }
        let count = self.automaton.states.len();
        self.states.insert("failure".into(), count);
        self.states.insert("success".into(), count + 1);
    }

    // ── Free variables ──────────────────────────────────────────────────────────────────────────────────────────────

    fn collect_registers(&mut self) {
        let automaton = self.automaton;
        for transition in automaton.states.iter().flat_map(|state| &state.transitions) {
            for argument in &transition.arguments {
                if let Argument::Variable(name) = argument
                    && self.variable(&name.text).is_none()
                {
                    self.note(name, false, true);
                }
            }
            for branch in &transition.branches {
                branch.guard.iter().for_each(|guard| self.note_guard(guard));
                branch.statements.iter().for_each(|statement| self.note_statement(statement));
            }
        }
        self.registers = self
            .registers
            .drain(..)
            .zip(&self.uses)
            .map(|(register, found)| Register { is_set: found.set.is_some() && found.value.is_none(), ..register })
            .collect();
        let clashes = self.registers.iter().zip(&self.uses).filter_map(|(register, found)| {
            let (set, value) = (found.set?, found.value?);
            let message = format!("`{}` is used as a set and as a value", register.name);
            let found = Diagnostic::error("E0606", if value.start > set.start { value } else { set }, message)
                .hint("use two variables");
            Some(found.related(if value.start > set.start { set } else { value }, "its first use"))
        });
        self.diagnostics.extend(clashes);
    }

    /// Notes a use of a free variable.
    fn note(&mut self, name: &Name, as_set: bool, binds: bool) {
        let number = *self.by_name.entry(name.text.clone()).or_insert_with(|| {
            self.registers.push(Register { name: name.text.clone(), is_set: false });
            self.uses.push(Use { set: None, value: None, bound: false });
            self.registers.len() - 1
        });
        let found = &mut self.uses[number];
        found.bound |= binds;
        (if as_set { &mut found.set } else { &mut found.value }).get_or_insert(name.span);
    }

    fn note_guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Constant(_) | Guard::Unreadable => {}
            Guard::Own(never) => match *never {},
            Guard::Not(body) => self.note_guard(body),
            Guard::And(all) | Guard::Or(all) => all.iter().for_each(|guard| self.note_guard(guard)),
            Guard::Compare(_, left, right) => {
                self.note_expression(left);
                self.note_expression(right);
            }
            Guard::In(element, set) => {
                self.note_expression(element);
                self.note(set, true, true);
            }
            Guard::Empty(set) => self.note(set, true, true),
        }
    }

    fn note_expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Variable(name) if self.variable(&name.text).is_none() => self.note(name, false, false),
            Expression::Binary(_, left, right, _) => {
                self.note_expression(left);
                self.note_expression(right);
            }
            _ => {}
        }
    }

    fn note_statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(name, value, _) => {
                self.note_expression(value);
                self.note_target(name, false);
            }
            Statement::Add(set, element, _) | Statement::Remove(set, element, _) => {
                self.note_expression(element);
                self.note_target(set, true);
            }
            Statement::Clear(set) => self.note_target(set, true),
        }
    }

    fn note_target(&mut self, name: &Name, as_set: bool) {
        if self.variable(&name.text).is_some() {
            let message = format!("`{}` is quantified, so its value cannot change", name.text);
            self.diagnostics.push(Diagnostic::error("E0607", name.span, message).hint("assign to a free variable"));
        } else {
            self.note(name, as_set, true);
        }
    }

    // ── States ──────────────────────────────────────────────────────────────────────────────────────────────────────

    fn states(&mut self) -> Vec<machine::AutomatonState> {
        let automaton = self.automaton;
        let mut states = Vec::new();
        for state in &automaton.states {
            let transitions = state.transitions.iter().map(|transition| self.transition(transition)).collect();
            let mode = if state.is_next { Mode::Next } else { Mode::Skip };
            let (name, accepting) = (state.name.text.clone(), state.accepting);
            states.push(machine::AutomatonState { name, accepting, mode, transitions });
        }
        for (name, accepting) in [("failure", false), ("success", true)] {
            states.push(machine::AutomatonState {
                name: name.into(),
                accepting,
                mode: Mode::Skip,
                transitions: Vec::new(),
            });
        }
        states
    }

    fn transition(&mut self, transition: &Transition) -> machine::AutomatonTransition {
        let mut takes: Vec<(usize, usize)> = Vec::new();
        let mut arguments = Vec::new();
        for (position, argument) in transition.arguments.iter().enumerate() {
            arguments.push(match argument {
                Argument::Constant(value) => ClassArgument::Constant(value.clone()),
                Argument::Any => ClassArgument::Any,
                Argument::Variable(name) => match (self.variable(&name.text), self.by_name.get(&name.text)) {
                    (Some(variable), _) => ClassArgument::Variable(variable),
                    (None, Some(&register)) => match takes.iter().find(|(_, taken)| *taken == register) {
                        Some((earlier, _)) => ClassArgument::Same(*earlier),
                        None => {
                            takes.push((position, register));
                            ClassArgument::Any
                        }
                    },
                    (None, None) => ClassArgument::Any,
                },
            });
        }
        let wildcards = arguments.iter().map(|argument| match argument {
            ClassArgument::Same(_) => ClassArgument::Any,
            other => other.clone(),
        });
        // An event belongs to a binding whatever the free variables are; that two of them are one is asked of the transition alone.
        let wildcards = wildcards.collect();
        let class = self.class(transition, arguments);
        self.class(transition, wildcards);
        let branches = transition.branches.iter().map(|branch| self.branch(branch)).collect();
        machine::AutomatonTransition { class, takes, branches }
    }

    /// The class of a transition's events with these arguments.
    fn class(&mut self, transition: &Transition, arguments: Vec<ClassArgument>) -> usize {
        let class = EventClass { event: transition.event.text.clone(), arguments, span: transition.event.span };
        let same = |known: &EventClass| known.event == class.event && known.arguments == class.arguments;
        self.classes.iter().position(same).unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        })
    }

    fn branch(&mut self, branch: &Branch) -> machine::Branch {
        let guard = branch.guard.as_ref().map_or(machine::AutomatonGuard::Constant(true), |guard| self.guard(guard));
        let statements = branch.statements.iter().filter_map(|statement| self.statement(statement)).collect();
        machine::Branch { guard, statements, target: self.target(&branch.target) }
    }

    fn target(&mut self, name: &Name) -> usize {
        if let Some(&state) = self.states.get(&name.text) {
            return state;
        }
        let mut known: Vec<&str> = self.states.keys().map(|state| &**state).collect();
        known.sort_unstable();
        let near = suggest::nearest(&name.text, known.iter().copied());
        let hint = match near {
            Some(near) => format!("write `{near}`, or define the state: `accept skip({}) {{ … }}`", name.text),
            None => format!("define the state: `accept skip({}) {{ … }}`", name.text),
        };
        let message = format!("no state is called `{}`", name.text);
        self.diagnostics.push(Diagnostic::error("E0601", name.span, message).hint(hint));
        0
    }

    fn guard(&mut self, guard: &Guard) -> machine::AutomatonGuard {
        use machine::AutomatonGuard as Core;
        match guard {
            Guard::Constant(truth) => Core::Constant(*truth),
            Guard::Unreadable => Core::Constant(false),
            Guard::Own(never) => match *never {},
            Guard::Not(body) => Core::Not(Box::new(self.guard(body))),
            Guard::And(all) => Core::And(all.iter().map(|guard| self.guard(guard)).collect()),
            Guard::Or(all) => Core::Or(all.iter().map(|guard| self.guard(guard)).collect()),
            Guard::Compare(comparison, left, right) => {
                Core::Compare(*comparison, self.expression(left, false), self.expression(right, false))
            }
            Guard::In(element, set) => Core::In(self.expression(element, false), self.register(set)),
            Guard::Empty(set) => Core::Empty(self.register(set)),
        }
    }

    fn register(&self, name: &Name) -> usize {
        self.by_name.get(&name.text).copied().unwrap_or(0)
    }

    fn expression(&mut self, expression: &Expression, computes: bool) -> machine::AutomatonExpression {
        match expression {
            Expression::Constant(value) => machine::AutomatonExpression::Constant(value.clone()),
            Expression::Own(never) => match *never {},
            Expression::Binary(operator, left, right, span) => {
                let (left, right) = (self.expression(left, true), self.expression(right, true));
                machine::AutomatonExpression::Binary(*operator, Box::new(left), Box::new(right), *span)
            }
            Expression::Variable(name) => match self.variable(&name.text) {
                Some(variable) => machine::AutomatonExpression::Variable(variable),
                None => {
                    let register = self.register(name);
                    if self.uses.get(register).is_some_and(|found| !found.bound) {
                        self.unbound(name, computes);
                    }
                    machine::AutomatonExpression::Register(register)
                }
            },
        }
    }

    fn unbound(&mut self, name: &Name, computes: bool) {
        let message = format!("nothing ever gives `{}` a value", name.text);
        let found = if computes {
            Diagnostic::error("E0608", name.span, message)
        } else {
            Diagnostic::warning("L0601", name.span, format!("{message}, so this comparison is false"))
        };
        let hint = format!("take it from an event, assign it, or write the string `\"{}\"`", name.text);
        self.diagnostics.push(found.hint(hint));
    }

    fn statement(&mut self, statement: &Statement) -> Option<machine::AutomatonStatement> {
        use machine::AutomatonStatement as Core;
        let (Statement::Assign(name, ..)
        | Statement::Add(name, ..)
        | Statement::Remove(name, ..)
        | Statement::Clear(name)) = statement;
        let register = *self.by_name.get(&name.text)?;
        Some(match statement {
            Statement::Assign(_, value, span) => Core::Assign(register, self.expression(value, false), *span),
            Statement::Add(_, element, span) => Core::Add(register, self.expression(element, false), *span),
            Statement::Remove(_, element, span) => Core::Remove(register, self.expression(element, false), *span),
            Statement::Clear(_) => Core::Clear(register),
        })
    }

    // ── Conditions and domains ──────────────────────────────────────────────────────────────────────────────────────

    fn conditions(&mut self) -> Vec<machine::Condition> {
        let automaton = self.automaton;
        let mut conditions = Vec::new();
        for head in &automaton.head {
            if let HeadKind::Where(guard) = &head.kind {
                let mut level = 0;
                if self.speaks_of_variables_only(guard, &mut level) {
                    conditions.push(machine::Condition { guard: self.guard(guard), level });
                }
            }
        }
        conditions
    }

    /// Whether a condition mentions quantified variables only; the innermost of them.
    fn speaks_of_variables_only(&mut self, guard: &Guard, level: &mut usize) -> bool {
        match guard {
            Guard::Constant(_) => true,
            Guard::Unreadable => false,
            Guard::Own(never) => match *never {},
            Guard::Not(body) => self.speaks_of_variables_only(body, level),
            Guard::And(all) | Guard::Or(all) => {
                // Every part is looked at, so that all errors are told.
                let parts: Vec<bool> = all.iter().map(|guard| self.speaks_of_variables_only(guard, level)).collect();
                parts.into_iter().all(|good| good)
            }
            Guard::Compare(_, left, right) => {
                let left = self.names_variables_only(left, level);
                self.names_variables_only(right, level) && left
            }
            Guard::In(_, set) | Guard::Empty(set) => self.quantified(set, "where").is_some(),
        }
    }

    fn names_variables_only(&mut self, expression: &Expression, level: &mut usize) -> bool {
        match expression {
            Expression::Constant(_) => true,
            Expression::Own(never) => match *never {},
            Expression::Binary(_, left, right, _) => {
                let left = self.names_variables_only(left, level);
                self.names_variables_only(right, level) && left
            }
            Expression::Variable(name) => match self.quantified(name, "where") {
                Some(variable) => {
                    *level = (*level).max(variable);
                    true
                }
                None => false,
            },
        }
    }

    fn check_domains(&mut self) {
        for (number, variable) in self.variables.iter().enumerate() {
            let shown =
                |other: usize| self.classes.iter().any(|class| class.variables().iter().any(|(v, _)| *v == other));
            let joined = |other: &usize| self.variables[*other].domain == variable.domain;
            if !(0..self.variables.len()).filter(joined).any(shown) && !shown(number) {
                let message = format!("no event shows values of `{}`, so it ranges over nothing", variable.name);
                let hint = "let it stand in an event, or remove the quantifier";
                self.diagnostics.push(Diagnostic::warning("L0602", variable.span, message).hint(hint));
            }
        }
    }
}
