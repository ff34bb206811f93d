//! The table of all values that were seen.

use std::borrow::Cow;

use super::atom::{Atom, BOOLEAN, Class, INTEGER, NUMBER, STRING, classify};
use super::live::LiveValues;
use super::normal;
use super::texts::{Pending, Texts};
use crate::number::{Number, parse_small};
use crate::value::{Type, Value};

/// All values seen.
#[derive(Debug, Default)]
pub struct Values {
    strings: Texts,
    numbers: Texts,
    /// The normal forms of numbers, by their number; [`UNKNOWN`] where there is no number.
    normals: Vec<Atom>,
    collection: Collection,
}

/// No number's normal form.
const UNKNOWN: Atom = Atom::boolean(false);

/// Giving values back.
#[derive(Debug)]
struct Collection {
    is_going_on: bool,
    /// How many began.
    begun: u64,
    /// From how many texts on the next one pays.
    pays_from: usize,
    /// How many texts there were at first.
    before: usize,
}

impl Default for Collection {
    fn default() -> Collection {
        Collection { is_going_on: false, begun: 0, pays_from: FEW_TEXTS, before: 0 }
    }
}

/// So many texts are not worth the trouble.
const FEW_TEXTS: usize = 1 << 16;

/// How many buckets of texts are swept at a time.
const SWEEP: usize = 1024;

/// What a text is before it is looked up.
pub(crate) enum Typed {
    /// Known without a look-up, or looked up already.
    Atom(Atom),
    /// A string, which has to be looked up.
    String,
}

impl Values {
    /// No values yet.
    pub fn new() -> Self {
        Values::default()
    }

