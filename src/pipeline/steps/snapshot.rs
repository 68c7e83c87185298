//! Component 4, snapshot: everything an attempt depends on, frozen and hashed.

pub(crate) mod ask;
mod body;
mod freeze;
pub(crate) mod kept_affordances;
mod named_actions;

pub(crate) use self::ask::{Ask, NamedAction, Refused, Words};
pub(crate) use self::body::SnapshotBody;
pub(crate) use self::freeze::FreezeSnapshot;
pub(in crate::pipeline) use self::freeze::sampling_of;
pub(crate) use self::named_actions::{Naming, named_actions};

use self::body::tells_place;
use self::kept_affordances::{ActionWords, AffordanceList, Affordances, Asked, KeptAffordances};
use super::expectancy::ConstraintSet;
use super::interaction::InteractionContext;
use super::prompt::budget::PromptBudget;
use super::retrieval::RetrievedContext;
use crate::authoring::Character;
use crate::authoring::character::Example;
use crate::base::canonical::{Digest, Encoded, Hashing, NotCanonical, canonical_digest, draw};
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::engine::{EngineIdentity, Stage};
use crate::limits::Limits;
use crate::npc::doing::Doing;
use crate::pipeline::driver::step::RunFault;
use crate::pipeline::engine_room::crowd::part;
use crate::pipeline::run::attempt::AttemptOutOfRange;
use crate::rules::{Constraint, ConstraintList, is_closed};
use crate::sampling::Sampling;
use crate::world::{ActionRules, May, WorldRead, action_words, affordances_among};
use bevy::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// Sampling seeds fit into a JSON number without loss.
const SEED_BITS: u32 = 53;

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
            echo: Millionths::nearest(frozen.limits.echo),
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

    /// The snapshot of the next attempt: constraints merged by id, feedback replaced, all else equal. `most`: how many attempts there
    /// may be, with those that repeat a failed call.
    ///
    /// # Errors
    /// [`SnapshotError::Attempt`] when there may be no further attempt.
    pub(crate) fn for_retry(
        &self,
        escalated: Escalated,
        most: u32,
    ) -> std::result::Result<Self, SnapshotError> {
        let mut body = SnapshotBody::clone(&self.body);
        body.attempt += 1;
        body.max_attempts = most;
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

/// The names of a character's groups, and the standing of each towards the speaker.
fn standings(world: &dyn WorldRead, npc: &Id, speaker: Option<&Id>) -> Vec<(String, Millionths)> {
    let groups = world.groups();
    let standings = groups.of(npc).filter_map(|(id, group)| {
        let standing = groups.exact_standing(id, speaker?)?;
        Some((group.name.clone(), standing))
    });
    standings.collect()
}
