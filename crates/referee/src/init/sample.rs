//! A part of a log, from which the rest is guessed: its head and, of a file that lies still, pieces from the middle and the end.
//!
//! ```text
//!  ├─ head ─┤ ……………… ├ piece ┤ ……………… ├ piece ┤        whatever the size of the log, less than a megabyte is read
//! ```

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use referee_trace::format::detect::detect;
use referee_trace::source::Source;

use crate::failure::Failure;

/// How much of the beginning is read.
const HEAD: usize = 512 << 10;

/// How much is read in the middle, and at the end.
const PIECE: usize = 128 << 10;

/// How compressed files begin: gzip, zstd.
const COMPRESSED: [&[u8]; 2] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];

/// A part of a log.
#[derive(Debug)]
pub(super) struct LogSample {
    /// The log as the user named it.
    pub name: String,
    /// How it begins.
    pub head: String,
    /// Whole lines from further on.
    later: Vec<String>,
    /// Whether the head is all there is.
    pub is_whole: bool,
    /// The file's ending, without that of its compression.
    pub extension: Option<String>,
}

impl LogSample {
    /// Looks at a file, or at standard input for `-`.
    pub(super) fn take(path: &Path) -> Result<LogSample, Failure> {
        let name = path.display().to_string();
        let mut source = Source::open(path)?;
        let (head, is_whole) = loop {
            let block = source.window()?;
            if block.last || block.text.len() >= HEAD {
                let end = block.text.floor_char_boundary(HEAD);
                break (block.text[..end].to_owned(), block.last && end == block.text.len());
            }
            source.consume(0);
        };
        if head.trim().is_empty() {
            let hint = "init looks at the events of a log, of which this one has none";
            return Err(Failure::Other(format!("{name}: the log is empty\n  hint: {hint}")));
        }
        let extension = extension(path);
        if let Err(fault) = detect(&head, extension.as_deref()) {
            return Err(Failure::Other(format!(
                "{name}: {}\n  hint: init reads text, plain or compressed",
                fault.message
            )));
        }
        let is_export = head.starts_with("__CURSOR=");
        let later = if is_whole || is_export { Vec::new() } else { pieces(path).unwrap_or_default() };
        let head = if is_export { entries(&head, is_whole) } else { head };
        Ok(LogSample { name, head, later, is_whole, extension })
    }

    /// All that was read, as whole lines.
    pub(super) fn lines(&self) -> String {
        if self.is_whole {
            return self.head.clone();
        }
        let end = self.head.rfind('\n').map_or(self.head.len(), |end| end + 1);
        let mut text = self.head[..end].to_owned();
        self.later.iter().for_each(|piece| text.push_str(piece));
        text
    }
}

/// The whole entries of an export of journald. What was several lines, or no text, was made a line of its own behind its key; here it is one
/// with its key, so that the part can be read like an export again.
fn entries(head: &str, is_whole: bool) -> String {
    let end = head.rfind("\n\n").filter(|_| !is_whole).map_or(head.len(), |end| end + 2);
    head[..end].replace("\n=", "=")
}

/// A file's ending, without that of its compression.
fn extension(path: &Path) -> Option<String> {
    let plain = match path.extension()?.to_str()? {
        "gz" | "zst" => Path::new(path.file_stem()?),
        _ => path,
    };
    Some(plain.extension()?.to_str()?.to_ascii_lowercase())
}

/// Whole lines from the middle and the end of a file; nothing if it is compressed, or no file.
fn pieces(path: &Path) -> Option<Vec<String>> {
    let about = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    if COMPRESSED.iter().any(|mark| start.starts_with(mark)) {
        return None;
    }
    let (head, piece) = (HEAD as u64, PIECE as u64);
    let middle = (about.len() / 2).max(head);
    let end = about.len().saturating_sub(piece).max(middle + piece);
    Some([middle, end].into_iter().filter_map(|from| lines_from(&mut file, from)).collect())
}

/// The whole lines among the bytes behind a place, if they are text.
fn lines_from(file: &mut File, from: u64) -> Option<String> {
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(PIECE as u64).read_to_end(&mut bytes).ok()?;
    let start = bytes.iter().position(|byte| *byte == b'\n')? + 1;
    let end = bytes.iter().rposition(|byte| *byte == b'\n')? + 1;
    String::from_utf8(bytes.get(start..end)?.to_vec()).ok()
}
