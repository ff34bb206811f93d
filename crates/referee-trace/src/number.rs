//! Exact numbers: what a trace says and what a specification computes with it.
//!
//! Nearly all numbers are integers of 64 bits; those are stored as such and computed with checked arithmetic. Whatever
//! leaves that range, or has a fraction, becomes a ratio of big integers, so no result is ever rounded. A number has
//! one representation only, which makes `3` and `3.0` equal and hash alike.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Pow as _, Signed as _, ToPrimitive as _, Zero as _};

/// The largest exponent, positive or negative, that is read as a number.
///
/// `1e999999999` is eleven bytes of input and half a gigabyte of digits. A text past this bound is no number, and no text either:
/// [`is_too_large`] tells, and whoever reads it reports an error.
pub const MAX_EXPONENT: i32 = 9999;

/// The most digits, before and after the point together, that are read as a number.
pub const MAX_DIGITS: usize = 10_000;

/// What is wrong with a text that [`is_too_large`], and what to write instead.
pub const TOO_LARGE: &str = "numbers have at most 10000 digits and exponents from -9999 to 9999";

/// An exact number.
///
/// Invariant: `Ratio` never holds an integer that fits in 64 bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Number {
    /// An integer of 64 bits.
    Int(i64),
    /// Everything else: wider integers, decimals and quotients.
    Ratio(Box<BigRational>),
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number::Int(0);

    fn ratio(ratio: BigRational) -> Number {
        match ratio.is_integer().then(|| ratio.numer().to_i64()).flatten() {
            Some(integer) => Number::Int(integer),
            None => Number::Ratio(Box::new(ratio)),
        }
    }

    fn to_ratio(&self) -> BigRational {
        match self {
            Number::Int(integer) => BigRational::from_integer(BigInt::from(*integer)),
            Number::Ratio(ratio) => (**ratio).clone(),
        }
    }

    /// Reads `-?(0|[1-9][0-9]*)` with an optional fraction and exponent; anything else is no number.
    pub fn parse(text: &str) -> Option<Number> {
        // Most texts are none, and show it at once.
        let ([b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..]) = text.as_bytes() else { return None };
        if let Some(integer) = parse_small(text.as_bytes()) {
            return Some(Number::Int(integer));
        }
        Number::of_parts(&Parts::of(text).filter(Parts::is_within_limits)?)
    }

    /// Reads what [`Display`](fmt::Display) has written of a decimal, which computing may have given any number of digits.
    pub fn read_back(text: &str) -> Option<Number> {
        Number::of_parts(&Parts::of(text)?)
    }

    fn of_parts(parts: &Parts<'_>) -> Option<Number> {
        let all = format!("{}{}", parts.integer, parts.fraction);
        let scale = parts.exponent - i64::try_from(parts.fraction.len()).ok()?;
        // Without zeros at its end, the number has at most one of the factors 2 and 5.
        let trimmed = all.trim_end_matches('0');
        let Ok(digits) = trimmed.parse::<BigInt>() else { return Some(Number::ZERO) };
        let digits = if parts.negative { -digits } else { digits };
        let scale = scale + i64::try_from(all.len() - trimmed.len()).ok()?;
        let power = u32::try_from(scale.unsigned_abs()).ok()?;
        Some(Number::ratio(match scale {
            0.. => BigRational::from_integer(digits * BigInt::from(10).pow(power)),
            _ => over_power_of_ten(digits, power),
        }))
    }

    /// Whether the number is an integer.
    pub fn is_integer(&self) -> bool {
        match self {
            Number::Int(_) => true,
            Number::Ratio(ratio) => ratio.is_integer(),
        }
    }

    /// The number as a 64-bit integer, if it is one.
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Number::Int(integer) => Some(*integer),
            Number::Ratio(_) => None,
        }
    }

    /// The sum.
    #[must_use]
    #[inline]
    pub fn add(&self, other: &Number) -> Number {
        self.compute(other, i64::checked_add, |a, b| a + b)
    }

    /// The difference.
    #[must_use]
    #[inline]
    pub fn sub(&self, other: &Number) -> Number {
        self.compute(other, i64::checked_sub, |a, b| a - b)
    }

    /// The product.
    #[must_use]
    #[inline]
    pub fn mul(&self, other: &Number) -> Number {
        self.compute(other, i64::checked_mul, |a, b| a * b)
    }

    /// The exact quotient; nothing if `other` is zero.
    pub fn div(&self, other: &Number) -> Option<Number> {
        (*other != Number::ZERO).then(|| self.compute(other, exact_quotient, |a, b| a / b))
    }

    /// The quotient cut off towards zero; nothing if `other` is zero.
    pub fn div_trunc(&self, other: &Number) -> Option<Number> {
        (*other != Number::ZERO).then(|| self.compute(other, i64::checked_div, |a, b| (a / b).trunc()))
    }

    /// The remainder of [`Number::div_trunc`], with the sign of `self`; nothing if `other` is zero.
    pub fn rem_trunc(&self, other: &Number) -> Option<Number> {
        (*other != Number::ZERO).then(|| self.compute(other, i64::checked_rem, |a, b| a % b))
    }

    /// The number with the other sign.
    #[must_use]
    #[inline]
    pub fn neg(&self) -> Number {
        Number::ZERO.sub(self)
    }

    /// The number without its sign.
    #[must_use]
    #[inline]
    pub fn abs(&self) -> Number {
        if *self < Number::ZERO { self.neg() } else { self.clone() }
    }

    /// The number cut off towards zero.
    #[must_use]
    pub fn trunc(&self) -> Number {
        match self {
            Number::Int(_) => self.clone(),
            Number::Ratio(ratio) => Number::ratio(ratio.trunc()),
        }
    }

    #[inline]
    fn compute(
        &self,
        other: &Number,
        small: impl Fn(i64, i64) -> Option<i64>,
        wide: fn(BigRational, BigRational) -> BigRational,
    ) -> Number {
        if let (Number::Int(a), Number::Int(b)) = (self, other)
            && let Some(result) = small(*a, *b)
        {
            return Number::Int(result);
        }
        self.compute_wide(other, wide)
    }

    /// Apart, so that the usual case is small enough to be inlined.
    #[inline(never)]
    fn compute_wide(&self, other: &Number, wide: fn(BigRational, BigRational) -> BigRational) -> Number {
        Number::ratio(wide(self.to_ratio(), other.to_ratio()))
    }

    #[inline(never)]
    fn cmp_wide(&self, other: &Number) -> Ordering {
        self.to_ratio().cmp(&other.to_ratio())
    }
}

