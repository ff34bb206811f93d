//! Large pieces of memory, in large pages.
//!
//! ```text
//!  below 1 MiB   the system's allocator
//!  from there    whole pages of 2 MiB from the system itself; a piece that grows is moved by its pages, not by its bytes
//! ```
//!
//! Tables of a million rows are a few large arrays. In pages of 4 KiB, every page that is touched first costs a microsecond or
//! two, and later most reads wait for the processor to find the page. Judging a million events that fill such tables
//! took up to an eighth less time in pages of 2 MiB. The system may refuse them; then they are small pages as before.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::NonNull;

/// From this size on a piece is in pages of its own. Tables grow by doubling, so what fills half a page will soon fill one.
const LARGE: usize = PAGE / 2;
/// The size of a large page, and how large pieces are aligned.
const PAGE: usize = 2 << 20;

/// An allocator that asks for large pages where there is much to keep.
pub(crate) struct LargePages;

// SAFETY: a piece is large or not by its layout alone, so that what one allocator gave goes back to the same. Large ones are
// mapped, whole and aligned to more than a layout with `is_large` asks for, and nobody else knows them. Nothing here panics.
unsafe impl GlobalAlloc for LargePages {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return address(map(pages(layout.size())));
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            // What was never touched is zero.
            return address(map(pages(layout.size())));
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        if is_large(layout) {
            // SAFETY: these are the pages that were mapped for this layout.
            return unsafe { unmap(piece, pages(layout.size())) };
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(piece, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size, rounded up to the alignment, does not overflow.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the caller's promise; a piece is large or not by its layout.
        unsafe {
            match (is_large(layout), is_large(new)) {
                (false, false) => System.realloc(piece, layout, size),
                (true, true) => resize(piece, pages(layout.size()), pages(size)),
                _ => self.copy(piece, layout, new),
            }
        }
    }
}

impl LargePages {
    /// Moves a piece between the two kinds.
    ///
    /// # Safety
    ///
    /// The piece has the old layout.
    #[cold]
    unsafe fn copy(&self, piece: *mut u8, old: Layout, new: Layout) -> *mut u8 {
        // SAFETY: the caller's promise; the new piece is another one, and has room for what both have.
        unsafe {
            let to = self.alloc(new);
            if !to.is_null() {
                std::ptr::copy_nonoverlapping(piece, to, old.size().min(new.size()));
                self.dealloc(piece, old);
            }
            to
        }
    }
}

/// Whether a piece is in pages of its own.
#[inline(always)]
fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

/// How many bytes the pages of a piece have. No layout is so large that this overflows.
fn pages(size: usize) -> usize {
    size.next_multiple_of(PAGE)
}

fn address(piece: Option<NonNull<u8>>) -> *mut u8 {
    piece.map_or(std::ptr::null_mut(), NonNull::as_ptr)
}

/// Maps so many bytes, which are whole pages, aligned as these are.
#[cold]
fn map(size: usize) -> Option<NonNull<u8>> {
    let piece = reserve(size, libc::PROT_READ | libc::PROT_WRITE)?;
    // SAFETY: these pages are ours. If it is refused, nothing is different but the time.
    unsafe { libc::madvise(piece.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
    Some(piece)
}

/// Finds room for so many bytes, aligned to large pages.
fn reserve(size: usize, protection: libc::c_int) -> Option<NonNull<u8>> {
    let all = size.checked_add(PAGE)?;
    // SAFETY: new pages, wherever there is room.
    let start =
        unsafe { libc::mmap(std::ptr::null_mut(), all, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let start: *mut u8 = start.cast();
    let before = start.align_offset(PAGE);
    // SAFETY: what lies before and behind the aligned bytes is part of what was just mapped.
    unsafe {
        unmap(start, before);
        unmap(start.add(before + size), PAGE - before);
        Some(NonNull::new_unchecked(start.add(before)))
    }
}

/// Gives bytes back, if there are any.
///
/// # Safety
///
/// They are whole pages that were mapped here, and nobody uses them any more.
unsafe fn unmap(piece: *mut u8, size: usize) {
    if size > 0 {
        // SAFETY: the caller's promise.
        unsafe { libc::munmap(piece.cast(), size) };
    }
}

/// Gives a piece another size: its pages move to where there is room, none is copied.
///
/// # Safety
///
/// So many bytes were mapped for the piece; both sizes are whole pages.
#[cold]
unsafe fn resize(piece: *mut u8, old: usize, new: usize) -> *mut u8 {
    if old == new {
        return piece;
    }
    let Some(room) = reserve(new, libc::PROT_NONE) else { return std::ptr::null_mut() };
    // SAFETY: the pages of the piece take the place of the room, which nobody knows but us.
    let moved = unsafe {
        let (from, to) = (piece.cast(), room.as_ptr().cast::<libc::c_void>());
        libc::mremap(from, old, new, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, to)
    };
    if moved == libc::MAP_FAILED {
        // SAFETY: the room is still ours, and the piece is where it was.
        unsafe { unmap(room.as_ptr(), new) };
        return std::ptr::null_mut();
    }
    moved.cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_what_is_in_them_whatever_size_they_get() {
        let sizes = [100, LARGE - 1, LARGE, PAGE, PAGE + 1, 5 * PAGE, 20 * PAGE, 3 * PAGE, LARGE, 4000, 7 * PAGE, 8];
        let layout = |size| Layout::from_size_align(size, 8).expect("a small alignment");
        // SAFETY: every piece is used within its size, and given back once.
        unsafe {
            let mut piece = LargePages.alloc(layout(sizes[0]));
            let mut filled = 0;
            for pair in sizes.windows(2) {
                for at in filled..pair[0] {
                    *piece.add(at) = at as u8;
                }
                piece = LargePages.realloc(piece, layout(pair[0]), pair[1]);
                assert!(!piece.is_null() && piece.addr().is_multiple_of(8));
                filled = pair[0].min(pair[1]);
                assert!((0..filled).all(|at| *piece.add(at) == at as u8), "{pair:?}");
            }
            LargePages.dealloc(piece, layout(sizes[sizes.len() - 1]));
        }
    }

    #[test]
    fn zeroed_pieces_are_zero_and_aligned() {
        for (size, align) in [(16, 8), (LARGE, 8), (3 * PAGE + 5, 64), (LARGE, PAGE), (LARGE, 2 * PAGE)] {
            let layout = Layout::from_size_align(size, align).expect("an alignment");
            // SAFETY: the piece is used within its size, and given back once.
            unsafe {
                let piece = LargePages.alloc_zeroed(layout);
                assert!(!piece.is_null() && piece.addr().is_multiple_of(align));
                assert!((0..size).all(|at| *piece.add(at) == 0));
                LargePages.dealloc(piece, layout);
            }
        }
    }

    #[test]
    fn what_cannot_be_had_is_null() {
        let layout = Layout::from_size_align(isize::MAX as usize - PAGE, 8).expect("a layout");
        // SAFETY: nothing is used.
        assert!(unsafe { LargePages.alloc(layout) }.is_null());
    }
}
