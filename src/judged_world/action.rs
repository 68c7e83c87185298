//! Actions: typed actions on the world, and their shapes.
//!
//! An action comes in as a [`ProposedAction`], which the engine does not trust. Normalising turns it into an [`Intent`]: its
//! type is registered, its fields are those of its `ActionShape`, and its references are ids. After that no untyped action
//! exists; only [`normalise`](crate::judged_world::words::normalise) makes an intent.

pub(crate) mod action_field;
pub mod actions;
pub(crate) mod newcomer;
pub(crate) mod newcomer_name;
pub(crate) mod registry;

use super::rulebook::spec::{ActionRule, ReasonCode};
use crate::base::ids::Id;
use crate::judged_world::state::value::WorldValue;
use bevy::reflect::Typed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Debug;

pub use crate::judged_world::action::action_field::{ActionField, FieldKind, Slot};

/// An action as a model, a player or a file wrote it, still untrusted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ProposedAction {
    /// Its type as written, known or not; empty when there was none.
    pub kind: String,
    /// Every other field, raw, `null`s too; values out of a marker are strings.
    pub fields: BTreeMap<String, Value>,
    /// The `target` written next to the `intent` of an `EmitWorldIntent`. It is not the target of the action. If it is a canon id
    /// or the key of a world fact, it is judged like the target of every other mutation type.
    #[serde(default, rename = "beside", skip_serializing_if = "Option::is_none")]
    pub emit_target: Option<String>,
    /// Why it is not an action, for example because its type is missing or is not a string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<String>,
}

impl ProposedAction {
    /// Makes a proposal from a typed action.
    #[must_use]
    pub fn of<A: NpcAction>(action: &A) -> Self {
        let kind = A::NAME.to_owned();
        match serde_json::to_value(action) {
            Ok(Value::Object(fields)) => Self {
                kind,
                fields: fields.into_iter().collect(),
                ..Self::default()
            },
            _ => Self {
                kind,
                malformed: Some("does not serialise as a struct".to_owned()),
                ..Self::default()
            },
        }
    }
}

/// The form in which names of actions are compared that a model writes: ASCII case, blanks, `_` and `-` make no difference. That of
/// a built-in action is its name.
pub(crate) fn action_key(written: &str) -> String {
    let kept = written
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// What an action is called and what fields it has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ActionShape {
    /// Its name, as replies and rulebooks spell it.
    pub name: &'static str,
    /// Its fields, in the order of [`NpcAction::fields`].
    pub fields: Vec<ActionField>,
    /// Groups of fields that exclude each other; see [`NpcAction::alternatives`]. Empty for most actions.
    pub alternatives: Vec<Vec<&'static str>>,
    /// The verbs by which the built-in parser knows it, besides its name.
    pub verbs: Vec<&'static str>,
    /// How it is judged where the rulebook does not say. `None`: it is denied there.
    pub(crate) rule: Option<ActionRule>,
    /// What is wrong with the text of that rule, with line and column; `None`: nothing.
    wrong_rule: Option<String>,
}

impl ActionShape {
    /// The shape of a typed action.
    #[must_use]
    pub fn of<A: NpcAction>() -> Self {
        let read = (!A::RULE.is_empty()).then(|| ActionRule::from_ron(A::RULE));
        let (rule, wrong_rule) = match read.transpose() {
            Ok(rule) => (rule, None),
            Err(error) => (None, Some(error.to_string())),
        };
        Self {
            name: A::NAME,
            fields: A::fields(),
            alternatives: A::alternatives(),
            verbs: A::verbs(),
            rule,
            wrong_rule,
        }
    }

