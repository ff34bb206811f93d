//! Tests of the language.

mod errors;
mod layout;
mod reading;
