//! Patterns that are ready, by name.

use super::wrong::WrongPattern;
use crate::nearest::nearest;

/// What names the events of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadyNaming {
    /// Nothing: the mapping has to say it.
    Unknown,
    /// A group.
    Group(&'static str),
    /// A name for all.
    Name(&'static str),
}

/// A pattern that is ready.
pub(super) struct ReadyPattern {
    name: &'static str,
    pub(super) expressions: &'static [&'static str],
    pub(super) naming: ReadyNaming,
}

/// The patterns. Servers escape quotes within texts, so that a text ends with the first quote that has no backslash before it. A
/// request that is none (`"-"`, or the bytes of another protocol) has an empty method and protocol, and is the path as a whole, so
/// that all events have the same arguments.
const READY: [ReadyPattern; 3] = [
    ReadyPattern {
        name: "combined",
        expressions: &[
            r#"^(?<client>[^ ]+) (?<ident>[^ ]+) (?<user>[^ ]+) \[(?<time>[^\]]+)\] "(?<method>[A-Z]+) (?<path>[^ "]+) (?<protocol>[^ "]+)" (?<status>[0-9]+) (?<bytes>[0-9]+|-) "(?<referer>[^"\\]*(?:\\.[^"\\]*)*)" "(?<agent>[^"\\]*(?:\\.[^"\\]*)*)"(?: |$)"#,
            r#"^(?<client>[^ ]+) (?<ident>[^ ]+) (?<user>[^ ]+) \[(?<time>[^\]]+)\] "(?<method>)(?<path>[^"\\]*(?:\\.[^"\\]*)*)(?<protocol>)" (?<status>[0-9]+) (?<bytes>[0-9]+|-) "(?<referer>[^"\\]*(?:\\.[^"\\]*)*)" "(?<agent>[^"\\]*(?:\\.[^"\\]*)*)"(?: |$)"#,
        ],
        naming: ReadyNaming::Name("request"),
    },
    ReadyPattern {
        name: "common",
        expressions: &[
            r#"^(?<client>[^ ]+) (?<ident>[^ ]+) (?<user>[^ ]+) \[(?<time>[^\]]+)\] "(?<method>[A-Z]+) (?<path>[^ "]+) (?<protocol>[^ "]+)" (?<status>[0-9]+) (?<bytes>[0-9]+|-)$"#,
            r#"^(?<client>[^ ]+) (?<ident>[^ ]+) (?<user>[^ ]+) \[(?<time>[^\]]+)\] "(?<method>)(?<path>[^"\\]*(?:\\.[^"\\]*)*)(?<protocol>)" (?<status>[0-9]+) (?<bytes>[0-9]+|-)$"#,
        ],
        naming: ReadyNaming::Name("request"),
    },
    ReadyPattern {
        name: "syslog",
        expressions: &[
            // RFC 5424.
            r#"^<(?<priority>[0-9]{1,3})>[0-9]{1,2} (?<time>[^ ]+) (?<host>[^ ]+) (?<program>[^ ]+) (?<pid>[^ ]+) (?<msgid>[^ ]+) (?<data>-|(?:\[[^\]"]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^\]"]*)*\])+)(?: (?<message>.*))?$"#,
            // RFC 3164, and what programs write that take a time of RFC 3339 for its own.
            r"^(?:<(?<priority>[0-9]{1,3})>)?(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[^ ]+) (?<host>[^ ]+) (?<program>[^ \[\]:]+)(?:\[(?<pid>[^\]]*)\])?: ?(?<message>.*)$",
        ],
        naming: ReadyNaming::Group("program"),
    },
];

/// The names of the patterns.
pub fn names() -> impl Iterator<Item = &'static str> {
    READY.iter().map(|ready| ready.name)
}

/// The pattern with this name.
pub(super) fn find(name: &str) -> Option<&'static ReadyPattern> {
    READY.iter().find(|ready| ready.name == name)
}

/// What is wrong with a single word: it would fit any line that has it somewhere, and has no field.
pub(super) fn misspelt(text: &str) -> Option<WrongPattern> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        return None;
    }
    let near = nearest(text, names())?;
    let message = format!("unknown pattern `{text}`, expected one of {}", names().collect::<Vec<_>>().join(", "));
    Some(WrongPattern { offset: 0, message, hint: Some(format!("did you mean `{near}`?")) })
}
