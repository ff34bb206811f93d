//! What other readers find in a text, where they have an opinion.
//!
//! They are asked only about texts that Referee reads without a fault, and only where both follow the same rules: the
//! answer is nothing where ours are more generous by design.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::collect::Seen;

/// The rows of a text in which blanks and quotes cannot tell the two readers apart.
fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    // Blanks around cells mean nothing to us, and a byte order mark is removed before decoding.
    if text.contains([' ', '\t']) || text.starts_with('\u{feff}') {
        return None;
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows = reader.records().map(|record| record.map(|record| record.iter().map(str::to_owned).collect()));
    rows.collect::<Result<_, _>>().ok()
}

/// The events of `csv-plain`.
pub fn csv_plain(text: &str) -> Option<Vec<Seen>> {
    let event = |row: Vec<String>| {
        let mut cells = row.into_iter();
        let name = cells.next().unwrap_or_default();
        Seen::Event(name, cells.enumerate().map(|(at, value)| ((at + 1).to_string(), value)).collect())
    };
    Some(rows(text)?.into_iter().map(event).collect())
}

/// The events of `csv`: a blank cell is absent, and so the empty text in quotes is not asked about.
pub fn csv(text: &str) -> Option<Vec<Seen>> {
    if text.contains("\"\"") {
        return None;
    }
    let mut rows = rows(text)?.into_iter();
    let header = rows.next()?;
    let event = |row: Vec<String>| {
        let pairs = header.iter().cloned().zip(row.iter().cloned()).skip(1);
        Seen::Event(row[0].clone(), pairs.filter(|(_, value)| !value.is_empty()).collect())
    };
    Some(rows.map(event).collect())
}

/// The events of `csv-named`; quotes within a cell are ours alone.
pub fn csv_named(text: &str) -> Option<Vec<Seen>> {
    if text.contains('"') {
        return None;
    }
    let pair = |cell: &String| cell.split_once('=').map(|(field, value)| (field.to_owned(), value.to_owned()));
    let event = |row: Vec<String>| Some(Seen::Event(row[0].clone(), row[1..].iter().map(pair).collect::<Option<_>>()?));
    rows(text)?.into_iter().map(event).collect()
}

/// The events of `xml`.
pub fn xml(text: &str) -> Option<Vec<Seen>> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut events = Vec::new();
    let (mut name, mut pairs, mut pair) = (String::new(), Vec::new(), (String::new(), String::new()));
    let (mut path, mut content) = (Vec::new(), String::new());
    loop {
        match reader.read_event().expect("quick-xml reads what we read") {
            Event::Start(tag) => {
                path.push(tag.name().as_ref().to_owned());
                content.clear();
            }
            Event::Text(piece) => content += &piece.xml10_content(),
            Event::CData(piece) => content += &kept(&piece.xml10_content()),
            Event::GeneralRef(reference) => content += &kept(&resolved(&reference)),
            Event::End(_) => {
                let element = path.pop().unwrap_or_default();
                let within_field = path.last().is_some_and(|parent| parent == "field");
                match (element.as_str(), within_field) {
                    ("name", true) => pair.0 = trimmed(&content),
                    ("value", true) => pair.1 = trimmed(&content),
                    ("name", false) => name = trimmed(&content),
                    ("field", _) => pairs.push(std::mem::take(&mut pair)),
                    ("event", _) => events.push(Seen::Event(std::mem::take(&mut name), std::mem::take(&mut pairs))),
                    _ => {}
                }
            }
            Event::Eof => return Some(events),
            _ => {}
        }
    }
}

fn resolved(reference: &quick_xml::events::BytesRef<'_>) -> String {
    match reference.resolve_char_ref().expect("a proper number") {
        Some(character) => character.to_string(),
        None => quick_xml::escape::resolve_predefined_entity(reference).expect("a known entity").to_owned(),
    }
}

/// Marks text that must not be trimmed, with a character that is hardly ever in a document.
fn kept(text: &str) -> String {
    format!("\u{fdd0}{text}\u{fdd0}")
}

fn trimmed(content: &str) -> String {
    content.trim_matches([' ', '\t', '\r', '\n']).replace('\u{fdd0}', "")
}

/// The events of `json`, where it is JSON to the letter.
pub fn json(text: &str) -> Option<Vec<Seen>> {
    let objects: Vec<Object> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text).ok()?,
        false => serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()?,
    };
    let mut events = Vec::new();
    for Object(members) in objects {
        match members.first() {
            Some((_, Node::Object(_))) => {
                for (name, node) in members {
                    let Node::Object(Object(fields)) = node else { return None };
                    events.push(Seen::Event(name, scalars(fields)?));
                }
            }
            _ => events.push(flat(members)?),
        }
    }
    Some(events)
}

/// `{"event": name, …}`.
fn flat(members: Vec<(String, Node)>) -> Option<Seen> {
    let mut pairs = scalars(members)?;
    let at = pairs.iter().position(|(field, _)| field == "event")?;
    let (_, name) = pairs.remove(at);
    Some(Seen::Event(name, pairs))
}

fn scalars(members: Vec<(String, Node)>) -> Option<Vec<(String, String)>> {
    let pairs = members.into_iter().filter(|(_, node)| !matches!(node, Node::Null));
    let pair = |(field, node)| match node {
        Node::Text(text) => Some((field, text)),
        _ => None,
    };
    pairs.map(pair).collect()
}

/// An object whose members keep their order, and may repeat.
struct Object(Vec<(String, Node)>);

/// A value. Numbers other than integers are not asked about: we hand them over as they are written.
enum Node {
    Object(Object),
    Text(String),
    Null,
    Other,
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        match Node::deserialize(deserializer)? {
            Node::Object(object) => Ok(object),
            _ => Err(serde::de::Error::custom("no object")),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Node::Object(Object(members)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        while access.next_element::<Node>()?.is_some() {}
        Ok(Node::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Text(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Text(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Text(value.to_string()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }
}
