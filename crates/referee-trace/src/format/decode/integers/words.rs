//! Text as words of eight bytes.

/// The eight bytes before a position.
///
/// # Safety
///
/// `8 <= position`, and so much text is there.
#[inline(always)]
pub(super) unsafe fn word_before(text: *const u8, position: usize) -> u64 {
    // SAFETY: the caller's promise.
    u64::from_le(unsafe { text.add(position - 8).cast::<u64>().read_unaligned() })
}
