//! Records are what a naive evaluation of paths over the whole document finds, wherever blocks end.

use proptest::prelude::*;
use referee_testing::properties;
use serde_json::Value;

use super::super::path::{JsonPath, Step};
use crate::format::decode::decoder::Decoder;
use crate::format::input::{InputRule, Naming};
use crate::format::json::decode::JsonDecoder;
use crate::format::testing::{Outcome, Seen, collect, collect_cut};

fn rule(records: Option<&str>, fields: &[&str]) -> InputRule {
    InputRule {
        naming: Naming::Constant("r".into()),
        records: records.map(Box::from),
        fields: fields.iter().map(|&field| field.into()).collect(),
        only_named: true,
        ..InputRule::default()
    }
}

fn read(rule: &InputRule, text: &str) -> Outcome {
    let whole = collect(JsonDecoder::new(rule), text);
    for cut in 0..text.len() {
        assert_eq!(collect_cut(JsonDecoder::new(rule), text, &[cut]), whole, "cut at {cut} of {text}");
    }
    let everywhere: Vec<usize> = (0..text.len()).collect();
    assert_eq!(collect_cut(JsonDecoder::new(rule), text, &everywhere), whole, "cut everywhere: {text}");
    whole
}

#[test]
fn fields_are_found_by_path() {
    let fields = ["user.name", "spec.containers[1].image", "/a.b/0", "x.y", "tags[k=v].n", "user"];
    let text = r#"
        {"user": {"id": 1, "name": "\u0061nn"}, "skip": [{"user": 1}], "spec": {"containers": [{}, {"image": "i"}]}}
        {"a.b": ["z"], "x.y": true, "tags": [{"k": "u", "n": 1}, {"n": 2, "k": "v"}, {"k": "v", "n": 3}], "user": null},
        [{"user": {"name": null}}, {}]"#;
    let expected = [
        "r(user.name=ann,spec.containers[1].image=i,user={\"id\": 1, \"name\": \"\\u0061nn\"})",
        "r(/a.b/0=z,x.y=true,tags[k=v].n=2)",
        "r(user={\"name\": null})",
        "r()",
    ];
    assert_eq!(read(&rule(None, &fields), text).shown(), expected);
}

