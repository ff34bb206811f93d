//! Finite and co-finite sets of values: what one variable that nothing restricts may be.
//!
//! The values of a trace are finitely many, the domain is not: so the values that make a formula true of one variable,
//! all others being fixed, are a finite set or all but a finite set.

/// A finite set, or everything but one. The listed values are sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Set {
    /// Whether the listed values are those that are left out.
    pub except: bool,
    /// The listed values.
    pub listed: Vec<u64>,
}

impl Set {
    /// Everything, or nothing.
    pub fn constant(full: bool) -> Set {
        Set { except: full, listed: Vec::new() }
    }

    /// Exactly these values, in any order.
    pub fn of(mut listed: Vec<u64>) -> Set {
        listed.sort_unstable();
        listed.dedup();
        Set { except: false, listed }
    }

    /// Whether a value belongs to the set.
    pub fn has(&self, value: u64) -> bool {
        self.listed.binary_search(&value).is_ok() != self.except
    }

    /// Whether nothing belongs to the set. The domain being infinite, something is always left over.
    pub fn is_empty(&self) -> bool {
        !self.except && self.listed.is_empty()
    }

    /// All other values.
    #[must_use]
    pub fn complement(mut self) -> Set {
        self.except = !self.except;
        self
    }

    /// What belongs to both.
    #[must_use]
    pub fn and(&self, other: &Set) -> Set {
        match (self.except, other.except) {
            (true, true) => Set { except: true, listed: merged(&self.listed, &other.listed) },
            (false, _) => Set { except: false, listed: kept(&self.listed, other) },
            (true, false) => Set { except: false, listed: kept(&other.listed, self) },
        }
    }

    /// What belongs to one of them.
    #[must_use]
    pub fn or(&self, other: &Set) -> Set {
        self.clone().complement().and(&other.clone().complement()).complement()
    }
}

fn kept(listed: &[u64], set: &Set) -> Vec<u64> {
    listed.iter().copied().filter(|value| set.has(*value)).collect()
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
        let some = |except: bool, listed: &[u64]| Set { except, listed: listed.to_vec() };
        let all = [
            some(false, &[]),
            some(true, &[]),
            some(false, &[1, 2]),
            some(true, &[1, 2]),
            some(false, &[2, 3]),
            some(true, &[2, 3]),
        ];
        for one in &all {
            for other in &all {
                for value in 0..5 {
                    assert_eq!(one.and(other).has(value), one.has(value) && other.has(value));
                    assert_eq!(one.or(other).has(value), one.has(value) || other.has(value));
                    assert_ne!(one.clone().complement().has(value), one.has(value));
                }
            }
        }
        assert!(all[0].is_empty() && !all[1].is_empty() && !all[3].is_empty());
        assert_eq!(Set::of(vec![3, 1, 3]).listed, [1, 3]);
    }
}
