//! The formulas of the benchmark suite on traces of a thousand events, in sessions that are saved and loaded between points, and told
//! of the values that never come again.
//!
//! ```text
//!  formula, or a mutant ──▶ one session from the first event to the last ──────┐
//!                       └─▶ some sessions, each going on where the last ended ─┴─▶ the same findings, point by point
//! ```
//!
//! `REFEREE_CASES` and `REFEREE_SEED` work as in `long.rs`.

#[path = "../../../referee-engine/tests/feeding/mod.rs"]
mod feeding;

use std::collections::HashMap;
use std::sync::Arc;

use referee_engine::fo::Passes;
use referee_engine::judge_compiled;
use referee_engine::session::{Loaded, SavedState, Session};
use referee_generate::{Generator, Request, Values, Verdict};
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::owned::{OwnedPoint, OwnedTrace};

use crate::collect::trace;
use crate::long::mutation;

/// How many mutants a normal test run has.
const CASES: u64 = 30;

/// How many events a trace has.
const EVENTS: u64 = 1_000;

/// A mutant that is violated more often than this at one point would be violated millions of times.
const VIOLATIONS: usize = 300;

fn formula(language: Language, text: &str) -> Option<Arc<Property>> {
    if !Language::FORMULAS.contains(&language) {
        return None;
    }
    let compiled = compile(language, &Source::new("formula", text), &Options::default());
    let property = compiled.properties.into_iter().find_map(Rule::into_formula)?;
    judge_compiled(property.clone(), &OwnedTrace::default(), false, Passes::ALL).is_ok().then_some(property)
}

fn trace_of(generator: &Generator, seed: u64, values: Values) -> OwnedTrace {
    let verdict = if seed.is_multiple_of(2) { Verdict::Satisfied } else { Verdict::Violated };
    let request = Request { events: Some(EVENTS), seed, verdict, values, ..Request::default() };
    trace(generator, &generator.order(&request).expect("a possible order"))
}

fn texts(point: &OwnedPoint) -> impl Iterator<Item = &str> {
    point.events.iter().flat_map(|event| &event.arguments).map(|argument| &*argument.text)
}

/// What was done to a session.
#[derive(Debug, Default)]
struct Done {
    saved: usize,
    violated: usize,
    gone: usize,
}

/// Judges a trace in one session and in several.
fn compare(property: &Arc<Property>, trace: &OwnedTrace, forgets: bool, rng: &mut Rng, context: &str) -> Done {
    let rule = [Arc::new(Rule::Formula(property.clone()))];
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (number, point) in trace.points.iter().enumerate() {
        last.extend(texts(point).map(|text| (text, number)));
    }
    let (mut stays, mut moves, mut done) = (Session::new(&rule), Session::new(&rule), Done::default());
    for (number, point) in trace.points.iter().enumerate() {
        let found = feeding::step(&mut stays, point);
        assert_eq!(feeding::step(&mut moves, point), found, "point {}, {context}", number + 1);
        done.violated += found.len();
        if found.len() > VIOLATIONS {
            return done;
        }
        if forgets {
            done.gone += forget(&mut moves, texts(point).filter(|text| last[text] == number));
        }
        if rng.below(100) == 0 {
            let bytes = moves.save().unwrap_or_else(|error| panic!("{error}: {context}"));
            moves = Session::new(&rule);
            ["b", "17.5", "a"].iter().for_each(|text| _ = moves.text(text));
            assert_eq!(moves.load(&bytes), Ok(Loaded::default()), "{context}");
            let again = moves.save().expect("it can be saved");
            assert_eq!(without_sizes(&again), without_sizes(&bytes), "{context}");
            done.saved += 1;
        }
    }
    assert_eq!(moves.end(), stays.end(), "{context}");
    done
}

/// The same state but for the counts of rows: those that have expired and are no longer asked for are counted until they are
/// dropped, and not saved.
fn without_sizes(bytes: &[u8]) -> SavedState<'_> {
    let mut state = SavedState::read(bytes).expect("it was saved now");
    state.parts.iter_mut().for_each(|part| part.sizes.clear());
    state
}

/// Lets a session forget values; tells how many rows are gone.
fn forget<'t>(session: &mut Session, texts: impl Iterator<Item = &'t str>) -> usize {
    let rows = |session: &Session| session.sizes().iter().map(|size| size.rows).sum::<usize>();
    let before = rows(session);
    for text in texts {
        let value = session.text(text);
        session.forget(value);
    }
    before - rows(session)
}

#[test]
fn formulas_of_the_suite_go_on_from_saved_states() {
    let mut all: Vec<(&str, Done)> = Vec::new();
    for generator in referee_generate::all() {
        let Some(property) = formula(generator.language, generator.specification) else { continue };
        for (seed, values) in (0..).zip([Values::Integers, Values::Strings, Values::Integers]) {
            let context = format!("{}, {values:?}", generator.name);
            let mut rng = Rng::new(seed);
            let trace = trace_of(generator, seed, values);
            all.push((generator.name, compare(&property, &trace, seed > 0, &mut rng, &context)));
        }
    }
    let saved = all.iter().filter(|(_, done)| done.saved > 0).count();
    let sum = |own: fn(&Done) -> usize| all.iter().map(|(_, done)| own(done)).sum::<usize>();
    println!(
        "{saved} of {} saved, {} violations, {} rows forgotten",
        all.len(),
        sum(|done| done.violated),
        sum(|done| done.gone)
    );
    assert!(all.len() > 60 && saved == all.len(), "{all:?}");
    assert!(sum(|done| done.violated) > 40 && sum(|done| done.gone) > 1_000, "{all:?}");
}

#[test]
fn mutants_of_them_go_on_from_saved_states() {
    let generators: Vec<&Generator> = referee_generate::all()
        .filter(|generator| formula(generator.language, generator.specification).is_some())
        .collect();
    let (mut compiled, mut saved) = (0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let generator = rng.pick(&generators);
        let mut tokens = mutation::tokens(generator.specification);
        (0..=rng.below(2)).for_each(|_| mutation::mutate(&mut rng, generator.language, &mut tokens));
        let text = tokens.concat();
        let Some(property) = formula(generator.language, &text) else { continue };
        let values = if rng.chance(50) { Values::Integers } else { Values::Strings };
        let trace = trace_of(generator, seed, values);
        let context = format!("seed {seed}, {}\n{text}", generator.name);
        saved += compare(&property, &trace, seed % 3 > 0, &mut rng, &context).saved;
        compiled += 1;
    }
    println!("{compiled} compiled, saved {saved} times");
    assert!(!is_sample(cases(CASES)) || (compiled > 5 && saved > 10), "{compiled} compiled, saved {saved} times");
}
