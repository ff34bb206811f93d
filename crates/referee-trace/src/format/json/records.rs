//! Reads the records of JSON logs as they are: nested, under any names, inside documents.
//!
//! ```text
//!  document   {"source": "x", "Records": [{"eventName": "Get", "user": {"name": "ann"}, …}, {…}]}
//!  way         ──────────────  ─────────   one record at a time is in the window
//!  event      Get(user.name=ann)
//! ```
//!
//! The mapping's `[input]` says what names the events and where the records are; all fields that it names are paths (see
//! `path`). Objects and arrays around the records are read member by member, so that memory is that of one record. If the mapping
//! lists the arguments of all its events, only the paths that it names are read (`extract`), and the rest is skipped; otherwise all
//! fields are found (`flatten`).

mod extract;
mod flatten;
mod frames;
mod skip;
#[cfg(test)]
mod tests;
mod wanted;

use hashbrown::HashMap;

use super::path::Step;
use crate::error::{Fault, Flow, Stop};
use crate::format::decode::cursor::{Cursor, Read, Trouble};
use crate::format::decode::decoder::Block;
use crate::format::decode::draft::repeated;
use crate::format::input::{InputRule, Naming};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;
use extract::Slots;
use flatten::Leaves;
use frames::{FrameState, RecordFrame};
use wanted::WantedPaths;

/// What names the events.
#[derive(Debug)]
enum RecordName {
    Constant(Box<str>),
    /// The slot of its path.
    Slot(usize),
}

/// Reads records.
#[derive(Debug)]
pub(super) struct RecordsDecoder {
    /// The paths, or why there are none.
    paths: Result<WantedPaths, String>,
    name: RecordName,
    /// The paths as written, which are the names of fields; the name's own may stand behind them.
    fields: Vec<Box<str>>,
    /// How many of the paths are fields.
    field_count: usize,
    /// Whether all fields of a record are wanted.
    takes_all: bool,
    frames: Vec<RecordFrame>,
    /// Whether a record or document has been read, so that a comma may follow.
    after_item: bool,
    slots: Slots,
    /// Values of outer levels, by slot.
    outer: Vec<Option<String>>,
    leaves: Leaves,
    shapes: RecordShapes,
    values: Vec<&'static str>,
    names: Vec<&'static str>,
}

/// The shapes of records, by their name and by which paths they have.
#[derive(Debug, Default)]
struct RecordShapes {
    /// The one found last: most often it is the next one as well.
    last: Option<(Box<str>, u128, ShapeId)>,
    known: HashMap<Box<str>, Vec<(u128, ShapeId)>, foldhash::fast::FixedState>,
}

impl RecordShapes {
    #[inline]
    fn get(&mut self, name: &str, present: u128) -> Option<ShapeId> {
        if let Some((last, bits, shape)) = &self.last
            && *bits == present
            && **last == *name
        {
            return Some(*shape);
        }
        let shape = self.known.get(name)?.iter().find(|(bits, _)| *bits == present)?.1;
        self.last = Some((name.into(), present, shape));
        Some(shape)
    }

    fn keep(&mut self, name: &str, present: u128, shape: ShapeId) {
        self.known.entry(name.into()).or_default().push((present, shape));
    }
}

impl RecordsDecoder {
    /// A decoder, if the mapping says how records are read.
    pub(super) fn new(input: &InputRule) -> Option<RecordsDecoder> {
        let mut fields = input.fields.clone();
        let field_count = fields.len();
        let name = match &input.naming {
            Naming::Usual if input.records.is_none() => return None,
            Naming::Usual => RecordName::Constant("record".into()),
            Naming::Constant(name) => RecordName::Constant(name.clone()),
            Naming::Field(path) => {
                RecordName::Slot(fields.iter().position(|field| field == path).unwrap_or_else(|| {
                    fields.push(path.clone());
                    field_count
                }))
            }
        };
        let paths = WantedPaths::new(input.records.as_deref(), &fields);
        Some(RecordsDecoder {
            paths,
            name,
            slots: Slots::new(fields.len()),
            outer: vec![None; fields.len()],
            fields,
            field_count,
            takes_all: !input.only_named,
            frames: Vec::new(),
            after_item: false,
            leaves: Leaves::default(),
            shapes: RecordShapes::default(),
            values: Vec::new(),
            names: Vec::new(),
        })
    }

