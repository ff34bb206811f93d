//! What machines cost from file to verdict, in CPU time of the release binary.
//!
//! `cargo bench -p referee --bench machines [-- FILTER]` prints a table: the work, the verdict, CPU milliseconds, the ratio to the csv
//! loop over the same bytes in this process, events per second and peak memory. Traces are made here, at the sizes that the
//! competition published; where they violate, an event of the last thousandth does. Nothing fails because a machine is slow.

#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;
#[allow(dead_code)]
#[path = "check/references.rs"]
mod references;

use std::fmt::Write as _;
use std::path::PathBuf;

/// A specification, a trace and what they are called.
struct Work {
    name: &'static str,
    specification: String,
    extension: &'static str,
    trace: String,
}

/// Pseudo-random numbers from a counter.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)) % bound
    }
}

const GRANTING: &str = "qea { forall(r) accept next(free) { grant(t1, r) -> granted } accept next(granted) { grant(t2, r) -> failure; \
    cancel(t2, r) if [t1 = t2] -> free } }";
const LIFECYCLE: &str = "qea { forall(r) accept next(free) { request(r) -> requested } accept next(requested) { deny(r) -> free; \
    grant(r) -> granted } next(granted) { cancel(r) -> free; rescind(r) -> granted } }";
const CONFLICTS: &str = "qea { forall(r1, r2) accept skip(start) { conflict(r1, r2) -> free; conflict(r2, r1) -> free } \
    accept skip(free) { grant(r1) -> granted1; grant(r2) -> granted2 } accept next(granted1) { cancel(r1) -> free } \
    accept next(granted2) { cancel(r2) -> free } }";
const LEADER: &str = "qea { exists(r1) forall(r2) where(r1 != r2) join(r1, r2) skip(start) { ping(r1, r2) -> pinged } \
    skip(pinged) { ack(r2, r1) -> success } }";
const NESTED: &str = "qea { forall(c1, c2) accept next(none) { command(c2) -> none; succeed(c2) -> none; command(c1) -> startedOne } \
    accept next(startedOne) { command(c2) -> startedTwo; succeed(c1) -> none } accept next(startedTwo) { succeed(c2) -> startedOne } }";
const PIECES: &str = "qea(Pieces) { forall(d,p) accept skip(new) { create(d,p) -> a } accept skip(a) { toggle(d) -> b } \
    accept skip(b) { toggle(d) -> a ; process(p) -> failure } }";
const UNSAFE: &str = "UnsafeMapIterator(Map m, Collection c, Iterator i) { event createColl(m, c) event createIter(c, i) event useIter(i) \
    event update(m) ere: createColl update* createIter useIter* update+ useIter @match }";
const HAS_NEXT: &str = "qea { forall(i) accept skip(unsafe) { hasnext(i) -> safe; donext(i) -> failure } accept skip(safe) { donext(i) -> unsafe } }";

/// 4.3.16: a resource is granted twice near the end.
fn granting(events: u64) -> String {
    let (mut text, mut dice, mut holder) = (String::new(), Dice(1), vec![0u64; 5000]);
    for number in 0..events {
        let resource = dice.below(5000) as usize;
        if number == events - events / 2000 {
            let held = holder.iter().position(|task| *task != 0).unwrap_or(0);
            let _ = writeln!(text, "grant,{},{held}", 7_000_000);
        } else if holder[resource] == 0 {
            holder[resource] = 1 + dice.below(100_000);
            let _ = writeln!(text, "grant,{},{resource}", holder[resource]);
        } else {
            let _ = writeln!(text, "cancel,{},{resource}", holder[resource]);
            holder[resource] = 0;
        }
    }
    text
}

