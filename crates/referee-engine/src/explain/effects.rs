//! Which tables there are, and what each event does to them.

use referee_spec::core::{BinaryOp, Formula, Kind, Property, Term, UnaryOp, VarId};

use super::outline::{EventOutline, Looks, TableOutline};
use super::wording::{interval, looks, name, quoted};

/// A table and the operator it belongs to.
pub(crate) struct Remembered<'p> {
    pub operator: &'p Formula,
    pub table: TableOutline,
    /// Whether rows stay for ever.
    pub grows: bool,
}

/// Where an event atom stands.
#[derive(Debug, Clone, Copy)]
struct EffectSpot {
    /// The innermost table around it, and whether it stands on the left of its operator.
    table: Option<(usize, bool)>,
    /// Whether it stands under an even number of negations inside that operator.
    positive: bool,
    /// The recursive definition in whose body it stands.
    definition: Option<usize>,
}

/// The tables and events of a property.
pub(crate) struct EffectWalk<'p> {
    pub tables: Vec<Remembered<'p>>,
    atoms: Vec<(&'p Formula, EffectSpot)>,
    /// The tables that are asked at the point itself, as they were written.
    asked: Vec<String>,
}

impl<'p> EffectWalk<'p> {
    /// Walks over a property.
    pub(super) fn of(property: &'p Property) -> EffectWalk<'p> {
        let mut walk = EffectWalk { tables: Vec::new(), atoms: Vec::new(), asked: Vec::new() };
        let outside = EffectSpot { table: None, positive: true, definition: None };
        for (index, definition) in property.definitions.iter().enumerate() {
            let definition_index = definition.recursive.then_some(index);
            walk.visit(property, &definition.body, EffectSpot { definition: definition_index, ..outside });
        }
        walk.visit(property, strip_always(property), outside);
        walk
    }

    fn visit(&mut self, property: &'p Property, formula: &'p Formula, spot: EffectSpot) {
        match &formula.kind {
            Kind::Event(_) | Kind::Observe(_) => self.atoms.push((formula, spot)),
            Kind::Not(body) => self.visit(property, body, EffectSpot { positive: !spot.positive, ..spot }),
            Kind::Implies(left, right) => {
                self.visit(property, left, EffectSpot { positive: !spot.positive, ..spot });
                self.visit(property, right, spot);
            }
            Kind::Call(..) => self.ask(property, formula, spot),
            kind if looks(kind).is_some() => self.operator(property, formula, spot),
            kind => kind.children().into_iter().for_each(|child| self.visit(property, child, spot)),
        }
    }

    /// Notes a table that is asked at the point itself.
    fn ask(&mut self, property: &Property, formula: &Formula, spot: EffectSpot) {
        let text = quoted(property, formula);
        if spot.table.is_none() && spot.definition.is_none() && !self.asked.contains(&text) {
            self.asked.push(text);
        }
    }

    fn operator(&mut self, property: &'p Property, formula: &'p Formula, spot: EffectSpot) {
        let index = self.tables.len();
        self.ask(property, formula, spot);
        let keys: Vec<VarId> = formula.free_variables().into_iter().collect();
        let table = TableOutline {
            formula: quoted(property, formula),
            looks: looks(&formula.kind).unwrap_or(Looks::Back),
            keys: keys.iter().map(|&id| name(property, id)).collect(),
            rows: rows(property, formula),
        };
        self.tables.push(Remembered { operator: formula, table, grows: stays(&formula.kind) });
        let children = formula.kind.children();
        let is_binary = matches!(formula.kind, Kind::Binary(..));
        for (position, child) in children.into_iter().enumerate() {
            let left = is_binary && position == 0;
            self.visit(property, child, EffectSpot { table: Some((index, left)), positive: true, ..spot });
        }
    }

    /// What each event does, in order of first appearance.
    pub(super) fn events(&self, property: &Property) -> Vec<EventOutline> {
        let mut events: Vec<EventOutline> = Vec::new();
        for (atom, spot) in &self.atoms {
            let (event, effect) = (quoted(property, atom), self.effect(property, *spot));
            match events.iter_mut().find(|known| known.event == event) {
                Some(known) if known.effects.contains(&effect) => {}
                Some(known) => known.effects.push(effect),
                None => events.push(EventOutline { event, effects: vec![effect] }),
            }
        }
        events
    }

    fn effect(&self, property: &Property, spot: EffectSpot) -> String {
        let Some((index, left)) = spot.table else {
            let definition = spot.definition.and_then(|index| property.definitions.get(index));
            return match definition {
                Some(definition) => format!("decides the rows of `{}`", definition.name),
                None => self.check(spot.positive),
            };
        };
        let table = &self.tables[index];
        let row = match table.table.keys.as_slice() {
            [] => "the truth value".to_owned(),
            keys => format!("the row of {}", keys.join(", ")),
        };
        let text = &table.table.formula;
        match (&table.operator.kind, left, spot.positive) {
            (Kind::Unary(UnaryOp::Prev | UnaryOp::WeakPrev, ..), ..) => {
                format!("is remembered for one point by `{text}`")
            }
            (Kind::Unary(UnaryOp::Next | UnaryOp::WeakNext, ..), ..) => {
                format!("is awaited at the next point by `{text}`")
            }
            (Kind::Unary(UnaryOp::Once, ..), _, true) => format!("inserts {row} into `{text}`"),
            (Kind::Unary(UnaryOp::Historically, ..), _, false) => format!("makes {row} of `{text}` false"),
            (Kind::Unary(UnaryOp::Eventually, ..), _, true) => format!("fulfils {row} of `{text}`"),
            (Kind::Unary(UnaryOp::Always, ..), _, false) => format!("breaks {row} of `{text}`"),
            (Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::WeakSince, ..), true, false) => {
                format!("deletes {row} from `{text}`")
            }
            (Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::WeakSince, ..), false, true) => {
                format!("inserts {row} into `{text}`")
            }
            (Kind::Binary(BinaryOp::Until | BinaryOp::WeakUntil, ..), true, false) => {
                format!("breaks {row} of `{text}`")
            }
            (Kind::Binary(BinaryOp::Until | BinaryOp::WeakUntil, ..), false, true) => {
                format!("fulfils {row} of `{text}`")
            }
            (Kind::Match(..), ..) => format!("moves `{text}` on"),
            _ => format!("is looked at by `{text}`"),
        }
    }

    fn check(&self, positive: bool) -> String {
        let asked: Vec<String> = self.asked.iter().map(|text| format!("`{text}`")).collect();
        match (positive, asked.is_empty()) {
            (true, _) => "is looked at when it happens".to_owned(),
            (false, true) => "is checked when it happens".to_owned(),
            (false, false) => format!("is checked when it happens, with {}", asked.join(" and ")),
        }
    }
}

