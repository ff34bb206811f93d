//! Events where a variable or a field gets a value.
//!
//! A variable is meant if it is the one of that name at the outermost level: a local one that hides it has another address. A field is
//! meant if it is written through a variable that has the name in the mapping, or belongs to a structure of that name.

use std::ops::Range;

use super::bindings::Bindings;
use super::pass::Pass;
use super::place::Place;
use crate::mapping::Happening;
use crate::syntax::token::TokenKind;
use crate::syntax::words::{begins_statement, is_qualifier, is_storage, is_type};

/// Puts events around an assignment, if the word is what one assigns to and an entry is about it.
pub(super) fn write(pass: &mut Pass<'_, '_>, at: usize, place: &Place<'_>) {
    let mapping = pass.mapping;
    let name = pass.tokens.name(at);
    let is_field = matches!(pass.tokens.before(at), b"." | b"->");
    let is_meant = |number: &usize| {
        let entry = &mapping.entries[*number];
        let is_kind = entry.pattern.object.is_some() == is_field;
        entry.happening == Happening::Write && entry.pattern.name == name && is_kind
    };
    let numbers: Vec<usize> = (0..mapping.entries.len()).filter(is_meant).collect();
    match is_field {
        _ if numbers.is_empty() => {}
        true => field(pass, &numbers, at, place),
        false => variable(pass, &numbers, at, place),
    }
}

/// The whole of an assignment, and whether its value is that from before.
struct Assignment {
    range: Range<usize>,
    is_postfix: bool,
}

/// The assignment to what lies in this range of tokens, if there is one.
fn assignment(pass: &Pass<'_, '_>, target: Range<usize>) -> Option<Assignment> {
    let tokens = pass.tokens;
    let before = target.start.checked_sub(1)?;
    let (sign, next) = (tokens.get(before), tokens.get(target.end));
    if matches!(sign, b"++" | b"--") {
        return Some(Assignment { range: before..target.end, is_postfix: false });
    }
    let is_operand = tokens.all[before].kind == TokenKind::Word && !begins_statement(sign);
    if is_operand || matches!(sign, b"*" | b"." | b"->") || is_declared(pass, target.start) {
        return None;
    }
    match next {
        b"++" | b"--" => Some(Assignment { range: target.start..target.end + 1, is_postfix: true }),
        b"=" | b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"&=" | b"|=" | b"^=" | b"<<=" | b">>=" => {
            Some(Assignment { range: target.start..end_of_value(pass, target.end + 1), is_postfix: false })
        }
        _ => None,
    }
}

/// The token behind a value that is assigned: a comma, or what ends the expression around it.
fn end_of_value(pass: &Pass<'_, '_>, start: usize) -> usize {
    let tokens = pass.tokens;
    let (mut at, mut choices) = (start, 0);
    while at < tokens.len() {
        match tokens.get(at) {
            b"," | b";" | b")" | b"]" | b"}" => break,
            b"?" => choices += 1,
            b":" if choices == 0 => break,
            b":" => choices -= 1,
            _ => {}
        }
        at = tokens.last_of(at) + 1;
    }
    at
}

/// Whether a name is declared here, with a first value: `int a, name = 5;`.
fn is_declared(pass: &Pass<'_, '_>, at: usize) -> bool {
    let tokens = pass.tokens;
    let mut start = at;
    while start > 0 {
        match tokens.get(start - 1) {
            b";" | b"{" | b"(" | b"[" | b":" | b"?" => break,
            // A block ends a statement, a list of values does not.
            b"}" if !matches!(tokens.before(tokens.mate(start - 1)), b"=" | b")") => break,
            b")" | b"]" | b"}" => start = tokens.mate(start - 1),
            _ => start -= 1,
        }
    }
    while is_storage(tokens.get(start)) || is_qualifier(tokens.get(start)) {
        start += 1;
    }
    if is_type(tokens.get(start)) {
        return true;
    }
    let is_name = |at: usize| tokens.is_word(at) && !begins_statement(tokens.get(at));
    let mut next = start + 1;
    while tokens.get(next) == b"*" || is_qualifier(tokens.get(next)) {
        next += 1;
    }
    start < at && is_name(start) && is_name(next) && matches!(tokens.get(next + 1), b"=" | b"," | b";" | b"[")
}

