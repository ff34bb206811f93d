#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| referee_fuzz::specifications::logfire(data));
