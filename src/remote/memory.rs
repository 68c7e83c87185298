//! `dramatis/memory`: what a character remembers, believes and feels.

use super::answer::{answer, first, limit, read, wrong};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::memory::{Belief, DormantMinds, Episode, Mind};
use crate::npc::LoadedCharacter;
use crate::text::excerpt;
use crate::world::WorldIndex;
use bevy::prelude::*;
use bevy_remote::BrpResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Reverse;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    npc: String,
    limit: Option<u64>,
}

#[derive(Serialize)]
struct Told<'a> {
    npc: &'a str,
    /// `None` while it is not in the game.
    name: Option<&'a str>,
    interactions: u64,
    /// The game time of this answer, in milliseconds.
    now_ms: i64,
    /// What it remembers, the newest first.
    episodes: Vec<EpisodeRow<'a>>,
    /// What it believes, the newest first.
    beliefs: Vec<BeliefRow<'a>>,
    /// Its relationships, in order of the ids of the others.
    relationships: Vec<RelationshipRow<'a>>,
    /// Its states, in the order in which they came.
    states: Vec<StateRow<'a>>,
    left_out: LeftOut,
}

/// How many there are of each that the answer leaves out.
#[derive(Serialize)]
struct LeftOut {
    episodes: usize,
    beliefs: usize,
    relationships: usize,
    states: usize,
}

#[derive(Serialize)]
struct EpisodeRow<'a> {
    id: &'a str,
    text: &'a str,
    significance: f64,
    /// How much of it is left, 0 to 1.
    strength: f64,
    time_ms: i64,
    participants: &'a [String],
    place: Option<&'a str>,
    /// How the character knows of it.
    known: String,
    pinned: bool,
    private: bool,
}

#[derive(Serialize)]
struct BeliefRow<'a> {
    id: &'a Id,
    text: &'a str,
    confidence: f64,
    since_ms: i64,
    contradicts_canon: bool,
    pinned: bool,
    /// Whether none but a model ever wrote it.
    from_model: bool,
    /// What was believed before, the newest first.
    before: Vec<&'a str>,
}

#[derive(Serialize)]
struct RelationshipRow<'a> {
    with: &'a Id,
    affinity: f64,
    trust: f64,
    familiarity: f64,
    /// The causes of these numbers, the newest first.
    causes: Vec<CauseRow<'a>>,
}

#[derive(Serialize)]
struct CauseRow<'a> {
    time_ms: i64,
    text: &'a str,
}

#[derive(Serialize)]
struct StateRow<'a> {
    label: &'a str,
    category: &'a str,
    level: u8,
}

impl<'a> EpisodeRow<'a> {
    fn of(episode: &'a Episode, mind: &Mind, now: GameTime) -> Self {
        let strength = episode.strength(now, mind.episodes.decay());
        Self {
            id: &episode.id,
            text: &episode.text,
            significance: episode.significance.to_f64(),
            strength: strength.to_f64(),
            time_ms: episode.time.0,
            participants: first(&episode.participants),
            place: episode.place.as_deref(),
            known: episode.provenance.to_string(),
            pinned: episode.pinned,
            private: episode.private,
        }
    }
}

impl<'a> BeliefRow<'a> {
    fn of(id: &'a Id, belief: &'a Belief) -> Self {
        let before = belief.history.iter().rev();
        Self {
            id,
            text: &belief.text,
            confidence: belief.confidence.to_f64(),
            since_ms: belief.since.0,
            contradicts_canon: belief.contradicts_canon,
            pinned: belief.pinned,
            from_model: belief.from_model,
            before: before.map(|(text, ..)| text.as_str()).collect(),
        }
    }
}

/// The mind of a character, and the character's name where it is in the game.
pub(super) fn mind_of<'w>(world: &'w World, npc: &str) -> Option<(&'w Mind, Option<&'w str>)> {
    let spawned = WorldIndex::find(world, npc).and_then(|entity| {
        let character = world.get::<LoadedCharacter>(entity)?;
        let mind = world.get::<Mind>(entity)?;
        Some((mind, Some(character.0.name.as_str())))
    });
    spawned.or_else(|| {
        let dormant = world.get_resource::<DormantMinds>()?;
        Some((dormant.get(npc)?, None))
    })
}

/// Answers `dramatis/memory`.
pub(super) fn tell_memory(In(params): In<Option<Value>>, world: &World) -> BrpResult {
    let form = r#"{"npc": "bram", "limit": 20}; limit can be left out"#;
    let asked: Asked = read(params, form)?;
    let most = limit(asked.limit)?;
    let Some((mind, name)) = mind_of(world, &asked.npc) else {
        return Err(wrong(format!(
            "no character has the id \"{}\", or it has no mind yet: send the id in the character's file",
            excerpt(&asked.npc)
        )));
    };
    let clock = world.get_resource::<DramatisClock>();
    let now = clock.map_or(GameTime::default(), |clock| clock.game);
    let mut beliefs: Vec<(&Id, &Belief)> = mind.beliefs.iter().collect();
    // They are in the order of their ids, which stays among those of the same time.
    beliefs.sort_by_key(|(_, belief)| Reverse(belief.since.0));
    let left_out = LeftOut {
        episodes: mind.episodes.len().saturating_sub(most),
        beliefs: beliefs.len().saturating_sub(most),
        relationships: mind.relationships.iter().len().saturating_sub(most),
        states: mind.states.len().saturating_sub(most),
    };
    let episodes = mind.episodes.iter().rev().take(most);
    let beliefs = beliefs.into_iter().take(most);
    let relationships = mind.relationships.iter().take(most);
    let relationships = relationships.map(|(other, relationship)| {
        let causes = mind.relationships.causes(other).rev();
        RelationshipRow {
            with: other,
            affinity: relationship.affinity.to_f64(),
            trust: relationship.trust.to_f64(),
            familiarity: relationship.familiarity.to_f64(),
            causes: causes
                .map(|cause| CauseRow {
                    time_ms: cause.time.0,
                    text: &cause.text,
                })
                .collect(),
        }
    });
    let states = mind.states.iter().take(most);
    let states = states.map(|(label, category, level)| StateRow {
        label,
        category,
        level: *level,
    });
    answer(&Told {
        npc: &asked.npc,
        name,
        interactions: mind.interactions,
        now_ms: now.0,
        episodes: episodes
            .map(|episode| EpisodeRow::of(episode, mind, now))
            .collect(),
        beliefs: beliefs
            .map(|(id, belief)| BeliefRow::of(id, belief))
            .collect(),
        relationships: relationships.collect(),
        states: states.collect(),
        left_out,
    })
}