/// 4.3.18: one resource is still granted at the end.
fn lifecycle(events: u64) -> String {
    let (mut text, mut dice, mut state) = (String::new(), Dice(2), vec![0u8; 5000]);
    let mut number = 0;
    while number < events - 2 {
        let resource = dice.below(5000) as usize;
        let (event, next) = match (state[resource], dice.below(3)) {
            (0, _) => ("request", 1),
            (1, 0) => ("deny", 0),
            (1, _) => ("grant", 2),
            (_, 0) => ("rescind", 2),
            _ => ("cancel", 0),
        };
        state[resource] = next;
        let _ = writeln!(text, "{event},{resource}");
        number += 1;
    }
    text + "request,999999\ngrant,999999\n"
}

/// 4.3.19: conflicts are declared, then respected.
fn conflicts(events: u64) -> String {
    let (mut text, mut dice, mut granted) = (String::new(), Dice(3), vec![false; 2000]);
    let rivals = |resource: u64| [(resource + 1) % 2000, (resource + 1999) % 2000];
    for resource in 0..2000 {
        let _ = writeln!(text, "conflict,{resource},{}", (resource + 1) % 2000);
    }
    let mut number = 2000;
    while number < events {
        let resource = dice.below(2000);
        if granted[resource as usize] {
            let _ = writeln!(text, "cancel,{resource}");
        } else if rivals(resource).iter().any(|rival| granted[*rival as usize]) {
            continue;
        } else {
            let _ = writeln!(text, "grant,{resource}");
        }
        granted[resource as usize] = !granted[resource as usize];
        number += 1;
    }
    text
}

/// 4.3.15: rover 0 pings everybody and is answered; others do what they like.
fn leader(events: u64) -> String {
    let (mut text, mut dice, rovers) = (String::new(), Dice(4), 70);
    for rover in 1..rovers {
        let _ = write!(text, "ping,0,{rover}\nack,{rover},0\n");
    }
    for _ in 2 * (rovers - 1)..events {
        let kind = if dice.below(2) == 0 { "ping" } else { "ack" };
        let _ = writeln!(text, "{kind},{},{}", dice.below(rovers), dice.below(rovers));
    }
    text
}

/// 4.3.17: commands in nests of up to twenty, the last two crossed.
fn nested(commands: u64) -> String {
    let (mut text, mut open, mut begun, mut dice) = (String::new(), Vec::new(), 0, Dice(5));
    while begun < commands || !open.is_empty() {
        if begun < commands && (open.is_empty() || (open.len() < 20 && dice.below(2) == 0)) {
            begun += 1;
            open.push(begun);
            let _ = writeln!(text, "command,{begun}");
        } else if begun == commands && open.len() > 1 {
            let _ = writeln!(text, "succeed,{}", open.remove(0));
        } else if let Some(command) = open.pop() {
            let _ = writeln!(text, "succeed,{command}");
        }
    }
    text
}

fn pieces() -> String {
    let mut text = String::new();
    for piece in 0..100_000 {
        let _ = writeln!(text, "create,d{},{piece}", piece % 100);
    }
    for toggle in 0..10_000 {
        let _ = writeln!(text, "toggle,d{}", toggle % 100);
    }
    text + "process,3\nprocess,5\nprocess,7\n"
}

fn unsafe_maps(events: u64) -> String {
    let (mut text, mut dice) = (String::new(), Dice(6));
    for map in 0..10_000 {
        let _ = writeln!(text, "createColl,m{map},c{map}");
    }
    let (mut iterators, mut number) = (0u64, 10_000);
    while number < events {
        let _ = match dice.below(9) {
            0 if iterators < 100_000 => {
                iterators += 1;
                writeln!(text, "createIter,c{},i{iterators}", iterators % 10_000)
            }
            // Only the newest iterators are used, and their maps are not updated in between.
            1..=6 if iterators > 0 => writeln!(text, "useIter,i{}", iterators - dice.below(iterators.min(1000))),
            _ => writeln!(text, "update,m{}", (iterators + 2000 + dice.below(6000)) % 10_000),
        };
        number += 1;
    }
    text
}

