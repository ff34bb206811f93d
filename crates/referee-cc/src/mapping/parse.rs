//! Reads the TOML text of a mapping.

use referee_trace::error::TraceError;
use referee_trace::mapping::nearest;
use serde::Deserialize;
use toml::Spanned;

use super::expression::Expression;
use super::pattern::Pattern;
use super::rules::{ArgumentRule, ArgumentType, Happening, Mapping, MappingEntry};
use super::wrong::{Wrong, inside};

/// How many bytes of a text are copied, if the mapping does not say so.
const TEXT_LIMIT: u32 = 256;
/// How many may be copied at most.
const LARGEST_TEXT_LIMIT: u32 = 1 << 16;
/// How many arguments an event may have.
const MOST_ARGUMENTS: usize = 64;

/// The document as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    text_limit: Option<Spanned<u32>>,
    #[serde(default)]
    event: Vec<Spanned<EventEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct EventEntry {
    call: Option<Spanned<String>>,
    #[serde(rename = "return")]
    returns: Option<Spanned<String>>,
    enter: Option<Spanned<String>>,
    leave: Option<Spanned<String>>,
    write: Option<Spanned<String>>,
    manual: Option<Spanned<String>>,
    to: Option<Spanned<String>>,
    args: Option<Vec<Spanned<String>>>,
    when: Option<Spanned<String>>,
    text_limit: Option<Spanned<u32>>,
    #[serde(default)]
    optional: bool,
}

impl Mapping {
    /// Reads a file.
    pub fn load(file: &str) -> Result<Mapping, TraceError> {
        match std::fs::read_to_string(file) {
            Ok(text) => Mapping::parse(&text, file),
            Err(error) => Err(TraceError::new(format!("the mapping cannot be read: {error}")).in_file(file)),
        }
    }

    /// Reads a text; `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Mapping, TraceError> {
        read(text, file).map_err(|wrong| wrong.located(text, file))
    }

    /// An error at a place in the text.
    pub(crate) fn error(&self, offset: usize, message: impl Into<String>) -> TraceError {
        Wrong::new(offset, message).located(&self.text, &self.file)
    }
}

fn read(text: &str, file: &str) -> Result<Mapping, Wrong> {
    let document: Document = toml::from_str(text).map_err(|error| from_toml(&error))?;
    let text_limit = limit(document.text_limit.as_ref(), TEXT_LIMIT)?;
    let entries = document.event.into_iter().map(|event| entry(event, text_limit, text));
    Ok(Mapping { file: file.to_owned(), text: text.to_owned(), entries: entries.collect::<Result<_, _>>()? })
}

/// The parser's own message; an unknown key is listed with those that are known.
fn from_toml(error: &toml::de::Error) -> Wrong {
    let offset = error.span().map_or(0, |span| span.start);
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    let wrong = Wrong::new(offset, message.as_str());
    let mut names = message.split('`').skip(1).step_by(2);
    match names.next().filter(|_| message.starts_with("unknown field")).and_then(|word| nearest(word, names)) {
        Some(name) => wrong.hint(format!("did you mean `{name}`?")),
        None => wrong,
    }
}

fn limit(written: Option<&Spanned<u32>>, otherwise: u32) -> Result<u32, Wrong> {
    match written {
        Some(limit) if *limit.get_ref() == 0 || *limit.get_ref() > LARGEST_TEXT_LIMIT => {
            let message = format!("a text limit is a number of bytes from 1 to {LARGEST_TEXT_LIMIT}");
            Err(Wrong::new(limit.span().start, message))
        }
        Some(limit) => Ok(*limit.get_ref()),
        None => Ok(otherwise),
    }
}

fn entry(event: Spanned<EventEntry>, text_limit: u32, text: &str) -> Result<MappingEntry, Wrong> {
    let start = event.span().start;
    let event = event.into_inner();
    let text_limit = limit(event.text_limit.as_ref(), text_limit)?;
    let (happening, written) = happening(&event, start)?;
    let at = |offset| inside(written, offset, text);
    let pattern = Pattern::parse(written.get_ref(), at(0)).map_err(|(offset, message)| {
        Wrong::new(at(offset), message)
            .hint("a pattern is written \"function\", \"function(first, second)\", \"variable\" or \"object->field\"")
    })?;
    check_pattern(happening, &pattern)?;
    let arguments = match &event.args {
        Some(arguments) => arguments.iter().map(|written| argument(written, text)).collect::<Result<_, _>>()?,
        None => named_by(&pattern),
    };
    if let Some(written) = event.args.as_ref().and_then(|all| all.get(MOST_ARGUMENTS)) {
        return Err(Wrong::new(written.span().start, format!("an event has at most {MOST_ARGUMENTS} arguments")));
    }
    let when = event.when.as_ref().map(|when| expression(when, when.get_ref(), 0, text)).transpose()?;
    let entry = MappingEntry {
        happening,
        to: name(event.to.as_ref(), &pattern)?,
        pattern,
        arguments,
        when,
        text_limit,
        optional: event.optional,
    };
    check_names(&entry)?;
    Ok(entry)
}

