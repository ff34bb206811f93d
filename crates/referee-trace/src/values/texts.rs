//! Texts with dense numbers.
//!
//! ```text
//!  text ─▶ cell ─▶ hash ─▶ bucket              ─▶ cells[number]
//!          24 bytes        hashes and numbers     the text
//! ```
//!
//! A text of up to 23 bytes is [three words](cell) from the moment it waits: it is hashed, compared and kept without regard to
//! its length, and nothing else is kept of it but a hash and its number. The bytes of longer ones lie [elsewhere](cells).
//!
//! A look-up waits for memory twice, for a [bucket](buckets) and for a cell, and hardly ever reads a wrong cell, since 32 bits of
//! the hash must agree first. [`Texts::intern_all`] looks up many texts in passes: one asks for all the buckets, one searches
//! them and asks for all the cells, and as nobody [waits for what was asked](crate::prefetch) the waits overlap. That needs a table
//! whose buckets can be asked for, so it is written out here and not a hash map. With hundreds of thousands of texts most look-ups
//! also wait for the processor to find the page; so large parts of the memory are wanted in [large pages](huge).
//!
//! # Giving texts back
//!
//! ```text
//!  begin_collection(marks) ─▶ sweep, sweep, … ── the last bucket ─▶ over
//!                          └ every text that is looked up from here on is marked as well
//! ```
//!
//! A sweep goes through some buckets and takes out the texts that have no mark: their numbers are given to new texts. Texts that
//! are [pinned](Texts::pin) stay for ever.

mod buckets;
mod cell;
mod cells;
mod huge;
mod long_texts;
mod pending;

use buckets::{Buckets, Lookup};
use cell::{Cell, Hashes};
use cells::Cells;
use pending::Key;
pub(crate) use pending::Pending;

use crate::values::bits::Bits;

/// How many texts are looked up in a pass: what they ask for stays in the first level cache.
const PASS: usize = 64;

/// A set of texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Texts {
    buckets: Buckets,
    cells: Cells,
    hashes: Hashes,
    pinned: Bits,
    /// While texts are given back: those that stay, and how many buckets were swept.
    marks: Option<Bits>,
    swept: usize,
}

