//! The calendar of a game: how long its day is, and how long ago something was.

use super::fixed::Millis;
use super::time::GameTime;
use std::cmp::Ordering;
use std::fmt;

/// How the days of a game are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Calendar {
    /// How long a day of the game is, in game time, at least a millisecond; 24 hours by default.
    pub day: Millis,
    /// How long past midnight of day 0 the game begins, in game time; 0 by default.
    pub starts_at: Millis,
}

/// A time of day, as `HH:MM` from `00:00` to `24:00`: a share of the game's day, however long that is. `06:00` is a quarter of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimeOfDay(u16);

impl TimeOfDay {
    /// The time that is written so; `None` for anything but `HH:MM`, `00:00` to `24:00`.
    #[must_use]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (hours, minutes) = text.split_once(':')?;
        let number = |digits: &str| {
            let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u16>().ok().filter(|_| is_number)
        };
        let (hours, minutes) = (number(hours)?, number(minutes)?);
        let time = hours * 60 + minutes;
        (minutes < 60 && time <= MINUTES_OF_DAY).then_some(Self(time))
    }

    /// Whether a minute of the day, counted from midnight, is from one time until before the other.
    pub(crate) fn is_between(minute: u16, from: Self, to: Self) -> bool {
        let by_minutes = Calendar {
            day: Millis(i64::from(MINUTES_OF_DAY)),
            starts_at: Millis(0),
        };
        by_minutes.is_within((from, to), GameTime(i64::from(minute)))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

const MINUTES_OF_DAY: u16 = 24 * 60;

/// Where a day is shorter, no minutes are counted.
const MINUTES_COUNT_FROM: Millis = Millis(4 * 60 * MINUTE);
const MINUTE: i64 = 60_000;

impl Default for Calendar {
    fn default() -> Self {
        Self {
            day: Millis(24 * 60 * MINUTE),
            starts_at: Millis(0),
        }
    }
}

/// How long ago something was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    /// Less than a minute, or not yet.
    Moment,
    /// This number of minutes, 1 to 59.
    Minutes(i64),
    /// An hour or more, on the same day.
    Today,
    /// An hour or more, on the day before.
    Yesterday,
    /// This number of days, at least 2.
    Days(i64),
}

impl Calendar {
    /// The number of the day at a game time; the first is 0.
    #[must_use]
    pub fn day_of(self, time: GameTime) -> i64 {
        let since_midnight = time.0.saturating_add(self.starts_at.0);
        since_midnight.div_euclid(self.day.0.max(1))
    }

    /// The last millisecond of a day.
    #[must_use]
    pub fn end_of(self, day: i64) -> GameTime {
        let next = day.saturating_add(1).saturating_mul(self.day.0.max(1));
        GameTime(next.saturating_sub(self.starts_at.0).saturating_sub(1))
    }

    /// How long after midnight a time of day is.
    #[must_use]
    fn since_midnight(self, time: TimeOfDay) -> i64 {
        let share = i128::from(self.day.0.max(1)) * i128::from(time.0);
        // A share of a day is no longer than the day.
        (share / i128::from(MINUTES_OF_DAY)) as i64
    }

    /// The time of day, in whole minutes.
    pub(crate) fn time_of_day(self, now: GameTime) -> TimeOfDay {
        let day = self.day.0.max(1);
        let since_midnight = now.0.saturating_add(self.starts_at.0).rem_euclid(day);
        let minutes = i128::from(since_midnight) * i128::from(MINUTES_OF_DAY) / i128::from(day);
        // It is less than a day.
        TimeOfDay(minutes as u16)
    }

    /// Whether `now` is in the part of the day from one time until before the other: over midnight where that is earlier, and the
    /// whole day where both are the same.
    #[must_use]
    pub(crate) fn is_within(self, (from, to): (TimeOfDay, TimeOfDay), now: GameTime) -> bool {
        let since_midnight = now.0.saturating_add(self.starts_at.0);
        let now = since_midnight.rem_euclid(self.day.0.max(1));
        let (begins, ends) = (self.since_midnight(from), self.since_midnight(to));
        match from.cmp(&to) {
            Ordering::Equal => true,
            Ordering::Less => (begins..ends).contains(&now),
            Ordering::Greater => now >= begins || now < ends,
        }
    }

    /// When it is this time of day next, later than `now`.
    #[must_use]
    pub(crate) fn next(self, time: TimeOfDay, now: GameTime) -> GameTime {
        let day = self.day.0.max(1);
        let since_midnight = now.0.saturating_add(self.starts_at.0);
        let wait = (self.since_midnight(time) - since_midnight.rem_euclid(day)).rem_euclid(day);
        now.after(Millis(if wait == 0 { day } else { wait }))
    }

