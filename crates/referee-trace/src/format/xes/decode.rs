//! `xes`: cases one after another, each with its events.
//!
//! ```text
//!  <log xes.version="1.0">
//!    <extension …/> <global …>…</global> <classifier …/>     read over
//!    <trace>
//!      <string key="concept:name" value="case 7"/>           the field `case` of all events of the trace, the first
//!      <event>
//!        <string key="concept:name" value="register"/>       the event's name, or what the mapping says
//!        <date key="time:timestamp" value="2026-…"/>         a field, and by default the time
//!        <string key="org:resource" value="Ann">…</string>   a field; attributes of the attribute are read over
//!      </event>
//! ```
//!
//! A case without a name is called by its number in the file. Attributes of the case are fields if the mapping names them:
//! `case:amount` is its attribute `amount`. Lists and containers hold several values, so they are no fields.
//!
//! A decoder keeps the attributes of the current case and nothing else. An event costs one look at each byte; its shape is found
//! by name and a comparison of the keys with those that came with that name before.

#[cfg(test)]
mod tests;

use super::marks::{ABOUT, ATTRIBUTES};
use crate::error::{Fault, Flow, Stop};
use crate::format::decode::cursor::{Cursor, Read, Trouble};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::draft::{Span, repeated};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::split::head;
use crate::format::input::{InputRule, Naming};
use crate::format::xml::decode::syntax::{self, Attributes, Tag};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// The attribute that names events and cases.
const NAME: &str = "concept:name";

/// The field with the name of the case.
const CASE: &str = "case";

/// What stands before the key of an attribute of a case.
const OF_CASE: &str = "case:";

/// Where in the document the next block starts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum XesPlace {
    /// At the very start, where alone the XML declaration may stand.
    #[default]
    Start,
    /// Before the root.
    Prologue,
    Log,
    Trace,
    /// After `</log>`.
    Epilogue,
}

impl XesPlace {
    /// What may come next.
    fn expected(self) -> &'static str {
        match self {
            XesPlace::Start | XesPlace::Prologue => "<log>",
            XesPlace::Log => "<trace>, <event>, an attribute or </log>",
            XesPlace::Trace => "<event>, an attribute or </trace>",
            XesPlace::Epilogue => "the end of the file",
        }
    }
}

/// Reads `xes`.
#[derive(Debug, Default)]
pub struct XesDecoder {
    naming: Naming,
    /// The keys of attributes of cases that the mapping names.
    case_keys: Vec<Box<str>>,
    place: XesPlace,
    case: Case,
    event: XesEvent,
    attributes: Attributes,
    cache: NameCache,
    keys: Vec<&'static str>,
    texts: Vec<&'static str>,
}

/// The case that is being read.
#[derive(Debug, Default)]
struct Case {
    /// How many there were, with this one.
    number: u64,
    /// Its name, or its number as text.
    name: String,
    is_named: bool,
    /// Whether one of its events was read.
    has_events: bool,
    /// The attributes that the mapping names, with the prefix.
    attributes: Vec<(String, String)>,
}

/// The event that is being read.
#[derive(Debug, Default)]
struct XesEvent {
    start: usize,
    fields: Vec<(Span, Span)>,
    /// Texts whose references are replaced.
    buffer: String,
}

/// What was read of the document.
enum XesPiece {
    /// An event; it is in the draft.
    Event,
    /// Anything else.
    Other,
    /// Nothing: the block is used up.
    None,
}

impl Decoder for XesDecoder {
    const TAKES_NAMING: bool = true;

    fn new(input: &InputRule) -> XesDecoder {
        let case_keys = input.fields.iter().filter_map(|field| field.strip_prefix(OF_CASE)).map(Into::into).collect();
        XesDecoder { naming: input.naming.clone(), case_keys, ..XesDecoder::default() }
    }

    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let mut cursor = Cursor::new(block.text, 0);
        loop {
            let used = cursor.at;
            match self.piece(&mut cursor) {
                Ok(XesPiece::Event) => self.hand_over(block.text, shapes, sink)?,
                Ok(XesPiece::Other) => {}
                Ok(XesPiece::None) if block.last => return self.finish(used),
                Ok(XesPiece::None) => return Ok(used),
                Err(Trouble::End(_)) if !block.last => return Ok(used),
                Err(trouble) => return Err(trouble.at_the_end(block.text.len())),
            }
        }
    }
}

impl XesDecoder {
    /// Reads the next piece of the document. What a block cuts off is read again, so nothing is kept before its end.
    fn piece(&mut self, cursor: &mut Cursor<'_>) -> Read<XesPiece> {
        if cursor.peek().is_none() {
            return Ok(XesPiece::None);
        }
        if self.place == XesPlace::Start && syntax::declaration(cursor)? {
            self.place = XesPlace::Prologue;
            return Ok(XesPiece::Other);
        }
        if cursor.skip_space() || syntax::miscellaneous(cursor, self.place.expected())? {
            self.place = self.place.max(XesPlace::Prologue);
            return Ok(XesPiece::Other);
        }
        match self.place {
            XesPlace::Start | XesPlace::Prologue => self.root(cursor),
            XesPlace::Log | XesPlace::Trace => self.child(cursor),
            XesPlace::Epilogue => Err(cursor
                .unexpected(self.place.expected())
                .hint("a document holds one <log>; move all traces into it")
                .into()),
        }
    }