fn exact_quotient(a: i64, b: i64) -> Option<i64> {
    (a.checked_rem(b)? == 0).then(|| a / b)
}

/// The integer that `text` writes in canonical form with at most 18 digits.
pub(crate) fn parse_small(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', digits @ ..] => parse_negative(digits),
        digits => parse_digits(digits),
    }
}

/// The negative integer in canonical form with at most 18 digits after its sign.
#[inline(never)]
pub(crate) fn parse_negative(digits: &[u8]) -> Option<i64> {
    if digits == b"0" { None } else { parse_digits(digits).map(|value| -value) }
}

/// The integer that at most 18 digits write in canonical form: the path that nearly every value takes.
#[inline(always)]
pub(crate) fn parse_digits(digits: &[u8]) -> Option<i64> {
    match digits {
        [] | [b'0', _, ..] => None,
        _ if digits.len() <= 8 => up_to_eight(digits),
        _ => many_digits(digits),
    }
}

/// The integer that at most eight digits write in canonical form, without a call.
#[inline(always)]
pub(crate) fn parse_short(digits: &[u8]) -> Option<i64> {
    match digits {
        [] | [b'0', _, ..] => None,
        _ if digits.len() <= 8 => up_to_eight(digits),
        _ => None,
    }
}

/// The integer that the last so many bytes of a word write in canonical form, if they are one to eight digits.
#[inline(always)]
pub(crate) fn digits_before(word: u64, len: usize) -> Option<i64> {
    if len.wrapping_sub(1) >= 8 {
        return None;
    }
    let unused = 64 - 8 * len as u32;
    let digits = word >> unused;
    // A zero that is not alone leads.
    if len > 1 && digits & 0xff == u64::from(b'0') {
        return None;
    }
    value_of(digits << unused, unused)
}

/// The value of nine to eighteen digits.
#[inline(never)]
fn many_digits(digits: &[u8]) -> Option<i64> {
    let (upper, lower) = digits.split_last_chunk::<8>()?;
    let upper = match upper.len() {
        0 => 0,
        1..=8 => up_to_eight(upper)?,
        9..=10 => many_digits(upper)?,
        _ => return None,
    };
    Some(upper * 100_000_000 + up_to_eight(lower)?)
}

