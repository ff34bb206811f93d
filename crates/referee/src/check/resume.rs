//! `--resume`: the log of each run is judged from where the last one ended.
//!
//! ```text
//!  STATE ─▶ session, how far the input was read ─▶ for each file: was it read? has it grown? ─▶ judge what is new ─▶ STATE
//! ```
//!
//! Files are read one by one, each from where the one before it ended. A file that was read before is left out; one that has
//! grown since, or in the midst of which a run ended, is read again from its start, and the points that were judged are left out.

use std::path::{Path, PathBuf};

use referee_engine::judge::{Reader, checksum};
use referee_engine::session::{SavedState, StateError};
use referee_trace::abstraction::{Start, Ties, TimeNeed};
use referee_trace::points::{Amount, Done};
use referee_trace::reader::{ReadOptions, Summary};

use super::args::CheckArgs;
use super::inputs::{InputMark, Likeness, is_packed};
use super::options::{Given, Input, Reading, read_options, threads};
use super::read_trace::{groups, read_input};
use super::resumption::Resumption;
use super::session::{PassEnd, Session};
use super::state_file::{self, WrittenState};
use super::trace_pass::{Results, TracePass};
use super::trace_progress::{InputExtent, InputProgress};
use crate::failure::Failure;
use crate::streams::tell;

/// What a run has read, and the state after it, which waits for the verdict to be printed.
pub(super) struct Resumed {
    /// What was read last.
    pub summary: Option<Summary>,
    /// The new state, unless something ended the check.
    pub state: Option<WrittenState>,
}

/// Judges what is new in the trace of the command line.
pub(super) fn judge(
    session: &mut Session<'_>,
    args: &CheckArgs,
    given: &Given,
    path: &Path,
    timed: bool,
) -> Result<Resumed, Failure> {
    let reading = only_reading(session, timed)?;
    let mut options = read_options(args, given, reading);
    refuse_sorting(&options)?;
    session.rules.iter_mut().for_each(|state| state.active = true);
    let needs = session.rules.iter().map(|state| state.need.clone());
    options.meaning.need = needs.fold(TimeNeed::default(), TimeNeed::and);
    let mut pass = TracePass::new(session);
    state_file::check(path, pass.judging())?;
    let progress = load(&mut pass, path)?;
    let mut run = Run { args, options, summary: None };
    let interests = pass.known_interests();
    pass.resume(Resumption::new(path, progress, interests, args.checkpoint));
    run.read_all(&mut pass, path)?;
    let extent = pass.resumption().progress.extent().clone();
    let state = match pass.is_cut() {
        true => None,
        false => {
            pass.pass_to(extent.position.point);
            Some(pass.write_state()?)
        }
    };
    pass.finish(extent.position.point)?;
    let Results { shapes, sizes, cut, .. } = pass.into_results();
    let amount = Amount { counts: extent.counts, points: extent.position.point, last_point: extent.position.point };
    session.end_pass(&shapes, &amount, sizes, cut.map_or(PassEnd::Complete, PassEnd::Cut));
    Ok(Resumed { summary: run.summary, state })
}

/// The one way in which all rules read the trace: there is one position to go on from.
fn only_reading(session: &Session<'_>, timed: bool) -> Result<Reading, Failure> {
    match &groups(&session.rules, timed)[..] {
        [] => Err(Failure::Other("there is no rule to judge, and nothing to resume".to_owned())),
        [(reading, _)] => Ok(*reading),
        [(_, first), (_, second), ..] => {
            let name =
                |members: &[usize]| members.first().map_or("", |rule| session.rules[*rule].rule.language().name());
            Err(Failure::Other(format!(
                "rules in {} and {} see time differently and need a reading each, and --resume goes on from one\n  \
                 hint: judge the rules of each language by themselves, each with a state of its own",
                name(first),
                name(second)
            )))
        }
    }
}

/// What came may still be moved behind what comes, and was judged before it.
fn refuse_sorting(options: &ReadOptions) -> Result<(), Failure> {
    let sorts = options.reorder.is_some() || options.unsorted || options.meaning.mapping.sorts();
    let (what, hint) = match (sorts, options.meaning.ties == Ties::Merged) {
        (true, _) => ("logs out of order", "sort each log first: referee convert LOG SORTED --reorder 5s"),
        (_, true) => ("--merge", "write events of one time as one point before they are judged"),
        _ => return Ok(()),
    };
    Err(Failure::Other(format!(
        "--resume does not go with {what}: an event that comes later may belong to what has been judged\n  hint: {hint}"
    )))
}