    /// At the end of the input the root must be closed.
    fn finish(&self, used: usize) -> Result<usize, Stop> {
        match self.place {
            XesPlace::Epilogue => Ok(used),
            place => Err(Trouble::End(place.expected()).at_the_end(used)),
        }
    }

    fn root(&mut self, cursor: &mut Cursor<'_>) -> Read<XesPiece> {
        match tag(cursor, "<log>")? {
            Tag::Open { name: "log", .. } => {
                let is_empty = self.attributes.read(cursor)?;
                self.place = if is_empty { XesPlace::Epilogue } else { XesPlace::Log };
                Ok(XesPiece::Other)
            }
            tag => Err(tag.unexpected("<log>").hint("the root of a document of XES is <log>").into()),
        }
    }

    /// Reads what stands in a log or in a trace.
    fn child(&mut self, cursor: &mut Cursor<'_>) -> Read<XesPiece> {
        let in_trace = self.place == XesPlace::Trace;
        match tag(cursor, self.place.expected())? {
            Tag::Open { name: "event", at } => {
                self.event.begin(at);
                self.event(cursor)?;
                self.case.has_events = true;
                return Ok(XesPiece::Event);
            }
            Tag::Open { name: "trace", .. } if !in_trace => {
                let is_empty = self.attributes.read(cursor)?;
                self.case.begin();
                self.place = if is_empty { XesPlace::Log } else { XesPlace::Trace };
            }
            Tag::Open { name, at } if in_trace && ATTRIBUTES.contains(&name) => {
                self.case_attribute(cursor, name, at)?
            }
            Tag::Open { name, .. } if ATTRIBUTES.contains(&name) || ABOUT.contains(&name) => {
                skip_content(&mut self.attributes, cursor, name)?;
            }
            Tag::Close { name: "trace", .. } if in_trace => {
                syntax::end_of_closing_tag(cursor)?;
                self.place = XesPlace::Log;
            }
            Tag::Close { name: "log", .. } if !in_trace => {
                syntax::end_of_closing_tag(cursor)?;
                self.place = XesPlace::Epilogue;
            }
            other => return Err(other.unexpected(self.place.expected()).hint(HOLDS).into()),
        }
        Ok(XesPiece::Other)
    }

    /// Reads an event behind `<event`.
    fn event(&mut self, cursor: &mut Cursor<'_>) -> Read<()> {
        const EXPECTED: &str = "an attribute or </event>";
        if self.attributes.read(cursor)? {
            return Ok(());
        }
        loop {
            match tag(cursor, EXPECTED)? {
                Tag::Open { name, at } if ATTRIBUTES.contains(&name) => {
                    let pair = attribute(&mut self.attributes, cursor, name, at, &mut self.event.buffer)?;
                    self.event.fields.extend(pair);
                }
                Tag::Close { name: "event", .. } => return syntax::end_of_closing_tag(cursor),
                other => return Err(other.unexpected(EXPECTED).hint(HOLDS).into()),
            }
        }
    }

    /// Reads an attribute of a trace behind its name.
    fn case_attribute(&mut self, cursor: &mut Cursor<'_>, name: &str, at: usize) -> Read<()> {
        self.event.begin(at);
        let Some((key, value)) = attribute(&mut self.attributes, cursor, name, at, &mut self.event.buffer)? else {
            return Ok(());
        };
        let text = |span: Span| span.of(cursor.text, &self.event.buffer);
        let (key, value) = (text(key), text(value));
        let is_asked = self.case_keys.iter().any(|asked| **asked == *key);
        if key != NAME && !is_asked {
            return Ok(());
        }
        if self.case.has_events {
            return Err(Fault::new(at, format!("the attribute `{key}` of a trace stands behind one of its events"))
                .hint("attributes of a trace stand before its events")
                .into());
        }
        if key == NAME {
            if self.case.is_named {
                return Err(Fault::new(at, format!("the trace has two attributes `{NAME}`"))
                    .hint("a case has one name")
                    .into());
            }
            self.case.is_named = true;
            self.case.name = value.to_owned();
        }
        if is_asked {
            self.case.attributes.push((format!("{OF_CASE}{key}"), value.to_owned()));
        }
        Ok(())
    }

