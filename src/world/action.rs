//! Actions: typed deeds on the world, and their shapes (contract rows W1 and W3).
//!
//! No untyped action exists after normalisation. For now normalising checks the shape and fills the actor;
//! resolving references and judging by the rulebook come with the truth engine.

use super::rulebook::ReasonCode;
use super::value::WorldValue;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use thiserror::Error;

/// The longest text in a field of an action, in characters.
pub const MAX_FIELD_CHARS: usize = 2_000;

/// What fields an action has. All built-in fields are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionShape {
    /// The action's name.
    pub name: &'static str,
    /// Fields that it must have.
    pub required: &'static [&'static str],
    /// Fields that it may have.
    pub optional: &'static [&'static str],
}

/// The built-in actions.
pub const BUILT_IN: [ActionShape; 10] = [
    shape("move", &["target"], &[]),
    shape("take", &["target"], &[]),
    shape("drop", &["target"], &[]),
    shape("give", &["target", "to"], &[]),
    shape("open", &["target"], &["tool"]),
    shape("close", &["target"], &[]),
    shape("use", &["target"], &["tool"]),
    shape("speak", &["content"], &["to"]),
    shape("introduce", &[], &["target", "name", "kind"]),
    shape("describe", &["target", "content"], &[]),
];

const fn shape(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> ActionShape {
    ActionShape {
        name,
        required,
        optional,
    }
}

/// A deed with its actor: what a character means to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Intent {
    /// The action's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// Who acts, by id.
    pub actor: String,
    /// The action's fields.
    #[serde(flatten)]
    pub fields: BTreeMap<String, WorldValue>,
}

impl Intent {
    /// A text field.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.fields.get(field)? {
            WorldValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The field `target`.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.text("target")
    }

    /// The words in it that others would hear or read.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        ["content", "name"]
            .into_iter()
            .filter_map(|field| self.text(field))
    }
}

/// Why an action cannot be normalised (SCENARIO.md section 2, "Actions").
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ActionError {
    /// No such action.
    #[error("there is no action \"{0}\"")]
    UnknownAction(String),
    /// Missing, extra or wrong fields.
    #[error("the action \"{action}\" {what}")]
    BadFields {
        /// The action.
        action: String,
        /// What is wrong with it.
        what: String,
    },
    /// Somebody else's deed.
    #[error("\"{0}\" cannot be made to act by another")]
    ForeignActor(String),
    /// Not in the character's `may`.
    #[error("the character may not \"{0}\"")]
    NotAllowed(String),
}

impl ActionError {
    /// The normaliser's rule: `unknown_action`, `bad_fields`, `foreign_actor` or `not_allowed`.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::UnknownAction(_) => "unknown_action",
            Self::BadFields { .. } => "bad_fields",
            Self::ForeignActor(_) => "foreign_actor",
            Self::NotAllowed(_) => "not_allowed",
        }
    }

    /// The reason code (W4).
    #[must_use]
    pub fn reason(&self) -> ReasonCode {
        match self {
            Self::UnknownAction(_) | Self::NotAllowed(_) => ReasonCode::Unknown,
            Self::BadFields { .. } => ReasonCode::MissingRequirement,
            Self::ForeignActor(_) => ReasonCode::InvalidTarget,
        }
    }
}

