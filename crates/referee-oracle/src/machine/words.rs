//! What a logic says of a finite word, each by the definition that is nearest.

use std::collections::BTreeSet;

use referee_spec::core::machine::{Ere, Fsm, Grammar, Logic, Part, Rewriting, Role, Side, Temporal};
use referee_spec::core::{Problem, Span};

/// How many steps a rewriting system may take after one event.
const STEPS: usize = 10_000;

/// How many events a continuation may have that is tried for temporal formulas.
const CONTINUATION: usize = 4;

/// What a logic says of a word.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Says {
    pub matches: bool,
    pub fails: bool,
    pub surely: bool,
    pub state: Option<usize>,
}

/// What a logic says of a word over so many symbols.
pub(super) fn says(logic: &Logic, symbols: usize, word: &[usize]) -> Result<Says, (Problem, Span)> {
    Ok(match logic {
        Logic::Fsm(fsm) => run(fsm, word),
        Logic::Ere(expression) => {
            let rest = word.iter().fold(expression.clone(), |rest, symbol| derive(&rest, *symbol));
            Says { matches: nullable(&rest), fails: is_empty(&rest, symbols), ..Says::default() }
        }
        Logic::Ltl(formula) => {
            let any = |wanted: bool| continuations(symbols, word).any(|word| holds(formula, &word, &[], 0) == wanted);
            Says { fails: !any(true), surely: !any(false), ..Says::default() }
        }
        Logic::PtLtl(formula) => {
            let last = word.len().wrapping_sub(1);
            Says { matches: !word.is_empty() && holds(formula, word, &[], last), ..Says::default() }
        }
        Logic::PtCaret(nested) => {
            let last = word.len().wrapping_sub(1);
            Says { matches: !word.is_empty() && holds(&nested.formula, word, &nested.roles, last), ..Says::default() }
        }
        Logic::Cfg(grammar) => {
            let table = Table::of(grammar, word);
            Says { matches: table.spans[0].contains(&(0, word.len())), fails: !table.begins(), ..Says::default() }
        }
        Logic::Srs(system) => rewrite(system, word)?,
    })
}

fn run(fsm: &Fsm, word: &[usize]) -> Says {
    let state = word.iter().try_fold(0, |state: usize, symbol| fsm.states[state].targets[*symbol]);
    Says { fails: state.is_none(), state, ..Says::default() }
}

// ── Regular expressions by derivatives ──────────────────────────────────────────────────────────────────────────────

fn nullable(expression: &Ere) -> bool {
    match expression {
        Ere::Empty | Ere::Event(_) => false,
        Ere::Epsilon | Ere::Star(_) => true,
        Ere::Concat(left, right) | Ere::And(left, right) => nullable(left) && nullable(right),
        Ere::Or(left, right) => nullable(left) || nullable(right),
        Ere::Not(body) => !nullable(body),
    }
}

fn derive(expression: &Ere, symbol: usize) -> Ere {
    match expression {
        Ere::Empty | Ere::Epsilon => Ere::Empty,
        Ere::Event(event) => {
            if *event == symbol {
                Ere::Epsilon
            } else {
                Ere::Empty
            }
        }
        Ere::Concat(left, right) => {
            let first = concat(derive(left, symbol), (**right).clone());
            if nullable(left) { or(first, derive(right, symbol)) } else { first }
        }
        Ere::Or(left, right) => or(derive(left, symbol), derive(right, symbol)),
        Ere::And(left, right) => and(derive(left, symbol), derive(right, symbol)),
        Ere::Not(body) => Ere::Not(Box::new(derive(body, symbol))),
        Ere::Star(body) => concat(derive(body, symbol), expression.clone()),
    }
}

fn concat(left: Ere, right: Ere) -> Ere {
    match (left, right) {
        (Ere::Empty, _) | (_, Ere::Empty) => Ere::Empty,
        (Ere::Epsilon, other) | (other, Ere::Epsilon) => other,
        (Ere::Concat(first, second), right) => concat(*first, concat(*second, right)),
        (left, right) => Ere::Concat(Box::new(left), Box::new(right)),
    }
}

/// The operands of nested alternatives or intersections.
fn operands(expression: Ere, of_or: bool, all: &mut BTreeSet<Ere>) {
    match expression {
        Ere::Or(left, right) if of_or => [left, right].into_iter().for_each(|side| operands(*side, of_or, all)),
        Ere::And(left, right) if !of_or => [left, right].into_iter().for_each(|side| operands(*side, of_or, all)),
        other => drop(all.insert(other)),
    }
}

/// Alternatives as a set, so that derivatives are finitely many.
fn or(left: Ere, right: Ere) -> Ere {
    let mut all = BTreeSet::new();
    operands(left, true, &mut all);
    operands(right, true, &mut all);
    all.remove(&Ere::Empty);
    if all.contains(&Ere::Not(Box::new(Ere::Empty))) {
        return Ere::Not(Box::new(Ere::Empty));
    }
    all.into_iter().rev().reduce(|rest, first| Ere::Or(Box::new(first), Box::new(rest))).unwrap_or(Ere::Empty)
}

