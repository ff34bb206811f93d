//! Damaged states: whatever judge reads them refuses them, or goes on with what they say. Nobody panics, and nobody takes more memory than
//! there are bytes.
//!
//! ```text
//!   rule, trace ─▶ state ─▶ some bytes changed, a good checksum ─▶ load ─▶ an error, or a session that judges the rest of the trace
//! ```
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

mod feeding;
mod random_rules;

use feeding::{events_of, step};
use random_rules::{KINDS, case, show};
use referee_engine::Settings;
use referee_engine::judge::checksum;
use referee_engine::session::{Session, SessionKind};
use referee_oracle::random::Rng;
use referee_testing::seeds;
use referee_trace::owned::OwnedTrace;
use referee_trace::values::Atom;

/// How many rules of each kind are saved in a normal test run, and how often each state is damaged.
const CASES: u64 = 100;
const DAMAGES: usize = 20;

/// The checksum at the end.
const CHECKSUM: usize = 8;

/// The mark and the version.
const HEADER: usize = 4 + 1;

/// The bytes with their checksum.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &checksum(bytes).to_le_bytes()].concat()
}

/// A state with some bytes changed behind its header.
fn damaged(state: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = state[..state.len() - CHECKSUM].to_vec();
    for _ in 0..1 + rng.below(3) {
        let place = HEADER + rng.below(bytes.len() - HEADER);
        match rng.below(4) {
            0 => bytes[place] ^= 1 << rng.below(8),
            1 => bytes[place] = rng.pick(&[0, 1, 2, 3, 5, 0x3f, 0x7f, 0x80, 0xff]),
            2 => bytes.insert(place, rng.pick(&[0, 1, 2, 0x7f, 0xff])),
            _ => drop(bytes.remove(place)),
        }
    }
    sealed(&bytes)
}

/// Judges the rest of a trace, as far as its points still fit.
fn go_on(session: &mut Session, trace: &OwnedTrace, passed: usize) {
    for point in &trace.points[passed..] {
        let events = events_of(session, point);
        let events: Vec<(SessionKind, &[Atom])> = events.iter().map(|(kind, atoms)| (*kind, &atoms[..])).collect();
        // Its time may lie before that of the damaged state.
        let _ = session.point(point.time.as_ref(), &events);
    }
    let _ = session.save();
    session.end();
}

#[test]
fn damaged_states_are_refused_or_judged() {
    let (mut refused, mut judged) = (0, 0);
    for (kind, seed) in (0..KINDS).flat_map(|kind| seeds(CASES).map(move |seed| (kind, seed))) {
        let mut rng = Rng::new(seed);
        let Some((rule, trace)) = case(kind, &mut rng) else { continue };
        let settings = Settings { prefix: seed % 4 == 0, compile: rng.chance(50), ..Settings::default() };
        let start = || Session::with(std::slice::from_ref(&rule), &settings);
        let passed = rng.below(trace.points.len() + 1);
        let mut session = start();
        trace.points[..passed].iter().for_each(|point| drop(step(&mut session, point)));
        let Ok(state) = session.save() else { continue };
        for number in 0..DAMAGES {
            let bytes = damaged(&state, &mut rng);
            let judge = || {
                let mut session = start();
                let loaded = session.load(&bytes).is_ok();
                if loaded {
                    go_on(&mut session, &trace, passed);
                }
                loaded
            };
            match std::panic::catch_unwind(std::panic::AssertUnwindSafe(judge)) {
                Ok(true) => judged += 1,
                Ok(false) => refused += 1,
                Err(_) => panic!("kind {kind}, seed {seed}, damage {number}\n{}", show(&rule, &trace)),
            }
        }
    }
    assert!((refused > 1000 && judged > 100) || referee_testing::cases(CASES) < 100, "{refused} {judged}");
}
