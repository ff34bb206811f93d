//! A trace of any length is read in constant memory: under 16 MB in all, also when a small file unpacks to a large one.
//!
//! The measured reading runs in a process of its own, which this test starts from its own program.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use referee_trace::reader::{ReadOptions, read_stream};
use referee_trace::stats::Stats;

const INPUT: &str = "REFEREE_TEST_INPUT";

/// Reads the file that the environment names and prints the most memory that took; without one, nothing is to be done.
#[test]
fn child() {
    let Some(path) = std::env::var_os(INPUT) else { return };
    let file = File::open(path).unwrap_or_else(|error| panic!("{error}"));
    let mut stats = Stats::new(false);
    let summary =
        read_stream("in", file, &ReadOptions::default(), &mut stats).unwrap_or_else(|error| panic!("{error}"));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|text| text.trim_end_matches("kB").trim());
    println!("\nread {} {}", summary.totals.events, peak.unwrap_or("nothing"));
}

/// Events read and peak memory in kilobytes of a process that reads this file as a stream.
fn measure(path: &Path) -> (u64, u64) {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let output = Command::new(program).args(["--exact", "child", "--nocapture"]).env(INPUT, path).output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("read ")).unwrap_or_else(|| panic!("{text}"));
    let numbers: Vec<u64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
    (numbers[0], numbers[1])
}

#[test]
fn memory_does_not_grow_with_the_trace() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let chunk = "access,alice,17,3.5\n".repeat(50_000);
    let chunks = 40;
    let write = |name: &str, writer: &mut dyn Write| {
        for _ in 0..chunks {
            writer.write_all(chunk.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    };
    let create = |name: &str| File::create(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    write("plain", &mut create("plain"));
    let mut gzip = flate2::write::GzEncoder::new(create("gzip"), flate2::Compression::fast());
    write("gzip", &mut gzip);
    gzip.finish().unwrap_or_else(|error| panic!("{error}"));
    let mut zstd = zstd::Encoder::new(create("zstd"), 1).unwrap_or_else(|error| panic!("{error}"));
    zstd.window_log(23).unwrap_or_else(|error| panic!("{error}"));
    write("zstd", &mut zstd);
    zstd.finish().unwrap_or_else(|error| panic!("{error}"));
    for name in ["plain", "gzip", "zstd"] {
        let (events, kilobytes) = measure(&folder.path().join(name));
        assert_eq!(events, 50_000 * chunks, "{name}");
        assert!(kilobytes < 16_000, "{name}: {kilobytes} kB");
        println!("{name}: {kilobytes} kB");
    }
}
