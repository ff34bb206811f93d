//! `referee contest status`: which phase a competition is in, and what each team still owes.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use jiff::civil::Date;
use referee_contest::package::Track;
use referee_contest::registration::{Contest, Eligibility, Frozen, Phase, Position, Team};
use referee_contest::run::leave_network;
use referee_contest::tool::Tool;

use super::complaint::failure;
use super::today::today;
use super::validity::Validity;
use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Tell which phase a competition is in, and what each team still owes
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// The competition's directory
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// As if today were this day
    #[arg(long, value_name = "DAY")]
    on: Option<Date>,
    /// Record the tools as they are now; `run` refuses others once the monitor phase is over
    #[arg(long)]
    freeze: bool,
}

/// Benchmarks that a track can bear, shared by the teams in it.
const BENCHMARKS_PER_TRACK: usize = 10;
/// What the rules of 2014 allowed each team.
const BENCHMARKS_2014: usize = 5;

/// Runs the command.
pub(super) fn run(args: &StatusArgs) -> Result<ExitStatus, Failure> {
    // Packages are validated, and their programs run off the network where that can be.
    let _ = leave_network();
    let contest = Contest::load(&args.directory).map_err(failure)?;
    let today = args.on.unwrap_or_else(today);
    let position = Position::of(&contest.document.phases, today);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}, {today}", contest.document.name)?;
    phases(&mut out, &position)?;
    let validity = Validity::of(&contest, &[], false);
    packages(&mut out, &contest, &validity)?;
    teams(&mut out, &contest, &position, &validity)?;
    if args.freeze {
        if position.is_over(Phase::Monitors) && Frozen::load(&contest.directory).map_err(failure)?.is_some() {
            return Err(Failure::Other(
                "the monitor phase is over, and its tools are frozen already\n  hint: remove frozen.toml if what was \
                 handed in is to be replaced, and say why in a clarification"
                    .to_owned(),
            ));
        }
        Frozen::freeze(&contest.directory, &contest.tools).map_err(failure)?;
        writeln!(out, "The tools are frozen as they are now.")?;
    }
    frozen(&mut out, &contest, &position)?;
    for query in contest.document.queries.iter() {
        let benchmark = query.benchmark.as_deref().map(|id| format!(" on {id}")).unwrap_or_default();
        writeln!(out, "query by {} about {}{benchmark}: {:?}: {}", query.by, query.tool, query.state, query.text)?;
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}

fn phases(out: &mut dyn Write, position: &Position) -> std::io::Result<()> {
    for (phase, end) in position.open.iter().zip(&position.ends) {
        writeln!(out, "phase: {}, until {end}", phase.name())?;
    }
    match (&position.next, position.open.is_empty(), position.over.is_empty()) {
        (Some((phase, day)), ..) => writeln!(out, "next: {}, from {day}", phase.name()),
        (None, true, false) => writeln!(out, "phase: over"),
        (None, true, true) => writeln!(out, "phase: none; the competition names no days"),
        (None, false, _) => Ok(()),
    }
}

fn packages(out: &mut dyn Write, contest: &Contest, validity: &Validity) -> std::io::Result<()> {
    for error in &contest.broken {
        writeln!(out, "package cannot be read: {error}")?;
    }
    for package in &contest.packages {
        let obstacles = Eligibility::of(contest, package, &|package| validity.check(package)).obstacles;
        match obstacles.is_empty() {
            true => writeln!(out, "package {} ({}): will be run", package.id, package.track.name())?,
            false => {
                let reasons: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
                writeln!(out, "package {} ({}): waits: {}", package.id, package.track.name(), reasons.join("; "))?;
            }
        }
    }
    Ok(())
}

fn teams(out: &mut dyn Write, contest: &Contest, position: &Position, validity: &Validity) -> std::io::Result<()> {
    for team in &contest.document.teams {
        let owed = owed(contest, team, position, validity);
        match owed.is_empty() {
            true => writeln!(out, "team {}: owes nothing", team.tool)?,
            false => writeln!(out, "team {}: owes {}", team.tool, owed.join(", "))?,
        }
        for track in &team.tracks {
            warn_of_too_many(out, contest, team, *track)?;
        }
    }
    Ok(())
}

/// What a team has still to hand in or answer.
fn owed(contest: &Contest, team: &Team, position: &Position, validity: &Validity) -> Vec<String> {
    let mut owed = Vec::new();
    let fields = [
        ("members", team.members.is_empty()),
        ("a main contact", team.contact.is_none()),
        ("institutions", team.institutions.is_empty()),
        ("its implementation language", team.implementation_language.is_none()),
        ("its specification language", team.specification_language.is_none()),
    ];
    owed.extend(fields.into_iter().filter(|(_, missing)| *missing).map(|(what, _)| what.to_owned()));
    for package in contest.packages.iter().filter(|package| package.team.as_ref() == Some(&team.tool)) {
        let open = Eligibility::of(contest, package, &|package| validity.check(package)).obstacles.len();
        if open > 0 {
            owed.push(format!("what {} waits for", package.id));
        }
    }
    let due = [Phase::Monitors, Phase::Evaluation];
    let handed_in = contest.tools.iter().any(|tool| tool.name() == team.tool);
    if !handed_in && due.iter().any(|phase| position.open.contains(phase) || position.is_over(*phase)) {
        owed.push("its tool".into());
    }
    owed
}

/// Ten benchmarks per track, divided by the teams in it; 2014: five per team and track.
fn warn_of_too_many(out: &mut dyn Write, contest: &Contest, team: &Team, track: Track) -> std::io::Result<()> {
    let teams = contest.document.teams.iter().filter(|team| team.tracks.contains(&track)).count().max(1);
    let allowed = match contest.document.rules.as_str() {
        "crv14" => BENCHMARKS_2014,
        _ => (BENCHMARKS_PER_TRACK / teams).max(1),
    };
    let own = contest.packages.iter().filter(|one| one.track == track && one.team.as_ref() == Some(&team.tool)).count();
    match own > allowed {
        true => writeln!(
            out,
            "warning: team {} has {own} benchmarks in the track {}, and {allowed} are its share",
            team.tool,
            track.name()
        ),
        false => Ok(()),
    }
}

fn frozen(out: &mut dyn Write, contest: &Contest, position: &Position) -> Result<(), Failure> {
    let Some(frozen) = Frozen::load(&contest.directory).map_err(failure)? else {
        if position.is_over(Phase::Monitors) {
            writeln!(
                out,
                "The monitor phase is over, and the tools are not frozen yet: --freeze, or the next run, does it."
            )?;
        }
        return Ok(());
    };
    let allowed = |tool: &Tool| tool.hash().is_ok_and(|hash| frozen.allows(tool.name(), &hash));
    for tool in &contest.tools {
        let word = if allowed(tool) { "as handed in" } else { "changed since it was frozen" };
        writeln!(out, "tool {}: {word}", tool.name())?;
    }
    Ok(())
}
