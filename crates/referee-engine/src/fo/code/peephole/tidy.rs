//! Jumps that lead where they lead to in the end, and no instruction that nothing leads to.

use crate::fo::code::instruction::Op;

/// Leaves out jumps to the next instruction, and what nothing leads to.
pub(super) fn tidy(ops: &mut Vec<Op>) {
    for at in 0..ops.len() {
        let lands = |to: u32| landing(ops, to as usize) as u32;
        let [one, other] = ops[at].targets().map(|to| to.map(|to| lands(to as u32)));
        let places = ops[at].targets_mut();
        places.into_iter().zip([one, other]).for_each(|(place, to)| {
            place.into_iter().zip(to).for_each(|(place, to)| *place = to);
        });
    }
    let mut is_reached = vec![false; ops.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if is_reached.get(at) != Some(&false) {
            continue;
        }
        is_reached[at] = true;
        let leads_on = ops[at].leads_on();
        open.extend(ops[at].targets().into_iter().flatten().chain(leads_on.then_some(at + 1)));
    }
    // A jump over what is left out leads to the next instruction, too.
    let stays = |at: usize| match ops[at] {
        Op::Jump { to } => {
            let leads_back = to as usize <= at;
            is_reached[at] && (leads_back || is_reached[at + 1..ops.len().min(to as usize)].contains(&true))
        }
        _ => is_reached[at],
    };
    let stays: Vec<bool> = (0..ops.len()).map(stays).collect();
    let place = |to: u32| match stays.get(..to as usize) {
        Some(before) => before.iter().filter(|stays| **stays).count() as u32,
        None => to,
    };
    ops.iter_mut().flat_map(Op::targets_mut).flatten().for_each(|to| *to = place(*to));
    let mut stays = stays.iter();
    ops.retain(|_| *stays.next().unwrap_or(&true));
}

/// Where one gets from an instruction by jumps alone. These lead forward, so it ends.
fn landing(ops: &[Op], mut at: usize) -> usize {
    while let Some(Op::Jump { to }) = ops.get(at)
        && *to as usize > at
    {
        at = *to as usize;
    }
    at
}
