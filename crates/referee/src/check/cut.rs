//! What ends a check from outside before everything is decided.

use referee_spec::core::Status;

/// Why a check ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// The time of `--timeout` is up.
    Time,
    /// More memory is in use than the bytes that `--memory` grants.
    Memory(usize),
    /// Somebody interrupted the process.
    Interrupt,
}

impl Cut {
    /// The verdict on rules that are undecided by then.
    pub(super) fn status(self) -> Status {
        match self {
            Cut::Time => Status::TimeOut,
            Cut::Memory(_) | Cut::Interrupt => Status::GaveUp,
        }
    }

    /// The reason, in words.
    pub(super) fn reason(self) -> String {
        match self {
            Cut::Time => "the time limit was reached".to_owned(),
            Cut::Memory(limit) => format!("the memory limit of {} was reached", in_words(limit)),
            Cut::Interrupt => "the check was interrupted".to_owned(),
        }
    }
}

/// `64 MiB`; a number of bytes that is no whole number of a larger unit stays one.
fn in_words(bytes: usize) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_the_unit_that_they_were_given_in() {
        let words = [3 << 30, 64 << 20, 5 << 10, 1001].map(in_words);
        assert_eq!(words, ["3 GiB", "64 MiB", "5 KiB", "1001 bytes"]);
    }
}
