//! Component 3, retrieval: the memories that are relevant to the interaction. The formula is in [`crate::memory::retrieval`].

use super::interaction::InteractionContext;
use super::prompt::budget::PromptBudget;
use super::prompt::standing::standing;
use crate::authoring::{Character, StoryBook};
use crate::base::calendar::{Age, Calendar};
use crate::base::canonical::Encoded;
use crate::base::fixed::Millionths;
use crate::engine::Stage;
use crate::gate::CanonJudge;
use crate::limits::Limits;
use crate::memory::episode::said_id;
use crate::memory::retrieval::{Cue, Retrieved, RetrievedEpisode, ScoreParts, retrieve};
use crate::memory::{Episode, Exchange, Mind, Provenance, Relationship};
use crate::npc::limits::{keep_to_limits, limits_of};
use crate::npc::{LoadedCharacter, limit_overrides};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{
    RunFault, Step, StepResult, character_component, run_component,
};
use crate::pipeline::engine_room::crowd::named_in;
use crate::pipeline::run::diary::DiaryOf;
use crate::pipeline::run::looking_back::Remembers;
use crate::pipeline::run::{Run, RunPhase};
use crate::story::ActiveStory;
use crate::story::lore::{LoreEntry, Lorebook};
use crate::text::PromptWords;
use crate::world::{WorldRead, WorldValue, WorldView};
use bevy::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The parts of canon, facts and memory that are relevant to one interaction. Retrieval puts it on the run.
#[derive(Component, Debug, Clone, Default, PartialEq, Serialize)]
#[component(storage = "SparseSet", immutable)]
pub struct RetrievedContext {
    /// All canon, as id and text, sorted by id. It is never cut.
    pub(crate) canon: Arc<Encoded<Vec<(String, String)>>>,
    /// All world facts, sorted by key. They are never cut.
    pub world_facts: Vec<(String, WorldValue)>,
    /// Episodes and beliefs, best first, each with the parts of its score.
    pub(crate) memories: Arc<Retrieved>,
    /// The character's feelings towards the speaker. `None`: there is no speaker, or it feels nothing yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Relationship>,
    /// The causes of these feelings, the newest first, each with its time: at most three.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// Lore that the character knows and the talk brings up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lore: Vec<String>,
    /// The exchanges that the character remembers word by word, oldest first.
    pub(crate) exchanges: Vec<Arc<Encoded<Exchange>>>,
    /// How many exchanges came before these and are not kept any more.
    pub exchanges_gone: usize,
}

impl RetrievedContext {
    /// The episodes, best first: id and text.
    pub fn episodes(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let episodes = self.memories.episodes.iter();
        episodes.map(|episode| (&*episode.id, &*episode.text))
    }

    /// The retrieved items, by id, with the parts of each score, in the form for traces and records.
    #[must_use]
    pub fn summary(&self) -> Value {
        json!(RetrievalSummary::from(self))
    }
}

/// The retrieved items, in the form for traces and records: see [`RetrievedContext::summary`].
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
pub(crate) fn retrieve_context(
    context: &InteractionContext,
    story: &StoryBook,
    mind: &Mind,
    world: &dyn WorldRead,
    limits: &Limits,
    judge: &CanonJudge,
    prompt: PromptSize<'_>,
) -> RetrievedContext {
    let (canon, world_facts) = (story.canon.texts().clone(), world.facts());
    let before = mind.exchanges.back().map(|last| last_words(last));
    let named = named_in(world, context.words());
    let people = named.iter().chain(&context.speaker);
    let people = people.filter(|who| **who != context.npc);
    let cue = Cue {
        input: context.words(),
        before: before.as_deref().unwrap_or_default(),
        people: people.map(|who| &**who).collect(),
        except: prompt.kept_by(mind, &canon, &world_facts),
    };
    let mut memories = retrieve(mind, cue, context.game_time, limits);
    for found in &mut memories.episodes {
        if let Some(episode) = mind.episodes.get(&found.id) {
            let age = story.calendar.age(episode.time, context.game_time);
            let until = episode.is_lived().then(|| {
                let time = story.calendar.time_of_day(episode.time).to_string();
                prompt.words.say("lived_until", &[("time", &time)])
            });
            found.note = note(episode, prompt.words, (Some(age), until), world);
        }
    }
    for belief in &mut memories.beliefs {
        // The canon may be another one than when it was written.
        belief.contradicts_canon = judge.contradicts_belief(belief.id.as_str(), &belief.text);
    }
    RetrievedContext {
        canon,
        world_facts,
        memories: Arc::new(memories),
        relationship: felt_towards(mind, context),
        causes: causes(mind, context, story.calendar, prompt.words),
        lore: Vec::new(),
        exchanges: mind.exchanges.iter().cloned().collect(),
        exchanges_gone: mind.exchanges_gone,
    }
}

