//! The aggregates: what a specification says of many values by one.
//!
//! ```text
//!   one row of `aggregates!` ─▶ the variant of AggregateFunction
//!                            └▶ its AggregateDescriptor ─▶ MFOTL: tokens, parser, printer, hints, types
//!                                                       ├▶ Lola: names, hints, types
//!                                                       ├▶ reports and reasons: nouns
//!                                                       ├▶ saved states: a number that never changes
//!                                                       └▶ random policies and programs: spellings
//! ```
//!
//! MFOTL's aggregations and Lola's windows use the same functions; a language has those that its column spells. What
//! a function makes of values is said twice, on purpose: by the engine (`shared/aggregate.rs`) and, by definition, by the
//! oracle (`combine.rs`). Both match every variant, so a new row compiles only when all three files know it.

#![deny(clippy::wildcard_enum_match_arm)]

use std::fmt;

use referee_trace::number::Number;

/// What is known of an aggregate without any values.
#[derive(Debug)]
pub struct AggregateDescriptor {
    /// The number under which saved states keep it. It never changes and is never used again.
    pub code: u8,
    /// The function itself, or how it is made of a rank.
    pub make: AggregateMaker,
    /// How MFOTL spells it, the preferred spelling first; nothing if MFOTL does not have it.
    pub mfotl: &'static [&'static str],
    /// How Lola spells it, the preferred spelling first; nothing if Lola does not have it.
    pub lola: &'static [&'static str],
    /// What the core's notation calls it.
    pub noun: &'static str,
    /// What reasons of violations call it.
    pub reason_noun: &'static str,
    /// Which values it is of.
    pub operand: AggregateOperand,
    /// What it makes of them.
    pub result: AggregateResult,
    /// What it makes of no values at all.
    pub of_nothing: OfNothing,
}

/// How a function is made.
#[derive(Debug, Clone, Copy)]
pub enum AggregateMaker {
    /// It is complete by itself.
    Plain(AggregateFunction),
    /// It needs a rank.
    Ranked(fn(Rank) -> AggregateFunction),
}

/// The values that an aggregate is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateOperand {
    /// Any: it does not look at them.
    Ignored,
    /// Numbers.
    Numbers,
    /// Numbers, or strings where the language puts strings in order.
    Ordered,
    /// Truth values.
    Truths,
}

/// The type of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateResult {
    /// An integer.
    Integer,
    /// The type of the values.
    Operand,
    /// A number that may be a fraction.
    Decimal,
    /// A truth value.
    Truth,
}

/// What an aggregate makes of no values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfNothing {
    /// It has no result.
    Absent,
    /// 0
    Zero,
    /// A truth value.
    Truth(bool),
}

