//! Which steps of the compiler and of its programs are used: tests and benches leave some out.

/// Which passes the compiler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// Look at demands that must not come true from where they do.
    pub hindsight: bool,
    /// Follow nested eventualities by stamps.
    pub relay: bool,
    /// Follow alternative demands as one.
    pub either: bool,
    /// Judge bindings that a guard does not name when the trace has shown them.
    pub shown: bool,
    /// Let the rest of a guard tell that a quantifier's values have been shown.
    pub implied: bool,
    /// Split `S` at disjunctions.
    pub split: bool,
    /// Push `∃` inwards.
    pub miniscope: bool,
    /// Push `∃` below `S`.
    pub project: bool,
    /// Drop `S` above monotone formulas.
    pub absorb: bool,
    /// Compare stamps instead of storing pairs.
    pub stamps: bool,
    /// Add cheaper consequences to joins.
    pub reduce: bool,
    /// Look at one table instead of several.
    pub gather: bool,
    /// Make columns of the variables in front of a check.
    pub prenex: bool,
    /// Keep violations that last without looking at them again.
    pub latch: bool,
    /// Let tables follow others that tell what they hold.
    pub derive: bool,
    /// Keep a table for a definition that calls itself.
    pub recursion: bool,
    /// Let the general path evaluate parts of a formula.
    pub mixed: bool,
    /// Let one event of a conjunction stand for all its triggers.
    pub drivers: bool,
    /// Read old values in place instead of keeping a delayed copy.
    pub old_values: bool,
    /// Say what a view is by what it was, instead of keeping a delayed copy.
    pub unfold: bool,
    /// Reach rows by indexes instead of scanning tables.
    pub indexes: bool,
    /// Drop events in the reader that the properties cannot see.
    pub filter: bool,
    /// Join what windows are made of when they are asked for.
    pub joins: bool,
    /// Run points with one event by handlers instead of plans.
    pub handlers: bool,
    /// Run points with more than one event by handlers instead of plans.
    pub multi_event: bool,
    /// Fetch the rows of later events from memory while earlier events are judged.
    pub prefetch: bool,
    /// Prefetch from small tables as well, which are in the cache anyway: tests do, to have it happen at all.
    pub prefetch_small_tables: bool,
    /// Let handlers find rows once, and pass over what would be reported in vain.
    pub shortcuts: bool,
    /// Break laws on purpose: forget a side condition, or a part of what they say.
    pub broken: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes {
        hindsight: true,
        relay: true,
        either: true,
        shown: true,
        implied: true,
        split: true,
        miniscope: true,
        project: true,
        absorb: true,
        stamps: true,
        reduce: true,
        gather: true,
        prenex: true,
        latch: true,
        derive: true,
        recursion: true,
        mixed: true,
        drivers: true,
        old_values: true,
        unfold: true,
        indexes: true,
        filter: true,
        joins: true,
        handlers: true,
        multi_event: true,
        prefetch: true,
        prefetch_small_tables: false,
        shortcuts: true,
        broken: false,
    };

    /// None of them.
    pub const NONE: Passes = Passes {
        hindsight: false,
        relay: false,
        either: false,
        shown: false,
        implied: false,
        split: false,
        miniscope: false,
        project: false,
        absorb: false,
        stamps: false,
        reduce: false,
        gather: false,
        prenex: false,
        latch: false,
        derive: false,
        recursion: false,
        mixed: false,
        drivers: false,
        old_values: false,
        unfold: false,
        indexes: false,
        filter: false,
        joins: false,
        handlers: false,
        multi_event: false,
        prefetch: false,
        prefetch_small_tables: false,
        shortcuts: false,
        broken: false,
    };

    /// The names of the passes, as the hidden option of `check` takes them.
    pub const NAMES: [&'static str; 27] = [
        "hindsight",
        "relay",
        "either",
        "shown",
        "implied",
        "split",
        "miniscope",
        "project",
        "absorb",
        "stamps",
        "reduce",
        "gather",
        "prenex",
        "latch",
        "derive",
        "recursion",
        "mixed",
        "drivers",
        "old-values",
        "unfold",
        "indexes",
        "filter",
        "joins",
        "handlers",
        "multi-event",
        "prefetch",
        "shortcuts",
    ];

    /// Switches a pass by its name; tells whether there is one.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let pass = match name {
            "hindsight" => &mut self.hindsight,
            "relay" => &mut self.relay,
            "either" => &mut self.either,
            "shown" => &mut self.shown,
            "implied" => &mut self.implied,
            "split" => &mut self.split,
            "miniscope" => &mut self.miniscope,
            "project" => &mut self.project,
            "absorb" => &mut self.absorb,
            "stamps" => &mut self.stamps,
            "reduce" => &mut self.reduce,
            "gather" => &mut self.gather,
            "prenex" => &mut self.prenex,
            "latch" => &mut self.latch,
            "derive" => &mut self.derive,
            "recursion" => &mut self.recursion,
            "mixed" => &mut self.mixed,
            "drivers" => &mut self.drivers,
            "old-values" => &mut self.old_values,
            "unfold" => &mut self.unfold,
            "indexes" => &mut self.indexes,
            "filter" => &mut self.filter,
            "joins" => &mut self.joins,
            "handlers" => &mut self.handlers,
            "multi-event" => &mut self.multi_event,
            "prefetch" => &mut self.prefetch,
            "shortcuts" => &mut self.shortcuts,
            _ => return false,
        };
        *pass = on;
        true
    }
}
