//! What a judge says: violations, status, and what is still open.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use referee_trace::value::Value;

use super::formula::Span;

/// The verdict on a property or on all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It holds.
    Satisfied,
    /// It does not.
    Violated,
    /// Time ran out.
    TimeOut,
    /// It could not be judged.
    GaveUp,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Satisfied => "Satisfied",
            Status::Violated => "Violated",
            Status::TimeOut => "TimeOut",
            Status::GaveUp => "GaveUp",
        })
    }
}

/// One violation of one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The point it is reported for, from 1; see [`super::Judgement`]. For [`super::Judgement::Once`] the point at which
    /// it was decided, or the last one if the end decided it (0 on the empty trace).
    pub point: u64,
    /// The point after which it was certain; nothing if the end of the trace decided it.
    pub decided: Option<u64>,
    /// Where the obligation began that was still open at the end; nothing if no obligation was.
    pub opened: Option<u64>,
    /// One value per binding of the property; nothing stands for every value that nobody has named. A value that only a
    /// computation yields is listed by itself.
    ///
    /// *Named* up to a point are: the constants of the specification; the values up to that point at all argument
    /// positions of events whose name and arity occur in an atom of the property; the values of fields that it mentions
    /// and of the positions of its sorts; and, if it mentions them, the numbers and times of the points. Rows are listed for the values named up to the point
    /// of decision.
    pub bindings: Vec<Option<Value>>,
    /// What the specification says of it, in the languages with messages.
    pub message: Option<Arc<str>>,
}

impl Violation {
    /// How reports order violations: by point, then binding by binding, `null` first.
    pub fn report_order(&self, other: &Violation) -> Ordering {
        self.point.cmp(&other.point).then_with(|| bindings_order(&self.bindings, &other.bindings))
    }
}

/// How reports order the bindings of one point: variable by variable, `null` first.
pub fn bindings_order(one: &[Option<Value>], other: &[Option<Value>]) -> Ordering {
    let each = one.iter().zip(other).map(|(one, other)| match (one, other) {
        (Some(one), Some(other)) => one.report_order(other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    });
    each.fold(Ordering::Equal, Ordering::then)
}

/// Why a property could not be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// The point at which the subformula was to be evaluated, from 1.
    pub point: u64,
    /// The subformula.
    pub span: Span,
    /// What stands in the way.
    pub problem: Problem,
}

/// What stands in the way of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Problem {
    /// Something was divided by zero.
    DivisionByZero,
    /// An order comparison, or arithmetic, on a value that nobody has named would decide.
    UnnamedValue,
    /// What is open has become too deep a combination of earlier comparisons to be followed.
    TooDeep,
    /// Infinitely many assignments satisfy the body of an aggregation.
    Endless,
    /// A value of the trace is not of the type that the specification declares.
    WrongType,
    /// Something was computed with a variable that has no value yet.
    Unbound,
    /// Something was computed with a value that is no number.
    NotANumber,
    /// A rewriting system did not come to rest within its bound of steps.
    StepLimit,
    /// A grammar needs more than its bound of open derivations, or more calls are open than a formula about them can follow.
    StackLimit,
    /// The machine that a formula or an expression stands for has too many states.
    TooManyStates,
    /// For one event, a rule has more combinations of facts than its bound allows.
    TooManyCombinations,
    /// A number has become too long to be computed with.
    TooLong,
    /// Timeouts and messages did not come to rest within their bound.
    Restless,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::DivisionByZero => "division by zero",
            Problem::TooDeep => "what it depends on has become too deep a combination of earlier points",
            Problem::Endless => "infinitely many values satisfy what is aggregated",
            Problem::WrongType => "the trace has a value of another type here",
            Problem::Unbound => "a variable has no value here, so nothing can be computed with it",
            Problem::NotANumber => "a value is no number, so nothing can be computed with it",
            Problem::StepLimit => "rewriting does not come to rest within its bound of steps",
            Problem::StackLimit => "the slice has more open derivations or calls than the bound allows",
            Problem::TooManyStates => "the machine that it stands for has too many states",
            Problem::TooManyCombinations => "one event meets more combinations of facts than the bound allows",
            Problem::TooLong => "a number has become too long to be computed with",
            Problem::Restless => "timeouts and messages do not come to rest before the next event",
            Problem::UnnamedValue => {
                "the verdict depends on the size of a value that neither trace nor specification names"
            }
        })
    }
}

/// The whole result for one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Violated if there is a violation, else GaveUp if there is an obstacle, else Satisfied.
    pub status: Status,
    /// All violations, by point, then by binding.
    pub violations: Vec<Violation>,
    /// On a prefix, how many possible violations are neither decided nor excluded; 0 on a complete trace. Counted are the
    /// bindings over named values (with one row for all others where the domain is infinite) of a property judged once,
    /// the points of one judged at every point, the pairs of both for [`super::Judgement::EveryBinding`].
    pub pending: u64,
    /// The first thing that kept a part of it from being judged.
    pub obstacle: Option<Obstacle>,
}
