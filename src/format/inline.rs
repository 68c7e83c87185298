//! A part of a file that is written there, or in its own file.

use super::field_error::NamedStruct;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Either the thing itself or the path of its file, relative to the file that names it, then to `assets/`.
#[derive(Debug, Clone, PartialEq)]
pub enum Inline<T> {
    /// Written in place.
    Here(T),
    /// In a file of its own.
    Path(String),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Inline<T> {
    // A derived `untagged` enum would buffer the value, and lose unknown fields and the places of errors.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InlineVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for InlineVisitor<T> {
            type Value = Inline<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path in quotes, or the thing itself in parentheses")
            }
            fn visit_str<E: serde::de::Error>(self, path: &str) -> Result<Self::Value, E> {
                Ok(Inline::Path(path.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(NamedStruct(map)).map(Inline::Here)
            }
            // `()`: no field is written.
            fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
                let nothing = std::iter::empty::<(&str, &str)>();
                let nothing = serde::de::value::MapDeserializer::<_, E>::new(nothing);
                T::deserialize(NamedStruct(nothing)).map(Inline::Here)
            }
        }
        deserializer.deserialize_any(InlineVisitor(PhantomData))
    }
}

/// Reads a list, or the path of a file that holds one.
pub(crate) fn inline_list<'de, D, T>(deserializer: D) -> Result<Inline<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct ListVisitor<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
        type Value = Inline<Vec<T>>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a path in quotes, or a list")
        }
        fn visit_str<E: serde::de::Error>(self, path: &str) -> Result<Self::Value, E> {
            Ok(Inline::Path(path.to_owned()))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list)).map(Inline::Here)
        }
    }
    deserializer.deserialize_any(ListVisitor(PhantomData))
}

/// Reads a map and refuses a key that is there twice.
pub(crate) fn unique_map<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct UniqueVisitor<V>(PhantomData<V>);
    impl<'de, V: Deserialize<'de>> Visitor<'de> for UniqueVisitor<V> {
        type Value = BTreeMap<String, V>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut out = BTreeMap::new();
            while let Some(key) = map.next_key::<String>()? {
                if out.contains_key(&key) {
                    return Err(serde::de::Error::custom(format!(
                        "the key \"{}\" is listed twice",
                        key.escape_debug()
                    )));
                }
                let value = map.next_value()?;
                out.insert(key, value);
            }
            Ok(out)
        }
    }
    deserializer.deserialize_map(UniqueVisitor(PhantomData))
}
