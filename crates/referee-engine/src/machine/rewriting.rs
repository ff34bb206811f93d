//! String rewriting: the string of a slice is its configuration.
//!
//! After an event is appended, rules are applied leftmost first. Nothing to the left of a change can apply that did not
//! before, except within the longest left side: the search goes on there, not at the beginning.

use referee_spec::core::machine::{RewriteRule, Rewriting, Side};
use referee_spec::core::{Problem, Span};

use super::config::{ConfigId, Lists};

/// How many steps may follow one event.
const STEPS: usize = 10_000;
/// The word of a string that has succeeded or failed.
const SUCCEEDED: u64 = u64::MAX;
const FAILED: u64 = u64::MAX - 1;

/// A rewriting system and its strings.
#[derive(Debug)]
pub(super) struct Rewriter {
    rules: Vec<RewriteRule>,
    longest: usize,
    strings: Lists,
}

impl Rewriter {
    /// A system with the empty string, whose configuration is 0.
    pub(super) fn new(system: &Rewriting) -> Rewriter {
        let longest = system.rules.iter().map(|rule| rule.left.len()).max().unwrap_or(0);
        let mut strings = Lists::default();
        strings.intern(&[]);
        Rewriter { rules: system.rules.clone(), longest, strings }
    }

    /// The string after an event.
    pub(super) fn step(&mut self, config: ConfigId, symbol: usize) -> Result<ConfigId, (Problem, Span)> {
        if self.matches(config) || self.fails(config) {
            return Ok(config);
        }
        let mut string = self.strings.get(config).to_vec();
        string.push(symbol as u64);
        let mut from = string.len().saturating_sub(self.longest);
        let mut steps = 0;
        while let Some((place, number)) = self.first_place(&string, from) {
            let rule = &self.rules[number];
            steps += 1;
            match &rule.right {
                _ if steps > STEPS => return Err((Problem::StepLimit, rule.span)),
                Side::Succeed => return Ok(self.strings.intern(&[SUCCEEDED]).0),
                Side::Fail => return Ok(self.strings.intern(&[FAILED]).0),
                Side::Symbols(right) => {
                    string.splice(place..place + rule.left.len(), right.iter().map(|symbol| *symbol as u64));
                    from = place.saturating_sub(self.longest);
                }
            }
        }
        Ok(self.strings.intern(&string).0)
    }

    fn first_place(&self, string: &[u64], from: usize) -> Option<(usize, usize)> {
        (from..string.len()).find_map(|place| {
            let applies = |rule: &RewriteRule| {
                let end = place + rule.left.len();
                end <= string.len()
                    && rule.left.iter().zip(&string[place..]).all(|(wanted, found)| *wanted as u64 == *found)
                    && (!rule.at_start || place == 0)
                    && (!rule.at_end || end == string.len())
            };
            self.rules.iter().position(applies).map(|rule| (place, rule))
        })
    }

    /// Whether it has succeeded.
    pub(super) fn matches(&self, config: ConfigId) -> bool {
        self.strings.get(config) == [SUCCEEDED]
    }

    /// Whether it has failed.
    pub(super) fn fails(&self, config: ConfigId) -> bool {
        self.strings.get(config) == [FAILED]
    }

    /// All strings.
    pub(super) fn strings(&self) -> &Lists {
        &self.strings
    }

    /// Replaces all strings; nothing if the empty one is not the first.
    pub(super) fn replace(&mut self, strings: Lists) -> Option<()> {
        if !strings.has(0) || !strings.get(0).is_empty() {
            return None;
        }
        self.strings = strings;
        Some(())
    }

    /// How many strings there are.
    pub(super) fn len(&self) -> usize {
        self.strings.len()
    }

    /// Whether a collection would pay.
    pub(super) fn is_full(&self) -> bool {
        self.strings.is_full()
    }

    /// Drops all strings but the empty one and those in use.
    pub(super) fn collect(&mut self, used: impl Iterator<Item = ConfigId>) {
        let mut marked = vec![false; self.strings.capacity()];
        used.chain([0]).for_each(|config| marked[config as usize] = true);
        self.strings.collect(&marked);
    }
}
