//! Lines and columns of a TOML text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line and column, from 1, of a byte of the text.
pub(super) fn of_offset(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line_start..].chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// Where the value is that a path such as `property.events[2].name` leads to; of a path that ends early, the last value
/// on it. A missing key has no place of its own.
pub(super) fn of_path(text: &str, path: &str) -> Option<(usize, usize)> {
    let table = DeTable::parse(text).ok()?;
    let mut steps = path.split(['.', '[']).map(|step| step.trim_end_matches(']')).filter(|step| !step.is_empty());
    let mut value = find(table.get_ref(), steps.next()?)?;
    for step in steps {
        let next = match value.get_ref() {
            DeValue::Table(table) => find(table, step),
            DeValue::Array(array) => step.parse().ok().and_then(|index: usize| array.get(index)),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    Some(of_offset(text, value.span().start))
}

fn find<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
}
