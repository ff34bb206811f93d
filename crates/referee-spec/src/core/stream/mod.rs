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
mod duration;
mod expression;
mod outline;
mod program;
mod reach;

pub use analysis::{Circle, Delays, delays};
pub use duration::Duration;
pub use expression::{Access, Expr, ExprKind, Extent, How, Instances, Operator, Reference, StreamId};
pub use outline::{Outline, StreamOutline, outline};
pub use program::{
    Clause, Eval, Input, Moment, Output, Parameter, Piece, Program, Report, ReportForm, Spawn, StreamTrigger, Template,
};
pub use reach::{Concern, InstanceReach, KeySource, reach};
