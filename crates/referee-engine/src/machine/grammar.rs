//! Follows context-free grammars event by event, after Earley.
//!
//! A *set* holds the productions that are under way, each with the place in it and the set in which it began. Sets are
//! configurations: equal ones have one number, and an item refers to the set of its beginning by number. So slices share
//! what they have in common, and a slice whose brackets are closed again is back in an earlier set.
//!
//! Cost per event: the items of the set, times those that wait for a finished one.

use referee_spec::core::machine::{Grammar, Part};

use super::config::{ConfigId, Lists};

/// That an item began in the set it stands in.
const HERE: u32 = u32::MAX;
/// The most items of a set.
const MOST_ITEMS: usize = 20_000;

/// An item: production, place, beginning.
type Item = (u32, u16, u32);

/// A grammar and its sets.
#[derive(Debug)]
pub(super) struct Earley {
    /// Left sides and right sides; the last one derives the start.
    productions: Vec<(usize, Vec<Part>)>,
    sets: Lists,
}

fn pack((production, place, origin): Item) -> u64 {
    u64::from(production) << 48 | u64::from(place) << 32 | u64::from(origin)
}

fn unpack(word: u64) -> Item {
    ((word >> 48) as u32, (word >> 32) as u16, word as u32)
}

impl Earley {
    /// Whether items of a grammar fit into words.
    pub(super) fn takes(grammar: &Grammar) -> bool {
        let most = usize::from(u16::MAX) - 1;
        grammar.productions.len() < most && grammar.productions.iter().all(|(_, parts)| parts.len() < most)
    }

    /// A grammar before the first event; its configuration is 0.
    pub(super) fn new(grammar: &Grammar) -> Earley {
        let productive = productive(grammar);
        let useful = |parts: &[Part]| parts.iter().all(|part| !matches!(part, Part::Nonterminal(n) if !productive[*n]));
        let kept = grammar.productions.iter().filter(|(_, parts)| useful(parts)).cloned();
        let top = (usize::MAX, vec![Part::Nonterminal(0)]);
        // Where nothing can be derived, this is the only one: before the first event there is it, after that nothing.
        let productions: Vec<(usize, Vec<Part>)> = kept.chain([top]).collect();
        let mut earley = Earley { productions, sets: Lists::default() };
        let top = earley.productions.len() as u32 - 1;
        let first = earley.complete(vec![(top, 0, HERE)]);
        earley.intern(&first);
        earley
    }

    fn intern(&mut self, items: &[Item]) -> ConfigId {
        let words: Vec<u64> = items.iter().map(|item| pack(*item)).collect();
        self.sets.intern(&words).0
    }

    /// The set after an event; nothing if it would be too large.
    pub(super) fn step(&mut self, set: ConfigId, symbol: usize) -> Option<ConfigId> {
        let mut scanned: Vec<Item> = Vec::new();
        for (production, place, origin) in self.sets.get(set).iter().map(|word| unpack(*word)) {
            if self.productions[production as usize].1.get(place as usize) == Some(&Part::Event(symbol)) {
                scanned.push((production, place + 1, if origin == HERE { set } else { origin }));
            }
        }
        let items = self.complete(scanned);
        (items.len() <= MOST_ITEMS).then(|| self.intern(&items))
    }

    /// Adds what begins and what is finished, until nothing is added.
    fn complete(&self, mut items: Vec<Item>) -> Vec<Item> {
        let mut known: crate::shared::maps::Set<Item> = items.iter().copied().collect();
        loop {
            let before = items.len();
            let mut at = 0;
            while at < items.len() && items.len() <= MOST_ITEMS {
                let mut add = |item: Item, items: &mut Vec<Item>| {
                    if known.insert(item) {
                        items.push(item);
                    }
                };
                let (production, place, origin) = items[at];
                let (left, parts) = &self.productions[production as usize];
                match parts.get(place as usize) {
                    Some(Part::Event(_)) => {}
                    Some(Part::Nonterminal(wanted)) => {
                        for (number, _) in self.productions.iter().enumerate().filter(|(_, (left, _))| left == wanted) {
                            add((number as u32, 0, HERE), &mut items);
                        }
                    }
                    None => {
                        for item in self.waiting(*left, origin, &items) {
                            add(item, &mut items);
                        }
                    }
                }
                at += 1;
            }
            // What is finished where it began may serve items that came after it.
            if items.len() == before || items.len() > MOST_ITEMS {
                items.sort_unstable();
                return items;
            }
        }
    }

    /// The items that waited for a nonterminal in the set where it began, each one place on.
    fn waiting(&self, finished: usize, origin: u32, here: &[Item]) -> Vec<Item> {
        let waits = |item: &Item| {
            self.productions[item.0 as usize].1.get(item.1 as usize) == Some(&Part::Nonterminal(finished))
        };
        let on = |(production, place, began): Item, set: u32| {
            (production, place + 1, if began == HERE { set } else { began })
        };
        if origin == HERE {
            return here.iter().copied().filter(waits).map(|item| on(item, HERE)).collect();
        }
        let set = self.sets.get(origin).iter().map(|word| unpack(*word));
        set.filter(waits).map(|item| on(item, origin)).collect()
    }

    /// Whether what has been read is in the language.
    pub(super) fn matches(&self, set: ConfigId) -> bool {
        let top = |item: &Item| self.productions[item.0 as usize].0 == usize::MAX && item.1 == 1;
        self.sets.get(set).iter().map(|word| unpack(*word)).any(|item| top(&item))
    }

    /// Whether nothing that begins so is in the language.
    pub(super) fn fails(&self, set: ConfigId) -> bool {
        self.sets.get(set).is_empty()
    }

    /// All sets.
    pub(super) fn sets(&self) -> &Lists {
        &self.sets
    }

    /// Replaces all sets; nothing if items of them are none, or they refer to sets that are not there.
    pub(super) fn replace(&mut self, sets: Lists) -> Option<()> {
        let is_item = |word: &u64| {
            let (production, place, origin) = unpack(*word);
            let parts = self.productions.get(production as usize);
            parts.is_some_and(|(_, parts)| place as usize <= parts.len()) && (origin == HERE || sets.has(origin))
        };
        let all_items = sets.all().iter().all(|(_, words)| words.iter().all(is_item));
        if !sets.has(0) || !all_items {
            return None;
        }
        self.sets = sets;
        Some(())
    }

    /// How many sets there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether a collection would pay.
    pub(super) fn is_full(&self) -> bool {
        self.sets.is_full()
    }

    /// Drops all sets but the first, those in use and those they refer to.
    pub(super) fn collect(&mut self, used: impl Iterator<Item = ConfigId>) {
        let mut marked = vec![false; self.sets.capacity()];
        let mut open: Vec<ConfigId> = used.chain([0]).collect();
        while let Some(set) = open.pop() {
            if !std::mem::replace(&mut marked[set as usize], true) {
                let origins = self.sets.get(set).iter().map(|word| unpack(*word).2);
                open.extend(origins.filter(|origin| *origin != HERE));
            }
        }
        self.sets.collect(&marked);
    }
}

/// The nonterminals that derive any word at all.
fn productive(grammar: &Grammar) -> Vec<bool> {
    let mut productive = vec![false; grammar.nonterminals.len()];
    loop {
        let before = productive.clone();
        for (left, parts) in &grammar.productions {
            productive[*left] |= parts.iter().all(|part| !matches!(part, Part::Nonterminal(n) if !before[*n]));
        }
        if productive == before {
            return productive;
        }
    }
}
