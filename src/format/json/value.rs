//! Reads a value by its type, and writes it as RON at the same time.

use super::as_ron::{any, quoted};
use super::error::{JsonError, below};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};

/// What RON calls a value whose text is wanted as it is written.
const RAW_VALUE: &str = "$ron::private::RawValue";

/// A value, with its place as a JSON pointer, and what is written so far.
pub(super) struct JsonValue<'a> {
    pub(super) value: &'a Value,
    pub(super) at: String,
    pub(super) ron: &'a RefCell<String>,
}

impl<'a> JsonValue<'a> {
    fn write(&self, text: &str) {
        self.ron.borrow_mut().push_str(text);
    }

    fn child(&self, value: &'a Value, key: &str) -> Self {
        Self {
            value,
            at: below(&self.at, key),
            ron: self.ron,
        }
    }

    fn unexpected(&self) -> Unexpected<'a> {
        match self.value {
            Value::Null => Unexpected::Unit,
            Value::Bool(it) => Unexpected::Bool(*it),
            Value::Number(it) => match (it.as_i64(), it.as_f64()) {
                (Some(it), _) => Unexpected::Signed(it),
                (None, it) => Unexpected::Float(it.unwrap_or_default()),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }

    /// Says where it is wrong, unless that is known.
    fn placed<T>(&self, read: Result<T, JsonError>) -> Result<T, JsonError> {
        read.map_err(|error| error.at(&self.at))
    }

    fn wrong<T>(&self, expected: &dyn Expected) -> Result<T, JsonError> {
        Err(JsonError::invalid_type(self.unexpected(), expected).at(&self.at))
    }

    fn number<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, JsonError> {
        let Value::Number(number) = self.value else {
            return self.wrong(&visitor);
        };
        self.write(&number.to_string());
        let read = match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(it), ..) => visitor.visit_i64(it),
            (None, Some(it), _) => visitor.visit_u64(it),
            (None, None, it) => visitor.visit_f64(it.unwrap_or_default()),
        };
        self.placed(read)
    }

    fn text<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, JsonError> {
        let Value::String(text) = self.value else {
            return self.wrong(&visitor);
        };
        self.write(&quoted(text));
        self.placed(visitor.visit_str(text))
    }

    fn list<'de, V: Visitor<'de>>(
        &self,
        visitor: V,
        (open, close): (&str, &str),
    ) -> Result<V::Value, JsonError> {
        let Value::Array(items) = self.value else {
            return self.wrong(&visitor);
        };
        self.write(open);
        let read = visitor.visit_seq(Items {
            of: self,
            items: items.iter().enumerate(),
        });
        self.write(close);
        self.placed(read)
    }

    /// Reads an object as the struct of this name, or as whatever the type takes it for: a struct asks for names of fields.
    fn fields<'de, V: Visitor<'de>>(
        &self,
        visitor: V,
        structure: Option<&str>,
    ) -> Result<V::Value, JsonError> {
        let Value::Object(map) = self.value else {
            return self.wrong(&visitor);
        };
        let begin = self.ron.borrow().len();
        self.write("{");
        let is_struct = Cell::new(structure.is_some());
        let read = visitor.visit_map(Members {
            of: self,
            members: map.iter(),
            value: None,
            is_struct: &is_struct,
        });
        if is_struct.get() {
            self.ron.borrow_mut().replace_range(begin..=begin, "(");
        }
        self.write(if is_struct.get() { ")" } else { "}" });
        read.map_err(|error| match structure {
            Some(name) => error.of(name, &self.at),
            None => error.at(&self.at),
        })
    }
}

/// The elements of a list.
struct Items<'v, 'a> {
    of: &'v JsonValue<'a>,
    items: std::iter::Enumerate<std::slice::Iter<'a, Value>>,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = JsonError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, JsonError> {
        let Some((index, item)) = self.items.next() else {
            return Ok(None);
        };
        if index > 0 {
            self.of.write(", ");
        }
        seed.deserialize(self.of.child(item, &index.to_string()))
            .map(Some)
    }
}

/// The members of an object.
struct Members<'v, 'a> {
    of: &'v JsonValue<'a>,
    members: serde_json::map::Iter<'a>,
    value: Option<(&'a String, &'a Value)>,
    is_struct: &'v Cell<bool>,
}

impl<'de> MapAccess<'de> for Members<'_, '_> {
    type Error = JsonError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, JsonError> {
        let is_first = self.value.is_none();
        self.value = self.members.next();
        let Some((key, _)) = self.value else {
            return Ok(None);
        };
        if !is_first {
            self.of.write(", ");
        }
        let key = Key {
            key,
            ron: self.of.ron,
            is_struct: self.is_struct,
        };
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, JsonError> {
        let Some((key, value)) = self.value else {
            return Err(JsonError::custom("a value has no name"));
        };
        self.of.write(": ");
        seed.deserialize(self.of.child(value, key))
    }
}

/// The name of a member. Where numbers are names, it is the text of one.
struct Key<'a> {
    key: &'a str,
    ron: &'a RefCell<String>,
    is_struct: &'a Cell<bool>,
}

