//! Values of attributes, of world facts, and of the fields of an action.

use bevy::reflect::Reflect;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// A truth value, a whole number or a text. There are no fractions: they would differ between platforms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
pub enum WorldValue {
    /// A truth value, written `true` or `false`.
    Bool(bool),
    /// A whole number of 64 bits. A larger one is an error when it is read.
    Int(i64),
    /// A text, such as words or an id.
    Text(String),
}

impl WorldValue {
    /// Whether the value counts as true: `true`, a number that is not 0, a text that is not empty.
    #[must_use]
    pub fn truthy(&self) -> bool {
        match self {
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Text(value) => !value.is_empty(),
        }
    }

    /// The value as JSON: `true`, a number or a string.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Text(value) => value.as_str().into(),
        }
    }
}

impl fmt::Display for WorldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

impl From<bool> for WorldValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for WorldValue {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for WorldValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for WorldValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl Serialize for WorldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Text(value) => serializer.serialize_str(value),
        }
    }
}

impl<'de> Deserialize<'de> for WorldValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;
        impl Visitor<'_> for ValueVisitor {
            type Value = WorldValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, a whole number, or a text in quotes")
            }
            fn visit_bool<E>(self, value: bool) -> Result<WorldValue, E> {
                Ok(WorldValue::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<WorldValue, E> {
                Ok(WorldValue::Int(value))
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<WorldValue, E> {
                i64::try_from(value)
                    .map(WorldValue::Int)
                    .map_err(|_| E::custom(format!("{value} is too large")))
            }
            fn visit_str<E>(self, value: &str) -> Result<WorldValue, E> {
                Ok(WorldValue::Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(ValueVisitor)
    }
}
