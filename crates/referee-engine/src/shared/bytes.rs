//! Numbers, texts and values as bytes: integers in groups of seven bits, lowest first; the rest by its length.

use std::fmt::{self, Debug, Write as _};

use referee_trace::number::Number;
use referee_trace::value::Value;

/// Bytes that no writer wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

/// Collects bytes.
#[derive(Debug, Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Writes a number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes a length.
    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// Writes a truth value.
    pub fn truth(&mut self, truth: bool) {
        self.0.push(u8::from(truth));
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Writes an exact number: an integer of 64 bits with its sign folded in, or numerator and denominator in digits.
    pub fn exact(&mut self, number: &Number) {
        match number {
            Number::Int(integer) => {
                self.0.push(0);
                self.integer(*integer);
            }
            Number::Ratio(ratio) => {
                self.0.push(1);
                self.text(&ratio.numer().to_string());
                self.text(&ratio.denom().to_string());
            }
        }
    }

    /// Writes an integer, its sign folded in.
    pub fn integer(&mut self, integer: i64) {
        self.number(((integer << 1) ^ (integer >> 63)) as u64);
    }

    /// Writes exact numbers and how many they are.
    pub fn exacts<'n>(&mut self, numbers: impl ExactSizeIterator<Item = &'n Number>) {
        self.length(numbers.len());
        numbers.for_each(|number| self.exact(number));
    }

    /// Writes what may be true, false or neither.
    pub fn perhaps(&mut self, truth: Option<bool>) {
        self.0.push(truth.map_or(2, u8::from));
    }

    /// Writes a value.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Boolean(truth) => self.0.extend([2, u8::from(*truth)]),
            Value::String(text) => {
                self.0.push(3);
                self.text(text);
            }
            Value::Number(number) => self.exact(number),
        }
    }
}

/// Takes bytes apart.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    /// Whether all is read.
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a byte.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (&byte, rest) = self.0.split_first().ok_or(Damaged)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift).ok_or(Damaged)?;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    /// Reads a number of 32 bits.
    pub fn small(&mut self) -> Result<u32, Damaged> {
        u32::try_from(self.number()?).map_err(|_| Damaged)
    }

    /// Reads how many things follow, each of at least one byte.
    pub fn length(&mut self) -> Result<usize, Damaged> {
        let length = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        if length <= self.0.len() { Ok(length) } else { Err(Damaged) }
    }

    /// Reads a truth value.
    pub fn truth(&mut self) -> Result<bool, Damaged> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }

    /// Reads as many bytes as a length before them says.
    pub fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Reads a text.
    pub fn text(&mut self) -> Result<&'a str, Damaged> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Damaged)
    }

    /// Reads an integer.
    pub fn signed(&mut self) -> Result<i64, Damaged> {
        let folded = self.number()?;
        Ok((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }

    /// Reads what may be true, false or neither.
    pub fn perhaps(&mut self) -> Result<Option<bool>, Damaged> {
        match self.byte()? {
            0 => Ok(Some(false)),
            1 => Ok(Some(true)),
            2 => Ok(None),
            _ => Err(Damaged),
        }
    }

    /// Reads an exact number.
    pub fn exact(&mut self) -> Result<Number, Damaged> {
        let tag = self.byte()?;
        self.exact_after(tag)
    }

    fn exact_after(&mut self, tag: u8) -> Result<Number, Damaged> {
        match tag {
            0 => Ok(Number::Int(self.signed()?)),
            1 => {
                let (numerator, denominator) = (self.integer()?, self.integer()?);
                numerator.div(&denominator).ok_or(Damaged)
            }
            _ => Err(Damaged),
        }
    }

    fn integer(&mut self) -> Result<Number, Damaged> {
        Number::read_back(self.text()?).filter(Number::is_integer).ok_or(Damaged)
    }

    /// Reads a value.
    pub fn value(&mut self) -> Result<Value, Damaged> {
        match self.byte()? {
            2 => Ok(Value::Boolean(self.truth()?)),
            3 => Ok(Value::string(self.text()?)),
            tag => Ok(Value::Number(self.exact_after(tag)?)),
        }
    }

    /// Reads as many things as a length before them says.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, Damaged>) -> Result<Vec<T>, Damaged> {
        let length = self.length()?;
        (0..length).map(|_| item(self)).collect()
    }
}

/// A checksum that is the same on every machine: 64 bits of FNV-1a.
struct Checksum(u64);

impl Checksum {
    const EMPTY: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn of(bytes: &[u8]) -> u64 {
        let mut sum = Checksum::EMPTY;
        sum.add(bytes);
        sum.0
    }
}

impl fmt::Write for Checksum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

/// A number that tells things apart by all that their debug texts show.
pub(crate) fn fingerprint(things: &[&dyn Debug]) -> u64 {
    let mut sum = Checksum::EMPTY;
    for thing in things {
        // Writing to a checksum cannot fail.
        let _ = write!(sum, "{thing:?};");
    }
    sum.0
}

/// Adds a checksum at the end.
pub(crate) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = Checksum::of(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// What was sealed, if it is still the same.
pub(crate) fn unseal(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (content, sum) = bytes.split_last_chunk::<8>().ok_or(Damaged)?;
    if Checksum::of(content).to_le_bytes() == *sum { Ok(content) } else { Err(Damaged) }
}
