//! The texts of the specifications, which are part of the program.

/// The text of a file in the folder `specifications`.
macro_rules! specification {
    ($name:expr) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/specifications/", $name))
    };
}
