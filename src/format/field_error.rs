//! What is wrong with the fields of a struct, in plain words that name the struct.
//!
//! RON names the struct in which a field is missing or unknown. For a struct that is written in place of a path, it knows
//! only the surrounding struct. [`NamedStruct`] reads such a struct and remembers its name.

use crate::base::names::hint;
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, Unexpected,
    Visitor,
};
use std::fmt::{self, Display, Write};

/// How a message about a missing field begins. The place of such an error is that of the struct.
const MISSING: &str = "missing field ";

/// Says that a field is missing.
pub(super) fn missing(structure: &str, field: &str) -> String {
    format!("{MISSING}\"{field}\" in {}", plain(structure))
}

/// Says that a struct has no such field, and which one is meant, or else which ones it has.
pub(super) fn unknown(structure: &str, field: &str, known: &[&str]) -> String {
    let mut message = format!(
        "{} has no field \"{}\"",
        plain(structure),
        field.escape_debug()
    );
    let near = hint(field, known.iter().copied());
    if !near.is_empty() {
        return message + &near;
    }
    for (i, name) in known.iter().enumerate() {
        let before = if i == 0 { ": its fields are" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(message, "{before} {name}");
    }
    message
}

/// Says that a field is there twice.
pub(super) fn duplicate(structure: &str, field: &str) -> String {
    format!(
        "the field \"{field}\" is listed twice in {}",
        plain(structure)
    )
}

/// Whether a message is one of [`missing`].
pub(super) fn is_missing(message: &str) -> bool {
    message.starts_with(MISSING)
}

/// The name of a struct as authors know it: `Npc` for `NpcSpec`.
pub(super) fn plain(structure: &str) -> &str {
    match structure.strip_suffix("Spec").unwrap_or(structure) {
        "" => "this",
        name => name,
    }
}

/// The fields of a struct whose name the surrounding format does not know.
pub(super) struct NamedStruct<A>(pub(super) A);

impl<'de, A: MapAccess<'de>> Deserializer<'de> for NamedStruct<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor
            .visit_map(Fields(self.0))
            .map_err(|error| error.named(name, A::Error::custom))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The fields themselves; an error about one of them waits for the name of the struct.
struct Fields<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<A> {
    type Error = FieldError<A::Error>;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        // The key is read as a text first, so that an unknown one is told to this struct.
        let name = Name("the name of a field");
        let key = self.0.next_key_seed(name).map_err(FieldError::Other)?;
        key.map(|key| seed.deserialize(key.into_deserializer()))
            .transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.next_value_seed(seed).map_err(FieldError::Other)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// Reads a name as a text. An error says that this was expected: "the name of a field".
pub(crate) struct Name(pub(crate) &'static str);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<String, E> {
        Ok(name.to_owned())
    }
}

/// What is wrong with the fields of a struct, or an error of the format.
#[derive(Debug)]
pub(super) enum FieldError<E> {
    Missing(&'static str),
    Unknown(String, &'static [&'static str]),
    Duplicate(&'static str),
    Other(E),
}

impl<E> FieldError<E> {
    /// As an error of this struct.
    pub(super) fn named(self, structure: &str, custom: impl FnOnce(String) -> E) -> E {
        match self {
            Self::Missing(field) => custom(missing(structure, field)),
            Self::Unknown(field, fields) => custom(unknown(structure, &field, fields)),
            Self::Duplicate(field) => custom(duplicate(structure, field)),
            Self::Other(error) => error,
        }
    }
}

impl<E: Display> Display for FieldError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => f.write_str(&missing("", field)),
            Self::Unknown(field, fields) => f.write_str(&unknown("", field, fields)),
            Self::Duplicate(field) => f.write_str(&duplicate("", field)),
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl<E: Error> std::error::Error for FieldError<E> {}

impl<E: Error> Error for FieldError<E> {
    fn custom<T: Display>(message: T) -> Self {
        Self::Other(E::custom(message))
    }

    fn invalid_type(found: Unexpected, expected: &dyn Expected) -> Self {
        Self::Other(E::invalid_type(found, expected))
    }

    fn invalid_value(found: Unexpected, expected: &dyn Expected) -> Self {
        Self::Other(E::invalid_value(found, expected))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::Other(E::invalid_length(length, expected))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::Other(E::unknown_variant(variant, expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::Unknown(field.to_owned(), expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Duplicate(field)
    }
}
