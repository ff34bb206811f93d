//! Prepares expressions for the events of one shape.
//!
//! Which inputs an event carries depends on its shape alone. So for every shape the clauses that cannot be considered are
//! dropped, `x.get(or: d)` becomes the argument or d, and what is constant then is computed at once: on events that say
//! nothing of a property, nothing is left of it.
//!
//! Where instances are found by a key, the parameters *are* that key: they are replaced by it before, so that of
//! `eval when init = p` nothing is left to be asked of the instance that was found by `init`.

use referee_spec::core::Span;
use referee_spec::core::stream::{Access, Expr, ExprKind, How, Instances, Operator, Program};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::value::Type;
use referee_trace::values::{Atom, Values};

use super::datum::{StreamDatum, join};
use super::plan::StreamPlan;
use super::possible::is_possible;

/// An expression for events of one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamCode {
    /// A value, or that there is none.
    Constant(StreamDatum),
    /// An argument of the event, which must be of a type.
    Argument(usize, Type, Span),
    /// The same, where it must not be negative.
    Unsigned(usize, Type, Span),
    /// A parameter of the instance at hand.
    Parameter(usize, Type),
    /// The value of an instance at the step.
    Now(InstancePlace),
    /// The same, or something else where there is none.
    Get(InstancePlace, Box<StreamCode>),
    /// Whether there is one.
    Fresh(InstancePlace),
    /// The last own value.
    Hold(InstancePlace, Box<StreamCode>),
    /// The n-th last own value before the step.
    Own(InstancePlace, u64, Box<StreamCode>),
    /// The value so many steps before the node's step.
    Step(InstancePlace, u32, Box<StreamCode>),
    /// A window of an instance.
    Window(InstancePlace, usize),
    /// An aggregate over all instances of a node.
    All(usize, usize),
    /// An aggregate over the instances of a node with a value at the step.
    AllFresh(usize, referee_spec::core::AggregateFunction),
    /// Whether something is there.
    Present(Box<StreamCode>),
    /// `not`
    Not(Box<StreamCode>),
    /// `-`
    Negate(Box<StreamCode>),
    /// `abs`
    Absolute(Box<StreamCode>),
    /// The right side matters only where the left one has this value; where it has the other, that is the result (or, of an
    /// implication, `true`).
    Lazy(Operator, Box<StreamCode>, Box<StreamCode>),
    /// Any other two.
    Join(Operator, Box<StreamCode>, Box<StreamCode>, Span),
    /// Two that are compared and, as a rule, integers at hand; else as the code behind says.
    Compare(Operator, SmallOperand, SmallOperand, Box<StreamCode>),
    /// An argument that is, as a rule, a truth value; else as the code behind says.
    Flag(usize, Box<StreamCode>),
    /// `if`
    If(Box<StreamCode>, Box<StreamCode>, Box<StreamCode>),
    /// A value, or another where there is none.
    Defaults(Box<StreamCode>, Box<StreamCode>),
}

/// An integer at hand, as a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SmallOperand {
    /// A number.
    Constant(i64),
    /// An argument of the event.
    Argument(usize),
}

impl SmallOperand {
    /// The integer, if it is one.
    #[inline]
    pub(super) fn integer(self, arguments: &[Atom]) -> Option<i64> {
        match self {
            SmallOperand::Constant(integer) => Some(integer),
            SmallOperand::Argument(place) => arguments[place].as_integer(),
        }
    }
}

impl StreamCode {
    /// The integer that it is as a rule, if that takes one look.
    fn small(&self) -> Option<SmallOperand> {
        match self {
            StreamCode::Constant(StreamDatum::Number(Number::Int(integer))) => Some(SmallOperand::Constant(*integer)),
            StreamCode::Argument(place, Type::Integer | Type::Decimal, _) => Some(SmallOperand::Argument(*place)),
            StreamCode::Defaults(value, _) if matches!(**value, StreamCode::Argument(..)) => value.small(),
            _ => None,
        }
    }

