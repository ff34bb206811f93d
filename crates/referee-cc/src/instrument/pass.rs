//! What the pass over a file knows, and what it collects.

use std::collections::{BTreeSet, HashSet};

use super::edits::Edits;
use super::event::Sites;
use super::place::{Mode, Place};
use crate::mapping::Mapping;
use crate::syntax::token::Tokens;
use crate::syntax::unit::Unit;

/// What the pass over a file knows and collects.
pub(super) struct Pass<'a, 't> {
    pub(super) tokens: &'a Tokens<'t>,
    pub(super) unit: &'a Unit<'t>,
    pub(super) mapping: &'a Mapping,
    pub(super) mode: Mode,
    pub(super) edits: Edits,
    pub(super) sites: Sites,
    /// Functions of which this file does not know whether the program defines them.
    pub(super) called: BTreeSet<&'t str>,
    pub(super) keeps_stack: bool,
    /// The first token of the function in which the pass is.
    pub(super) function_start: usize,
    /// Variables whose address a helper tells.
    pub(super) addresses: Vec<&'t str>,
    pub(super) local: HashSet<&'t str>,
}

impl<'t> Pass<'_, 't> {
    /// Where a token is.
    pub(super) fn place(&self, at: usize, function: &'t str) -> Place<'t> {
        let (file, line) = self.tokens.lines.place(self.tokens.all[at].start);
        Place { file, line, function, mode: self.mode }
    }

    /// Whether this file defines a function.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.local.contains(name)
    }

    /// The function that tells the address of a variable of the outermost level.
    pub(super) fn address_of(&mut self, name: &'t str) -> String {
        let helper = format!("referee_address_of_{name}");
        if !self.addresses.contains(&name) {
            self.addresses.push(name);
            let start = self.tokens.all[self.function_start].start;
            let text = format!(
                "static __inline__ __attribute__((__unused__,__always_inline__)) const volatile void *{helper}(void) \
                 {{ return (const volatile void *)&{name}; }} "
            );
            self.edits.opening(start, u32::MAX - 1, text);
        }
        helper
    }
}
