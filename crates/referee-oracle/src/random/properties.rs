//! Random sliced properties and traces for them, as text.

use super::rng::Rng;

const EVENTS: [&str; 3] = ["a", "b", "c"];

/// A random property in one of the logics, with up to three parameters.
pub fn random_sliced(rng: &mut Rng) -> String {
    property(rng, ["", "", ""], logic)
}

/// A random property over calls and returns, with few parameters, so that slices are long.
pub fn random_nested(rng: &mut Rng) -> String {
    let roles =
        [rng.pick(&[" call", " call", ""]), rng.pick(&[" return", " return", ""]), rng.pick(&["", "", " call"])];
    property(rng, roles, |rng, end| {
        format!("ptcaret: {} {}", nested(rng, 3, end), rng.pick(&["@violation", "@validation"]))
    })
}

fn property(rng: &mut Rng, roles: [&str; 3], logic: impl Fn(&mut Rng, bool) -> String) -> String {
    let parameters = rng.weighted(&[8, 30, 40, 22]);
    let names = &["x", "y", "z"][..parameters];
    let header: Vec<String> = names.iter().map(|name| format!("T {name}")).collect();
    let full = if rng.chance(30) { "full-binding " } else { "" };
    let mut text = format!("{full}P({}) {{\n", header.join(", "));
    let creation = rng.chance(30);
    for (event, role) in EVENTS.into_iter().zip(roles) {
        let bound: Vec<&str> = names.iter().filter(|_| rng.chance(60)).copied().collect();
        let creation = if creation && rng.chance(50) { "creation " } else { "" };
        text.push_str(&format!("  {creation}event {event}({}){role}\n", bound.join(", ")));
    }
    let end = rng.chance(20);
    if end {
        text.push_str("  event done endtrace\n");
    }
    text.push_str(&format!("  {}\n}}\n", logic(rng, end)));
    text
}

fn event(rng: &mut Rng, end: bool) -> &'static str {
    if end && rng.chance(20) { "done" } else { rng.pick(&EVENTS) }
}

fn logic(rng: &mut Rng, end: bool) -> String {
    match rng.below(6) {
        0 => fsm(rng, end),
        1 => format!("ere: {} {}", ere(rng, 3, end), rng.pick(&["@match", "@fail", "@match @fail"])),
        2 => format!("ltl: {} {}", formula(rng, 2, true, end), rng.pick(&["@violation", "@validation", "@violation"])),
        3 => format!("ptltl: {} {}", formula(rng, 3, false, end), rng.pick(&["@violation", "@validation"])),
        4 => cfg(rng, end),
        _ => srs(rng, end),
    }
}

fn fsm(rng: &mut Rng, end: bool) -> String {
    let mut text = String::from("fsm: ");
    for state in ["s", "t", "u"] {
        text.push_str(&format!("{state} [ "));
        for event in EVENTS.iter().chain(end.then_some(&"done")) {
            if rng.chance(60) {
                text.push_str(&format!("{event} -> {}, ", rng.pick(&["s", "t", "u", state])));
            }
        }
        if rng.chance(25) {
            text.push_str(&format!("default {} ", rng.pick(&["s", "t", "u"])));
        }
        text.push_str("] ");
    }
    text + rng.pick(&["@u", "@fail", "@u @fail", "@t"])
}

fn ere(rng: &mut Rng, depth: usize, end: bool) -> String {
    if depth == 0 || rng.chance(20) {
        return if rng.chance(8) { rng.pick(&["epsilon", "empty"]).to_owned() } else { event(rng, end).to_owned() };
    }
    let (left, right) = (ere(rng, depth - 1, end), ere(rng, depth - 1, end));
    match rng.below(8) {
        0 => format!("({left} | {right})"),
        1 => format!("({left} & {right})"),
        2 => format!("~({left})"),
        3 => format!("({left})*"),
        4 => format!("({left})+"),
        _ => format!("({left} {right})"),
    }
}

