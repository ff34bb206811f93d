//! The forms against `jiff`, on random times and on texts with a letter changed.

use super::*;
use crate::instant::moment::Zone;

/// A small generator of random numbers (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

fn moment(written: WrittenTime) -> (i64, i64) {
    let moment = written.moment(&Zone::UTC).expect("all offsets are given");
    (moment.second, moment.nanosecond)
}

/// What `jiff` makes of a text, with nanoseconds that count forwards.
fn by_jiff(text: &str) -> Option<(i64, i64)> {
    let moment: jiff::Timestamp = text.parse().ok()?;
    let (second, nanosecond) = (moment.as_second(), i64::from(moment.subsec_nanosecond()));
    Some(if nanosecond < 0 { (second - 1, nanosecond + 1_000_000_000) } else { (second, nanosecond) })
}

/// A text like `2026-11-15T12:30:00.5+01:00`, perhaps with a letter that does not belong there.
fn iso(dice: &mut Dice) -> String {
    let year = [1969, 1970, 1900, 2000, 2024, 2026, 9998][dice.below(7) as usize];
    let (month, day) = (dice.below(13), dice.below(33));
    let (hour, minute, second) = (dice.below(25), dice.below(61), dice.below(62));
    let digits = dice.below(11) as usize;
    let fraction = match digits {
        0 => String::new(),
        digits => format!(".{:0digits$}", dice.below(10_u64.pow(digits.min(9) as u32))),
    };
    let offset = ["Z", "z", "+01:00", "-0730", "+02", "+24:00", "-00:00"][dice.below(7) as usize];
    let separator = ["T", "t", " "][dice.below(3) as usize];
    let mut text =
        format!("{year:04}-{month:02}-{day:02}{separator}{hour:02}:{minute:02}:{second:02}{fraction}{offset}")
            .into_bytes();
    if dice.below(4) == 0 {
        let place = dice.below(text.len() as u64) as usize;
        text[place] = b"0123456789-:.TZ+ x,"[dice.below(19) as usize];
    }
    String::from_utf8(text).expect("all letters are ASCII")
}

#[test]
fn iso_times_are_read_as_jiff_reads_them() {
    let (mut read, mut refused) = (0, 0);
    for seed in referee_testing::seeds(200_000) {
        let text = iso(&mut Dice(seed));
        let ours = by_position(text.as_bytes(), &mut DayCache::default());
        match (ours, by_jiff(&text)) {
            (Some(ours), Some(theirs)) => {
                read += 1;
                assert_eq!(moment(ours), theirs, "{text}");
            }
            // What only we accept has no offset, a space before it, or `UTC`.
            (Some(ours), None) => assert!(ours.offset.is_none() || text.contains(' '), "{text}"),
            (None, theirs) => {
                refused += 1;
                assert_eq!(other_iso(&text).filter(|other| other.offset.is_some()).map(moment), theirs, "{text}");
            }
        }
    }
    assert!(read > 0 && refused > 0, "{read} texts were read, {refused} were not");
}

#[test]
fn apache_times_are_read_as_jiff_reads_them() {
    for seed in referee_testing::seeds(100_000) {
        let dice = &mut Dice(seed);
        let second = dice.below(8_000_000_000) as i64 - 4_000_000_000;
        let offset =
            jiff::tz::Offset::from_seconds(60 * (dice.below(1440) as i32 - 720)).expect("half a day is in range");
        let time = jiff::Timestamp::from_second(second).expect("two centuries are in range");
        let mut text = time.to_zoned(offset.to_time_zone()).strftime("%d/%b/%Y:%H:%M:%S %z").to_string().into_bytes();
        let changed = dice.below(3) == 0;
        if changed {
            let place = dice.below(text.len() as u64) as usize;
            text[place] = b"0123456789-:/ +JanFebx"[dice.below(22) as usize];
        }
        let text = String::from_utf8(text).expect("all letters are ASCII");
        let theirs = jiff::Timestamp::strptime("%d/%b/%Y:%H:%M:%S %z", &text).ok().map(|time| (time.as_second(), 0));
        let ours = apache(&text, &mut DayCache::default()).map(moment);
        match changed {
            false => assert_eq!(ours, Some((second, 0)), "{text}"),
            // `jiff` skips white space and takes names of months in any case.
            true if ours.is_some() => assert_eq!(ours, theirs, "{text}"),
            true => {}
        }
    }
}

#[test]
fn the_day_that_is_kept_changes_nothing() {
    let kept = &mut DayCache::default();
    for seed in referee_testing::seeds(50_000) {
        let text = iso(&mut Dice(seed));
        assert_eq!(
            by_position(text.as_bytes(), kept),
            by_position(text.as_bytes(), &mut DayCache::default()),
            "{text}"
        );
    }
}

#[test]
fn times_without_a_year_stay_near_the_newest_one() {
    let days = &mut DayCache::default();
    let mut newest = None;
    let mut read = |text: &str| {
        let written = syslog(text, 2023, newest, days).map(|written| written.day * 86_400 + written.second);
        newest = newest.max(written);
        let shown = written.and_then(|second| jiff::Timestamp::from_second(second).ok());
        shown.map(|time| time.to_string()).unwrap_or_default()
    };
    assert_eq!(read("Dec 31 23:59:58"), "2023-12-31T23:59:58Z");
    assert_eq!(read("Jan  1 00:00:01"), "2024-01-01T00:00:01Z");
    assert_eq!(read("Dec 31 23:59:59"), "2023-12-31T23:59:59Z", "a late line stays in its year");
    assert_eq!(read("Feb 29 12:00:00"), "2024-02-29T12:00:00Z", "2024 is a leap year");
    assert_eq!(read("Jul 30 12:00:00"), "2024-07-30T12:00:00Z");
    assert_eq!(read("Dec 30 12:00:00"), "2024-12-30T12:00:00Z");
    assert_eq!(read("Jan  1 00:00:00"), "2025-01-01T00:00:00Z");
    for wrong in ["Feb 30 12:00:00", "Dec 1 00:00:00", "Dez  1 00:00:00", "Dec  1 24:00:00", "Dec  1 00:00:00 x", "Dec"]
    {
        assert_eq!(read(wrong), "", "{wrong}");
    }
}

#[test]
fn a_form_is_told_by_its_look() {
    let format = |text: &str| guess(text).map(|guess| guess.format);
    assert_eq!(format("2026-11-15T12:30:00Z"), Some("rfc3339"));
    assert_eq!(format("2026-11-15 12:30:00,123"), Some("rfc3339"));
    assert_eq!(format("2026-11-15"), Some("rfc3339"));
    assert_eq!(format("[10/Oct/2000:13:55:36 -0700]"), Some("apache"));
    assert_eq!(format("Oct 11 22:14:15"), Some("syslog"));
    assert_eq!(format("Feb 29 22:14:15"), Some("syslog"));
    assert_eq!(format("1700000000.5"), Some("epoch"));
    assert_eq!(format("noon"), None);
}
