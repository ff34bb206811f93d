//! Events where the program calls a function of a library.
//!
//! The arguments are worked out first, so that the event comes after what they do and before what the call does. A function of the program tells of its calls itself; which it is shows when the program is linked.

use std::ops::Range;

use referee_trace::error::TraceError;

use super::bindings::{Bindings, positions};
use super::pass::Pass;
use super::place::Place;
use crate::syntax::declarator::{Parameters, parts};
use crate::syntax::token::TokenKind;
use crate::syntax::words::{begins_statement, begins_type, is_keyword};

/// Puts events around a call, if it is one and any entry is about it.
pub(super) fn call(pass: &mut Pass<'_, '_>, at: usize, place: &Place<'_>) -> Result<(), TraceError> {
    let mapping = pass.mapping;
    let name = pass.tokens.name(at);
    let is_meant = |number: &usize| {
        let entry = &mapping.entries[*number];
        entry.happening.is_at_calls() && entry.pattern.matches(name)
    };
    let numbers: Vec<usize> = (0..mapping.entries.len()).filter(is_meant).collect();
    if numbers.is_empty() || name.starts_with("__builtin_") || pass.defines(name) || !is_call(pass, at) {
        return Ok(());
    }
    let arguments = parts(pass.tokens, at + 1);
    let (mut before, mut after) = (String::new(), String::new());
    for number in numbers {
        let entry = &mapping.entries[number];
        let unknown = Parameters { names: vec![None; arguments.len()], variadic: true };
        let known = pass.unit.prototypes.get(name.as_bytes()).map_or(&unknown, |prototype| &prototype.parameters);
        let mut bindings = Bindings::default();
        for (parameter, position) in positions(mapping, entry, name, known)? {
            // What a function with a varying number of arguments is not given is 0.
            let text = if position < arguments.len() { format!("referee_a{position}") } else { "0".to_owned() };
            bindings.bind(parameter, text);
        }
        bindings.bind("result", "referee_result");
        let event = pass.sites.event(mapping, number, place, &bindings);
        let event = format!("if (!&referee_defined_{name}) {{ {event}}} ");
        if entry.happening.is_begin() { before.push_str(&event) } else { after.push_str(&event) }
    }
    pass.called.insert(name);
    rewrite(pass, at, &arguments, &before, &after);
    Ok(())
}

/// Whether a name before brackets is called, and not declared or a field.
fn is_call(pass: &Pass<'_, '_>, at: usize) -> bool {
    let tokens = pass.tokens;
    match tokens.before(at) {
        b"." | b"->" => false,
        b"*" => {
            let mut first = at;
            while first > 0 && tokens.before(first) == b"*" {
                first -= 1;
            }
            // `type *name(…)` begins a statement; a product that nobody uses is not written.
            let is_type = first > 0 && tokens.is_word(first - 1) && !begins_statement(tokens.get(first - 1));
            let before_type = if first > 1 { tokens.get(first - 2) } else { b"" };
            let is_statement = matches!(before_type, b";" | b"{" | b"}") || begins_type(before_type);
            !(is_type && (is_statement || begins_type(tokens.get(first - 1))))
        }
        before => {
            let is_word = at > 0 && tokens.is_word(at - 1);
            !is_word || (begins_statement(before) && before != b"goto")
        }
    }
}

fn rewrite(pass: &mut Pass<'_, '_>, at: usize, arguments: &[Range<usize>], before: &str, after: &str) {
    let tokens = pass.tokens;
    let name = tokens.name(at);
    let (word, open, close) = (tokens.all[at], tokens.all[at + 1], tokens.all[tokens.mate(at + 1)]);
    pass.edits.opening(word.start, close.end, "__extension__ ({ ");
    pass.edits.replace(word.start, word.end, "");
    pass.edits.replace(open.start, open.end, "");
    for (position, argument) in arguments.iter().enumerate() {
        let (start, end) = (tokens.all[argument.start].start, tokens.all[argument.end - 1].end);
        pass.edits.around(start, end, format!("__auto_type referee_a{position} = ((void)0, ("), "));");
        if position > 0 {
            let comma = tokens.all[argument.start - 1];
            pass.edits.replace(comma.start, comma.end, " ");
        }
    }
    let given: Vec<String> = arguments
        .iter()
        .enumerate()
        .map(|(position, argument)| constant(pass, argument).unwrap_or_else(|| format!("referee_a{position}")))
        .collect();
    let call = format!("{name}({})", given.join(","));
    let nothing = format!("__builtin_types_compatible_p(__typeof__({call}),void)");
    let text = match after.is_empty() {
        true => format!(" {before}{call}; }})"),
        // Whether the function has a result is the compiler's to know.
        false => format!(
            " {before}__typeof__(__builtin_choose_expr({nothing},0,{call})) referee_result = \
             __builtin_choose_expr({nothing},({call},0),{call}); {after}\
             __builtin_choose_expr({nothing},(void)0,referee_result); }})"
        ),
    };
    pass.edits.replace(close.start, close.end, text);
    // A value whose address was taken lives as long as the block that it was written in, which is now a smaller one.
    pass.keeps_stack |= arguments.iter().any(|argument| has_compound_literal(pass, argument.clone()));
}

/// An argument that is a constant is given as it is: a null pointer is one by its text, and formats are checked.
fn constant(pass: &Pass<'_, '_>, argument: &Range<usize>) -> Option<String> {
    let is_constant = |at: usize| match pass.tokens.all[at].kind {
        TokenKind::Number | TokenKind::Literal => true,
        TokenKind::Word => matches!(pass.tokens.get(at), b"void" | b"char" | b"const"),
        TokenKind::Sign => matches!(pass.tokens.get(at), b"(" | b")" | b"*"),
    };
    let words: Vec<&str> = argument.clone().map(|at| pass.tokens.name(at)).collect();
    argument.clone().all(is_constant).then(|| words.join(" "))
}

fn has_compound_literal(pass: &Pass<'_, '_>, mut argument: Range<usize>) -> bool {
    argument.any(|at| pass.tokens.get(at) == b"{" && pass.tokens.before(at) == b")")
}

/// Whether a word stands before brackets and could be a function.
pub(super) fn may_be_call(pass: &Pass<'_, '_>, at: usize) -> bool {
    pass.tokens.get(at + 1) == b"(" && !is_keyword(pass.tokens.get(at))
}
