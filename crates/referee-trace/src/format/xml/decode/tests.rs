use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use referee_testing::properties;

use super::XmlDecoder;
use crate::format::testing::{Outcome, Seen, collect, collect_cut};

/// What is read of a document.
fn read(document: &str) -> Vec<String> {
    collect(XmlDecoder::default(), document).shown()
}

/// What is read of an event with one field of this content.
fn value(content: &str) -> String {
    let document =
        format!("<log><event><name>a</name><field><name>f</name><value>{content}</value></field></event></log>");
    let shown = read(&document);
    assert_eq!(shown.len(), 1, "one event");
    shown[0].strip_prefix("a(f=").and_then(|rest| rest.strip_suffix(")")).expect("one field").to_owned()
}

/// Asserts that a document is refused at the offset of `¦`, with a message and a hint that contain these words.
#[track_caller]
fn refuses(marked: &str, message: &str, hint: &str) {
    let offset = marked.find('¦').expect("the place of the fault is marked");
    let document = marked.replace('¦', "");
    let outcome = collect(XmlDecoder::default(), &document);
    let (at, found) = outcome.fault();
    assert!(found.contains(message), "{found:?} should say {message:?}");
    let advice = outcome.fault.as_ref().and_then(|fault| fault.hint.as_deref()).unwrap_or_default();
    assert!(advice.contains(hint), "{advice:?} should say {hint:?}");
    assert_eq!(at, offset, "the place of {found:?}");
    for cut in 0..=document.len() {
        assert_eq!(collect_cut(XmlDecoder::default(), &document, &[cut]), outcome, "cut at {cut}");
    }
}

/// Refuses an event with this text inside.
#[track_caller]
fn refuses_in_event(marked: &str, message: &str, hint: &str) {
    refuses(&format!("<log><event><name>a</name>{marked}</event></log>"), message, hint);
}

/// Refuses this content of a value.
#[track_caller]
fn refuses_in_value(marked: &str, message: &str, hint: &str) {
    refuses_in_event(&format!("<field><name>f</name><value>{marked}</value></field>"), message, hint);
}

#[test]
fn reads_an_indented_log() {
    let log = "<log>\n  <event>\n    <name>open</name>\n    \
               <field>\n      <name>file</name>\n      <value>x</value>\n    </field>\n    \
               <field>\n      <name>mode</name>\n      <value>r</value>\n    </field>\n  </event>\n  \
               <event>\n    <name>tick</name>\n  </event>\n</log>\n";
    assert_eq!(read(log), ["open(file=x,mode=r)", "tick()"]);
}

#[test]
fn reads_a_log_on_one_line() {
    let field = |value: u32| format!("<field><name>f</name><value>{value}</value></field>");
    let events: String = (0..5).map(|value| format!("<event><name>a</name>{}</event>", field(value))).collect();
    assert_eq!(read(&format!("<log>{events}</log>")), ["a(f=0)", "a(f=1)", "a(f=2)", "a(f=3)", "a(f=4)"]);
}

#[test]
fn empty_documents_are_empty_traces() {
    for document in
        ["", " \r\n\t", "<log/>", "<log></log>", "<log />", "<?xml version='1.0'?>\n<log>\n</log>\n", "<log a='1'/>"]
    {
        assert_eq!(read(document), Vec::<String>::new(), "{document:?}");
    }
}

#[test]
fn the_parts_of_an_event_come_in_any_order() {
    let log = "<log><event><field><value>1</value><name>f</name></field><name>a</name></event>\
               <event><field><value>2</value><name>f</name></field><name>a</name></event></log>";
    assert_eq!(read(log), ["a(f=1)", "a(f=2)"]);
}

