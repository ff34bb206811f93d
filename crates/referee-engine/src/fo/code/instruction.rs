//! The instructions of handlers: one declaration makes all that is said about each of them.
//!
//! ```text
//!   declaration ─┬─▶ Op         what handlers are written and rewritten in:  Insert { table: 3, key: Two(0, 1) }
//!                ├─▶ Bytecode   what the loop over events runs:              Insert2 { key: table 3, slots [0, 1] }
//!                ├─▶ Bytecode::of, the translation from one to the other, at the same place
//!                └─▶ facts      slots, targets, tables that are read, effect: for peephole rules and prefetching
//! ```
//!
//! How many words a key has is part of what kind of bytecode it is, so that one jump leads to the code for it, where an
//! [`Op`] takes two; and a bytecode has sixteen bytes. What few events come to is [`Bytecode::Rare`] or
//! [`Bytecode::Demand`]: the [`Op`] at the same place is run. **A bytecode does what its instruction does.**
//!
//! # How to add an instruction
//!
//! 1. Declare it in `instructions!` below, in the section that says how it is coded: `plain` (as it is declared), `keyed` (one
//!    kind for each width of its key), `demands` or `rare` (left to the [`Op`]). State its facts:
//!    `reads` the slots that it reads; `loops` where the next round begins, `fails` where it goes on if a test fails or no row is
//!    left, `otherwise` where it goes on if it cannot decide; `tables` which tables it reads; `does` what it changes.
//!    What is in doubt is [`TableReads::Unknown`] and [`OpEffect::Other`]: no rule concludes anything from these.
//! 2. Run it: the loop in `run/handler_loop.rs` has a match over each of the two types, and the compiler names what is missing.
//! 3. Write it: `code/codegen.rs`, or a rule of `code/peephole.rs`.

use referee_spec::core::Comparison;

use crate::fo::code::key::{Slot, SlotKey};

/// The place of an instruction.
pub(crate) type Label = u32;

/// In the place of a target: the program decides what an instruction cannot.
pub(crate) const ASK_PROGRAM: Label = Label::MAX;

/// The slots of a key of so many words, and the table that it is looked up in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Keyed<const WORDS: usize> {
    /// The table.
    pub table: u16,
    /// The slots.
    pub slots: [Slot; WORDS],
}

/// A column of the rows of a group that are gone through, and where it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Walked {
    /// The index that has the group.
    pub index: u8,
    /// The column.
    pub column: u8,
    /// Where it is stored.
    pub slot: Slot,
    /// Where the place of the walk is kept.
    pub cursor: u8,
}

/// Which tables an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TableReads {
    /// None.
    Nothing,
    /// The row of a table with a key.
    Row(u32, SlotKey),
    /// The group of a table, by an index and the values that its rows share.
    Group(u32, u8, SlotKey),
    /// Something of a table.
    Table(u32),
    /// What others say, so perhaps any table.
    Unknown,
}

/// What an instruction changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum OpEffect {
    /// Nothing: it is a test, a jump or a report.
    Nothing,
    /// It stores words in registers of the frame, and notes where it is.
    Binds,
    /// The row of a table with a key is there afterwards.
    Inserts(u32, SlotKey),
    /// The row of a table with a key is not there afterwards.
    Removes(u32, SlotKey),
    /// The set of a row of a table with a key grows, or the row comes.
    Grows(u32, SlotKey),
    /// Openings of a demand are settled.
    Settles(u32),
    /// Something else, but no demand is settled.
    Other,
    /// A unit is run: all of this may happen.
    Everything,
}

/// What the slots of an operand are.
trait ReadsSlots {
    fn add_slots(self, slots: &mut Vec<Slot>);
}

impl ReadsSlots for Slot {
    fn add_slots(self, slots: &mut Vec<Slot>) {
        slots.push(self);
    }
}

impl ReadsSlots for SlotKey {
    fn add_slots(self, slots: &mut Vec<Slot>) {
        slots.extend(self.slots());
    }
}