    /// See [`Decoder::decode`](crate::format::Decoder::decode).
    pub(super) fn decode<S: RawSink>(
        &mut self,
        block: Block<'_>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<usize, Stop> {
        let paths = match std::mem::replace(&mut self.paths, Err(String::new())) {
            Ok(paths) => paths,
            Err(reason) => return Err(Fault::new(0, reason).hint("correct the path in the mapping").into()),
        };
        let decoded = self.blocks(&paths, block, shapes, sink);
        self.paths = Ok(paths);
        decoded
    }

    fn blocks<S: RawSink>(
        &mut self,
        paths: &WantedPaths,
        block: Block<'_>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<usize, Stop> {
        let mut cursor = Cursor::new(block.text, 0);
        loop {
            extract::skip_space(&mut cursor);
            let used = cursor.at;
            if cursor.peek().is_none() {
                return if block.last { self.finish(used) } else { Ok(used) };
            }
            match self.piece(paths, &mut cursor) {
                Ok(true) => self.emit(paths, block.text, used, shapes, sink)?,
                Ok(false) => {}
                Err(Trouble::End(_)) if !block.last => return Ok(used),
                Err(trouble) => return Err(trouble.at_the_end(block.text.len())),
            }
        }
    }

    /// At the end of the input: everything must be closed.
    fn finish(&self, used: usize) -> Result<usize, Stop> {
        match self.frames.last() {
            Some(frame) => Err(Trouble::End(frame.expected()).at_the_end(used)),
            None => Ok(used),
        }
    }

    /// Reads the next piece: a record, in which case the answer is true, or a bracket, a comma or a member around the records.
    fn piece(&mut self, paths: &WantedPaths, cursor: &mut Cursor<'_>) -> Read<bool> {
        let Some(frame) = self.frames.last().copied() else { return self.document(paths, cursor) };
        let byte = cursor.need(frame.expected())?;
        let closes = byte == frame.close();
        match frame.state {
            FrameState::Item if byte == b',' => self.punctuation(cursor, FrameState::Comma),
            FrameState::Item | FrameState::Opened if closes => {
                cursor.at += 1;
                self.frames.pop();
                self.item_read();
                Ok(false)
            }
            FrameState::Item => {
                let hint = "separate what is inside by commas, and close what is opened";
                Err(cursor.unexpected(frame.expected()).hint(hint).into())
            }
            FrameState::Comma if closes => {
                Err(cursor.unexpected(frame.expected()).hint("remove the comma before it").into())
            }
            _ if frame.is_array => self.element(paths, cursor, frame),
            _ => self.member(paths, cursor, frame),
        }
    }

    fn punctuation(&mut self, cursor: &mut Cursor<'_>, state: FrameState) -> Read<bool> {
        cursor.at += 1;
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
        Ok(false)
    }

    /// A member, an element or a document has been read.
    fn item_read(&mut self) {
        match self.frames.last_mut() {
            Some(frame) => frame.state = FrameState::Item,
            None => self.after_item = true,
        }
    }

    /// Reads the beginning of a document, or a record that is one.
    fn document(&mut self, paths: &WantedPaths, cursor: &mut Cursor<'_>) -> Read<bool> {
        let byte = cursor.need("a record")?;
        if byte == b',' && self.after_item {
            cursor.at += 1;
            self.after_item = false;
            return Ok(false);
        }
        let first = paths.way.first();
        match (byte, first) {
            (b'{', None) => self.record(paths, cursor),
            (b'[', None) => self.open(cursor, RecordFrame { is_array: true, ..top(0, 0, None) }),
            (b'[', Some(Step::Each)) => self.open(cursor, RecordFrame { is_array: true, ..top(1, 1, None) }),
            (b'{', Some(_)) => {
                self.outer.fill(None);
                self.open(cursor, top(0, 0, Some(paths.roots[0])))
            }
            (_, None) => Err(extract::no_record(cursor).into()),
            (_, Some(_)) => {
                let fault = cursor.unexpected("a document with records");
                Err(fault.hint("`records` in the mapping says where in a document they are").into())
            }
        }
    }

