//! How an envelope's JSON is read.
//!
//! Rulings: an object that has a key twice is refused, because it says two things. `null` in an optional field is the same as
//! leaving it out.

use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::{array, number, object, string, wrong_type};
use super::json_text::check_depth;
use super::locate::Object;
use super::mutation::{self, ProposedMutation};
use super::mutation_kind::MutationKind;
use super::options::{Finish, ParseOptions};
use super::proposed::{MAX_WARNINGS, ParseWarning, Proposal, ReplyForm};
use super::sanitise::speech;
use super::scan::Reading;
use super::white_space::{normalise, tidy};
use crate::format::unique::Unique;
use crate::judged_world::action::ProposedAction;
use crate::text::name_excerpt;
use serde_json::{Map, Value};

/// How the fields are read. A model has written their names.
const FIELDS: Unique = Unique {
    twice: |key| {
        format!(
            "the key {:?} stands twice in one object",
            name_excerpt(key, "of another name")
        )
    },
    reads_on: true,
};

/// The fields of a JSON object. A whole object is whole, however the engine says that its reply ended.
pub(super) fn fields_of(
    found: &Object,
    finish: Finish,
) -> Result<Map<String, Value>, InvalidFormat> {
    let json = found.json.as_ref();
    check_depth(json)?;
    match FIELDS.read(json) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(InvalidFormat::new(
            InvalidKind::Json,
            "the envelope is no JSON object",
        )),
        Err(error) if error.is_eof() && finish == Finish::Length => Err(InvalidFormat::new(
            InvalidKind::Truncated,
            "the engine cut the envelope",
        )),
        Err(error) => Err(InvalidFormat::new(
            InvalidKind::Json,
            format!("the envelope is no JSON: {error}"),
        )),
    }
}

/// Reads an envelope.
pub(super) fn read(found: &Object, options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    let mut fields = fields_of(found, options.finish)?;
    let mut reader = Reader::new();
    if found.has_trailing_text {
        reader.proposal.warnings.push(ParseWarning::trailing_text());
    }
    let Some(dialogue) = string(&mut fields, "dialogue", "dialogueText", "the envelope")? else {
        return Err(InvalidFormat::new(
            InvalidKind::MissingDialogue,
            "the envelope has no dialogue",
        ));
    };
    let mutations = array(&mut fields, "mutations", "proposedMutations")?;
    let intents = array(&mut fields, "intents", "worldIntents")?;
    reader.proposal.plan = match fields.remove("plan") {
        None | Some(Value::Null) => None,
        Some(plan @ Value::Object(_)) => Some(plan),
        Some(_) => return Err(wrong_type("the envelope", "plan", "an object")),
    };
    reader.unknown("the envelope", &fields);

    for (i, entry) in intents.into_iter().enumerate() {
        let fields = object(entry, "intent", i)?;
        reader.proposal.intents.push(action(fields));
    }
    for (i, entry) in mutations.into_iter().enumerate() {
        let fields = object(entry, "mutation", i)?;
        reader.mutation(fields, i)?;
    }
    let mut proposal = reader.finish();
    proposal.speak(speech(&dialogue, Reading::Envelope, options)?);
    proposal.speaks_or_acts()
}

/// Gathers what an envelope proposes, entry by entry.
#[derive(Debug)]
pub(super) struct Reader {
    /// What it proposes so far.
    pub(super) proposal: Proposal,
    /// How many mutations were read, those that are intents among them.
    pub(super) read: usize,
    left_out: usize,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self {
            proposal: Proposal::empty(ReplyForm::Envelope),
            read: 0,
            left_out: 0,
        }
    }

    fn unknown(&mut self, place: &str, fields: &Map<String, Value>) {
        // Sorted, because the order of a JSON map is a feature of the parser's build.
        let mut names: Vec<&String> = fields.keys().collect();
        names.sort_unstable();
        for name in names {
            if self.proposal.warnings.len() + 1 >= MAX_WARNINGS {
                self.left_out += 1;
                continue;
            }
            let named = name_excerpt(name, "of another name");
            self.proposal.warn(
                "unknown_field",
                format!("{place} has an unknown field {named}, ignored"),
            );
        }
    }

    /// Reads a mutation. One that spells an action is added to the intents.
    pub(super) fn mutation(
        &mut self,
        mut fields: Map<String, Value>,
        index: usize,
    ) -> Result<(), InvalidFormat> {
        self.read += 1;
        let place = format!("mutation {index}");
        let kind = string(&mut fields, "type", "", &place)?;
        let untyped = kind.as_deref().is_none_or(|k| k.trim().is_empty());
        let mut mutation = ProposedMutation {
            kind: kind.unwrap_or_default(),
            malformed: untyped.then(|| "a mutation without a type".to_owned()),
            ..ProposedMutation::default()
        };
        let kind = mutation.mutation_kind();
        for key in mutation::fields(kind) {
            match key {
                "target" => mutation.target = string(&mut fields, key, "", &place)?,
                "content" => {
                    mutation.content =
                        string(&mut fields, key, "", &place)?.map(|c| tidy(&normalise(&c)));
                }
                "intent" => {}
                name => {
                    let value = number(&mut fields, name, &place)?;
                    if let Some(slot) = mutation.number_mut(name) {
                        *slot = value;
                    }
                }
            }
        }
        if kind == Some(MutationKind::EmitWorldIntent) {
            let intent = match fields.remove("intent") {
                Some(Value::Object(intent)) => action(intent),
                Some(Value::String(_)) => return Err(wrong_type(&place, "intent", "an object")),
                _ => ProposedAction {
                    malformed: Some(format!(
                        "an {} whose intent is missing or no object",
                        MutationKind::EmitWorldIntent
                    )),
                    ..ProposedAction::default()
                },
            };
            self.proposal.intents.push(ProposedAction {
                emit_target: mutation.target,
                ..intent
            });
        } else {
            self.proposal.mutations.push(mutation);
        }
        self.unknown(&place, &fields);
        Ok(())
    }

    fn finish(mut self) -> Proposal {
        if self.left_out > 0 {
            self.proposal.warnings.push(ParseWarning {
                rule: "unknown_field",
                message: format!("{} more unknown fields, ignored", self.left_out),
            });
        }
        self.proposal
    }
}

/// An action keeps its fields as they are. Without `type`, `intentType` is it.
pub(super) fn action(mut fields: Map<String, Value>) -> ProposedAction {
    let key =
        if fields.get("type").is_some_and(|v| !v.is_null()) || !fields.contains_key("intentType") {
            "type"
        } else {
            fields.remove("type");
            "intentType"
        };
    let (kind, malformed) = match fields.remove(key) {
        Some(Value::String(kind)) if !kind.trim().is_empty() => (kind, None),
        None | Some(Value::Null | Value::String(_)) => {
            (String::new(), Some("an intent without a type"))
        }
        Some(_) => (String::new(), Some("an intent whose type is no string")),
    };
    ProposedAction {
        kind,
        fields: fields.into_iter().collect(),
        emit_target: None,
        malformed: malformed.map(str::to_owned),
    }
}
