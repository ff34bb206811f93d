//! Keeps what each group amounts to now.

use referee_spec::core::AggregateFunction;
use referee_trace::number::Number;
use referee_trace::prefetch;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::shared::aggregate::{
    IntegerTotal, KeptOrder, KeptValues, Leaving, ValueKind, integer_total, of_nothing, result,
};
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::keys::DenseKeys;
use crate::shared::saved_values::{read_values, write_values};
use crate::shared::window::Sum;

/// What is put together of the values of a group, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recipe {
    /// How values are put together.
    pub function: AggregateFunction,
    /// Whether there are groups, so that nothing is no number.
    pub grouped: bool,
    /// Whether the result can be told without any value being built.
    total: Option<IntegerTotal>,
}

impl Recipe {
    /// How the values of a group, or of all there are, are put together.
    pub(super) fn new(function: AggregateFunction, grouped: bool) -> Recipe {
        Recipe { function, grouped, total: integer_total(function) }
    }
}

/// What one aggregate of one group amounts to.
///
/// Three words, so that the states of many groups stay in the cache: there may be thousands, and each event looks at two or
/// three of them. All that integers of 64 bits do not tell is kept behind a box, which most groups never have.
#[derive(Debug, Clone)]
pub(super) struct GroupState {
    count: u64,
    /// A part of the sum; the other one is behind the box.
    small: i64,
    more: Option<Box<More>>,
}

/// What integers do not tell.
#[derive(Debug, Clone, Default)]
struct More {
    /// How many of the values are no numbers, and how many of those are strings.
    others: u64,
    strings: u64,
    /// How many of the truth values are true.
    trues: u64,
    sum: Sum,
    order: KeptOrder,
}

impl GroupState {
    /// Of nothing.
    pub(super) fn new(function: AggregateFunction) -> GroupState {
        let more = match KeptOrder::of(function, Leaving::OldestFirst) {
            KeptOrder::None => None,
            order => Some(Box::new(More { order, ..More::default() })),
        };
        GroupState { count: 0, small: 0, more }
    }

    /// Whether it is one of nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether values are only added up.
    #[inline]
    fn only_adds(&self) -> bool {
        self.more.as_ref().is_none_or(|more| matches!(more.order, KeptOrder::None))
    }

    /// A value enters, as the `stamp`-th to do so.
    #[inline]
    pub(super) fn enter(&mut self, value: Option<Atom>, stamp: u64, values: &Values) {
        self.count += 1;
        let Some(value) = value else { return };
        match value.as_integer() {
            Some(integer) if self.only_adds() => match self.small.checked_add(integer) {
                Some(sum) => self.small = sum,
                None => self.more().sum.add_integer(integer),
            },
            _ => self.enter_any(&values.value(value), stamp),
        }
    }

    #[cold]
    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    fn enter_any(&mut self, value: &Value, stamp: u64) {
        let more = self.more();
        match value {
            Value::Number(number) => match &mut more.order {
                KeptOrder::None => more.sum.add(number),
                KeptOrder::End(numbers, _) => numbers.enter(stamp, number.clone()),
                KeptOrder::Ranked(running) => running.enter(number.clone()),
            },
            Value::String(text) => {
                more.others += 1;
                more.strings += 1;
                if let KeptOrder::End(_, texts) = &mut more.order {
                    texts.enter(stamp, text.clone());
                }
            }
            Value::Boolean(truth) => {
                more.others += 1;
                more.trues += u64::from(*truth);
            }
        }
    }

    /// A value that is in the window comes again: it now entered later.
    pub(super) fn refresh(&mut self, value: Option<Atom>, stamp: u64, values: &Values) {
        let (Some(value), Some(more)) = (value, &mut self.more) else { return };
        let KeptOrder::End(numbers, texts) = &mut more.order else { return };
        match values.value(value) {
            Value::Number(number) => numbers.enter(stamp, number),
            Value::String(text) => texts.enter(stamp, text),
            Value::Boolean(_) => {}
        }
    }

    /// The value that entered as the `stamp`-th leaves.
    #[inline]
    pub(super) fn leave(&mut self, value: Option<Atom>, stamp: u64, values: &Values) {
        self.count -= 1;
        let Some(value) = value else { return };
        match value.as_integer() {
            Some(integer) if self.only_adds() => match self.small.checked_sub(integer) {
                Some(sum) => self.small = sum,
                None => self.more().sum.remove_integer(integer),
            },
            _ => self.leave_any(&values.value(value), stamp),
        }
    }

