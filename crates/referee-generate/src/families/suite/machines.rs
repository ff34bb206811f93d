//! Meters, parts, jobs, nodes and runways.

use super::pool::{Act, Actor, Scene};
use crate::story::{Content, Kind, Row};

const METER: (&str, Content) = ("meter", Content::Identity("meter"));
const READ: usize = 0;
const RESET: usize = 1;
const SWAP: usize = 2;
pub(super) const METER_KINDS: &[Kind] = &[
    Kind { name: "read", fields: &[METER, ("value", Content::Quantity)] },
    Kind { name: "reset", fields: &[METER] },
    Kind { name: "swap", fields: &[METER] },
];

/// A meter that counts up until it is reset or swapped.
pub(super) struct Meter {
    number: u64,
    value: u64,
}

impl Actor for Meter {
    fn new(number: u64) -> Self {
        Meter { number, value: 0 }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        match scene.random.below(16) {
            0 => Act::Leave(Row::new(SWAP, [self.number])),
            1 | 2 => {
                self.value = 0;
                Act::Stay(Row::new(RESET, [self.number]))
            }
            _ => {
                self.value += scene.random.below(100);
                Act::Stay(Row::new(READ, [self.number, self.value]))
            }
        }
    }

    /// It counts down.
    fn breach(step: u64, number: u64) -> Row {
        Row::new(READ, [number, [10, 9][step as usize % 2]])
    }
}

const PART: (&str, Content) = ("part", Content::Identity("part"));
const TEST: usize = 0;
const USE: usize = 1;
const FAIL: usize = 2;
pub(super) const PART_KINDS: &[Kind] = &[
    Kind { name: "test", fields: &[PART] },
    Kind { name: "use", fields: &[PART] },
    Kind { name: "fail", fields: &[PART] },
];

/// A part: those that are not tested never fail.
pub(super) struct Part {
    number: u64,
    tested: bool,
    used: bool,
}

impl Actor for Part {
    fn new(number: u64) -> Self {
        Part { number, tested: false, used: false }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if !self.used && !self.tested && !scene.random.one_in(4) {
            self.tested = true;
            return Act::Stay(Row::new(TEST, [self.number]));
        }
        self.used = true;
        match scene.random.one_in(4) {
            true if self.tested => Act::Leave(Row::new(FAIL, [self.number])),
            true => Act::Leave(Row::new(USE, [self.number])),
            false => Act::Stay(Row::new(USE, [self.number])),
        }
    }

    /// One that was used without a test fails.
    fn breach(step: u64, number: u64) -> Row {
        Row::new([USE, FAIL][step as usize % 2], [number])
    }
}

const JOB: (&str, Content) = ("job", Content::Identity("job"));
const GRANT: usize = 0;
const RUN: usize = 1;
const DONE: usize = 2;
pub(super) const JOB_KINDS: &[Kind] = &[
    Kind { name: "grant", fields: &[JOB] },
    Kind { name: "run", fields: &[JOB] },
    Kind { name: "done", fields: &[JOB] },
];

/// A job: granted, then run and done, perhaps several times.
pub(super) struct Job {
    number: u64,
    granted: bool,
    running: bool,
}

impl Actor for Job {
    const MOST_DEBT: u64 = 1;

    fn new(number: u64) -> Self {
        Job { number, granted: false, running: false }
    }

    fn debt(&self) -> u64 {
        u64::from(self.running)
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if self.running {
            self.running = false;
            let row = Row::new(DONE, [self.number]);
            return if scene.random.one_in(4) { Act::Leave(row) } else { Act::Stay(row) };
        }
        if !self.granted || scene.settle {
            self.granted = true;
            return Act::Stay(Row::new(GRANT, [self.number]));
        }
        self.running = true;
        Act::Stay(Row::new(RUN, [self.number]))
    }

    /// Run without having been granted.
    fn breach(step: u64, number: u64) -> Row {
        Row::new([RUN, DONE][step as usize % 2], [number])
    }
}

