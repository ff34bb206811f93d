//! From concrete to abstract events: the mapping file.
