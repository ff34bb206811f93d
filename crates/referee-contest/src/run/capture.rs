//! The output of a run in a file: its beginning, and how much more there was.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;

use super::status::{Said, Scanner};

/// How many bytes of a stream are kept.
pub const KEPT: u64 = 1 << 20;

/// A stream of a run's output.
pub(super) struct Capture<R> {
    source: Option<R>,
    file: File,
    length: u64,
    scanner: Scanner,
    fault: Option<io::Error>,
}

impl<R: Read + AsRawFd> Capture<R> {
    /// Will keep what comes from a pipe in a file.
    pub(super) fn new(source: Option<R>, file: &Path) -> io::Result<Capture<R>> {
        if let Some(source) = &source {
            set_nonblocking(source.as_raw_fd())?;
        }
        Ok(Capture { source, file: File::create(file)?, length: 0, scanner: Scanner::default(), fault: None })
    }

    /// The pipe, while it is open.
    pub(super) fn descriptor(&self) -> Option<RawFd> {
        self.source.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Takes what is in the pipe, at most so many times the buffer, so that others have their turn.
    pub(super) fn drain(&mut self, buffer: &mut [u8]) {
        for _ in 0..16 {
            let Some(source) = &mut self.source else { return };
            match source.read(buffer) {
                Ok(0) => self.source = None,
                Ok(count) => self.keep(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.source = None,
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.scanner.take(bytes);
        let room = KEPT.saturating_sub(self.length).min(bytes.len() as u64) as usize;
        self.length += bytes.len() as u64;
        if room > 0 && self.fault.is_none() {
            self.fault = self.file.write_all(&bytes[..room]).err();
        }
    }

    /// Closes the file, and says what the stream said, how long it was, and whether it could be kept.
    pub(super) fn finish(mut self) -> (Said, u64, Option<io::Error>) {
        if self.length > KEPT && self.fault.is_none() {
            let note = format!("\n[{} more bytes were written and not kept]\n", self.length - KEPT);
            self.fault = self.file.write_all(note.as_bytes()).err();
        }
        (self.scanner.finish(), self.length, self.fault)
    }
}

fn set_nonblocking(descriptor: RawFd) -> io::Result<()> {
    // SAFETY: both calls take a descriptor that is open and change its flags only.
    let changed = unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if changed < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