impl Key<'_> {
    fn number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.key.parse() {
            Ok(number) => {
                self.ron.borrow_mut().push_str(self.key);
                visitor.visit_u64(number)
            }
            Err(_) => Err(JsonError::invalid_type(Unexpected::Str(self.key), &visitor)),
        }
    }
}

macro_rules! forward {
    ($to:ident: $($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
            self.$to(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        let written = match self.is_struct.get() {
            true => self.key.to_owned(),
            false => quoted(self.key),
        };
        self.ron.borrow_mut().push_str(&written);
        visitor.visit_str(self.key)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.is_struct.set(true);
        self.deserialize_any(visitor)
    }

    forward! {
        number: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    }

    serde::forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple tuple_struct map
        struct enum ignored_any
    }
}

impl<'de> Deserializer<'de> for JsonValue<'_> {
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        match self.value {
            Value::Null => self.deserialize_unit(visitor),
            Value::Bool(_) => self.deserialize_bool(visitor),
            Value::Number(_) => self.number(visitor),
            Value::String(_) => self.text(visitor),
            Value::Array(_) => self.list(visitor, ("[", "]")),
            Value::Object(_) => self.fields(visitor, None),
        }
    }

    forward! {
        number: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_i8 deserialize_i16 deserialize_i32
        deserialize_i64 deserialize_i128 deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        let Value::Bool(it) = self.value else {
            return self.wrong(&visitor);
        };
        self.write(&it.to_string());
        self.placed(visitor.visit_bool(*it))
    }

    forward! { text: deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.wrong(&visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.wrong(&visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        if self.value.is_null() {
            self.write("None");
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        if !self.value.is_null() {
            return self.wrong(&visitor);
        }
        self.write("()");
        self.placed(visitor.visit_unit())
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        if name == RAW_VALUE {
            let text = any(self.value);
            self.write(&text);
            return self.placed(visitor.visit_str(&text));
        }
        let ron = self.ron;
        self.write("(");
        let read = visitor.visit_newtype_struct(self)?;
        ron.borrow_mut().push(')');
        Ok(read)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.list(visitor, ("[", "]"))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        self.list(visitor, ("(", ")"))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        self.list(visitor, ("(", ")"))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.fields(visitor, None)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        self.fields(visitor, Some(name))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        let (name, content) = match self.value {
            Value::String(name) => (name, None),
            Value::Object(map) => match one(map) {
                Some((name, content)) => (name, Some(content)),
                None => return self.wrong(&"a name, or an object with one name"),
            },
            _ => return self.wrong(&"a name, or an object with one name"),
        };
        let content = content.map(|content| self.child(content, name));
        self.placed(visitor.visit_enum(Variant {
            name,
            content,
            ron: self.ron,
        }))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        self.write(&any(self.value));
        visitor.visit_unit()
    }
}

fn one(map: &Map<String, Value>) -> Option<(&String, &Value)> {
    map.iter().next().filter(|_| map.len() == 1)
}

/// One of several, with what it holds.
struct Variant<'a> {
    name: &'a str,
    content: Option<JsonValue<'a>>,
    ron: &'a RefCell<String>,
}

impl<'de, 'a> EnumAccess<'de> for Variant<'a> {
    type Error = JsonError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), JsonError> {
        let key = Key {
            key: self.name,
            ron: self.ron,
            is_struct: &Cell::new(true),
        };
        Ok((seed.deserialize(key)?, self))
    }
}

impl<'a> Variant<'a> {
    fn content(self) -> Result<JsonValue<'a>, JsonError> {
        let name = self.name;
        self.content.ok_or_else(|| {
            JsonError::custom(format!("`{name}` needs a value, as in {{\"{name}\": ..}}"))
        })
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = JsonError;

    fn unit_variant(self) -> Result<(), JsonError> {
        match self.content {
            None => Ok(()),
            Some(content) if content.value.is_null() => Ok(()),
            Some(content) => content.wrong(&"nothing"),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, JsonError> {
        let ron = self.ron;
        let content = self.content()?;
        ron.borrow_mut().push('(');
        let read = seed.deserialize(content)?;
        ron.borrow_mut().push(')');
        Ok(read)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, JsonError> {
        self.content()?.list(visitor, ("(", ")"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        let name = self.name;
        self.content()?.fields(visitor, Some(name))
    }
}
