//! What every code means: those of the shared parsers and lints, and those of each language. `referee explain` and the manual
//! print it.

use crate::diagnostic::Explanation;
use crate::{language, lint, parse};

/// All explanations, by code.
pub fn explanations() -> Vec<&'static Explanation> {
    let mut all: Vec<_> = every().collect();
    all.sort_by_key(|explanation| explanation.code);
    all.dedup();
    all
}

/// The explanation of a code, in any case of letters.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    every().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
}

/// All explanations; those that several languages share come once for each of them.
fn every() -> impl Iterator<Item = &'static Explanation> {
    parse::CODES.iter().chain(lint::CODES).chain(language::codes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_well_formed_and_found() {
        let all = explanations();
        for pair in all.windows(2) {
            assert!(pair[0].code < pair[1].code, "{} twice", pair[0].code);
        }
        for explanation in all {
            let (letter, digits) = explanation.code.split_at(1);
            assert!(["E", "L"].contains(&letter) && digits.len() == 4, "{}", explanation.code);
            assert!(digits.bytes().all(|digit| digit.is_ascii_digit()), "{}", explanation.code);
            assert_eq!(explain(&explanation.code.to_lowercase()), Some(explanation));
        }
    }
}