#[test]
fn one_name_with_several_shapes() {
    let field = |name: &str, value: u32| format!("<field><name>{name}</name><value>{value}</value></field>");
    let event = |fields: String| format!("<event><name>a</name>{fields}</event>");
    let round = |n: u32| {
        [event(field("f", n)), event(field("g", n)), event(field("f", n) + &field("g", n)), event(String::new())]
    };
    let log: String = (0..3).flat_map(round).collect();
    let expected: Vec<String> = (0..3)
        .flat_map(|n| [format!("a(f={n})"), format!("a(g={n})"), format!("a(f={n},g={n})"), "a()".into()])
        .collect();
    assert_eq!(read(&format!("<log>{log}</log>")), expected);
}

#[test]
fn layout_around_text_is_dropped() {
    assert_eq!(value("  x y  "), "x y");
    assert_eq!(value("\r\n\t x\r\ny \n"), "x\ny");
    assert_eq!(value("   "), "");
    assert_eq!(value("\u{a0}x"), "\u{a0}x");
    assert_eq!(read("<log><event><name> a\n</name></event></log>"), ["a()"]);
}

#[test]
fn references_are_replaced_and_kept() {
    assert_eq!(value("&lt;&gt;&amp;&quot;&apos;"), "<>&\"'");
    assert_eq!(value("&#65;&#x42;&#x1F600;"), "AB\u{1F600}");
    assert_eq!(value(" &#32;x&#10; "), " x\n");
    assert_eq!(value("a&amp;lt;"), "a&lt;");
    assert_eq!(value("&#13;"), "\r");
}

#[test]
fn cdata_is_kept_exactly() {
    assert_eq!(value("<![CDATA[ <x> & ]] ]]>"), " <x> & ]] ");
    assert_eq!(value("\n <![CDATA[ a ]]> \n"), " a ");
    assert_eq!(value("<![CDATA[]]>"), "");
    assert_eq!(value("x<![CDATA[y\r\nz]]>w"), "xy\nzw");
    assert_eq!(value("<![CDATA[a]]]]><![CDATA[>b]]>"), "a]]>b");
}

#[test]
fn brackets_and_greater_signs_are_text() {
    assert_eq!(value("a[0]]"), "a[0]]");
    assert_eq!(value("]] >"), "]] >");
    assert_eq!(value("x > y"), "x > y");
    assert_eq!(value("\u{ff21}\u{ef}"), "\u{ff21}\u{ef}");
}

#[test]
fn comments_and_instructions_stand_anywhere() {
    let log = "<!-- a --><?p q?><log><!----><event ><?p?><name><!--x-->a<!--y--></name><!-- - -->\
               <field><!--<event>--><name>f</name><value>1<!-- 2 -->3<?q 4?></value></field></event>\
               <!-- z --></log>\n<!-- end --><?p?>";
    assert_eq!(read(log), ["a(f=13)"]);
}

#[test]
fn attributes_are_checked_and_ignored() {
    let log = "<log a=\"1\" b='\"'><event\tx = 'y&amp;'\n><name é:1.-='>'>a</name ></event\n></log >";
    assert_eq!(read(log), ["a()"]);
}

#[test]
fn empty_elements_are_empty_texts() {
    let log = "<log><event><name>a</name><field><name>f</name><value/></field></event>\
               <event><name>a</name><field><name>f</name><value></value></field></event>\
               <event><name>a</name><field><name>f</name><value a='b' /></field></event></log>";
    assert_eq!(read(log), ["a(f=)", "a(f=)", "a(f=)"]);
}

#[test]
fn declarations_are_read() {
    for declaration in [
        "<?xml version=\"1.0\"?>",
        "<?xml version='1.1' encoding='utf-8' ?>",
        "<?xml version=\"1.0\" encoding=\"US-ASCII\" standalone=\"yes\"?>",
        "<?xml version=\"1.0\" standalone='no'?>\n",
        "<?xml-stylesheet href='x'?>",
    ] {
        assert_eq!(read(&format!("{declaration}<log/>")), Vec::<String>::new(), "{declaration}");
    }
}

