use proptest::prelude::*;
use referee_testing::properties;
use serde_json::Value;

use super::JsonDecoder;
use crate::format::testing::{Outcome, Seen, collect, collect_cut};

/// What is read of a text.
fn read(text: &str) -> Vec<String> {
    collect(JsonDecoder::default(), text).shown()
}

/// What is read of an event with one field of this value.
fn value(written: &str) -> String {
    let shown = read(&format!("{{\"a\": {{\"f\": {written}}}}}"));
    assert_eq!(shown.len(), 1, "one event");
    shown[0].strip_prefix("a(f=").and_then(|rest| rest.strip_suffix(")")).expect("one field").to_owned()
}

/// Asserts that a text is refused at the offset of `¦`, with a message and a hint that contain these words.
#[track_caller]
fn refuses(marked: &str, message: &str, hint: &str) {
    let offset = marked.find('¦').expect("the place of the fault is marked");
    let text = marked.replace('¦', "");
    let outcome = collect(JsonDecoder::default(), &text);
    let (at, found) = outcome.fault();
    assert!(found.contains(message), "{found:?} should say {message:?}");
    let advice = outcome.fault.as_ref().and_then(|fault| fault.hint.as_deref()).unwrap_or_default();
    assert!(advice.contains(hint), "{advice:?} should say {hint:?}");
    assert_eq!(at, offset, "the place of {found:?}");
    for cut in 0..=text.len() {
        assert_eq!(collect_cut(JsonDecoder::default(), &text, &[cut]), outcome, "cut at {cut}");
    }
}

/// Refuses this value of a field.
#[track_caller]
fn refuses_value(marked: &str, message: &str, hint: &str) {
    refuses(&format!("{{\"a\": {{\"f\": {marked}}}}}"), message, hint);
}

const EXPECTED: [&str; 3] = ["open(file=x,mode=r)", "close(file=x)", "tick()"];

