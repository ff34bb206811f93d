//! Writes facts as lines of text.
//!
//! Events and comparisons are written with the values of their variables. Other formulas are quoted from the
//! specification, followed by the values; where the text at a formula's span is not the formula's own (a lowering made
//! several formulas of it), the core's notation stands in.

use std::collections::{HashMap, HashSet};

use referee_spec::core::{
    BinaryOp, Direction, EventAtom, Formula, Interval, Kind, Quantifier, Span, Term, UnaryOp, UnseenOrder, VarId,
};
use referee_trace::number::Number;

use super::evaluate::WhyEvaluator;
use super::fact::{Claim, PointStretch, WhyFact, WhyReason};
use super::history::FormulaHistory;
use super::numbers::Amount;
use super::terms::WhyDatum;

/// The longest quotation, in characters.
const QUOTATION: usize = 100;

/// The lines that state some facts, each once.
pub(crate) fn lines<'h>(
    history: &'h FormulaHistory,
    evaluator: &mut WhyEvaluator<'h>,
    facts: &[WhyFact<'h>],
) -> Vec<String> {
    let mut writer = ReasonWriter { history, evaluator, ambiguous: ambiguous_spans(history) };
    let mut seen = HashSet::new();
    facts.iter().map(|fact| writer.fact(fact)).filter(|line| seen.insert(line.clone())).collect()
}

/// The spans that several different formulas have.
fn ambiguous_spans(history: &FormulaHistory) -> HashSet<Span> {
    let property = history.property();
    let mut first: HashMap<Span, &Formula> = HashMap::new();
    let mut ambiguous = HashSet::new();
    for body in property.definitions.iter().map(|definition| &definition.body).chain([&property.body]) {
        body.visit(&mut |formula| {
            if **first.entry(formula.span).or_insert(formula) != *formula {
                ambiguous.insert(formula.span);
            }
        });
    }
    ambiguous
}

struct ReasonWriter<'e, 'h> {
    history: &'h FormulaHistory,
    evaluator: &'e mut WhyEvaluator<'h>,
    ambiguous: HashSet<Span>,
}

