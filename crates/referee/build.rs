//! Links the program for a fixed address where that saves time at every start.
//!
//! A program that can be loaded anywhere is relocated when it is: on Linux some seventy pages of tables are read, changed and so
//! copied before `main` begins, a quarter of the time of a small check.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
