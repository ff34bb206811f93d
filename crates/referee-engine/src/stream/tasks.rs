//! Lists the tasks that an event of one shape starts.

use std::sync::Arc;

use referee_spec::core::stream::{
    self, Concern, Eval, Expr, KeySource, Moment, Operator, Piece, Program, StreamId, StreamTrigger, Template,
};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::value::Type;
use referee_trace::values::{Atom, Values};

use super::code::{Specialiser, StreamCode};
use super::datum::StreamDatum;
use super::plan::{StreamPlan, What};
use super::possible::is_possible;

/// The tasks of one shape, in order.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// Evaluations.
    pub list: Vec<StreamTask>,
    /// What is closed after all evaluations.
    pub closings: Vec<Closing>,
}

/// Something to do.
#[derive(Debug)]
pub(super) struct StreamTask {
    /// The node that it concerns; none for a report.
    pub node: usize,
    /// How late.
    pub delay: u32,
    /// What.
    pub work: StreamWork,
}

/// What is to be done.
#[derive(Debug)]
pub(super) enum StreamWork {
    /// Keep an input's value.
    Record(StreamCode),
    /// Begin instances, and evaluate those that may be concerned.
    Live {
        /// When some begin.
        spawns: Vec<SpawnTask>,
        /// Which instances may be concerned, and the clauses for them, in order.
        reach: TaskReach<Vec<EvalTask>>,
        /// What happens where a trigger is true.
        fires: Option<TriggerFiring>,
    },
    /// Write a row of a report.
    Report {
        /// Which.
        report: usize,
        /// Its columns.
        columns: Vec<StreamCode>,
    },
}

/// When an instance begins.
#[derive(Debug)]
pub(super) struct SpawnTask {
    /// What must have a value.
    pub guards: Vec<StreamCode>,
    /// The condition.
    pub when: Option<StreamCode>,
    /// The key.
    pub with: Vec<StreamCode>,
}

/// A clause.
#[derive(Debug)]
pub(super) struct EvalTask {
    /// What must have a value.
    pub guards: Vec<StreamCode>,
    /// The condition.
    pub when: Option<StreamCode>,
    /// The value.
    pub with: StreamCode,
}

impl EvalTask {
    /// The same for the last clause of a trigger, which matters where it is true only: the left side of its `and` becomes a condition.
    fn split(self) -> EvalTask {
        match (self.when, self.with) {
            (None, StreamCode::Lazy(Operator::And, left, right)) => {
                EvalTask { guards: self.guards, when: Some(*left), with: *right }
            }
            (when, with) => EvalTask { guards: self.guards, when, with },
        }
    }
}

/// When instances end.
#[derive(Debug)]
pub(super) struct Closing {
    /// The node.
    pub node: usize,
    /// Which instances may be concerned, and what ends them.
    pub reach: TaskReach<CloseTask>,
}

/// What ends an instance.
#[derive(Debug)]
pub(super) struct CloseTask {
    /// What must have a value.
    pub guards: Vec<StreamCode>,
    /// The condition.
    pub when: StreamCode,
}

/// Which instances may be concerned, and what is to be done with them.
#[derive(Debug)]
pub(super) enum TaskReach<T> {
    /// The one that always lives.
    Only(T),
    /// Those with these keys. What is to be done is the same for all, but made ready for each key.
    Keys(Vec<Aim<T>>),
    /// All that live.
    All(T),
    /// None.
    None,
}

/// Instances that have a key, and what is to be done with them.
#[derive(Debug)]
pub(super) struct Aim<T> {
    /// Which.
    pub source: KeyOrigin,
    /// What.
    pub work: T,
}

/// Where keys come from.
#[derive(Debug)]
pub(super) enum KeyOrigin {
    /// A key of one part that is always the same.
    Constant(Atom),
    /// One code per parameter.
    Key(Vec<StreamCode>),
    /// The same, and it is what an instance has just been begun with, if one has: the only one of the step.
    Spawned(Vec<StreamCode>),
    /// Codes for a part of the key, and which part that is.
    Part(usize, Vec<StreamCode>),
    /// The instances of another node with a value at the step, whose keys are whole keys, or this part of them.
    Fresh(usize, Option<usize>),
}

/// What a trigger says.
#[derive(Debug)]
pub(super) struct TriggerFiring {
    /// Which trigger.
    pub trigger: usize,
    /// Its message.
    pub message: Vec<MessagePiece>,
}

/// A part of a message.
#[derive(Debug)]
pub(super) enum MessagePiece {
    /// As it stands.
    Text(Arc<str>),
    /// A value.
    Value(StreamCode),
}

