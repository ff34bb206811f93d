//! Takes drafts of properties, and whatever tables they need, into one program with numbers of its own.
//!
//! The compiler knows many views: of all properties, and of subformulas that it has only looked at. A program has those that its units
//! read, in the order in which somebody first asks for them; two properties that ask for the same view share it.

use std::collections::HashMap;

use crate::faults::{self, Fault};
use crate::fo::code::plan::Plan;
use crate::fo::code::program::{Check, Follow, Part, Target};
use crate::fo::code::view::Upkeep;
use crate::fo::compile::draft::{DemandDraft, Draft, FoundBy};
use crate::fo::compile::form::{Definition, Form, Leaf, ViewUse};
use crate::fo::compile::linked::{Linked, LinkedUnit};
use crate::fo::compile::logic::Logic;
use crate::fo::compile::views::Views;
use crate::fo::types::ViewId;

/// Numbers views, patterns and parts anew.
pub(crate) struct Renumbering<'v> {
    source: &'v Views,
    linked: Linked,
    views: HashMap<ViewId, ViewId>,
    patterns: HashMap<usize, usize>,
    parts: HashMap<usize, usize>,
}

impl<'v> Renumbering<'v> {
    /// Nothing is taken yet of these views.
    pub(crate) fn new(source: &'v Views) -> Renumbering<'v> {
        let (linked, views, patterns, parts) = (Linked::default(), HashMap::new(), HashMap::new(), HashMap::new());
        Renumbering { source, linked, views, patterns, parts }
    }

    /// Takes the drafts of a property, which is this rule of the program, and its parts, the first of which has this number.
    pub(crate) fn add(&mut self, rule: usize, drafts: &[Draft], first_part: usize, parts: &[Part]) {
        for (at, part) in parts.iter().enumerate() {
            self.parts.insert(first_part + at, self.linked.parts.len());
            self.linked.parts.push(Part { rule, is_used: false, ..part.clone() });
        }
        drafts.iter().for_each(|draft| self.draft(rule, draft));
    }

    /// The program.
    pub(crate) fn finish(mut self) -> Linked {
        self.linked.note_used_parts();
        self.linked
    }

    fn draft(&mut self, rule: usize, draft: &Draft) {
        let (bindings, by_end) = (draft.bindings.clone(), draft.by_end);
        let number = self.linked.checks.len();
        match &draft.way {
            FoundBy::Driven(form) => {
                let form = self.form(form);
                self.linked.checks.push(Check { rule, bindings, state: None, by_end });
                self.linked.units.push(LinkedUnit { target: Target::Check(number), form, demand: None });
            }
            FoundBy::Rows(view) => {
                let state = Some(self.view(*view));
                self.linked.checks.push(Check { rule, bindings, state, by_end });
            }
            FoundBy::Demand(demand) => self.demand(rule, bindings, demand),
        }
    }

    fn demand(&mut self, rule: usize, bindings: Vec<Option<u8>>, draft: &DemandDraft) {
        let form = self.form(&draft.opens);
        let mut goal = self.form(&draft.goal);
        let fails = self.form(&draft.fails);
        let relay = draft.relay.as_ref().map(|row| ViewUse { view: self.view(row.view), ..row.clone() });
        if let Some(row) = &relay {
            goal = Form::And(vec![goal, Form::Leaf(true, Leaf::View(row.clone()))]);
        }
        let text = format!("open demands of property {}", rule + 1);
        let view = self.push(None, Definition::new(Upkeep::Open, draft.columns, false, text));
        let number = self.linked.follows.len();
        self.linked.follows.push(Follow {
            rule,
            bindings,
            view,
            interval: draft.interval.clone(),
            forbidden: draft.forbidden,
            from_next: draft.from_next,
            driven: goal.drivers().is_some() && fails.drivers().is_some(),
            goal: Plan::default(),
            fails: Plan::default(),
            relay: relay.filter(|_| !faults::is(Fault::Relay)).map(|row| (row.view, row.arguments)),
        });
        self.linked.units.push(LinkedUnit { target: Target::Demand(number), form, demand: Some((fails, goal)) });
    }

    fn form(&mut self, form: &Form) -> Form {
        let mut form = form.clone();
        form.change(&mut |leaf| self.leaf(leaf));
        form
    }

    fn leaf(&mut self, leaf: &mut Leaf) {
        match leaf {
            Leaf::Event(event) => event.pattern = self.pattern(event.pattern),
            Leaf::View(row) => row.view = self.view(row.view),
            Leaf::Stamps(stamps) => {
                stamps.first.view = self.view(stamps.first.view);
                self.linked.views.all[stamps.first.view].stamped = true;
                stamps.last.view = self.view(stamps.last.view);
            }
            Leaf::Part(part) => part.part = self.parts.get(&part.part).copied().unwrap_or(part.part),
            Leaf::Compare(_) => {}
        }
    }

    fn pattern(&mut self, pattern: usize) -> usize {
        *self.patterns.entry(pattern).or_insert_with(|| {
            self.linked.views.patterns.push(self.source.patterns[pattern].clone());
            self.linked.views.patterns.len() - 1
        })
    }

    fn view(&mut self, view: ViewId) -> ViewId {
        if let Some(own) = self.views.get(&view) {
            return *own;
        }
        let source = &self.source.all[view];
        let Definition { upkeep, columns, has_set, text, key, .. } = source;
        let definition = Definition::new(upkeep.clone(), *columns, *has_set, text.clone());
        let definition = Definition { key: key.clone(), ..definition };
        let is_recursive = key.as_ref().is_some_and(|key| matches!(key.logic, Logic::Defined(_)));
        if is_recursive {
            // It reads itself: its number must be known before its forms are.
            let own = self.push(Some(view), definition);
            let (makes, breaks) = (self.form(&source.makes), self.form(&source.breaks));
            (self.linked.views.all[own].makes, self.linked.views.all[own].breaks) = (makes, breaks);
            return own;
        }
        let (makes, breaks) = (self.form(&source.makes), self.form(&source.breaks));
        self.push(Some(view), Definition { makes, breaks, ..definition })
    }

    fn push(&mut self, origin: Option<ViewId>, definition: Definition) -> ViewId {
        let own = self.linked.views.push(definition);
        self.linked.origins.push(origin);
        origin.into_iter().for_each(|origin| _ = self.views.insert(origin, own));
        own
    }
}
