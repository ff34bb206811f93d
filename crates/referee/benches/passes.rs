//! What each pass of the compiler brings: the CPU time of every bench property with all passes, and without each.
//!
//! `cargo bench -p referee --bench passes -- [SECTION] [--events N] [--timeout S] [--repeat N] [--pass NAME]… [--keep NAME]` prints a table: a row per
//! property, a column per pass that is left out; then, for every pass, how many lines of code it has and where its absence costs most.
//! `--pass NAME` measures that pass only; `--keep NAME` writes the same into `benches/runs/NAME.txt`.
//!
//! ```text
//!   property              all    future-to-past   relay   …
//!   dejavu-datarace      41.0              41.2    40.9   …      CPU milliseconds of the release binary, its start included
//! ```
//!
//! `=` stands where the compiled program is the same without the pass, so that there is nothing to measure. `> S s` is what was stopped,
//! `general` what does not compile without the pass and is interpreted then. A pass that changes nothing by more than
//! 3 %, and without which everything compiles, has no reason to be there.

#[allow(dead_code)]
#[path = "check/kit.rs"]
mod kit;
#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;
#[allow(dead_code)]
#[path = "check/references.rs"]
mod references;
#[allow(dead_code)]
#[path = "check/traces.rs"]
mod traces;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use referee_engine::fo::{Passes, describe};
use referee_generate::{Generator, Request, Share, Values};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};

use kit::{Kit, Work, specification_of, trace_of};
use measure::Run;
use traces::Trace;

/// A file below `src/fo` of the engine, and the functions of it that are meant; none for all.
type CodeOfFile = (&'static str, &'static [&'static str]);

/// Where the code of a pass is.
const CODE: &[(&str, &[CodeOfFile])] = &[
    ("future-to-past", &[("compile/future_to_past.rs", &[])]),
    ("relay", &[("compile/future_to_past.rs", &["relayed"]), ("compile/build.rs", &["relay"])]),
    ("either", &[("compile/branch.rs", &["either"])]),
    ("shown", &[("compile/sort_coverage.rs", &["shown", "showing"])]),
    ("implied", &[("compile/sort_coverage.rs", &["owe", "is_paid", "is_implied", "has_been"])]),
    ("split", &[("compile/laws.rs", &["since"])]),
    ("miniscope", &[("compile/laws.rs", &["exists"])]),
    ("project", &[("compile/laws.rs", &["exists"])]),
    ("absorb", &[("compile/laws.rs", &["since", "is_plainly_monotone"])]),
    (
        "stamps",
        &[("compile/laws.rs", &["stamped"]), ("compile/views.rs", &["stamps"]), ("compile/plan.rs", &["older"])],
    ),
    ("reduce", &[("compile/laws.rs", &["with_cheaper", "reduced"])]),
    ("gather", &[("compile/laws.rs", &["gather", "gathered", "either"])]),
    ("prenex", &[("compile/laws.rs", &["prenex", "without_quantifiers"])]),
    ("latch", &[("compile/laws.rs", &["latch"])]),
    ("shared-views", &[("compile/shared_views.rs", &[])]),
    ("recursion", &[("compile/recursion.rs", &[])]),
    ("fallback", &[("compile/fallback.rs", &[]), ("compile/parts.rs", &[]), ("run/fallback.rs", &[])]),
    ("drivers", &[("compile/form.rs", &["drivers"]), ("compile/triggers.rs", &["driven"])]),
    ("old-values", &[("compile/schedule.rs", &["place_readers_of_old_values", "reaches"])]),
    ("previous-state", &[("compile/previous_state.rs", &[])]),
    ("indexes", &[("compile/plan.rs", &["index", "match_rows"]), ("store/index.rs", &[])]),
    ("filter", &[("run/judge.rs", &["filter"])]),
    ("joins", &[("compile/join.rs", &[]), ("store/join.rs", &[])]),
    ("handlers", &[("code/codegen.rs", &[]), ("run/handler_loop.rs", &[]), ("run/single_event.rs", &[])]),
    ("multi-event", &[("run/multi_event.rs", &[]), ("run/multi_event_handlers.rs", &[])]),
    ("prefetch", &[("code/prefetch.rs", &[]), ("run/prefetch.rs", &[]), ("store/fetch.rs", &[])]),
    ("peephole", &[("code/peephole.rs", &[]), ("code/peephole/known_rows.rs", &[])]),
];

/// A property and a trace that breaks it.
struct Subject {
    name: String,
    specification: PathBuf,
    trace: Arc<Trace>,
    more: &'static [&'static str],
}

/// What becomes of a subject without a pass.
enum Without {
    /// Its program is the same.
    Same,
    /// Its program is another one.
    Changed(Run),
    /// It does not compile, and is interpreted.
    Interpreted(Run),
}

/// The passes that change how a program runs, and not what `explain` shows of it.
const AT_RUN_TIME: [&str; 5] = ["filter", "handlers", "multi-event", "prefetch", "peephole"];

/// What was measured of a subject: with all passes, and without each.
struct Row {
    name: String,
    all: Run,
    without: Vec<Without>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--measure") {
        return measure::helper(&arguments[1..]);
    }
    let command = format!("cargo bench -p referee --bench passes -- {}", arguments.join(" "));
    let (keep, arguments) = values_of("--keep", &arguments);
    let (chosen, arguments) = values_of("--pass", &arguments);
    let passes = passes(&chosen);
    let timeout = ["--events", "100000", "--repeat", "3", "--timeout", "30"].map(str::to_owned);
    let kit = Kit::new(&[&timeout[..], &arguments].concat());
    let subjects = subjects(&kit);
    let rows: Vec<Row> = subjects.iter().map(|subject| measured(&kit, subject, &passes)).collect();
    let text = format!("{}\n{}", table(&rows, &passes), summary(&rows, &passes));
    print!("{text}");
    if let Some(name) = keep.first() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/runs").join(format!("{name}.txt"));
        let title = format!("What each pass brings: {} events, CPU milliseconds: `{command}`\n\n", kit.events);
        std::fs::write(file, title + &text).expect("there is room for a file");
    }
}

