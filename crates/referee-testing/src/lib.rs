//! What the random tests of all crates share: how many cases there are, and from which seed each is made.
//!
//! ```text
//!              default ── REFEREE_CASES ──▶ how many
//!  how many ──▶ one half: the seeds 1, 2, 3, …              (always the same: what once failed stays found)
//!           └─▶ one half: the seeds from that of the day on (new every day: what nobody has met yet)
//!
//!  REFEREE_SEED=N: all seeds from N on, and nothing else
//! ```
//!
//! All tests of one day take the same seeds, on every machine, so that a failure can be repeated at once. The seed of the
//! day is printed, and a test that fails says how its case alone is made again:
//!
//! ```text
//! REFEREE_SEED=12345 REFEREE_CASES=1 cargo test -p referee-engine --test differential foltl
//! ```

use std::io::Write;
use std::sync::Once;
use std::time::{SystemTime, UNIX_EPOCH};

pub use proptest::test_runner::Config;
use proptest::test_runner::RngSeed;

/// The environment variable that replaces the seeds of a test by those from a number on.
pub const SEED: &str = "REFEREE_SEED";

/// The environment variable that says how many cases a random test has: many for the long mode, few where all is slow.
pub const CASES: &str = "REFEREE_CASES";

/// How many seconds a day has.
const DAY: u64 = 24 * 60 * 60;

/// The seeds of the days are below this, so that a person can copy them.
const SEEDS: u64 = 1_000_000_000;

/// How many cases a random test has: as many as `REFEREE_CASES` says, or else as it has by default.
///
/// # Panics
///
/// Where `REFEREE_CASES` is set and is not a number.
#[must_use]
pub fn cases(default: u64) -> u64 {
    setting(CASES).unwrap_or(default)
}

/// Whether so many cases are enough to say something of all of them together, such as that a tenth of them is violated.
///
/// They are not where somebody repeats a single case, nor where an interpreter of the compiled program makes all slow.
#[must_use]
pub fn is_sample(cases: u64) -> bool {
    cases >= 100
}

/// The seed of the day (UTC), or the number in `REFEREE_SEED`.
///
/// # Panics
///
/// Where `REFEREE_SEED` is set and is not a number.
#[must_use]
pub fn daily_seed() -> u64 {
    let seed = setting(SEED).unwrap_or_else(|| seed_of(SystemTime::now()));
    announce(seed);
    seed
}

/// The seeds of the cases of a random test that has so many by default.
///
/// # Panics
///
/// Where `REFEREE_SEED` or `REFEREE_CASES` is set and is not a number.
#[must_use]
pub fn seeds(default: u64) -> Seeds {
    let (cases, first) = (cases(default), daily_seed());
    let fixed = if setting(SEED).is_some() { 0 } else { cases.div_ceil(2) };
    Seeds { fixed: 1..1 + fixed, daily: first..first.saturating_add(cases - fixed), current: None }
}

/// A fixed seed and that of the day, for a test that makes all its cases from one seed.
///
/// # Panics
///
/// Where `REFEREE_SEED` is set and is not a number.
#[must_use]
pub fn fixed_and_daily() -> [u64; 2] {
    [1, daily_seed()]
}

/// The seeds of a random test, one after the other. A test that fails before the next one is told how to repeat its case.
#[derive(Debug)]
pub struct Seeds {
    fixed: std::ops::Range<u64>,
    daily: std::ops::Range<u64>,
    current: Option<u64>,
}

impl Iterator for Seeds {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.current = self.fixed.next().or_else(|| self.daily.next());
        self.current
    }
}

impl Drop for Seeds {
    fn drop(&mut self) {
        if let (Some(seed), true) = (self.current, std::thread::panicking()) {
            println!("the case alone: {SEED}={seed} {CASES}=1");
        }
    }
}

/// How the tests that proptest makes are run: from the seed of the day, with so many cases by default. What failed once
/// stands in `proptest-regressions` and comes first.
///
/// # Panics
///
/// Where `REFEREE_SEED` or `REFEREE_CASES` is set and is not a number.
#[must_use]
pub fn properties(default: u32) -> Config {
    let cases = u32::try_from(cases(default.into())).unwrap_or(u32::MAX);
    Config { cases, rng_seed: RngSeed::Fixed(daily_seed()), ..Config::default() }
}

/// Prints the seed of the day: once per process to the standard error stream as it is, which the test runner does not
/// hide, and for every test into what the runner keeps and shows where the test fails.
fn announce(seed: u64) {
    static FIRST: Once = Once::new();
    let line = format!("random tests take {SEED}={seed}");
    FIRST.call_once(|| {
        // Where nobody reads the stream, the copy that the runner keeps is enough.
        let _ = writeln!(std::io::stderr(), "{line}");
    });
    println!("{line}");
}

/// The number in an environment variable, if it is set.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(parse(&text).unwrap_or_else(|| panic!("{name} is `{text}`, not a number from 0 to 2^64 - 1")))
}

/// A number as a person writes it.
fn parse(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The seed of the day that holds a moment.
fn seed_of(moment: SystemTime) -> u64 {
    // A clock before 1970 counts as its first day: any seed is as good.
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    mix(seconds / DAY) % SEEDS
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
    fn half_of_the_cases_are_fixed_and_half_are_of_the_day() {
        let (all, today): (Vec<u64>, u64) = (seeds(5).collect(), daily_seed());
        match (setting(SEED), setting(CASES)) {
            (None, None) => assert_eq!(all, [1, 2, 3, today, today + 1]),
            (Some(_), None) => assert_eq!(all, [today, today + 1, today + 2, today + 3, today + 4]),
            (_, Some(many)) => assert_eq!(all.len() as u64, many),
        }
    }

    #[test]
    fn proptest_takes_the_seed_of_the_day() {
        assert_eq!(properties(7).rng_seed, RngSeed::Fixed(daily_seed()));
    }

    #[test]
    fn a_number_is_written_as_a_number() {
        assert_eq!(parse(" 17\n"), Some(17));
        assert_eq!(parse("seventeen"), None);
        assert_eq!(parse("-1"), None);
    }
}