/// Makes the enumeration and its descriptors of one table, so that neither has a row more than the other.
macro_rules! aggregates {
    (@make $variant:ident) => { AggregateMaker::Plain(AggregateFunction::$variant) };
    (@make $variant:ident $rank:ident) => { AggregateMaker::Ranked(AggregateFunction::$variant) };
    (@descriptor $make:expr, { $code:literal, $mfotl:tt, $lola:tt, $noun:literal, $reason:literal, $operand:ident,
        $result:ident, $nothing:expr }) => {
        AggregateDescriptor {
            code: $code,
            make: $make,
            mfotl: &$mfotl,
            lola: &$lola,
            noun: $noun,
            reason_noun: $reason,
            operand: AggregateOperand::$operand,
            result: AggregateResult::$result,
            of_nothing: $nothing,
        }
    };
    ($( $(#[$doc:meta])* $variant:ident $(($rank:ident))? { $($fields:tt)* } )*) => {
        /// How the values of an aggregation or of a window are put together.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AggregateFunction {
            $( $(#[$doc])* $variant $(($rank))?, )*
        }

        impl AggregateFunction {
            /// The descriptors of all functions.
            pub const ALL: &'static [AggregateDescriptor] =
                &[$( aggregates!(@descriptor aggregates!(@make $variant $($rank)?), { $($fields)* }) ),*];

            /// What is known of this one.
            pub fn descriptor(self) -> &'static AggregateDescriptor {
                match self {
                    $( AggregateFunction::$variant { .. } => {
                        const ROW: AggregateDescriptor =
                            aggregates!(@descriptor aggregates!(@make $variant $($rank)?), { $($fields)* });
                        &ROW
                    } )*
                }
            }
        }
    };
}

// code, MFOTL, Lola, noun, noun in reasons, operand, result, of nothing
aggregates! {
    /// How many values there are.
    Count { 0, ["CNT"], ["count"], "count", "count", Ignored, Integer, OfNothing::Zero }
    /// The sum of the values, which must be numbers.
    Sum { 1, ["SUM"], ["sum"], "sum", "sum", Numbers, Operand, OfNothing::Zero }
    /// The sum divided by the number of values, exactly.
    Average { 4, ["AVG"], ["avg", "average", "mean"], "average", "mean", Numbers, Decimal, OfNothing::Absent }
    /// The least value; all must be numbers, or all strings.
    Minimum { 2, ["MIN"], ["min"], "minimum", "least", Ordered, Operand, OfNothing::Absent }
    /// The greatest value; all must be numbers, or all strings.
    Maximum { 3, ["MAX"], ["max"], "maximum", "greatest", Ordered, Operand, OfNothing::Absent }
    /// The middle one of the numbers; the mean of the middle two.
    Median { 5, ["MED"], ["median"], "median", "median", Numbers, Decimal, OfNothing::Absent }
    /// The number at a rank of the sorted numbers; between two of them, the number that lies as far between their values.
    Quantile(Rank) { 8, ["QUANTILE"], ["quantile"], "quantile", "quantile", Numbers, Decimal, OfNothing::Absent }
    /// Whether all values are true.
    Forall { 6, [], ["forall"], "conjunction", "conjunction", Truths, Truth, OfNothing::Truth(true) }
    /// Whether a value is true.
    Exists { 7, [], ["exists"], "disjunction", "disjunction", Truths, Truth, OfNothing::Truth(false) }
}

impl AggregateFunction {
    /// The rank that it takes, if it takes one.
    pub fn rank(self) -> Option<Rank> {
        use AggregateFunction::{Average, Count, Exists, Forall, Maximum, Median, Minimum, Quantile, Sum};
        match self {
            Quantile(rank) => Some(rank),
            Count | Sum | Average | Minimum | Maximum | Median | Forall | Exists => None,
        }
    }

    /// The function that a saved state keeps under a number; `rank` reads the rank where there is one.
    pub fn from_code<E>(code: u64, rank: impl FnOnce() -> Result<Rank, E>) -> Result<Option<AggregateFunction>, E> {
        let found = AggregateFunction::ALL.iter().find(|row| u64::from(row.code) == code);
        match found.map(|row| row.make) {
            None => Ok(None),
            Some(AggregateMaker::Plain(function)) => Ok(Some(function)),
            Some(AggregateMaker::Ranked(make)) => rank().map(|rank| Some(make(rank))),
        }
    }

    /// Whether the values themselves do not matter, only how many there are.
    pub fn ignores_values(self) -> bool {
        self.descriptor().operand == AggregateOperand::Ignored
    }

    /// "minimum", "0.95-quantile".
    pub fn noun(self) -> String {
        self.ranked_noun(self.descriptor().noun)
    }

    /// "least", "0.95-quantile": what follows "the" in a reason.
    pub fn reason_noun(self) -> String {
        self.ranked_noun(self.descriptor().reason_noun)
    }

    fn ranked_noun(self, noun: &str) -> String {
        self.rank().map_or_else(|| noun.to_owned(), |rank| format!("{rank}-{noun}"))
    }
}

impl AggregateDescriptor {
    /// Whether it takes a rank.
    pub fn is_ranked(&self) -> bool {
        matches!(self.make, AggregateMaker::Ranked(_))
    }
}

/// A language that spells aggregates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateNotation {
    /// `CNT`, `QUANTILE 0.95`, `P95`
    Mfotl,
    /// `count`, `quantile(0.95)`, `p95`
    Lola,
}

/// What a name says of an aggregate.
#[derive(Debug, Clone, Copy)]
pub enum NamedAggregate {
    /// All.
    Complete(AggregateFunction),
    /// All but the rank.
    NeedsRank(fn(Rank) -> AggregateFunction),
    /// Percents that are no rank, such as `P101`.
    OutOfRange(fn(Rank) -> AggregateFunction),
}

impl AggregateNotation {
    /// How an aggregate is spelt here, the preferred spelling first.
    pub fn spellings(self, descriptor: &AggregateDescriptor) -> &'static [&'static str] {
        match self {
            AggregateNotation::Mfotl => descriptor.mfotl,
            AggregateNotation::Lola => descriptor.lola,
        }
    }

    /// The letter before a number of percents.
    fn percent_letter(self) -> char {
        match self {
            AggregateNotation::Mfotl => 'P',
            AggregateNotation::Lola => 'p',
        }
    }

    /// The aggregates that are spelt here.
    pub fn all(self) -> impl Iterator<Item = &'static AggregateDescriptor> {
        AggregateFunction::ALL.iter().filter(move |row| !self.spellings(row).is_empty())
    }

    /// The preferred spellings of all aggregates.
    pub fn names(self) -> Vec<&'static str> {
        self.all().filter_map(|row| self.spellings(row).first().copied()).collect()
    }

    /// The descriptor of a spelling.
    pub fn find(self, text: &str) -> Option<&'static AggregateDescriptor> {
        self.all().find(|row| self.spellings(row).contains(&text))
    }

    /// The aggregate of a name: a spelling, or a rank in percents (`P95`).
    pub fn named(self, text: &str) -> Option<NamedAggregate> {
        if let Some(row) = self.find(text) {
            return Some(match row.make {
                AggregateMaker::Plain(function) => NamedAggregate::Complete(function),
                AggregateMaker::Ranked(make) => NamedAggregate::NeedsRank(make),
            });
        }
        let percents = Number::parse(text.strip_prefix(self.percent_letter())?)?;
        let rank = percents.div(&Number::Int(100)).as_ref().and_then(Rank::of);
        let make = AggregateFunction::Quantile;
        Some(rank.map_or(NamedAggregate::OutOfRange(make), |rank| NamedAggregate::Complete(make(rank))))
    }

    /// How a function is written here; nothing if it is not.
    pub fn written(self, function: AggregateFunction) -> String {
        let name = self.spellings(function.descriptor()).first().copied().unwrap_or_default();
        match (self, function.rank()) {
            (_, None) => name.to_owned(),
            (AggregateNotation::Mfotl, Some(rank)) => format!("{name} {rank}"),
            (AggregateNotation::Lola, Some(rank)) => format!("{name}({rank})"),
        }
    }
}