/// The targets of an instruction, which has two at the most.
fn targets_of<'t>(targets: impl IntoIterator<Item = &'t mut Label>) -> [Option<&'t mut Label>; 2] {
    let mut targets = targets.into_iter();
    [targets.next(), targets.next()]
}

/// Makes the facts about instructions from the list of all of them.
macro_rules! facts {
    ($(
        $name:ident { $($field:ident),* $(,)? } {
            reads [$($read:ident),*]
            $(, loops $loops:ident)? $(, fails $fails:ident)? $(, otherwise $otherwise:ident)?,
            tables $tables:expr, does $does:expr $(,)?
        }
    )*) => {
        #[allow(unused_variables)]
        impl Op {
            /// The slots that it reads by itself, and not by what it names.
            pub(crate) fn slots(&self) -> Vec<Slot> {
                let mut slots = Vec::new();
                match *self {
                    $( Op::$name { $($field),* } => { $( $read.add_slots(&mut slots); )* } )*
                }
                slots
            }

            /// Where it may go on, besides the next instruction.
            pub(crate) fn targets_mut(&mut self) -> [Option<&mut Label>; 2] {
                match self {
                    $( Op::$name { $($field),* } => targets_of([$($loops,)? $($fails,)? $($otherwise,)?]), )*
                }
            }

            /// Where it goes on if a test fails, or if no row is left.
            pub(crate) fn failure_mut(&mut self) -> Option<&mut Label> {
                match self {
                    $( Op::$name { $($field),* } => { let [fails, _] = targets_of([$($fails)?]); fails } )*
                }
            }

            /// Whether the instruction behind it may be the next one that is run.
            pub(crate) fn leads_on(&self) -> bool {
                if matches!(self, Op::Jump { .. }) {
                    return false;
                }
                match self {
                    $( Op::$name { $($field),* } => { let rounds: &[&str] = &[$(stringify!($loops))?]; rounds.is_empty() }, )*
                }
            }

            /// Which tables it reads.
            pub(crate) fn tables(&self) -> TableReads {
                use TableReads::*;
                match *self {
                    $( Op::$name { $($field),* } => $tables, )*
                }
            }

            /// What it changes.
            pub(crate) fn effect(&self) -> OpEffect {
                use OpEffect::*;
                match *self {
                    $( Op::$name { $($field),* } => $does, )*
                }
            }
        }
    };
}

