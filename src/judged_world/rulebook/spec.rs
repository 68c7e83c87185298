//! What a rulebook says of one action, as data: checks with their conditions, and effects.
//!
//! Nothing here asks or changes anything: [`condition`](crate::judged_world::rulebook::condition) asks the conditions of an
//! action and its world, [`apply`](mod@crate::judged_world::change::apply) brings the effects about.

use crate::base::fixed::Millis;
use crate::base::time::GameTime;
use crate::format::error::{AuthoringError, dialect, parse_ron};
use crate::judged_world::state::value::WorldValue;
use crate::memory::RelationshipPart;
use bevy::reflect::Reflect;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// What one action needs and does. No actor may do an action that has no rule.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ActionRule {
    /// Whether it adds to the rule of the same action in the book that its book extends. Its checks then follow those of that
    /// rule, except that a check with the id of a check there replaces it; its effects, attributes and patterns follow those
    /// there. Left out: false; then that rule does not count.
    #[serde(skip_serializing)]
    pub extends: bool,
    /// The checks, in order; the first one that fails decides. Without checks the action is always allowed.
    pub checks: Vec<Check>,
    /// What happens when every check holds: all of it, in order, or nothing.
    pub effects: Vec<ActionEffect>,
    /// The names of the attributes that the action may give to a new entity, such as `takeable`; may also be written
    /// `allowed`. Others are denied. None: it gives no attributes.
    #[serde(alias = "allowed", skip_serializing_if = "BTreeSet::is_empty")]
    pub attributes: BTreeSet<String>,
    /// Patterns by which a narration says that the action succeeded, such as `swings open`. After a denial a clause that names
    /// its target must not have one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
}

impl ActionRule {
    /// Reads a rule in the form of the rulebook, such as `(checks: [..], effects: [..])`: for the
    /// [`RULE`](crate::judged_world::NpcAction::RULE) of a game's own action.
    ///
    /// # Errors
    /// What is wrong with the text, with line and column.
    pub fn from_ron(ron: &str) -> Result<Self, AuthoringError> {
        parse_ron(ron.as_bytes(), "the rule of an action")
    }

    /// This rule, with the checks, effects, attributes and patterns of the rule that it extends.
    pub(super) fn extending(mut self, base: &Self) -> Self {
        let own = std::mem::replace(&mut self.checks, base.checks.clone());
        for check in own {
            match self.checks.iter_mut().find(|there| there.id == check.id) {
                Some(there) => *there = check,
                None => self.checks.push(check),
            }
        }
        self.effects.splice(0..0, base.effects.iter().cloned());
        self.told.splice(0..0, base.told.iter().cloned());
        self.attributes.extend(base.attributes.iter().cloned());
        self.extends = false;
        self
    }

    /// Whether one of its checks asks for anything but the judged world and the action.
    #[must_use]
    pub(crate) fn asks_beyond_the_world(&self) -> bool {
        let mut checks = self.checks.iter();
        checks.any(|check| check.when.asks_beyond_the_world())
    }
}

/// One condition of an action, with the answer for when it fails.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// Its id, unique in the rulebook. A denied action names it as the rule that decided.
    pub id: String,
    /// What must hold for the action to be allowed.
    pub(crate) when: ActionCondition,
    /// The answer when it does not hold; never `OK`, which is a load error.
    #[serde(rename = "else")]
    pub otherwise: ReasonCode,
    /// Why not, for people and for the character's next attempt, with the placeholders `{actor}`, `{target}`, `{tool}`,
    /// `{to}`, `{here}` for names. Empty where nothing needs saying.
    #[serde(default)]
    pub message: String,
}

/// Why an action is allowed or not.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Reflect,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReasonCode {
    /// The action is allowed.
    Ok,
    /// Something that the action refers to does not exist.
    NotFound,
    /// It exists and the actor cannot reach it from where it is.
    NotPresent,
    /// What the action is aimed at is locked.
    Locked,
    /// This cannot be done to what the action refers to.
    InvalidTarget,
    /// Something that the action needs is missing, such as a tool.
    MissingRequirement,
    /// It is another actor's turn.
    OutOfTurn,
    /// No rule covers the action, or the engine could not understand it.
    Unknown,
}

