//! `xml`: the `<log><event>` documents of the competitions.
//!
//! ```text
//!  <log>
//!    <event>
//!      <name>open</name>
//!      <field> <name>file</name> <value>a.txt</value> </field>
//!    </event>
//!  </log>
//! ```
//!
//! An event is tried against the templates of earlier ones (see `template`): one comparison per stretch of markup and one
//! search per value. What fits none is read by a descent that knows all of XML 1.0 except document types, which are
//! refused. White space around a name or value is layout and dropped; what is written as a reference or in a CDATA
//! section is kept exactly. The parts of an event may come in any order, its fields have different names, and
//! attributes mean nothing.

pub(crate) mod syntax;
#[cfg(test)]
mod tests;
mod text;

use crate::error::{Fault, Stop};
use crate::format::decode::cursor::{Cursor, Read, Trouble};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::draft::{EventDraft, Span};
use crate::format::decode::event_template::{EventTemplates, Filling, Hole, HoleKind};
use crate::format::decode::plain;
use crate::raw::{RawSink, Shapes};
use crate::recycle::recycle;
use syntax::{Attributes, EVENT, Element, FIELD, LOG, NAME, Tag, VALUE};

/// Where in the document the next block starts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum XmlPlace {
    /// At the very start, where alone the XML declaration may stand.
    #[default]
    Start,
    /// After white space and nothing else.
    Blank,
    /// After a declaration, comment or processing instruction.
    Prologue,
    /// Inside `<log>`.
    Log,
    /// After `</log>`.
    Epilogue,
}

/// Reads `xml`.
#[derive(Debug, Default)]
pub struct XmlDecoder {
    place: XmlPlace,
    templates: EventTemplates<()>,
    draft: EventDraft,
    attributes: Attributes,
    values: Vec<&'static str>,
}

/// What stands in the holes of a template: the content of a `<value>`.
struct TextContent;

impl Filling for TextContent {
    #[inline]
    fn end(_: HoleKind, bytes: &[u8], at: usize) -> Option<usize> {
        let end = plain::xml_text_end(bytes, at);
        (bytes.get(end) == Some(&b'<') && bytes.get(end + 1) == Some(&b'/')).then_some(end)
    }

    #[inline]
    fn trim(text: &str) -> &str {
        match text.as_bytes() {
            [b' ', ..] | [.., b' '] => text.trim_matches(' '),
            _ => text,
        }
    }

    fn build(_: HoleKind, text: &str, at: usize, buffer: &mut String) -> Option<usize> {
        let mut cursor = Cursor::new(text, at);
        text::build(&VALUE, &mut cursor, buffer).ok()?;
        Some(cursor.at)
    }
}

impl Decoder for XmlDecoder {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let mut cursor = Cursor::new(block.text, 0);
        loop {
            if self.place == XmlPlace::Log {
                self.read_from_templates(&mut cursor, sink)?;
            }
            let used = cursor.at;
            match self.piece(&mut cursor) {
                Ok(XmlPiece::Event) => {
                    self.draft.finish(block.text, cursor.at, (&mut self.templates, ()), shapes, sink)?
                }
                Ok(XmlPiece::Other) => {}
                Ok(XmlPiece::None) if block.last => return self.finish(used),
                Ok(XmlPiece::None) => return Ok(used),
                Err(Trouble::End(_)) if !block.last => return Ok(used),
                Err(trouble) => return Err(trouble.at_the_end(block.text.len())),
            }
        }
    }
}

/// What was read of the document.
enum XmlPiece {
    /// An event; it is in the draft.
    Event,
    /// White space, a comment, a processing instruction, a tag of the root.
    Other,
    /// Nothing: the block is used up.
    None,
}

