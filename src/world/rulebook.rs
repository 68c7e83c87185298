//! The rulebook as it is written: who may do what, when, as data (contract row W6, SCENARIO.md section 3).
//!
//! This file holds its shape and its loading; [`condition`](super::condition) asks its questions,
//! [`validate`](mod@super::validate) finds the check that decides, [`apply`](mod@super::apply) brings about its effects.

use super::registry::ActionRegistry;
use super::value::WorldValue;
use crate::base::canonical::{Digest, to_canonical};
use crate::base::fixed::Millis;
use crate::format::error::{AuthoringError, Problem, dialect, parse_ron};
use crate::format::inline::unique_map;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

/// The source of the rulebook that is used where a story brings none.
pub const DEFAULT_RULEBOOK: &str = include_str!("../../assets/rulebooks/default.rulebook.ron");

/// Checks and effects by action. It is read from RON; its serialised form is for hashing alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// Its id.
    pub id: String,
    /// `"default"`: actions that it does not speak of are judged by the shipped rulebook. Left out: they are denied.
    #[serde(default)]
    pub extends: Option<String>,
    /// What each action needs and does.
    #[serde(default, deserialize_with = "unique_map")]
    pub actions: BTreeMap<String, ActionRule>,
}

impl Rulebook {
    /// Parses and checks a rulebook, and fills in what it extends.
    ///
    /// # Errors
    /// An [`AuthoringError`] with the place.
    pub fn parse(
        bytes: &[u8],
        origin: &str,
        registry: &ActionRegistry,
    ) -> Result<Self, AuthoringError> {
        let book: Self = parse_ron(bytes, origin)?;
        match book.problems(registry).first() {
            None => Ok(book.extended()),
            Some(problem) => {
                let source = std::str::from_utf8(bytes).unwrap_or_default();
                Err(problem.located(origin, source))
            }
        }
    }

    /// The rulebook that comes with the crate.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Rulebook> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let registry = ActionRegistry::default();
            Self::parse(
                DEFAULT_RULEBOOK.as_bytes(),
                "default.rulebook.ron",
                &registry,
            )
            .unwrap_or_else(|_| Self {
                id: SHIPPED_ID.to_owned(),
                extends: None,
                actions: BTreeMap::new(),
            })
        })
    }

    /// With the actions of the book that it extends.
    #[must_use]
    pub fn extended(mut self) -> Self {
        if self.extends.as_deref() == Some(SHIPPED_ID) {
            for (name, rule) in &Self::shipped().actions {
                self.actions
                    .entry(name.clone())
                    .or_insert_with(|| rule.clone());
            }
        }
        self
    }

    /// The flags that its checks ask for.
    #[must_use]
    pub fn flags(&self) -> BTreeSet<&str> {
        let mut flags = BTreeSet::new();
        let checks = self.actions.values().flat_map(|action| &action.checks);
        checks.for_each(|check| check.when.flags(&mut flags));
        flags
    }

    /// The hash of all it says. Turn records name it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        // Nothing in it has no canonical form: its keys are texts and it holds no floats.
        Digest::of_bytes(to_canonical(self).unwrap_or_default().as_bytes())
    }

    /// What is wrong with a book that parsed: repeated check ids, unknown placeholders, functions and bases, words that
    /// cannot name or be the kind of anything.
    #[must_use]
    pub fn problems(&self, registry: &ActionRegistry) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(base) = self.extends.as_ref().filter(|base| *base != SHIPPED_ID) {
            let message = format!(
                "there is no rulebook \"{}\" to extend: \"{SHIPPED_ID}\" is the shipped one",
                base.escape_debug()
            );
            problems.push(Problem::new("/extends", message));
        }
        let mut ids = BTreeSet::new();
        for (action_name, action) in &self.actions {
            for (i, check) in action.checks.iter().enumerate() {
                let place = format!("/actions/{action_name}/checks/{i}");
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
                if let Some(function) = check.when.unknown_function(registry) {
                    let message =
                        format!("no function \"{}\" is registered", function.escape_debug());
                    problems.push(Problem::new(format!("{place}/when"), message));
                }
            }
            for (i, effect) in action.effects.iter().enumerate() {
                if let ActionEffect::Spawn(name, kind, _) = effect
                    && [name, kind].iter().any(|word| !word.is_text())
                {
                    let place = format!("/actions/{action_name}/effects/{i}");
                    problems.push(Problem::new(place, "a name and a kind are texts"));
                }
            }
        }
        problems
    }
}

