//! What a code means, for `referee explain` and the manual.

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
