//! Properties of the shapes that the compiler's laws are about, against the oracle.
//!
//! Random formulas hardly ever have such a shape: a weak until at the first point, a demand nested in another one, a
//! variable that only the goal names, a definition that calls itself. So they are written here as texts, from templates
//! with random atoms, with all passes, with one left out and with one alone. `REFEREE_CASES` and `REFEREE_SEED` as
//! elsewhere.

use std::sync::Arc;

use referee_engine::faults::{self, Fault};
use referee_engine::fo::Passes;
use referee_engine::judge_compiled;
use referee_oracle::random::Rng;
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Judgement, Kind, Language, Outcome, Property, Rule, UnaryOp};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

const CASES: u64 = 4_000;

/// All passes, all but one, or the one that a test is about alone.
fn passes(seed: u64, own: &str) -> Passes {
    let mut passes = Passes { prefetch_small_tables: true, ..Passes::ALL };
    let names = Passes::NAMES;
    match (seed % (names.len() as u64 + 4)) as usize {
        at if at < names.len() => assert!(passes.set(names[at], false)),
        at if at == names.len() => {
            passes = Passes::NONE;
            assert!(passes.set(own, true));
            // Handlers are for points with one event and with more.
            passes.multi_event = passes.handlers;
        }
        _ => {}
    }
    passes
}

