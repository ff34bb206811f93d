//! `json`: objects, in all the writings of the field.
