//! The markup of XML 1.0: tags, attributes, comments, processing instructions, references.

use crate::error::Fault;
use crate::format::decode::cursor::{Cursor, Read, Trouble, describe, is_space};
use crate::format::decode::draft::Span;

/// An element of a log, with its tags as messages show them.
pub(crate) struct Element {
    pub(crate) name: &'static str,
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
}

pub(crate) const LOG: Element = Element { name: "log", open: "<log>", close: "</log>" };
pub(crate) const EVENT: Element = Element { name: "event", open: "<event>", close: "</event>" };
pub(crate) const FIELD: Element = Element { name: "field", open: "<field>", close: "</field>" };
pub(crate) const NAME: Element = Element { name: "name", open: "<name>", close: "</name>" };
pub(crate) const VALUE: Element = Element { name: "value", open: "<value>", close: "</value>" };

/// A tag, read up to the end of its name.
pub(crate) enum Tag<'t> {
    /// `<name`
    Open { name: &'t str, at: usize },
    /// `</name`
    Close { name: &'t str, at: usize },
}

impl Tag<'_> {
    /// A fault: this tag stands where something else should.
    pub(crate) fn unexpected(&self, expected: &str) -> Fault {
        match self {
            Tag::Open { name, at } => Fault::new(*at, format!("expected {expected}, found <{name}>")),
            Tag::Close { name, at } => Fault::new(*at, format!("expected {expected}, found </{name}>")),
        }
    }
}

/// Steps over white space, comments and processing instructions to a tag, and over its name.
pub(crate) fn tag<'t>(cursor: &mut Cursor<'t>, expected: &'static str) -> Read<Tag<'t>> {
    cursor.skip_space();
    while miscellaneous(cursor, expected)? {
        cursor.skip_space();
    }
    let at = cursor.at;
    // What begins with <! and is not stepped over is a CDATA section.
    if cursor.need(expected)? != b'<' || cursor.rest().get(1) == Some(&b'!') {
        return Err(Fault::new(at, format!("expected {expected}, found text"))
            .hint("text stands only in <name> and <value>")
            .into());
    }
    cursor.at += 1;
    let closes = cursor.eat("/", expected)?;
    let name = name(cursor, "the name of an element")?;
    Ok(if closes { Tag::Close { name, at } } else { Tag::Open { name, at } })
}

/// Reads the whole closing tag of an element.
pub(crate) fn closing_tag(element: &Element, cursor: &mut Cursor<'_>) -> Read<()> {
    match tag(cursor, element.close)? {
        Tag::Close { name, .. } if name == element.name => end_of_closing_tag(cursor),
        tag @ Tag::Close { .. } => Err(tag.unexpected(element.close).hint("close the innermost element first").into()),
        tag @ Tag::Open { .. } => {
            Err(tag.unexpected(element.close).hint("names and values are text; write < as &lt;").into())
        }
    }
}

/// Reads a closing tag behind its name.
pub(crate) fn end_of_closing_tag(cursor: &mut Cursor<'_>) -> Read<()> {
    cursor.skip_space();
    if cursor.eat(">", ">")? {
        Ok(())
    } else {
        Err(cursor.unexpected(">").hint("a closing tag has no attributes").into())
    }
}

/// A name of an element, attribute or processing instruction.
fn name<'t>(cursor: &mut Cursor<'t>, expected: &'static str) -> Read<&'t str> {
    let start = *cursor;
    let letters = cursor.rest().iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    cursor.at += letters;
    // Most names are nothing but letters; the general test of a character costs ten times as much.
    if letters > 0 && matches!(cursor.peek(), Some(b'>' | b'/' | b' ' | b'=')) {
        return Ok(&cursor.text[start.at..cursor.at]);
    }
    cursor.word(expected, is_name_character)?;
    let name = &cursor.text[start.at..cursor.at];
    match name.chars().next() {
        Some(first) if is_name_start(first) => Ok(name),
        _ => Err(start.unexpected(expected).hint("in text, write < as &lt;").into()),
    }
}

