//! What must hold for the bytes of every state: the body of the fuzz target `snapshot`.
//!
//! ```text
//!  bytes ─▶ load ─▶ an error, or a session ─▶ save ─▶ bytes ─▶ load ─▶ save ─▶ the same bytes again
//! ```
//!
//! States are those of an interpreter and of compiled programs, which between them keep something in every kind of table. A
//! state that is loaded is gone on from: no row in it may lead to a panic later.
//!
//! A checksum keeps nearly all damage out, and a fuzzer too; so each input is also tried as what stands between a good header and a
//! good checksum, and as the part of the only judge within a good frame.

use std::sync::{Arc, OnceLock};

use referee_engine::Settings;
use referee_engine::judge::checksum;
use referee_engine::session::{SavedState, Session, SessionKind};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::values::Atom;

/// What the layout begins with: a mark and the version.
const HEADER: usize = 4 + 1;

/// A number of eight bytes: the checksum at the end, the length of the contents before it, and that of the last part before them.
const WORD: usize = 8;

/// A rule that keeps something in every part of its state.
const RULE: &str = "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[0,9] q(y)) OR PREV p(x) \
                    OR (MATCHP p(x) .*) OR EVENTUALLY (x < y + 1.5 AND EXISTS z. r(y, z) AND z / x < y)";

/// Rules that are compiled: rows with stamps and indexes, bits, windows by the newest witness and by all, windows that are joined when they
/// are asked for, sets, copies and events of the point before, demands with deadlines and without, and a part for the interpreter.
pub const COMPILED: [&str; 10] = [
    "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE q(y)) OR ONCE p(x)",
    "FORALL x, y. r(x, y) IMPLIES ONCE[0,9] r(y, x) OR ONCE[0,5] p(x)",
    "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[2,9] (q(x) OR r(y, x))) OR (NOT p(x) SINCE[2,*) (p(x) OR q(x)))",
    "FORALL x, y. r(x, y) IMPLIES ONCE[0,9] EXISTS z. r(z, x) AND (NOT q(y) SINCE r(z, y))",
    "prop text: Forall x . p(x) -> Exists l . !(P (q(x) & ![r(x, l), p(l))))",
    "FORALL x, y. r(x, y) IMPLIES PREV (p(x) OR ONCE q(y)) OR PREV PREV p(y)",
    "FORALL x, y. r(x, y) IMPLIES EVENTUALLY[1,9] p(x)",
    "FORALL x, y. r(x, y) IMPLIES NEXT (q(y) OR ONCE p(x))",
    "FORALL x, y. r(x, y) IMPLIES (NOT q(x) UNTIL[0,10] p(x))",
    "FORALL x, y. r(x, y) IMPLIES (ONCE[0,9] q(x)) AND (MATCHP p(x) .* r(y, y))",
];

/// Bytes are refused, or they are a state of an interpreter.
pub fn snapshot(data: &[u8]) {
    let _ = session(RULE).load(data);
    for found in [read(data), read_inside(data)].into_iter().flatten() {
        check_state(RULE, found);
    }
}

/// The same of a compiled program, which the first byte chooses.
pub fn compiled_snapshot(data: &[u8]) {
    if let Some((first, data)) = data.split_first() {
        let rule = COMPILED[usize::from(*first) % COMPILED.len()];
        read_of(rule, data).into_iter().for_each(|found| check_state(rule, found));
    }
}

fn check_state(rule: &str, mut found: Session) {
    let bytes = found.save().expect("it can be saved");
    let mut again = session(rule);
    let _ = again.load(&bytes).expect("what was read cannot be written");
    assert_eq!(again.save().as_ref(), Ok(&bytes), "what was loaded is not what was saved");
    if rule != RULE {
        go_on(&mut found);
    }
}

/// Goes on from a state, and forgets a value on the way.
fn go_on(session: &mut Session) {
    tell(session, 0..4);
    let value = session.identity(1);
    session.forget(value);
    tell(session, 4..8);
    let _ = session.save();
    session.end();
}

/// The session whose only judge has this state, unless it is damaged.
pub fn read(part: &[u8]) -> Option<Session> {
    read_of(RULE, part)
}

