//! Who judges which rules.

use std::sync::Arc;

use referee_spec::core::Rule;

use crate::general::General;
use crate::judge::{Judge, Wanted};
use crate::signal::SignalJudge;
use crate::stream::StreamJudge;

/// A judge and the rules it judges.
pub struct Seated {
    /// The judge.
    pub judge: Box<dyn Judge>,
    /// For each of the judge's rules, its number among all rules.
    pub rules: Vec<usize>,
}

/// Judges for all rules, before the first point of a trace. Every rule has one judge.
pub fn judges(rules: &[Arc<Rule>], wanted: Wanted) -> Vec<Seated> {
    let seat = |(index, rule): (usize, &Arc<Rule>)| Seated { judge: judge_of(rule, wanted), rules: vec![index] };
    rules.iter().enumerate().map(seat).collect()
}

fn judge_of(rule: &Rule, wanted: Wanted) -> Box<dyn Judge> {
    match rule {
        Rule::Formula(property) => Box::new(General::new(property.clone(), wanted)),
        Rule::Stream(program) => match StreamJudge::new(program.clone()) {
            Ok(judge) => Box::new(judge),
            Err(_) => unreachable!("programs with circles are not compiled"),
        },
        Rule::Signal(signal) => Box::new(SignalJudge::new(signal.clone())),
    }
}
