//! Holds what two or more judges use.

pub mod aggregate;
pub mod arithmetic;
pub mod bytes;
pub mod keys;
pub mod maps;
pub(crate) mod restore_error;
pub mod universe;
pub mod window;
