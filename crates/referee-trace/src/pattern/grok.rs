//! Grok: `%{NAME}`, `%{NAME:field}` and `%{NAME:field:type}` within a regular expression.
//!
//! A name stands for an expression of the table below, which may use other names. A field makes a group of it; its name may be
//! any text, and may come more than once, as alternatives need it. The table is written for Referee: what the usual
//! names of Grok match, they match here too, with expressions that can be followed through a line without going back.

use super::wrong::WrongPattern;
use crate::value::Type;

/// The names and what they stand for.
const NAMES: &[(&str, &str)] = &[
    ("INT", r"[+-]?[0-9]+"),
    ("POSINT", r"[1-9][0-9]*"),
    ("NONNEGINT", r"[0-9]+"),
    ("NUMBER", r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"),
    ("BASE10NUM", r"%{NUMBER}"),
    ("BASE16NUM", r"[+-]?(?:0x)?[0-9A-Fa-f]+"),
    ("BASE16FLOAT", r"[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\.[0-9A-Fa-f]*)?|\.[0-9A-Fa-f]+)"),
    ("WORD", r"\w+"),
    ("NOTSPACE", r"\S+"),
    ("SPACE", r"\s*"),
    ("DATA", r".*?"),
    ("GREEDYDATA", r".*"),
    ("QUOTEDSTRING", r#""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'"#),
    ("QS", r"%{QUOTEDSTRING}"),
    ("UUID", r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"),
    ("URN", r"urn:[0-9A-Za-z][0-9A-Za-z-]{0,31}:[0-9A-Za-z()+,.:=@;$_!*'/?#%-]+"),
    ("USERNAME", r"[A-Za-z0-9._-]+"),
    ("USER", r"%{USERNAME}"),
    ("EMAILLOCALPART", r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+"),
    ("EMAILADDRESS", r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@%{HOSTNAME}"),
    ("MAC", r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}|(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}"),
    ("CISCOMAC", r"(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}"),
    ("WINDOWSMAC", r"(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}"),
    ("COMMONMAC", r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}"),
    ("IPV4", r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}"),
    // With `::`, or with all groups: what has fewer is a time of the day.
    (
        "IPV6",
        r"(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?::(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6}(?:\.[0-9]{1,3}){0,3})?(?:%[0-9A-Za-z]+)?|[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){6,7}(?:\.[0-9]{1,3}){0,3}(?:%[0-9A-Za-z]+)?",
    ),
    ("IP", r"%{IPV4}|%{IPV6}"),
    ("HOSTNAME", r"[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*"),
    ("HOST", r"%{HOSTNAME}"),
    ("IPORHOST", r"%{HOSTNAME}|%{IPV6}"),
    ("HOSTPORT", r"%{IPORHOST}:[0-9]+"),
    ("UNIXPATH", r"/[^\s]*"),
    ("WINPATH", r"(?:[A-Za-z]:|\\)\\[^\s]*"),
    ("PATH", r"%{UNIXPATH}|%{WINPATH}"),
    ("TTY", r"/dev/(?:pts|tty)[^\s]*"),
    ("URIPROTO", r"[A-Za-z][A-Za-z0-9+.-]*"),
    ("URIHOST", r"%{IPORHOST}(?::[0-9]+)?"),
    ("URIPATH", r"/[^\s?#]*"),
    ("URIQUERY", r"[^\s#]*"),
    ("URIPARAM", r"\?[^\s#]*"),
    ("URIPATHPARAM", r"%{URIPATH}(?:%{URIPARAM})?"),
    ("URI", r"%{URIPROTO}://[^\s]+"),
    (
        "MONTH",
        "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?",
    ),
    ("MONTHNUM", r"1[0-2]|0?[1-9]"),
    ("MONTHNUM2", r"1[0-2]|0[1-9]"),
    ("MONTHDAY", r"3[01]|[12][0-9]|0?[1-9]"),
    ("DAY", r"(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?"),
    ("YEAR", r"[0-9]{4}|[0-9]{2}"),
    ("HOUR", r"2[0-3]|[01]?[0-9]"),
    ("MINUTE", r"[0-5][0-9]"),
    ("SECOND", r"[0-6][0-9](?:[.,][0-9]+)?"),
    ("TIME", r"[0-2]?[0-9]:[0-5][0-9]:[0-6][0-9](?:[.,][0-9]+)?"),
    ("ISO8601_TIMEZONE", r"Z|[+-][0-9]{2}:?[0-9]{2}"),
    (
        "TIMESTAMP_ISO8601",
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?",
    ),
    ("ISO8601_SECOND", r"[0-6][0-9](?:[.,][0-9]+)?"),
    ("DATE_US", r"[0-9]{1,2}[/-][0-9]{1,2}[/-](?:[0-9]{4}|[0-9]{2})"),
    ("DATE_EU", r"[0-9]{1,2}[./-][0-9]{1,2}[./-](?:[0-9]{4}|[0-9]{2})"),
    ("DATE", r"%{DATE_EU}"),
    ("DATESTAMP", r"%{DATE}[- ]%{TIME}"),
    ("TZ", r"[A-Z]{3,4}"),
    ("DATESTAMP_RFC822", r"%{DAY} %{MONTH} [0-9]{1,2} [0-9]{4} %{TIME} %{TZ}"),
    ("DATESTAMP_RFC2822", r"%{DAY}, [0-9]{1,2} %{MONTH} [0-9]{4} %{TIME} (?:Z|[+-][0-9]{2}:?[0-9]{2})"),
    ("DATESTAMP_OTHER", r"%{DAY} %{MONTH} [0-9]{1,2} %{TIME} %{TZ} [0-9]{4}"),
    ("DATESTAMP_EVENTLOG", r"[0-9]{14}"),
    ("HTTPDERROR_DATE", r"%{DAY} %{MONTH} [0-9]{1,2} %{TIME} [0-9]{4}"),
    ("HTTPDATE", r"[0-9]{1,2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}"),
    ("SYSLOGTIMESTAMP", r"[A-Z][a-z]{2} +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2}"),
    (
        "LOGLEVEL",
        "(?i-u:trace|debug|notice|info(?:rmation)?|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|emerg(?:ency)?|alert|panic|audit)",
    ),
    ("PROG", r"[^\s\[\]:]+"),
    ("SYSLOGPROG", r"%{PROG:program}(?:\[%{POSINT:pid}\])?"),
    ("SYSLOGHOST", r"%{IPORHOST}"),
    ("SYSLOGFACILITY", r"<%{NONNEGINT:facility}\.%{NONNEGINT:priority}>"),
    ("HTTPDUSER", r"%{EMAILADDRESS}|%{USER}"),
    ("SYSLOGBASE", r"%{SYSLOGTIMESTAMP:timestamp} %{SYSLOGHOST:logsource} %{SYSLOGPROG}:"),
    (
        "COMMONAPACHELOG",
        r#"%{IPORHOST:clientip} %{NOTSPACE:ident} %{NOTSPACE:auth} \[%{HTTPDATE:timestamp}\] "%{WORD:verb} %{NOTSPACE:request} HTTP/%{NUMBER:httpversion}" %{NUMBER:response} (?:%{NUMBER:bytes}|-)"#,
    ),
    ("COMBINEDAPACHELOG", r#"%{COMMONAPACHELOG} "%{DATA:referrer}" "%{DATA:agent}""#),
    ("HTTPD_COMMONLOG", r"%{COMMONAPACHELOG}"),
    ("HTTPD_COMBINEDLOG", r"%{COMBINEDAPACHELOG}"),
    ("SYSLOGLINE", r"%{SYSLOGBASE} %{GREEDYDATA:message}"),
];

/// All names, as the manual lists them.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// A field that a Grok name fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GrokField {
    /// The group that stands for it in the expression.
    pub(super) group: String,
    pub(super) field: Box<str>,
    pub(super) declared: Option<Type>,
}

/// A pattern whose Grok names are replaced.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) text: String,
    pub(super) fields: Vec<GrokField>,
    /// Where pieces of the expression come from: a place in it, and one in the pattern.
    places: Vec<(usize, usize)>,
}

impl Expanded {
    /// The place in the pattern that a place in the expression comes from.
    pub(super) fn source_of(&self, offset: usize) -> usize {
        match self.places.iter().rev().find(|(at, _)| *at <= offset) {
            Some((at, from)) => from + (offset - at),
            None => offset,
        }
    }
}

/// Replaces the Grok names of a pattern.
pub(super) fn expand(pattern: &str) -> Result<Expanded, WrongPattern> {
    let mut expanded = Expanded::default();
    let mut at = 0;
    while let Some(found) = pattern[at..].find("%{").map(|found| at + found) {
        expanded.places.push((expanded.text.len(), at));
        expanded.text.push_str(&pattern[at..found]);
        let Some(length) = pattern[found..].find('}') else {
            let wrong = wrong(found, "expected `}` behind a Grok name".to_owned());
            return Err(wrong.hint("write %{NAME:field}; the two letters themselves are %\\{"));
        };
        expanded.places.push((expanded.text.len(), found));
        put(&pattern[found + 2..found + length], found, &mut expanded)?;
        at = found + length + 1;
    }
    expanded.places.push((expanded.text.len(), at));
    expanded.text.push_str(&pattern[at..]);
    Ok(expanded)
}

/// Puts what `NAME:field:type` stands for.
fn put(written: &str, offset: usize, expanded: &mut Expanded) -> Result<(), WrongPattern> {
    let mut parts = written.splitn(3, ':');
    let name = parts.next().unwrap_or_default();
    let (field, declared) = (parts.next(), parts.next());
    let Some((_, expression)) = NAMES.iter().find(|(known, _)| *known == name) else {
        return Err(unknown(name, offset));
    };
    let declared = declared.map(|word| type_of(word, offset)).transpose()?;
    match field {
        None => expanded.text.push_str("(?:"),
        Some("") => {
            return Err(wrong(offset, format!("expected a field behind `{name}:`, found nothing"))
                .hint(format!("write %{{{name}:field}}, or %{{{name}}} for no field")));
        }
        Some(field) => {
            // Another pattern has no such group, for a name of its own begins with a letter or one underscore.
            let group = format!("__{}", expanded.fields.len());
            expanded.text.push_str(&format!("(?<{group}>"));
            expanded.fields.push(GrokField { group, field: field.into(), declared });
        }
    }
    let mut rest = *expression;
    while let Some((before, after)) = rest.split_once("%{") {
        let Some((inner, behind)) = after.split_once('}') else { break };
        expanded.text.push_str(before);
        put(inner, offset, expanded)?;
        rest = behind;
    }
    expanded.text.push_str(rest);
    expanded.text.push(')');
    Ok(())
}

fn type_of(word: &str, offset: usize) -> Result<Type, WrongPattern> {
    Type::from_keyword(word).ok_or_else(|| {
        wrong(offset, format!("unknown type `{word}`, expected one of int, float, string, bool"))
            .hint("write %{NUMBER:field:int}, or leave the type out: a value is typed by its text")
    })
}

fn unknown(name: &str, offset: usize) -> WrongPattern {
    let wrong = wrong(offset, format!("unknown Grok name `{name}`"));
    match crate::nearest::nearest(name, names()) {
        Some(near) => wrong.hint(format!("did you mean `{near}`?")),
        None => wrong.hint("write the regular expression itself, with a group (?<field>…)"),
    }
}

fn wrong(offset: usize, message: String) -> WrongPattern {
    WrongPattern { offset, message, hint: None }
}

impl WrongPattern {
    pub(super) fn hint(mut self, hint: impl Into<String>) -> WrongPattern {
        self.hint = Some(hint.into());
        self
    }
}
