//! Records: what is written down of everything that happens, in the order in which it took effect (contract row J1).
//!
//! | kind | of what | input fields |
//! |---|---|---|
//! | `checkpoint` | the whole game, at the start of a journal, after a gap, at a save | `game` |
//! | `interaction` | a run that ended | `context`, `timetable`, `bytes` |
//! | `turn` | a turn that an actor took | `asked` |
//! | `write` | a write of the game, or what it changed by itself | `source`, `now` |
//! | `entered`, `left` | a character came on stage, got another file, or went | `npc`, `asset`, `mind`; `npc` |
//! | `story` | another story, or another form of it | `asset` |
//! | `mind` | the game changed what a character has for itself | `npc`, `mind` |
//! | `settings` | policies, budget, seed, player, known names | `settings` |
//! | `cancel` | a run is to end as Cancelled | `run` |
//! | `refused` | a request that started nothing | `npc`, `error` |
//!
//! An input is what a replay is fed with; everything else it must find again by itself. Inputs are sealed, each with the
//! hash of its field, so that a change in a recording is named where it was made and not where it shows.

use crate::canonical::{Digest, canonical_json};
use crate::fixed::Millis;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a record is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// The whole game.
    Checkpoint,
    /// A run that ended.
    Interaction,
    /// A turn that an actor took.
    Turn,
    /// A write of the game.
    Write,
    /// A character came on stage, or got another file.
    Entered,
    /// A character went.
    Left,
    /// The story that is played.
    Story,
    /// The game changed a mind.
    Mind,
    /// Settings changed.
    Settings,
    /// A run is to end.
    Cancel,
    /// A request that started nothing.
    Refused,
}

impl RecordKind {
    const ALL: [Self; 11] = [
        Self::Checkpoint,
        Self::Interaction,
        Self::Turn,
        Self::Write,
        Self::Entered,
        Self::Left,
        Self::Story,
        Self::Mind,
        Self::Settings,
        Self::Cancel,
        Self::Refused,
    ];

    /// Its name in a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Checkpoint => "checkpoint",
            Self::Interaction => "interaction",
            Self::Turn => "turn",
            Self::Write => "write",
            Self::Entered => "entered",
            Self::Left => "left",
            Self::Story => "story",
            Self::Mind => "mind",
            Self::Settings => "settings",
            Self::Cancel => "cancel",
            Self::Refused => "refused",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The fields that a replay is fed with.
    #[must_use]
    pub fn inputs(self) -> &'static [&'static str] {
        match self {
            Self::Checkpoint => &["reason", "game"],
            Self::Interaction => &["context", "timetable", "bytes"],
            Self::Turn => &["asked"],
            Self::Write => &["source", "now"],
            Self::Entered => &["npc", "asset", "mind"],
            Self::Left => &["npc"],
            Self::Story => &["asset"],
            Self::Mind => &["npc", "mind"],
            Self::Settings => &["settings"],
            Self::Cancel => &["run"],
            Self::Refused => &["npc", "error"],
        }
    }

    /// The fields that a replay must find again, in the order in which one follows from the other.
    #[must_use]
    pub fn outputs(self) -> &'static [&'static str] {
        match self {
            Self::Interaction => &[
                "npc",
                "stage",
                "policy",
                "identity",
                "constraints",
                "memory",
                "attempts",
                "outcome",
                "effects",
                "mind",
                "world",
            ],
            Self::Turn => &[
                "id",
                "actor",
                "rejected",
                "clarification",
                "actions",
                "changes",
                "rulebook",
                "world",
            ],
            _ => &[],
        }
    }
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 1.
    pub seq: u64,
    /// What it is of.
    pub kind: RecordKind,
    /// When it took effect, in game time.
    pub game: Millis,
    /// The character or actor that it is about, by id.
    pub subject: Option<String>,
    /// What it says, by field.
    pub body: Map<String, Value>,
}

impl Record {
    /// Its body in the canonical encoding.
    #[must_use]
    pub fn encoded(&self) -> String {
        canonical_json(&Value::Object(self.body.clone()))
    }

    /// Seals its inputs.
    pub(super) fn seal(&mut self) {
        let seals = self.kind.inputs().iter().filter_map(|field| {
            let value = self.body.get(*field)?;
            Some(((*field).to_owned(), json!(seal_of(value))))
        });
        let seals: Map<String, Value> = seals.collect();
        self.body.insert("seals".to_owned(), Value::Object(seals));
    }

    /// The first input that is missing, or is not what was sealed.
    #[must_use]
    pub fn broken_seal(&self) -> Option<&'static str> {
        let seals = self.body.get("seals").and_then(Value::as_object);
        self.kind.inputs().iter().copied().find(|field| {
            let sealed = seals.and_then(|seals| seals.get(*field)?.as_str());
            let found = self.body.get(*field).map(seal_of);
            sealed.is_none() || found.as_deref() != sealed
        })
    }
}

/// A short hash: enough to name a field, while the chain guards the whole.
fn seal_of(value: &Value) -> String {
    let digest = Digest::of(value);
    format!("{:016x}", digest.to_u64())
}

/// A JSON value without fractions: they become decimal strings, since a hash must not depend on their form.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let mut record = Record {
            seq: 1,
            kind: RecordKind::Write,
            game: Millis(0),
            subject: None,
            body: Map::from_iter([
                ("source".to_owned(), json!("game_system")),
                ("now".to_owned(), json!([{"flag": ["night", true]}])),
            ]),
        };
        record.seal();
        record
    }

    #[test]
    fn j4_a_changed_or_missing_input_is_named() {
        assert_eq!(record().broken_seal(), None);
        let mut changed = record();
        changed.body["now"] = json!([]);
        assert_eq!(changed.broken_seal(), Some("now"));
        let mut missing = record();
        missing.body.remove("source");
        assert_eq!(missing.broken_seal(), Some("source"));
        let mut bare = record();
        bare.body.remove("source");
        bare.body["seals"].as_object_mut().unwrap().remove("source");
        assert_eq!(bare.broken_seal(), Some("source"), "missing is not missing");
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::named(kind.name()), Some(kind));
        }
        assert_eq!(RecordKind::named("nothing"), None);
    }
}
