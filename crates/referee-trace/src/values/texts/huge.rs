//! Zeroed memory, in large pages where there is much of it.
//!
//! A processor remembers where some thousand pages lie. At 4 KiB each that is less than a table of half a million texts, and
//! every look-up waits for a walk through the page tables first; in pages of 2 MiB the table is a handful. A large page is
//! also had at once, where five hundred small ones take five times as long. The system may refuse them; then nothing is
//! different but the time.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// A large page. Below this much memory there is nothing to gain.
pub(super) const LARGE: usize = 2 << 20;

/// Memory that was zero at first.
#[derive(Debug)]
pub(super) enum Memory {
    /// A little.
    Small(Vec<u8>),
    /// Much, from the system itself: an allocator would hand out pages that were used before.
    Large(MmapMut),
}

impl Default for Memory {
    fn default() -> Self {
        Memory::Small(Vec::new())
    }
}

impl Memory {
    /// So many bytes.
    pub(super) fn zeroed(size: usize) -> Memory {
        let Some(mapped) = (size >= LARGE).then(|| MmapMut::map_anon(size)).and_then(Result::ok) else {
            return Memory::Small(vec![0; size]);
        };
        // No such pages, no gain; there is nothing else to do about it.
        #[cfg(target_os = "linux")]
        let _ = mapped.advise(memmap2::Advice::HugePage);
        Memory::Large(mapped)
    }
}

impl Deref for Memory {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Memory::Small(bytes) => bytes,
            Memory::Large(mapped) => mapped,
        }
    }
}

impl DerefMut for Memory {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Memory::Small(bytes) => bytes,
            Memory::Large(mapped) => mapped,
        }
    }
}
