//! A progress bar for work that takes over a second, where somebody watches.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use referee_trace::reader::Progress as Position;

const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears after a second.
pub(crate) struct Progress {
    started: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the clock; without a terminal there will never be a bar.
    pub(crate) fn start() -> Progress {
        let watched = std::io::stderr().is_terminal();
        Progress { started: watched.then(Instant::now), bar: None }
    }

    /// Shows how far reading has come.
    pub(crate) fn show(&mut self, position: Position) {
        let Some(started) = self.started else { return };
        if self.bar.is_none() && started.elapsed() >= PATIENCE {
            self.bar = Some(bar(position.total, started.elapsed()));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(position.bytes);
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar of less than 80 columns. Its speed is that since the start, for it appears late and then jumps.
fn bar(total: Option<u64>, elapsed: Duration) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:24} {bytes} of {total_bytes}, {speed}, {left} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes}, {speed}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("speed", write_speed).with_key("left", write_time_left);
    bar.with_style(style).with_elapsed(elapsed)
}

/// Bytes per second so far.
fn speed(state: &ProgressState) -> f64 {
    state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-3)
}

fn write_speed(state: &ProgressState, out: &mut dyn Write) {
    // A bar that cannot be drawn is no reason to stop.
    let _ = write!(out, "{}/s", BinaryBytes(speed(state) as u64));
}

fn write_time_left(state: &ProgressState, out: &mut dyn Write) {
    let bytes_left = state.len().unwrap_or(0).saturating_sub(state.pos());
    let seconds = (bytes_left as f64 / speed(state).max(1.0)).ceil();
    let _ = write!(out, "{}", HumanDuration(Duration::from_secs(seconds as u64)));
}
