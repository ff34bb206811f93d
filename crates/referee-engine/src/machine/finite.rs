//! Finite machines: state machines, regular expressions and temporal formulas as one table [state × symbol].
//!
//! ```text
//!  ere   bottom up: products for | and &, sets of states for sequence and *, the complement by exchange; each minimised
//!  ltl   guess the truth of every operator of the future at every event, check the guess against the next event, and
//!        follow all guesses at once (a set of them is one state)
//!  ptltl the truth of every operator of the past at the last event is the state; minimised
//! ```

use std::hash::Hash;

use referee_spec::core::machine::{Ere, Fsm, Temporal};

use crate::shared::maps::Map;

/// The most states that a machine may have.
const MOST_STATES: usize = 5_000;
/// The most operators of the future that a formula may have.
const MOST_GUESSES: usize = 8;

/// A complete deterministic machine; 0 is the initial state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finite {
    symbols: usize,
    next: Vec<u32>,
    /// Whether what has been read so far is in the language.
    pub matches: Vec<bool>,
    /// Whether nothing that begins so is in the language.
    pub fails: Vec<bool>,
    /// Whether everything that begins so is in the language.
    pub surely: Vec<bool>,
}

impl Finite {
    /// The state after a symbol.
    #[inline]
    pub(super) fn step(&self, state: u32, symbol: usize) -> u32 {
        self.next[state as usize * self.symbols + symbol]
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.matches.len()
    }

    /// How many symbols there are.
    pub(super) fn symbols(&self) -> usize {
        self.symbols
    }

    /// The machine with these transitions and matching states; what it says of nothing read yet does not count.
    fn new(symbols: usize, next: Vec<u32>, matches: Vec<bool>) -> Finite {
        let states = matches.len();
        let fails = (0..states).map(|state| !matches[state]).collect();
        let surely = (0..states).map(|state| matches[state] || state == 0).collect();
        let mut machine = Finite { symbols, next, matches, fails, surely };
        loop {
            let mut changed = false;
            for state in 0..states as u32 {
                let targets = || (0..symbols).map(|symbol| machine.step(state, symbol) as usize);
                let fails = machine.fails[state as usize] && targets().all(|target| machine.fails[target]);
                let surely = machine.surely[state as usize] && targets().all(|target| machine.surely[target]);
                changed |= fails != machine.fails[state as usize] || surely != machine.surely[state as usize];
                machine.fails[state as usize] = fails;
                machine.surely[state as usize] = surely;
            }
            if !changed {
                return machine;
            }
        }
    }

    /// A state machine: its states in order, then one for what it has no transition for.
    pub(super) fn of_fsm(fsm: &Fsm, symbols: usize) -> Finite {
        let sink = fsm.states.len() as u32;
        let targets = fsm.states.iter().flat_map(|state| state.targets.iter());
        let next = targets.map(|target| target.map_or(sink, |target| target as u32));
        let next = next.chain((0..symbols).map(|_| sink)).collect();
        let matches = (0..=sink).map(|state| state != sink).collect();
        Finite::new(symbols, next, matches)
    }

    /// A regular expression, with an initial state of its own if nothing is in its language; nothing if it has too many states.
    pub(super) fn of_ere(expression: &Ere, symbols: usize) -> Option<Finite> {
        let machine = Finite::of_words(expression, symbols)?;
        if !machine.fails[0] {
            return Some(machine);
        }
        // The first event fails, and must be told from those after it.
        Some(explore(true, symbols, |_, _| false, |_| false)?.undecided())
    }

    /// The machine, of which nothing is said before the first event: what holds from the start is reached by that. Its initial
    /// state must not be entered again.
    fn undecided(mut self) -> Finite {
        debug_assert!(!self.next.contains(&0));
        (self.fails[0], self.surely[0]) = (false, false);
        self
    }

    /// The words of a regular expression, with as few states as possible.
    fn of_words(expression: &Ere, symbols: usize) -> Option<Finite> {
        let machine = match expression {
            Ere::Empty => explore((), symbols, |(), _| (), |()| false)?,
            Ere::Epsilon => explore(true, symbols, |_, _| false, |start| *start)?,
            Ere::Event(event) => {
                explore(0, symbols, |at, symbol| if *at == 0 && symbol == *event { 1 } else { 2 }, |at| *at == 1)?
            }
            Ere::Not(body) => {
                let body = Finite::of_words(body, symbols)?;
                Finite::new(symbols, body.next, body.matches.iter().map(|matches| !matches).collect())
            }
            Ere::Or(left, right) => Finite::product(left, right, symbols, |one, other| one || other)?,
            Ere::And(left, right) => Finite::product(left, right, symbols, |one, other| one && other)?,
            Ere::Concat(left, right) => Finite::sequence(left, right, symbols)?,
            Ere::Star(body) => Finite::repetition(body, symbols)?,
        };
        Some(machine.minimal())
    }

