//! `referee contest score`: points and ranks.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use referee_contest::score::{Rules, Scores, TrackScores, score};

use super::complaint::failure;
use super::source::{self, Source};
use super::table::Table;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::tell;

/// Score the results of a competition; runs of what has changed since are left out, and named
#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    /// A competition's directory, a journal (.jsonl), which is scored as it is, or published tables (.json)
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The rules: crv14, crv16 or a TOML file; without it, those that the competition names
    #[arg(long)]
    rules: Option<String>,
    /// Every cell with its formula
    #[arg(long)]
    cells: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &ScoreArgs) -> Result<ExitStatus, Failure> {
    let source = source::read(&args.path)?;
    let rules = Rules::load(args.rules.as_deref().unwrap_or(&source.rules)).map_err(failure)?;
    let scores = score(&source.results, &rules);
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&scores).map_err(failure)?)?,
        false => {
            write(&mut out, &scores, &source, args.cells)?;
            // The remarks on published tables are for the report.
            for remark in source.results.remarks.iter().filter(|_| source.deviations.is_empty()) {
                writeln!(out, "{}: {}", remark.about, remark.text)?;
            }
            hint(args, &source);
        }
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}

/// Tells what to do about runs that do not count.
fn hint(args: &ScoreArgs, source: &Source) {
    let left_out = source.results.remarks.iter().any(|remark| remark.text.contains(" left out: "));
    if left_out && args.path.is_dir() {
        let path = args.path.display();
        tell!(
            "hint: `referee contest run {path}` does what is missing; `referee contest score {path}/results/journal.jsonl` \
             scores the journal as it is"
        );
    }
}

/// Writes the scores as tables.
pub(super) fn write(out: &mut dyn Write, scores: &Scores, source: &Source, cells: bool) -> std::io::Result<()> {
    for (number, track) in scores.tracks.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{} ({})", track.track, scores.rules)?;
        write!(out, "{}", ranking(track))?;
        for pair in track.separations.iter().filter(|pair| !pair.separable) {
            writeln!(out, "The measurements do not tell {} from {}.", pair.better, pair.worse)?;
        }
        if let Some(text) = track.measured_once() {
            writeln!(out, "{text}.")?;
        }
        if cells {
            writeln!(out)?;
            write_cells(out, track)?;
        }
    }
    if !source.deviations.is_empty() {
        writeln!(out, "\nPrinted scores that do not follow from the printed measurements:")?;
    }
    for one in &source.deviations {
        writeln!(
            out,
            "{} {} {}: {} score printed {}, the formula gives {:.5} (between {:.4} and {:.4})",
            one.track, one.section, one.tool, one.score, one.printed, one.formula, one.low, one.high
        )?;
    }
    Ok(())
}

/// The ranking of a track.
pub(super) fn ranking(track: &TrackScores) -> Table {
    let mut table = Table::new(&[">Rank", "Tool", ">Correctness", ">Overhead", ">Memory", ">Total", "95 % interval"]);
    for place in &track.ranking {
        let interval = place.interval.map(|one| format!("{:.2} to {:.2}", one.low, one.high)).unwrap_or_default();
        table.row([
            place.rank.to_string(),
            place.tool.clone(),
            format!("{:.2}", place.correctness).trim_end_matches(".00").to_owned(),
            format!("{:.2}", place.overhead),
            format!("{:.2}", place.memory),
            format!("{:.2}", place.total),
            interval,
        ]);
    }
    table
}

fn write_cells(out: &mut dyn Write, track: &TrackScores) -> std::io::Result<()> {
    for cell in &track.cells {
        writeln!(out, "{} {}: {:.2}", cell.benchmark, cell.tool, cell.total())?;
        for line in cell.formula.iter().chain(&cell.note) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}
