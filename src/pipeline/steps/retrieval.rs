//! Component 3, retrieval: what a character remembers that bears on the interaction. The formula is in [`crate::memory::retrieval`].

use super::interaction::InteractionContext;
use crate::authoring::StoryBook;
use crate::base::canonical::Encoded;
use crate::base::fixed::Millionths;
use crate::gate::CanonJudge;
use crate::limits::Limits;
use crate::memory::retrieval::{Cue, Retrieved, retrieve};
use crate::memory::{Exchange, Mind, Relationship};
use crate::npc::LoadedCharacter;
use crate::npc::limits::{keep_to_limits, limits_of};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{Step, StepResult, character_component, run_component};
use crate::pipeline::engine_room::crowd::named_in;
use crate::pipeline::run::looking_back::Remembers;
use crate::pipeline::run::{Run, RunPhase};
use crate::story::ActiveStory;
use crate::world::{WorldRead, WorldValue, WorldView};
use bevy::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// What of canon, facts and memory bears on one interaction. Retrieval puts it on the run.
#[derive(Component, Debug, Clone, Default, PartialEq, Serialize)]
#[component(storage = "SparseSet", immutable)]
pub struct RetrievedContext {
    /// All canon, as id and text, sorted by id. It is never cut.
    pub canon: Arc<Encoded<Vec<(String, String)>>>,
    /// All world facts, sorted by key. They are never cut.
    pub world_facts: Vec<(String, WorldValue)>,
    /// Episodes and beliefs, best first, each with the parts of its score.
    pub memories: Arc<Retrieved>,
    /// How the character stands to who speaks. `None`: nobody speaks, or it feels nothing yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Relationship>,
    /// The exchanges that the character remembers word by word, oldest first.
    pub exchanges: Vec<Arc<Encoded<Exchange>>>,
    /// How many exchanges came before these and are not kept any more.
    pub exchanges_gone: usize,
}

impl RetrievedContext {
    /// What was brought up, by id, with the parts of each score: as it stands in traces and records.
    #[must_use]
    pub fn summary(&self) -> Value {
        json!(RetrievalSummary::from(self))
    }
}

/// What was brought up, as it stands in traces and records: see [`RetrievedContext::summary`].
#[derive(Debug, Clone, Serialize)]
pub struct RetrievalSummary<'a> {
    beliefs: Vec<&'a str>,
    canon: Vec<&'a str>,
    episodes: Vec<EpisodeSummary<'a>>,
    world_facts: Vec<&'a str>,
}

#[derive(Debug, Clone, Serialize)]
struct EpisodeSummary<'a> {
    id: &'a str,
    recency: Millionths,
    relevance: Millionths,
    score: Millionths,
    significance: Millionths,
}

impl<'a> From<&'a RetrievedContext> for RetrievalSummary<'a> {
    fn from(retrieved: &'a RetrievedContext) -> Self {
        let Retrieved {
            episodes, beliefs, ..
        } = &*retrieved.memories;
        let episodes = episodes.iter().map(|episode| EpisodeSummary {
            id: &episode.id,
            recency: episode.parts.recency,
            relevance: episode.parts.relevance,
            score: episode.parts.score,
            significance: episode.parts.significance,
        });
        Self {
            beliefs: beliefs.iter().map(|belief| &*belief.id).collect(),
            canon: retrieved.canon.iter().map(|(id, _)| &**id).collect(),
            episodes: episodes.collect(),
            world_facts: retrieved
                .world_facts
                .iter()
                .map(|(key, _)| &**key)
                .collect(),
        }
    }
}

/// Canon and world facts whole, the rest of the mind by score.
#[must_use]
pub fn retrieve_context(
    context: &InteractionContext,
    story: &StoryBook,
    mind: &Mind,
    world: &dyn WorldRead,
    limits: &Limits,
    judge: &CanonJudge,
) -> RetrievedContext {
    let before = mind.exchanges.back().map(|last| last_words(last));
    let named = named_in(world, context.words());
    let people = named.iter().chain(&context.speaker);
    let people = people.filter(|who| **who != context.npc);
    let cue = Cue {
        input: context.words(),
        before: before.as_deref().unwrap_or_default(),
        people: people.map(|who| &**who).collect(),
    };
    let mut memories = retrieve(mind, cue, context.game_time, limits);
    for belief in &mut memories.beliefs {
        // The canon may be another one than when it was written.
        belief.contradicts_canon = judge.contradicts_belief(belief.id.as_str(), &belief.text);
    }
    RetrievedContext {
        canon: story.canon.texts().clone(),
        world_facts: world.facts(),
        memories: Arc::new(memories),
        relationship: felt_towards(mind, context),
        exchanges: mind.exchanges.iter().cloned().collect(),
        exchanges_gone: mind.exchanges_gone,
    }
}

/// What was heard and answered in an exchange.
fn last_words(exchange: &Exchange) -> String {
    [&*exchange.heard, &*exchange.answered].join(" ")
}

/// How the character stands to who speaks; `None` where it feels nothing.
fn felt_towards(mind: &Mind, context: &InteractionContext) -> Option<Relationship> {
    let speaker = context.speaker.as_ref()?;
    let felt = mind.relationships.get(speaker);
    (felt != Relationship::default()).then_some(felt)
}

/// The step: retrieves the memories of a run.
pub(crate) struct RetrieveMemories;

impl Step for RetrieveMemories {
    const PHASE: RunPhase = RunPhase::Retrieval;
    const READS: Option<RunStep> = Some(RunStep::Retrieval);
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let npc = run_component::<Run>(world, entity)?.npc_entity();
        keep_to_limits(world, npc);
        let run = run_component::<Run>(world, entity)?;
        let mind = character_component::<Mind>(world, run)?;
        let context = run_component::<InteractionContext>(world, entity)?;
        let story = &world.resource::<ActiveStory>().0;
        let limits = limits_of(world, npc);
        let character = &character_component::<LoadedCharacter>(world, run)?.0;
        let judge = story.canon_of(character);
        let mut retrieved = retrieve_context(
            context,
            story,
            mind,
            &WorldView::new(world),
            &limits,
            &judge,
        );
        if let Some(about) = world.get::<Remembers>(entity) {
            retrieved.exchanges.clone_from(&about.0);
            retrieved.exchanges_gone = 0;
        }
        world.entity_mut(entity).insert(retrieved);
        Ok(RunPhase::Snapshot)
    }
}
