//! A session with what C wants to know of it: findings one by one, the times of points, statuses, warnings.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::path::Path;

use referee_engine::judge::{Finding, Wanted};
use referee_engine::session::{SavedState, Session, SessionError, SessionKind, StateError};
use referee_spec::core::{Rule, Status};
use referee_spec::language::{Source, Vocabulary};
use referee_spec::trace_needs::check_inputs;
use referee_trace::event::{Argument, EventShape};
use referee_trace::number::Number;
use referee_trace::values::Atom;
use referee_trace::write::Output;

use crate::failure::{
    Failure, REFEREE_ERROR_ARGUMENTS, REFEREE_ERROR_ENDED, REFEREE_ERROR_FILE, REFEREE_ERROR_KIND, REFEREE_ERROR_STATE,
    REFEREE_ERROR_TIME, REFEREE_ERROR_VALUE, REFEREE_FOUND, REFEREE_OK,
};
use crate::finding::{KeptFinding, ShownFinding, Texts};
use crate::settings::Setup;
use crate::times::OpenTimes;

/// Nothing decides the rule yet.
pub const REFEREE_UNDECIDED: i32 = 0;
/// The trace has ended and obeys the rule.
pub const REFEREE_SATISFIED: i32 = 1;
/// It does not.
pub const REFEREE_VIOLATED: i32 = 2;
/// It could not be judged; `referee_reason` says why.
pub const REFEREE_GAVE_UP: i32 = 3;

/// A kind of events of a session; 0 is none.
pub type KindNumber = u64;

/// Hears of a finding, which is valid until it returns.
pub(crate) type Callback = unsafe extern "C" fn(context: *mut c_void, finding: *const ShownFinding);

/// A session and what C was or will be told of it.
pub(crate) struct Judged {
    pub(crate) session: Session,
    /// Tells sessions of a process apart.
    pub(crate) number: u32,
    pub(crate) names: Texts,
    pub(crate) warnings: Texts,
    pub(crate) saved: Vec<u8>,
    sources: Vec<Source>,
    kinds: Vec<KnownKind>,
    /// Their places.
    places: HashMap<SessionKind, usize>,
    wants: Wants,
    needs_time: Option<String>,
    times: OpenTimes,
    callback: Option<(Callback, *mut c_void)>,
    /// What was found and nobody has asked for.
    waiting: VecDeque<KeptFinding>,
    /// What was asked for last.
    asked: Option<KeptFinding>,
    verdicts: Vec<Verdict>,
    has_ended: bool,
    /// How many shapes of events a state was loaded with.
    loaded_shapes: usize,
}

/// What is wanted beyond what the engine knows.
#[derive(Clone, Copy)]
struct Wants {
    all: bool,
    /// Only the first violation of a stream, too.
    first_of_streams: bool,
    prefix: bool,
}

/// A kind of events that C has asked for.
struct KnownKind {
    kind: SessionKind,
    shape: EventShape,
    has_happened: bool,
}

/// What is known of a rule.
#[derive(Default)]
struct Verdict {
    /// How many violations of it were told.
    told: u64,
    pending: u64,
    /// Why it could not be judged, if it could not.
    reason: Texts,
}

impl Verdict {
    /// The rule cannot be judged; the first reason counts.
    fn give_up(&mut self, why: &str) {
        if self.reason.len() == 0 {
            self.reason.push(why);
        }
    }
}

impl Judged {
    /// A session before its first point.
    pub(crate) fn new(setup: Setup, session: Session, number: u32) -> Judged {
        Judged {
            session,
            number,
            names: Texts::new(setup.rules.iter().map(|rule| &**rule.name())),
            warnings: Texts::new(setup.warnings),
            saved: Vec::new(),
            sources: setup.sources,
            kinds: Vec::new(),
            places: HashMap::new(),
            wants: Wants {
                all: setup.settings.wanted == Wanted::All,
                first_of_streams: setup.first,
                prefix: setup.settings.prefix,
            },
            needs_time: setup.needs_time,
            times: OpenTimes::default(),
            callback: None,
            waiting: VecDeque::new(),
            asked: None,
            verdicts: setup.rules.iter().map(|_| Verdict::default()).collect(),
            has_ended: false,
            loaded_shapes: 0,
        }
    }

