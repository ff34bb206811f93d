//! The state of compiled programs: saving and loading changes nothing, nor does forgetting what never comes again.
//!
//! ```text
//!   property, trace ─┬▶ compiled, all in one session ───────────────────▶ outcome ─┐
//!                    ├▶ saved and loaded between points, now and then ──▶ outcome ─┼ the same
//!                    └▶ told which values never come again ─────────────▶ outcome ─┘
//! ```
//!
//! Properties are random, or mutants of those of the benchmark suite, which look more like what people write. `REFEREE_CASES` and
//! `REFEREE_SEED` work as in the differential tests.

mod feeding;
mod mutation;

use std::collections::HashSet;
use std::sync::Arc;

use feeding::{follow, step};
use mutation::{events, mutate, tokens, trace_over};
use referee_engine::fo::Passes;
use referee_engine::judge::Wanted;
use referee_engine::session::{Loaded, SavedState, Session, StateError};
use referee_engine::{Settings, judge_compiled};
use referee_oracle::random::{Rng, describe, random_property, random_trace};
use referee_spec::core::{Judgement, Language, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, seeds};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

/// How many cases each language gets in a normal test run.
const CASES: u64 = 1_000;

macro_rules! texts {
    ($folder:literal: $($file:literal),* $(,)?) => {
        &[$(include_str!(concat!("../../../", $folder, "/", $file))),*]
    };
}

const QTL: &[&str] = texts!("crates/referee-generate/specifications": "dejavu-access.qtl", "dejavu-file.qtl",
    "dejavu-fifo.qtl", "dejavu-locking.qtl", "dejavu-deadlock.qtl", "dejavu-datarace.qtl", "suite-doors.qtl",
    "suite-lease.qtl", "suite-meters.qtl", "suite-parts.qtl", "suite-runways.qtl", "suite-sessions.qtl",
    "suite-transfers.qtl", "suite-checkout.qtl");
const FOLTL: &[&str] = texts!("crates/referee-generate/specifications": "suite-audits.foltl", "suite-cards.foltl",
    "suite-jobs.foltl", "suite-parcels.foltl", "suite-tickets.foltl", "c-files.foltl", "hasnext.foltl");
const PAST_FOLTL: &[&str] = texts!("benches/specifications": "access/access.foltl", "file/file.foltl", "fifo/fifo.foltl",
    "locking/locking.foltl", "deadlock/deadlock.foltl", "datarace/datarace.foltl");
const MFOTL: &[&str] = texts!("crates/referee-generate/specifications": "suite-alarms.mfotl", "suite-ballots.mfotl",
    "suite-doses.mfotl", "suite-nodes.mfotl", "suite-shifts.mfotl", "monpoly-report.mfotl", "monpoly-auth.mfotl",
    "monpoly-approve.mfotl", "monpoly-insert.mfotl", "monpoly-withdraw.mfotl");
const PAST_MFOTL: &[&str] = texts!("benches/specifications": "access/access.mfotl", "file/file.mfotl", "fifo/fifo.mfotl",
    "locking/locking.mfotl", "deadlock/deadlock.mfotl", "datarace/datarace.mfotl");

/// What few properties of the suite speak of: the next point and what was before it, events of the point before, rows of which one is
/// enough, and rows that depend on others.
const RARE: &[&str] = &[
    "ALWAYS FORALL x. exit(x) IMPLIES NEXT ONCE enter(x)",
    "ALWAYS FORALL x. exit(x) IMPLIES NEXT (NOT leave(x) SINCE enter(x))",
    "ALWAYS FORALL x, y. tick(y) AND PREV login(x) IMPLIES ONCE paid(x)",
    "ALWAYS FORALL x, y. tick(y) AND PREV login(x) IMPLIES (NOT owes(x, y) SINCE paid(x, y))",
    "ALWAYS FORALL y. tick(y) IMPLIES NOT EXISTS x. ONCE (paid(x, y) AND ONCE login(x))",
    "ALWAYS FORALL x. close(x) IMPLIES EXISTS y. (NOT close(x) SINCE open(x, y)) AND NOT ONCE[0,9] mark(y)",
    "ALWAYS FORALL x, y. take(x, y) IMPLIES ONCE (give(y) AND ONCE[0,5] (own(x) AND ONCE give(x)))",
];