#[test]
fn the_last_of_equal_keys_counts() {
    let fields = ["a.b", "c"];
    assert_eq!(read(&rule(None, &fields), r#"{"a": {"b": 1}, "c": 1, "c": 2, "a": {}}"#).shown(), ["r(c=2)"]);
    assert_eq!(read(&rule(None, &fields), r#"{"a": {"b": 1}, "c": 1, "c": null, "a": 7}"#).shown(), ["r()"]);
}

#[test]
fn records_are_found_inside_documents() {
    let fields = ["name", "$.source", "spans[].res.id", "spans[].list[].name"];
    let text = r#"{"source": "s", "spans": [
        {"res": {"id": "1"}, "list": [{"name": "a"}, {"x": [1, {}], "name": "b"}]},
        {"list": [{"name": "c"}], "more": [[]]}, {"list": []}, {"list": null}], "z": 1}
        {"spans": [{"res": {"id": "2"}, "list": [{}]}]}"#;
    let expected = [
        "r(name=a,$.source=s,spans[].res.id=1,spans[].list[].name=a)",
        "r(name=b,$.source=s,spans[].res.id=1,spans[].list[].name=b)",
        "r(name=c,$.source=s,spans[].list[].name=c)",
        "r(spans[].res.id=2)",
    ];
    assert_eq!(read(&rule(Some("spans[].list[]"), &fields), text).shown(), expected);
}

#[test]
fn a_field_may_name_the_events() {
    let naming = Naming::Field("verb".into());
    let named = InputRule { naming, ..rule(None, &["x"]) };
    assert_eq!(
        read(&named, r#"{"verb": "get", "x": 1}{"x": 2, "verb": "put"}{"verb": 3}"#).shown(),
        ["get(x=1)", "put(x=2)", "3()"]
    );
    let all = InputRule { only_named: false, ..named };
    assert_eq!(
        read(&all, r#"{"verb": "get", "a": {"b": [1, {"c.d": null, "e.f": "2"}]}}"#).shown(),
        ["get(a.b[0]=1,/a/b/1/e.f=2)"]
    );
}

#[test]
fn faults_have_their_place() {
    let fault = |rule: &InputRule, text: &str| {
        let outcome = read(rule, text);
        let (offset, message) = outcome.fault();
        (offset, message.to_owned())
    };
    let plain = rule(None, &["a"]);
    assert_eq!(fault(&plain, r#"{"a": 1 "b": 2}"#), (8, "expected , or }, found `\"`".to_owned()));
    assert_eq!(fault(&plain, r#"{"a": 01}"#).0, 6);
    assert_eq!(fault(&plain, r#"{"b": }"#), (6, "expected a value, found `}`".to_owned()));
    assert_eq!(fault(&plain, "7"), (0, "expected a record, which is an object, found `7`".to_owned()));
    assert_eq!(fault(&plain, r#"[{"a": 1},]"#).0, 10);
    let inside = rule(Some("R[]"), &["$.late"]);
    assert_eq!(
        fault(&inside, r#"{"R": [{}], "late": 1}"#),
        (12, "`late` stands behind the records, and the mapping names it for them".to_owned())
    );
    assert_eq!(fault(&inside, r#"{"R": {}}"#).0, 6);
    let named = InputRule { naming: Naming::Field("verb".into()), ..rule(None, &[]) };
    assert_eq!(
        fault(&named, r#" {"x": 1}"#),
        (1, "expected a record with `verb`, which names its event, found one without".to_owned())
    );
}

#[test]
fn wrong_paths_are_refused() {
    for (records, field, part) in [
        (None, "a..b", "is no path to a field: a key is missing"),
        (None, "a[].b", "its `[]` are not those of `records`"),
        (Some("R[]"), "$.R", "the records are inside it"),
        (Some("R"), "x", "`R` is no path to records"),
        (Some("R[0][]"), "x", "is no path to records"),
    ] {
        let outcome = collect(JsonDecoder::new(&rule(records, &[field])), "{}");
        assert!(outcome.fault().1.contains(part), "{outcome:?}");
    }
}

/// The value that a path names, by definition.
fn naive<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(value) };
    let next = match step {
        Step::Key(key) => value.as_object()?.get(&**key)?,
        Step::Index(index) => value.as_array()?.get(*index)?,
        Step::Token(key, index) => match value {
            Value::Object(members) => members.get(&**key)?,
            _ => value.as_array()?.get((*index)?)?,
        },
        Step::Entry(key, wanted) => value
            .as_array()?
            .iter()
            .filter(|element| element.get(&**key).and_then(text).is_some_and(|text| text == **wanted))
            .find(|element| naive(element, rest).is_some_and(|value| !value.is_null()))?,
        Step::Each => return None,
    };
    naive(next, rest)
}

/// The text of a value that is no object or array.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// White space, keys, texts and values as JSON, nasty ones among them.
fn json(depth: u32) -> impl Strategy<Value = String> {
    let string = prop::sample::select(vec![
        "\"\"",
        "\"a\"",
        "\"k\"",
        "\"v\"",
        "\"\\\"}]\"",
        "\"\\\\\"",
        "\"\\u0061\"",
        "\"\\ud83d\\ude00\"",
        "\"é{[\"",
        "\"a long text with , and : and { in it\"",
        "\"\\\\\\\"\"",
    ]);
    let literal = prop::sample::select(vec!["0", "-1", "12", "3.5", "true", "false", "null"]);
    let leaf = prop_oneof![string, literal].prop_map(str::to_owned);
    leaf.prop_recursive(depth, 40, 5, |inner| {
        let space = prop::sample::select(vec!["", " ", "\n  "]);
        let key = prop::sample::select(vec!["a", "b", "c", "k", "\\u0062", "é", "\\\"", "0", "long-key-of-a-record"]);
        let members = prop::collection::vec((key, inner.clone(), space.clone()), 0..6);
        let object = members.prop_map(|members| {
            let member =
                |(key, value, space): &(&str, String, &str)| format!("{space}\"{key}\"{space}:{space}{value}{space}");
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        });
        let elements = prop::collection::vec((inner, space), 0..4);
        let array = elements.prop_map(|elements| {
            let elements: Vec<String> =
                elements.iter().map(|(value, space)| format!("{space}{value}{space}")).collect();
            format!("[{}]", elements.join(","))
        });
        prop_oneof![3 => object, 1 => array]
    })
}

/// Records: objects.
fn record() -> impl Strategy<Value = String> {
    json(6).prop_filter("an object", |text| text.starts_with('{'))
}

const PATHS: [&str; 12] =
    ["a", "b", "a.b", "a.a", "b.c", "c[0]", "c[1].a", "/a/0", "/é", "b[k=v].a", "a.b.c", "long-key-of-a-record.k"];

/// What was read of a record, objects and arrays as values.
fn found(seen: &Seen) -> Vec<(String, String)> {
    match seen {
        Seen::Event { fields, .. } => fields.clone(),
        Seen::Point { .. } => Vec::new(),
    }
}

/// What should be read of a record.
fn expected(record: &Value) -> Vec<(&'static str, &Value)> {
    let value = |path: &'static str| {
        let steps = JsonPath::parse(path).expect("a path").steps;
        naive(record, &steps).filter(|value| !value.is_null()).map(|value| (path, value))
    };
    PATHS.into_iter().filter_map(value).collect()
}

fn same(found: &str, expected: &Value) -> bool {
    match text(expected) {
        Some(text) => text == found,
        None => serde_json::from_str::<Value>(found).is_ok_and(|value| value == *expected),
    }
}

proptest! {
    #![proptest_config(properties(512))]

    #[test]
    fn paths_find_what_they_name(records in prop::collection::vec(record(), 1..4), inside in any::<bool>(), cuts in prop::collection::vec(0usize..400, 0..5)) {
        let document = match inside {
            true => format!("{{\"x\": [1, {{}}], \"R\": [{}]}}", records.join(" , ")),
            false => records.join("\n"),
        };
        let rule = rule(inside.then_some("R[]"), &PATHS);
        let whole = collect(JsonDecoder::new(&rule), &document);
        prop_assert_eq!(&whole.fault, &None, "{}", document);
        prop_assert_eq!(&collect_cut(JsonDecoder::new(&rule), &document, &cuts), &whole);
        prop_assert_eq!(whole.seen.len(), records.len());
        for (seen, record) in whole.seen.iter().zip(&records) {
            let value: Value = serde_json::from_str(record).expect("well formed");
            let (found, expected) = (found(seen), expected(&value));
            let names = |fields: &[(String, String)]| fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            prop_assert_eq!(names(&found), expected.iter().map(|(path, _)| (*path).to_owned()).collect::<Vec<_>>(), "{}", record);
            for ((_, found), (path, expected)) in found.iter().zip(&expected) {
                prop_assert!(same(found, expected), "{path} of {record}: {found}");
            }
        }
    }

    #[test]
    fn all_fields_are_those_of_the_document(record in record(), cuts in prop::collection::vec(0usize..400, 0..5)) {
        let rule = InputRule { only_named: false, ..rule(None, &[]) };
        let whole = collect(JsonDecoder::new(&rule), &record);
        prop_assert_eq!(&collect_cut(JsonDecoder::new(&rule), &record, &cuts), &whole);
        let value: Value = serde_json::from_str(&record).expect("well formed");
        // Objects that say something twice are refused, or have fields that a tree has not.
        if whole.fault.is_none() {
            for (path, found) in found(&whole.seen[0]) {
                let steps = JsonPath::parse(&path).expect("a path").steps;
                let expected = naive(&value, &steps);
                prop_assert!(record.matches(':').count() > leaves(&value) || expected.is_some_and(|value| same(&found, value)), "{path} of {record}: {found}");
            }
        }
    }

    #[test]
    fn no_text_panics(text in "[\\[\\]{}\":,a0\\\\ u]{0,40}") {
        for rule in [rule(None, &["a", "a.a[0]"]), rule(Some("a[]"), &["$.b", "a"])] {
            read(&rule, &text);
            read(&InputRule { only_named: false, ..rule }, &text);
        }
    }
}

/// How many members a value has, at all levels.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.len() + members.values().map(leaves).sum::<usize>(),
        Value::Array(elements) => elements.iter().map(leaves).sum(),
        _ => 0,
    }
}
