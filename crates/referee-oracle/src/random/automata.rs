//! Random quantified automata and traces for them, as text.

use super::rng::Rng;

const VARIABLES: [&str; 3] = ["x", "y", "z"];
const FREE: [&str; 3] = ["f", "g", "n"];
const STATES: [&str; 3] = ["a", "b", "c"];
const VALUES: [&str; 5] = ["1", "2", "3", "w", "10e-1"];

/// An event: its name and, by argument, whether it is usually a quantified variable.
const EVENTS: [(&str, usize); 6] = [("p", 1), ("q", 1), ("r", 2), ("s", 2), ("t", 0), ("u", 3)];

/// A random automaton; one in three has no registers, and most have one to three variables.
pub fn random_automaton(rng: &mut Rng) -> String {
    automaton(rng, 75)
}

/// A random automaton whose quantifiers are as often existential as universal.
pub fn random_mixed_automaton(rng: &mut Rng) -> String {
    automaton(rng, 50)
}

fn automaton(rng: &mut Rng, universal: usize) -> String {
    let variables = rng.weighted(&[3, 30, 45, 22]);
    let registers = rng.chance(60);
    let mut text = String::from("qea {\n");
    for variable in &VARIABLES[..variables] {
        let quantifier = if rng.chance(universal) { "forall" } else { "exists" };
        text.push_str(&format!("  {quantifier}({variable})\n"));
    }
    if variables > 1 && rng.chance(40) {
        let condition = rng.pick(&["x != y", "x = y", "x < y", "y != 1", "not (x = 1) and y != x"]);
        text.push_str(&format!("  where({condition})\n"));
    }
    if variables > 1 && rng.chance(30) {
        text.push_str(rng.pick(&["  join(x, y)\n", "  join(y, x)\n"]));
    }
    if rng.chance(8) {
        text.push_str("  negated\n");
    }
    let open = registers && rng.chance(8);
    states(rng, &mut text, |rng| transition(rng, variables, registers, open));
    text
}

