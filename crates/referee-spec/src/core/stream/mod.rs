//! The core of stream languages: typed equations over the steps of a trace.
//!
//! # Meaning
//!
//! Every event is one step; steps are numbered 1..n. A step without time has the time of the step before, the first one 0.
//!
//! ```text
//!  step        1      2      3      4
//!  input x     5      ·      7      8          · is absent: the event does not carry the field
//!  input y     1      2      ·      4
//!  x + y       6      ·      ·     12          evaluated where all streams that are named directly have a value
//!  x.hold      5      5      7      8
//! ```
//!
//! A *template* is what a stream and a trigger have in common: parameters, when instances begin, when and how they are
//! evaluated, and when they end. Within a step come inputs, spawns, evaluations, triggers, and at last closings; what
//! reads something of the same step comes after it.
//!
//! **A clause** (`spawn`, `eval`, `close`) is considered at the steps at which every stream that it names directly
//! ([`How::Now`]) has a value. Its condition is then evaluated, and if that is true or missing, its value. A stream takes
//! the first of its `eval` clauses that gives a value.
//!
//! | access | its value at step i |
//! |---|---|
//! | `Now` | that of step i |
//! | `Get(d)` | that of step i, else d |
//! | `Fresh` | whether there is one at step i |
//! | `Hold(d)` | the last own value up to step i, else d |
//! | `Own(n, d)` | the n-th last own value before step i, else d |
//! | `Step(o, d)` | that of step i + o, else d |
//! | `Window` | the aggregate of own values with time in (now − D, now], or of the last n |
//! | `Instances` | the aggregate of the last own values of all instances, or of the values of step i |
//!
//! Where the stream has parameters all of that is said of the instance with this key that lives at step i (for a positive
//! offset: at step i + o); where none does, or the key has no value, the default is taken and windows are empty. An instance begins at a spawn for a
//! key that has none, without any history (each of several `spawn` clauses may begin one), and ends after a step at which its `close` is true.
//!
//! Of nothing, `count` and `sum` are 0, `forall` is true and `exists` false; `avg`, `min`, `max` and `median` are absent, as
//! is whatever needs them. `and`, `or`, implications and `if` look at their right sides only where those matter. Division
//! by zero, and an input whose value is not of its type, are obstacles: the value is absent and the judge gives up unless
//! there is a violation.
//!
//! A trigger that is true is a violation of its point. One `at end` is evaluated after the last step, on what is left then.

mod analysis;
mod expression;
mod outline;
mod reach;

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::value::Type;

pub use analysis::{Circle, Delays, delays};
pub use expression::{Access, Aggregate, Expr, ExprKind, Extent, How, Instances, Operator, Reference};
pub use outline::{Outline, StreamOutline, outline};
pub use reach::{Concern, KeySource, Reach, reach};

use super::Span;

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
    pub triggers: Vec<Trigger>,
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

/// A stream of a program: inputs come first, then outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(u32);

impl StreamId {
    /// The stream with this number.
    pub fn new(index: usize) -> StreamId {
        StreamId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
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
pub struct Trigger {
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

/// A length of time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Duration {
    /// How many units.
    pub amount: Number,
    /// Of which length; nothing for the trace's own unit.
    pub unit: Option<Unit>,
}

impl Duration {
    /// The length in a trace's unit.
    pub fn in_unit(&self, trace: Unit) -> Number {
        let Some(unit) = self.unit else { return self.amount.clone() };
        let nanoseconds = self.amount.mul(&Number::Int(unit.nanoseconds()));
        nanoseconds.div(&Number::Int(trace.nanoseconds())).unwrap_or(Number::ZERO)
    }
}

impl std::fmt::Display for Duration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.amount, self.unit.map_or("", Unit::sign))
    }
}