    fn open(&mut self, cursor: &mut Cursor<'_>, frame: RecordFrame) -> Read<bool> {
        cursor.at += 1;
        self.frames.push(frame);
        Ok(false)
    }

    /// Reads an element of an array on the way: a record, or the beginning of an outer level.
    fn element(&mut self, paths: &WantedPaths, cursor: &mut Cursor<'_>, frame: RecordFrame) -> Read<bool> {
        match (cursor.need("a record")?, paths.way.get(frame.step)) {
            (b'{', None) => self.record(paths, cursor),
            (b'{', Some(Step::Key(_))) => {
                self.forget(paths, frame.level);
                let node = Some(paths.roots[frame.level]);
                self.open(cursor, RecordFrame { level: frame.level, ..top(frame.step, frame.level, node) })
            }
            (b'[', Some(Step::Each)) => {
                self.open(cursor, RecordFrame { is_array: true, ..top(frame.step + 1, frame.level + 1, None) })
            }
            (_, None) => Err(extract::no_record(cursor).into()),
            (_, Some(_)) => Err(misplaced(cursor)),
        }
    }

    /// Forgets the values of a level and of those within it.
    fn forget(&mut self, paths: &WantedPaths, level: usize) {
        for (value, _) in self.outer.iter_mut().zip(&paths.outer).filter(|(_, own)| own.is_some_and(|own| own >= level))
        {
            *value = None;
        }
    }

    /// Reads a member of an object on the way: what is on the way, a value that is wanted, or another.
    fn member(&mut self, paths: &WantedPaths, cursor: &mut Cursor<'_>, frame: RecordFrame) -> Read<bool> {
        self.slots.clear();
        let key_at = cursor.at;
        let key = extract::key(cursor, &mut self.slots.buffer)?;
        let text = key.of(cursor.text, &self.slots.buffer);
        let node = frame.node.and_then(|node| paths.nodes[node].member(text));
        if matches!(&paths.way[frame.step], Step::Key(wanted) if **wanted == *text) {
            return self.descend(paths, cursor, frame, node);
        }
        match node {
            Some(_) if frame.passed => {
                let message = format!("`{text}` stands behind the records, and the mapping names it for them");
                return Err(Fault::new(key_at, message)
                    .hint("a document is read once, from front to back: leave the field out of the mapping")
                    .into());
            }
            Some(node) => {
                extract::value(cursor, &paths.nodes[node], paths, &mut self.slots)?;
                self.keep_outer(cursor.text, paths.nodes[node].below);
            }
            None => extract::skip_value(cursor)?,
        }
        self.item_read();
        Ok(false)
    }

    /// Keeps the values that were found around the records.
    fn keep_outer(&mut self, text: &str, below: u128) {
        for (slot, value) in self.outer.iter_mut().enumerate().filter(|(slot, _)| below >> slot & 1 == 1) {
            let found = self.slots.present >> slot & 1 == 1;
            *value = found.then(|| self.slots.spans[slot].of(text, &self.slots.buffer).to_owned());
        }
    }

    /// Goes one step on the way to the records.
    fn descend(
        &mut self,
        paths: &WantedPaths,
        cursor: &mut Cursor<'_>,
        frame: RecordFrame,
        node: Option<usize>,
    ) -> Read<bool> {
        let next = match (cursor.need("the records")?, paths.way.get(frame.step + 1)) {
            (b'[', Some(Step::Each)) => {
                Some(RecordFrame { is_array: true, ..top(frame.step + 2, frame.level + 1, None) })
            }
            (b'{', Some(Step::Key(_))) => Some(top(frame.step + 1, frame.level, node)),
            (b'n', _) if cursor.eat("null", "null")? => None,
            _ => return Err(misplaced(cursor)),
        };
        if let Some(own) = self.frames.last_mut() {
            own.passed = true;
        }
        match next {
            Some(next) => self.open(cursor, next),
            None => {
                self.item_read();
                Ok(false)
            }
        }
    }

