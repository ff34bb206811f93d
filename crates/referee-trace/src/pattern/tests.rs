use proptest::prelude::*;

use super::*;

fn expression(text: &str) -> LineExpression {
    LineExpression::new(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))
}

fn wrong(text: &str) -> (usize, String) {
    describe(text)
        .map(|described| described.expressions.len())
        .map_err(|wrong| (wrong.offset, wrong.message))
        .unwrap_err()
}

/// The fields of a line that fits, as `name=value`.
fn found(expression: &LineExpression, line: &str) -> Option<Vec<String>> {
    let mut captures = expression.captures();
    if !expression.fits(line, &mut captures) {
        return None;
    }
    let value = |index: usize| expression.value(index, line, &captures);
    let fields = expression.fields().enumerate();
    Some(fields.filter_map(|(index, name)| value(index).map(|value| format!("{name}={value}"))).collect())
}

const COMBINED: &str = r#"203.0.113.9 - frank [10/Oct/2000:13:55:36 -0700] "GET /a?b=1 HTTP/1.0" 200 2326 "http://x/\"y" "Mozilla/4.08 [en]""#;

#[test]
fn combined_lines_are_cut_into_their_fields() {
    let described = describe("combined").expect("a ready pattern");
    assert_eq!(described.naming, ReadyNaming::Name("request"));
    let fields = found(&described.expressions[0], COMBINED).expect("a line of this kind");
    let expected = [
        "client=203.0.113.9",
        "ident=-",
        "user=frank",
        "time=10/Oct/2000:13:55:36 -0700",
        "method=GET",
        "path=/a?b=1",
        "protocol=HTTP/1.0",
        "status=200",
        "bytes=2326",
        r#"referer=http://x/\"y"#,
        "agent=Mozilla/4.08 [en]",
    ];
    assert_eq!(fields, expected);
    let broken = r#"::1 - - [10/Oct/2000:13:55:36 -0700] "\x16\x03\x01" 400 - "-" "-" "10.0.0.1""#;
    assert_eq!(found(&described.expressions[0], broken), None);
    let fields = found(&described.expressions[1], broken).expect("a request that is none");
    assert_eq!(fields[4..9], ["method=", r"path=\x16\x03\x01", "protocol=", "status=400", "bytes=-"]);
}

#[test]
fn grok_names_stand_for_expressions() {
    let login = expression(
        r"%{SYSLOGTIMESTAMP:at} %{HOSTNAME:host} sshd\[%{POSINT}\]: Failed password for %{USER:user} from %{IP:from} port %{INT:port:int}",
    );
    let line = "Oct 11 22:14:15 web-1.example sshd[4711]: Failed password for root from 2001:db8::1 port 22 ssh2";
    let fields = found(&login, line).expect("a line of this kind");
    assert_eq!(fields, ["at=Oct 11 22:14:15", "host=web-1.example", "user=root", "from=2001:db8::1", "port=22"]);
    assert_eq!(login.types().collect::<Vec<_>>()[4], Some(crate::value::Type::Integer));
    assert!(login.is_scanned());
}

