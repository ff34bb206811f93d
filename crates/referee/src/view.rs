//! The events of a trace as `check` sees them, for the commands that show, count and convert them.
//!
//! What is taken as the time of an event is one rule:
//!
//! | the mapping has `time` | then the time is |
//! |---|---|
//! | yes | what it says, in every language and every command |
//! | no | the field `ts`; for languages that measure time, also `time` or `timestamp` in any case; in timed DejaVu traces, the last column |
//!
//! Only the second row depends on a language, which these commands do not have: `--language` names it. Where it would make a
//! difference and none is named, they say so.

use std::path::PathBuf;

use clap::Args;
use referee_spec::core::Language;
use referee_trace::error::TraceError;
use referee_trace::reader::{ReadOptions, Summary};

use crate::check::{Reading, are_marked_timed, languages, options_as_judged};
use crate::input::ReadArgs;
use crate::streams::tell;

/// As whom a command sees a trace.
#[derive(Debug, Clone, Args)]
pub(crate) struct ViewArgs {
    /// See events as rules of this language do: what is their time, and through which mapping
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    language: Option<Language>,
    /// DejaVu: the last column is the time; so it is in files with `.timed.` in their names
    #[arg(long)]
    timed: bool,
    /// Make one point of neighbours with equal timestamps
    #[arg(long)]
    merge: bool,
}

impl ViewArgs {
    /// The reader's options.
    pub(crate) fn options(&self, read: &ReadArgs, traces: &[PathBuf]) -> Result<ReadOptions, TraceError> {
        let timed = self.timed || are_marked_timed(traces);
        // FO-LTL stands for all languages that order events; a timed trace is one of DejaVu.
        let usual = if timed { Language::Qtl } else { Language::Foltl };
        let reading = Reading::of(self.language.unwrap_or(usual), timed);
        Ok(options_as_judged(read, read.mapping()?, reading, self.merge))
    }

    /// Says where another language would see another time.
    pub(crate) fn tell(&self, summary: &Summary) {
        if let (None, Some(field)) = (self.language, &summary.other_time) {
            tell!(
                "note: `{field}` is not the time here, but it is in languages that measure time (mfotl, soloist, larva, lola, stl)\n  \
                 hint: `--language mfotl` shows what they see; time = {{ field = \"{field}\" }} in a mapping makes it the time for all"
            );
        }
    }
}
