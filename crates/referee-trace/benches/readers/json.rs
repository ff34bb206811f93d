//! JSON lines against serde_json with a visitor over borrowed strings.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write;

use referee_trace::format::json::decode::JsonDecoder;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::kit::Kit;
use crate::tally::{EVENTS, tally};

/// Measures lines whose values are plain, and lines in which every event has a value with escapes.
pub(crate) fn run(kit: &Kit) {
    for (work, aim, text_of) in [
        ("json lines, 1M events of 3 fields", 1.2, plain as fn(u64) -> String),
        ("json lines, 1M events, an escape in each", 1.0, escaped),
    ] {
        if kit.selects(work) {
            let log = log(text_of);
            kit.row(work, aim, || reference(&log), || tally::<JsonDecoder>(&log));
        }
    }
}

fn plain(event: u64) -> String {
    format!("/var/data/{}.txt", event % 5000)
}

fn escaped(event: u64) -> String {
    format!("C:\\\\data\\\\{}.txt", event % 5000)
}

/// One object per line: five kinds of events with three fields each.
fn log(text_of: impl Fn(u64) -> String) -> String {
    let mut log = String::new();
    for event in 0..EVENTS {
        let kind = ["open", "close", "read", "write", "access"][(event * 7 % 5) as usize];
        let (user, file) = (event % 977, text_of(event));
        let _ = writeln!(log, "{{\"{kind}\": {{\"user\": \"{user}\", \"file\": \"{file}\", \"ts\": \"{event}\"}}}}");
    }
    log
}

/// Events and bytes of values; names and values are borrowed from the log where they have no escapes.
fn reference(log: &str) -> u64 {
    let objects = serde_json::Deserializer::from_str(log).into_iter::<Events>();
    objects.map(|events| events.expect("the log is well formed").0).sum()
}

/// What an object `{"name": {"field": "value"}}` adds to the count.
struct Events(u64);

/// What the fields of an event add to the count.
struct Fields(u64);

/// A string, borrowed if it can be.
struct Text<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Events;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of events")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Events, A::Error> {
                let mut count = 0;
                while let Some((_, Fields(bytes))) = map.next_entry::<Text<'de>, Fields>()? {
                    count += 1 + bytes;
                }
                Ok(Events(count))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut bytes = 0;
                while let Some((_, Text(value))) = map.next_entry::<Text<'de>, Text<'de>>()? {
                    bytes += value.len() as u64;
                }
                Ok(Fields(bytes))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowed;
        impl<'de> Visitor<'de> for Borrowed {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Borrowed)
    }
}
