//! What the header of a table looks like.

use std::collections::HashSet;

/// The name of the rows of a table that nothing else names.
pub(super) const ROW: &str = "row";

/// What may separate cells; what comes first decides between equals.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// How many lines below a header are looked at.
const LOOKED_AT: usize = 100;

/// What separates the cells of a header: what it has most of.
pub(super) fn delimiter_of(line: &str) -> u8 {
    let count = |delimiter: &u8| line.bytes().filter(|byte| byte == delimiter).count();
    DELIMITERS.into_iter().rev().max_by_key(count).unwrap_or(b',')
}

/// Whether a text is a table whose first line names its columns, although its first cell is not `event`.
///
/// As events in plain CSV, such a text makes no sense: its first line has words only, and below it there is a number or a time
/// where an event would have its name; or its cells are separated by something else than commas, and a column of words
/// has only numbers or times below.
pub(super) fn is_table(head: &str) -> bool {
    let mut lines = head.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else { return false };
    let delimiter = char::from(delimiter_of(first));
    let names: Vec<&str> = cells(first, delimiter).collect();
    let is_header = names.len() > 1
        && names.iter().all(|name| is_column(name))
        && names.iter().collect::<HashSet<_>>().len() == names.len();
    if !is_header {
        return false;
    }
    // The last line of the head may be cut off.
    let whole = head.rfind('\n').map_or(0, |end| head[..end].lines().filter(|line| !line.trim().is_empty()).count());
    let rows: Vec<&str> = lines.take(LOOKED_AT.min(whole.max(2) - 1)).collect();
    let begins_with_value = |row: &&str| cells(row, delimiter).next().is_some_and(begins_with_digit);
    let has_all = |row: &&str| cells(row, delimiter).count() == names.len();
    // Which columns have shown nothing but values.
    let mut are_values = vec![true; names.len()];
    for row in rows.iter().filter(|_| delimiter != ',') {
        are_values.iter_mut().zip(cells(row, delimiter)).for_each(|(are, cell)| *are &= begins_with_digit(cell));
    }
    !rows.is_empty()
        && match delimiter {
            ',' => {
                rows.iter().all(begins_with_value)
                    && rows.iter().all(|row| cells(row, delimiter).count() <= names.len())
            }
            _ => rows.iter().all(has_all) && are_values.contains(&true),
        }
}

/// The cells of a line, without a look at quotes that hold separators.
fn cells(line: &str, delimiter: char) -> impl Iterator<Item = &str> {
    line.split(delimiter).map(|cell| cell.trim().trim_matches('"'))
}

/// Whether a text may name a column: words that begin with a letter.
fn is_column(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || " _-.:/%@()[]".contains(letter))
        && name.len() <= 64
}

/// Whether a text begins like a number or a time.
fn begins_with_digit(cell: &str) -> bool {
    cell.trim_start_matches(['-', '+', '.']).starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_table;

    #[test]
    fn tables_are_told_from_traces() {
        for table in [
            "time,user,action\n1,ann,login\n2,bob,logout\n",
            "Timestamp,Case ID,Activity\n2026-11-18T10:00:00Z,7,pay\n",
            "user;action;amount\nann;pay;5\nbob;pay;7\n",
            "user\tamount\nann\t5\n",
            "\"id\",\"name\"\n\"1\",\"x\"",
        ] {
            assert!(is_table(table), "{table}");
        }
        for trace in [
            "",
            "login,ann\nlogin,bob\n",
            "login,ann,web\nwithdraw,ann,50\n",
            "open,f,7\nclose,f\n",
            "event,a,b\nx,1,2\n",
            "time,user\n",
            "a;b\nc;d\n",
            "1,2\n3,4\n",
            "a,a\n1,2\n",
            "a(1).b(2)\n3,4\n",
        ] {
            assert!(!is_table(trace), "{trace}");
        }
    }
}
