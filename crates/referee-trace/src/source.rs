//! Where bytes come from: files, pipes, compressed streams.
//!
//! ```text
//!  regular file ──────────────▶ file ───┐
//!  gzip, zstd ─▶ decompressor ─┐        ├─▶ window: valid UTF-8, no NUL ─▶ decoder
//!  pipe, `-`  ─────────────────┴▶ stream┘          ▲                         │
//!                                                  └── what was left over ◀──┘
//! ```
//!
//! A decoder sees one *window* of text at a time: [`WINDOW`] bytes of a file, so that checking and decoding find them in
//! the cache; of a stream whatever one read brought, so that a live stream is judged as it arrives. What a decoder
//! leaves over comes again with more behind it. Once that is long, the next window is at least twice as long, so an
//! event of n bytes costs O(n) in all, however the bytes trickle in. [`Source::window`] refuses to go beyond the limit.
//!
//! Memory: a source holds one buffer of [`WINDOW`] bytes (more only while one event needs more, at most the limit) and
//! its decompressor's state, which is 32 KiB for gzip and at most 8 MiB for zstd; longer zstd windows are refused.
//!
//! Text before a bad byte is served first: which events come before the error does not depend on window borders.

#[cfg(feature = "arrow")]
mod columns;
mod file;
mod journal;
mod place;

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use crate::error::TraceError;
use crate::format::Block;
use file::{FileText, Watch};
use journal::JournalText;
use place::LinePlace;

/// How many bytes of a file a decoder gets at a time.
pub const WINDOW: usize = 256 << 10;

/// The longest line or event that is read unless the user allows more.
pub const MAX_LINE: usize = 64 << 20;

/// Left-over text below this length is tried again with every byte that arrives; above it, only when it has doubled.
const PATIENCE: usize = 64 << 10;

/// The largest zstd window that is accepted, as a power of two: what `zstd -19` writes, and 8 MiB of memory.
const ZSTD_WINDOW_LOG: u32 = 23;

/// The byte order marks of UTF-8 and, to refuse it, UTF-16.
const MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];

/// An input that is read window by window.
pub struct Source {
    name: String,
    bytes: SourceBytes,
    /// What a regular file was when it was opened.
    watch: Option<Watch>,
    /// How many bytes the last window was made of.
    shown: usize,
    /// How many bytes at the current position the decoder has had before it and left over.
    tried: usize,
    /// No window is longer than this.
    limit: usize,
    /// Whether a byte order mark has been looked for.
    started: bool,
}

enum SourceBytes {
    File(FileText),
    Stream(Stream),
}

/// What is wrong with a byte of the input.
#[derive(Debug, Clone, Copy)]
enum Flaw {
    Nul,
    NotUtf8(u8),
}

impl Source {
    /// Opens a file, or standard input for `-`. Compression is found from the content.
    pub fn open(path: &Path) -> Result<Source, TraceError> {
        let name = path.display().to_string();
        let opened = match name.as_str() {
            "-" => Stream::open(Box::new(io::stdin()), None).map(|stream| (SourceBytes::Stream(stream), None)),
            _ => open_file(path),
        };
        match opened {
            Ok((bytes, watch)) => Ok(Source { watch, ..Source::new(name, bytes) }),
            Err(error) => Err(cannot_open(&error).in_file(name)),
        }
    }

