//! Events on their way to the judge: records of words in one ring, in the order in which they happened.
//!
//! ```text
//!   tail ▼ judged up to here          head ▼ reserved up to here
//!   ─────┬────────┬──────────┬────────────┬──────────────────────
//!        │ header │ words …  │ pending    │ zeros
//!   ─────┴────────┴──────────┴────────────┴──────────────────────
//!   producer   at = head += length        its place in the order, and its room: one instruction
//!              header(at) = pending       how long the record is, so that a reader can pass over what dies here
//!              words, then header(at)     released last: then the record is there
//!   consumer   reads records up to the first that is not there, writes zeros over them, moves tail
//! ```
//!
//! The order of the reservations is the order of the trace. Threads of one process, and processes that share the memory, reserve with an
//! atomic addition; a process with one thread adds with an instruction that only its own signal handlers could see half done, and cannot.
//!
//! Cost: a producer writes its record and one word more, and reads `limit`, which changes once for many events.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How many bytes the head of the memory takes.
const HEADER_BYTES: usize = 4096;
/// "referee" and the layout.
const MAGIC: u64 = u64::from_le_bytes(*b"referee\x01");
/// A record is never longer than this, in words.
pub const LONGEST: u64 = 4096;

/// An event.
pub const EVENT: u64 = 1;
/// An event with a word for its time behind the header.
pub const TIMED_EVENT: u64 = 2;
/// The name and the arguments of a kind of events.
pub const DEFINITION: u64 = 3;
/// A record that is being written: only its length is known.
const PENDING: u64 = 4;

/// Points have times.
pub const TIMED: u32 = 1;
/// Each event waits until it is judged.
pub const HALTING: u32 = 2;

/// The reader knows what it judges: programs may begin.
pub const READY: u32 = 4;

/// The tags of words.
pub mod tag {
    /// A signed integer.
    pub const SIGNED: u8 = 1;
    /// An unsigned integer.
    pub const UNSIGNED: u8 = 2;
    /// The bits of a double.
    pub const DOUBLE: u8 = 3;
    /// A pointer.
    pub const POINTER: u8 = 4;
    /// A text; in the ring its length and its bytes.
    pub const TEXT: u8 = 5;
    /// A truth value.
    pub const BOOLEAN: u8 = 6;
}

/// A word with a cache line of its own.
#[repr(C, align(64))]
struct Line(AtomicU64);

/// The head of the memory.
#[repr(C)]
struct Header {
    magic: AtomicU64,
    capacity: AtomicU64,
    configuration_room: AtomicU64,
    configuration_length: AtomicU64,
    /// When the ring was made, in nanoseconds of the monotonic clock.
    origin: AtomicU64,
    flags: AtomicU32,
    next_kind: AtomicU32,
    off: AtomicU32,
    lost: AtomicU32,
    /// The process that reads, where it is another one.
    reader: AtomicU32,
    head: Line,
    tail: Line,
    limit: Line,
}

/// A ring in memory that somebody else maps and keeps. Copies are the same ring.
#[derive(Clone, Copy)]
pub struct Ring {
    header: *const Header,
    configuration: *mut u8,
    words: *const AtomicU64,
    mask: u64,
}

// SAFETY: all that is written by more than one thread is atomic, and the configuration is written before its length is.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

impl Ring {
    /// How many bytes a ring takes.
    pub const fn bytes(capacity: u64, configuration_room: usize) -> usize {
        HEADER_BYTES + configuration_room + capacity as usize * 8
    }

    /// Makes a ring of `capacity` words, a power of two, in memory that is zero.
    ///
    /// # Safety
    ///
    /// The memory has [`Ring::bytes`] bytes, begins at a page and is there as long as any copy of the ring is used.
    pub unsafe fn create(memory: *mut u8, capacity: u64, configuration_room: usize, origin: u64) -> Ring {
        // SAFETY: the caller gives memory that is large enough, aligned to a page and zero, which is a header.
        let header = unsafe { &*memory.cast::<Header>() };
        header.capacity.store(capacity, Ordering::Relaxed);
        header.configuration_room.store(configuration_room as u64, Ordering::Relaxed);
        header.origin.store(origin, Ordering::Relaxed);
        header.magic.store(MAGIC, Ordering::Release);
        // SAFETY: as above.
        unsafe { Ring::at(memory, capacity, configuration_room) }
    }

    /// The ring that somebody else has made in shared memory of this size; nothing if there is none.
    ///
    /// # Safety
    ///
    /// `size` bytes from `memory` on are mapped, begin at a page, and stay as long as any copy of the ring is used.
    pub unsafe fn open(memory: *mut u8, size: usize) -> Option<Ring> {
        if size < HEADER_BYTES {
            return None;
        }
        // SAFETY: there are at least as many bytes as a header has.
        let header = unsafe { &*memory.cast::<Header>() };
        let capacity = header.capacity.load(Ordering::Relaxed);
        let room = usize::try_from(header.configuration_room.load(Ordering::Relaxed)).ok()?;
        let is_ring = header.magic.load(Ordering::Acquire) == MAGIC
            && capacity.is_power_of_two()
            && capacity < 1 << 40
            && room < 1 << 40
            && Ring::bytes(capacity, room) <= size;
        // SAFETY: the memory is large enough for what its header says.
        is_ring.then(|| unsafe { Ring::at(memory, capacity, room) })
    }

