//! Kleene's truth values, with a fourth one for what nobody can decide.
//!
//! *Unknown* may still become true or false when more of the trace is known; *undecidable* is what an atom says that
//! divides by zero or depends on the size of a value nobody has named. Both give way to what decides a connective; where
//! both remain, the result is unknown, because what comes may still decide it.

use referee_spec::core::Obstacle;

/// What is known of a formula at a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// That depends on points not yet known.
    Unknown,
    /// That cannot be told, for this reason.
    Undecidable(Obstacle),
}

impl Truth {
    /// Whether it is true or false.
    pub fn is_decided(&self) -> bool {
        matches!(self, Truth::True | Truth::False)
    }

    /// Negation.
    #[must_use]
    pub fn negated(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            open => open,
        }
    }

    /// Conjunction.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
            (Truth::Undecidable(a), Truth::Undecidable(b)) => Truth::Undecidable(first(a, b)),
            (Truth::True, truth) | (truth, Truth::True) => truth,
        }
    }

    /// Disjunction.
    #[must_use]
    pub fn or(self, other: Truth) -> Truth {
        self.negated().and(other.negated()).negated()
    }

    /// The conjunction of all; stops at the first that is false.
    pub fn all(truths: impl IntoIterator<Item = Truth>) -> Truth {
        let mut result = Truth::True;
        for truth in truths {
            result = result.and(truth);
            if result == Truth::False {
                break;
            }
        }
        result
    }

    /// The disjunction of all; stops at the first that is true.
    pub fn any(truths: impl IntoIterator<Item = Truth>) -> Truth {
        Truth::all(truths.into_iter().map(Truth::negated)).negated()
    }
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Truth {
        if truth { Truth::True } else { Truth::False }
    }
}

/// The first of two obstacles: by point, then by place in the text.
pub(crate) fn first(a: Obstacle, b: Obstacle) -> Obstacle {
    let key = |obstacle: &Obstacle| (obstacle.point, obstacle.span.start, obstacle.span.end, obstacle.problem);
    if key(&b) < key(&a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_spec::core::{Problem, Span};

    fn undecidable(point: u64) -> Truth {
        Truth::Undecidable(Obstacle { point, span: Span::default(), problem: Problem::DivisionByZero })
    }

    #[test]
    fn what_decides_wins_then_the_unknown_then_the_first_obstacle() {
        assert_eq!(Truth::False.and(undecidable(1)), Truth::False);
        assert_eq!(Truth::True.or(Truth::Unknown), Truth::True);
        assert_eq!(Truth::Unknown.and(undecidable(1)), Truth::Unknown);
        assert_eq!(undecidable(1).or(Truth::Unknown), Truth::Unknown);
        assert_eq!(undecidable(2).and(undecidable(1)), undecidable(1));
        assert_eq!(undecidable(2).or(Truth::False), undecidable(2));
        assert_eq!(undecidable(2).negated(), undecidable(2));
    }

    #[test]
    fn nothing_is_a_true_conjunction_and_a_false_disjunction() {
        assert_eq!(Truth::all([]), Truth::True);
        assert_eq!(Truth::any([]), Truth::False);
    }
}
