//! Pipes that are closed early.

use std::io::{BufRead, BufReader};

use crate::kit::Desk;

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