impl ReasonCode {
    /// The code as rulebooks, records and messages write it, such as `NOT_FOUND`.
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

/// The entity or location that a condition or an effect is about: a part in the action, or one found from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ActionRole {
    /// The actor that does the action.
    Actor,
    /// What is acted on: the field in the slot `target`.
    Target,
    /// What it is done with: the field in the slot `tool`.
    Tool,
    /// The receiver: the field in the slot `to`.
    To,
    /// The location that the actor is in; nothing while the actor is carried or offstage.
    Here,
    /// The entity whose id is in the `key` attribute of this role's entity; nothing where it has none.
    KeyOf(Box<ActionRole>),
    /// The entity or location with this id, whatever the action.
    The(String),
}

/// What must hold for an action to be allowed. A condition on a role that the action lacks is false.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum ActionCondition {
    /// An entity or a location with the role's id exists, offstage or not.
    Exists(ActionRole),
    /// The role is a location, and no entity.
    IsLocation(ActionRole),
    /// The role is an entity of this kind.
    Kind(ActionRole, String),
    /// The actor perceives it: it is in the actor's location, or the actor carries it.
    Perceivable(ActionRole),
    /// Both are in one location. What is carried or offstage is in none.
    SameLocation(ActionRole, ActionRole),
    /// One can go from the first location straight to the second.
    Connected(ActionRole, ActionRole),
    /// The first carries the second directly, not inside something else.
    Carries(ActionRole, ActionRole),
    /// The role is an entity that no one carries, offstage or not.
    Unowned(ActionRole),
    /// The attribute of this name has exactly this value.
    Attribute(ActionRole, String, WorldValue),
    /// There is an attribute of this name, whatever its value.
    HasAttribute(ActionRole, String),
    /// The attribute of this name is a whole number of at least this much.
    AtLeast(ActionRole, String, i64),
    /// The attribute of this name is a whole number of at most this much.
    AtMost(ActionRole, String, i64),
    /// The first actor's relationship to the second: this part of it (`affinity`, `trust` or `familiarity`) is at least
    /// this many thousandths. An actor without a mind has 0.
    RelationshipAtLeast(ActionRole, ActionRole, PartName, i64),
    /// The same part of the relationship is at most this many thousandths. An actor without a mind has 0.
    RelationshipAtMost(ActionRole, ActionRole, PartName, i64),
    /// The role belongs to the group with this id. False where no group of the story has it.
    InGroup(ActionRole, String),
    /// The function that the game has registered under this name says yes. An unknown name is a load error.
    Custom(String),
    /// The role is the entity or location with this id.
    Is(ActionRole, String),
    /// Both are the same entity or location.
    Same(ActionRole, ActionRole),
    /// The flag of this name is set. A flag that was never written counts as cleared.
    Flag(String),
    /// Game time is in this span, both ends included.
    TimeBetween(RuleTime, RuleTime),
    /// It is the actor's turn, or turns do not matter in this world.
    ActorsTurn,
    /// The action names an entity or a location in this role at all.
    Named(ActionRole),
    /// The action has this field; always true of a value as written.
    Given(EffectValue),
    /// The role is an entity that is nowhere in play.
    Offstage(ActionRole),
    /// Nothing has a name yet that is read like the action's `name`, whatever the case, accents, joints and blanks; a pronoun is
    /// never free.
    NameFree,
    /// An earlier action of this turn has made a new entity.
    SpawnedThisTurn,
    /// The condition does not hold. A condition on a role that the action lacks is false, so that `Not` of it is true.
    Not(Box<ActionCondition>),
    /// Every one holds; true of none.
    All(Vec<ActionCondition>),
    /// At least one holds; false of none.
    Any(Vec<ActionCondition>),
}

