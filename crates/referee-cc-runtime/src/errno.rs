//! The program's `errno`, which is as it was when the run time is done.

/// Keeps `errno` until it is dropped.
pub(crate) struct KeptErrno(i32);

impl KeptErrno {
    pub(crate) fn new() -> KeptErrno {
        // SAFETY: the place of `errno` is the thread's own.
        KeptErrno(unsafe { *libc::__errno_location() })
    }
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}
