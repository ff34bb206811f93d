//! The hashes of the tools when the monitor phase closed: what is run afterwards is what was handed in.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::{Document, DocumentError};
use crate::tool::Tool;

const FILE: &str = "frozen.toml";

/// What was handed in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// The hash of each tool, by name.
    pub tools: BTreeMap<String, String>,
}

/// Why tools cannot be frozen or compared.
#[derive(Debug, thiserror::Error)]
pub enum FrozenError {
    /// The record cannot be read.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Frozen {
    /// The record in a competition's directory, if there is one.
    pub fn load(directory: &Path) -> Result<Option<Frozen>, FrozenError> {
        let file = directory.join(FILE);
        match file.is_file() {
            true => Ok(Some(Document::read(&file)?.content)),
            false => Ok(None),
        }
    }

    /// Records the tools as they are now.
    pub fn freeze(directory: &Path, tools: &[Tool]) -> Result<Frozen, FrozenError> {
        let hash = |tool: &Tool| match tool.hash() {
            Ok(hash) => Ok((tool.name().to_owned(), hash)),
            Err(error) => Err(FrozenError::File { file: tool.directory.clone(), error }),
        };
        let frozen = Frozen { tools: tools.iter().map(hash).collect::<Result<_, _>>()? };
        let mut text =
            String::from("# The tools as they were handed in: `referee contest run` refuses others.\n\n[tools]\n");
        for (name, hash) in &frozen.tools {
            // A JSON string is also a TOML string.
            text.push_str(&format!("{} = \"{hash}\"\n", serde_json::Value::from(name.as_str())));
        }
        let file = directory.join(FILE);
        std::fs::write(&file, text).map_err(|error| FrozenError::File { file, error })?;
        Ok(frozen)
    }

    /// Whether a tool is the one that was handed in.
    pub fn allows(&self, name: &str, hash: &str) -> bool {
        self.tools.get(name).is_some_and(|frozen| frozen == hash)
    }
}
