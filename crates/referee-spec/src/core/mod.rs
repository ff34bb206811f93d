//! What specifications become: one of six kinds of rule, whatever language they were written in.
//!
//! | kind of [`Rule`] | what it is | written in | its meaning |
//! |---|---|---|---|
//! | formula | a formula of first-order temporal logic ([`Property`]) | FO-LTL, DejaVu, MFOTL | below |
//! | quantity | numbers over windows of time, and what must hold of them | SOLOIST | [`quantity`] |
//! | machine | an automaton, a grammar or the like, for each combination of parameters | QEA, JavaMOP, LARVA, FO-LTL over points | [`machine`] |
//! | facts | rules that add and remove facts at events | guarded commands, RuleR, LogFire | [`facts`] |
//! | stream | typed equations over the steps of a trace, and triggers | Lola | [`stream`] |
//! | signal | a formula over numbers that change in time | STL | [`signal`] |
//!
//! The kinds share values, spans, windows of time ([`Interval`]) and what judging yields ([`Outcome`]). [`builder`] makes
//! formulas without a text, for tests.
//!
//! # The meaning of formulas
//!
//! A trace is a sequence of points 1..n; point i has a set of events and, where the trace carries time, a time t_i
//! (without time all t_i are 0). Under an assignment of values to variables, at point i:
//!
//! | formula | holds at i iff |
//! |---|---|
//! | `Event(e, args)` | an event of point i has this name, as many positional arguments as `args`, and each equals its term |
//! | `Event(e, None)` | an event of point i has this name, whatever its arguments |
//! | `Compare(op, a, b)` | both terms have values and those compare so |
//! | `Observe` | one event of point i has all fields mentioned, all required values, and makes the comparison true |
//! | `Prev φ` / `WeakPrev φ` | i > 1, t_i − t_{i−1} ∈ I and φ at i−1 / its dual ¬Prev ¬φ |
//! | `Next φ` / `WeakNext φ` | i < n, t_{i+1} − t_i ∈ I and φ at i+1 / its dual |
//! | `Once φ` / `Historically φ` | true Since φ / its dual |
//! | `Eventually φ` / `Always φ` | true Until φ / its dual |
//! | `φ Since ψ` / `φ Trigger ψ` | some j ≤ i, t_i − t_j ∈ I, ψ at j, φ at all k in (j, i] / its dual ¬(¬φ Since ¬ψ) |
//! | `φ StrictSince ψ` | as Since with j < i |
//! | `φ Until ψ` / `φ Release ψ` | some j ≥ i, t_j − t_i ∈ I, ψ at j, φ at all k in [i, j) / its dual |
//! | `φ WeakSince ψ` | (φ Since ψ) or Historically φ, both with I |
//! | `φ WeakUntil ψ` | (φ Until ψ) or Always φ, both with I |
//! | `Match(Future, I, R)` | some j ≥ i, t_j − t_i ∈ I, R matches (i, j) |
//! | `Match(Past, I, R)` | some j ≤ i, t_i − t_j ∈ I, R matches (j, i), steps testing where they arrive |
//! | `Call(d, args)` | the body of definition d at i, its parameters bound to the values of `args` |
//! | `Quantified` | for all / some values of the variable's [`Domain`] |
//! | `Aggregate(r, f, x, g, φ)` | r is f over the values of x in the assignments of φ's other variables that satisfy φ at i |
//!
//! An order comparison holds only between two numbers or two strings (strings by code point); equality between any two
//! values. An atom over a term that has no value (arithmetic on a string, `s2i("x")`) is false, its negation by `NotEqual`
//! too. Division by zero makes the atom *undecidable*, as does arithmetic or an order comparison on a value nobody has
//! named under [`UnseenOrder::Undecided`]: in Kleene's sense it is unknown, and stays so at the end. With
//! [`Equality::ByText`] every value is a `Value::String` holding its text, constants too, and order comparisons hold only
//! between texts that write numbers.
//!
//! An aggregation looks at the set of assignments to the variables of its body that are no groups: two with the same value
//! of x count twice. Without any assignment, `Count` and `Sum` without groups are 0; all else has no value, and the
//! aggregation is false, as it is where a value is of the wrong kind. If infinitely many assignments satisfy the body, or of
//! one it cannot be told whether it does, the aggregation is undecidable; if of one it is unknown, so is the aggregation.
//! What an aggregation yields counts as known from then on: it is tried for variables like the named values, and listed by
//! itself.
//!
//! **Decided.** After point k every subformula at every point up to k is true, false or unknown in Kleene's sense. What
//! reads a point after k is unknown, unless time alone excludes it (t_k is already past the interval). Quantifiers over
//! [`Domain::Trace`] are decided by seen values only, false (forall) or true (exists), and otherwise unknown until the
//! end. At the end of a complete trace nothing is unknown.
//!
//! **The empty trace.** A property judged once is then evaluated at no point at all: nothing happens there, so events and
//! observations are false; there is no other point either, so `Prev`, `Next`, `Once`, `Eventually`, `Since`, `Until` and
//! `Match` are false, and their duals (the weak operators, `Historically`, `Always`, `Trigger`, `Release`) true.

mod aggregate;
pub mod builder;
mod display;
pub mod facts;
mod formula;
mod language;
pub mod machine;
mod needed_times;
mod property;
pub mod quantity;
mod rule;
pub mod signal;
pub mod stream;
mod verdict;

pub use aggregate::{
    AggregateDescriptor, AggregateFunction, AggregateMaker, AggregateNotation, AggregateOperand, AggregateResult,
    NamedAggregate, OfNothing, Rank, RankPosition,
};
pub use display::Shown;
pub use formula::{
    Aggregation, Arithmetic, BinaryOp, Comparison, Constraint, DefId, Direction, EventAtom, Formula, Function,
    Interval, Kind, Observation, Quantifier, Regex, Span, Term, UnaryOp, VarId,
};
pub use language::Language;
pub use property::{
    Binding, Definition, Domain, Equality, Judgement, Position, Property, Sort, SortId, UnseenOrder, Variable,
};
pub use rule::Rule;
pub use verdict::{Obstacle, Outcome, Problem, Status, Violation, bindings_order};
