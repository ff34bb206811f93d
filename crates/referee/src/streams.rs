//! The standard streams, whose readers may go away at any time.
//!
//! Who pipes results into `head` has seen enough, which changes neither what is true nor how the process ends. Results that
//! nobody reads are dropped, and so are messages.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Stdout, Write};

/// Standard output; once its reader is gone, it takes everything and keeps nothing.
pub(crate) struct Results<W = Stdout> {
    out: W,
    closed: bool,
}

impl Results {
    /// The standard output of the process.
    pub(crate) fn stdout() -> Results {
        Results::to(io::stdout())
    }
}

impl<W: Write> Results<W> {
    /// What `out` prints to: standard output, in colour or locked.
    pub(crate) fn to(out: W) -> Results<W> {
        Results { out, closed: false }
    }

    /// Whether the reader is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    fn unless_closed<T>(&mut self, dropped: T, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(dropped);
        }
        match act(&mut self.out) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(dropped)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for Results<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}

/// Writes a line to standard error, if anybody listens.
pub(crate) fn tell_line(text: Arguments<'_>) {
    // There is nobody to tell that nobody listens.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Tells something that is no result, on standard error.
macro_rules! tell {
    ($($text:tt)*) => { $crate::streams::tell_line(format_args!($($text)*)) };
}
pub(crate) use tell;

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes some bytes, then breaks.
    struct Reader {
        left: usize,
        reason: ErrorKind,
    }

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.left {
                0 => Err(self.reason.into()),
                left => {
                    let taken = left.min(bytes.len());
                    self.left -= taken;
                    Ok(taken)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn results_that_nobody_reads_are_dropped() {
        let mut results = Results::to(Reader { left: 3, reason: ErrorKind::BrokenPipe });
        assert!(results.write_all(b"abc").is_ok() && !results.is_closed());
        assert!(results.write_all(b"defg").is_ok() && results.is_closed());
        assert!(results.write_all(b"h").and_then(|()| results.flush()).is_ok());
    }

    #[test]
    fn a_full_disk_is_no_closed_pipe() {
        let mut results = Results::to(Reader { left: 0, reason: ErrorKind::StorageFull });
        assert!(results.write_all(b"abc").is_err() && !results.is_closed());
    }
}
