//! Objects whose members are in the order of the text.

use super::form::MALFORMED;
use crate::journal::store::error::StoreProblem;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The members of an object in the order in which they appear there, as text.
pub(super) struct Members<'a>(pub Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

pub(super) fn parsed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, StoreProblem> {
    serde_json::from_str(text).map_err(|_| MALFORMED)
}

impl Members<'_> {
    /// Writes them as an object. `put` may write something else in the place of a value, by its name, and says whether it did.
    pub(crate) fn write(
        &self,
        out: &mut String,
        mut put: impl FnMut(&mut String, &str, &str) -> Result<bool, StoreProblem>,
    ) -> Result<(), StoreProblem> {
        out.push('{');
        for (i, (name, value)) in self.0.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push_str(&Value::from(&**name).to_string());
            out.push(':');
            if !put(out, name, value.get())? {
                out.push_str(value.get());
            }
        }
        out.push('}');
        Ok(())
    }
}

/// Writes a list whose items `put` writes.
pub(super) fn write_list(
    out: &mut String,
    list: &str,
    mut put: impl FnMut(&mut String, &str) -> Result<(), StoreProblem>,
) -> Result<(), StoreProblem> {
    let items: Vec<&RawValue> = parsed(list)?;
    out.push('[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        put(out, item.get())?;
    }
    out.push(']');
    Ok(())
}
