//! Patterns for lines of which nothing is known.
//!
//! ```text
//!  2026-11-18 10:00:01 INFO  user ann opened file 17       what all lines begin with: a time, a level
//!  2026-11-18 10:00:02 INFO  user bob opened file 18
//!                            user ◇   opened file ◇        the template: words with digits vary, and so do words that differ
//!  user_opened_file(user, file)
//! ```
//!
//! Lines of equally many words that begin alike and agree in at least half of their words share a template. Cost: lines times templates.

use referee_trace::pattern::{LineExpression, describe};

use super::words::identifier;

/// How times at the front of lines are written, and how a mapping names that.
const TIMES: [(&str, &str); 8] = [
    (
        r"\[?(?<time>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)\]?",
        "rfc3339",
    ),
    (r"\[?(?<time>[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})\]?", "%Y/%m/%d %H:%M:%S"),
    (r"\[?(?<time>[0-9]{2}\.[0-9]{2}\.[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2})\]?", "%d.%m.%Y %H:%M:%S"),
    (r"\[?(?<time>[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4})\]?", "apache"),
    (r"\[?(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2})\]?", "syslog"),
    (
        r"\[?(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+ [0-9]{4})\]?",
        "%a %b %d %H:%M:%S%.f %Y",
    ),
    (
        r"\[?(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4})\]?",
        "%a %b %d %H:%M:%S %Y",
    ),
    (r"\[?(?<time>[0-9]{10}(?:\.[0-9]+)?|[0-9]{13})\]?", "epoch"),
];

/// How a level is written.
const LEVEL: &str = r"[\[<(]?(?<level>(?i:trace|debug|info|notice|warn|warning|error|err|critical|crit|fatal|severe|alert|emerg))[\])>]?:?";

/// The longest line, in words, that a template is made of.
const MOST_WORDS: usize = 30;

/// The most templates.
const MOST_TEMPLATES: usize = 12;

/// What lines begin with.
#[derive(Debug)]
pub(super) struct Front {
    pattern: String,
    format: Option<&'static str>,
    has_level: bool,
}

impl Front {
    /// What nearly all lines begin with.
    pub(super) fn of(lines: &[&str]) -> Front {
        let time = TIMES.iter().find(|(pattern, _)| fits_most(lines, &format!(r"^{pattern}(?:[ \t]|$)")));
        let mut front = match time {
            Some((pattern, format)) => {
                Front { pattern: format!(r"{pattern}[ \t]+"), format: Some(*format), has_level: false }
            }
            None => Front { pattern: String::new(), format: None, has_level: false },
        };
        let with_level = format!(r"{}{LEVEL}[ \t]+", front.pattern);
        if fits_most(lines, &format!("^{with_level}")) {
            front = Front { pattern: with_level, has_level: true, ..front };
        }
        front
    }

    /// How a mapping names the form of the times, if lines begin with one.
    pub(super) fn format(&self) -> Option<&'static str> {
        self.format
    }

    /// The fields that it has.
    pub(super) fn fields(&self) -> Vec<String> {
        let names = [("time", self.format.is_some()), ("level", self.has_level), ("message", true)];
        names.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name.to_owned()).collect()
    }

    /// The pattern for any line that begins so.
    pub(super) fn general(&self) -> String {
        format!("^{}(?<message>.*)$", self.pattern)
    }

    /// The name of such lines.
    pub(super) fn general_name(&self) -> &'static str {
        if self.format.is_some() || self.has_level { "log" } else { "line" }
    }

    /// What follows behind it, each with the pattern that leads there.
    pub(super) fn rests<'l>(&self, lines: &[&'l str]) -> Rests<'l> {
        let Some(general) = expression(&self.general()) else {
            return Rests { front: String::new(), texts: Vec::new() };
        };
        let message = general.fields().position(|field| field == "message").unwrap_or(0);
        let mut captures = general.captures();
        let texts = lines.iter().filter_map(|line| {
            general.fits(line, &mut captures).then(|| general.value(message, line, &captures)).flatten()
        });
        Rests { front: self.pattern.clone(), texts: texts.collect() }
    }
}

/// Whether a pattern fits nearly all lines.
fn fits_most(lines: &[&str], pattern: &str) -> bool {
    let Some(expression) = expression(pattern) else { return false };
    let mut captures = expression.captures();
    let fitting = lines.iter().take(1000).filter(|line| expression.fits(line, &mut captures)).count();
    fitting > 0 && fitting * 10 >= lines.len().min(1000) * 9
}

/// What follows behind the front of lines.
#[derive(Debug)]
pub(super) struct Rests<'l> {
    front: String,
    texts: Vec<&'l str>,
}

/// A word of a template: what is always there, and whether something that varies stands between.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    before: String,
    varies: bool,
    after: String,
}

impl Word {
    /// A word of a line. A word with a digit varies, but for what stands before `=` and for punctuation around it.
    fn of(text: &str) -> Word {
        let bare = text.trim_end_matches([',', ';', ':', '.', ')', ']', '"', '\'']);
        let after = &text[bare.len()..];
        let inner = bare.trim_start_matches(['(', '[', '"', '\'', '#']);
        let key = inner.split_once('=').map_or("", |(key, value)| {
            if value.is_empty() || key.bytes().any(|byte| byte.is_ascii_digit()) { "" } else { key }
        });
        let start = bare.len() - inner.len() + if key.is_empty() { 0 } else { key.len() + 1 };
        let varies = !key.is_empty() || inner.bytes().any(|byte| byte.is_ascii_digit()) || inner.len() > 40;
        match varies && start < bare.len() {
            true => Word { before: bare[..start].to_owned(), varies, after: after.to_owned() },
            false => Word { before: text.to_owned(), varies: false, after: String::new() },
        }
    }

