//! Ids: 1 to 64 characters of `A-Z a-z 0-9 _ - .`.

use bevy::prelude::Reflect;
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The most characters that an id may have.
pub const MAX_ID_CHARS: usize = 64;

/// Why a text is not an id. It holds the text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{}\" is not an id: 1-64 characters of A-Z a-z 0-9 _ - .", .0.chars().take(80).collect::<String>().escape_debug())]
pub struct BadId(pub String);

/// The id of something: an entity, a location, a character, a belief, a fact of the canon. It is checked once, when it is
/// made, and is cheap to clone.
///
/// Write an id in the code with [`id!`](crate::id), which the compiler checks; any other text goes through [`Id::new`]. It
/// reads as a `&str` everywhere.
///
/// ```
/// use bevy_dramatis::prelude::*;
///
/// let door = id!("front_door");
/// assert_eq!(door, "front_door");
/// assert_eq!(Id::new(format!("barrel_{}", 7)), Ok(id!("barrel_7")));
/// assert!(Id::new("two words").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Reflect)]
#[serde(try_from = "String")]
#[reflect(opaque)]
#[reflect(Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
pub struct Id(Arc<str>);

impl Id {
    /// Reads an id.
    ///
    /// # Errors
    /// [`BadId`] when the text is empty, longer than 64 characters, or holds any other character than `A-Z a-z 0-9 _ - .`.
    pub fn new(text: impl AsRef<str>) -> Result<Self, BadId> {
        let text = text.as_ref();
        if is_id(text) {
            Ok(Self(text.into()))
        } else {
            Err(BadId(text.to_owned()))
        }
    }

    /// An id whose text [`id!`](crate::id) has checked already.
    #[doc(hidden)]
    #[must_use]
    pub fn checked_by_the_compiler(text: &'static str) -> Self {
        debug_assert!(is_id(text));
        Self(text.into())
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Id {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Whether a text is an id: 1 to 64 characters of `A-Z a-z 0-9 _ - .`.
#[must_use]
pub const fn is_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > MAX_ID_CHARS {
        return false;
    }
    // A loop, since iterators do not run at compile time.
    let mut i = 0;
    while i < bytes.len() {
        if !(bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'_' | b'-' | b'.')) {
            return false;
        }
        i += 1;
    }
    true
}

/// An [`Id`](crate::base::ids::Id) in the code, from a literal or a constant. The compiler reports a text that is no id as an
/// error.
///
/// ```
/// assert_eq!(bevy_dramatis::id!("brass_key"), "brass_key");
/// ```
///
/// ```compile_fail
/// bevy_dramatis::id!("two words");
/// ```
#[macro_export]
macro_rules! id {
    ($text:expr) => {{
        const {
            assert!(
                $crate::base::is_id($text),
                "an id has 1 to 64 characters of A-Z a-z 0-9 _ - ."
            );
        }
        $crate::base::Id::checked_by_the_compiler($text)
    }};
}

impl Deref for Id {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Id {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Maps and sets of ids are asked with a `&str`.
impl Borrow<str> for Id {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// As a text, so that what holds ids is printed as briefly as with texts.
impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl FromStr for Id {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        Self::new(text)
    }
}

impl TryFrom<&str> for Id {
    type Error = BadId;

    fn try_from(text: &str) -> Result<Self, BadId> {
        Self::new(text)
    }
}

impl TryFrom<String> for Id {
    type Error = BadId;

    fn try_from(text: String) -> Result<Self, BadId> {
        Self::new(text)
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0.as_ref().to_owned()
    }
}

macro_rules! compare_with {
    ($($text:ty),*) => {
        $(
            impl PartialEq<$text> for Id {
                fn eq(&self, other: &$text) -> bool {
                    let other: &str = other.as_ref();
                    self.as_str() == other
                }
            }

            impl PartialEq<Id> for $text {
                fn eq(&self, other: &Id) -> bool {
                    other == self
                }
            }
        )*
    };
}

compare_with!(str, &str, String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p1_ids_have_a_length_and_an_alphabet() {
        assert!(Id::new("wizard_001-b.C").is_ok());
        assert!(Id::new("x".repeat(64)).is_ok());
        for bad in ["", "two words", "é", "a/b", "x\n", &"x".repeat(65)] {
            assert_eq!(Id::new(bad), Err(BadId(bad.to_owned())));
        }
    }

    #[test]
    fn an_id_is_read_and_written_as_a_text() {
        let id: Id = serde_json::from_str("\"door.1\"").unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"door.1\"");
        let error = serde_json::from_str::<Id>("\"a door\"").unwrap_err();
        assert!(error.to_string().contains("\"a door\" is not an id"));
    }

    #[test]
    fn ids_are_sorted_and_found_as_texts() {
        let ids = std::collections::BTreeSet::from([id!("b"), id!("a"), id!("B")]);
        assert_eq!(ids.iter().collect::<Vec<_>>(), ["B", "a", "b"]);
        assert!(ids.contains("a"));
    }
}