/// The attributes of one tag at a time.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    /// Where their names and values stand, in the order of the names once the tag is read.
    all: Vec<AttributePlace>,
}

/// Where an attribute stands.
#[derive(Debug, Clone, Copy)]
struct AttributePlace {
    name: (usize, usize),
    value: (usize, usize),
}

impl Attributes {
    /// Reads an opening tag behind its name; whether it closes itself. Attributes are checked, and kept until the next tag.
    pub(crate) fn read(&mut self, cursor: &mut Cursor<'_>) -> Read<bool> {
        const EXPECTED: &str = "an attribute, > or />";
        self.all.clear();
        loop {
            let spaced = cursor.skip_space();
            match cursor.need(EXPECTED)? {
                b'>' => {
                    cursor.at += 1;
                    break self.differ(cursor.text).map(|()| false);
                }
                b'/' if cursor.eat("/>", "/>")? => break self.differ(cursor.text).map(|()| true),
                byte if spaced && byte != b'/' => {
                    let at = cursor.at;
                    let (name, value) = attribute(cursor)?;
                    let end = cursor.at - 1;
                    self.all.push(AttributePlace { name: (at, at + name.len()), value: (end - value.len(), end) });
                }
                _ => break Err(cursor.unexpected(EXPECTED).hint("write <tag>, <tag/> or <tag name=\"value\">").into()),
            }
        }
    }

    /// Two attributes of a tag must not have the same name. Sorted: a tag may have very many.
    fn differ(&mut self, text: &str) -> Read<()> {
        let name = |place: &AttributePlace| &text[place.name.0..place.name.1];
        self.all.sort_unstable_by_key(|place| (name(place), place.name.0));
        match self.all.windows(2).find(|pair| name(&pair[0]) == name(&pair[1])) {
            Some(pair) => Err(Fault::new(pair[1].name.0, format!("attribute `{}` occurs twice", name(&pair[1])))
                .hint("remove one of them")
                .into()),
            None => Ok(()),
        }
    }
}

impl Attributes {
    /// The value of an attribute of the last tag, as a piece of the block or, where it has references or line ends, of the buffer.
    pub(crate) fn value(&self, name: &str, text: &str, buffer: &mut String) -> Option<Span> {
        let place = self.all.iter().find(|place| &text[place.name.0..place.name.1] == name)?;
        let (start, end) = place.value;
        let value = &text[start..end];
        if memchr::memchr3(b'&', b'\n', b'\t', value.as_bytes()).is_none() && !value.contains('\r') {
            return Some(Span::plain(start, start, end));
        }
        let from = buffer.len();
        let mut cursor = Cursor::new(&text[..end], start);
        while let Some(byte) = cursor.peek() {
            if byte == b'&' {
                // It was checked when the tag was read.
                buffer.push(reference(&mut cursor).ok()?);
                continue;
            }
            let letter = text[cursor.at..].chars().next()?;
            cursor.at += letter.len_utf8();
            if letter == '\r' && cursor.peek() == Some(b'\n') {
                cursor.at += 1;
            }
            buffer.push(if is_space(byte) { ' ' } else { letter });
        }
        Some(Span::built(start, from, buffer))
    }
}

