//! A progress bar for work that takes over a second, where somebody watches.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use referee_trace::reader::Progress as Position;

const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears after a second.
pub struct Progress {
    started: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the clock; without a terminal there will never be a bar.
    pub fn start() -> Progress {
        let watched = std::io::stderr().is_terminal();
        Progress { started: watched.then(Instant::now), bar: None }
    }

    /// Shows how far reading has come.
    pub fn show(&mut self, position: Position) {
        let Some(started) = self.started else { return };
        if self.bar.is_none() && started.elapsed() >= PATIENCE {
            self.bar = Some(bar(position.total, started.elapsed()));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(position.bytes);
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<u64>, elapsed: Duration) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            (ProgressBar::new(total), "{bar:40} {bytes} of {total_bytes}, {binary_bytes_per_sec}, {eta} left")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {bytes}, {binary_bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_elapsed(elapsed)
}
