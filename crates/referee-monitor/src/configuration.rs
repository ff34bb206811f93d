//! What a monitored program brings with it: specifications, the names of its events, and options, as TOML.

use serde::Deserialize;

/// The layout that this version reads.
const VERSION: u32 = 1;
/// How many bytes of a text are copied where nobody says otherwise.
pub const TEXT_LIMIT: u32 = 256;

/// What the driver wrote into the program.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The layout.
    pub version: u32,
    /// What is judged.
    #[serde(default, rename = "specification")]
    pub specifications: Vec<EmbeddedSpecification>,
    /// The events of the mapping.
    #[serde(default, rename = "event")]
    pub events: Vec<EventDeclaration>,
    /// How it is judged.
    #[serde(default)]
    pub options: MonitorOptions,
}

/// A specification as `--spec` named it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddedSpecification {
    /// The name of its file.
    pub file: String,
    /// Its language.
    pub language: String,
    /// Its text.
    pub text: String,
}

/// An event of the mapping.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventDeclaration {
    /// Its name.
    pub name: String,
    /// The names of its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// How many bytes of a text are copied.
    #[serde(default)]
    pub text_limit: Option<u32>,
}

/// The options of `check` that make sense while a program runs, and those of programs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MonitorOptions {
    /// All violations are told instead of the first of each property.
    pub all: bool,
    /// The first violation of each property is told, which is the default.
    pub first: bool,
    /// Events are counted.
    pub events: bool,
    /// Violations are explained.
    pub witness: bool,
    /// Points have times: seconds since the start.
    pub timed: bool,
    /// DejaVu: quantifiers range over the values seen so far.
    pub seen: bool,
    /// SOLOIST: modalities are false until a whole window has passed.
    pub full_window: bool,
    /// SOLOIST: a distance without any pair is true.
    pub vacuous: bool,
    /// FO-LTL: binary operators have an order.
    pub lenient: bool,
    /// The file that the trace is written to.
    pub trace: Option<String>,
    /// The file that results are written to, instead of standard error.
    pub report: Option<String>,
    /// The program exits with 1 if a property is violated.
    pub fail: bool,
    /// The program ends at the first violation.
    pub halt: bool,
    /// The way in which events are delivered is told.
    pub explain: bool,
}

impl Configuration {
    /// Reads a configuration.
    ///
    /// # Errors
    ///
    /// If the text is none, or one of another version.
    pub fn parse(text: &str) -> Result<Configuration, String> {
        let read: Configuration = toml::from_str(text)
            .map_err(|error| format!("the configuration of the program cannot be read: {error}"))?;
        match read.version {
            VERSION => Ok(read),
            other => Err(format!(
                "the configuration of the program has layout {other}, and this run time reads layout {VERSION}; build \
                 the program with the driver of the same version"
            )),
        }
    }

    /// The event of this name, if the mapping has it.
    pub fn event(&self, name: &str) -> Option<&EventDeclaration> {
        self.events.iter().find(|event| event.name == name)
    }
}