impl<'h> ReasonWriter<'_, 'h> {
    fn fact(&mut self, fact: &WhyFact<'h>) -> String {
        match fact {
            WhyFact::Is { claim, truth } => self.is(claim, *truth),
            WhyFact::Example { variable, body, truth } => self.example(*variable, body, *truth),
            WhyFact::Throughout { claim, truth, stretch, nearest } => self.throughout(claim, *truth, stretch, *nearest),
            WhyFact::Ended { begun, begun_truth, by, by_truth } => {
                let (begun, place) = (self.state(begun, *begun_truth), self.place(begun.point));
                format!("{begun} at {place} was ended by {} at {}", self.state(by, *by_truth), self.place(by.point))
            }
            WhyFact::NeverFollowed { begun, missing, last } => {
                let (start, end) = (self.place(begun.point), self.place(*last));
                let (begun, missing) = (self.named(begun), self.named(missing));
                format!("{begun} at {start} was never followed by {missing}: the trace ended at {end}")
            }
            WhyFact::Edge { point, direction: Direction::Past } => {
                format!("there is no point before {}", self.place(*point))
            }
            WhyFact::Edge { point, .. } => format!("there is no point after {}: the trace ended", self.place(*point)),
            WhyFact::Gap { first, interval } => {
                let duration = self.history.time(first + 1).sub(self.history.time(*first));
                let (from, to) = (self.place(*first), self.place(first + 1));
                format!("from {from} to {to} it took {duration}, which is not in {}", shown(interval))
            }
            WhyFact::NoPoint { anchor, interval, direction } => {
                let side = if *direction == Direction::Past { "before" } else { "after" };
                format!("no point lies {} {side} {}", shown(interval), self.place(*anchor))
            }
            WhyFact::Number { claim, number } => self.number(claim, number),
            WhyFact::Violated => {
                let body = &self.evaluator.property.body;
                format!("{} fails", self.quoted(body))
            }
        }
    }

    /// A point and, where there is one, its time.
    fn place(&self, point: usize) -> String {
        match self.history.is_timed() {
            true => format!("time {} (point {point})", self.history.time(point)),
            false => format!("point {point}"),
        }
    }

    fn is(&mut self, claim: &Claim<'h>, truth: bool) -> String {
        let (name, place) = (self.written(claim), self.place(claim.point));
        let bindings = self.bindings(claim);
        match &claim.formula.kind {
            Kind::Event(_) if truth => format!("{name} happens at {place}{bindings}"),
            Kind::Event(_) => format!("{name} does not happen at {place}{bindings}"),
            Kind::Constant(_) => format!("{name} stands there"),
            Kind::Compare(_, left, right) => {
                let verb = if truth { "holds" } else { "does not hold" };
                let timed = self.history.property().unseen_order == UnseenOrder::False && !truth;
                let named = timed || mentions_point(left) || mentions_point(right);
                let place = if named { format!(" at {place}") } else { String::new() };
                format!("{name} {verb}{place}{bindings}")
            }
            Kind::Quantified(Quantifier::Exists, variable, body) if !truth => {
                let variable = self.name(*variable);
                format!("no {variable} makes {} hold at {place}{bindings}", self.quoted(body))
            }
            _ if truth => format!("{name} holds at {place}{bindings}"),
            _ => format!("{name} fails at {place}{bindings}"),
        }
    }

    /// "from time 2 to 30 the sum of a is 10500 for u = 7: 4 values, the first at …, the last at …".
    fn number(&mut self, claim: &Claim<'h>, number: &Amount) -> String {
        let Kind::Aggregate(aggregation) = &claim.formula.kind else { return self.is(claim, true) };
        let when = match &aggregation.body.kind {
            Kind::Unary(UnaryOp::Once, interval, _) | Kind::Binary(BinaryOp::Since, interval, ..)
                if self.history.is_timed() && !interval.is_all() =>
            {
                window(self.history.time(claim.point), interval, Direction::Past)
            }
            _ => format!(" at {}", self.place(claim.point)),
        };
        let noun = aggregation.function.reason_noun();
        let what = match aggregation.function.ignores_values() {
            true => format!("{noun} of assignments"),
            false => format!("{noun} of {}", self.name(aggregation.over)),
        };
        let value = number.value.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let groups: Vec<String> = aggregation
            .groups
            .iter()
            .map(|&group| format!("{} = {}", self.name(group), self.term(&Term::Variable(group), claim)))
            .collect();
        let groups = if groups.is_empty() { String::new() } else { format!(" for {}", groups.join(", ")) };
        let from = match number.points {
            None => "from no event".to_owned(),
            Some((only, last)) if only == last => format!("{} at {}", counted(number.count), self.place(only)),
            Some((first, last)) => {
                let (first, last) = (self.place(first), self.place(last));
                format!("{}, the first at {first}, the last at {last}", counted(number.count))
            }
        };
        format!("{} the {what} is {value}{groups}: {from}", when.trim_start())
    }

    fn example(&mut self, variable: VarId, body: &Claim<'h>, truth: bool) -> String {
        let value = match body.given.get(variable).and_then(|datum| self.history.value_of(datum)) {
            Some(value) => value.to_string(),
            None => "any other value".to_owned(),
        };
        let verb = if truth { "holds" } else { "fails" };
        let (name, place) = (self.name(variable), self.place(body.point));
        format!("for {name} = {value}, {} {verb} at {place}", self.quoted(body.formula))
    }

    fn throughout(
        &mut self,
        claim: &Claim<'h>,
        truth: bool,
        stretch: &PointStretch<'h>,
        nearest: Option<usize>,
    ) -> String {
        let (name, bindings) = (self.written(claim), self.bindings(claim));
        let is_event = matches!(claim.formula.kind, Kind::Event(_));
        let when = self.when(stretch);
        let mut line = match (is_event, truth, &stretch.reason) {
            (true, false, WhyReason::Window { .. }) => format!("no {name}{when}"),
            (true, false, WhyReason::Between) => format!("{name} did not happen{when}"),
            (true, false, _) => format!("{name} never happened{when}"),
            (true, true, _) => format!("{name} happened at every point{when}"),
            (false, true, _) => format!("{name} held at every point{when}"),
            (false, false, _) => format!("{name} held at no point{when}"),
        };
        line += &bindings;
        if let Some(nearest) = nearest {
            let which = if nearest > stretch.last { "the next one is" } else { "the last one before that is" };
            let exception = if truth { "the exception nearest to that is" } else { which };
            line += &format!("; {exception} at {}", self.place(nearest));
        }
        line
    }

    fn when(&self, stretch: &PointStretch<'h>) -> String {
        match &stretch.reason {
            WhyReason::Past => format!(" up to {}", self.place(stretch.last)),
            WhyReason::End => {
                let (first, last) = (self.place(stretch.first), self.place(stretch.last));
                format!(" from {first} to the end of the trace at {last}")
            }
            WhyReason::Window { anchor, interval, direction, ended } if self.history.is_timed() => {
                let window = window(self.history.time(*anchor), interval, *direction);
                let end = if *ended {
                    format!(" (the trace ended at {})", self.place(self.evaluator.known))
                } else {
                    String::new()
                };
                window + &end
            }
            WhyReason::Window { .. } | WhyReason::Between if stretch.first == stretch.last => {
                format!(" at {}", self.place(stretch.first))
            }
            WhyReason::Window { .. } | WhyReason::Between => {
                format!(" from {} to {}", self.place(stretch.first), self.place(stretch.last))
            }
        }
    }

    /// A formula that was so, or its negation, as a noun.
    fn state(&mut self, claim: &Claim<'h>, truth: bool) -> String {
        let name = self.named(claim);
        match (truth, &claim.formula.kind) {
            (true, _) => name,
            (false, Kind::Event(_)) => format!("the absence of {name}"),
            (false, _) => format!("the failure of {name}"),
        }
    }

    fn named(&mut self, claim: &Claim<'h>) -> String {
        self.written(claim) + &self.bindings(claim)
    }

    /// A formula with the values of its variables, as far as it is an event or a comparison; else quoted.
    fn written(&mut self, claim: &Claim<'h>) -> String {
        match &claim.formula.kind {
            Kind::Event(EventAtom { name, arguments: Some(terms) }) => {
                let terms: Vec<String> = terms.iter().map(|term| self.term(term, claim)).collect();
                if terms.is_empty() { format!("`{name}`") } else { format!("`{name}({})`", terms.join(",")) }
            }
            Kind::Event(EventAtom { name, arguments: None }) => format!("`{name}`"),
            Kind::Compare(comparison, left, right) => {
                let (left, right) = (self.term(left, claim), self.term(right, claim));
                format!("`{left} {} {right}`", comparison.word())
            }
            _ => self.quoted(claim.formula),
        }
    }

    /// The value of a term, or the term itself where it has none that is known.
    fn term(&self, term: &Term, claim: &Claim<'h>) -> String {
        let datum = self.evaluator.term(term, claim.point, &claim.given).ok();
        let value = datum.as_ref().and_then(|datum| self.history.value_of(datum));
        value.map_or_else(|| term.display(self.evaluator.property).to_string(), ToString::to_string)
    }

    /// ` for u = 3`: the values that the text of a formula does not show.
    fn bindings(&mut self, claim: &Claim<'h>) -> String {
        let filled_in = matches!(claim.formula.kind, Kind::Event(_) | Kind::Compare(..));
        let mut parts = Vec::new();
        for &variable in self.evaluator.free(claim.formula).iter() {
            let name = self.name(variable);
            match claim.given.get(variable) {
                Some(WhyDatum::Anonymous(_)) => parts.push(format!("{name} = any other value")),
                Some(datum) if !filled_in => {
                    parts.extend(self.history.value_of(datum).map(|value| format!("{name} = {value}")));
                }
                _ => {}
            }
        }
        if parts.is_empty() { String::new() } else { format!(" for {}", parts.join(", ")) }
    }

    fn name(&self, variable: VarId) -> String {
        self.evaluator.property.variable(variable).name.to_string()
    }

    /// A formula as the specification has it, or in the core's notation.
    fn quoted(&mut self, formula: &'h Formula) -> String {
        let property = self.evaluator.property;
        let text: Vec<&str> = property.text(formula.span).split_whitespace().collect();
        let text = text.join(" ");
        let own = !text.is_empty() && !self.ambiguous.contains(&formula.span) && !has_comment(&text);
        let complete = self.evaluator.free(formula).iter().all(|&variable| has_word(&text, &self.name(variable)));
        let text = if own && complete { text } else { formula.display(property).to_string() };
        match text.char_indices().nth(QUOTATION) {
            Some((end, _)) => format!("`{}…`", &text[..end]),
            None => format!("`{text}`"),
        }
    }
}

