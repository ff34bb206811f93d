//! Reading on one core and judging on another.
//!
//! ```text
//!   thread of the reader                        thread of the caller
//!   bytes ─▶ events ─▶ Filler ── drafts ──────▶ look texts up ─▶ sink
//!                        ▲  └─── shape ───────▶ sink ─┐
//!                        └────── interest ────────────┘ once per shape
//!                        └────── empty drafts ────────┘
//! ```
//!
//! The table of values stays with the sink; the reader parses integers and copies all other texts. What the sink sees is
//! what a [`Batcher`](super::Batcher) shows it, in larger batches: they travel between caches, and a thread that waits is
//! woken once per batch. When the sink has enough, the reader finds its channel closed.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use super::amount::Amount;
use super::batcher::{Demands, Filler, Outlet};
use super::draft::BatchDraft;
use super::interest::Interest;
use super::last::Last;
use super::sink::PointSink;
use crate::error::{Flow, Stop};
use crate::event::EventShape;
use crate::raw::ShapeId;

/// How many points or events travel together.
const SIZE: usize = 8192;
/// How many batches may wait for the sink.
const WAITING: usize = 2;

/// What the reader tells.
enum Message {
    Shape(ShapeId, EventShape),
    Batch(Box<BatchDraft>, Amount),
    Trace(u64, Last, Amount),
    End(Last, Amount),
}

/// What the sink answers.
enum Answer {
    Interest(Interest),
    Demands(Demands),
}

/// The reader's end of the channels.
pub struct Remote {
    messages: SyncSender<Message>,
    answers: Receiver<Answer>,
    spares: Receiver<Box<BatchDraft>>,
    demands: Demands,
}

impl Remote {
    fn send(&self, message: Message) -> Flow {
        self.messages.send(message).map_err(|_| Stop::Enough)
    }
}

impl Outlet for Remote {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest {
        let answer = self.send(Message::Shape(id, shape.clone())).ok().and_then(|()| self.answers.recv().ok());
        match answer {
            Some(Answer::Interest(interest)) => interest,
            // The sink has had enough: the next batch will find that out.
            _ => Interest::none(),
        }
    }

    fn batch(&mut self, draft: &mut BatchDraft, amount: impl FnOnce() -> Amount) -> Flow {
        let trace = draft.points.trace();
        let mut other = self.spares.try_recv().unwrap_or_else(|_| Box::new(BatchDraft::new(trace, SIZE)));
        other.clear(trace);
        std::mem::swap(draft, &mut other);
        self.send(Message::Batch(other, amount()))
    }

    fn begin_trace(&mut self, trace: u64, last: &mut Last, amount: impl FnOnce() -> Amount) -> Flow {
        self.send(Message::Trace(trace, std::mem::take(last), amount()))?;
        match self.answers.recv() {
            Ok(Answer::Demands(demands)) => self.demands = demands,
            _ => return Err(Stop::Enough),
        }
        Ok(())
    }

    fn pause(&mut self, _: impl FnOnce() -> Amount) {
        // Every batch says how much was read.
    }

    fn demands(&self) -> Demands {
        self.demands
    }
}

/// What became of reading and judging.
pub struct Done<R> {
    /// What the reader says.
    pub read: R,
    /// Whether the sink wants more.
    pub flow: Flow,
    /// How much was read up to the end of the last batch that the sink saw, or in all.
    pub amount: Amount,
}

/// Calls `read` on a thread of its own, and `sink` on this one. For files only: a reader that waits for a pipe would not
/// notice that the sink has enough.
pub fn read_on_own_thread<S: PointSink, R: Send>(
    sink: &mut S,
    read: impl FnOnce(&mut Filler<Remote>) -> R + Send,
) -> Done<R> {
    let (messages, inbox) = sync_channel(WAITING);
    let (answers, replies) = channel();
    let (spares, returned) = channel();
    let remote = Remote { messages, answers: replies, spares: returned, demands: Demands::of(sink) };
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut filler = Filler::with(remote, SIZE);
            let read = read(&mut filler);
            // If the sink has enough, nobody listens.
            let _ = filler.flush().and_then(|()| {
                let amount = filler.amount();
                filler.outlet.send(Message::End(std::mem::take(&mut filler.last), amount))
            });
            read
        });
        let listener = Listener { sink, answers, spares, amount: Amount::default() };
        let (flow, amount) = listener.listen(inbox);
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Done { read, flow, amount }
    })
}

/// The sink's end of the channels.
struct Listener<'s, S> {
    sink: &'s mut S,
    answers: Sender<Answer>,
    spares: Sender<Box<BatchDraft>>,
    amount: Amount,
}

impl<S: PointSink> Listener<'_, S> {
    /// Passes on what comes until it is over or the sink has enough. All channels are closed then: the reader, whatever it
    /// waits for, goes on and ends.
    fn listen(mut self, inbox: Receiver<Message>) -> (Flow, Amount) {
        let flow = inbox.iter().try_for_each(|message| self.hear(message));
        (flow, self.amount)
    }

    fn hear(&mut self, message: Message) -> Flow {
        match message {
            Message::Shape(id, shape) => {
                let interest = self.sink.shape(id, &shape);
                self.answer(Answer::Interest(interest));
            }
            Message::Batch(draft, amount) => {
                self.amount = amount;
                self.batch(draft)?;
                self.sink.pause(|| self.amount.clone());
            }
            Message::Trace(trace, last, amount) => {
                self.amount = amount;
                self.sink.last_point(&last);
                self.sink.begin_trace(trace, last.number)?;
                self.answer(Answer::Demands(Demands::of(self.sink)));
            }
            Message::End(last, amount) => {
                self.amount = amount;
                self.sink.last_point(&last);
            }
        }
        Ok(())
    }

    fn batch(&mut self, mut draft: Box<BatchDraft>) -> Flow {
        draft.resolve(self.sink.values());
        let flow = self.sink.points(&draft.points);
        // A reader that has ended needs no more drafts.
        let _ = self.spares.send(draft);
        flow
    }

    fn answer(&self, answer: Answer) {
        // A reader that has ended waits for no answer.
        let _ = self.answers.send(answer);
    }
}
