//! Event names with their arguments and types, declared or inferred.
