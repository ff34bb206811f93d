//! Numbers, texts and values as bytes: integers in groups of seven bits, lowest first; the rest by its length.

use std::fmt::{self, Debug};
use std::io::{self, Write};

use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};

use crate::shared::checksum::Checksum;

/// Bytes that no writer wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

/// Takes bytes, a few at a time, and hands them on in large pieces.
///
/// A writer that has nobody to hand them to collects them. One that only marks values drops them.
#[derive(Default)]
pub struct Writer<'s> {
    buffer: Vec<u8>,
    sink: Option<Sink<'s>>,
    live: Option<&'s mut LiveValues>,
}

/// Where bytes go, and what is known of those that went.
struct Sink<'s> {
    out: &'s mut dyn Write,
    sum: Checksum,
    written: u64,
    /// What went wrong first; nothing goes out after it.
    error: Option<io::Error>,
}

/// How many bytes wait until they are handed on.
const FULL: usize = 1 << 16;

impl Debug for Writer<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Writer with {} bytes", self.position())
    }
}

impl<'s> Writer<'s> {
    /// A writer that hands its bytes on to `out`.
    pub fn new(out: &'s mut dyn Write) -> Writer<'s> {
        let sink = Sink { out, sum: Checksum::default(), written: 0, error: None };
        Writer { buffer: Vec::with_capacity(FULL + FULL / 8), sink: Some(sink), live: None }
    }

    /// A writer that marks the values that are written, and drops all bytes: what is saved of a state tells which values it refers to.
    pub(crate) fn marking(live: &'s mut LiveValues) -> Writer<'s> {
        Writer { buffer: Vec::new(), sink: None, live: Some(live) }
    }

    /// Whether values are marked and bytes are dropped.
    #[inline]
    pub(crate) fn is_marking(&self) -> bool {
        self.live.is_some()
    }

    /// Writes a value of a table. **All values of states are written by this or [`Writer::mark`]ed**: those that are not may be given back.
    #[inline]
    pub(crate) fn atom(&mut self, atom: Atom, values: &Values) {
        match &mut self.live {
            Some(live) => live.mark(atom),
            None => self.value(&values.value(atom)),
        }
    }

    /// Marks a value, if values are marked.
    #[inline]
    pub(crate) fn mark(&mut self, atom: Atom) {
        if let Some(live) = &mut self.live {
            live.mark(atom);
        }
    }

    /// How many bytes were written.
    pub fn position(&self) -> u64 {
        self.buffer.len() as u64 + self.sink.as_ref().map_or(0, |sink| sink.written)
    }

    /// The bytes that were collected; of a writer that hands them on, those that wait.
    pub fn as_bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Hands on what waits, and behind it the checksum of all bytes.
    pub(crate) fn seal(mut self) -> io::Result<()> {
        self.hand_on();
        let Some(sink) = self.sink else { return Ok(()) };
        sink.error.map_or(Ok(()), Err)?;
        sink.out.write_all(&sink.sum.sum().to_le_bytes())
    }

    #[inline]
    fn look(&mut self) {
        if self.buffer.len() >= FULL {
            self.hand_on();
        }
    }

    #[cold]
    fn hand_on(&mut self) {
        let Some(sink) = &mut self.sink else {
            if self.live.is_some() {
                self.buffer.clear();
            }
            return;
        };
        if sink.error.is_none() {
            sink.sum.add(&self.buffer);
            sink.error = sink.out.write_all(&self.buffer).err();
        }
        sink.written += self.buffer.len() as u64;
        self.buffer.clear();
    }

    /// Writes a byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.buffer.push(byte);
        self.look();
    }

    /// Writes bytes and how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.append(bytes);
    }

    /// Writes bytes as they are: whoever reads them knows how many there are.
    pub fn append(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        self.look();
    }

    /// Writes a number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.buffer.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// Writes a length.
    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// Writes a truth value.
    pub fn truth(&mut self, truth: bool) {
        self.byte(u8::from(truth));
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Writes an exact number: an integer of 64 bits with its sign folded in, or numerator and denominator in digits.
    pub fn exact(&mut self, number: &Number) {
        match number {
            Number::Int(integer) => {
                self.byte(0);
                self.integer(*integer);
            }
            Number::Ratio(ratio) => {
                self.byte(1);
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
        self.byte(truth.map_or(2, u8::from));
    }

    /// Writes a value.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Boolean(truth) => self.append(&[2, u8::from(*truth)]),
            Value::String(text) => {
                self.byte(3);
                self.text(text);
            }
            Value::Number(number) => self.exact(number),
        }
    }
}

/// Takes bytes apart.
#[derive(Debug, Clone)]
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

    /// Reads a number of points or events, to which others can be added: none comes near to the largest number.
    pub fn count(&mut self) -> Result<u64, Damaged> {
        self.number().and_then(|count| if count >> 60 == 0 { Ok(count) } else { Err(Damaged) })
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

/// A number that tells things apart by all that their debug texts show.
pub(crate) fn fingerprint(things: &[&dyn Debug]) -> u64 {
    let mut sum = Checksum::default();
    for thing in things {
        // Writing to a checksum cannot fail.
        let _ = fmt::Write::write_fmt(&mut sum, format_args!("{thing:?};"));
    }
    sum.sum()
}
