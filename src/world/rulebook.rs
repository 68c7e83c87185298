//! The rulebook as it is written: who may do what, when, as data (contract row W6, SCENARIO.md section 3).
//!
//! This room holds its shape and its loading. Judging by it comes with the truth engine.

use super::value::WorldValue;
use crate::format::error::{AuthoringError, Problem, dialect, parse_ron};
use crate::format::inline::unique_map;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The source of the rulebook that is used where a story brings none.
pub const DEFAULT_RULEBOOK: &str = include_str!("../../assets/rulebooks/default.rulebook.ron");

/// Checks and effects by action.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// Its id.
    pub id: String,
    /// What each action needs and does.
    #[serde(default, deserialize_with = "unique_map")]
    pub actions: BTreeMap<String, ActionRule>,
}

impl Rulebook {
    /// Parses and checks a rulebook.
    ///
    /// # Errors
    /// An [`AuthoringError`] with the place.
    pub fn parse(bytes: &[u8], origin: &str) -> Result<Self, AuthoringError> {
        let book: Self = parse_ron(bytes, origin)?;
        match book.problems().first() {
            None => Ok(book),
            Some(problem) => {
                let source = std::str::from_utf8(bytes).unwrap_or_default();
                Err(problem.located(origin, source))
            }
        }
    }

    /// What is wrong with a book that parsed: repeated check ids, unknown placeholders and functions, no room for `OK`
    /// as the answer of a failed check.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut ids = BTreeSet::new();
        for (name, action) in &self.actions {
            for (i, check) in action.checks.iter().enumerate() {
                let place = format!("/actions/{name}/checks/{i}");
                if !ids.insert(&check.id) {
                    let message = format!(
                        "the check \"{}\" stands here twice",
                        check.id.escape_debug()
                    );
                    problems.push(Problem::new(format!("{place}/id"), message));
                }
                if let Some(unknown) = unknown_placeholder(&check.message) {
                    let message = format!("there is no placeholder {{{}}}", unknown.escape_debug());
                    problems.push(Problem::new(format!("{place}/message"), message));
                }
                if let Some(function) = check.when.unknown_function() {
                    let message =
                        format!("no function \"{}\" is registered", function.escape_debug());
                    problems.push(Problem::new(format!("{place}/when"), message));
                }
            }
        }
        problems
    }
}

/// The first `{word}` of a message that is none of the roles.
fn unknown_placeholder(message: &str) -> Option<&str> {
    message
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(word, _)| word))
        .find(|word| !matches!(*word, "actor" | "target" | "tool" | "to" | "here"))
}

impl DeedCondition {
    /// The first function in it that nobody registered. For now nobody can.
    fn unknown_function(&self) -> Option<&str> {
        match self {
            Self::Custom(name) => Some(name),
            Self::Not(inner) => inner.unknown_function(),
            Self::All(list) | Self::Any(list) => list.iter().find_map(Self::unknown_function),
            _ => None,
        }
    }
}

/// What one action needs and does.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionRule {
    /// In order; the first that fails decides.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// What happens when every check holds.
    #[serde(default)]
    pub effects: Vec<DeedEffect>,
}

/// One condition with the answer for when it fails.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its id.
    pub id: String,
    /// What must hold.
    pub when: DeedCondition,
    /// The answer when it does not.
    #[serde(rename = "else")]
    pub otherwise: ReasonCode,
    /// For people and feedback, with `{actor}`, `{target}`, `{tool}`, `{to}`.
    #[serde(default)]
    pub message: String,
}

/// Why a deed is allowed or not (W4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReasonCode {
    /// Allowed.
    Ok,
    /// There is no such thing.
    NotFound,
    /// It is not here.
    NotPresent,
    /// It is locked.
    Locked,
    /// This cannot be done to it.
    InvalidTarget,
    /// Something needed is missing.
    MissingRequirement,
    /// It is somebody else's turn.
    OutOfTurn,
    /// No rule covers it.
    Unknown,
}

/// Whom or what a condition looks at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum DeedRole {
    /// Who acts.
    Actor,
    /// What is acted on.
    Target,
    /// What it is done with.
    Tool,
    /// Who receives it.
    To,
    /// The actor's location.
    Here,
    /// What the role's `key` attribute names.
    KeyOf(Box<DeedRole>),
}

