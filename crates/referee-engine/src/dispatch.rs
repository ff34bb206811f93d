//! Who judges which rules.
//!
//! ```text
//!   formulas that compile ─▶ one Program for all that compare values alike: they share tables;
//!                            one each for those with a part for the general path that hears of every point,
//!                            and for all where each rule is to have a judge of its own
//!   bounds on aggregates  ─▶ a Tally each
//!   other formulas        ─▶ a InterpretedJudge each
//!   quantities            ─▶ a Network each
//!   machines              ─▶ a judge of machines each
//!   rules over facts      ─▶ a judge of facts each
//! ```

use std::sync::Arc;

use referee_spec::core::{Equality, Judgement, Property, Rule};

use crate::facts::FactsJudge;
use crate::fo::interpret::interpreted_judge::InterpretedJudge;
use crate::fo::{CompiledProperty, FormulaCompiler, Passes, Program};
use crate::judge::{Judge, Wanted};
use crate::quantity::QuantityJudge;
use crate::signal::SignalJudge;
use crate::stream::StreamJudge;
use crate::tally::TallyJudge;

/// A judge and the rules it judges.
pub struct AssignedJudge {
    /// The judge.
    pub judge: Box<dyn Judge>,
    /// For each of the judge's rules, its number among all rules.
    pub rules: Vec<usize>,
}

/// What the judges have to know before they begin.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Which violations are wanted.
    pub wanted: Wanted,
    /// Whether the trace may go on.
    pub prefix: bool,
    /// The passes of the compiler.
    pub passes: Passes,
    /// Whether formulas are compiled at all.
    pub compile: bool,
    /// Whether violations are to be explained: all that the rules can see of the trace is then kept.
    pub witness: bool,
    /// Whether each rule has a judge of its own: what is saved of one is then found again whatever other rules there are. Formulas
    /// that could share tables do not.
    pub separate: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            wanted: Wanted::All,
            prefix: false,
            passes: Passes::ALL,
            compile: true,
            witness: false,
            separate: false,
        }
    }
}

/// Judges for all rules, before the first point of a trace. Every rule has one judge.
pub fn judges(rules: &[Arc<Rule>], settings: &Settings) -> Vec<AssignedJudge> {
    let mut assigned = Vec::new();
    let mut compiler = FormulaCompiler::new(&settings.passes);
    let mut compiled: Vec<(usize, CompiledProperty)> = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        match &**rule {
            Rule::Stream(program) => assigned.push(AssignedJudge { judge: stream_judge(program), rules: vec![index] }),
            Rule::Signal(signal) => {
                assigned.push(AssignedJudge { judge: Box::new(SignalJudge::new(signal.clone())), rules: vec![index] });
            }
            Rule::Quantity(rule) => {
                assigned.push(AssignedJudge { judge: Box::new(QuantityJudge::new(rule)), rules: vec![index] });
            }
            Rule::Formula(property)
                if settings.compile
                    && let Some(tally) = TallyJudge::new(property) =>
            {
                assigned.push(AssignedJudge { judge: Box::new(tally), rules: vec![index] });
            }
            Rule::Formula(property) if let Some(own) = compile(&mut compiler, property, settings) => {
                compiled.push((index, own))
            }
            Rule::Machine(machine) => {
                let judge = crate::machine::judge(machine, !settings.prefix);
                assigned.push(AssignedJudge { judge, rules: vec![index] });
            }
            Rule::Facts(facts) => {
                assigned.push(AssignedJudge { judge: Box::new(FactsJudge::new(facts.clone())), rules: vec![index] });
            }
            Rule::Formula(property) => assigned.push(AssignedJudge {
                judge: Box::new(InterpretedJudge::new(property.clone(), settings.wanted)),
                rules: vec![index],
            }),
        }
    }
    // What must hear of every point would have the others hear of it, too.
    let is_apart = |compiled: &CompiledProperty| compiled.is_moved || settings.separate;
    let (moved, compiled): (Vec<_>, Vec<_>) = compiled.into_iter().partition(|(_, compiled)| is_apart(compiled));
    assigned.extend(moved.iter().flat_map(|own| programs(&mut compiler, std::slice::from_ref(own), settings)));
    let by_text = |(_, compiled): &(usize, CompiledProperty)| compiled.property.equality == Equality::ByText;
    let (by_text, by_value): (Vec<_>, Vec<_>) = compiled.into_iter().partition(by_text);
    assigned.extend(programs(&mut compiler, &by_text, settings));
    assigned.extend(programs(&mut compiler, &by_value, settings));
    assigned
}

/// A property that compiles. What is pending of one judged once, only the interpreter counts.
fn compile(compiler: &mut FormulaCompiler, property: &Arc<Property>, settings: &Settings) -> Option<CompiledProperty> {
    let countable = !(settings.prefix && property.judgement == Judgement::Once);
    if settings.compile && countable { compiler.property(property).ok() } else { None }
}

/// One program for all these properties, or, should they have no common order, one for each.
fn programs(
    compiler: &mut FormulaCompiler,
    compiled: &[(usize, CompiledProperty)],
    settings: &Settings,
) -> Vec<AssignedJudge> {
    let all: Vec<&CompiledProperty> = compiled.iter().map(|(_, compiled)| compiled).collect();
    let properties: Vec<Arc<Property>> = all.iter().map(|compiled| compiled.property.clone()).collect();
    let rules: Vec<usize> = compiled.iter().map(|(rule, _)| *rule).collect();
    match (compiler.link(&all), compiled) {
        (_, []) => Vec::new(),
        (Ok(program), _) => {
            let judge = Box::new(Program::new(&properties, program, settings.passes, settings.wanted));
            vec![AssignedJudge { judge, rules }]
        }
        (Err(_), [(rule, own)]) => {
            let judge = Box::new(InterpretedJudge::new(own.property.clone(), settings.wanted));
            vec![AssignedJudge { judge, rules: vec![*rule] }]
        }
        (Err(_), several) => {
            several.iter().flat_map(|own| programs(compiler, std::slice::from_ref(own), settings)).collect()
        }
    }
}

fn stream_judge(program: &Arc<referee_spec::core::stream::Program>) -> Box<dyn Judge> {
    match StreamJudge::new(program.clone()) {
        Ok(judge) => Box::new(judge),
        Err(_) => unreachable!("programs with circles are not compiled"),
    }
}