/// The value of one to eight digits, all at once: a loop would guess wrong where it ends, as lengths vary.
#[inline(always)]
fn up_to_eight(digits: &[u8]) -> Option<i64> {
    let unused = 8 * (8 - digits.len());
    let text = match (digits.first_chunk::<4>(), digits.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << unused | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => up_to_three(digits) << unused,
    };
    value_of(text, unused as u32)
}

/// The value of the digits above so many unused bits, which are zero.
#[inline(always)]
fn value_of(text: u64, unused: u32) -> Option<i64> {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let word = text ^ ZEROS << unused;
    if (word | word.wrapping_add(TOPS - 0x0a0a_0a0a_0a0a_0a0a)) & TOPS != 0 {
        return None;
    }
    let pairs = word.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some((fours.wrapping_mul(10_000 << 32 | 1) >> 32).cast_signed())
}

/// One to three bytes as a word: the first, the middle and the last, which may be the same, without a branch on how many.
#[inline(always)]
fn up_to_three(bytes: &[u8]) -> u64 {
    let (middle, last) = (bytes.len() / 2, bytes.len() - 1);
    u64::from(bytes[0]) | u64::from(bytes[middle]) << (8 * middle) | u64::from(bytes[last]) << (8 * last)
}

/// Whether a text is written as a number is, with more digits or a larger exponent than a number may have.
pub fn is_too_large(text: &str) -> bool {
    let starts = matches!(text.as_bytes(), [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..]);
    starts && Parts::any(text).is_some_and(|parts| !parts.is_within_limits())
}

/// `digits / 10^power` in lowest terms. The digits are no multiple of ten, so that they share twos or fives with the power, and
/// only one of them: a general greatest common divisor would take quadratic time to find that out.
fn over_power_of_ten(digits: BigInt, power: u32) -> BigRational {
    let two = BigInt::from(2);
    let (twos, digits) = divided_by_powers(digits, &two, power);
    let (fives, digits) = divided_by_powers(digits, &BigInt::from(5), power);
    BigRational::new_raw(digits, two.pow(power - twos) * BigInt::from(5).pow(power - fives))
}

/// How often a factor divides a number, at most so many times, and what is left of the number then: by the powers 1, 2, 4 and so on
/// of the factor, and back again.
fn divided_by_powers(mut number: BigInt, factor: &BigInt, most: u32) -> (u32, BigInt) {
    let mut powers = vec![(1_u32, factor.clone())];
    let mut times = 0;
    while let Some((exponent, power)) = powers.last()
        && times + exponent <= most
    {
        let (quotient, rest) = number.div_rem(power);
        if !rest.is_zero() {
            break;
        }
        times += exponent;
        number = quotient;
        powers.push((exponent * 2, power * power));
    }
    for (exponent, power) in powers.iter().rev() {
        if times + exponent <= most {
            let (quotient, rest) = number.div_rem(power);
            if rest.is_zero() {
                times += exponent;
                number = quotient;
            }
        }
    }
    (times, number)
}

/// The pieces of a number's text.
pub(crate) struct Parts<'a> {
    pub negative: bool,
    pub integer: &'a str,
    pub fraction: &'a str,
    pub exponent: i64,
}

impl<'a> Parts<'a> {
    /// The pieces of a text that is written as a number is, unless its exponent is too large to be one.
    pub(crate) fn of(text: &'a str) -> Option<Parts<'a>> {
        Parts::any(text).filter(|parts| parts.exponent.abs() <= i64::from(MAX_EXPONENT))
    }

    /// The pieces of any text that is written as a number is. In one pass, which ends where an address, a date or a version shows that
    /// it is none.
    pub(crate) fn any(text: &'a str) -> Option<Parts<'a>> {
        let bytes = text.as_bytes();
        let start = usize::from(bytes.first() == Some(&b'-'));
        let point = start + leading_digits(&bytes[start..]);
        let end = match bytes.get(point) {
            Some(b'.') => point + 1 + leading_digits(&bytes[point + 1..]),
            _ => point,
        };
        let exponent = match bytes.get(end) {
            None => 0,
            Some(b'e' | b'E') => exponent(&text[end + 1..])?,
            Some(_) => return None,
        };
        let (integer, fraction) = (&text[start..point], text[point..end].strip_prefix('.'));
        let canonical = integer == "0" || !integer.starts_with('0');
        let is_number = canonical && !integer.is_empty() && fraction != Some("");
        is_number.then(|| Parts { negative: start > 0, integer, fraction: fraction.unwrap_or_default(), exponent })
    }

    /// Whether a number that is read may have so many digits and such an exponent.
    pub(crate) fn is_within_limits(&self) -> bool {
        let digits = self.integer.len() + self.fraction.len();
        digits <= MAX_DIGITS && self.exponent.abs() <= i64::from(MAX_EXPONENT)
    }
}

/// How many digits a text begins with.
fn leading_digits(text: &[u8]) -> usize {
    text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len())
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && leading_digits(text.as_bytes()) == text.len()
}

/// The exponent that a text writes, if it writes one; the largest that there is for one that is larger still.
fn exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    all_digits(digits).then(|| text.parse().unwrap_or(i64::MAX))
}