fn happening(event: &EventEntry, start: usize) -> Result<(Happening, &Spanned<String>), Wrong> {
    let all = [
        (Happening::Call, &event.call),
        (Happening::Return, &event.returns),
        (Happening::Enter, &event.enter),
        (Happening::Leave, &event.leave),
        (Happening::Write, &event.write),
        (Happening::Manual, &event.manual),
    ];
    let mut given = all.into_iter().filter_map(|(happening, written)| Some((happening, written.as_ref()?)));
    match (given.next(), given.next()) {
        (Some(one), None) => Ok(one),
        (_, Some((_, second))) => {
            let wrong = Wrong::new(second.span().start, "an event has one cause");
            Err(wrong.hint("write an [[event]] for each; several may have the same name in `to`"))
        }
        (None, None) => Err(Wrong::new(start, "this event has no cause")
            .hint("write call, return, enter, leave, write or manual, such as call = \"open(path, flags)\"")),
    }
}

fn check_pattern(happening: Happening, pattern: &Pattern) -> Result<(), Wrong> {
    let wrong = |message: &str, hint: &str| Err(Wrong::new(pattern.offset, message).hint(hint));
    match happening {
        Happening::Write if pattern.parameters.is_some() => {
            wrong("what is written is a variable or a field", "write = \"chunksize\" or write = \"conn->chunk\"")
        }
        Happening::Write if pattern.is_glob() => {
            wrong("`*` stands for letters of a function's name only", "name each variable in an [[event]] of its own")
        }
        Happening::Write => Ok(()),
        _ if pattern.object.is_some() => {
            wrong("expected a function", "calls through the field of a structure are seen where the function begins")
        }
        Happening::Manual if pattern.is_glob() => wrong("expected the name of an event", "manual = \"open(pid, fd)\""),
        _ => Ok(()),
    }
}

/// What is an argument if the mapping does not say so: all that the pattern names.
fn named_by(pattern: &Pattern) -> Vec<ArgumentRule> {
    let names = pattern.parameters.iter().flatten().filter(|name| *name != "_");
    let value = |name: &String| Expression::parse(name, pattern.offset).ok();
    names.filter_map(|name| Some(ArgumentRule { name: name.clone(), value: value(name)?, declared: None })).collect()
}

fn name(written: Option<&Spanned<String>>, pattern: &Pattern) -> Result<String, Wrong> {
    let Some(written) = written else {
        return Ok(if pattern.is_glob() { "{function}".to_owned() } else { pattern.name.clone() });
    };
    let rest = written.get_ref().replace("{function}", "f");
    match rest.is_empty() || !rest.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-')) {
        true => Err(Wrong::new(written.span().start, format!("`{}` is no name for an event", written.get_ref()))
            .hint("a name has letters, digits, `_`, `.` and `-`; {function} stands for the function")),
        false => Ok(written.get_ref().clone()),
    }
}

/// `expression`, `expression:type`, `name = expression`, `name = expression:type`.
fn argument(written: &Spanned<String>, text: &str) -> Result<ArgumentRule, Wrong> {
    let all = written.get_ref();
    let (name, start) = match renaming(all) {
        Some(at) => (Some(all[..at].trim()), at + 1),
        None => (None, 0),
    };
    let (value, declared) = typed(&all[start..], written)?;
    let lead = value.len() - value.trim_start().len();
    let value = expression(written, value.trim(), start + lead, text)?;
    Ok(ArgumentRule { name: name.unwrap_or(&value.text).to_owned(), value, declared })
}

/// Where the name of an argument ends: at a `=` with nothing but a name before it.
fn renaming(text: &str) -> Option<usize> {
    let at = text.find('=')?;
    let name = text[..at].trim();
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_name && !text[at + 1..].starts_with('=')).then_some(at)
}

