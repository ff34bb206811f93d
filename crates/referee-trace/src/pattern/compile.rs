//! From a regular expression to the steps of a scanner, where that can be done.
//!
//! Steps are made from the last to the first, so that each knows with which bytes the pattern can go on behind it. A run is forced if
//! no byte of its class is among them, a branch if no two begin with the same byte, a loop if what follows cannot begin
//! another round.
//!
//! Not compiled: word boundaries, groups within loops, shortest runs that nothing certain ends, and longest runs that
//! would always go too far (`.*x`). These patterns are left to the engine of regular expressions.

use memchr::memmem::Finder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use super::classes::{ByteClass, FirstSet};
use super::scan::{Branch, Step, StepKind};

/// A pattern as steps.
#[derive(Debug, Clone)]
pub(super) struct Scanner {
    pub(super) steps: Vec<Step>,
    /// Whether it can only match at the start of a line.
    pub(super) is_anchored: bool,
}

/// The scanner of an expression; nothing if it has none.
pub(super) fn scanner(expression: &Hir) -> Option<Scanner> {
    let mut made = Made { reversed: Vec::new(), first: FirstSet::ANYTHING };
    made.put(expression)?;
    let mut steps = made.steps();
    settle(&mut steps, true, FirstSet::ANYTHING);
    let is_anchored = matches!(steps.first(), Some(Step { kind: StepKind::LineStart, .. }));
    Some(Scanner { steps, is_anchored })
}

/// Steps from the last to the first, and the bytes with which they can begin.
struct Made {
    reversed: Vec<Step>,
    first: FirstSet,
}

impl Made {
    fn steps(mut self) -> Vec<Step> {
        self.reversed.reverse();
        self.reversed
    }

    fn push(&mut self, kind: StepKind) {
        self.reversed.push(Step { kind, is_settled: false });
    }

    /// Puts an expression before what is there.
    fn put(&mut self, expression: &Hir) -> Option<()> {
        match expression.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => match &*literal.0 {
                [] => {}
                [byte] => {
                    self.push(StepKind::Byte(*byte));
                    self.first = FirstSet::byte(*byte);
                }
                text => {
                    self.first = FirstSet::byte(text[0]);
                    self.push(StepKind::Literal(text.into()));
                }
            },
            HirKind::Class(class) => self.run(class, 1, Some(1), true)?,
            HirKind::Look(Look::Start) => self.push(StepKind::LineStart),
            HirKind::Look(Look::End) => {
                self.push(StepKind::LineEnd);
                self.first = FirstSet::END;
            }
            HirKind::Look(_) => return None,
            HirKind::Repetition(repetition) => self.repetition(repetition)?,
            HirKind::Capture(capture) => {
                self.push(StepKind::End(capture.index as usize));
                self.put(&capture.sub)?;
                self.push(StepKind::Begin(capture.index as usize));
            }
            HirKind::Concat(parts) => parts.iter().rev().try_for_each(|part| self.put(part))?,
            HirKind::Alternation(parts) => {
                let branches = parts.iter().map(|part| branch(part, self.first)).collect::<Option<Vec<_>>>()?;
                self.branches(branches);
            }
        }
        Some(())
    }

    fn branches(&mut self, branches: Vec<Branch>) {
        self.first = branches.iter().fold(FirstSet::EMPTY, |first, branch| first.or(branch.first));
        self.push(StepKind::Branches(branches));
    }

    fn repetition(&mut self, repetition: &Repetition) -> Option<()> {
        let Repetition { min, max, greedy, sub } = repetition;
        match sub.kind() {
            HirKind::Class(class) => return self.run(class, *min, *max, *greedy),
            HirKind::Literal(literal) if literal.0.len() == 1 => {
                return self.run_of(ByteClass::single(literal.0[0]), *min, *max, *greedy);
            }
            _ => {}
        }
        if (*min, *max) == (0, Some(1)) {
            let nothing = Branch { steps: Vec::new(), first: self.first, groups: 0..0 };
            let mut branches = vec![branch(sub, self.first)?, nothing];
            if !greedy {
                branches.reverse();
            }
            self.branches(branches);
            return Some(());
        }
        let has_groups = sub.properties().explicit_captures_len() > 0;
        let may_be_empty = sub.properties().minimum_len() == Some(0);
        if has_groups || may_be_empty || !greedy {
            return None;
        }
        // Behind a round comes another one, or what follows.
        let body = branch(sub, first_byte(sub, FirstSet::EMPTY).or(self.first))?;
        let first = if *min == 0 { body.first.or(self.first) } else { body.first };
        let most = max.map_or(usize::MAX, |max| max as usize);
        self.push(StepKind::Loop { body: Box::new(body), least: *min as usize, most });
        self.first = first;
        Some(())
    }

    fn run(&mut self, class: &Class, min: u32, max: Option<u32>, greedy: bool) -> Option<()> {
        let counts = min > 1 || max.is_some();
        self.run_of(ByteClass::of(class, counts)?, min, max, greedy)
    }

    fn run_of(&mut self, class: ByteClass, min: u32, max: Option<u32>, greedy: bool) -> Option<()> {
        let (least, most) = (min as usize, max.map_or(usize::MAX, |max| max as usize));
        let first = class.first();
        let is_forced = least == most || first.is_apart_from(self.first);
        let ends_anywhere = self.first == FirstSet::ANYTHING;
        let follow = self.first;
        self.first = if least == 0 { first.or(follow) } else { first };
        if greedy || is_forced {
            let goes_too_far = class.is_everything() && most == usize::MAX && !follow.allows(None);
            if goes_too_far && !is_forced {
                return None;
            }
            self.push(StepKind::Run { class, least, most });
            return Some(());
        }
        if ends_anywhere && self.reversed.iter().all(|step| matches!(step.kind, StepKind::End(_))) {
            self.push(StepKind::Run { class, least, most: least });
            return Some(());
        }
        if most != usize::MAX || least > 1 {
            return None;
        }
        let next = self.reversed.iter().rev().find(|step| !matches!(step.kind, StepKind::End(_) | StepKind::Begin(_)));
        let text: Vec<u8> = match next.map(|step| &step.kind) {
            Some(StepKind::Byte(byte)) => vec![*byte],
            Some(StepKind::Literal(text)) => text.to_vec(),
            Some(StepKind::LineEnd) => {
                // The shortest run that ends with the line is the whole line, or there is none.
                self.push(StepKind::Run { class, least, most });
                return Some(());
            }
            _ => return None,
        };
        self.push(StepKind::UpTo { class, least, text: Box::new(Finder::new(&text).into_owned()) });
        Some(())
    }
}

