//! What the readers of several formats share.

pub(crate) mod cursor;
pub(crate) mod decoder;
pub(crate) mod draft;
pub(crate) mod event_template;
pub(crate) mod head;
pub(crate) mod integers;
pub(crate) mod name_cache;
pub(crate) mod plain;
pub(crate) mod quoted;
pub(crate) mod rows;
pub(crate) mod split;
pub(crate) mod terms;
pub(crate) mod whole;