/// Turns an untrusted action into a typed intent of `actor`. `may` is the list of actions it may propose.
///
/// # Errors
/// See [`ActionError`].
pub fn normalise(
    kind: &str,
    fields: &BTreeMap<String, Value>,
    actor: &str,
    may: Option<&[String]>,
) -> Result<Intent, ActionError> {
    let shape = BUILT_IN
        .iter()
        .find(|shape| shape.name == kind)
        .ok_or_else(|| ActionError::UnknownAction(shorten(kind)))?;
    let bad = |what: String| ActionError::BadFields {
        action: kind.to_owned(),
        what,
    };
    let mut typed = BTreeMap::new();
    let mut named_actor = None;
    // Models write `null` for what they leave out.
    for (field, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
        let Value::String(text) = value else {
            return Err(bad(format!("needs \"{}\" to be a text", shorten(field))));
        };
        if text.trim().is_empty() || text.chars().count() > MAX_FIELD_CHARS {
            return Err(bad(format!(
                "has an empty or overlong \"{}\"",
                shorten(field)
            )));
        }
        if field == "actor" {
            named_actor = Some(text);
        } else if shape.required.contains(&field.as_str())
            || shape.optional.contains(&field.as_str())
        {
            typed.insert(field.clone(), WorldValue::Text(text.clone()));
        } else {
            return Err(bad(format!("has no field \"{}\"", shorten(field))));
        }
    }
    if let Some(missing) = shape
        .required
        .iter()
        .find(|field| !typed.contains_key(**field))
    {
        return Err(bad(format!("needs \"{missing}\"")));
    }
    if kind == "introduce" && !typed.contains_key("target") && !typed.contains_key("name") {
        return Err(bad("needs \"target\" or \"name\"".to_owned()));
    }
    if let Some(other) = named_actor.filter(|named| *named != actor) {
        return Err(ActionError::ForeignActor(shorten(other)));
    }
    if may.is_some_and(|may| !may.iter().any(|allowed| allowed == kind)) {
        return Err(ActionError::NotAllowed(kind.to_owned()));
    }
    Ok(Intent {
        kind: kind.to_owned(),
        actor: actor.to_owned(),
        fields: typed,
    })
}

/// Untrusted words in an error, cut to a length that fits a line.
fn shorten(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> BTreeMap<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    fn rule(kind: &str, value: Value, may: Option<&[String]>) -> &'static str {
        match normalise(kind, &fields(value), "wizard", may) {
            Ok(_) => "ok",
            Err(error) => error.rule(),
        }
    }

    #[test]
    fn g7_shapes_are_checked_field_by_field() {
        assert_eq!(rule("open", json!({"target": "door"}), None), "ok");
        assert_eq!(
            rule(
                "open",
                json!({"target": "door", "tool": "key", "actor": "wizard"}),
                None
            ),
            "ok"
        );
        assert_eq!(
            rule("Open", json!({"target": "door"}), None),
            "unknown_action"
        );
        assert_eq!(rule("summon", json!({}), None), "unknown_action");
        for wrong in [
            json!({}),
            json!({"target": 3}),
            json!({"target": null}),
            json!({"target": "  "}),
            json!({"target": "door", "force": "yes"}),
            json!({"target": "x".repeat(2_001)}),
        ] {
            assert_eq!(rule("open", wrong.clone(), None), "bad_fields", "{wrong}");
        }
        assert_eq!(
            rule("introduce", json!({"kind": "cat"}), None),
            "bad_fields"
        );
        assert_eq!(
            rule("introduce", json!({"name": "Tom", "kind": "cat"}), None),
            "ok"
        );
    }

    #[test]
    fn g7_the_actor_is_the_speaker_and_may_is_the_limit() {
        let may = ["open".to_owned()];
        assert_eq!(
            rule("take", json!({"target": "key"}), Some(&may)),
            "not_allowed"
        );
        assert_eq!(rule("open", json!({"target": "door"}), Some(&may)), "ok");
        assert_eq!(
            rule("open", json!({"target": "door", "actor": "player"}), None),
            "foreign_actor"
        );
        assert_eq!(
            rule("open", json!({"target": "door"}), Some(&[])),
            "not_allowed"
        );
    }

    #[test]
    fn an_intent_serialises_flat() {
        let intent = normalise(
            "give",
            &fields(json!({"target": "key", "to": "ann"})),
            "wizard",
            None,
        )
        .unwrap();
        assert_eq!(
            serde_json::to_value(&intent).unwrap(),
            json!({"type": "give", "actor": "wizard", "target": "key", "to": "ann"})
        );
    }
}
