//! What the oracle of streams has found so far.

use std::collections::{BTreeSet, HashMap};

use referee_spec::core::Obstacle;
use referee_spec::core::stream::Program;
use referee_trace::number::Number;
use referee_trace::owned::OwnedEvent;
use referee_trace::value::Value;

/// A template: streams first, then triggers.
pub(super) type TemplateId = usize;
/// An instance of a template at a step.
pub(super) type InstanceStep = (TemplateId, Vec<Value>, usize);

/// A step of the trace.
pub(super) struct Step<'t> {
    pub(super) point: u64,
    pub(super) time: Number,
    pub(super) event: &'t OwnedEvent,
}

pub(super) struct Oracle<'t> {
    pub(super) program: &'t Program,
    pub(super) steps: Vec<Step<'t>>,
    pub(super) values: HashMap<InstanceStep, Option<Value>>,
    pub(super) births: HashMap<InstanceStep, Option<usize>>,
    pub(super) spawns: HashMap<(TemplateId, usize), BTreeSet<Vec<Value>>>,
    pub(super) obstacle: Option<Obstacle>,
}

/// Where an expression is evaluated; steps count from 1, and one past the last is the end.
#[derive(Clone, Copy)]
pub(super) struct StreamContext<'c> {
    pub(super) step: usize,
    pub(super) key: &'c [Value],
}