#[test]
fn each_grok_name_fits_what_it_is_for() {
    for (name, text) in [
        ("IP", "192.0.2.1"),
        ("IP", "fe80::1%eth0"),
        ("NUMBER", "-1.5"),
        ("INT", "+7"),
        ("WORD", "snake_case"),
        ("NOTSPACE", "a-b/c"),
        ("QUOTEDSTRING", r#""a \" b""#),
        ("QS", "'a'"),
        ("HOSTNAME", "a.b-c.example"),
        ("USER", "j.doe"),
        ("URIPATH", "/a/b.html"),
        ("URI", "https://x.example:8080/a?b#c"),
        ("TIMESTAMP_ISO8601", "2026-11-18T11:27:25.123+01:00"),
        ("TIMESTAMP_ISO8601", "2026-11-18 11:27:25,123"),
        ("HTTPDATE", "10/Oct/2000:13:55:36 -0700"),
        ("SYSLOGTIMESTAMP", "Oct  1 22:14:15"),
        ("LOGLEVEL", "WARNING"),
        ("UUID", "123e4567-e89b-12d3-a456-426614174000"),
        ("MAC", "00:1b:44:11:3a:b7"),
        ("PATH", "/var/log/syslog"),
        ("PATH", r"C:\Windows\win.ini"),
        ("MONTH", "November"),
        ("DAY", "Wednesday"),
        ("EMAILADDRESS", "a+b@x.example"),
        ("IP", "2001:db8:0:1:2:3:4:5"),
        ("IP", "::ffff:192.0.2.1"),
        ("IP", "::"),
        ("BASE16FLOAT", "0x1f.8"),
        ("URN", "urn:isbn:0451450523"),
        ("CISCOMAC", "001b.4411.3ab7"),
        ("WINDOWSMAC", "00-1b-44-11-3a-b7"),
        ("DATE", "18.11.2026"),
        ("DATE_US", "11/18/26"),
        ("DATESTAMP", "18/11/2026 11:27:25"),
        ("DATESTAMP_RFC2822", "Wed, 18 Nov 2026 11:27:25 +0100"),
        ("DATESTAMP_RFC822", "Wed Nov 18 2026 11:27:25 CET"),
        ("DATESTAMP_OTHER", "Wed Nov 18 11:27:25 CET 2026"),
        ("DATESTAMP_EVENTLOG", "20261118112725"),
        ("HTTPDERROR_DATE", "Wed Nov 18 11:27:25.123456 2026"),
        ("HTTPDUSER", "j.doe@x.example"),
        ("MONTHNUM2", "09"),
    ] {
        let pattern = expression(&format!("^%{{{name}:it}}$"));
        assert_eq!(found(&pattern, text), Some(vec![format!("it={text}")]), "{name}");
        assert_eq!(found(&pattern, &format!("{text} ")), None, "{name}");
    }
}

#[test]
fn a_time_of_the_day_is_no_address() {
    let pattern = expression("%{IP:client}");
    assert_eq!(found(&pattern, "12:30:00 from 192.0.2.1"), Some(vec!["client=192.0.2.1".into()]));
    assert_eq!(found(&pattern, "12:30:00 00:1b:44:11:3a:b7 2001:db8::7"), Some(vec!["client=2001:db8::7".into()]));
    assert_eq!(found(&pattern, "12:30:00"), None);
}

#[test]
fn every_grok_name_compiles() {
    for name in grok_names() {
        expression(&format!("%{{{name}:x}}"));
    }
}

#[test]
fn a_field_may_have_two_places() {
    let pattern = expression("^(?:user=%{WORD:user}|uid=%{INT:user}) ok");
    assert_eq!(found(&pattern, "user=ann ok"), Some(vec!["user=ann".into()]));
    assert_eq!(found(&pattern, "uid=7 ok"), Some(vec!["user=7".into()]));
}

#[test]
fn what_is_wrong_with_a_pattern() {
    assert_eq!(wrong("a %{IPP:x}"), (2, "unknown Grok name `IPP`".into()));
    assert_eq!(wrong("a %{IP"), (2, "expected `}` behind a Grok name".into()));
    assert_eq!(wrong("%{IP:}"), (0, "expected a field behind `IP:`, found nothing".into()));
    assert_eq!(wrong("%{INT:x:itn}"), (0, "unknown type `itn`, expected one of int, float, string, bool".into()));
    assert_eq!(wrong("combind"), (0, "unknown pattern `combind`, expected one of combined, common, syslog".into()));
    assert_eq!(wrong("%{IP:x} (a"), (8, "no regular expression: unclosed group".into()));
    assert_eq!(wrong("(?<x>a){1000}{1000}").1, "the pattern is too large");
    assert!(wrong(&"(a)".repeat(64)).1.starts_with("the pattern has 64 groups"));
}

/// Patterns of many kinds: scanned from the start or not, with choices that are forced and others.
const PATTERNS: &[&str] = &[
    r#"^(?<a>[^ ]+) (?<b>[^ ]+) \[(?<c>[^\]]+)\] "(?<d>[A-Z]+) (?<e>[^ "]+)" (?<f>[0-9]+|-)$"#,
    r"%{IP:a} %{WORD:b} %{NUMBER:c}",
    r"^%{IPORHOST:a}(?::(?<b>[0-9]+))?(?: |$)",
    r"^%{DATA:a} - %{GREEDYDATA:b}$",
    r"^%{DATA:a}, (?<b>.*?)$",
    r#"%{QS:a}(?: %{QS:b})?"#,
    r"^(?<a>\w+?)=(?<b>\d{1,3})(?<c>[a-z]?)",
    r"^(?:ab|a(?<x>b)c|(?<y>a+))(?<z>.)",
    r"^(?<a>(?:[0-9a-f]{2}:){2,3})(?<b>[^:]*)$",
    r"^(?<a>a*?)(?<b>a*)(?<c>b|é)?",
    r"(?<a>[^,]*),(?<b>[^,]{2,4}),",
    r"^(?:(?<a>x)|(?<b>xy))(?:z|$)",
    r"(?i)(?<level>%{LOGLEVEL}):(?<rest>\s*\S+)??",
    r"^<(?<p>[0-9]{1,3})>(?<q>-|(?:\[[^\]]*\])+) (?<r>.+)",
    r"^\s*(?<k>\S+)\s*=\s*(?<v>\S*)\s*$",
    r"%{TIMESTAMP_ISO8601:t} \[%{DATA:thread}\] %{LOGLEVEL:level} +%{NOTSPACE:class} - %{GREEDYDATA:m}",
];

const LINES: &[&str] = &[
    COMBINED,
    r#"1.2.3.4 x [t] "GET /a" 200"#,
    "1.2.3.4 word -12.5 rest",
    "a.example:80 ::1",
    "x - y - z",
    "a, b, c",
    r#""a \" b" 'c' "d""#,
    "abc=1234z",
    "abcd aab é",
    "0a:1b:2c:rest",
    "aaab",
    "a,bcd,e,fg,",
    "xyz",
    "WARN: x",
    "<34>[a b=\"c\"][d] m",
    " key = value ",
    "2026-11-18T11:27:25,1 [main 1] INFO  a.B - started é",
];

proptest! {
    #![proptest_config(referee_testing::properties(2000))]

    /// Where the scanner decides, it finds what the engine of regular expressions finds.
    #[test]
    fn the_scanner_agrees_with_the_engine(
        pattern in 0..PATTERNS.len(),
        line in 0..LINES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4usize, prop::sample::select(" ab1:,.-\"\\[]<>x=é\u{a0}\u{3000}".chars().collect::<Vec<_>>())), 0..6),
    ) {
        let mut letters: Vec<char> = LINES[line].chars().collect();
        for (place, how, letter) in edits {
            let at = place.index(letters.len() + 1);
            match how {
                0 => letters.insert(at, letter),
                1 if at < letters.len() => drop(letters.remove(at)),
                2 if at < letters.len() => letters[at] = letter,
                _ => letters.truncate(at),
            }
        }
        let line: String = letters.into_iter().collect();
        let expression = expression(PATTERNS[pattern]);
        let by_engine = expression.groups_by_engine(&line);
        if let Some(by_scanner) = expression.groups_by_scanner(&line) {
            prop_assert_eq!(&by_scanner, &by_engine, "{} on {:?}", PATTERNS[pattern], line);
        }
        prop_assert_eq!(expression.fits(&line, &mut expression.captures()), by_engine.is_some());
    }

    /// The same for patterns made of random pieces.
    #[test]
    fn random_patterns_agree_with_the_engine(
        pieces in prop::collection::vec(piece(), 1..6),
        is_anchored in any::<bool>(),
        line in "[ab1 ,:é]{0,12}",
    ) {
        let text = format!("{}{}", if is_anchored { "^" } else { "" }, pieces.concat());
        let Ok(expression) = LineExpression::new(&text) else { return Ok(()) };
        if let Some(by_scanner) = expression.groups_by_scanner(&line) {
            prop_assert_eq!(by_scanner, expression.groups_by_engine(&line), "{} on {:?}", text, line);
        }
    }
}

/// A piece of a pattern, perhaps with pieces within.
fn piece() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a", "b", " ", ",", "[ab]", "[^,]", r"\w", r"\d", ".", "ab", "é", "$", "(?:a|ab)", ":",
    ])
    .prop_map(str::to_owned);
    let repeat = prop::sample::select(vec!["", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}"]);
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let repeated = (inner.clone(), repeat.clone()).prop_map(|(piece, how)| format!("(?:{piece}){how}"));
        let group = inner.clone().prop_map(|piece| format!("({piece})"));
        let either = (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("(?:{one}|{other})"));
        let both = (inner.clone(), inner).prop_map(|(one, other)| format!("{one}{other}"));
        prop_oneof![repeated.clone(), repeated, group, either, both]
    })
}
