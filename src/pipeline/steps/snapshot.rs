//! Component 4, snapshot: everything an attempt depends on, frozen and hashed.

pub(crate) mod ask;
pub(crate) mod kept_affordances;
mod named_actions;

pub(crate) use ask::{Ask, NamedAction, Refused, Words};

pub(crate) use self::named_actions::{Naming, named_actions};

use super::expectancy::ConstraintSet;
use super::interaction::InteractionContext;
use super::prompt::budget::PromptBudget;
use super::retrieval::RetrievedContext;
use crate::authoring::Character;
use crate::authoring::character::Example;
use crate::base::canonical::{Digest, Encoded, Hashing, NotCanonical, canonical_digest, draw};
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::engine::{EngineIdentity, RunEngine, Stage};
use crate::limits::Limits;
use crate::npc::doing::{Doing, doing};
use crate::npc::limits::limits_with;
use crate::npc::{LoadedCharacter, Thinking, limit_overrides};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{
    RunFault, Step, StepResult, character_component, run_component,
};
use crate::pipeline::engine_room::crowd::part;
use crate::pipeline::run::attempt::{AttemptLog, AttemptOutOfRange, ChoiceRecord};
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::steps::snapshot::kept_affordances::{
    ActionWords, AffordanceList, Affordances, Asked, KeptAffordances,
};
use crate::rules::{Constraint, ConstraintList, is_closed};
use crate::sampling::Sampling;
use crate::story::{ActiveStory, action_rules};
use crate::text::PromptWords;
use crate::world::refresh::world_digest;
use crate::world::{
    ActionRules, EntityView, May, WorldRead, WorldValue, WorldView, action_words, affordances_among,
};
use bevy::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// Sampling seeds fit into a JSON number without loss.
const SEED_BITS: u32 = 53;

/// What a snapshot holds: everything that an attempt depends on, and nothing else.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SnapshotBody {
    /// The role that the run plays.
    pub stage: Stage,
    /// The interaction.
    pub context: InteractionContext,
    /// The name of the character.
    pub name: String,
    /// The text that describes the character.
    pub persona: String,
    /// The actions that it may propose; `None`: all.
    pub may: Option<Vec<String>>,
    /// Few-shot pairs, in the order of the file.
    pub examples: Vec<Example>,
    /// How many of these pairs, from the first on, are those of the trigger. Left out of the hash where there are none.
    #[serde(skip_serializing_if = "crate::base::is_default")]
    pub trigger_examples: usize,
    /// The constraints of this attempt, in the order of their evaluation; those that a retry added come last.
    pub constraints: ConstraintList,
    /// The hidden topics that are closed now, as their patterns are written.
    pub closed_topics: Vec<String>,
    /// The items that were retrieved for the interaction.
    pub retrieved: RetrievedContext,
    /// The name of the place where the character is. Empty, and left out of the hash, where it is in none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The things that the character perceives, and itself, sorted by id; of a crowd at most
    /// 64 things, mentioned ones first.
    pub seen: Vec<(Id, EntityView)>,
    /// What those of them do now who have a routine, itself included. Left out of the hash where it is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) doings: Vec<(Id, Doing)>,
    /// The names of its groups, and the standing of each towards the speaker. Left out of the hash where it belongs to none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standings: Vec<(String, Millionths)>,
    /// The ids of what else it perceives, in order of the alphabet. Empty but in a crowd.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crowd: Vec<Id>,
    /// Those of the seen things that the input or the last exchange mentions, and the speaker. Empty in a small room. It follows
    /// from the rest.
    #[serde(skip)]
    pub mentioned: BTreeSet<Id>,
    /// The flags that the rulebook asks for, and whether each is set.
    pub flags: Vec<(String, bool)>,
    /// The actions that it can do now, for the prompt's list and the schema's enums.
    pub affordances: Affordances,
    /// The actions that it may propose and that have fields in addition to their references, with those fields: told once, in
    /// the part of the prompt that hardly ever changes.
    pub action_words: ActionWords,
    /// The hash of the judged world, in hexadecimal.
    pub world: String,
    /// The attempt, counted from 0.
    pub attempt: u32,
    /// How many attempts the policy allows.
    pub max_attempts: u32,
    /// The sampling seed, of 53 bits.
    pub seed: u64,
    /// Feedback on the last attempt, a line each; empty for the first attempt.
    pub feedback: Vec<String>,
    /// What attempts before this one have said aloud, from where it goes on. Left out of the hash where nothing was heard.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// How much room the prompt has.
    pub budget: PromptBudget,
    /// The most characters of the seen things and possible actions. Left out of the hash where it is the default.
    #[serde(skip_serializing_if = "is_default_surroundings")]
    pub surroundings_chars: usize,
    /// The most characters of a spoken line. Left out of the hash where it is the default.
    #[serde(skip_serializing_if = "is_default_line")]
    pub line_chars: usize,
    /// How much of a line may appear in an earlier one. No prompt tells it, and so it is left out of the hash.
    #[serde(skip)]
    pub(crate) echo: Millionths,
    /// How the model chooses its words: what the character, the story and the limits say.
    pub sampling: Arc<Sampling>,
    /// What the call asks for. Left out of the hash where all is asked for together.
    #[serde(skip_serializing_if = "Ask::is_whole")]
    pub(crate) ask: Ask,
    /// The longest prompt that the engine takes, in characters.
    pub context_chars: usize,
    /// Whether the engine obeys a JSON schema.
    pub json: bool,
    /// The words of the prompt. Left out of the hash where they are English.
    #[serde(skip_serializing_if = "PromptWords::is_english")]
    pub words: PromptWords,
    #[serde(skip)]
    world_seed: u64,
    #[serde(skip)]
    hashing: Hashing,
}

