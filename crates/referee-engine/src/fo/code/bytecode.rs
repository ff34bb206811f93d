//! Steps: the instructions of a handler as the loop over events runs them.
//!
//! ```text
//!   ops    Make { view: 3, key: Two(0, 1) }     what handlers are written and rewritten in
//!   steps  Make2 { table: 3, slots: [0, 1] }    one for each, at the same place
//! ```
//!
//! How many words a key has is part of what kind of step it is, so that one jump leads to the code for it, where an instruction takes
//! two; and a step has sixteen bytes. What few events come to is [`Step::Other`] or [`Step::Demand`]: the instruction at the same
//! place is run. **A step does what its instruction does.**

use referee_spec::core::Comparison;

use crate::fo::code::instruction::{Key, Op, Slot};

/// The slots of a key of so many words, and the table that it is looked up in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyed<const WORDS: usize> {
    /// The table.
    pub table: u16,
    /// The slots.
    pub slots: [Slot; WORDS],
}

/// A column of the rows of a group that are gone through, and where it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walked {
    /// The index that has the group.
    pub index: u8,
    /// The column.
    pub column: u8,
    /// Where it is stored.
    pub slot: Slot,
    /// Where the place of the walk is kept.
    pub cursor: u8,
}

/// An instruction as it is run; see [`Op`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    Equal {
        one: Slot,
        other: Slot,
        same: bool,
        to: u32,
    },
    Order {
        how: Comparison,
        left: Slot,
        right: Slot,
        there: bool,
        to: u32,
        otherwise: u32,
    },
    Probe1 {
        key: Keyed<1>,
        there: bool,
        all: bool,
        to: u32,
    },
    Probe2 {
        key: Keyed<2>,
        there: bool,
        all: bool,
        to: u32,
    },
    Probe3 {
        key: Keyed<3>,
        there: bool,
        all: bool,
        to: u32,
    },
    Find1 {
        key: Keyed<1>,
        there: bool,
        to: u32,
    },
    Find2 {
        key: Keyed<2>,
        there: bool,
        to: u32,
    },
    FindOrMake1 {
        key: Keyed<1>,
        to: u32,
    },
    FindOrMake2 {
        key: Keyed<2>,
        to: u32,
    },
    FindAndBreak1 {
        key: Keyed<1>,
        to: u32,
    },
    FindAndBreak2 {
        key: Keyed<2>,
        to: u32,
    },
    Walk1 {
        values: Keyed<1>,
        walked: Walked,
        to: u32,
    },
    Walk2 {
        values: Keyed<2>,
        walked: Walked,
        to: u32,
    },
    WalkOn {
        table: u16,
        walked: Walked,
        body: u32,
        to: u32,
    },
    Make1(Keyed<1>),
    Make2(Keyed<2>),
    Make3(Keyed<3>),
    MakeFound1(Keyed<1>),
    MakeFound2(Keyed<2>),
    MakeNew1(Keyed<1>),
    MakeNew2(Keyed<2>),
    Break1(Keyed<1>),
    Break2(Keyed<2>),
    Break3(Keyed<3>),
    BreakFound1(Keyed<1>),
    BreakFound2(Keyed<2>),
    FirstChange {
        view: u32,
        to: u32,
    },
    Changed {
        views: u32,
        to: u32,
    },
    Filled {
        table: u32,
        to: u32,
    },
    Jump(u32),
    Advance(u32),
    /// An instruction about demands on the future.
    Demand,
    /// Any other instruction.
    Other,
}

impl Step {
    /// The step of an instruction.
    pub fn of(op: &Op) -> Step {
        if op.is_about_demands() {
            return Step::Demand;
        }
        Step::plain(op).or_else(|| Step::keyed(op)).unwrap_or(Step::Other)
    }

    /// The step of an instruction without a key.
    fn plain(op: &Op) -> Option<Step> {
        Some(match *op {
            Op::Equal { one, other, same, to } => Step::Equal { one, other, same, to },
            Op::Order { how, left, right, there, to, otherwise } => {
                Step::Order { how, left, right, there, to, otherwise }
            }
            Op::WalkOn { table, index, column, slot, cursor, body, to } => {
                let walked = Walked { index, column, slot, cursor };
                Step::WalkOn { table: u16::try_from(table).ok()?, walked, body, to }
            }
            Op::FirstChange { view, to, .. } => Step::FirstChange { view, to },
            Op::Changed { views, to } => Step::Changed { views, to },
            Op::Filled { table, to } => Step::Filled { table, to },
            Op::Jump(to) => Step::Jump(to),
            Op::Advance(view) => Step::Advance(view),
            _ => return None,
        })
    }

