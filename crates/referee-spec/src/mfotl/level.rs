//! How tightly each kind of operator of MFOTL binds.

pub(super) const LOOSEST: u8 = 0;
pub(super) const SINCE: u8 = 2;
pub(super) const TEMPORAL: u8 = 4;
pub(super) const QUANTIFIER: u8 = 6;
pub(super) const EQUIV: u8 = 8;
pub(super) const IMPLIES: u8 = 10;
pub(super) const OR: u8 = 12;
pub(super) const AND: u8 = 14;
pub(super) const NOT: u8 = 16;
pub(super) const COMPARE: u8 = 18;
pub(super) const ADD: u8 = 20;
pub(super) const MULTIPLY: u8 = 22;
pub(super) const NEGATE: u8 = 24;
