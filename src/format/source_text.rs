//! The text of an authored file, with the places of its values.

use super::error::{AuthoringError, decode, parse_ron};
#[cfg(feature = "json")]
use super::error::{dialect, of_json};
#[cfg(feature = "json")]
use super::json;
use super::outline::Outline;
use serde::de::DeserializeOwned;
use std::ops::Deref;
use std::sync::OnceLock;

/// The text of an authored file. The places of its values are found once, on first use: even if a file has many problems, it
/// is read only once more. It reads as a `str`.
#[derive(Debug)]
pub struct SourceText {
    text: Box<str>,
    outline: OnceLock<Outline>,
    /// What the author wrote, where that is not the text; errors name places in it.
    written: Option<Box<SourceText>>,
}

/// Parses one file, and gives its text as RON with the places of its values.
///
/// # Errors
/// As [`parse_ron`].
pub(crate) fn parse_with_text<T: DeserializeOwned>(
    bytes: &[u8],
    origin: &str,
) -> Result<(T, SourceText), AuthoringError> {
    let source = decode(bytes, origin)?;
    #[cfg(feature = "json")]
    if json::is_json(source, origin) {
        let (_, ron) = json::read::<T>(source).map_err(|wrong| of_json(wrong, origin))?;
        // What a record keeps is what is used.
        let read = dialect().from_str(&ron);
        let value = read.map_err(|error| AuthoringError::whole(origin, error.to_string()))?;
        return Ok((value, SourceText::translated(&ron, source)));
    }
    Ok((parse_ron(bytes, origin)?, source.into()))
}

impl SourceText {
    /// The text that a JSON pointer such as `/npcs/0` names; `None` where it leads nowhere.
    #[must_use]
    pub fn slice(&self, pointer: &str) -> Option<&str> {
        self.outline().slice(&self.text, pointer)
    }

    /// A text that was made of what the author wrote in another dialect.
    #[cfg(feature = "json")]
    fn translated(text: &str, written: &str) -> Self {
        Self {
            written: Some(Box::new(written.into())),
            ..text.into()
        }
    }

    /// An error at the value that a JSON pointer names, or at the nearest value above it.
    #[must_use]
    pub fn error(&self, file: &str, pointer: &str, message: impl Into<String>) -> AuthoringError {
        if let Some(written) = &self.written {
            return written.error(file, pointer, message);
        }
        let (line, column) = self.outline().position(&self.text, pointer);
        AuthoringError {
            file: file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }

    fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::new(&self.text))
    }
}

impl From<&str> for SourceText {
    fn from(text: &str) -> Self {
        Self {
            text: text.into(),
            outline: OnceLock::new(),
            written: None,
        }
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}
