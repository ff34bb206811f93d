//! `referee contest`, through the real binary.

mod browser;
mod corpus;
mod failures;
mod generate;
mod kit;
mod reports;
mod runs;
mod statuses;
mod validation;
