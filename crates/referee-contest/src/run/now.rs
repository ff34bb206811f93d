//! The competition as it is now, as far as runs depend on it: which of the journal's runs still speak of it.
//!
//! ```text
//!  run ─▶ its basis known? ─▶ tool: there, same hash? ─▶ package: there, same hash? ─▶ same limits? ─▶ it counts
//!                 │ no                 │ no                        │ no                    │ no
//!                 └────────────────────┴───── left out, told once per reason ──────────────┘
//! ```
//!
//! Machine and isolation are not asked for: results are scored on other machines than they were measured on. Runs from
//! several settings are noted where they meet.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::Date;

use super::basis::limits_in_words;
use super::journal::Run;
use crate::hash;
use crate::package::Package;
use crate::registration::{Contest, Frozen, Phase, Position};
use crate::score::Rules;
use crate::tool::Tool;

/// What runs are compared with.
pub(super) struct Now<'c> {
    contest: &'c Contest,
    rules: Option<Rules>,
    /// The hashes of the tools by name: as handed in, once the monitor phase is over, else as they are.
    tools: BTreeMap<&'c str, String>,
    /// The hashes of the packages by identifier.
    packages: BTreeMap<&'c str, String>,
}

/// Why a run does not count: what it concerns, and the reason.
pub(super) type Reason = (String, String);

impl<'c> Now<'c> {
    /// Looks at a competition.
    pub(super) fn of(contest: &'c Contest, today: Date) -> Now<'c> {
        let closed = Position::of(&contest.document.phases, today).is_over(Phase::Monitors);
        let frozen = if closed { Frozen::load(&contest.directory).ok().flatten() } else { None };
        let tool = |tool: &'c Tool| {
            let handed_in = frozen.as_ref().and_then(|frozen| frozen.tools.get(tool.name()).cloned());
            Some((tool.name(), handed_in.or_else(|| tool.hash().ok())?))
        };
        let package = |package: &'c Package| Some((package.id.as_str(), hash_of(&package.directory)?));
        Now {
            contest,
            rules: Rules::load(&contest.document.rules_near(&contest.directory)).ok(),
            tools: contest.tools.iter().filter_map(tool).collect(),
            packages: contest.packages.iter().filter_map(package).collect(),
        }
    }

    /// Why a run does not speak of the competition as it is now; nothing if it does.
    pub(super) fn outdated(&self, run: &Run) -> Option<Reason> {
        if !run.basis.is_known() {
            let text = "the journal does not tell on which package and with which limits they were done";
            return Some(("journal".into(), text.into()));
        }
        self.other_tool(run).or_else(|| self.other_package(run))
    }

    fn other_tool(&self, run: &Run) -> Option<Reason> {
        // A program without monitor has no tool; and results can be scored where no tools are at hand.
        if run.tool.is_empty() || self.contest.tools.is_empty() {
            return None;
        }
        let text = match self.tools.get(run.tool.as_str()) {
            Some(hash) if *hash == run.tool_hash => return None,
            Some(_) => "the tool has changed since",
            None if self.contest.tools.iter().any(|tool| tool.name() == run.tool) => "the tool cannot be read",
            None => "it is no tool of the competition now",
        };
        Some((run.tool.clone(), text.into()))
    }

    /// Packages that are no longer there, or that something stands against, are left out as benchmarks, not run by run.
    fn other_package(&self, run: &Run) -> Option<Reason> {
        let package = self.contest.package(run.package())?;
        let about = |text: String| Some((package.id.clone(), text));
        match self.packages.get(package.id.as_str()) {
            None => return about("the package cannot be read".into()),
            Some(hash) if *hash != run.basis.package => return about("the package has changed since".into()),
            Some(_) => {}
        }
        let cores = run.basis.setting.cores_allowed;
        let limits = limits_in_words(&self.contest.document.limits, cores, package, self.rules.as_ref()?);
        let (was, is) = (&run.basis.limits, &limits);
        (was != is).then(|| ("limits".into(), format!("their limits were {was}, and now are {is}")))
    }
}

