//! Formulas over the past and over the calls that are open.
//!
//! ```text
//!  events         a   call   b   call   c   return   d
//!  frames         a   call ┌ b   call ┌ c ┐ return   d          a call and its return are in the frame around them
//!  configuration          below: that of the call    └ its call is the event before it, in its frame
//! ```
//!
//! A configuration is what holds at the last event, a bit per temporal operator, and the configuration of the innermost call that is open;
//! that one knows the call around it. So the stack is a list of configurations, which slices share, and each frame has the bits that its
//! return will need. From these three, the event before, the one before it in its frame, and the call of the frame, every operator follows at
//! once:
//!
//! ```text
//!  (*a) F    F at the event before it in its frame             F Sa G    G, or F and F Sa G at the event before it in its frame
//!  @b F      at the first event of a frame F, else as before   @c F      at the first event F at the call, else as before
//!  F Ss@.. G of the frame: at its first event, from the call on, after a look at that event if begins count; else as before
//!            of the event: the same, after a look at the event if it is a call and calls count
//! ```
//!
//! The last one needs two bits, one of the frame and one of the event, since a call is on the stack only until its return.
//!
//! Cost per event: the operators of the formula, one look-up; memory: what differs on the stacks.

use referee_spec::core::machine::{Nested, Places, Role, Temporal};

use super::config::{ConfigId, Lists};

/// That no call is open.
const OUTERMOST: u64 = u64::MAX;
/// The most calls that may be open in a slice.
const MOST_CALLS: u64 = 100_000;
/// The most temporal operators: each has two bits.
const MOST_OPERATORS: usize = 32;

/// What holds at an event.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// The configuration of the innermost open call.
    below: u64,
    /// For each operator, whether it holds; from the middle on, what is so in the whole frame.
    bits: u64,
    symbol: usize,
    /// How many calls are open.
    depth: u64,
}

/// What a new event finds.
struct Before {
    /// The event before it.
    last: Option<Moment>,
    /// The event before it in its frame.
    in_frame: Option<Moment>,
    /// The call of its frame, where it is the first event of that.
    call: Option<Moment>,
}

/// A formula and its configurations.
#[derive(Debug)]
pub(super) struct Calls {
    nested: Nested,
    /// The temporal operators, inner ones first.
    operators: Vec<Temporal>,
    moments: Lists,
}

impl Calls {
    /// A formula before the first event, whose configuration is 0; nothing if it has too many operators.
    pub(super) fn new(nested: &Nested) -> Option<Calls> {
        let mut operators = Vec::new();
        collect(&nested.formula, &mut operators);
        let mut moments = Lists::default();
        moments.intern(&[]);
        (operators.len() <= MOST_OPERATORS).then(|| Calls { nested: nested.clone(), operators, moments })
    }

    fn moment(&self, config: ConfigId) -> Option<Moment> {
        match self.moments.get(config) {
            [below, bits, symbol, depth] => {
                Some(Moment { below: *below, bits: *bits, symbol: *symbol as usize, depth: *depth })
            }
            _ => None,
        }
    }

    fn role(&self, symbol: usize) -> Role {
        self.nested.roles.get(symbol).copied().unwrap_or_default()
    }

    /// The configuration after an event; nothing if too many calls would be open.
    pub(super) fn step(&mut self, config: ConfigId, symbol: usize) -> Option<ConfigId> {
        let last = self.moment(config);
        let inside = last.filter(|last| self.role(last.symbol) == Role::Call);
        // The innermost open call: the event before, or the one that it has below.
        let open = match (inside, last) {
            (Some(_), _) => u64::from(config),
            (None, Some(last)) => last.below,
            (None, None) => OUTERMOST,
        };
        let called = if open == OUTERMOST { None } else { self.moment(open as ConfigId) };
        let (below, depth, before) = match called {
            Some(call) if self.role(symbol) == Role::Return => {
                (call.below, call.depth, Before { last, in_frame: Some(call), call: None })
            }
            _ => {
                let depth = called.map_or(0, |call| call.depth + 1);
                let in_frame = if inside.is_some() { None } else { last };
                (open, depth, Before { last, in_frame, call: called.filter(|_| inside.is_some()) })
            }
        };
        if depth > MOST_CALLS {
            return None;
        }
        let bits = self.bits(&before, symbol);
        Some(self.moments.intern(&[below, bits, symbol as u64, depth]).0)
    }

    fn bits(&self, before: &Before, symbol: usize) -> u64 {
        let mut now = Moment { below: OUTERMOST, bits: 0, symbol, depth: 0 };
        for (number, operator) in self.operators.iter().enumerate() {
            let (holds, in_frame) = self.at(number, operator, before, &now);
            now.bits |= u64::from(holds) << number | u64::from(in_frame) << (number + MOST_OPERATORS);
        }
        now.bits
    }