#[test]
fn reads_an_array() {
    let text = r#"[{"open": {"file": "x", "mode": "r"}}, {"close": {"file": "x"}}, {"tick": {}}]"#;
    assert_eq!(read(text), EXPECTED);
    assert_eq!(read(&format!("\n {text} \r\n")), EXPECTED);
    assert_eq!(read(r#"[{"event": "a", "f": 1}, {"b": {}, "c": {}}]"#), ["a(f=1)", "b()", "c()"]);
}

#[test]
fn reads_a_sequence_with_any_separators() {
    for separator in ["\n", "", ",", " ,\r\n", "\n\n"] {
        let text = [r#"{"open": {"file": "x", "mode": "r"}}"#, r#"{"close": {"file": "x"}}"#, r#"{ "tick" : { } }"#];
        assert_eq!(read(&text.join(separator)), EXPECTED, "{separator:?}");
    }
}

#[test]
fn reads_one_object_whose_keys_repeat() {
    assert_eq!(
        read(r#"{"a": {"f": 1}, "b": {}, "a": {"f": 2}, "a": {"f": 3}}"#),
        ["a(f=1)", "b()", "a(f=2)", "a(f=3)"]
    );
}

#[test]
fn reads_names_without_quotes_or_outer_braces() {
    let text = "open: { file: \"x\", mode: \"r\" }\nclose: { file: \"x\" }\ntick: {}";
    assert_eq!(read(text), EXPECTED);
    assert_eq!(read(&text.replace("}\n", "},\n")), EXPECTED);
    assert_eq!(read("\"a b\": {\"c d\": 1} $e.f-1: {été_: true}"), ["a b(c d=1)", "$e.f-1(été_=true)"]);
    assert_eq!(read("a: {f: 1} {\"b\": {}} {event: \"c\"} a: {f: 2}"), ["a(f=1)", "b()", "c()", "a(f=2)"]);
}

#[test]
fn reads_flat_objects() {
    let open = r#"{"event": "open", "file": "x", "mode": "r"}"#;
    let text = [open, r#"{"file": "x", "event": "close"}"#, r#"{"event": "tick"}"#].join("\n");
    assert_eq!(read(&text), EXPECTED);
    let lines: String = (0..4).map(|n| format!("{{\"ts\": {n}, \"event\": \"a\", \"f\": \"{n}\"}}\n")).collect();
    assert_eq!(read(&lines), ["a(ts=0,f=0)", "a(ts=1,f=1)", "a(ts=2,f=2)", "a(ts=3,f=3)"]);
}

#[test]
fn an_event_may_be_called_event() {
    assert_eq!(
        read(r#"{"event": {"f": 1}} {"event": {"event": 2}} {"event": "event"}"#),
        ["event(f=1)", "event(event=2)", "event()"]
    );
}

#[test]
fn empty_texts_are_empty_traces() {
    for text in ["", " \n\t\r", "[]", " [ ] "] {
        assert_eq!(read(text), Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn scalars_are_read() {
    assert_eq!(value("\"\""), "");
    assert_eq!(value("true"), "true");
    assert_eq!(value("false"), "false");
    for number in ["0", "-0", "12", "-1.50", "0.1", "1e5", "1E+05", "-2.5e-7", "123456789012345678901234567890"] {
        assert_eq!(value(number), number);
    }
}

#[test]
fn null_is_an_absent_field() {
    assert_eq!(
        read(r#"{"a": {"f": null, "g": 1}} {"a": {"f": 2, "g": null}} {"a": {"f": null}}"#),
        ["a(g=1)", "a(f=2)", "a()"]
    );
    assert_eq!(read(r#"{"x": null, "event": "a", "f": null}"#), ["a()"]);
}

#[test]
fn escapes_are_replaced() {
    assert_eq!(value(r#""\"\\\/\b\f\n\r\t""#), "\"\\/\u{8}\u{c}\n\r\t");
    assert_eq!(value(r#""\u0041\u00e9\u20AC""#), "Aé€");
    assert_eq!(value(r#""x\uD83D\uDE00y""#), "x\u{1F600}y");
    assert_eq!(value(r#""\u0000""#), "\0");
    assert_eq!(value("\"\u{7f}€\u{1F600}\""), "\u{7f}€\u{1F600}");
    assert_eq!(
        read(r#"{"\u0061": {"\u0066": "1"}} {"a": {"f": "2"}} {"\u0065vent": "a", "f": "3"}"#),
        ["a(f=1)", "a(f=2)", "a(f=3)"]
    );
}

#[test]
fn kinds_of_values_may_change() {
    let values = ["1", "\"1\"", "true", "\"x\\ty\"", "-2.5", "\"z\""];
    let text: String = values.iter().map(|value| format!("{{\"a\": {{\"f\": {value}}}}}")).collect();
    assert_eq!(read(&text), ["a(f=1)", "a(f=1)", "a(f=true)", "a(f=x\ty)", "a(f=-2.5)", "a(f=z)"]);
}

#[test]
fn nested_values_are_refused() {
    refuses_value("¦{\"g\": 1}", "found an object", "scalars");
    refuses_value("¦[1, 2]", "found an array", "scalars");
    refuses("{\"event\": \"a\", \"f\": ¦{}}", "found an object", "scalars");
    refuses("[¦[]]", "expected an object or ]", "{\"name\"");
    refuses("{\"a\": {}, \"b\": ¦1}", "expected {", "name: {field");
}

#[test]
fn depth_is_refused_at_once() {
    for bomb in
        ["[".repeat(1_000_000), "{\"a\":".repeat(200_000), format!("{{\"a\": {{\"f\": {}", "[".repeat(1_000_000))]
    {
        let (at, _) = collect(JsonDecoder::default(), &bomb).fault().to_owned();
        assert!(at < 20, "refused at {at}");
    }
}

#[test]
fn objects_must_hold_events() {
    refuses("¦{}", "found an empty object", "{\"name\": {}}");
    refuses("[{\"a\": {}}, ¦{ }]", "found an empty object", "{\"name\": {}}");
    refuses("{\"a\": {}}¦{\"f\": 1, \"g\": \"x\"}", "expected a key `event`", "{\"event\"");
    refuses("{\"event\": ¦1}", "expected the name of an event in quotes", "\"event\": \"name\"");
    refuses("{\"event\": ¦null}", "expected the name of an event in quotes", "\"event\": \"name\"");
    refuses("{\"event\": ¦\"\"}", "expected the name of an event in quotes", "\"event\": \"name\"");
    refuses("{\"event\": \"a\", ¦\"event\": \"b\"}", "expected one key `event`", "one event");
    refuses("{¦\"\": {}}", "expected a name", "not empty");
    refuses("{\"a\": {¦\"\": 1}}", "expected a name", "not empty");
}

#[test]
fn fields_have_different_names() {
    refuses("{\"a\": {\"f\": 1, ¦\"f\": 1}}", "event `a` has two fields `f`", "different names");
    refuses("{\"f\": 1, ¦\"f\": 1, \"event\": \"a\"}", "event `a` has two fields `f`", "different names");
    refuses("{\"a\": {\"f\": 1, ¦\"\\u0066\": null}}", "event `a` has two fields `f`", "different names");
}

#[test]
fn strings_are_strict() {
    refuses_value("\"a¦\n\"", "expected the closing quote of a string, found the end of the line", "\\n");
    refuses_value("\"a¦\t\"", "U+0009", "\\t");
    refuses_value("\"a¦\0\"", "U+0000", "\\u0000");
    refuses_value("\"\\¦x\"", "after \\", "\\\\");
    refuses_value("\"\\u00¦g0\"", "four hexadecimal digits", "\\u00e9");
    refuses_value("\"\\u¦+123\"", "four hexadecimal digits", "\\u00e9");
    refuses_value("\"x¦\\uD800\"", "half of one", "both halves");
    refuses_value("\"¦\\uDC00\"", "half of one", "both halves");
    refuses_value("\"¦\\uD800\\u0041\"", "half of one", "both halves");
    refuses_value("\"¦\\uD800\\n\"", "half of one", "both halves");
    refuses_value("¦'x'", "expected a value, found `'`", "double quotes");
    refuses("{\"a\": {\"f\": \"x¦", "expected the closing quote of a string, found the end", "incomplete");
}

#[test]
fn numbers_are_strict() {
    refuses_value("¦01", "leading zeros", "quotes");
    refuses_value("¦-00", "leading zeros", "quotes");
    refuses_value("1.¦", "expected a digit, found `}`", "-12.5e3");
    refuses_value("-¦x", "expected a digit, found `x`", "-12.5e3");
    refuses_value("1e¦x", "expected a digit, found `x`", "-12.5e3");
    refuses_value("1e+¦,", "expected a digit, found `,`", "-12.5e3");
    refuses_value("¦+1", "expected a value, found `+`", "double quotes");
    refuses_value("¦.5", "expected a value, found `.`", "double quotes");
    refuses_value("1¦x", "expected , or }, found `x`", "quotes");
    refuses_value("true¦x", "expected , or }, found `x`", "quotes");
    refuses_value("¦tru", "expected a value, found `t`", "double quotes");
    refuses_value("¦NaN", "expected a value, found `N`", "double quotes");
    refuses_value("¦word", "expected a value, found `w`", "double quotes");
}

#[test]
fn punctuation_is_strict() {
    refuses("{\"a\": {\"f\": 1, ¦}}", "expected a name in quotes, found `}`", "remove the comma");
    refuses("{\"a\": {\"f\": 1 ¦\"g\": 2}}", "expected , or }", "commas");
    refuses("{\"a\": {\"f\" ¦1}}", "expected : after the name", "\"name\": value");
    refuses("{\"a\": {\"f\": ¦}}", "expected a value", "double quotes");
    refuses("{\"a\": {¦,}}", "expected a name in quotes", "\"name\": value");
    refuses("{\"a\": {¦1: 2}}", "expected a name in quotes", "\"name\": value");
    refuses("{\"a\" ¦{}}", "expected : after the name", "\"name\": value");
    refuses("{\"a\": {}, ¦}", "the name of an event after the comma, found `}`", "remove the comma");
    refuses("{\"a\": {}, ¦{\"b\": {}}}", "the name of an event after the comma", "{\"name\"");
    refuses("{\"a\": {} ¦\"b\": {}}", "expected , or }", "commas");
    refuses("{\"a\": {}¦]", "expected , or }", "close it with }");
    refuses("[{\"a\": {}}, ¦]", "expected an object after the comma", "remove the comma");
    refuses("[{\"a\": {}} ¦{\"b\": {}}]", "expected , or ]", "commas");
    refuses("[{\"a\": {}} ¦\"b\": {}]", "expected , or ]", "commas");
    refuses("[¦\"a\": {}]", "expected an object or ]", "{\"name\"");
    refuses("[¦,{\"a\": {}}]", "expected an object or ]", "{\"name\"");
    refuses("[{\"a\": {}}, ¦\"b\": {}]", "expected an object after the comma", "{\"name\"");
    refuses("[{\"a\": {}}]¦]", "expected the end of the file", "nothing may follow");
    refuses("[]\n¦{\"a\": {}}", "expected the end of the file", "nothing may follow");
    refuses("¦,{\"a\": {}}", "expected an event", "{\"name\"");
    refuses("{\"a\": {}},¦,", "expected an event after the comma", "{\"name\"");
    refuses("{\"a\": {}}, ¦", "an event after the comma, found the end of the file", "incomplete");
    refuses("{\"a\": {}} ¦]", "expected an event or a comma", "{\"name\"");
    refuses("{\"a\": {}} ¦[]", "expected an event or a comma", "{\"name\"");
    refuses("¦42", "expected an event, found `4`", "{\"name\"");
    refuses("\"a\"¦", "expected :, found the end of the file", "incomplete");
    refuses("a: ¦1", "expected {", "name: {field");
}

#[test]
fn truncated_texts_are_refused() {
    for text in [
        r#"[{"a": {"f": "\u00e9\n", "g": -1.5e3, "h": true}}, {"b": {}}]"#,
        r#"{"event": "a", "f": null}"#,
        r#"{"a": {"f": 1}, "b": {}}"#,
        "abc: {f: false}",
    ] {
        for end in (1..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let truncated = &text[..end];
            let outcome = collect(JsonDecoder::default(), truncated);
            let (at, message) = outcome.fault();
            assert_eq!(at, end, "{truncated}");
            assert!(message.ends_with("found the end of the file"), "{truncated}: {message}");
        }
    }
}

#[test]
fn a_fault_in_an_event_like_earlier_ones_is_found() {
    let lines = "{\"a\": {\"f\": 1}}\n{\"a\": {\"f\": 2}}\n";
    refuses(&format!("{lines}{{\"a\": {{\"f\": ¦03}}}}"), "leading zeros", "");
    refuses(&format!("{lines}{{\"a\": {{\"f\": 3}}, ¦{{\"a\": {{\"f\": 4}}}}}}"), "the name of an event", "");
    refuses(&format!("{lines}{{\"a\": {{\"f\": 3}}\n¦{{\"a\": {{\"f\": 4}}}}"), "expected , or }", "");
    refuses("{\"a\": {}, \"a\": {}, \"a\": {}}\n\"a\": {}\n\"a\": {}¦}", "an event or a comma", "");
    refuses("[{\"a\": {}, \"a\": {}}, ¦\"a\": {}]", "an object after the comma", "");
}

/// How a document writes its events.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Array,
    Lines,
    Commas,
    OneObject,
    Bare,
    Flat,
}

type Written = (String, Vec<(String, Value)>);

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => "[a-z0-9 /é]{0,12}".prop_map(Value::from),
        1 => "[\\x00-\\x20\"\\\\a€\u{1F600}]{0,8}".prop_map(Value::from),
        2 => any::<i64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn events_to_write() -> impl Strategy<Value = Vec<Written>> {
    let fields = prop::collection::vec(scalar(), 0..4);
    let name = prop::sample::select(vec!["open", "event", "a_very_long_name"]);
    let event = (name, fields).prop_map(|(name, fields)| {
        (name.to_owned(), fields.into_iter().enumerate().map(|(n, value)| (format!("f{n}"), value)).collect())
    });
    prop::collection::vec(event, 0..20)
}

fn shape() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![Shape::Array, Shape::Lines, Shape::Commas, Shape::OneObject, Shape::Bare, Shape::Flat])
}

fn write(events: &[Written], shape: Shape, space: &str) -> String {
    let fields = |fields: &[(String, Value)], quote: &str| {
        let all: Vec<String> =
            fields.iter().map(|(name, value)| format!("{quote}{name}{quote}:{space}{value}")).collect();
        all.join(&format!("{space},"))
    };
    let member = |(name, pairs): &Written| format!("\"{name}\":{space}{{{}{space}}}", fields(pairs, "\""));
    let flat = |(name, pairs): &Written| {
        let all = fields(pairs, "\"");
        let comma = if all.is_empty() { "" } else { "," };
        format!("{{{all}{comma}\"event\":{space}\"{name}\"}}")
    };
    let bare = |(name, pairs): &Written| format!("{name}{space}: {{{}}}", fields(pairs, ""));
    let object = |event: &Written| format!("{{{space}{}}}", member(event));
    let all = |one: &dyn Fn(&Written) -> String, separator: &str| {
        events.iter().map(one).collect::<Vec<String>>().join(separator)
    };
    match shape {
        Shape::Array => format!("[{}]", all(&object, &format!(",{space}"))),
        Shape::Lines => all(&object, "\n"),
        Shape::Commas => all(&object, ","),
        Shape::OneObject if events.is_empty() => String::new(),
        Shape::OneObject => format!("{{{}}}", all(&member, &format!("{space},"))),
        Shape::Bare => all(&bare, "\n"),
        Shape::Flat => all(&flat, "\n"),
    }
}

/// What serde_json finds in a document of one of the shapes that it can read without losing anything.
fn oracle(document: &str, shape: Shape) -> Option<Vec<Written>> {
    let values: Vec<Value> = match shape {
        Shape::Array => serde_json::from_str(document).expect("a proper array"),
        Shape::Lines => document.lines().map(|line| serde_json::from_str(line).expect("a proper line")).collect(),
        _ => return None,
    };
    let event = |value: Value| {
        let (name, fields) = value.as_object().and_then(|object| object.iter().next()).expect("one event");
        let fields = fields.as_object().expect("fields");
        (name.clone(), fields.iter().map(|(field, value)| (field.clone(), value.clone())).collect())
    };
    Some(values.into_iter().map(event).collect())
}

/// Events as they are handed over: numbers and booleans as text, no fields that are null.
fn handed_over(events: Vec<Written>) -> Vec<(String, Vec<(String, String)>)> {
    let text = |(name, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name, text)),
        other => Some((name, other.to_string())),
    };
    events.into_iter().map(|(name, fields)| (name, fields.into_iter().filter_map(text).collect())).collect()
}

fn events(outcome: Outcome) -> Vec<(String, Vec<(String, String)>)> {
    assert_eq!(outcome.fault, None);
    let event = |seen| match seen {
        Seen::Event { name, fields, .. } => (name, fields),
        Seen::Point { .. } => unreachable!("JSON has no explicit points"),
    };
    outcome.seen.into_iter().map(event).collect()
}

fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", " ", "\r\n\t"])
}

/// What a character of a document is replaced by.
fn damage() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "\"", "{", "}", "[", "]", ",", ":", "\\", "\\u", "\n", "0", "-", ".", "e", "\0"])
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn agrees_with_what_was_written_and_with_serde(written in events_to_write(), shape in shape(), space in space()) {
        let document = write(&written, shape, if matches!(shape, Shape::Lines) { "" } else { space });
        let found = events(collect(JsonDecoder::default(), &document));
        if let Some(expected) = oracle(&document, shape) {
            prop_assert_eq!(&found, &handed_over(expected));
        }
        prop_assert_eq!(found, handed_over(written));
    }

    #[test]
    fn blocks_may_end_anywhere(
        written in events_to_write(), shape in shape(), space in space(),
        cuts in prop::collection::vec(0usize..800, 0..20),
    ) {
        let document = write(&written, shape, space);
        prop_assert_eq!(collect_cut(JsonDecoder::default(), &document, &cuts), collect(JsonDecoder::default(), &document));
    }

    #[test]
    fn damaged_documents_are_read_alike_in_all_blocks(
        written in events_to_write(), shape in shape(), space in space(),
        at in any::<prop::sample::Index>(),
        damage in damage(),
        cuts in prop::collection::vec(0usize..800, 0..20),
    ) {
        let mut damaged: Vec<char> = write(&written, shape, space).chars().chain([' ']).collect();
        let at = at.index(damaged.len());
        damaged.splice(at..=at, damage.chars());
        let damaged: String = damaged.into_iter().collect();
        prop_assert_eq!(collect_cut(JsonDecoder::default(), &damaged, &cuts), collect(JsonDecoder::default(), &damaged));
    }

    #[test]
    fn what_serde_refuses_in_an_array_is_refused(
        written in events_to_write(),
        at in any::<prop::sample::Index>(),
        damage in damage(),
    ) {
        let mut damaged: Vec<char> = write(&written, Shape::Array, "").chars().collect();
        let at = at.index(damaged.len());
        damaged.splice(at..=at, damage.chars());
        let damaged: String = damaged.into_iter().collect();
        // Names without quotes and texts that are no array any more are ours alone.
        prop_assume!(damaged.trim_start().starts_with('['));
        if collect(JsonDecoder::default(), &damaged).fault.is_none() {
            let strict = serde_json::from_str::<serde::de::IgnoredAny>(&damaged);
            prop_assert!(strict.is_ok(), "{} is read although {:?}", damaged, strict);
        }
    }
}
