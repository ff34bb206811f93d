//! Why the compiler leaves a property, or a part of it, to the interpreter.

/// Why a property, or a part of it, takes the general path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It has a regular expression.
    Regex,
    /// It aggregates.
    Aggregation,
    /// It has a recursive definition that is no table of its own past.
    Recursion,
    /// Quantifiers range over the values seen so far.
    SeenSoFar,
    /// It computes with something else than sums, differences and products of what events carry.
    Computation,
    /// A demand on the future stands where only the past can be looked at, or two of them in one alternative.
    Future,
    /// An operator has an interval where none is supported.
    Interval,
    /// Some variable is restricted by nothing that happened.
    Unrestricted,
    /// A sort's values would have to be known before the end.
    Domain,
    /// A part that the general path evaluates stands where no event tells when to ask for it.
    Unguarded,
    /// Too many variables.
    Size,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Regex => "regular expressions over points are matched by the general path",
            Reason::Aggregation => "aggregations are judged by the general path",
            Reason::Recursion => {
                "a definition that calls itself otherwise than below `@` is judged by the general path"
            }
            Reason::SeenSoFar => "quantifiers over the values seen so far are judged by the general path",
            Reason::Computation => "computed values are judged by the general path",
            Reason::Future => "demands on the future that are nested or combined are judged by the general path",
            Reason::Interval => "this combination of intervals is judged by the general path",
            Reason::Unrestricted => "some variable is restricted by nothing that happened",
            Reason::Domain => "a quantifier needs all values of its sort, which only the end tells",
            Reason::Unguarded => "no event tells when to ask for what the general path evaluates",
            Reason::Size => "it has too many variables",
        })
    }
}