/// The values of an option that may come several times, and the other arguments.
fn values_of(option: &str, arguments: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut values, mut others) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument == option {
            true => values.push(rest.next().expect("a value behind an option").clone()),
            false => others.push(argument.clone()),
        }
    }
    (values, others)
}

/// The passes with these names; all of them if none is named.
fn passes(chosen: &[String]) -> Vec<&'static str> {
    let unknown = chosen.iter().find(|name| !Passes::NAMES.contains(&name.as_str()));
    assert!(unknown.is_none(), "there is no pass {unknown:?}");
    let is_chosen = |pass: &&str| chosen.is_empty() || chosen.iter().any(|name| name == pass);
    Passes::NAMES.iter().copied().filter(is_chosen).collect()
}

/// All properties whose section was asked for.
fn subjects(kit: &Kit) -> Vec<Subject> {
    let mut all = Vec::new();
    let with = |prefix: &'static str| referee_generate::all().filter(move |one| one.name.starts_with(prefix));
    if kit.selects("the six and their writings") {
        for name in ["access", "file", "fifo", "locking", "deadlock", "datarace"] {
            let generator = referee_generate::find(&format!("dejavu-{name}")).expect("one of the six");
            all.extend(writings(kit, name, generator));
        }
    }
    if kit.selects("twenty further properties") {
        all.extend(with("suite-").map(|generator| {
            let trace = Arc::new(trace_of(generator, &kit.request(Values::Integers)));
            Subject { name: generator.name.to_owned(), specification: specification_of(generator), trace, more: &[] }
        }));
    }
    if kit.selects("policies with windows") {
        for name in ["report", "auth", "approve", "insert"] {
            let generator = referee_generate::find(&format!("monpoly-{name}")).expect("a policy");
            all.extend([1, 10].map(|per_point| policy(kit, generator, per_point)));
        }
    }
    if kit.selects("single passes") {
        all.extend(single_passes(kit));
    }
    all
}

