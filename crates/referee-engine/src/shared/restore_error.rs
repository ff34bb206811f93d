//! Why a monitor cannot go on from the bytes of a snapshot.

use crate::shared::bytes::Damaged;

/// The layout of the bytes of a snapshot; another layout needs another number.
pub(crate) const SNAPSHOT_VERSION: u8 = 1;

/// Why a monitor cannot go on from a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The bytes do not begin as a snapshot does.
    #[error("this is no snapshot of a monitor; give the bytes that `Snapshot::to_bytes` returned")]
    NotASnapshot,
    /// The snapshot has a layout that this version does not know.
    #[error("the snapshot has layout {0}, and this version reads layout {SNAPSHOT_VERSION}; take a new one")]
    OtherVersion(u8),
    /// The bytes were changed or cut off.
    #[error("the snapshot is damaged: its checksum or its content is not what was written")]
    Damaged,
    /// The snapshot belongs to another property.
    #[error("the snapshot was taken of another property; restore it into a monitor of the same text and options")]
    OtherProperty,
}

impl From<Damaged> for RestoreError {
    fn from(_: Damaged) -> RestoreError {
        RestoreError::Damaged
    }
}
