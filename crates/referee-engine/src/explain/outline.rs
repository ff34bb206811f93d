//! The outline of a rule: the fields that `explain` shows as text or writes as JSON.

use std::fmt;

use serde::Serialize;

/// How a property is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// The property's name.
    pub name: String,
    /// The language it was written in.
    pub language: String,
    /// When it is judged.
    pub judged: String,
    /// When violations are reported.
    pub verdicts: String,
    /// What is remembered.
    pub tables: Vec<TableOutline>,
    /// What each event does.
    pub events: Vec<EventOutline>,
    /// Which way a formula takes, and what was made of it; nothing of other rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<String>,
    /// What an event costs.
    pub cost: Vec<String>,
    /// What grows without bound.
    pub growth: Vec<String>,
    /// What the variables range over.
    pub domains: Vec<String>,
    /// What can make the judge give up.
    pub gives_up: Vec<String>,
}

/// A table: the memory of one temporal operator or of a recursive definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableOutline {
    /// The operator as it was written.
    pub formula: String,
    /// Which way it looks.
    pub looks: Looks,
    /// The variables that a row is for; none if there is one truth value only.
    pub keys: Vec<String>,
    /// When rows go.
    pub rows: String,
}

/// Which way a table looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Looks {
    /// It remembers.
    Back,
    /// It holds obligations.
    Ahead,
}

/// What an event does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventOutline {
    /// The event as it was written.
    pub event: String,
    /// What it does, in order of appearance.
    pub effects: Vec<String>,
}

impl fmt::Display for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.name, self.language)?;
        writeln!(f, "  judged: {}", self.judged)?;
        writeln!(f, "  verdicts: {}", self.verdicts)?;
        let tables: Vec<String> = self.tables.iter().map(ToString::to_string).collect();
        section(f, "tables", &tables)?;
        let events: Vec<String> =
            self.events.iter().map(|event| format!("`{}` {}", event.event, event.effects.join("; "))).collect();
        section(f, "events", &events)?;
        if !self.way.is_empty() {
            section(f, "runs as", &self.way)?;
        }
        section(f, "cost per event", &self.cost)?;
        section(f, "grows without bound", &self.growth)?;
        section(f, "variables", &self.domains)?;
        section(f, "gives up", &self.gives_up)
    }
}

impl TableOutline {
    /// Whether `rows` says what is kept, as it does for streams and signals, and not only when it goes.
    fn says_what_is_kept(&self) -> bool {
        ["constant", "one row", "the "].iter().any(|start| self.rows.starts_with(start))
    }
}

impl fmt::Display for TableOutline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = match self.keys.as_slice() {
            [] if self.says_what_is_kept() => return write!(f, "`{}`: {}", self.formula, self.rows),
            [] => "one truth value".to_owned(),
            keys => format!("one row per {}", keys.join(", ")),
        };
        write!(f, "`{}`: {keys}; {}", self.formula, self.rows)
    }
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return writeln!(f, "  {title}: none");
    }
    writeln!(f, "  {title}:")?;
    lines.iter().try_for_each(|line| writeln!(f, "    {line}"))
}
