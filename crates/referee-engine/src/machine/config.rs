//! Gives each configuration, all that an instance of a machine remembers, one number.
//!
//! A configuration is a list of words: the runs of an automaton (state, registers) one after the other, a stack, a string.
//! Equal lists have one number, so instances that behave alike are seen to be alike by comparing numbers, and classes of
//! them can be moved at once. Numbers that no instance has any more are collected when their count has doubled.
//!
//! Cost: one hash of the words and one look-up per new configuration; nothing per instance. Where no event moves two instances, nothing
//! is gained by comparing them: then each has a list of its own, which is changed in place.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The number of a configuration.
pub(super) type ConfigId = u32;

/// How many configurations are kept before the first collection.
const FIRST_COLLECTION: usize = 1 << 14;

/// The most numbers that lists are read with.
const MOST_NUMBERS: usize = 1 << 26;

/// A table of lists of words, each with its number.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    lists: Vec<Option<Box<[u64]>>>,
    table: HashTable<u32>,
    free: Vec<u32>,
    hasher: FixedState,
    collect_at: usize,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists {
            lists: Vec::new(),
            table: HashTable::new(),
            free: Vec::new(),
            hasher: FixedState::default(),
            collect_at: FIRST_COLLECTION,
        }
    }
}

impl Lists {
    /// The number of a list, and whether it is new.
    pub(super) fn intern(&mut self, words: &[u64]) -> (u32, bool) {
        let hash = self.hasher.hash_one(words);
        let lists = &self.lists;
        if let Some(&id) = self.table.find(hash, |&id| lists[id as usize].as_deref() == Some(words)) {
            return (id, false);
        }
        let id = match self.free.pop() {
            Some(id) => {
                // The room of a list that was collected is used again where it fits.
                self.set(id, words);
                id
            }
            None => {
                self.lists.push(Some(words.into()));
                (self.lists.len() - 1) as u32
            }
        };
        let (lists, hasher) = (&self.lists, &self.hasher);
        self.table.insert_unique(hash, id, |&id| hasher.hash_one(lists[id as usize].as_deref().unwrap_or_default()));
        (id, true)
    }

    /// A number of its own for a list that nobody looks up.
    pub(super) fn put(&mut self, words: &[u64]) -> u32 {
        let id = self.free.pop().unwrap_or_else(|| {
            self.lists.push(None);
            (self.lists.len() - 1) as u32
        });
        self.set(id, words);
        id
    }

    /// Changes a list that nobody looks up.
    #[inline]
    pub(super) fn set(&mut self, id: u32, words: &[u64]) {
        match &mut self.lists[id as usize] {
            Some(room) if room.len() == words.len() => room.copy_from_slice(words),
            other => *other = Some(words.into()),
        }
    }

    /// Takes back the number of a list that nobody looks up.
    pub(super) fn release(&mut self, id: u32) {
        self.free.push(id);
    }

    /// All lists that are looked up, with their numbers.
    pub(super) fn all(&self) -> Vec<(u32, &[u64])> {
        let mut all: Vec<(u32, &[u64])> = self.table.iter().map(|id| (*id, self.get(*id))).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// Lists with given numbers, which ascend, and no others; nothing if two are alike, or a number is out of proportion.
    pub(super) fn of(all: Vec<(u32, Vec<u64>)>) -> Option<Lists> {
        let mut lists = Lists::default();
        let mut gaps = Vec::new();
        for (id, words) in all {
            if (id as usize) < lists.lists.len() || id as usize >= MOST_NUMBERS {
                return None;
            }
            gaps.extend(lists.lists.len() as u32..id);
            lists.lists.resize(id as usize, None);
            if lists.intern(&words) != (id, true) {
                return None;
            }
        }
        lists.free = gaps;
        Some(lists)
    }

    /// Whether a number is that of a list that is looked up.
    pub(super) fn has(&self, id: u32) -> bool {
        let list = self.lists.get(id as usize).and_then(Option::as_deref);
        list.is_some_and(|words| self.table.find(self.hasher.hash_one(words), |&other| other == id).is_some())
    }

    /// A list by its number.
    pub(super) fn get(&self, id: u32) -> &[u64] {
        self.lists[id as usize].as_deref().unwrap_or_default()
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// How many numbers were given.
    pub(super) fn capacity(&self) -> usize {
        self.lists.len()
    }

    /// Whether so many lists have come that a collection pays.
    pub(super) fn is_full(&self) -> bool {
        self.table.len() >= self.collect_at
    }

    /// Drops every list whose number is not marked.
    pub(super) fn collect(&mut self, marked: &[bool]) {
        let (lists, hasher) = (&self.lists, &self.hasher);
        for id in 0..lists.len() as u32 {
            if marked[id as usize] {
                continue;
            }
            let hash = hasher.hash_one(lists[id as usize].as_deref().unwrap_or_default());
            if let Ok(entry) = self.table.find_entry(hash, |&other| other == id) {
                entry.remove();
                self.free.push(id);
            }
        }
        self.collect_at = (2 * self.table.len()).max(FIRST_COLLECTION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_share_a_number_and_the_unmarked_go() {
        let mut lists = Lists::default();
        let (a, new) = lists.intern(&[1, 2]);
        assert!(new);
        assert_eq!(lists.intern(&[1, 2]), (a, false));
        let (b, _) = lists.intern(&[3]);
        let mut marked = vec![false; lists.capacity()];
        marked[b as usize] = true;
        lists.collect(&marked);
        assert_eq!((lists.len(), lists.get(b)), (1, &[3][..]));
        assert_eq!(lists.intern(&[7, 8]), (a, true));
        assert_eq!((lists.intern(&[1, 2]).1, lists.get(a)), (true, &[7, 8][..]));
    }
}
