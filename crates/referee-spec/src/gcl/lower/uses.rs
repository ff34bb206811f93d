//! What each global name is: a variable, a set or a map, by its declaration and by how it is used.

use std::collections::HashMap;
use std::sync::Arc;

use referee_trace::value::Value;

use super::super::syntax::{Arguments, ItemKind, Method, Property, Rule, Sort, Statement};
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::rules::syntax::{Expression, Name};

/// A global name.
pub(super) struct Global {
    /// The name, where it is first used or declared.
    pub name: Name,
    /// What it holds.
    pub sort: Sort,
    /// How many values an element or a key has.
    pub width: usize,
    /// The value of a variable at first.
    pub initial: Option<Value>,
    /// Whether some action changes it.
    pub changes: bool,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// As this, with so many values in an element or a key.
    As(Sort, usize),
    /// As something with elements or keys.
    Elements(Option<usize>),
}

/// All that is known of one name.
struct Known {
    name: Name,
    uses: Vec<(Use, Span)>,
    initial: Option<Value>,
    changes: bool,
}

/// Collects the uses of all global names of a property.
pub(super) struct Uses<'t> {
    known: Vec<Known>,
    by_name: HashMap<Arc<str>, usize>,
    /// The variables of the rule at hand.
    local: Vec<Arc<str>>,
    diagnostics: &'t mut Vec<Diagnostic>,
}

impl<'t> Uses<'t> {
    /// The global names of a property, in order of appearance.
    pub(super) fn of(property: &Property, diagnostics: &'t mut Vec<Diagnostic>) -> Vec<Global> {
        let mut uses = Uses { known: Vec::new(), by_name: HashMap::new(), local: Vec::new(), diagnostics };
        for item in &property.items {
            if let ItemKind::Declaration(sort, name, initial) = &item.kind {
                uses.declaration(*sort, name, initial.as_ref());
            }
        }
        for item in &property.items {
            if let ItemKind::Rule(rule) = &item.kind {
                uses.rule(rule);
            }
        }
        let known = std::mem::take(&mut uses.known);
        known.into_iter().map(|known| uses.settle(known)).collect()
    }

    fn declaration(&mut self, sort: Sort, name: &Name, initial: Option<&Expression>) {
        if let Some(&first) = self.by_name.get(&name.text) {
            let message = format!("`{}` is there already", name.text);
            let found = Diagnostic::error("E1002", name.span, message).hint("rename one of them");
            self.diagnostics.push(found.related(self.known[first].name.span, "the first one"));
            return;
        }
        let used = if sort == Sort::Variable { Use::As(sort, 0) } else { Use::As(sort, 1) };
        // How many values an element has is left to the uses.
        let used = if sort == Sort::Set { Use::Elements(None) } else { used };
        let number = self.note(name, used);
        match initial {
            Some(Expression::Constant(value, _)) if sort == Sort::Variable => {
                self.known[number].initial = Some(value.clone());
            }
            None | Some(Expression::Unreadable(_)) => {}
            Some(other) => {
                let message = "only a variable begins with a value, and that is a constant";
                let hint = "write `var n = 0`, or give it its value in a rule";
                self.diagnostics.push(Diagnostic::error("E1010", other.span(), message).hint(hint));
            }
        }
    }

    fn note(&mut self, name: &Name, used: Use) -> usize {
        let number = *self.by_name.entry(name.text.clone()).or_insert_with(|| {
            self.known.push(Known { name: name.clone(), uses: Vec::new(), initial: None, changes: false });
            self.known.len() - 1
        });
        self.known[number].uses.push((used, name.span));
        number
    }

    fn is_global(&self, name: &Name) -> bool {
        !self.local.contains(&name.text) && !name.text.is_empty() && &*name.text != "null"
    }

    fn global(&mut self, name: &Name, used: Use) {
        if self.is_global(name) {
            self.note(name, used);
        }
    }