/// A million iterators, a thousand of them at a time.
fn short_lived(instances: u64) -> String {
    let mut text = String::new();
    for first in (0..instances).step_by(1000) {
        for kind in ["hasnext", "donext"] {
            for iterator in first..first + 1000 {
                let _ = writeln!(text, "{kind},{iterator}");
            }
        }
    }
    text
}

/// The same automaton with other names, and an event that it does not know after every tenth.
fn renamed(work: &Work) -> Work {
    let mut specification = work.specification.clone();
    for (old, new) in
        [("forall(d,p)", "forall(p9,d9)"), ("(d,p)", "(d9,p9)"), ("(d)", "(d9)"), ("(p)", "(p9)"), ("(new)", "(zz)")]
    {
        specification = specification.replace(old, new);
    }
    let lines = work.trace.lines().enumerate();
    let trace =
        lines.map(|(at, line)| if at % 10 == 9 { format!("{line}\nnoise,{at}\n") } else { format!("{line}\n") });
    Work {
        name: "pieces, renamed, other order, noise",
        specification,
        extension: work.extension,
        trace: trace.collect(),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--measure") {
        return measure::helper(&arguments[1..]);
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with("--")).cloned().unwrap_or_default();
    let qea = |name, specification: &str, trace| Work {
        name,
        specification: specification.to_owned(),
        extension: "qea",
        trace,
    };
    let pieces = qea("pieces: 100,000 on 100 devices, 10,000 toggles", PIECES, pieces());
    let other = renamed(&pieces);
    let works = [
        qea("4.3.15 leader, 9,756 events", LEADER, leader(9756)),
        qea("4.3.16 granting, 1,000,002 events", GRANTING, granting(1_000_002)),
        qea("4.3.17 nested, 600 commands", NESTED, nested(600)),
        qea("4.3.18 lifecycle, 1,000,000 events", LIFECYCLE, lifecycle(1_000_000)),
        qea("4.3.19 conflicts, 1,002,954 events", CONFLICTS, conflicts(1_002_954)),
        pieces,
        other,
        Work {
            extension: "mop",
            ..qea("4.2.14 unsafe map iterators, 1,000,000 events", UNSAFE, unsafe_maps(1_000_000))
        },
        qea("hasnext, 1,000,000 iterators of which 1,000 live", HAS_NEXT, short_lived(1_000_000)),
    ];
    println!("{:<50} {:>9} {:>9} {:>9} {:>8} {:>9}", "work", "verdict", "ms CPU", "csv loops", "M ev/s", "peak MB");
    for work in works.iter().filter(|work| work.name.contains(filter.as_str())) {
        report(work);
    }
}

fn report(work: &Work) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name: String = work.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let (trace, specification) =
        (folder.join(format!("{name}.csv")), folder.join(format!("{name}.{}", work.extension)));
    std::fs::write(&trace, &work.trace).expect("there is room for a file");
    std::fs::write(&specification, &work.specification).expect("there is room for a file");
    let texts = [specification.display().to_string(), trace.display().to_string()];
    let arguments: Vec<String> =
        ["check", &texts[0], &texts[1], "--format", "csv-plain"].iter().map(|text| (*text).to_owned()).collect();
    let runs: Vec<measure::Run> = (0..3).map(|_| measure::run(&arguments, None)).collect();
    let best = runs.iter().min_by_key(|run| run.cpu).expect("three runs");
    let piped: Vec<String> =
        ["check", &texts[0], "-", "--format", "csv-plain"].iter().map(|text| (*text).to_owned()).collect();
    let peak = measure::run(&piped, Some(&trace)).peak;
    let loops = measure::least(3, || references::csv_loop(work.trace.as_bytes()));
    let (seconds, events) = (best.cpu.as_secs_f64(), work.trace.lines().count() as f64);
    println!(
        "{:<50} {:>9} {:>9.1} {:>9.2} {:>8.1} {:>9.1}",
        work.name,
        best.status,
        seconds * 1e3,
        seconds / loops.as_secs_f64(),
        events / seconds / 1e6,
        peak as f64 / 1024.0
    );
}