/// The id of the shipped rulebook.
const SHIPPED_ID: &str = "default";

/// The parts of a message, each with the placeholder that stands before it: `{word}` and then plain text. What is no
/// whole placeholder is plain text.
pub(super) fn message_parts(message: &str) -> impl Iterator<Item = (Option<&str>, &str, bool)> {
    let pieces = message.split('{').enumerate();
    pieces.map(|(i, piece)| match piece.split_once('}').filter(|_| i > 0) {
        Some((word, rest)) => (Some(word), rest, false),
        None => (None, piece, i > 0),
    })
}

/// The role that a placeholder names.
pub(super) fn placeholder(word: &str) -> Option<ActionRole> {
    match word {
        "actor" => Some(ActionRole::Actor),
        "target" => Some(ActionRole::Target),
        "tool" => Some(ActionRole::Tool),
        "to" => Some(ActionRole::To),
        "here" => Some(ActionRole::Here),
        _ => None,
    }
}

/// The first `{word}` of a message that is none of the roles.
fn unknown_placeholder(message: &str) -> Option<&str> {
    message_parts(message)
        .filter_map(|(word, ..)| word)
        .find(|word| placeholder(word).is_none())
}

impl ActionCondition {
    /// The roles that it looks at itself, without those of conditions inside it.
    #[must_use]
    pub fn roles(&self) -> Vec<&ActionRole> {
        match self {
            Self::Exists(role)
            | Self::IsLocation(role)
            | Self::Kind(role, _)
            | Self::Perceivable(role)
            | Self::Unowned(role)
            | Self::Attribute(role, ..)
            | Self::HasAttribute(role, _)
            | Self::AtLeast(role, ..)
            | Self::AtMost(role, ..)
            | Self::Is(role, _)
            | Self::Named(role)
            | Self::Offstage(role) => vec![role],
            Self::SameLocation(a, b) | Self::Connected(a, b) | Self::Carries(a, b) => vec![a, b],
            Self::Custom(_)
            | Self::Flag(_)
            | Self::TimeBetween(..)
            | Self::ActorsTurn
            | Self::Given(_)
            | Self::NameFree
            | Self::SpawnedThisTurn
            | Self::Not(_)
            | Self::All(_)
            | Self::Any(_) => Vec::new(),
        }
    }

    fn flags<'a>(&'a self, flags: &mut BTreeSet<&'a str>) {
        match self {
            Self::Flag(name) => {
                flags.insert(name);
            }
            Self::Not(inner) => inner.flags(flags),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|c| c.flags(flags)),
            _ => {}
        }
    }

    /// The first function in it that nobody registered.
    fn unknown_function(&self, registry: &ActionRegistry) -> Option<&str> {
        match self {
            Self::Custom(name) => registry.function(name).is_none().then_some(name),
            Self::Not(inner) => inner.unknown_function(registry),
            Self::All(list) | Self::Any(list) => {
                list.iter().find_map(|c| c.unknown_function(registry))
            }
            _ => None,
        }
    }
}

/// What one action needs and does.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionRule {
    /// In order; the first that fails decides.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// What happens when every check holds.
    #[serde(default)]
    pub effects: Vec<ActionEffect>,
}

/// One condition with the answer for when it fails.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its id.
    pub id: String,
    /// What must hold.
    pub when: ActionCondition,
    /// The answer when it does not.
    #[serde(rename = "else")]
    pub otherwise: ReasonCode,
    /// For people and feedback, with `{actor}`, `{target}`, `{tool}`, `{to}`, `{here}`.
    #[serde(default)]
    pub message: String,
}

/// Why an action is allowed or not (W4).
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

