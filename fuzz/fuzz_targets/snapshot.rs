#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    referee_fuzz::snapshots::snapshot(data);
    referee_fuzz::snapshots::compiled_snapshot(data);
});