    /// What is wrong with it, if anything: a name with other characters than `a-z 0-9 _`, a field that is listed twice or
    /// has a name that records use themselves, alternatives of fields that it does not have, a rule that cannot be read, or one
    /// whose check answers `OK` when it fails.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if self.name.is_empty() || !self.name.chars().all(lower) {
            return Some(format!("\"{}\" is not the name of an action", self.name));
        }
        for (i, field) in self.fields.iter().enumerate() {
            let before = &self.fields[..i];
            let reserved = ["type", "actor", "result", "rule", "message"];
            if reserved.contains(&field.name) {
                return Some(format!("a field cannot be called \"{}\"", field.name));
            }
            if before.iter().any(|other| other.name == field.name) {
                return Some(format!("the field \"{}\" is listed twice", field.name));
            }
            if field.slot.is_some() && before.iter().any(|other| other.slot == field.slot) {
                return Some(format!("\"{}\" plays a part that is taken", field.name));
            }
        }
        if self.alternatives.iter().any(Vec::is_empty) {
            return Some("an alternative has no field".to_owned());
        }
        let mut listed = self.alternatives.iter().flatten();
        if let Some(unknown) = listed.find(|name| self.field(name).is_none()) {
            return Some(format!(
                "an alternative names \"{unknown}\", which is not a field"
            ));
        }
        if let Some(error) = &self.wrong_rule {
            return Some(error.clone());
        }
        let mut checks = self.rule.iter().flat_map(|rule| &rule.checks);
        checks
            .find(|check| check.otherwise == ReasonCode::Ok)
            .map(|check| format!("its check \"{}\" answers OK when it fails", check.id))
    }

    /// Whether the field is the first of an alternative: of these fields one must be there.
    #[must_use]
    pub fn leads_alternative(&self, name: &str) -> bool {
        self.alternatives
            .iter()
            .any(|fields| fields.first() == Some(&name))
    }

    /// The field of this name; `None` when the action has none.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&ActionField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field that a model means by this name: the one of this name, else the reference that it is the id of, such as `target`
    /// for `targetId`.
    #[must_use]
    pub fn meant_field(&self, written: &str) -> Option<&ActionField> {
        let reference = || {
            let field = self.field(id_of(written)?)?;
            field.kind.is_reference().then_some(field)
        };
        self.field(written).or_else(reference)
    }
}

/// Whose id a field holds by its name: "target" for `targetId` and `target_id`.
pub(crate) fn id_of(written: &str) -> Option<&str> {
    written
        .strip_suffix("Id")
        .or_else(|| written.strip_suffix("_id"))
}

/// A typed action: a built-in one, or one of the game's own.
///
/// It is an ordinary struct. Its fields travel by serde, so that replies, scenarios and `Do` steps write it like a
/// built-in one, and what they hold is read from their Rust types by reflection: a text is words, a whole number is a
/// number, a `bool` is true or false, and an `Option` may be left out. Only what refers to something in the world says so,
/// with a [`FieldKind`]:
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::world::{FieldKind, NpcAction};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Reflect, Serialize, Deserialize, Clone, Debug)]
/// struct Cast {
///     spell: String,
///     #[reflect(@FieldKind::Thing)]
///     target: String,
///     #[reflect(@FieldKind::Thing)]
///     tool: Option<String>,
/// }
///
/// impl NpcAction for Cast {
///     const NAME: &'static str = "cast";
/// }
///
/// let fields = Cast::fields();
/// assert_eq!(fields[0].kind, FieldKind::Text);
/// assert!(fields[1].required && !fields[2].required);
/// ```
pub trait NpcAction:
    Typed + Serialize + DeserializeOwned + Clone + Debug + Send + Sync + 'static
{
    /// Its name: lower case, words joined by `_`. In RON a step writes it as `CamelCase`.
    const NAME: &'static str;

    /// Its fields: the keys that serde reads and writes, in order.
    ///
    /// Left out, they are those of the struct; see `reflected_fields`. Write it by
    /// hand where serde's form is another than the struct's, such as with `#[serde(rename)]`.
    fn fields() -> Vec<ActionField> {
        crate::judged_world::action::action_field::reflected_fields(Self::NAME, Self::type_info())
    }

    /// Groups of fields that exclude each other, the preferred one first. Empty by default.
    ///
    /// At least one of the groups' first fields must be there. The first group whose first field is there counts. Fields that
    /// are only in the other groups are dropped; fields in no group are kept. All of them should be optional.
    ///
    /// The built-in `introduce` has `[["target"], ["name", "kind", "attributes"]]`: an entity that waits offstage, or else a
    /// new one.
    fn alternatives() -> Vec<Vec<&'static str>> {
        Vec::new()
    }

    /// Verbs by which the built-in parser knows it, besides its name. None by default.
    fn verbs() -> Vec<&'static str> {
        Vec::new()
    }

    /// How it is judged where the rulebook of the story has no rule for it: a rule in the form of the rulebook, such as
    /// `(checks: [..], effects: [..])`. Empty: it is denied there. If the rule cannot be read, the engine logs an error with
    /// its place and leaves the action out.
    const RULE: &'static str = "";
}

