//! The events are clear from the informal description: every declared name occurs in its text.

use super::checklist::Check;
use crate::package::Package;

/// Looks for the names of events in the words of the property.
pub(super) fn check(package: &Package) -> Check {
    let text = text(package);
    let missing: Vec<&str> =
        package.property.events.iter().map(|event| event.name.as_str()).filter(|name| !occurs(name, &text)).collect();
    let result = match missing.as_slice() {
        [] => Ok(format!("{} kinds of events, each in the description", package.property.events.len())),
        names => Err(format!(
            "declared, but nowhere in the informal description: {}; say in `context` or `ordering` what they mean",
            names.join(", ")
        )),
    };
    Check::of("wording", result)
}

fn text(package: &Package) -> String {
    let informal = &package.property.informal;
    let parts = [&package.description, &informal.context, &informal.ordering].into_iter().chain(&informal.assumptions);
    parts.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Whether a name occurs as a word: neither a letter nor a digit on either side.
fn occurs(name: &str, text: &str) -> bool {
    let joins = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(name).any(|(start, found)| {
        let (before, after) = (&text[..start], &text[start + found.len()..]);
        !joins(before.chars().next_back()) && !joins(after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::occurs;

    #[test]
    fn names_are_words() {
        assert!(occurs("open", "Files: open(f), close(f)."));
        assert!(occurs("a.b", "first a.b, then c"));
        assert!(!occurs("open", "reopened by opening"));
        assert!(!occurs("next", "hasNext and next_one"));
    }
}