    fn leave_any(&mut self, value: &Value, stamp: u64) {
        let more = self.more();
        match value {
            Value::Number(number) => match &mut more.order {
                KeptOrder::None => more.sum.remove(number),
                KeptOrder::End(numbers, _) => numbers.leave(&stamp),
                KeptOrder::Ranked(running) => running.leave(number),
            },
            Value::String(_) => {
                more.others -= 1;
                more.strings -= 1;
                if let KeptOrder::End(_, texts) = &mut more.order {
                    texts.leave(&stamp);
                }
            }
            Value::Boolean(truth) => {
                more.others -= 1;
                more.trues -= u64::from(*truth);
            }
        }
    }

    /// Writes all that counts of values which never leave: of the least or greatest, no other can ever be the answer.
    fn save(&self, out: &mut Writer) {
        out.number(self.count);
        out.exact(&self.sum());
        out.truth(self.more.is_some());
        let Some(more) = &self.more else { return };
        [more.others, more.strings, more.trues].into_iter().for_each(|count| out.number(count));
        match &more.order {
            KeptOrder::None => {}
            KeptOrder::End(numbers, texts) => {
                out.truth(numbers.value().is_some());
                numbers.value().into_iter().for_each(|number| out.exact(number));
                out.truth(texts.value().is_some());
                texts.value().into_iter().for_each(|text| out.text(text));
            }
            KeptOrder::Ranked(running) => running.save(out),
        }
    }

    /// Reads what [`GroupState::save`] wrote.
    fn load(function: AggregateFunction, reader: &mut Reader) -> Result<GroupState, Damaged> {
        let mut state = GroupState::new(function);
        state.count = read_count(reader)?;
        match reader.exact()? {
            Number::Int(integer) => state.small = integer,
            wide => state.more().sum.add(&wide),
        }
        if !reader.truth()? {
            return if state.only_adds() { Ok(state) } else { Err(Damaged) };
        }
        let more = state.more();
        (more.others, more.strings, more.trues) = (read_count(reader)?, read_count(reader)?, read_count(reader)?);
        match &mut more.order {
            KeptOrder::None => {}
            KeptOrder::End(numbers, texts) => {
                if reader.truth()? {
                    numbers.enter(0, reader.exact()?);
                }
                if reader.truth()? {
                    texts.enter(0, reader.text()?.into());
                }
            }
            KeptOrder::Ranked(running) => running.load(reader)?,
        }
        Ok(state)
    }

    /// The sum or count, if it is an integer at hand.
    #[inline]
    pub(super) fn integer(&self, recipe: Recipe) -> Option<i128> {
        match recipe.total? {
            _ if self.count == 0 && recipe.grouped => None,
            IntegerTotal::Count => Some(i128::from(self.count)),
            IntegerTotal::Sum => match &self.more {
                None => Some(i128::from(self.small)),
                Some(more) if more.others == 0 => Some(i128::from(self.small) + more.sum.as_integer()?),
                Some(_) => None,
            },
        }
    }

    fn sum(&self) -> Number {
        let small = Number::Int(self.small);
        self.more.as_ref().map_or(small.clone(), |more| small.add(&more.sum.value()))
    }

    /// The result; nothing if there is none.
    pub(super) fn value(&self, recipe: Recipe) -> Option<Value> {
        if self.count == 0 {
            return of_nothing(recipe.function, recipe.grouped);
        }
        let more = self.more.as_deref();
        let kept = KeptValues {
            count: self.count,
            trues: more.map_or(0, |more| more.trues),
            kind: self.kind(),
            sum: || self.sum(),
            order: more.map_or(&KeptOrder::None, |more| &more.order),
        };
        result(recipe.function, kept)
    }

    /// What all values are, if they are alike.
    fn kind(&self) -> Option<ValueKind> {
        match self.more.as_deref() {
            None => Some(ValueKind::Numbers),
            Some(more) if more.others == 0 => Some(ValueKind::Numbers),
            Some(more) if more.others != self.count => None,
            Some(more) if more.strings == self.count => Some(ValueKind::Strings),
            Some(more) if more.strings == 0 => Some(ValueKind::Truths),
            Some(_) => None,
        }
    }
}

/// Reads a count that can still grow.
fn read_count(reader: &mut Reader) -> Result<u64, Damaged> {
    Some(reader.number()?).filter(|count| *count <= u64::MAX / 2).ok_or(Damaged)
}

/// A group, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupId(pub u32);

/// All groups that are not empty.
#[derive(Debug, Clone)]
pub(super) struct TallyGroups {
    recipes: Box<[Recipe]>,
    keys: DenseKeys,
    /// One per group and aggregate.
    states: Vec<GroupState>,
    /// Which groups violate the policy.
    violates: Vec<bool>,
}

