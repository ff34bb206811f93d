//! What a word or a sign that nobody expected was probably meant to be: a misspelt operator, or one of another language.

use referee_trace::mapping::nearest;

/// How a language writes its operators.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spelling {
    /// Operators that are words.
    pub words: &'static [&'static str],
    /// Operators of other languages, in small letters, and what this one writes.
    pub foreign: &'static [(&'static str, &'static str)],
}

impl Spelling {
    /// What to write instead of the text that begins with an unexpected token.
    pub(super) fn advise(&self, token: &str, text: &str) -> Option<String> {
        let small = token.to_lowercase();
        let is_meant = |sign: &str| match sign.starts_with(char::is_alphabetic) {
            true => sign == small,
            false => text.starts_with(sign),
        };
        // The longest sign counts: `<->` begins with others.
        let foreign = self.foreign.iter().filter(|(sign, _)| is_meant(sign)).max_by_key(|(sign, _)| sign.len());
        if let Some((_, own)) = foreign {
            return Some(format!("write `{own}`"));
        }
        if let Some(word) = self.near(token) {
            return Some(format!("did you mean `{word}`?"));
        }
        let misspelt = near_among(self.foreign.iter().map(|(sign, _)| *sign), token)?;
        self.foreign.iter().find(|(sign, _)| *sign == misspelt).map(|(_, own)| format!("write `{own}`"))
    }

    /// The operator that a misspelt word was meant to be: it begins alike, and few letters differ.
    pub fn near(&self, word: &str) -> Option<&'static str> {
        near_among(self.words.iter().copied(), word)
    }
}

fn near_among(known: impl Iterator<Item = &'static str>, word: &str) -> Option<&'static str> {
    let first = |text: &str| text.chars().next().map(|letter| letter.to_ascii_lowercase());
    let is_word = word.chars().count() >= 3 && word.chars().all(|letter| letter.is_alphabetic() || letter == '-');
    let alike = known.filter(|known| is_word && first(known) == first(word));
    nearest(word, alike).filter(|known| !known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPELLING: Spelling = Spelling {
        words: &["IMPLIES", "AND", "ONCE"],
        foreign: &[("->", "IMPLIES"), ("-->", "NEVER"), ("until", "U")],
    };

    #[test]
    fn misspelt_and_foreign_operators_are_known() {
        for (token, text, expected) in [
            ("IMPLIS", "IMPLIS q(x)", Some("did you mean `IMPLIES`?")),
            ("ADN", "ADN q(x)", Some("did you mean `AND`?")),
            ("-", "-> q(x)", Some("write `IMPLIES`")),
            ("-", "--> q(x)", Some("write `NEVER`")),
            ("UNTIL", "UNTIL q(x)", Some("write `U`")),
            ("untl", "untl q(x)", Some("write `U`")),
            ("untangled", "untangled", None),
            ("q", "q(x)", None),
            ("AND", "AND AND", None),
            ("band", "band", None),
        ] {
            assert_eq!(SPELLING.advise(token, text).as_deref(), expected, "{text}");
        }
    }
}
