//! The run time that lives in monitored C programs: takes events, judges them there, and says the verdict however the program ends.
//!
//! ```text
//!   program ─▶ entries ─▶ ring ─▶ judging (one thread at a time) ─▶ Monitor ─▶ standard error or the report
//!                                   ▲
//!      return from main, exit ──────┤ ending
//!      _exit, quick_exit, exec* ────┤
//!      signals ─────────────────────┤ signals     on a stack of their own
//!      fork ────────────────────────┘ processes   parent and child each go on with what they know
//! ```
//!
//! It is a guest. **It never calls the program's `malloc`** (`allocator`), it leaves `errno`, signal masks and the program's handlers as they
//! are, and it never waits for what its own thread holds. Under `referee run` the ring is shared with a parent that judges, and the run
//! time does nothing but write to it.
//!
//! # How events are delivered
//!
//! | program | order | verdict |
//! |---|---|---|
//! | one thread | that of the thread, without atomic instructions | after some hundred events or 10 ms, at the next event that looks at the clock |
//! | several threads | one for all of them: each event takes its place with an atomic addition | the same, by whichever thread sees that it is due |
//! | with `halt` | as above | before the event's call returns |
//!
//! All rules get one order, those over one object as well: the number of a point is part of what is printed, and it is the same as in the
//! recorded trace.

mod allocator;
mod configured;
mod ending;
mod entries;
mod errno;
mod exec;
mod judging;
mod memory;
mod outlet;
mod processes;
mod signals;
mod start;
mod threads;

#[global_allocator]
static ALLOCATOR: allocator::OwnPages = allocator::OwnPages;
