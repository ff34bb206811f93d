//! Competitions made for a test.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the binary.
pub(crate) fn referee(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_referee")).args(arguments).output().expect("the binary runs")
}

/// What a successful run writes to standard output.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = referee(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// What a refused run says.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = referee(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// The repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A competition in a directory of its own: tools that are shell scripts, and the package HasNext with few events.
pub(crate) struct Contest {
    directory: tempfile::TempDir,
}

/// The beginning of a small competition's document.
pub(crate) const SMALL: &str = "name = \"Test\"\npackages = [\"packages/*\"]\ntools = [\"tools/*\"]\n\
                         [repetitions]\nwarm-up = 0\nleast = 1\nmost = 1\npressure = 1.0\n";

impl Contest {
    /// A competition with this document.
    pub(crate) fn new(document: &str) -> Contest {
        let contest = Contest { directory: tempfile::tempdir().expect("a directory") };
        fs::create_dir_all(contest.path("tools")).expect("made");
        fs::create_dir_all(contest.path("packages/has-next")).expect("made");
        let source = repository().join("benchmarks/has-next");
        let text = fs::read_to_string(source.join("benchmark.toml")).expect("the package is readable");
        let counts = text.lines().find(|line| line.starts_with("counts")).expect("counts").to_owned();
        let text =
            text.replacen("events = 10000", "events = 40", 1).replace(&counts, "counts = { hasNext = 25, next = 15 }");
        let text = text.split("[[further]]").next().unwrap_or_default();
        let text: String = text.lines().filter(|line| !is_place(line)).map(|line| format!("{line}\n")).collect();
        for file in fs::read_dir(&source).expect("the package").map(|entry| entry.expect("an entry")) {
            let name = Path::new("packages/has-next").join(file.file_name());
            fs::copy(file.path(), contest.directory.path().join(name)).expect("copied");
        }
        contest.write("packages/has-next/benchmark.toml", &text);
        contest.write("contest.toml", document);
        contest
    }

    /// A path inside.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The directory, as an argument.
    pub(crate) fn argument(&self) -> &str {
        self.directory.path().to_str().expect("a readable name")
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// A tool whose script has this body.
    pub(crate) fn tool(&self, name: &str, body: &str) {
        let manifest = format!(
            "name = \"{name}\"\nversion = \"1\"\ntracks = [\"offline\", \"c-generic\"]\nlanguage = \"none\"\n\
             run = [\"./run\", \"{{benchmark}}\", \"{{trace}}\"]\n"
        );
        self.write(&format!("tools/{name}/tool.toml"), &manifest);
        let script = format!("tools/{name}/run");
        self.write(&script, &format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(self.path(&script), fs::Permissions::from_mode(0o755)).expect("made executable");
    }

    /// Gives the package a further trace of 60 events that violates the property, and returns its name.
    pub(crate) fn further_trace(&self) -> &'static str {
        let trace =
            stdout(&["contest", "generate", "hasnext", "--events", "60", "--verdict", "violated", "--format", "csv"]);
        let count = |name: &str| trace.lines().filter(|line| line.split(',').next() == Some(name)).count();
        let document = "packages/has-next/benchmark.toml";
        let text = fs::read_to_string(self.path(document)).expect("the package is readable");
        let further = format!(
            "[[further]]\nname = \"more\"\n[further.trace]\nformat = \"csv\"\nevents = 60\nfile = \"more.csv\"\n\
             counts = {{ hasNext = {}, next = {} }}\n[further.verdict]\nstatus = \"Violated\"\n",
            count("hasNext"),
            count("next")
        );
        self.write(document, &format!("{text}\n{further}"));
        self.write("packages/has-next/more.csv", &trace);
        "more"
    }

    /// Puts a package with a program in the place of the others: `CountSteps`, which runs a command.
    pub(crate) fn program(&self, run: &str) {
        fs::remove_dir_all(self.path("packages")).expect("removed");
        self.write("packages/count/src/program.sh", "for i in 1 2 3; do echo step $i; done\n");
        self.write("packages/count/steps.trace", "step(1)\nstep(2)\nstep(3)\n");
        self.write("packages/count/property.foltl", "always (not step(0))\n");
        let demonstration = |(trace, verdict): (&str, &str)| {
            format!(
                "[[property.demonstrations]]\ntrace = \"{trace}\"\nverdict = \"{verdict}\"\nwhy = \"as the rule says\"\n"
            )
        };
        let accepted = ["", "step(1)", "step(2).step(1)"].map(|trace| (trace, "accepted"));
        let rejected = ["step(0)", "step(1).step(0)", "step(0).step(2)"].map(|trace| (trace, "rejected"));
        let demonstrations: String = accepted.into_iter().chain(rejected).map(demonstration).collect();
        self.write(
            "packages/count/benchmark.toml",
            &format!(
                "format = 1\nname = \"Count steps\"\ntrack = \"c-generic\"\ndescription = \"Counts the steps of a program.\"\ndomains = [\"Artificial\"]\n\
                 [property]\nevents = [{{ name = \"step\", fields = [{{ name = \"number\" }}] }}]\n[property.informal]\n\
                 context = \"A step tells its number.\"\nordering = \"Every number is above zero.\"\nassumptions = []\n{demonstrations}[[property.formal]]\n\
                 language = \"foltl\"\nfile = \"property.foltl\"\nexplanation = \"What is written above.\"\n[program]\nsources = \"src\"\n\
                 compile = \"test -f program.sh && touch compiled\"\nrun = \"{run}\"\nlog = \"steps.trace\"\n\
                 counts = {{ step = 3 }}\n[verdict]\nstatus = \"Satisfied\"\n"
            ),
        );
    }

    /// Runs the competition.
    pub(crate) fn run(&self, more: &[&str]) -> Output {
        referee(&[&["contest", "run", self.argument()], more].concat())
    }

    /// Runs the competition, which must go well.
    pub(crate) fn run_well(&self, more: &[&str]) -> String {
        stdout(&[&["contest", "run", self.argument()], more].concat())
    }

    /// The runs in the journal.
    pub(crate) fn runs(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("results/journal.jsonl")).unwrap_or_default();
        let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record"));
        records.filter(|record| record["record"] == "run").collect()
    }

    /// The scores.
    pub(crate) fn scores(&self) -> Value {
        let text = stdout(&["contest", "score", self.argument(), "--json"]);
        serde_json::from_str(&text).expect("one document")
    }

    /// The cell of a tool.
    pub(crate) fn cell(&self, tool: &str) -> Value {
        let scores = self.scores();
        let mut cells =
            scores["tracks"].as_array().into_iter().flatten().flat_map(|track| track["cells"].as_array()).flatten();
        cells.rfind(|cell| cell["tool"] == tool).expect("the tool has a cell").clone()
    }
}

/// Whether a line of the verdict names a place in the whole trace.
fn is_place(line: &str) -> bool {
    ["violating_event", "decided_at", "witness"].iter().any(|key| line.starts_with(key))
}

/// Whether a process with this mark in its command line lives.
pub(crate) fn lives(mark: &str) -> bool {
    let entries = fs::read_dir("/proc").expect("there is /proc").filter_map(|entry| Some(entry.ok()?.path()));
    let own = std::process::id().to_string();
    let others = entries.filter(|path| path.file_name().is_some_and(|name| name != own.as_str()));
    others.filter_map(|path| fs::read(path.join("cmdline")).ok()).any(|line| {
        let line: Vec<u8> = line.into_iter().map(|byte| if byte == 0 { b' ' } else { byte }).collect();
        String::from_utf8_lossy(&line).contains(mark)
    })
}
