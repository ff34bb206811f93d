//! How the records of a foreign log are read: what `[input]` of a mapping says to a decoder.
//!
//! A decoder that has a use for a part of it takes it when it is made (see [`Decoder::new`](super::Decoder::new)).

use crate::pattern::LineExpression;
use crate::value::Type;

/// What a decoder is told about the records of a log; by default nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputRule {
    /// What names the events.
    pub naming: Naming,
    /// What separates the cells of a table; otherwise the header tells.
    pub delimiter: Option<u8>,
    /// Whether the first line of a table names its columns, whatever its first cell is.
    pub header: bool,
    /// What lines of text look like; the first that fits counts.
    pub patterns: Vec<LinePattern>,
    /// Whether a line that no pattern fits is an error.
    pub strict: bool,
    /// Where the records are inside a document: `Records[]`, `a[].b[]`.
    pub records: Option<Box<str>>,
    /// The fields that the mapping names, each once.
    pub fields: Vec<Box<str>>,
    /// Whether the mapping drops fields that it does not name.
    pub only_named: bool,
}

impl InputRule {
    /// Whether it says how records are named or where they are.
    pub fn reads_records(&self) -> bool {
        self.naming != Naming::Usual || self.records.is_some()
    }
}

/// What names the events of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Naming {
    /// What the format says.
    #[default]
    Usual,
    /// A field, a column, a group or a path.
    Field(Box<str>),
    /// All events have this name.
    Constant(Box<str>),
}

/// What a line of text may look like, and what names the event of such a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePattern {
    /// A regular expression whose groups are the fields.
    pub expression: LineExpression,
    /// A group, or a name for all.
    pub naming: Naming,
    /// The number of its entry in the mapping; one entry may be several patterns.
    pub entry: usize,
    /// The line of the mapping that has it.
    pub line: u64,
}

impl InputRule {
    /// The type that a pattern declares for a field.
    pub(crate) fn declared(&self, field: &str) -> Option<Type> {
        let typed = |pattern: &LinePattern| {
            let LinePattern { expression, .. } = pattern;
            let at = expression.fields().position(|known| known == field)?;
            expression.types().nth(at).flatten()
        };
        self.patterns.iter().find_map(typed)
    }
}