    fn product(left: &Ere, right: &Ere, symbols: usize, join: impl Fn(bool, bool) -> bool) -> Option<Finite> {
        let (left, right) = (Finite::of_words(left, symbols)?, Finite::of_words(right, symbols)?);
        let step = |(one, other): &(u32, u32), symbol| (left.step(*one, symbol), right.step(*other, symbol));
        explore((0, 0), symbols, step, |(one, other)| join(left.matches[*one as usize], right.matches[*other as usize]))
    }

    fn sequence(left: &Ere, right: &Ere, symbols: usize) -> Option<Finite> {
        let (left, right) = (Finite::of_words(left, symbols)?, Finite::of_words(right, symbols)?);
        let entered = |first: u32, mut second: Vec<u32>| {
            if left.matches[first as usize] {
                second.push(0);
            }
            second.sort_unstable();
            second.dedup();
            (first, second)
        };
        let step = |(first, second): &(u32, Vec<u32>), symbol| {
            entered(left.step(*first, symbol), second.iter().map(|state| right.step(*state, symbol)).collect())
        };
        let matches = |(_, second): &(u32, Vec<u32>)| second.iter().any(|state| right.matches[*state as usize]);
        explore(entered(0, Vec::new()), symbols, step, matches)
    }

    fn repetition(body: &Ere, symbols: usize) -> Option<Finite> {
        let body = Finite::of_words(body, symbols)?;
        let step = |(_, states): &(bool, Vec<u32>), symbol| {
            let mut states: Vec<u32> = states.iter().map(|state| body.step(*state, symbol)).collect();
            if states.iter().any(|state| body.matches[*state as usize]) {
                states.push(0);
            }
            states.sort_unstable();
            states.dedup();
            (false, states)
        };
        let matches =
            |(start, states): &(bool, Vec<u32>)| *start || states.iter().any(|state| body.matches[*state as usize]);
        explore((true, vec![0]), symbols, step, matches)
    }

    /// The machine with as few states as possible, by refining the split into matching states and others.
    fn minimal(self) -> Finite {
        let mut blocks: Vec<u32> = self.matches.iter().map(|matches| u32::from(*matches)).collect();
        loop {
            let mut numbers: Map<Vec<u32>, u32> = Map::default();
            let mut finer = Vec::with_capacity(blocks.len());
            for state in 0..self.len() as u32 {
                let targets = (0..self.symbols).map(|symbol| blocks[self.step(state, symbol) as usize]);
                let signature: Vec<u32> = std::iter::once(blocks[state as usize]).chain(targets).collect();
                let fresh = numbers.len() as u32;
                finer.push(*numbers.entry(signature).or_insert(fresh));
            }
            if finer == blocks {
                break;
            }
            blocks = finer;
        }
        // The first state is the first of its block, so its block has number 0.
        let count = blocks.iter().max().map_or(0, |last| *last as usize + 1);
        let (mut next, mut matches) = (vec![0; count * self.symbols], vec![false; count]);
        for state in 0..self.len() as u32 {
            let block = blocks[state as usize] as usize;
            matches[block] = self.matches[state as usize];
            for symbol in 0..self.symbols {
                next[block * self.symbols + symbol] = blocks[self.step(state, symbol) as usize];
            }
        }
        Finite::new(self.symbols, next, matches)
    }

    /// A temporal formula judged at the first event; nothing if it has too many operators or states.
    pub(super) fn of_ltl(formula: &Temporal, symbols: usize) -> Option<Finite> {
        let tableau = Tableau::new(formula);
        if tableau.future.len() > MOST_GUESSES || tableau.nodes.len() > 32 || formula.reads_calls() {
            return None;
        }
        let step = |state: &Option<Vec<(u32, usize)>>, symbol: usize| Some(tableau.follow(state.as_deref(), symbol));
        let matches = |state: &Option<Vec<(u32, usize)>>| {
            state.iter().flatten().any(|(bits, symbol)| tableau.may_end(*bits, *symbol))
        };
        Some(explore(None, symbols, step, matches)?.undecided())
    }

    /// A temporal formula over the past, judged at every event.
    pub(super) fn of_ptltl(formula: &Temporal, symbols: usize) -> Option<Finite> {
        let tableau = Tableau::new(formula);
        if tableau.nodes.len() > 32 || formula.reads_calls() {
            return None;
        }
        let step = |state: &Option<(u32, usize)>, symbol: usize| Some((tableau.now(*state, symbol, 0), symbol));
        let machine = explore(None, symbols, step, |state| {
            state.is_some_and(|(bits, symbol)| tableau.holds(formula, bits, symbol))
        });
        Some(machine?.minimal())
    }
}

