//! The instruction of the processor that fetches memory beforehand.

/// Asks the processor to fetch what is at a place, without waiting for it.
#[inline(always)]
pub(crate) fn fetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the place is there, and nothing is read or written: the processor may fetch it, or not.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}
