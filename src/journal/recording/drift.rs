//! Where a replayed record differs from the one that was written down: the first field, by the order in which one
//! follows from the other.

use crate::format::pointer;
use crate::journal::record::OutputFields;
use crate::journal::record::{AttemptOutputs, EncodedRecord, Record};
use serde::Serialize;
use serde_json::{Map, Value};

/// The longest excerpt of a value that a report shows, in characters.
const MAX_SHOWN: usize = 200;

/// A difference between a recording and its replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Divergence {
    /// The number of the record in the recording, from 1.
    pub seq: u64,
    /// The name of the record's kind in a file, such as `turn`.
    pub kind: &'static str,
    /// The field, as a JSON pointer into the record's body, such as `/attempts/0/verdict/passed`; `/game`, `/kind`, `/seq` and
    /// `/subject` are of the record itself.
    pub field: String,
    /// The recorded value, as JSON that may be cut; `None` when the field is missing there.
    pub recorded: Option<String>,
    /// What the replay found, as JSON that may be cut; `None` when the field is missing there.
    pub replayed: Option<String>,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        write!(
            f,
            "record {} ({}): {}: recorded {}, replayed {}",
            self.seq,
            self.kind,
            self.field,
            shown(&self.recorded),
            shown(&self.replayed)
        )
    }
}

/// The first field in which a replayed record differs; `None` when there is none. An output that is missing, on either
/// side or on both, differs.
fn first_difference(recorded: &Record, replayed: &Record) -> Option<Divergence> {
    let divergence = |field: String, a: Option<&Value>, b: Option<&Value>| Divergence {
        seq: recorded.seq,
        kind: recorded.kind.name(),
        field,
        recorded: a.map(shown),
        replayed: b.map(shown),
    };
    if recorded.kind != replayed.kind {
        let kind = |record: &Record| Value::from(record.kind.name());
        let (a, b) = (kind(recorded), kind(replayed));
        return Some(divergence("/kind".to_owned(), Some(&a), Some(&b)));
    }
    for field in recorded.kind.outputs() {
        let (a, b) = (recorded.body.get(*field), replayed.body.get(*field));
        let pointer = format!("/{field}");
        let (Some(a), Some(b)) = (a, b) else {
            return Some(divergence(pointer, a, b));
        };
        if let Some((pointer, a, b)) = differing(&pointer, a, b) {
            return Some(divergence(pointer, a, b));
        }
    }
    let head = [
        ("/game", recorded.game.0.into(), replayed.game.0.into()),
        (
            "/subject",
            recorded.subject.clone().into(),
            replayed.subject.clone().into(),
        ),
    ];
    let mut head = head.iter().filter(|(_, a, b): &&(_, Value, Value)| a != b);
    head.next()
        .map(|(field, a, b)| divergence((*field).to_owned(), Some(a), Some(b)))
}

/// The same of two records as text: they are read only where the texts differ. `same_prompts`: whether the version that made the
/// recorded one writes the same prompts; where it does not, they are passed over.
pub(crate) fn first_difference_of_texts(
    recorded: &EncodedRecord,
    replayed: &EncodedRecord,
    same_prompts: bool,
) -> Option<Divergence> {
    if has_same_outputs(recorded, replayed) {
        return None;
    }
    let unread = |record: &EncodedRecord| Record {
        seq: record.seq,
        kind: record.kind,
        game: record.game,
        subject: record.subject.clone(),
        body: Map::new(),
    };
    let read = |record: &EncodedRecord| record.to_record().unwrap_or_else(|_| unread(record));
    let (mut recorded, mut replayed) = (read(recorded), read(replayed));
    if !same_prompts {
        for (name, made) in &mut replayed.body {
            if let Some(written) = recorded.body.get_mut(name) {
                pass_over_prompts(written, made);
            }
        }
    }
    first_difference(&recorded, &replayed)
}

/// What an attempt has of its prompt.
const OF_PROMPTS: [&str; 6] = [
    "prompt", "messages", "sampling", "sections", "cut", "snapshot",
];

/// Takes away what attempts of another version have of their prompts, and the same of what was made again.
fn pass_over_prompts(recorded: &mut Value, replayed: &mut Value) {
    match (recorded, replayed) {
        (Value::Array(recorded), Value::Array(replayed)) => {
            let pairs = recorded.iter_mut().zip(replayed);
            pairs.for_each(|(recorded, replayed)| pass_over_prompts(recorded, replayed));
        }
        (Value::Object(recorded), Value::Object(replayed)) => {
            if recorded.contains_key("snapshot") {
                for name in OF_PROMPTS {
                    recorded.remove(name);
                    replayed.remove(name);
                }
            }
            for (name, made) in replayed {
                if let Some(written) = recorded.get_mut(name) {
                    pass_over_prompts(written, made);
                }
            }
        }
        _ => {}
    }
}

