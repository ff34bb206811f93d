//! Decides what has to be computed, how late, and in which order.
//!
//! ```text
//!  trigger t with a[2, 0]          t is known two steps late:  node (t, 2)
//!    a at the step itself          node (a, 2)
//!    a two steps ahead             node (a, 0)
//! ```
//!
//! A *node* is a stream at a delay: when event i arrives, node (s, d) is at step i − d. Whoever needs a history (`hold`,
//! windows, instances) reads the node of its own delay, so histories never run ahead; an offset reads another delay, or
//! the ring of the same one. Without future offsets every stream is one node with delay 0.

use std::collections::HashMap;

use referee_spec::core::stream::{
    Access, Concern, Delays, Expr, Extent, How, InstanceReach, Instances, KeySource, Moment, Piece, Program, StreamId,
    Template, reach,
};
use referee_trace::mapping::Unit;

use super::table::{StreamTable, TableDemand};
use super::window::Length;

/// What a node computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
    /// A trigger.
    Trigger(usize),
}

impl What {
    /// How its instances live; an input has none.
    pub(super) fn template(self, program: &Program) -> Option<&Template> {
        match self {
            What::Input(_) => None,
            What::Output(index) => Some(&program.outputs[index].template),
            What::Trigger(index) => Some(&program.triggers[index].template),
        }
    }
}

/// A stream or a trigger at a delay.
#[derive(Debug, Clone)]
pub(super) struct StreamNode {
    /// What it computes.
    pub what: What,
    /// How many steps late.
    pub delay: u32,
    /// What its table must tell.
    pub demand: TableDemand,
}

/// All nodes.
#[derive(Debug)]
pub(super) struct StreamPlan {
    /// The nodes.
    pub nodes: Vec<StreamNode>,
    /// The nodes in an order in which each comes after those that it reads at the same time.
    pub order: Vec<usize>,
    /// How late the latest is.
    pub latest: u32,
    /// Whether the number of steps matters, so that none may be left out.
    pub counts_steps: bool,
    index: HashMap<(StreamId, u32), usize>,
    /// Which nodes are looked back at.
    kept: Vec<bool>,
    delays: Delays,
    unit: Unit,
}

/// Where an access finds its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamTarget {
    /// The node.
    pub node: usize,
    /// For an offset: how many steps before the node's own step.
    pub lag: u32,
}

impl StreamPlan {
    /// The plan of a program.
    pub(super) fn new(program: &Program, delays: Delays) -> StreamPlan {
        let mut plan = StreamPlan {
            nodes: Vec::new(),
            order: Vec::new(),
            latest: 0,
            counts_steps: false,
            index: HashMap::new(),
            kept: Vec::new(),
            delays,
            unit: program.unit,
        };
        for index in 0..program.outputs.len() {
            let stream = program.output_id(index);
            plan.stream_node(program, stream, plan.delays.streams[stream.index()]);
        }
        for report in &program.reports {
            let delay = plan.report_delay(report);
            for column in &report.columns {
                plan.stream_node(program, *column, delay);
            }
        }
        for index in 0..program.triggers.len() {
            plan.nodes.push(StreamNode {
                what: What::Trigger(index),
                delay: plan.delays.triggers[index],
                demand: TableDemand::default(),
            });
        }
        let mut edges = Vec::new();
        let mut done = 0;
        while done < plan.nodes.len() {
            edges.push(plan.connect(program, done));
            done += 1;
        }
        plan.kept.resize(plan.nodes.len(), false);
        plan.latest = plan.nodes.iter().map(|node| node.delay).max().unwrap_or(0);
        plan.counts_steps |= plan.latest > 0;
        plan.order = order(&edges);
        plan
    }

    /// How late a report is: as late as its latest column.
    pub(super) fn report_delay(&self, report: &referee_spec::core::stream::Report) -> u32 {
        report.columns.iter().map(|column| self.delays.streams[column.index()]).max().unwrap_or(0)
    }

