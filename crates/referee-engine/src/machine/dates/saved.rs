//! Saves as bytes what a file of DATEs remembers, and restores it.
//!
//! ```text
//!  the time, whether it has begun, how many contexts have opened
//!  each open context, in the order of opening:  serial · scope · serial of its parent · own keys · variables · clocks · states
//! ```
//!
//! Contexts are opened again in their old order, so that they take turns as before. The queue of timeouts is not written: each clock says
//! itself when its next one comes.

use referee_trace::number::Number;
use referee_trace::values::Values;

use super::clock::{Going, Watch};
use super::contexts::{Content, Context, ContextId, GLOBAL};
use super::run::DatesRun;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::maps::Map;
use crate::shared::saved_values::{read_list, read_row, read_value, write_list};

impl DatesRun {
    /// Writes all that later verdicts depend on, between two points.
    pub(super) fn save(&self, values: &Values, out: &mut Writer) {
        out.exact(&self.memory.now);
        out.truth(self.begun);
        out.number(self.count);
        out.number(self.memory.contexts.opened());
        let mut all: Vec<&Context> = self.memory.contexts.all().map(|(_, context)| context).collect();
        all.sort_unstable_by_key(|context| context.serial);
        out.length(all.len());
        all.into_iter().for_each(|context| self.save_context(context, values, out));
    }

    fn save_context(&self, context: &Context, values: &Values, out: &mut Writer) {
        out.number(context.serial);
        out.length(context.scope);
        out.number(self.memory.contexts.find(context.parent).map_or(0, |parent| parent.serial));
        write_list(self.memory.contexts.own(context), values, out);
        context.variables.iter().for_each(|content| write_content(content, values, out));
        context.clocks.iter().for_each(|watch| write_watch(watch, out));
        context.states.iter().for_each(|state| out.number(u64::from(*state)));
    }

    /// Reads what [`DatesRun::save`] wrote, into a world before its first point.
    pub(super) fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.memory.now = reader.exact()?;
        self.begun = reader.truth()?;
        self.count = reader.number()?;
        let opened = reader.number()?;
        let contexts = reader.length()?;
        if self.begun != (contexts > 0) {
            return Err(Damaged);
        }
        let mut known: Map<u64, ContextId> = Map::default();
        for _ in 0..contexts {
            self.load_context(&mut known, values, reader)?;
        }
        if opened < self.memory.contexts.opened() {
            return Err(Damaged);
        }
        self.memory.contexts.set_opened(opened);
        Ok(())
    }

    fn load_context(
        &mut self,
        known: &mut Map<u64, ContextId>,
        values: &mut Values,
        reader: &mut Reader,
    ) -> Result<(), Damaged> {
        let (serial, scope, parent) = (reader.number()?, reader.small()? as usize, reader.number()?);
        let dates = self.memory.dates.clone();
        let parts = dates.scopes.get(scope).ok_or(Damaged)?;
        let parent = match (known.is_empty(), parts.parent) {
            (true, None) => GLOBAL,
            (false, Some(outer)) => {
                let parent = *known.get(&parent).ok_or(Damaged)?;
                Some(parent).filter(|parent| self.memory.contexts.get(*parent).scope == outer).ok_or(Damaged)?
            }
            _ => return Err(Damaged),
        };
        // The last number is never given, so that counting on cannot fail.
        if serial < self.memory.contexts.opened() || serial == u64::MAX {
            return Err(Damaged);
        }
        let own = read_row(parts.keys.len(), values, reader)?;
        self.memory.contexts.set_opened(serial);
        let id = self.memory.contexts.open(scope, parent, &own, &self.memory.now);
        known.insert(serial, id);
        let context = self.memory.contexts.get_mut(id);
        for content in &mut context.variables {
            *content = read_content(values, reader)?;
        }
        for watch in &mut context.clocks {
            *watch = read_watch(reader)?;
        }
        for (state, property) in context.states.iter_mut().zip(&parts.properties) {
            let number = reader.small()?;
            *state = Some(number)
                .filter(|state| (*state as usize) < dates.properties[*property].states.len())
                .ok_or(Damaged)?;
        }
        (0..parts.clocks.len()).for_each(|place| self.memory.watch(id, place));
        Ok(())
    }
}

fn write_content(content: &Content, values: &Values, out: &mut Writer) {
    match content {
        Content::Nothing => out.number(0),
        Content::Atom(atom) => {
            out.number(1);
            out.atom(*atom, values);
        }
        Content::Set(set) => {
            out.number(2);
            write_list(&set.iter().copied().collect::<Vec<_>>(), values, out);
        }
    }
}

fn read_content(values: &mut Values, reader: &mut Reader) -> Result<Content, Damaged> {
    match reader.number()? {
        0 => Ok(Content::Nothing),
        1 => Ok(Content::Atom(read_value(values, reader)?)),
        2 => {
            let list = read_list(values, reader)?;
            if list.is_empty() { Err(Damaged) } else { Ok(Content::Set(list.into_iter().collect())) }
        }
        _ => Err(Damaged),
    }
}

fn write_watch(watch: &Watch, out: &mut Writer) {
    let mut going = |kind: u64, number: Option<&Number>| {
        out.number(kind);
        number.into_iter().for_each(|number| out.exact(number));
    };
    match &watch.going {
        Going::Since(since) => going(0, Some(since)),
        Going::At(value) => going(1, Some(value)),
        Going::Off => going(2, None),
    }
    out.length(watch.next);
    out.number(watch.touched);
}

fn read_watch(reader: &mut Reader) -> Result<Watch, Damaged> {
    let going = match reader.number()? {
        0 => Going::Since(reader.exact()?),
        1 => Going::At(reader.exact()?),
        2 => Going::Off,
        _ => return Err(Damaged),
    };
    let mut watch = Watch::new(&Number::from(0));
    (watch.going, watch.next, watch.touched) = (going, reader.small()? as usize, reader.number()?);
    Ok(watch)
}
