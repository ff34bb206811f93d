//! What a program remembers between two points, as bytes.
//!
//! ```text
//!   store │ events of the last point, if the next one asks for them │ per rule: what was reported │ parts of the interpreter
//! ```
//!
//! Handlers, indexes and caches are made again. What has changed at the last point and what happened there is written where a plan
//! speaks of the point before. The events of that point have shapes, whose numbers mean nothing elsewhere: what a
//! pattern finds in them is written instead.

use std::cmp::Ordering;
use std::sync::Arc;

use referee_trace::values::{Atom, Values};

use crate::fo::code::codegen::Places;
use crate::fo::code::needs::asks_before;
use crate::fo::run::program::{Program, Rule};
use crate::fo::run::reports::word_order;
use crate::fo::store::words::{RowReader, RowWriter};
use crate::judge::{Damaged, Reader, Writer};

/// What the state of a program begins with: that of an interpreter, which may judge the same property under other settings, begins otherwise.
const PROGRAM: u64 = 0x50;

/// A violation that was reported or is known before the end: a point, and the words of its bindings.
type Noted<'r> = (u64, &'r [u64]);

impl Program {
    /// Writes all that later verdicts depend on.
    pub(super) fn write(&self, values: &Values, out: &mut Writer) {
        out.number(PROGRAM);
        let mut rows = RowWriter::new(values, out);
        let asks_before = asks_before(&self.program);
        self.executor.store.write(asks_before, &mut rows);
        if asks_before {
            self.write_events(&mut rows);
        }
        self.rules.iter().for_each(|rule| self.write_rule(rule, values, &mut rows));
        self.fallback.borrow().write(rows.out);
    }

    /// Reads what was written, into a program that has judged nothing.
    pub(super) fn read(&mut self, values: &mut Values, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        if reader.number()? != PROGRAM {
            return Err(Damaged);
        }
        let asks_before = asks_before(&self.program);
        let mut from = RowReader::new(self.by_text, values, reader);
        self.executor.store.read(asks_before, &mut from)?;
        if asks_before {
            self.read_events(&mut from)?;
        }
        let last = self.executor.store.point;
        self.rules.iter_mut().try_for_each(|rule| read_rule(rule, last, &mut from))?;
        self.fallback.get_mut().read(reader)
    }

    fn write_events(&self, out: &mut RowWriter<'_, '_>) {
        let places_of = |event: usize| &self.matches.places[self.matches.class(self.events.shape(event) as usize)];
        let mut all: Vec<&Arc<Places>> = Vec::new();
        for places in (0..self.events.len()).map(places_of) {
            if !all.contains(&places) {
                all.push(places);
            }
        }
        out.out.length(all.len());
        all.iter().for_each(|places| write_places(places, out.out));
        out.out.length(self.events.len());
        for event in 0..self.events.len() {
            let place = all.iter().position(|own| *own == places_of(event));
            out.out.length(place.unwrap_or(0));
            out.out.length(self.events.words(event).len());
            out.words(self.events.words(event));
        }
    }

    fn read_events(&mut self, from: &mut RowReader<'_, '_>) -> Result<(), Damaged> {
        let patterns = self.program.patterns.len();
        let classes = from.reader.list(|reader| read_places(patterns, reader))?;
        // Each is how a shape that has been heard of fits the patterns.
        let shape_of = |places: &Arc<Places>| {
            let (class, _) = self.class_of_places.get(places)?;
            self.matches.shape_of(*class)
        };
        let shapes = classes.iter().map(|places| shape_of(places).ok_or(Damaged)).collect::<Result<Vec<_>, _>>()?;
        self.events.clear();
        let mut words: Vec<u64> = Vec::new();
        for _ in 0..from.reader.length()? {
            let class = from.reader.small()? as usize;
            let shape = *shapes.get(class).ok_or(Damaged)?;
            words.clear();
            for _ in 0..from.reader.length()? {
                words.push(from.word()?);
            }
            if classes[class].iter().flatten().flatten().any(|place| *place >= words.len()) {
                return Err(Damaged);
            }
            self.events.push(shape as u32, words.iter().copied());
        }
        Ok(())
    }

    fn write_rule(&self, rule: &Rule, values: &Values, out: &mut RowWriter<'_, '_>) {
        let Rule { violations, decided, reported, by_end, .. } = rule;
        out.out.number(*violations);
        out.out.truth(decided.is_some());
        decided.iter().for_each(|decided| out.out.number(*decided));
        let reported = reported.iter().map(|(point, words)| (*point, &words[..])).collect();
        self.write_noted(reported, values, out);
        let by_end = by_end.iter().map(|(words, point)| (*point, &words[..])).collect();
        self.write_noted(by_end, values, out);
    }

    /// Writes violations in an order that does not depend on this process.
    fn write_noted(&self, mut noted: Vec<Noted<'_>>, values: &Values, out: &mut RowWriter<'_, '_>) {
        if !out.out.is_marking() {
            noted.sort_unstable_by(|one, other| noted_order(*one, *other, values, self.by_text));
        }
        out.out.length(noted.len());
        for (point, words) in noted {
            out.out.number(point);
            out.out.length(words.len());
            out.words(words);
        }
    }
}

fn noted_order(
    (point, words): Noted<'_>,
    (other_point, others): Noted<'_>,
    values: &Values,
    by_text: bool,
) -> Ordering {
    // Texts that are the same may be of different kinds.
    let order = |(one, other): (&u64, &u64)| {
        let kind = |word: u64| Atom::from_word(word).split().0;
        word_order(*one, *other, values, by_text).then_with(|| kind(*one).cmp(&kind(*other)))
    };
    let by_words = || words.iter().zip(others).map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
    point.cmp(&other_point).then_with(by_words).then_with(|| words.len().cmp(&others.len()))
}

fn read_rule(rule: &mut Rule, last: u64, from: &mut RowReader<'_, '_>) -> Result<(), Damaged> {
    rule.violations = from.reader.number()?;
    rule.decided = if from.reader.truth()? { Some(from.reader.number()?) } else { None };
    read_noted(last, from, |point, words| rule.reported.insert((point, words)))?;
    read_noted(last, from, |point, words| rule.by_end.insert(words, point).is_none())
}

/// Reads violations; `add` tells whether one is new.
fn read_noted(
    last: u64,
    from: &mut RowReader<'_, '_>,
    mut add: impl FnMut(u64, Vec<u64>) -> bool,
) -> Result<(), Damaged> {
    for _ in 0..from.reader.length()? {
        let point = Some(from.reader.number()?).filter(|point| *point <= last).ok_or(Damaged)?;
        let words = (0..from.reader.length()?).map(|_| from.word()).collect::<Result<_, _>>()?;
        if !add(point, words) {
            return Err(Damaged);
        }
    }
    Ok(())
}

/// Writes where the arguments of each pattern are.
fn write_places(places: &Places, out: &mut Writer) {
    for places in places {
        out.length(places.as_ref().map_or(0, |places| places.len() + 1));
        places.iter().flatten().for_each(|place| out.length(*place));
    }
}

fn read_places(patterns: usize, reader: &mut Reader<'_>) -> Result<Arc<Places>, Damaged> {
    let places = (0..patterns).map(|_| match reader.length()? {
        0 => Ok(None),
        many => (1..many).map(|_| Ok(reader.small()? as usize)).collect::<Result<_, _>>().map(Some),
    });
    places.collect()
}
