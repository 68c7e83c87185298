//! The scenario file as it is written. Every key of the format has its field here. This module checks only the types; a
//! [`Scenario`](super::Scenario) checks the rest when it is made.

mod action;
mod step;

pub use action::{ActionSpec, FieldSpec};
pub use step::{MarkerSpec, StepSpec};

use super::expect::Expectation;
use crate::adventure::AdventureSettings;
use crate::authoring::npc_spec::NpcSpec;
use crate::authoring::policy_spec::PolicySpec;
use crate::authoring::story_spec::{
    CalendarSpec, GossipSpec, GroupSpec, LoreSpec, PersonaSpec, StorySpec,
};
use crate::engine::ReplySpec;
use crate::format::Inline;
use crate::format::inline::unique_map;
use crate::format::literal::Literal;
use crate::gate::CanonFact;
use crate::judged_world::rulebook::Rulebook;
use crate::limits::{LimitsSpec, Memory};
use crate::npc::QueuePolicy;
use crate::pipeline::steps::prompt::BudgetPreset;
use crate::plans::{Profile, Taxonomy};
use crate::policy::{Delivery, Echo, Form, ReplyLanguage};
use crate::proposal::PlanConstraintSpec;
use crate::rules::{CustomRuleSpec, RuleSpec, TriggerSpec};
use crate::sampling::Sampling;
use crate::text::Lexicon;
use crate::world::{WorldSpec, WorldValue};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A scenario. Only `name` is required.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario")]
pub struct ScenarioSpec {
    /// What it shows, in a few words. It is in the trace under `scenario`.
    pub name: String,
    /// The path of a journal, a save or an export. The scenario begins with the game in that file, and says nothing itself
    /// about the state of that game. Characters in `npcs` replace the recorded ones with the same ids, or join them.
    pub from: Option<String>,
    /// Only with `from`: after which record the scenario begins, by its number from 1; after the last one when left out.
    pub at: Option<u64>,
    /// The story that is played, in its own file or here: then the scenario says nothing of it itself. With `from` it replaces the recorded
    /// one, and its world is not read: the recording has the world.
    pub story: Option<Inline<StorySpec>>,
    /// The world seed, from which everything random is derived. 0 when left out.
    #[serde(default)]
    pub seed: u64,
    /// Game time before the first step, in seconds: at most 10^12. 0 when left out.
    #[serde(default)]
    pub game_time: f64,
    /// How many attempts dialogue runs make, and what happens when none passes.
    #[serde(default)]
    pub policy: PolicySpec,
    /// When the lines of dialogue runs are heard: as a whole, or sentence by sentence. A character may have its own.
    #[serde(default)]
    pub delivery: Delivery,
    /// Whether the model is asked for words and actions of characters together or apart. A story or a character may have its own.
    pub form: Option<Form>,
    /// How many characters prompts may have.
    #[serde(default)]
    pub budget: BudgetPreset,
    /// The id of the actor that the player plays. `player` when left out.
    #[serde(default = "default_player")]
    pub player: String,
    /// Locations, entities and flags before the first step, here or in a file. Empty when left out.
    pub(crate) world: Option<Inline<WorldSpec>>,
    /// Who may do which action, here or in a file. The shipped rulebook when left out.
    pub rulebook: Option<Inline<Rulebook>>,
    /// Canon: facts that no character and no player may change or contradict.
    #[serde(default)]
    pub(crate) canon: Vec<CanonFact>,
    /// World facts before the first step, by key. Steps may change them.
    #[serde(default, deserialize_with = "unique_map")]
    pub world_facts: BTreeMap<String, WorldValue>,
    /// The characters, each here or in a file.
    #[serde(default)]
    pub npcs: Vec<Inline<NpcSpec>>,
    /// Rules for all characters, each here or in a file.
    #[serde(default)]
    pub(crate) rules: Vec<Inline<RuleSpec>>,
    /// Rules over the words of every reply of every character.
    #[serde(default)]
    pub custom_rules: Vec<CustomRuleSpec>,
    /// Rules that apply to interactions with a trigger id.
    #[serde(default)]
    pub triggers: Vec<TriggerSpec>,
    /// What the scripted engine reports about itself. Left out next to `from`: what the engine of the recording reported.
    pub engine: Option<EngineSpec>,
    /// What happens with requests to a character whose run is in flight.
    #[serde(default)]
    pub queue: QueuePolicy,
    /// Settings of adventure turns.
    #[serde(default)]
    pub adventure: AdventureSettings,
    /// Characters that a player plays. Two with one id are a load error.
    #[serde(default)]
    pub personas: Vec<PersonaSpec>,
    /// The language of the scenario, here or in a file. English when left out.
    pub lexicon: Option<Inline<Lexicon>>,
    /// Whether characters remember what is said aloud where they are. False when left out.
    #[serde(default)]
    pub overheard: bool,
    /// Whether turns of actors are told in prose by the narrator; each then has `told` in the trace. False when left out.
    #[serde(default)]
    pub tell_turns: bool,
    /// Settings of the game before the first step, by the names under which saves keep them: those that a plugin of the game
    /// has added with `add_setting`, and the engine's own, such as `limits`. Each has the form that it has in a save.
    #[serde(default, deserialize_with = "unique_map")]
    pub settings: BTreeMap<String, Literal>,
    /// Numbers that bound memory, prompts and lines of every character, where they differ from the default ones.
    #[serde(default)]
    pub limits: LimitsSpec,
    /// How long characters remember, and how memories are found; left out: `Lasting`.
    pub memory: Option<Memory>,
    /// Whether characters write diaries. A story or a character may have its own.
    #[serde(default)]
    pub diary: bool,
    /// How the days of the game are counted.
    #[serde(default)]
    pub calendar: CalendarSpec,
    /// How the model chooses its words, where it differs from what the engine says.
    #[serde(default)]
    pub(crate) sampling: Sampling,
    /// What happens when a character repeats what it has just said. `Soft` when left out.
    pub(crate) echo: Option<Echo>,
    /// Whether characters must speak the language of their lexicon. `Off` when left out.
    pub(crate) reply_language: Option<ReplyLanguage>,
    /// What can be found out about the world. It is in the trace under `lore`.
    #[serde(default)]
    pub lore: Vec<LoreSpec>,
    /// How characters who meet tell one another what they remember; left out: they do not.
    pub gossip: Option<GossipSpec>,
    /// Who belongs together, by the id of the group. They are in the trace under `groups`.
    #[serde(default, deserialize_with = "unique_map")]
    pub groups: BTreeMap<String, GroupSpec>,
    /// How plans are judged.
    #[serde(default)]
    pub plans: PlansSpec,
    /// What the engine answers. Each reply is used once; a call gets the first unused one that fits it.
    #[serde(default)]
    pub(crate) replies: Vec<ReplySpec>,
    /// What happens, in order. A step begins when everything that the step before it caused has ended.
    #[serde(default)]
    pub steps: Vec<StepSpec>,
    /// What must be in the trace. A scenario without expectations holds.
    #[serde(default)]
    pub expect: Vec<Expectation>,
}