/// Properties that are the customers of one pass each and have no place in the other sections.
fn single_passes(kit: &Kit) -> Vec<Subject> {
    let specifications = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../");
    let of = |generator: &str, values: Values, specification: &str| {
        let generator = referee_generate::find(generator).expect("a generator");
        let trace = Arc::new(trace_of(generator, &kit.request(values)));
        let specification = specifications.join(specification);
        Subject { name: specification_name(&specification), specification, trace, more: &[] }
    };
    vec![
        of("dejavu-file", Values::Integers, "benches/specifications/passes/either.foltl"),
        of("dejavu-access", Values::Integers, "benches/specifications/passes/split.qtl"),
        of("dejavu-access", Values::Integers, "benches/specifications/passes/absorb.qtl"),
        of("dejavu-file", Values::Strings, "benches/specifications/passes/filter.qtl"),
        of("auction", Values::Integers, "benchmarks/auction/property.mfotl"),
    ]
}

/// The folder and the name of a specification.
fn specification_name(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("{}: {}", parts[1], parts[0])
}

/// One of the six, and its other writings on the same events.
fn writings(kit: &Kit, name: &str, generator: &'static Generator) -> Vec<Subject> {
    let trace = Arc::new(trace_of(generator, &kit.request(Values::Integers)));
    let permuted = Arc::new(traces::permuted(&trace));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/specifications").join(name);
    let files = std::fs::read_dir(folder).expect("a folder of specifications");
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let original =
        Subject { name: name.to_owned(), specification: specification_of(generator), trace: trace.clone(), more: &[] };
    let writing = |file: PathBuf| {
        let label = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let trace = if label.contains("permuted") { permuted.clone() } else { trace.clone() };
        Subject { name: format!("{name}: {label}"), specification: file, trace, more: &[] }
    };
    std::iter::once(original).chain(files.into_iter().map(writing)).collect()
}

fn policy(kit: &Kit, generator: &'static Generator, per_point: u64) -> Subject {
    let request = Request {
        per_point: Some(per_point),
        live: Some(10_000),
        violations: Some(Share::thousandths(10)),
        ..kit.request(Values::Integers)
    };
    let trace = Arc::new(traces::generated(generator, &request, generator.format));
    let name = format!("{}, {per_point} a point", generator.name);
    Subject { name, specification: specification_of(generator), trace, more: &["--all"] }
}

