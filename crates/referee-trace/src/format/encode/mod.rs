//! What the writers of all formats share.

pub(crate) mod cells;
pub(crate) mod encoder;
pub(crate) mod entry;
pub(crate) mod framed;
pub(crate) mod pieces;
pub(crate) mod quoted;
pub(crate) mod refusing;
pub(crate) mod term;
pub(crate) mod text;
