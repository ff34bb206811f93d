//! Files that change while they are read: a clear error or the verdict of what was there, never a signal.
//!
//! Most tests need no luck: `cat` fills a pipe that nobody empties, and so waits in the middle of a file that is larger than
//! all buffers on the way.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::time::Duration;

use crate::kit::{Desk, Run};

const ROWS: usize = 400_000;

fn row(number: usize) -> String {
    format!("event_{},{number:08}\n", number % 10)
}

fn rows() -> String {
    (0..ROWS).map(row).collect()
}

/// Prints a file, of which something becomes while the program waits for its reader.
fn cat_while(becomes: impl FnOnce(&Desk)) -> Run {
    let desk = Desk::with("big.csv", rows());
    // The time of the last change must differ from that of the next one.
    std::thread::sleep(Duration::from_millis(50));
    let mut child = desk.start(&["cat", "big.csv"]);
    let mut out = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut text = String::new();
    out.read_line(&mut text).expect("a first line");
    becomes(&desk);
    out.read_to_string(&mut text).expect("text");
    let ended = child.wait_with_output().expect("the program ends");
    Run { out: text, ..ended.into() }
}

fn open(desk: &Desk) -> File {
    OpenOptions::new().write(true).open(desk.path("big.csv")).expect("the file is there")
}

#[track_caller]
fn is_refused(run: Run, what: &str) {
    let err = run.failed();
    let (message, hint) = err.split_once('\n').unwrap_or_default();
    assert!(message.starts_with("error: big.csv:") && message.ends_with(what), "{err}");
    let place: Vec<&str> = message.split(':').collect();
    assert!(place[2].parse::<u64>().is_ok() && place[3].parse::<u64>().is_ok(), "{err}");
    assert!(hint.contains("judge a copy"), "{err}");
}

#[test]
fn a_truncated_file_is_refused() {
    for length in [0, 1, 100_000] {
        let run = cat_while(|desk| open(desk).set_len(length).expect("the file is truncated"));
        is_refused(run, "the file was truncated while it was read");
    }
}

#[test]
fn a_rewritten_file_is_refused() {
    let other = rows().replace("event", "other");
    is_refused(
        cat_while(|desk| open(desk).write_all(other.as_bytes()).expect("the file is written")),
        "the file was rewritten while it was read",
    );
    let longer = format!("{other}{other}");
    is_refused(
        cat_while(|desk| open(desk).write_all(longer.as_bytes()).expect("the file is written")),
        "the file was rewritten while it was read",
    );
}

#[test]
fn a_file_that_grows_or_is_removed_is_read_as_it_was() {
    let grown = cat_while(|desk| {
        let mut file = OpenOptions::new().append(true).open(desk.path("big.csv")).expect("the file is there");
        file.write_all(b"more,1\n").expect("the file is written");
    });
    let removed = cat_while(|desk| fs::remove_file(desk.path("big.csv")).expect("the file is removed"));
    for run in [grown, removed] {
        let out = run.fine();
        assert_eq!(out.lines().count(), ROWS);
        assert!(out.ends_with(&format!("{ROWS} event_9({:08})\n", ROWS - 1)), "{}", &out[out.len() - 60..]);
    }
}

#[test]
fn a_verdict_is_of_what_was_there_or_there_is_none() {
    let desk = Desk::with("never.qtl", "prop never : forall x . ! event_5(x)\n");
    let good: String = (0..ROWS).map(|number| row(10 * number)).collect();
    for wait in [0, 2, 5, 10, 20, 40] {
        for threads in ["1", "2"] {
            desk.write("big.csv", &good);
            std::thread::sleep(Duration::from_millis(20));
            let child = desk.start(&["check", "never.qtl", "big.csv", "--threads", threads]);
            std::thread::sleep(Duration::from_millis(wait));
            open(&desk).set_len(1_000).expect("the file is truncated");
            let run: Run = child.wait_with_output().expect("the program ends").into();
            match run.code {
                // The whole file was read before, or only what was left was there from the start.
                Some(0) => {
                    assert!(run.err.starts_with("warning[L0007]: the trace has no event `event_5`"), "{}", run.err)
                }
                // Truncated after it was opened and before its size was asked, it looks rewritten.
                Some(2) => {
                    assert!(run.err.contains("big.csv:") && run.err.contains("while it was read"), "{}", run.err)
                }
                _ => panic!("after {wait} ms: {run:?}"),
            }
        }
    }
}

/// However much of the file was there when it was truncated: the whole target or the one before, and nothing beside it.
#[test]
fn convert_leaves_nothing_of_a_file_that_is_truncated() {
    let desk = Desk::with("big.csv", rows().repeat(3));
    desk.write("out.json", "before");
    std::thread::sleep(Duration::from_millis(50));
    let mut child = desk.start(&["convert", "big.csv", "out.json"]);
    // The file beside the target shows that the conversion has begun.
    while desk.files().len() < 3 && child.try_wait().expect("the child is ours").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    open(&desk).set_len(1_000).expect("the file is truncated");
    let run: Run = child.wait_with_output().expect("the program ends").into();
    assert_eq!(desk.files(), ["big.csv", "out.json"], "{run:?}");
    match run.code {
        Some(2) => {
            assert!(run.err.contains("big.csv:") && run.err.contains("was truncated"), "{}", run.err);
            assert_eq!(desk.read("out.json"), "before");
        }
        // A quick machine had read everything before.
        _ => assert_eq!((run.code, desk.read("out.json").lines().count()), (Some(0), 3 * ROWS)),
    }
}
