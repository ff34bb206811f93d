//! Writes values and partial bindings as bytes, for the saved state of machines.
//!
//! Atoms are numbers of one table of values and mean nothing elsewhere, so values themselves are written, and looked up again when they
//! are read.

use referee_trace::values::{Atom, Values};

use crate::machine::binding::{BoundVariables, MOST_VARIABLES, Partial, members};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// Writes values, one after the other.
pub(super) fn write_values(atoms: &[Atom], values: &Values, out: &mut Writer) {
    atoms.iter().for_each(|atom| out.value(&values.value(*atom)));
}

/// Writes values and how many they are.
pub(super) fn write_list(atoms: &[Atom], values: &Values, out: &mut Writer) {
    out.length(atoms.len());
    write_values(atoms, values, out);
}

/// Writes a partial binding.
pub(super) fn write_partial(partial: &Partial, values: &Values, out: &mut Writer) {
    let (key, len) = partial.key(partial.set);
    out.number(u64::from(partial.set));
    write_values(&key[..len], values, out);
}

/// Reads one value.
pub(super) fn read_value(values: &mut Values, reader: &mut Reader) -> Result<Atom, Damaged> {
    Ok(values.intern_value(&reader.value()?))
}

/// Reads a list of values.
pub(super) fn read_list(values: &mut Values, reader: &mut Reader) -> Result<Vec<Atom>, Damaged> {
    reader.list(|reader| read_value(values, reader))
}

/// Reads the values of a list that must have this length.
pub(super) fn read_row(length: usize, values: &mut Values, reader: &mut Reader) -> Result<Vec<Atom>, Damaged> {
    Some(read_list(values, reader)?).filter(|row| row.len() == length).ok_or(Damaged)
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
