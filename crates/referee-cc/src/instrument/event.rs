//! The text of one event: a call of the run time with the values as words.
//!
//! ```text
//!  if (when) referee_ev2(&referee_sites[3], 0x41, word(fd), word(conn));      tags: 1 signed, 4 pointer
//! ```

use std::fmt::Write;

use super::bindings::Bindings;
use super::check::expression_name;
use super::place::{Mode, Place};
use crate::mapping::{ArgumentType, Expression, Mapping};

/// The places of a file at which events happen.
#[derive(Debug, Default)]
pub(super) struct Sites {
    /// The initialisers of their objects.
    pub(super) all: Vec<String>,
    /// Which entries of the mapping have a place in this file.
    pub(super) hit: Vec<bool>,
}

/// A value and the tag that is said of it.
pub(super) struct Value {
    pub(super) text: String,
    pub(super) declared: Option<ArgumentType>,
}

impl Sites {
    /// A new place; the number of its object.
    pub(super) fn add(&mut self, event: &str, place: &Place<'_>) -> usize {
        let (file, line, function) = (place.file, place.line, place.function);
        self.all.push(format!("{{\"{event}\",\"{file}\",\"{function}\",{line},0}}"));
        self.all.len() - 1
    }

    /// The statement for an entry of the mapping, at a place where names mean something.
    pub(super) fn event(&mut self, mapping: &Mapping, number: usize, place: &Place<'_>, bindings: &Bindings) -> String {
        let entry = &mapping.entries[number];
        self.hit[number] = true;
        let mut bindings = bindings.clone();
        bindings.bind("function", format!("\"{}\"", place.function));
        bindings.bind("file", format!("\"{}\"", place.file));
        bindings.bind("line", place.line.to_string());
        if place.mode == Mode::Explain {
            return explained(mapping, number, place, &bindings);
        }
        let site = self.add(&entry.to.replace("{function}", place.function), place);
        let values: Vec<Value> = entry
            .arguments
            .iter()
            .map(|argument| Value { text: bindings.apply(&argument.value), declared: argument.declared })
            .collect();
        let call = tell(site, &values);
        match &entry.when {
            Some(when) => format!("if ({}) {{ {call} }} ", bindings.apply(when)),
            None => call,
        }
    }
}

/// The expressions alone, each under a file name that leads back to it, so that the compiler checks them.
fn explained(mapping: &Mapping, number: usize, place: &Place<'_>, bindings: &Bindings) -> String {
    let entry = &mapping.entries[number];
    let mut out = String::new();
    let mut check = |which: usize, expression: &Expression, declared| {
        let text = bindings.apply(expression);
        let word = word(&Value { text: text.clone(), declared });
        let name = expression_name(number, which);
        let _ = write!(out, "\n# 1 \"{name}\"\n(void)({text}); (void){word};\n# {} \"{}\"\n", place.line, place.file);
    };
    for (which, argument) in entry.arguments.iter().enumerate() {
        check(which, &argument.value, argument.declared);
    }
    if let Some(when) = &entry.when {
        check(entry.arguments.len(), when, Some(ArgumentType::Bool));
    }
    out
}

/// The call of the run time.
pub(super) fn tell(site: usize, values: &[Value]) -> String {
    let tags: Vec<String> = values.iter().map(tag).collect();
    let words: Vec<String> = values.iter().map(word).collect();
    match values.len() {
        0 => format!("referee_ev0(&referee_sites[{site}]); "),
        count @ 1..=4 => {
            let shifted = tags.iter().enumerate().map(|(at, tag)| format!("({tag})<<{}", 4 * at));
            let tags = shifted.collect::<Vec<_>>().join("|");
            format!("referee_ev{count}(&referee_sites[{site}],{tags},{}); ", words.join(","))
        }
        count => format!(
            "{{ static const unsigned char referee_tags[{count}]={{{}}}; referee_word referee_words[{count}]={{{}}}; \
             referee_evn(&referee_sites[{site}],{count},referee_tags,referee_words); }} ",
            tags.join(","),
            words.join(",")
        ),
    }
}

/// The tag of a value, a constant that the compiler works out.
fn tag(value: &Value) -> String {
    let x = &value.text;
    match value.declared {
        Some(ArgumentType::Int) => "1u".to_owned(),
        Some(ArgumentType::Float) => "3u".to_owned(),
        Some(ArgumentType::Pointer) => "4u".to_owned(),
        Some(ArgumentType::String) => "5u".to_owned(),
        Some(ArgumentType::Bool) => "6u".to_owned(),
        None => format!(
            "_Generic(({x}),_Bool:6u,unsigned char:2u,unsigned short:2u,unsigned:2u,unsigned long:2u,unsigned long long:2u,\
             float:3u,double:3u,long double:3u,char*:5u,const char*:5u,\
             default:__builtin_classify_type({x})==5?4u:1u)"
        ),
    }
}

/// The word of a value. Branches of `_Generic` are type-checked whether they are taken or not, so each is right for any scalar.
fn word(value: &Value) -> String {
    let x = &value.text;
    match value.declared {
        Some(ArgumentType::Int) => format!("(referee_word)(long long)({x})"),
        Some(ArgumentType::Float) => format!("referee_real((double)({x}))"),
        Some(ArgumentType::Bool) => format!("(referee_word)!!({x})"),
        Some(ArgumentType::String | ArgumentType::Pointer) => format!("(referee_word)(unsigned long)({x})"),
        None => format!(
            "_Generic(({x}),float:referee_real,double:referee_real,long double:referee_real,default:referee_whole)\
             (_Generic(({x}),float:({x}),double:({x}),long double:({x}),default:(referee_word)({x})))"
        ),
    }
}
