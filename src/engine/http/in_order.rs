//! JSON in which a schema keeps the order of its properties: a server that obeys a schema writes them in that order.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value};

/// Writes a value. The properties of a schema in it come in the order in which `required` lists them, and after them those
/// that it does not list.
pub(super) struct InOrder<'a>(pub &'a Value);

/// The properties of a schema, and what it requires.
struct Properties<'a>(&'a Map<String, Value>, &'a [Value]);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Self(value))?;
                }
                list.end()
            }
            Value::Object(fields) => {
                let required = fields.get("required").and_then(Value::as_array);
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    match (name.as_str(), value, required) {
                        ("properties", Value::Object(properties), Some(required)) => {
                            map.serialize_entry(name, &Properties(properties, required))?;
                        }
                        _ => map.serialize_entry(name, &Self(value))?,
                    }
                }
                map.end()
            }
            plain => plain.serialize(serializer),
        }
    }
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(properties, required) = *self;
        let required: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        let place = |name: &str| required.iter().position(|one| *one == name);
        let mut names: Vec<&String> = properties.keys().collect();
        names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
        let mut map = serializer.serialize_map(Some(names.len()))?;
        for name in names {
            if let Some(value) = properties.get(name) {
                map.serialize_entry(name, &InOrder(value))?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn p12_properties_stand_in_the_order_in_which_they_are_required() {
        let inner = json!({"properties": {"a": {}, "type": {}}, "required": ["type"]});
        let schema = json!({
            "properties": {"dialogue": {}, "intents": [inner], "mutations": {}},
            "required": ["intents", "mutations", "dialogue"],
        });
        let written = serde_json::to_string(&InOrder(&schema)).unwrap();
        let place = |name: &str| written.find(name).unwrap();
        assert!(place("\"intents\":[") < place("\"mutations\":{"));
        assert!(place("\"mutations\":{") < place("\"dialogue\":{"));
        assert!(place("\"type\":{") < place("\"a\":{"));
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), schema);
    }
}
