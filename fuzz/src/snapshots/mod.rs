//! What must hold for the bytes of every state: the body of the fuzz target `snapshot`.
//!
//! ```text
//!  bytes ─▶ load ─▶ an error, or a session ─▶ save ─▶ bytes ─▶ load ─▶ save ─▶ the same bytes again
//! ```
//!
//! A checksum keeps nearly all damage out, and a fuzzer too; so each input is also tried as the content between a good
//! header and a good checksum.

use std::sync::{Arc, OnceLock};

use referee_engine::Settings;
use referee_engine::session::Session;
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};

/// What the layout begins with: a mark, the version, and one rule with its fingerprint and its name `text`.
const HEADER: usize = 4 + 1 + 1 + 8 + 1 + 4;

/// The checksum at the end.
const CHECKSUM: usize = 8;

/// A rule that keeps something in every part of its state.
const RULE: &str = "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[0,9] q(y)) OR PREV p(x) \
                    OR (MATCHP p(x) .*) OR EVENTUALLY (x < y + 1.5 AND EXISTS z. r(y, z) AND z / x < y)";

/// Bytes are refused, or they are a state.
pub fn snapshot(data: &[u8]) {
    let _ = session(RULE).load(data);
    let Some(found) = read(data) else { return };
    let bytes = found.save().expect("an interpreter can be saved");
    let mut again = session(RULE);
    again.load(&bytes).expect("what was read cannot be written");
    assert_eq!(again.save().as_ref(), Ok(&bytes), "what was loaded is not what was saved");
}

/// The session with a state of this content, unless it is damaged.
pub fn read(content: &[u8]) -> Option<Session> {
    read_of(RULE, content)
}

/// The same of another rule.
pub fn read_of(rule: &str, content: &[u8]) -> Option<Session> {
    let mut session = session(rule);
    let empty = session.save().expect("an interpreter can be saved");
    session.load(&sealed(&[&empty[..HEADER], content].concat())).ok()?;
    Some(session)
}

/// The content of a state, after so many points.
pub fn content(points: u64) -> Vec<u8> {
    let mut session = session(RULE);
    let (p, r) = (session.kind("p", &["1"]), session.kind("r", &["1", "2"]));
    for identity in 0..points {
        let (one, other) = (session.identity(identity % 5), session.text("other"));
        session.point(None, &[(p, &[one]), (r, &[one, other]), (r, &[other, one])]).expect("a point");
    }
    let bytes = session.save().expect("an interpreter can be saved");
    bytes[HEADER..bytes.len() - CHECKSUM].to_vec()
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

/// The bytes with their checksum: 64 bits of FNV-1a.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let add = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, add);
    [bytes, &sum.to_le_bytes()].concat()
}
