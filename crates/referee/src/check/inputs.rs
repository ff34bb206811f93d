//! Which files have been read, told by their content: a log may be moved, rotated or grow between two runs.
//!
//! ```text
//!  when it was read   │first bytes ………… last bytes│
//!  now                │first bytes ………… last bytes│ what was appended
//! ```
//!
//! Of a file the length and the sums of its first and last bytes are kept, so that looking at it costs the same whatever its size.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use referee_engine::judge::{Damaged, Reader, Writer, checksum};

/// How many bytes at either end of a file are looked at.
const SAMPLE: u64 = 64 << 10;
/// So many bytes are in common by no mere chance or header.
const TELLING: u64 = 256;

/// A file as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputMark {
    /// Its name on the command line.
    pub name: String,
    /// How many bytes it had.
    pub length: u64,
    /// The sum of its first bytes.
    first: u64,
    /// The sum of its last bytes.
    last: u64,
    /// The sum of the first half, or of its first bytes if that is less.
    head: u64,
}

/// What a file is to one that was read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Another one.
    Other,
    /// The same.
    Same,
    /// The same, and there is more behind what was read. `whole` unless a line goes on there.
    Grown { whole: bool },
    /// It has the name and the beginning of the other, and is not what that was.
    Changed,
}

fn head_length(length: u64) -> u64 {
    (length / 2).min(SAMPLE)
}

impl InputMark {
    /// The mark of a file; none of what is no file, such as a pipe.
    pub(super) fn of(path: &Path) -> io::Result<Option<InputMark>> {
        let about = std::fs::metadata(path)?;
        if !about.is_file() || path == Path::new("-") {
            return Ok(None);
        }
        InputMark::of_start(path, about.len())
    }

    /// The mark of the first bytes of a file.
    pub(super) fn of_start(path: &Path, length: u64) -> io::Result<Option<InputMark>> {
        let mut file = File::open(path)?;
        Ok(Some(InputMark {
            name: path.display().to_string(),
            length,
            first: sum(&mut file, 0, length.min(SAMPLE))?,
            last: sum(&mut file, length.saturating_sub(SAMPLE), length)?,
            head: sum(&mut file, 0, head_length(length))?,
        }))
    }

    /// What a file is to this one. `own` is its mark.
    pub(super) fn compare(&self, path: &Path, own: &InputMark) -> io::Result<Likeness> {
        // What is short may be like another log by chance, and what is empty is like everything that is.
        let least = if own.name == self.name { 1 } else { TELLING };
        if self.length < least {
            return Ok(Likeness::Other);
        }
        let mut file = File::open(path)?;
        let begins_alike = own.length >= self.length
            && sum(&mut file, 0, self.length.min(SAMPLE))? == self.first
            && sum(&mut file, self.length.saturating_sub(SAMPLE), self.length)? == self.last;
        if begins_alike && own.length == self.length {
            return Ok(Likeness::Same);
        }
        if begins_alike {
            let mut around = [0; 2];
            file.seek(SeekFrom::Start(self.length - 1))?;
            file.read_exact(&mut around)?;
            return Ok(Likeness::Grown { whole: around.iter().any(|byte| matches!(byte, b'\n' | b'\r')) });
        }
        let head = head_length(self.length);
        let is_rewritten = own.name == self.name && head >= TELLING && own.length >= head;
        if is_rewritten && sum(&mut file, 0, head)? == self.head {
            return Ok(Likeness::Changed);
        }
        Ok(Likeness::Other)
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.text(&self.name);
        [self.length, self.first, self.last, self.head].into_iter().for_each(|number| out.number(number));
    }

    pub(super) fn read(reader: &mut Reader) -> Result<InputMark, Damaged> {
        let name = reader.text()?.to_owned();
        let [length, first, last, head] = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        Ok(InputMark { name, length, first, last, head })
    }
}

/// Whether the bytes of a file are not those of its events: what is appended to them is no continuation of a line.
pub(super) fn is_packed(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    let is_marked = matches!(
        start,
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd] | [b'P', b'A', b'R', b'1'] | [b'A', b'R', b'R', b'O']
    );
    matches!(extension, "gz" | "zst" | "parquet" | "arrow") || read.is_ok() && is_marked
}

/// The sum of the bytes between two places.
fn sum(file: &mut File, start: u64, end: u64) -> io::Result<u64> {
    let mut bytes = vec![0; (end - start) as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(checksum(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(before: &str, after: &str) -> Likeness {
        likeness_of(before, "log.csv", after)
    }

    fn likeness_of(before: &str, name: &str, after: &str) -> Likeness {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log.csv");
        std::fs::write(&path, before).expect("it is written");
        let mark = InputMark::of(&path).expect("it is read").expect("it is a file");
        let path = folder.path().join(name);
        std::fs::write(&path, after).expect("it is written");
        let own = InputMark::of(&path).expect("it is read").expect("it is a file");
        mark.compare(&path, &own).expect("it is read")
    }

    #[test]
    fn files_are_told_apart() {
        assert_eq!(likeness("a,1\n", "a,1\n"), Likeness::Same);
        assert_eq!(likeness("a,1\n", "a,2\n"), Likeness::Other);
        assert_eq!(likeness("a,1\n", "a,1\nb,2\n"), Likeness::Grown { whole: true });
        assert_eq!(likeness("a,1", "a,1\nb,2\n"), Likeness::Grown { whole: true });
        assert_eq!(likeness("a,1", "a,12\n"), Likeness::Grown { whole: false });
        assert_eq!(likeness("", "a,12\n"), Likeness::Other);
        let long = "a,1\n".repeat(100_000);
        assert_eq!(likeness(&long, &format!("{long}b,2\n")), Likeness::Grown { whole: true });
        assert_eq!(likeness(&long, &format!("{}b,2\n", &long[..399_000])), Likeness::Changed);
        assert_eq!(likeness(&long, &long[..300]), Likeness::Other);
        assert_eq!(likeness(&long, &format!("b,2\n{long}")), Likeness::Other);
        assert_eq!(likeness_of("a,1\n", "log.1", "a,1\n"), Likeness::Other);
        assert_eq!(likeness_of(&long, "log.1", &long), Likeness::Same);
        assert_eq!(likeness_of(&long, "log.1", &format!("{long}b,2\n")), Likeness::Grown { whole: true });
    }
}
