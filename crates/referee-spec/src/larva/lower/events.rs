//! Event lines.

use std::sync::Arc;

use referee_trace::number::Number;

use super::super::syntax::{Argument, Call, EventLine, Name, Typed, Way};
use super::names::{Lowering, Thing};
use crate::core::Span;
use crate::core::machine::dates::{self, DateArgument, DateTrigger, Dates};
use crate::core::stream::Duration;
use crate::diagnostic::Diagnostic;
use crate::lint::suggest;

/// The names that an event line gives its values, and which of them are keys.
struct Shown<'l> {
    line: &'l EventLine,
    locals: Vec<Arc<str>>,
}

impl Shown<'_> {
    fn local(&mut self, name: &Arc<str>) -> usize {
        match self.locals.iter().position(|known| known == name) {
            Some(known) => known,
            None => {
                self.locals.push(name.clone());
                self.locals.len() - 1
            }
        }
    }
}

/// Puts the delays of clocks in order, and tells the timeouts.
pub(super) fn sort_delays(dates: &mut Dates) {
    let mut places: Vec<Vec<usize>> = Vec::new();
    for clock in &mut dates.clocks {
        let unsorted = clock.delays.clone();
        clock.delays.sort_unstable();
        let place = |delay| clock.delays.iter().position(|other| other == delay).unwrap_or(0);
        places.push(unsorted.iter().map(place).collect());
    }
    for way in dates.events.iter_mut().flat_map(|event| &mut event.ways) {
        if let DateTrigger::Timeout(clock, delay) = &mut way.trigger {
            *delay = places[*clock][*delay];
        }
    }
}

