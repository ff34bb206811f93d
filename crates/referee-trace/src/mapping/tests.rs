use super::*;
use crate::value::Type;

fn mapping(text: &str) -> Mapping {
    Mapping::parse(text, "map.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    match Mapping::parse(text, "map.toml") {
        Ok(mapping) => panic!("{mapping:?} should be refused"),
        Err(error) => error.to_string(),
    }
}

fn arguments(list: &str) -> Vec<(String, String, Option<Type>)> {
    let mapping = mapping(&format!("[[event]]\nfrom = 'a'\nargs = {list}"));
    let rules = mapping.entries[0].arguments.clone().unwrap_or_default();
    rules.into_iter().map(|rule| (rule.name.into(), rule.field.into(), rule.declared)).collect()
}

#[test]
fn an_empty_file_is_the_identity() {
    assert_eq!(mapping(""), Mapping::default());
    assert_eq!(mapping("# nothing\n").unit(), Unit::Second);
}

#[test]
fn the_manual_s_example_is_read() {
    let mapping = mapping(
        r#"
        time  = { field = "Timestamp", unit = "ms" }
        split = "log"
        drop-others = true
        [[event]]
        from = "invcheckaccess"
        when = 'EventType = "start"'
        to   = "{name}_{EventType}"
        args = ["customer", "total = amount:int"]
        [[event]]
        from = "*"
        "#,
    );
    assert_eq!(mapping.unit(), Unit::Millisecond);
    assert_eq!(mapping.split.as_deref(), Some("log"));
    assert!(mapping.drop_others);
    assert_eq!(mapping.entries.len(), 2);
    assert_eq!(mapping.entries[0].from.as_deref(), Some("invcheckaccess"));
    assert!(mapping.entries[0].when.is_some());
    assert_eq!((&mapping.entries[1].from, &mapping.entries[1].arguments), (&None, &None));
    assert_eq!(mapping.entries[1].to, Template::unchanged());
}

#[test]
fn arguments_are_selected_renamed_and_typed() {
    let argument = |name: &str, field: &str, declared| (name.to_owned(), field.to_owned(), declared);
    assert_eq!(arguments("[]"), []);
    assert_eq!(arguments("['b', 'a']"), [argument("b", "b", None), argument("a", "a", None)]);
    assert_eq!(arguments("['x:int']"), [argument("x", "x", Some(Type::Integer))]);
    assert_eq!(arguments("['n = x']"), [argument("n", "x", None)]);
    assert_eq!(arguments("['n=x : bool']"), [argument("n", "x", Some(Type::Boolean))]);
    assert_eq!(arguments("['concept:name']"), [argument("concept:name", "concept:name", None)]);
}

#[test]
fn built_in_mappings_are_read() {
    for name in Mapping::built_in_names() {
        assert!(Mapping::load(name).is_ok_and(|mapping| mapping != Mapping::default()), "{name}");
    }
    assert_eq!(Mapping::load("stepr").map(|mapping| mapping.unit()), Ok(Unit::Millisecond));
}

#[test]
fn times_are_exact_numbers_of_the_unit() {
    let read = |unit: &str, text: &str| {
        let mapping = mapping(&format!("time = {{ field = 't', unit = '{unit}', format = 'rfc3339' }}"));
        mapping.time.and_then(|time| time.read(text)).map(|time| time.to_string())
    };
    assert_eq!(read("s", "1970-01-01T00:00:01.5Z").as_deref(), Some("1.5"));
    assert_eq!(read("ms", "1970-01-01T01:00:00.000000001+01:00").as_deref(), Some("0.000001"));
    assert_eq!(read("d", "1969-12-31T12:00:00Z").as_deref(), Some("-0.5"));
    assert_eq!(read("ns", "2500-01-01T00:00:00Z").as_deref(), Some("16725225600000000000"));
    assert_eq!(read("s", "yesterday"), None);
}

#[test]
fn errors_name_the_place_and_what_is_allowed() {
    for (text, expected) in [
        (
            "tiem = { field = 't' }",
            "map.toml:1:1: unknown field `tiem`, expected one of `time`, `split`, `drop-others`, `event`\n  hint: did you mean `time`?",
        ),
        (
            "time = { field = 't', unit = 'sec' }",
            "map.toml:1:30: unknown unit `sec`, expected one of ns, us, ms, s, m, h, d",
        ),
        (
            "time = { field = 't', format = 'rfc3393' }",
            "map.toml:1:32: unknown time format `rfc3393`, expected one of rfc3339, number\n  hint: did you mean `rfc3339`?",
        ),
        (
            "[[event]]\nfrom = 'é'\nwhen = 'x == and'",
            "map.toml:3:14: in the condition: expected a field, a number or a text in quotes, found `and`",
        ),
        ("[[event]]\nfrom = 'a'\nto = 'b{'", "map.toml:3:8: expected a field and `}` after `{`"),
        (
            "[[event]]\nfrom = 'a'\nargs = ['x', 'y:itn']",
            "map.toml:3:14: unknown type `itn`, expected one of int, float, string, bool\n  hint: did you mean `int`?",
        ),
        (
            "[[event]]\nfrom = 'a'\nargs = ['= x']",
            "map.toml:3:9: `= x` names no field\n  hint: an argument is written \"field\", \"field:int\" or \"name = field:int\"",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    assert!(error("[[event]]\nto = 'x'").contains("missing field `from`"));
    assert!(error("split = 3").contains("map.toml:1:9: invalid type: integer `3`, expected a string"));
    assert!(error("time = { field = 3 }").contains("expected the name of a field, or a list of such names"));
    assert!(error("split = 'a").contains("map.toml:1:"));
}

#[test]
fn a_mapping_that_is_not_there_is_explained() {
    let error = Mapping::load("no/such/file.toml").map_err(|error| error.to_string());
    assert!(error.is_err_and(|text| text.contains("--map takes a TOML file or one of: soloist, stepr")));
}
