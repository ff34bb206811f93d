//! From a compiled program to the shape of its store.

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_spec::core::{Judgement, Property};

use crate::fo::code::needs::may_look_back;
use crate::fo::code::program::CompiledProgram;
use crate::fo::code::view::{Upkeep, View};
use crate::fo::types::ViewId;
use crate::fo::types::store_shape::{DemandShape, Storage, StoreShape, TableShape, WindowShape};

/// The tables and demands of a program; `tracked` says which views tell what changes.
pub(crate) fn store_shape(program: &CompiledProgram, properties: &[Arc<Property>], tracked: &[bool]) -> StoreShape {
    let (listed, watched) = (program.listed_views(), watched(program));
    let tables = program.views.iter().enumerate().map(|(number, view)| TableShape {
        is_watched: watched[number],
        ..table_shape(program, number, view, tracked[number], &listed)
    });
    StoreShape { tables: tables.collect(), demands: demand_shapes(program, properties) }
}

fn table_shape(
    program: &CompiledProgram,
    number: ViewId,
    view: &View,
    is_tracked: bool,
    listed: &BTreeSet<ViewId>,
) -> TableShape {
    let window = window_shape(view, is_tracked);
    let keeps_newest = matches!(window, Some(WindowShape::Newest(_)));
    let witness_columns = view.join.as_ref().filter(|_| keeps_newest).map(|join| join.columns());
    let is_joined_with = |other: &View| other.join.as_ref().is_some_and(|join| join.of == number);
    TableShape {
        keys: witness_columns.unwrap_or_else(|| view.keys()),
        storage: storage(view, keeps_newest, listed.contains(&number) || !program.indexes[number].is_empty()),
        has_set: view.has_set,
        is_stamped: view.stamped,
        renews_stamps: view.upkeep == Upkeep::LastStamp,
        window,
        join: view.join.clone(),
        joined_by: (0..program.views.len()).filter(|other| is_joined_with(&program.views[*other])).collect(),
        indexes: program.indexes[number].iter().map(|(columns, _)| columns.clone()).collect(),
        is_tracked,
        is_watched: false,
    }
}

/// Bits, where nobody asks for more than whether a row is there, and stamps alone, where nobody lists the rows.
fn storage(view: &View, keeps_newest: bool, is_listed: bool) -> Storage {
    let is_plain = matches!(view.upkeep, Upkeep::Since | Upkeep::LastStamp) && !view.has_set;
    if !(is_plain || keeps_newest) || view.keys() != 1 || is_listed {
        return Storage::Rows;
    }
    match (&view.upkeep, view.stamped) {
        (Upkeep::Window(_), _) | (_, true) => Storage::Stamps,
        (Upkeep::Since, false) => Storage::Bits,
        _ => Storage::Rows,
    }
}

/// What keeps the rows of a view in time, if it is a window.
fn window_shape(view: &View, is_tracked: bool) -> Option<WindowShape> {
    let Upkeep::Window(interval) = &view.upkeep else { return None };
    Some(match view.keeps_newest(is_tracked) {
        true => WindowShape::Newest(interval.clone()),
        false => WindowShape::All(interval.clone()),
    })
}

/// Which views somebody besides handlers looks at.
fn watched(program: &CompiledProgram) -> Vec<bool> {
    // Where a window may be looked at as it was at the point before, it must have been up to date there.
    let mut watched = vec![may_look_back(program); program.views.len()];
    let states = program.checks.iter().filter_map(|check| check.state);
    let demanded = program.follows.iter().map(|follow| follow.view);
    states.chain(demanded).chain(program.copies.iter().map(|(_, of)| *of)).for_each(|view| watched[view] = true);
    watched
}

fn demand_shapes(program: &CompiledProgram, properties: &[Arc<Property>]) -> Vec<DemandShape> {
    let shapes = program.follows.iter().map(|follow| {
        let once = properties[follow.rule].judgement == Judgement::Once;
        DemandShape {
            view: follow.view,
            is_awaited: follow.is_awaited(),
            interval: follow.interval.clone(),
            forbidden: follow.forbidden,
            single: once && follow.relay.is_none() && follow.interval.is_all(),
            shown: !once,
        }
    });
    shapes.collect()
}
