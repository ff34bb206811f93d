//! Numbers for the variables of a formula, and sets of them.

/// A variable of a compiled property. Inner quantifiers bind larger numbers than outer ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FormulaVar(pub u32);

/// A set of variables, exact for the first 63; the others share one bit, which may only make the set look larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct VarSet(u64);

impl VarSet {
    /// No variable.
    pub(crate) const EMPTY: VarSet = VarSet(0);

    /// One variable.
    pub(crate) fn of(var: FormulaVar) -> VarSet {
        VarSet(1 << var.0.min(63))
    }

    /// Whether a variable may be in the set.
    pub(crate) fn has(self, var: FormulaVar) -> bool {
        self.0 & VarSet::of(var).0 != 0
    }

    /// Both sets.
    #[must_use]
    pub(crate) fn with(self, other: VarSet) -> VarSet {
        VarSet(self.0 | other.0)
    }

    /// The set without a variable, unless it shares its bit.
    #[must_use]
    pub(crate) fn without(self, var: FormulaVar) -> VarSet {
        if var.0 >= 63 { self } else { VarSet(self.0 & !VarSet::of(var).0) }
    }

    /// The first variable of the set that comes before another.
    pub(crate) fn first_before(self, var: FormulaVar) -> Option<FormulaVar> {
        let before = self.0 & (VarSet::of(var).0 - 1);
        (before != 0).then(|| FormulaVar(before.trailing_zeros()))
    }

    /// Whether the set is certainly empty.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