    /// Reads from a pipe, a socket or anything else. Compression is found from the content.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Result<Source, TraceError> {
        match Stream::open(Box::new(reader), None) {
            Ok(stream) => Ok(Source::new(name.to_owned(), SourceBytes::Stream(stream))),
            Err(error) => Err(cannot_open(&error).in_file(name)),
        }
    }

    fn new(name: String, bytes: SourceBytes) -> Source {
        Source { name, bytes, watch: None, shown: 0, tried: 0, limit: 0, started: false }.max_line(MAX_LINE)
    }

    /// The same source, with another bound on lines and events.
    #[must_use]
    pub fn max_line(mut self, bytes: usize) -> Source {
        // A decoder must see the line's end, and the last character of a window may be cut off.
        self.limit = bytes.saturating_add(5);
        self
    }

    /// The name that the user gave.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes of the file, compressed or not, have been read so far.
    pub fn bytes_read(&self) -> u64 {
        match &self.bytes {
            SourceBytes::File(file) => file.consumed(),
            SourceBytes::Stream(stream) => stream.read_so_far.load(Ordering::Relaxed),
        }
    }

    /// Whether its text is that of a table with a header, which was made of columns.
    pub(crate) fn is_table(&self) -> bool {
        matches!(&self.bytes, SourceBytes::Stream(Stream { encoding: Encoding::Parquet | Encoding::Arrow, .. }))
    }

    /// How many bytes there are to read, where that is known.
    pub fn bytes_total(&self) -> Option<u64> {
        match &self.bytes {
            SourceBytes::File(file) => Some(file.length()),
            SourceBytes::Stream(stream) => stream.total,
        }
    }

    /// The text at the current position. Waits until there is more of it than at the last call, or the input ends.
    pub fn window(&mut self) -> Result<Block<'_>, TraceError> {
        if !self.started {
            self.skip_mark()?;
            self.started = true;
        }
        self.fill(if self.tried < PATIENCE { self.tried + 1 } else { self.tried * 2 })?;
        let (bytes, at_end) = self.bytes.view(self.tried.saturating_mul(2).max(WINDOW).min(self.limit));
        self.shown = bytes.len();
        let (text, flaw) = clean_prefix(bytes, at_end);
        let stuck = text.len() <= self.tried;
        match flaw {
            Some(flaw) if stuck => Err(self.flaw(flaw, text.len())),
            None if stuck && !at_end && bytes.len() >= self.limit => Err(self.too_long()),
            _ => Ok(Block { text, last: at_end && flaw.is_none() }),
        }
    }

    /// Goes on behind the first `bytes` bytes of the last window.
    pub fn consume(&mut self, bytes: usize) {
        self.bytes.advance(bytes);
        self.tried = self.shown - bytes;
    }

    /// Line and column, counted from 1, of the byte at `offset` of the last window.
    pub fn locate(&self, offset: usize) -> (u64, u64) {
        let place = self.bytes.place_after(offset);
        (place.line, place.column)
    }

    /// The text from `offset` of the last window on.
    pub fn text_at(&self, offset: usize) -> &str {
        let bytes = self.bytes.view(self.shown).0.get(offset..).unwrap_or_default();
        clean_prefix(bytes, false).0
    }

    /// An error at `offset` of the last window.
    pub fn error_at(&self, offset: usize, message: impl Into<String>) -> TraceError {
        let (line, column) = self.locate(offset);
        TraceError::new(message).in_file(self.name.as_str()).at(line, column)
    }

    /// Refuses a file that was truncated or rewritten since it was opened: what was read of it is not what it was.
    pub fn check_unchanged(&self) -> Result<(), TraceError> {
        match self.watch.as_ref().and_then(Watch::change) {
            Some(what) => Err(self.changed(what)),
            None => Ok(()),
        }
    }

    fn changed(&self, what: &str) -> TraceError {
        self.error_at(self.bytes.view(usize::MAX).0.len(), format!("the file {what} while it was read"))
            .hint("judge a copy, or wait until its writer has finished")
    }

    /// Reads until `least` bytes are there, the limit is reached, or the input ends. Of a file, at least a window is read.
    fn fill(&mut self, least: usize) -> Result<(), TraceError> {
        let least = least.min(self.limit);
        let stream = match &mut self.bytes {
            SourceBytes::Stream(stream) => stream,
            SourceBytes::File(file) => {
                let size = self.tried.saturating_mul(2).max(WINDOW).max(least).min(self.limit);
                return match file.read_up_to(size, WINDOW) {
                    Ok(()) if file.ended() => self.check_unchanged(),
                    Ok(()) => Ok(()),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.changed("was truncated")),
                    Err(error) => Err(self.cannot_read(&error)),
                };
            }
        };
        while stream.available().len() < least && !stream.ended {
            if let Err(error) = stream.read_more() {
                return Err(self.cannot_read(&error));
            }
        }
        if stream.ended { self.check_unchanged() } else { Ok(()) }
    }

    fn skip_mark(&mut self) -> Result<(), TraceError> {
        self.fill(1)?;
        while is_proper_prefix(self.bytes.view(3).0, &MARKS) && !self.bytes.view(3).1 {
            self.fill(self.bytes.view(3).0.len() + 1)?;
        }
        match self.bytes.view(3).0 {
            [0xEF, 0xBB, 0xBF] => self.bytes.skip(3),
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                let error = self.error_at(0, "the text is in UTF-16, not in UTF-8");
                return Err(error.hint("convert it first: iconv -f UTF-16 -t UTF-8"));
            }
            _ => {}
        }
        Ok(())
    }

    fn flaw(&self, flaw: Flaw, offset: usize) -> TraceError {
        match flaw {
            Flaw::Nul => {
                self.error_at(offset, "NUL byte in the text").hint("is this a binary file? A trace is text in UTF-8")
            }
            Flaw::NotUtf8(byte) => self
                .error_at(offset, format!("byte 0x{byte:02X} is not valid UTF-8"))
                .hint("a trace is text in UTF-8; convert it first, for example: iconv -f LATIN1 -t UTF-8"),
        }
    }

    fn too_long(&self) -> TraceError {
        let allowed = self.limit - 5;
        self.error_at(0, format!("a line or event of more than {allowed} bytes starts here"))
            .hint("--max-line BYTES allows longer ones; a missing quote or end tag is a frequent reason")
    }

    fn cannot_read(&self, error: &io::Error) -> TraceError {
        if let Err(changed) = self.check_unchanged() {
            return changed;
        }
        let SourceBytes::Stream(stream) = &self.bytes else { return cannot_open(error).in_file(self.name.as_str()) };
        let (message, hint) = stream.encoding.explain(error);
        let error = self.error_at(stream.available().len(), message);
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

impl SourceBytes {
    /// At most `size` bytes from the current position, and whether the input ends with them.
    fn view(&self, size: usize) -> (&[u8], bool) {
        let (rest, ended) = match self {
            SourceBytes::File(file) => (file.available(), file.ended()),
            SourceBytes::Stream(stream) => (stream.available(), stream.ended),
        };
        let size = rest.len().min(size);
        (&rest[..size], ended && size == rest.len())
    }

    fn advance(&mut self, bytes: usize) {
        match self {
            SourceBytes::File(file) => file.consume(bytes),
            SourceBytes::Stream(stream) => {
                stream.place = stream.place.after(&stream.available()[..bytes]);
                stream.start += bytes;
            }
        }
    }

    /// Leaves out bytes at the start of the input that count for no column.
    fn skip(&mut self, bytes: usize) {
        match self {
            SourceBytes::File(file) => {
                file.first = bytes as u64;
                file.consume(bytes);
            }
            SourceBytes::Stream(stream) => stream.start += bytes,
        }
    }

    fn place_after(&self, offset: usize) -> LinePlace {
        match self {
            SourceBytes::File(file) => file.place_after(offset),
            SourceBytes::Stream(stream) => {
                stream.place.after(&stream.available()[..stream.available().len().min(offset)])
            }
        }
    }
}

/// The text before the first bad byte. A character that the end of `bytes` cuts off is bad only at the end of input.
fn clean_prefix(bytes: &[u8], at_end: bool) -> (&str, Option<Flaw>) {
    let (text, flaw) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let (valid, bad) = bytes.split_at(error.valid_up_to());
            let cut_off = error.error_len().is_none() && !at_end;
            let flaw = if cut_off { None } else { bad.first().map(|&byte| Flaw::NotUtf8(byte)) };
            (std::str::from_utf8(valid).unwrap_or_default(), flaw)
        }
    };
    match memchr::memchr(0, text.as_bytes()) {
        Some(at) => (&text[..at], Some(Flaw::Nul)),
        None => (text, flaw),
    }
}

