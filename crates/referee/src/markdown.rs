//! Markdown for the terminal: as much of it as our own pages use.
//!
//! ```text
//!  # and ##      ─▶ bold
//!  ``` blocks    ─▶ indented, as they are
//!  | tables |    ─▶ columns; a last column that is too wide is wrapped within itself
//!  - lists, text ─▶ wrapped at the width
//! ```

use clap::builder::styling::Style;
use unicode_width::UnicodeWidthStr;

/// How headings are shown.
const HEADING: Style = Style::new().bold();
/// How wide text is where nobody says: also the most that is good to read.
const WIDTH: usize = 100;
/// The least that the last column of a table gets.
const NARROW: usize = 24;

/// The width of the terminal, as far as COLUMNS tells it, within what is good to read.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.unwrap_or(WIDTH).clamp(40, WIDTH)
}

/// A page for a terminal of some width.
pub(crate) fn rendered(page: &str, width: usize) -> String {
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```"));
            out.extend(code.map(|line| format!("    {line}\n")));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(line));
            }
            out.push_str(&table(rows, width));
        } else if line.starts_with('#') {
            out.push_str(&format!("{HEADING}{}{HEADING:#}\n", line.trim_start_matches('#').trim()));
        } else {
            let indent = if line.starts_with("- ") { 2 } else { 0 };
            out.push_str(&wrapped(&plain(line), width, indent));
        }
    }
    out
}

/// A text without the marks of code and links.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// The cells of a table's line.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{0}");
    inner.split('|').map(|cell| plain(cell.trim()).replace('\u{0}', "|")).collect()
}

/// A table in columns: no rules, no empty headings.
fn table(mut rows: Vec<Vec<String>>, width: usize) -> String {
    rows.retain(|row| !row.iter().all(|cell| cell.chars().all(|letter| letter == '-')));
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
    let before: usize = widths.iter().take(columns.saturating_sub(1)).map(|width| width + 2).sum();
    // Where columns do not fit beside each other, a row is a list.
    if before + NARROW > width && columns > 1 {
        return rows.iter().skip(1).map(|row| listed(&rows[0], row, width)).collect();
    }
    rows.iter().map(|row| columned(row, &widths, before, width)).collect()
}

fn columned(row: &[String], widths: &[usize], before: usize, width: usize) -> String {
    let Some((last, others)) = row.split_last() else { return String::new() };
    let head: String = others
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell}{}  ", " ".repeat(width.saturating_sub(cell.width()))))
        .collect();
    let text = wrapped(last, width.saturating_sub(before), 0);
    let mut lines = text.lines();
    let mut out = format!("{}\n", format!("{head}{}", lines.next().unwrap_or_default()).trim_end());
    out.extend(lines.map(|line| format!("{}{line}\n", " ".repeat(before))));
    out
}

/// A row as lines `heading: cell`, the first cell above them.
fn listed(headings: &[String], row: &[String], width: usize) -> String {
    let named = headings.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let lines = named.enumerate().map(|(index, (heading, cell))| {
        let mark = if index == 0 { "- " } else { "  " };
        let label = if heading.is_empty() { String::new() } else { format!("{heading}: ") };
        wrapped(&format!("{mark}{label}{cell}"), width, 4)
    });
    lines.collect()
}

/// A text in lines of at most `width`; all but the first begin with blanks. A longer word has a line of its own.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let lead = text.len() - text.trim_start().len();
    let mut lines = vec![text[..lead].to_owned()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().map(std::mem::take).unwrap_or_default();
        let blank = if last.trim().is_empty() { "" } else { " " };
        match last.width() + blank.len() + word.width() > width && !last.trim().is_empty() {
            true => {
                lines.pop();
                lines.push(last);
                lines.push(format!("{}{word}", " ".repeat(indent)));
            }
            false => {
                lines.pop();
                lines.push(format!("{last}{blank}{word}"));
            }
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered_plain(page: &str, width: usize) -> String {
        anstream::adapter::strip_str(&rendered(page, width)).to_string()
    }

    #[test]
    fn text_is_wrapped_and_code_is_not() {
        let page = "# Title\n\none two `three` four\n- five six seven\n\n```text\na  very long line of code\n```\n";
        let expected = "Title\n\none two\nthree four\n- five six\n  seven\n\n    a  very long line of code\n";
        assert_eq!(rendered_plain(page, 10), expected);
    }

    #[test]
    fn tables_become_columns() {
        let page = "| verdict | why |\n|---|---|\n| accepted | because it is so, and for no other reason at all |\n";
        let expected = "verdict   why\naccepted  because it is so, and for no\n          other reason at all\n";
        assert_eq!(rendered_plain(page, 42), expected);
        let expected = "- verdict: accepted\n  why: because it is so,\n    and for no other\n    reason at all\n";
        assert_eq!(rendered_plain(page, 26), expected);
    }
}
