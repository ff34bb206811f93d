//! Puts calls of the run time where events happen.
//!
//! ```text
//!  int f(int a) { … return E; }             { EVENT(begin) … return ({ __typeof__(f(a)) v = (E); EVENT(end, v); v; }); }
//!  x = open(P, F);                          x = ({ __auto_type a1 = (P); __auto_type a2 = (F); EVENT; open(a1, a2); });
//!  p->chunk = E;                            ({ __auto_type o = (p); __auto_type v = (o->chunk = E); EVENT(o, v); v; });
//! ```
//!
//! All of it is inserted into the preprocessed text, in which lines stay where they are. **No type is worked out**: `__typeof__`,
//! `__auto_type` and `_Generic` leave that to the compiler, which then also says what is wrong with a mapping
//! ([`Mode::Explain`]). There are no wrappers, so that static, variadic and old-style functions and those that return
//! structures need no case of their own.

mod bindings;
mod call;
mod check;
mod edits;
mod event;
mod function;
mod manual;
mod pass;
mod place;
mod prelude;
mod record;
mod scan;
mod write;

pub(crate) use check::{Complaint, complaint};
pub(crate) use place::Mode;
pub(crate) use record::{MARK, Records, skipped};
pub(crate) use scan::{Instrumented, instrument};
