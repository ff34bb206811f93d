//! Signatures: which events there are, with the names and types of their arguments.
//!
//! A signature is declared in a `.sig` file or inferred from the events of a trace:
//!
//! ```text
//!  # the bank's events
//!  withdraw(user: string, amount: int)      arguments with names
//!  login(string)                            or called 1, 2, …
//!  tick()
//! ```
//!
//! Declarations need no separator; `+` between them is allowed. Names that hold blanks or punctuation stand in quotes.
//! Inference joins the types of all texts of an argument: integers and decimals make a decimal, all other mixtures a
//! string. It costs one look at each value and stops looking once an argument is known to be a string.

mod declaration;
mod infer;
mod parse;

pub(crate) use declaration::are_numerals;
pub use declaration::{Declaration, Signature};
pub use infer::Inference;

#[cfg(test)]
mod tests;