/// A rank: a fraction from 0, which is the least of the sorted values, to 1, which is the greatest.
///
/// Of n sorted values x0 … x(n−1), the rank q stands at position h = (n − 1) · q. Where h is whole, the value there is
/// the answer; otherwise it lies between its two neighbours, as far from the lower one as h does. So 1/2 is the median.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rank {
    numerator: u64,
    denominator: u64,
}

/// Where a rank stands among sorted values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankPosition {
    /// The index of the lower neighbour.
    pub lower: usize,
    /// How far the position is beyond it, in parts of `of`; below `of`.
    pub beyond: u64,
    /// The parts from one neighbour to the next.
    pub of: u64,
}

impl Rank {
    /// The rank of the least value.
    pub const LEAST: Rank = Rank { numerator: 0, denominator: 1 };
    /// The rank of the median.
    pub const MIDDLE: Rank = Rank { numerator: 1, denominator: 2 };
    /// The rank of the greatest value.
    pub const GREATEST: Rank = Rank { numerator: 1, denominator: 1 };

    /// How many digits a rank may have after the point.
    pub const DIGITS: u32 = 18;

    /// A fraction, if it is one from 0 to 1 whose parts are integers of 63 bits.
    pub fn new(numerator: u64, denominator: u64) -> Option<Rank> {
        if denominator == 0 || numerator > denominator || i64::try_from(denominator).is_err() {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Some(Rank { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// A number from 0 to 1 with at most [`Rank::DIGITS`] digits after the point.
    pub fn of(number: &Number) -> Option<Rank> {
        let parts = 10_u64.pow(Rank::DIGITS);
        let scaled = number.mul(&Number::Int(i64::try_from(parts).ok()?)).as_i64()?;
        Rank::new(u64::try_from(scaled).ok()?, parts)
    }

    /// The numerator and the denominator, without a common divisor.
    pub fn fraction(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// Where it stands among so many sorted values, at least one.
    #[inline]
    pub fn position(self, count: usize) -> RankPosition {
        let last = (count.max(1) - 1) as u64;
        let of = self.denominator;
        let (lower, beyond) = match last.checked_mul(self.numerator) {
            Some(product) => (product / of, product % of),
            None => {
                let product = u128::from(last) * u128::from(self.numerator);
                ((product / u128::from(of)) as u64, (product % u128::from(of)) as u64)
            }
        };
        RankPosition { lower: lower as usize, beyond, of }
    }

    /// The rank as a number.
    pub fn number(self) -> Number {
        let part = |part: u64| Number::Int(i64::try_from(part).unwrap_or(i64::MAX));
        part(self.numerator).div(&part(self.denominator)).unwrap_or(Number::ZERO)
    }
}

fn greatest_common_divisor(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn function(row: &AggregateDescriptor) -> AggregateFunction {
        match row.make {
            AggregateMaker::Plain(function) => function,
            AggregateMaker::Ranked(make) => make(Rank::new(19, 20).expect("a rank")),
        }
    }

    /// A state that was saved by an earlier version is read by these numbers: a row may be added, none changed.
    #[test]
    fn the_numbers_of_saved_states_stay_as_they_are() {
        let codes: Vec<(u8, &str)> = AggregateFunction::ALL.iter().map(|row| (row.code, row.noun)).collect();
        let published = [
            (0, "count"),
            (1, "sum"),
            (4, "average"),
            (2, "minimum"),
            (3, "maximum"),
            (5, "median"),
            (8, "quantile"),
            (6, "conjunction"),
            (7, "disjunction"),
        ];
        assert_eq!(codes, published);
        assert_eq!(codes.iter().map(|(code, _)| code).collect::<BTreeSet<_>>().len(), codes.len());
    }

    #[test]
    fn every_row_is_found_by_its_number_and_its_names() {
        for row in AggregateFunction::ALL {
            let function = function(row);
            assert_eq!(function.descriptor().code, row.code);
            let rank = || function.rank().ok_or("no rank");
            assert_eq!(AggregateFunction::from_code(u64::from(row.code), rank), Ok(Some(function)));
            assert_eq!(function.rank().is_some(), row.is_ranked());
            for notation in [AggregateNotation::Mfotl, AggregateNotation::Lola] {
                for name in notation.spellings(row) {
                    assert_eq!(notation.find(name).map(|found| found.code), Some(row.code), "{name}");
                    let of_spelling = match notation.named(name) {
                        Some(NamedAggregate::Complete(found)) => found,
                        Some(NamedAggregate::NeedsRank(make)) => make(function.rank().expect("a rank")),
                        other => panic!("{name}: {other:?}"),
                    };
                    assert_eq!(of_spelling, function, "{name}");
                }
            }
        }
        assert_eq!(AggregateFunction::from_code::<()>(255, || Err(())), Ok(None));
    }

    #[test]
    fn percents_are_ranks() {
        let rank = |text| match AggregateNotation::Mfotl.named(text) {
            Some(NamedAggregate::Complete(function)) => function.rank().map(Rank::fraction),
            _ => None,
        };
        assert_eq!(rank("P95"), Some((19, 20)));
        assert_eq!(rank("P99.9"), Some((999, 1000)));
        assert_eq!((rank("P0"), rank("P100")), (Some((0, 1)), Some((1, 1))));
        assert!(matches!(AggregateNotation::Mfotl.named("P101"), Some(NamedAggregate::OutOfRange(_))));
        assert!(AggregateNotation::Mfotl.named("p95").is_none() && AggregateNotation::Mfotl.named("Pay").is_none());
        assert!(AggregateNotation::Mfotl.named("CNT ").is_none() && AggregateNotation::Mfotl.named("P-5").is_some());
    }

    #[test]
    fn a_rank_stands_between_two_values() {
        let rank = |text| Rank::of(&Number::parse(text).expect("a number"));
        let position = |text, count| rank(text).map(|rank: Rank| rank.position(count)).map(|at| (at.lower, at.beyond));
        assert_eq!(position("0.5", 1), Some((0, 0)));
        assert_eq!(position("0.5", 4), Some((1, 1)));
        assert_eq!(position("0.95", 21), Some((19, 0)));
        assert_eq!(position("1", 7), Some((6, 0)));
        assert_eq!(position("0.000000000000000001", usize::MAX), Some((18, 446_744_073_709_551_614)));
        assert_eq!(rank("0.95").map(|rank| rank.to_string()).as_deref(), Some("0.95"));
        assert!(rank("-0.1").is_none() && rank("1.01").is_none() && rank("1e-19").is_none() && rank("90").is_none());
    }
}
