//! Every way to change one place of a recorded body.

use bevy::prelude::*;
use bevy_dramatis::journal::Record;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One change of a JSON value, and the field that must be named.
pub struct Change {
    pub path: Vec<String>,
    pub how: How,
}

#[derive(Debug, Clone)]
pub enum How {
    /// Another value of the same type.
    Other,
    /// A value of another type.
    Retyped,
    /// A key that the value did not have.
    Added,
    /// The value loses this key.
    Removed(String),
    /// The value loses its last element.
    Dropped,
    /// The last element is there twice.
    Doubled,
}

impl Change {
    pub fn at<'a>(&self, mut value: &'a mut Value) -> &'a mut Value {
        for key in &self.path {
            value = match value {
                Value::Array(items) => &mut items[key.parse::<usize>().unwrap()],
                other => &mut other[key.as_str()],
            };
        }
        value
    }

    pub fn make(&self, body: &mut Map<String, Value>) {
        let mut whole = Value::Object(std::mem::take(body));
        let value = self.at(&mut whole);
        match &self.how {
            How::Other => *value = other(value),
            How::Retyped => *value = retyped(value),
            How::Added => value["zz_added"] = json!(1),
            How::Removed(key) => {
                value.as_object_mut().unwrap().remove(key).unwrap();
            }
            How::Dropped => {
                value.as_array_mut().unwrap().pop().unwrap();
            }
            How::Doubled => {
                let items = value.as_array_mut().unwrap();
                items.push(items.last().unwrap().clone());
            }
        }
        *body = match whole {
            Value::Object(map) => map,
            other => panic!("no body: {other}"),
        };
    }

    /// The pointer to what differs.
    pub fn pointer(&self, body: &Map<String, Value>) -> Vec<String> {
        let mut path = self.path.clone();
        let mut whole = Value::Object(body.clone());
        let length = self.at(&mut whole).as_array().map_or(0, Vec::len);
        match &self.how {
            How::Other | How::Retyped => {}
            How::Added => path.push("zz_added".to_owned()),
            How::Removed(key) => path.push(key.clone()),
            How::Dropped => path.push((length - 1).to_string()),
            How::Doubled => path.push(length.to_string()),
        }
        path
    }

    /// The fields of which the error must name one.
    pub fn named(&self, record: &Record) -> Vec<String> {
        let pointer = self.pointer(&record.body);
        let head = ["game", "kind", "seq", "subject"].map(|part| format!("/{part}"));
        let top = pointer[0].as_str();
        if top == "seals" {
            return match (pointer.get(1).map(String::as_str), pointer.get(2)) {
                // The body has no seals any more.
                (None, _) => head.to_vec(),
                (Some("head"), None) => head.to_vec(),
                (Some("head"), Some(part)) if part == "zz_added" => vec!["/head".to_owned()],
                (Some("head"), Some(part)) => vec![format!("/{part}")],
                (Some(field), _) => vec![format!("/{field}")],
            };
        }
        if record.kind.outputs().contains(&top) && pointer.len() > 1 || top == "zz_added" {
            let escaped = pointer
                .iter()
                .map(|key| key.replace('~', "~0").replace('/', "~1"));
            return vec![escaped.fold(String::new(), |pointer, key| format!("{pointer}/{key}"))];
        }
        vec![format!("/{top}")]
    }
}

pub fn other(value: &Value) -> Value {
    match value {
        Value::Null => json!("not null"),
        Value::Bool(value) => json!(!value),
        Value::Number(number) => match number.as_u64() {
            Some(number) => json!(number ^ 1),
            None => json!(number.as_i64().unwrap() - 1),
        },
        Value::String(text) => json!(format!("{text}!")),
        Value::Array(_) | Value::Object(_) => panic!("no leaf: {value}"),
    }
}

pub fn retyped(value: &Value) -> Value {
    match value {
        Value::Null | Value::String(_) => json!(5),
        Value::Bool(value) => json!(value.to_string()),
        Value::Number(number) => json!(number.to_string()),
        Value::Array(items) if items.is_empty() => json!({}),
        Value::Array(_) => json!([]),
        Value::Object(_) => Value::Null,
    }
}

/// Every change of this value.
pub fn changes(value: &Value, path: &[String], all: &mut Vec<Change>) {
    let mut add = |how| {
        all.push(Change {
            path: path.to_vec(),
            how,
        });
    };
    match value {
        Value::Object(map) => {
            add(How::Added);
            if !path.is_empty() {
                add(How::Retyped);
            }
            for (key, inner) in map {
                all.push(Change {
                    path: path.to_vec(),
                    how: How::Removed(key.clone()),
                });
                changes(inner, &[path, std::slice::from_ref(key)].concat(), all);
            }
        }
        Value::Array(items) => {
            if items.is_empty() {
                add(How::Retyped);
            } else {
                add(How::Dropped);
                add(How::Doubled);
            }
            for (index, inner) in items.iter().enumerate() {
                changes(inner, &[path, &[index.to_string()]].concat(), all);
            }
        }
        _ => {
            add(How::Other);
            add(How::Retyped);
        }
    }
}

/// Some of the changes of a record: each top-level field has its turn, and the part of it that changes varies from record to record.
pub fn chosen(record: &Record) -> Vec<Change> {
    let mut all = Vec::new();
    changes(&Value::Object(record.body.clone()), &[], &mut all);
    let mut fields: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    for change in all {
        let top = change.pointer(&record.body).swap_remove(0);
        fields.entry(top).or_default().push(change);
    }
    let mut chosen = Vec::new();
    for (field, changes) in fields {
        let most = match field.as_str() {
            "attempts" => 6,
            "effects" => 4,
            "seals" | "game" => 3,
            _ => 2,
        };
        let step = changes.len().div_ceil(most);
        let from = usize::try_from(record.seq).unwrap() % step;
        chosen.extend(changes.into_iter().skip(from).step_by(step));
    }
    chosen
}
