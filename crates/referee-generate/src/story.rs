//! What a generator is made of: kinds of events, and a story that tells them one by one.

/// The most arguments that an event has.
pub(crate) const MOST_ARGUMENTS: usize = 6;

/// A kind of event.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The event's name.
    pub name: &'static str,
    /// Its arguments in order: their names and what they hold.
    pub fields: &'static [(&'static str, Content)],
}

/// What an argument holds, and so how its number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// One of many things of a sort: a number, or a string that begins with the sort's name.
    Identity(&'static str),
    /// The same, with a word for the thing with number 0.
    IdentityOr(&'static str, &'static str),
    /// A quantity: the number itself.
    Quantity,
    /// A quantity with one decimal place, counted in tenths.
    Tenths,
    /// A word from a list, by its index.
    Word(&'static [&'static str]),
}

/// One event: the index of its kind and one number per argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The index of its kind.
    pub kind: usize,
    /// The arguments, followed by zeros.
    pub values: [i64; MOST_ARGUMENTS],
}

impl Row {
    /// An event of a kind with these arguments.
    #[inline]
    pub fn new<const N: usize>(kind: usize, arguments: [u64; N]) -> Row {
        Row::signed(kind, arguments.map(u64::cast_signed))
    }

    /// The same with arguments that may be negative.
    #[inline]
    pub fn signed<const N: usize>(kind: usize, arguments: [i64; N]) -> Row {
        let mut values = [0; MOST_ARGUMENTS];
        values[..N].copy_from_slice(&arguments);
        Row { kind, values }
    }
}

/// Tells the events of a trace, one by one.
///
/// As long as only `obey` is asked the property holds. The events of `breach` break it: at the step that the generator
/// declares, whatever was told before, and only there, whatever is told afterwards.
pub trait Story {
    /// A time point begins; its time, if the trace has times.
    fn begin_point(&mut self) -> Option<u64> {
        None
    }

    /// An event that keeps the property. `left` counts it and all such events that follow, so that nothing is begun
    /// that cannot be ended.
    fn obey(&mut self, left: u64) -> Row;

    /// An event of a breach, which takes one or several steps, counted from 0.
    fn breach(&mut self, step: u64) -> Row;
}