impl Number {
    /// Writes the number behind a text, as [`Display`](fmt::Display) does: reports have thousands of integers.
    pub fn push_to(&self, out: &mut String) {
        match self {
            Number::Int(integer) => push_integer(*integer, out),
            Number::Ratio(_) => out.push_str(&self.to_string()),
        }
    }
}

/// Writes an integer behind a text, without the machinery of formats.
pub fn push_integer(integer: i64, out: &mut String) {
    if integer < 0 {
        out.push('-');
    }
    push_unsigned(integer.unsigned_abs(), out);
}

/// The same for a number without a sign.
pub fn push_unsigned(mut rest: u64, out: &mut String) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    while first == digits.len() || rest > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
}

/// The integer that a text writes in canonical form, if it fits in 64 bits.
pub fn canonical_integer(text: &str) -> Option<i64> {
    match text.as_bytes() {
        b"0" => Some(0),
        [b'1'..=b'9', ..] | [b'-', b'1'..=b'9', ..] => text.parse().ok(),
        _ => None,
    }
}

impl From<i64> for Number {
    fn from(integer: i64) -> Self {
        Number::Int(integer)
    }
}

impl PartialOrd for Number {
    #[inline]
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    #[inline]
    fn cmp(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.cmp(b),
            _ => self.cmp_wide(other),
        }
    }
}

impl fmt::Display for Number {
    /// A decimal where one is exact, else a fraction: `7`, `0.125`, `1/3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(integer) => write!(f, "{integer}"),
            Number::Ratio(ratio) => match decimal_places(ratio.denom()) {
                Some(places) => write_decimal(f, ratio, places),
                None => write!(f, "{}/{}", ratio.numer(), ratio.denom()),
            },
        }
    }
}

/// How many decimal places write a fraction with this denominator exactly, if any number does.
fn decimal_places(denominator: &BigInt) -> Option<usize> {
    let (twos, rest) = divided_by_powers(denominator.clone(), &BigInt::from(2), u32::MAX);
    let (fives, rest) = divided_by_powers(rest, &BigInt::from(5), u32::MAX);
    rest.is_one().then_some(twos.max(fives) as usize)
}