/// With which bytes an expression can begin, given what follows; perhaps too many.
fn first_byte(expression: &Hir, follow: FirstSet) -> FirstSet {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => follow,
        HirKind::Literal(literal) => literal.0.first().map_or(follow, |byte| FirstSet::byte(*byte)),
        HirKind::Class(class) => ByteClass::of(class, true).map_or(FirstSet::ANYTHING, |class| class.first()),
        HirKind::Repetition(Repetition { min: 0, sub, .. }) => first_byte(sub, follow).or(follow),
        HirKind::Repetition(repetition) => first_byte(&repetition.sub, follow),
        HirKind::Capture(capture) => first_byte(&capture.sub, follow),
        HirKind::Concat(parts) => parts.iter().rev().fold(follow, |follow, part| first_byte(part, follow)),
        HirKind::Alternation(parts) => {
            parts.iter().fold(FirstSet::EMPTY, |first, part| first.or(first_byte(part, follow)))
        }
    }
}

/// An expression as a branch, behind which the pattern can go on with these bytes.
fn branch(expression: &Hir, follow: FirstSet) -> Option<Branch> {
    let mut made = Made { reversed: Vec::new(), first: follow };
    made.put(expression)?;
    let first = made.first;
    let steps = made.steps();
    let groups = groups_in(&steps);
    Some(Branch { steps, first, groups })
}

/// The groups within steps: their numbers follow each other.
fn groups_in(steps: &[Step]) -> std::ops::Range<usize> {
    let mut all: Vec<usize> = Vec::new();
    for step in steps {
        match &step.kind {
            StepKind::Begin(group) => all.push(*group),
            StepKind::Branches(branches) => all.extend(branches.iter().flat_map(|branch| branch.groups.clone())),
            _ => {}
        }
    }
    match (all.iter().min(), all.iter().max()) {
        (Some(first), Some(last)) => *first..last + 1,
        _ => 0..0,
    }
}

/// Notes at each step whether all choices before it are forced, given what follows; tells whether all within are.
fn settle(steps: &mut [Step], mut is_settled: bool, follow: FirstSet) -> bool {
    let mut follows = vec![follow; steps.len()];
    for index in (1..steps.len()).rev() {
        follows[index - 1] = first_of(&steps[index].kind, follows[index]);
    }
    for (step, follow) in steps.iter_mut().zip(follows) {
        step.is_settled = is_settled;
        is_settled &= match &mut step.kind {
            StepKind::Run { class, least, most } => least == most || class.first().is_apart_from(follow),
            StepKind::UpTo { .. } => false,
            StepKind::Branches(branches) => {
                let mut within = true;
                for branch in branches.iter_mut() {
                    // All of them are settled, also behind one that is not.
                    within &= settle(&mut branch.steps, true, follow);
                }
                let are_apart = (1..branches.len()).all(|later| {
                    branches[..later].iter().all(|before| before.first.is_apart_from(branches[later].first))
                });
                within && are_apart
            }
            StepKind::Loop { body, .. } => {
                let within = settle(&mut body.steps, true, body.first.or(follow));
                within && body.first.is_apart_from(follow)
            }
            _ => true,
        };
    }
    is_settled
}

/// With which bytes a step can begin, given what follows.
fn first_of(kind: &StepKind, follow: FirstSet) -> FirstSet {
    match kind {
        StepKind::Byte(byte) => FirstSet::byte(*byte),
        StepKind::Literal(text) => FirstSet::byte(text[0]),
        StepKind::Run { class, least: 0, .. } => class.first().or(follow),
        StepKind::Run { class, .. } => class.first(),
        StepKind::UpTo { class, .. } => class.first().or(follow),
        StepKind::Begin(_) | StepKind::End(_) | StepKind::LineStart => follow,
        StepKind::Branches(branches) => branches.iter().fold(FirstSet::EMPTY, |first, branch| first.or(branch.first)),
        StepKind::Loop { body, least: 0, .. } => body.first.or(follow),
        StepKind::Loop { body, .. } => body.first,
        StepKind::LineEnd => FirstSet::END,
    }
}
