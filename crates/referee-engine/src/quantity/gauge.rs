//! Measures one modality: a window, what it holds, and the bound on it.
//!
//! | modality | kept | at a position |
//! |---|---|---|
//! | count | the last n + 1 occurrences | their number |
//! | average | the last n · ⌊K/h⌋ + 1 occurrences, in a window of ⌊K/h⌋h | their number against n · ⌊K/h⌋ |
//! | maximum | all occurrences | the richest stretch, unless all of them together keep the bound |
//! | distance | all pairs, their sum, and starts without an end | sum against n · pairs |

use referee_spec::core::Comparison;
use referee_spec::core::quantity::{Measure, Modality, QuantityRule};
use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::window::{Distances, Occurrences};

/// A modality and its window.
#[derive(Debug, Clone)]
pub(super) struct Gauge {
    holding: Holding,
    comparison: Comparison,
    /// The bound, times the number of stretches for an average.
    bound: Number,
    /// If windows must be full: how much time must have passed.
    full_after: Option<Number>,
    vacuous: bool,
}

#[derive(Debug, Clone)]
enum Holding {
    Count(Occurrences),
    Maximum(Occurrences, Number),
    Distance(Distances),
}

impl Gauge {
    /// An empty window for a modality; `whole` keeps everything in it, for those who want to show it.
    pub(super) fn new(modality: &Modality, rule: &QuantityRule, whole: bool) -> Gauge {
        let stretches = modality.stretches();
        let bound = match modality.measure {
            Measure::Average(..) => modality.bound.mul(&stretches),
            _ => modality.bound.clone(),
        };
        let most = match bound.as_i64().and_then(|bound| usize::try_from(bound).ok()) {
            Some(bound) if !whole => bound.saturating_add(1),
            _ => usize::MAX,
        };
        let window = modality.window.clone();
        let holding = match &modality.measure {
            Measure::Count(_) => Holding::Count(Occurrences::new(window, most)),
            Measure::Average(_, stretch) => Holding::Count(Occurrences::new(stretches.mul(stretch), most)),
            Measure::Maximum(_, stretch) => Holding::Maximum(Occurrences::new(window, usize::MAX), stretch.clone()),
            Measure::Distance(..) => Holding::Distance(Distances::new(window)),
        };
        let full_after = rule.full_window.then(|| modality.window.clone());
        Gauge { holding, comparison: modality.comparison, bound, full_after, vacuous: rule.vacuous }
    }

    /// Whether the arguments hold now; the second one is that of a distance.
    #[inline]
    pub(super) fn observe(&mut self, now: &Number, first: bool, second: bool) {
        match &mut self.holding {
            Holding::Count(occurrences) | Holding::Maximum(occurrences, _) => {
                if first {
                    occurrences.enter(now.clone());
                }
            }
            Holding::Distance(distances) => {
                if first || second {
                    distances.enter(now, first, second);
                }
            }
        }
    }

    /// If the window must be full and is not: when it will be.
    pub(super) fn missing(&self, now: &Number) -> Option<&Number> {
        self.full_after.as_ref().filter(|length| now < *length)
    }

    /// Whether the modality holds now, after what happens now was observed.
    pub(super) fn holds(&mut self, now: &Number) -> bool {
        if self.missing(now).is_some() {
            return false;
        }
        match self.measured(now) {
            Some((measured, bound)) => compare(&measured, self.comparison, &bound),
            None => self.vacuous,
        }
    }

    /// What the modality says where there is no position at all.
    pub(super) fn holds_of_nothing(&self) -> bool {
        match self.holding {
            _ if self.full_after.is_some() => false,
            Holding::Distance(_) => self.vacuous,
            _ => compare(&Number::ZERO, self.comparison, &self.bound),
        }
    }

    /// The number that is compared, and the bound as it is compared; nothing for a distance without pairs.
    fn measured(&mut self, now: &Number) -> Option<(Number, Number)> {
        let number = |count: usize| Number::Int(i64::try_from(count).unwrap_or(i64::MAX));
        match &mut self.holding {
            Holding::Count(occurrences) => Some((number(occurrences.count(now)), self.bound.clone())),
            Holding::Maximum(occurrences, stretch) => {
                let all = number(occurrences.count(now));
                // No stretch has more than the window: where that is below the bound, the stretches need no look.
                let measured = if all < self.bound { all } else { number(occurrences.richest(now, stretch)) };
                Some((measured, self.bound.clone()))
            }
            Holding::Distance(distances) => {
                let (pairs, sum) = distances.total(now);
                (pairs > 0).then(|| (sum, self.bound.mul(&number(pairs))))
            }
        }
    }

    /// What the modality measures, as its definition has it; nothing for a distance without pairs.
    pub(super) fn number(&mut self, now: &Number, modality: &Modality) -> Option<Number> {
        let (measured, _) = self.measured(now)?;
        match &self.holding {
            Holding::Count(_) if matches!(modality.measure, Measure::Average(..)) => {
                measured.div(&modality.stretches())
            }
            Holding::Distance(distances) => {
                measured.div(&Number::Int(i64::try_from(distances.pairs().len()).unwrap_or(i64::MAX)))
            }
            Holding::Count(_) | Holding::Maximum(..) => Some(measured),
        }
    }

    /// Writes what the window holds.
    pub(super) fn save(&self, out: &mut Writer) {
        match &self.holding {
            Holding::Count(occurrences) | Holding::Maximum(occurrences, _) => occurrences.save(out),
            Holding::Distance(distances) => distances.save(out),
        }
    }

    /// Reads what [`Gauge::save`] wrote into an empty window.
    pub(super) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        match &mut self.holding {
            Holding::Count(occurrences) | Holding::Maximum(occurrences, _) => occurrences.load(reader),
            Holding::Distance(distances) => distances.load(reader),
        }
    }

    /// How many occurrences are kept.
    pub(super) fn size(&self) -> usize {
        match &self.holding {
            Holding::Count(occurrences) | Holding::Maximum(occurrences, _) => occurrences.times().len(),
            Holding::Distance(distances) => distances.len(),
        }
    }
}

fn compare(measured: &Number, comparison: Comparison, bound: &Number) -> bool {
    match comparison {
        Comparison::Less => measured < bound,
        Comparison::LessOrEqual => measured <= bound,
        Comparison::Greater => measured > bound,
        Comparison::GreaterOrEqual => measured >= bound,
        Comparison::Equal => measured == bound,
        // The core has no other comparisons in modalities.
        Comparison::NotEqual | Comparison::Substring | Comparison::Matches => false,
    }
}
