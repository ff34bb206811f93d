//! Values.

use referee_trace::value::Value;

use super::super::syntax::{Expression, Name};
use super::lowering::Lowering;
use crate::core::Span;
use crate::core::facts::FactTerm;
use crate::diagnostic::Diagnostic;

impl Lowering<'_> {
    /// A value.
    pub(crate) fn term(&mut self, value: &Expression) -> FactTerm {
        match value {
            Expression::Constant(value, _) => FactTerm::Constant(value.clone()),
            Expression::Unreadable(_) => nothing(),
            Expression::Name(name) | Expression::Typed(name, _) => self.named_value(name),
            Expression::Binary(operator, left, right, span) => {
                FactTerm::Binary(*operator, Box::new(self.term(left)), Box::new(self.term(right)), *span)
            }
            Expression::Index(base, keys, _) => self.lookup(base, keys),
            Expression::Call(name, arguments, span) => match (&*name.text, &arguments[..]) {
                ("size", [set]) => self.set(set).map_or_else(nothing, |(relation, _)| FactTerm::Size(relation)),
                _ => self.no_value(*span),
            },
            Expression::Member(base, member, arguments, span) => self.member(base, member, arguments.as_deref(), *span),
            other => self.no_value(other.span()),
        }
    }

    /// The values of facts that are removed; `_` stands for any.
    pub(crate) fn removed(&mut self, arguments: &[Expression]) -> Vec<Option<FactTerm>> {
        let value = |argument: &Expression| match argument {
            Expression::Any(_) => None,
            other => Some(self.term(other)),
        };
        arguments.iter().map(value).collect()
    }

    fn no_value(&mut self, span: Span) -> FactTerm {
        let hint = "write a variable, a constant, arithmetic, `m[k]` or `size(S)`";
        self.misplaced(span, "this is a condition and no value", hint);
        nothing()
    }

    fn named_value(&mut self, name: &Name) -> FactTerm {
        if let Some(variable) = self.variable(&name.text) {
            return FactTerm::Variable(variable);
        }
        match self.relation(&name.text) {
            Some(relation) if self.is_single(relation) => FactTerm::Lookup(relation, Vec::new()),
            Some(_) => {
                let message = format!("`{}` holds many values, so it is no value itself", name.text);
                let hint = format!("ask `x in {0}`, `size({0})`, or read one value: `{0}[key]`", name.text);
                self.diagnostics.push(Diagnostic::error("E1006", name.span, message).hint(hint));
                nothing()
            }
            None => {
                self.unbound(name);
                nothing()
            }
        }
    }

    /// `m[k]` or `m.get(k)`
    fn lookup(&mut self, base: &Expression, keys: &[Expression]) -> FactTerm {
        let Some((relation, name)) = self.set(base) else { return nothing() };
        let Widths { keys: wanted, columns } = self.widths(relation);
        if wanted == columns {
            let message = format!("`{}` has elements, not keys with values", name.text);
            let hint = format!("ask whether it has one: `{}.contains(x)`", name.text);
            self.diagnostics.push(Diagnostic::error("E1006", name.span, message).hint(hint));
        } else if wanted != keys.len() {
            self.wrong_arity(&name, wanted, keys.len());
        }
        FactTerm::Lookup(relation, keys.iter().map(|key| self.term(key)).collect())
    }

    fn widths(&self, relation: usize) -> Widths {
        Widths { keys: self.relations[relation].keys, columns: self.relations[relation].columns.len() }
    }

    fn member(&mut self, base: &Expression, member: &Name, arguments: Option<&[Expression]>, span: Span) -> FactTerm {
        match (&*member.text, arguments) {
            ("size", _) => self.set(base).map_or_else(nothing, |(relation, _)| FactTerm::Size(relation)),
            ("get", Some(keys)) => self.lookup(base, keys),
            (_, None | Some([])) if self.is_variable(base) => FactTerm::Field(field(&member.text).into()),
            _ => {
                let message = format!("`{}` is nothing that a value has", member.text);
                let hint = "a variable of the event has the event's fields: `u.country` or `u.getCountry()`";
                self.misplaced(span, message, hint);
                nothing()
            }
        }
    }

    fn is_variable(&self, base: &Expression) -> bool {
        matches!(base, Expression::Name(name) if self.variable(&name.text).is_some())
    }
}

/// How many columns of a relation are its key, and how many there are.
struct Widths {
    keys: usize,
    columns: usize,
}

/// The field that a getter reads: `getCountry` reads `country`.
fn field(member: &str) -> String {
    let Some(rest) = member.strip_prefix("get").filter(|rest| rest.starts_with(char::is_uppercase)) else {
        return member.to_owned();
    };
    let mut letters = rest.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// What stands for a value after an error.
fn nothing() -> FactTerm {
    FactTerm::Constant(Value::Boolean(false))
}
