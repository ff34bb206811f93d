//! What instrumented code calls.
//!
//! ```text
//!   referee_ev2(site, tags, a, b) ─▶ kind of the site, resolved once ─▶ place in the order ─▶ words ─▶ header
//! ```

use std::ffi::{CStr, c_char, c_uchar, c_uint};
use std::sync::atomic::{AtomicU32, Ordering};

use referee_monitor::configuration::TEXT_LIMIT;
use referee_monitor::monitor::NULL_TEXT;
use referee_monitor::ring::{EVENT, HALTING, LONGEST, Ring, TIMED, TIMED_EVENT, tag};

use crate::judging::{self, referee_off, ring};
use crate::{configured, start, threads};

/// A place in the program at which an event happens.
#[repr(C)]
pub(crate) struct Site {
    event: *const c_char,
    file: *const c_char,
    function: *const c_char,
    line: c_uint,
    /// 0, or what was resolved: in the lowest bits the kind, above the bound of texts, and whether all arguments are plain words.
    kind: AtomicU32,
}

/// How many bits of a resolved site are its kind.
const KIND_BITS: u32 = 20;
/// The bound of texts is kept in this unit.
const LIMIT_UNIT: u32 = 16;
/// Set where an event is its words and nothing else.
const IS_PLAIN: u32 = 1 << 31;
/// How many arguments an event may have.
const MOST_ARGUMENTS: usize = 64;

unsafe extern "C" {
    /// What the C library knows: 0 as soon as there was a second thread.
    static __libc_single_threaded: c_char;
}

/// Whether nobody else writes to the ring.
#[inline(always)]
fn is_alone() -> bool {
    // SAFETY: the C library writes it before it starts a thread, and never again.
    judging::is_own() && unsafe { (&raw const __libc_single_threaded).read_volatile() } != 0
}

/// # Safety
///
/// The site is a constant of the program.
#[inline(always)]
unsafe fn push<const N: usize>(site: *mut Site, tags: c_uint, words: [u64; N]) {
    // SAFETY: as the caller promises.
    let kind = unsafe { (*site).kind.load(Ordering::Acquire) };
    if kind & IS_PLAIN == 0 {
        // SAFETY: as the caller promises.
        return unsafe { push_any(site, N, |place| (tags >> (4 * place)) as u8 & 0xf, &words) };
    }
    if referee_off.load(Ordering::Relaxed) != 0 {
        return;
    }
    let (ring, alone, length) = (ring(), is_alone(), N as u64 + 1);
    if !alone {
        threads::note();
    }
    let at = ring.reserve(length, alone);
    let is_beyond = at + length > ring.limit();
    if is_beyond {
        judging::make_room(at + length);
        if referee_off.load(Ordering::Relaxed) != 0 {
            return;
        }
    }
    if !alone {
        ring.begin(at, length);
    }
    for (place, word) in words.into_iter().enumerate() {
        ring.put(at + 1 + place as u64, word);
    }
    ring.commit(at, Ring::event_header(EVENT, kind & ((1 << KIND_BITS) - 1), N as u64, u64::from(tags)));
    if is_beyond {
        judging::after_limit();
    }
}

/// An event that is not resolved, has texts or a time, or must be judged at once.
///
/// # Safety
///
/// As for [`push`]; words with the tag of texts are C texts or null.
#[cold]
#[inline(never)]
unsafe fn push_any(site: *mut Site, count: usize, tag_of: impl Fn(usize) -> u8, words: &[u64]) {
    if !start::begin() || referee_off.load(Ordering::Relaxed) != 0 {
        return;
    }
    let (ring, alone, count) = (ring(), is_alone(), count.min(MOST_ARGUMENTS));
    if !alone {
        threads::note();
    }
    let has_texts = (0..count).any(|place| tag_of(place) == tag::TEXT);
    let is_timed = ring.flags() & TIMED != 0;
    let is_halting = ring.flags() & HALTING != 0;
    let is_plain = !has_texts && !is_timed && !is_halting && count <= 4;
    // SAFETY: as the caller promises.
    let resolved = unsafe { resolve(&*site, count, is_plain, alone) };
    let limit = (resolved & !IS_PLAIN) >> KIND_BITS;
    let limit = u64::from(limit * LIMIT_UNIT);
    let fixed = 1 + u64::from(is_timed) + (count.saturating_sub(4) as u64).div_ceil(16) + count as u64;
    let mut texts: [&[u8]; MOST_ARGUMENTS] = [&[]; MOST_ARGUMENTS];
    let mut length = fixed;
    for place in (0..count).filter(|place| tag_of(*place) == tag::TEXT && words[*place] != 0) {
        let room = (LONGEST - length) * 8;
        // SAFETY: the driver says that it is a C text.
        texts[place] = unsafe { bytes_of(words[place] as *const c_char, limit.min(room)) };
        length += texts[place].len().div_ceil(8) as u64;
    }
    let time = if is_timed { judging::clock(libc::CLOCK_MONOTONIC).saturating_sub(ring.origin()) } else { 0 };
    let at = ring.reserve(length, alone);
    let is_beyond = at + length > ring.limit();
    if is_beyond {
        judging::make_room(at + length);
        if referee_off.load(Ordering::Relaxed) != 0 {
            return;
        }
    }
    ring.begin(at, length);
    let mut next = at + 1;
    if is_timed {
        ring.put(next, time);
        next += 1;
    }
    let packed = |places: std::ops::Range<usize>| {
        let first = places.start;
        places.fold(0u64, |all, place| all | u64::from(tag_of(place)) << (4 * (place - first)))
    };
    for first in (4..count).step_by(16) {
        ring.put(next, packed(first..count.min(first + 16)));
        next += 1;
    }
    for place in 0..count {
        if tag_of(place) == tag::TEXT {
            let text = texts[place];
            ring.put(next, if words[place] == 0 { NULL_TEXT } else { text.len() as u64 });
            next = ring.put_bytes(next + 1, text);
        } else {
            ring.put(next, words[place]);
            next += 1;
        }
    }
    let record = if is_timed { TIMED_EVENT } else { EVENT };
    let kind = resolved & ((1 << KIND_BITS) - 1);
    ring.commit(at, Ring::event_header(record, kind, count as u64, packed(0..count.min(4))));
    if is_halting {
        judging::judge_now(at + length);
    } else if is_beyond {
        judging::after_limit();
    }
}