fn measured(kit: &Kit, subject: &Subject, passes: &[&'static str]) -> Row {
    let with_all = programs(subject, &Passes::ALL);
    let without: Vec<Option<Vec<String>>> = passes.iter().map(|pass| programs(subject, &all_but(pass))).collect();
    let is_same = |at: usize| without[at] == with_all && !AT_RUN_TIME.contains(&passes[at]);
    let more: Vec<Vec<&str>> = std::iter::once(subject.more.to_vec())
        .chain(
            (0..passes.len()).filter(|at| !is_same(*at)).map(|at| [subject.more, &["--without", passes[at]]].concat()),
        )
        .collect();
    let works: Vec<Work<'_>> =
        more.iter().map(|more| Work { specification: &subject.specification, trace: &subject.trace, more }).collect();
    let mut runs = kit.in_turn(&works).into_iter();
    let all = runs.next().unwrap_or_default();
    let kind = |at: usize| match (is_same(at), without[at].is_none() && with_all.is_some()) {
        (true, _) => Without::Same,
        (false, true) => Without::Interpreted(runs.next().unwrap_or_default()),
        (false, false) => Without::Changed(runs.next().unwrap_or_default()),
    };
    Row { name: subject.name.clone(), all, without: (0..passes.len()).map(kind).collect() }
}

/// All passes but one.
fn all_but(pass: &str) -> Passes {
    let mut passes = Passes::ALL;
    assert!(passes.set(pass, false), "{pass} is a pass");
    passes
}

/// What `explain` shows of the programs of a subject's properties; nothing if one of them does not compile.
fn programs(subject: &Subject, passes: &Passes) -> Option<Vec<String>> {
    let extension = subject.specification.extension().map_or_else(String::new, |name| name.to_string_lossy().into());
    let language = Language::ALL.iter().copied().find(|language| language.name() == extension);
    let text = std::fs::read_to_string(&subject.specification).expect("a readable file");
    let rules =
        language.map(|language| compile(language, &Source::new("bench", &*text), &Options::default()).properties);
    let properties = rules.into_iter().flatten().filter_map(Rule::into_formula);
    properties.map(|property| Some(describe(&property, passes).ok()?.lines.join("\n"))).collect()
}

fn table(rows: &[Row], passes: &[&str]) -> String {
    let mut text = format!("{:<34} {:>8}", "property", "all");
    passes.iter().for_each(|pass| _ = write!(text, " {pass:>14}"));
    text.push('\n');
    for row in rows {
        let _ = write!(text, "{:<34} {:>8}", row.name, milliseconds(&row.all));
        for without in &row.without {
            let cell = match without {
                Without::Same => "=".to_owned(),
                Without::Changed(run) => milliseconds(run),
                Without::Interpreted(run) => format!("general {}", milliseconds(run)),
            };
            let _ = write!(text, " {cell:>14}");
        }
        text.push('\n');
    }
    text
}

fn milliseconds(run: &Run) -> String {
    match run.is_finished() {
        true => format!("{:.1}", run.cpu.as_secs_f64() * 1e3),
        false => format!("> {:.0} s", run.cpu.as_secs_f64()),
    }
}

/// For every pass its lines, how many programs it changes, how many properties need it to be compiled, and where its absence costs
/// most.
fn summary(rows: &[Row], passes: &[&str]) -> String {
    let mut text =
        format!("{:<16} {:>6} {:>8} {:>8} {:>8}  {}\n", "pass", "lines", "changes", "needed", "at most", "by");
    for (at, pass) in passes.iter().enumerate() {
        let ratio = |row: &Row| match &row.without[at] {
            Without::Same => 1.0,
            Without::Changed(run) | Without::Interpreted(run) => {
                run.cpu.as_secs_f64() / row.all.cpu.as_secs_f64().max(1e-9)
            }
        };
        let most = rows.iter().max_by(|one, other| ratio(one).total_cmp(&ratio(other)));
        let changed = rows.iter().filter(|row| !matches!(row.without[at], Without::Same)).count();
        let needed = rows.iter().filter(|row| matches!(row.without[at], Without::Interpreted(_))).count();
        let (ratio, name) = most.map_or((1.0, ""), |row| (ratio(row), row.name.as_str()));
        let _ = writeln!(text, "{pass:<16} {:>6} {changed:>8} {needed:>8} {:>7.2}x  {name}", lines_of(pass), ratio);
    }
    text
}

/// How many lines of code a pass has, comments and blank lines left out.
fn lines_of(pass: &str) -> usize {
    let (_, files) = CODE.iter().find(|(name, _)| name == &pass).expect("the code of every pass is known");
    files.iter().map(|(file, functions)| lines_in(file, functions)).sum()
}

fn lines_in(file: &str, functions: &[&str]) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee-engine/src/fo").join(file);
    let text = std::fs::read_to_string(&path).expect("the code of a pass is there");
    let mut inside = functions.is_empty().then_some("");
    let mut count = 0;
    for line in text.lines() {
        let code = line.trim_start();
        if let Some(name) = code
            .split_once("fn ")
            .filter(|(before, _)| before.is_empty() || before.starts_with("pub"))
            .map(|(_, name)| name)
            && functions.contains(&name.split(['(', '<']).next().unwrap_or(name))
        {
            inside = Some(&line[..line.len() - code.len()]);
        }
        count += usize::from(inside.is_some() && !code.is_empty() && !code.starts_with("//"));
        if !functions.is_empty() && inside.is_some_and(|indent| line == format!("{indent}}}")) {
            inside = None;
        }
    }
    count
}
