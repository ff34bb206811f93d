//! `json`: objects, in all the writings of the field.
//!
//! ```text
//!  [{"open": {"file": "a"}}, {"close": {"file": "a"}}]      an array
//!  {"open": {"file": "a"}}                                  a sequence, one per line or not, commas between or not
//!  {"open": {"file": "a"}, "close": {"file": "a"}}          one object, whose keys may repeat
//!  open: {file: "a"} close: {file: "a"}                     no outer braces, no quotes around names
//!  {"event": "open", "file": "a"}                           flat: the key `event` names the event
//! ```
//!
//! All of them are one grammar, read member by member, so that no object is ever held as a whole:
//!
//! ```text
//!  trace  = '[' object,* ']'  |  (object | member) (','? (object | member))*  |  nothing
//!  object = '{' member,+ '}'  |  '{' (name ':' scalar),+ '}'      told apart by the first value
//!  member = name ':' '{' (name ':' scalar),* '}'
//!  name   = string | letters, digits, '_', '$', '-', '.' beginning with a letter, '_' or '$'
//!  scalar = string | number | 'true' | 'false' | 'null'           null: the event lacks the field
//! ```
//!
//! Strings and numbers are those of RFC 8259, to the letter. A number is handed over as it is written. The nesting is
//! fixed, so depth costs nothing. An event is tried against the templates of earlier ones first (see `template`).

#[cfg(test)]
mod tests;

use super::records::RecordsDecoder;
use super::syntax::{self, Scalar};
use crate::error::{Fault, Stop};
use crate::format::decode::cursor::{Cursor, Read, Trouble};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::draft::{EventDraft, Span};
use crate::format::decode::event_template::{EventTemplates, Filling, Hole, HoleKind};
use crate::format::decode::plain;
use crate::format::decode::quoted::build_string;
use crate::format::input::InputRule;
use crate::raw::{RawSink, Shapes};
use crate::recycle::recycle;

/// Where in the grammar the next block starts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum JsonPlace {
    /// Before everything.
    #[default]
    Start,
    /// After `[`.
    ArrayStart,
    /// After a comma of the array or sequence.
    Comma,
    /// After an object or a member of the array or sequence.
    Item,
    /// After a comma between the events of an object.
    ObjectComma,
    /// After an event in an object.
    ObjectItem,
    /// After `]`.
    Closed,
}

/// How an object writes events.
#[derive(Debug, Default, Clone, Copy)]
enum JsonWriting {
    /// `"name": {fields}`
    #[default]
    Member,
    /// `{"event": "name", fields}`
    Flat,
}

/// Reads `json`.
#[derive(Debug, Default)]
pub struct JsonDecoder {
    place: JsonPlace,
    /// Whether the trace is an array.
    array: bool,
    templates: EventTemplates<JsonWriting>,
    draft: EventDraft,
    values: Vec<&'static str>,
    /// Reads foreign records instead, where a mapping says how.
    records: Option<Box<RecordsDecoder>>,
}

/// What stands in the holes of a template: the inside of a string, a number, `true`, `false`, a name without quotes.
struct JsonToken;

impl Filling for JsonToken {
    #[inline]
    fn end(kind: HoleKind, bytes: &[u8], at: usize) -> Option<usize> {
        match kind {
            HoleKind::Text => {
                let end = plain::json_string_end(bytes, at);
                (bytes.get(end) == Some(&b'"')).then_some(end)
            }
            HoleKind::Literal => syntax::literal_end(bytes, at),
            HoleKind::Bare => Some(syntax::bare_name_end(bytes, at)),
        }
    }

    #[inline]
    fn trim(text: &str) -> &str {
        text
    }

    fn build(kind: HoleKind, text: &str, at: usize, buffer: &mut String) -> Option<usize> {
        if kind != HoleKind::Text {
            return None;
        }
        let mut cursor = Cursor::new(text, at);
        build_string(&mut cursor, buffer).ok()?;
        Some(cursor.at)
    }
}

impl Decoder for JsonDecoder {
    const TAKES_NAMING: bool = true;

