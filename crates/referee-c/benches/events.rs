//! What an event costs that comes through the functions of C, beside the same event handed to the session itself.
//!
//! ```text
//!   cargo bench -p referee-c --bench events [-- ROW]
//! ```
//!
//! Each row judges the same events both ways, several times in turn, and prints the least CPU time an event of each. Both must find the
//! same violations.

use std::ffi::CString;
use std::sync::Arc;
use std::time::Duration;

use referee_c::{
    Content, GivenSpecification, GivenValue, Handle, KindNumber, REFEREE_FOUND, REFEREE_INTEGER, REFEREE_POINTER,
    REFEREE_TEXT, REFEREE_TO_NUL, referee_event1, referee_event2, referee_kind_of, referee_session_free,
    referee_session_new,
};
use referee_engine::session::Session;
use referee_engine::{Settings, judge::Wanted};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_trace::values::Atom;

/// How many events a row has.
const EVENTS: usize = 2_000_000;
/// How often each way is taken.
const REPEAT: usize = 7;
/// How many objects there are.
const OBJECTS: usize = 1000;

/// What is judged.
struct Row {
    name: &'static str,
    rule: &'static str,
    arguments: &'static [&'static str],
    values: Values,
}

/// What arguments are made of.
#[derive(Clone, Copy)]
enum Values {
    Integers,
    Pointers,
    Texts,
}

const ROWS: [Row; 4] = [
    Row { name: "one integer", rule: OPENED_TWICE, arguments: &["file"], values: Values::Integers },
    Row { name: "one pointer", rule: OPENED_TWICE, arguments: &["file"], values: Values::Pointers },
    Row { name: "one text", rule: OPENED_TWICE, arguments: &["file"], values: Values::Texts },
    Row { name: "two integers", rule: OF_PROCESSES, arguments: &["process", "file"], values: Values::Integers },
];

const OPENED_TWICE: &str = "prop twice: Forall f . open(f) -> ! @ (!close(f) S open(f))";
const OF_PROCESSES: &str = "prop twice: Forall p . Forall f . open(p,f) -> ! @ (!close(p,f) S open(p,f))";

/// The CPU time of this process.
fn cpu() -> Duration {
    // SAFETY: the structure is plain numbers, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let of = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    of(usage.ru_utime) + of(usage.ru_stime)
}

/// Event by event: whether it is an `open`, and of which object. Objects are opened and closed in turn, and now and then one is
/// opened twice.
fn events() -> impl Iterator<Item = (bool, usize)> {
    let mut opened = vec![false; OBJECTS];
    let mut state = 1u64;
    (0..EVENTS).map(move |number| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let object = (state >> 33) as usize % OBJECTS;
        let opens = !opened[object] || number % 100_000 == 0;
        opened[object] = opens;
        (opens, object)
    })
}

impl Row {
    fn compiled(&self) -> Arc<Rule> {
        let source = Source::new("rule", self.rule);
        Arc::new(compile(Language::Qtl, &source, &Options::default()).properties.remove(0))
    }

    /// Through the session itself.
    fn by_session(&self, texts: &[CString]) -> (Duration, usize) {
        let settings = Settings { wanted: Wanted::All, ..Settings::default() };
        let mut session = Session::with(&[self.compiled()], &settings);
        let (open, close) = (session.kind("open", self.arguments), session.kind("close", self.arguments));
        let (begin, mut found) = (cpu(), 0);
        for (opens, object) in events() {
            let atom = match self.values {
                Values::Integers => session.integer(object as i64),
                Values::Pointers => session.identity(texts[object].as_ptr() as u64),
                Values::Texts => session.text(texts[object].to_str().unwrap_or_default()),
            };
            let atoms = [session.integer(7), atom];
            let arguments: &[Atom] = if self.arguments.len() == 1 { &atoms[1..] } else { &atoms };
            let kind = if opens { open } else { close };
            found += session.event(kind, arguments).map_or(0, |found| found.len());
        }
        (cpu() - begin, found)
    }

    /// Through the functions of C.
    fn by_c(&self, texts: &[CString]) -> (Duration, usize) {
        let (language, text) = (c"qtl", CString::new(self.rule).expect("a text"));
        let specification =
            GivenSpecification { file: std::ptr::null(), language: language.as_ptr(), text: text.as_ptr() };
        let options = referee_c::GivenOptions { flags: referee_c::REFEREE_ALL, reserved: 0, unit: std::ptr::null() };
        // SAFETY: all texts end with NUL, the session is used here alone, and it is freed when nobody uses it any more.
        unsafe {
            let session = referee_session_new(&specification, 1, &options);
            assert!(!session.is_null(), "the rule compiles");
            let (open, close) = (self.kind(session, "open"), self.kind(session, "close"));
            let (begin, mut found) = (cpu(), 0);
            for (opens, object) in events() {
                let value = self.value(object, texts);
                let kind = if opens { open } else { close };
                let code = match self.arguments.len() {
                    1 => referee_event1(session, kind, value),
                    _ => referee_event2(session, kind, integer(7), value),
                };
                found += usize::from(code == REFEREE_FOUND);
            }
            let taken = cpu() - begin;
            referee_session_free(session);
            (taken, found)
        }
    }

    fn kind(&self, session: *mut Handle, name: &str) -> KindNumber {
        let name = CString::new(name).expect("a name");
        let arguments: Vec<CString> = self.arguments.iter().map(|name| CString::new(*name).expect("a name")).collect();
        let pointers: Vec<_> = arguments.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: all texts end with NUL, and the array is as long as it says.
        unsafe { referee_kind_of(session, name.as_ptr(), pointers.as_ptr(), pointers.len()) }
    }

    #[inline(always)]
    fn value(&self, object: usize, texts: &[CString]) -> GivenValue {
        let text = texts[object].as_ptr();
        match self.values {
            Values::Integers => integer(object as i64),
            Values::Pointers => GivenValue { kind: REFEREE_POINTER, length: 0, content: Content { word: text as u64 } },
            Values::Texts => GivenValue { kind: REFEREE_TEXT, length: REFEREE_TO_NUL, content: Content { text } },
        }
    }
}

fn integer(integer: i64) -> GivenValue {
    GivenValue { kind: REFEREE_INTEGER, length: 0, content: Content { integer } }
}

fn main() {
    let wanted: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let texts: Vec<CString> =
        (0..OBJECTS).map(|number| CString::new(format!("file-{number}")).expect("a text")).collect();
    println!("{:<14} {:>10} {:>10} {:>8}", "ns an event", "session", "C", "more");
    for row in ROWS.iter().filter(|row| wanted.as_ref().is_none_or(|wanted| row.name.contains(&**wanted))) {
        let (mut session, mut c) = (Duration::MAX, Duration::MAX);
        for _ in 0..REPEAT {
            let (own, found) = row.by_session(&texts);
            let (other, found_by_c) = row.by_c(&texts);
            assert!(found > 0 && found == found_by_c, "{}: {found} and {found_by_c} violations", row.name);
            (session, c) = (session.min(own), c.min(other));
        }
        let of = |taken: Duration| taken.as_nanos() as f64 / EVENTS as f64;
        println!("{:<14} {:>10.1} {:>10.1} {:>8.1}", row.name, of(session), of(c), of(c) - of(session));
    }
}
