//! How bodies are described: as structs whose fields know their names in the file.
//!
//! The names appear once, in the struct. It decides which fields are inputs, which are outputs and which are sealed.

use crate::base::canonical::{Fractions, canonical_json, to_canonical_with};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use thiserror::Error;

/// Where the fields of a body are read from, by name.
pub(super) trait FieldSource {
    /// The field; `None` when there is none of that name.
    fn field<T: DeserializeOwned>(&self, name: &str) -> Option<serde_json::Result<T>>;

    /// Whether there is such a field, whatever it says.
    fn has(&self, name: &str) -> bool;
}

impl FieldSource for Map<String, Value> {
    fn field<T: DeserializeOwned>(&self, name: &str) -> Option<serde_json::Result<T>> {
        self.get(name).cloned().map(serde_json::from_value)
    }

    fn has(&self, name: &str) -> bool {
        self.contains_key(name)
    }
}

/// The fields of a body whose values have not been read.
pub(super) type UnreadFields<'a> = BTreeMap<&'a str, &'a RawValue>;

impl FieldSource for UnreadFields<'_> {
    fn field<T: DeserializeOwned>(&self, name: &str) -> Option<serde_json::Result<T>> {
        let text = self.get(name)?.get();
        // Odd text is read, or refused, in the same way as by way of a tree.
        let by_tree = |_| serde_json::from_value(serde_json::from_str(text)?);
        Some(serde_json::from_str(text).or_else(by_tree))
    }

    fn has(&self, name: &str) -> bool {
        self.contains_key(name)
    }
}

/// Fields in the canonical encoding, by name.
pub(super) type WrittenFields = Vec<(&'static str, String)>;

/// A body that can be written field by field.
pub(super) trait WriteFields {
    /// Adds its fields, without fractions, and not sealed yet.
    fn write_fields(&self, fields: &mut WrittenFields);
}

impl<T: WriteFields> WriteFields for Box<T> {
    fn write_fields(&self, fields: &mut WrittenFields) {
        (**self).write_fields(fields);
    }
}

/// What a replay must find again.
pub(in crate::journal) trait OutputFields {
    /// The names of the fields, in the order in which one follows from the other.
    const NAMES: &'static [&'static str];
}

/// A body that can be read field by field.
pub(super) trait ReadFields: Sized {
    /// The names of the fields that every such record has.
    const INPUTS: &'static [&'static str];

    /// Reads the body from its fields.
    ///
    /// # Errors
    /// The first field that is missing or has another type than it should have.
    fn read(fields: &impl FieldSource) -> Result<Self, FieldError>;
}

impl<T: ReadFields> ReadFields for Box<T> {
    const INPUTS: &'static [&'static str] = T::INPUTS;

    fn read(fields: &impl FieldSource) -> Result<Self, FieldError> {
        T::read(fields).map(Self::new)
    }
}

/// The one field whose fractions are kept: what was asked is fed in again just as it was.
pub(super) const ASKED: &str = "asked";

/// A value of a field in the canonical encoding. Fractions become decimal strings, since a hash must not depend on how a number
/// is written.
pub(super) fn write_field<T: Serialize + ?Sized>(
    fields: &mut WrittenFields,
    name: &'static str,
    value: &T,
) {
    let is_asked = name == ASKED;
    let fractions = match is_asked {
        true => Fractions::AsNumber,
        false => Fractions::AsText,
    };
    let written = to_canonical_with(value, fractions);
    // A map whose keys are numbers has another way to be JSON.
    let written = written.unwrap_or_else(|_| {
        let value = serde_json::to_value(value).unwrap_or_default();
        canonical_json(&match is_asked {
            true => value,
            false => without_fractions(value),
        })
    });
    fields.push((name, written));
}

/// A JSON value without fractions: they become decimal strings, since a hash must not depend on how a number is written.
#[must_use]
pub fn without_fractions(value: Value) -> Value {
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            Value::String(number.to_string())
        }
        Value::Array(items) => items.into_iter().map(without_fractions).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, without_fractions(value)))
            .collect(),
        other => other,
    }
}

/// Why a field of a record's body cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{field}\": {why}")]
pub struct FieldError {
    /// The field's name in the file.
    pub field: &'static str,
    /// The problem of its value.
    pub why: String,
}

/// A field that must be there. A missing one is read as `null`.
pub(super) fn required<T: DeserializeOwned>(
    fields: &impl FieldSource,
    field: &'static str,
) -> Result<T, FieldError> {
    let found = fields.field(field);
    let found = found.unwrap_or_else(|| serde_json::from_value(Value::Null));
    found.map_err(|error| FieldError {
        field,
        why: error.to_string(),
    })
}

/// A field that may be missing. `null` is not the same as missing.
pub(super) fn optional<T: DeserializeOwned>(
    fields: &impl FieldSource,
    field: &'static str,
) -> Result<Option<T>, FieldError> {
    match fields.has(field) {
        true => required(fields, field).map(Some),
        false => Ok(None),
    }
}

