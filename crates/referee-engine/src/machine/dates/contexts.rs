//! The contexts that are open, found by the values of their keys.

use std::cmp::Ordering;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use referee_spec::core::machine::dates::{DateTrigger, Dates, Way};
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::clock::Watch;
use crate::shared::maps::{Map, Set};

/// The number of a context; that of one that was dropped is given again.
pub(super) type ContextId = u32;

/// What a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing, or the empty set.
    Nothing,
    /// A value.
    Atom(Atom),
    /// A set that is not empty.
    Set(Set<Atom>),
}

/// An open context.
#[derive(Debug)]
pub(super) struct Context {
    /// Its scope.
    pub scope: usize,
    /// The context that it stands in; GLOBAL's is its own.
    pub parent: ContextId,
    /// How many contexts opened before it.
    pub serial: u64,
    /// The values of the keys of all it stands in and then its own.
    pub keys: Box<[Atom]>,
    /// What its own variables hold.
    pub variables: Box<[Content]>,
    /// Its own clocks.
    pub clocks: Box<[Watch]>,
    /// Where its own automata are.
    pub states: Box<[u32]>,
    /// The contexts right below it that are listed, in the order of opening.
    pub children: Vec<ContextId>,
    /// How many contexts right below it are open.
    below: u32,
    /// Its places among the contexts of its scope, and among those right below its parent, where it is listed.
    places: (usize, usize),
    /// For each scope on the way here: its number, and when the context opened.
    path: Box<[(usize, u64)]>,
}

impl Context {
    /// How contexts take turns.
    pub(super) fn turn(&self, other: &Context) -> Ordering {
        self.path.cmp(&other.path)
    }
}

/// What is known of a scope beforehand.
#[derive(Debug)]
pub(super) struct Layout {
    /// Its keys and those of all it stands in, outer ones first.
    pub keys: Box<[usize]>,
    /// The depth of its first own key, and of the first that is not its own any more.
    pub own: (usize, usize),
    variables: Box<[Content]>,
    states: Box<[u32]>,
    clocks: usize,
    /// Whether contexts that are back where they began are dropped.
    pub drops: bool,
    /// By depth of a key, whether contexts hear of nothing any more once its value is dead and their clocks stand still.
    ends_with: Box<[bool]>,
}

/// All open contexts.
#[derive(Debug)]
pub(super) struct Contexts {
    slots: Vec<Option<Context>>,
    free: Vec<ContextId>,
    table: HashTable<ContextId>,
    hasher: FixedState,
    /// What is known of each scope.
    pub layouts: Vec<Layout>,
    /// The contexts of each scope, in the order of opening; not of scopes that drop theirs.
    by_scope: Vec<Vec<ContextId>>,
    opened: u64,
    /// The contexts with a key; made when the first value is forgotten, since few are ever told of dead values.
    by_key: Option<Map<Atom, Set<ContextId>>>,
}

/// The number of the only context of GLOBAL.
pub(super) const GLOBAL: ContextId = 0;

