//! Random DATEs and timed traces for them, as text: one line each, so that a shrinker can take them out.

use super::rng::Rng;

/// What a scope may speak of: its events, conditions and statements, inner ones last.
#[derive(Default, Clone)]
struct Words {
    events: Vec<&'static str>,
    guards: Vec<&'static str>,
    statements: Vec<&'static str>,
}

/// An event line, what it lets its transitions say, and how likely it is there.
type EventLine = (&'static str, &'static str);

const GLOBAL_EVENTS: [EventLine; 8] = [
    ("gp", "gp(x) = { p(x) }"),
    ("gr", "gr() = { r(x, y) }"),
    ("gq", "gq() = { q(x) | p(1) }"),
    ("gs", "gs() = { s() }"),
    ("any", "any() = { r(x, ..) | s(..) }"),
    ("gt", "gt() = { c@2 }"),
    ("gu", "gu() = { c@5 | c@3 }"),
    ("got", "got() = { k.receive(x) }"),
];
const USER_EVENTS: [EventLine; 9] = [
    ("up", "up() = { p(u) }"),
    ("ur", "ur() = { r(u, y) }"),
    ("ry", "ry() = { r(z, w) } where u = w;"),
    ("rr", "rr() = { r(u, u) | q(u) }"),
    ("us", "us() = { s() }"),
    ("ut", "ut() = { d@3 }"),
    ("uu", "uu() = { d@1 | up }"),
    ("uj", "uj() = { j.receive(y) }"),
    ("uk", "uk() = { k.receive(u) }"),
];
const INNER_EVENTS: [EventLine; 5] = [
    ("vr", "vr() = { r(u, v) }"),
    ("vq", "vq() = { q(v) }"),
    ("vv", "vv() = { p(v) | r(v, _) }"),
    ("vp", "vp() = { p(u) }"),
    ("vt", "vt() = { e@2 | d@4 }"),
];

/// A random file.
pub fn random_dates(rng: &mut Rng) -> String {
    let mut text =
        String::from("GLOBAL {\nVARIABLES {\nint n = 0;\nSet S;\nboolean b;\nString t;\nClock c;\nChannel k;\n}\n");
    let mut words = Words {
        events: Vec::new(),
        guards: vec![
            "n > 1",
            "n == 2",
            "b",
            "!b",
            "S.isEmpty()",
            "S.contains(n)",
            "c.current() >= 2",
            "t == \"w\"",
            "n + 1 > 2 || b",
        ],
        statements: vec![
            "n++;",
            "n = 0;",
            "b = true;",
            "b = false;",
            "S.add(n);",
            "S.remove(1);",
            "S.clear();",
            "c.reset();",
            "c.pause();",
            "c.resume();",
            "c.off();",
            "k.send(1);",
            "k.send(n);",
            "n = 6 / n;",
            "t = \"w\";",
        ],
    };
    events(rng, &mut text, &mut words, &GLOBAL_EVENTS);
    if rng.chance(60) {
        property(rng, &mut text, &words, "A");
    }
    if rng.chance(80) {
        foreach(rng, &mut text, words.clone());
    }
    if rng.chance(20) {
        property(rng, &mut text, &words, "Z");
    }
    text.push_str("}\n");
    text
}

fn foreach(rng: &mut Rng, text: &mut String, mut words: Words) {
    text.push_str("FOREACH (User u) {\n");
    if rng.chance(70) {
        text.push_str("VARIABLES {\nint m = 1;\nClock d;\nChannel j;\n}\n");
        words.guards.extend(["m > 1", "m == n", "d.current() < 3", "u == 1", "u != m"]);
        words.statements.extend([
            "m++;",
            "m = n;",
            "n += m;",
            "d.reset();",
            "d.pause();",
            "d.resume();",
            "j.send(u);",
            "k.send(u);",
            "S.add(u);",
        ]);
        events(rng, text, &mut words, &USER_EVENTS);
    } else {
        events(rng, text, &mut words, &USER_EVENTS[..5]);
    }
    property(rng, text, &words, "B");
    if rng.chance(45) {
        let is_timed = text.contains("Clock d");
        inner(rng, text, &mut words, is_timed);
    }
    if rng.chance(30) {
        property(rng, text, &words, "D");
    }
    text.push_str("}\n");
}

