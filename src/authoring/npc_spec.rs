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
    /// Its id, and the id of its entity in the judged world: letters, digits, `_ - .`; unique in a scenario.
    pub id: String,
    /// The name by which players and other characters call it. `None`: its id.
    #[serde(default)]
    pub name: Option<String>,
    /// The text that tells the model who it is.
    #[serde(default)]
    pub persona: String,
    /// The id of the location where it stands at first. `None`: offstage, unless the world places its entity.
    #[serde(default)]
    pub location: Option<String>,
    /// How readily it joins in the turns of an adventure, 0 to 100; 50 where left out.
    #[serde(default = "default_chattiness")]
    pub chattiness: u8,
    /// Whether it joins in every turn of an adventure, whatever its chattiness.
    #[serde(default)]
    pub baked: bool,
    /// The names of the actions that it may propose. `None`: all of them.
    #[serde(default)]
    pub may: Option<Vec<String>>,
    /// Topics that it must never speak of, as patterns.
    #[serde(default)]
    pub forbidden: Vec<String>,
    /// Topics that it must not speak of until a condition holds.
    #[serde(default)]
    pub hidden: Vec<HiddenSpec>,
    /// Short exchanges that show the model how it speaks.
    #[serde(default)]
    pub examples: Vec<ExampleSpec>,
    /// Constraints that always apply.
    #[serde(default)]
    pub constraints: Vec<ConstraintSpec>,
    /// Constraints that apply under a condition, each rule in place or the path of its file.
    #[serde(default)]
    pub rules: Vec<Inline<RuleSpec>>,
    /// Rules over the words of a reply.
    #[serde(default)]
    pub custom_rules: Vec<CustomRuleSpec>,
    /// What it remembers when it is first spawned. A corrupt one is skipped and logged.
    #[serde(default)]
    pub memories: Vec<MemorySpec>,
    /// What it believes when it is first spawned. A corrupt one is skipped and logged.
    #[serde(default)]
    pub beliefs: Vec<BeliefSpec>,
    /// Its states when it is first spawned.
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
    /// The condition under which it may be spoken of. `None`: it never may.
    #[serde(default)]
    pub until: Option<RuleCondition>,
}

/// A short exchange that shows the model how a character speaks.
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
    /// What happened, in a sentence.
    pub text: String,
    /// How much it matters, 0 to 1; 0.5 where left out. Outside of that the memory is corrupt.
    #[serde(default = "half")]
    pub significance: f64,
    /// How long ago it happened when the character is first spawned, in seconds of game time, 0 to 10^12.
    #[serde(default)]
    pub age_seconds: f64,
    /// Whether it is never forgotten.
    #[serde(default)]
    pub pinned: bool,
    /// The ids of those who took part.
    #[serde(default)]
    pub participants: Vec<String>,
    /// The id of the location where it happened. `None`: it is not known.
    #[serde(default)]
    pub place: Option<String>,
    /// How the character knows of it, such as from its own eyes.
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
    /// What it believes, in a sentence.
    pub text: String,
    /// How sure it is, 0 to 1; 0.8 where left out. Outside of that the belief is corrupt.
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
    /// Its name, such as `wary`.
    pub label: String,
    /// Its kind, such as `temporal`.
    #[serde(default)]
    pub category: String,
    /// How strong it is, 0 to 30; more is a load error.
    #[serde(default)]
    pub level: u8,
}

/// Lines for when no reply of the model will do (P9).
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FallbackSpec {
    /// Lines by the trigger id of the interaction; they are asked first.
    #[serde(default, deserialize_with = "unique_map")]
    pub triggers: BTreeMap<String, Vec<String>>,
    /// Lines by the reason of the interaction; they are asked second.
    #[serde(default)]
    pub reasons: BTreeMap<TriggerReason, Vec<String>>,
    /// Lines for every other case.
    #[serde(default)]
    pub generic: Vec<String>,
    /// Lines for when nothing else is left.
    #[serde(default)]
    pub emergency: Vec<String>,
    /// Spoken once while the character thinks for long; remembered by nobody (P11).
    #[serde(default)]
    pub thinking: Vec<String>,
}