    /// The node of a stream at a delay.
    pub(super) fn stream_node(&mut self, program: &Program, stream: StreamId, delay: u32) -> usize {
        *self.index.entry((stream, delay)).or_insert_with(|| {
            let what = match stream.index().checked_sub(program.inputs.len()) {
                Some(output) => What::Output(output),
                None => What::Input(stream.index()),
            };
            self.nodes.push(StreamNode { what, delay, demand: TableDemand { history: 1, ..TableDemand::default() } });
            self.nodes.len() - 1
        })
    }

    /// The node that an access of a reader with this delay reads; at the end (no delay) the one that is up to date first.
    pub(super) fn target(&self, access: &Access, delay: Option<u32>) -> StreamTarget {
        let own = self.delays.streams[access.stream.index()];
        let (delay, lag) = match (delay, &access.how) {
            (None, How::Step(offset, _)) => (own, offset.unsigned_abs()),
            (None, _) => (own, 0),
            (Some(reader), How::Step(offset, _)) if *offset > 0 => (reader - offset.unsigned_abs(), 0),
            (Some(reader), How::Step(offset, _)) => {
                let delay = reader.max(own);
                (delay, reader + offset.unsigned_abs() - delay)
            }
            (Some(reader), _) => (reader, 0),
        };
        StreamTarget { node: self.index.get(&(access.stream, delay)).copied().unwrap_or(usize::MAX), lag }
    }

    /// Makes the nodes that a node reads, notes what they must tell, and gives those it reads at the same time.
    fn connect(&mut self, program: &Program, node: usize) -> Vec<usize> {
        let StreamNode { what, delay, .. } = self.nodes[node];
        let mut same_time = Vec::new();
        let (template, at_end, message): (&Template, bool, &[Piece]) = match what {
            What::Input(_) => return same_time,
            What::Output(index) => (&program.outputs[index].template, false, &[]),
            What::Trigger(index) => {
                let trigger = &program.triggers[index];
                (&trigger.template, trigger.moment == Moment::End, &trigger.message)
            }
        };
        let late = if at_end { None } else { Some(delay) };
        let spawn = template.spawns.iter().flat_map(|spawn| spawn.with.iter().chain(&spawn.when));
        for expression in spawn {
            self.read(program, expression, Some(delay), Some(&mut same_time));
        }
        let values = message.iter().filter_map(|piece| match piece {
            Piece::Value(value) => Some(value),
            Piece::Text(_) => None,
        });
        for expression in template.evals.iter().flat_map(|eval| eval.when.iter().chain([&eval.with])).chain(values) {
            self.read(program, expression, late, (!at_end).then_some(&mut same_time));
        }
        if let Some(close) = &template.close {
            self.read(program, close, Some(delay), None);
        }
        self.nodes[node].demand.parts = parts(template, matches!(what, What::Trigger(_)));
        same_time
    }

    fn read(
        &mut self,
        program: &Program,
        expression: &Expr,
        delay: Option<u32>,
        mut same_time: Option<&mut Vec<usize>>,
    ) {
        expression.references(&mut |reference| {
            let access = reference.access;
            let needed = self.needed_delay(access, delay);
            let node = self.stream_node(program, access.stream, needed);
            let target = self.target(access, delay);
            self.kept.resize(self.nodes.len(), false);
            self.kept[node] |= !matches!(access.how, How::Now | How::Get(_) | How::Fresh);
            self.demand(node, access, target.lag);
            let is_same_time = match access.how {
                How::Own(..) => false,
                How::Step(..) => target.lag == 0,
                _ => true,
            };
            if let Some(same_time) = same_time.as_deref_mut().filter(|_| is_same_time) {
                same_time.push(node);
            }
        });
    }

    fn needed_delay(&self, access: &Access, delay: Option<u32>) -> u32 {
        let own = self.delays.streams[access.stream.index()];
        match (delay, &access.how) {
            (None, _) => own,
            (Some(reader), How::Step(offset, _)) if *offset > 0 => reader - offset.unsigned_abs(),
            (Some(reader), How::Step(..)) => reader.max(own),
            (Some(reader), _) => reader,
        }
    }