/// A struct that is fed to a replay.
///
/// - `inputs` are always written, and a record without one of them is damaged.
/// - `notes` are always written; a record of an older version may lack them.
/// - `extras` are written when there is something to say, and left out otherwise.
/// - `labels` are like `extras`, but only people read them.
macro_rules! input_fields {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            inputs { $($(#[$im:meta])* $input:ident: $it:ty = $iname:literal,)* }
            $(notes { $($(#[$nm:meta])* $note:ident: $nt:ty = $nname:literal,)* })?
            $(extras { $($(#[$em:meta])* $extra:ident: $et:ty = $ename:literal,)* })?
            $(labels { $($(#[$lm:meta])* $label:ident: $lt:ty = $lname:literal,)* })?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$im])* #[serde(rename = $iname)] pub $input: $it,)*
            $($($(#[$nm])* #[serde(rename = $nname)] pub $note: $nt,)*)?
            $($($(#[$em])* #[serde(rename = $ename, skip_serializing_if = "Option::is_none")] pub $extra: Option<$et>,)*)?
            $($($(#[$lm])* #[serde(rename = $lname, skip_serializing_if = "Option::is_none")] pub $label: Option<$lt>,)*)?
        }

        impl $crate::journal::record::fields::ReadFields for $name {
            const INPUTS: &'static [&'static str] = &[$($iname),*];

            fn read(
                fields: &impl $crate::journal::record::fields::FieldSource,
            ) -> Result<Self, $crate::journal::record::fields::FieldError> {
                #[allow(unused_imports, reason = "not every record has extras")]
                use $crate::journal::record::fields::{optional, required};
                Ok(Self {
                    $($input: required(fields, $iname)?,)*
                    $($($note: required(fields, $nname)?,)*)?
                    $($($extra: optional(fields, $ename)?,)*)?
                    $($($label: None,)*)?
                })
            }
        }

        impl $crate::journal::record::fields::WriteFields for $name {
            fn write_fields(&self, fields: &mut $crate::journal::record::fields::WrittenFields) {
                use $crate::journal::record::fields::write_field;
                $(write_field(fields, $iname, &self.$input);)*
                $($(write_field(fields, $nname, &self.$note);)*)?
                $($(if let Some(extra) = &self.$extra { write_field(fields, $ename, extra); })*)?
                $($(if let Some(label) = &self.$label { write_field(fields, $lname, label); })*)?
            }
        }
    };
}

/// A struct that a replay must find again: written and compared, never read.
macro_rules! output_fields {
    (
        $(#[$meta:meta])*
        pub struct $name:ident<'a> {
            $($(#[$fm:meta])* $field:ident: $ft:ty = $fname:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize)]
        pub struct $name<'a> {
            $($(#[$fm])* #[serde(rename = $fname)] pub $field: $ft,)*
        }

        impl $crate::journal::record::fields::OutputFields for $name<'_> {
            const NAMES: &'static [&'static str] = &[$($fname),*];
        }

        impl $crate::journal::record::fields::WriteFields for $name<'_> {
            fn write_fields(&self, fields: &mut $crate::journal::record::fields::WrittenFields) {
                use $crate::journal::record::fields::write_field;
                $(write_field(fields, $fname, &self.$field);)*
            }
        }
    };
}

pub(super) use {input_fields, output_fields};

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    input_fields! {
        /// A body.
        pub struct Body {
            inputs {
                /// A number.
                number: u64 = "count",
            }
            notes {
                /// A note.
                note: Option<String> = "note",
            }
            extras {
                /// An extra.
                extra: Option<u64> = "extra",
            }
            labels {
                /// A label.
                label: String = "label",
            }
        }
    }

    fn read(value: Value) -> Result<Body, FieldError> {
        Body::read(value.as_object().unwrap())
    }

    #[test]
    fn j1_null_and_missing_are_two_things() {
        let body = read(json!({"count": 1, "note": null})).unwrap();
        assert_eq!(json!(body), json!({"count": 1, "note": null}));
        let body = read(json!({"count": 1, "extra": null, "label": "x"})).unwrap();
        assert_eq!(
            json!(body),
            json!({"count": 1, "note": null, "extra": null})
        );
        assert_eq!(Body::INPUTS, ["count"]);
    }

    #[test]
    fn j4_a_field_that_cannot_be_read_is_named() {
        assert_eq!(read(json!({"note": "x"})).unwrap_err().field, "count");
        let error = read(json!({"count": 1, "extra": "x"})).unwrap_err();
        assert_eq!(error.field, "extra");
        assert!(error.to_string().starts_with("\"extra\": "));
    }

    /// However a value is written: by a tree, or straight.
    #[test]
    fn j1_a_field_is_written_as_its_tree_would_be() {
        #[derive(Serialize)]
        struct Odd {
            z: f64,
            a: (f32, i64),
            n: f64,
            of: BTreeMap<u8, f64>,
        }
        let odd = Odd {
            z: 0.1,
            a: (0.1, -3),
            n: f64::NAN,
            of: BTreeMap::new(),
        };
        let numbered = Odd {
            of: BTreeMap::from([(2, 1e300), (10, -0.0)]),
            z: 4.0,
            ..odd
        };
        for value in [&odd, &numbered] {
            let mut fields = WrittenFields::new();
            write_field(&mut fields, "now", value);
            write_field(&mut fields, ASKED, value);
            let tree = json!(value);
            assert_eq!(
                fields[0].1,
                canonical_json(&without_fractions(tree.clone()))
            );
            assert_eq!(fields[1].1, canonical_json(&tree));
            assert!(fields[0].1.contains(r#""n":null"#));
        }
    }
}
