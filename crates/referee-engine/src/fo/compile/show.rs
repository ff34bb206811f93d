//! Formulas of the compiler as text, for `explain`.

use crate::fo::code::expression::{Argument, Compare, Expr, Pattern};
use crate::fo::compile::logic::{Event, Logic};
use crate::fo::types::Var;

/// A formula with the letters a, b, c … for its variables.
pub(crate) fn logic(formula: &Logic) -> String {
    match formula {
        Logic::Constant(truth) => truth.to_string(),
        Logic::Event(event) => self::event(event),
        Logic::Compare(compare) => self::compare(compare),
        Logic::Not(body) => format!("!{}", tight(body)),
        Logic::And(parts) => parts.iter().map(tight).collect::<Vec<_>>().join(" & "),
        Logic::Or(parts) => parts.iter().map(tight).collect::<Vec<_>>().join(" | "),
        Logic::Exists(variables, body) => {
            let variables: Vec<String> = variables.iter().map(|variable| letter(*variable)).collect();
            format!("exists {} . {}", variables.join(" "), tight(body))
        }
        Logic::Prev(body) => format!("@{}", tight(body)),
        Logic::Since(interval, left, right) => {
            let window = match &interval.high {
                _ if interval.is_all() => String::new(),
                Some(high) => format!("[{}, {high}]", interval.low),
                None => format!("[{}, *)", interval.low),
            };
            match &**left {
                Logic::Constant(true) => format!("P{window} {}", tight(right)),
                Logic::Constant(false) => logic(right),
                left => format!("{} S{window} {}", tight(left), tight(right)),
            }
        }
        Logic::Last(event, state) => format!("P ({} & {})", tight(event), tight(state)),
        Logic::Defined(defined) if defined.arguments == defined.parameters => {
            let own = own(defined.number, &defined.parameters);
            let stays = match &defined.left {
                Logic::Constant(false) => String::new(),
                Logic::Constant(true) => format!(" | @{own}"),
                left => format!(" | @{own} & {}", tight(left)),
            };
            format!("{own} := {}{stays}", tight(&defined.right))
        }
        Logic::Defined(defined) => own(defined.number, &defined.arguments),
        Logic::Own(number, arguments) => own(*number, arguments),
        Logic::Part(part, arguments, _) => {
            let arguments: Vec<String> = arguments.iter().map(|argument| letter(*argument)).collect();
            format!("G{part}({})", arguments.join(", "))
        }
    }
}

fn own(number: u32, arguments: &[Var]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|argument| letter(*argument)).collect();
    format!("D{number}({})", arguments.join(", "))
}

fn tight(part: &Logic) -> String {
    match part {
        Logic::And(_) | Logic::Or(_) | Logic::Since(..) | Logic::Exists(..) => format!("({})", logic(part)),
        other => logic(other),
    }
}

fn event(event: &Event) -> String {
    let arguments: Vec<String> = event.arguments.iter().map(argument).collect();
    let condition = event.condition.as_ref().map(|found| format!(" with {}", compare(found))).unwrap_or_default();
    match &event.pattern {
        Pattern::Positional(name, _) => format!("{name}({}){condition}", arguments.join(", ")),
        Pattern::Bare(name) => format!("{name}{condition}"),
        Pattern::Fields(fields) => {
            let fields: Vec<String> =
                fields.iter().zip(arguments).map(|(field, argument)| format!("{field} = {argument}")).collect();
            format!("{{{}}}{condition}", fields.join(", "))
        }
    }
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Any => "_".to_owned(),
        Argument::Var(variable) => letter(*variable),
        Argument::Constant(value) => value.to_string(),
    }
}

fn compare(compare: &Compare) -> String {
    use referee_spec::core::Comparison as C;
    let how = match compare.how {
        C::Equal => "=",
        C::NotEqual => "!=",
        C::Less => "<",
        C::LessOrEqual => "<=",
        C::Greater => ">",
        C::GreaterOrEqual => ">=",
        C::Substring => "substring of",
        C::Matches => "matches",
    };
    format!("{} {how} {}", expr(&compare.left), expr(&compare.right))
}

fn expr(side: &Expr) -> String {
    use referee_spec::core::Arithmetic as A;
    match side {
        Expr::Var(variable) => letter(*variable),
        Expr::Constant(value) => value.to_string(),
        Expr::Field(place) => format!("field {}", place + 1),
        Expr::Time => "time".to_owned(),
        Expr::Negate(body) => format!("-{}", expr(body)),
        Expr::Binary(how, left, right) => {
            let how = match how {
                A::Add => "+",
                A::Subtract => "-",
                _ => "*",
            };
            format!("({} {how} {})", expr(left), expr(right))
        }
    }
}

fn letter(variable: Var) -> String {
    match u8::try_from(variable) {
        Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
        _ => format!("v{variable}"),
    }
}
