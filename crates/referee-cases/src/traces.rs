//! Cutting a block into traces.

use referee_trace::format::Format;

/// The format of a block that does not name one.
pub(crate) fn guess(lines: &[(usize, &str)]) -> Format {
    let first = lines.iter().map(|(_, line)| line.trim_start()).find(|line| !line.is_empty());
    if first.is_some_and(|line| line.starts_with('@')) { Format::Monpoly } else { Format::Abstract }
}

/// The traces of a block, each with the line on which it begins; an empty block is one empty trace.
pub(crate) fn split(format: Format, lines: &[(usize, &str)], line: usize) -> Vec<(usize, String)> {
    let mut traces: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, text) in lines {
        let blank = text.trim().is_empty();
        let whole = format.description().multiline;
        if blank && !whole {
            open = false;
            continue;
        }
        let goes_on = open && (format != Format::Abstract || continues(traces.last(), text));
        match traces.last_mut() {
            Some((_, trace)) if goes_on => trace.push_str(&format!("\n{text}")),
            _ => traces.push((*number, (*text).to_owned())),
        }
        open = true;
    }
    if traces.is_empty() {
        traces.push((line, String::new()));
    }
    for (_, trace) in &mut traces {
        if trace.trim() == "ε" {
            trace.clear();
        }
    }
    traces
}

/// Whether a line of an abstract trace belongs to the trace before it.
fn continues(before: Option<&(usize, String)>, line: &str) -> bool {
    let ends_with_dot = before.is_some_and(|(_, trace)| trace.trim_end().ends_with('.'));
    ends_with_dot || line.trim_start().starts_with(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(format: Format, text: &str) -> Vec<(usize, String)> {
        let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
        split(format, &lines, 99)
    }

    #[test]
    fn abstract_traces_end_with_their_lines() {
        let expected =
            [(0, "a.b"), (1, "c.\nd"), (4, "1 @2 e\n1 @2 f"), (7, "")].map(|(at, text)| (at, text.to_owned()));
        assert_eq!(cut(Format::Abstract, "a.b\nc.\nd\n\n1 @2 e\n1 @2 f\n\nε"), expected);
        assert_eq!(cut(Format::Abstract, ""), [(99, String::new())]);
    }

    #[test]
    fn other_traces_end_with_a_blank_line() {
        let expected = [(0, "@1 a;\n@2;"), (3, "@3;")].map(|(at, text)| (at, text.to_owned()));
        assert_eq!(cut(Format::Monpoly, "@1 a;\n@2;\n\n@3;"), expected);
        assert_eq!(cut(Format::Blocks, "a\nx = 1\n\nb").len(), 1);
    }
}
