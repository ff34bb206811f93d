//! Days of the proleptic Gregorian calendar, counted from 1970.

/// How many days after the first of January 1970 a date is; nothing if there is no such date.
#[inline]
pub(super) fn day_of(year: i32, month: u32, day: u32) -> Option<i64> {
    if !(1..=12).contains(&month) || day == 0 || day > days_in(year, month) {
        return None;
    }
    // Years begin in March, so that a leap day is the last of its year; 400 of them are an era of 146097 days.
    let year = i64::from(if month <= 2 { year - 1 } else { year });
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = i64::from((month + 9) % 12);
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

fn days_in(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day of the text that was read last. Its key is the text: ten or eleven letters.
#[derive(Debug, Default)]
pub(crate) struct DayCache {
    key: [u8; 12],
    day: i64,
}

impl DayCache {
    /// The day that a text of at most twelve letters stands for.
    #[inline]
    pub(super) fn find(&mut self, text: &[u8], read: impl FnOnce() -> Option<i64>) -> Option<i64> {
        let mut key = [0; 12];
        key.get_mut(..text.len())?.copy_from_slice(text);
        if key != self.key {
            self.day = read()?;
            self.key = key;
        }
        Some(self.day)
    }
}

/// The number of a month by the first three letters of its English name.
#[inline]
pub(super) fn month_of(name: &[u8]) -> Option<u32> {
    Some(match name {
        b"Jan" => 1,
        b"Feb" => 2,
        b"Mar" => 3,
        b"Apr" => 4,
        b"May" => 5,
        b"Jun" => 6,
        b"Jul" => 7,
        b"Aug" => 8,
        b"Sep" => 9,
        b"Oct" => 10,
        b"Nov" => 11,
        b"Dec" => 12,
        _ => return None,
    })
}