impl Lowering<'_> {
    pub(super) fn event_line(&mut self, line: &EventLine, scope: usize) {
        if let Some((_, _, first)) = self.events.iter().find(|(known, ..)| *known == line.name.text) {
            let message = format!("event `{}` is there already", line.name.text);
            let found = Diagnostic::error("E1102", line.name.span, message).hint("rename one of them");
            return self.diagnostics.push(found.related(*first, "the first one"));
        }
        let mut shown = Shown { line, locals: Vec::new() };
        let mut ways: Vec<dates::Way> = Vec::new();
        for way in &line.ways {
            match way {
                Way::Line(name) => ways.extend(self.other_line(name, &mut shown)),
                Way::Timeout(clock, delay, span) => ways.extend(self.timeout(clock, delay, *span)),
                Way::Call(call) => ways.push(self.call(call, &mut shown)),
            }
        }
        self.check_parameters(line, &shown);
        self.check_wheres(line, &shown);
        let number = self.dates.events.len();
        let name = line.name.text.clone();
        self.dates.events.push(dates::Event { name: name.clone(), scope, locals: shown.locals, ways });
        self.events.push((name, number, line.name.span));
    }

    /// The number of an event line that is visible.
    pub(super) fn visible_event(&mut self, name: &Name) -> Option<usize> {
        if let Some((_, number, _)) = self.events.iter().find(|(known, ..)| *known == name.text) {
            return Some(*number);
        }
        if !name.text.is_empty() {
            let hint = match suggest::nearest(&name.text, self.events.iter().map(|(known, ..)| &**known)) {
                Some(near) => format!("write `{near}`, or describe the event first"),
                None => format!("describe the event first: `EVENTS {{ {}() = {{ method(x) }} }}`", name.text),
            };
            let message = format!("no event is called `{}` here", name.text);
            self.diagnostics.push(Diagnostic::error("E1103", name.span, message).hint(hint));
        }
        None
    }

    /// The ways of another line, whose values keep their names.
    fn other_line(&mut self, name: &Name, shown: &mut Shown) -> Vec<dates::Way> {
        let Some(number) = self.visible_event(name) else { return Vec::new() };
        let other = self.dates.events[number].clone();
        let locals: Vec<usize> = other.locals.iter().map(|local| shown.local(local)).collect();
        let mut ways = other.ways;
        for argument in ways.iter_mut().flat_map(|way| &mut way.arguments) {
            argument.local = argument.local.map(|local| locals[local]);
        }
        ways
    }

    fn timeout(&mut self, clock: &Name, delay: &Duration, span: Span) -> Option<dates::Way> {
        let number = match self.visible(&clock.text) {
            Some(Thing::Clock(number)) => number,
            Some(other) => {
                self.wrong_kind(clock, other, "a clock", "declare a clock: `VARIABLES { Clock c; }`");
                return None;
            }
            None => {
                self.unknown(clock, &[]);
                return None;
            }
        };
        if delay.amount <= Number::ZERO {
            let found = Diagnostic::error("E1109", span, "a timeout needs a delay above zero");
            self.diagnostics.push(found.hint(format!("write `{}@5`", clock.text)));
            return None;
        }
        let trigger = DateTrigger::Timeout(number, self.delay(number, &delay.in_unit(self.unit)));
        Some(dates::Way { trigger, arguments: Vec::new(), open: false, span })
    }

    /// The number of a clock's delay, in the order of the text.
    fn delay(&mut self, clock: usize, delay: &Number) -> usize {
        let delays = &mut self.dates.clocks[clock].delays;
        delays.iter().position(|known| known == delay).unwrap_or_else(|| {
            delays.push(delay.clone());
            delays.len() - 1
        })
    }

    fn call(&mut self, call: &Call, shown: &mut Shown) -> dates::Way {
        let channel = call.target.as_ref().and_then(|target| match self.visible(&target.name.text) {
            Some(Thing::Channel(number)) if &*call.method.text == "receive" => Some(number),
            _ => None,
        });
        let mut arguments: Vec<DateArgument> = Vec::new();
        let target = if channel.is_some() { None } else { call.target.as_ref() };
        for typed in target.into_iter().chain(&call.named_target) {
            arguments.push(self.named(typed, shown));
        }
        for argument in &call.arguments {
            arguments.push(match argument {
                Argument::Named(typed) => self.named(typed, shown),
                Argument::Constant(value) => DateArgument { constant: Some(value.clone()), ..Default::default() },
                Argument::Any => DateArgument::default(),
            });
        }
        if let Some(typed) = &call.returning {
            arguments.push(self.named(typed, shown));
        }
        let trigger = channel.map_or_else(|| DateTrigger::Observed(call.method.text.clone()), DateTrigger::Received);
        dates::Way { trigger, arguments, open: call.open, span: call.span }
    }

    /// An argument with a name: a key, or a value that the event shows, or by `where` both.
    fn named(&mut self, typed: &Typed, shown: &mut Shown) -> DateArgument {
        let name = &typed.name.text;
        if let Some(Thing::Key(key)) = self.visible(name) {
            return DateArgument { key: Some(key), ..Default::default() };
        }
        let meant = shown.line.wheres.iter().find(|(_, local)| local.text == *name);
        let key = meant.and_then(|(key, _)| match self.visible(&key.text) {
            Some(Thing::Key(number)) => Some(number),
            _ => None,
        });
        DateArgument { key, local: Some(shown.local(name)), constant: None }
    }

    fn check_parameters(&mut self, line: &EventLine, shown: &Shown) {
        for Typed { name, .. } in &line.parameters {
            let is_key = matches!(self.visible(&name.text), Some(Thing::Key(_)));
            if !name.text.is_empty() && !is_key && !shown.locals.contains(&name.text) {
                let message = format!("nothing gives `{}` a value", name.text);
                let hint = format!("let an alternative show it: `method({})`", name.text);
                self.diagnostics.push(Diagnostic::warning("L1101", name.span, message).hint(hint));
            }
        }
    }

    fn check_wheres(&mut self, line: &EventLine, shown: &Shown) {
        for (key, local) in &line.wheres {
            match self.visible(&key.text) {
                Some(Thing::Key(_)) => {}
                Some(other) => self.wrong_kind(key, other, "a variable of FOREACH", "write `where key = argument`"),
                None => self.unknown(key, &[]),
            }
            if !shown.locals.contains(&local.text) {
                self.unknown(local, &shown.locals);
            }
        }
    }
}