    /// Whether an operator holds, and what is so of it in the whole frame, given what holds of those inside it.
    fn at(&self, number: usize, operator: &Temporal, before: &Before, now: &Moment) -> (bool, bool) {
        let held = |moment: Option<Moment>| moment.is_some_and(|moment| moment.bits >> number & 1 == 1);
        let holds = |formula: &Temporal| self.holds(formula, now);
        let held_at =
            |moment: Option<Moment>, formula: &Temporal| moment.is_some_and(|moment| self.holds(formula, &moment));
        let is_first = before.in_frame.is_none();
        let truth = match operator {
            Temporal::Previous(body) => held_at(before.last, body),
            Temporal::Since(left, right) => holds(right) || (held(before.last) && holds(left)),
            Temporal::FramePrevious(body) => held_at(before.in_frame, body),
            Temporal::FrameSince(left, right) => holds(right) || (held(before.in_frame) && holds(left)),
            Temporal::AtBegin(body) if is_first => holds(body),
            Temporal::AtCall(body) if is_first => held_at(before.call, body),
            Temporal::AtBegin(_) | Temporal::AtCall(_) => held(before.in_frame),
            Temporal::StackSince(Places { begins, calls }, left, right) => {
                let looked = |rest: bool| holds(right) || (holds(left) && rest);
                let frame = match before.in_frame {
                    Some(moment) => moment.bits >> (number + MOST_OPERATORS) & 1 == 1,
                    None if *begins => looked(held(before.call)),
                    None => held(before.call),
                };
                let is_call = self.role(now.symbol) == Role::Call;
                return (if *calls && is_call { looked(frame) } else { frame }, frame);
            }
            _ => false,
        };
        (truth, false)
    }

    fn holds(&self, formula: &Temporal, moment: &Moment) -> bool {
        match formula {
            Temporal::Constant(truth) => *truth,
            Temporal::Event(event) => *event == moment.symbol,
            Temporal::Not(body) => !self.holds(body, moment),
            Temporal::And(left, right) => self.holds(left, moment) && self.holds(right, moment),
            Temporal::Or(left, right) => self.holds(left, moment) || self.holds(right, moment),
            temporal => {
                let number = self.operators.iter().position(|operator| operator == temporal);
                number.is_some_and(|number| moment.bits >> number & 1 == 1)
            }
        }
    }

    /// Whether the formula holds at the last event.
    pub(super) fn matches(&self, config: ConfigId) -> bool {
        self.moment(config).is_some_and(|moment| self.holds(&self.nested.formula, &moment))
    }

    /// All configurations.
    pub(super) fn moments(&self) -> &Lists {
        &self.moments
    }

    /// Replaces all configurations; nothing if some are none, or refer to calls that are not there.
    pub(super) fn replace(&mut self, moments: Lists) -> Option<()> {
        let is_call = |config: u64| {
            let found = ConfigId::try_from(config).ok().filter(|config| moments.has(*config));
            found.is_some_and(|config| matches!(moments.get(config), [_, _, symbol, _] if self.opens(*symbol)))
        };
        let is_moment = |words: &[u64]| match words {
            [below, _, symbol, depth] => {
                (*symbol as usize) < self.nested.roles.len()
                    && *depth <= MOST_CALLS
                    && (*below == OUTERMOST || is_call(*below))
            }
            _ => false,
        };
        let all = moments.all().iter().all(|(config, words)| *config == 0 || is_moment(words));
        if !moments.has(0) || !moments.get(0).is_empty() || !all {
            return None;
        }
        self.moments = moments;
        Some(())
    }

    fn opens(&self, symbol: u64) -> bool {
        usize::try_from(symbol).is_ok_and(|symbol| self.role(symbol) == Role::Call)
    }

    /// How many configurations there are.
    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether a collection would pay.
    pub(super) fn is_full(&self) -> bool {
        self.moments.is_full()
    }

    /// Drops all configurations but the first, those in use and the calls that they have below.
    pub(super) fn collect(&mut self, used: impl Iterator<Item = ConfigId>) {
        let mut marked = vec![false; self.moments.capacity()];
        for config in used.chain([0]) {
            let mut at = u64::from(config);
            while at != OUTERMOST && !std::mem::replace(&mut marked[at as usize], true) {
                at = self.moment(at as ConfigId).map_or(OUTERMOST, |moment| moment.below);
            }
        }
        self.moments.collect(&marked);
    }
}

/// Collects the temporal operators of a formula, inner ones first.
fn collect(formula: &Temporal, operators: &mut Vec<Temporal>) {
    formula.parts().into_iter().for_each(|part| collect(part, operators));
    let plain = matches!(
        formula,
        Temporal::Constant(_) | Temporal::Event(_) | Temporal::Not(_) | Temporal::And(..) | Temporal::Or(..)
    );
    if !plain && !operators.contains(formula) {
        operators.push(formula.clone());
    }
}