impl XmlDecoder {
    /// Reads events as long as they fit a template, and stops at what does not.
    fn read_from_templates<'t, S: RawSink>(&mut self, cursor: &mut Cursor<'t>, sink: &mut S) -> Result<(), Stop> {
        let mut values: Vec<&'t str> = recycle(std::mem::take(&mut self.values));
        cursor.skip_space();
        while let Some(((), end)) = self.templates.read::<TextContent, S>(cursor.text, cursor.at, &mut values, sink)? {
            cursor.at = end;
            cursor.skip_space();
        }
        self.values = recycle(values);
        Ok(())
    }

    /// Reads the next piece of the document in full.
    fn piece(&mut self, cursor: &mut Cursor<'_>) -> Read<XmlPiece> {
        if cursor.peek().is_none() {
            return Ok(XmlPiece::None);
        }
        if self.place == XmlPlace::Start && syntax::declaration(cursor)? {
            self.place = XmlPlace::Prologue;
        } else if cursor.skip_space() {
            self.place = self.place.max(XmlPlace::Blank);
        } else if syntax::miscellaneous(cursor, self.expected())? {
            self.place = self.place.max(XmlPlace::Prologue);
        } else {
            return match self.place {
                XmlPlace::Log => self.event_or_end(cursor),
                XmlPlace::Epilogue => Err(second_root(cursor).into()),
                _ => self.root(cursor),
            };
        }
        Ok(XmlPiece::Other)
    }

    /// What may come next in the document.
    fn expected(&self) -> &'static str {
        match self.place {
            XmlPlace::Log => "<event> or </log>",
            XmlPlace::Epilogue => "the end of the file",
            _ => "<log>",
        }
    }

    /// At the end of the input: the root must be closed, or there is no document at all.
    fn finish(&self, used: usize) -> Result<usize, Stop> {
        match self.place {
            XmlPlace::Start | XmlPlace::Blank | XmlPlace::Epilogue => Ok(used),
            XmlPlace::Prologue => Err(Trouble::End("<log>").at_the_end(used)),
            XmlPlace::Log => Err(Trouble::End("<event> or </log>").at_the_end(used)),
        }
    }

    /// Reads the root's opening tag.
    fn root(&mut self, cursor: &mut Cursor<'_>) -> Read<XmlPiece> {
        match syntax::tag(cursor, LOG.open)? {
            Tag::Open { name: "log", .. } => {
                self.place = if self.attributes.read(cursor)? { XmlPlace::Epilogue } else { XmlPlace::Log };
                Ok(XmlPiece::Other)
            }
            tag => Err(tag.unexpected(LOG.open).hint("write all events between <log> and </log>").into()),
        }
    }

    /// Reads an event, or the root's closing tag.
    fn event_or_end(&mut self, cursor: &mut Cursor<'_>) -> Read<XmlPiece> {
        let start = cursor.at;
        match syntax::tag(cursor, "<event> or </log>")? {
            Tag::Open { name: "event", .. } => {
                self.draft.begin(start);
                self.event(cursor, start)?;
                Ok(XmlPiece::Event)
            }
            Tag::Close { name: "log", .. } => {
                syntax::end_of_closing_tag(cursor)?;
                self.place = XmlPlace::Epilogue;
                Ok(XmlPiece::Other)
            }
            tag => Err(tag.unexpected("<event> or </log>").hint("a log holds nothing but events").into()),
        }
    }

    /// Reads an event behind `<event`.
    fn event(&mut self, cursor: &mut Cursor<'_>, start: usize) -> Read<()> {
        const EXPECTED: &str = "<name>, <field> or </event>";
        let mut empty = self.attributes.read(cursor)?;
        while !empty {
            match syntax::tag(cursor, EXPECTED)? {
                Tag::Open { name: "name", at } => self.event_name(cursor, at)?,
                Tag::Open { name: "field", at } => self.field(cursor, at)?,
                Tag::Close { name: "event", .. } => {
                    syntax::end_of_closing_tag(cursor)?;
                    empty = true;
                }
                tag => return Err(tag.unexpected(EXPECTED).hint(within(&EVENT)).into()),
            }
        }
        match self.draft.name {
            Some(_) => Ok(()),
            None => Err(Fault::new(start, "expected a <name> in this <event>, found none")
                .hint("write <event><name>…</name>…</event>")
                .into()),
        }
    }

    /// Reads the name of the event behind `<name`.
    fn event_name(&mut self, cursor: &mut Cursor<'_>, at: usize) -> Read<()> {
        if self.draft.name.is_some() {
            return Err(two_of(&NAME, &EVENT, at));
        }
        let (name, hole) = self.text_of(&NAME, cursor)?;
        if name.is_empty() {
            return Err(empty_name(at, "an event"));
        }
        self.draft.name(name, hole.filter(|_| name.is_plain()));
        Ok(())
    }

    /// Reads a field behind `<field`.
    fn field(&mut self, cursor: &mut Cursor<'_>, start: usize) -> Read<()> {
        const EXPECTED: &str = "<name>, <value> or </field>";
        let mut name = None;
        let mut value = None;
        let mut empty = self.attributes.read(cursor)?;
        while !empty {
            match syntax::tag(cursor, EXPECTED)? {
                Tag::Open { name: "name", at } if name.is_some() => return Err(two_of(&NAME, &FIELD, at)),
                Tag::Open { name: "value", at } if value.is_some() => return Err(two_of(&VALUE, &FIELD, at)),
                Tag::Open { name: "name", at } => {
                    let (span, _) = self.text_of(&NAME, cursor)?;
                    if span.is_empty() {
                        return Err(empty_name(at, "a field"));
                    }
                    name = Some(span);
                }
                Tag::Open { name: "value", .. } => value = Some(self.text_of(&VALUE, cursor)?),
                Tag::Close { name: "field", .. } => {
                    syntax::end_of_closing_tag(cursor)?;
                    empty = true;
                }
                tag => return Err(tag.unexpected(EXPECTED).hint(within(&FIELD)).into()),
            }
        }
        let (Some(name), Some((value, hole))) = (name, value) else {
            let missing = if name.is_none() { NAME.open } else { VALUE.open };
            return Err(Fault::new(start, format!("expected a {missing} in this <field>, found none"))
                .hint("write <field><name>…</name><value>…</value></field>")
                .into());
        };
        self.draft.field(name, value, hole);
        Ok(())
    }

    /// Reads an element that holds text, behind its name in the opening tag. An empty tag has no hole for a text.
    fn text_of(&mut self, element: &Element, cursor: &mut Cursor<'_>) -> Read<(Span, Option<Hole>)> {
        if self.attributes.read(cursor)? {
            return Ok((Span::plain(cursor.at, cursor.at, cursor.at), None));
        }
        let start = cursor.at;
        let content = text::read(element, cursor, &mut self.draft.buffer)?;
        let hole = Hole { start, end: cursor.at, kind: HoleKind::Text };
        syntax::closing_tag(element, cursor)?;
        Ok((content, Some(hole)))
    }
}

/// The shape of an element, as a hint.
fn within(element: &Element) -> &'static str {
    match element.name {
        "event" => "an <event> holds one <name> and any number of <field>s",
        _ => "a <field> holds one <name> and one <value>",
    }
}

/// An element occurs twice where one is allowed.
fn two_of(element: &Element, parent: &Element, at: usize) -> Trouble {
    Fault::new(at, format!("expected one {} in this {}, found two", element.open, parent.open))
        .hint(within(parent))
        .into()
}

/// An event or a field has an empty name.
fn empty_name(at: usize, whose: &str) -> Trouble {
    Fault::new(at, format!("expected the name of {whose}, found an empty <name>")).hint("give it a name").into()
}

/// There is something after the root.
fn second_root(cursor: &Cursor<'_>) -> Fault {
    cursor.unexpected("the end of the file").hint("a document holds one <log>; move all events into it")
}