/// Whether more bytes could make one of `wholes` of `start`.
fn is_proper_prefix(start: &[u8], wholes: &[&[u8]]) -> bool {
    wholes.iter().any(|whole| start.len() < whole.len() && whole.starts_with(start))
}

/// Opens a file, and notes what it is if its text lies still.
fn open_file(path: &Path) -> io::Result<(SourceBytes, Option<Watch>)> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // Files of the kernel claim to be empty and are not: they are streams.
    if !about.is_file() || about.len() == 0 {
        return Ok((SourceBytes::Stream(Stream::open(Box::new(file), None)?), None));
    }
    let watch = Some(Watch::new(&file, &about)?);
    let mut head = Vec::new();
    (&mut file).take(Encoding::HEAD).read_to_end(&mut head)?;
    file.rewind()?;
    match Encoding::of(&head) {
        Encoding::Plain => Ok((SourceBytes::File(FileText::new(file, about.len(), WINDOW)), watch)),
        encoding @ (Encoding::Parquet | Encoding::Arrow) => {
            Ok((SourceBytes::Stream(Stream::of_columns(file, encoding, about.len())?), watch))
        }
        _ => Ok((SourceBytes::Stream(Stream::open(Box::new(file), Some(about.len()))?), watch)),
    }
}

fn cannot_open(error: &io::Error) -> TraceError {
    match error.kind() {
        io::ErrorKind::NotFound => TraceError::new("there is no such file"),
        io::ErrorKind::PermissionDenied => TraceError::new("no permission to read this file"),
        io::ErrorKind::IsADirectory => {
            TraceError::new("this is a directory, not a file").hint("name the trace files in it; several are one trace")
        }
        io::ErrorKind::Unsupported => {
            let feature = if error.to_string().contains("`parquet`") { "parquet" } else { "arrow" };
            TraceError::new(error.to_string()).hint(format!(
                "install it so: cargo install --path crates/referee --features {feature}; or convert the file to CSV"
            ))
        }
        _ => TraceError::new(format!("cannot be read: {error}")),
    }
}