fn hash_of(directory: &Path) -> Option<String> {
    hash::of_directory(directory).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::registration::DOCUMENT;
    use crate::run::collect::tests::run;
    use crate::run::{Record, results_now};
    use crate::score::{Remark, Results};

    const TODAY: Date = jiff::civil::date(2026, 8, 1);

    /// What makes a run one of other circumstances.
    type Change = fn(&mut Run);

    /// A competition over HasNext between the tools T and U, with more text in its document.
    struct Cup {
        directory: tempfile::TempDir,
        contest: Contest,
    }

    impl Cup {
        fn new(more: &str) -> Cup {
            let directory = tempfile::tempdir().expect("a directory");
            let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/has-next");
            for name in ["T", "U"] {
                let tool = directory.path().join("tools").join(name);
                fs::create_dir_all(&tool).expect("made");
                let text = format!(
                    "name = \"{name}\"\nversion = \"1\"\ntracks = [\"offline\"]\nlanguage = \"x\"\nrun = [\"true\"]\n"
                );
                fs::write(tool.join("tool.toml"), text).expect("written");
            }
            let text = format!(
                "name = \"Cup\"\npackages = [\"{}\"]\ntools = [\"tools/*\"]\nfurther-events = 0\n{more}",
                package.display()
            );
            fs::write(directory.path().join(DOCUMENT), text).expect("written");
            let contest = Contest::load(directory.path()).unwrap_or_else(|error| panic!("{error}"));
            Cup { directory, contest }
        }

        /// A run that speaks of the competition as it is.
        fn run(&self, tool: &str) -> Run {
            let now = Now::of(&self.contest, TODAY);
            let package = &self.contest.packages[0];
            let rules = Rules::load("crv16").expect("rules");
            let mut run =
                Run { tool: tool.into(), tool_hash: now.tools[tool].clone(), benchmark: "HasNext".into(), ..run(1) };
            run.basis.package = now.packages["HasNext"].clone();
            run.basis.setting.cores_allowed = 1;
            run.basis.limits = limits_in_words(&self.contest.document.limits, 1, package, &rules);
            run.key = run.basis.key(&run.tool_hash);
            run
        }

        fn results(&self, runs: &[Run]) -> Results {
            let records: Vec<Record> = runs.iter().cloned().map(|run| Record::Run(Box::new(run))).collect();
            results_now(&self.contest, &records, TODAY)
        }
    }

    fn remark(about: &str, text: &str) -> Remark {
        Remark { about: about.into(), text: text.into() }
    }

    #[test]
    fn what_was_done_otherwise_than_now_is_left_out_and_told() {
        let cup = Cup::new("");
        let whole = cup.results(&[cup.run("T"), cup.run("U")]);
        assert_eq!((whole.tracks[0].benchmarks[0].cells.len(), whole.remarks.len()), (2, 0), "{:?}", whole.remarks);
        let changes: [(Change, &str, &str); 5] = [
            (|run| run.tool_hash = "old".into(), "T", "1 run left out: the tool has changed since"),
            (|run| run.tool = "Gone".into(), "Gone", "1 run left out: it is no tool of the competition now"),
            (|run| run.basis.package = "old".into(), "HasNext", "1 run left out: the package has changed since"),
            (|run| run.basis = Default::default(), "journal", "1 run left out: the journal does not tell"),
            (
                |run| run.basis.limits = "9 s".into(),
                "limits",
                "1 run left out: their limits were 9 s, and now are 300 s of",
            ),
        ];
        for (change, about, text) in changes {
            let mut old = Run { wall: 9.0, ..cup.run("T") };
            change(&mut old);
            old.key = old.basis.key(&old.tool_hash);
            // Newer than the current one, which counts all the same.
            let results = cup.results(&[cup.run("T"), cup.run("U"), old.clone()]);
            assert_eq!(results.tracks[0].benchmarks[0].cells[0].walls, [1.0], "{about}");
            let [told] = &results.remarks[..] else { panic!("{about}: {:?}", results.remarks) };
            assert!(told.about == about && told.text.starts_with(text), "{told:?}");
            // Alone it does not count either.
            let results = cup.results(&[old, cup.run("U")]);
            let missing = remark("T on HasNext", "no run counts: no points");
            assert!(results.remarks.contains(&missing), "{about}: {:?}", results.remarks);
        }
    }

    #[test]
    fn all_tools_are_compared_on_one_trace() {
        let cup = Cup::new("");
        let mut old = cup.run("T");
        old.basis.trace = "old".into();
        let results = cup.results(&[old.clone(), cup.run("U")]);
        let told = remark("HasNext", "1 run left out: they were on another trace than the newest");
        assert_eq!(results.remarks, [told, remark("T on HasNext", "no run counts: no points")]);
        // A quick run is on a trace of its own, and silently gives way.
        let results = cup.results(&[Run { quick: true, ..old }, cup.run("T"), cup.run("U")]);
        assert_eq!(results.remarks, []);
    }

    #[test]
    fn several_machines_and_means_are_noted() {
        let cup = Cup::new("");
        let elsewhere = |change: fn(&mut Run)| {
            let mut run = cup.run("T");
            change(&mut run);
            run.key = run.basis.key(&run.tool_hash);
            run
        };
        let changes: [(Change, &str); 2] = [
            (|run| run.basis.setting.machine = "m".into(), "on another machine"),
            (
                |run| run.basis.setting.isolation = "no control groups".into(),
                "with other isolation (no control groups)",
            ),
        ];
        for (change, said) in changes {
            let mut third = cup.run("U");
            third.number = 2;
            let results = cup.results(&[elsewhere(change), cup.run("U"), third]);
            let notes: Vec<&String> =
                results.tracks[0].benchmarks[0].cells.iter().flat_map(|cell| &cell.notes).collect();
            let [note] = notes[..] else { panic!("{said}: {notes:?}") };
            assert!(note.starts_with("measured otherwise than most cells: ") && note.ends_with(said), "{note}");
            let [told] = &results.remarks[..] else { panic!("{:?}", results.remarks) };
            assert_eq!(told.about, "machines and isolation");
            assert!(told.text.contains("measured in 2 ways, which are not to be compared"), "{told:?}");
            // Of one cell only the newest setting counts, and the others are told.
            let results = cup.results(&[elsewhere(change), cup.run("T"), cup.run("U")]);
            let told = "1 run left out: newer ones are from another machine or with other isolation or cores";
            assert_eq!(results.remarks, [remark("T on HasNext", told)]);
        }
    }

    #[test]
    fn packages_that_would_not_be_run_are_left_out() {
        let question = "[[clarifications]]\npackage = \"HasNext\"\nby = \"U\"\nat = \"2026-06-07\"\ntext = \"?\"\nstate = \"open\"\n";
        let vote = "organisers = [\"Ann\"]\n[[votes]]\npackage = \"HasNext\"\nreason = \"?\"\nballots = { Ann = \"exclude\" }\n";
        for (more, reason) in
            [(question, "left out: a clarification asked by U is open"), (vote, "left out: voted out")]
        {
            let cup = Cup::new(more);
            let results = cup.results(&[cup.run("T"), cup.run("U")]);
            assert_eq!((results.tracks.len(), results.remarks), (0, vec![remark("HasNext", reason)]));
        }
        let cup = Cup::new("");
        let other = |name: &str| Run { benchmark: name.into(), key: name.into(), ..cup.run("T") };
        let results = cup.results(&[cup.run("T"), cup.run("U"), other("Gone"), other("HasNext/long")]);
        assert_eq!(
            results.remarks,
            [
                remark("Gone", "left out: it is no package of the competition now"),
                remark("HasNext/long", "left out: the competition does not run this trace of its package now"),
            ]
        );
        assert_eq!(results.tracks[0].benchmarks.len(), 1);
    }

    #[test]
    fn what_has_no_run_is_told() {
        let mut cup = Cup::new("");
        let missing =
            |tool: &str, benchmark: &str| remark(&format!("{tool} on {benchmark}"), "no run counts: no points");
        let results = cup.results(&[cup.run("U")]);
        assert_eq!(results.remarks, [missing("T", "HasNext")], "a tool without runs");
        assert_eq!(cup.results(&[]).remarks, [missing("T", "HasNext"), missing("U", "HasNext")], "no runs at all");
        // A tool with runs elsewhere has a cell here, which says so.
        let mut both = cup.results(&[cup.run("U"), cup.run("T")]);
        both.remarks.clear();
        both.tracks[0].benchmarks[0].cells[0] = Default::default();
        super::super::collect::tell_missing(&cup.contest, &mut both);
        assert_eq!(both.tracks[0].benchmarks[0].cells[0].notes, ["no run counts"]);
        assert_eq!(both.remarks, [missing("T", "HasNext")]);
        // Further traces are missed where they take part, but not after quick runs.
        cup.contest.document.further_events = None;
        let name = format!("HasNext/{}", cup.contest.packages[0].further[0].name);
        let whole = cup.results(&[cup.run("T"), cup.run("U")]);
        assert_eq!(whole.remarks, [missing("T", &name), missing("U", &name)]);
        let quick = |tool: &str| Run { quick: true, ..cup.run(tool) };
        assert_eq!(cup.results(&[quick("T"), quick("U")]).remarks, []);
    }

    #[test]
    fn after_the_monitor_phase_tools_are_as_they_were_handed_in() {
        let cup = Cup::new("[phases]\nmonitors = { starts = \"2026-06-19\", ends = \"2026-07-10\" }\n");
        let before = [cup.run("T"), cup.run("U")];
        Frozen::freeze(cup.directory.path(), &cup.contest.tools).expect("frozen");
        fs::write(cup.directory.path().join("tools/T/run"), "changed").expect("written");
        assert_eq!(cup.results(&before).remarks, [], "what was handed in counts");
        let records = before.map(|run| Record::Run(Box::new(run)));
        let during = results_now(&cup.contest, &records, jiff::civil::date(2026, 7, 1));
        assert_eq!(during.remarks[0], remark("T", "1 run left out: the tool has changed since"));
    }
}