/// Whether a prompt says where its character is. In a recording of an older version, which hashed snapshots as a whole, none did.
fn tells_place(hashing: Hashing) -> bool {
    hashing != Hashing::Whole
}

impl SnapshotBody {
    /// The texts that the character was given: its description, the knowledge of all characters, and the words to it. Its own
    /// words and memories are not among them, because a model writes those.
    #[must_use]
    pub fn told(&self) -> Vec<&str> {
        let context = &self.context;
        let mut told = vec![self.persona.as_str()];
        told.extend(
            [&context.input, &context.prompt]
                .into_iter()
                .flatten()
                .map(String::as_str),
        );
        told.extend(
            self.retrieved
                .exchanges
                .iter()
                .map(|exchange| exchange.heard.as_str()),
        );
        told.extend(self.retrieved.canon.iter().map(|(_, text)| text.as_str()));
        let facts = self.retrieved.world_facts.iter();
        told.extend(facts.filter_map(|(_, fact)| match fact {
            WorldValue::Text(text) => Some(text.as_str()),
            _ => None,
        }));
        let examples = self.examples.iter();
        told.extend(examples.flat_map(|example| [example.player.as_str(), example.npc.as_str()]));
        told
    }

    /// What one of those that it perceives does now, or itself; `None`: its routine says nothing of it.
    pub(crate) fn doing(&self, id: &Id) -> Option<&Doing> {
        let doing = self.doings.iter().find(|(other, _)| other == id);
        doing.map(|(_, doing)| doing)
    }

    /// The scene that the prompt names; `None` where the request names none.
    #[must_use]
    pub fn scene(&self) -> Option<&str> {
        let scene = self.context.scene.as_deref();
        scene.filter(|_| tells_place(self.hashing))
    }

