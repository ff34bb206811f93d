//! Gives the shared library the name by which the loader finds it, whatever the file that cargo writes is called.

/// Changes when a program that was linked before would no longer run.
const SONAME: &str = "libreferee.so.0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if system == "linux" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{SONAME}");
    }
}
