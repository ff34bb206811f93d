//! What the caller of a compiler knows or wants beyond the text.

use referee_trace::mapping::Unit;

use crate::vocabulary::Vocabulary;

/// What the caller knows or wants beyond the text.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The events that a signature declares; an event that it does not declare is then an error.
    pub signature: Option<Vocabulary>,
    /// FO-LTL: binary operators may be mixed without parentheses.
    pub lenient: bool,
    /// DejaVu: `forall` and `exists` range over values seen so far.
    pub seen: bool,
    /// SOLOIST: a modality is false as long as less than its window has passed.
    pub full_window: bool,
    /// SOLOIST: a distance without a pair is true.
    pub vacuous: bool,
    /// The unit of the trace's times, in which lengths of time such as `30s` are counted.
    pub unit: Unit,
    /// Signals: compute the robustness, too.
    pub robustness: bool,
}