    /// The atom of a text that is typed by itself.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Atom {
        match self.typed(text) {
            Typed::Atom(atom) => atom,
            Typed::String => Atom::string(self.strings.intern(text)),
        }
    }

    /// The atom of a text whose type is declared; nothing if the text is not of that type.
    pub fn intern_as(&mut self, text: &str, declared: Option<Type>) -> Option<Atom> {
        match declared {
            None => Some(self.intern(text)),
            Some(Type::String) => Some(Atom::string(self.strings.intern(text))),
            Some(declared) => match self.typed(text) {
                Typed::Atom(atom) => self.fits(atom, declared).then_some(atom),
                Typed::String => None,
            },
        }
    }

    /// The atom of a value; a number gives its normal form.
    pub fn intern_value(&mut self, value: &Value) -> Atom {
        match value {
            Value::String(text) => Atom::string(self.strings.intern(text)),
            Value::Boolean(truth) => Atom::boolean(*truth),
            Value::Number(number) => number.as_i64().and_then(Atom::integer).unwrap_or_else(|| {
                let atom = self.intern_number(&number.to_string());
                self.normal(atom)
            }),
        }
    }

    /// The text of an atom, as the trace has it.
    pub fn text(&self, atom: Atom) -> Cow<'_, str> {
        match atom.kind() {
            STRING => self.strings.get(atom.id()).into(),
            NUMBER => self.numbers.get(atom.id()).into(),
            BOOLEAN => if atom == Atom::boolean(true) { "true" } else { "false" }.into(),
            _ => atom.as_integer().unwrap_or_default().to_string().into(),
        }
    }

    /// The value of an atom.
    pub fn value(&self, atom: Atom) -> Value {
        match atom.kind() {
            STRING => Value::string(self.strings.get(atom.id())),
            NUMBER => Value::Number(number(self.numbers.get(atom.id()))),
            BOOLEAN => Value::Boolean(atom == Atom::boolean(true)),
            _ => Value::from(atom.as_integer().unwrap_or_default()),
        }
    }

    /// Whether an atom is one of this table.
    #[inline]
    pub fn has(&self, atom: Atom) -> bool {
        match atom.kind() {
            INTEGER => true,
            STRING => self.strings.has(atom.id()),
            NUMBER => self.numbers.has(atom.id()),
            _ => atom == Atom::boolean(true) || atom == Atom::boolean(false),
        }
    }

    /// The bytes of a string that does not begin as numbers do, which [`Value::report_order`] orders by these alone.
    #[inline]
    pub fn plain_bytes(&self, atom: Atom) -> Option<&[u8]> {
        let bytes = (atom.kind() == STRING).then(|| self.strings.bytes(atom.id()))?;
        (!matches!(bytes, [b'0'..=b'9' | b'-', ..])).then_some(bytes)
    }

    /// The one atom that stands for all writings of a number; every other atom stands for itself.
    #[inline]
    pub fn normal(&self, atom: Atom) -> Atom {
        match atom.kind() {
            NUMBER => self.normals[atom.id() as usize],
            _ => atom,
        }
    }

    /// Whether some number can have other writings: without any, every atom is its own normal form.
    #[inline]
    pub fn has_numbers(&self) -> bool {
        self.numbers.len() > 0
    }

    /// How many texts are kept; integers of few digits and truth values are none.
    pub fn len(&self) -> usize {
        self.strings.len() + self.numbers.len()
    }

    /// Whether no text is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes of memory the texts and their tables take.
    pub fn memory(&self) -> usize {
        self.strings.memory() + self.numbers.memory() + self.normals.capacity() * size_of::<Atom>()
    }

    /// Finds out what a text is, without looking up strings: those may wait for others (see [`Values::resolve`]).
    #[inline(always)]
    pub(crate) fn typed(&mut self, text: &str) -> Typed {
        match classify(text) {
            Class::Atom(atom) => Typed::Atom(atom),
            Class::Number => Typed::Atom(self.intern_number(text)),
            // Only what is computed comes here so: a text of a trace that is too large a number is refused before.
            Class::String | Class::TooLarge => Typed::String,
        }
    }

    /// Looks up many strings at once, so that the waits for memory overlap; `found` gets a place and its atom.
    pub(crate) fn resolve(&mut self, pending: &mut Pending, mut found: impl FnMut(usize, Atom)) {
        self.strings.intern_all(pending, |place, id| found(place, Atom::string(id)));
    }

    /// Looks up many numbers; `found` gets a place and its atom.
    pub(crate) fn resolve_numbers(&mut self, pending: &mut Pending, mut found: impl FnMut(usize, Atom)) {
        pending.drain(|text, place| found(place, self.intern_number(text)));
    }

    fn fits(&self, atom: Atom, declared: Type) -> bool {
        match (declared, atom.kind()) {
            (Type::Boolean, kind) => kind == BOOLEAN,
            (Type::Decimal, INTEGER | NUMBER) | (Type::Integer, INTEGER) => true,
            (Type::Integer, NUMBER) => normal::is_integer(self.numbers.get(atom.id())),
            _ => false,
        }
    }

    /// The atom of a number's text that is no canonical integer of few digits, or of a fraction such as `1/3`.
    #[cold]
    fn intern_number(&mut self, text: &str) -> Atom {
        let id = self.numbers.intern(text);
        let atom = Atom::number(id);
        if id as usize >= self.normals.len() {
            self.normals.resize(id as usize + 1, UNKNOWN);
        }
        if self.normals[id as usize] == UNKNOWN {
            self.normals[id as usize] = atom;
            let normal = match normal::of(text) {
                Some(normal) => match parse_small(normal.as_bytes()) {
                    Some(integer) => Atom::small(integer),
                    None => self.intern_number(&normal),
                },
                None => atom,
            };
            self.normals[id as usize] = normal;
        }
        atom
    }
}

/// Giving values back that nobody refers to. See [`super`].
impl Values {
    /// An atom that somebody keeps: it is not given back.
    pub fn pinned(&mut self, atom: Atom) -> Atom {
        match atom.kind() {
            STRING => self.strings.pin(atom.id()),
            NUMBER => {
                self.numbers.pin(atom.id());
                let normal = self.normal(atom);
                if normal.kind() == NUMBER {
                    self.numbers.pin(normal.id());
                }
            }
            _ => {}
        }
        atom
    }

