//! What the driver wrote into the program, and what the environment says beside it.

use std::ffi::{CStr, c_char, c_ulong};
use std::sync::OnceLock;

use referee_monitor::configuration::{Configuration, EventDeclaration, TEXT_LIMIT};

unsafe extern "C" {
    static referee_configuration: [u8; 0];
    static referee_configuration_size: c_ulong;
    fn secure_getenv(name: *const c_char) -> *const c_char;
}

/// What is known of an event before it comes.
pub(crate) struct KnownEvent {
    name: String,
    /// Its name and those of its arguments, with a NUL between them.
    pub(crate) definition: Vec<u8>,
    /// How many arguments it has.
    pub(crate) count: usize,
    /// How many bytes of a text are copied.
    pub(crate) text_limit: u32,
}

/// Written once, at the start: sites are resolved without memory from anybody.
static EVENTS: OnceLock<Vec<KnownEvent>> = OnceLock::new();

/// Keeps what the configuration says of events.
pub(crate) fn keep_events(configuration: &Configuration) {
    let known = |event: &EventDeclaration| {
        let names = std::iter::once(&event.name).chain(&event.arguments);
        KnownEvent {
            name: event.name.clone(),
            definition: names.map(String::as_bytes).collect::<Vec<_>>().join(&0),
            count: event.arguments.len(),
            text_limit: event.text_limit.unwrap_or(TEXT_LIMIT),
        }
    };
    // Whoever comes second has the same.
    let _ = EVENTS.set(configuration.events.iter().map(known).collect());
}

/// An event of the configuration.
pub(crate) fn event(name: &[u8]) -> Option<&'static KnownEvent> {
    EVENTS.get()?.iter().find(|event| event.name.as_bytes() == name)
}

/// The text of the configuration.
pub(crate) fn text() -> &'static [u8] {
    // SAFETY: the driver writes both objects into one file, the size that of the text or that with its NUL.
    let text = unsafe {
        std::slice::from_raw_parts((&raw const referee_configuration).cast::<u8>(), referee_configuration_size as usize)
    };
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A variable of the environment; nothing where the program has more rights than who starts it.
pub(crate) fn variable(name: &CStr) -> Option<String> {
    // SAFETY: the name is a C text, and nobody changes the environment while the program starts.
    let value = unsafe { secure_getenv(name.as_ptr()) };
    // SAFETY: what is found is a C text.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }.to_string_lossy().into_owned())
}

/// Whether a variable says yes: it is there, and neither empty nor `0`.
pub(crate) fn says_yes(name: &CStr) -> bool {
    variable(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The configuration as the driver wrote it.
pub(crate) fn embedded() -> Result<Configuration, String> {
    let text = std::str::from_utf8(text()).map_err(|_| "the configuration of the program is not text".to_owned())?;
    Configuration::parse(text)
}

/// The configuration, with what the environment says instead.
pub(crate) fn with_environment(mut configuration: Configuration) -> Configuration {
    let options = &mut configuration.options;
    for (name, option) in [
        (c"REFEREE_ALL", &mut options.all),
        (c"REFEREE_EVENTS", &mut options.events),
        (c"REFEREE_WITNESS", &mut options.witness),
        (c"REFEREE_TIMED", &mut options.timed),
        (c"REFEREE_FAIL", &mut options.fail),
        (c"REFEREE_HALT", &mut options.halt),
        (c"REFEREE_EXPLAIN", &mut options.explain),
    ] {
        if variable(name).is_some() {
            *option = says_yes(name);
        }
    }
    options.report = variable(c"REFEREE_REPORT").or(options.report.take()).filter(|path| !path.is_empty());
    options.trace = variable(c"REFEREE_TRACE").or(options.trace.take()).filter(|path| !path.is_empty());
    configuration
}