/// The property of a text; nothing if the language refuses it, as DejaVu's does where a variable is not used.
fn property(language: Language, text: &str) -> Option<Arc<Property>> {
    let compiled = compile(language, &Source::new("shape", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

/// Mostly one event per point, now and then none or two.
fn trace(rng: &mut Rng, events: &[(&str, usize)]) -> OwnedTrace {
    let mut time = 0;
    let point = |rng: &mut Rng| {
        time += rng.below(3) as i64;
        let count = rng.weighted(&[3, 90, 7]);
        let event = |rng: &mut Rng| {
            let (name, arity) = rng.pick(events);
            let values: Vec<&str> = (0..arity).map(|_| rng.pick(&["1", "2", "3"])).collect();
            OwnedEvent::positional(name, &values)
        };
        OwnedPoint { time: Some(Number::Int(time)), events: (0..count).map(|_| event(rng)).collect() }
    };
    let length = rng.below(12);
    OwnedTrace {
        points: std::iter::repeat_with({
            let mut point = point;
            move || point(rng)
        })
        .take(length)
        .collect(),
    }
}

fn show(trace: &OwnedTrace) -> String {
    let event = |event: &OwnedEvent| {
        let values: Vec<&str> = event.arguments.iter().map(|argument| &*argument.text).collect();
        format!("{}({})", event.name, values.join(","))
    };
    let point = |point: &OwnedPoint| point.events.iter().map(event).collect::<Vec<_>>().join(" ");
    trace.points.iter().map(point).collect::<Vec<_>>().join(" . ")
}

/// What the program says if it is not what the oracle says; nothing if the property is not compiled.
fn judged(property: &Arc<Property>, trace: &OwnedTrace, prefix: bool, passes: Passes) -> Option<(Outcome, Outcome)> {
    let prefix = prefix && property.judgement != Judgement::Once;
    let mut compiled = judge_compiled(property.clone(), trace, prefix, passes).ok()?;
    compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
    Some((compiled, expected(property, trace, if prefix { Mode::Prefix } else { Mode::Complete })))
}

/// Judges random properties that `write` writes, with a pass that they are about.
fn check(language: Language, own: &str, events: &[(&str, usize)], write: impl Fn(&mut Rng) -> String) {
    let cases = cases(CASES);
    let (mut compiled, mut violated, mut by_law) = (0, 0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let text = write(&mut rng);
        let Some(property) = property(language, &text) else { continue };
        let trace = trace(&mut rng, events);
        let passes = passes(seed, own);
        let Some((program, oracle)) = judged(&property, &trace, seed % 3 == 0, passes) else { continue };
        assert_eq!(program, oracle, "seed {seed}, {passes:?}\n{text}\n{}", show(&trace));
        compiled += 1;
        violated += u64::from(!oracle.violations.is_empty());
        let mut without = passes;
        assert!(without.set(own, false));
        by_law += u64::from(judge_compiled(property, &trace, false, without).is_err());
    }
    println!("{own}: {compiled} of {cases} were compiled, {by_law} not without it, {violated} violated");
    assert!(
        !is_sample(cases) || (compiled * 3 > cases && violated * 8 > compiled),
        "{compiled} of {cases} compiled, {violated} violated"
    );
    assert!(
        !is_sample(cases) || by_law > 0 || ["prenex", "latch", "shared-views", "previous-state"].contains(&own),
        "nothing needs the law"
    );
}

const EVENTS: [(&str, usize); 4] = [("p", 1), ("q", 1), ("r", 2), ("s", 0)];

/// An event, or a formula about the past, over some variables.
fn past(rng: &mut Rng, variables: &[&str], depth: usize) -> String {
    if depth == 0 || rng.chance(50) {
        let (name, arity) = rng.pick(&EVENTS);
        let arguments: Vec<&str> = (0..arity).map(|_| rng.pick(variables)).collect();
        return format!("{name}({})", arguments.join(","));
    }
    let mut part = || past(rng, variables, depth - 1);
    let (one, other) = (part(), part());
    match rng.below(9) {
        0 | 1 => format!("not {one}"),
        2 => format!("({one} and {other})"),
        3 => format!("({one} or {other})"),
        4 => format!("once {one}"),
        5 => format!("last {one}"),
        6 => format!("(not {one} since {other})"),
        7 => format!("always-been {one}"),
        _ => {
            let z = rng.pick(&["z", "w"]);
            let body = past(rng, &[variables, &[z]].concat(), 0);
            format!("(exists {z}:s)({body} and r({}, {z}))", rng.pick(variables))
        }
    }
}

/// A demand on the future that is violated by what comes, mostly.
fn forbidding(rng: &mut Rng, variables: &[&str], depth: usize) -> String {
    let (one, other) = (past(rng, variables, 1), past(rng, variables, 1));
    match rng.below(if depth == 0 { 6 } else { 10 }) {
        0 | 1 => format!("(not {one} weakly until {other})"),
        2 => format!("always not {one}"),
        3 => format!("not (not {one} until {other})"),
        4 => format!("weak-next not {one}"),
        5 => format!("eventually {one}"),
        6 => format!("always ({one} => {})", forbidding(rng, variables, depth - 1)),
        7 => format!("weak-next {}", forbidding(rng, variables, depth - 1)),
        8 => format!("({} weakly until {other})", forbidding(rng, variables, depth - 1)),
        _ => format!("({other} => {})", forbidding(rng, variables, depth - 1)),
    }
}

/// What comes true is a violation: at the first point, at every point, below another such demand.
#[test]
fn demands_in_hindsight_agree_with_the_oracle() {
    check(Language::Foltl, "future-to-past", &EVENTS, |rng| {
        let variables: &[&str] = rng.pick(&[&["x"][..], &["x", "y"]]);
        let part = |rng: &mut Rng| match rng.below(4) {
            0 => forbidding(rng, variables, 1),
            1 => format!("({} => {})", past(rng, variables, 0), forbidding(rng, variables, 1)),
            _ => {
                let guard = past(rng, &[rng.clone().pick(variables)], 1);
                format!("always ({guard} => {})", forbidding(rng, variables, 2))
            }
        };
        let parts: Vec<String> = (0..1 + rng.below(2)).map(|_| part(rng)).collect();
        format!("(forall {}:s)({})", variables.join(","), parts.join(" and "))
    });
}

/// Something must come, and then something else.
#[test]
fn relays_agree_with_the_oracle() {
    check(Language::Foltl, "relay", &EVENTS, |rng| {
        let guard = past(rng, &["x"], 0).replace("r(x,x)", "p(x)").replace("s()", "q(x)");
        let (first, then) = (past(rng, &["x", "z"], 1), past(rng, &["x", "z"], 1));
        match rng.below(3) {
            0 => format!("(forall x:s)(always ({guard} => eventually ({first} and eventually {then})))")
                .replace('z', "x"),
            1 => {
                format!("(forall x:s)(always ({guard} => not always ({first} => always not {then})))").replace('z', "x")
            }
            _ => format!(
                "(forall x:s)(always ({guard} => eventually (exists z:s)((r(x,z) and {first}) and eventually {then})))"
            ),
        }
    });
}

/// One of several things must come.
#[test]
fn alternative_demands_agree_with_the_oracle() {
    check(Language::Foltl, "either", &EVENTS, |rng| {
        let guard = past(rng, &["x"], 0).replace("r(x,x)", "p(x)").replace("s()", "q(x)");
        let hold = past(rng, &["x"], 1);
        let kind = rng.below(4);
        let demand = |rng: &mut Rng| {
            let goal = past(rng, &["x"], 1);
            match kind {
                0 => format!("(eventually {goal})"),
                1 => format!("(not always not {goal})"),
                2 => format!("({hold} until {goal})"),
                _ => format!("(next {goal})"),
            }
        };
        let demands: Vec<String> = (0..2 + rng.below(2)).map(|_| demand(rng)).collect();
        format!("(forall x:s)(always ({guard} => ({} or {})))", demands.join(" or "), past(rng, &["x"], 0))
    });
}

/// The same in time.
#[test]
fn alternative_demands_in_time_agree_with_the_oracle() {
    check(Language::Mfotl, "either", &EVENTS, |rng| {
        let event = |rng: &mut Rng| rng.pick(&["p(x)", "q(x)", "r(x,x)", "s()", "(EXISTS z. r(x,z))"]).to_owned();
        let interval = rng.pick(&["", "[0,2]", "[1,3]", "(0,4)", "[0,0]"]);
        let other = if rng.chance(80) { interval } else { "[0,1]" };
        let (guard, hold) = (rng.pick(&["p(x)", "q(x)"]), event(rng));
        let (one, two) = (event(rng), event(rng));
        match rng.chance(60) {
            true => {
                format!("ALWAYS FORALL x. {guard} IMPLIES ((EVENTUALLY{interval} {one}) OR (EVENTUALLY{other} {two}))")
            }
            false => format!(
                "ALWAYS FORALL x. {guard} IMPLIES (((NOT {hold}) UNTIL{interval} {one}) OR ((NOT {hold}) UNTIL{other} {two}))"
            ),
        }
    });
}

/// Demands in time of properties that are judged once, which no language writes yet: a later opening may be violated where
/// the first is not.
#[test]
fn demands_in_time_that_are_judged_once_agree_with_the_oracle() {
    let cases = cases(CASES);
    let mut violated = 0;
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let demand = rng.pick(&["eventually q(x)", "always not q(x)", "(not r(x,x) until q(x))"]);
        let text = format!("(forall x:s)(always (p(x) => {demand}))");
        let mut property = (*property(Language::Foltl, &text).expect("a property")).clone();
        let Kind::Unary(UnaryOp::Always, _, inner) = &mut property.body.kind else { panic!("{text}") };
        let Kind::Implies(_, demand) = &mut inner.kind else { panic!("{text}") };
        let (Kind::Unary(_, interval, _) | Kind::Binary(_, interval, ..)) = &mut demand.kind else { panic!("{text}") };
        interval.low = Number::Int(rng.below(3) as i64);
        interval.high_included = true;
        interval.high = rng.chance(80).then(|| interval.low.add(&Number::Int(rng.below(4) as i64)));
        let (property, trace) = (Arc::new(property), trace(&mut rng, &[("p", 1), ("q", 1), ("r", 2)]));
        let passes = passes(seed, "handlers");
        let (program, oracle) = judged(&property, &trace, false, passes).expect("it is compiled");
        assert_eq!(program, oracle, "seed {seed}, {passes:?}\n{:?}\n{}", property.body, show(&trace));
        violated += u64::from(!oracle.violations.is_empty());
    }
    assert!(!is_sample(cases) || violated * 8 > cases, "{violated} violated");
}

/// The same where every point that opened a demand is a violation of its own.
#[test]
fn relays_of_every_point_agree_with_the_oracle() {
    check(Language::Mfotl, "relay", &EVENTS, |rng| {
        let event = |rng: &mut Rng, variables: &[&str]| match rng.below(3) {
            0 => format!("p({})", rng.pick(variables)),
            1 => format!("q({})", rng.pick(variables)),
            _ => format!("r({},{})", rng.pick(variables), rng.pick(variables)),
        };
        let (guard, first, then) = (event(rng, &["x"]), event(rng, &["x", "z"]), event(rng, &["x", "z"]));
        format!("ALWAYS FORALL x. {guard} IMPLIES EVENTUALLY (EXISTS z. r(x,z) AND {first} AND EVENTUALLY {then})")
    });
}

/// A guard that names some of the bindings only.
#[test]
fn bindings_that_no_guard_names_agree_with_the_oracle() {
    check(Language::Foltl, "shown", &EVENTS, |rng| {
        let part = |rng: &mut Rng, variables: &[&str]| {
            let (guard, rest) = (past(rng, variables, 0), past(rng, variables, 2));
            format!("({guard} => {rest})")
        };
        let variables = |rng: &mut Rng| rng.pick(&[&["x"][..], &["y"], &["x", "y"], &["x"]]);
        let parts: Vec<String> = (0..1 + rng.below(3))
            .map(|_| {
                let some = variables(rng);
                part(rng, some)
            })
            .collect();
        let sorts = rng.pick(&["(forall x,y:s)", "(forall x:s)(forall y:t)"]);
        format!("{sorts}(always ({} and (r(x,y) => not q(y))))", parts.join(" and "))
    });
}

/// A quantifier over values that another part of the guard makes known.
#[test]
fn implied_values_agree_with_the_oracle() {
    check(Language::Foltl, "implied", &EVENTS, |rng| {
        let used = rng.pick(&["p(x)", "q(x)", "(p(x) or q(x))"]);
        let known = rng.pick(&["p(x)", "q(x)", "(p(x) or q(x))", used, used]);
        let held = rng.pick(&["r(x,z)", "(not q(z) since r(x,z))", "once r(x,z)", "last once r(z,x)", "not r(x,z)"]);
        let extra = rng.pick(&["", " and not once p(z)", " and always-been (q(x) => r(x,z))", " and once q(z)"]);
        let guard = rng.pick(&["once", "last once", "s() and once", ""]);
        format!("(forall x:s)(always (({guard} {known}) => (exists z:t)(always-been ({used} => {held}){extra})))")
    });
}

/// What is so, by tables of DejaVu's operators.
fn state(rng: &mut Rng, variables: &[&str]) -> String {
    let mut variable = || rng.pick(variables);
    let (one, two) = (variable(), variable());
    match rng.below(9) {
        0 => format!("P r({one},{two})"),
        1 => format!("[p({one}), q({one}))"),
        2 => format!("P (r({one},{two}) & @P p({two}))"),
        3 => format!("!P q({one})"),
        4 => format!("![r({one},{two}), q({one}))"),
        5 => format!("@[p({one}), q({one}))"),
        6 => format!("P p({one})"),
        7 => format!("!(Exists w . P r({one},w))"),
        _ => format!("(Forall w . P r({one},w) -> [p({one}), q(w)))"),
    }
}

/// Checks that no event drives, with quantifiers in front of them.
#[test]
fn columns_for_quantifiers_agree_with_the_oracle() {
    check(Language::Qtl, "prenex", &EVENTS, |rng| {
        let first = rng.pick(&["P r(x,y)", "[r(x,y), q(x))", "(P p(x)) & P q(y)", "[p(x), q(x)) & P r(y,x)"]);
        let parts: Vec<String> = (0..1 + rng.below(2)).map(|_| state(rng, &["x", "y"])).collect();
        let body = parts.join(" & ");
        match rng.below(3) {
            0 => format!("prop a: !Exists x . Exists y . {first} & {body}"),
            1 => format!("prop a: Forall x . P p(x) -> !Exists y . {first} & {body}"),
            _ => format!("prop a: Forall x . Forall y . {first} -> Exists z . !({})", state(rng, &["x", "z"])),
        }
    });
}

/// A use of x by t, in one of some ways.
fn used(rng: &mut Rng, t: &str) -> String {
    rng.pick(&["u(t,x)", "w(t,x)", "(u(t,x) | w(t,x))", "(u(t,x) | w(t,x))", "(u(t,x) & !P w(t,x))", "u(x,t)"])
        .replace('t', t)
}

/// Something that t has, of which there are many.
fn held(rng: &mut Rng, t: &str) -> String {
    let ways = [
        "[a(t,l), r(t,l))",
        "[a(t,l), r(t,l))",
        "P a(t,l)",
        "a(t,l)",
        "@[a(t,l), r(t,l))",
        "![a(t,l), r(t,l))",
        "!P a(t,l)",
        "([a(t,l), r(t,l)) | P a(l,t))",
        "([a(t,l), r(t,l)) & !P r(l,x))",
    ];
    rng.pick(&ways).replace("(t,l)", &format!("({t},l)")).replace("(l,t)", &format!("(l,{t})"))
}

/// Rows with sets, finite or everything but some values, and what is told by them; mostly no event drives the check.
fn with_sets(rng: &mut Rng) -> String {
    let (one, other) = (used(rng, "t"), used(rng, "v"));
    let own = if rng.chance(70) { one.clone() } else { used(rng, "t") };
    let (has, had) = (held(rng, "t"), held(rng, "v"));
    // Which variable comes first decides in which order a table has its columns.
    let always = if rng.chance(70) { format!("H ({own} -> {has})") } else { format!("H ({has} | !{own})") };
    let both = match rng.below(3) {
        0 => format!("{always} & H ({other} -> {had})"),
        1 => format!("{always} & H ({other} -> {})", has.replace("(t,", "(v,").replace(",t)", ",v)")),
        _ => format!("H (u(t,x) -> {has}) & H (w(t,x) -> {has}) & H ({other} -> {had})"),
    };
    match rng.below(7) {
        0 => format!("prop a: Forall t . Forall x . {one} -> Exists l . {always}"),
        1 => format!("prop a: Forall t . Forall x . P {one} -> Exists l . {always}"),
        2 => format!("prop a: Forall t . Forall x . P {one} -> Exists l . {always} & !P a(x,l)"),
        3 => format!("prop a: Forall x . Forall t . @(P {one}) -> Exists l . Forall t . {always}"),
        _ => format!("prop a: Forall t . Forall v . Forall x . (P {one}) & P {other} -> Exists l . {both}"),
    }
}

const USES: [(&str, usize); 4] = [("u", 2), ("w", 2), ("a", 2), ("r", 2)];

/// Tables that follow others.
#[test]
fn tables_that_follow_agree_with_the_oracle() {
    check(Language::Qtl, "shared-views", &USES, with_sets);
}

/// Rows that change together, and what is told by each of them.
#[test]
fn rows_that_change_together_agree_with_the_oracle() {
    let held = ["[u(t,x), r(t,t))", "P u(t,x)", "(P u(x,t) & !P r(t,x))", "([u(t,x), r(t,x)) | [w(x,t), r(x,t)))"];
    check(Language::Qtl, "shared-views", &USES, |rng| {
        let made = format!("P ({} & {})", rng.pick(&held), rng.pick(&["a(x,v)", "a(v,x)", "a(v,v)", "w(t,v)"]));
        let asked = rng.pick(&["P w(x,v)", "!P r(t,x)", "!P r(x,t)", "P (w(t,x) | a(x,v))", "!P (P w(t,x) & u(x,v))"]);
        format!("prop a: Forall t . Forall x . Forall v . !(({made}) & {asked})")
    });
}

/// Violations that last.
#[test]
fn violations_that_last_agree_with_the_oracle() {
    check(Language::Qtl, "latch", &USES, with_sets);
}

/// What tables are and what they were, in one check.
#[test]
fn tables_by_what_they_were_agree_with_the_oracle() {
    check(Language::Qtl, "previous-state", &EVENTS, |rng| {
        let part = |rng: &mut Rng, x: &str, y: &str| {
            let body = match rng.below(9) {
                0 => format!("P p({x})"),
                1 => format!("P q({y})"),
                2 => format!("[p({x}), q({x}))"),
                3 => format!("[r({x},{y}), q({y}))"),
                4 => format!("P (q({x}) & @P p({x}))"),
                5 => format!("(Exists z . [r({x},z), q(z)))"),
                6 => format!("(Exists z . P r(z,{y}))"),
                7 => format!("[(P p({x})) & q({x}), s())"),
                _ => format!("P r({x},{y})"),
            };
            format!("{}{}{body}", rng.pick(&["", "", "!"]), rng.pick(&["", "@"]))
        };
        let parts = |rng: &mut Rng, x: &str, y: &str| {
            let parts: Vec<String> = (0..2 + rng.below(3)).map(|_| part(rng, x, y)).collect();
            parts.join(rng.pick(&[" & ", " | "]))
        };
        match rng.below(3) {
            0 => format!("prop a: Forall x . Forall y . r(x,y) -> !({})", parts(rng, "x", "y")),
            1 => format!("prop a: Forall x . {}(x) -> ({})", rng.pick(&["p", "q"]), parts(rng, "x", "x")),
            _ => format!("prop a: Forall x . q(x) -> !(Exists y . (@P r(x,y)) & ({}))", parts(rng, "x", "y")),
        }
    });
}

/// Definitions that call themselves.
#[test]
fn recursion_agrees_with_the_oracle() {
    check(Language::Qtl, "recursion", &EVENTS, |rng| {
        let one = [
            "p(x)",
            "@d(x) & !q(x)",
            "@d(x) & !p(x)",
            "(Exists y . r(y,x) & @d(y))",
            "(Exists y . r(x,y) & !@d(y))",
            "q(x) & !@d(x)",
            "(Exists y . r(x,y) & @d(y) & @d(x))",
            "@d(x) & (Exists y . r(x,y))",
            "p(x) & @@d(x)",
            "p(x) & P q(x)",
            "@d(x) & P q(x)",
            "@d(x) & !(Exists y . r(x,y) & @d(y))",
            "(p(x) | @d(x)) & !(Exists y . r(y,x))",
            "@d(x)",
        ];
        let two = [
            "r(x,y)",
            "(Exists z . r(x,z) & @d(z,y))",
            "(Exists z . r(z,y) & @d(x,z))",
            "@d(x,y) & !q(x)",
            "@d(x,y) & !p(y)",
            "@d(y,x) & r(x,y)",
            "r(x,y) & !@d(y,x)",
            "p(x) & q(y)",
        ];
        let (parameters, parts, uses): (_, &[&str], &[&str]) = match rng.chance(60) {
            true => ("x", &one, &["p(x) -> d(x)", "q(x) -> !@d(x)", "!d(x)", "s() -> !d(x)", "r(x,x) -> P d(x)"]),
            false => ("x,y", &two, &["r(x,x) -> d(x,x)", "Forall y . r(x,y) -> @d(y,x)", "Forall y . p(x) -> !d(x,y)"]),
        };
        let parts: Vec<&str> = (0..1 + rng.below(4)).map(|_| rng.pick(parts)).collect();
        format!("prop a: Forall x . {} where d({parameters}) := {}", rng.pick(uses), parts.join(" | "))
    });
}

/// What no operator of the compiler covers, over some variables.
fn uncovered(rng: &mut Rng, variables: &[&str]) -> String {
    let (x, y) = (rng.pick(variables), rng.pick(variables));
    match rng.below(14) {
        0 => format!("(EXISTS c. (c <- CNT z; {x} ONCE[0,2] r({x},z)) AND c > 1)"),
        1 => format!("(EXISTS c. (c <- SUM z; {x} ONCE (r({x},z) OR r(z,{x}))) AND c <= {y})"),
        2 => "(EXISTS c. (c <- MAX z ONCE[0,3] q(z)) AND c = 2)".to_owned(),
        3 => format!("(PREVIOUS[1,2] p({x}))"),
        4 => format!("(PREVIOUS[0,1] ONCE r({x},{y}))"),
        5 => format!("({x} / 2 < {y})"),
        6 => format!("({x} MOD 2 = 0)"),
        7 => format!("(ONCE[0,2] NOT p({x}))"),
        8 => format!("MATCHP[0,3] (p({x}) q({y})*)"),
        9 => "MATCHP ((EXISTS z. p(z)) (EXISTS z. q(z)))".to_owned(),
        10 => format!("(PREVIOUS[0,*) (p({x}) OR q({y})))"),
        11 => format!("(ONCE[0,*) (EXISTS c. (c <- CNT z; {x} r({x},z)) AND c > 0 AND p({x})))"),
        12 => format!("(NOT PREVIOUS[0,2] {x} + 1 < {y})"),
        _ => format!("(EXISTS z. (ONCE r({x},z)) AND PREVIOUS[0,1] q(z))"),
    }
}

/// The same, perhaps below operators that the compiler covers.
fn partly_covered(rng: &mut Rng, variables: &[&str]) -> String {
    let (x, part) = (rng.pick(variables), uncovered(rng, variables));
    match rng.below(8) {
        0 => format!("(ONCE (p({x}) AND {part}))"),
        1 => format!("((NOT q({x})) SINCE (p({x}) AND {part}))"),
        2 => format!("((NOT (q({x}) AND {part})) SINCE[0,3] p({x}))"),
        3 => format!("(PREVIOUS {part})"),
        4 => format!("(ONCE {part})"),
        5 => format!("(NOT {part})"),
        _ => part,
    }
}

/// Parts for the general path: beside tables, below operators, in guards, goals and openings.
#[test]
fn parts_for_the_general_path_agree_with_the_oracle() {
    check(Language::Mfotl, "fallback", &EVENTS, |rng| {
        let guard = rng.pick(&["p(x)", "q(x)", "r(x,y)", "r(x,x)"]);
        let variables: &[&str] = if guard == "r(x,y)" { &["x", "y"] } else { &["x"] };
        let part = partly_covered(rng, variables);
        let state = rng.pick(&["ONCE q(x)", "((NOT p(x)) SINCE q(x))", "ONCE[0,3] p(x)", "PREVIOUS p(x)"]);
        let body = match rng.below(10) {
            0 | 1 => part,
            8 => {
                let window = rng.pick(&["ONCE[0,3] r(x,z)", "ONCE (r(x,z) OR r(z,x))", "PREVIOUS ONCE r(z,x)"]);
                let limit = rng.pick(&["c < 2", "c <= x", "c = 1", "ONCE p(c)"]);
                let guard = guard.replace('y', "x");
                return format!("ALWAYS FORALL x, c. {guard} AND (c <- CNT z; x {window}) IMPLIES {limit}");
            }
            9 => {
                let count = "(c <- CNT z; x ONCE[0,3] r(x,z))";
                let state = rng.pick(&["ONCE (p(x) AND ", "((NOT q(x)) SINCE (p(x) AND ", "(NOT (p(x) AND "]);
                let close = ")".repeat(state.matches('(').count() - state.matches(')').count());
                return format!("ALWAYS FORALL x, c. q(x) AND (ONCE r(x,c)) IMPLIES {state}{count}{close}");
            }
            2 => format!("{part} OR {state}"),
            3 => format!("{part} AND {state}"),
            4 => format!("{part} AND {}", partly_covered(rng, variables)),
            5 => format!("({part} IMPLIES EVENTUALLY[0,2] q(x))"),
            6 => format!("EVENTUALLY[0,3] (q(x) AND {part})"),
            _ => format!("(EXISTS z. r(x,z) AND {})", partly_covered(rng, &[variables, &["z"]].concat())),
        };
        format!("ALWAYS FORALL {}. {guard} IMPLIES {body}", variables.join(", "))
    });
}

/// A part of which the general path says the opposite is found.
#[test]
fn parts_matter() {
    let text = "ALWAYS FORALL x. p(x) IMPLIES PREVIOUS[0,1] q(x)";
    let property = property(Language::Mfotl, text).expect("a property");
    let without = Passes { fallback: false, ..Passes::ALL };
    let trace = OwnedTrace {
        points: [("q", 1), ("p", 2), ("p", 3), ("q", 3), ("p", 9)]
            .map(|(name, time)| OwnedPoint {
                time: Some(Number::Int(time)),
                events: vec![OwnedEvent::positional(name, &["1"])],
            })
            .to_vec(),
    };
    assert!(judge_compiled(property.clone(), &trace, false, without).is_err());
    let (program, oracle) = judged(&property, &trace, false, Passes::ALL).expect("it is compiled");
    let points: Vec<u64> = program.violations.iter().map(|violation| violation.point).collect();
    assert_eq!((points, program), (vec![3, 5], oracle));
}

/// A law of which a part is forgotten is found: the comparisons above are no formality.
#[test]
fn the_fault_of_each_law_is_caught() {
    let cases = [
        (Fault::FutureToPast, Language::Foltl, "(forall x:s)(not p(x) weakly until q(x))", "q(1).p(1)"),
        (
            Fault::FutureToPast,
            Language::Foltl,
            "(forall x:s)(always (q(x) => (not p(x) weakly until r(x,x))))",
            "q(1).r(1,1).p(1)",
        ),
        (
            Fault::Relay,
            Language::Foltl,
            "(forall x:s)(always (p(x) => eventually (q(x) and eventually r(x,x))))",
            "p(1).q(1).p(1).r(1,1)",
        ),
        (
            Fault::Shown,
            Language::Foltl,
            "(forall x,y:s)(always ((p(x) => not last once p(x)) and (q(y) => once q(y))))",
            "p(1).p(1).q(2)",
        ),
        (
            Fault::Implied,
            Language::Foltl,
            "(forall x:s)(always (q(x) => (exists z:t)(always-been (p(x) => r(x,z)))))",
            "q(1)",
        ),
        (
            Fault::Recursion,
            Language::Qtl,
            "prop a: Forall x . r(x,x) -> !d(x) where d(x) := p(x) | @d(x) & !q(x)",
            "p(1).q(1).r(1,1)",
        ),
        (
            Fault::Either,
            Language::Foltl,
            "(forall x:s)(always (p(x) => ((not q(x) until r(x,x)) or eventually s())))",
            "p(1).q(1).s()",
        ),
        (
            Fault::PreviousState,
            Language::Qtl,
            "prop a: Forall x . q(x) -> !((@[p(x), q(x))) & [p(x), q(x)))",
            "p(1).q(1)",
        ),
        (Fault::Gather, Language::Qtl, "prop a: Forall x . !(([p(x), q(x)) | (P p(x))) & P s())", "p(1).q(1).s()"),
        (Fault::Latch, Language::Qtl, "prop a: Forall x . ![p(x), q(x))", "p(1).q(1).s()"),
        (Fault::Fallback, Language::Mfotl, "ALWAYS FORALL x. p(x) IMPLIES PREVIOUS (x MOD 2 = 0)", "p(2)"),
        (
            Fault::Peephole,
            Language::Qtl,
            "prop a: Forall x . Forall y . !((P ([q(x), s(x)) & p(y))) & P r(x))",
            "s(9).q(1).q(2).r(2).p(5)",
        ),
        (
            Fault::SharedViews,
            Language::Qtl,
            "prop a: Forall t . Forall v . Forall x . (P u(x,t)) & P w(v,x) -> \
             Exists l . H ([a(t,l), r(t,l)) | !u(x,t)) & H (w(v,x) -> [a(v,l), r(v,l)))",
            "a(2,7).u(1,2).w(3,1)",
        ),
    ];
    for (fault, language, text, events) in cases {
        let property = property(language, text).expect("a property");
        let trace = read_text("trace", events, &ReadOptions::default()).expect("a trace").remove(0);
        let differs = |passes: Passes| judged(&property, &trace, false, passes).map(|(own, oracle)| own != oracle);
        // One of them is not compiled at all, as it is.
        assert_ne!(differs(Passes::ALL), Some(true), "{text}");
        assert_eq!(faults::with(fault, || differs(Passes::ALL)), Some(true), "{fault:?}: {text}");
    }
}
