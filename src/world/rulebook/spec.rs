//! What a rulebook says of one action, as data: checks with their conditions, and effects (SCENARIO.md section 3).
//!
//! Nothing here asks or changes anything: [`condition`](crate::world::condition) asks the conditions of an action and its
//! world, [`apply`](mod@crate::world::apply) brings the effects about.

use crate::base::fixed::Millis;
use crate::format::error::dialect;
use crate::world::value::WorldValue;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

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

    /// Adds the flags that it asks for, those of conditions inside it too.
    pub(super) fn flags<'a>(&'a self, flags: &mut BTreeSet<&'a str>) {
        match self {
            Self::Flag(name) => {
                flags.insert(name);
            }
            Self::Not(inner) => inner.flags(flags),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|c| c.flags(flags)),
            _ => {}
        }
    }
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
    /// Whether it can be a name or a kind: a text as written, or a field of the action.
    pub(super) fn is_text(&self) -> bool {
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