#[test]
fn wrong_declarations_are_refused() {
    refuses(
        "<?xml version=\"1.0\" ¦encoding=\"ISO-8859-1\"?><log/>",
        "found `ISO-8859-1`",
        "iconv -f ISO-8859-1 -t UTF-8",
    );
    refuses("<?xml ¦version=\"2.0\"?><log/>", "expected XML version 1.0", "version=\"1.0\"");
    refuses("<?xml ¦encoding=\"UTF-8\"?><log/>", "expected `version`", "version=\"1.0\"");
    refuses("<?xml¦?><log/>", "expected `version`", "version=\"1.0\"");
    refuses("<?xml version=\"1.0\" standalone='no' ¦encoding='utf-8'?><log/>", "expected ?>", "version=\"1.0\"");
    refuses("<?xml version=\"1.0\" ¦standalone='maybe'?><log/>", "expected `yes` or `no`", "version=\"1.0\"");
    refuses(" ¦<?xml version=\"1.0\"?><log/>", "at the start of the file", "not even a space");
    refuses("<log/>¦<?xml version=\"1.0\"?><log/>", "at the start of the file", "one document");
}

#[test]
fn document_types_are_refused() {
    refuses("¦<!DOCTYPE log [<!ENTITY a \"b\">]><log/>", "document type", "remove the declaration");
    refuses("<?xml version='1.0'?>\n¦<!DOCTYPE log SYSTEM 'log.dtd'><log/>", "document type", "remove the declaration");
    refuses("<log>¦<!ELEMENT log ANY></log>", "expected <event> or </log>", "<!");
}

#[test]
fn references_must_be_known() {
    refuses_in_value("a¦&nbsp;b", "entity &nbsp; is not defined", "&#160;");
    refuses_in_value("a ¦& b", "lone &", "&amp;");
    refuses_in_value("a¦&amp b", "lone &", "&amp;");
    for number in ["0", "x0", "xD800", "xFFFE", "1114112", "x", "", "99999999999", "12a"] {
        refuses_in_value(&format!("¦&#{number};"), "expected the number of a character", "surrogates");
    }
    refuses_in_value("¦&#+5;", "lone &", "&amp;");
    refuses_in_event("<field a=\"¦&x;\"/>", "not defined", "&lt;");
}

#[test]
fn tags_must_match() {
    refuses_in_value("x¦</name>", "expected </value>, found </name>", "innermost");
    refuses_in_value("x¦<b>y</b>", "expected </value>, found <b>", "&lt;");
    refuses("<log>¦</event></log>", "expected <event> or </log>, found </event>", "nothing but events");
    refuses("<log><event><name>a</name>¦</log>", "found </log>", "one <name>");
    refuses("<log><event><name>a</name ¦x='1'></event></log>", "expected >", "no attributes");
}

#[test]
fn truncated_documents_are_refused() {
    let log = "<?xml version='1.0'?><log a='b'><!-- c --><event><name>a</name>\
               <field><name>f</name><value>1&lt;<![CDATA[2]]></value></field></event></log>";
    for end in 1..log.len() {
        let truncated = &log[..end];
        let outcome = collect(XmlDecoder::default(), truncated);
        let (at, message) = outcome.fault();
        assert_eq!(at, end, "{truncated}");
        assert!(message.ends_with("found the end of the file"), "{truncated}: {message}");
    }
}

#[test]
fn text_stands_only_in_names_and_values() {
    refuses("¦hello", "expected <log>, found text", "<name> and <value>");
    refuses("<log>¦hello</log>", "found text", "<name> and <value>");
    refuses("<log>¦<![CDATA[x]]></log>", "found text", "<name> and <value>");
    refuses_in_event("¦x", "found text", "<name> and <value>");
    refuses_in_event("<field>¦&amp;<name>f</name></field>", "found text", "<name> and <value>");
    refuses("<log/>¦x", "expected the end of the file, found `x`", "one <log>");
}

