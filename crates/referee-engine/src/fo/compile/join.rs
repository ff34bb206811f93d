//! Finds the windows over an event and a row of a table that can be joined when they are asked for.
//!
//! The law, its side conditions and the tables that it needs are told in [`crate::fo::store::join`].

use crate::fo::code::view::Upkeep;
use crate::fo::compile::form::{Definition, Form, JoinedWindow, Leaf};
use crate::fo::types::join::{Join, Place, WIDEST};
use crate::fo::types::{Var, ViewId, is_newest_enough};

/// How a view is joined, if it can be.
pub(crate) fn joined_window(views: &[Definition], view: ViewId) -> Option<JoinedWindow> {
    let Definition { upkeep: Upkeep::Window(interval), columns, has_set: false, stamped: false, makes, breaks, .. } =
        &views[view]
    else {
        return None;
    };
    if !is_newest_enough(interval) || *breaks != Form::Constant(false) {
        return None;
    }
    let mut parts = makes.conjuncts_below();
    let is_row = |part: &&Form| {
        let Form::Leaf(true, Leaf::View(row)) = part else { return false };
        views[row.view].upkeep == Upkeep::Since && !views[row.view].has_set && !row.old
    };
    // The joined row is the one that alone speaks of some column.
    let place = (0..parts.len()).filter(|place| is_row(&&parts[*place])).find(|place| {
        let others = parts.iter().enumerate().filter(|(other, _)| other != place);
        let known: Vec<Var> = others.flat_map(|(_, part)| part.free()).collect();
        let own = parts[*place].free();
        let adds = |variable: &Var| !known.contains(variable);
        own.iter().any(adds) && own.iter().filter(|own| adds(own)).all(|own| (*own as usize) < *columns)
    })?;
    let Form::Leaf(_, Leaf::View(row)) = parts.remove(place) else { return None };
    let witness = Form::And(parts);
    let known = witness.free();
    let mut registers: Vec<Var> = (0..*columns as Var).filter(|column| known.contains(column)).collect();
    let asked = registers.len();
    for argument in row.arguments.iter().filter(|argument| known.contains(argument)) {
        if !registers.contains(argument) {
            registers.push(*argument);
        }
    }
    let place = |argument: &Var| match (*argument as usize) < *columns {
        true => Some(Place::Column(*argument as usize)),
        false => Some(Place::Witness(registers.iter().position(|own| own == argument)?.checked_sub(asked)?)),
    };
    let places: Vec<Place> = row.arguments.iter().map(place).collect::<Option<_>>()?;
    let in_witness =
        |(column, argument): (usize, &Var)| Some((column, registers.iter().position(|own| own == argument)?));
    let group: Vec<(usize, usize)> = row.arguments.iter().enumerate().filter_map(in_witness).collect();
    let is_small = registers.len() < WIDEST && *columns < WIDEST && row.arguments.len() + 2 <= WIDEST;
    let join = Join { of: row.view, registers, asked, row: places, group };
    (asked > 0 && !join.group.is_empty() && is_small).then_some(JoinedWindow { join, witness })
}