fn counted(values: usize) -> String {
    if values == 1 { "1 value".to_owned() } else { format!("{values} values") }
}

fn has_comment(text: &str) -> bool {
    ["//", "/*", "(*", "#"].iter().any(|mark| text.contains(mark))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '\'')).any(|each| each == word)
}

fn mentions_point(term: &Term) -> bool {
    match term {
        Term::PointNumber | Term::PointTime => true,
        Term::Binary(_, left, right) => mentions_point(left) || mentions_point(right),
        Term::Negate(body) | Term::Apply(_, body) => mentions_point(body),
        Term::Variable(_) | Term::Constant(_) | Term::Field(_) | Term::Any => false,
    }
}

/// An interval, also where it is everything.
fn shown(interval: &Interval) -> String {
    if interval.is_all() { "[0,*)".to_owned() } else { interval.to_string() }
}

/// The times at an interval's distance from a time.
fn window(anchor: &Number, interval: &Interval, direction: Direction) -> String {
    let near = |bound: &Number| if direction == Direction::Past { anchor.sub(bound) } else { anchor.add(bound) };
    let (low, high) = (near(&interval.low), interval.high.as_ref().map(near));
    let low = (Some(low), interval.low_included);
    let high = (high, interval.high_included);
    let (from, to) = if direction == Direction::Past { (high, low) } else { (low, high) };
    let from = match from {
        (None, _) => String::new(),
        (Some(time), true) => format!(" from time {time}"),
        (Some(time), false) => format!(" after time {time}"),
    };
    let to = match (to, from.is_empty()) {
        ((None, _), _) => " on".to_owned(),
        ((Some(time), true), true) => format!(" up to time {time}"),
        ((Some(time), true), false) => format!(" to {time}"),
        ((Some(time), false), _) => format!(" before time {time}"),
    };
    from + &to
}
