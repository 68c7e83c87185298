//! Numbers that are the same on every platform: fixed point and integer time.

use bevy::reflect::Reflect;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::time::Duration;

/// A fraction in millionths. Everything that is compared, hashed or prompted uses it in place of a float.
///
/// It is written as a decimal string with six places (`"0.800000"`), read from a number.
///
/// ```
/// use bevy_dramatis::base::Millionths;
/// assert_eq!(Millionths::from_f64(0.8).unwrap().to_string(), "0.800000");
/// assert!(Millionths::from_f64(f64::NAN).is_none());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
pub struct Millionths(pub i64);

impl Millionths {
    /// The number 0.
    pub const ZERO: Self = Self(0);
    /// The number 1: a million millionths.
    pub const ONE: Self = Self(1_000_000);

    /// Rounds half to even. `None` for NaN, infinities and magnitudes above 10^12.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() || value.abs() > 1e12 {
            return None;
        }
        Some(Self(libm::rint(value * 1e6) as i64))
    }

    /// The nearest millionth, from -10^12 to 10^12; 0 for what is no number.
    pub(crate) fn nearest(value: f32) -> Self {
        Self::from_f64(f64::from(value).clamp(-1e12, 1e12)).unwrap_or_default()
    }

    /// A fraction in `0..=1`, rounded half to even; `None` for every other number and for NaN.
    #[must_use]
    pub fn unit_from_f64(value: f64) -> Option<Self> {
        Self::from_f64(value).filter(|m| (0.0..=1.0).contains(&value) && m.is_unit())
    }

    /// Whether the value lies in `0..=1`.
    #[must_use]
    pub fn is_unit(self) -> bool {
        (0..=1_000_000).contains(&self.0)
    }

    /// The product, rounded half to even; saturates at the bounds of `i64`.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self(div_half_even(
            i128::from(self.0) * i128::from(other.0),
            1_000_000,
        ))
    }

    /// The value as a float, for plots and formulas that end in [`Millionths::from_f64`] again.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The value as the nearest `f32`. From -1 to 1, [`Millionths::from_f64`] of it is the same value again.
    #[must_use]
    pub fn to_f32(self) -> f32 {
        self.to_f64() as f32
    }

    /// The sum, clamped to `low..=high`.
    ///
    /// # Panics
    /// When `low` is greater than `high`.
    #[must_use]
    pub fn add_clamped(self, other: Self, low: Self, high: Self) -> Self {
        Self(self.0.saturating_add(other.0).clamp(low.0, high.0))
    }
}

/// `numerator / denominator`, rounded half to even; `denominator` must be positive.
#[must_use]
pub(crate) fn div_half_even(numerator: i128, denominator: i128) -> i64 {
    // Nearly all numbers are small, and a division of 128 bits takes ten times as long.
    if let (Ok(numerator), Ok(denominator)) = (i64::try_from(numerator), i32::try_from(denominator))
    {
        let denominator = i64::from(denominator);
        let quotient = numerator.div_euclid(denominator);
        let rest = numerator.rem_euclid(denominator) * 2;
        let up = rest > denominator || (rest == denominator && quotient % 2 != 0);
        return quotient + i64::from(up);
    }
    let quotient = numerator.div_euclid(denominator);
    let rest = numerator.rem_euclid(denominator) * 2;
    let up = rest > denominator || (rest == denominator && quotient % 2 != 0);
    let rounded = quotient + i128::from(up);
    i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX })
}

/// The longest decimal form: a sign, thirteen digits, a point and six digits.
const MILLIONTHS_CHARS: usize = 21;

impl Millionths {
    /// The decimal form, written without the machinery of formats: a snapshot holds hundreds.
    fn decimal(self, buffer: &mut [u8; MILLIONTHS_CHARS]) -> &str {
        let magnitude = self.0.unsigned_abs();
        let (mut whole, mut rest) = (magnitude / 1_000_000, magnitude % 1_000_000);
        let mut at = MILLIONTHS_CHARS;
        let mut put = |byte: u8| {
            at -= 1;
            buffer[at] = byte;
        };
        let digit = |number: u64| b'0' + (number % 10) as u8;
        for _ in 0..6 {
            put(digit(rest));
            rest /= 10;
        }
        put(b'.');
        put(digit(whole));
        while whole >= 10 {
            whole /= 10;
            put(digit(whole));
        }
        if self.0 < 0 {
            put(b'-');
        }
        // It is ASCII.
        std::str::from_utf8(&buffer[at..]).unwrap_or_default()
    }
}

