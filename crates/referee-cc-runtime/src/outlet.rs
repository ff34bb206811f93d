//! Where results and traces go: descriptors that the program does not see change under its hands.
//!
//! A program may close all descriptors, or open another file under the number of standard error. So the run time keeps a descriptor of its
//! own with a high number, and looks before it writes whether it is still the same file.

use std::ffi::CString;
use std::io::{self, Write};

/// The numbers above which descriptors are looked for, the best first.
const HIGH: [i32; 3] = [1000, 200, 20];
/// How much of a trace is written at once.
const BLOCK: usize = 1 << 16;

/// A file that the run time writes to.
pub(crate) struct Outlet {
    descriptor: i32,
    /// Device and number of the file.
    file: Option<(u64, u64)>,
    waiting: Vec<u8>,
    block: usize,
}

impl Outlet {
    /// Standard error as it is now.
    pub(crate) fn standard_error() -> Outlet {
        Outlet::of(high(2).unwrap_or(2), 0)
    }

    /// A file for results: what is there stays.
    pub(crate) fn report(path: &str) -> Result<Outlet, String> {
        Ok(Outlet::of(open(path, libc::O_APPEND)?, 0))
    }

    /// A file for a trace: what is there goes.
    pub(crate) fn trace(path: &str) -> Result<Outlet, String> {
        Ok(Outlet::of(open(path, libc::O_TRUNC)?, BLOCK))
    }

    fn of(descriptor: i32, block: usize) -> Outlet {
        Outlet { descriptor, file: identity(descriptor), waiting: Vec::new(), block }
    }
}

fn open(path: &str, how: i32) -> Result<i32, String> {
    let unusable = |problem: String| format!("{path}: the file cannot be written: {problem}");
    let name = CString::new(path).map_err(|error| unusable(error.to_string()))?;
    // SAFETY: the name is a C text.
    let low = unsafe { libc::open(name.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_CLOEXEC | how, 0o666) };
    if low < 0 {
        return Err(unusable(io::Error::last_os_error().to_string()));
    }
    let Some(high) = high(low) else { return Ok(low) };
    // SAFETY: the low number was just opened here.
    unsafe { libc::close(low) };
    Ok(high)
}

/// A copy of a descriptor with a high number.
fn high(descriptor: i32) -> Option<i32> {
    // SAFETY: copies a descriptor, if it is one.
    HIGH.into_iter()
        .map(|least| unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, least) })
        .find(|copy| *copy >= 0)
}

fn identity(descriptor: i32) -> Option<(u64, u64)> {
    let mut about = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the kernel fills what it is given, or says that it did not.
    unsafe { (libc::fstat(descriptor, about.as_mut_ptr()) == 0).then(|| about.assume_init()) }
        .map(|about| (about.st_dev, about.st_ino))
}

/// Writes all bytes to a descriptor, without a point at which the thread could be cancelled.
fn write_all(descriptor: i32, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: the bytes are there. `syscall` is no cancellation point, unlike `write`.
        let written = unsafe { libc::syscall(libc::SYS_write, descriptor, bytes.as_ptr(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) => bytes = &bytes[written.min(bytes.len())..],
            Err(_) => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error if error.kind() == io::ErrorKind::WouldBlock => std::thread::yield_now(),
                error => return Err(error),
            },
        }
    }
    Ok(())
}

impl Outlet {
    fn write_waiting(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() || identity(self.descriptor) != self.file {
            return Ok(());
        }
        write_all(self.descriptor, &waiting)
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() > self.block {
            self.write_waiting()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_waiting()
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.write_waiting();
    }
}