impl TallyGroups {
    /// No group yet; a key has so many values.
    pub(super) fn new(recipes: Vec<Recipe>, arity: usize) -> TallyGroups {
        TallyGroups { recipes: recipes.into(), keys: DenseKeys::new(arity), states: Vec::new(), violates: Vec::new() }
    }

    /// What is put together, one per aggregate.
    pub(super) fn recipes(&self) -> &[Recipe] {
        &self.recipes
    }

    /// The group with these values, if it is not empty.
    #[inline]
    pub(super) fn find(&self, key: &[Atom]) -> Option<GroupId> {
        self.keys.find(key).map(GroupId)
    }

    /// The group with these values, new if need be.
    #[inline]
    pub(super) fn find_or_add(&mut self, key: &[Atom]) -> GroupId {
        match self.find(key) {
            Some(id) => id,
            None => self.add(key),
        }
    }

    fn add(&mut self, key: &[Atom]) -> GroupId {
        let id = GroupId(self.keys.insert(key));
        if self.keys.capacity() > self.violates.len() {
            self.violates.push(false);
            self.states.extend(self.recipes.iter().map(|recipe| GroupState::new(recipe.function)));
        }
        id
    }

    /// How many values a key has.
    pub(super) fn arity(&self) -> usize {
        self.keys.arity()
    }

    /// The values of the group variables.
    pub(super) fn key(&self, id: GroupId) -> &[Atom] {
        self.keys.key(id.0)
    }

    /// What the group amounts to, one per aggregate.
    #[inline]
    pub(super) fn states(&self, id: GroupId) -> &[GroupState] {
        let start = id.0 as usize * self.recipes.len();
        &self.states[start..start + self.recipes.len()]
    }

    /// What one aggregate of the group amounts to.
    #[inline]
    pub(super) fn state(&mut self, id: GroupId, aggregate: usize) -> &mut GroupState {
        &mut self.states[id.0 as usize * self.recipes.len() + aggregate]
    }

    /// Asks for the group's states, which are needed soon.
    #[inline]
    pub(super) fn ask_for(&self, id: GroupId) {
        prefetch::of(&self.states, id.0 as usize * self.recipes.len());
    }

    /// The results of the group.
    pub(super) fn results(&self, id: GroupId) -> Vec<Option<Value>> {
        self.states(id).iter().zip(&self.recipes).map(|(state, recipe)| state.value(*recipe)).collect()
    }

    /// Notes whether the group violates the policy, and tells whether it did.
    #[inline]
    pub(super) fn set_violates(&mut self, id: GroupId, violates: bool) -> bool {
        std::mem::replace(&mut self.violates[id.0 as usize], violates)
    }

    /// Drops a group that has fallen empty; the one without group variables stays.
    #[inline]
    pub(super) fn drop_empty(&mut self, id: GroupId) {
        let is_empty = self.states(id).iter().all(GroupState::is_empty) && !self.key(id).is_empty();
        if is_empty {
            self.forget(id);
        }
    }

    /// Writes what one aggregate amounts to, of which no value ever leaves.
    pub(super) fn save(&self, aggregate: usize, values: &Values, out: &mut Writer) {
        out.length(self.keys.len());
        for id in self.keys.ids() {
            write_values(self.keys.key(id), values, out);
            self.states(GroupId(id))[aggregate].save(out);
        }
    }

    /// Reads what [`TallyGroups::save`] wrote.
    pub(super) fn load(
        &mut self,
        aggregate: usize,
        changed: &mut Vec<GroupId>,
        values: &mut Values,
        reader: &mut Reader,
    ) -> Result<(), Damaged> {
        for _ in 0..reader.length()? {
            let key = read_values(self.keys.arity(), values, reader)?;
            let id = self.find_or_add(&key);
            *self.state(id, aggregate) = GroupState::load(self.recipes[aggregate].function, reader)?;
            changed.push(id);
        }
        Ok(())
    }

    /// The groups with a value in their keys that do not violate the policy.
    pub(super) fn harmless_with(&self, value: Atom) -> Vec<GroupId> {
        let own = self.keys.ids().filter(|id| self.keys.key(*id).contains(&value) && !self.violates[*id as usize]);
        own.map(GroupId).collect()
    }

    /// Drops a group, whatever it amounts to.
    pub(super) fn forget(&mut self, id: GroupId) {
        if self.keys.remove(id.0) {
            for index in 0..self.recipes.len() {
                *self.state(id, index) = GroupState::new(self.recipes[index].function);
            }
        }
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}
