//! JSON for records: it is read strictly and written in one way only.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::Cell;
use std::fmt;

pub const MAX_BYTES: usize = 1024 * 1024;
pub const MAX_DEPTH: usize = 32;

/// Why we do not accept some bytes as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    TooLarge,
    NotUtf8,
    TooDeep,
    DuplicateKey,
    NotJson,
}

impl Unreadable {
    pub fn code(self) -> String {
        match self {
            Self::TooLarge => format!("TOO_LARGE:max={MAX_BYTES}"),
            Self::NotUtf8 => "NOT_UTF8".into(),
            Self::TooDeep => format!("TOO_DEEP:max={MAX_DEPTH}"),
            Self::DuplicateKey => "DUPLICATE_KEY".into(),
            Self::NotJson => "NOT_JSON".into(),
        }
    }
}

/// Reads one JSON document. Refuses everything on which parsers disagree: duplicate keys, a byte order mark, NaN, trailing bytes, deep
/// nesting, invalid UTF-8.
pub fn read(bytes: &[u8]) -> Result<Value, Unreadable> {
    if bytes.len() > MAX_BYTES {
        return Err(Unreadable::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::NotUtf8)?;
    let trouble = Cell::new(Unreadable::NotJson);
    let strict = Strict {
        depth_left: MAX_DEPTH,
        trouble: &trouble,
    };
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = strict.deserialize(&mut parser).map_err(|_| trouble.get())?;
    parser.end().map_err(|_| Unreadable::NotJson)?;
    Ok(value)
}

/// Sorted keys, indent 2, and a newline at the end.
pub fn pretty(mut value: Value) -> String {
    // This has an effect only if some crate of the build makes `serde_json` keep the order of insertion.
    value.sort_all_objects();
    format!("{value:#}\n")
}

/// Sorted keys, all on one line, and a newline at the end.
pub fn line(mut value: Value) -> String {
    value.sort_all_objects();
    format!("{value}\n")
}

/// The names of `object` that are not among `known`, sorted.
pub fn unknown_names<'a>(object: &'a Map<String, Value>, known: &[&str]) -> Vec<&'a str> {
    let mut names: Vec<&str> = object
        .keys()
        .map(String::as_str)
        .filter(|name| !known.contains(name))
        .collect();
    names.sort_unstable();
    names
}

/// A reader of one value that knows how much deeper it may go.
#[derive(Clone, Copy)]
struct Strict<'t> {
    depth_left: usize,
    /// An error that the parser itself cannot report.
    trouble: &'t Cell<Unreadable>,
}

impl Strict<'_> {
    fn one_deeper<E: Error>(self) -> Result<Self, E> {
        let depth_left = self
            .depth_left
            .checked_sub(1)
            .ok_or_else(|| self.refuse(Unreadable::TooDeep))?;
        Ok(Self { depth_left, ..self })
    }

    fn refuse<E: Error>(self, why: Unreadable) -> E {
        self.trouble.set(why);
        E::custom("refused")
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| self.refuse(Unreadable::NotJson))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.one_deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.one_deeper()?;
        let mut map = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            if map.contains_key(&name) {
                return Err(self.refuse(Unreadable::DuplicateKey));
            }
            map.insert(name, entries.next_value_seed(inner)?);
        }
        Ok(Value::Object(map))
    }
}