fn formula(rng: &mut Rng, depth: usize, future: bool, end: bool) -> String {
    if depth == 0 || rng.chance(15) {
        return if rng.chance(5) { "true".to_owned() } else { event(rng, end).to_owned() };
    }
    let (left, right) = (formula(rng, depth - 1, future, end), formula(rng, depth - 1, future, end));
    let temporal: &[&str] =
        if future { &["[]", "<>", "o", "~o", "(*)", "<*>"] } else { &["(*)", "~(*)", "<*>", "[*]"] };
    match rng.below(8) {
        0 => format!("(not {left})"),
        1 => format!("({left} and {right})"),
        2 => format!("({left} or {right})"),
        3 => format!("({left} => {right})"),
        4 if future => format!("({left} {} {right})", rng.pick(&["U", "R", "~U"])),
        5 => format!("({left} {} {right})", rng.pick(&["S", "~S"])),
        _ => format!("({} {left})", rng.pick(temporal)),
    }
}

fn nested(rng: &mut Rng, depth: usize, end: bool) -> String {
    if depth == 0 || rng.chance(15) {
        return event(rng, end).to_owned();
    }
    let (left, right) = (nested(rng, depth - 1, end), nested(rng, depth - 1, end));
    let unary =
        ["(*)", "<*>", "[*]", "(*a)", "~(*a)", "<*a>", "[*a]", "@b", "@c", "<*s@b>", "[*s@c]", "<*s@bc>", "[*s@b]"];
    match rng.below(8) {
        0 => format!("(not {left})"),
        1 => format!("({left} and {right})"),
        2 => format!("({left} => {right})"),
        3 | 4 => format!("({left} {} {right})", rng.pick(&["S", "Sa", "~Sa", "Ss@b", "Ss@c", "Ss@bc", "~Ss@bc"])),
        _ => format!("({} {left})", rng.pick(&unary)),
    }
}

fn cfg(rng: &mut Rng, end: bool) -> String {
    let mut productions = Vec::new();
    for left in ["S", "A"] {
        for _ in 0..1 + rng.below(3) {
            let parts: Vec<&str> = (0..rng.below(4))
                .map(|_| if rng.chance(45) { rng.pick(&["S", "A"]) } else { event(rng, end) })
                .collect();
            let parts = if parts.is_empty() { "epsilon".to_owned() } else { parts.join(" ") };
            productions.push(format!("{left} -> {parts}"));
        }
    }
    format!("cfg: {} {}", productions.join(", "), rng.pick(&["@match", "@fail", "@match @fail"]))
}

fn srs(rng: &mut Rng, end: bool) -> String {
    let mut text = String::from("srs: ");
    for _ in 0..1 + rng.below(4) {
        let symbol = |rng: &mut Rng| if rng.chance(20) { "E" } else { event(rng, end) };
        let left: Vec<&str> = (0..1 + rng.below(3)).map(|_| symbol(rng)).collect();
        let right: Vec<&str> = (0..rng.below(left.len() + 1)).map(|_| symbol(rng)).collect();
        let right = match rng.below(6) {
            0 => "#succeed".to_owned(),
            1 => "#fail".to_owned(),
            _ if right.is_empty() => "epsilon".to_owned(),
            _ => right.join(" "),
        };
        let (start, end) = (if rng.chance(15) { "^ " } else { "" }, if rng.chance(15) { " $" } else { "" });
        text.push_str(&format!("{start}{}{end} -> {right} . ", left.join(" ")));
    }
    text + rng.pick(&["@succeed", "@fail", "@succeed @fail"])
}

/// A random trace for a property: its events with few values.
pub fn random_slices(rng: &mut Rng, property: &str) -> String {
    let arity = |event: &str| {
        let start = property.find(&format!("event {event}(")).unwrap_or(0);
        let rest = &property[start..];
        let inside = &rest[rest.find('(').map_or(0, |at| at + 1)..rest.find(')').unwrap_or(0)];
        inside.split(',').filter(|part| !part.trim().is_empty()).count()
    };
    let length = rng.below(13);
    let events: Vec<String> = (0..length)
        .map(|_| {
            let event = rng.pick(&EVENTS);
            let arguments: Vec<&str> = (0..arity(event)).map(|_| rng.pick(&["1", "2", "10e-1"])).collect();
            format!("{event}({})", arguments.join(","))
        })
        .collect();
    events.join(".")
}
