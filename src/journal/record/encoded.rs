//! Records as text: as they go to a file, and as a replay reads and compares them. A tree of every record would cost more than
//! playing what it tells of.

use super::Record;

use super::fields::{FieldError, FieldSource, UnreadFields};
use super::kind::{RecordBody, RecordKind};
use super::seal::{is_fed, seal_of};
use crate::base::time::GameTime;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A record whose body has not been read: as it is in a file, where any program may have written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EncodedRecord {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// What kind of record it is. The kind says which fields the body has.
    pub kind: RecordKind,
    /// When it took effect, in game time.
    pub game: GameTime,
    /// The id of the character or actor that it is about; `None` when it is about none.
    pub subject: Option<String>,
    /// What it says, with the seals: one JSON object, in the canonical encoding where we wrote it.
    pub body: String,
}

impl EncodedRecord {
    /// A sealed record that says this.
    pub(crate) fn sealed(
        seq: u64,
        game: GameTime,
        subject: Option<String>,
        body: &RecordBody<'_>,
    ) -> Self {
        let kind = body.kind();
        let mut fields = body.write_fields();
        let head = head(seq, kind, game, subject.as_deref());
        let fed = fields.iter().filter(|(name, _)| is_fed(kind, name));
        let mut seals: Vec<(&str, String)> = fed
            .map(|(name, text)| (*name, format!("\"{}\"", seal_of(text))))
            .collect();
        seals.push(("head", head));
        fields.push(("seals", object(seals)));
        Self {
            seq,
            kind,
            game,
            subject,
            body: object(fields),
        }
    }

    /// What it says, as typed data, without its outputs. Seals are not looked at: see [`EncodedRecord::broken_seal`].
    ///
    /// # Errors
    /// The first field that is missing, or that has another type than it should have.
    pub(crate) fn read(&self) -> Result<RecordBody<'static>, FieldError> {
        match self.fields() {
            Some(fields) => RecordBody::read(self.kind, &fields),
            None => self.to_record()?.read(),
        }
    }

    /// What it says, if every seal is whole: both with one look at its text.
    ///
    /// # Errors
    /// What [`EncodedRecord::broken_seal`] names, or else what [`EncodedRecord::read`] does.
    pub(crate) fn read_sealed(&self) -> Result<RecordBody<'static>, NotRead> {
        if let Some(fields) = self.fields().filter(|fields| self.is_whole(fields)) {
            return RecordBody::read(self.kind, &fields).map_err(NotRead::Field);
        }
        match self.broken_seal() {
            Some(field) => Err(NotRead::BrokenSeal(field)),
            None => self.read().map_err(NotRead::Field),
        }
    }

    /// The record as a tree.
    ///
    /// # Errors
    /// When the body is no JSON object.
    pub(crate) fn to_record(&self) -> Result<Record, FieldError> {
        let body: Map<String, Value> =
            serde_json::from_str(&self.body).map_err(|_| FieldError {
                field: "body",
                why: "no JSON object".to_owned(),
            })?;
        Ok(Record {
            seq: self.seq,
            kind: self.kind,
            game: self.game,
            subject: self.subject.clone(),
            body,
        })
    }

    /// The first part of the head, or the first field, that is missing, is not what was sealed, or was never sealed. `body` for a
    /// record that is no JSON object.
    #[must_use]
    pub fn broken_seal(&self) -> Option<String> {
        if self.fields().is_some_and(|fields| self.is_whole(&fields)) {
            return None;
        }
        // Finding the broken part needs a closer look, and so does a record that another program has written in its own way.
        match self.to_record() {
            Ok(record) => record.broken_seal(),
            Err(error) => Some(error.field.to_owned()),
        }
    }

    /// One field alone, if it is as it was sealed, in the canonical encoding.
    pub(crate) fn sealed_field<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let fields = self.fields()?;
        let text = fields.get(name)?;
        let is_sealed = has_seal(&seals_of(&fields)?, name, text);
        is_sealed.then(|| fields.field(name)?.ok()).flatten()
    }

    /// Its fields; `None` when the body is no object, or has names that only a tree can tell.
    pub(crate) fn fields(&self) -> Option<UnreadFields<'_>> {
        serde_json::from_str(&self.body).ok()
    }

    /// Whether every seal is whole, where the fields are in the canonical encoding.
    fn is_whole(&self, fields: &UnreadFields<'_>) -> bool {
        let Some(seals) = seals_of(fields) else {
            return false;
        };
        let head = head(self.seq, self.kind, self.game, self.subject.as_deref());
        let mut fed = fields.iter().filter(|(name, _)| is_fed(self.kind, name));
        let is_sealed = |(name, text): (&&str, &&RawValue)| has_seal(&seals, name, text);
        let mut inputs = self.kind.inputs().iter();
        seals.get("head").is_some_and(|sealed| sealed.get() == head)
            && seals.len() == fed.clone().count() + 1
            && inputs.all(|input| fields.contains_key(input))
            && fed.all(is_sealed)
    }
}

