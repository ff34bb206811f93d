//! What the parser of MFOTL reads before it is known whether a formula or a term is wanted.

use super::syntax::{Formula, Term};

/// A formula or a term, as long as it is not known which is wanted.
#[derive(Debug)]
pub(super) enum Expression {
    Formula(Formula),
    Term(Term),
}
