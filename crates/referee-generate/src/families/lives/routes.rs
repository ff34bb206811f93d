//! Routes in the plane: each has a rectangle of its own, so no two of them meet.

use super::life::{Arguments, GONE, Life, Lives, Thing, common, free, step};
use crate::generator::{Breach, Generator};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Story};

/// The only one.
pub(super) const ALL: &[Generator] = &[Generator {
    name: "junitrv-routes",
    about: "No route is blocked that meets one that is blocked already",
    specification: specification!("junitrv-routes.foltl"),
    events: 10_000,
    kinds: &[Kind { name: "block", fields: ENDS }, Kind { name: "free", fields: ENDS }],
    breach: Breach::Once { before: 1, after: 2 },
    ..common(routes)
}];

const ENDS: &[(&str, Content)] =
    &[("x1", Content::Tenths), ("y1", Content::Quantity), ("x2", Content::Tenths), ("y2", Content::Quantity)];
const BLOCK: usize = 0;
const FREE: usize = 1;
/// The side of a rectangle and the distance of two, in tenths from left to right and in wholes upwards; and how many are in a
/// row.
const SIDE: i64 = 40;
const DISTANCE: i64 = 50;
const IN_A_ROW: i64 = 1000;
/// How many routes are blocked at a time: each is compared with all others.
const ROUTES: u64 = 12;

fn routes(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&ROUTE, order, random)
}

/// The ends of a route, given within the rectangle of the thing.
fn placed(thing: &Thing, [x1, y1, x2, y2]: Arguments) -> Arguments {
    let (x, y) = (DISTANCE * (thing.id() % IN_A_ROW), DISTANCE * (thing.id() / IN_A_ROW));
    [x + x1, y + y1, x + x2, y + y2]
}

fn block(thing: &mut Thing, random: &mut Random) -> Arguments {
    let ends = std::array::from_fn(|_| random.below(SIDE.cast_unsigned() + 1).cast_signed());
    thing.memory = placed(thing, ends);
    thing.memory
}

fn unblock(thing: &mut Thing, _: &mut Random) -> Arguments {
    thing.memory
}

fn rising(thing: &mut Thing, _: &mut Random) -> Arguments {
    placed(thing, [0, 0, SIDE, SIDE])
}

fn falling(thing: &mut Thing, _: &mut Random) -> Arguments {
    placed(thing, [0, SIDE, SIDE, 0])
}

const BLOCKED: usize = 1;

const ROUTE: Life = Life {
    states: &[free(&[step(BLOCK, BLOCKED, 1, block)]), free(&[step(FREE, GONE, 1, unblock)])],
    crowd: ROUTES,
    breach: &[(BLOCK, rising), (BLOCK, falling), (FREE, falling), (FREE, rising)],
};