    /// The atom of a constant of a specification: it is not given back.
    pub fn constant(&mut self, value: &Value) -> Atom {
        let atom = self.intern_value(value);
        self.pinned(atom)
    }

    /// Who kept a text does so no longer.
    pub fn unpin(&mut self, atom: Atom) {
        match atom.kind() {
            STRING => self.strings.unpin(atom.id()),
            // The normal form may be pinned for another writing of it.
            NUMBER => self.numbers.unpin(atom.id()),
            _ => {}
        }
    }

    /// How often giving back began: atoms that were kept before that mean nothing now, unless they were marked or pinned.
    #[inline]
    pub fn generation(&self) -> u64 {
        self.collection.begun
    }

    /// Whether there are so many texts that it pays to find out which of them are referred to. Their number doubles at least from one
    /// time to the next, so that all marks together cost no more than the texts themselves.
    #[inline]
    pub fn is_collection_due(&self) -> bool {
        !self.collection.is_going_on && self.len() >= self.collection.pays_from
    }

    /// Whether values are being given back.
    #[inline]
    pub fn is_collecting(&self) -> bool {
        self.collection.is_going_on
    }

    /// Begins to give values back: all but these, those that are pinned, and those that are looked up from now on.
    pub fn begin_collection(&mut self, live: &LiveValues) {
        self.collection.is_going_on = true;
        self.collection.begun += 1;
        self.collection.before = self.len();
        self.strings.begin_collection(&live.strings);
        let mut numbers = live.numbers.clone();
        for number in live.numbers.iter() {
            let normal = self.normals[number as usize];
            if normal.kind() == NUMBER {
                numbers.insert(normal.id());
            }
        }
        self.numbers.begin_collection(&numbers);
    }

    /// Nobody can tell which values are referred to: none is given back.
    pub fn give_up_collecting(&mut self) {
        self.collection.pays_from = usize::MAX;
    }

    /// Gives back some of the values to which nobody refers; whether those were the last.
    pub fn sweep(&mut self) -> bool {
        let Values { strings, numbers, normals, collection } = self;
        let strings_done = strings.sweep(SWEEP, |_| {});
        let numbers_done = numbers.sweep(SWEEP, |number| normals[number as usize] = UNKNOWN);
        if !strings_done || !numbers_done {
            return false;
        }
        let left = strings.len() + numbers.len();
        // Where little goes, the next time will bring little as well.
        let growth = if 4 * left > 3 * collection.before { 4 } else { 2 };
        *collection = Collection { is_going_on: false, pays_from: (growth * left).max(FEW_TEXTS), ..*collection };
        true
    }
}