/// Makes the types of instructions, the translation between them, and the facts; see the [module](self).
macro_rules! instructions {
    (
        plain { $( $(#[$plain_doc:meta])* $plain:ident { $($pf:ident: $pt:ty),* } => $plain_facts:tt )* }
        keyed up to 3 { $(
            $(#[$wide_doc:meta])*
            $wide:ident($wide1:ident, $wide2:ident, $wide3:ident) [$wtable:ident, $wkey:ident] { $($wf:ident: $wt:ty),* }
                => $wide_facts:tt
        )* }
        keyed up to 2 { $(
            $(#[$short_doc:meta])*
            $short:ident($short1:ident, $short2:ident) [$stable:ident, $skey:ident] { $($sf:ident: $st:ty),* }
                => $short_facts:tt
        )* }
        demands { $( $(#[$demand_doc:meta])* $demand:ident { $($df:ident: $dt:ty),* } => $demand_facts:tt )* }
        rare { $( $(#[$rare_doc:meta])* $rare:ident { $($rf:ident: $rt:ty),* } => $rare_facts:tt )* }
    ) => {
        /// An instruction. `to` is where the handler goes on if the test fails, or if there is no row.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) enum Op {
            $( $(#[$plain_doc])* $plain { $($pf: $pt),* }, )*
            $( $(#[$wide_doc])* $wide { $wtable: u32, $wkey: SlotKey, $($wf: $wt),* }, )*
            $( $(#[$short_doc])* $short { $stable: u32, $skey: SlotKey, $($sf: $st),* }, )*
            $( $(#[$demand_doc])* $demand { $($df: $dt),* }, )*
            $( $(#[$rare_doc])* $rare { $($rf: $rt),* }, )*
        }

        /// An instruction as the loop over events runs it; see [`Op`].
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) enum Bytecode {
            $( $plain { $($pf: $pt),* }, )*
            $(
                $wide1 { key: Keyed<1>, $($wf: $wt),* },
                $wide2 { key: Keyed<2>, $($wf: $wt),* },
                $wide3 { key: Keyed<3>, $($wf: $wt),* },
            )*
            $(
                $short1 { key: Keyed<1>, $($sf: $st),* },
                $short2 { key: Keyed<2>, $($sf: $st),* },
            )*
            /// An instruction about demands on the future.
            Demand,
            /// Any other instruction.
            Rare,
        }

        impl Bytecode {
            /// The bytecode of an instruction that has one of its own.
            fn own(op: &Op) -> Option<Bytecode> {
                Some(match *op {
                    $( Op::$plain { $($pf),* } => Bytecode::$plain { $($pf),* }, )*
                    $( Op::$wide { $wtable, $wkey, $($wf),* } => {
                        let table = u16::try_from($wtable).ok()?;
                        match $wkey {
                            SlotKey::One(one) => Bytecode::$wide1 { key: Keyed { table, slots: [one] }, $($wf),* },
                            SlotKey::Two(one, two) => Bytecode::$wide2 { key: Keyed { table, slots: [one, two] }, $($wf),* },
                            SlotKey::Three(one, two, three) => {
                                Bytecode::$wide3 { key: Keyed { table, slots: [one, two, three] }, $($wf),* }
                            }
                            SlotKey::None | SlotKey::More(..) => return None,
                        }
                    } )*
                    $( Op::$short { $stable, $skey, $($sf),* } => {
                        let table = u16::try_from($stable).ok()?;
                        match $skey {
                            SlotKey::One(one) => Bytecode::$short1 { key: Keyed { table, slots: [one] }, $($sf),* },
                            SlotKey::Two(one, two) => Bytecode::$short2 { key: Keyed { table, slots: [one, two] }, $($sf),* },
                            SlotKey::None | SlotKey::Three(..) | SlotKey::More(..) => return None,
                        }
                    } )*
                    $( Op::$demand { .. } => Bytecode::Demand, )*
                    $( Op::$rare { .. } => return None, )*
                })
            }
        }

        facts! {
            $( $plain { $($pf),* } $plain_facts )*
            $( $wide { $wtable, $wkey, $($wf),* } $wide_facts )*
            $( $short { $stable, $skey, $($sf),* } $short_facts )*
            $( $demand { $($df),* } $demand_facts )*
            $( $rare { $($rf),* } $rare_facts )*
        }
    };
}

instructions! {
    plain {
        /// Two words are the same, or not.
        Equal { one: Slot, other: Slot, same: bool, to: Label }
            => { reads [one, other], fails to, tables Nothing, does Nothing }
        /// Two integers compare, or do not. What is no integer is left to the unit, or to the program if `otherwise` is
        /// [`ASK_PROGRAM`].
        Order { how: Comparison, left: Slot, right: Slot, there: bool, to: Label, otherwise: Label }
            => { reads [left, right], fails to, otherwise otherwise, tables Nothing, does Nothing }
        /// The next row of a group that is gone through, and back to the body.
        WalkOn { table: u16, walked: Walked, body: Label, to: Label }
            => { reads [], loops body, fails to, tables Table(u32::from(table)), does Binds }
        /// The first row of a table that has changed at this point; see `Handler::changes`.
        FirstChange { scan: u32, table: u32, to: Label }
            => { reads [], fails to, tables Unknown, does Binds }
        /// One of some tables has changed at this point; see `Handler::watched`.
        Changed { tables: u32, to: Label }
            => { reads [], fails to, tables Unknown, does Nothing }
        /// A table has some row.
        Filled { table: u32, to: Label }
            => { reads [], fails to, tables Table(table), does Nothing }
        /// Goes on elsewhere.
        Jump { to: Label }
            => { reads [], fails to, tables Nothing, does Nothing }
        /// Time passes in a window.
        Advance { table: u32 }
            => { reads [], tables Nothing, does Other }
    }
    keyed up to 3 {
        /// A row is there, or not, whether or not it counts now where `all` says so.
        Probe(Probe1, Probe2, Probe3) [table, key] { there: bool, all: bool, to: Label }
            => { reads [key], fails to, tables Row(table, key), does Nothing }
        /// A row comes.
        Insert(Insert1, Insert2, Insert3) [table, key] {}
            => { reads [key], tables Nothing, does Inserts(table, key) }
        /// A row goes.
        Remove(Remove1, Remove2, Remove3) [table, key] {}
            => { reads [key], tables Nothing, does Removes(table, key) }
    }
    keyed up to 2 {
        /// A row is there, or not. It counts whenever it is there, and is noted: the handler will insert or remove it.
        Find(Find1, Find2) [table, key] { there: bool, to: Label }
            => { reads [key], fails to, tables Row(table, key), does Other }
        /// A row that is not there yet comes, and the handler goes on elsewhere; if it is there, it is noted.
        FindOrInsert(FindOrInsert1, FindOrInsert2) [table, key] { to: Label }
            => { reads [key], fails to, tables Row(table, key), does Inserts(table, key) }
        /// A row that is there goes, and the handler goes on elsewhere if it was not.
        FindAndRemove(FindAndRemove1, FindAndRemove2) [table, key] { to: Label }
            => { reads [key], fails to, tables Row(table, key), does Removes(table, key) }
        /// The first row of the group with some values, all of which are gone through, and one of its columns.
        Walk(Walk1, Walk2) [table, key] { walked: Walked, to: Label }
            => { reads [key], fails to, tables Group(table, walked.index, key), does Binds }
        /// The row comes that was noted to be there or not.
        InsertFound(InsertFound1, InsertFound2) [table, key] {}
            => { reads [key], tables Nothing, does Inserts(table, key) }
        /// A row comes that is known not to be there.
        InsertNew(InsertNew1, InsertNew2) [table, key] {}
            => { reads [key], tables Nothing, does Inserts(table, key) }
        /// The row goes that was noted, if there was one.
        RemoveFound(RemoveFound1, RemoveFound2) [table, key] {}
            => { reads [key], tables Nothing, does Removes(table, key) }
    }
    demands {
        /// Time passes for a demand on the future.
        PassDeadlines { demand: u32 }
            => { reads [], tables Nothing, does Settles(demand) }
        /// The goal of a row of a demand is reached.
        Meet { demand: u32, key: SlotKey }
            => { reads [key], tables Unknown, does Settles(demand) }
        /// The goal is reached, and something had to come before it; see `Handler::relays`.
        Relay { relay: u32 }
            => { reads [], tables Unknown, does Everything }
        /// What must hold of a row of a demand fails.
        Fail { demand: u32, key: SlotKey }
            => { reads [key], tables Unknown, does Settles(demand) }
        /// A row of a demand is opened.
        Open { demand: u32, key: SlotKey }
            => { reads [key], tables Unknown, does Other }
        /// A row of a demand is violated as it is opened.
        FailAtOnce { demand: u32, key: SlotKey }
            => { reads [key], tables Unknown, does Settles(demand) }
        /// What was found out about a demand is told, and what is settled goes.
        Settle { demand: u32 }
            => { reads [], tables Unknown, does Other }
    }
    rare {
        /// A row is there and a value belongs to its set, or not.
        Member { table: u32, key: SlotKey, value: Slot, there: bool, to: Label }
            => { reads [key, value], fails to, tables Row(table, key), does Nothing }
        /// The stamps of two rows compare, or do not; see `Handler::stamps`.
        Stamps { pair: u32, there: bool, to: Label }
            => { reads [], fails to, tables Unknown, does Nothing }
        /// The first row of a scan; see `Handler::scans`.
        Scan { scan: u32, to: Label }
            => { reads [], fails to, tables Unknown, does Binds }
        /// The next row of a scan, and back to its body.
        Next { scan: u32, body: Label, to: Label }
            => { reads [], loops body, fails to, tables Unknown, does Binds }
        /// The set of a row grows by what belongs to another one; see `Handler::sets`.
        Grow { table: u32, key: SlotKey, set: u32 }
            => { reads [key], tables Unknown, does Grows(table, key) }
        /// Something belongs to a set, or nothing does; see `Handler::sets`.
        Inhabited { set: u32, there: bool, to: Label }
            => { reads [], fails to, tables Unknown, does Nothing }
        /// The next row that has changed, and back to the body.
        NextChange { scan: u32, body: Label, to: Label }
            => { reads [], loops body, fails to, tables Unknown, does Binds }
        /// Some event of the point looks so, or none does; see `Handler::event_queries`.
        HasEvent { query: u32, there: bool, to: Label }
            => { reads [], fails to, tables Nothing, does Nothing }
        /// A witness comes to a window that is joined when it is asked for.
        AddWitness { table: u32, key: SlotKey }
            => { reads [key], tables Unknown, does Other }
        /// A window that is joined when it is asked for has a row, or not.
        ProbeJoined { table: u32, key: SlotKey, there: bool, to: Label }
            => { reads [key], fails to, tables Unknown, does Nothing }
        /// A row will go: its table is being gone through.
        RemoveLater { key: SlotKey }
            => { reads [key], tables Unknown, does Other }
        /// The rows go that will.
        RemovePending { table: u32 }
            => { reads [], tables Unknown, does Other }
        /// A violation is found; see `Handler::reports`.
        Report { report: u32 }
            => { reads [], tables Nothing, does Nothing }
        /// A unit is run by its plans, by its place among those that the shape sets off.
        RunUnit { unit: u32 }
            => { reads [], tables Unknown, does Everything }
    }
}

const _: () = assert!(size_of::<Bytecode>() == 16);

impl Op {
    /// Where it may go on, besides the next instruction.
    pub(crate) fn targets(&self) -> [Option<usize>; 2] {
        let mut op = *self;
        op.targets_mut().map(|to| to.map(|to| *to as usize))
    }
}

impl Bytecode {
    /// The bytecode of an instruction.
    pub(crate) fn of(op: &Op) -> Bytecode {
        Bytecode::own(op).unwrap_or(Bytecode::Rare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rare_is_left_to_the_instruction() {
        let insert = |table, key| Bytecode::of(&Op::Insert { table, key });
        assert_eq!(insert(7, SlotKey::Two(1, 2)), Bytecode::Insert2 { key: Keyed { table: 7, slots: [1, 2] } });
        assert_eq!(insert(7, SlotKey::None), Bytecode::Rare);
        assert_eq!(insert(7, SlotKey::More(4, [0; 6])), Bytecode::Rare);
        assert_eq!(insert(1 << 16, SlotKey::One(1)), Bytecode::Rare);
        assert_eq!(Bytecode::of(&Op::Settle { demand: 0 }), Bytecode::Demand);
        assert_eq!(Bytecode::of(&Op::RemovePending { table: 0 }), Bytecode::Rare);
    }

    #[test]
    fn a_declaration_tells_slots_targets_and_effects() {
        let mut order =
            Op::Order { how: Comparison::Less, left: 3, right: 4, there: true, to: 7, otherwise: ASK_PROGRAM };
        assert_eq!(order.slots(), [3, 4]);
        assert_eq!(order.targets(), [Some(7), Some(ASK_PROGRAM as usize)]);
        assert_eq!(order.failure_mut(), Some(&mut 7));
        assert!(order.leads_on());
        let next = Op::Next { scan: 0, body: 2, to: 5 };
        assert_eq!(next.targets(), [Some(2), Some(5)]);
        assert!(!next.leads_on() && !Op::Jump { to: 1 }.leads_on());
        let insert = Op::Insert { table: 1, key: SlotKey::One(0) };
        assert_eq!((insert.targets(), insert.effect()), ([None, None], OpEffect::Inserts(1, SlotKey::One(0))));
    }
}
