//! Accesses: `s.hold(or: 0)`, `s.offset(by: -1).defaults(to: 0)`, `s[-1, 0]`, `s.aggregate(over: 10s, using: sum)`.

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::super::syntax::{Argument, Expr, Kind, Name};
use super::lowering::{Entity, Lowering, unknown, untyped};
use crate::core::stream::{self, Access, Duration, ExprKind, Extent, How, Instances, StreamId};
use crate::core::{AggregateFunction, AggregateNotation, NamedAggregate, Rank, Span};

/// How far an offset or a window of values may reach: it is kept in memory.
const FARTHEST: i64 = 1_000_000;

const RANK: &str = "write a fraction from 0 to 1, such as `using: quantile(0.95)`, or percents: `using: p95`";

const ACCESSES: &str = "there are `hold(or: d)`, `get(or: d)`, `last(or: d)`, `offset(by: -n).defaults(to: d)`, \
                        `is_fresh()` and `aggregate(over: …, using: …)`";

impl Lowering<'_> {
    pub(super) fn method(
        &mut self,
        receiver: &Expr,
        method: &Name,
        arguments: &[Argument],
        span: Span,
    ) -> stream::Expr {
        if &*method.text == "defaults" {
            return self.defaults(receiver, arguments, span);
        }
        let of_instances =
            |argument: &Argument| argument.label.as_ref().is_some_and(|label| &*label.text == "over_instances");
        let base = match arguments.iter().any(of_instances) {
            true => self.family(receiver).map(|stream| (stream, Vec::new())),
            false => self.base(receiver),
        };
        let Some((stream, key)) = base else { return unknown(span) };
        let default = |lowering: &mut Self| lowering.labelled(arguments, "or", method).map(Box::new);
        let how = match &*method.text {
            "hold" => default(self).map(How::Hold),
            "get" => {
                self.direct(span);
                default(self).map(How::Get)
            }
            "last" => default(self).map(|default| How::Own(1, default)),
            "is_fresh" => {
                self.direct(span);
                Some(How::Fresh)
            }
            "offset" => {
                self.error("E0912", span, "this offset has no default", "write `.offset(by: -1).defaults(to: 0)`");
                None
            }
            "aggregate" => return self.aggregate(stream, key, arguments, method, span),
            other => {
                if !other.is_empty() {
                    self.error("E0912", method.span, format!("there is no access `{other}`"), ACCESSES);
                }
                None
            }
        };
        match how {
            Some(how) => untyped(ExprKind::Access(Access { stream, key, how }), span),
            None => unknown(span),
        }
    }

    /// `s.offset(by: -n).defaults(to: d)`, `s.hold().defaults(to: d)`, or a window with a value for emptiness.
    fn defaults(&mut self, receiver: &Expr, arguments: &[Argument], span: Span) -> stream::Expr {
        let to = Name { text: "defaults".into(), span };
        let Some(default) = self.labelled(arguments, "to", &to) else { return unknown(span) };
        let Kind::Method(base, method, inner) = &receiver.kind else {
            self.error("E0912", span, "only offsets and aggregates take a default", ACCESSES);
            return unknown(span);
        };
        if &*method.text == "aggregate" {
            let aggregate = self.expression(receiver);
            return untyped(ExprKind::Defaults(Box::new(aggregate), Box::new(default)), span);
        }
        let Some((stream, key)) = self.base(base) else { return unknown(span) };
        let default = Box::new(default);
        let how = match &*method.text {
            "hold" => Some(How::Hold(default)),
            "get" => {
                self.direct(span);
                Some(How::Get(default))
            }
            "last" => Some(How::Own(1, default)),
            "offset" => self.own_offset(inner, method, default),
            other => {
                self.error("E0912", method.span, format!("there is no access `{other}`"), ACCESSES);
                None
            }
        };
        match how {
            Some(how) => untyped(ExprKind::Access(Access { stream, key, how }), span),
            None => unknown(span),
        }
    }

    fn own_offset(&mut self, arguments: &[Argument], method: &Name, default: Box<stream::Expr>) -> Option<How> {
        let by = self.labelled(arguments, "by", method)?;
        let offset = self.whole_number(&by)?;
        match offset {
            0 => Some(How::Get(default)),
            1.. => {
                let hint = format!("write `s[{offset}, d]`: the value so many steps ahead");
                self.error("E0912", by.span, "own values of the future cannot be counted", hint);
                None
            }
            _ => Some(How::Own(u32::try_from(-offset).unwrap_or(u32::MAX), default)),
        }
    }

    pub(super) fn step_offset(&mut self, receiver: &Expr, offset: &Expr, default: &Expr, span: Span) -> stream::Expr {
        let base = self.base(receiver);
        let (offset, default) = (self.expression(offset), self.expression(default));
        let Some((stream, key)) = base else { return unknown(span) };
        let Some(offset) = self.whole_number(&offset) else { return unknown(span) };
        let how = match i32::try_from(offset).unwrap_or(i32::MAX) {
            0 => How::Get(Box::new(default)),
            offset => How::Step(offset, Box::new(default)),
        };
        if offset >= 0 {
            self.direct(span);
        }
        untyped(ExprKind::Access(Access { stream, key, how }), span)
    }

    /// The stream that an access is about.
    fn base(&mut self, receiver: &Expr) -> Option<(StreamId, Vec<stream::Expr>)> {
        match &receiver.kind {
            Kind::Name(name) if !self.parameters.iter().any(|parameter| parameter.name == name.text) => {
                self.keyed(name, &[], receiver.span)
            }
            Kind::Call(name, key) => self.keyed(name, key, receiver.span),
            Kind::Unreadable => None,
            _ => {
                let hint = "name it: `output s := …`, then `s.hold(or: …)`";
                self.error("E0912", receiver.span, "only streams have a history", hint);
                None
            }
        }
    }

    /// A stream with parameters, all instances of which are meant.
    fn family(&mut self, receiver: &Expr) -> Option<StreamId> {
        let entity = match &receiver.kind {
            Kind::Name(name) => self.lookup(name)?,
            _ => Entity::Constant(Value::Boolean(false)),
        };
        match entity {
            Entity::Stream(stream, 1..) => Some(stream),
            _ => {
                let hint =
                    "name a stream with parameters, without a key: `s.aggregate(over_instances: all, using: sum)`";
                self.error("E0913", receiver.span, "this has no instances", hint);
                None
            }
        }
    }

    /// The argument with this label.
    fn labelled(&mut self, arguments: &[Argument], label: &str, method: &Name) -> Option<stream::Expr> {
        let mine = |argument: &&Argument| argument.label.as_ref().is_none_or(|found| &*found.text == label);
        match arguments {
            [argument] if mine(&argument) => Some(self.expression(&argument.value)),
            _ => {
                let message = format!("`{}` takes one argument, `{label}`", method.text);
                self.error("E0912", method.span, message, format!("write `{}({label}: …)`", method.text));
                None
            }
        }
    }

    /// A constant whole number within bounds.
    fn whole_number(&mut self, expression: &stream::Expr) -> Option<i64> {
        let number = match &expression.kind {
            ExprKind::Constant(Value::Number(number)) => number.as_i64(),
            _ => None,
        };
        let number = number.filter(|number| number.unsigned_abs() <= FARTHEST.unsigned_abs());
        if number.is_none() {
            let message = format!("an offset is a whole number from -{FARTHEST} to {FARTHEST}");
            self.error("E0912", expression.span, message, "write the number itself");
        }
        number
    }

    fn aggregate(
        &mut self,
        stream: StreamId,
        key: Vec<stream::Expr>,
        arguments: &[Argument],
        method: &Name,
        span: Span,
    ) -> stream::Expr {
        let known = self.diagnostics.len();
        let (mut extent, mut instances, mut using) = (None, None, None);
        for argument in arguments {
            match argument.label.as_ref().map(|label| &*label.text) {
                Some("over") => extent = self.length(&argument.value).map(Extent::Time),
                Some("over_discrete") => extent = self.window_count(&argument.value).map(Extent::Values),
                Some("over_instances") => instances = self.instances(&argument.value),
                Some("using") => using = self.aggregate_name(&argument.value),
                _ => {
                    let hint = "write `aggregate(over: 10s, using: sum)`";
                    self.error("E0913", argument.value.span, "an aggregate has no such argument", hint);
                }
            }
        }
        let how = match (extent, instances, using) {
            (Some(extent), None, Some(using)) => How::Window(extent, using),
            (None, Some(instances), Some(using)) => {
                if self.at_end && instances == Instances::Fresh {
                    self.direct(span);
                }
                How::Instances(instances, using)
            }
            // What is wrong with an argument has been said.
            _ if self.diagnostics.len() > known => return unknown(span),
            _ => {
                let hint = "write `aggregate(over: 10s, using: sum)`, `over_discrete: 5` or `over_instances: all`";
                self.error("E0913", method.span, "an aggregate says over what, and using what", hint);
                return unknown(span);
            }
        };
        untyped(ExprKind::Access(Access { stream, key, how }), span)
    }

    fn length(&mut self, value: &Expr) -> Option<Duration> {
        let duration = match &value.kind {
            Kind::Duration(amount, unit) => Some(Duration { amount: amount.clone(), unit: Some(*unit) }),
            Kind::Number(amount) => Some(Duration { amount: amount.clone(), unit: None }),
            Kind::Name(_) => match self.expression(value).kind {
                ExprKind::Constant(Value::Number(amount)) => Some(Duration { amount, unit: None }),
                _ => None,
            },
            _ => None,
        };
        let duration = duration.filter(|duration| duration.amount > Number::ZERO);
        if duration.is_none() {
            let hint = "write `over: 10s`, or a number of the trace's unit: `over: 60000`";
            self.error("E0913", value.span, "a window needs a length of time above 0", hint);
        }
        duration
    }

    fn window_count(&mut self, value: &Expr) -> Option<u32> {
        let value = self.expression(value);
        let number = self.whole_number(&value)?;
        let count = u32::try_from(number).ok().filter(|count| *count > 0);
        if count.is_none() {
            self.error("E0913", value.span, "a window needs at least one value", "write `over_discrete: 5`");
        }
        count
    }

    fn instances(&mut self, value: &Expr) -> Option<Instances> {
        let found = match &value.kind {
            Kind::Name(name) => match name.text.to_lowercase().as_str() {
                "all" => Some(Instances::All),
                "fresh" => Some(Instances::Fresh),
                _ => None,
            },
            _ => None,
        };
        if found.is_none() {
            self.error("E0913", value.span, "aggregated are all instances or the fresh ones", "write `all` or `fresh`");
        }
        found
    }

    /// `sum`, `quantile(0.95)` or `p95`.
    fn aggregate_name(&mut self, value: &Expr) -> Option<AggregateFunction> {
        let notation = AggregateNotation::Lola;
        let (named, rank) = match &value.kind {
            Kind::Name(name) => (notation.named(&name.text), None),
            Kind::Call(name, arguments) => (notation.named(&name.text), Some(&arguments[..])),
            _ => (None, None),
        };
        match (named, rank) {
            (Some(NamedAggregate::Complete(function)), None) => Some(function),
            (Some(NamedAggregate::NeedsRank(make)), Some([rank])) => self.rank(rank).map(make),
            (Some(NamedAggregate::NeedsRank(_)), _) => {
                self.error("E0913", value.span, "a quantile has one rank", RANK);
                None
            }
            (Some(NamedAggregate::OutOfRange(_)), None) => {
                let hint = "write percents from `p0` to `p100`, or `quantile(0.999)`";
                self.error("E0913", value.span, "this is not between 0 and 100 percent", hint);
                None
            }
            (Some(NamedAggregate::Complete(_) | NamedAggregate::OutOfRange(_)), Some(_)) => {
                self.error(
                    "E0913",
                    value.span,
                    "only `quantile` takes a rank",
                    "write the name alone, as `using: sum`",
                );
                None
            }
            (None, _) => {
                let hint = format!("there are {}", notation.names().join(", "));
                self.error("E0913", value.span, "there is no such aggregate", hint);
                None
            }
        }
    }

    /// A constant from 0 to 1.
    fn rank(&mut self, value: &Expr) -> Option<Rank> {
        let known = self.diagnostics.len();
        let constant = self.expression(value);
        let rank = match &constant.kind {
            ExprKind::Constant(Value::Number(number)) => Rank::of(number),
            _ => None,
        };
        if rank.is_none() && self.diagnostics.len() == known {
            let message = format!("a rank is a constant from 0 to 1 with at most {} digits", Rank::DIGITS);
            self.error("E0913", value.span, message, RANK);
        }
        rank
    }
}
