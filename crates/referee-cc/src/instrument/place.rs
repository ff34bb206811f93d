//! Places of a program, and what an edited text is for.

/// What the edited text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To be compiled.
    Compile,
    /// To let the compiler say what is wrong with the mapping's expressions.
    Explain,
}

/// A place in the program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'t> {
    /// The file, escaped as in a text of C.
    pub(super) file: &'t str,
    pub(super) line: u32,
    pub(super) function: &'t str,
    pub(super) mode: Mode,
}
