//! A character as it is written: `.npc.ron`.

use super::policy_spec::PolicySpec;
use super::routine::RoutineEntrySpec;
use crate::format::Inline;
use crate::format::inline::{inline_list, unique_map};
use crate::limits::{LimitsSpec, Memory};
use crate::memory::Provenance;
use crate::policy::{Delivery, Echo, Form, ReplyLanguage};
use crate::rules::{
    ConstraintSpec, CustomRuleSpec, ExampleSpec, RuleCondition, RuleSpec, TriggerReason,
};
use crate::sampling::Sampling;
use crate::text::Lexicon;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// One character. Only `id` is required.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename = "Npc")]
pub struct NpcSpec {
    /// Its id, and the id of its entity in the judged world: letters, digits, `_ - .`; unique in a scenario.
    pub id: String,
    /// The name by which players and other characters call it. `None`: its id.
    pub name: Option<String>,
    /// The text that tells the model who it is; or the path of a text file that says it, which ends in `.md`.
    #[serde(default)]
    pub persona: String,
    /// The id of the location where it starts. `None`: offstage, unless the world places its entity.
    pub location: Option<String>,
    /// How readily it joins in the turns of an adventure, 0 to 100; 50 where left out.
    #[serde(default = "default_chattiness")]
    pub chattiness: u8,
    /// Whether it joins in every turn of an adventure, whatever its chattiness.
    #[serde(default)]
    pub baked: bool,
    /// The names of the actions that it may propose. `None`: all of them but `introduce`.
    pub may: Option<Vec<String>>,
    /// Words that it must never say, as patterns. The model is not told of them: a secret stays out of the prompt.
    #[serde(default)]
    pub never: Vec<String>,
    /// Topics that it must never speak of, as patterns.
    #[serde(default)]
    pub forbidden: Vec<String>,
    /// Topics that it must not speak of until a condition holds.
    #[serde(default)]
    pub hidden: Vec<HiddenSpec>,
    /// Short exchanges that show the model how it speaks.
    #[serde(default)]
    pub examples: Vec<ExampleSpec>,
    /// Constraints that apply to every interaction of the character.
    #[serde(default)]
    pub(crate) constraints: Vec<ConstraintSpec>,
    /// Constraints that apply under a condition, each rule in place or the path of its file.
    #[serde(default)]
    pub(crate) rules: Vec<Inline<RuleSpec>>,
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
    /// Numbers that bound its memory, its prompts and its lines, where they differ from those of its story and its game.
    #[serde(default)]
    pub limits: LimitsSpec,
    /// How long it remembers, and how its memories are found; left out: as its story says.
    pub memory: Option<Memory>,
    /// Whether it writes a diary; left out: as its story says.
    pub diary: Option<bool>,
    /// How the model chooses its words, where it differs from what its story says.
    #[serde(default)]
    pub(crate) sampling: Sampling,
    /// The language that it speaks, where it is another than that of its story, in place or the path of a `.lexicon.ron` file.
    pub lexicon: Option<Inline<Lexicon>>,
    /// The policy of its dialogue runs. `None`: the same as for all other characters. `Sealed`: it decides by a sealed engine.
    pub policy: Option<PolicySpec>,
    /// When its lines are heard: `Whole` or `Sentences`. Left out: as those of the game or the scenario.
    pub delivery: Option<Delivery>,
    /// Whether the model is asked for its words and its actions `Together` or `Apart`. Left out: as its story says.
    pub form: Option<Form>,
    /// What happens when it repeats what it has just said: `Soft` or `Hard`. Left out: as its story says.
    pub(crate) echo: Option<Echo>,
    /// Whether it must speak the language of its lexicon: `Off` or `Check`. Left out: as its story says.
    pub(crate) reply_language: Option<ReplyLanguage>,
    /// Where it is at which time of the game's day, and what it does there: a list of entries, or the path of a `.routine.ron`
    /// file, which many characters may share. The first entry that fits counts.
    #[serde(default = "no_routine", deserialize_with = "inline_list")]
    pub routine: Inline<Vec<RoutineEntrySpec>>,
    /// What it says when no reply of the model can be used.
    #[serde(default)]
    pub fallbacks: FallbackSpec,
}

fn no_routine() -> Inline<Vec<RoutineEntrySpec>> {
    Inline::Here(Vec::new())
}

impl NpcSpec {
    /// The path of the text file that says who it is.
    pub(crate) fn persona_file(&self) -> Option<&str> {
        let path = self.persona.as_str();
        (path.ends_with(".md") && !path.contains(char::is_whitespace)).then_some(path)
    }
}