impl Tasks {
    /// What is left to do on events of a shape; adds the arguments that are read to `used`.
    pub(super) fn of_shape(
        program: &Program,
        plan: &StreamPlan,
        shape: &EventShape,
        values: &mut Values,
        used: &mut Vec<usize>,
        reports: bool,
    ) -> Tasks {
        let mut maker = Maker { program, plan, shape: Some(shape), values, used };
        let mut tasks = Tasks::default();
        for &node in &plan.order {
            tasks.list.extend(maker.task(node));
            tasks.closings.extend(maker.closing(node));
        }
        for (index, report) in program.reports.iter().enumerate().filter(|_| reports) {
            let delay = plan.report_delay(report);
            let mut specialiser = maker.specialiser(usize::MAX, Some(delay), &[], &[]);
            let columns: Vec<StreamCode> =
                report.columns.iter().map(|column| specialiser.code(&column_of(*column))).collect();
            if columns.iter().any(|column| !matches!(column, StreamCode::Constant(StreamDatum::Absent))) {
                tasks.list.push(StreamTask {
                    node: usize::MAX,
                    delay,
                    work: StreamWork::Report { report: index, columns },
                });
            }
        }
        tasks
    }

    /// Whether a trigger may fire.
    pub(super) fn may_fire(&self) -> bool {
        self.list.iter().any(|task| matches!(task.work, StreamWork::Live { fires: Some(_), .. }))
    }

    /// What is to be done after the last step.
    pub(super) fn at_end(program: &Program, plan: &StreamPlan, values: &mut Values) -> Tasks {
        let mut used = Vec::new();
        let mut maker = Maker { program, plan, shape: None, values, used: &mut used };
        let mut tasks = Tasks::default();
        for &node in &plan.order {
            let What::Trigger(index) = plan.nodes[node].what else { continue };
            let trigger = &program.triggers[index];
            if trigger.moment == Moment::End {
                let template = &trigger.template;
                let evals = maker.evals(node, template, None, &[]);
                let fires = Some(maker.firing(node, index, None));
                let reach = if template.spawns.is_empty() { TaskReach::Only(evals) } else { TaskReach::All(evals) };
                let delay = plan.nodes[node].delay;
                tasks.list.push(StreamTask {
                    node,
                    delay,
                    work: StreamWork::Live { spawns: Vec::new(), reach, fires },
                });
            }
        }
        tasks
    }
}

/// A column of a report as an expression.
fn column_of(stream: StreamId) -> Expr {
    let access = stream::Access { stream, key: Vec::new(), how: stream::How::Now };
    Expr { kind: stream::ExprKind::Access(access), value_type: Type::Boolean, span: Default::default() }
}

struct Maker<'m> {
    program: &'m Program,
    plan: &'m StreamPlan,
    shape: Option<&'m EventShape>,
    values: &'m mut Values,
    used: &'m mut Vec<usize>,
}

