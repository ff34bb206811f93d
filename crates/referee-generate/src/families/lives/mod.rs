//! Properties that speak of one thing at a time: connections, files, accounts, iterators, threads, routes.
//!
//! What a thing may do depends on what it did. [`life`] describes that by tables and tells the stories of all of them.

mod bank;
mod calls;
mod collections;
mod connections;
mod iterators;
mod life;
mod objects;
mod routes;
mod threads;

use crate::generator::Generator;

/// All of them, by what they are about.
pub(super) const ALL: &[&[Generator]] = &[
    bank::ALL,
    calls::ALL,
    collections::ALL,
    connections::ALL,
    iterators::ALL,
    objects::ALL,
    routes::ALL,
    threads::ALL,
];