fn default_player() -> String {
    "player".to_owned()
}

/// What the scripted engine reports about itself. Stages that need more than it has are refused.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Engine", deny_unknown_fields, default)]
pub struct EngineSpec {
    /// The longest prompt that it accepts, in characters; 32,000 when left out. A longer one ends the run with a
    /// fallback.
    pub context_chars: usize,
    /// Whether it claims to obey a JSON schema; it does when left out.
    pub json: bool,
    /// Whether it claims to deliver replies in chunks; it does when left out.
    pub streaming: bool,
    /// The name of the provider that serves the model; `scripted` when left out.
    pub provider: String,
    /// The name of the model; `scripted` when left out.
    pub model: String,
    /// The version of the model; `1` when left out. `None` when it has none.
    pub version: Option<String>,
    /// The hash of the model; none when left out.
    pub hash: Option<String>,
}

impl Default for EngineSpec {
    fn default() -> Self {
        Self {
            context_chars: 32_000,
            json: true,
            streaming: true,
            provider: "scripted".to_owned(),
            model: "scripted".to_owned(),
            version: Some("1".to_owned()),
            hash: None,
        }
    }
}

/// How the scenario wants plans to be judged.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "Plans", deny_unknown_fields, default)]
pub struct PlansSpec {
    /// The name of a shipped taxonomy, the path of a file, or the taxonomy itself. The shipped `npc` when left out.
    pub taxonomy: Option<Inline<Taxonomy>>,
    /// How much a player is asked; `DEV` when left out.
    pub profile: Profile,
    /// The laxest profile that can be in force; `FULL_AUTO` when left out.
    pub ceiling: Profile,
    /// Whether a player is there who can approve; true when left out. If false, whatever needs an approval is denied.
    pub approver: bool,
    /// The ids of the locations that steps may touch. Empty: all of them.
    pub scope: Vec<String>,
    /// The kinds of entities that no step may aim at.
    pub protected_kinds: Vec<String>,
    /// What the game demands, forbids and prefers of every plan.
    pub constraints: Vec<PlanConstraintSpec>,
}

impl Default for PlansSpec {
    fn default() -> Self {
        Self {
            taxonomy: None,
            profile: Profile::Dev,
            ceiling: Profile::FullAuto,
            approver: true,
            scope: Vec::new(),
            protected_kinds: Vec::new(),
            constraints: Vec::new(),
        }
    }
}
