//! Numbers of a few digits, and how far a clock is from UTC.

/// `+01:00`, `+0100` or `+01`: seconds.
#[inline]
pub(super) fn offset(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits {
        [_, _] => (number(digits)?, 0),
        [_, _, b':', minutes @ ..] if minutes.len() == 2 => (number(&digits[..2])?, number(minutes)?),
        [_, _, _, _] => (number(&digits[..2])?, number(&digits[2..])?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 3600 + minutes * 60))
}

/// A number of a few digits.
#[inline]
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |all, digit| digit.is_ascii_digit().then(|| all * 10 + u32::from(digit - b'0')))
}
