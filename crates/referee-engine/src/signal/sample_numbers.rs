//! Reads the numbers of samples, and refuses those that no writer wrote.

use crate::shared::bytes::{Damaged, Reader};

/// The greatest number of a sample that is read: more than any trace has, and counting on cannot fail.
const MOST_SAMPLES: u64 = 1 << 60;

/// Reads the number of a sample, or how many there are.
pub(super) fn read_sample(reader: &mut Reader) -> Result<u64, Damaged> {
    Some(reader.number()?).filter(|sample| *sample <= MOST_SAMPLES).ok_or(Damaged)
}

/// Refuses what no writer wrote.
pub(super) fn ensure(truth: bool) -> Result<(), Damaged> {
    if truth { Ok(()) } else { Err(Damaged) }
}