/// Refuses what cannot be resumed before anything is read.
pub(super) fn refuse(args: &CheckArgs, given: &Given) -> Result<(), Failure> {
    let Some(path) = &args.resume else { return Ok(()) };
    let refused = |what: &str, why: &str, hint: &str| {
        Err(Failure::Other(format!("--resume does not go with {what}: {why}\n  hint: {hint}")))
    };
    if args.witness {
        return refused("--witness", "reasons need the whole trace", "leave --witness out, or judge the whole log");
    }
    if args.oracle {
        return refused("--oracle", "the naive evaluator keeps the whole trace", "leave --oracle out");
    }
    if args.satisfactions {
        return refused("--satisfactions", "they are computed from the whole trace", "leave one of the two out");
    }
    if args.robustness {
        return refused("--robustness", "it is that of a whole trace", "leave one of the two out");
    }
    if given.splits() {
        return refused(
            "a mapping that splits the log into traces",
            "a state is that of one trace",
            "judge each trace with a state of its own",
        );
    }
    if args.checkpoint.is_some() && args.json {
        return Err(Failure::Other(
            "--checkpoint does not go with --json: a run that is killed would take the violations along that the state \
             counts as told\n  hint: --json-lines prints them as they are found"
                .into(),
        ));
    }
    if path == Path::new("-") || std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(Failure::Other(format!(
            "{}: the state is kept in a file, and this is none\n  hint: name a file; it is made if it is missing",
            path.display()
        )));
    }
    let is_pipe =
        |trace: &&PathBuf| **trace == Path::new("-") || std::fs::metadata(trace).is_ok_and(|it| !it.is_file());
    match args.traces.iter().find(is_pipe).filter(|_| args.checkpoint.is_some()) {
        Some(pipe) => Err(Failure::Other(format!(
            "{}: --checkpoint is for files: what has gone through a pipe cannot be read again\n  \
             hint: save the log in a file, or leave --checkpoint out",
            pipe.display()
        ))),
        None => Ok(()),
    }
}

/// Loads the state, if there is one, and says what became of the rules.
fn load(pass: &mut TracePass<'_, '_>, path: &Path) -> Result<InputProgress, Failure> {
    let Some(bytes) = state_file::read(path)? else { return Ok(InputProgress::default()) };
    let refused = |error: StateError| state_file::refused(path, &error);
    let saved = SavedState::read(&bytes).map_err(refused)?;
    if saved.note.is_empty() {
        return Err(Failure::Other(format!(
            "{}: this is the state of another program's session, which read no files\n  \
             hint: give another name; the file is made if it is missing",
            path.display()
        )));
    }
    let (progress, contexts) = InputProgress::read(saved.note).map_err(|damaged| refused(damaged.into()))?;
    pass.load(&saved, &mut Reader::new(contexts)).map_err(refused)?;
    Ok(progress)
}

/// What is to be done with an input.
enum Task {
    /// All of it is new.
    Whole,
    /// A part of it has been judged.
    Rest,
    /// There is nothing new in it.
    Nothing,
}

/// One run over the inputs.
struct Run<'a> {
    args: &'a CheckArgs,
    options: ReadOptions,
    summary: Option<Summary>,
}