/// Why a record is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotRead {
    /// This field, or part of the head, is not what was sealed.
    BrokenSeal(String),
    /// It is what was sealed, and cannot be understood.
    Field(FieldError),
}

impl From<Record> for EncodedRecord {
    fn from(record: Record) -> Self {
        Self {
            body: record.encoded(),
            seq: record.seq,
            kind: record.kind,
            game: record.game,
            subject: record.subject,
        }
    }
}

fn seals_of<'a>(fields: &UnreadFields<'a>) -> Option<UnreadFields<'a>> {
    serde_json::from_str(fields.get("seals")?.get()).ok()
}

fn has_seal(seals: &UnreadFields<'_>, name: &str, text: &RawValue) -> bool {
    let seal = seals.get(name).map(|seal| seal.get().trim_matches('"'));
    seal == Some(&*seal_of(text.get()))
}

/// The head next to the body, in the canonical encoding.
fn head(seq: u64, kind: RecordKind, game: GameTime, subject: Option<&str>) -> String {
    let subject = subject.map_or(Value::Null, Value::from);
    let (game, kind) = (game.0, kind.name());
    format!(r#"{{"game":{game},"kind":"{kind}","seq":{seq},"subject":{subject}}}"#)
}

/// An object of these members, in order.
fn object(mut members: Vec<(&str, String)>) -> String {
    members.sort_unstable_by_key(|(name, _)| *name);
    let length = members
        .iter()
        .map(|(name, text)| name.len() + text.len() + 4);
    let mut object = String::with_capacity(length.sum::<usize>() + 2);
    let mut before = '{';
    for (name, text) in &members {
        object.push(before);
        object.push('"');
        object.push_str(name);
        object.push_str("\":");
        object.push_str(text);
        before = ',';
    }
    object.push('}');
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::record::{ChangeSource, WriteBody};
    use crate::world::{WorldPart, WorldValue};

    fn record() -> EncodedRecord {
        let body = WriteBody {
            source: ChangeSource::Observed,
            now: vec![WorldPart::Fact(
                "say \"ä\"\n".to_owned(),
                Some(WorldValue::Int(-7)),
            )],
            write: None,
        };
        EncodedRecord::sealed(3, GameTime(-5), None, &RecordBody::Write(body))
    }

    #[test]
    fn j4_a_record_is_whole_as_text_and_as_a_tree() {
        let record = record();
        let tree = record.to_record().unwrap();
        assert_eq!(record.broken_seal(), None);
        assert_eq!(tree.broken_seal(), None);
        assert_eq!(EncodedRecord::from(tree), record);
        assert!(matches!(record.read(), Ok(RecordBody::Write(_))));
        assert!(record.read_sealed().is_ok());
    }

    /// Both ways of reading find a change, and neither reports one where only the form differs.
    #[test]
    fn j4_text_and_tree_agree_on_what_is_broken() {
        let whole = record();
        let body = |from: &str, to: &str| EncodedRecord {
            body: whole.body.replace(from, to),
            ..whole.clone()
        };
        let head = |seq, game, subject: Option<&str>| EncodedRecord {
            seq,
            game: GameTime(game),
            subject: subject.map(str::to_owned),
            ..whole.clone()
        };
        let cases = [
            (body("-7", "-8"), Some("now")),
            (body("observed", "game_system"), Some("source")),
            (body("\"source\"", "\"saucer\""), Some("source")),
            (body("{\"now\"", "{\"more\":1,\"now\""), Some("more")),
            (body("\"head\"", "\"hood\""), Some("game")),
            (body("\"observed\"}", "\"observed\""), Some("body")),
            (head(4, -5, None), Some("seq")),
            (head(3, 5, None), Some("game")),
            (head(3, -5, Some("ann")), Some("subject")),
            (body("{\"now\"", "{ \"now\""), None),
            (body("{\"now\"", "{\"\\u006eow\""), None),
            (body("ä", "\\u00e4"), None),
        ];
        for (record, broken) in cases {
            assert_ne!(record, whole);
            assert_eq!(record.broken_seal().as_deref(), broken, "{}", record.body);
            assert_eq!(record.read_sealed().is_ok(), broken.is_none());
            if let Ok(tree) = record.to_record() {
                assert_eq!(tree.broken_seal().as_deref(), broken, "{}", record.body);
            }
        }
    }
}