#[test]
fn a_document_has_one_root_called_log() {
    refuses("<log/>¦<log/>", "expected the end of the file", "one <log>");
    refuses("¦<event><name>a</name></event>", "expected <log>, found <event>", "between <log> and </log>");
    refuses("¦</log>", "expected <log>, found </log>", "between <log> and </log>");
    refuses("<¦1/>", "expected the name of an element", "&lt;");
    refuses("<!-- nothing else -->¦", "expected <log>, found the end of the file", "incomplete");
}

#[test]
fn events_and_fields_are_complete() {
    refuses("<log>¦<event/></log>", "expected a <name> in this <event>", "<event><name>");
    refuses("<log>¦<event></event></log>", "expected a <name> in this <event>", "<event><name>");
    refuses("<log><event>¦<name> </name></event></log>", "empty <name>", "give it a name");
    refuses_in_event("¦<name>b</name>", "expected one <name> in this <event>, found two", "one <name>");
    refuses_in_event("¦<field/>", "expected a <name> in this <field>", "<field><name>");
    refuses_in_event("¦<field><name>f</name></field>", "expected a <value>", "<field><name>");
    refuses_in_event("<field>¦<name/><value/></field>", "the name of a field", "give it a name");
    refuses_in_event(
        "<field><name>f</name>¦<name>g</name></field>",
        "expected one <name> in this <field>",
        "one <value>",
    );
    refuses_in_event("<field><value/>¦<value/></field>", "expected one <value> in this <field>", "one <value>");
    refuses_in_event("¦<extra/>", "expected <name>, <field> or </event>, found <extra>", "any number of <field>s");
    refuses_in_event("<field>¦<extra/></field>", "expected <name>, <value> or </field>, found <extra>", "one <value>");
    let twice = "<field><name>f</name><value>1</value></field><field><name>¦f</name><value>2</value></field>";
    refuses_in_event(twice, "event `a` has two fields `f`", "different names");
}

#[test]
fn a_field_that_repeats_among_many_is_found() {
    let fields: String = (0..40).map(|n| format!("<field><name>f{n}</name><value/></field>")).collect();
    refuses_in_event(&format!("{fields}<field><name>¦f7</name><value/></field>"), "two fields `f7`", "different names");
}

#[test]
fn attributes_are_well_formed() {
    refuses_in_event("<field a='¦<'/>", "found `<`", "&lt;");
    refuses_in_event("<field a='1' b='2' ¦a='3'/>", "attribute `a` occurs twice", "remove one");
    refuses_in_event("<field a¦/>", "expected =", "name=\"value\"");
    refuses_in_event("<field a=¦1/>", "expected a quoted value", "name=\"value\"");
    refuses_in_event("<field a='1'¦b='2'/>", "expected an attribute, > or />", "<tag");
    refuses_in_event("<field ¦=''/>", "expected the name of an attribute", "");
    refuses_in_event("<field ¦/ >", "expected an attribute, > or />", "<tag");
    refuses_in_event("<field a='¦\u{1}'/>", "U+0001", "remove it");
}

#[test]
fn forbidden_characters_are_refused() {
    for character in ['\0', '\u{8}', '\u{b}', '\u{1f}', '\u{fffe}', '\u{ffff}'] {
        let message = format!("U+{:04X}", u32::from(character));
        refuses_in_value(&format!("ab¦{character}"), &message, "remove it");
        refuses_in_value(&format!("<![CDATA[¦{character}]]>"), &message, "remove it");
        refuses_in_event(&format!("<!--¦{character}-->"), &message, "remove it");
        refuses_in_event(&format!("<?p ¦{character}?>"), &message, "remove it");
    }
    assert_eq!(value("\u{7f}\u{85}"), "\u{7f}\u{85}");
}

#[test]
fn comments_sections_and_instructions_are_well_formed() {
    refuses_in_event("<!-- a ¦-- b -->", "found -- inside a comment", "- -");
    refuses_in_event("<!-- a ¦--->", "found -- inside a comment", "- -");
    refuses_in_value("a¦]]>b", "]]> outside a CDATA section", "]]&gt;");
    refuses_in_event("<?¦ p?>", "the target of a processing instruction", "");
    refuses_in_event("<?p¦=q?>", "expected white space or ?>", "<?target text?>");
    refuses_in_event("¦<?XML p?>", "the XML declaration", "");
}

