//! The words of rows as bytes: values by their content, each once.
//!
//! ```text
//!   7          14 « 1 | 0      an integer, its sign folded in
//!   "login"    3 « 1 | 1       the value with the number 3 of this state: it stands behind the first word that refers to it
//! ```
//!
//! A word means something in one table of values alone. So a state numbers its values as it first refers to them, and whoever reads
//! it looks each up once. Integers say all by themselves.
//!
//! Where rows have no order, they are written in that of their codes: the same rows make the same bytes, whatever numbers their
//! values had in the process that wrote them.

use std::collections::HashMap;
use std::sync::Arc;

use referee_trace::value::Type;
use referee_trace::values::{Atom, Values};

use crate::fo::store::lookup::{Direct, NONE};
use crate::fo::store::sets::Set;
use crate::shared::bytes::{Damaged, Reader, Writer};

/// How values are told apart that are no integers: other numbers, strings, and the truth values.
const NUMBER: u64 = 0;
const STRING: u64 = 1;
const FALSE: u64 = 2;
const TRUE: u64 = 3;

/// The kind that [`Atom::split`] gives to numbers that have a text.
const NUMBER_KIND: usize = 1;

/// Whether a code refers to a value by its number.
fn is_reference(code: u64) -> bool {
    code & 1 == 1
}

/// The code of an integer.
#[inline(always)]
fn code_of(integer: i64) -> u64 {
    (((integer << 1) ^ (integer >> 63)) as u64) << 1
}

/// Writes words.
pub(crate) struct RowWriter<'a, 'w> {
    /// Where all goes.
    pub out: &'a mut Writer<'w>,
    values: &'a Values,
    /// The numbers of values that are no integers.
    numbers: Direct,
    /// Those values, by their numbers.
    known: Vec<u64>,
    /// How many of them have been written.
    written: usize,
    /// The numbers of long lists, by where they are.
    lists: HashMap<usize, u64>,
}

impl<'a, 'w> RowWriter<'a, 'w> {
    /// No value is known yet.
    pub(crate) fn new(values: &'a Values, out: &'a mut Writer<'w>) -> RowWriter<'a, 'w> {
        RowWriter { out, values, numbers: Direct::default(), known: Vec::new(), written: 0, lists: HashMap::new() }
    }

    /// Writes a word.
    #[inline(always)]
    pub(crate) fn word(&mut self, word: u64) {
        match Atom::from_word(word).as_integer() {
            Some(integer) => self.out.number(code_of(integer)),
            None => self.other_word(word),
        }
    }

    #[inline(never)]
    fn other_word(&mut self, word: u64) {
        if self.out.is_marking() {
            return self.out.mark(Atom::from_word(word));
        }
        let code = self.code(word);
        self.out.number(code);
        self.define(code);
    }

    /// Writes words, one after the other.
    pub(crate) fn words(&mut self, words: &[u64]) {
        words.iter().for_each(|word| self.word(*word));
    }

    /// The code of a word, by which words can be put in an order. All that get new ones are written before other words.
    fn code(&mut self, word: u64) -> u64 {
        if let Some(integer) = Atom::from_word(word).as_integer() {
            return code_of(integer);
        }
        let next = self.known.len() as u32;
        let number = match self.numbers.add_if_none(word, next) {
            NONE => {
                self.known.push(word);
                next
            }
            number => number,
        };
        u64::from(number) << 1 | 1
    }

    /// Writes the value of a code, if nothing has referred to it.
    fn define(&mut self, code: u64) {
        if !is_reference(code) || code >> 1 != self.written as u64 {
            return;
        }
        let atom = Atom::from_word(self.known[self.written]);
        self.written += 1;
        match atom {
            atom if atom == Atom::boolean(false) => self.out.number(FALSE),
            atom if atom == Atom::boolean(true) => self.out.number(TRUE),
            atom => {
                self.out.number(if atom.split().0 == NUMBER_KIND { NUMBER } else { STRING });
                self.out.text(&self.values.text(atom));
            }
        }
    }

    /// Writes different words in the order of their codes, and how many they are; `rest` writes what belongs to each.
    pub(crate) fn sorted<T>(
        &mut self,
        words: impl Iterator<Item = (u64, T)>,
        mut rest: impl FnMut(&mut RowWriter<'a, 'w>, T),
    ) {
        if self.out.is_marking() {
            return words.for_each(|(word, own)| {
                self.word(word);
                rest(self, own);
            });
        }
        let mut all: Vec<(u64, T)> = words.map(|(word, rest)| (self.code(word), rest)).collect();
        all.sort_unstable_by_key(|(code, _)| *code);
        self.out.length(all.len());
        let mut last = 0;
        for (code, own) in all {
            self.out.number(code - last);
            self.define(code);
            rest(self, own);
            last = code;
        }
    }

