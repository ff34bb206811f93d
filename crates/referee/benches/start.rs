//! What it costs to start: the size of the program, and the time and memory until the verdict of a trace of ten events.
//!
//! `cargo bench -p referee --bench start [-- FILTER]` prints a table: the work, the aim, CPU milliseconds of the release binary and peak
//! memory. Nothing but the properties differs from row to row, so the figures are those of reading and compiling them:
//!
//! ```text
//!  first verdict     one property of DejaVu; the median of 200 runs
//!  1,000 properties  what an access asks of its user, of its file and of both, in ten ways each; all over one signature
//!  50 deep           properties whose operators are nested six to ten levels deep
//! ```
//!
//! Nothing fails because a machine is slow.

#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;

use std::path::{Path, PathBuf};
use std::time::Duration;

/// The trace of every row.
const TRACE: &str =
    "login,1\nopen,1\naccess,1,1\nlogin,2\naccess,2,1\nopen,2\naccess,2,2\nclose,1\nlogout,1\nclose,2\n";

/// How the words of a language are written.
struct Writing {
    extension: &'static str,
    not: &'static str,
    and: &'static str,
    or: &'static str,
    implies: &'static str,
    since: &'static str,
    once: &'static str,
    historically: &'static str,
    previous: &'static str,
    /// Makes a property of a name and of what every access must fulfil.
    property: fn(&str, &str) -> String,
}

const DEJAVU: Writing = Writing {
    extension: "qtl",
    not: "!",
    and: "&",
    or: "|",
    implies: "->",
    since: "S",
    once: "P",
    historically: "H",
    previous: "@",
    property: |name, body| format!("prop {name}: Forall u . Forall f . access(u, f) -> ({body})\n"),
};

const MFOTL: Writing = Writing {
    extension: "mfotl",
    not: "NOT",
    and: "AND",
    or: "OR",
    implies: "IMPLIES",
    since: "SINCE",
    once: "ONCE",
    historically: "HISTORICALLY",
    previous: "PREVIOUS",
    property: |_, body| format!("ALWAYS FORALL u, f. access(u, f) IMPLIES ({body})\n"),
};

impl Writing {
    /// Ten things that can be asked of something that begins and ends.
    fn conditions(&self, begin: &str, end: &str) -> [String; 10] {
        let Writing { not, and, or, implies, since, once, historically, previous, .. } = self;
        [
            format!("({not} {end} {since} {begin})"),
            format!("({once} {begin})"),
            format!("({not} {end})"),
            format!("(({once} {end}) {implies} ({once} {begin}))"),
            format!("({historically} ({end} {implies} ({previous} ({once} {begin}))))"),
            format!("(({once} {begin}) {and} ({not} {end}))"),
            format!("(({once} {end}) {or} ({once} {begin}))"),
            format!("({not} {begin} {or} ({once} {end}))"),
            format!("({previous} ({once} {begin}))"),
            format!("({historically} ({begin} {implies} ({not} {end})))"),
        ]
    }

    /// Ten ways to ask for two things at once.
    fn joined(&self, way: usize, one: &str, other: &str) -> String {
        let Writing { not, and, or, implies, once, historically, previous, .. } = self;
        match way {
            0 => format!("{one} {and} {other}"),
            1 => format!("{one} {or} {other}"),
            2 => format!("{one} {implies} {other}"),
            3 => format!("{other} {implies} {one}"),
            4 => format!("{not} ({one} {and} ({not} {other}))"),
            5 => format!("{once} ({one} {and} {other})"),
            6 => format!("{once} ({one} {or} {other})"),
            7 => format!("{previous} ({one} {or} {other}) {or} {other}"),
            8 => format!("({historically} ({one} {or} {other})) {or} {one}"),
            _ => format!("({one} {and} {other}) {or} (({not} {one}) {and} ({not} {other}))"),
        }
    }

    /// A thousand properties: every pair of conditions, joined in every way.
    fn thousand(&self) -> Vec<String> {
        let (users, files) = (self.conditions("login(u)", "logout(u)"), self.conditions("open(f)", "close(f)"));
        let bodies = (0..1000).map(|number| self.joined(number / 100, &users[number / 10 % 10], &files[number % 10]));
        bodies.enumerate().map(|(number, body)| (self.property)(&format!("p{number}"), &body)).collect()
    }

