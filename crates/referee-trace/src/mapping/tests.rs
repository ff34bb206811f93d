use super::*;
use crate::format::{Format, Naming};
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
    assert_eq!(mapping.split, Some(SplitRule::Event("log".into())));
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
fn the_input_is_described() {
    let mapping = mapping(
        r#"
        [input]
        name = "method"
        patterns = ["combined", '%{IP:client} %{WORD:method}', { pattern = '(?<user>\w+) left', name = "left" }]
        strict = true
        "#,
    );
    assert_eq!((mapping.format(), mapping.input.strict), (Some(Format::Lines), true));
    let method = || Naming::Field("method".into());
    let patterns: Vec<_> = mapping.input.patterns.iter().map(|pattern| pattern.naming.clone()).collect();
    assert_eq!(patterns, [method(), method(), method(), Naming::Constant("left".into())]);
    assert_eq!(mapping.input.patterns[2].expression.text(), "%{IP:client} %{WORD:method}");
}

#[test]
fn keys_of_the_input_choose_its_format() {
    let format = |keys: &str| mapping(&format!("[input]\n{keys}")).format();
    assert_eq!(format("constant = 'x'"), None);
    assert_eq!(format("format = 'csv-plain'"), Some(Format::CsvPlain));
    assert_eq!(format("header = true"), Some(Format::Csv));
    assert_eq!(format("delimiter = \"\\t\""), Some(Format::Csv));
    assert_eq!(format("records = 'Records[]'\nconstant = 'x'"), Some(Format::Json));
}

#[test]
fn wrong_keys_of_the_input_are_explained() {
    for (keys, expected) in [
        (
            "name = 'a'\nconstant = 'b'",
            "map.toml:3:12: `name` and `constant` both name the events\n  hint: keep `name` if a field names them, `constant` if all have one name",
        ),
        (
            "delimiter = ','\nrecords = 'a[]'",
            "map.toml:3:11: `records` is for json, but `delimiter` says that the input is csv\n  hint: remove one of `records` and `delimiter`",
        ),
        (
            "format = 'xml'\nheader = true",
            "map.toml:3:10: `header` is for csv, but `format` says that the input is xml\n  hint: remove one of `header` and `format`",
        ),
        (
            "delimiter = 'ab'",
            "map.toml:2:13: expected one character that separates cells, found `ab`\n  hint: write delimiter = \";\", or \"\\t\" for tabulators",
        ),
        ("patterns = ['', 'x']", "map.toml:2:13: expected a pattern, found an empty text"),
        (
            "patterns = [{ pattern = 'a', nam = 'x' }]",
            "map.toml:2:30: unknown field `nam`, expected `pattern` or `name`\n  hint: did you mean `name`?",
        ),
        (
            "patterns = [3]",
            "map.toml:2:13: invalid type: integer `3`, expected a pattern, or a table { pattern = \"…\", name = \"…\" }",
        ),
        ("patterns = ['a %{IPP:x}']", "map.toml:2:16: unknown Grok name `IPP`\n  hint: did you mean `IP`?"),
        (
            "name = 'methud'\npatterns = ['combined']",
            "map.toml:3:13: the pattern has no group `methud`, which would name its events\n  hint: did you mean `method`? Say so with name = \"method\"",
        ),
        (
            "patterns = ['(?<x>a)']",
            "map.toml:2:13: the pattern has no group `event`, which would name its events\n  hint: name all events with constant = \"…\", those of one pattern with { pattern = '…', name = \"…\" }, or by a group with name = \"…\"",
        ),
        (
            "format = 'lines'",
            "map.toml:2:10: `format` asks for lines of text, and `patterns` is missing\n  hint: describe the lines with patterns = [\"…\"], each a ready name, Grok or a regular expression",
        ),
    ] {
        assert_eq!(error(&format!("[input]\n{keys}")), expected, "{keys}");
    }
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
        mapping.time.and_then(|time| time.read(text, &mut TimeMemory::default())).map(|time| time.to_string())
    };
    assert_eq!(read("s", "1970-01-01T00:00:01.5Z").as_deref(), Some("1.5"));
    assert_eq!(read("ms", "1970-01-01T01:00:00.000000001+01:00").as_deref(), Some("0.000001"));
    assert_eq!(read("d", "1969-12-31T12:00:00Z").as_deref(), Some("-0.5"));
    assert_eq!(read("ns", "2500-01-01T00:00:00Z").as_deref(), Some("16725225600000000000"));
    assert_eq!(read("s", "yesterday"), None);
}

/// The times that texts stand for, one after the other.
fn times(rule: &str, texts: &[&str]) -> Vec<String> {
    let rule = mapping(&format!("time = {{ {rule} }}")).time;
    let mut memory = TimeMemory::default();
    let read = |text: &&str| rule.as_ref().and_then(|rule| rule.read(text, &mut memory));
    texts.iter().map(read).map(|time| time.map_or("-".to_owned(), |time| time.to_string())).collect()
}

