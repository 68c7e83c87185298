//! Rules, constraints and custom rules as they are written.

use crate::base::fixed::Millionths;
use crate::judged_world::WorldValue;
use crate::memory::RelationshipPart;
use serde::{Deserialize, Serialize};

/// Why a character should respond now. The game says so in each request; conditions and fallback lines ask for it.
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
    /// The player speaks to the character.
    PlayerUtterance,
    /// A character or the player entered or left a zone.
    ZoneTrigger,
    /// A time has come, such as the end of a timer.
    TimeTrigger,
    /// A quest moved on.
    QuestTrigger,
    /// Another character, or another actor that is not the player, speaks to the character.
    NpcInteraction,
    /// Something happened in the world.
    WorldEvent,
    /// The game's own reason.
    Custom,
}

/// What a violated rule does to the attempt or the run, from mild to strict.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum RuleSeverity {
    /// It is reported, and never blocks. A retry that happens for another reason may be told of it.
    Soft,
    /// The attempt fails, and is retried while attempts are left. It is the default.
    #[default]
    Hard,
    /// The run fails at once: the engine is not called again.
    Critical,
}

/// What a constraint does with a hit of its patterns.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub(crate) enum ConstraintKind {
    /// It lifts the prohibitions of its own level that its `lifts` names.
    Permission,
    /// A hit of any pattern violates it. It is the default.
    #[default]
    Prohibition,
    /// It is violated when none of its patterns hits.
    Requirement,
}

/// One constraint. Without patterns it is only part of the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Constraint", deny_unknown_fields, default)]
pub(crate) struct ConstraintSpec {
    /// Its id, unique in its file. Left out: its number in the list, as in `constraint_1`; within a rule with the rule's id, as in
    /// `night_1`.
    pub id: String,
    /// Whether it permits, prohibits or requires. Left out: it prohibits.
    pub kind: ConstraintKind,
    /// What a violation does to the attempt or the run. Left out: `Hard`.
    pub severity: RuleSeverity,
    /// What it demands, in a sentence for people; the prompt says it too where `prompt` is left out.
    pub description: String,
    /// What the prompt tells the model. `None`: the description.
    pub prompt: Option<String>,
    /// What it watches for in a reply, as patterns. One that does not compile is a load error.
    pub patterns: Vec<String>,
    /// For a permission: the prohibitions of its own level that it lifts, never a Critical one.
    pub lifts: Vec<String>,
}

impl ConstraintSpec {
    /// Its id, or the one that its place in the list of `owner` gives it.
    #[must_use]
    pub(crate) fn id_in(&self, owner: &str, index: usize) -> String {
        match self.id.as_str() {
            "" => format!("{owner}_{}", index + 1),
            id => id.to_owned(),
        }
    }
}

/// A condition over an interaction and the world.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) enum RuleCondition {
    /// Always holds. It is the default.
    #[default]
    Always,
    /// The character should respond for this reason.
    Trigger(TriggerReason),
    /// The character that should respond has this id.
    Npc(String),
    /// The interaction has this trigger id.
    TriggerId(String),
    /// The interaction happens in this scene.
    Scene(String),
    /// The interaction carries exactly this tag.
    HasTag(String),
    /// The number of Accepted and Fallback runs that the character has ended before; both bounds are included.
    InteractionCount {
        /// The number must be at least this. `None`: no lower bound.
        min: Option<u64>,
        /// The number must be at most this. `None`: no upper bound.
        max: Option<u64>,
    },
    /// The flag of this name is set. A flag that was never written counts as cleared.
    Flag(String),
    /// The world fact has exactly this value. A world fact that was never set has none.
    WorldFact {
        /// The key of the world fact.
        key: String,
        /// The value that it must have.
        value: WorldValue,
    },
    /// The character's relationship to another actor, both bounds included; all parts are 0 towards a stranger.
    Relationship {
        /// The id of the other, such as the player's.
        target: String,
        /// Which part of the relationship is compared with the bounds.
        field: RelationshipPart,
        /// The part must be at least this: -1 to 1 for affinity, 0 to 1 for trust and familiarity. `None`: no lower bound.
        at_least: Option<Millionths>,
        /// The value must be at most this. `None`: no upper bound.
        at_most: Option<Millionths>,
    },
    /// The character belongs to the group with this id. False where no group has it.
    InGroup(String),
    /// The standing of a group towards an actor, both bounds included. False where no group has this id.
    Standing {
        /// The id of the group.
        group: String,
        /// The id of the actor, such as the player's.
        target: String,
        /// The standing must be at least this, -1 to 1. `None`: no lower bound.
        at_least: Option<Millionths>,
        /// The value must be at most this. `None`: no upper bound.
        at_most: Option<Millionths>,
    },
    /// The condition inside it does not hold.
    Not(Box<RuleCondition>),
    /// All conditions of the list hold. An empty list holds.
    All(Vec<RuleCondition>),
    /// At least one condition of the list holds. An empty list does not hold.
    Any(Vec<RuleCondition>),
}

/// Constraints that apply while a condition holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Rule", deny_unknown_fields)]
pub(crate) struct RuleSpec {
    /// Its id, unique in its file.
    pub id: String,
    /// Rules of higher priority come first in the prompt; equal ones by id. 0 where left out.
    #[serde(default)]
    pub priority: i64,
    /// When it applies; always, where left out.
    #[serde(default)]
    pub when: RuleCondition,
    /// The constraints that apply while the condition holds.
    #[serde(default)]
    pub constraints: Vec<ConstraintSpec>,
}

/// A rule over the words of a reply: one pattern that must not, or must, hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "CustomRule", deny_unknown_fields)]
pub struct CustomRuleSpec {
    /// Its id, unique in its file.
    pub id: String,
    /// `Prohibition` or `Requirement`; a `Permission` is refused when it is loaded. Left out: `Prohibition`.
    #[serde(default)]
    pub(crate) kind: ConstraintKind,
    /// What a violation does to the attempt or the run. Left out: `Hard`.
    #[serde(default)]
    pub severity: RuleSeverity,
    /// The pattern that must not, or must, hit. One that does not compile is a load error.
    pub pattern: String,
    /// What it demands, in a sentence for people and for the feedback of a retry.
    #[serde(default)]
    pub description: String,
}

/// A short exchange that shows the model how a character speaks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Example", deny_unknown_fields)]
pub struct ExampleSpec {
    /// What the player says in the example.
    pub player: String,
    /// What the character answers to it.
    pub npc: String,
}
