//! What must hold for the bytes of every state: the body of the fuzz target `snapshot`.
//!
//! ```text
//!  bytes ─▶ load ─▶ an error, or a session ─▶ save ─▶ bytes ─▶ load ─▶ save ─▶ the same bytes again
//! ```
//!
//! A checksum keeps nearly all damage out, and a fuzzer too; so each input is also tried as what stands between a good header and a
//! good checksum, and as the part of the only judge within a good frame.

use std::sync::{Arc, OnceLock};

use referee_engine::Settings;
use referee_engine::judge::checksum;
use referee_engine::session::{SavedState, Session};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};

/// What the layout begins with: a mark and the version.
const HEADER: usize = 4 + 1;

/// A number of eight bytes: the checksum at the end, the length of the contents before it, and that of the last part before them.
const WORD: usize = 8;

/// A rule that keeps something in every part of its state.
const RULE: &str = "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[0,9] q(y)) OR PREV p(x) \
                    OR (MATCHP p(x) .*) OR EVENTUALLY (x < y + 1.5 AND EXISTS z. r(y, z) AND z / x < y)";

/// Bytes are refused, or they are a state.
pub fn snapshot(data: &[u8]) {
    let _ = session(RULE).load(data);
    for found in [read(data), read_inside(data)].into_iter().flatten() {
        let bytes = found.save().expect("an interpreter can be saved");
        let mut again = session(RULE);
        let _ = again.load(&bytes).expect("what was read cannot be written");
        assert_eq!(again.save().as_ref(), Ok(&bytes), "what was loaded is not what was saved");
    }
}

/// The session whose only judge has this state, unless it is damaged.
pub fn read(part: &[u8]) -> Option<Session> {
    read_of(RULE, part)
}

/// The same of another rule.
pub fn read_of(rule: &str, part: &[u8]) -> Option<Session> {
    let mut session = session(rule);
    let empty = session.save().expect("an interpreter can be saved");
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
    let bytes = state(points);
    SavedState::read(&bytes).expect("it was saved now").parts[0].bytes.to_vec()
}

/// All of a state but its header and its checksum.
pub fn inside(points: u64) -> Vec<u8> {
    let bytes = state(points);
    bytes[HEADER..bytes.len() - WORD].to_vec()
}

fn state(points: u64) -> Vec<u8> {
    let mut session = session(RULE);
    let (p, r) = (session.kind("p", &["1"]), session.kind("r", &["1", "2"]));
    for identity in 0..points {
        let (one, other) = (session.identity(identity % 5), session.text("other"));
        session.point(None, &[(p, &[one]), (r, &[one, other]), (r, &[other, one])]).expect("a point");
    }
    session.save().expect("an interpreter can be saved")
}

fn session(rule: &str) -> Session {
    static KNOWN: OnceLock<Vec<Arc<Rule>>> = OnceLock::new();
    let settings = Settings { compile: false, ..Settings::default() };
    match rule {
        RULE => Session::with(KNOWN.get_or_init(|| rules(RULE)), &settings),
        rule => Session::with(&rules(rule), &settings),
    }
}

fn rules(text: &str) -> Vec<Arc<Rule>> {
    let compiled = compile(Language::Mfotl, &Source::new("text.mfotl", text), &Options::default());
    compiled.properties.into_iter().map(Arc::new).collect()
}

/// The bytes with their checksum.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &checksum(bytes).to_le_bytes()].concat()
}