    /// The place of a kind of events, from 0.
    pub(crate) fn kind(&mut self, name: &str, arguments: &[&str]) -> usize {
        let argument = |name: &&str| Argument { name: (*name).into(), declared: None };
        let shape = EventShape {
            name: name.into(),
            arguments: arguments.iter().map(argument).collect(),
            positional: arguments.len(),
        };
        let kind = self.session.kind_of(&shape);
        *self.places.entry(kind).or_insert_with(|| {
            self.kinds.push(KnownKind { kind, shape, has_happened: false });
            self.kinds.len() - 1
        })
    }

    /// Notes that an event of a kind happens, and gives its number.
    #[inline(always)]
    pub(crate) fn happens(&mut self, place: usize) -> Result<SessionKind, Failure> {
        let Some(known) = self.kinds.get_mut(place) else { return Err(unknown_kind()) };
        known.has_happened = true;
        Ok(known.kind)
    }

    /// Judges a point with one event and no time.
    #[inline(always)]
    pub(crate) fn event(&mut self, kind: SessionKind, arguments: &[Atom]) -> Result<i32, Failure> {
        if let Some(why) = &self.needs_time {
            return Err(time_needed(why));
        }
        match self.session.event(kind, arguments) {
            Ok(found) if found.is_empty() => Ok(REFEREE_OK),
            Ok(found) => Ok(self.report(found)),
            Err(error) => Err(refused(&error)),
        }
    }

    /// The same at a time.
    pub(crate) fn event_at(&mut self, time: &Number, kind: SessionKind, arguments: &[Atom]) -> Result<i32, Failure> {
        let found = self.session.event_at(time, kind, arguments).map_err(|error| refused(&error))?;
        self.times.add(time, &self.session);
        Ok(self.report(found))
    }

    /// Judges a point with any number of events.
    pub(crate) fn point(&mut self, time: Option<&Number>, events: &[(SessionKind, &[Atom])]) -> Result<i32, Failure> {
        if let (Some(why), None) = (&self.needs_time, time) {
            return Err(time_needed(why));
        }
        let found = self.session.point(time, events).map_err(|error| refused(&error))?;
        if let Some(time) = time {
            self.times.add(time, &self.session);
        }
        Ok(self.report(found))
    }

    /// Time passes without an event.
    pub(crate) fn advance(&mut self, time: &Number) -> Result<i32, Failure> {
        let found = self.session.advance(time).map_err(|error| refused(&error))?;
        Ok(self.report(found))
    }

    /// Hands findings to whoever wants them.
    #[inline(never)]
    fn report(&mut self, found: Vec<Finding>) -> i32 {
        let mut code = REFEREE_OK;
        for finding in found {
            let is_first_only = self.wants.first_of_streams && self.is_stream(finding.rule);
            if is_first_only && !self.session.is_active(finding.rule) {
                continue;
            }
            code = REFEREE_FOUND;
            self.hand_out(&finding);
            if is_first_only {
                self.session.retire(finding.rule);
            }
        }
        // Nobody asks for the rows of reports here, and they must not pile up.
        if self.session.rules().iter().any(|rule| matches!(&**rule, Rule::Stream(_))) {
            self.session.take_reports();
        }
        code
    }

    fn is_stream(&self, rule: usize) -> bool {
        matches!(&*self.session.rules()[rule], Rule::Stream(_))
    }

    fn hand_out(&mut self, finding: &Finding) {
        self.verdicts[finding.rule].told += 1;
        let why = self.session.explain(finding);
        let rule = &self.session.rules()[finding.rule];
        let time = self.times.of(finding.violation.point);
        let kept = KeptFinding::new(finding.rule, rule, &finding.violation, time, &why);
        match self.callback {
            // SAFETY: whoever set the callback vouches for it, and the finding is there until it returns.
            Some((callback, context)) => unsafe { callback(context, kept.view()) },
            None => self.waiting.push_back(kept),
        }
    }