fn default_chattiness() -> u8 {
    50
}

/// A topic that stays hidden until a condition holds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Hidden", deny_unknown_fields)]
pub struct HiddenSpec {
    /// The topic, as a pattern: a reply is about it where the pattern hits.
    pub topic: String,
    /// The condition under which it may be spoken of. `None`: it never may.
    pub(crate) until: Option<RuleCondition>,
}

/// An episode that a character remembers from the start.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "Remembered", deny_unknown_fields)]
pub struct MemorySpec {
    /// Its id, unique among the memories of the character.
    pub id: String,
    /// What happened, in a sentence of 1 to 2,000 characters. Otherwise the memory is corrupt.
    pub text: String,
    /// How much it matters, 0 to 1; 0.5 where left out. Outside of that the memory is corrupt.
    #[serde(default = "half")]
    pub significance: f64,
    /// How long ago it happened when the character is first spawned, in seconds of game time, 0 to 10^12.
    #[serde(default)]
    pub age_seconds: f64,
    /// Whether it never fades and never makes room for another.
    #[serde(default)]
    pub pinned: bool,
    /// The ids of those who took part.
    #[serde(default)]
    pub participants: Vec<String>,
    /// The id of the location where it happened. `None`: it is not known.
    pub place: Option<String>,
    /// How the character knows of it; from its own eyes, where left out.
    #[serde(default, deserialize_with = "provenance")]
    pub provenance: Provenance,
    /// Whether the character keeps it to itself: it is not told as news.
    #[serde(default)]
    pub private: bool,
}

/// Reads how a character knows of something. The engine alone writes diaries, so no file names one.
pub(crate) fn provenance<'de, D: Deserializer<'de>>(written: D) -> Result<Provenance, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename = "Provenance")]
    enum Written {
        Saw,
        ToldBy(String),
        OverheardFrom(String),
        Inferred,
    }
    Ok(match Written::deserialize(written)? {
        Written::Saw => Provenance::Saw,
        Written::ToldBy(who) => Provenance::ToldBy(who),
        Written::OverheardFrom(who) => Provenance::OverheardFrom(who),
        Written::Inferred => Provenance::Inferred,
    })
}

fn half() -> f64 {
    0.5
}

/// A belief that a character holds from the start.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "Belief", deny_unknown_fields)]
pub struct BeliefSpec {
    /// Its id, unique among the beliefs of the character.
    pub id: String,
    /// What it believes, in a sentence of 1 to 2,000 characters. Otherwise the belief is corrupt.
    pub text: String,
    /// How sure it is, 0 to 1; 0.8 where left out. Outside of that the belief is corrupt.
    #[serde(default = "default_confidence")]
    pub confidence: f64,
    /// Whether it never makes room for another one.
    #[serde(default)]
    pub pinned: bool,
}

fn default_confidence() -> f64 {
    0.8
}

/// A state of a character: a level in a category.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "State", deny_unknown_fields)]
pub struct StateSpec {
    /// The name of the state, such as `wary`.
    pub label: String,
    /// The kind of the state, such as `temporal`. Empty where left out.
    #[serde(default)]
    pub category: String,
    /// How strong it is, 0 to 30; more is a load error.
    #[serde(default)]
    pub level: u8,
    /// Whether the game holds it, so that no extractor may change it.
    #[serde(default)]
    pub held: bool,
}

/// What went wrong in the last attempt of a run, as authored lines tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum FailureKind {
    /// The engine gave no reply that could be used: it is away, broke off, or sent too much.
    Engine,
    /// The deadline of the run passed before a reply came.
    Deadline,
    /// There was a reply, and the gate refused it, or it could not be read.
    Refused,
}

/// Lines that the character says when no reply of the model can be used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename = "Fallback", deny_unknown_fields, default)]
pub struct FallbackSpec {
    /// Lines by the trigger id of the interaction; they are tried first.
    #[serde(deserialize_with = "unique_map")]
    pub triggers: BTreeMap<String, Vec<String>>,
    /// Lines by the reason of the interaction; they are tried second.
    pub reasons: BTreeMap<TriggerReason, Vec<String>>,
    /// Lines by what went wrong; they are tried third.
    pub failures: BTreeMap<FailureKind, Vec<String>>,
    /// Lines for every other case; they are tried fourth.
    pub generic: Vec<String>,
    /// Lines for when no other line is left; they are tried last. Without any, the character says `...`.
    pub emergency: Vec<String>,
    /// Lines for when the character thinks for long: it says one of them, once. No character remembers it.
    pub thinking: Vec<String>,
}
