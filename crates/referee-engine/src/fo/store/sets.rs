//! Finite and co-finite sets of values: what one variable that nothing restricts may be.
//!
//! The values of a trace are finitely many, the domain is not: so the values that make a formula true of one variable,
//! all others being fixed, are a finite set or all but a finite set.
//!
//! ```text
//!   no more than three values   except │ count │ value │ value │ value      in the row itself
//!   more                        except │ where they are
//! ```
//!
//! Such a set is one per row of a table, and most of them are small: the locks that a thread has, the files that it has
//! open. So a few values cost no allocation and no way to other memory. Where they are more, rows that come while the same
//! values are there share one list: all variables that a thread uses while it has the same locks.

use std::sync::Arc;

/// How many values lie in the set itself.
const FEW: usize = 3;

/// A finite set, or everything but one. The listed values are sorted.
#[derive(Debug, Clone)]
pub(crate) enum Set {
    /// A few values are listed.
    Few {
        /// Whether the listed values are those that are left out.
        except: bool,
        /// How many are listed.
        len: u8,
        /// The listed values, and zeros.
        values: [u64; FEW],
    },
    /// Many values are listed.
    Many {
        /// Whether the listed values are those that are left out.
        except: bool,
        /// The listed values.
        values: Arc<[u64]>,
    },
}

/// Values that will be a set, in any order.
#[derive(Debug, Default)]
pub(crate) struct List {
    few: [u64; FEW],
    len: usize,
    /// All of them, once they are too many.
    many: Vec<u64>,
}

impl List {
    /// Adds a value.
    pub(crate) fn push(&mut self, value: u64) {
        match self.few.get_mut(self.len) {
            Some(place) => *place = value,
            None => {
                if self.many.is_empty() {
                    self.many.extend_from_slice(&self.few);
                }
                self.many.push(value);
            }
        }
        self.len += 1;
    }

    /// The finite set of all of them.
    pub(crate) fn into_set(self) -> Set {
        let List { mut few, len, mut many } = self;
        if len > FEW {
            many.sort_unstable();
            many.dedup();
            return Set::from_sorted(false, many);
        }
        few[..len].sort_unstable();
        let (mut values, mut count) = ([0; FEW], 0);
        for value in &few[..len] {
            if count == 0 || values[count - 1] != *value {
                values[count] = *value;
                count += 1;
            }
        }
        Set::Few { except: false, len: count as u8, values }
    }
}

impl Default for Set {
    fn default() -> Set {
        Set::constant(false)
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.is_open() == other.is_open() && self.listed() == other.listed()
    }
}

impl Eq for Set {}

impl Set {
    /// Everything, or nothing.
    pub(crate) fn constant(full: bool) -> Set {
        Set::Few { except: full, len: 0, values: [0; FEW] }
    }

    /// Exactly these values, in any order.
    pub(crate) fn of(found: impl IntoIterator<Item = u64>) -> Set {
        let mut list = List::default();
        found.into_iter().for_each(|value| list.push(value));
        list.into_set()
    }

    /// A few values that are in order, or all but these; nothing if they are many.
    pub(crate) fn of_few(except: bool, listed: &[u64]) -> Option<Set> {
        let mut values = [0; FEW];
        values.get_mut(..listed.len())?.copy_from_slice(listed);
        Some(Set::Few { except, len: listed.len() as u8, values })
    }

    /// The values of a list that is in order and that others may share, or all but these; nothing if they are few.
    pub(crate) fn of_shared(except: bool, listed: &Arc<[u64]>) -> Option<Set> {
        (listed.len() > FEW).then(|| Set::Many { except, values: listed.clone() })
    }

    fn from_sorted(except: bool, found: Vec<u64>) -> Set {
        let mut values = [0; FEW];
        match values.get_mut(..found.len()) {
            Some(few) => {
                few.copy_from_slice(&found);
                Set::Few { except, len: found.len() as u8, values }
            }
            None => Set::Many { except, values: found.into() },
        }
    }

