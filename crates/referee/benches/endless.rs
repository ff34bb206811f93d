//! What a log costs that never ends: every object of it is new, does a little and is gone, and a thousand are alive at a time.
//!
//! `cargo bench -p referee --bench endless [-- FILTER…] [--values N]` writes such logs into `referee check -` and prints per rule: events,
//! distinct values (a hundred million unless told otherwise), CPU nanoseconds an event, and peak memory of a log a hundredth as long beside
//! that of the whole. What is kept is what is alive: the two differ by little. Nothing fails because a machine is slow.
//!
//! ```text
//!   this program, called with --write ── named CSV ─▶ pipe ─▶ referee check RULE - ─▶ STATUS: Satisfied
//! ```

#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How many objects are alive at a time.
const ALIVE: u64 = 1000;

/// A rule, and what happens when an object comes, when it is middle-aged, and when it goes.
struct Work {
    name: &'static str,
    /// The file of the rule, below the repository, or its text.
    rule: Rule,
    /// Distinct values and events of an object.
    values: u64,
    events: u64,
    begin: fn(u64, &mut Out),
    middle: fn(u64, &mut Out),
    end: fn(u64, &mut Out),
}

enum Rule {
    File(&'static str),
    /// Extension and text.
    Text(&'static str, &'static str),
}

type Out = BufWriter<std::io::StdoutLock<'static>>;

/// A value that no other object has, of as many letters as names of sessions have.
struct Name(char, u64);

impl std::fmt::Display for Name {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // An odd factor: no two numbers have the same name, and names come in no order.
        write!(out, "{}{:012x}", self.0, self.1.wrapping_mul(0x9E37_79B9_7F4A_7C15) & 0xFFFF_FFFF_FFFF)
    }
}

macro_rules! say {
    ($out:expr, $($what:tt)*) => {
        if writeln!($out, $($what)*).is_err() {
            // Who listened has gone; what it says tells why.
            std::process::exit(0);
        }
    };
}

fn no_more(_: u64, _: &mut Out) {}

/// Of objects that come and go in time, a second holds a hundred.
fn second(number: u64) -> u64 {
    number / 100
}

const LOLA: &str = "input open: String\ninput shut: String\n\
output busy(f: String)\n  spawn with open\n  eval when open.get(or: \"\") = f with true\n  close when shut.get(or: \"\") = f\n\
trigger busy(open).offset(by: -1).defaults(to: false) \"twice\"\n";

const WORKS: [Work; 8] = [
    Work {
        name: "access",
        rule: Rule::File("crates/referee-generate/specifications/dejavu-access.qtl"),
        values: 2,
        events: 5,
        begin: |t, out| say!(out, "login, u = {}\nopen, f = {}", Name('u', t), Name('f', t)),
        middle: |t, out| say!(out, "access, u = {}, f = {}", Name('u', t), Name('f', t)),
        end: |t, out| say!(out, "close, f = {}\nlogout, u = {}", Name('f', t), Name('u', t)),
    },
    Work {
        name: "file",
        rule: Rule::File("crates/referee-generate/specifications/dejavu-file.qtl"),
        values: 2,
        events: 2,
        begin: |t, out| say!(out, "open, f = {}, m = {}", Name('f', t), Name('m', t)),
        middle: no_more,
        end: |t, out| say!(out, "close, f = {}", Name('f', t)),
    },
    Work {
        name: "locking",
        rule: Rule::File("crates/referee-generate/specifications/dejavu-locking.qtl"),
        values: 2,
        events: 3,
        begin: |t, out| say!(out, "acq, t = {}, l = {}", Name('t', t), Name('l', t)),
        middle: no_more,
        end: |t, out| say!(out, "rel, t = {0}, l = {1}\nsleep, t = {0}", Name('t', t), Name('l', t)),
    },
    Work {
        name: "has-next, FO-LTL",
        rule: Rule::File("crates/referee-generate/specifications/hasnext.foltl"),
        values: 1,
        events: 2,
        begin: |t, out| say!(out, "hasNext, i = {}, b = true", Name('i', t)),
        middle: no_more,
        end: |t, out| say!(out, "next, i = {}", Name('i', t)),
    },
    Work {
        name: "has-next, QEA",
        rule: Rule::File("crates/referee-generate/specifications/qea-hasnext.qea"),
        values: 1,
        events: 2,
        begin: |t, out| say!(out, "hasnext, i = {}, b = true", Name('i', t)),
        middle: no_more,
        end: |t, out| say!(out, "donext, i = {}", Name('i', t)),
    },
    Work {
        name: "has-next, MOP",
        rule: Rule::File("crates/referee-generate/specifications/mop-hasnext.mop"),
        values: 1,
        events: 2,
        begin: |t, out| say!(out, "hasnext_true, i = {}", Name('i', t)),
        middle: no_more,
        end: |t, out| say!(out, "next, i = {}", Name('i', t)),
    },
    Work {
        name: "approve (4.3.8)",
        rule: Rule::File("crates/referee-generate/specifications/monpoly-approve.mfotl"),
        values: 3,
        events: 6,
        begin: |t, out| {
            let (now, a, m) = (second(t), Name('a', t), Name('m', t));
            say!(out, "acc_S, a = {a}, ts = {now}\nmgr_S, m = {m}, a = {a}, ts = {now}");
        },
        middle: |t, out| {
            let (now, f) = (second(t + ALIVE / 2), Name('f', t));
            say!(
                out,
                "approve, m = {}, f = {f}, ts = {now}\npublish, a = {}, f = {f}, ts = {now}",
                Name('m', t),
                Name('a', t)
            );
        },
        end: |t, out| {
            let (now, a, m) = (second(t + ALIVE), Name('a', t), Name('m', t));
            say!(out, "mgr_F, m = {m}, a = {a}, ts = {now}\nacc_F, a = {a}, ts = {now}");
        },
    },
    Work {
        name: "Lola, closed instances",
        rule: Rule::Text("lola", LOLA),
        values: 1,
        events: 2,
        begin: |t, out| say!(out, "step, open = {}", Name('f', t)),
        middle: no_more,
        end: |t, out| say!(out, "step, shut = {}", Name('f', t)),
    },
];