    /// How long ago `then` is at `now`.
    #[must_use]
    pub fn age(self, then: GameTime, now: GameTime) -> Age {
        let minutes = now.since(then).0 / MINUTE;
        match self.day_of(now).saturating_sub(self.day_of(then)) {
            _ if minutes < 1 => Age::Moment,
            _ if minutes < 60 && self.day >= MINUTES_COUNT_FROM => Age::Minutes(minutes),
            ..=0 => Age::Today,
            1 => Age::Yesterday,
            days => Age::Days(days),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * MINUTE;

    #[test]
    fn m8_an_age_is_told_in_minutes_and_then_in_days() {
        let evening = Calendar {
            starts_at: Millis(20 * HOUR),
            ..Calendar::default()
        };
        let ages = [
            (0, Age::Moment),
            (59_999, Age::Moment),
            (60_000, Age::Minutes(1)),
            (59 * MINUTE + 59_999, Age::Minutes(59)),
            (HOUR, Age::Today),
            (4 * HOUR - 1, Age::Today),
            (4 * HOUR, Age::Yesterday),
            (28 * HOUR - 1, Age::Yesterday),
            (28 * HOUR, Age::Days(2)),
            (24 * 365 * HOUR, Age::Days(365)),
            (-5, Age::Moment),
            (i64::MAX, Age::Days(106_751_991_167)),
        ];
        for (now, age) in ages {
            assert_eq!(evening.age(GameTime(0), GameTime(now)), age, "{now}");
        }
        // A quarter of an hour over midnight is still told in minutes.
        let (before, after) = (GameTime(3 * HOUR + 50 * MINUTE), GameTime(4 * HOUR));
        assert_eq!(evening.age(before, after), Age::Minutes(10));
    }

    #[test]
    fn l1_a_time_of_day_is_a_share_of_the_day_of_the_game() {
        for wrong in [
            "", "6:00", "06:0", "24:01", "06:60", "06-00", "-1:00", "+6:00", "06:00:00",
        ] {
            assert_eq!(TimeOfDay::parse(wrong), None, "{wrong}");
        }
        let time = |text| TimeOfDay::parse(text).unwrap();
        let short = Calendar {
            day: Millis(2_400),
            starts_at: Millis(300),
        };
        // It is 03:00 at the beginning, and an hour takes 100 ms.
        let is_within = |from, to, now| short.is_within((time(from), time(to)), GameTime(now));
        assert!(is_within("03:00", "04:00", 0) && !is_within("03:00", "04:00", 100));
        assert!(is_within("22:00", "02:00", 1_900) && is_within("22:00", "02:00", 2_200));
        assert!(!is_within("22:00", "02:00", 2_300));
        assert!(is_within("05:00", "05:00", 0) && is_within("00:00", "24:00", 2_099));
        assert_eq!(short.next(time("03:00"), GameTime(0)), GameTime(2_400));
        assert_eq!(short.next(time("24:00"), GameTime(0)), GameTime(2_100));
        assert_eq!(short.next(time("03:01"), GameTime(0)), GameTime(1));
        assert_eq!(short.time_of_day(GameTime(150)).to_string(), "04:30");
        assert_eq!(short.time_of_day(GameTime(2_100)).to_string(), "00:00");
    }

    #[test]
    fn m8_short_days_count_no_minutes() {
        let short = Calendar {
            day: Millis(20 * MINUTE),
            ..Calendar::default()
        };
        let age = |now| short.age(GameTime(0), GameTime(now));
        assert_eq!(age(30_000), Age::Moment);
        assert_eq!(age(19 * MINUTE), Age::Today);
        assert_eq!(age(20 * MINUTE), Age::Yesterday);
        assert_eq!(age(50 * MINUTE), Age::Days(2));
    }

    #[test]
    fn m8_a_day_ends_with_its_last_millisecond() {
        let calendar = Calendar {
            starts_at: Millis(6 * HOUR),
            ..Calendar::default()
        };
        for day in [-1, 0, 3] {
            let end = calendar.end_of(day);
            assert_eq!(calendar.day_of(end), day);
            assert_eq!(calendar.day_of(GameTime(end.0 + 1)), day + 1);
        }
        let odd = Calendar {
            day: Millis(0),
            starts_at: Millis(i64::MAX),
        };
        let _ = odd.age(GameTime(i64::MIN), GameTime(i64::MAX));
        let _ = odd.end_of(i64::MAX);
    }
}
