//! Faults on purpose: each forgets the side condition of one law, or a part of what the law says.
//!
//! A comparison with the oracle is worth something only if it would see a wrong law. So every law has a fault, and a test shows that
//! the comparison notices it. The feature `faults`, which the tests of this crate switch on, compiles them; without it `is` is the
//! constant `false`, and the product has no wrong mode.

/// A law that is made wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// What must hold until a forbidden goal comes is forgotten.
    FutureToPast,
    /// What must come before the goal is forgotten.
    Relay,
    /// Demands become one though different things must hold until they are met.
    Either,
    /// Values that are shown after the guard held are forgotten.
    Shown,
    /// Values count as shown though no other part of the guard says so.
    Implied,
    /// `S` is dropped above what does not stay true.
    Absorb,
    /// Tables are gathered though different things must hold since.
    Gather,
    /// Violations are kept though they do not last.
    Latch,
    /// Tables share rows though their columns are in another order.
    SharedViews,
    /// What keeps a recursive definition true is forgotten.
    Recursion,
    /// `@` of an interpreted part is forgotten.
    Fallback,
    /// What must hold since is forgotten where a view is said by its previous state.
    PreviousState,
    /// A joined window takes rows that came after its witness.
    Joins,
    /// Handlers of several events forget the other events of their point.
    Handlers,
    /// A row that is looked up once is taken for unchanged though it changes more than once.
    Peephole,
    /// One instance stands for two bindings though states differ in what they accept.
    Halving,
}

#[cfg(feature = "faults")]
thread_local! {
    static ACTIVE: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Runs something with a fault, on this thread.
#[cfg(feature = "faults")]
pub fn with<T>(fault: Fault, run: impl FnOnce() -> T) -> T {
    let before = ACTIVE.replace(Some(fault));
    let result = run();
    ACTIVE.set(before);
    result
}

/// Whether this law is wrong at the moment.
#[cfg(feature = "faults")]
pub(crate) fn is(fault: Fault) -> bool {
    ACTIVE.get() == Some(fault)
}

/// Whether this law is wrong at the moment: never.
#[cfg(not(feature = "faults"))]
pub(crate) const fn is(_: Fault) -> bool {
    false
}
