//! Lints: what a property says that its author probably did not mean. They look at the core, so they serve every
//! language; what only a language can see (precedence, names read as constants) is reported by its own folder.
//!
//! | code | finds | looks at |
//! |---|---|---|
//! | L0001 | a variable that nothing uses | terms |
//! | L0002 | a quantifier over a sort that no event feeds | sorts |
//! | L0003 | `always a => b` | FO-LTL's parser |
//! | L0004 | an implication that cannot fail | constant parts |
//! | L0005 | a table that grows with every new value | past operators with variables |
//! | L0006 | a name read as a string | FO-LTL's and MFOTL's lowering |
//! | L0007, L0008, L0009 | an event, a number of arguments, a field that the trace does not have | the trace's vocabulary |
//! | L0010 | a definition that nothing uses | FO-LTL's lowering |
//! | L0021, L0022, L0023 | a property, a trace, a mapping that says nothing of the others | `check`, when all has been read |
//! | L0024 | a rule that remembers the more the longer the trace is | `check`, while it reads |
//! | E0006, E0007, E0008 | the same for a signature | the signature |
//! | E0010 | an input of streams or signals that the trace does not have | `trace_needs`, when all has been read |
//!
//! Every lint is one pass over the formula.

mod codes;
mod formulas;
mod listening;
mod memory;
mod quantity;
pub(crate) mod suggest;
mod vacuous;
mod variables;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use codes::CODES;
pub use listening::{helpful_events, is_unheard, named_events};
pub(crate) use suggest::nearest;
pub(crate) use vocabulary::suggestion;
pub use vocabulary::{check_machine_signature, check_rules_signature, check_signature};

use crate::core::{Property, Rule};
use crate::diagnostic::Diagnostic;
use crate::vocabulary::Vocabulary;

/// What looks wrong in a rule; with a trace's vocabulary, also what that trace can never show.
pub fn lint(rule: &Rule, trace: Option<&Vocabulary>) -> Vec<Diagnostic> {
    match rule {
        Rule::Formula(property) => lint_formula(property, trace),
        Rule::Quantity(rule) => {
            let mut found = quantity::lint(rule);
            found.extend(trace.into_iter().flat_map(|trace| vocabulary::lint_quantity(rule, trace)));
            found
        }
        // What looks wrong there is found while compiling.
        Rule::Stream(_) | Rule::Signal(_) => Vec::new(),
        Rule::Machine(machine) => trace.map_or(Vec::new(), |trace| vocabulary::lint_machine(machine, trace)),
        Rule::Facts(rules) => trace.map_or(Vec::new(), |trace| vocabulary::lint_rules(rules, trace)),
    }
}

fn lint_formula(property: &Property, trace: Option<&Vocabulary>) -> Vec<Diagnostic> {
    let mut found = variables::lint(property);
    found.extend(vacuous::lint(property));
    found.extend(memory::lint(property));
    if let Some(trace) = trace {
        found.extend(vocabulary::lint(property, trace));
    }
    found.sort_by_key(|diagnostic| diagnostic.span.start);
    found
}
