//! Monitors of the six DejaVu properties as one would write them by hand: the limit.
//!
//! Each reads the bytes of a plain CSV file, gives dense numbers to values, and tells the number of the first event that
//! breaks the property. What follows the first violation need not be judged, so the states stay consistent.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

/// The number of the first event that breaks the property; `None` if none does, or if the property is not known here.
pub(crate) fn first_violation(property: &str, bytes: &[u8]) -> Option<u64> {
    match property {
        "access" => judge(bytes, &mut Access::default()),
        "file" => judge(bytes, &mut Files::default()),
        "fifo" => judge(bytes, &mut Queue::default()),
        "locking" => judge(bytes, &mut Locks::default()),
        "deadlock" => judge(bytes, &mut Orders::default()),
        "datarace" => judge(bytes, &mut Races::default()),
        _ => None,
    }
}

/// Judges one event after the other.
trait Monitor {
    /// Whether an event keeps the property; arguments that it does not have are 0.
    fn keeps(&mut self, name: &[u8], arguments: [u32; 2]) -> bool;
}

fn judge(bytes: &[u8], monitor: &mut impl Monitor) -> Option<u64> {
    let mut values = Values::default();
    let mut number = 0;
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        let line = &bytes[start..end];
        start = end + 1;
        number += 1;
        let comma = memchr::memchr(b',', line).unwrap_or(line.len());
        let (name, rest) = (&line[..comma], line.get(comma + 1..).unwrap_or_default());
        let arguments = match memchr::memchr(b',', rest) {
            Some(comma) => [values.number(&rest[..comma]), values.number(&rest[comma + 1..])],
            None => [values.number(rest), 0],
        };
        if !monitor.keeps(name, arguments) {
            return Some(number);
        }
    }
    None
}

/// Dense numbers for texts: small integers are their own, other texts are counted down from the top.
#[derive(Default)]
struct Values<'a>(HashMap<&'a [u8], u32, RandomState>);

impl<'a> Values<'a> {
    fn number(&mut self, text: &'a [u8]) -> u32 {
        let digits = text.len() < 8 && text.iter().all(u8::is_ascii_digit);
        if digits {
            return text.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        }
        // Traces have either integers or strings; so both kinds of numbers are dense.
        let next = self.0.len() as u32 + 1;
        *self.0.entry(text).or_insert(next)
    }
}

/// A list that grows to the places asked for.
#[derive(Default)]
struct Column<T>(Vec<T>);

impl<T: Default + Clone> Column<T> {
    fn at(&mut self, place: u32) -> &mut T {
        let place = place as usize;
        if place >= self.0.len() {
            self.0.resize((place + 1).max(2 * self.0.len()), T::default());
        }
        &mut self.0[place]
    }
}

#[derive(Default)]
struct Access {
    users: Column<bool>,
    files: Column<bool>,
}

impl Monitor for Access {
    fn keeps(&mut self, name: &[u8], [first, second]: [u32; 2]) -> bool {
        match name {
            b"login" => *self.users.at(first) = true,
            b"logout" => *self.users.at(first) = false,
            b"open" => *self.files.at(first) = true,
            b"close" => *self.files.at(first) = false,
            b"access" => return *self.users.at(first) && *self.files.at(second),
            _ => {}
        }
        true
    }
}

#[derive(Default)]
struct Files(Column<bool>);

impl Monitor for Files {
    fn keeps(&mut self, name: &[u8], [file, _]: [u32; 2]) -> bool {
        match name {
            b"open" => *self.0.at(file) = true,
            b"close" => return std::mem::take(self.0.at(file)),
            _ => {}
        }
        true
    }
}

#[derive(Default)]
struct Queue {
    entered: Column<bool>,
    /// Who entered, in that order.
    order: Vec<u32>,
    /// How many have left.
    left: usize,
}

impl Monitor for Queue {
    fn keeps(&mut self, name: &[u8], [datum, _]: [u32; 2]) -> bool {
        match name {
            b"enter" => {
                self.order.push(datum);
                !std::mem::replace(self.entered.at(datum), true)
            }
            b"exit" => {
                self.left += 1;
                self.order.get(self.left - 1) == Some(&datum)
            }
            _ => true,
        }
    }
}

#[derive(Default)]
struct Locks {
    /// Who has a lock, plus 1; 0 is nobody.
    owners: Column<u32>,
    /// How many locks a thread has.
    held: Column<u32>,
}

impl Monitor for Locks {
    fn keeps(&mut self, name: &[u8], [thread, lock]: [u32; 2]) -> bool {
        match name {
            b"acq" => {
                *self.held.at(thread) += 1;
                std::mem::replace(self.owners.at(lock), thread + 1) == 0
            }
            b"rel" => {
                let owned = std::mem::take(self.owners.at(lock)) == thread + 1;
                *self.held.at(thread) -= u32::from(owned);
                owned
            }
            b"sleep" => *self.held.at(thread) == 0,
            _ => true,
        }
    }
}

#[derive(Default)]
struct Orders {
    held: Column<Vec<u32>>,
    /// Which lock was taken with which in hand: that one, then this one.
    nested: HashSet<(u32, u32), RandomState>,
}

impl Monitor for Orders {
    fn keeps(&mut self, name: &[u8], [thread, lock]: [u32; 2]) -> bool {
        let held = self.held.at(thread);
        match name {
            b"acq" => {
                let keeps = held.iter().all(|outer| !self.nested.contains(&(lock, *outer)));
                self.nested.extend(held.iter().map(|outer| (*outer, lock)));
                if !held.contains(&lock) {
                    held.push(lock);
                }
                keeps
            }
            b"rel" => {
                held.retain(|other| *other != lock);
                true
            }
            _ => true,
        }
    }
}

/// How a thread has used a variable.
#[derive(Clone)]
struct Use {
    thread: u32,
    /// The locks that it always had.
    locks: Vec<u32>,
    wrote: bool,
}

impl Use {
    fn clashes(&self, other: &Use) -> bool {
        (self.wrote || other.wrote) && !self.locks.iter().any(|lock| other.locks.contains(lock))
    }
}

#[derive(Default)]
struct Races {
    held: Column<Vec<u32>>,
    uses: Column<Vec<Use>>,
}

impl Races {
    fn uses(&mut self, thread: u32, variable: u32, write: bool) -> bool {
        let (held, uses) = (self.held.at(thread), self.uses.at(variable));
        let place = match uses.iter().position(|other| other.thread == thread) {
            Some(place) => {
                uses[place].locks.retain(|lock| held.contains(lock));
                place
            }
            None => {
                uses.push(Use { thread, locks: held.clone(), wrote: false });
                uses.len() - 1
            }
        };
        uses[place].wrote |= write;
        !uses.iter().any(|other| other.clashes(&uses[place]))
    }
}

impl Monitor for Races {
    fn keeps(&mut self, name: &[u8], [thread, second]: [u32; 2]) -> bool {
        match name {
            b"acq" => self.held.at(thread).push(second),
            b"rel" => self.held.at(thread).retain(|lock| *lock != second),
            b"read" => return self.uses(thread, second, false),
            b"write" => return self.uses(thread, second, true),
            _ => {}
        }
        true
    }
}