    /// # Safety
    ///
    /// As for [`Ring::create`].
    unsafe fn at(memory: *mut u8, capacity: u64, configuration_room: usize) -> Ring {
        // SAFETY: both places lie in the memory that the caller gives.
        let (configuration, words) =
            unsafe { (memory.add(HEADER_BYTES), memory.add(HEADER_BYTES + configuration_room)) };
        Ring { header: memory.cast(), configuration, words: words.cast(), mask: capacity - 1 }
    }

    #[inline(always)]
    fn header(&self) -> &Header {
        // SAFETY: who made the ring keeps its memory.
        unsafe { &*self.header }
    }

    #[inline(always)]
    fn word(&self, at: u64) -> &AtomicU64 {
        // SAFETY: the mask keeps the place within the ring's words.
        unsafe { &*self.words.add((at & self.mask) as usize) }
    }

    /// How many words it has.
    pub fn capacity(&self) -> u64 {
        self.mask + 1
    }

    /// Whether nobody judges any more.
    pub fn is_off(&self) -> bool {
        self.header().off.load(Ordering::Relaxed) != 0
    }

    /// Nobody judges any more.
    pub fn turn_off(&self) {
        self.header().off.store(1, Ordering::Relaxed);
    }

    /// Events were lost, and the verdict must say so.
    pub fn lose(&self) {
        self.header().lost.store(1, Ordering::Relaxed);
    }

    /// Whether events were lost.
    pub fn has_lost(&self) -> bool {
        self.header().lost.load(Ordering::Relaxed) != 0
    }

    /// This process reads what others write.
    pub fn set_reader(&self, process: u32) {
        self.header().reader.store(process, Ordering::Relaxed);
    }

    /// The process that reads.
    pub fn reader(&self) -> u32 {
        self.header().reader.load(Ordering::Relaxed)
    }

    /// What every event has to do, as [`TIMED`] and [`HALTING`] say; and whether the reader is [`READY`].
    #[inline]
    pub fn flags(&self) -> u32 {
        self.header().flags.load(Ordering::Acquire)
    }

    /// Sets what every event has to do.
    pub fn set_flags(&self, flags: u32) {
        self.header().flags.store(flags, Ordering::Release);
    }

    /// When the ring was made, in nanoseconds of the monotonic clock.
    pub fn origin(&self) -> u64 {
        self.header().origin.load(Ordering::Relaxed)
    }

    /// A number for a kind of events; numbers begin with 1.
    pub fn next_kind(&self) -> u32 {
        self.header().next_kind.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Up to where everything is reserved.
    #[inline]
    pub fn head(&self) -> u64 {
        self.header().head.0.load(Ordering::Relaxed)
    }

    /// Up to where everything is judged.
    #[inline]
    pub fn tail(&self) -> u64 {
        self.header().tail.0.load(Ordering::Acquire)
    }

    /// Up to where a producer may write without looking at anything else.
    #[inline(always)]
    pub fn limit(&self) -> u64 {
        self.header().limit.0.load(Ordering::Relaxed)
    }

    /// Moves the limit, which is never more than the capacity behind the tail.
    #[inline]
    pub fn set_limit(&self, limit: u64) {
        self.header().limit.0.store(limit, Ordering::Relaxed);
    }

    /// Copies the configuration for the reader, if there is room and none yet.
    pub fn offer_configuration(&self, text: &[u8]) {
        let header = self.header();
        let fits = text.len() as u64 <= header.configuration_room.load(Ordering::Relaxed);
        if fits && header.configuration_length.load(Ordering::Relaxed) == 0 {
            // SAFETY: there is room for the text; the reader looks at it when its length is there. Two processes that begin
            // at once have the same program, or the reader names its own specifications.
            unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), self.configuration, text.len()) };
            header.configuration_length.store(text.len() as u64, Ordering::Release);
        }
    }

    /// The configuration of the first program that offered one.
    pub fn configuration(&self) -> Option<Vec<u8>> {
        let header = self.header();
        let length = header.configuration_length.load(Ordering::Acquire);
        if length == 0 || length > header.configuration_room.load(Ordering::Relaxed) {
            return None;
        }
        let mut text = vec![0; length as usize];
        // SAFETY: the length was stored behind the text, and lies within the room for it.
        unsafe { std::ptr::copy_nonoverlapping(self.configuration, text.as_mut_ptr(), text.len()) };
        Some(text)
    }
}