/// A part of a relationship, written as a text in lower case: `"trust"`. Any other text is a load error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct PartName(pub RelationshipPart);

impl TryFrom<String> for PartName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.as_str() {
            "affinity" => Ok(Self(RelationshipPart::Affinity)),
            "trust" => Ok(Self(RelationshipPart::Trust)),
            "familiarity" => Ok(Self(RelationshipPart::Familiarity)),
            other => {
                let shown: String = other.chars().take(60).collect();
                Err(format!(
                    "\"{}\" is not a part of a relationship: affinity, trust, familiarity",
                    shown.escape_debug()
                ))
            }
        }
    }
}

impl From<PartName> for String {
    fn from(name: PartName) -> Self {
        let name = match name.0 {
            RelationshipPart::Affinity => "affinity",
            RelationshipPart::Trust => "trust",
            RelationshipPart::Familiarity => "familiarity",
        };
        name.to_owned()
    }
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
            | Self::InGroup(role, _)
            | Self::Named(role)
            | Self::Offstage(role) => vec![role],
            Self::SameLocation(a, b)
            | Self::Connected(a, b)
            | Self::Carries(a, b)
            | Self::Same(a, b)
            | Self::RelationshipAtLeast(a, b, ..)
            | Self::RelationshipAtMost(a, b, ..) => vec![a, b],
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

    /// Whether it asks for anything but the judged world and the action: for game time, for feelings, or for what a function of
    /// the game looks at.
    fn asks_beyond_the_world(&self) -> bool {
        match self {
            Self::RelationshipAtLeast(..)
            | Self::RelationshipAtMost(..)
            | Self::InGroup(..)
            | Self::Custom(_)
            | Self::TimeBetween(..) => true,
            Self::Not(inner) => inner.asks_beyond_the_world(),
            Self::All(list) | Self::Any(list) => list.iter().any(Self::asks_beyond_the_world),
            _ => false,
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

/// What happens when an action is done. An effect on a role, or with a field, that the action lacks does nothing; one that
/// cannot happen denies the whole action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum ActionEffect {
    /// The role's attribute of this name gets the value.
    SetAttribute(ActionRole, String, EffectValue),
    /// This much is added to the role's attribute of this name, which counts as 0 where there is none. One that is no
    /// number, or would be out of range, denies the action.
    AddAttribute(ActionRole, String, i64),
    /// The role's entity is put somewhere. One that would be inside itself denies the action.
    Place(ActionRole, EffectPlace),
    /// The flag is set (`true`) or cleared.
    SetFlag(String, bool),
    /// A new entity appears there, with this name and this kind.
    Spawn(EffectValue, EffectValue, EffectPlace),
}

/// Where an effect puts something. A place that is not there denies the action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum EffectPlace {
    /// In the location that plays this role.
    In(ActionRole),
    /// Carried by the entity that plays this role.
    CarriedBy(ActionRole),
    /// Nowhere in play: it exists, but no actor can reach it.
    Offstage,
}

/// A value in an effect: as the rulebook writes it, or taken from a field of the action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) enum EffectValue {
    /// The value that the rulebook writes: true, false, a whole number, or a text in quotes.
    Value(WorldValue),
    /// What the action has in its field `name`.
    Name,
    /// What the action has in its field `content`.
    Content,
    /// What the action has in its field `kind`; a new entity is a `character` where it has none.
    KindOf,
}

impl EffectValue {
    /// Whether it can be a name or a kind: a text as written, or a field of the action.
    pub(super) fn is_text(&self) -> bool {
        !matches!(self, Self::Value(WorldValue::Bool(_) | WorldValue::Int(_)))
    }
}

/// A point in game time. It is written in seconds, with fractions down to a thousandth, and held in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct RuleTime(pub GameTime);

impl<'de> Deserialize<'de> for RuleTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Millis::from_seconds(f64::deserialize(deserializer)?)
            .map(|since_begin| Self(GameTime(since_begin.0)))
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