const NODE: (&str, Content) = ("node", Content::Identity("node"));
const BOOT: usize = 0;
const BEAT: usize = 1;
const DECLARE: usize = 2;
pub(super) const NODE_KINDS: &[Kind] = &[
    Kind { name: "boot", fields: &[NODE] },
    Kind { name: "beat", fields: &[NODE] },
    Kind { name: "declare", fields: &[NODE] },
];

/// How long a node that is declared dead has been silent.
const SILENCE: u64 = 15;

/// A node that sends signs of life until it is declared dead.
pub(super) struct Node {
    number: u64,
    /// When it was heard last.
    heard: Option<u64>,
}

impl Actor for Node {
    const TERM: Option<u64> = Some(2 * SILENCE);

    fn new(number: u64) -> Self {
        Node { number, heard: None }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        match self.heard.replace(scene.now) {
            None => Act::Stay(Row::new(BOOT, [self.number])),
            Some(heard) if scene.now - heard >= SILENCE && scene.random.one_in(2) => {
                Act::Leave(Row::new(DECLARE, [self.number]))
            }
            Some(_) => Act::Stay(Row::new(BEAT, [self.number])),
        }
    }

    /// Declared dead though it was never heard of.
    fn breach(_: u64, number: u64) -> Row {
        Row::new(DECLARE, [number])
    }
}

const PLANE: (&str, Content) = ("plane", Content::Identity("plane"));
const RUNWAY: (&str, Content) = ("runway", Content::Identity("runway"));
const CLEAR: usize = 0;
const HOLD: usize = 1;
const LINE: usize = 2;
const VACATE: usize = 3;
const TAKE_OFF: usize = 4;
pub(super) const RUNWAY_KINDS: &[Kind] = &[
    Kind { name: "clear", fields: &[PLANE, RUNWAY] },
    Kind { name: "hold", fields: &[PLANE, RUNWAY] },
    Kind { name: "line", fields: &[PLANE, RUNWAY] },
    Kind { name: "vacate", fields: &[PLANE, RUNWAY] },
    Kind { name: "takeoff", fields: &[PLANE, RUNWAY] },
];

/// How many planes a runway has seen when its story ends.
const PLANES: u64 = 16;

/// A runway, with one plane at a time on it.
pub(super) struct Runway {
    number: u64,
    plane: u64,
    lined: bool,
    cleared: bool,
}

impl Runway {
    fn plane(number: u64, which: u64) -> u64 {
        number * PLANES + which
    }
}

impl Actor for Runway {
    fn new(number: u64) -> Self {
        Runway { number, plane: 0, lined: false, cleared: false }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let arguments = [Runway::plane(self.number, self.plane), self.number];
        match (self.lined, self.cleared, scene.random.below(4)) {
            (_, true, 0) => {
                self.cleared = false;
                Act::Stay(Row::new(HOLD, arguments))
            }
            (true, true, 1 | 2) => Act::Stay(Row::new(TAKE_OFF, arguments)),
            (true, _, 3) => {
                (self.lined, self.cleared, self.plane) = (false, false, self.plane + 1);
                let row = Row::new(VACATE, arguments);
                if self.plane == PLANES { Act::Leave(row) } else { Act::Stay(row) }
            }
            (false, ..) => {
                self.lined = true;
                Act::Stay(Row::new(LINE, arguments))
            }
            (true, ..) => {
                self.cleared = true;
                Act::Stay(Row::new(CLEAR, arguments))
            }
        }
    }

    /// Cleared and gone while another stands on the runway.
    fn breach(step: u64, number: u64) -> Row {
        let (one, other) = (Runway::plane(number, 0), Runway::plane(number, 1));
        match step {
            0 => Row::new(LINE, [one, number]),
            1 => Row::new(CLEAR, [other, number]),
            _ => Row::new(TAKE_OFF, [other, number]),
        }
    }
}