impl fmt::Display for Millionths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.decimal(&mut [0; MILLIONTHS_CHARS]))
    }
}

impl Serialize for Millionths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.decimal(&mut [0; MILLIONTHS_CHARS]))
    }
}

impl<'de> Deserialize<'de> for Millionths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::from_f64(value).ok_or_else(|| de::Error::custom(format!("{value} is out of range")))
    }
}

/// A span of time, in whole milliseconds; negative when it leads back. Points in time are
/// [`GameTime`](super::time::GameTime) and [`CallTime`](super::time::CallTime).
#[derive(
    Reflect,
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// From seconds, to the nearest millisecond. `None` for NaN, infinities and more than 10^12 seconds.
    #[must_use]
    pub fn from_seconds(seconds: f64) -> Option<Self> {
        if !seconds.is_finite() || seconds.abs() > 1e12 {
            return None;
        }
        Some(Self(libm::rint(seconds * 1e3) as i64))
    }

    /// Both spans, one after the other. It stops at the ends of the range.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl From<Duration> for Millis {
    /// Whole milliseconds, rounded down. A span that does not fit is the longest one.
    fn from(span: Duration) -> Self {
        Self(i64::try_from(span.as_millis()).unwrap_or(i64::MAX))
    }
}

impl From<Millis> for Duration {
    /// A span that leads back is no time at all.
    fn from(span: Millis) -> Self {
        Self::from_millis(span.0.max(0).unsigned_abs())
    }
}

/// Reads and writes a [`Duration`] as a number of milliseconds.
pub(crate) mod in_millis {
    use super::{Deserialize, Deserializer, Duration, Millis, Serialize, Serializer};

    /// Whether it is written as 0.
    pub(crate) fn is_zero(span: &Duration) -> bool {
        Millis::from(*span) == Millis(0)
    }

    pub(crate) fn serialize<S: Serializer>(span: &Duration, to: S) -> Result<S::Ok, S::Error> {
        Millis::from(*span).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Millis::deserialize(from).map(Duration::from)
    }
}

/// Writes a float as [`Millionths`] are written; what is no number, as 0.
pub(crate) fn in_millionths<S: Serializer>(value: &f32, to: S) -> Result<S::Ok, S::Error> {
    Millionths::nearest(*value).serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_half_to_even() {
        assert_eq!(div_half_even(5, 2), 2);
        assert_eq!(div_half_even(7, 2), 4);
        assert_eq!(div_half_even(-5, 2), -2);
        assert_eq!(div_half_even(-7, 2), -4);
        assert_eq!(Millionths(500_000).times(Millionths(1)), Millionths(0));
        assert_eq!(Millionths(500_000).times(Millionths(3)), Millionths(2));
    }

    #[test]
    fn printing_keeps_six_places_and_the_sign() {
        assert_eq!(Millionths(-1).to_string(), "-0.000001");
        assert_eq!(Millionths(12_345_678).to_string(), "12.345678");
    }

    #[test]
    fn a_fraction_is_the_same_after_a_way_through_f32() {
        for millionths in -1_000_000..=1_000_000 {
            let there_and_back = Millionths::from_f64(Millionths(millionths).to_f32().into());
            assert_eq!(there_and_back, Some(Millionths(millionths)));
        }
    }

    #[test]
    fn a_span_that_leads_back_is_no_duration() {
        assert_eq!(Duration::from(Millis(-5)), Duration::ZERO);
        assert_eq!(Duration::from(Millis(1_500)), Duration::from_millis(1_500));
        assert_eq!(Millis::from(Duration::from_micros(1_999)), Millis(1));
        assert_eq!(Millis::from(Duration::MAX), Millis(i64::MAX));
    }

    #[test]
    fn numbers_outside_every_range_are_refused() {
        assert!(Millionths::from_f64(f64::INFINITY).is_none());
        assert!(Millionths::unit_from_f64(1.000_001).is_none());
        assert!(Millionths::unit_from_f64(-0.000_000_1).is_none());
        assert!(Millis::from_seconds(f64::NAN).is_none());
    }
}