    /// Notes what an access needs of its node.
    fn demand(&mut self, node: usize, access: &Access, lag: u32) {
        let unit = self.unit;
        let demand = &mut self.nodes[node].demand;
        match &access.how {
            How::Own(count, _) => demand.history = demand.history.max(*count as usize + 1),
            How::Step(..) => {
                self.counts_steps = true;
                demand.history = demand.history.max(lag as usize + 2);
            }
            How::Window(extent, aggregate) => {
                let window = (length(extent, unit), *aggregate);
                if !demand.windows.contains(&window) {
                    demand.windows.push(window);
                }
            }
            How::Instances(Instances::All, aggregate) if !demand.bags.contains(aggregate) => {
                demand.bags.push(*aggregate);
            }
            How::Instances(Instances::Fresh, _) => demand.fresh = true,
            // Whoever names the instance of its own key concerns those that have a value.
            How::Now => demand.fresh |= !access.key.is_empty(),
            _ => {}
        }
    }

    /// An empty table for a node.
    pub(super) fn table(&self, program: &Program, node: usize) -> StreamTable {
        let StreamNode { what, demand, .. } = &self.nodes[node];
        let template = match what {
            What::Input(_) => None,
            What::Output(index) => Some(&program.outputs[*index].template),
            What::Trigger(index) => Some(&program.triggers[*index].template),
        };
        let arity = template.map_or(0, |template| template.parameters.len());
        StreamTable::new(arity, template.is_some_and(|template| !template.spawns.is_empty()), demand.clone())
    }

    /// Whether the time of every step matters, as a later step may have none of its own.
    pub(super) fn keeps_time(&self) -> bool {
        let is_timed = |(length, _): &(Length, _)| matches!(length, Length::Time(_));
        self.nodes.iter().any(|node| node.demand.windows.iter().any(is_timed))
    }

    /// Whether anybody looks back at the values of a node.
    pub(super) fn is_kept(&self, node: usize) -> bool {
        self.kept[node]
    }

    /// The place of a window in its node's table.
    pub(super) fn window(
        &self,
        node: usize,
        extent: &Extent,
        aggregate: referee_spec::core::AggregateFunction,
    ) -> usize {
        let window = (length(extent, self.unit), aggregate);
        self.nodes[node].demand.windows.iter().position(|known| *known == window).unwrap_or(0)
    }

    /// The place of a part of keys in its node's table; nothing if it is the whole key.
    pub(super) fn part(&self, node: usize, arity: usize, source: &KeySource) -> Option<usize> {
        let columns = source.columns();
        let place = || self.nodes[node].demand.parts.iter().position(|known| *known == columns);
        if source.is_whole(arity) { None } else { place() }
    }

    /// The place of an aggregate over all instances in its node's table.
    pub(super) fn bag(&self, node: usize, aggregate: referee_spec::core::AggregateFunction) -> usize {
        self.nodes[node].demand.bags.iter().position(|known| *known == aggregate).unwrap_or(0)
    }
}

/// The parts of keys by which some clause of a template finds its instances.
fn parts(template: &Template, is_trigger: bool) -> Vec<Vec<usize>> {
    let evals = template.evals.iter().map(|eval| Concern::of_eval(eval, is_trigger));
    let mut parts = Vec::new();
    for concern in evals.chain(template.close.as_ref().map(Concern::of_close)) {
        let InstanceReach::Keys(sources) = reach(template, [concern]) else { continue };
        for source in sources.iter().filter(|source| !source.is_whole(template.parameters.len())) {
            let columns = source.columns();
            if !parts.contains(&columns) {
                parts.push(columns);
            }
        }
    }
    parts
}

fn length(extent: &Extent, unit: Unit) -> Length {
    match extent {
        Extent::Time(length) => Length::Time(length.in_unit(unit)),
        Extent::Values(count) => Length::Values(*count as usize),
    }
}

/// The nodes, each after those it reads; without recursion, as programs may be long chains.
fn order(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            path.push((start, 0));
        }
        while let Some((node, tried)) = path.last_mut() {
            match edges[*node].get(*tried) {
                Some(&next) => {
                    *tried += 1;
                    if !std::mem::replace(&mut seen[next], true) {
                        path.push((next, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}
