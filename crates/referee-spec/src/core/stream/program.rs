//! Programs of equations: inputs, outputs, triggers and reports.

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::value::Type;

use super::expression::{Expr, StreamId};
use crate::core::formula::Span;

/// A specification of streams.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name: the file's stem.
    pub name: Arc<str>,
    /// The text that all spans point into.
    pub source: Arc<str>,
    /// The unit of the trace's times.
    pub unit: Unit,
    /// What it reads.
    pub inputs: Vec<Input>,
    /// What it computes, in textual order.
    pub outputs: Vec<Output>,
    /// What it forbids, in textual order.
    pub triggers: Vec<StreamTrigger>,
    /// What it writes down, in textual order.
    pub reports: Vec<Report>,
}

impl Program {
    /// The text at a span.
    pub fn text(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or("")
    }

    /// The name of a stream.
    pub fn stream_name(&self, stream: StreamId) -> &Arc<str> {
        match self.output(stream) {
            Some(output) => &output.name,
            None => &self.inputs[stream.index()].name,
        }
    }

    /// The type of a stream's values.
    pub fn stream_type(&self, stream: StreamId) -> Type {
        self.output(stream).map_or_else(|| self.inputs[stream.index()].value_type, |output| output.value_type)
    }

    /// The output with this number, if it is one.
    pub fn output(&self, stream: StreamId) -> Option<&Output> {
        stream.index().checked_sub(self.inputs.len()).and_then(|index| self.outputs.get(index))
    }

    /// The number of an output.
    pub fn output_id(&self, index: usize) -> StreamId {
        StreamId::new(self.inputs.len() + index)
    }

    /// How many streams there are.
    pub fn stream_count(&self) -> usize {
        self.inputs.len() + self.outputs.len()
    }

    /// The names whose values a violation reports: the parameters of the triggers, each once.
    pub fn binding_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for parameter in self.triggers.iter().flat_map(|trigger| &trigger.template.parameters) {
            if !names.contains(&&*parameter.name) {
                names.push(&parameter.name);
            }
        }
        names
    }

    /// All templates with what each defines; triggers have no stream.
    pub fn templates(&self) -> impl Iterator<Item = (Option<StreamId>, &Template)> {
        let outputs = self.outputs.iter().enumerate();
        outputs
            .map(|(index, output)| (Some(self.output_id(index)), &output.template))
            .chain(self.triggers.iter().map(|trigger| (None, &trigger.template)))
    }
}

/// A stream that the trace provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// The type of its values.
    pub value_type: Type,
    /// Whether they are numbers that are never negative.
    pub unsigned: bool,
    /// The events it is read from; nothing for all.
    pub event: Option<Arc<str>>,
    /// The field it is read from; nothing if it is `true` whenever the event happens.
    pub field: Option<Arc<str>>,
    /// Where it is declared.
    pub span: Span,
}

/// A stream that is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: Arc<str>,
    /// The type of its values.
    pub value_type: Type,
    /// When and how it is computed.
    pub template: Template,
    /// Where its name stands.
    pub span: Span,
}

/// When instances live, and when and how they are evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// The parameters; one instance per value.
    pub parameters: Vec<Parameter>,
    /// When instances begin, each clause for itself; nothing for one that always lives.
    pub spawns: Vec<Spawn>,
    /// When and how an instance is evaluated.
    pub evals: Vec<Eval>,
    /// When an instance ends.
    pub close: Option<Expr>,
}

impl Template {
    /// Calls `visit` for each clause.
    pub fn clauses<'t>(&'t self, visit: &mut impl FnMut(Clause<'t>)) {
        for spawn in &self.spawns {
            visit(Clause { expressions: spawn.with.iter().chain(&spawn.when).collect() });
        }
        for eval in &self.evals {
            visit(Clause { expressions: eval.when.iter().chain([&eval.with]).collect() });
        }
        if let Some(close) = &self.close {
            visit(Clause { expressions: vec![close] });
        }
    }
}

/// The expressions that are evaluated together.
#[derive(Debug, Clone)]
pub struct Clause<'t> {
    /// The expressions.
    pub expressions: Vec<&'t Expr>,
}

/// A parameter of a stream or a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: Arc<str>,
    /// The type of its values.
    pub value_type: Type,
    /// Where it is declared.
    pub span: Span,
}

/// When instances begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawn {
    /// One expression per parameter.
    pub with: Vec<Expr>,
    /// The condition.
    pub when: Option<Expr>,
}

/// When an instance is evaluated, and to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Eval {
    /// The condition.
    pub when: Option<Expr>,
    /// The value.
    pub with: Expr,
}

/// Something that must not become true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamTrigger {
    /// When it is evaluated; the value of its one `eval` is what must not be.
    pub template: Template,
    /// Whether it is evaluated at each step or after the last one.
    pub moment: Moment,
    /// What it says.
    pub message: Vec<Piece>,
    /// Where it stands.
    pub span: Span,
}

/// When a trigger is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// At every step.
    Step,
    /// After the last step, for every instance that still lives.
    End,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// As it stands.
    Text(Arc<str>),
    /// The value of an expression; `?` where it has none.
    Value(Expr),
}

/// Streams that are written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The file.
    pub path: Arc<str>,
    /// How its rows are written.
    pub form: ReportForm,
    /// Its columns: streams without parameters. A step at which one of them has a value is a row.
    pub columns: Vec<StreamId>,
    /// Where it stands.
    pub span: Span,
}

/// How the rows of a report are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    /// A header, then a line per row.
    Csv,
    /// One object per line.
    Json,
}