    /// The ids of the characters that this one can speak of, without itself: those nearby, and the speaker. In order of the
    /// alphabet.
    #[must_use]
    pub fn known_characters(&self) -> Vec<&Id> {
        let near = self
            .seen
            .iter()
            .filter(|(_, view)| view.kind == "character");
        let mut known: Vec<&Id> = near
            .map(|(id, _)| id)
            .chain(&self.context.speaker)
            .collect();
        known.retain(|id| **id != self.context.npc);
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Texts at which a reply in prose ends, because another speaker begins: the speaker of the input first, then those who are
    /// near. In JSON no line begins so.
    pub(in crate::pipeline) fn stops(&self) -> Vec<String> {
        let is_prose = match self.ask {
            Ask::Whole => !self.json,
            Ask::Choice(_) | Ask::Memories | Ask::Diary => false,
            Ask::Words(_) => true,
        };
        if !is_prose {
            return Vec::new();
        }
        let is_other = |id: &Id, name: &str| {
            let is_a_name = !name.trim().is_empty() && !name.contains(['\n', '\r', ':']);
            *id != self.context.npc && name != self.name && is_a_name
        };
        let people = self.seen.iter().filter(|(id, view)| {
            let speaks = view.kind == "character" || self.context.speaker.as_ref() == Some(id);
            speaks && is_other(id, &view.name)
        });
        let mut people: Vec<_> = people.collect();
        people.sort_by_key(|(id, _)| self.context.speaker.as_ref() != Some(id));
        let names = people
            .into_iter()
            .map(|(_, view)| format!("\n{}:", view.name));
        names.take(MAX_STOPS).collect()
    }
}

/// The most words that end a reply; more are refused by some servers.
const MAX_STOPS: usize = 4;

/// A frozen input. Its id is the BLAKE3 hash of its canonical encoding, in which parts that do not change from run to run appear
/// as their own hash (see `Hashing`): the same inputs, the same id.
#[derive(Component, Debug, Clone)]
#[component(storage = "SparseSet")]
pub(crate) struct StateSnapshot {
    id: Digest,
    body: Arc<SnapshotBody>,
}

/// Why there is no snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum SnapshotError {
    /// The policy allows no such attempt.
    #[error(transparent)]
    Attempt(#[from] AttemptOutOfRange),
    /// What the attempt depends on has no canonical form, so it has no hash.
    #[error("the snapshot cannot be hashed: {0}")]
    NotCanonical(#[from] NotCanonical),
}

impl From<SnapshotError> for RunFault {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Attempt(error) => Self::Attempt(error.to_string()),
            SnapshotError::NotCanonical(error) => error.into(),
        }
    }
}

/// What the next attempt has more than the last one: written by retry, taken by the snapshot.
#[derive(Component, Debug, Clone, Default, PartialEq)]
#[component(storage = "SparseSet")]
pub struct Escalated {
    /// Constraints to merge in; one with the id of a constraint that is there takes its place.
    pub(crate) constraints: Vec<Arc<Encoded<Constraint>>>,
    /// Feedback on the last attempt, a line each.
    pub feedback: Vec<String>,
    /// What attempts before it have said aloud; empty where nothing was heard.
    pub said: String,
}

/// The inputs of a snapshot, in addition to the run's own outputs.
pub struct SnapshotInputs<'a> {
    /// The role that the run plays.
    pub stage: Stage,
    /// The character that responds.
    pub character: &'a Character,
    /// The few-shot exchanges of the interaction's trigger; empty where it has none.
    pub(crate) trigger_examples: &'a [Example],
    /// The seed of the world, from which the sampling seed is drawn.
    pub world_seed: u64,
    /// How much room the prompt has.
    pub budget: PromptBudget,
    /// The numbers that bound the character.
    pub limits: Limits,
    /// How the model chooses its words, as files say.
    pub(crate) sampling: Sampling,
    /// The engine that will be asked: its context limit and abilities are part of the snapshot.
    pub engine: &'a EngineIdentity,
    /// The judged world as it is now.
    pub world: &'a dyn WorldRead,
    /// What a character does now.
    pub(crate) doing: &'a dyn Fn(&Id) -> Option<Doing>,
    /// What actions are judged by.
    pub actions: ActionRules<'a>,
    /// The hash of the judged world.
    pub world_hash: Digest,
    /// How many attempts the policy allows.
    pub max_attempts: u32,
    /// Whether what the character does is asked for apart from its words.
    pub apart: bool,
    /// What the character could do when it was asked last, by the same rules; `None` where that is not known.
    pub kept: Option<&'a KeptAffordances>,
    /// How the snapshot is hashed.
    pub hashing: Hashing,
}

impl SnapshotInputs<'_> {
    /// What the character can do, of what it perceives without these.
    fn affordances(&self, left_out: &[Id]) -> (Affordances, ActionWords) {
        let asked = Asked {
            world: self.world_hash,
            may: self.character.may.as_deref(),
            left_out,
        };
        let may = May::of_character(asked.may);
        let (rules, npc) = (&self.actions, &self.character.id);
        let words = self.kept.and_then(|kept| kept.action_words(asked.may));
        let words = words.unwrap_or_else(|| Arc::new(Encoded::new(action_words(rules, may))));
        let affordances = self.kept.and_then(|kept| kept.affordances(asked));
        let affordances = affordances.unwrap_or_else(|| {
            let found = affordances_among(rules, self.world, npc, may, left_out);
            match self.kept {
                Some(kept) => kept.or_known(found),
                None => Arc::new(AffordanceList::new(found)),
            }
        });
        (affordances, words)
    }
}