impl ReasonCode {
    /// As it is written: `NOT_FOUND`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::NotFound => "NOT_FOUND",
            Self::NotPresent => "NOT_PRESENT",
            Self::Locked => "LOCKED",
            Self::InvalidTarget => "INVALID_TARGET",
            Self::MissingRequirement => "MISSING_REQUIREMENT",
            Self::OutOfTurn => "OUT_OF_TURN",
            Self::Unknown => "UNKNOWN",
        }
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whom or what a condition looks at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActionRole {
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
    KeyOf(Box<ActionRole>),
    /// The entity or location with this id, whatever the action.
    The(String),
}

/// What must hold.
///
/// Beside the table of SCENARIO.md: `Named(role)`, the action names that role at all; `Given(Name)`, it has that word;
/// `Offstage(role)`; `NameFree`, nobody and nothing bears the action's name yet, look-alikes folded; `SpawnedThisTurn`, an
/// earlier action of this turn has made somebody new.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "each is one line of the table in SCENARIO.md section 3"
)]
pub enum ActionCondition {
    Exists(ActionRole),
    IsLocation(ActionRole),
    Kind(ActionRole, String),
    Perceivable(ActionRole),
    SameLocation(ActionRole, ActionRole),
    Connected(ActionRole, ActionRole),
    Carries(ActionRole, ActionRole),
    Unowned(ActionRole),
    Attribute(ActionRole, String, WorldValue),
    HasAttribute(ActionRole, String),
    AtLeast(ActionRole, String, i64),
    AtMost(ActionRole, String, i64),
    Custom(String),
    Is(ActionRole, String),
    Flag(String),
    TimeBetween(GameTime, GameTime),
    ActorsTurn,
    Named(ActionRole),
    Given(EffectValue),
    Offstage(ActionRole),
    NameFree,
    SpawnedThisTurn,
    Not(Box<ActionCondition>),
    All(Vec<ActionCondition>),
    Any(Vec<ActionCondition>),
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "each is one line of the table in SCENARIO.md section 3"
)]
pub enum ActionEffect {
    SetAttribute(ActionRole, String, EffectValue),
    AddAttribute(ActionRole, String, i64),
    Place(ActionRole, EffectPlace),
    SetFlag(String, bool),
    Spawn(EffectValue, EffectValue, EffectPlace),
}

/// Where an effect puts something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EffectPlace {
    /// In a location.
    In(ActionRole),
    /// Carried by an actor.
    CarriedBy(ActionRole),
    /// Nowhere in play.
    Offstage,
}

/// A value, or a word of the action itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum EffectValue {
    /// A value as written.
    Value(WorldValue),
    /// The action's `name`.
    Name,
    /// The action's `content`.
    Content,
    /// The action's `kind`.
    KindOf,
}

impl EffectValue {
    fn is_text(&self) -> bool {
        !matches!(self, Self::Value(WorldValue::Bool(_) | WorldValue::Int(_)))
    }
}

/// A point in game time, written in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct GameTime(pub Millis);

impl<'de> Deserialize<'de> for GameTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Millis::from_seconds(f64::deserialize(deserializer)?)
            .map(Self)
            .ok_or_else(|| D::Error::custom("game time is a number of seconds, at most 10^12"))
    }
}

impl<'de> Deserialize<'de> for EffectValue {
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

    fn registry() -> ActionRegistry {
        ActionRegistry::default()
    }

    #[test]
    fn w5_the_shipped_rulebook_parses_and_covers_every_built_in_action() {
        let book = Rulebook::parse(DEFAULT_RULEBOOK.as_bytes(), "default", &registry()).unwrap();
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
        let book = Rulebook::parse(source.as_bytes(), "x", &registry()).unwrap();
        let effects = &book.actions["a"].effects;
        assert_eq!(
            effects[0],
            ActionEffect::SetAttribute(ActionRole::Target, "note".into(), EffectValue::Content)
        );
        assert_eq!(
            effects[1],
            ActionEffect::SetAttribute(
                ActionRole::Target,
                "n".into(),
                EffectValue::Value(3.into())
            )
        );
    }

    #[test]
    fn x1_an_unknown_field_in_a_check_is_an_error_with_its_place() {
        let source = "Rulebook(id: \"x\", actions: {\n  \"a\": (checks: [(id: \"c\", when: Exists(Target), else: NOT_FOUND, mesage: \"\")])})";
        let error = Rulebook::parse(source.as_bytes(), "x.ron", &registry()).unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains("mesage"), "{error}");
    }
}
