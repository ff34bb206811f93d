//! The library as C sees it: its header, and programs that are compiled with gcc and linked with it.

mod header;
mod install;
mod kit;
mod manual;
mod programs;
