//! A character as it is written: `.npc.ron`.

use crate::format::Inline;
use crate::format::inline::unique_map;
use crate::rules::{ConstraintSpec, CustomRuleSpec, RuleCondition, RuleSpec, TriggerReason};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One character. Only `id` is required.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NpcSpec {
    /// Its id, and the id of its entity in the judged world.
    pub id: String,
    /// Its name; the id where left out.
    #[serde(default)]
    pub name: Option<String>,
    /// Who it is, for the model.
    #[serde(default)]
    pub persona: String,
    /// The id of the location where it stands; offstage where left out.
    #[serde(default)]
    pub location: Option<String>,
    /// How readily it joins in, 0-100.
    #[serde(default = "default_chattiness")]
    pub chattiness: u8,
    /// Whether it joins in every turn of an adventure.
    #[serde(default)]
    pub baked: bool,
    /// The actions that it may propose; all where left out.
    #[serde(default)]
    pub may: Option<Vec<String>>,
    /// Topics that it must not speak of, as patterns.
    #[serde(default)]
    pub forbidden: Vec<String>,
    /// Topics that it must not speak of until a condition holds.
    #[serde(default)]
    pub hidden: Vec<HiddenSpec>,
    /// Few-shot pairs.
    #[serde(default)]
    pub examples: Vec<ExampleSpec>,
    /// Constraints that always apply.
    #[serde(default)]
    pub constraints: Vec<ConstraintSpec>,
    /// Constraints that apply under a condition.
    #[serde(default)]
    pub rules: Vec<Inline<RuleSpec>>,
    /// Rules over the words of a reply.
    #[serde(default)]
    pub custom_rules: Vec<CustomRuleSpec>,
    /// What it remembers at first.
    #[serde(default)]
    pub memories: Vec<MemorySpec>,
    /// What it believes at first.
    #[serde(default)]
    pub beliefs: Vec<BeliefSpec>,
    /// Its states at first.
    #[serde(default)]
    pub states: Vec<StateSpec>,
    /// What it says when no reply of the model will do.
    #[serde(default)]
    pub fallbacks: FallbackSpec,
}

fn default_chattiness() -> u8 {
    50
}

/// A topic that stays hidden until a condition holds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HiddenSpec {
    /// The topic, a pattern.
    pub topic: String,
    /// When it may be spoken of; never, where left out.
    #[serde(default)]
    pub until: Option<RuleCondition>,
}

/// A few-shot pair.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleSpec {
    /// What the player says.
    pub player: String,
    /// What the character answers.
    pub npc: String,
}

/// An episode that a character remembers at first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemorySpec {
    /// Its id.
    pub id: String,
    /// What happened.
    pub text: String,
    /// 0-1.
    #[serde(default = "half")]
    pub significance: f64,
    /// How long ago it happened, in seconds of game time.
    #[serde(default)]
    pub age_seconds: f64,
    /// Whether it is never forgotten.
    #[serde(default)]
    pub pinned: bool,
    /// Who took part.
    #[serde(default)]
    pub participants: Vec<String>,
    /// Where it happened.
    #[serde(default)]
    pub place: Option<String>,
    /// How the character knows.
    #[serde(default)]
    pub provenance: crate::memory::Provenance,
}

fn half() -> f64 {
    0.5
}

/// A belief that a character holds at first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeliefSpec {
    /// Its id.
    pub id: String,
    /// What it believes.
    pub text: String,
    /// 0-1.
    #[serde(default = "default_confidence")]
    pub confidence: f64,
}

fn default_confidence() -> f64 {
    0.8
}

/// A state of a character: a level in a category.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSpec {
    /// Its name.
    pub label: String,
    /// Its kind, such as `temporal`.
    #[serde(default)]
    pub category: String,
    /// 0-30.
    #[serde(default)]
    pub level: u8,
}

/// Lines for when no reply of the model will do (P9).
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FallbackSpec {
    /// By trigger id.
    #[serde(default, deserialize_with = "unique_map")]
    pub triggers: BTreeMap<String, Vec<String>>,
    /// By reason.
    #[serde(default)]
    pub reasons: BTreeMap<TriggerReason, Vec<String>>,
    /// For any reason.
    #[serde(default)]
    pub generic: Vec<String>,
    /// When nothing else is left.
    #[serde(default)]
    pub emergency: Vec<String>,
    /// Spoken once while the character thinks for long; remembered by nobody (P11).
    #[serde(default)]
    pub thinking: Vec<String>,
}