impl Texts {
    /// The number of a text, a new one if it is new.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        let bytes = text.as_bytes();
        let mut cell = Cell::short(bytes).unwrap_or_else(|| Cell::long(0, bytes.len()));
        let hash = self.hashes.of(&mut cell, bytes);
        self.reserve(1);
        let id = self.intern_hashed(&cell, bytes, hash);
        self.mark(id);
        id
    }

    /// Makes room for so many more texts.
    #[inline(always)]
    fn reserve(&mut self, texts: usize) {
        if self.buckets.reserve(self.cells.len() + texts) {
            self.swept = 0;
        }
    }

    /// A text was looked up: while others are given back, it stays.
    #[inline(always)]
    fn mark(&mut self, id: u32) {
        if let Some(marks) = &mut self.marks {
            marks.insert(id);
        }
    }

    /// The numbers of all texts that wait, each told with its place. Nothing waits afterwards.
    pub(super) fn intern_all(&mut self, pending: &mut Pending, mut found: impl FnMut(usize, u32)) {
        let Pending { keys, bytes, repeats, .. } = &mut *pending;
        for keys in keys.chunks_mut(PASS) {
            self.reserve(keys.len());
            let mut lookups = [Lookup::Free(0); PASS];
            self.read_ahead(keys, bytes, &mut lookups);
            for (key, lookup) in keys.iter_mut().zip(&lookups) {
                key.hash = self.settle(key, bytes, *lookup);
                self.mark(key.hash);
                found(key.place as usize, key.hash);
            }
        }
        for (place, key) in repeats {
            found(*place as usize, keys[*key as usize].hash);
        }
        pending.clear();
    }

    /// Asks for everything that the look-ups need, one pass per stage. No pass waits for what it asks for.
    #[inline(always)]
    fn read_ahead(&self, keys: &mut [Key], bytes: &[u8], lookups: &mut [Lookup; PASS]) {
        for key in &mut *keys {
            key.hash = self.hashes.of(&mut key.cell, bytes);
            self.buckets.ask_for(key.hash);
        }
        for (key, lookup) in keys.iter().zip(&mut *lookups) {
            *lookup = self.buckets.look(key.hash);
            if let Lookup::Taken(id) = *lookup {
                self.cells.ask_for(id);
            }
        }
        if !bytes.is_empty() {
            self.ask_for_long(&lookups[..keys.len()]);
        }
    }

    #[inline(never)]
    fn ask_for_long(&self, lookups: &[Lookup]) {
        for lookup in lookups {
            if let Lookup::Taken(id) = *lookup {
                self.cells.ask_for_long(id);
            }
        }
    }

    /// The number of a text for which a search came to this.
    #[inline(always)]
    fn settle(&mut self, key: &Key, bytes: &[u8], lookup: Lookup) -> u32 {
        match lookup {
            Lookup::Taken(id) if self.cells.is(id, &key.cell, bytes) => id,
            Lookup::Taken(_) => self.intern_hashed(&key.cell, bytes, key.hash),
            Lookup::Free(place) => match self.buckets.at(place) {
                (0, _) => self.add(&key.cell, bytes, key.hash, place),
                (hash, id) if hash == key.hash && self.cells.is(id, &key.cell, bytes) => id,
                _ => self.intern_hashed(&key.cell, bytes, key.hash),
            },
        }
    }

    /// The number of a text for which there is room.
    #[inline(never)]
    fn intern_hashed(&mut self, cell: &Cell, bytes: &[u8], hash: u32) -> u32 {
        let mut found = None;
        let place = self.buckets.search(hash, |id| {
            let is_same = self.cells.is(id, cell, bytes);
            if is_same {
                found = Some(id);
            }
            is_same
        });
        found.unwrap_or_else(|| self.add(cell, bytes, hash, place))
    }

    /// Keeps a new text, whose number is found at this place from now on.
    #[inline(always)]
    fn add(&mut self, cell: &Cell, bytes: &[u8], hash: u32, place: u32) -> u32 {
        let id = self.cells.add(cell, bytes);
        self.buckets.put(place, hash, id);
        id
    }

    /// A text by its number.
    pub(super) fn get(&self, id: u32) -> &str {
        std::str::from_utf8(self.bytes(id)).expect("only texts are interned")
    }

    /// The bytes of a text by its number.
    #[inline]
    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        self.cells.bytes(id)
    }

    /// Whether a number is that of a text.
    #[inline]
    pub(super) fn has(&self, id: u32) -> bool {
        self.cells.has(id)
    }

    /// A text is never given back.
    pub(super) fn pin(&mut self, id: u32) {
        self.pinned.insert(id);
    }

    /// A text is given back as others are.
    pub(super) fn unpin(&mut self, id: u32) {
        self.pinned.remove(id);
    }

    /// Begins to give texts back: all but these, those that are pinned, and those that are looked up from now on.
    pub(super) fn begin_collection(&mut self, live: &Bits) {
        let mut marks = live.clone();
        marks.add_all(&self.pinned);
        (self.marks, self.swept) = (Some(marks), 0);
    }

    /// Takes the texts without a mark out of some buckets, and tells their numbers; whether that was the last of it.
    pub(super) fn sweep(&mut self, buckets: usize, mut gone: impl FnMut(u32)) -> bool {
        let Texts { buckets: all, cells, marks: Some(marks), swept, .. } = self else { return true };
        let to = *swept + buckets;
        all.sweep(
            *swept..to,
            |id| marks.has(id),
            |id| {
                cells.release(id);
                gone(id);
            },
        );
        *swept = to;
        if to < all.count() {
            return false;
        }
        self.marks = None;
        self.cells.trim();
        self.buckets.shrink(self.cells.len());
        true
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// How many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.buckets.memory() + self.cells.memory()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use proptest::prelude::*;
    use referee_testing::properties;

    #[test]
    fn many_texts_get_dense_numbers_and_come_back() {
        let mut texts = Texts::default();
        let text =
            |id: u32| if id.is_multiple_of(3) { format!("a rather long text, number {id}") } else { format!("t{id}") };
        for id in 0..20_000 {
            assert_eq!(texts.intern(&text(id)), id);
        }
        for id in 0..20_000 {
            assert_eq!(texts.intern(&text(id)), id);
            assert_eq!(texts.get(id), text(id));
        }
        assert_eq!(texts.len(), 20_000);
        assert!(texts.memory() > 20_000 * 16, "{}", texts.memory());
    }

    /// Sweeps all that is not among these.
    fn collect(texts: &mut Texts, live: &[u32]) -> Vec<u32> {
        let mut bits = Bits::default();
        live.iter().for_each(|id| bits.insert(*id));
        texts.begin_collection(&bits);
        let mut gone = Vec::new();
        while !texts.sweep(3, |id| gone.push(id)) {}
        gone
    }

    #[test]
    fn memory_comes_back_when_most_texts_go() {
        let mut texts = Texts::default();
        let text = |id: u32| format!("{id}, and a text that does not fit into a cell");
        (0..600_000).for_each(|id| assert_eq!(texts.intern(&text(id)), id));
        let full = texts.memory();
        texts.pin(3);
        let gone = collect(&mut texts, &[100_000]);
        assert_eq!((gone.len(), texts.len()), (599_998, 2));
        assert!(texts.memory() < full / 8, "{} of {full}", texts.memory());
        assert_eq!((texts.get(3), texts.get(100_000)), (&*text(3), &*text(100_000)));
        assert_eq!((texts.intern(&text(3)), texts.intern(&text(100_000)), texts.intern("new")), (3, 100_000, 0));
        texts.unpin(3);
        assert_eq!(collect(&mut texts, &[]).len(), 3);
    }

    #[test]
    fn texts_that_are_looked_up_while_others_go_stay() {
        let mut texts = Texts::default();
        (0..1000).for_each(|id| assert_eq!(texts.intern(&id.to_string()), id));
        texts.begin_collection(&Bits::default());
        assert!(!texts.sweep(1, |_| {}));
        let early = texts.intern("7");
        while !texts.sweep(1, |_| {}) {
            texts.intern("new");
        }
        assert_eq!((texts.get(early), texts.len()), ("7", 2));
    }

    #[test]
    fn texts_that_differ_in_length_alone_differ() {
        let mut texts = Texts::default();
        for (id, text) in (0..).zip(["", "\0", "\0\0", "abcdefghijkl", "abcdefghijklm", "abcdefghijkln"]) {
            assert_eq!(texts.intern(text), id);
        }
    }

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn texts_whose_hashes_are_the_same_differ(rounds in prop::collection::vec(prop::collection::vec("[ab]{0,12}", 0..200), 1..4)) {
            let mut texts = Texts { hashes: Hashes::same(), ..Texts::default() };
            let (mut pending, mut known) = (Pending::default(), Vec::new());
            for round in &rounds {
                round.iter().enumerate().for_each(|(place, text)| pending.push(text, place));
                let mut ids = Vec::new();
                texts.intern_all(&mut pending, |place, id| ids.push((place, id)));
                for (index, (place, id)) in ids.into_iter().enumerate() {
                    let text = &round[place];
                    let expected = known.iter().position(|other| other == text).unwrap_or(known.len());
                    if expected == known.len() {
                        known.push(text.clone());
                    }
                    prop_assert_eq!((place, id as usize), (index, expected));
                }
            }
            for (id, text) in (0..).zip(&known) {
                prop_assert_eq!(texts.intern(text), id);
                prop_assert_eq!(texts.get(id), text);
            }
        }

        /// Whatever goes, equal texts have equal numbers and others have others.
        #[test]
        fn texts_come_and_go(
            rounds in prop::collection::vec((prop::collection::vec(prop_oneof!["[ab]{0,5}", "[ab]{0,3}x{20}[ab]{0,5}"], 0..120), 1..4_u32, any::<bool>()), 1..8)
        ) {
            let mut texts = Texts::default();
            let (mut pending, mut known) = (Pending::default(), HashMap::<String, u32>::new());
            for (round, part, is_hurried) in rounds {
                round.iter().enumerate().for_each(|(place, text)| pending.push(text, place));
                let mut ids = Vec::new();
                texts.intern_all(&mut pending, |place, id| ids.push((place, id)));
                for (place, id) in ids {
                    prop_assert_eq!(*known.entry(round[place].clone()).or_insert(id), id);
                }
                let all: HashSet<u32> = known.values().copied().collect();
                prop_assert_eq!((all.len(), texts.len()), (known.len(), known.len()));
                for (text, id) in &known {
                    prop_assert_eq!(texts.get(*id), text);
                }
                let live: Vec<u32> = known.values().copied().filter(|id| id.is_multiple_of(part)).collect();
                if is_hurried {
                    collect(&mut texts, &live);
                    known.retain(|_, id| live.contains(id));
                }
            }
        }

        #[test]
        fn many_at_once_are_as_one_by_one(rounds in prop::collection::vec(prop::collection::vec(prop_oneof!["[ab]{0,14}", "[ab]{0,3}x{20}[ab]{0,3}"], 0..200), 1..6)) {
            let (mut one_by_one, mut at_once) = (Texts::default(), Texts::default());
            let mut pending = Pending::default();
            for round in rounds {
                round.iter().enumerate().for_each(|(place, text)| match place % 3 {
                    0 => pending.push(text, place),
                    column => pending.push_in_column(text, place, column),
                });
                let mut ids = Vec::new();
                at_once.intern_all(&mut pending, |place, id| ids.push((place, id)));
                ids.sort_unstable();
                let expected: Vec<_> = round.iter().map(|text| one_by_one.intern(text)).enumerate().collect();
                prop_assert_eq!(ids, expected);
                prop_assert_eq!(pending.size(), 0);
            }
        }
    }
}
