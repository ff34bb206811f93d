//! Texts, names and numbers as HTML.

/// A text that cannot be mistaken for markup.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

/// A text as a JSON string that can stand inside a script.
pub(super) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('<', "\\u003c")
}

/// A name as the target of a link.
pub(super) fn anchor(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    format!("x-{}", name.chars().map(safe).collect::<String>())
}

/// The target of the explanation of a cell.
pub(super) fn cell_anchor(track: &str, benchmark: &str, tool: &str) -> String {
    anchor(&format!("{track}-{benchmark}-{tool}"))
}

/// Seconds, in the unit that suits them.
pub(super) fn seconds(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value >= 100.0 => format!("{value:.0} s"),
        Some(value) if value >= 1.0 => format!("{value:.2} s"),
        Some(value) if value >= 0.001 => format!("{:.1} ms", value * 1e3),
        Some(value) => format!("{:.0} µs", value * 1e6),
    }
}

/// Bytes, in MiB.
pub(super) fn mebibytes(value: Option<f64>) -> String {
    match value.map(|value| value / f64::from(1 << 20)) {
        None => "–".into(),
        Some(value) if value >= 100.0 => format!("{value:.0} MiB"),
        Some(value) => format!("{value:.2} MiB"),
    }
}

/// Points with two decimals, zero without sign or decimals.
pub(super) fn points(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.2}").replace('-', "−") }
}