    /// Fifty properties of which each wraps a condition six to ten times.
    fn fifty_deep(&self) -> Vec<String> {
        let (users, files) = (self.conditions("login(u)", "logout(u)"), self.conditions("open(f)", "close(f)"));
        let deep = |number: usize| {
            (0..6 + number % 5)
                .fold(users[number % 10].clone(), |body, level| self.wrapped(number + level, &body, &files))
        };
        (0..50).map(|number| (self.property)(&format!("deep{number}"), &deep(number))).collect()
    }

    /// A body within one more operator.
    fn wrapped(&self, way: usize, body: &str, files: &[String; 10]) -> String {
        let Writing { not, and, or, implies, since, once, historically, previous, .. } = self;
        match way % 7 {
            0 => format!("({once} {body})"),
            1 => format!("({historically} (access(u, f) {implies} {body}))"),
            2 => format!("({body} {since} {})", files[way % 10]),
            3 => format!("({not} {body})"),
            4 => format!("({body} {and} {})", files[way % 10]),
            5 => format!("({previous} {body})"),
            _ => format!("({body} {or} {})", files[way % 10]),
        }
    }
}

/// A row of the table.
struct Work {
    name: String,
    aim: &'static str,
    /// The arguments of the program.
    arguments: Vec<String>,
    runs: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--measure") {
        return measure::helper(&arguments[1..]);
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with("--")).cloned().unwrap_or_default();
    print_size();
    println!("{:<44} {:>22} {:>11} {:>9} {:>9}", "work", "aim", "verdict", "ms CPU", "peak MB");
    works().iter().filter(|work| work.name.contains(&filter)).for_each(report);
}

fn print_size() {
    let size = std::fs::metadata(env!("CARGO_BIN_EXE_referee")).map_or(0, |metadata| metadata.len());
    println!("the program has {:.1} MB (aim: below 25)\n", size as f64 / 1e6);
}

fn works() -> Vec<Work> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("start");
    let trace = folder.join("ten.csv");
    write(&trace, TRACE);
    let work = |name: &str, aim, runs, specification: PathBuf| Work {
        name: name.to_owned(),
        aim,
        runs,
        arguments: ["check", &specification.display().to_string(), &trace.display().to_string()]
            .map(str::to_owned)
            .into(),
    };
    let access = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dejavu/access.qtl");
    let mut works = vec![work("first verdict", "2 ms", 200, access)];
    for language in [&DEJAVU, &MFOTL] {
        let extension = language.extension;
        let (many, deep) = (folder.join(format!("many-{extension}")), folder.join(format!("deep-{extension}")));
        save(language, &many, &language.thousand());
        save(language, &deep, &language.fifty_deep());
        works.push(work(&format!("1,000 properties, {extension}"), "1000 ms, 200 MB", 3, many));
        works.push(work(&format!("50 deep properties, {extension}"), "50 ms", 9, deep));
    }
    works
}

/// Writes properties into a folder: one file for those that have names, else a file for each.
fn save(language: &Writing, folder: &Path, properties: &[String]) {
    if language.extension == DEJAVU.extension {
        return write(&folder.join("all.qtl"), &properties.concat());
    }
    for (number, property) in properties.iter().enumerate() {
        write(&folder.join(format!("p{number:04}.{}", language.extension)), property);
    }
}

fn write(file: &Path, text: &str) {
    let folder = file.parent().expect("a file is in a folder");
    std::fs::create_dir_all(folder).expect("there is room for a folder");
    std::fs::write(file, text).expect("there is room for a file");
}

/// Measures a work and prints its row.
fn report(work: &Work) {
    let runs: Vec<measure::Run> = (0..work.runs).map(|_| measure::run(&work.arguments, None)).collect();
    let mut times: Vec<Duration> = runs.iter().map(|run| run.cpu).collect();
    times.sort_unstable();
    let peak = runs.iter().map(|run| run.peak).max().unwrap_or_default();
    let (median, peak) = (times[times.len() / 2].as_secs_f64() * 1e3, peak as f64 / 1024.0);
    println!("{:<44} {:>22} {:>11} {median:>9.2} {peak:>9.1}", work.name, work.aim, runs[0].status);
}