/// Whether all outputs have the same text. `replayed` was made here, and so has every output.
fn has_same_outputs(recorded: &EncodedRecord, replayed: &EncodedRecord) -> bool {
    let head = |record: &EncodedRecord| (record.kind, record.game, record.subject.clone());
    if head(recorded) != head(replayed) {
        return false;
    }
    if recorded.body == replayed.body {
        // Nearly always.
        return true;
    }
    let (Some(a), Some(b)) = (recorded.fields(), replayed.fields()) else {
        return false;
    };
    let mut outputs = recorded.kind.outputs().iter();
    outputs.all(|name| {
        let (a, b) = (a.get(name), b.get(name));
        a.is_some() && a.map(|text| text.get()) == b.map(|text| text.get())
    })
}

type Differing<'a> = (String, Option<&'a Value>, Option<&'a Value>);

fn differing<'a>(pointer: &str, a: &'a Value, b: &'a Value) -> Option<Differing<'a>> {
    if a == b {
        // Nearly always: which field it is needs no looking for.
        return None;
    }
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => differing_field(pointer, a, b),
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|i| {
            let pointer = format!("{pointer}/{i}");
            match (a.get(i), b.get(i)) {
                (Some(a), Some(b)) => differing(&pointer, a, b),
                (a, b) => Some((pointer, a, b)),
            }
        }),
        _ => (a != b).then(|| (pointer.to_owned(), Some(a), Some(b))),
    }
}

fn differing_field<'a>(
    pointer: &str,
    a: &'a Map<String, Value>,
    b: &'a Map<String, Value>,
) -> Option<Differing<'a>> {
    // The fields of an attempt follow from each other; what is not among them comes after, in order of the alphabet.
    let attempt = AttemptOutputs::NAMES;
    let order = |key: &&str| attempt.iter().position(|field| field == key);
    let mut keys: Vec<&str> = a.keys().chain(b.keys()).map(String::as_str).collect();
    keys.sort_unstable_by_key(|key| (order(key).unwrap_or(attempt.len()), *key));
    keys.dedup();
    keys.into_iter().find_map(|key| {
        let pointer = format!("{pointer}/{}", pointer::key(key));
        match (a.get(key), b.get(key)) {
            (Some(a), Some(b)) => differing(&pointer, a, b),
            (a, b) => Some((pointer, a, b)),
        }
    })
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= MAX_SHOWN {
        return text;
    }
    let cut: String = text.chars().take(MAX_SHOWN).collect();
    format!("{cut}..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::GameTime;
    use crate::journal::record::RecordKind;
    use serde_json::json;

    fn turn(body: Value) -> Record {
        let mut fields = Map::new();
        for field in RecordKind::Turn.outputs() {
            fields.insert((*field).to_owned(), Value::Null);
        }
        fields.extend(body.as_object().cloned().unwrap());
        Record {
            seq: 3,
            kind: RecordKind::Turn,
            game: GameTime(0),
            subject: None,
            body: fields,
        }
    }

    #[test]
    fn j4_the_first_field_that_differs_is_named() {
        let a = turn(json!({"actions": [{"result": "OK"}], "world": {"after": "1"}}));
        let b = turn(json!({"actions": [{"result": "LOCKED"}], "world": {"after": "2"}}));
        assert_eq!(first_difference(&a, &a), None);
        let found = first_difference(&a, &b).unwrap();
        assert_eq!(found.field, "/actions/0/result");
        assert_eq!(found.recorded.as_deref(), Some("\"OK\""));
        let longer = turn(json!({"actions": [{"result": "OK"}, {}], "world": {"after": "1"}}));
        assert_eq!(first_difference(&a, &longer).unwrap().field, "/actions/1");
    }

    #[test]
    fn j4_missing_is_never_equal_to_missing() {
        for field in RecordKind::Turn.outputs() {
            let mut bare = turn(json!({}));
            bare.body.remove(*field);
            let found = first_difference(&bare, &bare).unwrap().field;
            assert_eq!(found, format!("/{field}"));
        }
        let mut nested = turn(json!({"actions": [{"result": "OK"}]}));
        let b = nested.clone();
        nested.body["actions"][0].as_object_mut().unwrap().clear();
        assert_eq!(
            first_difference(&nested, &b).unwrap().field,
            "/actions/0/result"
        );
    }
}
