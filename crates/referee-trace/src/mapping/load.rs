//! Finds a mapping by its name: one that comes with Referee, or a file.

use super::parse;
use super::ready::READY;
use super::rules::Mapping;
use crate::error::TraceError;

impl Mapping {
    /// The names of the mappings that come with Referee.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        READY.iter().map(|(name, _)| *name)
    }

    /// What `--map` names: a mapping that comes with Referee, or a file.
    pub fn load(name: &str) -> Result<Mapping, TraceError> {
        if let Some((name, text)) = READY.iter().find(|(built_in, _)| *built_in == name) {
            return Mapping::parse(text, name);
        }
        match std::fs::read_to_string(name) {
            Ok(text) => Mapping::parse(&text, name),
            Err(error) => {
                let error = TraceError::new(format!("the mapping cannot be read: {error}")).in_file(name);
                let known: Vec<&str> = Mapping::built_in_names().collect();
                Err(error.hint(format!("--map takes a TOML file or one of: {}", known.join(", "))))
            }
        }
    }

    /// Reads the text of a mapping; `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Mapping, TraceError> {
        parse::mapping(text).map_err(|wrong| wrong.located(text, file))
    }
}
