//! JSON as text, before it is parsed: which parts are in strings, and how deep it is nested.

use super::invalid::{InvalidFormat, InvalidKind};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The deepest nesting that an envelope may have; its outermost object is depth 1.
pub const MAX_DEPTH: usize = 32;

/// Follows JSON text byte by byte and knows which parts are in strings.
#[derive(Default)]
pub(super) struct JsonStrings {
    inside: bool,
    escaped: bool,
}

impl JsonStrings {
    /// Takes the next byte; whether it is outside strings (the quotes themselves are not).
    pub(super) fn outside(&mut self, byte: u8) -> bool {
        if self.inside {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.inside = false;
            }
            return false;
        }
        self.inside = byte == b'"';
        !self.inside
    }
}

/// Checked before parsing, because the parser recurses.
pub(super) fn check_depth(json: &str) -> Result<(), InvalidFormat> {
    let mut strings = JsonStrings::default();
    let mut depth = 0usize;
    for byte in json.bytes() {
        if !strings.outside(byte) {
            continue;
        }
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth > MAX_DEPTH {
            let message = format!("the envelope is nested deeper than {MAX_DEPTH}");
            return Err(InvalidFormat::new(InvalidKind::TooDeep, message));
        }
        if depth == 0 {
            break;
        }
    }
    Ok(())
}

/// A JSON value in which no object has a key twice.
pub(super) struct OneOfEach(pub(super) Value);

impl<'de> Deserialize<'de> for OneOfEach {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOfEachVisitor).map(Self)
    }
}

struct OneOfEachVisitor;

impl<'de> Visitor<'de> for OneOfEachVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(OneOfEach(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some((key, OneOfEach(value))) = map.next_entry::<String, _>()? {
            if fields.contains_key(&key) {
                return Err(A::Error::custom(format_args!(
                    "the key {:?} stands twice in one object",
                    crate::text::name_excerpt(&key, "of another name")
                )));
            }
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}
