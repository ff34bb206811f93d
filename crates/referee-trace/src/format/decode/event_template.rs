//! Reads an event by comparing it with an earlier one.
//!
//! In a nested format most of an event's text is the same every time: tags, field names, quotes, indentation.
//! A *template* is the text of an event that was read in full, with holes where its values were:
//!
//! ```text
//!  {"open": {"file": "a.txt", "size": 12}}       the event, read in full
//!  {"                                            prelude: all before the name
//!    open                                        name: chooses the templates to try
//!        ": {"file": "●", "size": ●}             template: gaps and holes
//! ```
//!
//! If the next event has the same gaps and proper values in its holes, then a full reading would take the same steps
//! and find the same fields, whatever the gaps contain: comments, attributes, odd spacing. So no rule of the format is
//! checked twice, and an event costs one comparison per gap and one search per hole. A value with escapes is put
//! together aside. An event that fits no template is read in full and leaves its own.
//!
//! Up to four templates are kept for each of 64 groups of names, none with more than 4 KiB of names and gaps.

use std::ops::Range;

use crate::error::Stop;
use crate::raw::{RawEvent, RawSink, ShapeId};
use crate::recycle::recycle;

const GROUPS: usize = 64;
const WAYS: usize = 4;
const LONGEST: usize = 4096;

/// What stands in a hole.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HoleKind {
    /// Text up to a delimiter that the next gap begins with.
    #[default]
    Text,
    /// A JSON number, `true` or `false`.
    Literal,
    /// A JSON name without quotes.
    Bare,
}

/// A value's place in the text of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hole {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: HoleKind,
}

/// How a format reads what stands in a hole.
pub(crate) trait Filling {
    /// The end of a value that starts at `at` and stands for itself.
    fn end(kind: HoleKind, bytes: &[u8], at: usize) -> Option<usize>;

    /// A text that stands for itself, without layout around it.
    fn trim(text: &str) -> &str;

    /// Adds to `buffer` what the value that starts at `at` stands for, and returns the value's end; nothing if the
    /// value is wrong or not complete.
    fn build(kind: HoleKind, text: &str, at: usize, buffer: &mut String) -> Option<usize>;
}

/// Values that had to be put together.
#[derive(Debug, Default)]
struct BuiltValues {
    buffer: String,
    /// Which values they are, and where they start in the buffer; each reaches to the next.
    places: Vec<(usize, usize)>,
}

/// Gaps with holes between them: always one more gap than there are holes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Pattern {
    gaps: Vec<u8>,
    /// Where each gap but the last ends in `gaps`, and the hole behind it.
    holes: Vec<(usize, HoleKind)>,
}

impl Pattern {
    /// The text from `start` to `end` with these holes in it.
    fn cut(&mut self, bytes: &[u8], mut start: usize, end: usize, holes: &[Hole]) {
        self.gaps.clear();
        self.holes.clear();
        for hole in holes {
            self.gaps.extend_from_slice(&bytes[start..hole.start]);
            self.holes.push((self.gaps.len(), hole.kind));
            start = hole.end;
        }
        self.gaps.extend_from_slice(&bytes[start..end]);
    }

    /// Follows the pattern from `at`, collects the values and returns its end, if the text fits.
    #[inline]
    fn follow<'t, F: Filling>(
        &self,
        text: &'t str,
        mut at: usize,
        values: &mut Vec<&'t str>,
        built: &mut BuiltValues,
    ) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut from = 0;
        for &(end, kind) in &self.holes {
            at = skip(bytes, at, &self.gaps[from..end])?;
            from = end;
            if let Some(stop) = F::end(kind, bytes, at) {
                values.push(F::trim(&text[at..stop]));
                at = stop;
            } else {
                built.places.push((values.len(), built.buffer.len()));
                values.push("");
                at = F::build(kind, text, at, &mut built.buffer)?;
            }
        }
        skip(bytes, at, &self.gaps[from..])
    }
}

/// The end of `gap` if it stands at `at`. Most gaps are short: two overlapping words save a call. No gap at all is not compared:
/// its address is no memory, and a comparison that looks there, although at no byte of it, took a hundred nanoseconds.
#[inline]
fn skip(bytes: &[u8], at: usize, gap: &[u8]) -> Option<usize> {
    let end = at + gap.len();
    let found = bytes.get(at..end)?;
    let same = match gap.len() {
        0 => true,
        8..=16 => found.first_chunk::<8>() == gap.first_chunk() && found.last_chunk::<8>() == gap.last_chunk(),
        4..8 => found.first_chunk::<4>() == gap.first_chunk() && found.last_chunk::<4>() == gap.last_chunk(),
        1..4 => found[0] == gap[0] && found[gap.len() / 2] == gap[gap.len() / 2] && found.last() == gap.last(),
        _ => found == gap,
    };
    same.then_some(end)
}

/// What follows the name in events of one shape and one way of writing.
#[derive(Debug, Clone, Default)]
struct EventTemplate<M> {
    name: Vec<u8>,
    /// The prelude it was learnt under; 0 marks a free place.
    prelude: u64,
    pattern: Pattern,
    shape: ShapeId,
    mark: M,
}

/// The templates of one decoder, each with a mark of its choice.
#[derive(Debug, Default)]
pub(crate) struct EventTemplates<M> {
    prelude: Pattern,
    name_kind: HoleKind,
    /// How many preludes there have been; the templates of earlier ones no longer fit.
    preludes: u64,
    /// Memory for the prelude of the next event that is learnt from.
    spare: Pattern,
    groups: Vec<[EventTemplate<M>; WAYS]>,
    built: BuiltValues,
    /// Memory for the values of an event of which some are built.
    all: Vec<&'static str>,
}