    /// Hands over the event that was read.
    fn hand_over<S: RawSink>(&mut self, text: &str, shapes: &mut Shapes, sink: &mut S) -> Flow {
        let XesEvent { start, fields, buffer } = &self.event;
        let naming = match &self.naming {
            Naming::Usual => Ok(NAME),
            Naming::Field(key) => Ok(&**key),
            Naming::Constant(name) => Err(&**name),
        };
        let name_at = naming.ok().map(|key| fields.iter().position(|field| field.0.of(text, buffer) == key));
        let name = match (naming, name_at.flatten()) {
            (Err(constant), _) => constant,
            (Ok(_), Some(at)) if !fields[at].1.is_empty() => fields[at].1.of(text, buffer),
            (Ok(key), _) => return Err(nameless(key, *start).into()),
        };
        let mut keys = recycle(std::mem::take(&mut self.keys));
        let mut texts = recycle(std::mem::take(&mut self.texts));
        if self.place == XesPlace::Trace {
            keys.push(CASE);
            texts.push(&self.case.name);
        }
        let others = fields.iter().enumerate().filter(|(at, _)| Some(*at) != name_at.flatten());
        for (_, (key, value)) in others {
            keys.push(key.of(text, buffer));
            texts.push(value.of(text, buffer));
        }
        let of_case = self.case.attributes.iter().filter(|_| self.place == XesPlace::Trace);
        for (key, value) in of_case {
            keys.push(key);
            texts.push(value);
        }
        let key = NameKey::new(name, head(name.as_bytes()), keys.len() as u64);
        let is_same = |shape: ShapeId| shapes.fields(shape).iter().map(|field| &**field).eq(keys.iter().copied());
        let shape = match self.cache.get(key, is_same) {
            Some(shape) => shape,
            None => {
                if let Some(twice) = repeated(&keys) {
                    return Err(two_attributes(name, keys[twice], *start).into());
                }
                let shape = shapes.find(name, &keys, sink);
                self.cache.keep(key, shape)
            }
        };
        let flow = sink.event(RawEvent { shape, values: &texts, offset: *start });
        self.keys = recycle(keys);
        self.texts = recycle(texts);
        flow
    }
}

impl Case {
    fn begin(&mut self) {
        self.number += 1;
        self.name = self.number.to_string();
        (self.is_named, self.has_events) = (false, false);
        self.attributes.clear();
    }
}

impl XesEvent {
    fn begin(&mut self, start: usize) {
        self.start = start;
        self.fields.clear();
        self.buffer.clear();
    }
}

/// What stands where in XES, as a hint.
const HOLDS: &str = "a <log> holds <trace>s, a <trace> holds <event>s, and each of them attributes such as <string key=\"…\" value=\"…\"/>";

/// A tag; text between tags means nothing in XES.
fn tag<'t>(cursor: &mut Cursor<'t>, expected: &'static str) -> Read<Tag<'t>> {
    syntax::tag(cursor, expected).map_err(|trouble| match trouble {
        Trouble::Fault(fault) if fault.message.ends_with("found text") => fault.hint(HOLDS).into(),
        trouble => trouble,
    })
}

/// Reads an attribute behind the name of its element: key and value, unless it holds several.
fn attribute(
    attributes: &mut Attributes,
    cursor: &mut Cursor<'_>,
    element: &str,
    at: usize,
    buffer: &mut String,
) -> Read<Option<(Span, Span)>> {
    let is_empty = attributes.read(cursor)?;
    let key = attributes.value("key", cursor.text, buffer);
    let value = attributes.value("value", cursor.text, buffer);
    if !is_empty {
        skip_elements(attributes, cursor, element)?;
    }
    match (key, value) {
        (Some(key), _) if matches!(element, "list" | "container") && !key.is_empty() => Ok(None),
        (Some(key), Some(value)) if !key.is_empty() => Ok(Some((key, value))),
        _ => Err(Fault::new(at, format!("expected `key` and `value` in this <{element}>, found one of them or none"))
            .hint("write <string key=\"…\" value=\"…\"/>")
            .into()),
    }
}

/// Steps over an element behind its name.
fn skip_content(attributes: &mut Attributes, cursor: &mut Cursor<'_>, element: &str) -> Read<()> {
    match attributes.read(cursor)? {
        true => Ok(()),
        false => skip_elements(attributes, cursor, element),
    }
}

/// Steps over the elements within an element, and its closing tag.
fn skip_elements(attributes: &mut Attributes, cursor: &mut Cursor<'_>, element: &str) -> Read<()> {
    const EXPECTED: &str = "an element or a closing tag";
    let mut open = vec![element];
    while let Some(innermost) = open.last() {
        match tag(cursor, EXPECTED)? {
            Tag::Open { name, .. } => {
                if !attributes.read(cursor)? {
                    open.push(name);
                }
            }
            Tag::Close { name, .. } if name == *innermost => {
                syntax::end_of_closing_tag(cursor)?;
                open.pop();
            }
            other => {
                let expected = format!("</{innermost}>");
                return Err(other.unexpected(&expected).hint("close the innermost element first").into());
            }
        }
    }
    Ok(())
}

#[cold]
fn nameless(key: &str, start: usize) -> Fault {
    Fault::new(start, format!("the event has no attribute `{key}`, which names it")).hint(
        "say in the mapping what names the events: [input] with format = \"xes\" and name = \"…\", or constant = \"…\"",
    )
}

#[cold]
fn two_attributes(name: &str, key: &str, start: usize) -> Fault {
    let fault = Fault::new(start, format!("event `{name}` has two attributes `{key}`"));
    match key {
        CASE => fault.hint("`case` is the name of the trace: rename the attribute of the event"),
        _ => fault.hint("the attributes of an event need different keys"),
    }
}
