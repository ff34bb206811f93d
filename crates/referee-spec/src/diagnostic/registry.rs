//! The registry: what every code means. `referee explain` and the manual print it.

/// What a code means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code: `E0123` or `L0123`.
    pub code: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// A specification that shows it.
    pub example: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

impl Explanation {
    /// The explanation as `referee explain` prints it.
    pub fn text(&self) -> String {
        let indented: String = self.example.lines().map(|line| format!("    {line}\n")).collect();
        let Explanation { code, title, meaning, why, instead, .. } = self;
        format!("{code}: {title}\n\n{meaning}\n\nWhy it matters: {why}\n\nExample:\n\n{indented}\nInstead: {instead}\n")
    }
}

/// The lists of all codes, one per module that reports any.
const LISTS: &[&[Explanation]] = &[
    crate::parse::CODES,
    crate::lint::CODES,
    crate::foltl::CODES,
    crate::qtl::CODES,
    crate::mfotl::CODES,
    crate::soloist::CODES,
    crate::lola::CODES,
    crate::stl::CODES,
    crate::qea::CODES,
    crate::mop::CODES,
    crate::rules::CODES,
    crate::larva::CODES,
    crate::plane::CODES,
];

/// All explanations, by code.
pub fn explanations() -> Vec<&'static Explanation> {
    let mut all: Vec<_> = LISTS.iter().copied().flatten().collect();
    all.sort_by_key(|explanation| explanation.code);
    all
}

/// The explanation of a code, in any case of letters.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    LISTS.iter().copied().flatten().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
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
