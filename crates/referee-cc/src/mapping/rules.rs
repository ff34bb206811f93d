//! A mapping, read.

use super::expression::Expression;
use super::pattern::Pattern;

/// What in a program is an event.
#[derive(Debug, Default)]
pub struct Mapping {
    /// The file, as the user names it.
    pub(crate) file: String,
    /// Its text.
    pub(crate) text: String,
    /// Its entries, in their order.
    pub(crate) entries: Vec<MappingEntry>,
}

/// One kind of place, and the event that happens there.
#[derive(Debug)]
pub(crate) struct MappingEntry {
    /// What happens.
    pub(crate) happening: Happening,
    /// To what.
    pub(crate) pattern: Pattern,
    /// The name of the event, in which `{function}` stands for the function.
    pub(crate) to: String,
    /// Its arguments.
    pub(crate) arguments: Vec<ArgumentRule>,
    /// Only when this is so.
    pub(crate) when: Option<Expression>,
    /// How many bytes of a text are copied.
    pub(crate) text_limit: u32,
    /// Whether a program may lack such a place.
    pub(crate) optional: bool,
}

/// What happens to a function or variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A function of the program or of a library is called.
    Call,
    /// It returns.
    Return,
    /// A function of the program begins.
    Enter,
    /// It ends.
    Leave,
    /// A variable or field gets a value.
    Write,
    /// The program says `REFEREE_EVENT`.
    Manual,
}

impl Happening {
    /// Whether it is seen when a function begins.
    pub(crate) fn is_begin(self) -> bool {
        matches!(self, Happening::Call | Happening::Enter)
    }

    /// Whether it is seen when a function ends.
    pub(crate) fn is_end(self) -> bool {
        matches!(self, Happening::Return | Happening::Leave)
    }

    /// Whether functions of libraries count, too, where the program calls them.
    pub(crate) fn is_at_calls(self) -> bool {
        matches!(self, Happening::Call | Happening::Return)
    }
}

/// An argument of an event.
#[derive(Debug)]
pub(crate) struct ArgumentRule {
    /// What it is called.
    pub(crate) name: String,
    /// What it is.
    pub(crate) value: Expression,
    /// Its type; without one, the compiler knows.
    pub(crate) declared: Option<ArgumentType>,
}

/// The type of an argument, where the mapping says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentType {
    Int,
    Float,
    Bool,
    String,
    Pointer,
}

impl ArgumentType {
    pub(super) const NAMES: [&'static str; 5] = ["int", "float", "bool", "string", "pointer"];

    pub(super) fn from_name(name: &str) -> Option<ArgumentType> {
        match name {
            "int" => Some(ArgumentType::Int),
            "float" => Some(ArgumentType::Float),
            "bool" => Some(ArgumentType::Bool),
            "string" => Some(ArgumentType::String),
            "pointer" => Some(ArgumentType::Pointer),
            _ => None,
        }
    }
}