    /// Whether it says what happened: `started` and `finished` make two templates, `ann` and `bob` one.
    fn is_verb(&self) -> bool {
        !self.varies && (self.before.ends_with("ed") || self.before.ends_with("ing"))
    }

    /// A word that stands for all.
    fn any() -> Word {
        Word { before: String::new(), varies: true, after: String::new() }
    }
}

/// Lines that have a form in common.
#[derive(Debug)]
struct LineTemplate {
    words: Vec<Word>,
    count: usize,
}

impl LineTemplate {
    /// Whether a line belongs to it.
    fn resembles(&self, words: &[Word]) -> bool {
        let differing = || self.words.iter().zip(words).filter(|(one, other)| one != other);
        self.words.len() == words.len()
            && self.words.first() == words.first()
            && differing().count() * 2 <= words.len()
            && !differing().any(|(one, other)| one.is_verb() && other.is_verb())
    }

    fn take(&mut self, words: &[Word]) {
        let differing = self.words.iter_mut().zip(words).filter(|(own, word)| own != word);
        differing.for_each(|(own, _)| *own = Word::any());
        self.count += 1;
    }

    /// The name of its events and its pattern; nothing if it has no word of its own.
    fn written(&self, front: &str, taken: &[String]) -> Option<(String, String)> {
        let letters = |text: &str| text.chars().filter(|letter| letter.is_ascii_alphabetic()).count();
        let fixed: Vec<&str> = self
            .words
            .iter()
            .filter(|word| !word.varies && letters(&word.before) > 1)
            .map(|word| &*word.before)
            .collect();
        let name = identifier(&fixed.iter().take(4).copied().collect::<Vec<_>>().join(" "));
        if fixed.is_empty() {
            return None;
        }
        let (mut fields, mut pattern) = (taken.to_vec(), format!("^{front}"));
        for (at, word) in self.words.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            pattern.push_str(blank);
            pattern.push_str(&escaped(&word.before));
            if word.varies {
                let field = field_name(word, at.checked_sub(1).map(|before| &self.words[before]), &fields);
                pattern.push_str(&format!("(?<{field}>[^ ]+{})", if word.after.is_empty() { "" } else { "?" }));
                fields.push(field);
            }
            pattern.push_str(&escaped(&word.after));
        }
        Some((name, pattern + "$"))
    }
}

/// A name for what varies: the key before it, or the word before it.
fn field_name(word: &Word, before: Option<&Word>, taken: &[String]) -> String {
    let key = word.before.trim_end_matches('=').trim_start_matches(['(', '[', '"', '\'', '#']);
    let letters = |text: &str| text.chars().any(|letter| letter.is_ascii_alphabetic());
    let base = match before.filter(|before| !before.varies && letters(&before.before)) {
        _ if letters(key) => identifier(key),
        Some(before) => identifier(&before.before),
        None => "value".to_owned(),
    };
    let numbered = (2..).map(|number| format!("{base}{number}"));
    std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(base)
}

/// A text as a regular expression in single quotes.
fn escaped(text: &str) -> String {
    let mut written = String::new();
    for letter in text.chars() {
        match letter {
            '\'' | '%' => written.push_str(&format!("\\x{:02X}", u32::from(letter))),
            _ if letter.is_control() => written.push_str(&format!("\\x{{{:X}}}", u32::from(letter))),
            _ if letter.is_ascii_punctuation() && !"\"_:;,=@!<>/`".contains(letter) => written.extend(['\\', letter]),
            _ => written.push(letter),
        }
    }
    written
}

/// Names and patterns of the commonest templates, those with most words of their own first.
pub(super) fn common(rests: &Rests<'_>, taken: &[String]) -> Vec<(String, String)> {
    let mut templates: Vec<LineTemplate> = Vec::new();
    for text in &rests.texts {
        let words: Vec<Word> = text.trim_end().split(' ').map(Word::of).collect();
        if words.len() > MOST_WORDS || words.len() < 2 {
            continue;
        }
        match templates.iter().position(|template| template.resembles(&words)) {
            Some(place) => templates[place].take(&words),
            None if templates.len() < 500 => templates.push(LineTemplate { words, count: 1 }),
            None => {}
        }
    }
    let least = (rests.texts.len() / 100).max(2);
    templates.retain(|template| template.count >= least);
    templates.sort_by_key(|template| std::cmp::Reverse(template.count));
    templates.truncate(MOST_TEMPLATES);
    templates.sort_by_key(|template| template.words.iter().filter(|word| word.varies).count());
    let mut written: Vec<(String, String)> = Vec::new();
    for (name, pattern) in templates.iter().filter_map(|template| template.written(&rests.front, taken)) {
        let is_new = |name: &String| written.iter().all(|(known, _)| known != name);
        let numbered = (2..20).map(|number| format!("{name}_{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(is_new);
        // A pattern that is too large is left out.
        if let (Some(name), Some(_)) = (name, expression(&pattern)) {
            written.push((name, pattern));
        }
    }
    written
}

/// A pattern that compiles.
pub(super) fn expression(pattern: &str) -> Option<LineExpression> {
    describe(pattern).ok()?.expressions.into_iter().next()
}
