//! Rules, constraints and custom rules as they are written (contract rows P2, G3, G8; SCENARIO.md section 1).

use crate::world::WorldValue;
use serde::{Deserialize, Serialize};

/// Why a character should respond now (P1).
#[derive(
    bevy::reflect::Reflect,
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
)]
pub enum TriggerReason {
    /// The player speaks to it.
    PlayerUtterance,
    /// Somebody entered or left a zone.
    ZoneTrigger,
    /// A time has come.
    TimeTrigger,
    /// A quest moved on.
    QuestTrigger,
    /// Another character speaks to it.
    NpcInteraction,
    /// Something happened in the world.
    WorldEvent,
    /// A reason of the game's own.
    Custom,
}

/// How much a violated rule weighs.
///
/// Soft never blocks; Hard fails the attempt; Critical fails the run at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RuleSeverity {
    /// Reported, and may steer a retry that happens anyway.
    Soft,
    /// Fails the attempt.
    Hard,
    /// Fails the run: no further call.
    Critical,
}

/// What a constraint does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConstraintKind {
    /// Lifts prohibitions of its own level.
    Permission,
    /// A hit of any pattern fails.
    Prohibition,
    /// Some pattern must hit.
    Requirement,
}

/// One constraint. Without patterns it only stands in the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstraintSpec {
    /// Its id, unique in its file.
    pub id: String,
    /// What it does.
    pub kind: ConstraintKind,
    /// How much it weighs.
    pub severity: RuleSeverity,
    /// For people, and for the prompt where `prompt` is left out.
    #[serde(default)]
    pub description: String,
    /// What the prompt says.
    #[serde(default)]
    pub prompt: Option<String>,
    /// Patterns, see [`crate::text::pattern`].
    #[serde(default)]
    pub patterns: Vec<String>,
    /// For a permission: the prohibitions of its own level that it lifts, never a Critical one.
    #[serde(default)]
    pub lifts: Vec<String>,
}

/// A condition over an interaction and the world.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum RuleCondition {
    /// Holds.
    #[default]
    Always,
    /// The interaction has this reason.
    Trigger(TriggerReason),
    /// The character has this id.
    Npc(String),
    /// The interaction has this trigger id.
    TriggerId(String),
    /// The interaction happens in this scene.
    Scene(String),
    /// The interaction carries this tag.
    HasTag(String),
    /// The character has ended so many Accepted and Fallback runs before; both ends count.
    InteractionCount {
        /// At least so many.
        #[serde(default)]
        min: Option<u64>,
        /// At most so many.
        #[serde(default)]
        max: Option<u64>,
    },
    /// The flag is set.
    Flag(String),
    /// The world fact has this value.
    WorldFact {
        /// Its key.
        key: String,
        /// Its value.
        value: WorldValue,
    },
    /// The condition does not hold.
    Not(Box<RuleCondition>),
    /// All hold; an empty list holds.
    All(Vec<RuleCondition>),
    /// One holds; an empty list does not.
    Any(Vec<RuleCondition>),
}

/// Constraints that apply while a condition holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    /// Its id, unique in its file.
    pub id: String,
    /// Higher ones come first; equal ones by id.
    #[serde(default)]
    pub priority: i64,
    /// When it applies.
    #[serde(default)]
    pub when: RuleCondition,
    /// What applies then.
    #[serde(default)]
    pub constraints: Vec<ConstraintSpec>,
}

/// A rule over the words of a reply: one pattern that must not, or must, hit (G8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomRuleSpec {
    /// Its id, unique in its file.
    pub id: String,
    /// `Prohibition` or `Requirement`; a `Permission` is refused when it is loaded.
    pub kind: ConstraintKind,
    /// How much it weighs.
    pub severity: RuleSeverity,
    /// The pattern.
    pub pattern: String,
    /// For people and for feedback.
    #[serde(default)]
    pub description: String,
}

/// Rules that apply to interactions with one trigger id.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerSpec {
    /// The trigger id.
    pub id: String,
    /// Its rules.
    #[serde(default)]
    pub rules: Vec<crate::format::Inline<RuleSpec>>,
    /// Its custom rules.
    #[serde(default)]
    pub custom_rules: Vec<CustomRuleSpec>,
}
