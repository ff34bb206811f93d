//! What must hold for the bytes of every snapshot: the body of the fuzz target `snapshot`.
//!
//! ```text
//!  bytes ─▶ from_bytes ─▶ an error, or a snapshot ─▶ to_bytes ─▶ from_bytes ─▶ the same bytes again
//!                                                └─▶ restore ─▶ an error, or a monitor with this state
//! ```
//!
//! A checksum keeps nearly all damage out, and a fuzzer too; so each input is also tried as the content between a good
//! header and a good checksum.

use referee_engine::{Monitor, Snapshot};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};

/// What the layout begins with: a mark, the version and the fingerprint of the property.
const HEADER: usize = 3 + 1 + 8;

/// The checksum at the end.
const CHECKSUM: usize = 8;

/// Bytes are refused, or they are a snapshot.
pub fn snapshot(data: &[u8]) {
    let mut monitor = monitor();
    let _ = Snapshot::from_bytes(data);
    let Some(found) = read(data) else { return };
    let bytes = found.to_bytes();
    let again = Snapshot::from_bytes(&bytes).map(|snapshot| snapshot.to_bytes());
    assert_eq!(again.as_ref(), Ok(&bytes), "what was read cannot be written");
    if monitor.restore(&found).is_ok() {
        assert_eq!(monitor.snapshot().to_bytes(), bytes, "what was restored is not what was read");
    }
}

/// The snapshot with this content, unless it is damaged.
pub fn read(content: &[u8]) -> Option<Snapshot> {
    let header = &monitor().snapshot().to_bytes()[..HEADER];
    Snapshot::from_bytes(&sealed(&[header, content].concat())).ok()
}

/// The content of a snapshot of the monitor that the check restores into, after so many points.
pub fn content(points: u64) -> Vec<u8> {
    let mut monitor = monitor();
    let (p, r) = (monitor.kind("p", &["1"], 1), monitor.kind("r", &["1", "2"], 2));
    for identity in 0..points {
        let (one, other) = (monitor.identity(identity % 5), monitor.text("other", None));
        monitor.step(None, &[(p, &[one]), (r, &[one, other]), (r, &[other, one])]);
    }
    let bytes = monitor.snapshot().to_bytes();
    bytes[HEADER..bytes.len() - CHECKSUM].to_vec()
}

fn monitor() -> Monitor {
    let text = "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[0,9] q(y)) OR PREV p(x) \
                OR (MATCHP p(x) .*) OR EVENTUALLY (x < y + 1.5 AND EXISTS z. r(y, z) AND z / x < y)";
    let compiled = compile(Language::Mfotl, &Source::new("text.mfotl", text), &Options::default());
    let property = compiled.properties.into_iter().next().and_then(Rule::into_formula);
    Monitor::new(property.expect("the text is well-formed"))
}

/// The bytes with their checksum: 64 bits of FNV-1a.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let add = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, add);
    [bytes, &sum.to_le_bytes()].concat()
}
