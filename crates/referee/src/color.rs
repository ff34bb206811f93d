//! Whether messages are in colour: `--color`, else what the terminal and NO_COLOR say.

use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};

/// How the word `error` is shown.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();

/// How the word `warning` is shown.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// What `--color` asks for, found before anything else is parsed: complaints about arguments obey it, too.
pub(crate) fn choice(arguments: impl Iterator<Item = String>) -> ColorChoice {
    let arguments: Vec<String> = arguments.take_while(|argument| argument != "--").collect();
    let after = arguments.iter().zip(arguments.iter().skip(1)).filter(|(option, _)| *option == "--color");
    let joined = arguments.iter().filter_map(|argument| argument.strip_prefix("--color="));
    let mut asked = after.map(|(_, value)| value.as_str()).chain(joined);
    match asked.next() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// From now on everything that is printed obeys the choice.
pub(crate) fn apply(choice: ColorChoice) {
    match choice {
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        ColorChoice::Auto => {}
    }
}