/// What is missing where a file of columns cannot be read.
#[cfg(not(all(feature = "arrow", feature = "parquet")))]
fn without(encoding: Encoding) -> String {
    let feature = if encoding == Encoding::Parquet { "parquet" } else { "arrow" };
    format!("this is a {}, which Referee reads only if it was built with the feature `{feature}`", encoding.name())
}

/// How the bytes of a file stand for text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Plain,
    Gzip,
    Zstd,
    /// Text with some binary fields.
    Journal,
    /// Columns of values.
    Parquet,
    /// The same, in a file or in a stream of Arrow.
    Arrow,
}

impl Encoding {
    const GZIP: &[u8] = &[0x1F, 0x8B];
    const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
    const ARROW_FILE: &[u8] = b"ARROW1";
    /// The marker of a message of Arrow; its length follows.
    const ARROW_STREAM: &[u8] = &[0xFF, 0xFF, 0xFF, 0xFF];
    /// The first bytes of all but plain text.
    const MARKS: [&[u8]; 6] =
        [Encoding::GZIP, Encoding::ZSTD, b"PAR1", Encoding::ARROW_FILE, Encoding::ARROW_STREAM, journal::MARK];
    /// As many bytes as it takes to know.
    const HEAD: u64 = 9;

    /// Judges by the first bytes. A zstd file may begin with a frame to be skipped.
    fn of(head: &[u8]) -> Encoding {
        match head {
            [0x1F, 0x8B, ..] => Encoding::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Encoding::Zstd,
            [b'P', b'A', b'R', b'1', ..] => Encoding::Parquet,
            _ if head.starts_with(Encoding::ARROW_FILE) || head.starts_with(Encoding::ARROW_STREAM) => Encoding::Arrow,
            _ if head.starts_with(journal::MARK) => Encoding::Journal,
            _ => Encoding::Plain,
        }
    }

    /// Whether the next byte can still change the answer.
    fn is_open(head: &[u8]) -> bool {
        match head {
            [0x50..=0x5F, rest @ ..] if is_proper_prefix(rest, &[&[0x2A, 0x4D, 0x18]]) => true,
            _ => is_proper_prefix(head, &Encoding::MARKS),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Encoding::Plain => "input",
            Encoding::Gzip => "gzip stream",
            Encoding::Zstd => "zstd stream",
            Encoding::Journal => "export of a journal",
            Encoding::Parquet => "Parquet file",
            Encoding::Arrow => "Arrow file",
        }
    }

