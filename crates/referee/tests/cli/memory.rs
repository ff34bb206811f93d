//! Constant memory: however long a pipe is, compressed or not.

use std::io::Write;
use std::process::{Child, Stdio};

use crate::kit::{Desk, Run};

/// The memory that a run may take, in KiB.
const ENOUGH: u64 = 16 * 1024;

/// Feeds a run and returns its peak memory in KiB with what it printed.
fn peak_memory(mut child: Child, feed: impl FnOnce(&mut dyn Write) + Send + 'static) -> (u64, Run) {
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

fn high_water_mark(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

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

#[test]
fn a_gzip_bomb_of_rows_takes_constant_memory() {
    let row: &'static str = Box::leak(format!("a,{}\n", "x".repeat(4_000)).repeat(250).into_boxed_str());
    let (peak, run) = peak_memory(Desk::new().start(&["stats", "-"]), bomb(row, 256));
    assert!(run.fine().contains("events   64000\n"), "256 MB of rows");
    assert!(0 < peak && peak < ENOUGH, "{peak} KiB");
}

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

/// What a name may take beyond its text, in bytes: tables, not plans and handlers of its own.
const PER_NAME: u64 = 200;
/// How many names there are: so many that half-filled pages of large tables do not matter.
const NAMES: usize = 300_000;

/// Feeds as many events as there are names, and returns the peak memory in KiB.
fn peak_of_names(arguments: &[&str], names: usize) -> u64 {
    let desk = Desk::with("p.qtl", "prop p : Forall u . n5(u) -> false\n");
    let mut command = desk.command(arguments);
    // The table of all names is more than a pipe holds that nobody reads.
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let (peak, run) = peak_memory(command.spawn().expect("the program starts"), move |input| {
        for hundred in 0..NAMES / 100 {
            let row = |number: usize| format!("name{:08},1\n", (hundred * 100 + number) % names);
            let rows: String = (0..100).map(row).collect();
            input.write_all(rows.as_bytes()).expect("the program reads");
        }
    });
    assert_eq!(run.code, Some(0), "{}", run.err);
    peak
}

#[test]
fn names_take_little_memory_each() {
    for arguments in [
        &["stats", "-", "--format", "csv-plain"][..],
        &["check", "p.qtl", "-", "--format", "csv-plain"],
        &["check", "--json", "p.qtl", "-", "--format", "csv-plain"],
    ] {
        let (few, many) = (peak_of_names(arguments, 10), peak_of_names(arguments, NAMES));
        let each = (many.saturating_sub(few)) * 1024 / NAMES as u64;
        assert!(0 < few && each < PER_NAME, "{arguments:?}: {each} bytes per name, {few} and {many} KiB");
    }
}

/// So many files are opened and closed.
const FILES: usize = 1_000_000;
/// So many are open at a time.
const OPEN: usize = 100;

/// Names that are read and kept in several ways: short texts, long ones, and numbers of many digits.
fn file_name(number: usize) -> String {
    match number % 3 {
        0 => format!("f{number:05x}"),
        1 => format!("/srv/data/{:08x}", number.wrapping_mul(0x9E37_79B1) & 0xFFFF_FFFF),
        _ => format!("1{number:020}"),
    }
}

/// A log of files that come and go; at its end one is closed that is long gone, and one that was open all the time.
fn log_of_files() -> impl Iterator<Item = String> {
    let files = (0..FILES + OPEN).map(|number| {
        let opened = if number < FILES { format!("open,{},r\n", file_name(number)) } else { String::new() };
        let closed = number.checked_sub(OPEN).map(|old| format!("close,{}\n", file_name(old)));
        opened + &closed.unwrap_or_default()
    });
    let end = format!("close,{}\nclose,stays\n", file_name(7));
    std::iter::once("open,stays,r\n".to_owned()).chain(files).chain([end])
}

/// Texts that no row refers to are given back, from a pipe and from a file that is read on a thread of its own.
#[test]
fn texts_of_objects_that_are_gone_take_no_memory() {
    let desk = Desk::with("file.qtl", "prop file : Forall f . close(f) -> Exists m . @[open(f, m), close(f))\n");
    let found =
        format!("VIOLATION file: point {}, close({1}), f = {1}\nSTATUS: Violated\n", 2 * FILES + 2, file_name(7));
    let arguments = ["check", "file.qtl", "-", "--all", "--format", "csv-plain"];
    let (peak, run) = peak_memory(desk.start(&arguments), |input| {
        log_of_files().for_each(|line| input.write_all(line.as_bytes()).expect("the program reads"));
    });
    assert_eq!((run.code, run.out.as_str()), (Some(1), found.as_str()), "{}", run.err);
    assert!(0 < peak && peak < 2 * ENOUGH, "{peak} KiB");
    desk.write("log.csv", log_of_files().collect::<String>());
    let run = desk.run(&["check", "file.qtl", "log.csv", "--all", "--format", "csv-plain"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), found.as_str()), "{}", run.err);
}
