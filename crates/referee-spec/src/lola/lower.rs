//! From the tree to equations: names are resolved, constants computed, accesses recognised.
//!
//! Types are not looked at here; every expression gets a placeholder that [`super::types`] replaces.

mod access;
mod constant;
mod lowering;

use std::collections::HashMap;

use referee_trace::mapping::Unit;
use referee_trace::value::{Type, Value};

use self::lowering::{Entity, Lowering, constant, unknown, untyped};
use super::syntax::{Body, Document, Expr, ItemKind, Kind, Name, OutputItem, Piece, ReportItem, TriggerItem};
use crate::core::Span;
use crate::core::stream::{
    self, Access, Eval, ExprKind, How, Input, Moment, Operator, Output, Parameter, Program, Report, ReportForm, Spawn,
    StreamId, StreamTrigger, Template,
};
use crate::diagnostic::Diagnostic;
use crate::lint::nearest;
use crate::source::Source;

/// The functions of the language.
const FUNCTIONS: [&str; 4] = ["min", "max", "abs", "ite"];

/// What lowering gives: a program without types, and the declared types of its outputs.
pub(super) struct Lowered {
    /// The program; expressions have placeholder types.
    pub program: Program,
    /// The types that outputs declare.
    pub declared: Vec<Option<(Type, Span)>>,
}

/// Lowers a file, adding what is wrong to `diagnostics`.
pub(super) fn lower(document: &Document, source: &Source, unit: Unit, diagnostics: &mut Vec<Diagnostic>) -> Lowered {
    let (names, reports) = (HashMap::new(), Vec::new());
    let mut lowering = Lowering { names, parameters: Vec::new(), reports, at_end: false, diagnostics };
    let mut program = Program {
        name: source.stem.as_str().into(),
        source: source.text.clone(),
        unit,
        inputs: Vec::new(),
        outputs: Vec::new(),
        triggers: Vec::new(),
        reports: Vec::new(),
    };
    lowering.inputs(document, &mut program);
    let outputs: Vec<&OutputItem> = document.items.iter().filter_map(output_of).collect();
    for (index, output) in outputs.iter().enumerate() {
        let stream = StreamId::new(program.inputs.len() + index);
        lowering.declare(&output.name, Entity::Stream(stream, output.body.parameters.len()));
    }
    lowering.constants(document);
    let mut declared = Vec::new();
    for output in outputs {
        declared.push(output.type_name.as_ref().map(|name| (lowering.value_type(name), name.span)));
        let template = lowering.template(&output.body, output.name.span, false);
        let Name { text, span } = output.name.clone();
        program.outputs.push(Output { name: text, value_type: Type::Boolean, template, span });
    }
    for item in &document.items {
        match &item.kind {
            ItemKind::Trigger(trigger) => program.triggers.push(lowering.trigger(trigger, item.span, &source.text)),
            ItemKind::Report(report) => program.reports.extend(lowering.report(report, item.span)),
            _ => {}
        }
    }
    Lowered { program, declared }
}

fn output_of(item: &super::syntax::Item) -> Option<&OutputItem> {
    match &item.kind {
        ItemKind::Output(output) => Some(output),
        _ => None,
    }
}

