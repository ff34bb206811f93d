//! Random guarded commands, RuleR rules and LogFire rules, and traces for them, as text.

use super::rng::Rng;

const VALUES: [&str; 5] = ["1", "2", "3", "w", "10e-1"];

/// The events and how many arguments they have.
const EVENTS: [(&str, usize); 5] = [("p", 1), ("q", 1), ("r", 2), ("s", 2), ("t", 0)];

/// A random trace over the events of random rules, with some that nobody mentions.
pub fn random_events(rng: &mut Rng) -> String {
    let length = rng.below(13);
    let few = 1 + rng.below(VALUES.len());
    let mut events = Vec::new();
    for _ in 0..length {
        let (event, arity) = rng.pick(&EVENTS);
        let event = if rng.chance(5) { "u" } else { event };
        let arguments: Vec<&str> = (0..arity).map(|_| VALUES[rng.below(few)]).collect();
        events.push(format!("{event}({})", arguments.join(",")));
    }
    events.join(".")
}

fn comparison(rng: &mut Rng, left: &str, right: &str) -> String {
    format!("{left} {} {right}", rng.pick(&["=", "!=", "<", ">=", "<=", ">"]))
}

// ── Guarded commands ────────────────────────────────────────────────────────────────────────────────────────────────

/// Random guarded commands over a variable, a set, a set of pairs and a map.
pub fn random_commands(rng: &mut Rng) -> String {
    let mut text = String::new();
    if rng.chance(60) {
        text.push_str(rng.pick(&["var n = 0;\n", "var n = 1;\nset s;\n", "var n = \"w\";\n"]));
    }
    for _ in 0..2 + rng.below(5) {
        let (event, arity) = rng.pick(&EVENTS);
        let names = &["x", "y"][..arity];
        let arguments: Vec<&str> =
            names.iter().map(|name| if rng.chance(85) { *name } else { rng.pick(&["_", "1", "x"]) }).collect();
        let bound: Vec<&str> = names.iter().copied().filter(|name| arguments.contains(name)).collect();
        let pattern =
            if rng.chance(10) { format!("*.{event}(..)") } else { format!("{event}({})", arguments.join(", ")) };
        let bound = if pattern.ends_with("..)") { Vec::new() } else { bound };
        let condition = if rng.chance(75) { command_condition(rng, &bound, 0) } else { String::new() };
        let actions: Vec<String> = (0..1 + rng.below(3)).map(|_| command_action(rng, &bound)).collect();
        text.push_str(&format!("{pattern} | {condition} -> {};\n", actions.join("; ")));
    }
    text
}

fn command_value(rng: &mut Rng, bound: &[&str]) -> String {
    match rng.below(12) {
        0 => rng.pick(&["1", "2", "\"w\"", "true"]).to_owned(),
        1 => "n".to_owned(),
        2 => format!("m[{}]", command_atom(rng, bound)),
        3 => format!("n {} {}", rng.pick(&["+", "-", "*", "/", "mod"]), command_atom(rng, bound)),
        4 => rng.pick(&["size(s)", "m.size()", "d.size()"]).to_owned(),
        _ => command_atom(rng, bound),
    }
}

fn command_atom(rng: &mut Rng, bound: &[&str]) -> String {
    if bound.is_empty() || rng.chance(15) { rng.pick(&["1", "2", "n"]).to_owned() } else { rng.pick(bound).to_owned() }
}

fn command_condition(rng: &mut Rng, bound: &[&str], depth: usize) -> String {
    match rng.below(if depth > 1 { 7 } else { 10 }) {
        0 => format!("s.contains({})", command_value(rng, bound)),
        1 => format!("d.contains({}, {})", command_atom(rng, bound), command_atom(rng, bound)),
        2 => format!("{} in m", command_value(rng, bound)),
        3 => format!("{} {} null", rng.pick(&["n", "m[1]", "m[n]"]), rng.pick(&["==", "!="])),
        4..=6 => {
            let (left, right) = (command_value(rng, bound), command_value(rng, bound));
            comparison(rng, &left, &right)
        }
        7 => format!("!({})", command_condition(rng, bound, depth + 1)),
        8 => format!("({} && {})", command_condition(rng, bound, depth + 1), command_condition(rng, bound, depth + 1)),
        _ => format!("({} || {})", command_condition(rng, bound, depth + 1), command_condition(rng, bound, depth + 1)),
    }
}

