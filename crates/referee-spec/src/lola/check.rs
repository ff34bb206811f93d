//! What is checked when names and types are known: keys, and circles.

use crate::core::Span;
use crate::core::stream::{
    Circle, Concern, Expr, ExprKind, InstanceReach, Moment, Piece, Program, Template, delays, reach,
};
use crate::diagnostic::Diagnostic;

/// Checks that every key is of the types of its stream's parameters.
pub(super) fn check_keys(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let mut check = |expression: &Expr| {
        expression.references(&mut |reference| {
            let Some(output) = program.output(reference.access.stream) else { return };
            for (part, parameter) in reference.access.key.iter().zip(&output.template.parameters) {
                let is_number = |value_type| {
                    value_type != referee_trace::value::Type::String
                        && value_type != referee_trace::value::Type::Boolean
                };
                let same = part.value_type == parameter.value_type
                    || (is_number(part.value_type) && is_number(parameter.value_type));
                if !same {
                    let message =
                        format!("`{}` is a {}, found a {}", parameter.name, parameter.value_type, part.value_type);
                    let error = Diagnostic::error("E0910", part.span, message);
                    diagnostics.push(error.hint("a key is of the type of the parameter"));
                }
            }
        });
    };
    for (_, template) in program.templates() {
        template.clauses(&mut |clause| clause.expressions.into_iter().for_each(&mut check));
    }
    for piece in program.triggers.iter().flat_map(|trigger| &trigger.message) {
        if let Piece::Value(value) = piece {
            check(value);
        }
    }
}

/// Reports a circle, drawn.
pub(super) fn check_circles(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let Err(Circle { links, waits }) = delays(program) else { return };
    let Some((first, span)) = links.first().copied() else { return };
    let name = |stream| program.stream_name(stream).to_string();
    let mut drawn: Vec<String> = links.iter().map(|(stream, _)| name(*stream)).collect();
    drawn.push(name(first));
    let circle = drawn.join(" → ");
    let mut error = match waits {
        false => Diagnostic::error("E0914", span, format!("`{}` needs itself at the same step: {circle}", name(first)))
            .hint("let one of them read the past: `s[-1, 0]`, `s.last(or: 0)` or `s.offset(by: -1).defaults(to: 0)`"),
        true => Diagnostic::error("E0915", span, format!("`{}` waits for its own future: {circle}", name(first)))
            .hint("let the offsets along the circle add up to less than 0"),
    };
    for (index, (_, span)) in links.iter().enumerate().skip(1) {
        error = error.related(*span, format!("reads `{}` here", drawn[index + 1]));
    }
    diagnostics.push(error);
}

/// The places at which all live instances must be visited at every step, or all with a part of a key, as lints.
pub(super) fn lint_scans(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let outputs = program.outputs.iter().map(|output| (&output.template, false));
    let at_steps = program.triggers.iter().filter(|trigger| trigger.moment == Moment::Step);
    let templates = outputs.chain(at_steps.map(|trigger| (&trigger.template, true)));
    for (template, is_trigger) in templates.filter(|(template, _)| !template.parameters.is_empty()) {
        for eval in &template.evals {
            let all: Vec<usize> = (0..template.parameters.len()).collect();
            let reach = reach(template, [Concern::of_eval(eval, is_trigger)]);
            let in_part = reach != InstanceReach::All;
            let missing = match reach {
                InstanceReach::All => all,
                InstanceReach::Keys(sources) => {
                    let named = |index: &usize| sources.iter().all(|source| source.columns().contains(index));
                    all.into_iter().filter(|index| !named(index)).collect()
                }
            };
            if !missing.is_empty() {
                let place = eval.when.as_ref().unwrap_or(&eval.with);
                diagnostics.push(scan(template, &missing, in_part, is_trigger, place.span));
            }
        }
    }
}

/// What is said of a clause that does not tell some parameters, though perhaps others, or here these and there those.
fn scan(template: &Template, missing: &[usize], in_part: bool, is_trigger: bool, place: Span) -> Diagnostic {
    let names = |wanted: &mut dyn Iterator<Item = usize>| {
        wanted.map(|index| &*template.parameters[index].name).collect::<Vec<&str>>().join(", ")
    };
    let unknown = names(&mut missing.iter().copied());
    let known = names(&mut (0..template.parameters.len()).filter(|index| !missing.contains(index)));
    let visited = match (known.is_empty(), in_part) {
        (false, _) => format!(" with this {known}"),
        (true, true) => " with one of these parts".to_owned(),
        (true, false) => String::new(),
    };
    let message = format!("nothing says which {unknown} this concerns: all live instances{visited} are visited");
    let first = missing.first().map_or("p", |index| &*template.parameters[*index].name);
    let hint = match (is_trigger, in_part) {
        (false, false) => format!("name the key: `eval when x = {first} with …`"),
        (true, false) => format!("name the key: `eval when x = {first} and …`"),
        (_, true) => format!("name the rest of the key: `… and x = {first}`"),
    };
    Diagnostic::warning("L0901", place, message).hint(hint)
}

/// Whether a condition is a constant that makes its trigger useless. With parameters, the trace decides which there are.
pub(super) fn lint_triggers(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let alone = program.triggers.iter().filter(|trigger| trigger.template.parameters.is_empty());
    for eval in alone.flat_map(|trigger| &trigger.template.evals) {
        if let ExprKind::Constant(_) = eval.with.kind {
            let error = Diagnostic::warning("L0902", eval.with.span, "this trigger does not depend on the trace");
            diagnostics.push(error.hint("write a condition over streams"));
        }
    }
}
