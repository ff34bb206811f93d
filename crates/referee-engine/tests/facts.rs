//! Rules over facts: the engine against the oracle, on random rules and random traces.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

use std::sync::Arc;

use referee_engine::facts::Witness;
use referee_engine::judge_rule;
use referee_oracle::Mode;
use referee_oracle::judge_rule as expected;
use referee_oracle::random::{Rng, random_commands, random_events, random_logfire, random_ruler};
use referee_spec::core::{Language, Outcome, Problem, Rule, Violation};
use referee_spec::diagnostic::has_errors;
use referee_spec::language::{Compiled, Options, Source, compile as compile_source};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::error::Flow;
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::reader::ReadOptions;
use referee_trace::values::Values;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 1_500;

fn compile(language: Language, text: &str) -> Option<Arc<Rule>> {
    let Compiled { mut properties, diagnostics } =
        compile_source(language, &Source::new("t", text), &Options::default());
    (!has_errors(&diagnostics)).then(|| Arc::new(properties.remove(0)))
}

fn read(text: &str) -> OwnedTrace {
    let options = ReadOptions { format: Some(Format::Abstract), ..ReadOptions::default() };
    read_text("t", text, &options).expect("readable").remove(0)
}

fn disagreement(language: Language, specification: &str, trace: &str, prefix: bool) -> Option<(Outcome, Outcome)> {
    let rules = compile(language, specification)?;
    let trace = read(trace);
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let (mut engine, mut oracle) = (judge_rule(&rules, &trace, prefix), expected(&rules, &trace, mode));
    for outcome in [&mut engine, &mut oracle] {
        let key = |violation: &Violation| (violation.message.clone(), violation.decided);
        outcome.violations.sort_by(|one, other| one.report_order(other).then_with(|| key(one).cmp(&key(other))));
    }
    let same = engine.violations == oracle.violations
        && engine.status == oracle.status
        && engine.obstacle.as_ref().map(|o| o.point) == oracle.obstacle.as_ref().map(|o| o.point)
        && (engine.pending == oracle.pending || oracle.obstacle.is_some());
    (!same).then_some((engine, oracle))
}

/// Takes lines out of the specification and events out of the trace as long as the disagreement stays.
fn shrink(specification: String, trace: String, fails: impl Fn(&str, &str) -> bool) -> (String, String) {
    let (mut specification, mut trace) = (specification, trace);
    loop {
        let events: Vec<&str> = trace.split('.').filter(|event| !event.is_empty()).collect();
        let fewer = |skip: usize| {
            let kept: Vec<&str> = events.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, e)| *e).collect();
            kept.join(".")
        };
        if let Some(shorter) = (0..events.len()).map(fewer).find(|shorter| fails(&specification, shorter)) {
            trace = shorter;
            continue;
        }
        let lines: Vec<&str> = specification.lines().collect();
        let without = |skip: usize| {
            let kept: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, l)| *l).collect();
            kept.join("\n")
        };
        match (0..lines.len()).map(without).find(|smaller| fails(smaller, &trace)) {
            Some(smaller) => specification = smaller,
            None => return (specification, trace),
        }
    }
}

fn check(language: Language, specification: impl Fn(&mut Rng) -> String) {
    let cases = cases(CASES);
    let (mut judged, mut violated, mut gave_up) = (0u64, 0u64, 0u64);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let (specification, prefix) = (specification(&mut rng), seed % 4 == 0);
        let Some(rules) = compile(language, &specification) else { continue };
        for _ in 0..3 {
            let trace = random_events(&mut rng);
            judged += 1;
            let outcome = judge_rule(&rules, &read(&trace), prefix);
            violated += u64::from(!outcome.violations.is_empty());
            gave_up += u64::from(outcome.obstacle.is_some());
            if disagreement(language, &specification, &trace, prefix).is_some() {
                let fails = |s: &str, t: &str| disagreement(language, s, t, prefix).is_some();
                let (specification, trace) = shrink(specification, trace, fails);
                let (engine, oracle) = disagreement(language, &specification, &trace, prefix).expect("kept");
                panic!("seed {seed}, prefix {prefix}\n{specification}\n{trace}\nengine {engine:?}\noracle {oracle:?}");
            }
        }
    }
    // The cases must be worth judging: most can be compiled, and verdicts differ.
    assert!(
        !is_sample(cases) || (judged > cases && violated > judged / 20 && violated < judged),
        "{judged} {violated} {gave_up}"
    );
}