impl Maker<'_> {
    fn specialiser<'s>(
        &'s mut self,
        node: usize,
        delay: Option<u32>,
        template: &[stream::Parameter],
        known: &'s [StreamCode],
    ) -> Specialiser<'s> {
        Specialiser {
            program: self.program,
            plan: self.plan,
            shape: self.shape,
            node,
            delay,
            parameters: template.iter().map(|parameter| parameter.value_type).collect(),
            known,
            used: self.used,
            values: self.values,
        }
    }

    fn task(&mut self, node: usize) -> Option<StreamTask> {
        let (program, delay) = (self.program, self.plan.nodes[node].delay);
        let work = match self.plan.nodes[node].what {
            What::Input(input) => self.record(node, input),
            What::Output(index) => self.live(node, &program.outputs[index].template, None),
            What::Trigger(index) => self.live(node, &program.triggers[index].template, Some(&program.triggers[index])),
        };
        work.map(|work| StreamTask { node, delay, work })
    }

    /// Keeps an input's value, if anybody looks back at it.
    fn record(&mut self, node: usize, input: usize) -> Option<StreamWork> {
        let delay = self.plan.nodes[node].delay;
        self.plan
            .is_kept(node)
            .then(|| self.specialiser(node, Some(delay), &[], &[]).input(input))
            .flatten()
            .map(StreamWork::Record)
    }

    fn live(&mut self, node: usize, template: &Template, trigger: Option<&StreamTrigger>) -> Option<StreamWork> {
        let delay = self.plan.nodes[node].delay;
        let spawns: Vec<SpawnTask> = template.spawns.iter().filter_map(|spawn| self.spawn(node, spawn)).collect();
        let at_end = trigger.is_some_and(|trigger| trigger.moment == Moment::End);
        let reach = match at_end {
            true => TaskReach::None,
            false => self.reach_of_evals(node, template, &spawns),
        };
        if spawns.is_empty() && matches!(reach, TaskReach::None) {
            return None;
        }
        let index = match self.plan.nodes[node].what {
            What::Trigger(index) => Some(index),
            _ => None,
        };
        let fires = index.map(|index| match at_end {
            true => TriggerFiring { trigger: index, message: Vec::new() },
            false => self.firing(node, index, Some(delay)),
        });
        Some(StreamWork::Live { spawns, reach, fires })
    }

    /// The instances that are evaluated on such events, and how.
    fn reach_of_evals(&mut self, node: usize, template: &Template, spawns: &[SpawnTask]) -> TaskReach<Vec<EvalTask>> {
        let delay = Some(self.plan.nodes[node].delay);
        let evals = self.evals(node, template, delay, &[]);
        if evals.is_empty() {
            return TaskReach::None;
        }
        if template.spawns.is_empty() {
            return TaskReach::Only(evals);
        }
        let concerns = self.considered(node, template);
        let Some(sources) = self.sources(node, template, &concerns, spawns) else { return TaskReach::All(evals) };
        let mut aims = Vec::new();
        for source in sources {
            let work = self.evals(node, template, delay, source.parts());
            if !work.is_empty() {
                aims.push(Aim { source: source.simplified(self.values), work });
            }
        }
        if aims.is_empty() { TaskReach::None } else { TaskReach::Keys(aims) }
    }

    /// The clauses that can be considered, for the instances they concern.
    fn considered<'t>(&mut self, node: usize, template: &'t Template) -> Vec<Concern<'t>> {
        let is_trigger = matches!(self.plan.nodes[node].what, What::Trigger(_));
        let kept = template.evals.iter().filter(|eval| self.eval(node, template, eval, None, &[]).is_some());
        kept.map(|eval| Concern::of_eval(eval, is_trigger)).collect()
    }

    fn spawn(&mut self, node: usize, spawn: &stream::Spawn) -> Option<SpawnTask> {
        let delay = self.plan.nodes[node].delay;
        let mut specialiser = self.specialiser(node, Some(delay), &[], &[]);
        let expressions: Vec<&Expr> = spawn.with.iter().chain(&spawn.when).collect();
        let guards = specialiser.guards(&expressions)?;
        let when = match spawn.when.as_ref().map(|when| specialiser.code(when)) {
            Some(StreamCode::Constant(datum)) if !datum.is_true() => return None,
            Some(StreamCode::Constant(_)) | None => None,
            when => when,
        };
        let with = spawn.with.iter().map(|with| specialiser.code(with)).collect();
        Some(SpawnTask { guards, when, with })
    }

    fn evals(&mut self, node: usize, template: &Template, delay: Option<u32>, known: &[StreamCode]) -> Vec<EvalTask> {
        let late = delay.map(|_| self.plan.nodes[node].delay);
        let is_trigger = matches!(self.plan.nodes[node].what, What::Trigger(_));
        let mut evals = Vec::new();
        for eval in &template.evals {
            let Some(task) = self.eval(node, template, eval, Some(late), known) else { continue };
            // A trigger that is false on all such events has nothing to say.
            let silent = is_trigger && matches!(&task.with, StreamCode::Constant(datum) if !datum.is_true());
            if !silent {
                evals.push(task);
            }
        }
        if let Some(last) = evals.pop_if(|_| is_trigger) {
            evals.push(last.split());
        }
        evals
    }

    /// A clause, unless it cannot be considered; `late` is the delay of its reader, by default the node's own.
    fn eval(
        &mut self,
        node: usize,
        template: &Template,
        eval: &Eval,
        late: Option<Option<u32>>,
        known: &[StreamCode],
    ) -> Option<EvalTask> {
        let delay = late.unwrap_or(Some(self.plan.nodes[node].delay));
        let mut specialiser = self.specialiser(node, delay, &template.parameters, known);
        let expressions: Vec<&Expr> = eval.when.iter().chain([&eval.with]).collect();
        let guards = specialiser.guards(&expressions)?;
        let when = match eval.when.as_ref().map(|when| specialiser.code(when)) {
            Some(StreamCode::Constant(datum)) if !datum.is_true() => return None,
            Some(StreamCode::Constant(_)) | None => None,
            when => when,
        };
        Some(EvalTask { guards, when, with: specialiser.code(&eval.with) })
    }

    /// Where the keys of the instances come from that clauses concern; nothing if they may concern all.
    fn sources(
        &mut self,
        node: usize,
        template: &Template,
        concerns: &[Concern<'_>],
        spawns: &[SpawnTask],
    ) -> Option<Vec<KeyOrigin>> {
        let stream::InstanceReach::Keys(sources) = stream::reach(template, concerns.iter().copied()) else {
            return None;
        };
        let delay = self.plan.nodes[node].delay;
        let mut keys = Vec::new();
        for source in sources {
            let part = self.plan.part(node, template.parameters.len(), &source);
            match source {
                KeySource::Values(key) => {
                    let mut specialiser = self.specialiser(node, Some(delay), &[], &[]);
                    let codes = key.iter().map(|part| part.as_ref().map(|part| specialiser.code(part)));
                    let codes: Vec<Option<StreamCode>> = codes.collect();
                    let hopeless = |(index, code): (usize, &Option<StreamCode>)| {
                        code.as_ref().is_some_and(|code| is_hopeless(template, index, code))
                    };
                    if codes.iter().enumerate().any(hopeless) {
                        continue;
                    }
                    let codes: Vec<StreamCode> = codes.into_iter().flatten().collect();
                    keys.push(match (part, spawns) {
                        (Some(part), _) => KeyOrigin::Part(part, codes),
                        (None, [spawn]) if is_spawned_key(&spawn.with, &codes) => KeyOrigin::Spawned(codes),
                        (None, _) => KeyOrigin::Key(codes),
                    });
                }
                KeySource::Fresh(stream, _) => {
                    let access = stream::Access { stream, key: Vec::new(), how: stream::How::Now };
                    keys.push(KeyOrigin::Fresh(self.plan.target(&access, Some(delay)).node, part));
                }
            }
        }
        Some(keys)
    }

    fn firing(&mut self, node: usize, index: usize, delay: Option<u32>) -> TriggerFiring {
        let trigger = &self.program.triggers[index];
        let mut specialiser = self.specialiser(node, delay, &trigger.template.parameters, &[]);
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => MessagePiece::Text(text.clone()),
            Piece::Value(value) => MessagePiece::Value(specialiser.code(value)),
        };
        TriggerFiring { trigger: index, message: trigger.message.iter().map(piece).collect() }
    }

    fn closing(&mut self, node: usize) -> Option<Closing> {
        let program = self.program;
        let template = self.plan.nodes[node].what.template(program)?;
        let close = template.close.as_ref()?;
        let task = self.close_task(node, template, close, &[])?;
        if template.spawns.is_empty() {
            return Some(Closing { node, reach: TaskReach::Only(task) });
        }
        let Some(sources) = self.sources(node, template, &[Concern::of_close(close)], &[]) else {
            return Some(Closing { node, reach: TaskReach::All(task) });
        };
        let mut aims = Vec::new();
        for source in sources {
            if let Some(work) = self.close_task(node, template, close, source.parts()) {
                aims.push(Aim { source: source.simplified(self.values), work });
            }
        }
        (!aims.is_empty()).then_some(Closing { node, reach: TaskReach::Keys(aims) })
    }

    /// What ends an instance, unless nothing does on such events.
    fn close_task(
        &mut self,
        node: usize,
        template: &Template,
        close: &Expr,
        known: &[StreamCode],
    ) -> Option<CloseTask> {
        let delay = self.plan.nodes[node].delay;
        let mut specialiser = self.specialiser(node, Some(delay), &template.parameters, known);
        let guards = specialiser.guards(&[close])?;
        match specialiser.code(close) {
            StreamCode::Constant(datum) if !datum.is_true() => None,
            when => Some(CloseTask { guards, when }),
        }
    }
}

