//! `lines`: one event per line, cut by the first pattern that fits.
//!
//! ```text
//!  line ─▶ pattern 1 ─ fits ─▶ its groups are the fields; the name is a group, or a word of the mapping
//!            │ no
//!          pattern 2 … ─ none ─▶ counted, or an error if the mapping is strict
//! ```
//!
//! A group that took no part is an absent field, so a pattern has a shape for each set of groups that took part; a word with a bit
//! for each group finds it. Only the groups that somebody wants are cut out of the line.

use memchr::memchr_iter;

use crate::error::{Fault, Flow, Stop, excerpt};
use crate::format::decode::decoder::{Block, Decoder, Skipped};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::split::head;
use crate::format::input::{InputRule, LinePattern, Naming};
use crate::pattern::Captures;
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// The decoder of lines.
#[derive(Debug, Default)]
pub struct LinesDecoder {
    patterns: Vec<Known>,
    strict: bool,
    names: NameCache,
    skipped: Skipped,
    values: Vec<&'static str>,
}

/// A pattern, and what is known of its events.
#[derive(Debug)]
struct Known {
    pattern: LinePattern,
    captures: Captures,
    /// The field that names the event, if one does.
    name_at: Option<usize>,
    /// The shapes of events with a constant name, by the fields that took part.
    shapes: Vec<(u64, ShapeId)>,
    /// Whether it fitted a line.
    fitted: bool,
}

impl Known {
    fn new(pattern: &LinePattern) -> Known {
        let name_at = match &pattern.naming {
            Naming::Field(field) => pattern.expression.fields().position(|known| *known == **field),
            Naming::Constant(_) | Naming::Usual => None,
        };
        Known {
            captures: pattern.expression.captures(),
            name_at,
            shapes: Vec::new(),
            fitted: false,
            pattern: pattern.clone(),
        }
    }
}

impl Decoder for LinesDecoder {
    const TAKES_NAMING: bool = true;

    fn new(input: &InputRule) -> LinesDecoder {
        let patterns = input.patterns.iter().map(Known::new).collect();
        LinesDecoder { patterns, strict: input.strict, ..LinesDecoder::default() }
    }

    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let text = block.text;
        let mut start = 0;
        for end in memchr_iter(b'\n', text.as_bytes()) {
            self.line(text, start, end, shapes, sink)?;
            start = end + 1;
        }
        if block.last {
            self.line(text, start, text.len(), shapes, sink)?;
            start = text.len();
        }
        Ok(start)
    }

    fn skipped(&self) -> Skipped {
        self.skipped
    }

    fn fitting(&self) -> Vec<bool> {
        self.patterns.iter().map(|known| known.fitted).collect()
    }
}

impl LinesDecoder {
    /// Hands over the event of a line. A blank line has none.
    fn line<S: RawSink>(&mut self, text: &str, start: usize, end: usize, shapes: &mut Shapes, sink: &mut S) -> Flow {
        let line = &text[start..end];
        let line = line.strip_suffix('\r').unwrap_or(line);
        for known in &mut self.patterns {
            if !known.pattern.expression.fits(line, &mut known.captures) {
                continue;
            }
            let Some(shape) = known.shape(line, &mut self.names, shapes, sink) else { continue };
            known.fitted = true;
            let want = shapes.want(shape);
            let mut values = recycle(std::mem::take(&mut self.values));
            let expression = &known.pattern.expression;
            for field in (0..expression.fields().len()).filter(|field| Some(*field) != known.name_at) {
                if !expression.took_part(field, &known.captures) {
                    continue;
                }
                let value = if want.has(values.len()) { expression.value(field, line, &known.captures) } else { None };
                values.push(value.unwrap_or(""));
            }
            let flow = sink.event(RawEvent { shape, values: &values, offset: start });
            self.values = recycle(values);
            return flow;
        }
        self.skip(line, start)
    }

    /// No pattern fits.
    #[cold]
    fn skip(&mut self, line: &str, start: usize) -> Flow {
        if line.trim().is_empty() {
            return Ok(());
        }
        if self.patterns.is_empty() {
            return Err(no_patterns(start).into());
        }
        if self.strict {
            return Err(unfit(line, start).into());
        }
        if self.skipped.count == 0 {
            self.skipped.first = start;
        }
        self.skipped.count += 1;
        Ok(())
    }
}

impl Known {
    /// The shape of a line that fits; nothing if the group that should name its event is empty.
    fn shape<S: RawSink>(
        &mut self,
        line: &str,
        names: &mut NameCache,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Option<ShapeId> {
        let expression = &self.pattern.expression;
        let count = expression.fields().len();
        let took_part = |field: &usize| expression.took_part(*field, &self.captures);
        let present = (0..count).filter(took_part).fold(0u64, |bits, field| bits | 1 << field);
        let others = || (0..count).filter(|field| Some(*field) != self.name_at && present >> field & 1 == 1);
        let find = |name: &str, shapes: &mut Shapes, sink: &mut S| {
            let all: Vec<&str> = expression.fields().collect();
            let fields: Vec<&str> = others().map(|field| all[field]).collect();
            shapes.find(name, &fields, sink)
        };
        match (&self.pattern.naming, self.name_at) {
            (Naming::Constant(name), _) => {
                if let Some((_, shape)) = self.shapes.iter().find(|(known, _)| *known == present) {
                    return Some(*shape);
                }
                let shape = find(name, shapes, sink);
                self.shapes.push((present, shape));
                Some(shape)
            }
            (_, Some(at)) => {
                let name = expression.value(at, line, &self.captures).filter(|name| !name.is_empty())?;
                let key = NameKey::new(name, head(name.as_bytes()), present);
                let is_same = |shape: ShapeId| {
                    let all: Vec<&str> = expression.fields().collect();
                    let known = shapes.fields(shape);
                    known.iter().map(|field| &**field).eq(others().map(|field| all[field]))
                };
                match names.get(key, is_same) {
                    Some(shape) => Some(shape),
                    None => {
                        let shape = find(name, shapes, sink);
                        Some(names.keep(key, shape))
                    }
                }
            }
            (_, None) => None,
        }
    }
}

#[cold]
fn no_patterns(start: usize) -> Fault {
    Fault::new(start, "lines of text are read by patterns, and the mapping has none")
        .hint("describe the lines: --map combined, --map syslog, or a mapping with [input] and patterns = [\"…\"]")
}

#[cold]
fn unfit(line: &str, start: usize) -> Fault {
    Fault::new(start, format!("no pattern of the mapping fits the line `{}`", excerpt(line)))
        .hint("add a pattern for such lines, or remove `strict`: then they are counted and left out")
}

#[cfg(test)]
mod tests;
