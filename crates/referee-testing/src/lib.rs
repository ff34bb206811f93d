//! The seeds of random tests.
//!
//! A random test that always takes the same seeds finds each fault once and then nothing more. So a test takes its fixed
//! seeds, which never change what they find, and beside them one seed that changes every day. All tests of one day take
//! the same one, so that a failure can be repeated at once; later, the environment variable `REFEREE_SEED` brings it
//! back:
//!
//! ```text
//! REFEREE_SEED=12345 cargo test -p referee-engine --test differential
//! ```

use std::sync::Once;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that replaces the seed of the day.
pub const VARIABLE: &str = "REFEREE_SEED";

/// How many seconds a day has.
const DAY: u64 = 24 * 60 * 60;

/// The seeds of a random test: the fixed ones, in their order, and then the seed of the day.
///
/// The seed of the day is printed; the test runner shows it where the test fails.
///
/// # Panics
///
/// Where `REFEREE_SEED` is set and is not a number.
#[must_use]
pub fn seeds(fixed: &[u64]) -> Vec<u64> {
    announce();
    let mut all = fixed.to_vec();
    let today = daily_seed();
    if !all.contains(&today) {
        all.push(today);
    }
    all
}

/// The seed of the day (UTC), or the number in `REFEREE_SEED`.
///
/// # Panics
///
/// Where `REFEREE_SEED` is set and is not a number.
#[must_use]
pub fn daily_seed() -> u64 {
    match std::env::var(VARIABLE) {
        Ok(text) => parse(&text).unwrap_or_else(|| panic!("{VARIABLE} is `{text}`, not a number from 0 to 2^64 - 1")),
        Err(_) => seed_of(SystemTime::now()),
    }
}

/// Prints the seed of the day and how to take it again.
///
/// It is printed once per process to the standard error stream as it is, which the test runner does not hide, and for
/// every test that asks into what the runner keeps and shows where the test fails.
///
/// # Panics
///
/// Where `REFEREE_SEED` is set and is not a number.
pub fn announce() {
    static FIRST: Once = Once::new();
    let line = format!("seed of the day: {VARIABLE}={}", daily_seed());
    FIRST.call_once(|| {
        use std::io::Write;
        // Where nobody reads the stream, the copy that the runner keeps is enough.
        let _ = writeln!(std::io::stderr(), "{line}");
    });
    println!("{line}");
}

/// A seed as a person writes it.
fn parse(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The seed of the day that holds a moment.
fn seed_of(moment: SystemTime) -> u64 {
    // A clock before 1970 counts as its first day: any seed is as good.
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    mix(seconds / DAY)
}

/// A number whose bits all depend on all bits of another (the finaliser of SplitMix64), so that neighbouring days have
/// seeds without likeness.
fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_day_has_one_seed_and_the_next_day_another() {
        let start = UNIX_EPOCH + Duration::from_secs(20_000 * DAY);
        let end = start + Duration::from_secs(DAY - 1);
        assert_eq!(seed_of(start), seed_of(end));
        assert_ne!(seed_of(end), seed_of(end + Duration::from_secs(1)));
    }

    #[test]
    fn the_seed_of_the_day_comes_after_the_fixed_ones() {
        let all = seeds(&[1, 2]);
        assert_eq!(all[..2], [1, 2]);
        assert!(all.contains(&daily_seed()));
    }

    #[test]
    fn a_seed_is_written_as_a_number() {
        assert_eq!(parse(" 17\n"), Some(17));
        assert_eq!(parse("seventeen"), None);
        assert_eq!(parse("-1"), None);
    }
}
