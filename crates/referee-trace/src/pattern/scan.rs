//! Follows a pattern through a line without ever going back.
//!
//! An engine of regular expressions tries the choices of a pattern in a fixed order: longest run first, or shortest for `*?`,
//! branches from the left. The scanner follows the first choice each time. **If that succeeds, it is what the engine would
//! have found.** If it fails, another choice might have succeeded, unless all choices before were forced; this is known
//! when the pattern is compiled, and noted at each step.

use memchr::memmem::Finder;

use super::classes::{ByteClass, FirstSet, Membership};

/// A step, and whether all choices before it are forced: then its failure is that of the pattern.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    pub(super) is_settled: bool,
}

#[derive(Debug, Clone)]
pub(super) enum StepKind {
    Byte(u8),
    Literal(Box<[u8]>),
    /// As many bytes of a class as there are.
    Run {
        class: ByteClass,
        least: usize,
        most: usize,
    },
    /// Bytes of a class up to the first place where a text stands.
    UpTo {
        class: ByteClass,
        least: usize,
        text: Box<Finder<'static>>,
    },
    /// A group begins, or ends.
    Begin(usize),
    End(usize),
    /// The first branch that succeeds.
    Branches(Vec<Branch>),
    /// As many rounds as there are.
    Loop {
        body: Box<Branch>,
        least: usize,
        most: usize,
    },
    LineStart,
    LineEnd,
}

/// One of several ways to go on.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) steps: Vec<Step>,
    /// With which bytes it can begin, with what follows behind it.
    pub(super) first: FirstSet,
    /// The groups within, which are forgotten if it fails.
    pub(super) groups: std::ops::Range<usize>,
}

/// Why a scan did not succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Miss {
    /// The pattern does not match here.
    Certain,
    /// Another choice might.
    Unknown,
}

/// Where the groups of a line are; `usize::MAX` where one took no part.
pub(super) type Groups = [(usize, usize)];

/// A group that took no part.
pub(super) const ABSENT: (usize, usize) = (usize::MAX, usize::MAX);

/// Follows the steps from `at` on; tells where they end.
pub(super) fn scan(steps: &[Step], line: &[u8], mut at: usize, groups: &mut Groups) -> Result<usize, Miss> {
    for step in steps {
        let next = match &step.kind {
            StepKind::Byte(byte) => (line.get(at) == Some(byte)).then_some(at + 1),
            StepKind::Literal(text) => line[at..].starts_with(text).then(|| at + text.len()),
            StepKind::Run { class, least, most } => {
                let end = at + class.run(&line[at..], *most);
                // A character that has to be looked at ends the run only if the run may go on.
                if end - at < *most && line.get(end).is_some_and(|byte| class.member(*byte) == Membership::Unknown) {
                    return Err(Miss::Unknown);
                }
                (end - at >= *least).then_some(end)
            }
            StepKind::UpTo { class, least, text } => up_to(class, *least, text, line, at)?,
            StepKind::Begin(group) => {
                groups[*group].0 = at;
                Some(at)
            }
            StepKind::End(group) => {
                groups[*group].1 = at;
                Some(at)
            }
            StepKind::Branches(branches) => branch(branches, line, at, groups)?,
            StepKind::Loop { body, least, most } => rounds(body, *least, *most, line, at, groups)?,
            StepKind::LineStart => (at == 0).then_some(at),
            StepKind::LineEnd => (at == line.len()).then_some(at),
        };
        at = match next {
            Some(next) => next,
            None if step.is_settled => return Err(Miss::Certain),
            None => return Err(Miss::Unknown),
        };
    }
    Ok(at)
}

fn up_to(class: &ByteClass, least: usize, text: &Finder<'_>, line: &[u8], at: usize) -> Result<Option<usize>, Miss> {
    let Some(rest) = line.get(at + least..) else { return Ok(None) };
    let Some(found) = text.find(rest) else { return Ok(None) };
    let end = at + least + found;
    if class.is_everything() {
        return Ok(Some(end));
    }
    let run = at + class.run(&line[at..end], usize::MAX);
    match line[at..end].get(run - at) {
        None => Ok(Some(end)),
        Some(byte) if class.member(*byte) == Membership::Unknown => Err(Miss::Unknown),
        Some(_) => Ok(None),
    }
}

fn branch(branches: &[Branch], line: &[u8], at: usize, groups: &mut Groups) -> Result<Option<usize>, Miss> {
    for branch in branches {
        if !branch.first.allows(line.get(at)) {
            continue;
        }
        match scan(&branch.steps, line, at, groups) {
            Ok(end) => return Ok(Some(end)),
            Err(Miss::Unknown) => return Err(Miss::Unknown),
            Err(Miss::Certain) => groups[branch.groups.clone()].fill(ABSENT),
        }
    }
    Ok(None)
}

fn rounds(
    body: &Branch,
    least: usize,
    most: usize,
    line: &[u8],
    mut at: usize,
    groups: &mut Groups,
) -> Result<Option<usize>, Miss> {
    let mut count = 0;
    while count < most && body.first.allows(line.get(at)) {
        match scan(&body.steps, line, at, groups) {
            Ok(end) => at = end,
            Err(Miss::Unknown) => return Err(Miss::Unknown),
            Err(Miss::Certain) => break,
        }
        count += 1;
    }
    Ok((count >= least).then_some(at))
}
