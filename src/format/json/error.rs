//! What is wrong with a value of JSON, in the words in which RON says it.

use crate::format::field_error::FieldError;
use crate::format::{pointer, syntax};
use serde::de::{Expected, Unexpected};
use std::fmt::{self, Display};

/// What is wrong, and where. The struct in which a field is wrong says its name later.
#[derive(Debug)]
pub(super) struct JsonError {
    pub(super) at: Option<String>,
    what: FieldError<String>,
}

impl JsonError {
    pub(super) fn message(self, structure: &str) -> String {
        self.what.named(structure, |message| message)
    }

    pub(super) fn at(mut self, at: &str) -> Self {
        self.at.get_or_insert_with(|| at.to_owned());
        self
    }

    /// As an error of this struct.
    pub(super) fn of(mut self, structure: &str, at: &str) -> Self {
        if let FieldError::Unknown(field, _) = &self.what {
            self.at.get_or_insert_with(|| below(at, field));
        }
        let at = self.at.take().unwrap_or_else(|| at.to_owned());
        Self {
            what: FieldError::Other(self.message(structure)),
            at: Some(at),
        }
    }
}

pub(super) fn below(at: &str, key: &str) -> String {
    format!("{at}/{}", pointer::key(key))
}

impl Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.what)
    }
}

impl std::error::Error for JsonError {}

impl serde::de::Error for JsonError {
    fn custom<T: Display>(message: T) -> Self {
        Self {
            at: None,
            what: FieldError::Other(message.to_string()),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(syntax::not_expected(
            &expected.to_string(),
            &found.to_string(),
        ))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(syntax::unknown_variant(found, expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self {
            at: None,
            what: FieldError::Unknown(field.to_owned(), expected),
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            at: None,
            what: FieldError::Missing(field),
        }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self {
            at: None,
            what: FieldError::Duplicate(field),
        }
    }
}