impl StateSnapshot {
    /// The snapshot of a run's first attempt.
    ///
    /// # Errors
    /// [`SnapshotError::Attempt`] when the policy allows no attempt at all.
    pub(crate) fn first(
        frozen: &SnapshotInputs,
        context: &InteractionContext,
        constraints: &ConstraintSet,
        retrieved: &RetrievedContext,
    ) -> std::result::Result<Self, SnapshotError> {
        let npc = &frozen.character.id;
        let words = spoken_of(context, retrieved);
        let crowd = part(frozen.world, npc, &words, context.speaker.as_ref());
        let (affordances, action_words) = frozen.affordances(&crowd.left_out);
        let lexicon = frozen.character.lexicon.as_deref();
        let lexicon = lexicon.unwrap_or(frozen.actions.lexicon);
        let ask = match frozen.apart {
            _ if frozen.stage == Stage::Remember => Ask::Memories,
            _ if frozen.stage == Stage::Diary => Ask::Diary,
            false => Ask::Whole,
            true => {
                let naming = Naming {
                    rules: frozen.actions,
                    world: frozen.world,
                    lexicon,
                };
                let most = frozen.limits.options;
                let options = named_actions(&affordances, &naming, &words, most);
                Ask::of_options(options, Words::now(frozen.world, npc, &frozen.limits))
            }
        };
        let flags = frozen.actions.book.flags().into_iter();
        let flags = flags
            .map(|name| (name.to_owned(), frozen.world.flag(name)))
            .collect();
        let hidden = &frozen.character.rules.hidden;
        let closed_topics = hidden
            .iter()
            .filter(|hidden| is_closed(hidden, &context.conditions(), frozen.world))
            .map(|hidden| hidden.topic.source.to_string());
        let doings = crowd.seen.iter();
        let doings = doings.filter_map(|(id, _)| Some((id.clone(), (frozen.doing)(id)?)));
        let body = SnapshotBody {
            stage: frozen.stage,
            context: context.clone(),
            name: frozen.character.name.clone(),
            persona: frozen.character.persona.clone(),
            may: frozen.character.may.clone(),
            examples: frozen
                .trigger_examples
                .iter()
                .chain(&frozen.character.examples)
                .cloned()
                .collect(),
            trigger_examples: frozen.trigger_examples.len(),
            constraints: constraints.constraints.clone(),
            closed_topics: closed_topics.collect(),
            retrieved: retrieved.clone(),
            flags,
            affordances,
            action_words,
            place: match tells_place(frozen.hashing) {
                true => place_of(frozen.world, npc),
                false => String::new(),
            },
            doings: doings.collect(),
            standings: standings(frozen.world, npc, context.speaker.as_ref()),
            seen: crowd.seen,
            crowd: crowd.left_out,
            mentioned: crowd.mentioned,
            world: frozen.world_hash.to_hex(),
            attempt: 0,
            max_attempts: frozen.max_attempts,
            seed: sampling_seed(frozen.world_seed, context, 0),
            feedback: Vec::new(),
            said: String::new(),
            budget: frozen.budget,
            surroundings_chars: frozen.limits.surroundings_chars,
            line_chars: frozen.limits.reply_chars,
            echo: frozen.limits.echo,
            sampling: Arc::new(frozen.sampling.within(&frozen.limits)),
            ask,
            context_chars: frozen.engine.capabilities.context_chars,
            json: frozen.engine.capabilities.json,
            words: lexicon.prompt.clone(),
            world_seed: frozen.world_seed,
            hashing: frozen.hashing,
        };
        Self::freeze(body)
    }

    /// The snapshot of the next attempt: constraints merged by id, feedback replaced, all else equal.
    ///
    /// # Errors
    /// [`SnapshotError::Attempt`] when the policy allows no further attempt.
    pub(crate) fn for_retry(
        &self,
        escalated: Escalated,
    ) -> std::result::Result<Self, SnapshotError> {
        let mut body = SnapshotBody::clone(&self.body);
        body.attempt += 1;
        body.seed = sampling_seed(body.world_seed, &body.context, body.attempt);
        body.feedback = escalated.feedback;
        body.said = escalated.said;
        merge_constraints(&mut body.constraints, escalated.constraints);
        Self::freeze(body)
    }

