//! Documents: specifications and what is expected of them.

use referee_spec::core::Language;
use referee_spec::language::Options;
use referee_trace::format::Format;
use referee_trace::mapping::{Unit, nearest};

use crate::expect::{ExpectedDiagnostic, ExpectedOutcome, ExpectedViolation, TraceBlock, key_value, number};
use crate::fault::Fault;
use crate::markdown::{Fence, fences, words};
use crate::traces::{guess, split};

/// A Markdown file with cases.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its name, for messages.
    pub file: String,
    /// Its specifications, in order.
    pub specifications: Vec<Specification>,
}

/// A specification and what is expected of it.
#[derive(Debug, Clone)]
pub struct Specification {
    /// The line of its block, from 1.
    pub line: usize,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: String,
    /// The file name without extension that it is to have.
    pub name: String,
    /// How it is compiled.
    pub options: Options,
    /// Whether the last argument of an event is its time.
    pub timed: bool,
    /// Whether the traces below are for the specification before, too.
    also: bool,
    /// Traces with verdicts.
    pub traces: Vec<TraceBlock>,
    /// Errors that it must have.
    pub errors: Vec<ExpectedDiagnostic>,
    /// Lints that it must have.
    pub lints: Vec<ExpectedDiagnostic>,
}

/// Reads a Markdown text; `file` stands for it in messages.
pub fn parse(file: &str, text: &str) -> Result<Document, Fault> {
    let mut specifications: Vec<Specification> = Vec::new();
    for fence in fences(text) {
        let words = words(fence.info);
        let Some((kind, rest)) = words.split_first() else { continue };
        if let Some(language) = Language::from_name(kind) {
            specifications.push(specification(language, &fence, rest)?);
            continue;
        }
        match kind.as_str() {
            "accepted" | "rejected" | "gaveup" | "pending" => {
                let block = trace_block(kind, &fence, rest)?;
                for index in group(&specifications, fence.line)? {
                    specifications[index].traces.push(block.clone());
                }
            }
            "error" | "lint" => {
                let expected = diagnostic(&fence, rest)?;
                let index = group(&specifications, fence.line)?.end - 1;
                let specification = &mut specifications[index];
                if kind == "error" { &mut specification.errors } else { &mut specification.lints }.push(expected);
            }
            other => {
                if let Some(meant) = misspelt(other).filter(|_| !specifications.is_empty()) {
                    let message = format!("there is no block `{other}`; did you mean `{meant}`?");
                    return Err(Fault::new(fence.line, message));
                }
            }
        }
    }
    Ok(Document { file: file.to_owned(), specifications })
}

/// The kind of block that a word was probably meant to name; what is near to `lint` may be anything.
fn misspelt(word: &str) -> Option<&'static str> {
    if word == "lints" {
        return Some("lint");
    }
    nearest(word, ["accepted", "rejected", "gaveup", "pending", "error"])
}

/// The specifications that a block speaks of: the last one, and those that it joins.
fn group(specifications: &[Specification], line: usize) -> Result<std::ops::Range<usize>, Fault> {
    let first = specifications.iter().rposition(|specification| !specification.also);
    match first {
        Some(first) => Ok(first..specifications.len()),
        None => Err(Fault::new(line, "no specification stands before this block")),
    }
}

fn specification(language: Language, fence: &Fence<'_>, rest: &[String]) -> Result<Specification, Fault> {
    let mut specification = Specification {
        line: fence.line,
        language,
        text: fence.text(),
        name: "specification".to_owned(),
        options: Options::default(),
        timed: false,
        also: false,
        traces: Vec::new(),
        errors: Vec::new(),
        lints: Vec::new(),
    };
    for word in rest {
        match key_value(word) {
            ("name", Some(name)) => specification.name = name.to_owned(),
            ("seen", None) => specification.options.seen = true,
            ("lenient", None) => specification.options.lenient = true,
            ("timed", None) => specification.timed = true,
            ("unit", Some(sign)) => specification.options.unit = unit(sign, fence.line)?,
            ("also", None) => specification.also = true,
            _ => return Err(Fault::new(fence.line, format!("a specification has no option `{word}`"))),
        }
    }
    Ok(specification)
}

fn unit(sign: &str, line: usize) -> Result<Unit, Fault> {
    Unit::from_sign(sign).ok_or_else(|| {
        let signs = Unit::ALL.map(Unit::sign).join(", ");
        Fault::new(line, format!("there is no unit `{sign}`, expected one of {signs}"))
    })
}

fn trace_block(kind: &str, fence: &Fence<'_>, rest: &[String]) -> Result<TraceBlock, Fault> {
    let numbered = fence.lines.iter().enumerate().map(|(index, line)| (fence.line + 1 + index, *line));
    let (listed, lines): (Vec<_>, Vec<_>) = numbered.partition(|(_, line)| kind == "rejected" && line.starts_with('!'));
    let mut head = Head { line: fence.line, ..Head::default() };
    rest.iter().try_for_each(|word| head.take(kind, word))?;
    let all = listed.iter().map(|(line, text)| listed_violation(*line, text)).collect::<Result<Vec<_>, _>>()?;
    let format = head.format.unwrap_or_else(|| guess(&lines));
    let outcome = match kind {
        "accepted" => ExpectedOutcome::Accepted,
        "rejected" => ExpectedOutcome::Rejected { first: head.first, count: head.count, all },
        "gaveup" => ExpectedOutcome::GaveUp(head.first.point),
        _ => ExpectedOutcome::Pending(head.pending.ok_or_else(|| Fault::new(fence.line, "`pending` needs `n=…`"))?),
    };
    Ok(TraceBlock {
        line: fence.line,
        outcome,
        prefix: head.prefix || kind == "pending",
        property: head.property,
        format,
        traces: split(format, &lines, fence.line),
    })
}