/// A random automaton without registers in which `x` and `y` can be exchanged: each transition comes with its mirror image. The states `b` and
/// `c` are images of each other or of themselves, and one in four is spoilt in one place, so that it only looks like one.
pub fn random_symmetric_automaton(rng: &mut Rng) -> String {
    let crossed = rng.chance(60);
    let variables = if rng.chance(30) { 3 } else { 2 };
    let mut text = String::from("qea {\n");
    for variable in &VARIABLES[..variables] {
        text.push_str(&format!("  {}({variable})\n", if rng.chance(75) { "forall" } else { "exists" }));
    }
    if rng.chance(40) {
        text.push_str(&format!("  where({})\n", rng.pick(&["x != y", "x < y", "y != 1", "x = y"])));
    }
    if rng.chance(10) {
        text.push_str("  negated\n");
    }
    let mirrored = |state: &'static str| match state {
        "b" if crossed => "c",
        "c" if crossed => "b",
        other => other,
    };
    let mut lines: Vec<(&str, String)> = Vec::new();
    for _ in 0..2 + rng.below(6) {
        let (state, to) = (rng.pick(&STATES), target(rng));
        let (event, arity) = rng.pick(&EVENTS);
        let arguments: Vec<&str> = (0..arity)
            .map(|_| if rng.chance(85) { VARIABLES[rng.below(variables)] } else { rng.pick(&["_", "1", "f"]) })
            .collect();
        let swapped: Vec<&str> = (arguments.iter())
            .map(|argument| match *argument {
                "x" => "y",
                "y" => "x",
                other => other,
            })
            .collect();
        lines.push((state, format!("{event}({}) -> {to}", arguments.join(", "))));
        lines.push((mirrored(state), format!("{event}({}) -> {}", swapped.join(", "), mirrored(to))));
    }
    let kinds: Vec<(bool, bool)> = STATES.iter().map(|_| (rng.chance(55), rng.chance(65))).collect();
    let spoilt = rng.chance(25);
    for (number, state) in STATES.into_iter().enumerate() {
        let (mut accept, mut skip) = kinds[if crossed && number == 2 { 1 } else { number }];
        if spoilt && number == 2 {
            (accept, skip) = if rng.chance(50) { (!accept, skip) } else { (accept, !skip) };
        }
        let (accept, mode) = (if accept { "accept " } else { "" }, if skip { "skip" } else { "next" });
        text.push_str(&format!("  {accept}{mode}({state}) {{\n"));
        for (_, line) in lines.iter().filter(|(from, _)| *from == state) {
            text.push_str(&format!("    {line}\n"));
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

/// A random automaton with registers of which every event belongs to one binding: all events show all variables, in one way each.
pub fn random_lone_automaton(rng: &mut Rng) -> String {
    let both = rng.chance(30);
    let variables = if both { "x, y" } else { "x" };
    let mut text = format!("qea {{\n  forall({variables})\n");
    states(rng, &mut text, |rng| {
        let free = rng.pick(&["f", "g", "_"]);
        let (event, bound): (String, &[&str]) = match (both, rng.below(4)) {
            (true, 0 | 1) => ("r(x, y)".to_owned(), &["x", "y"]),
            (true, _) => ("s(y, x)".to_owned(), &["x", "y"]),
            (false, 0) => ("p(x)".to_owned(), &["x"]),
            (false, 1) => ("q(x)".to_owned(), &["x"]),
            (false, 2) => (format!("r(x, {free})"), &["x"]),
            (false, _) => (format!("s({free}, x)"), &["x"]),
        };
        actions(rng, event, bound)
    });
    text
}

/// Adds states with transitions, and what closes the automaton.
fn states(rng: &mut Rng, text: &mut String, transition: impl Fn(&mut Rng) -> String) {
    for state in STATES {
        let accept = if rng.chance(55) { "accept " } else { "" };
        let mode = if rng.chance(65) { "skip" } else { "next" };
        text.push_str(&format!("  {accept}{mode}({state}) {{\n"));
        for _ in 0..rng.below(4) {
            text.push_str(&format!("    {}\n", transition(rng)));
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
}

fn transition(rng: &mut Rng, variables: usize, registers: bool, open: bool) -> String {
    let (event, arity) = rng.pick(&EVENTS);
    let mut bound: Vec<&str> = Vec::new();
    let mut arguments: Vec<&str> = Vec::new();
    for _ in 0..arity {
        let argument = if variables > 0 && rng.chance(75) {
            VARIABLES[rng.below(variables)]
        } else if registers && rng.chance(80) {
            rng.pick(&FREE)
        } else {
            rng.pick(&["_", "1", "_"])
        };
        arguments.push(argument);
        if VARIABLES.contains(&argument) {
            bound.push(argument);
        }
    }
    if open && variables > 0 {
        bound = VARIABLES[..variables].to_vec();
    }
    let text = format!("{event}({})", arguments.join(", "));
    if registers { actions(rng, text, &bound) } else { format!("{text} -> {}", target(rng)) }
}

/// What follows an event that binds these variables: a guard, a statement, and where it leads.
fn actions(rng: &mut Rng, mut text: String, bound: &[&'static str]) -> String {
    if rng.chance(40) {
        text.push_str(&format!(" if [{}]", guard(rng, bound)));
    }
    if rng.chance(35) {
        text.push_str(&format!(" do [{}]", statement(rng, bound)));
    }
    text.push_str(&format!(" -> {}", target(rng)));
    if rng.chance(12) {
        text.push_str(&format!(" else -> {}", target(rng)));
    }
    text
}

fn target(rng: &mut Rng) -> &'static str {
    rng.pick(&["a", "b", "c", "a", "b", "c", "failure", "success"])
}

fn value(rng: &mut Rng, bound: &[&'static str]) -> String {
    match rng.below(5) {
        0 if !bound.is_empty() => rng.pick(bound).to_owned(),
        0 | 1 => rng.pick(&["1", "2", "3", "\"w\""]).to_owned(),
        2 if rng.chance(25) => {
            format!("{} {} {}", rng.pick(&FREE), rng.pick(&["+", "-", "/"]), rng.pick(&["1", "f", "0"]))
        }
        _ => rng.pick(&FREE).to_owned(),
    }
}

fn guard(rng: &mut Rng, bound: &[&'static str]) -> String {
    match rng.below(8) {
        0 => format!("{} in S", value(rng, bound)),
        1 => "empty(S)".to_owned(),
        2 => format!("not {} = {}", rng.pick(&FREE), value(rng, bound)),
        3 => format!("{} and {}", comparison(rng, bound), comparison(rng, bound)),
        4 => format!("{} or {}", comparison(rng, bound), comparison(rng, bound)),
        _ => comparison(rng, bound),
    }
}

fn comparison(rng: &mut Rng, bound: &[&'static str]) -> String {
    format!("{} {} {}", value(rng, bound), rng.pick(&["=", "!=", "<", ">="]), value(rng, bound))
}

fn statement(rng: &mut Rng, bound: &[&'static str]) -> String {
    match rng.below(7) {
        0 => format!("S.add({})", value(rng, bound)),
        1 => "S.remove(f)".to_owned(),
        2 => "S := {}".to_owned(),
        3 => "n++".to_owned(),
        4 => "n := 0".to_owned(),
        5 => "g := f".to_owned(),
        _ => format!("n := {}", value(rng, bound)),
    }
}

/// A random trace over the same events.
pub fn random_run(rng: &mut Rng) -> String {
    let length = rng.below(13);
    let few = 1 + rng.below(VALUES.len());
    let events: Vec<String> = (0..length)
        .map(|_| {
            let (event, arity) = rng.pick(&EVENTS);
            let arguments: Vec<&str> = (0..arity).map(|_| VALUES[rng.below(few)]).collect();
            format!("{event}({})", arguments.join(","))
        })
        .collect();
    events.join(".")
}
