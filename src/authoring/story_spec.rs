//! A story as it is written: `.story.ron`, the world and what holds in it for every character.

use crate::adventure::AdventureSettings;
use crate::authoring::npc_spec::StateSpec;
use crate::base::calendar::Calendar;
use crate::base::fixed::{Millionths, Millis};
use crate::base::ids::Id;
use crate::format::inline::unique_map;
use crate::format::{Inline, Problem, pointer};
use crate::gate::canon::CanonFact;
use crate::judged_world::rulebook::Rulebook;
use crate::limits::{LimitsSpec, Memory};
use crate::policy::{Echo, Form, ReplyLanguage};
use crate::rules::{CustomRuleSpec, RuleSpec, TriggerSpec};
use crate::sampling::Sampling;
use crate::text::Lexicon;
use crate::world::{Group, WorldSpec, WorldValue, name_key};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A world with its canon, facts and rules. Nothing is required.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename = "Story")]
pub struct StorySpec {
    /// The initial locations, entities and flags, in place or the path of a file. `None`: the game describes its world itself.
    pub(crate) world: Option<Inline<WorldSpec>>,
    /// Who may do what, in place or the path of a `.rulebook.ron` file. `None`: the shipped rulebook.
    pub rulebook: Option<Inline<Rulebook>>,
    /// Facts that no character and no player may change or contradict.
    pub(crate) canon: Vec<CanonFact>,
    /// Facts that only the game may change, with their initial values, by key.
    #[serde(deserialize_with = "unique_map")]
    pub world_facts: BTreeMap<String, WorldValue>,
    /// Rules for every character, each in place or the path of its file.
    pub(crate) rules: Vec<Inline<RuleSpec>>,
    /// Rules over the words of every reply.
    pub custom_rules: Vec<CustomRuleSpec>,
    /// Rules for interactions with a trigger id.
    pub triggers: Vec<TriggerSpec>,
    /// The language of the story: the words by which canon is judged, sentences are cut and actors are understood, in place or
    /// the path of a `.lexicon.ron` file. `None`: English. The crate ships `lexicon/en.lexicon.ron` and
    /// `lexicon/de.lexicon.ron`.
    pub lexicon: Option<Inline<Lexicon>>,
    /// Numbers that bound memory, prompts and lines of every character, where they differ from those of the game.
    pub limits: LimitsSpec,
    /// How long characters remember, and how memories are found; left out: as the game says, `Lasting` by default.
    pub memory: Option<Memory>,
    /// Whether characters write diaries: when a day of the game is over, each is asked in the background to write down in a
    /// few sentences what it has lived through. False when left out.
    pub diary: bool,
    /// How the days of the game are counted.
    pub calendar: CalendarSpec,
    /// How the model chooses its words, where it differs from what the game says.
    pub(crate) sampling: Sampling,
    /// Whether the model is asked for words and actions of characters `Together` or `Apart`. Left out: as the game says.
    pub form: Option<Form>,
    /// What happens when a character repeats what it has just said: `Soft` or `Hard`. Left out: `Soft`.
    pub(crate) echo: Option<Echo>,
    /// Whether characters must speak the language of their lexicon: `Off` or `Check`. Left out: `Off`.
    pub(crate) reply_language: Option<ReplyLanguage>,
    /// What can be found out about the world; keys are unique.
    pub lore: Vec<LoreSpec>,
    /// The groups of characters, by id.
    #[serde(deserialize_with = "unique_map")]
    pub groups: BTreeMap<String, GroupSpec>,
    /// How characters who meet tell one another what they remember. `None`: they do not.
    pub gossip: Option<GossipSpec>,
    /// How its adventures are played. `None`: as the game says.
    pub adventure: Option<AdventureSettings>,
    /// The characters that players play; ids are unique.
    pub personas: Vec<PersonaSpec>,
}

/// How the days of a game are counted.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename = "Calendar", deny_unknown_fields, default)]
pub struct CalendarSpec {
    /// How many seconds of game time a day has, 0.001 to 10^12; 86,400 where left out.
    pub day_seconds: f64,
    /// How many seconds past midnight the game begins, 0 to 10^12; 0 where left out.
    pub starts_at_seconds: f64,
}

impl Default for CalendarSpec {
    fn default() -> Self {
        let Calendar { day, starts_at } = Calendar::default();
        Self {
            day_seconds: day.0 as f64 / 1e3,
            starts_at_seconds: starts_at.0 as f64 / 1e3,
        }
    }
}

impl CalendarSpec {
    /// The calendar that is meant, once its numbers are checked.
    ///
    /// # Errors
    /// Every number that is out of its range.
    pub(crate) fn compile(self) -> Result<Calendar, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut read = |field: &str, seconds: f64, least: i64| {
            let span = Millis::from_seconds(seconds).filter(|span| span.0 >= least);
            if span.is_none() {
                let least = least as f64 / 1e3;
                let message = format!("`{field}` is a number of seconds, {least} to 10^12");
                problems.push(Problem::new(format!("/calendar/{field}"), message));
            }
            span.unwrap_or_default()
        };
        let calendar = Calendar {
            day: read("day_seconds", self.day_seconds, 1),
            starts_at: read("starts_at_seconds", self.starts_at_seconds, 0),
        };
        match problems.is_empty() {
            true => Ok(calendar),
            false => Err(problems),
        }
    }
}

