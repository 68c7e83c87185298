//! A value that is encoded once, however often it is hashed.

use super::serializer::{ENCODED, to_canonical};
use serde::ser::{Error, Serialize, Serializer};
use std::ops::Deref;
use std::sync::OnceLock;

/// A value that does not change any more, with its canonical encoding, which is written when it is asked for first. It reads as the
/// value, and is serialized as the value is, in text formats: a binary one would get the encoding.
///
/// ```
/// use bevy_dramatis::base::canonical::{Encoded, to_canonical};
///
/// let word = Encoded::new("key".to_owned());
/// assert_eq!(word.len(), 3);
/// assert_eq!(to_canonical(&[&word])?, r#"["key"]"#);
/// # Ok::<(), bevy_dramatis::base::canonical::NotCanonical>(())
/// ```
#[derive(Clone, Default)]
pub struct Encoded<T> {
    value: T,
    text: OnceLock<Box<str>>,
}

impl<T> Encoded<T> {
    /// Keeps a value.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self {
            value,
            text: OnceLock::new(),
        }
    }
}

impl<T> Deref for Encoded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Encoded<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Encoded<T> {}

impl<T: std::fmt::Debug> std::fmt::Debug for Encoded<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: Serialize> Serialize for Encoded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ENCODED, &Inner(self))
    }
}

/// What the canonical serializer takes as it is, which tells so by being no readable format; others get the value.
struct Inner<'a, T>(&'a Encoded<T>);

impl<T: Serialize> Serialize for Inner<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(encoded) = self;
        if serializer.is_human_readable() {
            return encoded.value.serialize(serializer);
        }
        if let Some(text) = encoded.text.get() {
            return serializer.serialize_str(text);
        }
        let text = to_canonical(&encoded.value).map_err(S::Error::custom)?;
        serializer.serialize_str(encoded.text.get_or_init(|| text.into()))
    }
}
