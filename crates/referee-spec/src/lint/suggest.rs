//! "Did you mean …?"

/// Longer names are compared by their beginning.
const LONGEST: usize = 64;

/// The candidate that is nearest to a name, if one is near: the same in other letters' case, or at most a third of the
/// characters (at least one) changed, added, removed or swapped.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let ranked = candidates.map(|candidate| (distance(name, candidate), candidate));
    ranked.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

/// How many characters must be changed, added, removed or swapped to make one name of the other.
fn distance(left: &str, right: &str) -> usize {
    let letters = |text: &str| -> Vec<char> { text.chars().take(LONGEST).flat_map(char::to_lowercase).collect() };
    let (left, right) = (letters(left), letters(right));
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let changed = row[j] + usize::from(a != b);
            let mut best = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["open", "close", "hasNext"];
        for (name, expected) in [
            ("opne", Some("open")),
            ("Open", Some("open")),
            ("closed", Some("close")),
            ("hasnext", Some("hasNext")),
            ("read", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, names.into_iter()), expected, "{name}");
        }
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
