//! Pages straight from the kernel.

use std::ptr;

/// Pages of zeros, at least `size` bytes; null if there are none.
pub(crate) fn map(size: usize) -> *mut u8 {
    // SAFETY: an anonymous mapping touches no memory that anybody has.
    let pages = unsafe {
        libc::mmap(
            ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if pages == libc::MAP_FAILED { ptr::null_mut() } else { pages.cast() }
}

/// Gives pages back.
///
/// # Safety
///
/// The pages came from [`map`] or were shared by the kernel, and nobody uses them.
pub(crate) unsafe fn unmap(pages: *mut u8, size: usize) {
    // SAFETY: the caller says that nobody uses them.
    unsafe { libc::munmap(pages.cast(), size) };
}
