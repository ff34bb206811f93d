use proptest::prelude::*;
use referee_testing::properties;

use super::LogfmtDecoder;
use crate::format::testing::{Seen, collect, collect_cut};

fn shown(text: &str) -> Vec<String> {
    collect(LogfmtDecoder::default(), text).shown()
}

fn fault(text: &str) -> (usize, String) {
    let outcome = collect(LogfmtDecoder::default(), text);
    let (offset, message) = outcome.fault();
    (offset, message.to_owned())
}

#[test]
fn names_and_fields() {
    let text = "event=login user=ann ts=3\n  user=bob\tevent=login\r\n\nevent=tick\n";
    assert_eq!(shown(text), ["login(user=ann,ts=3)", "login(user=bob)", "tick()"]);
}

#[test]
fn quotes_and_escapes() {
    let text = r#"event="a b" msg="x \"y\" \n\t\\ \u00e9" empty="" none= url=/s?q=1&r=2"#;
    assert_eq!(shown(text), ["a b(msg=x \"y\" \n\t\\ é,empty=,none=,url=/s?q=1&r=2)"]);
}

#[test]
fn a_key_alone_is_true() {
    assert_eq!(shown("event=a cached x=1"), ["a(cached=true,x=1)"]);
    assert_eq!(shown("cached event=a"), ["a(cached=true)"]);
}

#[test]
fn comments_and_blank_lines_are_left_out() {
    assert_eq!(shown("# event=a\n\n \t\r\n  # x\nevent=b\n"), ["b()"]);
    assert_eq!(shown(""), [""; 0]);
    assert_eq!(shown("event=b"), ["b()"], "the last line needs no end");
}

#[test]
fn an_event_starts_where_its_line_does() {
    let outcome = collect(LogfmtDecoder::default(), "# é\n  x=1 event=a\nevent=b\n");
    let offsets: Vec<usize> = outcome
        .seen
        .iter()
        .map(|seen| match seen {
            Seen::Event { offset, .. } | Seen::Point { offset, .. } => *offset,
        })
        .collect();
    assert_eq!(offsets, [7, 19]);
}

#[test]
fn faults() {
    assert_eq!(fault("x=1\n"), (0, "expected a pair `event=NAME`, found none in `x=1`".into()));
    assert_eq!(fault("event=a\n x=1 event=\n").0, 13);
    assert_eq!(fault("x=1 event\n").0, 4);
    assert_eq!(fault("event=a =1\n"), (8, "expected a key, found `=`".into()));
    assert_eq!(fault("event=a x=1 x=2\n"), (12, "event `a` has two fields `x`".into()));
    assert_eq!(fault("event=a event=b\n"), (8, "the line has two keys `event`".into()));
    assert_eq!(fault("event=a x=5\"\n"), (11, "expected a key or a value without quotes, found `\"`".into()));
    assert_eq!(fault("event=a \"x\"=1\n").0, 8);
    assert_eq!(
        fault("event=a x=\"b\nevent=c\n"),
        (12, "expected the closing quote of a string, found the end of the line".into())
    );
    assert_eq!(fault("event=a x=\"b\"c\n"), (13, "expected a blank behind a closing quote, found `c`".into()));
    assert_eq!(fault("event=a x=\"\\q\"\n").0, 12);
    assert!(fault(&format!("x={}\n", "é".repeat(1000))).1.len() < 200, "a long line is not repeated in full");
}

/// The events of a text that a naive reader finds; nothing where something is wrong.
fn naive(text: &str) -> Option<Vec<String>> {
    let mut events = Vec::new();
    for line in text.split('\n') {
        let line = line.trim_matches([' ', '\t', '\r']);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (mut name, mut fields, mut rest) = (None, Vec::<(String, String)>::new(), line);
        while !rest.is_empty() {
            let (key, value, behind) = naive_pair(rest)?;
            match key.as_str() {
                "event" if name.is_some() => return None,
                "event" => name = Some(value.filter(|value| !value.is_empty())?),
                _ if fields.iter().any(|(known, _)| *known == key) => return None,
                _ => fields.push((key, value.unwrap_or_else(|| "true".to_owned()))),
            }
            rest = behind.trim_start_matches([' ', '\t', '\r']);
        }
        let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={value}")).collect();
        events.push(format!("{}({})", name?, fields.join(",")));
    }
    Some(events)
}

fn naive_pair(text: &str) -> Option<(String, Option<String>, &str)> {
    let is_blank = |letter: char| [' ', '\t', '\r'].contains(&letter);
    let end = text.find(|letter| is_blank(letter) || letter == '=').unwrap_or(text.len());
    let (key, rest) = text.split_at(end);
    if key.is_empty() || key.contains('"') {
        return None;
    }
    let Some(value) = rest.strip_prefix('=') else { return Some((key.to_owned(), None, rest)) };
    if !value.starts_with('"') {
        let end = value.find(is_blank).unwrap_or(value.len());
        let (value, rest) = value.split_at(end);
        return (!value.contains('"')).then(|| (key.to_owned(), Some(value.to_owned()), rest));
    }
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<String>();
    let read = values.next()?.ok()?;
    let rest = &value[values.byte_offset()..];
    (rest.is_empty() || rest.starts_with(is_blank)).then(|| (key.to_owned(), Some(read), rest))
}

/// Lines that are right more often than not.
fn text() -> impl Strategy<Value = String> {
    let value =
        prop_oneof![4 => "[a-c0-9=/]{0,3}", 2 => "\"([a-c =é]|\\\\n|\\\\\"|\\\\u00e9){0,4}\"", 1 => "[a\"\\\\ ]{0,3}"];
    let pair = prop_oneof![
        6 => ("[a-d]{1,2}", value).prop_map(|(key, value)| format!("{key}={value}")),
        1 => "[a-d]{1,2}",
        1 => "[=\"#\r\t]",
    ];
    let line = (prop::collection::vec(pair, 0..4), "( event=[ab]{1,2}){0,2}| event=[ab]{1,9}", "[ \r\t]?\n?")
        .prop_map(|(pairs, event, end)| format!("{}{event}{end}", pairs.join(" ")));
    prop::collection::vec(line, 0..6).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn a_naive_reader_finds_the_same(text in text()) {
        let outcome = collect(LogfmtDecoder::default(), &text);
        let found = outcome.fault.is_none().then(|| outcome.shown());
        prop_assert_eq!(found, naive(&text), "{:?}", outcome.fault);
    }

    #[test]
    fn cuts_change_nothing(text in text(), cuts in prop::collection::vec(0..60usize, 0..6)) {
        prop_assert_eq!(collect_cut(LogfmtDecoder::default(), &text, &cuts), collect(LogfmtDecoder::default(), &text));
    }
}

#[test]
fn a_text_may_be_cut_everywhere() {
    let text = "# c\nevent=a x=\"b \\\"é\\\" c\" y\r\n\nz=1 event=\"d e\"";
    let whole = collect(LogfmtDecoder::default(), text);
    for cut in 0..=text.len() {
        assert_eq!(collect_cut(LogfmtDecoder::default(), text, &[cut]), whole, "cut at {cut}");
    }
}
