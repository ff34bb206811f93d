//! A finding in the form in which C reads it.

use std::ffi::{CString, c_char};
use std::fmt::Write;
use std::ptr;
use std::sync::Arc;

use referee_spec::core::machine::Body;
use referee_spec::core::{Rule, Violation};
use referee_trace::number::Number;

use crate::failure::{c_text, pointer};

/// A variable of a rule and its value.
#[repr(C)]
pub struct ShownBinding {
    /// The variable.
    pub name: *const c_char,
    /// Its value; null stands for every value that nobody has named.
    pub value: *const c_char,
}

/// A violation of a rule.
#[repr(C)]
pub struct ShownFinding {
    /// The rule, from 0, in the order of the specifications.
    pub rule: usize,
    /// Its name.
    pub name: *const c_char,
    /// The point that violates it, from 1; 0 on a trace without points.
    pub point: u64,
    /// The point after which that was certain; 0 if the end of the trace has decided it.
    pub decided: u64,
    /// Where the obligation began that was still open at the end; 0 if none was.
    pub opened: u64,
    /// The time of the point, or null.
    pub time: *const c_char,
    /// What the specification says of it, in the languages with messages, or null.
    pub message: *const c_char,
    /// How many variables have values.
    pub binding_count: usize,
    /// They.
    pub bindings: *const ShownBinding,
    /// How many lines say why it is a violation; none without `REFEREE_WITNESS`.
    pub witness_count: usize,
    /// They.
    pub witness: *const *const c_char,
    /// All this in the line that `referee check` prints of it, but for the event.
    pub line: *const c_char,
}

/// A finding with all that it points to.
pub(crate) struct KeptFinding {
    view: ShownFinding,
    _texts: Vec<CString>,
    _bindings: Vec<ShownBinding>,
    _witness: Vec<*const c_char>,
}

impl KeptFinding {
    /// A violation of the rule with this number.
    pub(crate) fn new(
        number: usize,
        rule: &Arc<Rule>,
        violation: &Violation,
        time: Option<&Number>,
        why: &[String],
    ) -> KeptFinding {
        let mut texts = Vec::new();
        let mut kept = |text: &str| keep(&mut texts, text);
        let shown = bindings(rule, violation);
        let bindings: Vec<ShownBinding> = shown
            .iter()
            .map(|(name, value)| ShownBinding {
                name: kept(name),
                value: value.as_deref().map_or(ptr::null(), &mut kept),
            })
            .collect();
        let witness: Vec<*const c_char> = why.iter().map(|line| kept(line)).collect();
        let time = time.map(Number::to_string);
        let view = ShownFinding {
            rule: number,
            name: kept(rule.name()),
            point: violation.point,
            decided: violation.decided.unwrap_or(0),
            opened: violation.opened.unwrap_or(0),
            time: time.as_deref().map_or(ptr::null(), &mut kept),
            message: violation.message.as_deref().map_or(ptr::null(), &mut kept),
            binding_count: bindings.len(),
            bindings: bindings.as_ptr(),
            witness_count: witness.len(),
            witness: witness.as_ptr(),
            line: kept(&line(rule, violation, time.as_deref(), &shown)),
        };
        KeptFinding { view, _texts: texts, _bindings: bindings, _witness: witness }
    }

    /// What C reads; valid as long as the finding is kept.
    pub(crate) fn view(&self) -> *const ShownFinding {
        &raw const self.view
    }
}

/// The variables that have something to say.
fn bindings<'r>(rule: &'r Rule, violation: &Violation) -> Vec<(&'r str, Option<String>)> {
    // A slice or a scope binds some variables only, a rule over facts and a trigger their own.
    let leaves_out = match rule {
        Rule::Facts(_) | Rule::Stream(_) => true,
        Rule::Machine(machine) => matches!(machine.body, Body::Sliced(_) | Body::Dates(_)),
        _ => false,
    };
    let all = rule.binding_names().into_iter().zip(&violation.bindings);
    let said = all.filter(|(_, value)| value.is_some() || !leaves_out);
    said.map(|(name, value)| (name, value.as_ref().map(ToString::to_string))).collect()
}

fn line(rule: &Rule, violation: &Violation, time: Option<&str>, bindings: &[(&str, Option<String>)]) -> String {
    let mut line = format!("VIOLATION {}: point {}", rule.name(), violation.point);
    if let Some(time) = time {
        line += ", time ";
        line += time;
    }
    for (name, value) in bindings {
        // Writing to a text never fails.
        let _ = write!(line, ", {name} = {}", value.as_deref().unwrap_or("any other value"));
    }
    if let Some(message) = &violation.message {
        line += ", ";
        line += message;
    }
    line
}

/// Adds a text to a list and gives its pointer. It lies on the heap and stays there when the list grows or moves.
fn keep(texts: &mut Vec<CString>, text: &str) -> *const c_char {
    texts.push(c_text(text));
    pointer(texts.last())
}

/// Texts that a session shows by number.
#[derive(Default)]
pub(crate) struct Texts(Vec<CString>);

impl Texts {
    pub(crate) fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Texts {
        Texts(texts.into_iter().map(|text| c_text(text.as_ref())).collect())
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.0.push(c_text(text));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The text of this number, or null.
    pub(crate) fn get(&self, number: usize) -> *const c_char {
        pointer(self.0.get(number))
    }
}