fn and(left: Ere, right: Ere) -> Ere {
    let mut all = BTreeSet::new();
    operands(left, false, &mut all);
    operands(right, false, &mut all);
    let anything = Ere::Not(Box::new(Ere::Empty));
    all.remove(&anything);
    if all.contains(&Ere::Empty) {
        return Ere::Empty;
    }
    all.into_iter().rev().reduce(|rest, first| Ere::And(Box::new(first), Box::new(rest))).unwrap_or(anything)
}

/// Whether no word is in the language: no derivative is nullable.
fn is_empty(expression: &Ere, symbols: usize) -> bool {
    let mut known: BTreeSet<Ere> = BTreeSet::from([expression.clone()]);
    let mut open = vec![expression.clone()];
    while let Some(next) = open.pop() {
        if nullable(&next) {
            return false;
        }
        for derivative in (0..symbols).map(|symbol| derive(&next, symbol)) {
            if known.insert(derivative.clone()) {
                open.push(derivative);
            }
        }
    }
    true
}

// ── Temporal formulas on finite words ───────────────────────────────────────────────────────────────────────────────

fn continuations(symbols: usize, word: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let mut all = vec![word.to_vec()];
    let mut longest = all.clone();
    for _ in 0..CONTINUATION {
        longest = longest.iter().flat_map(|word| (0..symbols).map(|symbol| [&word[..], &[symbol]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all.into_iter().filter(|word| !word.is_empty())
}

/// Whether a formula holds at an event of a word; `roles` says which symbols are calls and returns.
fn holds(formula: &Temporal, word: &[usize], roles: &[Role], at: usize) -> bool {
    let true_at = |formula: &Temporal, at: usize| holds(formula, word, roles, at);
    let since = |places: &[usize], left: &Temporal, right: &Temporal| {
        (0..places.len())
            .any(|begin| true_at(right, places[begin]) && places[..begin].iter().all(|later| true_at(left, *later)))
    };
    match formula {
        Temporal::Constant(truth) => *truth,
        Temporal::Event(symbol) => word[at] == *symbol,
        Temporal::Not(body) => !true_at(body, at),
        Temporal::And(left, right) => true_at(left, at) && true_at(right, at),
        Temporal::Or(left, right) => true_at(left, at) || true_at(right, at),
        Temporal::Next(body) => at + 1 < word.len() && true_at(body, at + 1),
        Temporal::Previous(body) => at > 0 && true_at(body, at - 1),
        Temporal::Until(left, right) => {
            (at..word.len()).any(|end| true_at(right, end) && (at..end).all(|between| true_at(left, between)))
        }
        Temporal::Since(left, right) => since(&(0..=at).rev().collect::<Vec<usize>>(), left, right),
        Temporal::FramePrevious(body) => frame(word, roles, at).get(1).is_some_and(|before| true_at(body, *before)),
        Temporal::FrameSince(left, right) => since(&frame(word, roles, at), left, right),
        Temporal::AtBegin(body) => frame(word, roles, at).last().is_some_and(|first| true_at(body, *first)),
        Temporal::AtCall(body) => open_call(word, roles, at).is_some_and(|call| true_at(body, call)),
        Temporal::StackSince(places, left, right) => {
            let mut on_stack = Vec::new();
            if places.calls && role(roles, word[at]) == Role::Call {
                on_stack.push(at);
            }
            let mut inner = Some(at);
            while let Some(place) = inner {
                let call = open_call(word, roles, place);
                on_stack.extend(frame(word, roles, place).last().filter(|_| places.begins));
                on_stack.extend(call.filter(|_| places.calls));
                inner = call;
            }
            since(&on_stack, left, right)
        }
    }
}

fn role(roles: &[Role], symbol: usize) -> Role {
    roles.get(symbol).copied().unwrap_or_default()
}

/// For every event, the call that it closes: if it is a return, the last one that is open.
fn closings(word: &[usize], roles: &[Role]) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let mut closing = |(at, symbol): (usize, &usize)| match role(roles, *symbol) {
        Role::Call => {
            open.push(at);
            None
        }
        Role::Return => open.pop(),
        Role::Plain => None,
    };
    word.iter().enumerate().map(&mut closing).collect()
}

/// The innermost call that is open around an event; it is not open around itself nor around its return.
fn open_call(word: &[usize], roles: &[Role], at: usize) -> Option<usize> {
    let closed = closings(&word[..=at], roles);
    (0..at).rev().find(|place| role(roles, word[*place]) == Role::Call && !closed.contains(&Some(*place)))
}

/// The events up to one that have the same open call around them, the last one first.
fn frame(word: &[usize], roles: &[Role], at: usize) -> Vec<usize> {
    let call = open_call(word, roles, at);
    let within = call.map_or(0, |call| call + 1)..=at;
    within.rev().filter(|place| open_call(word, roles, *place) == call).collect()
}

// ── Grammars by tables of spans ─────────────────────────────────────────────────────────────────────────────────────

/// Which parts of a word each nonterminal derives.
struct Table<'g> {
    grammar: &'g Grammar,
    word: &'g [usize],
    /// By nonterminal, the spans it derives.
    spans: Vec<BTreeSet<(usize, usize)>>,
    /// The nonterminals that derive any word at all.
    productive: Vec<bool>,
}

impl<'g> Table<'g> {
    fn of(grammar: &'g Grammar, word: &'g [usize]) -> Table<'g> {
        let count = grammar.nonterminals.len();
        let mut table = Table { grammar, word, spans: vec![BTreeSet::new(); count], productive: vec![false; count] };
        loop {
            let before = (table.spans.clone(), table.productive.clone());
            for (left, parts) in &grammar.productions {
                for start in 0..=word.len() {
                    let ends = table.ends(parts, start);
                    table.spans[*left].extend(ends.into_iter().map(|end| (start, end)));
                }
                table.productive[*left] |= table.all_productive(parts);
            }
            if before == (table.spans.clone(), table.productive.clone()) {
                return table;
            }
        }
    }

    fn all_productive(&self, parts: &[Part]) -> bool {
        parts
            .iter()
            .all(|part| matches!(part, Part::Event(_)) || matches!(part, Part::Nonterminal(n) if self.productive[*n]))
    }

    /// Where parts that begin at a place may end.
    fn ends(&self, parts: &[Part], start: usize) -> BTreeSet<usize> {
        parts.iter().fold(BTreeSet::from([start]), |places, part| {
            places.into_iter().flat_map(|place| self.part_ends(part, place)).collect()
        })
    }

    fn part_ends(&self, part: &Part, start: usize) -> Vec<usize> {
        match part {
            Part::Event(symbol) if self.word.get(start) == Some(symbol) => vec![start + 1],
            Part::Event(_) => Vec::new(),
            Part::Nonterminal(n) => {
                self.spans[*n].iter().filter(|(from, _)| *from == start).map(|(_, to)| *to).collect()
            }
        }
    }

    /// Whether some word of the language begins with the word.
    fn begins(&self) -> bool {
        let mut from: BTreeSet<(usize, usize)> = BTreeSet::new();
        loop {
            let before = from.len();
            for (left, parts) in &self.grammar.productions {
                for start in 0..=self.word.len() {
                    if self.parts_begin(parts, start, &from) {
                        from.insert((*left, start));
                    }
                }
            }
            if from.len() == before {
                return from.contains(&(0, 0));
            }
        }
    }

    /// Whether parts that begin at a place may derive something that begins with the rest of the word.
    fn parts_begin(&self, parts: &[Part], start: usize, from: &BTreeSet<(usize, usize)>) -> bool {
        let end = self.word.len();
        if !self.all_productive(parts) {
            return false;
        }
        (0..=parts.len()).any(|count| {
            self.ends(&parts[..count], start).into_iter().any(|place| {
                place == end || matches!(parts.get(count), Some(Part::Nonterminal(n)) if from.contains(&(*n, place)))
            })
        })
    }
}

// ── Rewriting ───────────────────────────────────────────────────────────────────────────────────────────────────────

fn rewrite(system: &Rewriting, word: &[usize]) -> Result<Says, (Problem, Span)> {
    let mut string: Vec<usize> = Vec::new();
    for symbol in word {
        string.push(*symbol);
        let mut steps = 0;
        while let Some((place, rule)) = first_place(system, &string) {
            let rule = &system.rules[rule];
            steps += 1;
            if steps > STEPS {
                return Err((Problem::StepLimit, rule.span));
            }
            match &rule.right {
                Side::Succeed => return Ok(Says { matches: true, ..Says::default() }),
                Side::Fail => return Ok(Says { fails: true, ..Says::default() }),
                Side::Symbols(right) => drop(string.splice(place..place + rule.left.len(), right.iter().copied())),
            }
        }
    }
    Ok(Says::default())
}

/// The leftmost place where a rule applies, and the first rule there.
fn first_place(system: &Rewriting, string: &[usize]) -> Option<(usize, usize)> {
    (0..=string.len()).find_map(|place| {
        let applies = |rule: &&referee_spec::core::machine::RewriteRule| {
            string[place..].starts_with(&rule.left)
                && (!rule.at_start || place == 0)
                && (!rule.at_end || place + rule.left.len() == string.len())
        };
        system.rules.iter().position(|rule| applies(&rule)).map(|rule| (place, rule))
    })
}
