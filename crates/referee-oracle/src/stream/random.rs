//! Random stream programs, as text, and random traces for them.

use referee_spec::core::{AggregateNotation, AggregateOperand, AggregateResult};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};

use crate::random::{Rng, random_aggregate};

/// The types that are generated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Bool,
    Text,
}

/// An output that has been decided on.
#[derive(Clone)]
struct Stream {
    name: String,
    kind: Kind,
    arity: usize,
}

struct StreamWriter<'r> {
    rng: &'r mut Rng,
    outputs: Vec<Stream>,
    /// How many of the outputs may be read at the same step.
    earlier: usize,
    /// The parameters in sight.
    parameters: usize,
    future: bool,
    at_end: bool,
}

/// A program as text. It may have circles; whoever compiles it tries another one then.
pub fn random_program(rng: &mut Rng) -> String {
    let mut text = String::from("input a: Int, b: Int, f: Bool, s: String, g: Bool from other\n");
    let count = 1 + rng.below(4);
    let outputs: Vec<Stream> = (0..count)
        .map(|index| Stream {
            name: format!("o{index}"),
            kind: if rng.chance(55) { Kind::Int } else { Kind::Bool },
            arity: rng.weighted(&[55, 38, 7]),
        })
        .collect();
    let future = rng.chance(25);
    let mut writer = StreamWriter { rng, outputs: outputs.clone(), earlier: 0, parameters: 0, future, at_end: false };
    for (index, output) in outputs.iter().enumerate() {
        writer.earlier = index;
        text.push_str(&writer.output(output));
    }
    writer.earlier = outputs.len();
    for _ in 0..1 + writer.rng.below(3) {
        text.push_str(&writer.trigger());
    }
    text
}

