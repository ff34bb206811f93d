//! Reads a section of an ELF file.

use std::ops::Range;

/// Reads numbers of a file, whose width and order of bytes its head tells.
struct Reader<'f> {
    file: &'f [u8],
    is_wide: bool,
    is_big: bool,
}

impl<'f> Reader<'f> {
    fn number(&self, at: usize, width: usize) -> Option<usize> {
        let bytes = self.file.get(at..at.checked_add(width)?)?;
        let join = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
        let number = if self.is_big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) };
        usize::try_from(number).ok()
    }

    /// The bytes of a section, and where its name is among the names.
    fn section(&self, table: usize, size: usize, number: usize) -> Option<(usize, Range<usize>)> {
        let head = table.checked_add(size.checked_mul(number)?)?;
        let (offset, length, width) = if self.is_wide { (0x18, 0x20, 8) } else { (0x10, 0x14, 4) };
        let start = self.number(head.checked_add(offset)?, width)?;
        let end = start.checked_add(self.number(head.checked_add(length)?, width)?)?;
        Some((self.number(head, 4)?, start..end))
    }
}

/// The bytes of the section with this name; nothing if there is none, or the file is no ELF.
pub(super) fn section<'f>(file: &'f [u8], name: &str) -> Option<&'f [u8]> {
    if !file.starts_with(b"\x7fELF") {
        return None;
    }
    let reader = Reader { file, is_wide: file.get(4) == Some(&2), is_big: file.get(5) == Some(&2) };
    let (table_at, width, size_at) = if reader.is_wide { (0x28, 8, 0x3a) } else { (0x20, 4, 0x2e) };
    let table = reader.number(table_at, width)?;
    let (size, count) = (reader.number(size_at, 2)?, reader.number(size_at + 2, 2)?);
    let (_, names) = reader.section(table, size, reader.number(size_at + 4, 2)?)?;
    let names = file.get(names)?;
    (0..count).find_map(|number| {
        let (at, range) = reader.section(table, size, number)?;
        let rest = names.get(at..)?;
        let is_it = rest.starts_with(name.as_bytes()) && rest.get(name.len()) == Some(&0);
        is_it.then(|| file.get(range)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_elf_has_no_section() {
        let own = std::fs::read(std::env::current_exe().expect("a test is a program")).expect("it is readable");
        for end in [0, 3, 4, 5, 0x30, 0x40, own.len() / 2] {
            assert!(section(&own[..end], ".text").is_none(), "{end}");
        }
        assert!(section(&own, ".tex").is_none());
        assert!(!cfg!(target_os = "linux") || section(&own, ".text").is_some());
    }
}