    /// From now on somebody hears of findings, or, with nothing, they wait to be asked for.
    pub(crate) fn call_back(&mut self, callback: Option<(Callback, *mut c_void)>) {
        self.callback = callback;
    }

    /// The next finding that waits. It is valid until the next one is asked for.
    pub(crate) fn next_finding(&mut self) -> *const ShownFinding {
        self.asked = self.waiting.pop_front();
        self.asked.as_ref().map_or(std::ptr::null(), KeptFinding::view)
    }
}

/// The end, and what is known then.
impl Judged {
    /// Ends the trace.
    pub(crate) fn end(&mut self) -> Result<i32, Failure> {
        if self.has_ended {
            return Err(refused(&SessionError::Ended));
        }
        let is_active: Vec<bool> = (0..self.verdicts.len()).map(|rule| self.session.is_active(rule)).collect();
        let outcomes = self.session.end();
        self.has_ended = true;
        let vocabulary = self.vocabulary();
        let mut code = REFEREE_OK;
        for (rule, outcome) in outcomes.into_iter().enumerate().filter(|(rule, _)| is_active[*rule]) {
            self.verdicts[rule].pending += outcome.pending;
            if let Some(missing) = self.missing_input(rule, &vocabulary) {
                self.verdicts[rule].give_up(&missing);
                continue;
            }
            let most = if self.wants_all(rule) { usize::MAX } else { 1 };
            for violation in outcome.violations.iter().take(most) {
                code = REFEREE_FOUND;
                self.hand_out(&Finding { rule, violation: violation.clone() });
            }
            if let Some(met) = outcome.obstacle.filter(|_| outcome.status == Status::GaveUp) {
                let text = self.session.rules()[rule].text(met.span);
                self.verdicts[rule].give_up(&format!("{} in `{text}` at point {}", met.problem, met.point));
            }
        }
        Ok(code)
    }

    /// Whether all violations of a rule are findings.
    fn wants_all(&self, rule: usize) -> bool {
        self.wants.all || (self.is_stream(rule) && !self.wants.first_of_streams)
    }

    /// What a rule reads and no event of a whole trace has carried by mistake: what it says of such a trace means nothing.
    fn missing_input(&self, rule: usize, vocabulary: &Vocabulary) -> Option<String> {
        let missing =
            if self.wants.prefix { Vec::new() } else { check_inputs(&self.session.rules()[rule], vocabulary) };
        let input = missing.first()?;
        let source = &self.sources[rule];
        let (line, column) = source.line_column(input.span);
        Some(format!("{}:{line}:{column}: {}", source.name, input.message))
    }

    /// The events that came.
    fn vocabulary(&self) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        self.session.shapes().iter().take(self.loaded_shapes).for_each(|shape| vocabulary.add(&shape));
        self.kinds.iter().filter(|known| known.has_happened).for_each(|known| vocabulary.add(&known.shape));
        vocabulary
    }

    /// Begins another trace.
    pub(crate) fn begin(&mut self) -> Result<i32, Failure> {
        if !self.has_ended {
            return Err(Failure::new(REFEREE_ERROR_ENDED, "the trace has not ended; end it before another one begins"));
        }
        self.session.begin_trace();
        self.times.clear();
        self.has_ended = false;
        self.loaded_shapes = 0;
        self.kinds.iter_mut().for_each(|known| known.has_happened = false);
        Ok(REFEREE_OK)
    }

    /// The status of a rule on all traces so far.
    pub(crate) fn status(&self, rule: usize) -> Result<i32, Failure> {
        let verdict = self.verdict(rule)?;
        Ok(match (verdict.told, verdict.reason.len(), self.has_ended) {
            (1.., ..) => REFEREE_VIOLATED,
            (0, 1.., _) => REFEREE_GAVE_UP,
            (0, 0, true) => REFEREE_SATISFIED,
            (0, 0, false) => REFEREE_UNDECIDED,
        })
    }

    /// Why a rule could not be judged, or null.
    pub(crate) fn reason(&self, rule: usize) -> Result<*const std::ffi::c_char, Failure> {
        Ok(self.verdict(rule)?.reason.get(0))
    }

    /// How many violations of a rule were told, and how many are pending.
    pub(crate) fn counts(&self, rule: usize) -> Result<(u64, u64), Failure> {
        self.verdict(rule).map(|verdict| (verdict.told, verdict.pending))
    }

    fn verdict(&self, rule: usize) -> Result<&Verdict, Failure> {
        self.verdicts.get(rule).ok_or_else(|| {
            let message = format!("there is no rule {rule}; the session has {}", self.verdicts.len());
            Failure::new(REFEREE_ERROR_KIND, message)
        })
    }
}