fn write_decimal(f: &mut fmt::Formatter<'_>, ratio: &BigRational, places: usize) -> fmt::Result {
    let scale = BigInt::from(10).pow(u32::try_from(places).map_err(|_| fmt::Error)?);
    let scaled = ratio.numer() * &scale / ratio.denom();
    let (integer, fraction) = scaled.abs().div_rem(&scale);
    let sign = if scaled.is_negative() { "-" } else { "" };
    if places == 0 || fraction.is_zero() {
        return write!(f, "{sign}{integer}");
    }
    // A width of the format would not do: it has an end at 65535.
    let digits = fraction.to_string();
    write!(f, "{sign}{integer}.{}{digits}", "0".repeat(places.saturating_sub(digits.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn texts_that_are_numbers() {
        for (text, shown) in [
            ("0", "0"),
            ("-0", "0"),
            ("-7", "-7"),
            ("3.0", "3"),
            ("0.125", "0.125"),
            ("-1.50", "-1.5"),
            ("1e3", "1000"),
            ("25E-1", "2.5"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9223372036854775808"),
            ("-170141183460469231731687303715884105729", "-170141183460469231731687303715884105729"),
        ] {
            assert_eq!(number(text).to_string(), shown, "{text}");
        }
    }

    #[test]
    fn texts_that_are_not() {
        for text in [
            "",
            "-",
            "007",
            "+1",
            ".5",
            "1.",
            "1e",
            "0x1",
            "1_000",
            "1e10000",
            "1e99999999999999999999",
            "--1",
            "1.2.3",
            "٣",
        ] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_no_texts() {
        let many = "7".repeat(MAX_DIGITS + 1);
        for text in ["1e10000", "-2.5E-10000", "1e99999999999999999999", &many, &format!("0.{many}")] {
            assert!(is_too_large(text) && Number::parse(text).is_none(), "{text}");
        }
        for text in ["1e9999", "", "-", "abc", "1e", "1e+", "01e10000", "1.e10000", "1e10000x", &many[1..]] {
            assert!(!is_too_large(text), "{text}");
        }
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        for (digits, places) in [("125", 3), ("375", 3), ("64", 6), ("-4", 3), ("3125", 4), ("7", 40), ("5120000", 9)] {
            let text = format!("{digits}e-{places}");
            let general = BigRational::new(digits.parse().expect("digits"), BigInt::from(10).pow(places as u32));
            assert_eq!(number(&text), Number::ratio(general), "{text}");
        }
    }

    #[test]
    fn long_decimals_are_read_and_printed() {
        let long = format!("0.{}1", "0".repeat(MAX_DIGITS - 2));
        assert_eq!(number(&long).to_string(), long);
        // Products have more places than any text that is read.
        let product = (0..7).fold(Number::Int(1), |product, _| product.mul(&number("1e-9999")));
        let text = product.to_string();
        assert_eq!((text.len(), text.trim_start_matches(['0', '.'])), (2 + 7 * 9999, "1"));
    }

    #[test]
    fn small_integers_are_read_whatever_their_length() {
        for length in 1..=18 {
            let digits = &"987654321012345678"[..length];
            assert_eq!(parse_small(digits.as_bytes()), digits.parse().ok(), "{digits}");
            assert_eq!(parse_small(format!("-{digits}").as_bytes()), digits.parse().ok().map(|value: i64| -value));
            for (at, wrong) in (0..length).flat_map(|at| ["/", ":", "p", "\0", "°"].map(|wrong| (at, wrong))) {
                let mut text = digits.to_owned();
                text.replace_range(at..=at, wrong);
                assert_eq!(parse_small(text.as_bytes()), None, "{text}");
            }
        }
        assert_eq!(parse_small(b"1234567890123456789"), None);
    }

    #[test]
    fn numbers_are_pushed_as_they_are_shown() {
        let tens = (0..19).map(|power| 10_i64.pow(power));
        let integers = tens.flat_map(|ten| [ten - 1, ten, -ten]).chain([i64::MIN, i64::MAX]);
        for number in integers.map(Number::Int).chain(["0.5", "-9223372036854775809"].map(number)) {
            let mut text = "n = ".to_owned();
            number.push_to(&mut text);
            assert_eq!(text, format!("n = {number}"));
            assert_eq!(canonical_integer(&number.to_string()), number.as_i64());
        }
        let mut text = String::new();
        push_unsigned(u64::MAX, &mut text);
        assert_eq!(text, u64::MAX.to_string());
        for text in ["", "-", "-0", "00", "01", "-01", "+1", "1 ", "1-", "9223372036854775808"] {
            assert_eq!(canonical_integer(text), None, "{text}");
        }
    }

    #[test]
    fn arithmetic_leaves_64_bits_exactly_and_comes_back() {
        let max = Number::Int(i64::MAX);
        let wide = max.add(&Number::Int(1));
        assert_eq!(wide.to_string(), "9223372036854775808");
        assert_eq!(wide.sub(&Number::Int(1)), max);
        assert_eq!(Number::Int(i64::MIN).neg(), wide);
        assert_eq!(Number::Int(i64::MIN).div(&Number::Int(-1)), Some(wide));
    }

    #[test]
    fn division_is_exact_or_truncates() {
        let (seven, two) = (Number::Int(7), Number::Int(2));
        assert_eq!(seven.div(&two), Some(number("3.5")));
        assert_eq!(seven.neg().div_trunc(&two), Some(Number::Int(-3)));
        assert_eq!(seven.neg().rem_trunc(&two), Some(Number::Int(-1)));
        assert_eq!(Number::Int(1).div(&Number::Int(3)).map(|third| third.to_string()), Some("1/3".into()));
        assert_eq!(seven.div(&Number::ZERO), None);
    }

    #[test]
    fn order_crosses_representations() {
        assert!(number("2.5") < Number::Int(3));
        assert!(number("9223372036854775808") > Number::Int(i64::MAX));
        assert_eq!(number("3.0"), Number::Int(3));
    }
}
