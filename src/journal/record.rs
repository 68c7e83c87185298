//! Records: the notes of everything that happens, in the order in which it took effect.
//!
//! | kind | of what | input fields |
//! |---|---|---|
//! | `checkpoint`, `part` | the whole game, at the start of a journal, after a gap, at a save, after a load; of a large one, the rest | `reason`, `game`; `rows` |
//! | `interaction` | a run that ended | `context`, `timetable`, `bytes` |
//! | `turn` | a turn that an actor took | `asked` |
//! | `write` | a write of the game, or what it changed by itself | `source`, `now` |
//! | `entered`, `left` | a character came into the game, got another file, or went | `npc`, `asset`, `mind`; `npc` |
//! | `story` | another story, or another form of it | `asset` |
//! | `mind` | the game changed what a character has for itself | `npc`, `mind` |
//! | `settings` | policies, budget, seed, player, engine, known names | `settings` |
//! | `input` | a plugin of the game was told something that it records | `name`, `asked` |
//! | `cancel` | a run should end as Cancelled | `run` |
//! | `adventure` | the adventure has changed: a turn was taken back, or the game changed something | `now` |
//! | `adventure_turn` | a turn of an adventure ended | `asked`, `bytes` |
//! | `plan` | something happened to a plan: it was asked for, answered, decided on, carried out by a step, or ended | `plan`, `event` |
//! | `refused` | a request that started nothing | `npc`, `error` |
//!
//! An interaction that began before the journal did has two more fields, `now` and `mind_now`: its results, which a replay takes
//! for granted. An interaction with another engine than that of the settings has the field `engine`.
//!
//! A replay is fed with inputs; it must find outputs again by itself. All fields that are no output are sealed: each field with
//! its hash, and the head (number, kind, time, subject) as it is. So the replay names a change in a recording where it was made
//! and not where it shows, and nothing can be added.

mod adventure_turn;
mod checkpoint;
mod encoded;
mod fields;
mod game;
mod hashes;
mod interaction;
mod kind;
mod plan;
mod read_record;
mod reply;
pub(crate) mod run_timeline;
mod seal;
mod turn;

pub use adventure_turn::{
    AdventureTurnInputs, AdventureTurnOutputs, AskedAdventure, RecordedStage,
};
#[cfg(feature = "store")]
pub(crate) use checkpoint::PrunedHistory;
pub(crate) use checkpoint::checkpoint_bodies;
pub use checkpoint::{CheckpointBody, CheckpointReason};
pub(crate) use encoded::EncodedRecord;
pub(super) use encoded::NotRead;
pub use fields::FieldError;
pub(in crate::journal) use fields::OutputFields;
pub use game::{
    AdventureBody, CancelBody, ChangeSource, EnteredBody, InputBody, LeftBody, MindBody,
    RecordedForgetting, RecordedSettings, RefusedBody, SettingsBody, StoryBody, WriteBody,
};
pub use hashes::BeforeAfter;
pub use interaction::{
    AttemptOutputs, EffectOutputs, InteractionInputs, InteractionOutputs, OutcomeOutputs,
    RecordedContext,
};
pub use kind::{RecordBody, RecordKind};
pub use plan::{PlanInputs, PlanOutputs};
pub(crate) use read_record::{ReadRecord, RecordOutline};
pub use reply::RecordedReply;
pub use turn::{AskedTurn, TurnInputs, TurnOutputs};

use self::seal::{is_fed, seal_of};
use crate::base::canonical::canonical_json;
use crate::base::time::GameTime;
use serde_json::{Map, Value, json};

/// One record, as it is in a file: any program may have written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// What kind of record it is. The kind says which fields the body has.
    pub kind: RecordKind,
    /// When it took effect, in game time.
    pub game: GameTime,
    /// The id of the character or actor that it is about; `None` when it is about none.
    pub subject: Option<String>,
    /// What it says, by field, with the seals. `Record::read` gives it as typed data.
    pub body: Map<String, Value>,
}

impl Record {
    /// What it says, as typed data, without its outputs. Seals are not looked at: see [`Record::broken_seal`].
    ///
    /// # Errors
    /// The first field that is missing, or that has another type than it should have.
    pub(crate) fn read(&self) -> Result<RecordBody<'static>, FieldError> {
        RecordBody::read(self.kind, &self.body)
    }

    /// The body in the canonical encoding.
    #[must_use]
    pub fn encoded(&self) -> String {
        canonical_json(&Value::Object(self.body.clone()))
    }

    /// Seals all that a replay takes from it: its head, and every field that is no output.
    pub(super) fn seal(&mut self) {
        let fed = self
            .body
            .iter()
            .filter(|(field, _)| is_fed(self.kind, field));
        let mut seals: Map<String, Value> = fed
            .map(|(field, value)| (field.clone(), json!(seal_of(&canonical_json(value)))))
            .collect();
        seals.insert("head".to_owned(), self.head().into());
        self.body.insert("seals".to_owned(), seals.into());
    }

    /// The head, next to its body.
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
            .chain(found.filter(|field| is_fed(self.kind, field)))
            .chain(others.filter(|field| *field != "head"));
        let broken = fields.find(|field| {
            let found = self
                .body
                .get(*field)
                .map(|value| json!(seal_of(&canonical_json(value))));
            found.is_none() || found.as_ref() != sealed(field)
        });
        broken.map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let mut record = Record {
            seq: 1,
            kind: RecordKind::Write,
            game: GameTime(0),
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
            ("game", |record| record.game = GameTime(1)),
            ("subject", |record| record.subject = Some("ann".to_owned())),
        ];
        for (part, change) in changes {
            let mut changed = record();
            change(&mut changed);
            assert_eq!(changed.broken_seal().as_deref(), Some(part));
        }
    }
}