fn command_action(rng: &mut Rng, bound: &[&str]) -> String {
    match rng.below(12) {
        0 | 1 => format!("s.add({})", command_value(rng, bound)),
        2 => format!("s.remove({})", command_value(rng, bound)),
        3 => format!("d.add({}, {})", command_atom(rng, bound), command_atom(rng, bound)),
        4 => format!("d.remove({}, {})", command_atom(rng, bound), command_atom(rng, bound)),
        5 | 6 => format!("m[{}] = {}", command_atom(rng, bound), command_value(rng, bound)),
        7 => rng.pick(&["m.remove(1)", "s.clear()", "n++", "m[2]++"]).to_owned(),
        8 => format!("n = {}", command_value(rng, bound)),
        _ => rng.pick(&["fail", "fail(\"a\")", "fail(\"b\")"]).to_owned(),
    }
}

// ── Rules over facts ────────────────────────────────────────────────────────────────────────────────────────────────

/// The facts and how many values they have.
const FACTS: [(&str, usize); 4] = [("A", 1), ("B", 2), ("C", 0), ("D", 2)];
const VARIABLES: [&str; 3] = ["x", "y", "z"];

/// The arguments of a pattern; those that are variables are noted.
fn pattern_arguments(rng: &mut Rng, arity: usize, bound: &mut Vec<&'static str>) -> String {
    let mut arguments: Vec<&str> = Vec::new();
    for _ in 0..arity {
        if rng.chance(82) {
            let variable = rng.pick(&VARIABLES);
            if !bound.contains(&variable) {
                bound.push(variable);
            }
            arguments.push(variable);
        } else {
            arguments.push(rng.pick(&["_", "1", "\"w\"", "_"]));
        }
    }
    arguments.join(", ")
}

