//! The examples of a Markdown file, in the format of our own tests.

use std::path::Path;

use referee_cases::{Document, ExpectedOutcome, Mismatch, Specification, TraceBlock, check, parse};

use super::suite::{Case, Suite};
use crate::failure::Failure;

/// Every trace by the specifications above it, and that those compile or have the errors that they should.
pub(super) fn suite(path: &Path) -> Result<Suite, Failure> {
    let file = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| Failure::Other(format!("{file}: cannot be read: {error}")))?;
    let tests = match parse(&file, &text) {
        Ok(document) => {
            document.specifications.into_iter().filter(has_tests).flat_map(|one| cases(&file, one)).collect()
        }
        Err(fault) => vec![Case::new("the page".into(), Some(fault.line), Err(fault.message))],
    };
    Ok(Suite { file, tests })
}

/// A specification that nothing is said of is an illustration.
fn has_tests(specification: &Specification) -> bool {
    !(specification.traces.is_empty() && specification.errors.is_empty() && specification.lints.is_empty())
}

fn cases(file: &str, specification: Specification) -> Vec<Case> {
    let name = format!("{}.{}", specification.name, specification.language.name());
    let mut expected = vec![(specification.line, format!("{name} compiles as written"))];
    for block in &specification.traces {
        expected.extend(block.traces.iter().map(|(line, _)| (*line, format!("{name} {}", said(block)))));
    }
    let document = Document { file: file.to_owned(), specifications: vec![specification] };
    let mut wrong = check(&document, &mut |rule, trace, prefix| referee_engine::judge_rule(rule, trace, prefix));
    let mut cases: Vec<Case> = expected.into_iter().map(|(line, name)| case(line, name, &mut wrong)).collect();
    // What belongs to no trace, such as an error that did not come, belongs to the specification.
    if let (Some(first), Some(rest)) = (cases.first_mut(), reasons(&wrong)) {
        let own = first.reason.take().map_or(String::new(), |own| format!("{own}; "));
        (first.ok, first.reason) = (false, Some(own + &rest));
    }
    cases
}

/// The case at a line, with the mismatches of that line.
fn case(line: usize, name: String, wrong: &mut Vec<Mismatch>) -> Case {
    let own: Vec<Mismatch> = wrong.extract_if(.., |mismatch| mismatch.line == line).collect();
    Case::new(name, Some(line), reasons(&own).map_or(Ok(()), Err))
}

fn reasons(wrong: &[Mismatch]) -> Option<String> {
    let each = wrong.iter().map(|one| format!("expected {}, found {}", one.expected, one.found));
    each.reduce(|all, one| format!("{all}; {one}"))
}

fn said(block: &TraceBlock) -> &'static str {
    match block.outcome {
        ExpectedOutcome::Accepted => "accepts",
        ExpectedOutcome::Rejected { .. } => "rejects",
        ExpectedOutcome::GaveUp(_) => "gives up",
        ExpectedOutcome::Pending(_) => "leaves open",
    }
}