/// The machine whose states are all that can be reached from `start`.
fn explore<K: Hash + Eq + Clone>(
    start: K,
    symbols: usize,
    step: impl Fn(&K, usize) -> K,
    matches: impl Fn(&K) -> bool,
) -> Option<Finite> {
    let mut numbers: Map<K, u32> = Map::default();
    numbers.insert(start.clone(), 0);
    let mut states = vec![start];
    let (mut next, mut accepted) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        accepted.push(matches(&state));
        for symbol in 0..symbols {
            let target = step(&state, symbol);
            let fresh = states.len() as u32;
            let number = *numbers.entry(target.clone()).or_insert(fresh);
            if number == fresh {
                states.push(target);
            }
            next.push(number);
        }
        if states.len() > MOST_STATES {
            return None;
        }
        at += 1;
    }
    Some(Finite::new(symbols, next, accepted))
}

/// The temporal operators of a formula, inner ones first; a set of bits says which hold at an event.
struct Tableau<'f> {
    root: &'f Temporal,
    nodes: Vec<&'f Temporal>,
    /// The numbers of the operators of the future.
    future: Vec<usize>,
}

impl<'f> Tableau<'f> {
    fn new(root: &'f Temporal) -> Tableau<'f> {
        let mut tableau = Tableau { root, nodes: Vec::new(), future: Vec::new() };
        tableau.collect(root);
        tableau
    }

    fn collect(&mut self, formula: &'f Temporal) {
        if matches!(formula, Temporal::Constant(_) | Temporal::Event(_)) {
            return;
        }
        formula.parts().into_iter().for_each(|part| self.collect(part));
        let temporal = !matches!(formula, Temporal::Not(_) | Temporal::And(..) | Temporal::Or(..));
        if temporal && !self.nodes.contains(&formula) {
            if matches!(formula, Temporal::Next(_) | Temporal::Until(..)) {
                self.future.push(self.nodes.len());
            }
            self.nodes.push(formula);
        }
    }

    fn holds(&self, formula: &Temporal, bits: u32, symbol: usize) -> bool {
        match formula {
            Temporal::Constant(truth) => *truth,
            Temporal::Event(event) => *event == symbol,
            Temporal::Not(body) => !self.holds(body, bits, symbol),
            Temporal::And(left, right) => self.holds(left, bits, symbol) && self.holds(right, bits, symbol),
            Temporal::Or(left, right) => self.holds(left, bits, symbol) || self.holds(right, bits, symbol),
            temporal => self.nodes.iter().position(|node| *node == temporal).is_some_and(|node| bits >> node & 1 == 1),
        }
    }

    /// The bits at an event, given those at the one before and a guess for the operators of the future.
    fn now(&self, before: Option<(u32, usize)>, symbol: usize, guess: u32) -> u32 {
        let mut bits = 0;
        for (guessed, node) in self.future.iter().enumerate() {
            bits |= (guess >> guessed & 1) << node;
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let holds = match node {
                Temporal::Previous(body) => before.is_some_and(|(bits, symbol)| self.holds(body, bits, symbol)),
                Temporal::Since(left, right) => {
                    let held = before.is_some_and(|(bits, _)| bits >> number & 1 == 1);
                    self.holds(right, bits, symbol) || (held && self.holds(left, bits, symbol))
                }
                _ => continue,
            };
            bits |= u32::from(holds) << number;
        }
        bits
    }

    /// Whether the bits at an event keep what those at the one before promise.
    fn keeps(&self, before: (u32, usize), bits: u32, symbol: usize) -> bool {
        self.future.iter().all(|number| {
            let promised = before.0 >> number & 1 == 1;
            promised
                == match self.nodes[*number] {
                    Temporal::Next(body) => self.holds(body, bits, symbol),
                    Temporal::Until(left, right) => {
                        self.holds(right, before.0, before.1)
                            || (self.holds(left, before.0, before.1) && bits >> number & 1 == 1)
                    }
                    _ => promised,
                }
        })
    }

    /// All guesses after an event; nothing before the first one.
    fn follow(&self, before: Option<&[(u32, usize)]>, symbol: usize) -> Vec<(u32, usize)> {
        let guesses = 0..1u32 << self.future.len();
        let mut states: Vec<(u32, usize)> = match before {
            None => {
                let all = guesses.map(|guess| self.now(None, symbol, guess));
                all.filter(|bits| self.holds(self.root, *bits, symbol)).map(|bits| (bits, symbol)).collect()
            }
            Some(before) => (before.iter())
                .flat_map(|state| guesses.clone().map(move |guess| (*state, self.now(Some(*state), symbol, guess))))
                .filter(|(state, bits)| self.keeps(*state, *bits, symbol))
                .map(|(_, bits)| (bits, symbol))
                .collect(),
        };
        states.sort_unstable();
        states.dedup();
        states
    }

    /// Whether the word may end with these bits.
    fn may_end(&self, bits: u32, symbol: usize) -> bool {
        self.future.iter().all(|number| {
            let holds = bits >> number & 1 == 1;
            holds
                == match self.nodes[*number] {
                    Temporal::Until(_, right) => self.holds(right, bits, symbol),
                    _ => false,
                }
        })
    }
}