    /// Writes a set. Rows that share a long list refer to it.
    pub(crate) fn set(&mut self, set: &Set) {
        let tag = u64::from(set.is_open());
        let Set::Many { values, .. } = set else {
            self.out.number(tag << 1);
            return self.sorted(set.listed().iter().map(|word| (*word, ())), |_, ()| {});
        };
        self.out.number(tag << 1 | 1);
        let next = self.lists.len() as u64;
        let number = *self.lists.entry(values.as_ptr() as usize).or_insert(next);
        self.out.number(number);
        if number == next {
            self.sorted(values.iter().map(|word| (*word, ())), |_, ()| {});
        }
    }
}

/// Reads what a [`RowWriter`] wrote.
pub(crate) struct RowReader<'a, 'b> {
    /// The bytes.
    pub reader: &'a mut Reader<'b>,
    values: &'a mut Values,
    /// Whether words are those of texts, and not of normal forms.
    by_text: bool,
    /// The values that were referred to, by their numbers.
    known: Vec<u64>,
    /// The long lists.
    lists: Vec<Arc<[u64]>>,
}

impl<'a, 'b> RowReader<'a, 'b> {
    /// No value is known yet; `by_text` says that words are those of texts.
    pub(crate) fn new(by_text: bool, values: &'a mut Values, reader: &'a mut Reader<'b>) -> RowReader<'a, 'b> {
        RowReader { reader, values, by_text, known: Vec::new(), lists: Vec::new() }
    }

    /// Reads a word.
    #[inline(always)]
    pub(crate) fn word(&mut self) -> Result<u64, Damaged> {
        let code = self.reader.number()?;
        self.decode(code)
    }

    /// Reads words into places.
    #[inline(always)]
    pub(crate) fn words(&mut self, words: &mut [u64]) -> Result<(), Damaged> {
        for word in words {
            *word = self.word()?;
        }
        Ok(())
    }

    #[inline(always)]
    fn decode(&mut self, code: u64) -> Result<u64, Damaged> {
        if is_reference(code) {
            return self.referred(code >> 1);
        }
        let folded = code >> 1;
        let integer = (folded >> 1) as i64 ^ -((folded & 1) as i64);
        Ok(Atom::integer(integer).ok_or(Damaged)?.word())
    }

    #[inline(never)]
    fn referred(&mut self, number: u64) -> Result<u64, Damaged> {
        let number = usize::try_from(number).map_err(|_| Damaged)?;
        if number == self.known.len() {
            let word = self.value()?.word();
            self.known.push(word);
        }
        self.known.get(number).copied().ok_or(Damaged)
    }

    fn value(&mut self) -> Result<Atom, Damaged> {
        match self.reader.number()? {
            NUMBER => {
                let text = self.reader.text()?;
                let atom = self.values.intern(text);
                let is_whole = atom.split().0 == NUMBER_KIND && *self.values.text(atom) == *text;
                let is_word = is_whole && (self.by_text || self.values.normal(atom) == atom);
                if is_word { Ok(atom) } else { Err(Damaged) }
            }
            STRING => {
                let text = self.reader.text()?;
                self.values.intern_as(text, Some(Type::String)).ok_or(Damaged)
            }
            FALSE => Ok(Atom::boolean(false)),
            TRUE => Ok(Atom::boolean(true)),
            _ => Err(Damaged),
        }
    }

    /// Reads what [`RowWriter::sorted`] wrote; `each` gets the words, and reads what belongs to them.
    pub(crate) fn sorted(
        &mut self,
        mut each: impl FnMut(&mut RowReader<'a, 'b>, u64) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let mut last: u64 = 0;
        for _ in 0..self.reader.length()? {
            last = last.checked_add(self.reader.number()?).ok_or(Damaged)?;
            let word = self.decode(last)?;
            each(self, word)?;
        }
        Ok(())
    }

    /// Reads a set.
    pub(crate) fn set(&mut self) -> Result<Set, Damaged> {
        let tag = self.reader.number()?;
        if tag > 3 {
            return Err(Damaged);
        }
        let (except, is_long) = (tag >> 1 == 1, tag & 1 == 1);
        if !is_long {
            return Set::of_few(except, &self.list()?).ok_or(Damaged);
        }
        let number = self.reader.small()? as usize;
        if number == self.lists.len() {
            let list = self.list()?;
            self.lists.push(list.into());
        }
        Set::of_shared(except, self.lists.get(number).ok_or(Damaged)?).ok_or(Damaged)
    }