/// Saving and loading.
impl Judged {
    /// The state as bytes, which are kept until it is saved again.
    pub(crate) fn save(&mut self) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        self.session.save_to(&mut bytes, self.times.note(&self.session).as_bytes()).map_err(|error| state(&error))?;
        self.saved = bytes;
        Ok(())
    }

    /// Writes the state into a file, which is replaced as a whole.
    pub(crate) fn save_file(&self, path: &Path) -> Result<(), Failure> {
        let unwritable = |error: std::io::Error| file_failure(path, "written", &error);
        let mut output = Output::create(path).map_err(unwritable)?;
        self.session.save_to(&mut output, self.times.note(&self.session).as_bytes()).map_err(|error| state(&error))?;
        output.sync().map_err(unwritable)?;
        output.commit().map_err(unwritable)
    }

    /// Goes on from a state, before the first point.
    pub(crate) fn load(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let note = SavedState::read(bytes).map_err(|error| state(&error))?.note.to_vec();
        let loaded = self.session.load(bytes).map_err(|error| state(&error))?;
        self.times = OpenTimes::read(&note);
        self.loaded_shapes = self.session.shapes().count();
        for (rule, verdict) in self.verdicts.iter_mut().enumerate() {
            verdict.told = self.session.violations(rule);
        }
        for name in &loaded.dropped {
            self.warnings.push(&format!("the state's rule `{name}` is not among those of the session: it is dropped"));
        }
        for rule in &loaded.begun {
            let (name, point) = (self.session.rules()[*rule].name(), self.session.position());
            self.warnings.push(&format!("the state has no rule `{name}`: it begins behind point {point}"));
        }
        Ok(())
    }

    /// The same from a file.
    pub(crate) fn load_file(&mut self, path: &Path) -> Result<(), Failure> {
        let bytes = std::fs::read(path).map_err(|error| file_failure(path, "read", &error))?;
        self.load(&bytes)
    }
}

fn state(error: &StateError) -> Failure {
    Failure::new(REFEREE_ERROR_STATE, error.to_string())
}

fn file_failure(path: &Path, what: &str, error: &std::io::Error) -> Failure {
    let path = path.display().to_string();
    let message = format!("{path}: the state cannot be {what}: {error}");
    Failure { place: Some((path, 0, 0)), ..Failure::new(REFEREE_ERROR_FILE, message) }
}

#[cold]
pub(crate) fn unknown_kind() -> Failure {
    let message = "the session has no such kind of events; take what `referee_kind_of` gives for this session";
    Failure::new(REFEREE_ERROR_KIND, message)
}

#[cold]
fn time_needed(why: &str) -> Failure {
    let message = format!("the point has no time, and {why}; hand over times with `referee_event_at`");
    Failure::new(REFEREE_ERROR_TIME, message)
}

/// What a session refuses.
#[cold]
fn refused(error: &SessionError) -> Failure {
    let code = match error {
        SessionError::TimeGoesBack { .. }
        | SessionError::TimeStands { .. }
        | SessionError::TimeMissing
        | SessionError::TimeUnexpected { .. } => REFEREE_ERROR_TIME,
        SessionError::ArgumentCount { .. } => REFEREE_ERROR_ARGUMENTS,
        SessionError::UnknownKind => REFEREE_ERROR_KIND,
        SessionError::UnknownValue { .. } => REFEREE_ERROR_VALUE,
        SessionError::Ended => REFEREE_ERROR_ENDED,
    };
    Failure::new(code, error.to_string())
}