/// A scope in a scope. Without clocks around it, and with automata that see its own events only, its contexts may come and go.
fn inner(rng: &mut Rng, text: &mut String, words: &mut Words, is_timed: bool) {
    words.guards.extend(["u < v", "v == 1"]);
    words.statements.push("k.send(v);");
    if !is_timed {
        text.push_str("FOREACH (v) {\n");
        let mut own = Words::default();
        events(rng, text, &mut own, &INNER_EVENTS[..4]);
        words.events.extend(&own.events);
        own.guards = words.guards.clone();
        own.statements = words.statements.clone();
        let only_own = rng.chance(70);
        property(rng, text, if only_own { &own } else { words }, "C");
    } else {
        text.push_str("FOREACH (v) {\nVARIABLES {\nint l;\nClock e;\n}\n");
        words.guards.extend(["l > 0", "e.current() == 2"]);
        words.statements.extend(["l++;", "m += l;", "e.reset();", "d.reset();"]);
        events(rng, text, words, &INNER_EVENTS);
        property(rng, text, words, "C");
    }
    text.push_str("}\n");
}

fn events(rng: &mut Rng, text: &mut String, words: &mut Words, lines: &[EventLine]) {
    text.push_str("EVENTS {\n");
    for (name, line) in lines {
        // An alternative that is another line needs that one.
        let possible = *name != "uu" || words.events.contains(&"up");
        if possible && rng.chance(60) {
            words.events.push(name);
            text.push_str(line);
            text.push('\n');
        }
    }
    text.push_str("}\n");
}

fn property(rng: &mut Rng, text: &mut String, words: &Words, name: &str) {
    text.push_str(&format!(
        "PROPERTY {name} {{\nSTATES {{ BAD {{ bad }} NORMAL {{ a }} STARTING {{ s }} }}\nTRANSITIONS {{\n"
    ));
    for _ in 0..if words.events.is_empty() { 0 } else { 1 + rng.below(6) } {
        text.push_str(&format!("{}\n", transition(rng, words)));
    }
    text.push_str("}\n}\n");
}

fn transition(rng: &mut Rng, words: &Words) -> String {
    let (from, to) = (rng.pick(&["s", "s", "a", "bad"]), rng.pick(&["s", "a", "a", "bad"]));
    let event = rng.pick(&words.events);
    let guard = if rng.chance(40) { rng.pick(&words.guards) } else { "" };
    let mut statements = String::new();
    for _ in 0..rng.weighted(&[40, 40, 20]) {
        let statement = rng.pick(&words.statements);
        // A message that answers a message might be answered for ever.
        if !(statement.contains("send") && ["got", "uj", "uk"].contains(&event)) {
            statements.push_str(statement);
        }
    }
    format!("{from} -> {to} [{event} \\ {guard} \\ {statements}]")
}

/// A random trace: a point per line, with its time, or without times.
pub fn random_dates_trace(rng: &mut Rng) -> String {
    let values = ["1", "2", "3"];
    let few = 1 + rng.below(values.len());
    let (mut time, mut text) = (rng.below(3), String::new());
    for _ in 0..rng.below(14) {
        text.push_str(&format!("@{time}"));
        for _ in 0..rng.weighted(&[5, 85, 10]) {
            let (event, arity) = rng.pick(&[("p", 1), ("q", 1), ("r", 2), ("s", 0), ("s", 1)]);
            let arguments: Vec<&str> = (0..arity).map(|_| values[rng.below(few)]).collect();
            text.push_str(&format!(" {event}({})", arguments.join(",")));
        }
        text.push('\n');
        time += rng.weighted(&[25, 35, 20, 15, 5]);
    }
    text
}