    /// Reads different words, and puts them in the order of words.
    fn list(&mut self) -> Result<Vec<u64>, Damaged> {
        let mut list = Vec::new();
        self.sorted(|_, word| {
            list.push(word);
            Ok(())
        })?;
        list.sort_unstable();
        if list.is_sorted_by(|one, other| one < other) { Ok(list) } else { Err(Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of some texts.
    fn words(values: &mut Values, texts: &[&str]) -> Vec<u64> {
        texts.iter().map(|text| values.intern(text).word()).collect()
    }

    const TEXTS: [&str; 9] =
        ["7", "-1", "999999999999999999", "-999999999999999999", "login", "true", "false", "3.25", "1e300"];

    /// Words mean the same values in another table, where these have other numbers.
    #[test]
    fn words_are_read_as_they_were_written() {
        let (mut values, mut others) = (Values::new(), Values::new());
        words(&mut others, &["a", "1.5", "b", "login"]);
        let written = words(&mut values, &[TEXTS, TEXTS].concat());
        let mut out = Writer::default();
        RowWriter::new(&values, &mut out).words(&written);
        let expected = words(&mut others, &[TEXTS, TEXTS].concat());
        let mut read = vec![0; expected.len()];
        let mut reader = Reader::new(out.as_bytes());
        RowReader::new(true, &mut others, &mut reader).words(&mut read).expect("whole");
        assert_eq!((read, reader.is_done()), (expected, true));
    }

    /// The same words make the same bytes, whatever their numbers are and in whichever order they come.
    #[test]
    fn sorted_words_do_not_depend_on_their_numbers() {
        let bytes = |first: &[&str], texts: &[&str]| {
            let mut values = Values::new();
            words(&mut values, first);
            // What was referred to before has its number.
            let (known, sorted) = (words(&mut values, &["x", "y", "z"]), words(&mut values, texts));
            let mut out = Writer::default();
            let mut rows = RowWriter::new(&values, &mut out);
            rows.words(&known);
            rows.sorted(sorted.iter().map(|word| (*word, ())), |_, ()| {});
            out.as_bytes().to_vec()
        };
        assert_eq!(bytes(&["x", "y", "z"], &["1", "z", "-5", "x"]), bytes(&["z", "y", "x"], &["x", "-5", "z", "1"]));
    }

    #[test]
    fn sets_are_read_as_they_were_written_and_share_long_lists() {
        let (mut values, mut others) = (Values::new(), Values::new());
        words(&mut others, &["e", "d", "c", "b", "a"]);
        let texts = ["a", "b", "c", "d", "e"];
        let all = words(&mut values, &texts);
        let long = Set::of(all.iter().copied());
        let sets = [long.clone(), Set::of([all[1]]).complement(), long.clone().complement(), Set::default()];
        let mut out = Writer::default();
        let mut rows = RowWriter::new(&values, &mut out);
        sets.iter().for_each(|set| rows.set(set));
        let others_words = words(&mut others, &texts);
        let mut reader = Reader::new(out.as_bytes());
        let mut from = RowReader::new(false, &mut others, &mut reader);
        let read: Vec<Set> = (0..4).map(|_| from.set().expect("whole")).collect();
        let expected = Set::of(others_words.iter().copied());
        assert_eq!(read[0], expected);
        assert_eq!(read[1], Set::of([others_words[1]]).complement());
        assert_eq!(read[2], expected.complement());
        assert_eq!(read[3], Set::default());
        assert!(std::ptr::eq(read[0].listed(), read[2].listed()), "one list");
    }

    #[test]
    fn what_is_no_word_is_refused() {
        let refused = |bytes: &[u8], by_text: bool| {
            let (mut values, mut reader) = (Values::new(), Reader::new(bytes));
            RowReader::new(by_text, &mut values, &mut reader).word().is_err()
        };
        // A reference to what was not written, an integer with too many digits, a kind that is none, a number that is a string, and one that
        // is not in its normal form where values are compared.
        assert!(refused(&[3], true));
        assert!(refused(&[0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], true));
        assert!(refused(&[1, 4], true));
        assert!(refused(&[1, 0, 1, b'x'], true) && !refused(&[1, 1, 1, b'x'], true));
        assert!(refused(&[1, 0, 3, b'1', b'.', b'0'], false) && !refused(&[1, 0, 3, b'1', b'.', b'0'], true));
    }
}