/// An action with its actor, its checked fields and its resolved references: what the actor means to do.
///
/// ```compile_fail
/// // No code makes one by hand.
/// fn forge(mut intent: bevy_dramatis::world::Intent) {
///     intent.actor = bevy_dramatis::id!("king");
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Intent {
    #[serde(rename = "type")]
    kind: &'static str,
    actor: Id,
    #[serde(flatten)]
    fields: BTreeMap<&'static str, WorldValue>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, WorldValue>,
    #[serde(skip)]
    slots: Vec<(Slot, &'static str)>,
    #[serde(skip)]
    references: Vec<&'static str>,
    #[serde(skip)]
    texts: Vec<&'static str>,
    /// The words of the references, as they were written before they were resolved.
    #[serde(skip)]
    written: BTreeMap<&'static str, String>,
}

impl Intent {
    pub(crate) fn new(
        shape: &ActionShape,
        actor: &Id,
        fields: BTreeMap<&'static str, WorldValue>,
    ) -> Self {
        let slots = shape.fields.iter();
        let slots = slots.filter_map(|field| Some((field.slot?, field.name)));
        let references = shape.fields.iter();
        let references = references.filter(|field| field.kind.is_reference());
        let texts = shape.fields.iter();
        let texts = texts.filter(|field| field.kind == FieldKind::Text);
        Self {
            kind: shape.name,
            actor: actor.clone(),
            slots: slots.collect(),
            references: references.map(|field| field.name).collect(),
            texts: texts.map(|field| field.name).collect(),
            attributes: BTreeMap::new(),
            written: BTreeMap::new(),
            fields,
        }
    }

    pub(crate) fn with_attributes(self, attributes: BTreeMap<String, WorldValue>) -> Self {
        Self { attributes, ..self }
    }

    pub(crate) fn written_as(self, written: BTreeMap<&'static str, String>) -> Self {
        Self { written, ..self }
    }

    /// The words by which the actor referred to what plays a part, where it used words.
    pub(crate) fn words_for(&self, slot: Slot) -> Option<&str> {
        let (_, field) = self.slots.iter().find(|(played, _)| *played == slot)?;
        self.written.get(field).map(String::as_str)
    }

    /// The name of the action, such as `open`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The id of the actor that means to do it.
    #[must_use]
    pub fn actor(&self) -> &Id {
        &self.actor
    }

    /// The action's fields, by name. References are ids.
    #[must_use]
    pub fn fields(&self) -> &BTreeMap<&'static str, WorldValue> {
        &self.fields
    }

    /// The attributes that the new entity is to have, by name. Empty except for an action that brings a new entity.
    #[must_use]
    pub fn attributes(&self) -> &BTreeMap<String, WorldValue> {
        &self.attributes
    }

    /// A text field, or the id in a reference. `None` where the field is left out, or holds no text.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.fields.get(field)? {
            WorldValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The id in the field that plays this part. `None` where no field plays it, or the field is left out.
    #[must_use]
    pub fn slot(&self, slot: Slot) -> Option<&str> {
        let (_, field) = self.slots.iter().find(|(played, _)| *played == slot)?;
        self.text(field)
    }

    /// The id of what is acted on. `None` where the action has no target.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.slot(Slot::Target)
    }

    /// The ids in all references, in the order of the action's fields.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        let fields = self.references.iter();
        fields.filter_map(|field| self.text(field))
    }

    /// The words in it that others would hear or read.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let attributes = self.attributes.values().filter_map(|value| match value {
            WorldValue::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let texts = self.texts.iter().filter_map(|field| self.text(field));
        texts.chain(attributes)
    }

    /// The action as its Rust type.
    ///
    /// # Errors
    /// When it is another action, or the type's serde form does not fit its own [`NpcAction::fields`].
    pub fn typed<A: NpcAction>(&self) -> Result<A, serde_json::Error> {
        if A::NAME != self.kind {
            let message = format!("\"{}\" is not \"{}\"", self.kind, A::NAME);
            return Err(serde::de::Error::custom(message));
        }
        let mut fields: serde_json::Map<String, Value> = self
            .fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.to_json()))
            .collect();
        if !self.attributes.is_empty() {
            let attributes = self.attributes.iter();
            let attributes = attributes.map(|(name, value)| (name.clone(), value.to_json()));
            fields.insert("attributes".to_owned(), Value::Object(attributes.collect()));
        }
        serde_json::from_value(Value::Object(fields))
    }
}
