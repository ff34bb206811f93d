//! An event while it is read in full: spans of text until its end is seen, then names, a shape and values.
//!
//! The buffers are kept from event to event, so that a full reading allocates only while they grow.

use super::event_template::{EventTemplates, Hole};
use crate::error::{Fault, Flow};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// A name or a value: a piece of the block, or of the draft's buffer where escapes had to be replaced.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    /// Where it is written in the block, for faults.
    pub(crate) offset: usize,
    start: usize,
    end: usize,
    built: bool,
}

impl Span {
    /// A piece of the block.
    pub(crate) fn plain(offset: usize, start: usize, end: usize) -> Span {
        Span { offset, start, end, built: false }
    }

    /// What the draft's buffer holds from `start` on.
    pub(crate) fn built(offset: usize, start: usize, buffer: &str) -> Span {
        Span { offset, start, end: buffer.len(), built: true }
    }

    /// Its text.
    pub(crate) fn of<'a>(self, block: &'a str, buffer: &'a str) -> &'a str {
        if self.built { &buffer[self.start..self.end] } else { &block[self.start..self.end] }
    }

    /// Whether it is a piece of the block.
    pub(crate) fn is_plain(self) -> bool {
        !self.built
    }

    /// Whether it is the empty text.
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// An event that is being read.
#[derive(Debug, Default)]
pub(crate) struct EventDraft {
    start: usize,
    pub(crate) name: Option<Span>,
    fields: Vec<Span>,
    values: Vec<Span>,
    /// The names of fields that are written but have no value.
    absent: Vec<Span>,
    /// Texts whose escapes are replaced.
    pub(crate) buffer: String,
    holes: Vec<Hole>,
    name_hole: Option<usize>,
    /// Whether there is not a hole for every value, so that the event cannot be a template.
    irregular: bool,
    names: Vec<&'static str>,
    texts: Vec<&'static str>,
}

impl EventDraft {
    /// Forgets the last event; the next one starts at this offset of the block.
    pub(crate) fn begin(&mut self, start: usize) {
        self.start = start;
        self.name = None;
        self.fields.clear();
        self.values.clear();
        self.absent.clear();
        self.buffer.clear();
        self.holes.clear();
        self.name_hole = None;
        self.irregular = false;
    }

    /// The event's name; `hole` is where it stands, if plainly.
    pub(crate) fn name(&mut self, name: Span, hole: Option<Hole>) {
        self.name = Some(name);
        self.name_hole = Some(self.holes.len());
        self.hole(hole);
    }

    /// One more field; `hole` is where its value stands, if another could stand there.
    pub(crate) fn field(&mut self, name: Span, value: Span, hole: Option<Hole>) {
        self.fields.push(name);
        self.values.push(value);
        self.hole(hole);
    }

    /// A field that the event does not have, although it is written.
    pub(crate) fn absent(&mut self, name: Span) {
        self.absent.push(name);
    }

    fn hole(&mut self, hole: Option<Hole>) {
        match hole {
            Some(hole) => self.holes.push(hole),
            None => self.irregular = true,
        }
    }

    /// The event is complete at `end`: finds its shape, hands it over, and makes a template of it with this mark.
    pub(crate) fn finish<S: RawSink, M: Copy + Default>(
        &mut self,
        block: &str,
        end: usize,
        (templates, mark): (&mut EventTemplates<M>, M),
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Flow {
        let shape = self.shape(block, shapes, sink)?;
        if let (Some(name), false) = (self.name_hole, self.irregular) {
            templates.learn(block, self.start..end, &self.holes, name, shape, mark);
        }
        let mut texts = recycle(std::mem::take(&mut self.texts));
        texts.extend(self.values.iter().map(|value| value.of(block, &self.buffer)));
        let flow = sink.event(RawEvent { shape, values: &texts, offset: self.start });
        self.texts = recycle(texts);
        flow
    }

    /// The shape of the event, whose fields must have different names.
    fn shape<S: RawSink>(&mut self, block: &str, shapes: &mut Shapes, sink: &mut S) -> Result<ShapeId, Fault> {
        let mut names = recycle(std::mem::take(&mut self.names));
        names.extend(self.fields.iter().chain(&self.absent).map(|field| field.of(block, &self.buffer)));
        let name = self.name.map_or("", |name| name.of(block, &self.buffer));
        if let Some(twice) = repeated(&names) {
            let offset = self.fields.iter().chain(&self.absent).nth(twice).map_or(self.start, |field| field.offset);
            return Err(Fault::new(offset, format!("event `{name}` has two fields `{}`", names[twice]))
                .hint("the fields of an event need different names"));
        }
        let shape = shapes.find(name, &names[..self.fields.len()], sink);
        self.names = recycle(names);
        Ok(shape)
    }
}

/// The first name that an earlier one equals.
pub(crate) fn repeated(names: &[&str]) -> Option<usize> {
    if names.len() <= 16 {
        return (1..names.len()).find(|&later| names[..later].contains(&names[later]));
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&position| (names[position], position));
    order.windows(2).filter(|pair| names[pair[0]] == names[pair[1]]).map(|pair| pair[1]).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_are_found_in_short_and_long_lists() {
        let many: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        let mut names: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(repeated(&names), None);
        names.extend(["39", "7"]);
        assert_eq!(repeated(&names), Some(40));
        assert_eq!(repeated(&["a", "b", "a", "b"]), Some(2));
    }
}