/// The lore that the input or the last exchange brings up, as far as the character knows of it.
fn lore(world: &World, mind: &Mind, context: &InteractionContext) -> Vec<String> {
    let book = world.get_resource::<Lorebook>();
    let Some(book) = book.filter(|book| !book.entries().is_empty()) else {
        return Vec::new();
    };
    let before = mind.exchanges.back().map(|last| last_words(last));
    let texts = [Some(context.words()), before.as_deref()];
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    let view = WorldView::new(world);
    let knows = |entry: &LoreEntry| entry.is_known_to(&context.npc, view.groups());
    let found = book.relevant(&texts, knows).into_iter();
    found.map(|entry| entry.text.clone()).collect()
}

/// How much of the talk a prompt will show, and in which words.
pub struct PromptSize<'a> {
    /// The name of the character.
    pub name: &'a str,
    /// How much room it has.
    pub budget: PromptBudget,
    /// The words of its language.
    pub(crate) words: &'a PromptWords,
}

impl<'a> PromptSize<'a> {
    /// What the prompt of this character will show.
    pub(crate) fn of(world: &'a World, npc: Entity, character: &'a Character) -> Self {
        let budget = world.resource::<PromptBudget>();
        Self {
            name: &character.name,
            budget: budget.with(&limit_overrides(world, npc)),
            words: &world
                .resource::<ActiveStory>()
                .0
                .language_of(character)
                .prompt,
        }
    }

    /// The ids of the episodes whose exchanges are in the prompt themselves.
    fn kept_by(
        &self,
        mind: &Mind,
        canon: &[(String, String)],
        facts: &[(String, WorldValue)],
    ) -> Vec<String> {
        let budget = self.budget.or_default();
        let canon = canon.iter().map(|(_, text)| text.chars().count());
        let facts = facts.iter().map(|(key, value)| {
            let key = key.chars().count();
            key + value.to_string().chars().count()
        });
        // Each line has a dash and an end, and each section a heading.
        let taken: usize = canon.chain(facts).map(|chars| chars + 4).sum();
        let all = mind.exchanges.iter().cloned().collect::<Vec<_>>();
        let left = budget.chars.saturating_sub(taken);
        standing(&all, mind.exchanges_gone, budget.exchanges, left, self.name)
            .filter(|exchange| exchange.number > 0)
            .map(|exchange| said_id(exchange.number))
            .collect()
    }
}

/// When an episode was and how it is known, in parentheses: "(Mira told you, 3 days ago)". Empty where there is nothing to say. `until`:
/// when an entry of a routine ended.
fn note(
    episode: &Episode,
    words: &PromptWords,
    (age, until): (Option<Age>, Option<String>),
    world: &dyn WorldRead,
) -> String {
    let by = |key: &str, who: &str| {
        let name = world.name_of(who).unwrap_or_else(|| who.to_owned());
        words.say(key, &[("name", &name)])
    };
    let known = match &episode.provenance {
        Provenance::Saw => None,
        Provenance::ToldBy(who) => Some(by("known_told", who)),
        Provenance::OverheardFrom(who) => Some(by("known_overheard", who)),
        Provenance::Inferred => Some(words.get("known_concluded").to_owned()),
        Provenance::Diary(_) => Some(words.get("known_diary").to_owned()),
    };
    let when = age.map(|age| words.when(age));
    let parts: Vec<String> = known.into_iter().chain(when).chain(until).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!("({})", parts.join(", ")),
    }
}

