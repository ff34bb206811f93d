//! Explanations word by word.

use std::sync::Arc;

use referee_spec::core::Property;
use referee_trace::owned::OwnedTrace;

use super::history::{History, KindId};
use crate::universe::ValueId;

/// The history of a whole trace.
pub fn history_of(property: &Property, trace: &OwnedTrace) -> History {
    let mut history = History::new(Arc::new(property.clone()));
    for point in &trace.points {
        let events: Vec<(KindId, Vec<ValueId>)> = point
            .events
            .iter()
            .map(|event| {
                let fields: Vec<&str> = event.arguments.iter().map(|argument| &*argument.name).collect();
                let kind = history.kind(&event.name, &fields, event.positional);
                (kind, event.arguments.iter().map(|argument| history.text(&argument.text, argument.declared)).collect())
            })
            .collect();
        let events: Vec<(KindId, &[ValueId])> = events.iter().map(|(kind, values)| (*kind, &values[..])).collect();
        history.push_point(point.time.as_ref(), &events);
    }
    history
}