    /// The snapshot of the same attempt in which the words are asked for, now that it is known what the character does.
    ///
    /// # Errors
    /// [`SnapshotError`] as for any other.
    pub(crate) fn for_words(&self, words: Words) -> std::result::Result<Self, SnapshotError> {
        let mut body = SnapshotBody::clone(&self.body);
        body.ask = Ask::Words(words.into());
        Self::freeze(body)
    }

    fn freeze(body: SnapshotBody) -> std::result::Result<Self, SnapshotError> {
        let SnapshotBody {
            attempt,
            max_attempts,
            ..
        } = body;
        if attempt >= max_attempts {
            return Err(SnapshotError::Attempt(AttemptOutOfRange {
                attempt,
                max_attempts,
            }));
        }
        Ok(Self {
            id: canonical_digest(&body, body.hashing)?,
            body: Arc::new(body),
        })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.id
    }

    /// What it holds.
    #[must_use]
    pub(crate) fn body(&self) -> &SnapshotBody {
        &self.body
    }
}

/// Takes in what a retry adds: one with the id of a constraint that is there takes its place.
pub(crate) fn merge_constraints(
    constraints: &mut ConstraintList,
    added: Vec<Arc<Encoded<Constraint>>>,
) {
    if added.is_empty() {
        return;
    }
    let mut all = Vec::clone(constraints);
    for constraint in added {
        match all.iter_mut().find(|c| c.id == constraint.id) {
            Some(old) => *old = constraint,
            None => all.push(constraint),
        }
    }
    *constraints = Arc::new(Encoded::new(all));
}

/// The name of the place where a character is; the place's id where it has no name.
fn place_of(world: &dyn WorldRead, npc: &Id) -> String {
    let place = world.place_of(npc);
    place.map_or_else(String::new, |id| {
        let name = world.location(&id).map(|place| place.name);
        name.filter(|name| !name.is_empty())
            .unwrap_or_else(|| id.to_string())
    })
}

/// The words that may name something in sight: the input and the last exchange.
fn spoken_of(context: &InteractionContext, retrieved: &RetrievedContext) -> String {
    let mut words = context.words().to_owned();
    if let Some(last) = retrieved.exchanges.last() {
        for said in [&last.heard, &last.answered] {
            words.push('\n');
            words.push_str(said);
        }
    }
    words
}

/// The sampling seed is drawn from what it decides: a retry differs from the attempt that it repairs, and replays.
fn sampling_seed(world_seed: u64, context: &InteractionContext, attempt: u32) -> u64 {
    let interaction = context.interaction_count.to_string();
    let keys = [context.npc.as_str(), &interaction, &attempt.to_string()];
    draw(world_seed, "sampling", &keys) >> (64 - SEED_BITS)
}

/// The step: freezes the input of a run's next attempt.
pub(crate) struct FreezeSnapshot;

impl Step for FreezeSnapshot {
    const PHASE: RunPhase = RunPhase::Snapshot;
    const READS: Option<RunStep> = Some(RunStep::Snapshot);
    /// The hash of the judged world, which is the same for all runs of a frame.
    type Frame = Option<Digest>;

    fn run(&self, world: &mut World, entity: Entity, hash: &mut Option<Digest>) -> StepResult {
        let world_hash = match *hash {
            Some(hash) => hash,
            None => *hash.insert(world_digest(world)),
        };
        let escalated = world.entity_mut(entity).take::<Escalated>();
        let frozen = freeze(world, entity, escalated, world_hash)?;
        let snapshot = frozen?;
        let body = snapshot.body.clone();
        let attempt = body.attempt;
        let mut run = world.entity_mut(entity);
        run.insert(snapshot).remove::<ChoiceRecord>();
        let Some(mut run) = run.get_mut::<Run>() else {
            return Err(RunFault::RunComponent("Run"));
        };
        run.set_attempt(attempt);
        let npc = run.npc_entity();
        keep_affordances(world, npc, world_hash, &body);
        if let Ok(mut npc) = world.get_entity_mut(npc)
            && let Some(thinking) = npc.get::<Thinking>().copied()
            && thinking.attempt != attempt
        {
            npc.insert(Thinking {
                attempt,
                ..thinking
            });
        }
        let has_chosen = body.ask.words().is_some_and(|words| words.does.is_some());
        Ok(match has_chosen {
            true => RunPhase::Choosing,
            false => RunPhase::Prompt,
        })
    }
}

