//! Properties: a formula, its variables, and when and how it is judged.

use std::sync::Arc;

use super::formula::{Formula, Span, VarId};
use super::language::Language;

/// One property of a specification, ready to be judged.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its name; the file's stem where the language has no names.
    pub name: Arc<str>,
    /// The language it was written in.
    pub language: Language,
    /// The text that all spans point into.
    pub source: Arc<str>,
    /// All variables, by [`VarId`].
    pub variables: Vec<Variable>,
    /// All sorts, by [`SortId`].
    pub sorts: Vec<Sort>,
    /// All definitions, by [`DefId`](super::DefId); one may call those before it, and itself if it is recursive.
    pub definitions: Vec<Definition>,
    /// The variables whose values a violation reports, in order: leading universal quantifiers, stripped off `body`, and
    /// free variables.
    pub bindings: Vec<Binding>,
    /// What must hold for all values of `bindings`.
    pub body: Formula,
    /// When it must hold.
    pub judgement: Judgement,
    /// Whether bounds on time need a trace with times; if not, no time passes in a trace without any.
    pub timed: bool,
    /// When two values are equal.
    pub equality: Equality,
    /// What an order comparison says of a value that nobody has named.
    pub unseen_order: UnseenOrder,
}

impl Property {
    /// The text at a span.
    pub fn text(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or("")
    }

    /// A variable by its number.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }
}

/// A stripped or free variable that violations report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// The variable.
    pub variable: VarId,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name as written.
    pub name: Arc<str>,
    /// The values it ranges over.
    pub domain: Domain,
    /// Where it is bound.
    pub span: Span,
}

/// The values that a variable ranges over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// All values there are. Those that neither trace nor specification names behave alike and share one row.
    Infinite,
    /// The values that the whole trace shows at the positions of a sort.
    Trace(SortId),
    /// At each point, the values that the trace has shown up to that point at the positions of a sort.
    SoFar(SortId),
}

/// A sort of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SortId(pub u32);

/// A set of argument positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// Its name; the variable's where the language has no sorts.
    pub name: Arc<str>,
    /// The positions whose values belong to it.
    pub positions: Vec<Position>,
}

/// A place where an event carries a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Position {
    /// The argument at this index (from 0) of events with this name and this many positional arguments.
    Argument {
        /// The event's name.
        event: Arc<str>,
        /// How many positional arguments the event has.
        arity: usize,
        /// Which of them, from 0.
        index: usize,
    },
    /// The field with this name, of the events with this name or of any event.
    Field {
        /// The event's name; nothing for any event.
        event: Option<Arc<str>>,
        /// The field's name.
        field: Arc<str>,
    },
}

/// A named formula with parameters: DejaVu's rules, MFOTL's LET and LETPAST.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its name.
    pub name: Arc<str>,
    /// Its parameters, all with [`Domain::Infinite`].
    pub parameters: Vec<VarId>,
    /// Its meaning. A call of itself stands only below `Prev`, or on the right of a past operator whose interval does not
    /// contain 0, so that it reads earlier points only; before the first point it is false.
    pub body: Formula,
    /// Whether the body calls the definition itself or, in DejaVu, a later rule.
    pub recursive: bool,
}

/// When a property must hold, and what one violation of it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// At the first point; one violation per binding.
    Once,
    /// At every point; one violation per point, whose bindings are the first falsifying assignment: first anything that
    /// nobody has named, then values as [`Value::report_order`](referee_trace::value::Value::report_order) has them;
    /// assignments are ordered by their first variable, then by the second, and so on.
    EveryPoint,
    /// At every point; one violation per point and binding.
    EveryBinding,
}

/// When two values are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equality {
    /// `3` equals `3.0`.
    ByValue,
    /// Values are equal if their texts are, and every text is a value.
    ByText,
}

/// What `<`, `<=`, `>` and `>=` say of a value that nobody has named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnseenOrder {
    /// They are false unless both values are numbers that are constants of the specification or were seen up to now.
    False,
    /// They cannot be decided for values never named; where they would decide the verdict, the judge gives up.
    Undecided,
}
