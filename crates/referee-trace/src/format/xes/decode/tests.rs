use proptest::prelude::*;
use quick_xml::events::Event as Xml;
use referee_testing::properties;

use super::*;
use crate::format::testing::{collect, collect_cut};

const LOG: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<log xes.version="1.0" xes.features="nested-attributes" xmlns="http://www.xes-standard.org/">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <global scope="event">
    <string key="concept:name" value="__INVALID__"/>
  </global>
  <classifier name="Activity" keys="concept:name"/>
  <string key="source" value="x"><int key="deep" value="1"/></string>
  <trace>
    <string key="concept:name" value="case &quot;7&quot;"/>
    <int key="amount" value="120"/>
    <event>
      <string key="org:resource" value="Ann"><string key="role" value="clerk"><int key="x" value="1"/></string></string>
      <date key="time:timestamp" value="2026-11-18T10:00:00.000+01:00"/>
      <string key="concept:name" value="register &amp; file"/>
      <list key="parts"><values><string key="part" value="a"/></values></list>
      <container key="box"/>
      <boolean key="paid" value="true"/>
    </event>
    <event><string key='concept:name' value='pay'/></event>
  </trace>
  <trace/>
  <trace>
    <event><string key="concept:name" value="close"></string></event>
  </trace>
  <event><string key="concept:name" value="outside"/></event>
</log>
"#;

fn decoder(naming: Naming, fields: &[&str]) -> XesDecoder {
    let fields = fields.iter().map(|field| Box::from(*field)).collect();
    XesDecoder::new(&InputRule { naming, fields, ..InputRule::default() })
}

#[test]
fn events_have_their_case_and_attributes() {
    let expected = [
        "register & file(case=case \"7\",org:resource=Ann,time:timestamp=2026-11-18T10:00:00.000+01:00,paid=true)",
        "pay(case=case \"7\")",
        "close(case=3)",
        "outside()",
    ];
    assert_eq!(collect(XesDecoder::default(), LOG).shown(), expected);
}

#[test]
fn the_mapping_names_events_and_asks_for_attributes_of_cases() {
    let of_case = decoder(Naming::Constant("step".into()), &["case:amount", "case:concept:name"]);
    let shown = collect(of_case, LOG).shown();
    assert_eq!(shown[1], "step(case=case \"7\",concept:name=pay,case:concept:name=case \"7\",case:amount=120)");
    assert_eq!(shown[3], "step(concept:name=outside)");
    let by_resource = collect(decoder(Naming::Field("org:resource".into()), &[]), LOG);
    assert_eq!(by_resource.fault().1, "the event has no attribute `org:resource`, which names it");
}

#[test]
fn what_is_no_xes_is_refused_with_its_place() {
    for (text, offset, message) in [
        ("<log><trace><event>", 19, "expected an attribute or </event>, found the end of the file"),
        ("<log><trace></log>", 12, "expected <event>, an attribute or </trace>, found </log>"),
        ("<log><name/></log>", 5, "expected <trace>, <event>, an attribute or </log>, found <name>"),
        (
            "<log><event><string key=\"a\"/></event></log>",
            12,
            "expected `key` and `value` in this <string>, found one of them or none",
        ),
        ("<log><event>a</event></log>", 12, "expected an attribute or </event>, found text"),
        (
            "<log><event><int key='a' value='1'/><int key='a' value='2'/><id key='concept:name' value='e'/></event></log>",
            5,
            "event `e` has two attributes `a`",
        ),
        ("<log><string key='a' value='b'><int></string></log>", 36, "expected </int>, found </string>"),
        ("<log/><log/>", 6, "expected the end of the file, found `<`"),
        (
            "<log><trace><event><id key='concept:name' value='e'/></event><string key='concept:name' value='c'/></trace></log>",
            61,
            "the attribute `concept:name` of a trace stands behind one of its events",
        ),
    ] {
        assert_eq!(collect(XesDecoder::default(), text).fault(), (offset, message), "{text}");
    }
}

/// The values of the attributes of events as another reader of XML finds them, in order.
fn by_quick_xml(text: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut depth, mut event_depth, mut values) = (0, None, Vec::new());
    loop {
        match reader.read_event().expect("the log is well-formed") {
            Xml::Start(tag) => {
                depth += 1;
                if tag.name().as_ref() == "event" {
                    event_depth = Some(depth);
                } else if event_depth == Some(depth - 1) {
                    values.extend(value_of(&tag));
                }
            }
            Xml::Empty(tag) if event_depth == Some(depth) => values.extend(value_of(&tag)),
            Xml::End(tag) => {
                if tag.name().as_ref() == "event" {
                    event_depth = None;
                }
                depth -= 1;
            }
            Xml::Eof => return values,
            _ => {}
        }
    }
}

fn value_of(tag: &quick_xml::events::BytesStart<'_>) -> Option<String> {
    let value = tag.try_get_attribute("value").expect("attributes are well-formed")?;
    Some(value.normalized_value(quick_xml::XmlVersion::Implicit1_0).expect("references are known").into_owned())
}

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn where_windows_end_changes_nothing(cuts in prop::collection::vec(0..LOG.len(), 0..8)) {
        prop_assert_eq!(collect_cut(XesDecoder::default(), LOG, &cuts), collect(XesDecoder::default(), LOG));
    }

    #[test]
    fn values_are_those_that_another_reader_finds(values in prop::collection::vec("[a<>&'\"\u{e9} ]{0,5}", 1..6)) {
        let escaped = |value: &String| quick_xml::escape::escape(value.as_str()).into_owned();
        let attributes: String = values.iter().enumerate().map(|(at, value)| format!("<string key='k{at}' value=\"{}\"/>\n", escaped(value))).collect();
        let text = format!("<log><trace><event><id key='concept:name' value='e'/>{attributes}</event></trace></log>");
        let outcome = collect(decoder(Naming::Constant("e".into()), &[]), &text);
        prop_assert_eq!(&outcome.fault, &None);
        let crate::format::testing::Seen::Event { fields, .. } = &outcome.seen[0] else { panic!("an event") };
        let found: Vec<String> = fields.iter().skip(1).map(|(_, value)| value.clone()).collect();
        prop_assert_eq!(found, by_quick_xml(&text));
    }
}
