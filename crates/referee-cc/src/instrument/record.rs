//! What an object says about itself, in a section that no program loads.
//!
//! ```text
//!  unit a.c                    one file
//!  mapping 5f3a…               the mapping that it was compiled with
//!  hit 2                       entry 2 of it has a place here
//!  skipped reason              it was compiled as it is
//!  function f / called g / written x     names for suggestions, where an entry has no place
//! ```
//!
//! The linker joins the sections, so that of a program it can be said which entries have no place at all.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::mapping::Mapping;
use crate::syntax::token::{TokenKind, Tokens};
use crate::syntax::unit::Unit;
use crate::syntax::words::is_keyword;

/// The name of the section.
pub(crate) const MARK: &str = ".referee";

/// A number for a mapping's text, the same on every machine.
pub(crate) fn mapping_mark(mapping: &Mapping) -> String {
    // FNV-1a: it must not change with the release of the compiler that built us.
    let mark = mapping
        .text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |mark, byte| (mark ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{mark:016x}")
}

/// The text that makes the section.
pub(super) fn record(tokens: &Tokens<'_>, unit: &Unit<'_>, mapping: &Mapping, hit: &[bool]) -> String {
    let mut lines = head(tokens, mapping);
    for (number, _) in hit.iter().enumerate().filter(|(_, hit)| **hit) {
        let _ = writeln!(lines, "hit {number}");
    }
    if hit.iter().any(|hit| !hit) {
        names(tokens, unit, &mut lines);
    }
    section(&lines)
}

/// The text that makes the section of a file that could not be edited.
pub(crate) fn skipped(text: &[u8], mapping: &Mapping, reason: &str) -> Option<Vec<u8>> {
    let tokens = Tokens::of(text)?;
    let mut lines = head(&tokens, mapping);
    let _ = writeln!(lines, "skipped {}", reason.lines().next().unwrap_or(""));
    let mut out = text.to_vec();
    out.extend_from_slice(section(&lines).as_bytes());
    Some(out)
}

fn head(tokens: &Tokens<'_>, mapping: &Mapping) -> String {
    let file = tokens.all.last().map_or("", |last| tokens.lines.place(last.start).0);
    format!("unit {file}\nmapping {}\n", mapping_mark(mapping))
}

fn names(tokens: &Tokens<'_>, unit: &Unit<'_>, lines: &mut String) {
    let (mut called, mut written) = (BTreeSet::new(), BTreeSet::new());
    for function in unit.functions.iter().filter(|function| !function.is_system) {
        let _ = writeln!(lines, "function {}", function.name);
        for at in function.open..tokens.mate(function.open) {
            if tokens.all[at].kind != TokenKind::Word {
                continue;
            }
            match tokens.get(at + 1) {
                b"(" if !is_keyword(tokens.get(at)) => called.insert(tokens.name(at)),
                b"=" | b"++" | b"--" | b"+=" | b"-=" => written.insert(tokens.name(at)),
                _ => false,
            };
        }
    }
    for name in called {
        let _ = writeln!(lines, "called {name}");
    }
    for name in written {
        let _ = writeln!(lines, "written {name}");
    }
}

/// A section of the object file with these lines.
fn section(lines: &str) -> String {
    let mut text = String::from("\n__asm__(\".pushsection .referee,\\\"\\\",%progbits\\n\"\n");
    for line in lines.lines() {
        // A backslash or quote passes through the compiler and the assembler, each of which takes one level away.
        let line = line.replace('\\', "\\\\\\\\").replace('"', "\\\\\\\"");
        let _ = writeln!(text, "\"\\t.ascii \\\"{line}\\\\n\\\"\\n\"");
    }
    text.push_str("\"\\t.popsection\\n\");\n");
    text
}

/// What the objects of a program say about themselves.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// How many files were compiled.
    pub(crate) units: usize,
    /// Files that could not be edited, each with the reason.
    pub(crate) skipped: Vec<(String, String)>,
    /// Files that were compiled with another mapping.
    pub(crate) foreign: Vec<String>,
    /// Which entries have a place.
    pub(crate) hit: BTreeSet<usize>,
    /// The program's functions and those that it calls.
    pub(crate) functions: BTreeSet<String>,
    /// What it assigns to.
    pub(crate) written: BTreeSet<String>,
}

impl Records {
    /// Reads a section; what was compiled with another mapping says nothing about this one.
    pub(crate) fn read(&mut self, section: &[u8], mapping: &Mapping) {
        let own = mapping_mark(mapping);
        let (mut unit, mut is_own) = (String::new(), false);
        for line in String::from_utf8_lossy(section).lines() {
            match line.trim_start_matches('\0').split_once(' ') {
                Some(("unit", file)) => {
                    unit = file.to_owned();
                    self.units += 1;
                }
                Some(("mapping", mark)) => {
                    is_own = mark == own;
                    if !is_own {
                        self.foreign.push(unit.clone());
                    }
                }
                Some(("hit", number)) if is_own => self.hit.extend(number.parse::<usize>()),
                Some(("skipped", reason)) => self.skipped.push((unit.clone(), reason.to_owned())),
                Some(("function" | "called", name)) => drop(self.functions.insert(name.to_owned())),
                Some(("written", name)) => drop(self.written.insert(name.to_owned())),
                _ => {}
            }
        }
    }
}