#[test]
fn a_fault_in_an_event_like_earlier_ones_is_found() {
    let event =
        |value: &str| format!("<event><name>a</name><field><name>f</name><value>{value}</value></field></event>");
    refuses(&format!("<log>{}{}{}</log>", event("1"), event("2"), event("3¦\u{2}")), "U+0002", "remove it");
    refuses(&format!("<log>{}{}</log>", event("1"), event("¦&x;")), "&x; is not defined", "");
    refuses(&format!("<log>{}{}</log>", event("1"), event("2¦]]>")), "]]>", "");
}

#[test]
fn a_very_long_event_is_read() {
    let fields: String = (0..5000).map(|n| format!("<field><name>f{n}</name><value>{n}</value></field>")).collect();
    let event = format!("<event><name>a</name>{fields}</event>");
    let shown = read(&format!("<log>{event}{event}</log>"));
    assert_eq!(shown.len(), 2);
    assert_eq!(shown[0], shown[1]);
}

/// A piece of a value's content and the text it stands for; none of them begins or ends with layout.
fn content() -> impl Strategy<Value = (String, String)> {
    let piece = prop_oneof![
        4 => "[a-z0-9é>\\]€\u{ff21}]{1,9}".prop_filter("no end of section", |text| !text.contains("]]>"))
            .prop_map(|text| (text.clone(), text)),
        1 => Just(("x \r\n y".to_owned(), "x \n y".to_owned())),
        1 => Just(("&amp;".to_owned(), "&".to_owned())),
        1 => any::<char>().prop_filter("allowed", |c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'))
            .prop_map(|c| (format!("&#{};", u32::from(c)), c.to_string())),
        1 => "[ a<&\\]]{0,6}".prop_filter("one section", |text| !text.contains("]]>"))
            .prop_map(|text| (format!("<![CDATA[{text}]]>"), text)),
        1 => Just(("<!-- c -->".to_owned(), String::new())),
    ];
    prop_oneof![
        3 => "[a-z0-9 ]{0,12}".prop_map(|text| (text.clone(), text.trim().to_owned())),
        1 => prop::collection::vec(piece, 0..4)
            .prop_map(|pieces| pieces.into_iter().unzip::<String, String, Vec<_>, Vec<_>>())
            .prop_map(|(written, meant)| (written.concat(), meant.concat()))
            .prop_filter("no end of section across pieces", |(written, _)| !without_sections(written).contains("]]>")),
    ]
}

/// The content without its CDATA sections.
fn without_sections(content: &str) -> String {
    let mut rest = content.to_owned();
    while let Some(start) = rest.find("<![CDATA[") {
        let end = rest[start..].find("]]>").map_or(rest.len(), |length| start + length + 3);
        rest.replace_range(start..end, "\u{1}");
    }
    rest
}

type Written = (String, Vec<(String, String)>);

/// A document, and its events.
fn document() -> impl Strategy<Value = (String, Vec<Written>)> {
    let layout = prop::sample::select(vec!["", "\n", "  ", "\r\n\t", "<!-- - -->", "<?p q?>"]);
    let attributes = prop::sample::select(vec!["", "", " ", " a='1'", "\nb=\"&lt;'\" "]);
    let fields = prop::collection::vec(content(), 0..4);
    // Most events look alike, so that most fit the template of an earlier one.
    let event = (prop::sample::select(vec!["open", "a_very_long_name"]), fields, prop::bool::weighted(0.1));
    (prop::collection::vec(event, 0..20), layout, attributes).prop_map(|(events, usual, attributes)| {
        let mut text = "<?xml version='1.0'?>\n<log>".to_owned();
        let mut expected = Vec::new();
        for (name, fields, odd) in events {
            let layout = if odd { " " } else { usual };
            text += &format!("{layout}<event{attributes}>{layout}<name>{name}</name>");
            let mut pairs = Vec::new();
            for (position, (content, value)) in fields.into_iter().enumerate() {
                text += &format!(
                    "<field{attributes}><name>f{position}</name>{layout}<value>{content}</value></field>{layout}"
                );
                pairs.push((format!("f{position}"), value));
            }
            text += "</event>";
            expected.push((name.to_owned(), pairs));
        }
        (text + "</log>", expected)
    })
}

/// What quick-xml finds in a document. References and sections are marked, so that layout can be told from them.
fn oracle(document: &str) -> Vec<Written> {
    let mut reader = Reader::from_str(document);
    let (mut events, mut texts, mut path) = (Vec::new(), Vec::new(), Vec::new());
    let mut text = String::new();
    loop {
        match reader.read_event().expect("the document is well formed") {
            Event::Start(tag) => {
                path.push(tag.name().as_ref().to_owned());
                text.clear();
            }
            Event::Text(piece) => text += &piece.xml10_content(),
            Event::CData(piece) => text += &kept(&piece.xml10_content()),
            Event::GeneralRef(name) => {
                let character = name.resolve_char_ref().expect("a proper number").map(String::from);
                let entity = || quick_xml::escape::resolve_predefined_entity(&name).expect("a known entity").to_owned();
                text += &kept(&character.unwrap_or_else(entity));
            }
            Event::End(_) => match path.pop().as_deref() {
                Some("name" | "value") => texts.push(plain(text.trim_matches([' ', '\t', '\r', '\n']))),
                Some("event") => {
                    let mut all = std::mem::take(&mut texts).into_iter();
                    let name = all.next().expect("a name");
                    let rest: Vec<String> = all.collect();
                    events.push((name, rest.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()));
                }
                _ => {}
            },
            Event::Eof => return events,
            _ => {}
        }
    }
}

/// Marks text that must not be trimmed. The mark is a noncharacter that no document contains.
fn kept(text: &str) -> String {
    format!("\u{fdd0}{text}\u{fdd0}")
}

fn plain(marked: &str) -> String {
    marked.replace('\u{fdd0}', "")
}

fn events(outcome: Outcome) -> Vec<Written> {
    assert_eq!(outcome.fault, None);
    let event = |seen| match seen {
        Seen::Event { name, fields, .. } => (name, fields),
        Seen::Point { .. } => unreachable!("XML has no explicit points"),
    };
    outcome.seen.into_iter().map(event).collect()
}

/// What a character of a document is replaced by.
fn damage() -> impl Strategy<Value = &'static str> {
    let pieces = ["", "<", ">", "&", "]]>", "\"", "'", "--", "/", "=", "\0", "x", " ", "<!", "<x>", "</event>"];
    prop::sample::select(pieces.to_vec())
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn agrees_with_what_was_written_and_with_quick_xml((document, expected) in document()) {
        let found = events(collect(XmlDecoder::default(), &document));
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(&found, &oracle(&document));
    }

    #[test]
    fn blocks_may_end_anywhere((document, _) in document(), cuts in prop::collection::vec(0usize..2000, 0..20)) {
        prop_assert_eq!(collect_cut(XmlDecoder::default(), &document, &cuts), collect(XmlDecoder::default(), &document));
    }

    #[test]
    fn damaged_documents_are_read_alike_in_all_blocks(
        (document, _) in document(),
        at in any::<prop::sample::Index>(),
        damage in damage(),
        cuts in prop::collection::vec(0usize..2000, 0..20),
    ) {
        let mut damaged: Vec<char> = document.chars().collect();
        let at = at.index(damaged.len());
        damaged.splice(at..=at, damage.chars());
        let damaged: String = damaged.into_iter().collect();
        prop_assert_eq!(collect_cut(XmlDecoder::default(), &damaged, &cuts), collect(XmlDecoder::default(), &damaged));
    }
}
