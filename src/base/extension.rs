//! What code of a game answers when it cannot do what it is asked: rules, checks and guards in Rust.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;

/// Why a rule, a check or a guard of a game gave no answer, or refused.
///
/// ```
/// use bevy_dramatis::base::ExtensionError;
/// fn moon_phase(day: u32) -> Result<u32, ExtensionError> {
///     let phase = day.checked_sub(3).ok_or("the calendar begins on day 3")?;
///     u32::try_from(i64::from(phase) % 28).map_err(ExtensionError::new)
/// }
/// assert_eq!(moon_phase(0).unwrap_err().to_string(), "the calendar begins on day 3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExtensionError(String);

impl ExtensionError {
    /// Makes one from any other error, or from a sentence.
    pub fn new(error: impl Display) -> Self {
        Self(error.to_string())
    }
}

/// What code of the game answers; a panic is an error.
pub(crate) fn ask<T>(
    code: impl FnOnce() -> Result<T, ExtensionError>,
) -> Result<T, ExtensionError> {
    ask_called("it", code)
}

/// The same, with what the error calls the code: "a guard".
pub(crate) fn ask_called<T>(
    what: &str,
    code: impl FnOnce() -> Result<T, ExtensionError>,
) -> Result<T, ExtensionError> {
    let answer = catch_unwind(AssertUnwindSafe(code));
    answer.unwrap_or_else(|_| Err(format!("{what} panicked").into()))
}

impl From<&str> for ExtensionError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for ExtensionError {
    fn from(message: String) -> Self {
        Self(message)
    }
}
