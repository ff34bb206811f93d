//! What `init` hands over: the files, and the report that goes with them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use referee_engine::judge_rule;
use referee_spec::core::{Language, Rule, Status};
use referee_spec::language::{Options, Source, compile};
use referee_trace::owned::OwnedTrace;

use super::draft::{Draft, DraftSource, SampleTrace, TimeChoice, plain};
use super::kinds::{EventKind, kinds};
use super::roles::cut;
use super::rules::{FirstRule, candidates, signature};
use super::sample::LogSample;

/// How many kinds of events are listed.
const MOST_KINDS: usize = 30;

/// How many rules are written besides the first.
const MOST_OTHERS: usize = 5;

/// The names of the log and of the files.
#[derive(Debug)]
pub(super) struct Names {
    log: String,
    mapping: PathBuf,
    specification: PathBuf,
}

impl Names {
    /// The names for a log, in a folder.
    pub(super) fn new(log: &Path, folder: &Path, name: Option<&str>) -> Names {
        let file = log.file_name().map_or_else(|| "log".to_owned(), |name| name.to_string_lossy().into_owned());
        let own = file.split('.').find(|part| !part.is_empty() && *part != "-").unwrap_or("log");
        let name = name.unwrap_or(own);
        let place = |ending: &str| match folder == Path::new(".") {
            true => PathBuf::from(format!("{name}.{ending}")),
            false => folder.join(format!("{name}.{ending}")),
        };
        Names { log: log.display().to_string(), mapping: place("toml"), specification: place(Language::Mfotl.name()) }
    }
}

/// What was found, and what is written.
#[derive(Debug)]
pub(super) struct Outcome {
    files: Vec<(PathBuf, String)>,
    report: String,
}

impl Outcome {
    /// The outcome for a sample that was read.
    pub(super) fn new(sample: &LogSample, draft: &Draft, read: SampleTrace, names: &Names) -> Outcome {
        let kinds = kinds(&read.trace);
        let (rules, status) = accepted(&candidates(&kinds, &read.trace, read.unit), &read.trace);
        let command = command(draft, &read, names);
        let specification = specification(&kinds, &rules, &command, names);
        let report = report(sample, draft, &read, &kinds, &rules, status, &command, names);
        let mapping = read.mapping.map(|text| (names.mapping.clone(), text));
        Outcome { files: mapping.into_iter().chain([(names.specification.clone(), specification)]).collect(), report }
    }

    /// The files and their texts.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.files.iter().map(|(path, text)| (&**path, &**text))
    }

    /// All files behind each other.
    pub(super) fn both_files(&self) -> String {
        self.files().map(|(path, text)| format!("# ==> {} <==\n{text}\n", path.display())).collect()
    }

    /// What there is to say.
    pub(super) fn report(&self) -> &str {
        &self.report
    }
}

/// The rules that compile and judge the sample, each once, and the verdict of the first.
fn accepted(candidates: &[FirstRule], trace: &OwnedTrace) -> (Vec<FirstRule>, Status) {
    let mut rules: Vec<FirstRule> = Vec::new();
    let mut first = Status::Satisfied;
    for rule in candidates {
        if rules.len() > MOST_OTHERS || rules.iter().any(|known| known.formula == rule.formula) {
            continue;
        }
        let Some(status) = judged(&rule.formula, trace) else { continue };
        if rules.is_empty() {
            first = status;
        }
        rules.push(rule.clone());
    }
    if rules.is_empty() {
        rules.push(FirstRule::nothing());
    }
    (rules, first)
}

/// The verdict of a formula on a trace, if there is one.
fn judged(formula: &str, trace: &OwnedTrace) -> Option<Status> {
    let source = Source::new("rule", formula);
    let compiled = compile(Language::Mfotl, &source, &Options::default());
    if compiled.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
        return None;
    }
    let rules: Vec<Arc<Rule>> = compiled.properties.into_iter().map(Arc::new).collect();
    let [rule] = &rules[..] else { return None };
    let status = judge_rule(rule, trace, false).status;
    matches!(status, Status::Satisfied | Status::Violated).then_some(status)
}