/// Whether codes are the key that an instance was begun with, wherever one was: all of that key was there then, so what
/// stands for it where it is not does not matter.
fn is_spawned_key(with: &[StreamCode], codes: &[StreamCode]) -> bool {
    let is_same = |(with, code): (&StreamCode, &StreamCode)| match code {
        StreamCode::Defaults(value, _) => **value == *with || code == with,
        _ => code == with,
    };
    with.len() == codes.len() && with.iter().zip(codes).all(is_same)
}

/// Whether no instance has this as a part of its key.
fn is_hopeless(template: &Template, index: usize, part: &StreamCode) -> bool {
    match part {
        StreamCode::Constant(StreamDatum::Absent) => true,
        StreamCode::Constant(StreamDatum::Number(Number::Int(key))) => !is_possible(template, index, *key),
        _ => false,
    }
}

impl KeyOrigin {
    /// What the parameters are, where all of them are known.
    fn parts(&self) -> &[StreamCode] {
        match self {
            KeyOrigin::Key(parts) | KeyOrigin::Spawned(parts) => parts,
            KeyOrigin::Constant(_) | KeyOrigin::Part(..) | KeyOrigin::Fresh(..) => &[],
        }
    }

    /// The same, without anything to compute if it is always the same.
    fn simplified(self, values: &mut Values) -> KeyOrigin {
        match &self {
            KeyOrigin::Key(parts) if let [StreamCode::Constant(datum)] = &parts[..] => match datum.key(values) {
                Some(atom) => KeyOrigin::Constant(atom),
                None => self,
            },
            _ => self,
        }
    }
}
