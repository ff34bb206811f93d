//! Tools that do what they must not: each is scored by the rules, none stops the competition, nothing of them is left.

use crate::kit::{Contest, SMALL, lives};

/// Runs one tool with small limits, with and without control groups, and returns both cells.
fn cells(body: &str, limits: &str) -> Vec<serde_json::Value> {
    let cell = |more: &[&str]| {
        let contest = Contest::new(&format!("{SMALL}[limits]\n{limits}\n"));
        contest.tool("T", body);
        contest.run_well(more);
        contest.cell("T")
    };
    vec![cell(&[]), cell(&["--no-groups"])]
}

#[track_caller]
fn expect(body: &str, limits: &str, outcome: &str, points: f64, note: &str) {
    for cell in cells(body, limits) {
        assert_eq!(cell["outcome"], outcome, "{cell}");
        assert_eq!(cell["c"], points, "{cell}");
        assert!(cell["note"].as_str().unwrap_or_default().contains(note), "{cell}");
    }
}

const ROOMY: &str = "wall = 60\nmemory = 512";

#[test]
fn right_and_wrong() {
    expect("echo 'STATUS: Violated'", ROOMY, "correct", 10.0, "");
    expect("echo 'STATUS: Satisfied'", ROOMY, "wrong", -5.0, "");
    expect("echo 'STATUS: GaveUp'", ROOMY, "gave-up", -5.0, "");
    expect("echo 'STATUS: TimeOut'", ROOMY, "no-verdict", -5.0, "");
    expect("echo 'STATUS: Perhaps'", ROOMY, "wrong", -5.0, "`Perhaps` is no status");
}

#[test]
fn a_crash() {
    expect("kill -SEGV $$", ROOMY, "crash", -5.0, "died of signal 11");
    expect("exit 3", ROOMY, "crash", -5.0, "ended with code 3 and no STATUS line");
    expect("echo 'STATUS: Violated'; kill -ABRT $$", ROOMY, "crash", -5.0, "though it had printed STATUS: Violated");
    // A code is no crash if the verdict was printed.
    expect("echo 'STATUS: Violated'; exit 1", ROOMY, "correct", 10.0, "");
}

#[test]
fn two_statuses_or_none() {
    expect("echo 'STATUS: Violated'; echo 'STATUS: Satisfied'", ROOMY, "correct", 10.0, "printed 2 STATUS lines");
    expect("echo 'The property is Violated'", ROOMY, "no-verdict", -5.0, "printed no STATUS line");
}

#[test]
fn one_that_hangs_and_ignores_sigterm() {
    let mark = "86399.125";
    expect(
        &format!("trap '' TERM; while :; do sleep {mark}; done"),
        "wall = 0.5\nmemory = 512",
        "no-verdict",
        -5.0,
        "did not end within its wall time",
    );
    assert!(!lives(mark));
}

#[test]
fn one_that_computes_too_long() {
    expect(
        "while :; do :; done",
        "wall = 100\ncpu = 0.3\nmemory = 512",
        "no-verdict",
        -5.0,
        "did not end within its CPU time",
    );
}

#[test]
fn one_that_forks_away() {
    let mark = "86399.250";
    let body = format!(
        "setsid sh -c 'setsid sleep {mark} & setsid sleep {mark} &' >/dev/null 2>&1 &\nsleep 0.2\necho 'STATUS: Violated'"
    );
    expect(&body, ROOMY, "correct", 10.0, "processes behind, which were killed");
    assert!(!lives(mark));
    // The pipe may be held open, too.
    let body = format!("setsid sleep {mark} & echo 'STATUS: Violated'");
    expect(&body, ROOMY, "correct", 10.0, "processes behind, which were killed");
    assert!(!lives(mark));
}

#[test]
fn one_that_forks_without_end() {
    let mark = "86399.375";
    let body = format!(
        "f() {{ sleep {mark} & f & }}; trap '' TERM; i=0; while [ $i -lt 60 ]; do sleep {mark} & i=$((i+1)); done; wait"
    );
    expect(&body, "wall = 1.0\nmemory = 512", "no-verdict", -5.0, "did not end within its wall time");
    assert!(!lives(mark));
}

#[test]
fn one_that_eats_memory() {
    // A string that doubles: a gigabyte within a second or two.
    let body = "s=xxxxxxxxxxxxxxxx; while :; do s=$s$s; done";
    expect(body, "wall = 60\nmemory = 64", "crash", -5.0, "too much memory");
}

#[test]
fn ten_gigabytes_of_output() {
    let contest = Contest::new(&format!("{SMALL}[limits]\nwall = 300\nmemory = 512\n"));
    contest.tool("T", "head -c 10000000000 /dev/zero; echo; echo 'STATUS: Violated'");
    contest.run_well(&[]);
    assert_eq!(contest.cell("T")["outcome"], "correct");
    let run = &contest.runs()[0];
    assert!(run["written"].as_u64() > Some(10_000_000_000), "{run}");
    let output = contest.path("results").join(run["output"].as_str().expect("a file"));
    let kept = std::fs::metadata(output).expect("it is kept").len();
    assert!(kept < 2 << 20, "{kept}");
}

#[test]
fn one_that_cannot_be_started() {
    let contest = Contest::new(SMALL);
    contest.tool("T", "");
    std::fs::remove_file(contest.path("tools/T/run")).expect("removed");
    contest.run_well(&[]);
    assert_eq!(contest.cell("T")["outcome"], "crash");
}

#[test]
fn a_full_disk_loses_no_run_but_the_last() {
    let contest = Contest::new(SMALL);
    contest.tool("T", "echo 'STATUS: Violated'");
    contest.run_well(&["--repeat", "3"]);
    let before = contest.runs();
    let length = std::fs::metadata(contest.path("results/journal.jsonl")).expect("a journal").len();
    // Files may not grow beyond a little more than the journal has: what a full disk is to it.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" contest run \"$1\" --repeat 30",
        (length + 1600).div_ceil(512)
    );
    let shell = std::process::Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_referee"), contest.argument()])
        .output()
        .expect("there is a shell");
    assert_eq!(shell.status.code(), Some(2), "{shell:?}");
    let said = String::from_utf8_lossy(&shell.stderr);
    assert!(
        said.contains("journal.jsonl: cannot be written; the last run is lost, those before it are kept"),
        "{said}"
    );
    let kept = contest.runs();
    assert!(kept.len() >= before.len() && kept.len() < 30 && kept.starts_with(&before));
    contest.run_well(&["--repeat", "30"]);
    assert_eq!(contest.runs().len(), 30);
}
