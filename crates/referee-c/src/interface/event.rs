//! Events, points and time.

use referee_engine::session::SessionKind;
use referee_trace::values::Atom;

use super::pointers::{array, code};
use crate::border::{self, Handle};
use crate::failure::{Failure, REFEREE_ERROR_NULL, REFEREE_OK};
use crate::judged::{Judged, KindNumber, unknown_kind};
use crate::value::GivenValue;

/// An event of a point.
#[repr(C)]
pub struct GivenEvent {
    /// Its kind.
    pub kind: KindNumber,
    /// Its arguments.
    pub values: *const GivenValue,
    /// How many it has.
    pub count: usize,
}

/// The engine's number of a kind.
#[inline(always)]
fn resolved(judged: &mut Judged, kind: KindNumber) -> Result<SessionKind, Failure> {
    let (place, session) = ((kind as u32).wrapping_sub(1), (kind >> 32) as u32);
    match session == judged.number {
        true => judged.happens(place as usize),
        false => Err(unknown_kind()),
    }
}

/// Judges an event with a fixed number of arguments.
///
/// # Safety
///
/// As for [`referee_event`].
#[inline(always)]
unsafe fn fixed<const N: usize>(session: *mut Handle, kind: KindNumber, values: [GivenValue; N]) -> i32 {
    let judge = |judged: &mut Judged| {
        let kind = resolved(judged, kind)?;
        let mut atoms = [Atom::boolean(false); N];
        for (atom, value) in atoms.iter_mut().zip(&values) {
            // SAFETY: the caller vouches for texts.
            *atom = unsafe { value.atom(&mut judged.session, judged.number) }?;
        }
        judged.event(kind, &atoms)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, judge) })
}

/// The atoms of values.
///
/// # Safety
///
/// The array is as long as it says, and texts end with NUL or are as long as they say.
unsafe fn atoms(judged: &mut Judged, values: *const GivenValue, count: usize) -> Result<Vec<Atom>, Failure> {
    // SAFETY: the caller vouches for arrays and texts.
    let values = unsafe { array(values, count, "values") }?;
    // SAFETY: as above.
    values.iter().map(|value| unsafe { value.atom(&mut judged.session, judged.number) }).collect()
}

/// Judges a point with one event that has no arguments, and no time. For threads and the result see `referee_event`.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event0(session: *mut Handle, kind: KindNumber) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { fixed(session, kind, []) }
}

/// The same with one argument.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event1(session: *mut Handle, kind: KindNumber, first: GivenValue) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { fixed(session, kind, [first]) }
}

/// The same with two arguments.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event2(
    session: *mut Handle,
    kind: KindNumber,
    first: GivenValue,
    second: GivenValue,
) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { fixed(session, kind, [first, second]) }
}

/// The same with three arguments.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event3(
    session: *mut Handle,
    kind: KindNumber,
    first: GivenValue,
    second: GivenValue,
    third: GivenValue,
) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { fixed(session, kind, [first, second, third]) }
}

/// The same with four arguments.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event4(
    session: *mut Handle,
    kind: KindNumber,
    first: GivenValue,
    second: GivenValue,
    third: GivenValue,
    fourth: GivenValue,
) -> i32 {
    // SAFETY: the caller vouches for it.
    unsafe { fixed(session, kind, [first, second, third, fourth]) }
}

/// Judges a point with one event and no time. `REFEREE_FOUND` says that this has decided a violation, `REFEREE_OK` that it has not; a
/// negative code is an error, and then nothing has happened.
///
/// A session belongs to one thread at a time; below a callback it takes no calls.
///
/// # Safety
///
/// `session` is null or what `referee_session_new` has given, and no other thread is in a call with it. `values` has `count`
/// members. Texts end with NUL or are as long as they say; nothing of them is needed when the call is over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event(
    session: *mut Handle,
    kind: KindNumber,
    values: *const GivenValue,
    count: usize,
) -> i32 {
    let judge = |judged: &mut Judged| {
        let kind = resolved(judged, kind)?;
        // SAFETY: the caller vouches for arrays and texts.
        let atoms = unsafe { atoms(judged, values, count) }?;
        judged.event(kind, &atoms)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, judge) })
}

/// The same at a time, which is not before that of the point before. All points have times, or none has.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_event_at(
    session: *mut Handle,
    time: GivenValue,
    kind: KindNumber,
    values: *const GivenValue,
    count: usize,
) -> i32 {
    let judge = |judged: &mut Judged| {
        let kind = resolved(judged, kind)?;
        // SAFETY: the caller vouches for arrays and texts.
        let (time, atoms) = unsafe { (time.time()?, atoms(judged, values, count)?) };
        judged.event_at(&time, kind, &atoms)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, judge) })
}

/// Judges a point with any number of events, which happen at once. `time` is null for a point without a time.
///
/// # Safety
///
/// As for `referee_event`; `events` has `count` members, and `time` is null or a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_point(
    session: *mut Handle,
    time: *const GivenValue,
    events: *const GivenEvent,
    count: usize,
) -> i32 {
    let judge = |judged: &mut Judged| {
        // SAFETY: the caller vouches for arrays, texts and the time.
        let (time, events) = unsafe { (time.as_ref(), array(events, count, "events")?) };
        // SAFETY: as above.
        let time = time.map(|time| unsafe { time.time() }).transpose()?;
        let mut all = Vec::with_capacity(events.len());
        for event in events {
            let kind = resolved(judged, event.kind)?;
            // SAFETY: as above.
            all.push((kind, unsafe { atoms(judged, event.values, event.count) }?));
        }
        let all: Vec<(SessionKind, &[Atom])> = all.iter().map(|(kind, atoms)| (*kind, &atoms[..])).collect();
        judged.point(time.as_ref(), &all)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, judge) })
}

/// Time passes without an event: no point will come before this time. It decides what follows from that, such as a deadline that is
/// over. The result is that of `referee_event`.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_advance(session: *mut Handle, time: GivenValue) -> i32 {
    // SAFETY: the caller vouches for texts.
    let judge = |judged: &mut Judged| judged.advance(&unsafe { time.time() }?);
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, judge) })
}

/// Looks a value up once. What is written to `kept` stands for it in this session from now on, which saves the look-up of texts and of
/// doubles.
///
/// # Safety
///
/// As for `referee_event`; `kept` points to a value that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_keep(session: *mut Handle, value: GivenValue, kept: *mut GivenValue) -> i32 {
    let keep = |judged: &mut Judged| {
        if kept.is_null() {
            return Err(Failure::new(REFEREE_ERROR_NULL, "`kept` is a null pointer"));
        }
        // SAFETY: the caller vouches for texts.
        let atom = unsafe { value.atom(&mut judged.session, judged.number) }?;
        let atom = judged.session.keep(atom);
        // SAFETY: it is not null, and the caller vouches for the rest.
        unsafe { kept.write(GivenValue::kept(atom, judged.number)) };
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, keep) })
}

/// A value, such as an object that was destroyed, never comes again: what only it could reach may go. If it does come again, it is judged as a value
/// without a past, or with a part of it.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_forget(session: *mut Handle, value: GivenValue) -> i32 {
    let forget = |judged: &mut Judged| {
        // SAFETY: the caller vouches for texts.
        let atom = unsafe { value.atom(&mut judged.session, judged.number) }?;
        judged.session.forget(atom);
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, forget) })
}