/// For those who write records.
impl Ring {
    /// Reserves the next place in the order. `alone`: the memory is this process's own and it has one thread.
    #[inline(always)]
    pub fn reserve(&self, length: u64, alone: bool) -> u64 {
        let head = &self.header().head.0;
        if !alone {
            return head.fetch_add(length, Ordering::Relaxed);
        }
        #[cfg(target_arch = "x86_64")]
        {
            let mut at = length;
            // SAFETY: the instruction adds to the word that `head` is. Without the prefix for other cores it costs a third, and a
            // signal handler of the only thread sees it done or not done.
            unsafe {
                std::arch::asm!("xadd [{head}], {at}", head = in(reg) head.as_ptr(), at = inout(reg) at, options(nostack));
            }
            at
        }
        #[cfg(not(target_arch = "x86_64"))]
        head.fetch_add(length, Ordering::Relaxed)
    }

    /// Says how long the record at a reserved place is going to be.
    #[inline(always)]
    pub fn begin(&self, at: u64, length: u64) {
        self.word(at).store(PENDING | length << 32, Ordering::Relaxed);
    }

    /// Writes a word of a record.
    #[inline(always)]
    pub fn put(&self, at: u64, word: u64) {
        self.word(at).store(word, Ordering::Relaxed);
    }

    /// Writes the first word of a record: it is there.
    #[inline(always)]
    pub fn commit(&self, at: u64, header: u64) {
        self.word(at).store(header, Ordering::Release);
    }

    /// Writes bytes as words; tells where they end.
    pub fn put_bytes(&self, mut at: u64, bytes: &[u8]) -> u64 {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.put(at, u64::from_le_bytes(word));
            at += 1;
        }
        at
    }

    /// Reserves room for a record and writes it when there is room. `alone` as for [`Ring::reserve`]; `wait` is called until the place is free.
    pub fn define(&self, kind: u32, text: &[u8], alone: bool, mut wait: impl FnMut(u64)) {
        let text = &text[..text.len().min(LONGEST as usize * 8 - 16)];
        let length = 2 + text.len().div_ceil(8) as u64;
        let at = self.reserve(length, alone);
        wait(at + length);
        self.begin(at, length);
        self.put(at + 1, text.len() as u64);
        self.put_bytes(at + 2, text);
        self.commit(at, DEFINITION | u64::from(kind) << 32);
    }

    /// The first word of an event's record.
    #[inline(always)]
    pub fn event_header(record: u64, kind: u32, count: u64, tags: u64) -> u64 {
        record | count << 4 | (tags & 0xffff) << 12 | u64::from(kind) << 32
    }
}

/// A record that is there.
#[derive(Debug, Clone, Copy)]
pub struct RecordHeader {
    /// [`EVENT`], [`TIMED_EVENT`] or [`DEFINITION`].
    pub record: u64,
    /// How many arguments it has.
    pub count: usize,
    /// The tags of the first four.
    pub tags: u64,
    /// Its kind.
    pub kind: u32,
}

/// For the one who reads records.
impl Ring {
    /// The record at a place, if it is there.
    #[inline]
    pub fn record(&self, at: u64) -> Option<RecordHeader> {
        let word = self.word(at).load(Ordering::Acquire);
        let record = word & 0xf;
        if record == 0 || record >= PENDING {
            return None;
        }
        let count = (word >> 4 & 0xff) as usize;
        Some(RecordHeader { record, count, tags: word >> 12 & 0xffff, kind: (word >> 32) as u32 })
    }

    /// A word of a record.
    #[inline]
    pub fn get(&self, at: u64) -> u64 {
        self.word(at).load(Ordering::Relaxed)
    }

    /// Reads bytes that lie in words; tells where they end. No record is longer than [`LONGEST`].
    pub fn get_bytes(&self, at: u64, length: u64, out: &mut Vec<u8>) -> u64 {
        let length = length.min(LONGEST * 8);
        let count = length.div_ceil(8);
        out.clear();
        (0..count).for_each(|word| out.extend_from_slice(&self.get(at + word).to_le_bytes()));
        out.truncate(length as usize);
        at + count
    }

    /// Nobody needs the words between two places any more.
    #[inline]
    pub fn clear(&self, from: u64, to: u64) {
        (from..to).for_each(|at| self.word(at).store(0, Ordering::Relaxed));
    }

    /// Everything up to a place is read.
    #[inline]
    pub fn set_tail(&self, tail: u64) {
        self.header().tail.0.store(tail, Ordering::Release);
    }

    /// Where the record ends that keeps the reader from going on, if somebody began one there and said how long it is.
    pub fn unfinished(&self, at: u64) -> Option<u64> {
        let word = self.word(at).load(Ordering::Acquire);
        (word & 0xf == PENDING).then_some(at + (word >> 32).clamp(1, LONGEST))
    }

    /// Forgets all records that are not finished, of threads that a new process does not have.
    pub fn drop_rest(&self) {
        let (tail, head) = (self.tail(), self.head());
        self.clear(tail, head.min(tail + self.capacity()));
        self.set_tail(head);
    }
}
