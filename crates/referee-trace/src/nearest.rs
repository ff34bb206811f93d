//! Which known name a misspelt one probably means.

/// The known name nearest to `word`, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(64).collect();
    let allowed = 1 + letters.len() / 4;
    known
        .into_iter()
        .map(|name| (distance(&letters, &name.chars().take(64).collect::<Vec<_>>()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters must be inserted, deleted, replaced or exchanged with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let (mut before, mut above) = (vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<_>>());
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let differs = !a[i].eq_ignore_ascii_case(&b[j]);
            let mut best = (above[j] + usize::from(differs)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_found() {
        let known = ["time", "split", "event", "drop-others"];
        for (word, expected) in [
            ("tiem", Some("time")),
            ("Split", Some("split")),
            ("evnt", Some("event")),
            ("drop_other", Some("drop-others")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