impl StreamWriter<'_> {
    fn output(&mut self, output: &Stream) -> String {
        let declared = match output.kind {
            Kind::Int => "Int",
            Kind::Bool => "Bool",
            Kind::Text => "String",
        };
        let body = self.body(output.arity, output.kind, true);
        format!("output {}{}: {declared}{body}\n", output.name, parameters(output.arity))
    }

    fn body(&mut self, arity: usize, kind: Kind, evals: bool) -> String {
        let mut text = String::new();
        if arity > 0 || (evals && self.rng.chance(8)) {
            text.push_str(&self.spawns(arity));
        }
        let spawned = !text.is_empty();
        self.parameters = arity;
        if evals {
            for _ in 0..1 + usize::from(self.rng.chance(15)) {
                let with = self.expression(kind, 2);
                text.push_str(&match self.rng.below(3) {
                    0 if arity == 0 => format!(" := {with}"),
                    _ => format!(" eval when {} with {with}", self.condition(arity)),
                });
            }
        }
        if spawned && self.rng.chance(60) {
            text.push_str(&format!(" close when {}", self.condition(arity)));
        }
        self.parameters = 0;
        text
    }

    /// One clause as a rule, sometimes two.
    fn spawns(&mut self, arity: usize) -> String {
        let first = self.spawn(arity);
        if self.rng.chance(25) { first + &self.spawn(arity) } else { first }
    }

    fn spawn(&mut self, arity: usize) -> String {
        self.parameters = 0;
        let values: Vec<String> = (0..arity).map(|_| self.key()).collect();
        let with = match values.len() {
            0 => String::new(),
            1 => format!(" with {}", values[0]),
            _ => format!(" with ({})", values.join(", ")),
        };
        let when = self.expression(Kind::Bool, 1);
        if arity == 0 || self.rng.chance(40) { format!(" spawn{with} when {when}") } else { format!(" spawn{with}") }
    }

    /// A condition that often names the key.
    fn condition(&mut self, arity: usize) -> String {
        let any = self.expression(Kind::Bool, 1);
        if arity == 0 || self.rng.chance(30) {
            return any;
        }
        let mut equations: Vec<String> = (0..arity).map(|index| format!("{} = p{index}", self.input_int())).collect();
        if arity > 1 && self.rng.chance(40) {
            let left_out = self.rng.below(arity);
            equations.remove(left_out);
        }
        let equation = equations.join(" and ");
        match self.rng.below(4) {
            0 => equation,
            1 => format!("({equation}) and {any}"),
            2 => format!("{any} and {equation}"),
            _ => format!(
                "({equation}) or ({} = p0{})",
                self.input_int(),
                if arity > 1 { " and a.hold(or: 1) = p1" } else { "" }
            ),
        }
    }

    fn trigger(&mut self) -> String {
        let arity = self.rng.weighted(&[55, 30, 15]);
        self.at_end = false;
        let spawn = if arity > 0 { self.spawns(arity) } else { String::new() };
        self.parameters = arity;
        self.at_end = self.rng.chance(25);
        let at_end = if self.at_end { " at end" } else { "" };
        let condition = if self.rng.chance(50) { self.condition(arity) } else { self.expression(Kind::Bool, 2) };
        let value = self.expression(Kind::Int, 1);
        self.at_end = false;
        let close = if arity > 0 && self.rng.chance(50) {
            format!(" close when {}", self.condition(arity))
        } else {
            String::new()
        };
        self.parameters = 0;
        format!("trigger {}{spawn}{at_end} eval when {condition} \"m {{{value}}}\"{close}\n", parameters(arity))
    }

    fn input_int(&mut self) -> String {
        let input = self.rng.pick(&["a", "b"]);
        match self.rng.below(3) {
            0 if !self.at_end => input.to_owned(),
            1 if !self.at_end => format!("{input}.get(or: 0)"),
            _ => format!("{input}.hold(or: 1)"),
        }
    }

    fn key(&mut self) -> String {
        if self.parameters > 0 && self.rng.chance(70) {
            return format!("p{}", self.rng.below(self.parameters));
        }
        if self.rng.chance(20) { (1 + self.rng.below(3)).to_string() } else { self.input_int() }
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 || self.rng.chance(25) {
            return self.leaf(kind);
        }
        match kind {
            Kind::Int => self.number(depth),
            Kind::Bool => self.truth(depth),
            Kind::Text => self.leaf(kind),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let (left, right) = (self.expression(Kind::Int, depth - 1), self.expression(Kind::Int, depth - 1));
        match self.rng.below(9) {
            0 | 1 => format!("({left} + {right})"),
            2 => format!("({left} - {right})"),
            3 => format!("({left} * {right})"),
            4 => format!("min({left}, {right})"),
            5 => format!("max({left}, abs({right}))"),
            6 => format!("(if {} then {left} else {right})", self.expression(Kind::Bool, depth - 1)),
            7 => self.aggregate(Kind::Int),
            _ => format!("({left} % 3)"),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let (left, right) = (self.expression(Kind::Bool, depth - 1), self.expression(Kind::Bool, depth - 1));
        let comparison = self.rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
        let (one, two) = (self.expression(Kind::Int, depth - 1), self.expression(Kind::Int, depth - 1));
        match self.rng.below(12) {
            0 => format!("({left} and {right})"),
            1 => format!("({left} or {right})"),
            2 => format!("({left} -> {right})"),
            3 => format!("({left} <-> {right})"),
            4 => format!("not {left}"),
            5 => format!("({} {comparison} \"u\")", self.leaf(Kind::Text)),
            6 => self.aggregate(Kind::Bool),
            7 if self.rng.chance(30) => format!("({one} / {two} {comparison} 1)"),
            _ => format!("({one} {comparison} {two})"),
        }
    }

    /// A stream of a kind: its name with a key, and whether only its past may be read.
    fn stream(&mut self, kind: Kind) -> Option<(String, bool)> {
        let inputs: &[&str] = match kind {
            Kind::Int => &["a", "b"],
            Kind::Bool => &["f", "g"],
            Kind::Text => &["s"],
        };
        let fitting: Vec<usize> = (0..self.outputs.len()).filter(|index| self.outputs[*index].kind == kind).collect();
        if fitting.is_empty() || self.rng.chance(45) {
            return Some((self.rng.pick(inputs).to_owned(), false));
        }
        let index = self.rng.pick(&fitting);
        let Stream { name, arity, .. } = self.outputs[index].clone();
        let key: Vec<String> = (0..arity).map(|_| self.key()).collect();
        let text = if arity == 0 { name } else { format!("{name}({})", key.join(", ")) };
        Some((text, index >= self.earlier))
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let literal = match kind {
            Kind::Int => self.rng.below(4).to_string(),
            Kind::Bool => self.rng.chance(50).to_string(),
            Kind::Text => self.rng.pick(&["\"t\"", "\"u\"", "\"v\""]).to_owned(),
        };
        if kind == Kind::Int && self.parameters > 0 && self.rng.chance(25) {
            return format!("p{}", self.rng.below(self.parameters));
        }
        let Some((stream, only_past)) = self.stream(kind).filter(|_| self.rng.chance(85)) else { return literal };
        let step = 1 + self.rng.below(3);
        match self.rng.below(9) {
            0 | 1 if !only_past && !self.at_end => stream,
            2 if !only_past && !self.at_end => format!("{stream}.get(or: {literal})"),
            3 if !only_past => format!("{stream}.hold(or: {literal})"),
            4 if !only_past && !self.at_end && kind == Kind::Bool => format!("{stream}.is_fresh()"),
            5 if self.future && !self.at_end => format!("{stream}[{step}, {literal}]"),
            6 => format!("{stream}.last(or: {literal})"),
            7 => format!("{stream}.offset(by: -{step}).defaults(to: {literal})"),
            _ => format!("{stream}[-{step}, {literal}]"),
        }
    }

    fn aggregate(&mut self, kind: Kind) -> String {
        let source = if kind == Kind::Bool { Kind::Bool } else { self.rng.pick(&[Kind::Int, Kind::Int, Kind::Bool]) };
        let decimal = kind == Kind::Int && source == Kind::Int && self.rng.chance(30);
        let using = random_aggregate(self.rng, AggregateNotation::Lola, |row| {
            let operand = match source {
                Kind::Bool => matches!(row.operand, AggregateOperand::Ignored | AggregateOperand::Truths),
                Kind::Int | Kind::Text => row.operand != AggregateOperand::Truths,
            };
            let result = match row.result {
                AggregateResult::Truth => kind == Kind::Bool,
                AggregateResult::Decimal => decimal,
                AggregateResult::Integer | AggregateResult::Operand => kind == Kind::Int && !decimal,
            };
            operand && result
        });
        let keyed: Vec<Stream> = self.outputs[..self.earlier]
            .iter()
            .filter(|stream| stream.arity > 0 && stream.kind == source)
            .cloned()
            .collect();
        let literal = if kind == Kind::Bool { "true" } else { "1" };
        if !keyed.is_empty() && self.rng.chance(50) {
            let which = if self.at_end { "all" } else { self.rng.pick(&["all", "all", "fresh"]) };
            let name = self.rng.pick(&keyed).name;
            let aggregate = format!("{name}.aggregate(over_instances: {which}, using: {using})");
            return match decimal {
                true => format!("(if {aggregate}.defaults(to: 2) > 1 then 1 else 0)"),
                false => format!("{aggregate}.defaults(to: {literal})"),
            };
        }
        let Some((stream, false)) = self.stream(source) else { return literal.to_owned() };
        let over = match self.rng.below(3) {
            0 => format!("over_discrete: {}", 1 + self.rng.below(4)),
            1 => format!("over: {}", 1 + self.rng.below(5)),
            _ => format!("over: {}ms", 1000 * (1 + self.rng.below(5))),
        };
        let aggregate = format!("{stream}.aggregate({over}, using: {using})");
        match decimal {
            true => format!("(if {aggregate}.defaults(to: 2) > 1 then 1 else 0)"),
            false if self.rng.chance(80) => format!("{aggregate}.defaults(to: {literal})"),
            false => aggregate,
        }
    }
}

fn parameters(arity: usize) -> String {
    let all: Vec<String> = (0..arity).map(|index| format!("p{index}: Int")).collect();
    if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
}

/// A trace with the fields that random programs read.
pub fn random_stream_trace(rng: &mut Rng) -> OwnedTrace {
    let timed = rng.chance(80);
    let mut time = 0;
    let mut points = Vec::new();
    for _ in 0..rng.below(14) {
        time += i64::try_from(rng.below(4)).unwrap_or(0);
        let time = timed.then_some(Number::Int(time)).filter(|_| !rng.chance(3));
        let events = (0..1 + usize::from(rng.chance(8))).map(|_| random_event(rng)).collect();
        points.push(OwnedPoint { time, events });
    }
    OwnedTrace { points }
}

fn random_event(rng: &mut Rng) -> OwnedEvent {
    let mut arguments = Vec::new();
    for (name, texts) in [
        ("a", &["0", "1", "2", "3", "2.0", "7000000000000000000"][..]),
        ("b", &["1", "2", "3"]),
        ("f", &["true", "false"]),
        ("s", &["t", "u", "7"]),
    ] {
        if rng.chance(65) {
            let text = if rng.chance(1) { "x" } else { rng.pick(texts) };
            arguments.push(OwnedArgument { name: name.into(), text: text.into(), declared: None });
        }
    }
    let positional = arguments.len();
    OwnedEvent { name: if rng.chance(25) { "other" } else { "step" }.into(), arguments, positional }
}
