//! Rows that nobody can ask for any more go.

use super::RowStore;
use crate::fo::store::window::RowWindow;
use crate::fo::types::ViewId;

impl RowStore {
    /// Takes the rows with a word in a column out of a view that is neither joined nor has the rows of demands. Nobody is told: it was
    /// found out before that nobody can tell the difference.
    pub(crate) fn forget(&mut self, view: ViewId, column: usize, word: u64) {
        let table = &mut self.tables[view];
        let queue = match &mut self.windows[view] {
            Some(RowWindow::Queue(queue)) => Some(queue),
            Some(RowWindow::Newest(_)) | None => None,
        };
        let Some(queue) = queue else {
            match table.key_columns() {
                1 => _ = table.take(&[word]),
                _ => table.rows_with(column, word).into_iter().for_each(|row| table.remove(row)),
            }
            return;
        };
        let rows = match table.key_columns() {
            1 => table.find(&[word]).into_iter().collect(),
            _ => table.rows_with(column, word),
        };
        rows.into_iter().for_each(|row| queue.forget(table, row));
    }
}