    fn new(input: &InputRule) -> JsonDecoder {
        JsonDecoder { records: RecordsDecoder::new(input).map(Box::new), ..JsonDecoder::default() }
    }

    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        if let Some(records) = &mut self.records {
            return records.decode(block, shapes, sink);
        }
        let mut cursor = Cursor::new(block.text, 0);
        loop {
            self.read_from_templates(&mut cursor, sink)?;
            let used = cursor.at;
            if cursor.peek().is_none() {
                return if block.last { self.finish(used) } else { Ok(used) };
            }
            match self.event(&mut cursor) {
                Ok(writing) => {
                    self.draft.finish(block.text, cursor.at, (&mut self.templates, writing), shapes, sink)?;
                }
                Err(Trouble::End(_)) if !block.last => return Ok(used),
                Err(trouble) => return Err(trouble.at_the_end(block.text.len())),
            }
        }
    }
}

impl JsonDecoder {
    /// Reads punctuation, and events that fit a template; stops at what must be read in full, or at the end.
    fn read_from_templates<'t, S: RawSink>(&mut self, cursor: &mut Cursor<'t>, sink: &mut S) -> Result<(), Stop> {
        let mut values: Vec<&'t str> = recycle(std::mem::take(&mut self.values));
        loop {
            cursor.skip_space();
            let Some(byte) = cursor.peek() else { break };
            if self.punctuation(byte) {
                cursor.at += 1;
                continue;
            }
            let braced = byte == b'{';
            if !self.may_begin(braced) {
                break;
            }
            let event = self.templates.read::<JsonToken, S>(cursor.text, cursor.at, &mut values, sink)?;
            let Some((writing, end)) = event else { break };
            cursor.at = end;
            self.place = self.after(braced, writing);
        }
        self.values = recycle(values);
        Ok(())
    }

    /// Goes to the next place if this byte is a bracket, comma or closing brace that may stand here.
    fn punctuation(&mut self, byte: u8) -> bool {
        self.place = match (self.place, byte) {
            (JsonPlace::Start, b'[') => {
                self.array = true;
                JsonPlace::ArrayStart
            }
            (JsonPlace::ArrayStart, b']') => JsonPlace::Closed,
            (JsonPlace::Item, b']') if self.array => JsonPlace::Closed,
            (JsonPlace::Item, b',') => JsonPlace::Comma,
            (JsonPlace::ObjectItem, b',') => JsonPlace::ObjectComma,
            (JsonPlace::ObjectItem, b'}') => JsonPlace::Item,
            _ => return false,
        };
        true
    }

    /// Whether an event may begin here, with the brace of an object or without.
    fn may_begin(&self, braced: bool) -> bool {
        match self.place {
            JsonPlace::Start | JsonPlace::ArrayStart | JsonPlace::Comma => braced || !self.array,
            JsonPlace::Item => !self.array,
            JsonPlace::ObjectComma => !braced,
            JsonPlace::ObjectItem | JsonPlace::Closed => false,
        }
    }

    /// The place after an event that began here.
    fn after(&self, braced: bool, writing: JsonWriting) -> JsonPlace {
        match writing {
            JsonWriting::Member if braced || self.place == JsonPlace::ObjectComma => JsonPlace::ObjectItem,
            _ => JsonPlace::Item,
        }
    }

    /// Reads an event in full into the draft.
    fn event(&mut self, cursor: &mut Cursor<'_>) -> Read<JsonWriting> {
        if cursor.peek() == Some(b'{') && self.may_begin(true) {
            self.object(cursor)
        } else if self.may_begin(false) && syntax::begins_name(cursor) {
            self.member(cursor)
        } else {
            Err(self.misplaced(cursor).into())
        }
    }

    /// At the end of the input: everything must be closed.
    fn finish(&self, used: usize) -> Result<usize, Stop> {
        match (self.place, self.array) {
            (JsonPlace::Start | JsonPlace::Closed, _) | (JsonPlace::Item, false) => Ok(used),
            _ => Err(Trouble::End(self.expected()).at_the_end(used)),
        }
    }

    /// What may stand at this place.
    fn expected(&self) -> &'static str {
        match self.place {
            JsonPlace::Start => "an event",
            JsonPlace::ArrayStart => "an object or ]",
            JsonPlace::Comma if self.array => "an object after the comma",
            JsonPlace::Comma => "an event after the comma",
            JsonPlace::Item if self.array => ", or ]",
            JsonPlace::Item => "an event or a comma",
            JsonPlace::ObjectComma => "the name of an event after the comma",
            JsonPlace::ObjectItem => ", or }",
            JsonPlace::Closed => "the end of the file",
        }
    }

    /// A fault: something stands here that cannot.
    fn misplaced(&self, cursor: &Cursor<'_>) -> Fault {
        let fault = cursor.unexpected(self.expected());
        match (self.place, cursor.peek()) {
            (JsonPlace::Comma | JsonPlace::ObjectComma, Some(b']' | b'}')) => fault.hint("remove the comma before it"),
            (JsonPlace::Closed, _) => fault.hint("nothing may follow the array; move all events into it"),
            (JsonPlace::ObjectItem, _) => fault.hint("separate the events of an object by commas and close it with }"),
            (JsonPlace::Item, _) if self.array => fault.hint("separate events by commas and close the array with ]"),
            _ => fault.hint("an event is written {\"name\": {\"field\": \"value\"}}"),
        }
    }

    /// Reads an object up to the end of its first event; the first value says how it writes events.
    fn object(&mut self, cursor: &mut Cursor<'_>) -> Read<JsonWriting> {
        let start = cursor.at;
        self.draft.begin(start);
        cursor.at += 1;
        cursor.skip_space();
        if cursor.need("the name of an event")? == b'}' {
            return Err(Fault::new(start, "expected an event, found an empty object")
                .hint("an event without fields is written {\"name\": {}}")
                .into());
        }
        let key = syntax::key(cursor, &mut self.draft.buffer)?;
        let writing = if cursor.need("{ or a value")? == b'{' {
            self.fields_of(key, cursor)?;
            JsonWriting::Member
        } else {
            self.flat(key, cursor, start)?;
            JsonWriting::Flat
        };
        self.place = self.after(true, writing);
        Ok(writing)
    }

    /// Reads `name: {fields}`.
    fn member(&mut self, cursor: &mut Cursor<'_>) -> Read<JsonWriting> {
        self.draft.begin(cursor.at);
        let key = syntax::key(cursor, &mut self.draft.buffer)?;
        if cursor.need("{")? != b'{' {
            return Err(cursor.unexpected("{").hint("an event is written name: {field: \"value\"}").into());
        }
        self.fields_of(key, cursor)?;
        self.place = self.after(false, JsonWriting::Member);
        Ok(JsonWriting::Member)
    }

    /// Reads `{fields}` of the event with this name.
    fn fields_of(&mut self, (name, hole): (Span, Hole), cursor: &mut Cursor<'_>) -> Read<()> {
        self.draft.name(name, Some(hole).filter(|_| name.is_plain()));
        cursor.at += 1;
        cursor.skip_space();
        if cursor.eat("}", "a field or }")? {
            return Ok(());
        }
        loop {
            let (key, _) = syntax::key(cursor, &mut self.draft.buffer)?;
            self.field(key, cursor)?;
            if !syntax::another(cursor)? {
                return Ok(());
            }
        }
    }

    /// Reads the value of a field.
    fn field(&mut self, name: Span, cursor: &mut Cursor<'_>) -> Read<()> {
        match syntax::scalar(cursor, &mut self.draft.buffer)? {
            Scalar::Null => self.draft.absent(name),
            Scalar::String(value, hole) | Scalar::Literal(value, hole) => self.draft.field(name, value, Some(hole)),
        }
        Ok(())
    }

    /// Reads the rest of a flat object behind its first key.
    fn flat(&mut self, first: (Span, Hole), cursor: &mut Cursor<'_>, start: usize) -> Read<()> {
        let mut key = first.0;
        loop {
            if key.of(cursor.text, &self.draft.buffer) == "event" {
                self.flat_name(key, cursor)?;
            } else {
                self.field(key, cursor)?;
            }
            if !syntax::another(cursor)? {
                break;
            }
            (key, _) = syntax::key(cursor, &mut self.draft.buffer)?;
        }
        match self.draft.name {
            Some(_) => Ok(()),
            None => Err(Fault::new(start, "expected a key `event` in this object, found none")
                .hint("write {\"event\": \"name\", \"field\": \"value\"} or {\"name\": {\"field\": \"value\"}}")
                .into()),
        }
    }

    /// Reads the value of the key `event` in a flat object.
    fn flat_name(&mut self, key: Span, cursor: &mut Cursor<'_>) -> Read<()> {
        if self.draft.name.is_some() {
            return Err(Fault::new(key.offset, "expected one key `event` in this object, found two")
                .hint("an object holds one event; call the other field something else")
                .into());
        }
        let at = *cursor;
        match syntax::scalar(cursor, &mut self.draft.buffer)? {
            Scalar::String(name, hole) if !name.is_empty() => {
                self.draft.name(name, Some(hole).filter(|_| name.is_plain()));
            }
            _ => return Err(at.unexpected("the name of an event in quotes").hint("write \"event\": \"name\"").into()),
        }
        Ok(())
    }
}