    /// What to tell about an error of the stream.
    fn explain(self, error: &io::Error) -> (String, Option<&'static str>) {
        let name = self.name();
        let text = error.to_string();
        match self {
            Encoding::Plain => (format!("cannot be read further: {error}"), None),
            _ if error.kind() == io::ErrorKind::UnexpectedEof || text.contains("incomplete frame") => {
                (format!("the {name} ends in the middle"), Some("the file is truncated; was it copied completely?"))
            }
            Encoding::Parquet | Encoding::Arrow if error.kind() == io::ErrorKind::Unsupported => {
                (text, Some("leave such a column out of the file, or make texts of it"))
            }
            Encoding::Zstd if text.contains("too much memory") => (
                "the zstd stream needs a window of more than 8 MiB".to_owned(),
                Some("compress it with level 19 or less and without --long, or pipe it: zstd -dc --long=31 FILE | …"),
            ),
            _ => (format!("the {name} is damaged: {error}"), None),
        }
    }
}

/// Bytes that come one read at a time, decompressed.
struct Stream {
    reader: Box<dyn Read + Send>,
    encoding: Encoding,
    /// What has been read and not consumed is `buffer[start..end]`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// The place of `start`.
    place: LinePlace,
    read_so_far: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Stream {
    fn open(reader: Box<dyn Read + Send>, total: Option<u64>) -> io::Result<Stream> {
        let read_so_far = Arc::default();
        let mut reader = Counted { reader, count: Arc::clone(&read_so_far) };
        let head = read_head(&mut reader)?;
        let encoding = Encoding::of(&head);
        let whole = io::Cursor::new(head).chain(reader);
        let reader: Box<dyn Read + Send> = match encoding {
            Encoding::Plain => Box::new(whole),
            Encoding::Journal => Box::new(JournalText::new(whole)),
            Encoding::Gzip => Box::new(JournalText::new(MultiGzDecoder::new(whole))),
            Encoding::Parquet | Encoding::Arrow => {
                let message = format!("a {} cannot come through a pipe: name the file", encoding.name());
                return Err(io::Error::other(message));
            }
            Encoding::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(whole)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Box::new(JournalText::new(decoder))
            }
        };
        Ok(Stream::new(reader, encoding, read_so_far, total))
    }

    /// The rows of a file of columns, as text.
    #[cfg(feature = "arrow")]
    fn of_columns(file: File, encoding: Encoding, total: u64) -> io::Result<Stream> {
        let reader: Box<dyn Read + Send> = match encoding {
            #[cfg(feature = "parquet")]
            Encoding::Parquet => columns::parquet(file)?,
            #[cfg(not(feature = "parquet"))]
            Encoding::Parquet => return Err(io::Error::new(io::ErrorKind::Unsupported, without(encoding))),
            _ => columns::arrow(file)?,
        };
        Ok(Stream::new(reader, encoding, Arc::default(), Some(total)))
    }

    /// Without the code to read columns, says where it is.
    #[cfg(not(feature = "arrow"))]
    fn of_columns(_: File, encoding: Encoding, _: u64) -> io::Result<Stream> {
        Err(io::Error::new(io::ErrorKind::Unsupported, without(encoding)))
    }

    fn new(
        reader: Box<dyn Read + Send>,
        encoding: Encoding,
        read_so_far: Arc<AtomicU64>,
        total: Option<u64>,
    ) -> Stream {
        let (start, end, ended, place) = (0, 0, false, LinePlace::START);
        Stream { reader, encoding, buffer: vec![0; WINDOW], start, end, ended, place, read_so_far, total }
    }

    fn available(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.make_room();
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    self.ended = count == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves what is left to the front, and gives the buffer twice the length of that, or its usual length again.
    fn make_room(&mut self) {
        let left = self.end - self.start;
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, left);
        }
        let length = left.saturating_mul(2).next_multiple_of(WINDOW).max(WINDOW);
        if length > self.buffer.len() {
            self.buffer.resize(length, 0);
        } else if length == WINDOW && self.buffer.len() > 4 * WINDOW {
            self.buffer.truncate(WINDOW);
            self.buffer.shrink_to_fit();
        }
    }
}

/// As many first bytes as it takes to know the encoding, and no more: a live stream may pause after its first line.
fn read_head(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while head.is_empty() || Encoding::is_open(&head) {
        if reader.by_ref().take(1).read_to_end(&mut head)? == 0 {
            break;
        }
    }
    Ok(head)
}

/// Counts what passes, so that progress can be shown while a decompressor reads.
struct Counted {
    reader: Box<dyn Read + Send>,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