// ── Properties and traces ───────────────────────────────────────────────────────────────────────────────────────────────

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
    /// A random property, and rounds of a trace.
    fn random(seed: u64, language: Language, rounds: i64) -> Option<Case> {
        let mut rng = Rng::new(seed);
        let depth = 1 + usize::try_from(seed % 6).expect("small");
        let property = Arc::new(random_property(&mut rng, language, depth));
        let settings = settings(&mut rng, seed, &property)?;
        let trace = in_rounds(rounds, || random_trace(&mut rng, &property));
        Some(Case { property, trace, settings })
    }

    /// A mutant of a property, and rounds of a trace.
    fn mutant(seed: u64, language: Language, texts: &[&str], rounds: i64) -> Option<Case> {
        let mut rng = Rng::new(seed);
        let original = tokens(rng.pick(texts));
        let mut mutant = original.clone();
        (0..rng.below(4)).for_each(|_| mutate(&mut rng, language, &mut mutant));
        let property = formula(language, &mutant.concat())?;
        let settings = settings(&mut rng, seed, &property)?;
        let trace = in_rounds(rounds, || trace_over(&mut rng, language, &events(&original), VALUES));
        Some(Case { property, trace, settings })
    }

    fn session(&self) -> Session {
        Session::with(&[Arc::new(Rule::Formula(self.property.clone()))], &self.settings)
    }

    fn show(&self, seed: u64) -> String {
        format!("seed {seed}, {:?}\n{}", self.settings, describe(&self.property, &self.trace))
    }
}