    /// Reads a record into the slots.
    #[inline]
    fn record(&mut self, paths: &WantedPaths, cursor: &mut Cursor<'_>) -> Read<bool> {
        self.slots.clear();
        let start = *cursor;
        let root = paths.roots.last().map_or(0, |root| *root);
        extract::value(cursor, &paths.nodes[root], paths, &mut self.slots)?;
        if self.takes_all {
            self.leaves.find(&mut { start }, &mut self.slots.buffer)?;
        }
        self.item_read();
        Ok(true)
    }

    /// Hands over the record that starts at `offset`.
    fn emit<S: RawSink>(
        &mut self,
        paths: &WantedPaths,
        text: &str,
        offset: usize,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Flow {
        let present = self.present(paths);
        let mut values = recycle(std::mem::take(&mut self.values));
        let mut slot_bits = present & !(u128::MAX.checked_shl(self.field_count as u32).unwrap_or(0));
        let own_bits = slot_bits;
        let slot_text = |slot: usize| match &self.outer[slot] {
            Some(value) if paths.outer[slot].is_some() => value.as_str(),
            _ => self.slots.spans[slot].of(text, &self.slots.buffer),
        };
        let name = match &self.name {
            RecordName::Constant(name) => name,
            RecordName::Slot(slot) if present >> slot & 1 == 1 && !slot_text(*slot).is_empty() => slot_text(*slot),
            RecordName::Slot(slot) => return Err(nameless(&self.fields[*slot], offset).into()),
        };
        let shape = if self.takes_all {
            let mut names = recycle(std::mem::take(&mut self.names));
            let own_name = match &self.name {
                RecordName::Slot(slot) if *slot >= self.field_count => Some(&*self.fields[*slot]),
                _ => None,
            };
            for (field, value) in self.leaves.iter().filter(|(field, _)| Some(*field) != own_name) {
                names.push(field);
                values.push(value.of(text, &self.slots.buffer));
            }
            if let Some(twice) = repeated(&names) {
                return Err(Fault::new(offset, format!("this record has two fields `{}`", names[twice]))
                    .hint("name the fields that are needed with `args` in the mapping: then the last one counts")
                    .into());
            }
            for slot in (0..self.field_count).filter(|slot| own_bits >> slot & 1 == 1) {
                if !names.contains(&&*self.fields[slot]) {
                    names.push(&self.fields[slot]);
                    values.push(slot_text(slot));
                }
            }
            let shape = shapes.find(name, &names, sink);
            self.names = recycle(names);
            shape
        } else {
            while slot_bits != 0 {
                values.push(slot_text(slot_bits.trailing_zeros() as usize));
                slot_bits &= slot_bits - 1;
            }
            match self.shapes.get(name, own_bits) {
                Some(shape) => shape,
                None => {
                    let fields = self.fields[..self.field_count].iter().enumerate();
                    let fields = fields.filter(|(slot, _)| own_bits >> slot & 1 == 1).map(|(_, field)| &**field);
                    let shape = shapes.find(name, &fields.collect::<Vec<&str>>(), sink);
                    self.shapes.keep(name, own_bits, shape);
                    shape
                }
            }
        };
        let flow = sink.event(RawEvent { shape, values: &values, offset });
        self.values = recycle(values);
        flow
    }

    /// Which slots have a value: those of the record, and those of the levels around it.
    #[inline]
    fn present(&self, paths: &WantedPaths) -> u128 {
        if paths.roots.len() == 1 {
            return self.slots.present;
        }
        let outer = self.outer.iter().enumerate().filter(|(_, value)| value.is_some());
        outer.fold(self.slots.present, |bits, (slot, _)| bits | 1 << slot)
    }
}

/// A frame that has just been opened.
fn top(step: usize, level: usize, node: Option<usize>) -> RecordFrame {
    RecordFrame { is_array: false, step, level, node, passed: false, state: FrameState::Opened }
}

/// The fault of something else where the way to the records leads.
fn misplaced(cursor: &Cursor<'_>) -> Trouble {
    cursor
        .unexpected("what `records` in the mapping says: arrays where it has [], objects elsewhere")
        .hint("correct `records`, or leave it out if each document is a record")
        .into()
}

/// The fault of a record without the field that names its event.
fn nameless(path: &str, offset: usize) -> Fault {
    Fault::new(offset, format!("expected a record with `{path}`, which names its event, found one without"))
        .hint("correct `name` in [input] of the mapping, or write `constant` for one name for all records")
}
