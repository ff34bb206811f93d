//! Paths to the fields of a JSON record, and to the records of a document.
//!
//! ```text
//!  user.name                         members of objects
//!  spec.containers[0].image          elements of arrays
//!  attributes[key=service.name].value.stringValue      the element whose member `key` is `service.name`
//!  /user/name                        a pointer of RFC 6901: for keys with dots and brackets
//!  Records[]                         each element: where the records are
//!  resourceSpans[].resource.name     a field of an outer level, for records in `resourceSpans[].scopeSpans[].spans[]`
//!  $.source                          a field of the document around all records
//! ```
//!
//! A path without `$` and `[]` starts at the record.

/// The most steps of a path: far more than anybody writes, far less than the stack holds.
const MOST_STEPS: usize = 64;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// The member with this key.
    Key(Box<str>),
    /// The element with this number, from 0.
    Index(usize),
    /// The member with this key, or the element with this number.
    Token(Box<str>, Option<usize>),
    /// The element that has a member with this key and this value.
    Entry(Box<str>, Box<str>),
    /// Each element.
    Each,
}

/// A path as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonPath {
    /// Whether it starts at the document rather than at the record.
    pub(crate) from_root: bool,
    pub(crate) steps: Vec<Step>,
}

impl JsonPath {
    /// Reads a path; the error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<JsonPath, String> {
        let path = match text.strip_prefix('/') {
            Some(pointer) => JsonPath { from_root: false, steps: pointer.split('/').map(token).collect() },
            None => dotted(text)?,
        };
        match path.steps.len() > MOST_STEPS {
            true => Err(format!("it has more than {MOST_STEPS} steps")),
            false => Ok(path),
        }
    }
}

/// One token of a pointer.
fn token(text: &str) -> Step {
    let is_index = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    let index = if is_index { text.parse().ok() } else { None };
    Step::Token(text.replace("~1", "/").replace("~0", "~").into(), index)
}

/// A path of keys with dots between them and brackets behind them.
fn dotted(text: &str) -> Result<JsonPath, String> {
    let from_root = text == "$" || text.starts_with("$.") || text.starts_with("$[");
    let mut rest = text;
    if from_root {
        rest = text.strip_prefix("$.").unwrap_or(&text[1..]);
    }
    let mut steps = Vec::new();
    let mut needs_key = !rest.starts_with('[');
    while !rest.is_empty() || needs_key {
        if needs_key {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            if end == 0 {
                return Err("a key is missing; a key with dots or brackets is written /a.b/c".to_owned());
            }
            steps.push(Step::Key(rest[..end].into()));
            rest = &rest[end..];
            needs_key = false;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (inner, after) = inside.split_once(']').ok_or("a bracket is not closed")?;
            steps.push(bracket(inner)?);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            needs_key = true;
        } else {
            return Err(format!("expected `.` or `[` before `{rest}`"));
        }
    }
    Ok(JsonPath { from_root, steps })
}

/// What stands in brackets.
fn bracket(inner: &str) -> Result<Step, String> {
    if inner.is_empty() {
        return Ok(Step::Each);
    }
    if let Some((key, value)) = inner.split_once('=') {
        return Ok(Step::Entry(key.trim().into(), value.trim().into()));
    }
    match inner.parse() {
        Ok(index) if inner.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Step::Index(index)),
        _ => Err(format!("expected a number, key=value or nothing in brackets, found `{inner}`")),
    }
}

/// Adds a key to the text of a path, as [`JsonPath::parse`] reads it.
pub(super) fn push_key(path: &mut String, key: &str) {
    let is_plain = !key.is_empty() && !key.contains(['.', '[', '/']) && !key.starts_with('$');
    let is_pointer = path.starts_with('/');
    if is_plain && !is_pointer {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
        return;
    }
    if !is_pointer {
        let pointer = pointer(path);
        *path = pointer;
    }
    path.push('/');
    path.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

/// Adds the number of an element to the text of a path.
pub(super) fn push_index(path: &mut String, index: usize) {
    match path.starts_with('/') {
        true => path.push_str(&format!("/{index}")),
        false => path.push_str(&format!("[{index}]")),
    }
}

/// A path of plain keys and numbers as a pointer.
fn pointer(path: &str) -> String {
    let steps = path.split(['.', '[']).filter(|step| !step.is_empty());
    steps.map(|step| format!("/{}", step.trim_end_matches(']').replace('~', "~0"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<Step> {
        JsonPath::parse(text).unwrap_or_else(|reason| panic!("{text}: {reason}")).steps
    }

    fn key(text: &str) -> Step {
        Step::Key(text.into())
    }

    #[test]
    fn paths_are_read() {
        assert_eq!(steps("user.name"), [key("user"), key("name")]);
        assert_eq!(steps("a[0][12].b"), [key("a"), Step::Index(0), Step::Index(12), key("b")]);
        assert_eq!(steps("Records[]"), [key("Records"), Step::Each]);
        assert_eq!(steps("[].x"), [Step::Each, key("x")]);
        assert_eq!(
            steps("a[key=service.name].b"),
            [key("a"), Step::Entry("key".into(), "service.name".into()), key("b")]
        );
        assert_eq!(
            steps("/a.b/0/x~1y~0"),
            [Step::Token("a.b".into(), None), Step::Token("0".into(), Some(0)), Step::Token("x/y~".into(), None)]
        );
        assert!(JsonPath::parse("$.source").is_ok_and(|path| path.from_root && path.steps == [key("source")]));
        assert!(JsonPath::parse("$schema").is_ok_and(|path| !path.from_root));
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", ".a", "a..b", "a.", "a[", "a[x]", "a[0]b", "a[-1]", "a.[0]"] {
            assert!(JsonPath::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn written_paths_are_read_again() {
        let mut path = String::new();
        push_key(&mut path, "a");
        push_index(&mut path, 3);
        push_key(&mut path, "b");
        assert_eq!(path, "a[3].b");
        push_key(&mut path, "x.y");
        push_index(&mut path, 0);
        push_key(&mut path, "z");
        assert_eq!(path, "/a/3/b/x.y/0/z");
    }
}