#[test]
fn guarded_commands_agree_with_the_oracle() {
    check(Language::Gcl, random_commands);
}

#[test]
fn ruler_agrees_with_the_oracle() {
    check(Language::Ruler, random_ruler);
}

#[test]
fn logfire_agrees_with_the_oracle() {
    check(Language::Logfire, random_logfire);
}

/// A firing is one violation: another `fail` beside the first changes nothing.
#[test]
fn a_firing_is_one_violation_however_often_it_fails() {
    let twice = |language: Language, text: &str| match language {
        Language::Ruler => {
            text.replace("Fail(\"a\")", "\u{1}").replace("Fail", "Fail, Fail").replace('\u{1}', "Fail(\"a\"), Fail")
        }
        _ => {
            let text =
                text.replace("fail \"a\"", "\u{1}").replace("fail(\"b\")", "\u{2}").replace("fail", "fail, fail");
            text.replace('\u{1}', "fail \"a\", fail").replace('\u{2}', "fail(\"b\"), fail \"b\"")
        }
    };
    let (mut violated, cases) = (0u64, cases(CASES));
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let (language, text) = match seed % 2 {
            0 => (Language::Ruler, random_ruler(&mut rng)),
            _ => (Language::Logfire, random_logfire(&mut rng)),
        };
        let other = twice(language, &text);
        let (Some(once), Some(twice)) = (compile(language, &text), compile(language, &other)) else { continue };
        let trace = read(&random_events(&mut rng));
        let outcome = judge_rule(&once, &trace, false);
        assert_eq!(outcome.violations, judge_rule(&twice, &trace, false).violations, "seed {seed}\n{other}");
        violated += u64::from(!outcome.violations.is_empty());
    }
    assert!(!is_sample(cases) || violated > cases / 20, "{violated}");
}

/// Shows a trace to a witness.
struct Watching {
    witness: Witness,
    values: Values,
    shapes: EventShapes,
}

impl PointSink for Watching {
    fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Interest {
        self.witness.shape(shape);
        self.shapes.push(shape);
        Interest::all()
    }

    fn begin_trace(&mut self, _: u64, _: u64) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        let values = &self.values;
        points.iter().for_each(|point| self.witness.point(point, &self.shapes, values));
        Ok(())
    }
}

/// The reasons of all violations.
fn reasons(rule: &Arc<Rule>, trace: &OwnedTrace) -> Vec<Vec<String>> {
    let Rule::Facts(rules) = &**rule else { panic!("rules over facts") };
    let mut batcher = Batcher::new(Watching {
        witness: Witness::new(rules.clone()),
        shapes: EventShapes::default(),
        values: Values::new(),
    });
    trace.send(&mut batcher).and_then(|()| batcher.finish()).expect("a witness never has enough");
    let watching = batcher.sink();
    let outcome = judge_rule(rule, trace, false);
    outcome.violations.iter().map(|violation| watching.witness.explain(violation)).collect()
}

#[test]
fn violations_have_reasons() {
    let text = "hot fact Open(f, m)\nrule open: open(f, m) & not Open(f, _) -> insert Open(f, m)\n\
                rule twice: open(f, _) & Open(f, m) & f != 2 -> fail\nrule never: close(f) & not Open(f, _) -> fail \"closed\"";
    let rule = compile(Language::Logfire, text).expect("readable");
    let found = reasons(&rule, &read("open(A,r).open(B,r).open(A,w).close(C)"));
    let twice = "rule `twice` fires: rule twice: open(f, _) & Open(f, m) & f != 2 -> fail";
    assert_eq!(found[0], [twice, "`Open(A, r)` holds since point 1"]);
    assert_eq!(found[3][1], "`Open(C, _)` does not hold");
    assert!(found[1..3].iter().all(|lines| lines[0].starts_with("the fact holds since point ")), "{found:?}");
}