fn variable(pass: &mut Pass<'_, '_>, numbers: &[usize], at: usize, place: &Place<'_>) {
    let mapping = pass.mapping;
    let name = pass.tokens.name(at);
    let is_global = pass.unit.variables.get(name.as_bytes()).is_some_and(|declared| *declared < pass.function_start);
    let Some(assignment) = assignment(pass, at..at + 1).filter(|_| is_global) else { return };
    let mut bindings = Bindings::default();
    bindings.bind("value", if assignment.is_postfix { name } else { "referee_value" });
    let events: String = numbers.iter().map(|number| pass.sites.event(mapping, *number, place, &bindings)).collect();
    let range = bytes(pass, &assignment.range);
    let helper = pass.address_of(name);
    let after = format!("); if ((const volatile void *)&({name}) == {helper}()) {{ {events}}} referee_value; }})");
    pass.edits.around(range.start, range.end, "__extension__ ({ __auto_type referee_value = (", after);
}

fn field(pass: &mut Pass<'_, '_>, numbers: &[usize], at: usize, place: &Place<'_>) {
    let operator = at - 1;
    let Some(holder) = operand_start(pass, operator - 1).map(|start| start..operator) else { return };
    let Some(assignment) = assignment(pass, holder.start..at + 1) else { return };
    let events: String = numbers.iter().filter_map(|number| held(pass, *number, &holder, &assignment, place)).collect();
    if events.is_empty() {
        return;
    }
    let new = match assignment.is_postfix {
        true => format!("__auto_type referee_new = ((void)0, referee_object->{}); ", pass.tokens.name(at)),
        false => String::new(),
    };
    let mut sign = "";
    if assignment.range.start < holder.start {
        let prefix = pass.tokens.all[assignment.range.start];
        sign = pass.tokens.name(assignment.range.start);
        pass.edits.replace(prefix.start, prefix.end, "");
    }
    let (take, again) = match pass.tokens.get(operator) {
        b"->" => ("__extension__ ({ __auto_type referee_object = (", "referee_object"),
        _ => ("__extension__ ({ __auto_type referee_object = &(", "(*referee_object)"),
    };
    let (whole, holder) = (bytes(pass, &assignment.range), bytes(pass, &holder));
    pass.edits.opening(holder.start, holder.end + 1, take);
    pass.edits.closing(holder.start, holder.end, format!("); __auto_type referee_value = ({sign}{again}"));
    pass.edits.closing(whole.start, whole.end, format!("); {new}{events}referee_value; }})"));
}

/// The event of one entry, if a field written through this holder may be meant.
fn held(
    pass: &mut Pass<'_, '_>,
    number: usize,
    holder: &Range<usize>,
    assignment: &Assignment,
    place: &Place<'_>,
) -> Option<String> {
    let mapping = pass.mapping;
    let object = mapping.entries[number].pattern.object.as_deref()?;
    let is_named = holder.len() == 1 && pass.tokens.name(holder.start) == object;
    let written = pass.unit.types.get(object.as_bytes()).cloned();
    let mut bindings = Bindings::default();
    bindings.bind("value", if assignment.is_postfix { "referee_new" } else { "referee_value" });
    bindings.bind(object, "referee_held");
    let event = |pass: &mut Pass<'_, '_>| pass.sites.event(mapping, number, place, &bindings);
    match written {
        _ if is_named => {
            let event = event(pass);
            Some(format!("{{ __auto_type referee_held = referee_object; (void)referee_held; {event}}} "))
        }
        // Where the compiler finds another structure, nothing happens; but it checks the types of what it leaves out.
        Some(written) => {
            let event = event(pass);
            Some(format!(
                "if (__builtin_types_compatible_p(__typeof__(*referee_object),{written})) {{ \
                 {written} *referee_held = ({written} *)(void *)referee_object; (void)referee_held; {event}}} "
            ))
        }
        None => None,
    }
}

/// Where the expression begins that ends with this token and holds a field.
fn operand_start(pass: &Pass<'_, '_>, last: usize) -> Option<usize> {
    let tokens = pass.tokens;
    let mut at = last;
    loop {
        match tokens.get(at) {
            b"]" => at = tokens.mate(at).checked_sub(1)?,
            b")" => {
                at = tokens.mate(at);
                let before = at.checked_sub(1)?;
                let is_function =
                    tokens.is_word(before) && !begins_statement(tokens.get(before)) && !is_type(tokens.get(before));
                if !is_function && !matches!(tokens.get(before), b")" | b"]") {
                    return Some(at);
                }
                at = before;
            }
            _ if tokens.is_word(at) && !begins_statement(tokens.get(at)) => match tokens.before(at) {
                b"." | b"->" => at = at.checked_sub(2)?,
                _ => return Some(at),
            },
            _ => return None,
        }
    }
}

fn bytes(pass: &Pass<'_, '_>, range: &Range<usize>) -> Range<u32> {
    pass.tokens.all[range.start].start..pass.tokens.all[range.end - 1].end
}