/// Writes a log with so many distinct values.
fn write(work: &Work, values: u64) {
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let objects = values / work.values;
    for now in 0..objects + ALIVE {
        if now < objects {
            (work.begin)(now, &mut out);
        }
        if let Some(object) = now.checked_sub(ALIVE / 2).filter(|object| *object < objects) {
            (work.middle)(object, &mut out);
        }
        if let Some(object) = now.checked_sub(ALIVE) {
            (work.end)(object, &mut out);
        }
    }
    // Who listened may have gone.
    let _ = out.flush();
}

/// CPU time and peak memory in KiB of a check, and its verdict.
fn check(work: &Work, rule: &Path, values: u64) -> (Duration, u64, String) {
    let own = std::env::current_exe().expect("this program has a file");
    let mut writer = Command::new(own);
    writer.args(["--write", work.name, &values.to_string()]).stdout(Stdio::piped());
    let mut writer = writer.spawn().expect("this program runs");
    let log = writer.stdout.take().expect("it has an output");
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.arg("check").arg(rule).args(["-", "--format", "csv-named"]).stdin(log).stdout(Stdio::piped());
    #[expect(clippy::zombie_processes, reason = "the child is waited for by `resources`")]
    let mut child = command.spawn().expect("the binary runs");
    let lines = child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    let status = lines.map_while(Result::ok).last().unwrap_or_default();
    let (cpu, peak) = measure::resources(child.id());
    writer.wait().expect("the writer ends");
    (cpu, peak, status)
}

/// The file of a rule.
fn rule_file(work: &Work, folder: &Path) -> PathBuf {
    match work.rule {
        Rule::File(path) => Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path),
        Rule::Text(extension, text) => {
            let path = folder.join("rule").with_extension(extension);
            std::fs::write(&path, text).expect("the folder takes a file");
            path
        }
    }
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, values] = &arguments[..]
        && flag == "--write"
    {
        let work = WORKS.iter().find(|work| work.name == name).expect("the name of a work");
        return write(work, values.parse().expect("a number"));
    }
    let mut values = 100_000_000;
    if let Some(place) = arguments.iter().position(|argument| argument == "--values") {
        values = arguments.get(place + 1).and_then(|values| values.parse().ok()).expect("--values wants a number");
        arguments.drain(place..place + 2);
    }
    arguments.retain(|argument| !argument.starts_with('-'));
    let folder = tempfile::tempdir().expect("a folder for rules");
    println!("{:<24} {:>12} {:>12} {:>9} {:>12} {:>9}", "rule", "values", "events", "ns/event", "MB, 1/100", "MB");
    let is_wanted =
        |work: &&Work| arguments.is_empty() || arguments.iter().any(|name| work.name.contains(name.as_str()));
    for work in WORKS.iter().filter(is_wanted) {
        let rule = rule_file(work, folder.path());
        let (_, small, status) = check(work, &rule, values / 100);
        assert_eq!(status, "STATUS: Satisfied", "{}", work.name);
        let (cpu, peak, status) = check(work, &rule, values);
        assert_eq!(status, "STATUS: Satisfied", "{}", work.name);
        let events = values / work.values * work.events;
        let nanoseconds = cpu.as_secs_f64() * 1e9 / events as f64;
        let megabytes = |peak: u64| peak as f64 / 1024.0;
        println!(
            "{:<24} {values:>12} {events:>12} {nanoseconds:>9.1} {:>12.1} {:>9.1}",
            work.name,
            megabytes(small),
            megabytes(peak)
        );
    }
}
