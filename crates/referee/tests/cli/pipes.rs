//! Mappings, specifications and signatures through pipes: each is read once.

use std::path::Path;
use std::process::Command;

use crate::kit::{Desk, Run};

/// Runs a line of bash, where `referee` is the program.
fn bash(desk: &Desk, line: &str) -> Run {
    let program = Path::new(env!("CARGO_BIN_EXE_referee"));
    let folder = program.parent().expect("the program is in a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(desk.path("")).env("PATH", path).env("NO_COLOR", "1");
    command.output().expect("there is a shell").into()
}

const NEVER: &str = "prop never : Forall x . !bad(x)\n";
const MAPPING: &str = "[[event]]\nfrom = \"fault\"\nto = \"bad\"\n";

#[test]
fn a_mapping_through_a_pipe_is_applied() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("log.csv", "fault,1\n");
    desk.write("map.toml", MAPPING);
    let file = bash(&desk, "referee check never.qtl log.csv --map map.toml");
    let pipe = bash(&desk, "referee check never.qtl log.csv --map <(cat map.toml)");
    assert_eq!(
        (file.code, file.out.as_str()),
        (Some(1), "VIOLATION never: point 1, bad(1), x = 1\nSTATUS: Violated\n")
    );
    assert_eq!((pipe.code, pipe.out, pipe.err), (file.code, file.out, file.err));
    for command in ["cat", "stats"] {
        let file = bash(&desk, &format!("referee {command} log.csv --map map.toml")).fine();
        assert_eq!(bash(&desk, &format!("referee {command} log.csv --map <(cat map.toml)")).fine(), file);
    }
}

#[test]
fn a_mapping_through_a_pipe_serves_several_readings() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("soon.mfotl", "ALWAYS FORALL x. NOT bad(x)\n");
    desk.write("log.csv", "fault,1\n");
    desk.write("map.toml", MAPPING);
    let run = bash(&desk, "referee check never.qtl log.csv --spec soon.mfotl --map <(cat map.toml)");
    let expected = "VIOLATION never: point 1, bad(1), x = 1\nVIOLATION soon: point 1, bad(1), x = 1\n\
                    PROPERTY never: Violated\nPROPERTY soon: Violated\nSTATUS: Violated\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected), "{}", run.err);
}

#[test]
fn a_specification_through_a_pipe_is_judged() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("log.csv", "bad,1\n");
    let expected = "VIOLATION 63: point 1, bad(1), x = 1\nSTATUS: Violated\n";
    let pipe = bash(&desk, "referee check <(cat never.qtl) log.csv --language qtl");
    assert_eq!((pipe.code, pipe.out.as_str()), (Some(1), expected.replace("63", "never").as_str()), "{}", pipe.err);
    let fifo = bash(&desk, "mkfifo spec.qtl; cat never.qtl > spec.qtl & referee check spec.qtl log.csv");
    assert_eq!((fifo.code, fifo.out), (pipe.code, pipe.out), "{}", fifo.err);
}

#[test]
fn a_signature_through_a_pipe_declares_types() {
    let desk = Desk::with("same.mfotl", "FORALL x. p(x) IMPLIES NOT x = \"7\"\n");
    desk.write("text.sig", "p(x:string)\n");
    desk.write("log.log", "@1 p (7);\n");
    assert_eq!(bash(&desk, "referee check same.mfotl log.log").code, Some(0));
    assert_eq!(bash(&desk, "referee check same.mfotl log.log --signature <(cat text.sig)").code, Some(1));
    assert_eq!(bash(&desk, "cat text.sig | referee check same.mfotl log.log --signature /dev/stdin").code, Some(1));
}

/// Its second reading would find an empty trace.
#[test]
fn a_piped_trace_is_not_read_twice() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("soon.mfotl", "ALWAYS FORALL x. NOT bad(x)\n");
    let run = desk.run_with(&["check", "never.qtl", "-", "--spec", "soon.mfotl"], "bad,1\n");
    assert_eq!(run.out, "STATUS: GaveUp\n");
    let message =
        "-: rules in qtl and mfotl see time differently and need a reading each, and a pipe can be read only once";
    run.failed_with(message, "save the trace in a file");
    let run = desk.run_with(&["check", "-", "-", "--language", "qtl"], NEVER);
    run.failed_with("standard input is named more than once, and can be read only once", "keep `-` for one of them");
}