#[test]
fn every_random_violation_has_a_reason() {
    let mut explained = 0;
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let (language, text) = match seed % 3 {
            0 => (Language::Gcl, random_commands(&mut rng)),
            1 => (Language::Ruler, random_ruler(&mut rng)),
            _ => (Language::Logfire, random_logfire(&mut rng)),
        };
        let Some(rule) = compile(language, &text) else { continue };
        let trace = random_events(&mut rng);
        for lines in reasons(&rule, &read(&trace)) {
            assert!(!lines.is_empty(), "{text}\n{trace}");
            explained += 1;
        }
    }
    assert!(explained > 100 || !is_sample(cases(300)), "{explained}");
}

#[test]
fn too_many_combinations_give_up_and_name_the_rule() {
    let text = "rule put: put(x) -> insert F(x)\nrule all: ask() & F(x) & F(y) & F(z) & x + y + z = 0 -> fail";
    let rule = compile(Language::Logfire, text).expect("readable");
    let puts: String = (1..=220).map(|number| format!("put({number}).")).collect();
    let outcome = judge_rule(&rule, &read(&format!("{puts}ask()")), false);
    let obstacle = outcome.obstacle.expect("220 to the third is too much");
    assert_eq!((obstacle.point, obstacle.problem), (221, Problem::TooManyCombinations));
    assert!(rule.text(obstacle.span).starts_with("rule all: ask()"));
}

#[test]
fn outlines_name_tables_events_and_bounds() {
    let text = "hot fact Open(f)\nrule open: open(f) -> insert Open(f)\nrule close: close(f) & Open(f) -> remove Open\n\
                rule two: open(f) & Open(g) & Open(h) & g < h - 1 -> fail";
    let outline = referee_engine::explain::of(&compile(Language::Logfire, text).expect("readable"));
    assert_eq!(outline.verdicts, "at the event that makes a rule fail, and at the end for each Open(f) left");
    assert_eq!((&*outline.tables[0].formula, &outline.tables[0].keys[..]), ("Open(f)", &["f".to_owned()][..]));
    let events: Vec<(&str, usize)> = outline.events.iter().map(|event| (&*event.event, event.effects.len())).collect();
    assert_eq!(events, [("open", 2), ("close", 1)]);
    assert_eq!(outline.gives_up.len(), 2);
}

/// The property that every page of the manual begins with, in three languages.
const HAS_NEXT: [(Language, &str); 3] = [
    (
        Language::Gcl,
        "hasNext(i, r) | r -> safe.add(i); next(i) | !safe.contains(i) -> fail; next(i) | -> safe.remove(i);",
    ),
    (
        Language::Ruler,
        "ruler { observes hasNext(obj, bool), next(obj); always Start { next(i), !Safe(i) -> Fail; hasNext(i, r), r -> Safe(i) } \
         state Safe(i) { next(i) -> Ok } initials Start; }",
    ),
    (
        Language::Logfire,
        "rule a: hasNext(i, true) -> insert Safe(i) rule b: next(i) & Safe(i) -> remove Safe rule c: next(i) & not Safe(i) -> fail",
    ),
];

#[test]
fn the_languages_agree_on_has_next() {
    let rules = HAS_NEXT.map(|(language, text)| compile(language, text).expect("readable"));
    let mut violated = 0;
    for seed in seeds(500) {
        let mut rng = Rng::new(seed);
        let event = |rng: &mut Rng| {
            let iterator = rng.pick(&["A", "B", "C"]);
            match rng.below(5) {
                0 | 1 => format!("next({iterator})"),
                2 => format!("hasNext({iterator},false)"),
                _ => format!("hasNext({iterator},true)"),
            }
        };
        let events: Vec<String> = (0..rng.below(15)).map(|_| event(&mut rng)).collect();
        let trace = read(&events.join("."));
        let found = rules.each_ref().map(|rule| {
            let violations = judge_rule(rule, &trace, false).violations;
            violations.into_iter().map(|violation| (violation.point, violation.bindings)).collect::<Vec<_>>()
        });
        assert!(found[0] == found[1] && found[1] == found[2], "{events:?}\n{found:?}");
        violated += u64::from(!found[0].is_empty());
    }
    let cases = cases(500);
    assert!(!is_sample(cases) || (violated * 5 > cases && violated < cases), "{violated} of {cases}");
}