impl Contexts {
    /// None yet.
    pub(super) fn new(dates: &Dates, values: &mut Values) -> Contexts {
        let layouts = (0..dates.scopes.len()).map(|scope| Layout::new(dates, scope, values)).collect();
        Contexts {
            slots: Vec::new(),
            free: Vec::new(),
            table: HashTable::new(),
            hasher: FixedState::default(),
            layouts,
            by_scope: vec![Vec::new(); dates.scopes.len()],
            opened: 0,
            by_key: None,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// How many have opened so far.
    pub(super) fn opened(&self) -> u64 {
        self.opened
    }

    /// Says how many have opened so far.
    pub(super) fn set_opened(&mut self, opened: u64) {
        self.opened = opened;
    }

    /// A context, if it is open.
    #[inline]
    pub(super) fn find(&self, id: ContextId) -> Option<&Context> {
        self.slots.get(id as usize)?.as_ref()
    }

    /// An open context.
    #[inline]
    pub(super) fn get(&self, id: ContextId) -> &Context {
        self.find(id).expect("only open contexts have their numbers in use")
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn get_mut(&mut self, id: ContextId) -> &mut Context {
        self.slots[id as usize].as_mut().expect("only open contexts have their numbers in use")
    }

    /// All open contexts.
    pub(super) fn all(&self) -> impl Iterator<Item = (ContextId, &Context)> {
        self.slots.iter().enumerate().filter_map(|(id, slot)| Some((id as ContextId, slot.as_ref()?)))
    }

    /// The contexts of a scope, in the order of opening.
    pub(super) fn of_scope(&self, scope: usize) -> &[ContextId] {
        &self.by_scope[scope]
    }

    /// The values of a context's own keys.
    pub(super) fn own<'c>(&self, context: &'c Context) -> &'c [Atom] {
        &context.keys[self.layouts[context.scope].own.0..]
    }

    /// The contexts of a scope whose own keys have these values.
    pub(super) fn with_own(&self, scope: usize, own: &[Atom]) -> impl Iterator<Item = ContextId> {
        let found = self.table.iter_hash(self.hasher.hash_one((scope, own))).copied();
        found.filter(move |id| {
            let context = self.get(*id);
            context.scope == scope && self.own(context) == own
        })
    }

    /// Opens a context.
    pub(super) fn open(&mut self, scope: usize, parent: ContextId, own: &[Atom], now: &Number) -> ContextId {
        let (mut keys, mut path) = (Vec::new(), Vec::new());
        if let Some(outer) = self.find(parent) {
            keys.extend_from_slice(&outer.keys);
            path.extend_from_slice(&outer.path);
        }
        keys.extend_from_slice(own);
        path.push((scope, self.opened));
        let layout = &self.layouts[scope];
        let context = Context {
            scope,
            parent,
            serial: self.opened,
            keys: keys.into(),
            variables: layout.variables.clone(),
            clocks: (0..layout.clocks).map(|_| Watch::new(now)).collect(),
            states: layout.states.clone(),
            children: Vec::new(),
            below: 0,
            places: (0, 0),
            path: path.into(),
        };
        self.opened += 1;
        let id = self.enter(context);
        if id != parent {
            self.get_mut(parent).below += 1;
        }
        if !self.layouts[scope].drops {
            self.list(id, parent);
        }
        if let Some(by_key) = &mut self.by_key {
            let keys = self.slots[id as usize].iter().flat_map(|context| &context.keys);
            keys.for_each(|key| _ = by_key.entry(*key).or_default().insert(id));
        }
        id
    }

    /// Lists a context among those of its scope and those right below its parent.
    fn list(&mut self, id: ContextId, parent: ContextId) {
        let scope = self.get(id).scope;
        let mut places = (self.by_scope[scope].len(), 0);
        self.by_scope[scope].push(id);
        if id != parent {
            let children = &mut self.get_mut(parent).children;
            places.1 = children.len();
            children.push(id);
        }
        self.get_mut(id).places = places;
    }

    /// Takes a context off both lists; the last ones get its places, since turns are taken by age and not by place.
    fn delist(&mut self, id: ContextId) {
        let Context { scope, parent, places, .. } = *self.get(id);
        self.by_scope[scope].swap_remove(places.0);
        if let Some(&moved) = self.by_scope[scope].get(places.0) {
            self.get_mut(moved).places.0 = places.0;
        }
        let children = &mut self.get_mut(parent).children;
        children.swap_remove(places.1);
        if let Some(&moved) = children.get(places.1) {
            self.get_mut(moved).places.1 = places.1;
        }
    }

    fn enter(&mut self, context: Context) -> ContextId {
        let hash = self.hasher.hash_one((context.scope, self.own(&context)));
        let id = match self.free.pop() {
            Some(id) => {
                self.slots[id as usize] = Some(context);
                id
            }
            None => {
                self.slots.push(Some(context));
                (self.slots.len() - 1) as ContextId
            }
        };
        let (slots, layouts, hasher) = (&self.slots, &self.layouts, &self.hasher);
        self.table.insert_unique(hash, id, |id| {
            let context = slots[*id as usize].as_ref();
            context.map_or(0, |context| hasher.hash_one((context.scope, &context.keys[layouts[context.scope].own.0..])))
        });
        id
    }

    /// Drops a context of a scope that allows it, if it is back where it began.
    pub(super) fn drop_if_at_rest(&mut self, id: ContextId) {
        let Some(context) = self.find(id) else { return };
        let layout = &self.layouts[context.scope];
        if !layout.drops || context.states != layout.states || context.variables != layout.variables {
            return;
        }
        self.close(id);
    }

    fn close(&mut self, id: ContextId) {
        let Some(context) = self.find(id) else { return };
        let (parent, listed) = (context.parent, !self.layouts[context.scope].drops);
        let hash = self.hasher.hash_one((context.scope, self.own(context)));
        if let Ok(entry) = self.table.find_entry(hash, |other| *other == id) {
            entry.remove();
        }
        if listed {
            self.delist(id);
        }
        self.get_mut(parent).below -= 1;
        let keys = self.slots[id as usize].take().map_or_else(Box::default, |context| context.keys);
        for key in keys {
            self.unlist_key(key, id);
        }
        self.free.push(id);
    }

    fn unlist_key(&mut self, key: Atom, id: ContextId) {
        let Some(by_key) = &mut self.by_key else { return };
        if let Some(contexts) = by_key.get_mut(&key)
            && contexts.remove(&id)
            && contexts.is_empty()
        {
            by_key.remove(&key);
        }
    }

    /// Closes the contexts with a dead key that hear of nothing any more; inner ones first, since an outer one has to be alone. `is_still` tells
    /// whether no clock of a context has a timeout ahead.
    pub(super) fn forget(&mut self, value: Atom, is_still: impl Fn(&Context) -> bool) {
        if self.by_key.is_none() {
            let mut by_key: Map<Atom, Set<ContextId>> = Map::default();
            for (id, context) in self.all() {
                context.keys.iter().for_each(|key| _ = by_key.entry(*key).or_default().insert(id));
            }
            self.by_key = Some(by_key);
        }
        let found = self.by_key.as_ref().and_then(|by_key| by_key.get(&value)).into_iter().flatten().copied();
        let mut found: Vec<ContextId> = found.collect();
        found.sort_unstable_by_key(|id| (std::cmp::Reverse(self.get(*id).path.len()), self.get(*id).serial));
        for id in found {
            let context = self.get(id);
            let ends_with = &self.layouts[context.scope].ends_with;
            let mut keys = context.keys.iter().zip(ends_with);
            if context.below == 0 && is_still(context) && keys.any(|(key, ends)| *key == value && *ends) {
                self.close(id);
            }
        }
    }
}

impl Layout {
    fn new(dates: &Dates, scope: usize, values: &mut Values) -> Layout {
        let parts = &dates.scopes[scope];
        let keys = dates.keys_of(scope);
        let to = keys.len();
        let mut initial = |variable: &usize| match &dates.variables[*variable].initial {
            Some(value) => Content::Atom(values.intern_value(value)),
            None => Content::Nothing,
        };
        Layout {
            own: (to - parts.keys.len(), to),
            ends_with: (0..to).map(|depth| ends_with(dates, scope, keys[depth])).collect(),
            keys: keys.into(),
            variables: parts.variables.iter().map(&mut initial).collect(),
            states: parts.properties.iter().map(|property| dates.properties[*property].start as u32).collect(),
            clocks: parts.clocks.len(),
            drops: may_drop(dates, scope),
        }
    }
}

/// Whether a context of a scope hears of nothing any more once the value of a key is dead and its own clocks have no timeout ahead.
///
/// Its automata move on events that show the key, which never come; on timeouts of its own clocks, of which none is ahead, and which only
/// the context itself or one below it could wind up; and on nothing else. No event opens a context with these keys again, nor one below it,
/// since it would show the key. Messages that carry keys may be about the dead, so where there are any, everything stays.
fn ends_with(dates: &Dates, scope: usize, key: usize) -> bool {
    let mut all = dates.events.iter().flat_map(|event| &event.ways);
    let names_keys = |way: &Way| matches!(way.trigger, DateTrigger::Received(_)) && !way.keys().is_empty();
    let transitions =
        dates.scopes[scope].properties.iter().flat_map(|property| &dates.properties[*property].transitions);
    let mut ways = transitions.flat_map(|transition| &dates.events[transition.event].ways);
    !all.any(names_keys)
        && ways.all(|way| match way.trigger {
            DateTrigger::Observed(_) => way.keys().iter().any(|(shown, _)| *shown == key),
            DateTrigger::Timeout(clock, _) => dates.clocks[clock].scope == scope,
            DateTrigger::Received(_) => false,
        })
}

/// Whether nobody can tell a context that is back where it began from one that has not opened yet: whatever can move it also opens it, so it
/// has to show the keys of the scope and those of all scopes around it.
fn may_drop(dates: &Dates, scope: usize) -> bool {
    let parts = &dates.scopes[scope];
    let alone =
        |scope: usize| dates.scopes[scope].clocks.is_empty() && dates.channels.iter().all(|(_, owner)| *owner != scope);
    let is_leaf = dates.scopes.iter().all(|other| other.parent != Some(scope));
    let around = dates.chain(scope).into_iter().skip(1).all(alone);
    let keys = dates.keys_of(scope);
    scope != 0 && is_leaf && around && {
        let transitions = parts.properties.iter().flat_map(|property| &dates.properties[*property].transitions);
        let ways: Vec<&Way> = transitions.flat_map(|transition| &dates.events[transition.event].ways).collect();
        let places = |way: &Way| -> Option<Vec<usize>> {
            let shown = way.keys();
            let place = |key: &usize| shown.iter().find(|(known, _)| known == key).map(|(_, place)| *place);
            keys.iter().map(place).collect()
        };
        let same = |way: &&Way| {
            let alike = |other: &&&Way| other.trigger == way.trigger;
            places(way)
                .is_some_and(|shown| ways.iter().filter(alike).all(|other| places(other).as_ref() == Some(&shown)))
        };
        ways.iter().all(same) && ways.iter().all(|way| !matches!(way.trigger, DateTrigger::Timeout(..)))
    }
}
