//! What the events of several policies hold.

use crate::story::Content;

/// Transactions above this amount are subject to the first two policies.
pub(super) const THRESHOLD: u64 = 2000;

pub(super) const CUSTOMER: (&str, Content) = ("c", Content::Identity("customer"));
pub(super) const TRANSACTION: (&str, Content) = ("t", Content::Identity("transaction"));
pub(super) const AMOUNT: (&str, Content) = ("a", Content::Quantity);
