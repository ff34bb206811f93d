//! Properties written out, for people who read a failing case.

use std::sync::Arc;

use referee_spec::core::{
    BinaryOp, Comparison, Definition, Formula, Interval, Kind, Observation, Property, Quantifier, Regex, Span, Term,
    VarId, Variable,
};
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::value::Value;

/// Writes a property in a readable notation into its `source`, and makes its spans point there.
pub fn write_source(property: &mut Property) {
    let definition_names = property.definitions.iter().map(|definition| definition.name.clone()).collect();
    let mut writer = SourceWriter { variables: &property.variables, definition_names, text: String::new() };
    for definition in &mut property.definitions {
        writer.definition(definition);
    }
    for binding in &property.bindings {
        let name = writer.name(binding.variable);
        writer.text += &format!("for all {name}: ");
    }
    writer.formula(&mut property.body);
    property.source = writer.text.into();
}

/// A case for people to read: the property's source, and the trace in one line.
pub fn describe(property: &Property, trace: &OwnedTrace) -> String {
    let points: Vec<String> = trace.points.iter().map(show_point).collect();
    format!("{}\non {}", property.source, points.join(" "))
}

/// `7@p(1);q(2)`, without the time where there is none.
fn show_point(point: &OwnedPoint) -> String {
    let event = |event: &OwnedEvent| {
        let arguments: Vec<String> =
            event.arguments.iter().map(|argument| format!("{}={}", argument.name, argument.text)).collect();
        format!("{}({})", event.name, arguments.join(","))
    };
    let events: Vec<String> = point.events.iter().map(event).collect();
    let time = point.time.as_ref().map_or(String::new(), |time| format!("{time}@"));
    format!("{time}{}", if events.is_empty() { "-".into() } else { events.join(";") })
}

struct SourceWriter<'a> {
    variables: &'a [Variable],
    definition_names: Vec<Arc<str>>,
    text: String,
}

