//! Formulas that look at no sample but their own: all they say of a sample is known when it comes.

use referee_spec::core::signal::{Formula, Kind};

use super::degree::Degree;

/// How two formulas become one.
#[derive(Debug, Clone, Copy)]
pub enum Join {
    /// `and`
    And,
    /// `or`
    Or,
    /// `=>`
    Implies,
    /// `<=>`
    Iff,
}

impl Join {
    /// What two say together, as far as they are known.
    pub fn decide(self, left: Option<bool>, right: Option<bool>) -> Option<bool> {
        match (self, left, right) {
            (Join::And, Some(false), _) | (Join::And, _, Some(false)) => Some(false),
            (Join::Or, Some(true), _) | (Join::Or, _, Some(true)) => Some(true),
            (Join::Implies, Some(false), _) | (Join::Implies, _, Some(true)) => Some(true),
            (Join::And | Join::Or, Some(_), Some(right)) => Some(right),
            (Join::Implies, Some(_), Some(right)) => Some(right),
            (Join::Iff, Some(left), Some(right)) => Some(left == right),
            _ => None,
        }
    }

    /// What two say together.
    fn of(self, left: bool, right: bool) -> bool {
        match self {
            Join::And => left && right,
            Join::Or => left || right,
            Join::Implies => !left || right,
            Join::Iff => left == right,
        }
    }

    /// How far both together are from changing.
    #[inline]
    pub fn degree<D: Degree>(self, left: D, right: D) -> D {
        match self {
            Join::And => left.min(right),
            Join::Or => left.max(right),
            Join::Implies => left.negated().max(right),
            Join::Iff => left.negated().max(right.clone()).min(right.negated().max(left)),
        }
    }
}

/// A formula that looks at no sample but its own.
#[derive(Debug)]
pub enum Test {
    /// A comparison or a truth value, by its number.
    Atom(usize),
    /// `true`, `false`
    Constant(bool),
    /// `not`
    Not(Box<Test>),
    /// Two of them.
    Join(Join, Box<Test>, Box<Test>),
}

impl Test {
    /// The test of a formula that [`is_known_at_once`]; its atoms are numbered in textual order.
    pub fn of(formula: &Formula, atoms: &mut usize) -> Test {
        if let Some((join, left, right)) = parts(formula) {
            let left = Box::new(Test::of(left, atoms));
            return Test::Join(join, left, Box::new(Test::of(right, atoms)));
        }
        match &formula.kind {
            Kind::Constant(truth) => Test::Constant(*truth),
            Kind::Not(body) => Test::Not(Box::new(Test::of(body, atoms))),
            _ => {
                *atoms += 1;
                Test::Atom(*atoms - 1)
            }
        }
    }

    /// What it says where these atoms hold.
    #[inline]
    pub fn holds(&self, atoms: &[bool]) -> bool {
        match self {
            Test::Atom(atom) => atoms[*atom],
            Test::Constant(truth) => *truth,
            Test::Not(body) => !body.holds(atoms),
            Test::Join(join, left, right) => join.of(left.holds(atoms), right.holds(atoms)),
        }
    }

    /// How far it is from changing where atoms are so far from it.
    #[inline]
    pub fn degree<D: Degree>(&self, atoms: &[D]) -> D {
        match self {
            Test::Atom(atom) => atoms[*atom].clone(),
            Test::Constant(truth) => D::of(*truth),
            Test::Not(body) => body.degree(atoms).negated(),
            Test::Join(join, left, right) => join.degree(left.degree(atoms), right.degree(atoms)),
        }
    }
}

/// A formula that joins two others.
pub fn parts(formula: &Formula) -> Option<(Join, &Formula, &Formula)> {
    match &formula.kind {
        Kind::And(left, right) => Some((Join::And, left, right)),
        Kind::Or(left, right) => Some((Join::Or, left, right)),
        Kind::Implies(left, right) => Some((Join::Implies, left, right)),
        Kind::Iff(left, right) => Some((Join::Iff, left, right)),
        _ => None,
    }
}

/// Whether a formula looks at no sample but its own.
pub fn is_known_at_once(formula: &Formula) -> bool {
    match &formula.kind {
        Kind::Constant(_) | Kind::Compare(..) | Kind::Truth(_) => true,
        Kind::Not(body) => is_known_at_once(body),
        Kind::And(left, right) | Kind::Or(left, right) | Kind::Implies(left, right) | Kind::Iff(left, right) => {
            is_known_at_once(left) && is_known_at_once(right)
        }
        Kind::Finally(..) | Kind::Globally(..) | Kind::Until(..) => false,
    }
}
