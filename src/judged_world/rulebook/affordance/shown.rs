//! An affordance as prompts and schemas show it.

use crate::base::ids::Id;
use crate::judged_world::rulebook::affordance::{Affordance, FreeField, FreeValue};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Affordance {
    /// The JSON schemas of an entry of `intents` that names this action: together they accept exactly its combinations.
    #[must_use]
    pub fn schemas(&self) -> Vec<Value> {
        let combinations = self.combinations.iter().map(Vec::as_slice);
        // An action that refers to nothing may need words that no other one needs: it gets its own schema.
        let (alone, combinations): (Vec<_>, Vec<_>) =
            combinations.partition(|ids| ids.iter().all(Option::is_none));
        let alone = alone.first().map(|_| Vec::new());
        let branches = branches(&self.fields, &combinations).into_iter();
        let branches = branches.filter(|_| !combinations.is_empty());
        alone
            .into_iter()
            .chain(branches)
            .map(|references| schema_of(self, &references))
            .collect()
    }
}

impl Affordance {
    /// What a prompt says of it, in at most 8 lines: the action, and what it can refer to.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let combinations: Vec<&[Option<Id>]> =
            self.combinations.iter().map(Vec::as_slice).collect();
        let branches = branches(&self.fields, &combinations).into_iter();
        let lines = branches
            .take(MAX_LINES)
            .map(|branch| line_of(self, &branch));
        let lines: Vec<String> = lines.collect();
        lines.into_iter()
    }
}

/// The most lines that a prompt spends on one action.
const MAX_LINES: usize = 8;
/// The most ids that one line names.
const MAX_NAMED: usize = 24;

fn line_of(affordance: &Affordance, branch: &Branch) -> String {
    let mut line = affordance.action.to_owned();
    for (field, ids, optional) in branch.iter().filter(|(_, ids, _)| !ids.is_empty()) {
        let or_not = if *optional { ", or none" } else { "" };
        let named: Vec<&str> = ids.iter().copied().take(MAX_NAMED).collect();
        let more = ids.len() - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let label = if *field == "target" {
            " ".to_owned()
        } else {
            format!("; {field}: ")
        };
        line.push_str(&format!("{label}{}{more}{or_not}", named.join(", ")));
    }
    line
}

impl FreeField {
    /// What it may hold, for people and for a model: `text`, `text or null`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let what = match &self.value {
            FreeValue::Text => "text".to_owned(),
            FreeValue::Integer => "whole number".to_owned(),
            FreeValue::Flag => "true or false".to_owned(),
            FreeValue::Attributes(names) => {
                let names: Vec<String> = names.iter().map(|n| format!("{n:?}: value")).collect();
                format!("{{{}}}", names.join(", "))
            }
        };
        if self.required {
            what
        } else {
            what + " or null"
        }
    }
}

/// One choice for each reference field: ids, and whether it may be left out.
type Branch<'a> = Vec<(&'static str, Vec<&'a str>, bool)>;

/// The combinations as few products of choices: values of a field that allow the same rest are grouped.
fn branches<'a>(fields: &[&'static str], combinations: &[&'a [Option<Id>]]) -> Vec<Branch<'a>> {
    let Some((field, rest)) = fields.split_first() else {
        return vec![Vec::new()];
    };
    type Rests<'a> = Vec<&'a [Option<Id>]>;
    let mut by_value: BTreeMap<Option<&'a str>, Rests<'a>> = BTreeMap::new();
    for ids in combinations {
        if let Some((value, after)) = ids.split_first() {
            by_value.entry(value.as_deref()).or_default().push(after);
        }
    }
    let mut by_rest: BTreeMap<Rests<'a>, Vec<Option<&'a str>>> = BTreeMap::new();
    for (value, mut after) in by_value {
        after.sort_unstable();
        by_rest.entry(after).or_default().push(value);
    }
    let mut all = Vec::new();
    for (after, values) in by_rest {
        let ids: Vec<&str> = values.iter().copied().flatten().collect();
        let optional = values.contains(&None);
        for branch in branches(rest, &after) {
            let mut whole = vec![(*field, ids.clone(), optional)];
            whole.extend(branch);
            all.push(whole);
        }
    }
    all
}

/// The schema of an action with these choices. Every property is required; one that may be left out may be `null`.
fn schema_of(affordance: &Affordance, references: &Branch) -> Value {
    let mut properties = serde_json::Map::new();
    properties.insert("type".to_owned(), json!({"const": affordance.action}));
    let named = references.iter().filter(|(_, ids, _)| !ids.is_empty());
    for (field, ids, optional) in named {
        let left_out = optional.then_some(Value::Null);
        let ids = ids.iter().map(|id| Value::from(*id));
        let choices: Vec<Value> = left_out.into_iter().chain(ids).collect();
        properties.insert((*field).to_owned(), json!({"enum": choices}));
    }
    let refers_to_nothing = references.iter().all(|(_, ids, _)| ids.is_empty());
    let words = affordance.words.iter();
    for field in words.filter(|field| field.fits(refers_to_nothing)) {
        let schema = match &field.value {
            FreeValue::Integer => json!({"type": "integer"}),
            FreeValue::Flag => json!({"type": "boolean"}),
            FreeValue::Text => json!({"type": "string", "minLength": 1, "maxLength": 300}),
            FreeValue::Attributes(names) => attributes_schema(names),
        };
        let schema = match field.required {
            true => schema,
            false => json!({"anyOf": [{"type": "null"}, schema]}),
        };
        properties.insert(field.name.to_owned(), schema);
    }
    object_of(properties)
}

/// Each listed attribute as a number, a truth value, a short text, or none.
fn attributes_schema(names: &[String]) -> Value {
    let value = json!({"anyOf": [
        {"type": "null"},
        {"type": "boolean"},
        {"type": "integer"},
        {"type": "string", "pattern": "^[A-Za-z0-9_ -]{1,40}$"}
    ]});
    let properties = names.iter().map(|name| (name.clone(), value.clone()));
    object_of(properties.collect())
}

fn object_of(properties: serde_json::Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false
    })
}
