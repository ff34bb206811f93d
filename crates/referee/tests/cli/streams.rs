//! Pipes: closed early, never ending, and of any length in constant memory.

use std::io::{BufRead, BufReader, Write};
use std::process::Child;

use crate::kit::Desk;

/// The memory that a run may take, in KiB.
const ENOUGH: u64 = 16 * 1024;

#[test]
fn a_closed_pipe_ends_quietly() {
    let rows = "event_with_a_long_name,1,2,3\n".repeat(100_000);
    let desk = Desk::with("big.csv", &rows);
    for arguments in [&["cat", "big.csv"][..], &["convert", "big.csv", "-", "--to", "xml"]] {
        let mut child = desk.start(arguments);
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("standard output is piped"));
        out.read_line(&mut first).expect("a first line");
        drop(out);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

/// Feeds a run and returns its peak memory in KiB with what it printed.
#[cfg(target_os = "linux")]
fn peak_memory(mut child: Child, feed: impl FnOnce(&mut dyn Write) + Send + 'static) -> (u64, crate::kit::Run) {
    let mut input = child.stdin.take().expect("standard input is piped");
    let feeder = std::thread::spawn(move || feed(&mut input));
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The mark only rises, so the last look before the end is as good as one at the end.
    while child.try_wait().expect("the child is ours").is_none() {
        peak = high_water_mark(&status).unwrap_or(peak);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    feeder.join().expect("the feeder does not panic");
    (peak, child.wait_with_output().expect("the program ended").into())
}

#[cfg(target_os = "linux")]
fn high_water_mark(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn a_piped_trace_of_two_million_events_takes_constant_memory() {
    let child = Desk::new().start(&["stats", "-"]);
    let (peak, run) = peak_memory(child, |input| {
        for number in 0..2_000 {
            let rows: String = (0..1_000).map(|row| format!("open,{number},{row}\n")).collect();
            input.write_all(rows.as_bytes()).expect("the program reads");
        }
    });
    assert!(run.fine().contains("events   2000000\n"));
    assert!(0 < peak && peak < ENOUGH, "{peak} KiB");
}

/// A gzip stream of `copies` copies of a text, made while it is read.
#[cfg(target_os = "linux")]
fn bomb(text: &'static str, copies: usize) -> impl FnOnce(&mut dyn Write) + Send {
    move |input| {
        let mut encoder = flate2::write::GzEncoder::new(input, flate2::Compression::best());
        for _ in 0..copies {
            // The program may give up, which is what some tests want.
            if encoder.write_all(text.as_bytes()).is_err() {
                return;
            }
        }
        drop(encoder.finish());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_gzip_bomb_of_rows_takes_constant_memory() {
    let row: &'static str = Box::leak(format!("a,{}\n", "x".repeat(4_000)).repeat(250).into_boxed_str());
    let (peak, run) = peak_memory(Desk::new().start(&["stats", "-"]), bomb(row, 256));
    assert!(run.fine().contains("events   64000\n"), "256 MB of rows");
    assert!(0 < peak && peak < ENOUGH, "{peak} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_gzip_bomb_without_line_ends_is_refused_in_constant_memory() {
    let text: &'static str = Box::leak("x".repeat(1 << 20).into_boxed_str());
    let (peak, run) = peak_memory(Desk::new().start(&["stats", "--max-line", "1M", "-"]), bomb(text, 1_000));
    run.failed_with(
        "-:1:1: a line or event of more than 1048576 bytes starts here",
        "--max-line BYTES allows longer ones",
    );
    assert!(0 < peak && peak < ENOUGH, "{peak} KiB");
}