    /// The step of an instruction with a key, if it has few words.
    fn keyed(op: &Op) -> Option<Step> {
        Some(match *op {
            Op::Probe { table, key, there, all, to } => match Few::of(table, key)? {
                Few::One(key) => Step::Probe1 { key, there, all, to },
                Few::Two(key) => Step::Probe2 { key, there, all, to },
                Few::Three(key) => Step::Probe3 { key, there, all, to },
            },
            Op::Find { table, key, there, to } => match Few::of(table, key)? {
                Few::One(key) => Step::Find1 { key, there, to },
                Few::Two(key) => Step::Find2 { key, there, to },
                Few::Three(_) => return None,
            },
            Op::FindOrMake { table, key, to } => match Few::of(table, key)? {
                Few::One(key) => Step::FindOrMake1 { key, to },
                Few::Two(key) => Step::FindOrMake2 { key, to },
                Few::Three(_) => return None,
            },
            Op::FindAndBreak { table, key, to } => match Few::of(table, key)? {
                Few::One(key) => Step::FindAndBreak1 { key, to },
                Few::Two(key) => Step::FindAndBreak2 { key, to },
                Few::Three(_) => return None,
            },
            Op::Walk { table, index, values, column, slot, cursor, to } => {
                let walked = Walked { index, column, slot, cursor };
                match Few::of(table, values)? {
                    Few::One(values) => Step::Walk1 { values, walked, to },
                    Few::Two(values) => Step::Walk2 { values, walked, to },
                    Few::Three(_) => return None,
                }
            }
            _ => return Step::changing(op),
        })
    }

    /// The step of an instruction by which a row comes or goes.
    fn changing(op: &Op) -> Option<Step> {
        Some(match *op {
            Op::Make { view, key } => match Few::of(view, key)? {
                Few::One(key) => Step::Make1(key),
                Few::Two(key) => Step::Make2(key),
                Few::Three(key) => Step::Make3(key),
            },
            Op::Break { view, key } => match Few::of(view, key)? {
                Few::One(key) => Step::Break1(key),
                Few::Two(key) => Step::Break2(key),
                Few::Three(key) => Step::Break3(key),
            },
            Op::MakeFound { view, key } => match Few::of(view, key)? {
                Few::One(key) => Step::MakeFound1(key),
                Few::Two(key) => Step::MakeFound2(key),
                Few::Three(_) => return None,
            },
            Op::MakeNew { view, key } => match Few::of(view, key)? {
                Few::One(key) => Step::MakeNew1(key),
                Few::Two(key) => Step::MakeNew2(key),
                Few::Three(_) => return None,
            },
            Op::BreakFound { view, key } => match Few::of(view, key)? {
                Few::One(key) => Step::BreakFound1(key),
                Few::Two(key) => Step::BreakFound2(key),
                Few::Three(_) => return None,
            },
            _ => return None,
        })
    }
}

/// A key of few words.
enum Few {
    One(Keyed<1>),
    Two(Keyed<2>),
    Three(Keyed<3>),
}

impl Few {
    fn of(table: u32, key: Key) -> Option<Few> {
        let table = u16::try_from(table).ok()?;
        Some(match key {
            Key::One(one) => Few::One(Keyed { table, slots: [one] }),
            Key::Two(one, two) => Few::Two(Keyed { table, slots: [one, two] }),
            Key::Three(one, two, three) => Few::Three(Keyed { table, slots: [one, two, three] }),
            Key::None | Key::More(..) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_sixteen_bytes() {
        assert_eq!(size_of::<Step>(), 16);
    }

    #[test]
    fn what_is_rare_is_left_to_the_instruction() {
        let make = |view, key| Step::of(&Op::Make { view, key });
        assert_eq!(make(7, Key::Two(1, 2)), Step::Make2(Keyed { table: 7, slots: [1, 2] }));
        assert_eq!(make(7, Key::None), Step::Other);
        assert_eq!(make(7, Key::More(4, [0; 6])), Step::Other);
        assert_eq!(make(1 << 16, Key::One(1)), Step::Other);
        assert_eq!(Step::of(&Op::Settle(0)), Step::Demand);
        assert_eq!(Step::of(&Op::BreakDoomed { view: 0 }), Step::Other);
    }
}
