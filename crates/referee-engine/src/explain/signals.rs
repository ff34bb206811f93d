//! The outline of a formula over signals.

use referee_spec::core::signal::{Signal, SignalFormula, SignalInterval, SignalKind};

use super::outline::{EventOutline, Looks, Outline, TableOutline};

/// How a formula over signals is judged.
pub(super) fn of_signal(signal: &Signal) -> Outline {
    let mut tables = Vec::new();
    let mut growth = Vec::new();
    visit(&signal.formula, true, &mut |formula, interval, place| {
        let text = signal.text(formula.span).to_owned();
        let rows = match (place, &interval.high) {
            (OperatorPlace::Outermost { waits: false }, _) => {
                "constant: it is judged at the first sample only".to_owned()
            }
            (OperatorPlace::Outermost { waits: true }, _) => {
                "the samples of which the operators below it have yet to tell".to_owned()
            }
            (OperatorPlace::Inner, Some(high)) => format!("the samples of the last {high}"),
            (OperatorPlace::Inner, None) => {
                growth.push(text.clone());
                "the samples that are not decided yet".to_owned()
            }
        };
        tables.push(TableOutline { formula: text, looks: Looks::Ahead, keys: Vec::new(), rows });
    });
    Outline {
        name: signal.name.to_string(),
        language: "stl".to_owned(),
        judged: "once, at the first sample".to_owned(),
        verdicts: "as soon as the samples decide it, else at the end of the trace".to_owned(),
        tables,
        events: signal.fields.iter().map(|field| event(field)).collect(),
        cost: vec!["constant for each operator, whatever its interval".to_owned()],
        growth,
        domains: Vec::new(),
        way: Vec::new(),
        gives_up: vec!["division by zero".to_owned()],
    }
}

fn event(field: &str) -> EventOutline {
    EventOutline {
        event: field.to_owned(),
        effects: vec!["is read in any event, and keeps its value until the next".to_owned()],
    }
}

/// Where a temporal operator stands.
enum OperatorPlace {
    /// Below no other: it is judged at the first sample.
    Outermost {
        /// Whether there are temporal operators below it.
        waits: bool,
    },
    /// Below another: it is judged at many samples.
    Inner,
}

fn visit<'f>(
    formula: &'f SignalFormula,
    outermost: bool,
    found: &mut impl FnMut(&'f SignalFormula, &'f SignalInterval, OperatorPlace),
) {
    let place = |bodies: &[&SignalFormula]| match outermost {
        true => OperatorPlace::Outermost { waits: bodies.iter().any(|body| is_temporal(body)) },
        false => OperatorPlace::Inner,
    };
    match &formula.kind {
        SignalKind::Constant(_) | SignalKind::Compare(..) | SignalKind::Truth(_) => {}
        SignalKind::Not(body) => visit(body, outermost, found),
        SignalKind::And(left, right)
        | SignalKind::Or(left, right)
        | SignalKind::Implies(left, right)
        | SignalKind::Iff(left, right) => {
            visit(left, outermost, found);
            visit(right, outermost, found);
        }
        SignalKind::Finally(interval, body) | SignalKind::Globally(interval, body) => {
            found(formula, interval, place(&[body]));
            visit(body, false, found);
        }
        SignalKind::Until(interval, left, right) => {
            found(formula, interval, place(&[left, right]));
            visit(left, false, found);
            visit(right, false, found);
        }
    }
}

fn is_temporal(formula: &SignalFormula) -> bool {
    let mut found = false;
    visit(formula, true, &mut |_, _, _| found = true);
    found
}
