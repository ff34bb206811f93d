//! How fast traces are read, against the loops that later measurements refer to.
//!
//! `cargo bench -p referee-trace --bench readers` prints one row per work: CPU time of the reference loop and of
//! Referee on the same bytes in the same process, and their ratio beside the ratio aimed at. Nothing here fails because
//! a machine is slow. Where `../shared/data/dejavu` is present its traces are measured as well.

mod csv;
mod files;
mod json;
mod kit;
mod tally;
mod xml;

fn main() {
    let kit = kit::Kit::from_arguments();
    kit.header();
    csv::run(&kit);
    files::run(&kit);
    xml::run(&kit);
    json::run(&kit);
}