    fn change(&mut self, name: &Name, used: Use) {
        if self.is_global(name) {
            let number = self.note(name, used);
            self.known[number].changes = true;
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.local.clear();
        let listed = match &rule.pattern.arguments {
            Arguments::Listed(arguments) => &arguments[..],
            Arguments::None | Arguments::Any => &[],
        };
        for argument in rule.pattern.target.iter().chain(listed) {
            if let Expression::Name(name) | Expression::Typed(name, _) = argument {
                self.local.push(name.text.clone());
            }
        }
        rule.condition.iter().for_each(|condition| self.expression(condition));
        rule.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Fail(..) => {}
            Statement::Assign(target, value, _) => {
                self.expression(value);
                match target {
                    Expression::Name(name) => self.change(name, Use::As(Sort::Variable, 0)),
                    Expression::Index(base, keys, _) => {
                        keys.iter().for_each(|key| self.expression(key));
                        if let Expression::Name(name) = &**base {
                            self.change(name, Use::As(Sort::Map, keys.len()));
                        }
                    }
                    _ => {}
                }
            }
            Statement::Call(set, method, arguments, _) => {
                arguments.iter().for_each(|argument| self.expression(argument));
                let used = match method {
                    Method::Add => Use::As(Sort::Set, arguments.len()),
                    Method::Put => Use::As(Sort::Map, arguments.len().saturating_sub(1)),
                    Method::Remove => Use::Elements(Some(arguments.len())),
                    Method::Clear => Use::Elements(None),
                };
                self.change(set, used);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Name(name) => self.global(name, Use::As(Sort::Variable, 0)),
            Expression::Index(base, keys, _) => self.elements(base, keys, Use::As(Sort::Map, keys.len())),
            Expression::In(element, set, _) => {
                self.elements(set, std::slice::from_ref(element), Use::Elements(Some(1)))
            }
            Expression::Call(function, arguments, _) => match (&*function.text, &arguments[..]) {
                ("empty" | "size", [set]) => self.elements(set, &[], Use::Elements(None)),
                _ => arguments.iter().for_each(|argument| self.expression(argument)),
            },
            Expression::Member(base, member, arguments, _) => {
                let given = arguments.as_deref().unwrap_or_default();
                match &*member.text {
                    "contains" | "containsKey" => self.elements(base, given, Use::Elements(Some(given.len()))),
                    "get" => self.elements(base, given, Use::As(Sort::Map, given.len())),
                    "size" | "isEmpty" | "empty" => self.elements(base, given, Use::Elements(None)),
                    _ => self.elements(base, given, Use::As(Sort::Variable, 0)),
                }
            }
            other => other.children().into_iter().for_each(|child| self.expression(child)),
        }
    }

    /// A use of what `base` names, and of the values beside it.
    fn elements(&mut self, base: &Expression, beside: &[Expression], used: Use) {
        beside.iter().for_each(|value| self.expression(value));
        match base {
            Expression::Name(name) => self.global(name, used),
            other => self.expression(other),
        }
    }

    /// What a name is, after all its uses.
    fn settle(&mut self, known: Known) -> Global {
        let as_sort =
            |wanted: Sort| known.uses.iter().find(|(used, _)| matches!(used, Use::As(sort, _) if *sort == wanted));
        let elements = known.uses.iter().find(|(used, _)| matches!(used, Use::Elements(_)));
        let variable = as_sort(Sort::Variable);
        let (map, set) = (as_sort(Sort::Map), as_sort(Sort::Set));
        let other = map.or(set).or(elements);
        if let (Some((_, one)), Some((_, two))) = (variable, other) {
            self.clash(&known.name, *one, *two, "a single value and something with elements");
        } else if let (Some((_, one)), Some((_, two))) = (map, set) {
            self.clash(&known.name, *one, *two, "a set and a map");
        }
        let sort = match (map, other) {
            (Some(_), _) => Sort::Map,
            (None, Some(_)) => Sort::Set,
            (None, None) => Sort::Variable,
        };
        let width = known.uses.iter().find_map(|(used, _)| match used {
            Use::As(of, width) if *of == sort => Some(*width),
            _ => None,
        });
        let tested = known.uses.iter().find_map(|(used, _)| match used {
            Use::Elements(width) => *width,
            Use::As(..) => None,
        });
        let width = width.or(tested).unwrap_or(1);
        Global { name: known.name, sort, width, initial: known.initial, changes: known.changes }
    }

    fn clash(&mut self, name: &Name, one: Span, two: Span, what: &str) {
        let (first, second) = if one.start <= two.start { (one, two) } else { (two, one) };
        let message = format!("`{}` is used as {what}", name.text);
        let found = Diagnostic::error("E1006", second, message).hint("use two names");
        self.diagnostics.push(found.related(first, "its first use"));
    }
}
