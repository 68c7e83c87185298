//! The text of an authored file, with the places of its values.

use super::error::AuthoringError;
use super::outline::Outline;
use std::ops::Deref;
use std::sync::OnceLock;

/// The text of an authored file. The places of its values are found once, on first use: even if a file has many problems, it
/// is read only once more. It reads as a `str`.
#[derive(Debug)]
pub struct SourceText {
    text: Box<str>,
    outline: OnceLock<Outline>,
}

impl SourceText {
    /// The text that a JSON pointer such as `/npcs/0` names; `None` where it leads nowhere.
    #[must_use]
    pub fn slice(&self, pointer: &str) -> Option<&str> {
        self.outline().slice(&self.text, pointer)
    }

    /// An error at the value that a JSON pointer names, or at the nearest value above it.
    #[must_use]
    pub fn error(&self, file: &str, pointer: &str, message: impl Into<String>) -> AuthoringError {
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
        }
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}
