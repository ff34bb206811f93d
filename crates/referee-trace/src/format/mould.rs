//! Reads an event by comparing it with an earlier one.
//!
//! In a nested format most of an event's text is the same every time: tags, field names, quotes, indentation.
//! A *mould* is the text of an event that was read in full, with holes where its values were:
//!
//! ```text
//!  {"open": {"file": "a.txt", "size": 12}}       the event, read in full
//!  {"                                            prelude: all before the name
//!    open                                        name: chooses the moulds to try
//!        ": {"file": "●", "size": ●}             mould: gaps and holes
//! ```
//!
//! If the next event has the same gaps and plain values in its holes, then a full reading would take the same steps and
//! find the same fields, whatever the gaps contain: comments, attributes, odd spacing. So no rule of the format is
//! checked twice, and an event costs one comparison per gap and one search per hole. An event that fits no mould is
//! read in full and leaves its own.
//!
//! Up to four moulds are kept for each of 64 groups of names, none with more than 4 KiB of gaps.

use std::ops::Range;

use crate::raw::ShapeId;

const GROUPS: usize = 64;
const WAYS: usize = 4;
const LONGEST: usize = 4096;

/// What stands in a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text up to a delimiter that the next gap begins with.
    Text,
    /// A JSON number, `true` or `false`.
    Literal,
    /// A JSON name without quotes.
    Bare,
}

/// A value's place in the text of an event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hole {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// How a format reads what stands in a hole.
pub(super) trait Filling {
    /// The end of what starts at `at`; nothing if it needs a full reading.
    fn end(kind: Kind, bytes: &[u8], at: usize) -> Option<usize>;

    /// The value that this text stands for.
    fn value(text: &str) -> &str;
}

/// Gaps with holes between them: always one more gap than there are holes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Pattern {
    gaps: Vec<u8>,
    /// Where each gap but the last ends in `gaps`, and the hole behind it.
    holes: Vec<(usize, Kind)>,
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
    fn follow<'t, F: Filling>(&self, text: &'t str, mut at: usize, values: &mut Vec<&'t str>) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut from = 0;
        for &(end, kind) in &self.holes {
            let gap = &self.gaps[from..end];
            if !bytes[at..].starts_with(gap) {
                return None;
            }
            at += gap.len();
            from = end;
            let stop = F::end(kind, bytes, at)?;
            values.push(F::value(&text[at..stop]));
            at = stop;
        }
        let gap = &self.gaps[from..];
        bytes[at..].starts_with(gap).then_some(at + gap.len())
    }
}

/// What follows the name in events of one shape and one way of writing.
#[derive(Debug, Clone, Default)]
struct Mould<M> {
    name: Vec<u8>,
    /// The prelude it was learnt under; 0 marks a free place.
    prelude: u64,
    pattern: Pattern,
    shape: ShapeId,
    mark: M,
}

/// The moulds of one decoder, each with a mark of its choice.
#[derive(Debug)]
pub(super) struct Moulds<M> {
    prelude: Pattern,
    name_kind: Kind,
    /// How many preludes there have been; the moulds of earlier ones no longer fit.
    preludes: u64,
    /// Memory for the prelude of the next event that is learnt from.
    spare: Pattern,
    groups: Vec<[Mould<M>; WAYS]>,
}

impl<M> Default for Moulds<M> {
    fn default() -> Self {
        let empty = Pattern::default();
        Moulds { prelude: empty.clone(), name_kind: Kind::Text, preludes: 0, spare: empty, groups: Vec::new() }
    }
}

impl<M: Copy + Default> Moulds<M> {
    /// Reads the event at `at` if it fits a mould: its shape, the mould's mark and its end. Otherwise `values` is unspecified.
    #[inline]
    pub(super) fn read<'t, F: Filling>(
        &self,
        text: &'t str,
        at: usize,
        values: &mut Vec<&'t str>,
    ) -> Option<(ShapeId, M, usize)> {
        values.clear();
        if self.groups.is_empty() {
            return None;
        }
        let start = self.prelude.follow::<F>(text, at, values)?;
        let end = F::end(self.name_kind, text.as_bytes(), start)?;
        let name = &text.as_bytes()[start..end];
        let before = values.len();
        for mould in &self.groups[group_of(name)] {
            if mould.prelude == self.preludes && mould.name == name {
                if let Some(end) = mould.pattern.follow::<F>(text, end, values) {
                    return Some((mould.shape, mould.mark, end));
                }
                values.truncate(before);
            }
        }
        None
    }

    /// Learns from an event that was read in full: `holes`, in the order of the text, are its values and its name.
    pub(super) fn learn(
        &mut self,
        text: &str,
        event: Range<usize>,
        holes: &[Hole],
        name: usize,
        shape: ShapeId,
        mark: M,
    ) {
        let (start, end) = (event.start, event.end);
        let values: usize = holes.iter().map(|hole| hole.end - hole.start).sum();
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
        let mould = &mut group[0];
        mould.name.clear();
        mould.name.extend_from_slice(name_bytes);
        mould.prelude = self.preludes;
        mould.pattern.cut(bytes, holes[name].end, end, &holes[name + 1..]);
        mould.shape = shape;
        mould.mark = mark;
    }

    /// Makes what stands before the name the prelude; if it is a new one, the moulds of the old one are void.
    fn learn_prelude(&mut self, bytes: &[u8], start: usize, holes: &[Hole], name: Hole) {
        self.spare.cut(bytes, start, name.start, holes);
        if self.preludes == 0 || self.spare != self.prelude || name.kind != self.name_kind {
            std::mem::swap(&mut self.prelude, &mut self.spare);
            self.name_kind = name.kind;
            self.preludes += 1;
        }
    }
}

/// The group of moulds for a name, from its length and its last eight bytes.
#[inline]
fn group_of(name: &[u8]) -> usize {
    let tail = match name.last_chunk::<8>() {
        Some(&chunk) => u64::from_le_bytes(chunk),
        None => name.iter().fold(0, |tail, &byte| tail << 8 | u64::from(byte)),
    };
    let mixed = (tail ^ (name.len() as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - GROUPS.ilog2())) as usize
}
