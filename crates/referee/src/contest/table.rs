//! Tables for the terminal.

use unicode_width::UnicodeWidthStr;

/// A table whose columns are as wide as their widest cell; those marked are aligned to the right.
pub(super) struct Table {
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings; a heading that begins with `>` is aligned to the right.
    pub(super) fn new(headings: &[&str]) -> Table {
        let right = headings.iter().map(|heading| heading.starts_with('>')).collect();
        let row = headings.iter().map(|heading| heading.trim_start_matches('>').to_owned()).collect();
        Table { right, rows: vec![row] }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), right) in row.iter().zip(&widths).zip(&self.right) {
                let padding = " ".repeat(width.saturating_sub(cell.width()));
                match right {
                    true => line.push_str(&format!("{padding}{cell}  ")),
                    false => line.push_str(&format!("{cell}{padding}  ")),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
