//! Outlines of machines.

use referee_spec::core::Quantifier;
use referee_spec::core::machine::dates::Dates;
use referee_spec::core::machine::plane::{Plane, RegionDefinition};
use referee_spec::core::machine::{Body, Logic, Machine, Quantified, Sliced};

use super::outline::{EventOutline, Outline};
use crate::machine::halved;

/// The outline of a machine.
pub(super) fn of(machine: &Machine) -> Outline {
    let (judged, verdicts, cost, growth, gives_up) = match &machine.body {
        Body::Quantified(body) => quantified(body),
        Body::Sliced(body) => sliced(body),
        Body::Dates(body) => dates(body),
        Body::Plane(body) => plane(body),
    };
    Outline {
        name: machine.name.to_string(),
        language: machine.language.name().to_owned(),
        judged,
        verdicts,
        tables: Vec::new(),
        events: events(machine),
        cost,
        growth,
        domains: Vec::new(),
        way: Vec::new(),
        gives_up,
    }
}

fn events(machine: &Machine) -> Vec<EventOutline> {
    let seen = machine.events();
    let effect = match machine.body {
        Body::Plane(_) => "moves every point, inside or outside of its regions",
        Body::Quantified(_) | Body::Sliced(_) | Body::Dates(_) => "moves the instances that it belongs to",
    };
    let event = |name: &str, arity: Option<usize>| EventOutline {
        event: arity.map_or_else(|| name.to_owned(), |arity| format!("{name}/{arity}")),
        effects: vec![effect.to_owned()],
    };
    let mut all: Vec<EventOutline> = seen.iter().map(|(name, arity, _)| event(name, *arity)).collect();
    all.dedup();
    all
}

type Parts = (String, String, Vec<String>, Vec<String>, Vec<String>);

fn quantified(body: &Quantified) -> Parts {
    let only_forall = body.variables.iter().all(|variable| variable.quantifier == Quantifier::Forall);
    let verdicts = if only_forall {
        "as soon as no run of a binding can be accepted, or at the end"
    } else {
        "at the end: no seen value falsifies exists"
    };
    let cost = vec!["one step per class of instances that share a state and what the event binds".to_owned()];
    let halved = halved(body).map(|(one, other)| {
        format!("of two bindings that differ by exchanging `{one}` and `{other}`, one instance: both behave alike")
    });
    let growth = std::iter::once("instances that are not back in the initial state".to_owned()).chain(halved).collect();
    let computes = !body.registers.is_empty();
    let gives_up = computes.then(|| "computing with a free variable that has no value, or is no number".to_owned());
    (
        "for every binding of the quantified variables".to_owned(),
        verdicts.to_owned(),
        cost,
        growth,
        gives_up.into_iter().collect(),
    )
}

fn sliced(body: &Sliced) -> Parts {
    let gives_up = match &body.logic {
        Logic::Srs(_) => Some("rewriting that does not come to rest"),
        Logic::Cfg(_) => Some("more open derivations than the bound allows"),
        Logic::PtCaret(_) => Some("more open calls than the bound allows"),
        Logic::Fsm(_) | Logic::Ere(_) | Logic::Ltl(_) | Logic::PtLtl(_) => None,
    };
    (
        "for every slice, after each of its events".to_owned(),
        "at the event that reaches a category".to_owned(),
        vec!["one step per class of slices that share a state and what the event binds".to_owned()],
        vec!["slices that can still reach a category".to_owned()],
        gives_up.map(str::to_owned).into_iter().collect(),
    )
}

fn dates(body: &Dates) -> Parts {
    let timed = !body.clocks.is_empty();
    let verdicts = if timed {
        "where a bad state is entered; by timeouts also at the end"
    } else {
        "where a bad state is entered"
    };
    (
        "in every context, at every event, timeout and message".to_owned(),
        verdicts.to_owned(),
        vec!["one step per automaton of a context that the event belongs to".to_owned()],
        vec!["contexts that are not back where they began, and those with clocks".to_owned()],
        vec!["computing with something that has no value, or is no number".to_owned()],
    )
}

fn plane(body: &Plane) -> Parts {
    let region = |region: &RegionDefinition| match region.arity {
        0 => format!("`{}` makes the same region of every event without arguments", region.name),
        1 => format!("`{}` makes a region of every event with 1 argument", region.name),
        many => format!("`{}` makes a region of every event with {many} arguments", region.name),
    };
    let step = "one step per point, line or area that regions cut out of the plane".to_owned();
    (
        "for every point of the plane".to_owned(),
        "as soon as the regions so far decide it for some point, or at the end".to_owned(),
        std::iter::once(step).chain(body.regions.iter().map(region)).collect(),
        vec!["points, lines and areas of which something else is demanded than of the rest of the plane".to_owned()],
        Vec::new(),
    )
}
