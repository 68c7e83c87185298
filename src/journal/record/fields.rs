//! How bodies are described: as structs whose fields know their names in the file.
//!
//! The names stand once, in the struct. Which fields are inputs, which are outputs and what is sealed follows from it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

/// The fields of a body as JSON, by name.
pub(super) type Fields = Map<String, Value>;

/// Why a field of a record's body cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{field}\": {why}")]
pub struct FieldError {
    /// The field's name in the file.
    pub field: &'static str,
    /// What is wrong with its value.
    pub why: String,
}

/// A field that must be there. A missing one is read as `null`.
pub(super) fn required<T: DeserializeOwned>(
    fields: &Fields,
    field: &'static str,
) -> Result<T, FieldError> {
    let value = fields.get(field).cloned().unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|error| FieldError {
        field,
        why: error.to_string(),
    })
}

/// A field that may be missing. `null` is not the same as missing.
pub(super) fn optional<T: DeserializeOwned>(
    fields: &Fields,
    field: &'static str,
) -> Result<Option<T>, FieldError> {
    match fields.contains_key(field) {
        true => required(fields, field).map(Some),
        false => Ok(None),
    }
}

/// The fields of a struct; none for a value that is no struct.
pub(super) fn fields_of(body: &impl Serialize) -> Fields {
    match serde_json::to_value(body) {
        Ok(Value::Object(fields)) => fields,
        _ => Fields::new(),
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

        impl $name {
            /// The names of the fields that every such record has.
            pub const INPUTS: &'static [&'static str] = &[$($iname),*];

            pub(super) fn read(
                fields: &$crate::journal::record::fields::Fields,
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

        impl $name<'_> {
            /// The names of the fields, in the order in which one follows from the other.
            pub const NAMES: &'static [&'static str] = &[$($fname),*];
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
}