    /// The same, with a shorter way where one is usual.
    fn shortened(self) -> StreamCode {
        match &self {
            StreamCode::Join(operator, left, right, _) if is_comparison(*operator) => {
                match (left.small(), right.small()) {
                    (Some(left), Some(right)) => StreamCode::Compare(*operator, left, right, Box::new(self)),
                    _ => self,
                }
            }
            StreamCode::Defaults(value, _) if let StreamCode::Argument(place, Type::Boolean, _) = **value => {
                StreamCode::Flag(place, Box::new(self))
            }
            _ => self,
        }
    }

    /// Whether reading it costs no more than reading a parameter.
    fn is_at_hand(&self) -> bool {
        match self {
            StreamCode::Constant(_) | StreamCode::Argument(..) | StreamCode::Unsigned(..) => true,
            StreamCode::Defaults(value, default) => value.is_at_hand() && matches!(**default, StreamCode::Constant(_)),
            _ => false,
        }
    }
}

/// An instance of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InstancePlace {
    /// The node.
    pub node: usize,
    /// Which instance.
    pub key: InstanceKey,
}

/// Which instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InstanceKey {
    /// The only one.
    Only,
    /// The one at hand.
    Own,
    /// The one with this key.
    Computed(Vec<StreamCode>),
}

/// Makes expressions ready for one shape.
pub(super) struct Specialiser<'s> {
    /// The program.
    pub program: &'s Program,
    /// The plan.
    pub plan: &'s StreamPlan,
    /// The shape; nothing at the end of the trace.
    pub shape: Option<&'s EventShape>,
    /// The node at hand.
    pub node: usize,
    /// How late the reader is; nothing at the end.
    pub delay: Option<u32>,
    /// The types of the parameters at hand.
    pub parameters: Vec<Type>,
    /// What the parameters are, where instances are found by it; there it has a value.
    pub known: &'s [StreamCode],
    /// The arguments that are read.
    pub used: &'s mut Vec<usize>,
    /// The values of the trace.
    pub values: &'s mut Values,
}

/// Where an input is in the events of a shape.
#[derive(Clone, Copy)]
enum InputPlace {
    Nowhere,
    Happens,
    At(usize),
}