fn formula(language: Language, text: &str) -> Option<Arc<Property>> {
    let compiled = compile(language, &Source::new("text", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

/// Settings under which a property is compiled, if it can be.
fn settings(rng: &mut Rng, seed: u64, property: &Arc<Property>) -> Option<Settings> {
    let (prefix, passes) = (seed.is_multiple_of(4), passes(seed / 3));
    // What is pending of a property judged once, only the interpreter counts.
    let is_countable = !(prefix && property.judgement == Judgement::Once);
    let compiles = judge_compiled(property.clone(), &OwnedTrace::default(), false, passes).is_ok();
    let wanted = if rng.chance(20) { Wanted::First } else { Wanted::All };
    (is_countable && compiles).then(|| Settings { prefix, passes, wanted, ..Settings::default() })
}

/// The values of events: numbers in several writings among them.
const VALUES: &[&str] = &["1", "2", "2", "x", "-1", "1.5", "true"];

/// Traces one behind the other, each with values of its own: most come for a while and never again.
fn in_rounds(rounds: i64, mut trace: impl FnMut() -> OwnedTrace) -> OwnedTrace {
    let (mut all, mut start) = (OwnedTrace::default(), Number::ZERO);
    for round in 0..rounds {
        let mut trace = trace();
        for point in &mut trace.points {
            point.time = point.time.as_ref().map(|time| time.add(&start));
            let arguments = point.events.iter_mut().flat_map(|event| &mut event.arguments);
            arguments.for_each(|argument| argument.text = renewed(&argument.text, round).into());
        }
        start = trace.points.iter().rev().find_map(|point| point.time.clone()).unwrap_or(start);
        all.points.append(&mut trace.points);
    }
    // Either all points have a time, or none has.
    if all.points.iter().any(|point| point.time.is_none()) {
        all.points.iter_mut().for_each(|point| point.time = None);
    }
    all
}

/// A value of the same kind that belongs to a round.
fn renewed(text: &str, round: i64) -> String {
    match text.parse::<i64>() {
        Ok(integer) => (integer + 100 * round).to_string(),
        Err(_) if text.starts_with(|first: char| first.is_alphabetic()) && !matches!(text, "true" | "false") => {
            format!("{text}{}", "'".repeat(round as usize))
        }
        Err(_) => text.to_owned(),
    }
}

// ── Saving ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Puts a session's state into a new session, in which values and kinds were met in another order.
fn move_house(session: &mut Session, start: impl Fn() -> Session, context: &str) {
    let bytes = session.save().unwrap_or_else(|error| panic!("{error}: {context}"));
    let mut other = start();
    other.kind("stranger", &["x", "y"]);
    ["z", "b", "17.5", "1e3", "a", "3"].iter().for_each(|text| _ = other.text(text));
    assert_eq!(other.load(&bytes), Ok(Loaded::default()), "{context}");
    *session = other;
}

/// The same state but for the counts of rows: those that have expired and are no longer asked for are counted until they are
/// dropped, and not saved.
fn without_sizes(bytes: &[u8]) -> SavedState<'_> {
    let mut state = SavedState::read(bytes).expect("it was saved now");
    state.parts.iter_mut().for_each(|part| part.sizes.clear());
    state
}

/// What is loaded is what was saved, to the byte, whatever numbers values have.
fn is_the_same_again(session: &Session, start: impl Fn() -> Session, context: &str) {
    let bytes = session.save().expect("it can be saved");
    let mut other = start();
    ["z", "b", "17.5", "1e3", "a", "3"].iter().for_each(|text| _ = other.text(text));
    assert_eq!(other.load(&bytes), Ok(Loaded::default()), "what was written can be read");
    let again = other.save().expect("it can be saved");
    assert_eq!(without_sizes(&again), without_sizes(&bytes), "{context}");
}

/// Sessions that are saved and loaded find what others find.
fn saving_changes_nothing(percent: usize, case: impl Fn(u64) -> Option<Case>) {
    let (mut compiled, mut moved, mut violated) = (0, 0, 0);
    for seed in seeds(CASES) {
        let Some(case) = case(seed) else { continue };
        let expected = follow(&mut case.session(), &case.trace, |_, _| {});
        let (mut rng, context) = (Rng::new(seed ^ 1), case.show(seed));
        let outcome = follow(&mut case.session(), &case.trace, |session, _| {
            if rng.chance(percent) {
                move_house(session, || case.session(), &context);
                moved += 1;
            }
            if rng.chance(5) {
                is_the_same_again(session, || case.session(), &context);
            }
        });
        compiled += 1;
        violated += u64::from(!outcome.violations.is_empty());
        assert_eq!(outcome, expected, "{context}");
    }
    println!("{compiled} compiled, {moved} moved, {violated} violated");
    let enough = compiled > 100 && moved > compiled && violated > 20;
    assert!(enough || cases(CASES) < CASES, "{compiled} compiled, {moved} moved, {violated} violated");
}

#[test]
fn saving_changes_nothing_in_foltl() {
    saving_changes_nothing(40, |seed| Case::random(seed, Language::Foltl, 1));
}

#[test]
fn saving_changes_nothing_in_qtl() {
    saving_changes_nothing(40, |seed| Case::random(seed, Language::Qtl, 1));
}

#[test]
fn saving_changes_nothing_in_mfotl() {
    saving_changes_nothing(40, |seed| Case::random(seed, Language::Mfotl, 1));
}

#[test]
fn saving_changes_nothing_in_mutants() {
    saving_changes_nothing(15, |seed| match seed % 6 {
        0 => Case::mutant(seed, Language::Foltl, FOLTL, 2),
        1 => Case::mutant(seed, Language::Foltl, PAST_FOLTL, 2),
        2 => Case::mutant(seed, Language::Mfotl, MFOTL, 2),
        3 => Case::mutant(seed, Language::Mfotl, PAST_MFOTL, 2),
        4 => Case::mutant(seed, Language::Mfotl, RARE, 2),
        _ => Case::mutant(seed, Language::Qtl, QTL, 2),
    });
}

/// What a copy of a session says, which is made of its state and then ended, is what the points so far say. Where the trace may go
/// on, another judge may be needed, and the state of one is never taken for that of the other.
#[test]
fn verdicts_between_points_are_those_of_the_points_so_far() {
    let (mut told, mut refused) = (0, 0);
    for seed in seeds(CASES / 4) {
        let language = [Language::Foltl, Language::Qtl, Language::Mfotl][(seed % 3) as usize];
        let Some(case) = Case::random(seed, language, 1) else { continue };
        let complete = Settings { prefix: false, wanted: Wanted::All, ..case.settings };
        for settings in [complete, Settings { prefix: true, ..complete }] {
            let rule = [Arc::new(Rule::Formula(case.property.clone()))];
            let mut session = Session::with(&rule, &settings);
            for (passed, point) in (1..).zip(&case.trace.points) {
                step(&mut session, point);
                let so_far = OwnedTrace { points: case.trace.points[..passed].to_vec() };
                match session.verdict(0) {
                    Ok(state) => {
                        let status = follow(&mut Session::with(&rule, &complete), &so_far, |_, _| {}).status;
                        assert_eq!(state.status, status, "point {passed}, {}", case.show(seed));
                        told += 1;
                    }
                    Err(error) => {
                        assert_eq!(error, StateError::Damaged, "{}", case.show(seed));
                        assert!(settings.prefix && case.property.judgement == Judgement::Once, "{}", case.show(seed));
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(told > refused, "{told} told, {refused} refused");
}

/// Several properties that share tables are saved with them.
#[test]
fn properties_that_share_a_program_are_saved_together() {
    for seed in seeds(CASES / 10) {
        let mut rng = Rng::new(seed);
        let texts: Vec<&str> = (0..3).map(|_| rng.pick(QTL)).collect();
        let rules: Vec<Arc<Rule>> = texts
            .iter()
            .filter_map(|text| formula(Language::Qtl, text))
            .map(|own| Arc::new(Rule::Formula(own)))
            .collect();
        let events: Vec<(String, usize)> = texts.iter().flat_map(|text| events(&tokens(text))).collect();
        let trace = in_rounds(2, || trace_over(&mut rng, Language::Qtl, &events, VALUES));
        let start = || Session::with(&rules, &Settings::default());
        let (mut stays, mut moves) = (start(), start());
        for point in &trace.points {
            assert_eq!(step(&mut stays, point), step(&mut moves, point), "seed {seed}: {texts:?}\n{trace:?}");
            move_house(&mut moves, start, &format!("seed {seed}"));
        }
        assert_eq!(stays.end(), moves.end(), "seed {seed}: {texts:?}\n{trace:?}");
    }
}

/// Variables that threads use while they have many locks share one list of these; in the bytes, too.
#[test]
fn long_lists_are_shared() {
    let rule = [Arc::new(Rule::Formula(formula(Language::Qtl, QTL[5]).expect("a formula")))];
    let start = || Session::new(&rule);
    let event = |name: &str, thread: &str, of: usize| OwnedPoint {
        time: None,
        events: vec![OwnedEvent::positional(name, &[thread, &format!("{name}-{of}")])],
    };
    let (mut stays, mut moves) = (start(), start());
    let mut sizes = Vec::new();
    let mut tell = |points: Vec<OwnedPoint>| {
        for point in points {
            assert_eq!(step(&mut moves, &point), step(&mut stays, &point));
        }
        move_house(&mut moves, start, "many locks");
        is_the_same_again(&moves, start, "many locks");
        sizes.push(moves.save().expect("it can be saved").len());
        stays.sizes().iter().map(|size| size.rows).sum::<usize>()
    };
    tell((0..9).map(|lock| event("acq", "one", lock)).collect());
    tell((0..100).map(|variable| event("write", "one", variable)).collect());
    tell((0..100).map(|variable| event("write", "other", variable)).collect());
    tell((0..5).map(|lock| event("rel", "one", lock)).collect());
    tell((0..100).map(|variable| event("write", "one", variable)).collect());
    let more = sizes[1] - sizes[0];
    assert!(more < 100 * (9 + 15), "{more} bytes for a hundred rows that share nine locks");
    assert_eq!(stays.end(), moves.end());
}

// ── Forgetting ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// How many rounds a trace has whose values are forgotten.
const ROUNDS: i64 = 4;

/// The texts that have been shown and that no later point shows.
fn last_seen(trace: &OwnedTrace, passed: usize) -> Vec<&str> {
    fn texts(points: &[OwnedPoint]) -> impl Iterator<Item = &str> {
        let arguments = points.iter().flat_map(|point| &point.events).flat_map(|event| &event.arguments);
        arguments.map(|argument| &*argument.text)
    }
    let later: HashSet<&str> = texts(&trace.points[passed..]).collect();
    texts(&trace.points[..passed]).filter(|text| !later.contains(text)).collect()
}

/// How many rows a session keeps.
fn rows(session: &Session) -> usize {
    session.sizes().iter().map(|size| size.rows).sum()
}

/// Sessions that forget find what others find. Random formulas seldom have an event before each look at the past, so few rows go.
fn forgetting_changes_nothing(least_gone: usize, case: impl Fn(u64) -> Option<Case>) {
    let (mut compiled, mut gone) = (0, 0);
    for seed in seeds(CASES) {
        let Some(case) = case(seed) else { continue };
        let expected = follow(&mut case.session(), &case.trace, |_, _| {});
        let (mut rng, context) = (Rng::new(seed ^ 1), case.show(seed));
        let outcome = follow(&mut case.session(), &case.trace, |session, passed| {
            let before = rows(session);
            for text in last_seen(&case.trace, passed) {
                if rng.chance(70) {
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
    println!("{compiled} compiled, {gone} rows gone");
    let enough = compiled > 100 && gone >= least_gone;
    assert!(enough || cases(CASES) < CASES, "{compiled} compiled, {gone} rows gone");
}

#[test]
fn forgetting_changes_nothing_in_foltl() {
    forgetting_changes_nothing(50, |seed| Case::random(seed, Language::Foltl, ROUNDS));
}

#[test]
fn forgetting_changes_nothing_in_qtl() {
    forgetting_changes_nothing(3, |seed| Case::random(seed, Language::Qtl, ROUNDS));
}

#[test]
fn forgetting_changes_nothing_in_mfotl() {
    forgetting_changes_nothing(0, |seed| Case::random(seed, Language::Mfotl, ROUNDS));
}

#[test]
fn forgetting_changes_nothing_in_mutants() {
    forgetting_changes_nothing(500, |seed| match seed % 6 {
        0 => Case::mutant(seed, Language::Foltl, FOLTL, ROUNDS),
        1 => Case::mutant(seed, Language::Foltl, PAST_FOLTL, ROUNDS),
        2 => Case::mutant(seed, Language::Mfotl, MFOTL, ROUNDS),
        3 => Case::mutant(seed, Language::Mfotl, PAST_MFOTL, ROUNDS),
        4 => Case::mutant(seed, Language::Mfotl, RARE, ROUNDS),
        _ => Case::mutant(seed, Language::Qtl, QTL, ROUNDS),
    });
}

/// A session of a property of the suite that is compiled, and so many steps of a life that each has values of its own.
struct Lives {
    session: Session,
    remembering: Session,
}

impl Lives {
    fn new(language: Language, text: &str) -> Lives {
        let rule = [Arc::new(Rule::Formula(formula(language, text).expect("a formula")))];
        Lives { session: Session::new(&rule), remembering: Session::new(&rule) }
    }

    /// Lives of objects with different numbers, whose events are told with the number; after each the object is dead.
    fn live(&mut self, lives: u64, events: impl Fn(u64) -> Vec<(&'static str, Vec<String>)>) {
        for number in 0..lives {
            let mut texts: Vec<String> = Vec::new();
            for (name, arguments) in events(number) {
                let point = OwnedPoint {
                    time: None,
                    events: vec![OwnedEvent::positional(
                        name,
                        &arguments.iter().map(|text| &**text).collect::<Vec<_>>(),
                    )],
                };
                assert_eq!(step(&mut self.session, &point), step(&mut self.remembering, &point));
                texts.extend(arguments);
            }
            for text in texts {
                let value = self.session.text(&text);
                self.session.forget(value);
            }
        }
    }

    /// How many rows are kept, with forgetting and without it.
    fn rows(&self) -> (usize, usize) {
        (rows(&self.session), rows(&self.remembering))
    }
}

/// Rows of users and files that are dead go.
#[test]
fn dead_users_and_files_are_forgotten() {
    let mut lives = Lives::new(Language::Qtl, QTL[0]);
    let life = |number: u64| {
        let (user, file) = (format!("user-{number}"), (1000 + number).to_string());
        vec![("login", vec![user.clone()]), ("open", vec![file.clone()]), ("access", vec![user, file])]
    };
    lives.live(100, life);
    assert_eq!(lives.rows(), (0, 200));
}

/// Rows of files that are dead go; their modes are asked for by going through the rows of a file, and have died with it.
#[test]
fn dead_files_are_forgotten() {
    let mut lives = Lives::new(Language::Qtl, QTL[1]);
    lives.live(100, |number| vec![("open", vec![format!("file-{number}"), (number % 3).to_string()])]);
    assert_eq!(lives.rows(), (0, 100));
}

/// Rows of iterators that are dead go.
#[test]
fn dead_iterators_are_forgotten() {
    let text = include_str!("../../referee-generate/specifications/hasnext.foltl");
    let mut lives = Lives::new(Language::Foltl, text);
    let life = |number: u64| {
        let iterator = format!("iterator@{number}");
        vec![
            ("hasNext", vec![iterator.clone(), "true".to_owned()]),
            ("next", vec![iterator.clone()]),
            ("hasNext", vec![iterator, "true".to_owned()]),
        ]
    };
    lives.live(100, life);
    let (kept, remembered) = lives.rows();
    assert!(kept == 0 && remembered >= 100, "{kept} of {remembered} rows");
}

/// What somebody goes through is kept: a lock that a dead thread has is not free, and a thread has a lock that is dead.
#[test]
fn what_is_gone_through_is_kept() {
    let mut lives = Lives::new(Language::Qtl, QTL[3]);
    lives.live(10, |number| vec![("acq", vec![format!("thread-{number}"), format!("lock-{number}")])]);
    let (kept, remembered) = lives.rows();
    assert!(kept == remembered && kept >= 10, "{kept} of {remembered} rows");
    let point =
        |thread: &str| OwnedPoint { time: None, events: vec![OwnedEvent::positional("acq", &[thread, "lock"])] };
    assert!(step(&mut lives.session, &point("one")).is_empty());
    let dead = lives.session.text("one");
    lives.session.forget(dead);
    assert_eq!(step(&mut lives.session, &point("other")).len(), 1);
}
