//! One pass over the bodies of a file, which finds the places of events.

use std::collections::{BTreeSet, HashSet};

use referee_trace::error::TraceError;

use super::call::{call, may_be_call};
use super::edits::Edits;
use super::event::Sites;
use super::function::{Ends, begin};
use super::manual::{MANUAL, manual};
use super::pass::Pass;
use super::place::Mode;
use super::prelude::prelude;
use super::record;
use super::write::write;
use crate::mapping::Mapping;
use crate::syntax::token::{TokenKind, Tokens};
use crate::syntax::unit::{Function, Unit};
use crate::syntax::words::{holds_no_code, is_typeof};

/// An edited text.
#[derive(Debug)]
pub(crate) struct Instrumented {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// Whether the compiler must not let values share room on the stack.
    pub(crate) keeps_stack: bool,
}

/// Edits a preprocessed text. Of one that cannot be read there is none.
pub(crate) fn instrument(text: &[u8], mapping: &Mapping, mode: Mode) -> Result<Option<Instrumented>, TraceError> {
    let Some(tokens) = Tokens::of(text) else { return Ok(None) };
    let wanted = wanted(mapping);
    let unit = Unit::read(&tokens, &wanted);
    let mut pass = Pass {
        tokens: &tokens,
        unit: &unit,
        mapping,
        mode,
        edits: Edits::default(),
        sites: Sites { all: Vec::new(), hit: vec![false; mapping.entries.len()] },
        called: BTreeSet::new(),
        addresses: Vec::new(),
        keeps_stack: false,
        function_start: 0,
        local: unit.functions.iter().map(|function| function.name).collect(),
    };
    pass.functions(&Interest::of(mapping, &wanted))?;
    let defined = pass.defined();
    let Pass { mut edits, sites, called, keeps_stack, .. } = pass;
    let record = record::record(&tokens, &unit, mapping, &sites.hit);
    if let Some(first) = tokens.all.first() {
        let (file, line) = tokens.lines.place(first.start);
        let flag = if tokens.lines.is_system(first.start) { " 3" } else { "" };
        let prelude = prelude(&sites, &called, &defined);
        let text = format!("\n# 1 \"<referee>\" 1 3\n{prelude}\n# {line} \"{file}\" 2{flag}\n");
        edits.opening(first.start, u32::MAX, text);
    }
    let end = tokens.all.last().map_or(text.len() as u32, |last| last.end);
    edits.closing(0, end, record);
    Ok(Some(Instrumented { text: edits.apply(text), keeps_stack }))
}

/// The names of which declarations must be known.
fn wanted(mapping: &Mapping) -> HashSet<&[u8]> {
    let patterns = mapping.entries.iter().map(|entry| &entry.pattern);
    patterns
        .flat_map(|pattern| [Some(&pattern.name), pattern.object.as_ref()])
        .flatten()
        .map(|name| name.as_bytes())
        .collect()
}

/// Which words of a body to look at.
struct Interest<'m> {
    names: &'m HashSet<&'m [u8]>,
    /// First letters of names and keywords that matter.
    first: [bool; 256],
    has_globs: bool,
}

impl<'m> Interest<'m> {
    fn of(mapping: &Mapping, names: &'m HashSet<&'m [u8]>) -> Interest<'m> {
        let is_glob = |entry: &crate::mapping::MappingEntry| entry.happening.is_at_calls() && entry.pattern.is_glob();
        let mut first = [false; 256];
        for name in names.iter().copied().chain([MANUAL, b"__attribute__", b"sizeof", b"typeof", b"asm"]) {
            first[usize::from(name.first().copied().unwrap_or(0))] = true;
        }
        Interest { names, first, has_globs: mapping.entries.iter().any(is_glob) }
    }
}

impl<'t> Pass<'_, 't> {
    fn functions(&mut self, interest: &Interest<'_>) -> Result<(), TraceError> {
        let functions = &self.unit.functions;
        let mut at = 0;
        while at < functions.len() {
            // Functions inside of a function follow it, and share its first token.
            let start = functions[at].start;
            let family = functions[at..].iter().take_while(|function| function.start == start).count();
            self.function_start = start;
            self.family(&functions[at..at + family], interest)?;
            at += family;
        }
        Ok(())
    }

    /// A function, and the functions inside of it.
    fn family(&mut self, family: &[Function<'t>], interest: &Interest<'_>) -> Result<(), TraceError> {
        let outer = &family[0];
        let mut ends: Vec<(usize, usize, &'t str, Option<Ends>)> = Vec::with_capacity(family.len());
        for function in family {
            let end = begin(self, function)?;
            ends.push((function.open, self.tokens.mate(function.open), function.name, end));
        }
        for (_, close, name, end) in &ends {
            if let Some(end) = end {
                let place = self.place(*close, name);
                end.at_close(self, &place);
            }
        }
        let has_ends = ends.iter().any(|(.., end)| end.is_some());
        let close = self.tokens.mate(outer.open);
        let mut at = outer.open + 1;
        while at < close {
            let token = self.tokens.all[at];
            let word = self.tokens.get(at);
            let may_matter = interest.has_globs
                || word
                    .first()
                    .is_some_and(|first| interest.first[usize::from(*first)] || *first == b'r' || *first == b'_');
            if token.kind != TokenKind::Word || !may_matter {
                at += 1;
                continue;
            }
            if (holds_no_code(word) || is_typeof(word)) && self.tokens.get(at + 1) == b"(" {
                at = self.tokens.mate(at + 1) + 1;
                continue;
            }
            // The innermost function around the place: it begins last.
            let around = || ends.iter().rev().find(|(open, close, ..)| *open < at && at < *close).unwrap_or(&ends[0]);
            if word == b"return" && has_ends {
                if let (_, _, name, Some(end)) = around() {
                    let place = self.place(at, name);
                    end.at_return(self, at, &place);
                }
            } else if word == MANUAL {
                let place = self.place(at, around().2);
                manual(self, at, &place)?;
            } else if interest.names.contains(word) || (interest.has_globs && may_be_call(self, at)) {
                let place = self.place(at, around().2);
                if may_be_call(self, at) {
                    call(self, at, &place)?;
                } else {
                    write(self, at, &place);
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// The functions of this file that tell of their calls, and that other files may call.
    fn defined(&self) -> BTreeSet<&'t str> {
        let is_at_calls = |name: &str| {
            let mut entries = self.mapping.entries.iter();
            entries.any(|entry| entry.happening.is_at_calls() && entry.pattern.matches(name))
        };
        let visible = self.unit.functions.iter().filter(|function| !function.is_static && !function.is_system);
        visible.map(|function| function.name).filter(|name| is_at_calls(name)).collect()
    }
}