/// The command that judges the log.
fn command(draft: &Draft, read: &SampleTrace, names: &Names) -> String {
    let mut command =
        format!("referee check {} {}", quoted(&names.specification.display().to_string()), quoted(&names.log));
    match (&draft.source, &read.mapping) {
        (DraftSource::Ready(name), _) => {
            let _ = write!(command, " --map {name}");
        }
        (_, Some(_)) => {
            let _ = write!(command, " --map {}", quoted(&names.mapping.display().to_string()));
        }
        _ => {}
    }
    match (read.time, &read.mapping) {
        (TimeChoice::Sorted(window), None) => {
            let _ = write!(command, " --reorder {window}");
        }
        (TimeChoice::Unsorted, _) => command.push_str(" --unsorted"),
        _ => {}
    }
    command + " --witness"
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+@%:,=".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The text of the specification.
fn specification(kinds: &[EventKind], rules: &[FirstRule], command: &str, names: &Names) -> String {
    let mut text =
        format!("# A first rule for {}, in MFOTL. Judge it with\n#   {}\n#\n", plain(&names.log), plain(command));
    text.push_str("# It must hold at every point and for all values of its variables; `_` is any value. The events:\n");
    for kind in kinds.iter().take(MOST_KINDS) {
        let _ = writeln!(text, "#   {}", plain(&signature(kind)));
    }
    if kinds.len() > MOST_KINDS {
        let _ = writeln!(text, "#   and {} more", kinds.len() - MOST_KINDS);
    }
    let Some((first, others)) = rules.split_first() else { return text };
    let _ = write!(text, "\n# {}\n{}\n", first.sentence, first.formula);
    if !others.is_empty() {
        text.push_str("\n# A file holds one rule. Others that could stand here:\n");
    }
    for FirstRule { sentence, formula } in others {
        let _ = write!(text, "#\n# {sentence}\n#   {formula}\n");
    }
    text
}

/// What is printed.
#[expect(clippy::too_many_arguments, reason = "a report speaks of all that was found")]
fn report(
    sample: &LogSample,
    draft: &Draft,
    read: &SampleTrace,
    kinds: &[EventKind],
    rules: &[FirstRule],
    status: Status,
    command: &str,
    names: &Names,
) -> String {
    let mut text = format!("{}: {}\n", sample.name, draft.what);
    match (&draft.source, read.mapping.is_some()) {
        (DraftSource::Ready(name), _) => {
            let _ = writeln!(text, "It needs no mapping of its own: `--map {name}` comes with Referee.");
        }
        (DraftSource::Native(_), _) => text.push_str("It needs no mapping.\n"),
        _ => {}
    }
    let amount = if sample.is_whole { "" } else { " in the part that was looked at" };
    let _ = writeln!(text, "\n{} events{amount}{}", read.events(), times(read));
    text.push_str(&table(kinds));
    text.push('\n');
    if read.mapping.is_some() {
        let _ = writeln!(text, "wrote {}: how the log is read", names.mapping.display());
    }
    let specification = names.specification.display();
    let _ = writeln!(text, "wrote {specification}: {}", rules.first().map_or("", |rule| &rule.sentence));
    let (verdict, all) = if sample.is_whole { ("the log", "it") } else { ("the part that was looked at", "all of it") };
    let _ = write!(text, "The rule is {} on {verdict}. Judge {all} with\n\n  {command}\n", status_word(status));
    text
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Violated => "Violated",
        _ => "Satisfied",
    }
}

/// What is known of the times.
fn times(read: &SampleTrace) -> String {
    match (read.trace.points.iter().any(|point| point.time.is_some()), read.time) {
        (true, TimeChoice::Sorted(window)) => format!(", with times, which are sorted within {window}"),
        (true, TimeChoice::Unsorted) => ", with times that go back".to_owned(),
        (true, _) => ", with times".to_owned(),
        (false, _) => ", without times".to_owned(),
    }
}

/// The kinds of events in columns.
fn table(kinds: &[EventKind]) -> String {
    let shown = || kinds.iter().take(MOST_KINDS);
    let rows: Vec<[String; 3]> = std::iter::once(["event".to_owned(), "count".to_owned(), "the first".to_owned()])
        .chain(shown().map(|kind| [cut(&signature(kind), 70), kind.count.to_string(), example(kind)]))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut text: String = rows
        .iter()
        .map(|[event, count, example]| {
            format!("{event:<first$}  {count:>second$}  {example}").trim_end().to_owned() + "\n"
        })
        .collect();
    if kinds.len() > MOST_KINDS {
        let _ = writeln!(text, "and {} more kinds of events", kinds.len() - MOST_KINDS);
    }
    text
}

fn example(kind: &EventKind) -> String {
    let values: Vec<String> = kind.example.iter().map(|value| cut(value, 24)).collect();
    cut(&values.join(", "), 90)
}
