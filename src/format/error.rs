//! Errors with a place, and the one function that parses RON.

use super::outline;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The longest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// A file that cannot be used, and why. Prints as `FILE:LINE:COLUMN: message`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct AuthoringError {
    /// The file, as the caller names it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl AuthoringError {
    /// An error about a whole file.
    #[must_use]
    pub fn whole(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: 1,
            column: 1,
            message: message.into(),
        }
    }

    /// An error at a place inside `source`, named by a JSON pointer such as `/steps/2/text`.
    ///
    /// Where the pointer leads nowhere, the nearest place above it is named.
    #[must_use]
    pub fn at(file: &str, source: &str, pointer: &str, message: impl Into<String>) -> Self {
        let (line, column) = outline::position(source, pointer);
        Self {
            file: file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }
}

/// The dialect that every file is written in: RON with `implicit_some`.
#[must_use]
pub fn dialect() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// Parses one RON file. Total: any bytes give a value or an error.
///
/// # Errors
/// An [`AuthoringError`] with the place, for what is not UTF-8, not RON, too long, or not of this shape.
pub fn parse_ron<T: DeserializeOwned>(bytes: &[u8], origin: &str) -> Result<T, AuthoringError> {
    let source = decode(bytes, origin)?;
    dialect().from_str(source).map_err(|error| AuthoringError {
        file: origin.to_owned(),
        line: error.span.start.line,
        column: error.span.start.col,
        message: error.code.to_string(),
    })
}

/// The text of a file, without its byte-order mark.
///
/// # Errors
/// When it is longer than [`MAX_FILE_BYTES`] or not UTF-8.
pub fn decode<'a>(bytes: &'a [u8], origin: &str) -> Result<&'a str, AuthoringError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(AuthoringError::whole(
            origin,
            format!(
                "the file has {} bytes, more than {MAX_FILE_BYTES}",
                bytes.len()
            ),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        AuthoringError {
            file: origin.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .chars()
                .count()
                + 1,
            message: "the file is not UTF-8".to_owned(),
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Something wrong inside a file that parsed well: where, as a JSON pointer, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place, such as `/npcs/0/constraints/1/patterns/0`.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    /// A problem at `pointer`.
    #[must_use]
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }

    /// The problem with its file, line and column.
    #[must_use]
    pub fn located(&self, file: &str, source: &str) -> AuthoringError {
        AuthoringError::at(file, source, &self.pointer, self.message.clone())
    }
}