fn fact_value(rng: &mut Rng, bound: &[&'static str]) -> String {
    match rng.below(9) {
        0 => rng.pick(&["1", "2", "\"w\""]).to_owned(),
        1 if !bound.is_empty() => {
            format!("{} {} {}", rng.pick(bound), rng.pick(&["+", "/", "-"]), rng.pick(&["1", "2", "x"]))
                .replace(" x", if bound.contains(&"x") { " x" } else { " 1" })
        }
        2 if rng.chance(30) => rng.pick(&["size(A)", "size(B)"]).to_owned(),
        _ if bound.is_empty() => rng.pick(&["1", "2", "3"]).to_owned(),
        _ => rng.pick(bound).to_owned(),
    }
}

fn fact_values(rng: &mut Rng, arity: usize, bound: &[&'static str]) -> String {
    (0..arity).map(|_| fact_value(rng, bound)).collect::<Vec<_>>().join(", ")
}

/// The arguments of a fact that must not hold, or that is removed: some stand for any value.
fn loose_values(rng: &mut Rng, arity: usize, bound: &[&'static str]) -> String {
    let value = |rng: &mut Rng| if rng.chance(25) { "_".to_owned() } else { fact_value(rng, bound) };
    (0..arity).map(|_| value(rng)).collect::<Vec<_>>().join(", ")
}

/// The conditions of a rule, and the variables that they bind; `own` are bound already.
fn fact_conditions(rng: &mut Rng, own: &[&'static str], not: &str) -> (Vec<String>, Vec<&'static str>) {
    let mut bound = own.to_vec();
    let mut conditions = Vec::new();
    if rng.chance(88) {
        let (event, arity) = rng.pick(&EVENTS);
        conditions.push(format!("{event}({})", pattern_arguments(rng, arity, &mut bound)));
    }
    for _ in 0..rng.weighted(&[40, 40, 18, 4]) {
        let (fact, arity) = rng.pick(&FACTS);
        conditions.push(format!("{fact}({})", pattern_arguments(rng, arity, &mut bound)));
    }
    for _ in 0..rng.weighted(&[45, 40, 15]) {
        let condition = fact_guard(rng, &bound, not);
        conditions.push(condition);
    }
    if rng.chance(30) {
        conditions.reverse();
    }
    if conditions.is_empty() {
        conditions.push("t()".to_owned());
    }
    (conditions, bound)
}

fn fact_guard(rng: &mut Rng, bound: &[&'static str], not: &str) -> String {
    match rng.below(7) {
        0..=2 => {
            let (fact, arity) = rng.pick(&FACTS);
            format!("{not}{fact}({})", loose_values(rng, arity, bound))
        }
        3 => {
            let (event, arity) = rng.pick(&EVENTS);
            let arguments: Vec<&str> = (0..arity).map(|_| rng.pick(&["_", "1", "x"])).collect();
            format!("{not}{event}({})", arguments.join(", "))
        }
        4 => {
            let (left, right) = (fact_value(rng, bound), fact_value(rng, bound));
            let other = loose_values(rng, 1, bound);
            format!("({} or A({other}))", comparison(rng, &left, &right))
        }
        _ => {
            let (left, right) = (fact_value(rng, bound), fact_value(rng, bound));
            comparison(rng, &left, &right)
        }
    }
}

/// Random RuleR rules: each fact is a rule of some kind, and its own rules take its arguments.
pub fn random_ruler(rng: &mut Rng) -> String {
    let mut text = String::from("ruler R {\n  observes p(obj), q(obj), r(obj, obj), s(obj, obj), t();\n");
    text.push_str("  always Start {\n");
    ruler_rules(rng, &[], &mut text);
    text.push_str("  }\n");
    for (fact, arity) in FACTS {
        let kind = rng.pick(&["state", "state", "step", "always"]);
        let own = &VARIABLES[..arity];
        text.push_str(&format!("  {kind} {fact}({}) {{\n", own.join(", ")));
        ruler_rules(rng, own, &mut text);
        text.push_str("  }\n");
    }
    let initials = rng.pick(&["Start", "Start, A(1)", "Start, B(1, \"w\"), C"]);
    text.push_str(&format!("  initials {initials};\n"));
    if rng.chance(40) {
        text.push_str(rng.pick(&["  forbidden A;\n", "  forbidden B, C;\n", "  forbidden D;\n"]));
    }
    text.push_str("}\n");
    text
}

fn ruler_rules(rng: &mut Rng, own: &[&'static str], text: &mut String) {
    for _ in 0..rng.below(3) + usize::from(own.is_empty()) {
        let (conditions, bound) = fact_conditions(rng, own, "!");
        let targets: Vec<String> = (0..1 + rng.below(2)).map(|_| ruler_target(rng, &bound)).collect();
        text.push_str(&format!("    {} -> {};\n", conditions.join(", "), targets.join(", ")));
    }
}

fn ruler_target(rng: &mut Rng, bound: &[&'static str]) -> String {
    let (fact, arity) = rng.pick(&FACTS);
    match rng.below(8) {
        0 => "Ok".to_owned(),
        1 | 2 => rng.pick(&["Fail", "Fail(\"a\")"]).to_owned(),
        3 => format!("!{fact}({})", loose_values(rng, arity, bound)),
        _ => format!("{fact}({})", fact_values(rng, arity, bound)),
    }
}

/// Random LogFire rules.
pub fn random_logfire(rng: &mut Rng) -> String {
    let mut text = String::new();
    if rng.chance(50) {
        text.push_str("event p(x), q, r(x, y), s(x, y), t(), u\n");
    }
    for (fact, arity) in FACTS {
        let hot = if rng.chance(25) { "hot " } else { "" };
        text.push_str(&format!("{hot}fact {fact}({})\n", VARIABLES[..arity].join(", ")));
    }
    for number in 0..2 + rng.below(4) {
        let (conditions, bound) = fact_conditions(rng, &[], "not ");
        let actions: Vec<String> = (0..1 + rng.below(2)).map(|_| logfire_action(rng, &conditions, &bound)).collect();
        text.push_str(&format!("rule r{number}: {} -> {}\n", conditions.join(" & "), actions.join(", ")));
    }
    text
}

fn logfire_action(rng: &mut Rng, conditions: &[String], bound: &[&'static str]) -> String {
    let (fact, arity) = rng.pick(&FACTS);
    let matched = conditions.iter().filter(|condition| condition.starts_with(&format!("{fact}("))).count();
    match rng.below(8) {
        0 | 1 => rng.pick(&["fail", "fail \"a\"", "fail(\"b\")"]).to_owned(),
        2 | 3 => format!("remove {fact}({})", loose_values(rng, arity, bound)),
        4 if matched == 1 => format!("update {fact}({})", fact_values(rng, arity, bound)),
        _ => format!("insert {fact}({})", fact_values(rng, arity, bound)),
    }
}