/// The speech and the answer of an exchange.
fn last_words(exchange: &Exchange) -> String {
    [&*exchange.heard, &*exchange.answered].join(" ")
}

/// The most causes of a relationship that a prompt holds.
const MOST_CAUSES: usize = 3;

/// The causes of the character's feelings towards the speaker, the newest first. A cause without words is left out.
fn causes(
    mind: &Mind,
    context: &InteractionContext,
    calendar: Calendar,
    words: &PromptWords,
) -> Vec<String> {
    let speaker = context.speaker.iter();
    let causes = speaker.flat_map(|speaker| mind.relationships.causes(speaker).rev());
    let with_words = causes.filter(|cause| !cause.text.trim().is_empty());
    let shown = with_words.take(MOST_CAUSES).map(|cause| {
        let when = words.when(calendar.age(cause.time, context.game_time));
        format!("({when}) {}", cause.text)
    });
    shown.collect()
}

/// The character's feelings towards the speaker; `None` where it feels nothing.
fn felt_towards(mind: &Mind, context: &InteractionContext) -> Option<Relationship> {
    let speaker = context.speaker.as_ref()?;
    let felt = mind.relationships.get(speaker);
    (felt != Relationship::default()).then_some(felt)
}

/// What a diary is written from: what the character has lived through on that day, and nothing else.
fn of_diary(
    world: &World,
    run: &Run,
    diary: &DiaryOf,
) -> std::result::Result<RetrievedContext, RunFault> {
    let character = &character_component::<LoadedCharacter>(world, run)?.0;
    let story = &world.resource::<ActiveStory>().0;
    let words = &story.language_of(character).prompt;
    let view = WorldView::new(world);
    let episodes = diary.episodes.iter().map(|episode| RetrievedEpisode {
        id: episode.id.clone(),
        parts: ScoreParts::default(),
        text: episode.text.clone(),
        note: note(episode, words, (None, None), &view),
    });
    let memories = Retrieved {
        episodes: episodes.collect(),
        // The episodes are in order of time.
        more_episodes: 1,
        ..Retrieved::default()
    };
    Ok(RetrievedContext {
        memories: Arc::new(memories),
        ..RetrievedContext::default()
    })
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
        if let Some(diary) = world.get::<DiaryOf>(entity) {
            let retrieved = of_diary(world, run, diary)?;
            world.entity_mut(entity).insert(retrieved);
            return Ok(RunPhase::Snapshot);
        }
        let mind = character_component::<Mind>(world, run)?;
        let context = run_component::<InteractionContext>(world, entity)?;
        let story = &world.resource::<ActiveStory>().0;
        let limits = limits_of(world, npc);
        let character = &character_component::<LoadedCharacter>(world, run)?.0;
        let judge = story.canon_of(character);
        let prompt = PromptSize::of(world, npc, character);
        let mut retrieved = retrieve_context(
            context,
            story,
            mind,
            &WorldView::new(world),
            &limits,
            &judge,
            prompt,
        );
        if run.stage() == Stage::Dialogue {
            retrieved.lore = lore(world, mind, context);
        }
        if let Some(about) = world.get::<Remembers>(entity) {
            retrieved.exchanges.clone_from(&about.0);
            retrieved.exchanges_gone = 0;
        }
        world.entity_mut(entity).insert(retrieved);
        Ok(RunPhase::Snapshot)
    }
}
