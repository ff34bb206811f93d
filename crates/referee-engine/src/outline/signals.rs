//! The outline of a formula over signals.

use referee_spec::core::signal::{Formula, Interval, Kind, Signal};

use super::{Looks, Outline, Table};

/// How a formula over signals is judged.
pub fn of_signal(signal: &Signal) -> Outline {
    let mut tables = Vec::new();
    let mut growth = Vec::new();
    visit(&signal.formula, &mut |formula, interval| {
        let text = signal.text(formula.span).to_owned();
        let rows = match &interval.high {
            Some(high) => format!("the samples of the last {high}"),
            None => {
                growth.push(text.clone());
                "the samples that are not decided yet".to_owned()
            }
        };
        tables.push(Table { formula: text, looks: Looks::Ahead, keys: Vec::new(), rows });
    });
    Outline {
        name: signal.name.to_string(),
        language: "stl".to_owned(),
        judged: "once, at the first sample".to_owned(),
        verdicts: "as soon as the samples decide it, else at the end of the trace".to_owned(),
        tables,
        events: Vec::new(),
        cost: vec!["constant for each operator, whatever its interval".to_owned()],
        growth,
        domains: Vec::new(),
        way: Vec::new(),
        gives_up: vec!["division by zero".to_owned()],
    }
}

fn visit<'f>(formula: &'f Formula, found: &mut impl FnMut(&'f Formula, &'f Interval)) {
    match &formula.kind {
        Kind::Constant(_) | Kind::Compare(..) | Kind::Truth(_) => {}
        Kind::Not(body) => visit(body, found),
        Kind::And(left, right) | Kind::Or(left, right) | Kind::Implies(left, right) | Kind::Iff(left, right) => {
            visit(left, found);
            visit(right, found);
        }
        Kind::Finally(interval, body) | Kind::Globally(interval, body) => {
            found(formula, interval);
            visit(body, found);
        }
        Kind::Until(interval, left, right) => {
            found(formula, interval);
            visit(left, found);
            visit(right, found);
        }
    }
}
