//! The program as its users see it: started as a process, judged by its streams, files and exit code.

mod bad_input;
mod batches;
mod cat;
#[cfg(target_os = "linux")]
mod cc;
mod changing;
mod check;
mod convert;
mod everywhere;
mod examples;
mod init;
mod json;
mod kit;
#[cfg(unix)]
mod limits;
mod logs;
mod machines;
#[cfg(unix)]
mod manual;
mod mapping;
#[cfg(target_os = "linux")]
mod memory;
mod never_silent;
mod numbers;
#[cfg(unix)]
mod pipes;
mod resume;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod run;
mod specifications;
mod stats;
mod streams;
mod warnings;
mod words;