/// Reads `name="value"`, and returns both; references in the value are checked, not replaced.
fn attribute<'t>(cursor: &mut Cursor<'t>) -> Read<(&'t str, &'t str)> {
    let name = name(cursor, "the name of an attribute")?;
    cursor.skip_space();
    if !cursor.eat("=", "=")? {
        return Err(cursor.unexpected("=").hint("an attribute is written name=\"value\"").into());
    }
    cursor.skip_space();
    let quote = match cursor.need("a quoted value")? {
        b'"' => "\"",
        b'\'' => "'",
        _ => return Err(cursor.unexpected("a quoted value").hint("an attribute is written name=\"value\"").into()),
    };
    cursor.at += 1;
    let start = cursor.at;
    let value = cursor.up_to(quote, "the closing quote of an attribute")?;
    cursor.at += 1;
    if let Some(distance) = memchr::memchr(b'<', value.as_bytes()) {
        return Err(Fault::new(start + distance, "expected the closing quote of an attribute, found `<`")
            .hint("in an attribute, write < as &lt;")
            .into());
    }
    check_characters(value, start)?;
    for distance in memchr::memchr_iter(b'&', value.as_bytes()) {
        reference(&mut Cursor::new(cursor.text, start + distance))?;
    }
    Ok((name, value))
}

/// Steps over the XML declaration, if it comes next.
pub(crate) fn declaration(cursor: &mut Cursor<'_>) -> Read<bool> {
    const OPENING: &str = "<?xml";
    if !cursor.sees(OPENING, "<log>")? {
        return Ok(false);
    }
    let after = Cursor::new(cursor.text, cursor.at + OPENING.len());
    if is_name_character(char::from(after.need("the XML declaration")?)) {
        return Ok(false);
    }
    *cursor = after;
    let mut later: &[&str] = &["version"];
    while cursor.skip_space() && !cursor.sees("?>", "?>")? {
        let at = *cursor;
        let (name, value) = attribute(cursor)?;
        let Some(position) = later.iter().position(|&candidate| candidate == name) else {
            return Err(at.unexpected(expected_in_declaration(later)).hint(WELL_DECLARED).into());
        };
        check_declared(name, value, at.at)?;
        later = if name == "version" { &["encoding", "standalone"] } else { &later[position + 1..] };
    }
    if later == ["version"] || !cursor.eat("?>", "?>")? {
        return Err(cursor.unexpected(expected_in_declaration(later)).hint(WELL_DECLARED).into());
    }
    Ok(true)
}

/// What may come next in the XML declaration.
fn expected_in_declaration(later: &[&str]) -> &'static str {
    match later {
        ["version"] => "`version`",
        ["encoding", "standalone"] => "`encoding`, `standalone` or ?>",
        ["standalone"] => "`standalone` or ?>",
        _ => "?>",
    }
}

const WELL_DECLARED: &str = "write <?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// The text was read as UTF-8, so that is what the declaration must say; versions above 1.0 differ in nothing we read.
fn check_declared(name: &str, value: &str, at: usize) -> Read<()> {
    let fine = match name {
        "version" => value
            .strip_prefix("1.")
            .is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit())),
        "encoding" => ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|known| value.eq_ignore_ascii_case(known)),
        _ => matches!(value, "yes" | "no"),
    };
    if fine {
        return Ok(());
    }
    let fault = match name {
        "version" => Fault::new(at, format!("expected XML version 1.0, found `{value}`")).hint(WELL_DECLARED),
        "encoding" => Fault::new(at, format!("expected the encoding UTF-8, found `{value}`"))
            .hint(format!("convert the file: iconv -f {value} -t UTF-8, and declare encoding=\"UTF-8\"")),
        _ => Fault::new(at, format!("expected `yes` or `no`, found `{value}`")).hint(WELL_DECLARED),
    };
    Err(fault.into())
}

/// Steps over a comment or a processing instruction, if one comes next. A document type is refused.
pub(crate) fn miscellaneous(cursor: &mut Cursor<'_>, expected: &'static str) -> Read<bool> {
    if cursor.peek() != Some(b'<') {
        return Ok(false);
    }
    match cursor.rest().get(1).ok_or(Trouble::End(expected))? {
        b'!' if cursor.eat("<!--", expected)? => comment(cursor).map(|()| true),
        b'!' if cursor.sees("<!DOCTYPE", expected)? => {
            Err(Fault::new(cursor.at, format!("expected {expected}, found a document type (<!DOCTYPE)"))
                .hint("document types and their entities are not read: remove the declaration")
                .into())
        }
        b'!' if !cursor.sees("<![CDATA[", expected)? => {
            Err(cursor.unexpected(expected).hint("only comments <!-- --> and CDATA sections begin with <!").into())
        }
        b'?' => instruction(cursor).map(|()| true),
        _ => Ok(false),
    }
}