impl Specialiser<'_> {
    fn find(&self, input: usize) -> InputPlace {
        let input = &self.program.inputs[input];
        let Some(shape) = self.shape else { return InputPlace::Nowhere };
        if input.event.as_ref().is_some_and(|name| **name != *shape.name) {
            return InputPlace::Nowhere;
        }
        let Some(field) = &input.field else { return InputPlace::Happens };
        let at = shape.arguments.iter().position(|argument| *argument.name == **field);
        at.map_or(InputPlace::Nowhere, InputPlace::At)
    }

    /// The value of an input in such an event.
    pub(super) fn input(&mut self, input: usize) -> Option<StreamCode> {
        match self.find(input) {
            InputPlace::Nowhere => None,
            InputPlace::Happens => Some(StreamCode::Constant(StreamDatum::Truth(true))),
            InputPlace::At(place) => {
                self.used.push(place);
                let input = &self.program.inputs[input];
                Some(match input.unsigned {
                    true => StreamCode::Unsigned(place, input.value_type, input.span),
                    false => StreamCode::Argument(place, input.value_type, input.span),
                })
            }
        }
    }

    /// An expression for such events.
    pub(super) fn code(&mut self, expression: &Expr) -> StreamCode {
        match &expression.kind {
            ExprKind::Constant(value) => StreamCode::Constant(StreamDatum::constant(value, self.values)),
            ExprKind::Parameter(index) => match self.known.get(*index) {
                Some(known) if known.is_at_hand() => known.clone(),
                _ => StreamCode::Parameter(*index, self.parameters.get(*index).copied().unwrap_or(Type::Boolean)),
            },
            ExprKind::Access(access) => self.access(access),
            ExprKind::Not(body) => match self.code(body) {
                StreamCode::Constant(StreamDatum::Truth(truth)) => StreamCode::Constant(StreamDatum::Truth(!truth)),
                body => StreamCode::Not(Box::new(body)),
            },
            ExprKind::Negate(body) => StreamCode::Negate(Box::new(self.code(body))),
            ExprKind::Absolute(body) => StreamCode::Absolute(Box::new(self.code(body))),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expression.span),
            ExprKind::If(condition, then, other) => match self.code(condition) {
                StreamCode::Constant(StreamDatum::Truth(true)) => self.code(then),
                StreamCode::Constant(StreamDatum::Truth(false)) => self.code(other),
                condition => StreamCode::If(Box::new(condition), Box::new(self.code(then)), Box::new(self.code(other))),
            },
            ExprKind::Defaults(value, default) => match self.code(value) {
                StreamCode::Constant(StreamDatum::Absent) => self.code(default),
                value => StreamCode::Defaults(Box::new(value), Box::new(self.code(default))),
            },
        }
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr, span: Span) -> StreamCode {
        let left = self.code(left);
        if let Operator::And | Operator::Or | Operator::Implies = operator {
            return match left {
                StreamCode::Constant(StreamDatum::Truth(left)) => match settled(operator, left) {
                    Some(result) => StreamCode::Constant(StreamDatum::Truth(result)),
                    None => self.code(right),
                },
                left => lazy(operator, left, self.code(right)),
            };
        }
        let right = self.code(right);
        if let (StreamCode::Constant(left), StreamCode::Constant(right)) = (&left, &right)
            && *left != StreamDatum::Absent
            && *right != StreamDatum::Absent
            && let Some(result) = join(operator, left, right, self.values)
        {
            return StreamCode::Constant(result);
        }
        if left == right && self.known.contains(&left) {
            match operator {
                Operator::Equal | Operator::Iff => return StreamCode::Constant(StreamDatum::Truth(true)),
                Operator::NotEqual => return StreamCode::Constant(StreamDatum::Truth(false)),
                _ => {}
            }
        }
        if self.is_no_key(&left, &right) || self.is_no_key(&right, &left) {
            match operator {
                Operator::Equal => return StreamCode::Constant(StreamDatum::Truth(false)),
                Operator::NotEqual => return StreamCode::Constant(StreamDatum::Truth(true)),
                _ => {}
            }
        }
        StreamCode::Join(operator, Box::new(left), Box::new(right), span).shortened()
    }

    /// Whether one side is an integer that the other, a parameter of the instance at hand, cannot be.
    fn is_no_key(&self, constant: &StreamCode, parameter: &StreamCode) -> bool {
        let StreamCode::Constant(StreamDatum::Number(Number::Int(integer))) = constant else { return false };
        let index = match parameter {
            StreamCode::Parameter(index, _) => Some(*index),
            _ => self.known.iter().position(|known| known == parameter),
        };
        let template = self.plan.nodes.get(self.node).and_then(|node| node.what.template(self.program));
        index.zip(template).is_some_and(|(index, template)| !is_possible(template, index, *integer))
    }

    fn access(&mut self, access: &Access) -> StreamCode {
        let is_input = access.stream.index() < self.program.inputs.len();
        match &access.how {
            How::Now if is_input => {
                self.input(access.stream.index()).unwrap_or(StreamCode::Constant(StreamDatum::Absent))
            }
            How::Fresh if is_input => match self.input(access.stream.index()) {
                None => StreamCode::Constant(StreamDatum::Truth(false)),
                Some(StreamCode::Constant(_)) => StreamCode::Constant(StreamDatum::Truth(true)),
                Some(input) => StreamCode::Present(Box::new(input)),
            },
            How::Get(default) if is_input => match self.input(access.stream.index()) {
                None => self.code(default),
                Some(input @ StreamCode::Constant(_)) => input,
                Some(input) => StreamCode::Defaults(Box::new(input), Box::new(self.code(default))).shortened(),
            },
            How::Instances(Instances::All, aggregate) => {
                let node = self.plan.target(access, self.delay).node;
                StreamCode::All(node, self.plan.bag(node, *aggregate))
            }
            How::Instances(Instances::Fresh, aggregate) => {
                StreamCode::AllFresh(self.plan.target(access, self.delay).node, *aggregate)
            }
            _ => self.stored(access),
        }
    }

    /// Something of a stream that is kept in a table.
    fn stored(&mut self, access: &Access) -> StreamCode {
        let target = self.plan.target(access, self.delay);
        let place = InstancePlace { node: target.node, key: self.key(access, target.node) };
        match &access.how {
            How::Now => StreamCode::Now(place),
            How::Fresh => StreamCode::Fresh(place),
            How::Get(default) => StreamCode::Get(place, Box::new(self.code(default))),
            How::Hold(default) => StreamCode::Hold(place, Box::new(self.code(default))),
            How::Own(count, default) => StreamCode::Own(place, u64::from(*count), Box::new(self.code(default))),
            How::Step(_, default) => StreamCode::Step(place, target.lag, Box::new(self.code(default))),
            How::Window(extent, aggregate) => {
                let window = self.plan.window(target.node, extent, *aggregate);
                StreamCode::Window(place, window)
            }
            How::Instances(..) => StreamCode::Constant(StreamDatum::Absent),
        }
    }

    fn key(&mut self, access: &Access, node: usize) -> InstanceKey {
        let spawned = self.program.output(access.stream).is_some_and(|output| !output.template.spawns.is_empty());
        if !spawned {
            return InstanceKey::Only;
        }
        let own = access.key.iter().enumerate().all(|(index, part)| part.kind == ExprKind::Parameter(index));
        // Without parameters there may be no instance yet, where one is being spawned.
        if own && !access.key.is_empty() && node == self.node && self.delay.is_some() {
            return InstanceKey::Own;
        }
        InstanceKey::Computed(access.key.iter().map(|part| self.code(part)).collect())
    }

    /// Whether a clause can be considered on such events, and what has to be checked for it: streams that it names directly
    /// where laziness could pass them over.
    pub(super) fn guards(&mut self, expressions: &[&Expr]) -> Option<Vec<StreamCode>> {
        let mut guards = Vec::new();
        let lazy = expressions.iter().any(|expression| is_lazy(expression));
        for expression in expressions {
            let mut direct = Vec::new();
            expression.visit(&mut |part| {
                if matches!(&part.kind, ExprKind::Access(access) if access.how == How::Now) {
                    direct.push(part);
                }
            });
            for part in direct {
                match self.code(part) {
                    StreamCode::Constant(StreamDatum::Absent) => return None,
                    StreamCode::Constant(_) => {}
                    code if lazy && !self.known.contains(&code) => guards.push(code),
                    _ => {}
                }
            }
        }
        Some(guards)
    }
}

