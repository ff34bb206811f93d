//! The passes of the compiler: which of its laws are used. Tests and benches leave some out.
//!
//! Every pass is a general law with a side condition; the table names the files that state the laws, and whose properties made somebody
//! write them. `cargo bench -p referee --bench passes` shows what each brings.
//!
//! | pass | law in | customers |
//! |---|---|---|
//! | future_to_past, relay | `compile/future_to_past.rs` | demands of FO-LTL that are violated by what comes: the response patterns |
//! | either | `compile/branch.rs` | "one of these must come", FO-LTL and MFOTL; without it they are interpreted |
//! | shown, implied | `compile/sort_coverage.rs` | quantifiers over the sorts of FO-LTL |
//! | split, absorb | `compile/laws.rs` | "some of these came before" of different values, `P (login(u) \| open(f))`, which is interpreted without; operators within the same operator, which macros make |
//! | miniscope, project, stamps, reduce, gather, prenex, latch | `compile/laws.rs` | data races, deadlocks, and whatever is written with quantifiers in front |
//! | shared_views | `compile/shared_views.rs` | data races: tables with sets |
//! | recursion | `compile/recursion.rs` | DejaVu's rules: taint, spawned threads |
//! | fallback | `compile/fallback.rs` | MFOTL: aggregations, regular expressions and computed values beside tables |
//! | drivers | `compile/triggers.rs` | every property with an event in its guard |
//! | old_values, previous_state | `compile/schedule.rs`, `compile/previous_state.rs` | properties that ask what a table was |
//! | indexes | `compile/plan.rs` | joins: FIFO order, deadlocks |
//! | filter | `run` | rules about rare values of frequent events, `op(u, "delete", f)` |
//! | joins | `compile/join.rs` | policies over time windows |
//! | handlers, peephole | `code` | every property |

/// Declares the passes once: the switches, all of them on, all off, their names, and how they are switched by name.
macro_rules! passes {
    ($($(#[$doc:meta])* $field:ident $name:literal,)*) => {
        /// Which passes the compiler runs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Passes {
            $($(#[$doc])* pub $field: bool,)*
            /// Prefetch from small tables as well, which are in the cache anyway. No pass: tests switch it on, so that prefetching happens on
            /// their short traces.
            pub prefetch_small_tables: bool,
        }

        impl Passes {
            /// All of them.
            pub const ALL: Passes = Passes { $($field: true,)* prefetch_small_tables: false };

            /// None of them.
            pub const NONE: Passes = Passes { $($field: false,)* prefetch_small_tables: false };

            /// The names of the passes, as the hidden option of `check` takes them.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Switches a pass by its name; tells whether there is one.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $($name => self.$field = on,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

passes! {
    /// Look at demands that must not come true from where they do.
    future_to_past "future-to-past",
    /// Follow nested eventualities by stamps.
    relay "relay",
    /// Follow alternative demands as one.
    either "either",
    /// Judge bindings that a guard does not name when the trace has shown them.
    shown "shown",
    /// Let the rest of a guard tell that a quantifier's values have been shown.
    implied "implied",
    /// Split `S` at disjunctions.
    split "split",
    /// Push `∃` inwards.
    miniscope "miniscope",
    /// Push `∃` below `S`.
    project "project",
    /// Drop `S` above monotone formulas.
    absorb "absorb",
    /// Compare stamps instead of storing pairs.
    stamps "stamps",
    /// Add cheaper consequences to joins.
    reduce "reduce",
    /// Look at one table instead of several.
    gather "gather",
    /// Make columns of the variables in front of a check.
    prenex "prenex",
    /// Keep violations that last without looking at them again.
    latch "latch",
    /// Let tables follow others that tell what they hold.
    shared_views "shared-views",
    /// Keep a table for a definition that calls itself.
    recursion "recursion",
    /// Let the interpreter evaluate parts of a formula.
    fallback "fallback",
    /// Let one event of a conjunction stand for all its triggers.
    drivers "drivers",
    /// Read old values in place instead of keeping a delayed copy.
    old_values "old-values",
    /// Say what a view is by its previous state, instead of keeping a delayed copy.
    previous_state "previous-state",
    /// Reach rows by indexes instead of scanning tables.
    indexes "indexes",
    /// Drop events in the reader that the properties cannot see.
    filter "filter",
    /// Join what windows are made of when they are asked for.
    joins "joins",
    /// Run points with one event by handlers instead of plans.
    handlers "handlers",
    /// Run points with more than one event by handlers instead of plans.
    multi_event "multi-event",
    /// Fetch the rows of later events from memory while earlier events are judged.
    prefetch "prefetch",
    /// Let handlers find rows once, and pass over what would be reported in vain.
    peephole "peephole",
}
