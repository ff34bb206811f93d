//! The configuration that a program carries, as TOML in a file of C.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::settings::{Driver, EmbeddedOption};

/// Functions of the run time that are linked even if the program's own objects need none: a library that it loads may.
const KEPT: [&str; 6] = ["referee_ev0", "referee_ev1", "referee_ev2", "referee_ev3", "referee_ev4", "referee_evn"];

impl Driver {
    /// The TOML text.
    pub(super) fn configuration(&self) -> String {
        let mut out = String::from("version = 1\n");
        for specification in &self.specifications {
            let (file, language) = (quoted(&specification.file), quoted(&specification.language));
            let text = quoted(&specification.text);
            let _ = write!(out, "[[specification]]\nfile = {file}\nlanguage = {language}\ntext = {text}\n");
        }
        let mut known = BTreeSet::new();
        for entry in self.mapping.entries.iter().filter(|entry| !entry.to.contains('{')) {
            let arguments: Vec<String> = entry.arguments.iter().map(|argument| quoted(&argument.name)).collect();
            let event = format!(
                "[[event]]\nname = {}\narguments = [{}]\ntext_limit = {}\n",
                quoted(&entry.to),
                arguments.join(", "),
                entry.text_limit
            );
            if known.insert(event.clone()) {
                out.push_str(&event);
            }
        }
        out.push_str("[options]\n");
        for option in &self.options {
            let _ = match option {
                EmbeddedOption::Flag(name) => writeln!(out, "{name} = true"),
                EmbeddedOption::Text(name, text) => writeln!(out, "{name} = {}", quoted(text)),
            };
        }
        out
    }

    /// The file of C.
    pub(super) fn configuration_source(&self) -> String {
        let text = self.configuration();
        let mut out =
            String::from("extern const char referee_configuration[];\nconst char referee_configuration[] =\n");
        for line in text.split_inclusive('\n') {
            out.push('"');
            for byte in line.bytes() {
                match byte {
                    b' '..=b'~' if !matches!(byte, b'"' | b'\\' | b'?') => out.push(char::from(byte)),
                    _ => drop(write!(out, "\\{byte:03o}")),
                }
            }
            out.push_str("\"\n");
        }
        let size = text.len();
        let _ = write!(
            out,
            ";\nextern const unsigned long referee_configuration_size;\nconst unsigned long referee_configuration_size = {size};\n"
        );
        for name in KEPT {
            let _ = writeln!(out, "extern void {name}(void);");
        }
        let _ = writeln!(
            out,
            "extern void (*const referee_kept[])(void);\nvoid (*const referee_kept[])(void) = {{ {} }};",
            KEPT.join(", ")
        );
        out
    }
}

/// A text of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            letter if letter.is_control() => drop(write!(out, "\\u{:04X}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