impl Lowering<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message).hint(hint));
    }

    fn declare(&mut self, name: &Name, entity: Entity) {
        if name.text.is_empty() {
            return;
        }
        if let Some((_, earlier)) = self.names.get(&name.text) {
            let message = format!("`{}` is declared twice", name.text);
            let error = Diagnostic::error("E0903", name.span, message).hint("choose another name");
            self.diagnostics.push(error.related(*earlier, "declared here"));
            return;
        }
        self.names.insert(name.text.clone(), (entity, name.span));
    }

    fn inputs(&mut self, document: &Document, program: &mut Program) {
        for item in &document.items {
            let ItemKind::Input(inputs) = &item.kind else { continue };
            for input in inputs {
                let value_type = match (&input.type_name, &input.from) {
                    (Some(name), _) => self.value_type(name),
                    (None, Some((_, None))) => Type::Boolean,
                    (None, _) => {
                        let message = format!("the input `{}` has no type", input.name.text);
                        self.error("E0904", input.name.span, message, "write `input x: Int`, Float, Bool or String");
                        Type::Boolean
                    }
                };
                let (event, field) = match &input.from {
                    None => (None, Some(input.name.text.clone())),
                    Some((event, field)) => (Some(event.text.clone()), field.as_ref().map(|field| field.text.clone())),
                };
                if field.is_none() && value_type != Type::Boolean {
                    let message = format!("`{}` is true when its event happens, so it is a Bool", input.name.text);
                    self.error("E0904", input.name.span, message, "name a field: `from event.field`");
                }
                self.declare(&input.name, Entity::Stream(StreamId::new(program.inputs.len()), 0));
                let Name { text, span } = input.name.clone();
                let unsigned = input.type_name.as_ref().is_some_and(is_unsigned);
                program.inputs.push(Input { name: text, value_type, unsigned, event, field, span });
            }
        }
    }

    fn value_type(&mut self, name: &Name) -> Type {
        let lower = name.text.to_lowercase();
        let base = lower.trim_end_matches(|digit: char| digit.is_ascii_digit());
        match base {
            "int" | "uint" | "integer" => Type::Integer,
            "float" | "double" | "decimal" | "real" | "number" | "fixed" | "ufixed" => Type::Decimal,
            "bool" | "boolean" => Type::Boolean,
            "string" | "text" => Type::String,
            _ => {
                let message = format!("there is no type `{}`", name.text);
                if !name.text.is_empty() {
                    self.error("E0904", name.span, message, "write Int, Float, Bool or String");
                }
                Type::Boolean
            }
        }
    }

    fn template(&mut self, body: &Body, place: Span, at_end: bool) -> Template {
        self.parameters = Vec::new();
        for (name, type_name) in &body.parameters {
            let value_type = self.value_type(type_name);
            self.parameters.push(Parameter { name: name.text.clone(), value_type, span: name.span });
        }
        let parameters = self.parameters.clone();
        let spawns: Vec<Spawn> = body.spawns.iter().map(|spawn| self.spawn(spawn, &parameters)).collect();
        if spawns.is_empty() && !parameters.is_empty() {
            let hint = "say for which values instances begin: `spawn with x`";
            self.error("E0905", place, "a stream with parameters needs a `spawn` clause", hint);
        }
        // Of a trigger at the end only the condition is evaluated there; its instances begin and end with the steps.
        self.at_end = at_end;
        let evals = body.evals.iter().map(|eval| Eval {
            when: eval.when.as_ref().map(|when| self.expression(when)),
            with: match &eval.with {
                Some(with) => self.expression(with),
                None => constant(Value::Boolean(true), eval.span),
            },
        });
        let evals = evals.collect();
        self.at_end = false;
        let close = body.close.as_ref().map(|close| self.expression(close));
        Template { parameters, spawns, evals, close }
    }

    fn spawn(&mut self, spawn: &super::syntax::SpawnClause, parameters: &[Parameter]) -> Spawn {
        // Instances do not exist yet, so their parameters have no values here.
        let own = std::mem::take(&mut self.parameters);
        let with: Vec<stream::Expr> = spawn.with.iter().map(|with| self.expression(with)).collect();
        let when = spawn.when.as_ref().map(|when| self.expression(when));
        self.parameters = own;
        if with.len() != parameters.len() {
            let message = format!("{} for {}", count(with.len(), "value"), count(parameters.len(), "parameter"));
            self.error("E0905", spawn.span, message, "give one value per parameter: `spawn with (a, b)`");
        }
        Spawn { with, when }
    }

    fn trigger(&mut self, trigger: &TriggerItem, span: Span, text: &str) -> StreamTrigger {
        let at_end = trigger.at_end;
        let template = self.template(&trigger.body, span, at_end);
        self.at_end = at_end;
        let message = match &trigger.message {
            Some(message) => message.pieces.iter().map(|piece| self.piece(piece)).collect(),
            None => {
                let place = trigger.body.evals.first().map_or(span, |eval| eval.span);
                vec![stream::Piece::Text(text.get(place.start..place.end).unwrap_or("").into())]
            }
        };
        self.at_end = false;
        let moment = if at_end { Moment::End } else { Moment::Step };
        StreamTrigger { template, moment, message, span }
    }

    fn piece(&mut self, piece: &Piece) -> stream::Piece {
        match piece {
            Piece::Text(text) => stream::Piece::Text(text.as_str().into()),
            Piece::Value(value) => stream::Piece::Value(self.expression(value)),
        }
    }

    fn report(&mut self, report: &ReportItem, span: Span) -> Option<Report> {
        let mut columns = Vec::new();
        for name in &report.columns {
            match self.lookup(name) {
                Some(Entity::Stream(stream, 0)) => columns.push(stream),
                Some(_) => {
                    let message = format!("`{}` is no stream without parameters", name.text);
                    self.error("E0906", name.span, message, "a report has one column per stream without parameters");
                }
                None => {}
            }
        }
        let path = &report.path.text;
        let form = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("csv") => ReportForm::Csv,
            Some("json" | "jsonl") => ReportForm::Json,
            _ => {
                let hint = "end its name in `.csv` or `.json`";
                self.error("E0906", report.path.span, "this file is neither CSV nor JSON", hint);
                return None;
            }
        };
        if path.starts_with(['/', '\\', '~']) || path.contains(':') || path.split(['/', '\\']).any(|part| part == "..")
        {
            let hint = "name it without `/` in front and without `..`";
            self.error("E0906", report.path.span, "a report is written below the current folder", hint);
            return None;
        }
        let name: String =
            path.split(['/', '\\']).filter(|part| !["", "."].contains(part)).collect::<Vec<_>>().join("/");
        if let Some((_, earlier)) = self.reports.iter().find(|(known, _)| *known == name) {
            let error = Diagnostic::error("E0906", report.path.span, "another report goes to this file");
            let error = error.hint("give each report a file of its own, or one report all columns");
            self.diagnostics.push(error.related(*earlier, "the other one"));
            return None;
        }
        self.reports.push((name, report.path.span));
        Some(Report { path: path.clone(), form, columns, span })
    }

    /// What a name stands for; says so if it stands for nothing.
    fn lookup(&mut self, name: &Name) -> Option<Entity> {
        if name.text.is_empty() {
            return None;
        }
        if let Some((entity, _)) = self.names.get(&name.text) {
            return Some(entity.clone());
        }
        let message = format!("`{}` is no stream, constant or parameter", name.text);
        let known = self.names.keys().map(|known| &**known);
        let parameters = self.parameters.iter().map(|parameter| &*parameter.name);
        let hint = match nearest(&name.text, known.chain(parameters)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it: `input {}: Int` reads the field of that name", name.text),
        };
        self.error("E0907", name.span, message, hint);
        None
    }

    fn expression(&mut self, expression: &Expr) -> stream::Expr {
        let span = expression.span;
        let kind = match &expression.kind {
            Kind::Number(number) => ExprKind::Constant(Value::Number(number.clone())),
            Kind::Text(text) => ExprKind::Constant(Value::String(text.clone())),
            Kind::Truth(truth) => ExprKind::Constant(Value::Boolean(*truth)),
            Kind::Unreadable => return unknown(span),
            Kind::Duration(..) => {
                let hint = "lengths of time stand in windows only: `over: 10s`";
                self.error("E0908", span, "a length of time is no value", hint);
                return unknown(span);
            }
            Kind::Name(name) => return self.name(name, span),
            Kind::Call(name, arguments) => return self.call(name, arguments, span),
            Kind::Method(receiver, method, arguments) => return self.method(receiver, method, arguments, span),
            Kind::Offset(receiver, offset, default) => return self.step_offset(receiver, offset, default, span),
            Kind::Not(body) => ExprKind::Not(Box::new(self.expression(body))),
            Kind::Negate(body) => match &body.kind {
                Kind::Number(number) => ExprKind::Constant(Value::Number(number.neg())),
                _ => ExprKind::Negate(Box::new(self.expression(body))),
            },
            Kind::Binary(operator, left, right) => {
                ExprKind::Binary(*operator, Box::new(self.expression(left)), Box::new(self.expression(right)))
            }
            Kind::If(condition, then, other) => ExprKind::If(
                Box::new(self.expression(condition)),
                Box::new(self.expression(then)),
                Box::new(self.expression(other)),
            ),
        };
        untyped(kind, span)
    }

    fn name(&mut self, name: &Name, span: Span) -> stream::Expr {
        if let Some(index) = self.parameters.iter().position(|parameter| parameter.name == name.text) {
            return untyped(ExprKind::Parameter(index), span);
        }
        match self.lookup(name) {
            Some(Entity::Constant(value)) => constant(value, span),
            Some(Entity::Stream(stream, arity)) => {
                self.check_arity(name, 0, arity, span);
                self.direct(span);
                untyped(ExprKind::Access(Access { stream, key: Vec::new(), how: How::Now }), span)
            }
            None => unknown(span),
        }
    }

    fn call(&mut self, name: &Name, arguments: &[Expr], span: Span) -> stream::Expr {
        let is_function = FUNCTIONS.contains(&&*name.text) && !self.names.contains_key(&name.text);
        if is_function {
            return self.function(name, arguments, span);
        }
        let Some((stream, key)) = self.keyed(name, arguments, span) else { return unknown(span) };
        self.direct(span);
        untyped(ExprKind::Access(Access { stream, key, how: How::Now }), span)
    }

    fn keyed(&mut self, name: &Name, key: &[Expr], span: Span) -> Option<(StreamId, Vec<stream::Expr>)> {
        match self.lookup(name)? {
            Entity::Stream(stream, arity) => {
                self.check_arity(name, key.len(), arity, span);
                Some((stream, key.iter().map(|part| self.expression(part)).collect()))
            }
            Entity::Constant(_) => {
                self.error("E0909", span, format!("`{}` takes no arguments", name.text), "write the name alone");
                None
            }
        }
    }

    fn check_arity(&mut self, name: &Name, found: usize, arity: usize, span: Span) {
        if found != arity {
            let message = format!(
                "`{}` has {}, found {}",
                name.text,
                count(arity, "parameter"),
                if found == 0 { "none".to_owned() } else { found.to_string() }
            );
            let hint = match arity {
                0 => "write the name alone".to_owned(),
                _ => format!("say which instance: `{}({})`", name.text, vec!["key"; arity].join(", ")),
            };
            self.error("E0909", span, message, hint);
        }
    }

    fn function(&mut self, name: &Name, arguments: &[Expr], span: Span) -> stream::Expr {
        let mut lowered: Vec<Box<stream::Expr>> =
            arguments.iter().map(|argument| Box::new(self.expression(argument))).collect();
        let kind = match (&*name.text, lowered.len()) {
            ("abs", 1) => lowered.pop().map(ExprKind::Absolute),
            ("ite", 3) => match <[_; 3]>::try_from(lowered) {
                Ok([condition, then, other]) => Some(ExprKind::If(condition, then, other)),
                Err(_) => None,
            },
            ("min" | "max", 2..) => {
                let operator = if &*name.text == "min" { Operator::Minimum } else { Operator::Maximum };
                let joined = lowered.into_iter().map(|part| *part);
                let joined = joined
                    .reduce(|left, right| untyped(ExprKind::Binary(operator, Box::new(left), Box::new(right)), span));
                return joined.unwrap_or_else(|| unknown(span));
            }
            _ => None,
        };
        match kind {
            Some(kind) => untyped(kind, span),
            None => {
                let message = format!("`{}` cannot take {}", name.text, count(arguments.len(), "argument"));
                self.error("E0909", span, message, "write `abs(a)`, `min(a, b)`, `max(a, b)` or `ite(c, a, b)`");
                unknown(span)
            }
        }
    }

    /// A stream is named directly: not possible after the last step.
    fn direct(&mut self, span: Span) {
        if self.at_end {
            let hint = "read what it last was: `s.hold(or: …)`";
            self.error("E0911", span, "at the end no stream has a value", hint);
        }
    }
}

/// Whether a type has no negative numbers.
fn is_unsigned(name: &Name) -> bool {
    let lower = name.text.to_lowercase();
    ["uint", "ufixed"].contains(&lower.trim_end_matches(|digit: char| digit.is_ascii_digit()))
}

/// "no value", "1 value", "2 values"
fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