/// Two sides of which the right one is not always looked at, where it changes something: it does not where it only confirms the left.
fn lazy(operator: Operator, left: StreamCode, right: StreamCode) -> StreamCode {
    match (operator, &right) {
        (Operator::And, StreamCode::Constant(StreamDatum::Truth(true))) => left,
        (Operator::Or, StreamCode::Constant(StreamDatum::Truth(false))) => left,
        _ => StreamCode::Lazy(operator, Box::new(left), Box::new(right)),
    }
}

/// Whether some part of an expression is not always looked at, or must not be.
fn is_lazy(expression: &Expr) -> bool {
    let mut lazy = false;
    expression.visit(&mut |part| {
        lazy |= match &part.kind {
            ExprKind::If(..) | ExprKind::Defaults(..) => true,
            ExprKind::Binary(Operator::And | Operator::Or | Operator::Implies, ..) => true,
            // What is not considered must not be computed either: it could divide by zero.
            ExprKind::Binary(Operator::Divide | Operator::Remainder, ..) => true,
            // An access is not absent where its key is.
            ExprKind::Access(access) if !access.key.is_empty() && access.how != How::Now => true,
            ExprKind::Access(access) => {
                access.how.default_value().is_some_and(|default| !matches!(default.kind, ExprKind::Constant(_)))
            }
            _ => false,
        };
    });
    lazy
}

fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
    )
}

/// What the left side settles, if it does.
#[inline]
pub(super) fn settled(operator: Operator, left: bool) -> Option<bool> {
    match operator {
        Operator::And => (!left).then_some(false),
        Operator::Or => left.then_some(true),
        _ => (!left).then_some(true),
    }
}
