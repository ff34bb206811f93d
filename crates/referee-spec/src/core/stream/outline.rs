//! How a program will be judged: what each stream remembers, how late it is known, and how its instances are found.

use std::fmt;

use super::analysis::{Circle, delays};
use super::expression::{Extent, How};
use super::program::{Moment, Program, StreamTrigger, Template};
use super::reach::{Concern, InstanceReach, KeySource, reach};

/// How a program will be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The program's name.
    pub name: String,
    /// One entry per stream and trigger.
    pub streams: Vec<StreamOutline>,
}

/// How one stream will be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamOutline {
    /// `input x: int`, `output s(p)`, `trigger 2`.
    pub title: String,
    /// What it remembers.
    pub memory: String,
    /// How many steps after its own step it is known.
    pub delay: u32,
    /// How its instances are found, where it has any.
    pub reached: Option<String>,
}

/// What is remembered of a stream.
#[derive(Default)]
struct Demand {
    values: u32,
    steps: u32,
    windows: Vec<String>,
}

/// The outline of a program, or the circle that prevents it.
pub fn outline(program: &Program) -> Result<Outline, Circle> {
    let delays = delays(program)?;
    let demands = demands(program);
    let mut streams = Vec::new();
    for (index, input) in program.inputs.iter().enumerate() {
        let title = format!("input {}: {}", input.name, input.value_type);
        let memory = memory(&demands[index], None);
        streams.push(StreamOutline { title, memory, delay: 0, reached: None });
    }
    for (index, output) in program.outputs.iter().enumerate() {
        let stream = program.output_id(index).index();
        let title = format!("output {}{}: {}", output.name, parameters(&output.template), output.value_type);
        streams.push(StreamOutline {
            title,
            memory: memory(&demands[stream], Some(&output.template)),
            delay: delays.streams[stream],
            reached: reached(program, &output.template, None),
        });
    }
    for (index, trigger) in program.triggers.iter().enumerate() {
        streams.push(StreamOutline {
            title: format!("trigger {}{}", index + 1, parameters(&trigger.template)),
            memory: memory(&Demand::default(), Some(&trigger.template)),
            delay: delays.triggers[index],
            reached: reached(program, &trigger.template, Some(trigger)),
        });
    }
    Ok(Outline { name: program.name.to_string(), streams })
}

fn parameters(template: &Template) -> String {
    let names: Vec<&str> = template.parameters.iter().map(|parameter| &*parameter.name).collect();
    if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) }
}

fn demands(program: &Program) -> Vec<Demand> {
    let mut demands: Vec<Demand> = (0..program.stream_count()).map(|_| Demand::default()).collect();
    for (_, template) in program.templates() {
        template.clauses(&mut |clause| {
            for expression in clause.expressions {
                expression.references(&mut |reference| {
                    let demand = &mut demands[reference.access.stream.index()];
                    match &reference.access.how {
                        How::Own(count, _) => demand.values = demand.values.max(*count + 1),
                        How::Hold(_) => demand.values = demand.values.max(1),
                        How::Step(offset, _) => demand.steps = demand.steps.max(offset.unsigned_abs() + 1),
                        How::Window(Extent::Time(length), _) => {
                            demand.windows.push(format!("the values of the last {length}"));
                        }
                        How::Window(Extent::Values(count), _) => {
                            demand.windows.push(format!("the last {count} values"));
                        }
                        How::Now | How::Get(_) | How::Fresh | How::Instances(..) => {}
                    }
                });
            }
        });
    }
    demands
}

fn memory(demand: &Demand, template: Option<&Template>) -> String {
    let mut parts = Vec::new();
    match (demand.values, demand.steps) {
        (0 | 1, 0) => {}
        (values, 0) => parts.push(format!("the last {values} values")),
        (0 | 1, steps) => parts.push(format!("the values of {steps} steps")),
        (values, steps) => parts.push(format!("the last {values} values and those of {steps} steps")),
    }
    parts.extend(demand.windows.iter().cloned());
    parts.dedup();
    let each = if parts.is_empty() { "constant".to_owned() } else { format!("constant: {}", parts.join(", ")) };
    let each = if demand.windows.iter().any(|window| window.contains("of the last")) { parts.join(", ") } else { each };
    match template.filter(|template| !template.parameters.is_empty()) {
        None => each,
        Some(template) => {
            let names: Vec<&str> = template.parameters.iter().map(|parameter| &*parameter.name).collect();
            let life = if template.close.is_some() { "live" } else { "seen (nothing closes them)" };
            let each = if each == "constant" { String::new() } else { format!("; each {}", parts.join(", ")) };
            match template.close.is_some() {
                true => format!("one row per {life} {}{each}", names.join(", ")),
                false => format!("one row per {} {life}{each}", names.join(", ")),
            }
        }
    }
}

fn reached(program: &Program, template: &Template, trigger: Option<&StreamTrigger>) -> Option<String> {
    if template.parameters.is_empty() {
        return None;
    }
    if trigger.is_some_and(|trigger| trigger.moment == Moment::End) {
        return Some("all visited once, at the end".to_owned());
    }
    let concerns = template.evals.iter().map(|eval| Concern::of_eval(eval, trigger.is_some()));
    Some(match reach(template, concerns) {
        InstanceReach::All => "all visited at every event".to_owned(),
        InstanceReach::Keys(sources) => {
            let texts: Vec<String> = sources.iter().map(|source| show_source(program, template, source)).collect();
            format!("found by key: {}", texts.join(", "))
        }
    })
}

/// `x`, `(x, y)`, `those with p = x`, `those of s`, `those with the p of s`.
fn show_source(program: &Program, template: &Template, source: &KeySource) -> String {
    let name = |index: usize| &*template.parameters[index].name;
    let whole = source.is_whole(template.parameters.len());
    match source {
        KeySource::Values(key) => {
            let known = key.iter().enumerate().filter_map(|(index, part)| Some((index, part.as_ref()?)));
            let known: Vec<(usize, &str)> = known.map(|(index, part)| (index, program.text(part.span))).collect();
            match &known[..] {
                [(_, only)] if whole => (*only).to_owned(),
                parts if whole => format!("({})", parts.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(", ")),
                parts => {
                    let parts: Vec<String> =
                        parts.iter().map(|(index, text)| format!("{} = {text}", name(*index))).collect();
                    format!("those with {}", parts.join(" and "))
                }
            }
        }
        KeySource::Fresh(stream, _) if whole => format!("those of {}", program.stream_name(*stream)),
        KeySource::Fresh(stream, columns) => {
            let names: Vec<&str> = columns.iter().map(|index| name(*index)).collect();
            format!("those with the {} of {}", names.join(", "), program.stream_name(*stream))
        }
    }
}

impl fmt::Display for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: streams", self.name)?;
        for stream in &self.streams {
            write!(f, "  {}\n    memory: {}\n", stream.title, stream.memory)?;
            match stream.delay {
                0 => {}
                1 => writeln!(f, "    known: 1 step later")?,
                delay => writeln!(f, "    known: {delay} steps later")?,
            }
            if let Some(reached) = &stream.reached {
                writeln!(f, "    instances: {reached}")?;
            }
        }
        Ok(())
    }
}
