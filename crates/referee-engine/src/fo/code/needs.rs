//! What a program needs of the points that it judges: which of them, and which changes of tables somebody must be told.

use crate::fo::code::program::{CompiledProgram, Follow, Source, Target, Unit};

/// What a program needs.
#[derive(Debug, Clone)]
pub(crate) struct Needs {
    /// Which views must tell what changes.
    pub tracked: Vec<bool>,
    /// Whether every point must be judged, whatever its events.
    pub every_point: bool,
}

/// Which views must tell what changes, and whether every point must be judged.
pub(crate) fn needs(program: &CompiledProgram) -> Needs {
    let mut tracked = vec![false; program.views.len()];
    let mut every = !program.copies.is_empty() || program.checks.iter().any(|check| check.state.is_some());
    // Deadlines pass, and the next point comes, at whatever point it is.
    every |= program.follows.iter().any(Follow::is_pressing);
    // So does what the interpreter evaluates.
    every |= program.parts.iter().any(|part| part.is_used && part.is_moving);
    // What was in a window at the point before depends on the time of that point, whatever happened at it.
    every |= may_look_back(program);
    program.copies.iter().for_each(|(_, of)| tracked[*of] = true);
    for (target, trigger) in program.units.iter().flat_map(|unit| unit.triggers.iter().map(|own| (unit.target, own))) {
        match &trigger.source {
            // What the first point decides is decided there, whatever happens at it.
            Source::First if !matches!(target, Target::View(_)) => every = true,
            Source::Change { view, old, .. } => {
                tracked[*view] = true;
                every |= *old || program.views[*view].is_window();
            }
            Source::Before(_) => every = true,
            Source::Event(_) | Source::First => {}
        }
    }
    Needs { tracked, every_point: every }
}

/// Whether a window may be looked at before its time has passed, so as it was at the point before.
pub(crate) fn may_look_back(program: &CompiledProgram) -> bool {
    let is_window = |target: Target| match target {
        Target::View(view) => program.views[view].is_window(),
        Target::Check(_) | Target::Demand(_) => false,
    };
    let last = program.units.iter().rposition(|unit| is_window(unit.target));
    let looks = |unit: &Unit| unit.triggers.iter().any(|trigger| !trigger.plan.steps.is_empty());
    last.is_some_and(|last| program.units[..last].iter().any(looks))
}

/// Whether somebody asks what happened or what changed at the point before.
pub(crate) fn asks_before(program: &CompiledProgram) -> bool {
    let asks = |source: &Source| matches!(source, Source::Before(_) | Source::Change { old: true, .. });
    !program.copies.is_empty() || program.units.iter().flat_map(|unit| &unit.triggers).any(|own| asks(&own.source))
}

/// Whether several rows of a rule's demands may be about one violation: they differ in values that are no bindings.
pub(crate) fn shares_violations(program: &CompiledProgram, rule: usize) -> bool {
    let shares = |follow: &Follow| follow.bindings.iter().flatten().count() < program.views[follow.view].columns;
    program.follows.iter().any(|follow| follow.rule == rule && shares(follow))
}
