//! Holds what two or more judges use.

pub(crate) mod aggregate;
pub(crate) mod arithmetic;
pub(crate) mod bytes;
pub(crate) mod checksum;
pub(crate) mod keys;
pub(crate) mod maps;
pub(crate) mod saved_values;
pub(crate) mod universe;
pub(crate) mod window;