fn typed<'t>(text: &'t str, written: &Spanned<String>) -> Result<(&'t str, Option<ArgumentType>), Wrong> {
    let Some((value, word)) = text.rsplit_once(':').filter(|(value, _)| !value.contains('?')) else {
        return Ok((text, None));
    };
    match ArgumentType::from_name(word.trim()) {
        Some(declared) => Ok((value, Some(declared))),
        None => {
            let names = ArgumentType::NAMES;
            let message = format!("unknown type `{}`, expected one of {}", word.trim(), names.join(", "));
            let wrong = Wrong::new(written.span().start, message);
            Err(match nearest(word.trim(), names) {
                Some(name) => wrong.hint(format!("did you mean `{name}`?")),
                None => wrong,
            })
        }
    }
}

fn expression(written: &Spanned<String>, value: &str, start: usize, text: &str) -> Result<Expression, Wrong> {
    Expression::parse(value, inside(written, start, text)).map_err(|(offset, message)| {
        let wrong = Wrong::new(inside(written, start + offset, text), message);
        wrong.hint("an expression of C over parameters, such as \"conn->id\"; its value is taken, nothing is assigned")
    })
}

/// `result` is known when a function returns, `value` when something is written.
fn check_names(entry: &MappingEntry) -> Result<(), Wrong> {
    let values = entry.arguments.iter().map(|argument| &argument.value);
    for expression in values.chain(&entry.when) {
        let is_own = |name: &str| entry.pattern.parameters.iter().flatten().any(|own| own == name);
        let foreign = expression.names().find(|name| match *name {
            "result" => !is_own("result") && !entry.happening.is_end(),
            _ => false,
        });
        if foreign.is_some() {
            return Err(Wrong::new(expression.offset, "the result is not known before the function returns")
                .hint("write return = \"…\" instead of call"));
        }
    }
    match (entry.happening, &entry.when) {
        (Happening::Manual, Some(when)) => {
            Err(Wrong::new(when.offset, "the program itself says when such an event happens").hint("leave `when` out"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Mapping::parse(text, "m.toml").expect_err(text).to_string()
    }

    #[test]
    fn a_mapping_is_read() {
        let text = "text-limit = 9\n[[event]]\ncall = 'open(path, flags)'\n[[event]]\nreturn = 'open'\nto = 'opened'\n\
                    args = ['fd = result:int', 'conn->id', 'n == 1']\nwhen = 'result >= 0'\n[[event]]\nenter = 'c_*'\n";
        let mapping = Mapping::parse(text, "m.toml").expect("a mapping");
        let named =
            |at: usize| mapping.entries[at].arguments.iter().map(|argument| &*argument.name).collect::<Vec<_>>();
        assert_eq!((named(0), named(1)), (vec!["path", "flags"], vec!["fd", "conn->id", "n == 1"]));
        assert_eq!(mapping.entries[1].arguments[0].declared, Some(ArgumentType::Int));
        assert_eq!((mapping.entries[2].to.as_str(), mapping.entries[0].text_limit), ("{function}", 9));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, expected) in [
            (
                "[[event]]\ncal = 'f'\n",
                "m.toml:2:1: unknown field `cal`, expected one of `call`, `return`, `enter`, `leave`, `write`, `manual`, \
                 `to`, `args`, `when`, `text-limit`, `optional`\n  hint: did you mean `call`?",
            ),
            (
                "[[event]]\nto = 'f'\n",
                "m.toml:1:1: this event has no cause\n  hint: write call, return, enter, leave, write or manual, such as \
                 call = \"open(path, flags)\"",
            ),
            (
                "[[event]]\ncall = 'f'\nwrite = 'x'\n",
                "m.toml:3:9: an event has one cause\n  hint: write an [[event]] for each; several may have the same name in `to`",
            ),
            (
                "[[event]]\ncall = 'f(a, 1)'\n",
                "m.toml:2:13: `1` is no name for a parameter\n  hint: a pattern is written \"function\", \"function(first, second)\", \
                 \"variable\" or \"object->field\"",
            ),
            (
                "[[event]]\ncall = 'f'\nargs = ['n = a++']\n",
                "m.toml:3:15: `++` would change the program\n  hint: an expression of C over parameters, such as \"conn->id\"; \
                 its value is taken, nothing is assigned",
            ),
            (
                "[[event]]\ncall = 'f'\nargs = ['a:integer']\n",
                "m.toml:3:9: unknown type `integer`, expected one of int, float, bool, string, pointer",
            ),
            (
                "[[event]]\ncall = 'f'\nargs = ['result']\n",
                "m.toml:3:10: the result is not known before the function returns\n  hint: write return = \"…\" instead of call",
            ),
        ] {
            assert_eq!(refused(text), expected);
        }
    }
}
