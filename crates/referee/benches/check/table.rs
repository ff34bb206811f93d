//! The table: one line per work.

use std::time::Duration;

use crate::measure::Run;

/// What is printed of one work.
pub(crate) struct Line<'a> {
    pub work: &'a str,
    pub run: &'a Run,
    pub events: u64,
    /// What the run's CPU time is compared with, and what that took.
    pub reference: Option<(&'a str, Duration)>,
    /// The aim, as it is written.
    pub aim: &'a str,
    /// The CPU time of the monitor written by hand.
    pub hand: Option<Duration>,
    /// Where the first violation should be, if that is known.
    pub broken: Option<u64>,
}

/// A section's title and the names of the columns.
pub(crate) fn head(title: &str) {
    println!("\n{title}\n");
    println!(
        "{:<34} {:>10} {:>8} {:>8} {:>10} {:>9} {:>8}  {:<9} {:>9}  verdict",
        "work", "CPU", "peak", "M ev/s", "reference", "CPU", "ratio", "aim", "by hand"
    );
}

impl Line<'_> {
    /// Prints the line; the ratio, if there is one.
    pub(crate) fn print(&self) -> Option<f64> {
        let (reference, base) = self.reference.map_or(("", None), |(name, base)| (name, Some(base)));
        let ratio = base.filter(|_| self.run.is_finished()).map(|base| seconds(self.run.cpu) / seconds(base));
        println!(
            "{:<34} {:>10} {:>8} {:>8} {:>10} {:>9} {:>8}  {:<9} {:>9}  {}",
            self.work,
            milliseconds(self.run.cpu),
            if self.run.peak > 0 { format!("{:.1} MB", self.run.peak as f64 / 1024.0) } else { "-".to_owned() },
            self.speed(),
            reference,
            base.map_or_else(|| "-".to_owned(), milliseconds),
            ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}x")),
            self.aim,
            self.hand.map_or_else(|| "-".to_owned(), milliseconds),
            self.verdict(),
        );
        ratio
    }

    fn speed(&self) -> String {
        match self.run.is_finished() {
            true => format!("{:.2}", self.events as f64 / seconds(self.run.cpu) / 1e6),
            false => "-".to_owned(),
        }
    }

    fn verdict(&self) -> String {
        let Run { status, violations, point, .. } = self.run;
        match (self.run.is_finished(), self.broken, point) {
            (false, ..) => format!("not finished ({status})"),
            (true, Some(expected), found) if *found != Some(expected) => {
                format!("WRONG: {status} at {found:?}, expected {expected}")
            }
            (true, _, Some(point)) if *violations == 1 => format!("{status} at {point}"),
            (true, _, Some(_)) => format!("{status}, {violations} times"),
            (true, ..) => status.clone(),
        }
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64().max(1e-9)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