/// The number that a text of the table stands for.
fn number(text: &str) -> Number {
    let parsed = match text.split_once('/') {
        None => Number::read_back(text),
        Some((above, below)) => {
            Number::read_back(above).zip(Number::read_back(below)).and_then(|(above, below)| above.div(&below))
        }
    };
    parsed.expect("only numbers are interned as such")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use referee_testing::properties;

    #[test]
    fn equal_texts_are_equal_atoms_and_come_back() {
        let mut values = Values::new();
        let long = "a text that is longer than an entry".repeat(3);
        let texts =
            ["", "a", "twelve bytes", "thirteen byte", &long, "7", "-7", "007", "-0", "3.0", "true", "True", "1/3"];
        let atoms: Vec<Atom> = texts.iter().map(|text| values.intern(text)).collect();
        for (index, text) in texts.iter().enumerate() {
            assert_eq!(values.intern(text), atoms[index], "{text}");
            assert_eq!(values.text(atoms[index]), *text);
            assert_eq!(values.value(atoms[index]), Value::of(text));
            assert_eq!(atoms.iter().filter(|atom| **atom == atoms[index]).count(), 1, "{text}");
        }
    }

    #[test]
    fn small_integers_need_no_table() {
        let mut values = Values::new();
        for integer in [0, 7, -7, 999_999_999_999_999_999, -999_999_999_999_999_999] {
            let atom = values.intern(&integer.to_string());
            assert_eq!(atom.as_integer(), Some(integer));
            assert_eq!(Atom::integer(integer), Some(atom));
        }
        assert_eq!((values.len(), values.memory()), (0, 0));
        assert_eq!(Atom::integer(i64::MIN), None);
    }

    #[test]
    fn equal_numbers_have_one_normal_form() {
        for group in [
            &["3", "3.0", "30e-1", "0.3e1", "0.0003E+4"][..],
            &["0", "-0", "0.0", "-0e5", "0e-9999"],
            &["0.5", "5e-1", "0.50", "500E-3"],
            &["-1.25", "-125e-2", "-0.125e1"],
            &["1000000000000000000", "1e18", "1000000000000000000.0"],
            &["12345678901234567890", "12345678901234567890.00", "1234567890123456789e1"],
            &["1e9999", "10e9998", "0.1e9999", "1.0e9999"],
            &["10e9999", "10.0e9999", "100e9998"],
            &["0.01e-9999", "0.1e-9999"],
        ] {
            let mut values = Values::new();
            for text in group {
                let (first, atom) = (values.intern(group[0]), values.intern(text));
                let equal = Value::of(group[0]) == Value::of(text);
                assert_eq!(values.normal(first) == values.normal(atom), equal, "{} and {text}", group[0]);
                assert_eq!(values.value(values.normal(atom)), Value::of(text), "{text}");
                assert_eq!(values.intern_value(&Value::of(text)), values.normal(atom), "{text}");
            }
        }
    }

    #[test]
    fn a_declared_type_wins() {
        let mut values = Values::new();
        let string = values.intern_as("7", Some(Type::String)).expect("any text is a string");
        assert_ne!(string, values.intern("7"));
        assert_eq!(values.value(string), Value::string("7"));
        for text in ["7", "7.0", "7.5", "70e-1", "75e-1", "1e30", "12345678901234567890.5", "x", "true", ""] {
            for declared in [None, Some(Type::Integer), Some(Type::Decimal), Some(Type::Boolean), Some(Type::String)] {
                let atom = values.intern_as(text, declared);
                assert_eq!(atom.map(|atom| values.value(atom)), Value::of_type(text, declared), "{text} {declared:?}");
            }
        }
    }

    #[test]
    fn computed_values_have_atoms_too() {
        let mut values = Values::new();
        let third = Number::Int(1).div(&Number::Int(3)).expect("three is not zero");
        let atom = values.intern_value(&Value::Number(third.clone()));
        assert_eq!(values.intern_value(&Value::Number(third.clone())), atom);
        assert_eq!(values.value(atom), Value::Number(third));
        assert_ne!(atom, values.intern("1/3"));
        assert_eq!(values.intern_value(&Value::string("x")), values.intern("x"));
        assert_eq!(values.intern_value(&Value::Boolean(true)), values.intern("true"));
        assert_eq!(values.intern_value(&Value::from(i64::MIN)), values.intern("-9223372036854775808"));
    }

    #[test]
    fn a_short_text_of_a_large_number_stays_short() {
        let mut values = Values::new();
        values.intern("0.5");
        let before = values.memory();
        for exponent in 9000..9999 {
            values.intern(&format!("1e{exponent}"));
        }
        assert!(values.memory() < before + 200_000, "{}", values.memory());
    }

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn values_agree_with_their_texts(texts in prop::collection::vec("(-?[0-9]{1,3}([.][0-9]{1,3})?(e-?[0-9])?|[a-c]{0,2})", 1..40)) {
            let mut values = Values::new();
            let atoms: Vec<Atom> = texts.iter().map(|text| values.intern(text)).collect();
            for (a, left) in atoms.iter().zip(&texts) {
                prop_assert_eq!(values.value(*a), Value::of(left));
                for (b, right) in atoms.iter().zip(&texts) {
                    prop_assert_eq!(a == b, left == right);
                    prop_assert_eq!(values.normal(*a) == values.normal(*b), Value::of(left) == Value::of(right));
                }
            }
        }
    }
}