    /// Whether the listed values are those that are left out.
    #[inline(always)]
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Set::Few { except, .. } | Set::Many { except, .. } => *except,
        }
    }

    /// The listed values, in order.
    #[inline(always)]
    pub(crate) fn listed(&self) -> &[u64] {
        match self {
            Set::Few { len, values, .. } => &values[..*len as usize],
            Set::Many { values, .. } => values,
        }
    }

    /// Whether all values that it lists are listed by another one, too.
    #[inline(always)]
    pub(crate) fn lists_within(&self, other: &Set) -> bool {
        let (own, others) = (self.listed(), other.listed());
        if std::ptr::eq(own, others) {
            return true;
        }
        // Both are sorted.
        let mut rest = others.iter();
        own.iter().all(|value| rest.by_ref().find(|other| *other >= value) == Some(value))
    }

    /// The set with only those listed that another one lists, too, whose list it shares if all of it is left.
    pub(crate) fn and_listed(&self, other: &Set) -> Set {
        let mut kept = self.clone();
        kept.retain(|value| other.listed().binary_search(&value).is_ok());
        match other {
            Set::Many { values, .. } if kept.listed() == &values[..] => {
                Set::Many { except: self.is_open(), values: values.clone() }
            }
            _ => kept,
        }
    }

    /// Lists only those values that fit.
    pub(crate) fn retain(&mut self, fits: impl Fn(u64) -> bool) {
        match self {
            Set::Few { except, len, values } => {
                let (mut few, mut count) = ([0; FEW], 0);
                for value in values[..*len as usize].iter().copied().filter(|value| fits(*value)) {
                    few[count] = value;
                    count += 1;
                }
                *self = Set::Few { except: *except, len: count as u8, values: few };
            }
            Set::Many { except, values } => {
                let kept = values.iter().copied().filter(|value| fits(*value)).collect();
                *self = Set::from_sorted(*except, kept);
            }
        }
    }

    /// Whether a value belongs to the set.
    #[inline]
    pub(crate) fn has(&self, value: u64) -> bool {
        let is_listed = match self {
            Set::Few { len, values, .. } => values[..*len as usize].contains(&value),
            Set::Many { values, .. } => values.binary_search(&value).is_ok(),
        };
        is_listed != self.is_open()
    }

    /// Whether nothing belongs to the set. The domain being infinite, something is always left over.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_open() && self.listed().is_empty()
    }

    /// All other values.
    #[must_use]
    pub(crate) fn complement(mut self) -> Set {
        match &mut self {
            Set::Few { except, .. } | Set::Many { except, .. } => *except = !*except,
        }
        self
    }

    /// What belongs to both.
    #[must_use]
    pub(crate) fn and(&self, other: &Set) -> Set {
        match (self.is_open(), other.is_open()) {
            (true, true) => Set::from_sorted(true, merged(self.listed(), other.listed())),
            (false, _) => self.kept(other),
            (true, false) => other.kept(self),
        }
    }

    /// What belongs to one of them.
    #[must_use]
    pub(crate) fn or(&self, other: &Set) -> Set {
        self.clone().complement().and(&other.clone().complement()).complement()
    }

    fn kept(&self, other: &Set) -> Set {
        let mut kept = self.clone();
        kept.retain(|value| other.has(value));
        kept
    }
}

fn merged(one: &[u64], other: &[u64]) -> Vec<u64> {
    let mut all = [one, other].concat();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_obey_the_laws_of_sets() {
        let some = |except: bool, listed: &[u64]| match except {
            true => Set::of(listed.iter().copied()).complement(),
            false => Set::of(listed.iter().copied()),
        };
        let listed: [&[u64]; 6] = [&[], &[1, 2], &[2, 3], &[5, 4, 1], &[1, 2, 3, 4], &[7, 6, 5, 4, 3, 2]];
        let all: Vec<Set> = listed.iter().flat_map(|listed| [some(false, listed), some(true, listed)]).collect();
        for one in &all {
            for other in &all {
                for value in 0..9 {
                    assert_eq!(one.and(other).has(value), one.has(value) && other.has(value));
                    assert_eq!(one.or(other).has(value), one.has(value) || other.has(value));
                    assert_ne!(one.clone().complement().has(value), one.has(value));
                }
                assert_eq!(one.and(other), other.and(one));
                assert_eq!(one.or(other).and(one), *one);
            }
        }
        assert!(all[0].is_empty() && !all[1].is_empty() && !all[3].is_empty());
        assert_eq!(Set::of([3, 1, 3]).listed(), [1, 3]);
        assert_eq!(Set::of([9, 3, 1, 3, 7, 1, 8]).listed(), [1, 3, 7, 8, 9]);
    }

    #[test]
    fn lists_are_compared_and_shared() {
        let listed: [&[u64]; 6] = [&[], &[1, 2], &[2], &[1, 2, 3, 4], &[1, 2, 3, 4, 9], &[2, 4, 6, 8, 9]];
        let all: Vec<Set> = listed.iter().map(|listed| Set::of(listed.iter().copied())).collect();
        for (one, values) in all.iter().zip(listed) {
            for (other, others) in all.iter().zip(listed) {
                assert_eq!(one.lists_within(other), values.iter().all(|value| others.contains(value)));
                let both: Vec<u64> = values.iter().copied().filter(|value| others.contains(value)).collect();
                let kept = one.clone().complement().and_listed(other);
                assert_eq!((kept.listed(), kept.is_open()), (&both[..], true));
                // Where all of a long list is left, it is that list.
                assert_eq!(std::ptr::eq(kept.listed(), other.listed()), both == others && others.len() > FEW);
            }
        }
    }

    #[test]
    fn a_set_that_shrinks_is_like_one_that_was_small() {
        let mut many = Set::of([1, 2, 3, 4, 5]).complement();
        many.retain(|value| value % 2 == 0);
        assert_eq!(many, Set::of([4, 2]).complement());
        assert!(matches!(many, Set::Few { .. }));
    }
}
