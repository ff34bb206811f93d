//! Interned values: a word per value, equal words for equal texts.
//!
//! ```text
//!  atom   integer « 3 | 0     canonical integers of up to 18 digits: no table, no hash
//!         number  « 3 | 1     other numbers, by their text: 3.0, 1e3, 12345678901234567890
//!         string  « 3 | 2     all other texts, and whatever is declared a string
//!         truth   « 3 | 3     true, false
//! ```
//!
//! Strings and numbers are numbered densely from 0, each kind by itself. Two atoms are equal if and only if their texts
//! and kinds are. Languages that compare by value ask for [`Values::normal`], which maps all writings of a number (`3.0`,
//! `3`, `30e-1`) to one atom; that was found out when the text came first and is one look-up in an array now.
//!
//! A number's normal form is text again, no longer than what was read plus a constant: `1e9999` costs six bytes, not a
//! number of ten thousand digits.
//!
//! # Giving values back
//!
//! A trace may have a hundred million session names of which a thousand are alive. Whoever keeps atoms marks those that it keeps
//! ([`LiveValues`]), and the table gives the others back, some at a time; their words come to stand for new texts.
//!
//! ```text
//!   is_collection_due ─▶ mark, mark, … ─▶ begin_collection ─▶ sweep, sweep, …
//!                                         generation + 1      between batches
//! ```
//!
//! Marking costs one look at all that is kept, and no value may be looked up meanwhile. Whatever is looked up afterwards stays. Who keeps
//! atoms without marking them, to be fast, drops them when the [generation](Values::generation) changes.

mod atom;
mod bits;
mod live;
mod normal;
mod short;
mod table;
mod texts;

pub use atom::Atom;
pub(crate) use atom::{Class, classify};
pub use live::LiveValues;
pub(crate) use short::Shorts;
pub use table::Values;
pub(crate) use texts::Pending;
