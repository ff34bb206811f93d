//! From file to verdict: how long `referee check` takes, and how much memory.
//!
//! `cargo bench -p referee --bench check -- [SECTION] [--events N] [--timeout S] [--repeat N]`, or `benches/run`, prints one line
//! per work:
//!
//! - *CPU*: user and system time of the real binary, its start included; the least of several runs on a warm file, in turn with
//!   what it is compared with;
//! - *peak*: resident memory of a run that reads the trace from standard input, so that mapped pages do not count;
//! - *reference*: what the CPU time is compared with; the csv loop and the xml loop run in this process on the same
//!   bytes, held in memory;
//! - *by hand*: a monitor of that one property as one would write it by hand, reading the file included.
//!
//! Every verdict is compared with the one the trace was made for, and with the one of the monitor written by hand. Nothing
//! here fails because a machine is slow: what takes longer than the timeout is printed as not finished.

mod hand;
mod kit;
mod measure;
mod references;
mod sections;
mod table;
mod traces;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "--measure" => measure::helper(rest),
        _ => sections::run(&kit::Kit::new(&arguments)),
    }
}