/// Keeps what a character can do for its next run.
fn keep_affordances(world: &mut World, npc: Entity, world_hash: Digest, body: &SnapshotBody) {
    let asked = Asked {
        world: world_hash,
        may: body.may.as_deref(),
        left_out: &body.crowd,
    };
    let known = world.get::<KeptAffordances>(npc);
    if body.attempt > 0 || known.is_some_and(|kept| kept.is(asked, &body.affordances)) {
        return;
    }
    let kept = KeptAffordances::keep(world, asked, &body.affordances, &body.action_words);
    let Ok(mut npc) = world.get_entity_mut(npc) else {
        return;
    };
    match kept {
        Some(kept) => npc.insert(kept),
        None => npc.remove::<KeptAffordances>(),
    };
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_default_surroundings(chars: &usize) -> bool {
    *chars == Limits::DEFAULT.surroundings_chars
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_default_line(chars: &usize) -> bool {
    *chars == Limits::DEFAULT.reply_chars
}

/// The names of a character's groups, and the standing of each towards the speaker.
fn standings(world: &dyn WorldRead, npc: &Id, speaker: Option<&Id>) -> Vec<(String, Millionths)> {
    let groups = world.groups();
    let standings = groups.of(npc).filter_map(|(id, group)| {
        let standing = groups.standing(id, speaker?)?;
        Some((group.name.clone(), standing))
    });
    standings.collect()
}

/// How the model chooses its words, as the files of a character and of the story say.
pub(in crate::pipeline) fn sampling_of(world: &World, character: Option<&Character>) -> Sampling {
    let story = &world.resource::<ActiveStory>().0.sampling;
    character.map_or_else(|| story.clone(), |own| own.sampling.or(story))
}

fn trigger_examples(world: &World, run: Entity) -> std::result::Result<&[Example], RunFault> {
    let context = run_component::<InteractionContext>(world, run)?;
    let story = &world.resource::<ActiveStory>().0;
    let trigger = context.trigger_id.as_ref();
    let examples = trigger.and_then(|id| story.trigger_examples.get(id.as_str()));
    Ok(examples.map(Vec::as_slice).unwrap_or_default())
}

/// The snapshot of a run's next attempt: from the last one where there is one, else from the world.
fn freeze(
    world: &World,
    entity: Entity,
    escalated: Option<Escalated>,
    world_hash: Digest,
) -> std::result::Result<std::result::Result<StateSnapshot, SnapshotError>, RunFault> {
    if !run_component::<AttemptLog>(world, entity)?.0.is_empty() {
        let last = run_component::<StateSnapshot>(world, entity)?;
        let escalated = escalated.ok_or(RunFault::RunComponent("Escalated"))?;
        return Ok(last.for_retry(escalated));
    }
    let run = run_component::<Run>(world, entity)?;
    let overrides = limit_overrides(world, run.npc_entity());
    let character = &character_component::<LoadedCharacter>(world, run)?.0;
    let inputs = SnapshotInputs {
        stage: run.stage(),
        character,
        sampling: sampling_of(world, Some(character)),
        trigger_examples: trigger_examples(world, entity)?,
        world_seed: world.resource::<WorldSeed>().0,
        budget: world.resource::<PromptBudget>().with(&overrides),
        limits: limits_with(world, &overrides),
        engine: run_component::<RunEngine>(world, entity)?.identity(),
        world: &WorldView::new(world),
        doing: &|id| doing(world, id),
        actions: action_rules(world),
        world_hash,
        max_attempts: run.policy().max_attempts,
        apart: run.policy().is_apart(),
        kept: KeptAffordances::of(world, run.npc_entity()),
        hashing: world.get_resource().copied().unwrap_or(Hashing::ByParts),
    };
    Ok(StateSnapshot::first(
        &inputs,
        run_component::<InteractionContext>(world, entity)?,
        run_component::<ConstraintSet>(world, entity)?,
        run_component::<RetrievedContext>(world, entity)?,
    ))
}