impl Run<'_> {
    fn read_all(&mut self, pass: &mut TracePass<'_, '_>, state: &Path) -> Result<(), Failure> {
        if let Some(text) = &self.args.inline {
            return self.read(pass, Input::Inline(text), None, &Task::Whole);
        }
        for path in &self.args.traces {
            // What cannot be looked at cannot be read either, and the reader says so.
            let mark = InputMark::of(path).unwrap_or(None);
            let task = match &mark {
                Some(mark) => self.task(pass, path, mark)?,
                None => Task::Whole,
            };
            self.refuse_gap(pass, &task, path, state)?;
            if !matches!(task, Task::Nothing) {
                self.read(pass, Input::Files(std::slice::from_ref(path)), mark, &task)?;
            }
            if pass.is_cut() {
                break;
            }
        }
        Ok(())
    }

    /// What is to be done with a file.
    fn task(&self, pass: &TracePass<'_, '_>, path: &Path, own: &InputMark) -> Result<Task, Failure> {
        let progress = &pass.resumption().progress;
        let unreadable = |error| Failure::Other(format!("{}: the log cannot be read: {error}", path.display()));
        for (age, mark) in progress.inputs.iter().rev().enumerate() {
            let likeness = mark.compare(path, own).map_err(unreadable)?;
            let is_newest = age == 0 && !progress.is_covered;
            let is_unfinished = is_newest && progress.is_unfinished();
            let name = path.display();
            return match likeness {
                Likeness::Other => continue,
                Likeness::Same | Likeness::Grown { .. } if is_unfinished => {
                    self.refuse_other_reading(progress, path)?;
                    tell!("note: {name}: the last run ended in the midst of it; it is judged from there");
                    Ok(Task::Rest)
                }
                Likeness::Same => {
                    let earlier = if mark.name == own.name { String::new() } else { format!(", as {}", mark.name) };
                    tell!("note: {name}: this has been judged before{earlier}; it is left out");
                    Ok(Task::Nothing)
                }
                Likeness::Grown { .. } if !is_newest => Err(grown_behind(path)),
                Likeness::Grown { .. } if is_packed(path) => Err(Failure::Other(format!(
                    "{name}: the file has grown since it was judged, and it is compressed or in columns\n  \
                     hint: give what is new as a file of its own"
                ))),
                Likeness::Grown { whole: false } => Err(Failure::Other(format!(
                    "{name}: the file has grown since it was judged, and its last line was not whole then\n  \
                     hint: judge a log up to the end of a line; put back an earlier state, or begin anew"
                ))),
                Likeness::Grown { whole: true } => {
                    self.refuse_other_reading(progress, path)?;
                    let bytes = own.length - mark.length;
                    tell!(
                        "note: {name}: this has been judged before, and {bytes} bytes were added since; only those are judged"
                    );
                    Ok(Task::Rest)
                }
                Likeness::Changed => Err(Failure::Other(format!(
                    "{name}: the file begins as one that was judged under this name, and goes on differently\n  \
                     hint: give what is new as a file of its own; a log that is only ever appended to may grow"
                ))),
            };
        }
        Ok(Task::Whole)
    }

    /// Nothing but the rest of a file comes after a part of it.
    fn refuse_gap(&self, pass: &TracePass<'_, '_>, task: &Task, path: &Path, state: &Path) -> Result<(), Failure> {
        let progress = &pass.resumption().progress;
        let unfinished = progress.inputs.last().filter(|_| progress.is_unfinished());
        match (task, unfinished) {
            (Task::Whole, Some(mark)) => Err(Failure::Other(format!(
                "{}: the last run ended in the midst of {}, and the rest of that comes before this\n  \
                 hint: give {} first; to begin anew without it, remove {}",
                path.display(),
                mark.name,
                mark.name,
                state.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Points have the numbers that they had only if they are read as they were.
    fn refuse_other_reading(&self, progress: &InputProgress, path: &Path) -> Result<(), Failure> {
        if progress.reading == self.key() {
            return Ok(());
        }
        Err(Failure::Other(format!(
            "{}: a part of it has been judged, and was read with another format, mapping or signature\n  \
             hint: read the rest with the same options, or begin anew",
            path.display()
        )))
    }

    fn read(
        &mut self,
        pass: &mut TracePass<'_, '_>,
        input: Input<'_>,
        mark: Option<InputMark>,
        task: &Task,
    ) -> Result<(), Failure> {
        let key = self.key();
        let judged = pass.judging().position();
        let resumption = pass.resumption_mut();
        let progress = &mut resumption.progress;
        let (before, events) = match task {
            Task::Rest => {
                progress.inputs.pop();
                (progress.before.clone(), progress.after.as_ref().map(|after| after.position.events))
            }
            Task::Whole | Task::Nothing => (progress.extent().clone(), None),
        };
        progress.begin(mark.as_ref(), before.clone());
        progress.reading = key;
        resumption.begin(mark.is_some(), judged, events);
        self.options.meaning.start =
            Some(Start { position: before.position.clone(), shapes: pass.judging().shapes().iter().collect() });
        let Done { read, flow, amount } = read_input(input, threads(self.args), &self.options, pass);
        pass.take_failure()?;
        match flow {
            Ok(()) => self.finish(pass, input, mark, &before, &amount, read?),
            Err(_) => Ok(()),
        }
    }

    /// Notes that an input was read to its end.
    fn finish(
        &mut self,
        pass: &mut TracePass<'_, '_>,
        input: Input<'_>,
        mark: Option<InputMark>,
        before: &InputExtent,
        amount: &Amount,
        summary: Summary,
    ) -> Result<(), Failure> {
        let after = before.and(amount, summary.end.clone());
        pass.pass_to(after.position.point);
        let progress = &mut pass.resumption_mut().progress;
        progress.after = Some(after);
        // It may have grown between the look at it and the reading.
        if let (Some(mark), Input::Files([path])) = (mark, input)
            && summary.bytes > mark.length
            && let Ok(Some(longer)) = InputMark::of_start(path, summary.bytes)
        {
            progress.inputs.pop();
            progress.inputs.push(longer);
        }
        let mut summary = summary;
        if let Some(earlier) = &self.summary {
            summary.unmatched.retain(|rule| earlier.unmatched.contains(rule));
        }
        self.summary = Some(summary);
        Ok(())
    }

    /// A number that tells ways apart in which events are read.
    fn key(&self) -> u64 {
        let ReadOptions { format, meaning, .. } = &self.options;
        let shown = format!("{format:?} {:?} {:?} {:?}", meaning.mapping, meaning.time, meaning.signature);
        checksum(shown.as_bytes())
    }
}

fn grown_behind(path: &Path) -> Failure {
    Failure::Other(format!(
        "{}: the file has grown since it was judged, and other logs were judged after it\n  \
         hint: give what is new as a file of its own",
        path.display()
    ))
}
