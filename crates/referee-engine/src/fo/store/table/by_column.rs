//! The rows that have a value in a column, for those who let them go.

use super::RowTable;
use crate::fo::store::index::RowIndex;
use crate::fo::store::row::Row;

impl RowTable {
    /// The rows with a word in a column, of a table whose rows have numbers. The column gets an index if it has none: who asks for one
    /// word asks for many.
    pub(crate) fn rows_with(&mut self, column: usize, word: u64) -> Vec<Row> {
        let known = self.indexes.iter().position(|index| index.columns() == [column]);
        let index = known.unwrap_or_else(|| self.add_late_index(column));
        std::iter::successors(self.first(index, &[word]), |row| self.next(index, *row)).collect()
    }

    /// Adds an index while there are rows; tells its number.
    #[inline(never)]
    fn add_late_index(&mut self, column: usize) -> usize {
        let mut index = RowIndex::new(&[column], false);
        self.rows().for_each(|row| index.insert(row, &self.cells));
        // Whether a row is there is asked of the first index, also of rows that are not.
        index.cover(self.made);
        self.indexes.push(index);
        self.note_lean();
        self.indexes.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use referee_testing::seeds;
    use referee_trace::values::Atom;

    use super::*;

    /// A table that gets an index late lists the rows that one lists which always had it, whatever comes and goes.
    #[test]
    fn late_indexes_are_as_others() {
        for (seed, stamped) in seeds(60).zip([true, false].into_iter().cycle()) {
            let word = |integer: u64| Atom::integer(integer as i64).map_or(0, Atom::word);
            let (mut late, mut early) =
                (RowTable::new(2, stamped, false, false), RowTable::new(2, stamped, false, false));
            if seed % 3 == 0 {
                late.add_index(&[0]);
            }
            early.add_index(&[1]);
            let mut state = seed;
            let mut random = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % below
            };
            for point in 1..600 {
                let key = [word(random(7)), word(random(5))];
                match random(3) {
                    0 => assert_eq!(late.take_words(&key), early.take_words(&key)),
                    _ => assert_eq!(late.put_words(&key, point, false), early.put_words(&key, point, false)),
                }
                if point > 100 && random(9) == 0 {
                    let gone = word(random(5));
                    let keys = |table: &mut RowTable| {
                        let rows = table.rows_with(1, gone);
                        let mut keys: Vec<Vec<u64>> = rows.iter().map(|row| table.key(*row).to_vec()).collect();
                        rows.into_iter().for_each(|row| table.remove(row));
                        keys.sort_unstable();
                        keys
                    };
                    assert_eq!(keys(&mut late), keys(&mut early), "seed {seed}, point {point}");
                }
                assert_eq!((late.len(), late.rows().count()), (early.len(), late.len()), "seed {seed}, point {point}");
            }
        }
    }
}
