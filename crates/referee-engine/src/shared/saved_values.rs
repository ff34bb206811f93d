//! Writes values as bytes, for the saved states of judges.
//!
//! Atoms are numbers of one table of values and mean nothing elsewhere, so values themselves are written, and looked up again when they
//! are read.

use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::shared::bytes::{Damaged, Reader, Writer};

/// Writes values, one after the other.
pub(crate) fn write_values(atoms: &[Atom], values: &Values, out: &mut Writer) {
    atoms.iter().for_each(|atom| out.atom(*atom, values));
}

/// Writes values and how many they are.
pub(crate) fn write_list(atoms: &[Atom], values: &Values, out: &mut Writer) {
    out.length(atoms.len());
    write_values(atoms, values, out);
}

/// Reads one value.
pub(crate) fn read_value(values: &mut Values, reader: &mut Reader) -> Result<Atom, Damaged> {
    Ok(values.intern_value(&reader.value()?))
}

/// Reads so many values.
pub(crate) fn read_values(count: usize, values: &mut Values, reader: &mut Reader) -> Result<Vec<Atom>, Damaged> {
    (0..count).map(|_| read_value(values, reader)).collect()
}

/// Reads a list of values.
pub(crate) fn read_list(values: &mut Values, reader: &mut Reader) -> Result<Vec<Atom>, Damaged> {
    reader.list(|reader| read_value(values, reader))
}

/// Reads the values of a list that must have this length.
pub(crate) fn read_row(length: usize, values: &mut Values, reader: &mut Reader) -> Result<Vec<Atom>, Damaged> {
    Some(read_list(values, reader)?).filter(|row| row.len() == length).ok_or(Damaged)
}

/// Writes an argument of an event as the trace has it: who asks for its text gets `1.0` where the trace says so, and not `1`.
pub(crate) fn write_argument(atom: Atom, values: &Values, out: &mut Writer) {
    let other_writing = values.normal(atom) != atom;
    out.truth(other_writing);
    match other_writing {
        true => {
            out.mark(atom);
            out.text(&values.text(atom));
        }
        false => out.atom(atom, values),
    }
}

/// Reads what [`write_argument`] wrote.
pub(crate) fn read_argument(values: &mut Values, reader: &mut Reader) -> Result<Atom, Damaged> {
    if !reader.truth()? {
        return read_value(values, reader);
    }
    let atom = values.intern(reader.text()?);
    if matches!(values.value(atom), Value::Number(_)) { Ok(atom) } else { Err(Damaged) }
}
