//! Records: what is written down of everything that happens, in the order in which it took effect (contract row J1).
//!
//! | kind | of what | input fields |
//! |---|---|---|
//! | `checkpoint`, `part` | the whole game, at the start of a journal, after a gap, at a save; of a large one, the rest | `game`; `rows` |
//! | `interaction` | a run that ended | `context`, `run_timeline`, `bytes` |
//! | `turn` | a turn that an actor took | `asked` |
//! | `write` | a write of the game, or what it changed by itself | `source`, `now` |
//! | `entered`, `left` | a character came on stage, got another file, or went | `npc`, `asset`, `mind`; `npc` |
//! | `story` | another story, or another form of it | `asset` |
//! | `mind` | the game changed what a character has for itself | `npc`, `mind` |
//! | `settings` | policies, budget, seed, player, known names | `settings` |
//! | `cancel` | a run is to end as Cancelled | `run` |
//! | `refused` | a request that started nothing | `npc`, `error` |
//!
//! An interaction that began before the journal did has two more fields, `now` and `mind_now`: what came of it, which a
//! replay takes for granted.
//!
//! An input is what a replay is fed with; an output it must find again by itself. All that is no output is sealed: each
//! field with its hash, and the head (number, kind, time, subject) as it is. So a change in a recording is named where it
//! was made and not where it shows, and nothing can be added.

use crate::base::canonical::{Digest, canonical_json};
use crate::base::fixed::Millis;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a record is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// The whole game.
    Checkpoint,
    /// A part of the checkpoint before it, when a game is too large for one record.
    Part,
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
    const ALL: [Self; 12] = [
        Self::Checkpoint,
        Self::Part,
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
            Self::Part => "part",
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
            Self::Part => &["rows"],
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

    /// Seals all that a replay takes from it: its head, and every field that is no output.
    pub(super) fn seal(&mut self) {
        let fed = self.body.iter().filter(|(field, _)| self.is_fed(field));
        let mut seals: Map<String, Value> = fed
            .map(|(field, value)| (field.clone(), json!(seal_of(value))))
            .collect();
        seals.insert("head".to_owned(), self.head().into());
        self.body.insert("seals".to_owned(), seals.into());
    }

    fn is_fed(&self, field: &str) -> bool {
        field != "seals" && !self.kind.outputs().contains(&field)
    }

    /// What stands beside its body.
    fn head(&self) -> Map<String, Value> {
        Map::from_iter([
            ("seq".to_owned(), json!(self.seq)),
            ("kind".to_owned(), json!(self.kind)),
            ("game".to_owned(), json!(self.game.0)),
            ("subject".to_owned(), json!(self.subject)),
        ])
    }

    /// The first part of the head, or the first field, that is missing, is not what was sealed, or was never sealed.
    #[must_use]
    pub fn broken_seal(&self) -> Option<String> {
        let seals = self.body.get("seals").and_then(Value::as_object);
        let sealed = |field: &str| seals.and_then(|seals| seals.get(field));
        let head = self.head();
        if sealed("head") != Some(&Value::Object(head.clone())) {
            let sealed = sealed("head").and_then(Value::as_object);
            let mut parts = head.iter();
            let part = parts.find(|(part, value)| sealed.and_then(|s| s.get(*part)) != Some(value));
            return Some(part.map_or("head", |(part, _)| part).to_owned());
        }
        let known = self.kind.inputs().iter().copied();
        let found = self.body.keys().map(String::as_str);
        let others = seals.into_iter().flat_map(Map::keys).map(String::as_str);
        let mut fields = known
            .chain(found.filter(|field| self.is_fed(field)))
            .chain(others.filter(|field| *field != "head"));
        let broken = fields.find(|field| {
            let found = self.body.get(*field).map(|value| json!(seal_of(value)));
            found.is_none() || found.as_ref() != sealed(field)
        });
        broken.map(str::to_owned)
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
        assert_eq!(changed.broken_seal().as_deref(), Some("now"));
        let mut missing = record();
        missing.body.remove("source");
        assert_eq!(missing.broken_seal().as_deref(), Some("source"));
        let mut bare = record();
        bare.body.remove("source");
        bare.body["seals"].as_object_mut().unwrap().remove("source");
        let broken = bare.broken_seal();
        assert_eq!(broken.as_deref(), Some("source"), "missing is not missing");
    }

    #[test]
    fn j4_what_was_never_sealed_is_named() {
        let mut more = record();
        more.body.insert("why".to_owned(), json!("for fun"));
        assert_eq!(more.broken_seal().as_deref(), Some("why"));
        let mut sealed = record();
        sealed.body["seals"]["why"] = json!("0123456789abcdef");
        assert_eq!(sealed.broken_seal().as_deref(), Some("why"));
        let mut bare = record();
        bare.body.remove("seals");
        assert!(bare.broken_seal().is_some());
    }

    #[test]
    fn j4_a_changed_head_is_named() {
        let changes: [(&str, fn(&mut Record)); 4] = [
            ("seq", |record| record.seq = 2),
            ("kind", |record| record.kind = RecordKind::Mind),
            ("game", |record| record.game = Millis(1)),
            ("subject", |record| record.subject = Some("ann".to_owned())),
        ];
        for (part, change) in changes {
            let mut changed = record();
            change(&mut changed);
            assert_eq!(changed.broken_seal().as_deref(), Some(part));
        }
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::named(kind.name()), Some(kind));
        }
        assert_eq!(RecordKind::named("nothing"), None);
    }
}
