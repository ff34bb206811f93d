//! What is wrong with a pattern.

/// What is wrong with the text of a pattern, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongPattern {
    /// Where, in bytes from the start of the pattern; nothing if the pattern as a whole is wrong.
    pub offset: usize,
    /// One plain sentence without its full stop.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}
