//! Typed actions in a scenario file.

use crate::format::Name;
use crate::world::{ProposedAction, WorldValue};
use serde::Deserialize;
use serde::de::{Deserializer, EnumAccess, Error as _, MapAccess, VariantAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A typed action as a step writes it: `Take(target: "key_1")`. Reading accepts any name and any fields; the loader then
/// compares them with the actions that exist.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionSpec {
    /// Its name as written, in `CamelCase`. The loader refuses a name that does not begin with a capital letter.
    pub written: String,
    /// The fields that were given, by name. A field that was written as `None` is left out.
    pub fields: BTreeMap<String, FieldSpec>,
}

/// How the names of actions and fields are read.
const NAME: Name = Name("a name");

/// What a field of an action in a step is.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldSpec {
    /// A text, a whole number, true or false.
    Value(WorldValue),
    /// Attributes of a new entity, by name: `{"takeable": true}`.
    Attributes(BTreeMap<String, WorldValue>),
}

impl FieldSpec {
    fn to_json(&self) -> Value {
        match self {
            Self::Value(value) => value.to_json(),
            Self::Attributes(attributes) => {
                let attributes = attributes.iter();
                let attributes = attributes.map(|(name, value)| (name.clone(), value.to_json()));
                Value::Object(attributes.collect())
            }
        }
    }
}

impl ActionSpec {
    /// The action's name as rulebooks and replies spell it: `PickLock` is `pick_lock`.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = String::new();
        for c in self.written.chars() {
            if c.is_uppercase() {
                if !name.is_empty() {
                    name.push('_');
                }
                name.extend(c.to_lowercase());
            } else {
                name.push(c);
            }
        }
        name
    }

    /// Whether an action in a trace is this one: of the same name, with at least these fields.
    #[must_use]
    pub fn is(&self, done: &Value) -> bool {
        let mut fields = self.fields.iter();
        done["type"] == self.name()
            && fields.all(|(name, value)| done.get(name) == Some(&value.to_json()))
    }

    /// The action as a proposal, which is normalised and judged like any other.
    #[must_use]
    pub fn proposed(&self) -> ProposedAction {
        let fields = self.fields.iter();
        ProposedAction {
            kind: self.name(),
            fields: fields
                .map(|(name, value)| (name.clone(), value.to_json()))
                .collect(),
            ..ProposedAction::default()
        }
    }
}

impl<'de> Deserialize<'de> for ActionSpec {
    // The names of a game's own actions are not known here, so this is an enum whose variants are open.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ActionVisitor;
        impl<'de> Visitor<'de> for ActionVisitor {
            type Value = ActionSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an action such as Take(target: \"key_1\")")
            }
            fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<ActionSpec, A::Error> {
                let (written, fields) = data.variant_seed(NAME)?;
                let fields = fields.struct_variant(&[], FieldsVisitor)?;
                Ok(ActionSpec { written, fields })
            }
        }
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = BTreeMap<String, FieldSpec>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("named fields")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some(name) = map.next_key_seed(NAME)? {
                    if fields.contains_key(&name) {
                        let name = name.escape_debug();
                        return Err(A::Error::custom(format!(
                            "the field \"{name}\" is listed twice"
                        )));
                    }
                    // `None` counts as left out, and `Some(..)` may be written around a value.
                    if let Some(value) = map.next_value::<Option<FieldSpec>>()? {
                        fields.insert(name, value);
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_enum("Action", &[], ActionVisitor)
    }
}

impl<'de> Deserialize<'de> for FieldSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldVisitor;
        impl<'de> Visitor<'de> for FieldVisitor {
            type Value = FieldSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, a whole number, a text in quotes, or attributes by name")
            }
            fn visit_bool<E>(self, value: bool) -> Result<FieldSpec, E> {
                Ok(FieldSpec::Value(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<FieldSpec, E> {
                Ok(FieldSpec::Value(value.into()))
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<FieldSpec, E> {
                i64::try_from(value)
                    .map(|value| FieldSpec::Value(value.into()))
                    .map_err(|_| E::custom(format!("{value} is too large")))
            }
            fn visit_str<E>(self, value: &str) -> Result<FieldSpec, E> {
                Ok(FieldSpec::Value(value.into()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldSpec, A::Error> {
                let mut attributes = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, WorldValue>()? {
                    if attributes.insert(name.clone(), value).is_some() {
                        let name = name.escape_debug();
                        let message = format!("the attribute \"{name}\" is listed twice");
                        return Err(A::Error::custom(message));
                    }
                }
                Ok(FieldSpec::Attributes(attributes))
            }
        }
        deserializer.deserialize_any(FieldVisitor)
    }
}
