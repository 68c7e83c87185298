//! A value that is encoded once, however often it is hashed.

use super::serializer::{ENCODED, NotCanonical, PART, canonical_digest, to_canonical};
use super::{Digest, Hashing};
use serde::ser::{Error, Serialize, Serializer};
use std::ops::Deref;
use std::sync::OnceLock;

/// A value that does not change any more, with its canonical encoding, which is written when it is asked for first. It reads as the
/// value, and is serialized as the value is, in text formats: a binary one would get the encoding.
#[derive(Clone, Default)]
pub(crate) struct Encoded<T> {
    value: T,
    text: OnceLock<Box<str>>,
    digest: OnceLock<Digest>,
    shown_chars: OnceLock<usize>,
}

impl<T> Encoded<T> {
    /// Keeps a value.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self {
            value,
            text: OnceLock::new(),
            digest: OnceLock::new(),
            shown_chars: OnceLock::new(),
        }
    }

    /// How long the value is where it is shown in a prompt, in characters: measured when it is asked for first. There is one way to
    /// show a value of a type.
    pub(crate) fn shown_chars(&self, measure: impl FnOnce(&T) -> usize) -> usize {
        *self.shown_chars.get_or_init(|| measure(&self.value))
    }
}

impl<T: Serialize> Encoded<T> {
    /// The hash of its canonical encoding, which is taken when it is asked for first.
    ///
    /// # Errors
    /// `NotCanonical` for a value that has no canonical form.
    pub fn digest(&self) -> Result<Digest, NotCanonical> {
        if let Some(digest) = self.digest.get() {
            return Ok(*digest);
        }
        let digest = match self.text.get() {
            Some(text) => Digest::of_bytes(text.as_bytes()),
            None => canonical_digest(&self.value, Hashing::Whole)?,
        };
        Ok(*self.digest.get_or_init(|| digest))
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
        serializer.serialize_newtype_struct(PART, &Part(self))
    }
}

/// What the canonical serializer takes by its hash where it hashes by parts, which it tells by being no readable format.
struct Part<'a, T>(&'a Encoded<T>);

impl<T: Serialize> Serialize for Part<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(encoded) = self;
        if serializer.is_human_readable() {
            return serializer.serialize_newtype_struct(ENCODED, &Inner(encoded));
        }
        let digest = encoded.digest().map_err(S::Error::custom)?;
        serializer.serialize_str(&blake3::Hash::from_bytes(digest.0).to_hex())
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
