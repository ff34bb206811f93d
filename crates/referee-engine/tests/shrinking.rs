//! What a crowd has taken is given back when it is gone: bytes are counted, not rows.

mod random_rules;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use random_rules::rule_of;
use referee_engine::session::Session;
use referee_spec::core::Language;
use referee_trace::number::Number;

/// The system's allocator, and how many bytes it has handed out.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is done by the system's allocator, as its contract asks; a counter does not touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller of this function has promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller of this function has promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many objects are there at once.
const CROWD: i64 = 200_000;
/// So many points are enough for rows to be counted twice.
const QUIET: i64 = 140_000;

/// A rule, what an object does when it comes and when it goes.
type Crowd = (Language, &'static str, &'static str, &'static str);

const CROWDS: [Crowd; 6] = [
    (Language::Qtl, "prop p: Forall f . end(f) -> @[begin(f), end(f))", "begin", "end"),
    (Language::Mfotl, "FORALL f. begin(f) IMPLIES EVENTUALLY[0,9000000] end(f)", "begin", "end"),
    (
        Language::Qea,
        "qea { forall(i) accept skip(a) { begin(i) -> b  end(i) -> failure } accept skip(b) { end(i) -> a } }",
        "begin",
        "end",
    ),
    (Language::Mop, "P(I i) { event begin(I i) event end(I i) ptltl: end => (*) begin @violation }", "begin", "end"),
    (
        Language::Logfire,
        "rule b: begin(i) -> insert Open(i)\nrule e: end(i) & Open(i) -> remove Open(i)\n\
         rule f: end(i) & not Open(i) -> fail \"never begun\"\n",
        "begin",
        "end",
    ),
    (
        Language::Lola,
        "input begin: Int\ninput end: Int\noutput open(f: Int)\n  spawn with begin\n  eval when begin.get(or: 0) = f with true\n  \
         close when end.get(or: 0) = f\ntrigger open(end).hold(or: false) and end < 0 \"no\"",
        "begin",
        "end",
    ),
];

/// One test, so that nobody else's bytes are counted.
#[test]
fn memory_comes_back_when_a_crowd_has_gone() {
    for (language, text, begin, end) in CROWDS {
        let rule = rule_of(language, text).unwrap_or_else(|| panic!("no rule: {text}"));
        let mut session = Session::new(&[rule]);
        let by_field = language == Language::Lola;
        let (begin, end, idle) = match by_field {
            true => (session.kind_of(&field(begin)), session.kind_of(&field(end)), session.kind("idle", &[])),
            false => (session.kind(begin, &["1"]), session.kind(end, &["1"]), session.kind("idle", &[])),
        };
        let mut time = 0;
        let mut point = |session: &mut Session, kind, object: Option<i64>| {
            time += 1;
            // Numbers far from each other: those in a row would take a bit each.
            let own: Vec<_> = object.map(|object| session.integer(object * 1_000_003)).into_iter().collect();
            let found = session.point(Some(&Number::Int(time)), &[(kind, &own)]).expect("an event");
            assert!(found.is_empty(), "{language:?}: {found:?}");
        };
        point(&mut session, begin, Some(CROWD));
        let before = TAKEN.load(Ordering::Relaxed);
        (0..CROWD).for_each(|object| point(&mut session, begin, Some(object)));
        let most = TAKEN.load(Ordering::Relaxed) - before;
        (0..CROWD).for_each(|object| point(&mut session, end, Some(object)));
        (0..QUIET).for_each(|_| point(&mut session, idle, None));
        let left = TAKEN.load(Ordering::Relaxed).saturating_sub(before);
        assert!(most > CROWD as usize, "{language:?}: the crowd took {most} bytes");
        assert!(
            left < most / 8,
            "{language:?}: of {most} bytes {left} are left: {:?}, {:?} bytes saved",
            session.sizes(),
            session.save().map(|bytes| bytes.len())
        );
        // The one who came first is still there.
        point(&mut session, end, Some(CROWD));
    }
}

/// A step that shows one field.
fn field(name: &str) -> referee_trace::event::EventShape {
    let argument = referee_trace::event::Argument { name: name.into(), declared: None };
    referee_trace::event::EventShape { name: "step".into(), arguments: vec![argument].into(), positional: 0 }
}
