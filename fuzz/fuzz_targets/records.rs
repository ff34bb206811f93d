//! The decoders of logs that a mapping describes: lines by pattern, tables, JSON by path; and exports of journals.

#![no_main]

use std::sync::OnceLock;

use referee_fuzz::traces::{agrees_by, journal, rules};
use referee_trace::format::{Format, InputRule};

static RULES: OnceLock<Vec<(&'static str, Format, InputRule)>> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for (_, format, input) in RULES.get_or_init(rules) {
        agrees_by(*format, input, data);
    }
    journal(data);
});
