//! Memory of the run time's own, so that the program's `malloc` neither sees it nor is entered twice.
//!
//! ```text
//!   up to 32 KB   sizes 16, 32, 48, 64, 96, 128, 192, …: a list of free blocks for each, cut from pieces of a megabyte
//!   more          pages from the kernel, which move when they grow
//! ```
//!
//! One lock guards the lists. Whoever judges holds the lock of `judging` as well and has blocked signals, so that nobody waits here for
//! himself; a process that forks does so while it holds that lock, so that the child's lists are whole.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::memory;

/// The greatest block from a list.
const LARGEST: usize = 1 << 15;
/// How much is taken from the kernel at once.
const PIECE: usize = 1 << 20;
/// How many sizes there are: two per power of two, from 16 to 32768.
const SIZES: usize = 23;
/// From this size on, large pages pay.
const HUGE: usize = 4 << 20;
const PAGE: usize = 4096;

/// The allocator.
pub(crate) struct OwnPages;

struct Lists {
    is_taken: AtomicBool,
    inner: UnsafeCell<Inner>,
}

struct Inner {
    free: [*mut u8; SIZES],
    next: *mut u8,
    left: usize,
}

// SAFETY: what is inside is touched by the one who has taken the flag.
unsafe impl Sync for Lists {}

static LISTS: Lists = Lists {
    is_taken: AtomicBool::new(false),
    inner: UnsafeCell::new(Inner { free: [ptr::null_mut(); SIZES], next: ptr::null_mut(), left: 0 }),
};

/// The number of the least size that has room for `size` bytes, and that size.
fn size_class(size: usize) -> (usize, usize) {
    if size <= 16 {
        return (0, 16);
    }
    let power = usize::BITS - (size - 1).leading_zeros() - 1;
    let base = 1 << power;
    // Between two powers of two lies one size, where it is a multiple of 16.
    let middle = base + base / 2;
    let class = 2 * (power as usize - 4);
    if size <= middle && middle.is_multiple_of(16) { (class + 1, middle) } else { (class + 2, base * 2) }
}

impl Lists {
    fn with<R>(&self, act: impl FnOnce(&mut Inner) -> R) -> R {
        while self.is_taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        // SAFETY: the flag is this thread's.
        let result = act(unsafe { &mut *self.inner.get() });
        self.is_taken.store(false, Ordering::Release);
        result
    }
}

impl Inner {
    fn take(&mut self, class: usize, size: usize) -> *mut u8 {
        let first = self.free[class];
        if !first.is_null() {
            // SAFETY: a free block begins with the place of the next one.
            self.free[class] = unsafe { first.cast::<*mut u8>().read() };
            return first;
        }
        if self.left < size {
            let piece = memory::map(PIECE);
            if piece.is_null() {
                return piece;
            }
            (self.next, self.left) = (piece, PIECE);
        }
        let block = self.next;
        // SAFETY: the piece has at least `size` bytes left.
        self.next = unsafe { block.add(size) };
        self.left -= size;
        block
    }

    fn give(&mut self, class: usize, block: *mut u8) {
        // SAFETY: a block has at least 16 bytes, and nobody uses it.
        unsafe { block.cast::<*mut u8>().write(self.free[class]) };
        self.free[class] = block;
    }
}

/// Whole pages for a large block.
fn rounded(size: usize) -> usize {
    size.next_multiple_of(PAGE)
}

fn is_small(layout: &Layout) -> bool {
    layout.size() <= LARGEST && layout.align() <= 16
}

// SAFETY: blocks come from lists of their size or from the kernel, are aligned to 16 or to a page, and no two overlap.
unsafe impl GlobalAlloc for OwnPages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_small(&layout) {
            let (class, size) = size_class(layout.size());
            return LISTS.with(|lists| lists.take(class, size));
        }
        if layout.align() > PAGE {
            return ptr::null_mut();
        }
        let size = rounded(layout.size());
        let block = memory::map(size);
        if size >= HUGE && !block.is_null() {
            // SAFETY: a hint about pages that were just made.
            unsafe { libc::madvise(block.cast(), size, libc::MADV_HUGEPAGE) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_small(&layout) {
            let (class, _) = size_class(layout.size());
            return LISTS.with(|lists| lists.give(class, block));
        }
        // SAFETY: the block is one of its own pages, as its layout tells.
        unsafe { memory::unmap(block, rounded(layout.size())) };
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() && is_small(&layout) {
            // SAFETY: the block has that many bytes. Pages from the kernel are zeros already.
            unsafe { ptr::write_bytes(block, 0, layout.size()) };
        }
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises a size that fits the alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let (was_small, becomes_small) = (is_small(&layout), is_small(&new));
        if was_small && becomes_small && size_class(layout.size()).0 == size_class(size).0 {
            return block;
        }
        if !was_small && !becomes_small {
            // SAFETY: the pages are the block's own, and the kernel moves them.
            let moved =
                unsafe { libc::mremap(block.cast(), rounded(layout.size()), rounded(size), libc::MREMAP_MAYMOVE) };
            return if moved == libc::MAP_FAILED { ptr::null_mut() } else { moved.cast() };
        }
        // SAFETY: both blocks have at least the bytes that are copied.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}
