//! A benchmark: one directory that says what is judged, and what the right answer is.
//!
//! ```text
//!  benchmarks/has-next/
//!    benchmark.toml        (or benchmark.json) ─▶ document ─▶ load: checks of meaning ─▶ Package
//!    property.foltl, …     the files it names: always inside the directory
//! ```
//!
//! Loading is strict and says where something is wrong. It checks what can be seen in the document alone: names, files,
//! options, that one track has traces and the others programs. Whether a package keeps its promises (demonstrations, counts,
//! verdict) is the business of validation, which needs the engine. The published schema is `schemas/benchmark.schema.json`;
//! `schema_agreement` holds it, field by field, against the types of the document.

mod document;
mod handed;
mod id;
mod load;
mod model;

pub use document::{
    Acceptance, Clarification, ClarificationState, Demonstration, EventKind, Expected, Field, FieldType, Formal,
    Implicit, Informal, Instrumentation, InstrumentationKind, Program, Property, Scalar, Snippet, Track, Verdict,
};
pub(crate) use handed::read_short;
pub use id::camel_case;
pub use model::{DOCUMENTS, Further, Generated, LANGUAGES, Package, Subject, Trace, TraceSource};

#[cfg(test)]
mod schema_agreement;
#[cfg(test)]
mod tests;