#[test]
fn forms_of_logs_are_read() {
    let apache = "field = 't', format = 'apache'";
    assert_eq!(
        times(apache, &["10/Oct/2000:13:55:36 -0700", "[10/Oct/2000:20:55:36 +0000]", "2000"]),
        ["971211336", "971211336", "-"]
    );
    let syslog = "field = 't', format = 'syslog', year = 2024";
    assert_eq!(
        times(syslog, &["Feb 29 00:00:01", "2024-02-29T00:00:02Z", "Mar  1 00:00:00"]),
        ["1709164801", "1709164802", "1709251200"]
    );
    assert_eq!(
        times("field = 't', format = 'syslog'", &["Dec 31 23:59:59", "Jan  1 00:00:00"]),
        ["31535999", "31536000"]
    );
    let pattern = "field = 't', format = '%d.%m.%Y %H:%M:%S'";
    assert_eq!(times(pattern, &["02.01.1970 00:00:01", "1.1.70"]), ["86401", "-"]);
    assert_eq!(times("field = 't', format = '%Y-%m-%d %H:%M %z'", &["1970-01-01 01:00 +0100"]), ["0"]);
    assert_eq!(times("field = 't', format = '%d/%m/%Y', unit = 'd'", &["03/01/1970"]), ["2"]);
}

#[test]
fn the_size_of_the_first_number_tells_its_unit() {
    let epoch = |unit: &str, texts: &[&str]| times(&format!("field = 't', format = 'epoch', unit = '{unit}'"), texts);
    assert_eq!(epoch("s", &["1700000000", "1700000000.5"]), ["1700000000", "1700000000.5"]);
    assert_eq!(epoch("s", &["1700000000123", "1700000001000"]), ["1700000000.123", "1700000001"]);
    assert_eq!(epoch("ms", &["1700000000123456"]), ["1700000000123.456"]);
    assert_eq!(epoch("ms", &["1700000000123456789"]), ["1700000000123.456789"]);
    assert_eq!(epoch("s", &["1700000000", "1700000000123"]), ["1700000000", "-"], "two units in one log are refused");
}

#[test]
fn times_without_an_offset_are_those_of_the_zone() {
    let rfc = |zone: &str, text: &str| times(&format!("field = 't', format = 'rfc3339', zone = '{zone}'"), &[text]);
    assert_eq!(rfc("UTC", "1970-01-01T01:00:00"), ["3600"]);
    assert_eq!(rfc("+01:00", "1970-01-01 01:00:00,000"), ["0"]);
    assert_eq!(rfc("-0130", "1970-01-01T01:00:00+01:00"), ["0"], "an offset of its own wins");
    if jiff::tz::TimeZone::get("Europe/Berlin").is_ok() {
        assert_eq!(rfc("Europe/Berlin", "2026-07-01T14:00:00"), rfc("UTC", "2026-07-01T12:00:00Z"));
        assert_eq!(rfc("Europe/Berlin", "2026-12-01T13:00:00"), rfc("UTC", "2026-12-01T12:00:00Z"));
    }
}

#[test]
fn errors_name_the_place_and_what_is_allowed() {
    for (text, expected) in [
        (
            "tiem = { field = 't' }",
            "map.toml:1:1: unknown field `tiem`, expected one of `time`, `split`, `drop-others`, `reorder`, `input`, `event`\n  hint: did you mean `time`?",
        ),
        (
            "time = { field = 't', unit = 'sec' }",
            "map.toml:1:30: unknown unit `sec`, expected one of ns, us, ms, s, m, h, d",
        ),
        (
            "time = { field = 't', format = 'rfc3393' }",
            "map.toml:1:32: unknown time format `rfc3393`, expected one of number, epoch, rfc3339, apache, syslog\n  hint: did you mean `rfc3339`?",
        ),
        (
            "time = { format = 'rfc3339' }",
            "map.toml:1:8: `time` names no field\n  hint: write time = { field = \"ts\" }",
        ),
        (
            "time = { field = 't', fields = ['d'] }",
            "map.toml:1:8: `time` has both `field` and `fields`\n  hint: `field` names one field, or several of which the first counts; `fields` those that make the time together",
        ),
        (
            "time = { field = 't', year = 2026 }",
            "map.toml:1:30: only times in format \"syslog\" lack a year\n  hint: leave `year` out",
        ),
        (
            "time = { field = 't', zone = 'UTC' }",
            "map.toml:1:30: numbers have no time zone\n  hint: leave `zone` out, or say how times are written with `format`",
        ),
        (
            "time = { field = 't', format = '%H:%M' }",
            "map.toml:1:32: the format of times cannot be used: it does not say which day it is: it writes 2001-02-03T04:05:06+00:00[UTC] as `04:05`",
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
    assert!(error("split = 3").contains("map.toml:1:9: expected the name of an event that starts a trace, or {"));
    assert!(error("time = { field = 3 }").contains("expected the name of a field, or a list of such names"));
    assert!(error("split = 'a").contains("map.toml:1:"));
}

#[test]
fn a_mapping_that_is_not_there_is_explained() {
    let error = Mapping::load("no/such/file.toml").map_err(|error| error.to_string());
    assert!(error.is_err_and(|text| {
        text.contains("--map takes a TOML file or one of: cloudtrail, combined, common, ecs, github-webhook, ")
    }));
}

#[test]
fn fields_that_have_a_meaning_are_read_although_no_mapping_names_them() {
    let read = |text: &str| Mapping::parse(text, "map.toml").expect("a mapping").input;
    let silent =
        read("drop-others = true\n[input]\nformat = 'json'\nname = 'n'\n[[event]]\nfrom = '*'\nargs = ['x']\n");
    assert!(
        silent.only_named && ["x", "tp", "ts", "Timestamp"].iter().all(|name| silent.fields.contains(&(*name).into()))
    );
    let timed = read(
        "time = { field = 'at' }\n[input]\nformat = 'json'\nname = 'n'\n[[event]]\nfrom = '*'\nargs = ['x', 'tp']\n",
    );
    assert_eq!(timed.fields.join(","), "at,x,tp");
}
