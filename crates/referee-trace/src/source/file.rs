//! The text of a regular file, read block by block into memory of our own.
//!
//! ```text
//!  file     ──────────────────────────────┬── length when it was opened
//!  buffer         [consumed|available|    ]      what is available moves to the front, and more is read behind it
//! ```
//!
//! Nothing is mapped: another process may truncate or rewrite a file at any time, and a mapping would show that as a
//! signal, or as text that changes after it was checked. What is in the buffer stays as it is. No lines are counted
//! either: where an error needs its place, the file is read again up to there.
//!
//! A file is read up to the length that it had when it was opened, so a log that grows is judged as it was then. What
//! became of it meanwhile is asked at its end, and whenever reading stops before: see [`Watch`].

use std::fs::{File, Metadata};
use std::io;
use std::time::SystemTime;

use super::place::LinePlace;

/// How many bytes at both ends of a file tell whether it was rewritten or has only grown.
const SAMPLE: usize = 4096;

/// A file of which some bytes are in memory.
pub(super) struct FileText {
    file: File,
    /// How long the file was when it was opened.
    length: u64,
    /// Where the text begins: behind the byte order mark.
    pub first: u64,
    /// Where in the file `buffer[end]` belongs.
    position: u64,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl FileText {
    pub(super) fn new(file: File, length: u64, window: usize) -> FileText {
        // A small file needs no large buffer.
        let room = usize::try_from(length).map_or(window, |length| length.min(window));
        FileText { file, length, first: 0, position: 0, buffer: vec![0; room], start: 0, end: 0 }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// What has been read and not consumed.
    pub(super) fn available(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Whether the file ends with what is available.
    pub(super) fn ended(&self) -> bool {
        self.position >= self.length
    }

    /// How much of the file has been consumed.
    pub(super) fn consumed(&self) -> u64 {
        self.position - self.available().len() as u64
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    /// Reads until so many bytes are available, or all that the file had when it was opened. Fewer bytes than it had are an
    /// unexpected end.
    pub(super) fn read_up_to(&mut self, least: usize, window: usize) -> io::Result<()> {
        if self.available().len() >= least || self.ended() {
            return Ok(());
        }
        self.make_room(least, window);
        while self.end < least && !self.ended() {
            let left = usize::try_from(self.length - self.position).unwrap_or(usize::MAX);
            let room = (self.buffer.len() - self.end).min(left);
            match read_at(&self.file, &mut self.buffer[self.end..][..room], self.position) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    self.end += count;
                    self.position += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Moves what is left to the front of a buffer of at least this length; one that grew for a long event shrinks again.
    fn make_room(&mut self, least: usize, window: usize) {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.buffer.len() < least {
            self.buffer.resize(least, 0);
        } else if least <= window && self.buffer.len() > 4 * window {
            self.buffer.truncate(window);
            self.buffer.shrink_to_fit();
        }
    }

    /// The place of the byte at `offset` of what is available, counted anew from the start of the file.
    pub(super) fn place_after(&self, offset: usize) -> LinePlace {
        let end = self.consumed() + offset.min(self.available().len()) as u64;
        let (mut place, mut at) = (LinePlace::START, self.first);
        let mut block = vec![0; 64 << 10];
        while at < end {
            let size = usize::try_from(end - at).unwrap_or(usize::MAX).min(block.len());
            match read_at(&self.file, &mut block[..size], at) {
                Ok(0) => break,
                Ok(count) => (place, at) = (place.after(&block[..count]), at + count as u64),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        place
    }
}

/// What a file was when it was opened.
///
/// | when reading ends, the file | it |
/// |---|---|
/// | has its length and the time of its last change | is as it was |
/// | is longer, and its first and last [`SAMPLE`] bytes of before are where they were | has grown: what was read is what it was |
/// | is shorter | was truncated |
/// | is anything else | was rewritten |
pub(super) struct Watch {
    file: File,
    length: u64,
    changed: Option<SystemTime>,
    samples: [Vec<u8>; 2],
}

impl Watch {
    pub(super) fn new(file: &File, about: &Metadata) -> io::Result<Watch> {
        let (file, length) = (file.try_clone()?, about.len());
        let samples = samples(&file, length)?;
        Ok(Watch { file, length, changed: about.modified().ok(), samples })
    }

    /// What was done to the file since, if what was read may not be what it was.
    pub(super) fn change(&self) -> Option<&'static str> {
        let about = self.file.metadata().ok()?;
        if about.len() < self.length {
            return Some("was truncated");
        }
        if about.modified().ok() == self.changed {
            return None;
        }
        let has_grown =
            about.len() > self.length && samples(&self.file, self.length).ok().as_ref() == Some(&self.samples);
        (!has_grown).then_some("was rewritten")
    }
}

/// The first and the last bytes of a file of this length.
fn samples(file: &File, length: u64) -> io::Result<[Vec<u8>; 2]> {
    let size = usize::try_from(length).unwrap_or(usize::MAX).min(SAMPLE);
    let sample = |at: u64| {
        let mut bytes = vec![0; size];
        let count = read_at(file, &mut bytes, at)?;
        bytes.truncate(count);
        Ok::<_, io::Error>(bytes)
    };
    Ok([sample(0)?, sample(length - size as u64)?])
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}