/// What is judged at every point: FO-LTL's leading `always` needs no table.
pub(crate) fn strip_always(property: &Property) -> &Formula {
    match &property.body.kind {
        Kind::Unary(UnaryOp::Always, interval, body) if interval.is_all() => body,
        _ => &property.body,
    }
}

/// Whether events of the point alone say which values of a variable can give a formula this truth.
pub(crate) fn is_guarded(formula: &Formula, truth: bool, variable: VarId) -> bool {
    let guarded = |part: &Formula| is_guarded(part, truth, variable);
    match (&formula.kind, truth) {
        (Kind::Event(atom), true) => atom.arguments.iter().flatten().any(|term| *term == Term::Variable(variable)),
        (Kind::Not(body), _) => is_guarded(body, !truth, variable),
        (Kind::And(parts), true) | (Kind::Or(parts), false) => parts.iter().any(guarded),
        (Kind::And(parts), false) | (Kind::Or(parts), true) => parts.iter().all(guarded),
        (Kind::Implies(left, right), false) => is_guarded(left, true, variable) || guarded(right),
        (Kind::Implies(left, right), true) => is_guarded(left, false, variable) && guarded(right),
        (Kind::Quantified(_, _, body), _) => guarded(body),
        _ => false,
    }
}

/// When the rows of an operator's table go.
fn rows(property: &Property, formula: &Formula) -> String {
    let high = interval(&formula.kind).and_then(|interval| interval.high.as_ref());
    let window = high.map(|high| format!("after {high} time units"));
    match (&formula.kind, window) {
        (Kind::Unary(UnaryOp::Prev | UnaryOp::WeakPrev, ..), _) => "kept for one point".to_owned(),
        (Kind::Unary(UnaryOp::Next | UnaryOp::WeakNext, ..), _) => "open for one point".to_owned(),
        (Kind::Binary(op, _, left, right), window) => {
            let ahead = looks(&formula.kind) == Some(Looks::Ahead);
            let (verb, part) = match ahead && *op != BinaryOp::Release {
                true => ("settled", condition(property, right, true)),
                false => (if ahead { "settled" } else { "deleted" }, condition(property, left, false)),
            };
            let cause = if stays(&formula.kind) { None } else { Some(format!("when {part}")) };
            let causes: Vec<String> = cause.into_iter().chain(window).collect();
            if causes.is_empty() { "kept for ever".to_owned() } else { format!("{verb} {}", causes.join(" or ")) }
        }
        (_, Some(window)) => format!("gone {window}"),
        (kind, None) if looks(kind) == Some(Looks::Ahead) => "open until it is settled or the trace ends".to_owned(),
        _ => "kept for ever".to_owned(),
    }
}

/// That a part of an operator is true or false, said of what is negated where it is a negation.
pub(crate) fn condition(property: &Property, part: &Formula, truth: bool) -> String {
    match &part.kind {
        Kind::Not(body) => condition(property, body, !truth),
        _ => format!("`{}` is {truth}", quoted(property, part)),
    }
}

/// Whether the rows of an operator's table stay for ever: nothing can end them, and no window closes.
fn stays(kind: &Kind) -> bool {
    let is = |formula: &Formula, truth| formula.kind == Kind::Constant(truth);
    match kind {
        Kind::Unary(UnaryOp::Once | UnaryOp::Historically, interval, _) => interval.high.is_none(),
        Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince, interval, left, _) => {
            interval.high.is_none() && is(left, true)
        }
        Kind::Binary(BinaryOp::Trigger, interval, left, _) => interval.high.is_none() && is(left, false),
        _ => false,
    }
}