/// Reads a comment behind `<!--`.
fn comment(cursor: &mut Cursor<'_>) -> Read<()> {
    let start = cursor.at;
    let content = cursor.up_to("--", "-->")?;
    check_characters(content, start)?;
    if cursor.eat("-->", "-->")? {
        return Ok(());
    }
    Err(Fault::new(cursor.at, "expected -->, found -- inside a comment")
        .hint("a comment must not contain --; write - - instead")
        .into())
}

/// Reads a processing instruction.
fn instruction(cursor: &mut Cursor<'_>) -> Read<()> {
    let start = cursor.at;
    cursor.at += "<?".len();
    let target = name(cursor, "the target of a processing instruction")?;
    if target.eq_ignore_ascii_case("xml") {
        return Err(Fault::new(start, "expected the XML declaration at the start of the file, found it here")
            .hint("nothing may stand before it, not even a space; a file holds one document")
            .into());
    }
    let after = cursor.at;
    let content = cursor.up_to("?>", "?>")?;
    if content.bytes().next().is_some_and(|byte| !is_space(byte)) {
        return Err(Cursor::new(cursor.text, after)
            .unexpected("white space or ?>")
            .hint("write <?target text?>")
            .into());
    }
    check_characters(content, after)?;
    cursor.at += "?>".len();
    Ok(())
}

/// Reads a reference and returns the character it stands for.
pub(crate) fn reference(cursor: &mut Cursor<'_>) -> Read<char> {
    let start = cursor.at;
    cursor.at += "&".len();
    let body =
        cursor.word("the end of a reference (;)", |character| character == '#' || is_name_character(character))?;
    if body.is_empty() || !cursor.eat(";", ";")? {
        return Err(Fault::new(start, "expected a reference such as &amp;, found a lone &")
            .hint("write & as &amp;")
            .into());
    }
    match body {
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "amp" => Ok('&'),
        "quot" => Ok('"'),
        "apos" => Ok('\''),
        _ => match body.strip_prefix('#') {
            Some(number) => numbered(number).ok_or_else(|| {
                Fault::new(start, format!("expected the number of a character, found &{body};"))
                    .hint("XML allows tab, line ends and the characters from 32 on, without surrogates")
                    .into()
            }),
            None => Err(Fault::new(start, format!("entity &{body}; is not defined"))
                .hint("only &lt; &gt; &amp; &quot; &apos; and numbers such as &#160; are known")
                .into()),
        },
    }
}

/// The character with this number, decimal or, after `x`, hexadecimal.
fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    // No sign can stand here: it would have ended the reference.
    let code = u32::from_str_radix(digits, radix).ok();
    code.and_then(char::from_u32).filter(|&character| is_character(character))
}

/// Finds characters that XML forbids; `offset` is where `text` starts.
pub(crate) fn check_characters(text: &str, offset: usize) -> Read<()> {
    match text.char_indices().find(|&(_, character)| !is_character(character)) {
        Some((distance, character)) => {
            let found = describe(character);
            Err(Fault::new(offset + distance, format!("expected a character that XML allows, found {found}"))
                .hint("remove it: XML has no way to write it")
                .into())
        }
        None => Ok(()),
    }
}

/// XML's production `Char`; surrogates are no characters here.
fn is_character(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// XML's production `NameStartChar`.
fn is_name_start(character: char) -> bool {
    matches!(character,
        ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// XML's production `NameChar`.
fn is_name_character(character: char) -> bool {
    is_name_start(character)
        || matches!(character,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}
