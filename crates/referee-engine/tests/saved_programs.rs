//! The state of compiled programs: saving and loading changes nothing, nor does forgetting what never comes again.
//!
//! ```text
//!   property, trace ─┬▶ compiled, all in one session ───────────────────▶ outcome ─┐
//!                    ├▶ saved and loaded between points, now and then ──▶ outcome ─┼ the same
//!                    └▶ told which values never come again ─────────────▶ outcome ─┘
//! ```
//!
//! `REFEREE_CASES` and `REFEREE_SEED` work as in the differential tests.

mod feeding;

use std::sync::Arc;

use feeding::follow;
use referee_engine::fo::Passes;
use referee_engine::judge::Wanted;
use referee_engine::session::Session;
use referee_engine::{Settings, judge_compiled};
use referee_oracle::random::{Rng, describe, random_property, random_trace};
use referee_spec::core::{Judgement, Language, Property, Rule};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::owned::{OwnedPoint, OwnedTrace};

/// How many cases each language gets in a normal test run.
const CASES: u64 = 1_500;

/// The passes of a case: all, or all but one.
fn passes(seed: u64) -> Passes {
    let mut passes = Passes { prefetch_small_tables: true, ..Passes::ALL };
    if let Some(name) = Passes::NAMES.get((seed % (2 * Passes::NAMES.len() as u64)) as usize) {
        assert!(passes.set(name, false));
    }
    passes
}

/// A property that compiles, and a trace.
struct Case {
    property: Arc<Property>,
    trace: OwnedTrace,
    settings: Settings,
}

impl Case {
    fn new(seed: u64, language: Language) -> Option<Case> {
        let mut rng = Rng::new(seed);
        let depth = 1 + usize::try_from(seed % 6).expect("small");
        let property = Arc::new(random_property(&mut rng, language, depth));
        let trace = random_trace(&mut rng, &property);
        let (prefix, passes) = (seed % 4 == 0, passes(seed / 3));
        let is_countable = !(prefix && property.judgement == Judgement::Once);
        let compiles = judge_compiled(property.clone(), &OwnedTrace::default(), false, passes).is_ok();
        let wanted = if rng.chance(20) { Wanted::First } else { Wanted::All };
        let settings = Settings { prefix, passes, wanted, ..Settings::default() };
        (is_countable && compiles).then_some(Case { property, trace, settings })
    }

    fn session(&self) -> Session {
        Session::with(&[Arc::new(Rule::Formula(self.property.clone()))], &self.settings)
    }

    fn show(&self, seed: u64) -> String {
        format!("seed {seed}, {:?}\n{}", self.settings, describe(&self.property, &self.trace))
    }
}

/// Puts a session's state into a new session, in which values and kinds were met in another order.
fn move_house(session: &mut Session, start: impl Fn() -> Session, context: &str) {
    let bytes = session.save().unwrap_or_else(|error| panic!("{error}: {context}"));
    let mut other = start();
    other.kind("stranger", &["x", "y"]);
    ["z", "b", "17.5", "1e3", "a", "3"].iter().for_each(|text| _ = other.text(text));
    other.load(&bytes).unwrap_or_else(|error| panic!("{error}: {context}"));
    // The stranger is one of the kinds now; all else is the same.
    let again = other.save().expect("it can be saved again");
    let mut third = start();
    third.load(&again).expect("what was written can be read");
    assert_eq!(third.save().as_ref(), Ok(&again), "what was read is what was written: {context}");
    *session = other;
}

fn saving_changes_nothing(language: Language) {
    let (mut compiled, mut moved, mut violated) = (0, 0, 0);
    for seed in seeds(CASES) {
        let Some(case) = Case::new(seed, language) else { continue };
        let expected = follow(&mut case.session(), &case.trace, |_, _| {});
        let (mut rng, context) = (Rng::new(seed ^ 1), case.show(seed));
        let outcome = follow(&mut case.session(), &case.trace, |session, _| {
            if rng.chance(40) {
                move_house(session, || case.session(), &context);
                moved += 1;
            }
        });
        compiled += 1;
        violated += u64::from(!outcome.violations.is_empty());
        assert_eq!(outcome, expected, "{context}");
    }
    let enough = compiled > 100 && moved > compiled && violated > 20;
    assert!(enough || !is_sample(cases(CASES)), "{compiled} compiled, {moved} moved, {violated} violated");
}

#[test]
fn saving_changes_nothing_in_foltl() {
    saving_changes_nothing(Language::Foltl);
}

#[test]
fn saving_changes_nothing_in_qtl() {
    saving_changes_nothing(Language::Qtl);
}

#[test]
fn saving_changes_nothing_in_mfotl() {
    saving_changes_nothing(Language::Mfotl);
}

/// The texts that have been shown and that no later point shows.
fn last_seen(trace: &OwnedTrace, passed: usize) -> Vec<&str> {
    let texts = |points: &'_ [OwnedPoint]| -> Vec<String> {
        let arguments = points.iter().flat_map(|point| &point.events).flat_map(|event| &event.arguments);
        arguments.map(|argument| argument.text.to_string()).collect()
    };
    let later = texts(&trace.points[passed..]);
    let before = trace.points[..passed].iter().flat_map(|point| &point.events).flat_map(|event| &event.arguments);
    before.map(|argument| &*argument.text).filter(|text| !later.iter().any(|later| later == text)).collect()
}

/// How many rows a session keeps.
fn rows(session: &Session) -> usize {
    session.sizes().iter().map(|size| size.rows).sum()
}

fn forgetting_changes_nothing(language: Language) {
    let (mut compiled, mut gone) = (0, 0);
    for seed in seeds(CASES) {
        let Some(case) = Case::new(seed, language) else { continue };
        let expected = follow(&mut case.session(), &case.trace, |_, _| {});
        let (mut rng, context) = (Rng::new(seed ^ 1), case.show(seed));
        let outcome = follow(&mut case.session(), &case.trace, |session, passed| {
            let before = rows(session);
            for text in last_seen(&case.trace, passed) {
                if rng.chance(70) {
                    // Texts that are the same may be of different kinds, and numbers of the same value of different texts.
                    let value = session.text(text);
                    session.forget(value);
                }
            }
            gone += before - rows(session);
            if rng.chance(20) {
                move_house(session, || case.session(), &context);
            }
        });
        compiled += 1;
        assert_eq!(outcome, expected, "{context}");
    }
    assert!((compiled > 100 && gone > 100) || !is_sample(cases(CASES)), "{compiled} compiled, {gone} rows gone");
}

#[test]
fn forgetting_changes_nothing_in_foltl() {
    forgetting_changes_nothing(Language::Foltl);
}

#[test]
fn forgetting_changes_nothing_in_qtl() {
    forgetting_changes_nothing(Language::Qtl);
}

#[test]
fn forgetting_changes_nothing_in_mfotl() {
    forgetting_changes_nothing(Language::Mfotl);
}
