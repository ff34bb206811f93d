//! The numbers of points, one per row.

use crate::fo::store::row::Row;

/// The numbers of points, one per row: half as wide as numbers of points are, until one does not fit.
#[derive(Debug, Clone)]
#[repr(u8)]
pub(crate) enum Stamps {
    /// The number of a row is its stamp.
    Numbers,
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Default for Stamps {
    fn default() -> Stamps {
        Stamps::Narrow(Vec::new())
    }
}

impl Stamps {
    /// Makes room for so many rows.
    pub(super) fn reserve(&mut self, rows: usize) {
        match self {
            Stamps::Numbers => {}
            Stamps::Narrow(stamps) => stamps.reserve(rows),
            Stamps::Wide(stamps) => stamps.reserve(rows),
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, stamp: u64) {
        match (self, u32::try_from(stamp)) {
            (Stamps::Numbers, _) => {}
            (Stamps::Narrow(stamps), Ok(stamp)) => stamps.push(stamp),
            (Stamps::Wide(stamps), _) => stamps.push(stamp),
            (narrow, Err(_)) => {
                narrow.widen();
                narrow.push_wide(stamp);
            }
        }
    }

    #[inline(never)]
    fn push_wide(&mut self, stamp: u64) {
        if let Stamps::Wide(stamps) = self {
            stamps.push(stamp);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, row: Row) -> u64 {
        match self {
            Stamps::Numbers => u64::from(row),
            Stamps::Narrow(stamps) => u64::from(stamps[row as usize]),
            Stamps::Wide(stamps) => stamps[row as usize],
        }
    }

    /// Whether no stamp of some rows, one behind the other, is above one.
    #[inline(always)]
    pub(super) fn none_above(&self, rows: std::ops::Range<Row>, most: u64) -> bool {
        let places = rows.start as usize..rows.end as usize;
        // Without a branch for each.
        match self {
            Stamps::Numbers => rows.is_empty() || u64::from(rows.end) - 1 <= most,
            Stamps::Narrow(stamps) => {
                stamps[places].iter().fold(true, |none, stamp| none & (u64::from(*stamp) <= most))
            }
            Stamps::Wide(stamps) => stamps[places].iter().fold(true, |none, stamp| none & (*stamp <= most)),
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, row: Row, stamp: u64) {
        match (self, u32::try_from(stamp)) {
            // Only [`RowTable::put`] gives such rows a stamp.
            (Stamps::Numbers, _) => {}
            (Stamps::Narrow(stamps), Ok(stamp)) => stamps[row as usize] = stamp,
            (Stamps::Wide(stamps), _) => stamps[row as usize] = stamp,
            (narrow, Err(_)) => {
                narrow.widen();
                narrow.set_wide(row, stamp);
            }
        }
    }

    #[inline(never)]
    fn set_wide(&mut self, row: Row, stamp: u64) {
        if let Stamps::Wide(stamps) = self {
            stamps[row as usize] = stamp;
        }
    }

    #[inline(never)]
    fn widen(&mut self) {
        if let Stamps::Narrow(stamps) = self {
            *self = Stamps::Wide(stamps.iter().map(|stamp| u64::from(*stamp)).collect());
        }
    }
}
