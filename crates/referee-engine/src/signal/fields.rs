//! Finds the arguments of events that give the fields which a formula reads.

use std::sync::Arc;

use referee_spec::core::signal::Signal;
use referee_trace::event::EventShape;

/// Which argument of events of a shape gives which field.
pub(super) fn field_positions(signal: &Signal, shape: &EventShape) -> Vec<(usize, usize)> {
    let place = |(field, name): (usize, &Arc<str>)| {
        let at = shape.arguments.iter().rposition(|argument| *argument.name == **name)?;
        Some((at, field))
    };
    signal.fields.iter().enumerate().filter_map(place).collect()
}
