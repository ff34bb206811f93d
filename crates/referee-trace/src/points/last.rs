//! The last point of a trace: what the end decides is reported for it, also where nobody reads its events.

use crate::event::Event;
use crate::number::Number;
use crate::raw::ShapeId;

/// The newest point, with the events of it that were dropped, or not read as a whole, if somebody may want to see those.
#[derive(Debug, Default)]
pub struct Last {
    pub(super) number: u64,
    /// Whether such events are kept at all.
    pub(super) keeps_dropped: bool,
    /// The point that the rest is about, which may be an older one.
    point: u64,
    time: Option<Number>,
    /// Number and shape of each event, and where its arguments end.
    events: Vec<(u64, ShapeId, usize)>,
    /// Where the text of each argument ends.
    ends: Vec<usize>,
    text: String,
}

impl Last {
    /// The point's number within its trace; 0 if there was none.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The point's timestamp, if events of it were dropped as a whole.
    pub fn time(&self) -> Option<&Number> {
        self.time.as_ref().filter(|_| self.point == self.number)
    }

    /// Number, shape and arguments of the point's events that were dropped, or not read as a whole.
    pub fn dropped(&self) -> impl Iterator<Item = (u64, ShapeId, Vec<&str>)> {
        let events = if self.point == self.number { &self.events[..] } else { &[] };
        let mut first = 0;
        events.iter().map(move |&(number, shape, end)| {
            let own = std::mem::replace(&mut first, end)..end;
            (number, shape, own.map(|argument| self.argument(argument)).collect())
        })
    }

    fn argument(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    /// Keeps an event of the newest point that is dropped, or of which some arguments are not read.
    #[inline(never)]
    pub(super) fn keep(&mut self, event: &Event<'_>, time: Option<&Number>) {
        if self.point != self.number {
            self.point = self.number;
            self.time = time.cloned();
            self.events.clear();
            self.ends.clear();
            self.text.clear();
        }
        for text in event.arguments {
            self.text.push_str(text);
            self.ends.push(self.text.len());
        }
        self.events.push((event.number, event.shape, self.ends.len()));
    }

    /// A new trace begins.
    pub(super) fn begin_trace(&mut self, keeps_dropped: bool) {
        (self.number, self.point, self.keeps_dropped) = (0, 0, keeps_dropped);
        self.time = None;
        self.events.clear();
    }
}
