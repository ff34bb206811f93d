//! The decoders of all formats, or of the one that the environment variable `REFEREE_FUZZ_FORMAT` names.

#![no_main]

use std::sync::OnceLock;

use referee_fuzz::traces::agrees;
use referee_trace::format::Format;

static CHOSEN: OnceLock<Vec<Format>> = OnceLock::new();

fn chosen() -> Vec<Format> {
    match std::env::var("REFEREE_FUZZ_FORMAT") {
        Ok(name) => vec![Format::from_name(&name).expect("REFEREE_FUZZ_FORMAT is the name of a format")],
        Err(_) => Format::READ.to_vec(),
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for format in CHOSEN.get_or_init(chosen) {
        agrees(*format, data);
    }
});
