//! JSON in which no object has a key twice: of two, one would be lost.

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Reads a value in which no object has a key twice.
#[derive(Clone, Copy)]
pub(crate) struct Unique {
    /// What to say of a key that is there twice.
    pub(crate) twice: fn(&str) -> String,
    /// Whether its second value is read before that is said: an error in the value, such as its missing end, is said instead.
    pub(crate) reads_on: bool,
}

impl Unique {
    pub(crate) fn read(self, json: &str) -> Result<Value, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(json);
        let value = self.deserialize(&mut json)?;
        json.end()?;
        Ok(value)
    }
}

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let is_twice = object.contains_key(&key);
            if is_twice && self.reads_on {
                map.next_value_seed(self)?;
            }
            if is_twice {
                return Err(A::Error::custom((self.twice)(&key)));
            }
            let value = map.next_value_seed(self)?;
            object.insert(key, value);
        }
        Ok(object.into())
    }
}
