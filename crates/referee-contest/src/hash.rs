//! SHA-256, so that what was run can be recognised again.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const ROUND: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

const START: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// A hash in the making.
pub struct Hasher {
    state: [u32; 8],
    block: [u8; 64],
    filled: usize,
    length: u64,
}

impl Default for Hasher {
    fn default() -> Self {
        Hasher { state: START, block: [0; 64], filled: 0, length: 0 }
    }
}

impl Hasher {
    /// Adds bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        while !bytes.is_empty() {
            let (taken, rest) = bytes.split_at(bytes.len().min(64 - self.filled));
            self.block[self.filled..self.filled + taken.len()].copy_from_slice(taken);
            self.filled += taken.len();
            if self.filled == 64 {
                compress(&mut self.state, &self.block);
                self.filled = 0;
            }
            bytes = rest;
        }
    }

    /// Adds a part whose end cannot be mistaken for the beginning of the next.
    pub fn part(&mut self, bytes: &[u8]) {
        self.add(&(bytes.len() as u64).to_le_bytes());
        self.add(bytes);
    }

    /// The hash, in 64 digits.
    pub fn finish(mut self) -> String {
        let bits = self.length.wrapping_mul(8);
        self.add(&[0x80]);
        while self.filled != 56 {
            self.add(&[0]);
        }
        self.add(&bits.to_be_bytes());
        self.state.iter().fold(String::with_capacity(64), |mut text, word| {
            // Writing to a string does not fail.
            let _ = write!(text, "{word:08x}");
            text
        })
    }
}

fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..64 {
        let (early, late) = (words[at - 15], words[at - 2]);
        let small = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
        let large = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
        words[at] = words[at - 16].wrapping_add(small).wrapping_add(words[at - 7]).wrapping_add(large);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (round, word) in ROUND.iter().zip(words) {
        let upper = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = e & f ^ !e & g;
        let first = h.wrapping_add(upper).wrapping_add(chosen).wrapping_add(*round).wrapping_add(word);
        let lower = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = lower.wrapping_add(a & b ^ a & c ^ b & c);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
}

/// The hash of bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.add(bytes);
    hasher.finish()
}

/// The hash of a file's bytes.
pub fn of_file(file: &Path) -> io::Result<String> {
    let (mut source, mut hasher, mut buffer) = (File::open(file)?, Hasher::default(), vec![0; 1 << 18]);
    loop {
        match source.read(&mut buffer)? {
            0 => return Ok(hasher.finish()),
            count => hasher.add(&buffer[..count]),
        }
    }
}

/// The hash of a file that may be a program: its bytes, and whether its owner may run it. The other bits of its mode are left
/// out, for they depend on who unpacked it.
pub fn of_program(file: &Path) -> io::Result<String> {
    let mut hasher = Hasher::default();
    hasher.part(of_file(file)?.as_bytes());
    hasher.part(if is_executable(file)? { b"x" } else { b"-" });
    Ok(hasher.finish())
}

fn is_executable(file: &Path) -> io::Result<bool> {
    Ok(fs::metadata(file)?.permissions().mode() & 0o100 != 0)
}

/// The hash of all files of a directory: their names, their bytes, and which of them can be run.
pub fn of_directory(directory: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    collect(directory, 0, &mut files)?;
    files.sort();
    let mut hasher = Hasher::default();
    for file in files {
        hasher.part(file.strip_prefix(directory).unwrap_or(&file).as_os_str().as_encoded_bytes());
        hasher.part(of_program(&file)?.as_bytes());
    }
    Ok(hasher.finish())
}

/// How deep directories are followed: a link to its own parent ends here.
const DEEPEST: usize = 16;

fn collect(directory: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() && depth < DEEPEST {
            collect(&path, depth + 1, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standard() {
        assert_eq!(of_bytes(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of_bytes(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(of_bytes(long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        let million = vec![b'a'; 1_000_000];
        assert_eq!(of_bytes(&million), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    #[test]
    fn a_directory_is_its_names_bytes_and_what_can_be_run() {
        let directory = tempfile::tempdir().expect("a directory");
        let hash = || of_directory(directory.path()).expect("readable");
        let empty = hash();
        fs::write(directory.path().join("a"), "1").expect("written");
        let one = hash();
        fs::rename(directory.path().join("a"), directory.path().join("b")).expect("renamed");
        let renamed = hash();
        fs::write(directory.path().join("b"), "2").expect("written");
        let changed = hash();
        assert!(empty != one && one != renamed && renamed != changed);
        let set_mode = |mode| {
            fs::set_permissions(directory.path().join("b"), fs::Permissions::from_mode(mode)).expect("a mode");
        };
        for (mode, same) in [(0o644, true), (0o755, false), (0o600, true), (0o700, false)] {
            set_mode(mode);
            assert_eq!(hash() == changed, same, "{mode:o}");
        }
    }
}
