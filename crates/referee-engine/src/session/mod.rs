//! A session: any mix of rules of any languages, judged event by event. The one way in, for `check` and for other programs.
//!
//! ```text
//!  rules ─▶ Session ◀─ kind, text, integer, identity      resolved once
//!             │  ◀─ event / point / add… judge / points / advance(time)
//!             ├─▶ findings                                as soon as they are decided
//!             ├─▶ save ─▶ bytes ─▶ load                   another process, another machine, later
//!             └─▶ end ─▶ one outcome per rule
//! ```
//!
//! The same lines serve a DejaVu formula, a quantified automaton and a Lola program:
//!
//! ```
//! # use std::sync::Arc;
//! # use referee_spec::core::{Language, Rule};
//! # use referee_spec::language::{Options, Source, compile};
//! use referee_engine::session::Session;
//! # fn rule(language: Language, text: &str) -> Arc<Rule> {
//! #     Arc::new(compile(language, &Source::new("rule", text), &Options::default()).properties.remove(0))
//! # }
//! let opened_twice = [
//!     rule(Language::Qtl, "prop opened: Forall f . open(f) -> ! @ (!close(f) S open(f))"),
//!     rule(Language::Qea, "qea { forall(f) accept skip(shut) { open(f) -> ajar; close(f) -> shut } accept skip(ajar) { open(f) -> failure; close(f) -> shut } }"),
//!     rule(Language::Lola, "input file: Int\noutput before := file.offset(by: -1).defaults(to: 0)\ntrigger file = before \"twice\""),
//! ];
//! let mut session = Session::new(&opened_twice);
//! let open = session.kind("open", &["file"]);
//! let file = session.integer(7);
//! assert!(session.event(open, &[file])?.is_empty());
//! let found = session.event(open, &[file])?;
//! assert_eq!(found.iter().map(|finding| finding.rule).collect::<Vec<_>>(), [0, 1, 2]);
//! assert!(session.end().iter().all(|outcome| outcome.status.to_string() == "Violated"));
//! # Ok::<(), referee_engine::session::SessionError>(())
//! ```
//!
//! # Time
//!
//! A session has one clock, which never goes back. A point has a time, or none has one. [`Session::advance`] moves the
//! clock without a point: **it says that no point will come before that time, and nothing else.** No point is counted,
//! no formula is judged at that time, and nothing that is judged at points alone (past formulas, machines without clocks,
//! facts, streams, aggregates) changes. What it decides are the violations that follow from it, whatever comes:
//!
//! * a formula's interval that ends before that time is over: what was not seen in it will not be;
//! * the timeouts of DATEs that lie before that time happen, each at its own time;
//! * so do the ends of intervals of quantities and signals. A field of a signal has kept its value until then.
//!
//! A finding that `advance` decides has the number of the newest point in `decided`. All in all there are the same
//! violations with and without `advance`: with it they are told earlier.
//!
//! # Saving
//!
//! [`Session::save_to`] writes the state in one pass. [`Session::load`] goes on from it, perhaps in a session of other rules: those that both
//! have go on, those of the state alone are dropped, those of the session alone begin there, and [`Loaded`] names them.
//! [`SavedState`] says what a state holds.
//!
//! # Memory
//!
//! What a session takes is what its rules refer to. Values from [`Session::text`] and [`Session::value`] stay until they are
//! [forgotten](Session::forget), as the caller may use them again; a [passing text](Session::passing_text) is given back when no rule refers
//! to it. Judges that once had many more rows are made anew. `explain` tells what must grow all the same.
//!
//! # Cost
//!
//! An event costs what its judges do, and a call of each. Of points that are judged together ([`Session::add`]) judges
//! fetch the rows ahead. No input or output happens here, there is no global state, and a session may move between threads.

mod compact;
mod error;
mod identity;
mod judging;
mod kind;
mod late_judge;
mod peaks;
mod reclaim;
mod record;
mod saved;
mod state;

pub use error::{SessionError, StateError};
pub use judging::{MakeJudges, Session};
pub use kind::SessionKind;
pub use saved::{SavedPart, SavedPosition, SavedRule, SavedState};
pub use state::Loaded;
