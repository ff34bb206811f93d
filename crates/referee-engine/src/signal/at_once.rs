//! Evaluates formulas that read no sample but their own: their truth at a sample is known when the sample comes.

use referee_spec::core::signal::{SignalFormula, SignalKind};

use super::degree::Degree;

/// How two formulas become one.
#[derive(Debug, Clone, Copy)]
pub(super) enum SignalJoin {
    /// `and`
    And,
    /// `or`
    Or,
    /// `=>`
    Implies,
    /// `<=>`
    Iff,
}

impl SignalJoin {
    /// What two say together, as far as they are known.
    pub(super) fn decide(self, left: Option<bool>, right: Option<bool>) -> Option<bool> {
        match (self, left, right) {
            (SignalJoin::And, Some(false), _) | (SignalJoin::And, _, Some(false)) => Some(false),
            (SignalJoin::Or, Some(true), _) | (SignalJoin::Or, _, Some(true)) => Some(true),
            (SignalJoin::Implies, Some(false), _) | (SignalJoin::Implies, _, Some(true)) => Some(true),
            (SignalJoin::And | SignalJoin::Or, Some(_), Some(right)) => Some(right),
            (SignalJoin::Implies, Some(_), Some(right)) => Some(right),
            (SignalJoin::Iff, Some(left), Some(right)) => Some(left == right),
            _ => None,
        }
    }

    /// What two say together.
    fn of(self, left: bool, right: bool) -> bool {
        match self {
            SignalJoin::And => left && right,
            SignalJoin::Or => left || right,
            SignalJoin::Implies => !left || right,
            SignalJoin::Iff => left == right,
        }
    }

    /// How far both together are from changing.
    #[inline]
    pub(super) fn degree<D: Degree>(self, left: D, right: D) -> D {
        match self {
            SignalJoin::And => left.min(right),
            SignalJoin::Or => left.max(right),
            SignalJoin::Implies => left.negated().max(right),
            SignalJoin::Iff => left.negated().max(right.clone()).min(right.negated().max(left)),
        }
    }
}

/// A formula that looks at no sample but its own.
#[derive(Debug)]
pub(super) enum SignalTest {
    /// A comparison or a truth value, by its number.
    Atom(usize),
    /// `true`, `false`
    Constant(bool),
    /// `not`
    Not(Box<SignalTest>),
    /// Two of them.
    Join(SignalJoin, Box<SignalTest>, Box<SignalTest>),
}

impl SignalTest {
    /// The test of a formula that [`is_known_at_once`]; its atoms are numbered in textual order.
    pub(super) fn of(formula: &SignalFormula, atoms: &mut usize) -> SignalTest {
        if let Some((join, left, right)) = parts(formula) {
            let left = Box::new(SignalTest::of(left, atoms));
            return SignalTest::Join(join, left, Box::new(SignalTest::of(right, atoms)));
        }
        match &formula.kind {
            SignalKind::Constant(truth) => SignalTest::Constant(*truth),
            SignalKind::Not(body) => SignalTest::Not(Box::new(SignalTest::of(body, atoms))),
            _ => {
                *atoms += 1;
                SignalTest::Atom(*atoms - 1)
            }
        }
    }

    /// What it says where these atoms hold.
    #[inline]
    pub(super) fn holds(&self, atoms: &[bool]) -> bool {
        match self {
            SignalTest::Atom(atom) => atoms[*atom],
            SignalTest::Constant(truth) => *truth,
            SignalTest::Not(body) => !body.holds(atoms),
            SignalTest::Join(join, left, right) => join.of(left.holds(atoms), right.holds(atoms)),
        }
    }

    /// How far it is from changing where atoms are so far from it.
    #[inline]
    pub(super) fn degree<D: Degree>(&self, atoms: &[D]) -> D {
        match self {
            SignalTest::Atom(atom) => atoms[*atom].clone(),
            SignalTest::Constant(truth) => D::of(*truth),
            SignalTest::Not(body) => body.degree(atoms).negated(),
            SignalTest::Join(join, left, right) => join.degree(left.degree(atoms), right.degree(atoms)),
        }
    }
}

/// A formula that joins two others.
pub(super) fn parts(formula: &SignalFormula) -> Option<(SignalJoin, &SignalFormula, &SignalFormula)> {
    match &formula.kind {
        SignalKind::And(left, right) => Some((SignalJoin::And, left, right)),
        SignalKind::Or(left, right) => Some((SignalJoin::Or, left, right)),
        SignalKind::Implies(left, right) => Some((SignalJoin::Implies, left, right)),
        SignalKind::Iff(left, right) => Some((SignalJoin::Iff, left, right)),
        _ => None,
    }
}

/// Whether a formula looks at no sample but its own.
pub(super) fn is_known_at_once(formula: &SignalFormula) -> bool {
    match &formula.kind {
        SignalKind::Constant(_) | SignalKind::Compare(..) | SignalKind::Truth(_) => true,
        SignalKind::Not(body) => is_known_at_once(body),
        SignalKind::And(left, right)
        | SignalKind::Or(left, right)
        | SignalKind::Implies(left, right)
        | SignalKind::Iff(left, right) => is_known_at_once(left) && is_known_at_once(right),
        SignalKind::Finally(..) | SignalKind::Globally(..) | SignalKind::Until(..) => false,
    }
}