impl SourceWriter<'_> {
    fn name(&self, variable: VarId) -> Arc<str> {
        self.variables[variable.index()].name.clone()
    }

    fn definition(&mut self, definition: &mut Definition) {
        let parameters: Vec<Arc<str>> = definition.parameters.iter().map(|&parameter| self.name(parameter)).collect();
        self.text += &format!("let {}({}) = ", definition.name, parameters.join(", "));
        self.formula(&mut definition.body);
        self.text += " in ";
    }

    fn formula(&mut self, formula: &mut Formula) {
        let start = self.text.len();
        match &mut formula.kind {
            Kind::Constant(truth) => self.text += &truth.to_string(),
            Kind::Event(atom) => {
                self.text += &atom.name;
                if let Some(arguments) = &atom.arguments {
                    self.arguments(arguments);
                }
            }
            Kind::Compare(comparison, left, right) => self.comparison(*comparison, left, right),
            Kind::Observe(observation) => self.observation(observation),
            Kind::Not(body) => self.prefixed("not ", body),
            Kind::And(all) => self.chain("true", " and ", all),
            Kind::Or(all) => self.chain("false", " or ", all),
            Kind::Implies(left, right) => self.infix(left, " -> ", right),
            Kind::Iff(left, right) => self.infix(left, " <-> ", right),
            Kind::Quantified(quantifier, variable, body) => {
                let word = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
                self.prefixed(&format!("{word} {}. ", self.name(*variable)), body);
            }
            Kind::Unary(op, interval, body) => self.prefixed(&format!("{op:?}{} ", show_interval(interval)), body),
            Kind::Binary(op, interval, left, right) => {
                let op: &BinaryOp = op;
                self.infix(left, &format!(" {op:?}{} ", show_interval(interval)), right);
            }
            Kind::Match(direction, interval, regex) => {
                self.text += &format!("Match{direction:?}{} ", show_interval(interval));
                self.regex(regex);
            }
            Kind::Aggregate(aggregation) => {
                let groups: Vec<Arc<str>> = aggregation.groups.iter().map(|&group| self.name(group)).collect();
                let (result, over) = (self.name(aggregation.result), self.name(aggregation.over));
                self.text += &format!("({result} <- {:?} {over}; {} ", aggregation.function, groups.join(", "));
                self.formula(&mut aggregation.body);
                self.text.push(')');
            }
            Kind::Call(definition, arguments) => {
                self.text += &self.definition_names[definition.index()];
                self.arguments(arguments);
            }
        }
        formula.span = Span { start, end: self.text.len() };
    }

    fn prefixed(&mut self, operator: &str, body: &mut Formula) {
        self.text += operator;
        self.formula(body);
    }

    fn infix(&mut self, left: &mut Formula, operator: &str, right: &mut Formula) {
        self.text.push('(');
        self.formula(left);
        self.text += operator;
        self.formula(right);
        self.text.push(')');
    }

    fn chain(&mut self, empty: &str, operator: &str, all: &mut [Formula]) {
        self.text.push('(');
        self.text += if all.is_empty() { empty } else { "" };
        for (index, each) in all.iter_mut().enumerate() {
            self.text += if index > 0 { operator } else { "" };
            self.formula(each);
        }
        self.text.push(')');
    }

    fn regex(&mut self, regex: &mut Regex) {
        match regex {
            Regex::Any => self.text.push('.'),
            Regex::Step(body) => self.formula(body),
            Regex::Test(body) => {
                self.formula(body);
                self.text.push('?');
            }
            Regex::Concat(left, right) => self.regexes(left, " ", right),
            Regex::Choice(left, right) => self.regexes(left, " + ", right),
            Regex::Star(body) => {
                self.text.push('(');
                self.regex(body);
                self.text += ")*";
            }
        }
    }

    fn regexes(&mut self, left: &mut Regex, operator: &str, right: &mut Regex) {
        self.text.push('(');
        self.regex(left);
        self.text += operator;
        self.regex(right);
        self.text.push(')');
    }

    fn observation(&mut self, observation: &Observation) {
        self.text.push('{');
        for (field, term) in &observation.required {
            self.text += &format!("{field}: {}; ", self.show(term));
        }
        for field in &observation.present {
            self.text += &format!("{field}; ");
        }
        if let Some(constraint) = &observation.constraint {
            self.comparison(constraint.comparison, &constraint.left, &constraint.right);
        }
        self.text.push('}');
    }

    fn comparison(&mut self, comparison: Comparison, left: &Term, right: &Term) {
        self.text += &format!("{} {comparison:?} {}", self.show(left), self.show(right));
    }

    fn arguments(&mut self, arguments: &[Term]) {
        let shown: Vec<String> = arguments.iter().map(|argument| self.show(argument)).collect();
        self.text += &format!("({})", shown.join(", "));
    }

    fn show(&self, term: &Term) -> String {
        match term {
            Term::Variable(variable) => self.name(*variable).to_string(),
            Term::Constant(Value::String(text)) => format!("{text:?}"),
            Term::Constant(value) => value.to_string(),
            Term::Field(field) => format!(".{field}"),
            Term::Any => "_".into(),
            Term::PointNumber => "tp".into(),
            Term::PointTime => "ts".into(),
            Term::Binary(operation, left, right) => format!("({} {operation:?} {})", self.show(left), self.show(right)),
            Term::Negate(body) => format!("-{}", self.show(body)),
            Term::Apply(function, body) => format!("{function:?}({})", self.show(body)),
        }
    }
}

fn show_interval(interval: &Interval) -> String {
    if interval.is_all() {
        return String::new();
    }
    let open = if interval.low_included { '[' } else { '(' };
    let close = if interval.high_included { ']' } else { ')' };
    let high = interval.high.as_ref().map_or("*".into(), |high| high.to_string());
    format!("{open}{},{high}{close}", interval.low)
}
