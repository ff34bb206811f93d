//! Which bindings of a quantified automaton may go when a value dies.
//!
//! ```text
//!  forget(i = 7) ─▶ instances with i = 7, and what stands for all other bindings with i = 7
//!                     every one harmless ─▶ they and the value are dropped: as if it had never come
//!                     one that is not    ─▶ all stay
//! ```
//!
//! Let all quantifiers be universal. A binding with the dead value is *harmless* if it is accepted now and after any events that avoid
//! its dead variables; no others belong to it. So it is accepted at the end, and never reported; or it has been reported, and stays
//! rejected. What is left of a conjunction without such members is true exactly if it was true with them. Where all quantifiers
//! are existential, the same holds of bindings that are rejected now and after any such events. Where they are mixed, a value may be the
//! only one for which something exists, and everything stays.
//!
//! Bindings with the value that are not stored have the configuration of the largest instance that is part of them. That is an instance
//! with the value, or one that does not bind its variable, perhaps the one that binds nothing: whoever asks for the values seen asks for
//! these, too, so they must be harmless as well. Instances without the value do not depend on those with it.
//!
//! A trace that may go on counts the open bindings. There, harmless is only what is settled; of a single variable that all events bind,
//! the bindings that stay open are counted instead.

use referee_trace::values::Atom;

use super::{BindingRuns, Partial, QuantifiedJudge};
use crate::machine::binding::{BoundVariables, members};
use crate::machine::config::ConfigId;

/// The most instances without a value that are asked on its account.
const MOST_ASKED: usize = 64;

impl QuantifiedJudge {
    /// Drops a dead value and all bindings with it, if they are harmless.
    pub(super) fn forget_value(&mut self, value: Atom) {
        if self.stuck.is_some() || self.body.variables.is_empty() {
            return;
        }
        let BindingRuns::Instances(instances) = &mut self.following else { return };
        let found = instances.with_value(value);
        if let Some(open) = self.counted(value, &found) {
            self.gone_open += u64::from(open);
        } else if !found.iter().all(|(binding, config)| self.is_harmless_instance(value, binding, *config))
            || !self.are_others_harmless(value, &found)
        {
            return;
        }
        self.drop_value(value, &found);
    }

    /// The variables with a dead value.
    fn dead(binding: &Partial, value: Atom) -> BoundVariables {
        let own = members(binding.set).filter(|variable| binding.values[*variable] == value);
        own.fold(0, |dead, variable| dead | 1 << variable)
    }

    fn is_harmless(&mut self, config: ConfigId, dead: BoundVariables) -> bool {
        let Some(harmless) = &mut self.harmless else { return false };
        let events: Vec<&str> = self.body.classes.iter().map(|class| &*class.event).collect();
        harmless.is(&mut self.automaton, &events, config, dead)
    }

    /// Whether a stored instance with the value is harmless, or was reported for good.
    fn is_harmless_instance(&mut self, value: Atom, binding: &Partial, config: ConfigId) -> bool {
        let dead = QuantifiedJudge::dead(binding, value);
        self.is_harmless(config, dead) || self.is_reported(binding, config, dead)
    }

    /// Whether all that a stored instance stands for was reported, and stays as it is.
    fn is_reported(&self, binding: &Partial, config: ConfigId, dead: BoundVariables) -> bool {
        let BindingRuns::Instances(instances) = &self.following else { return false };
        let fact = self.automaton.fact(config);
        let stays = self.automaton.is_plain() || self.harmless.as_ref().is_some_and(|own| own.all_bind(dead));
        let count = self.body.variables.len();
        let mut both = [Some(*binding), instances.image(binding)].into_iter().flatten();
        self.only_forall
            && fact.never
            && fact.stuck.is_none()
            && stays
            && both.all(|one| one.set == instances.full() && self.reported.contains(&one.values[..count]))
    }

    /// Whether the bindings with the value that have the configuration of an instance without it are harmless.
    fn are_others_harmless(&mut self, value: Atom, found: &[(Partial, ConfigId)]) -> bool {
        if !self.keeps_domains {
            // Nobody asks for them.
            return true;
        }
        let BindingRuns::Instances(instances) = &self.following else { return false };
        let stored: Vec<BoundVariables> = found
            .iter()
            .flat_map(|(binding, _)| [Some(binding.set), instances.image(binding).map(|image| image.set)])
            .flatten()
            .collect();
        let seen = |variable: usize| self.domains[self.body.variables[variable].domain].has(value);
        // What is asked of the mirror image of an instance is asked of the instance itself, with two variables exchanged.
        let asks = |variable: &usize| seen(*variable) || seen(instances.partner(*variable));
        let variables: Vec<usize> = (0..self.body.variables.len()).filter(asks).collect();
        let mut asked = vec![(Partial::EMPTY, instances.base)];
        asked.extend(instances.parts(MOST_ASKED));
        let all = asked.len() <= MOST_ASKED;
        for variable in variables.into_iter().filter(|variable| !stored.contains(&(1 << variable))) {
            let outside = asked.iter().filter(|(binding, _)| binding.set >> variable & 1 == 0);
            let outside: Vec<(BoundVariables, ConfigId)> =
                outside.map(|(binding, config)| (QuantifiedJudge::dead(binding, value), *config)).collect();
            if !all || !outside.into_iter().all(|(dead, config)| self.is_harmless(config, dead | 1 << variable)) {
                return false;
            }
        }
        true
    }

    /// Of the binding of a single variable that all events bind, where open ones are counted: whether it stays open. Nothing if that is
    /// not so, or if it may still be reported.
    fn counted(&self, value: Atom, found: &[(Partial, ConfigId)]) -> Option<bool> {
        let harmless = self.harmless.as_ref().filter(|own| own.counts_open() && own.all_bind(1))?;
        if self.body.variables.len() != 1 || !self.body.conditions.is_empty() || !self.domains[0].has(value) {
            return None;
        }
        let BindingRuns::Instances(instances) = &self.following else { return None };
        let config = found.first().map_or(instances.base, |(_, config)| *config);
        let fact = self.automaton.fact(config);
        let reported = fact.never && self.reported.contains(&[value][..]);
        let may_go = fact.stuck.is_none() && (harmless.is_wanted(fact) || reported);
        may_go.then_some(!fact.surely && !fact.never)
    }

    fn drop_value(&mut self, value: Atom, found: &[(Partial, ConfigId)]) {
        let BindingRuns::Instances(instances) = &mut self.following else { return };
        let count = self.body.variables.len();
        for (binding, config) in found {
            for one in [Some(*binding), instances.image(binding)].into_iter().flatten() {
                if one.set == instances.full() {
                    self.reported.remove(&one.values[..count]);
                }
            }
            instances.forget(binding);
            self.automaton.release(*config);
        }
        self.domains.iter_mut().for_each(|domain| domain.remove(value));
        self.forget_fold();
    }
}