/// The bytes of a C text, at most so many. What a bound cuts off is no text: half a character goes, too.
///
/// # Safety
///
/// There is a NUL, or as many bytes as the bound says.
unsafe fn bytes_of<'a>(text: *const c_char, limit: u64) -> &'a [u8] {
    // SAFETY: as the caller promises; `strnlen` stops at the NUL.
    let mut bytes = unsafe {
        let length = libc::strnlen(text, limit as usize);
        std::slice::from_raw_parts(text.cast::<u8>(), length)
    };
    if bytes.len() as u64 == limit
        && let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        bytes = &bytes[..error.valid_up_to()];
    }
    bytes
}

/// What a site means, told to the reader once.
///
/// # Safety
///
/// The site is a constant of the program.
unsafe fn resolve(site: &Site, count: usize, is_plain: bool, alone: bool) -> u32 {
    let known = site.kind.load(Ordering::Acquire);
    if known != 0 {
        return known;
    }
    // SAFETY: the name of the event is a C text of the program.
    let name = unsafe { CStr::from_ptr(site.event) }.to_bytes();
    let ring = ring();
    let kind = ring.next_kind();
    if kind >= 1 << KIND_BITS {
        ring.lose();
        judging::turn_off();
        return 0;
    }
    let declared = configured::event(name).filter(|event| event.count == count);
    match declared {
        Some(event) => ring.define(kind, &event.definition, alone, judging::make_room),
        None => {
            let (definition, length) = numbered(name, count);
            ring.define(kind, &definition[..length], alone, judging::make_room);
        }
    }
    let limit = configured::event(name).map_or(TEXT_LIMIT, |event| event.text_limit);
    let limit = (limit / LIMIT_UNIT).clamp(1, (1 << (31 - KIND_BITS)) - 1);
    let resolved = kind | limit << KIND_BITS | if is_plain { IS_PLAIN } else { 0 };
    // Another thread may have been first: then its kind is used, and the names of this one are told in vain.
    site.kind
        .compare_exchange(0, resolved, Ordering::AcqRel, Ordering::Acquire)
        .map_or_else(|first| first, |_| resolved)
}

/// The longest name of an event that the configuration does not have.
const LONGEST_NAME: usize = 512;
/// The most that its arguments take: a NUL and two digits each.
const NUMBERS: usize = 3 * MOST_ARGUMENTS;

/// A definition whose arguments have numbers for names, without memory from anybody.
fn numbered(name: &[u8], count: usize) -> ([u8; LONGEST_NAME + NUMBERS], usize) {
    let mut text = [0; LONGEST_NAME + NUMBERS];
    let mut length = name.len().min(LONGEST_NAME);
    text[..length].copy_from_slice(&name[..length]);
    for place in 1..=count as u8 {
        length += 1;
        if place >= 10 {
            text[length] = b'0' + place / 10;
            length += 1;
        }
        text[length] = b'0' + place % 10;
        length += 1;
    }
    (text, length)
}

/// An event without arguments.
///
/// # Safety
///
/// The site is a constant of the program.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn referee_ev0(site: *mut Site) {
    // SAFETY: as the caller promises.
    unsafe { push(site, 0, []) }
}

/// An event with one argument.
///
/// # Safety
///
/// The site is a constant of the program; words with the tag of texts are C texts or null.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn referee_ev1(site: *mut Site, tags: c_uint, a: u64) {
    // SAFETY: as the caller promises.
    unsafe { push(site, tags, [a]) }
}

/// An event with two arguments.
///
/// # Safety
///
/// As for [`referee_ev1`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn referee_ev2(site: *mut Site, tags: c_uint, a: u64, b: u64) {
    // SAFETY: as the caller promises.
    unsafe { push(site, tags, [a, b]) }
}

/// An event with three arguments.
///
/// # Safety
///
/// As for [`referee_ev1`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn referee_ev3(site: *mut Site, tags: c_uint, a: u64, b: u64, c: u64) {
    // SAFETY: as the caller promises.
    unsafe { push(site, tags, [a, b, c]) }
}

/// An event with four arguments.
///
/// # Safety
///
/// As for [`referee_ev1`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn referee_ev4(site: *mut Site, tags: c_uint, a: u64, b: u64, c: u64, d: u64) {
    // SAFETY: as the caller promises.
    unsafe { push(site, tags, [a, b, c, d]) }
}

/// An event with any number of arguments; of more than 64, the first 64 count.
///
/// # Safety
///
/// As for [`referee_ev1`], with `count` tags and words.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn referee_evn(site: *mut Site, count: c_uint, tags: *const c_uchar, words: *const u64) {
    let count = (count as usize).min(MOST_ARGUMENTS);
    if count == 0 {
        // SAFETY: as the caller promises.
        return unsafe { push(site, 0, []) };
    }
    // SAFETY: as the caller promises.
    unsafe {
        let (tags, words) = (std::slice::from_raw_parts(tags, count), std::slice::from_raw_parts(words, count));
        push_any(site, count, |place| tags[place] & 0xf, words);
    }
}