/// How news travels: characters who are at one place tell one another what they remember, without a model.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename = "Gossip")]
pub struct GossipSpec {
    /// How long two characters must be together until one tells something, in seconds of game time, 0.001 to 10^12; 600 where left
    /// out.
    pub every_seconds: f64,
    /// How much an episode must matter to be told, 0 to 1; 0.3 where left out.
    pub least: f64,
    /// How often news is passed on at most, counted from the character who was there, 1 to 1,000; 4 where left out.
    pub most_hops: u32,
}

impl Default for GossipSpec {
    fn default() -> Self {
        Self {
            every_seconds: 600.0,
            least: 0.3,
            most_hops: 4,
        }
    }
}

/// How news travels, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gossip {
    /// How long two characters are together until one tells something, in game time.
    pub every: Millis,
    /// How much an episode must matter to be told.
    pub least: Millionths,
    /// How often news is passed on at most, counted from the character who was there.
    pub most_hops: u32,
}

impl GossipSpec {
    /// What is meant, once the numbers are checked.
    pub(super) fn compile(self, problems: &mut Vec<Problem>) -> Gossip {
        let mut wrong = |field: &str, range: &str| {
            let message = format!("`{field}` is {range}");
            problems.push(Problem::new(format!("/gossip/{field}"), message));
        };
        let every = Millis::from_seconds(self.every_seconds).filter(|every| every.0 >= 1);
        if every.is_none() {
            wrong("every_seconds", "a number of seconds, 0.001 to 10^12");
        }
        let least = Millionths::from_f64(self.least).filter(|least| least.is_unit());
        if least.is_none() {
            wrong("least", "a number from 0 to 1");
        }
        if !(1..=1_000).contains(&self.most_hops) {
            wrong("most_hops", "a whole number from 1 to 1000");
        }
        Gossip {
            every: every.unwrap_or(Millis(600_000)),
            least: least.unwrap_or_default(),
            most_hops: self.most_hops,
        }
    }
}

/// A group of characters.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename = "Group")]
pub struct GroupSpec {
    /// What people call it; its id where left out.
    pub name: String,
    /// The ids of its members: characters, the player, any actor.
    pub members: Vec<String>,
    /// The keys of lore that its members alone know.
    pub lore: Vec<String>,
    /// Its initial standing towards others, by their ids, clamped to -1 to 1. Not listed: 0.
    #[serde(deserialize_with = "unique_map")]
    pub standing: BTreeMap<String, f64>,
}

impl GroupSpec {
    fn compile(&self, id: &str, problems: &mut Vec<Problem>) -> Group {
        let place = format!("/groups/{}", pointer::key(id));
        let mut read = |id: &str, at: String| {
            let read = Id::new(id);
            let wrong = |error: &_| problems.push(Problem::new(at, format!("{error}")));
            read.inspect_err(wrong).ok()
        };
        let members = self.members.iter().enumerate();
        let members = members
            .filter_map(|(i, member)| read(member, format!("{place}/members/{i}")))
            .collect();
        let standing = self.standing.iter().filter_map(|(other, value)| {
            let value = Millionths::from_f64(value.clamp(-1.0, 1.0)).unwrap_or_default();
            Some((read(other, format!("{place}/standing"))?, value))
        });
        Group {
            name: match self.name.trim() {
                "" => id.to_owned(),
                name => name.to_owned(),
            },
            members,
            standing: standing.collect(),
            lore: self.lore.iter().map(|key| name_key(key)).collect(),
        }
    }
}

impl StorySpec {
    /// Its groups, once their ids are checked.
    pub(super) fn groups(&self, problems: &mut Vec<Problem>) -> BTreeMap<String, Group> {
        let groups = self.groups.iter();
        groups
            .map(|(id, group)| (id.clone(), group.compile(id, problems)))
            .collect()
    }
}

/// A character that a player plays.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Persona", deny_unknown_fields)]
pub struct PersonaSpec {
    /// The id of its actor, unique among the personas.
    pub id: String,
    /// A text that says who it is, for prompts.
    #[serde(default)]
    pub description: String,
    /// Its states before the first step.
    #[serde(default)]
    pub states: Vec<StateSpec>,
}

impl PersonaSpec {
    /// What is wrong with the ids of the personas of a file.
    pub(crate) fn problems(personas: &[Self]) -> Vec<Problem> {
        let mut seen = BTreeSet::new();
        let problems = personas.iter().enumerate().filter_map(|(i, persona)| {
            let message = match Id::new(&persona.id) {
                Err(error) => error.to_string(),
                Ok(_) if seen.insert(&persona.id) => return None,
                Ok(_) => format!("the persona \"{}\" is listed twice", persona.id),
            };
            Some(Problem::new(format!("/personas/{i}/id"), message))
        });
        problems.collect()
    }
}

/// An entry of lore: something that can be found out about the world.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Lore", deny_unknown_fields)]
pub(crate) struct LoreSpec {
    /// Its key, unique in the story.
    pub key: String,
    /// Its title for people. `None`: its key.
    pub title: Option<String>,
    /// What can be found out.
    pub text: String,
    /// Words in a conversation that make it relevant.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Whether it is canon, so that no character, no player and no extractor may change it.
    #[serde(default)]
    pub fixed: bool,
}