fn listed_violation(line: usize, text: &str) -> Result<ExpectedViolation, Fault> {
    let mut violation = ExpectedViolation::default();
    words(&text[1..]).iter().try_for_each(|word| violation.take(line, word))?;
    Ok(violation)
}

/// The options of a trace block.
#[derive(Default)]
struct Head {
    line: usize,
    first: ExpectedViolation,
    count: Option<usize>,
    pending: Option<u64>,
    prefix: bool,
    property: Option<String>,
    format: Option<Format>,
}

impl Head {
    fn take(&mut self, kind: &str, word: &str) -> Result<(), Fault> {
        match (kind, key_value(word)) {
            (_, ("prefix", None)) => self.prefix = true,
            (_, ("property", Some(name))) => self.property = Some(name.to_owned()),
            (_, ("format", Some(name))) => {
                let unknown = || Fault::new(self.line, format!("there is no format `{name}`"));
                self.format = Some(Format::from_name(name).ok_or_else(unknown)?);
            }
            ("pending", ("n", Some(text))) => self.pending = Some(number(self.line, "n", text)?),
            ("rejected", ("count", Some(text))) => self.count = Some(number(self.line, "count", text)?),
            ("rejected", _) | ("gaveup", ("point", _)) => self.first.take(self.line, word)?,
            _ => return Err(Fault::new(self.line, format!("`{kind}` has no option `{word}`"))),
        }
        Ok(())
    }
}

fn diagnostic(fence: &Fence<'_>, rest: &[String]) -> Result<ExpectedDiagnostic, Fault> {
    let mut expected = ExpectedDiagnostic { block: fence.line, ..ExpectedDiagnostic::default() };
    for word in rest {
        match key_value(word) {
            ("code", Some(code)) => expected.code = code.to_owned(),
            ("line", Some(text)) => expected.line = Some(number(fence.line, "line", text)?),
            ("column", Some(text)) => expected.column = Some(number(fence.line, "column", text)?),
            _ => return Err(Fault::new(fence.line, format!("a diagnostic has no option `{word}`"))),
        }
    }
    if expected.code.is_empty() {
        return Err(Fault::new(fence.line, "a diagnostic needs `code=…`"));
    }
    for line in fence.lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        match line.strip_prefix("help: ") {
            Some(hint) => expected.hint = Some(hint.to_owned()),
            None => expected.message = Some(line.to_owned()),
        }
    }
    Ok(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Fault {
        parse("t.md", text).expect_err("a faulty document")
    }

    #[test]
    fn blocks_speak_of_the_last_specifications() {
        let text = "```qtl\nprop p: a\n```\n```mfotl also\na()\n```\n```rejected count=2 x=1\nb\n! point=1 x=1\n```\n";
        let document = parse("t.md", text).expect("a document");
        let [first, second] = &document.specifications[..] else { panic!("two specifications") };
        assert_eq!(first.traces, second.traces);
        let [block] = &first.traces[..] else { panic!("one block") };
        assert_eq!(block.traces, [(8, "b".to_owned())]);
        let ExpectedOutcome::Rejected { first, count, all } = &block.outcome else { panic!("rejected") };
        assert_eq!((first.bindings.len(), *count, all.len()), (1, Some(2), 1));
        assert_eq!(all[0].point, Some(1));
    }

    #[test]
    fn misspelt_blocks_are_told() {
        let text = |kind: &str| format!("```qtl\nprop p: a\n```\n```accepted\na\n```\n```{kind}\nb\n```\n");
        let told = fault(&text("rejectd"));
        assert_eq!((told.line, &*told.message), (7, "there is no block `rejectd`; did you mean `rejected`?"));
        for kind in ["Accepted", "accept", "reject", "pendign", "gave-up", "errors", "lints"] {
            assert!(fault(&text(kind)).message.contains("did you mean"), "{kind}");
        }
        for kind in ["text", "console", "list", "java", "json", "toml", "sh", ""] {
            assert!(parse("t.md", &text(kind)).is_ok(), "{kind}");
        }
    }

    #[test]
    fn faults_say_where() {
        assert_eq!(fault("\n```accepted\n```\n").line, 2);
        assert_eq!(fault("```qtl fast\n```\n").message, "a specification has no option `fast`");
        assert_eq!(fault("```qtl\n```\n```accepted point=1\n```").message, "`accepted` has no option `point=1`");
        assert_eq!(fault("```qtl\n```\n```rejected point=x\n```").message, "`point` needs a number, found `x`");
        assert_eq!(fault("```qtl\n```\n```pending\n```").message, "`pending` needs `n=…`");
        assert_eq!(fault("```qtl\n```\n```error\n```").message, "a diagnostic needs `code=…`");
        assert_eq!(fault("```qtl\n```\n```rejected format=x\n```").message, "there is no format `x`");
    }
}
