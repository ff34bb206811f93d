//! What compiling a specification gives, in every language.

use crate::core::{Property, Rule};
use crate::diagnostic::Diagnostic;

/// What a specification became.
#[derive(Debug, Clone, Default)]
pub struct Compiled<R = Property> {
    /// The properties, in textual order; those with errors are left out.
    pub properties: Vec<R>,
    /// Errors and lints, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

impl<R: Into<Rule>> Compiled<R> {
    /// The same, with what is particular to the language behind one type.
    pub fn into_rules(self) -> Compiled<Rule> {
        let properties = self.properties.into_iter().map(Into::into).collect();
        Compiled { properties, diagnostics: self.diagnostics }
    }
}
