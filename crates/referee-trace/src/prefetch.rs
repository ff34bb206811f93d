//! Asking for memory before it is needed.
//!
//! A read that misses the caches keeps its place in the processor's queue until it is answered, and a queue holds the reads
//! of few look-ups. What is only asked for leaves the queue at once: reading half a million different strings takes a fifth less.

/// Asks for the element at `index`, if there is one.
#[inline(always)]
pub fn of<T>(all: &[T], index: usize) {
    if let Some(element) = all.get(index) {
        ask(element);
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn ask<T>(element: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: asking changes nothing that a program can see, and the element is there.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn ask<T>(element: &T) {
    let _ = element;
}