/// What must hold.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[allow(
    missing_docs,
    reason = "each is one line of the table in SCENARIO.md section 3"
)]
pub enum DeedCondition {
    Exists(DeedRole),
    IsLocation(DeedRole),
    Kind(DeedRole, String),
    Perceivable(DeedRole),
    SameLocation(DeedRole, DeedRole),
    Connected(DeedRole, DeedRole),
    Carries(DeedRole, DeedRole),
    Unowned(DeedRole),
    Attribute(DeedRole, String, WorldValue),
    HasAttribute(DeedRole, String),
    AtLeast(DeedRole, String, i64),
    AtMost(DeedRole, String, i64),
    Custom(String),
    Is(DeedRole, String),
    Flag(String),
    TimeBetween(f64, f64),
    ActorsTurn,
    Not(Box<DeedCondition>),
    All(Vec<DeedCondition>),
    Any(Vec<DeedCondition>),
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[allow(
    missing_docs,
    reason = "each is one line of the table in SCENARIO.md section 3"
)]
pub enum DeedEffect {
    SetAttribute(DeedRole, String, DeedWord),
    AddAttribute(DeedRole, String, i64),
    Place(DeedRole, DeedPlace),
    SetFlag(String, bool),
    Spawn(DeedWord, DeedWord, DeedPlace),
}

/// Where an effect puts something.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum DeedPlace {
    /// In a location.
    In(DeedRole),
    /// Carried by an actor.
    CarriedBy(DeedRole),
    /// Nowhere in play.
    Offstage,
}

/// A value, or a word of the action itself.
#[derive(Debug, Clone, PartialEq)]
pub enum DeedWord {
    /// A value as written.
    Value(WorldValue),
    /// The action's `name`.
    Name,
    /// The action's `content`.
    Content,
    /// The action's `kind`.
    KindOf,
}

impl<'de> Deserialize<'de> for DeedWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A bare word and a value differ in the source alone.
        let raw = Box::<ron::value::RawValue>::deserialize(deserializer)?;
        match raw.get_ron().trim() {
            "Name" => Ok(Self::Name),
            "Content" => Ok(Self::Content),
            "KindOf" => Ok(Self::KindOf),
            written => dialect()
                .from_str(written)
                .map(Self::Value)
                .map_err(|error| D::Error::custom(error.code)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w5_the_shipped_rulebook_parses_and_covers_every_built_in_action() {
        let book = Rulebook::parse(DEFAULT_RULEBOOK.as_bytes(), "default").unwrap();
        for action in [
            "move",
            "take",
            "drop",
            "give",
            "open",
            "close",
            "use",
            "speak",
            "introduce",
            "describe",
        ] {
            assert!(book.actions.contains_key(action), "{action}");
        }
    }

    #[test]
    fn w6_words_of_the_action_and_values_are_told_apart() {
        let source = r#"Rulebook(id: "x", actions: {"a": (effects: [
            SetAttribute(Target, "note", Content), SetAttribute(Target, "n", 3), SetAttribute(KeyOf(Target), "b", true),
            Spawn(Name, KindOf, In(Here)), Spawn("a cat", "animal", CarriedBy(Actor)), Place(Target, Offstage)])})"#;
        let book = Rulebook::parse(source.as_bytes(), "x").unwrap();
        let effects = &book.actions["a"].effects;
        assert_eq!(
            effects[0],
            DeedEffect::SetAttribute(DeedRole::Target, "note".into(), DeedWord::Content)
        );
        assert_eq!(
            effects[1],
            DeedEffect::SetAttribute(DeedRole::Target, "n".into(), DeedWord::Value(3.into()))
        );
    }

    #[test]
    fn x1_an_unknown_field_in_a_check_is_an_error_with_its_place() {
        let source = "Rulebook(id: \"x\", actions: {\n  \"a\": (checks: [(id: \"c\", when: Exists(Target), else: NOT_FOUND, mesage: \"\")])})";
        let error = Rulebook::parse(source.as_bytes(), "x.ron").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains("mesage"), "{error}");
    }
}