/// The same of another rule.
pub fn read_of(rule: &str, part: &[u8]) -> Option<Session> {
    let mut session = session(rule);
    let empty = session.save().expect("it can be saved");
    let own = SavedState::read(&empty).expect("it was saved now").parts[0].bytes.len();
    let contents = &empty[HEADER + own..empty.len() - 3 * WORD];
    let length = u64::try_from(contents.len() + WORD).expect("it is short").to_le_bytes();
    let own = u64::try_from(part.len()).expect("it is short").to_le_bytes();
    let _ = session.load(&sealed(&[&empty[..HEADER], part, contents, &own, &length].concat())).ok()?;
    Some(session)
}

/// The session with a state that has this between header and checksum, unless it is damaged.
pub fn read_inside(inside: &[u8]) -> Option<Session> {
    let mut session = session(RULE);
    let empty = session.save().expect("an interpreter can be saved");
    let _ = session.load(&sealed(&[&empty[..HEADER], inside].concat())).ok()?;
    Some(session)
}

/// What the judge keeps after so many points.
pub fn content(points: u64) -> Vec<u8> {
    content_of(RULE, points)
}

/// The same of another rule.
pub fn content_of(rule: &str, points: u64) -> Vec<u8> {
    let bytes = state(rule, points);
    SavedState::read(&bytes).expect("it was saved now").parts[0].bytes.to_vec()
}

/// All of a state but its header and its checksum.
pub fn inside(points: u64) -> Vec<u8> {
    let bytes = state(RULE, points);
    bytes[HEADER..bytes.len() - WORD].to_vec()
}

fn state(rule: &str, points: u64) -> Vec<u8> {
    let mut session = session(rule);
    if rule == RULE {
        let (p, r) = (session.kind("p", &["1"]), session.kind("r", &["1", "2"]));
        for identity in 0..points {
            let (one, other) = (session.identity(identity % 5), session.text("other"));
            session.point(None, &[(p, &[one]), (r, &[one, other]), (r, &[other, one])]).expect("a point");
        }
    } else {
        tell(&mut session, 0..points);
    }
    session.save().expect("it can be saved")
}

/// Tells a session of some points, with times if it will take them.
fn tell(session: &mut Session, points: std::ops::Range<u64>) {
    let (p, q, r) = (session.kind("p", &["1"]), session.kind("q", &["1"]), session.kind("r", &["1", "2"]));
    for number in points {
        let (one, other) = (session.identity(number % 5), session.text(["other", "1.50", "true"][number as usize % 3]));
        let time = Number::Int(i64::try_from(number).unwrap_or(0) / 2);
        let events: &[(SessionKind, &[Atom])] = match number % 4 {
            0 => &[(p, &[one])],
            1 => &[(r, &[one, other])],
            2 => &[(r, &[other, one]), (q, &[one])],
            _ => &[(q, &[other])],
        };
        // A state may speak of a later time, or of none.
        let _ = session.point(Some(&time), events).or_else(|_| session.point(None, events));
    }
}

fn session(rule: &str) -> Session {
    static KNOWN: OnceLock<Vec<Arc<Rule>>> = OnceLock::new();
    static PROGRAMS: OnceLock<Vec<Vec<Arc<Rule>>>> = OnceLock::new();
    let interpreted = Settings { compile: false, ..Settings::default() };
    if rule == RULE {
        return Session::with(KNOWN.get_or_init(|| rules(RULE)), &interpreted);
    }
    match COMPILED.iter().position(|own| *own == rule) {
        Some(program) => {
            let mut session = Session::new(&PROGRAMS.get_or_init(|| COMPILED.map(rules).into())[program]);
            // A part may speak of the events of its last point, whose kinds stand outside of it.
            tell(&mut session, 0..0);
            session
        }
        None => Session::with(&rules(rule), &interpreted),
    }
}

/// The rules of a text.
pub fn rules(text: &str) -> Vec<Arc<Rule>> {
    let language = if text.starts_with("prop") { Language::Qtl } else { Language::Mfotl };
    let compiled = compile(language, &Source::new("text.mfotl", text), &Options::default());
    compiled.properties.into_iter().map(Arc::new).collect()
}

/// The bytes with their checksum.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &checksum(bytes).to_le_bytes()].concat()
}
