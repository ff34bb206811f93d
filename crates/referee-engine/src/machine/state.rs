//! Writes partial bindings as bytes, for the saved state of machines.

use referee_trace::values::Values;

use crate::machine::binding::{BoundVariables, MOST_VARIABLES, Partial, members};
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::saved_values::{read_value, write_values};

/// Writes a partial binding.
pub(super) fn write_partial(partial: &Partial, values: &Values, out: &mut Writer) {
    let (key, len) = partial.key(partial.set);
    out.number(u64::from(partial.set));
    write_values(&key[..len], values, out);
}

/// Reads a binding of some of the variables in `full`.
pub(super) fn read_partial(full: BoundVariables, values: &mut Values, reader: &mut Reader) -> Result<Partial, Damaged> {
    let set: BoundVariables = reader.small()?;
    if set & !full != 0 {
        return Err(Damaged);
    }
    let mut partial = Partial::EMPTY;
    for variable in members(set).filter(|variable| *variable < MOST_VARIABLES) {
        partial = partial.with(variable, read_value(values, reader)?);
    }
    Ok(partial)
}