impl<M: Copy + Default> EventTemplates<M> {
    /// Hands over the event at `at` if it fits a template, and returns the template's mark and the event's end.
    ///
    /// `values` is memory to work with.
    #[inline]
    pub(crate) fn read<'t, F: Filling, S: RawSink>(
        &mut self,
        text: &'t str,
        at: usize,
        values: &mut Vec<&'t str>,
        sink: &mut S,
    ) -> Result<Option<(M, usize)>, Stop> {
        values.clear();
        let Some((shape, mark, end)) = self.fit::<F>(text, at, values) else { return Ok(None) };
        if self.built.places.is_empty() {
            sink.event(RawEvent { shape, values, offset: at })?;
        } else {
            let mut all = recycle(std::mem::take(&mut self.all));
            all.extend_from_slice(values);
            let mut end = self.built.buffer.len();
            for &(value, start) in self.built.places.iter().rev() {
                all[value] = &self.built.buffer[start..end];
                end = start;
            }
            sink.event(RawEvent { shape, values: &all, offset: at })?;
            self.all = recycle(all);
        }
        Ok(Some((mark, end)))
    }

    /// Finds a template that fits the event at `at`; its values go to `values` and `self.built`.
    #[inline]
    fn fit<'t, F: Filling>(
        &mut self,
        text: &'t str,
        at: usize,
        values: &mut Vec<&'t str>,
    ) -> Option<(ShapeId, M, usize)> {
        if self.groups.is_empty() {
            return None;
        }
        self.built.buffer.clear();
        self.built.places.clear();
        let start = self.prelude.follow::<F>(text, at, values, &mut self.built)?;
        let end = F::end(self.name_kind, text.as_bytes(), start)?;
        let name = &text.as_bytes()[start..end];
        let before = (values.len(), self.built.buffer.len(), self.built.places.len());
        for template in &self.groups[group_of(name)] {
            if template.prelude == self.preludes
                && template.name.len() == name.len()
                && skip(name, 0, &template.name).is_some()
            {
                if let Some(end) = template.pattern.follow::<F>(text, end, values, &mut self.built) {
                    return Some((template.shape, template.mark, end));
                }
                values.truncate(before.0);
                self.built.buffer.truncate(before.1);
                self.built.places.truncate(before.2);
            }
        }
        None
    }

    /// Learns from an event that was read in full: `holes`, in the order of the text, are its values and its name.
    pub(crate) fn learn(
        &mut self,
        text: &str,
        event: Range<usize>,
        holes: &[Hole],
        name: usize,
        shape: ShapeId,
        mark: M,
    ) {
        let (start, end) = (event.start, event.end);
        let values = holes.iter().enumerate().filter(|&(position, _)| position != name);
        let values: usize = values.map(|(_, hole)| hole.end - hole.start).sum();
        if end - start - values > LONGEST {
            return;
        }
        if self.groups.is_empty() {
            self.groups = (0..GROUPS).map(|_| Default::default()).collect();
        }
        let bytes = text.as_bytes();
        self.learn_prelude(bytes, start, &holes[..name], holes[name]);
        let name_bytes = &bytes[holes[name].start..holes[name].end];
        let group = &mut self.groups[group_of(name_bytes)];
        group.rotate_right(1);
        let template = &mut group[0];
        template.name.clear();
        template.name.extend_from_slice(name_bytes);
        template.prelude = self.preludes;
        template.pattern.cut(bytes, holes[name].end, end, &holes[name + 1..]);
        template.shape = shape;
        template.mark = mark;
    }

    /// Makes what stands before the name the prelude; if it is a new one, the templates of the old one are void.
    fn learn_prelude(&mut self, bytes: &[u8], start: usize, holes: &[Hole], name: Hole) {
        self.spare.cut(bytes, start, name.start, holes);
        if self.preludes == 0 || self.spare != self.prelude || name.kind != self.name_kind {
            std::mem::swap(&mut self.prelude, &mut self.spare);
            self.name_kind = name.kind;
            self.preludes += 1;
        }
    }
}

/// The group of templates for a name, from its length and its last eight bytes.
#[inline]
fn group_of(name: &[u8]) -> usize {
    let tail = match name.last_chunk::<8>() {
        Some(&chunk) => u64::from_le_bytes(chunk),
        None => name.iter().fold(0, |tail, &byte| tail << 8 | u64::from(byte)),
    };
    let mixed = (tail ^ (name.len() as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - GROUPS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_gap_counts() {
        for length in 0..40 {
            let gap = vec![b'g'; length];
            let mut text = [b"xyz", gap.as_slice(), b"v"].concat();
            assert_eq!(skip(&text, 3, &gap), Some(3 + length), "{length} bytes");
            assert_eq!(skip(&text[..2 + length], 3, &gap), None, "{length} bytes, one missing");
            for changed in 3..3 + length {
                text[changed] = b'h';
                assert_eq!(skip(&text, 3, &gap), None, "byte {changed} of {length} differs");
                text[changed] = b'g';
            }
        }
    }

    #[test]
    fn groups_differ_for_most_names() {
        let mut groups: Vec<usize> = (0..32).map(|n| group_of(format!("event{n}").as_bytes())).collect();
        groups.sort_unstable();
        groups.dedup();
        assert!(groups.len() >= 16, "{} groups for 32 names", groups.len());
        assert!(groups.iter().all(|&group| group < GROUPS));
    }
}
