//! Runs of stages: the question to a stage of an adventure, and its frozen input.
//!
//! A run of a stage goes through the same components as a run of a dialogue. The code that starts it has prepared its question,
//! which is in its [`StageTask`]. The gate judges its reply, which stays on the run as a `StageResult`; nothing is installed
//! until the whole turn is committed.

pub(crate) mod call;
pub(crate) mod steps;
pub(crate) mod template;
pub(crate) mod template_files;

use crate::authoring::Character;
use crate::base::canonical::{Digest, Encoded, NotCanonical, draw, to_canonical};
use crate::base::ids::Id;
use crate::engine::{Role, Stage};
use crate::gate::{Approved, KnownWrites, Told, Voices};
use crate::judged_world::action::ProposedAction;
use crate::npc::LoadedCharacter;
use crate::proposal::{
    IntentionReply, NarrationReply, Speaker, StepReply, ToolCall, ToolSpec, WishReply,
};
use crate::rules::{Constraint, ConstraintList};
use crate::story::Rules;
use crate::text::PromptWords;
use bevy::prelude::*;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// On an entity that runs of stages belong to, as dialogues belong to a character.
#[derive(Component, Debug, Clone, Copy, Default)]
pub struct StageHost;

/// What a stage is asked. It is on every run that is no dialogue, and never changes.
#[derive(Component, Debug, Clone)]
#[component(immutable)]
pub struct StageTask {
    /// The id that traces and engines know the run by: of the character or persona whose intention it makes, resolves or
    /// reads. `None` for the lore extractor.
    pub npc: Option<Id>,
    /// What tells this call from all others of the game, for its sampling seed.
    pub keys: Vec<String>,
    /// The current input alone, for engines that match keywords.
    pub input: String,
    /// The messages of its prompt, without rules, feedback and input. The last one is the user's.
    pub words: Vec<(Role, String)>,
    /// The headings that the engine writes around them, in the language of the stage.
    pub(crate) prompt_words: PromptWords,
    /// The schema of the reply; `None` for prose.
    pub schema: Option<Arc<Value>>,
    /// How the reply is read and judged.
    pub form: StageForm,
}

/// The character by whose rules a stage is judged; `None` where those of the story count.
pub(crate) fn judged_character<'w>(rules: &Rules<'w>, task: &StageTask) -> Option<&'w Character> {
    match task.form {
        StageForm::Intention(Some(npc)) | StageForm::Lines(npc) => {
            let own = &rules.world.get::<LoadedCharacter>(npc)?.0;
            Some(rules.of_character(own))
        }
        _ => None,
    }
}

/// How the reply of a stage is read and judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum StageForm {
    /// An intention, judged by the rules of the character whose entity this is; `None` for a persona, which has no rules.
    Intention(#[serde(skip)] Option<Entity>),
    /// A narration, judged by the rules of the story.
    Narration {
        /// The characters that can speak in it.
        speakers: Vec<Speaker>,
        /// The characters that may speak in it.
        voices: Voices,
        /// What must not be told.
        denied: Vec<Told>,
    },
    /// Calls of an extractor.
    Calls {
        /// Whose states it writes; `None` for the lore extractor.
        own: Option<Id>,
        /// The writes that are not allowed, and those that exist already.
        known: KnownWrites,
        /// The tools of the game that it has.
        tools: Vec<ToolSpec>,
    },
    /// Lines that the player could say to the character whose entity this is, judged one by one.
    Lines(#[serde(skip)] Entity),
    /// What a wish asks for, judged in its form alone.
    Wish {
        /// The actions that a constraint may name.
        actions: BTreeSet<String>,
    },
    /// The steps of a plan, judged in their form and by the code that asked for them.
    Steps(ListCheck<StepReply>),
    /// The actions that a player's words ask for, judged in their form and, where another attempt follows, by the code that
    /// asked for them: the answer of the last attempt counts as it is.
    Actions(ListCheck<ProposedAction>),
}

/// Returns the problems of a list: rules, each with its message. Empty when there are none.
type CheckFunction<T> = dyn Fn(&World, &[T]) -> Vec<(String, String)> + Send + Sync;

/// Checks a list that a model wrote against the world: actions, or the steps of a plan.
pub struct ListCheck<T> {
    /// What the check depends on, apart from the world and the list. Two checks with one basis are the same.
    basis: String,
    check: Arc<CheckFunction<T>>,
}

impl<T> ListCheck<T> {
    /// A check. `basis` is what it depends on apart from the world and the list, for the hash of a snapshot.
    pub fn new(
        basis: String,
        check: impl Fn(&World, &[T]) -> Vec<(String, String)> + Send + Sync + 'static,
    ) -> Self {
        Self {
            basis,
            check: Arc::new(check),
        }
    }

    /// The problems of this list in this world.
    #[must_use]
    pub fn problems(&self, world: &World, list: &[T]) -> Vec<(String, String)> {
        (self.check)(world, list)
    }
}

impl<T> Clone for ListCheck<T> {
    fn clone(&self) -> Self {
        Self {
            basis: self.basis.clone(),
            check: self.check.clone(),
        }
    }
}

impl<T> std::fmt::Debug for ListCheck<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ListCheck").field(&self.basis).finish()
    }
}

impl<T> PartialEq for ListCheck<T> {
    fn eq(&self, other: &Self) -> bool {
        self.basis == other.basis
    }
}

impl<T> Eq for ListCheck<T> {}

impl<T> Serialize for ListCheck<T> {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.basis)
    }
}

/// What a stage has answered, approved and not yet installed. It is on a run of a stage that was accepted.
#[derive(Component, Debug)]
#[component(storage = "SparseSet")]
pub(crate) enum StageResult {
    /// An intention.
    Intention(Approved<IntentionReply>),
    /// A narration.
    Narration(Approved<NarrationReply>),
    /// Calls of an extractor.
    Calls(Approved<Vec<ToolCall>>),
    /// Lines that the player could say.
    Lines(Approved<Vec<String>>),
    /// What a wish asks for.
    Wish(Approved<WishReply>),
    /// The steps of a plan.
    Steps(Approved<Vec<StepReply>>),
    /// The actions that words ask for.
    Actions(Approved<Vec<ProposedAction>>),
}

/// The frozen input of an attempt of a stage: the same input, the same id.
#[derive(Component, Debug, Clone)]
#[component(storage = "SparseSet")]
pub struct StageSnapshot {
    /// The BLAKE3 hash of all that the attempt depends on.
    pub id: Digest,
    /// Which attempt, counted from 0.
    pub attempt: u32,
    /// Its sampling seed, of 53 bits.
    pub seed: u64,
    /// Its constraints.
    pub constraints: ConstraintList,
    /// Feedback on the attempt before it, a line each.
    pub feedback: Vec<String>,
}

impl StageSnapshot {
    /// Freezes the input of an attempt.
    ///
    /// # Errors
    /// `NotCanonical` when something in it has no canonical form.
    pub(crate) fn freeze(
        stage: Stage,
        task: &StageTask,
        world_seed: u64,
        attempt: u32,
        constraints: ConstraintList,
        feedback: Vec<String>,
    ) -> Result<Self, NotCanonical> {
        #[derive(Serialize)]
        struct Frozen<'a> {
            stage: Stage,
            npc: &'a Option<Id>,
            input: &'a str,
            words: &'a [(Role, String)],
            schema: Option<String>,
            form: &'a StageForm,
            constraints: &'a [Arc<Encoded<Constraint>>],
            feedback: &'a [String],
            attempt: u32,
            seed: u64,
        }
        let number = attempt.to_string();
        let keys = task.keys.iter().map(String::as_str);
        let keys: Vec<&str> = [stage.snake_case()]
            .into_iter()
            .chain(keys)
            .chain([number.as_str()])
            .collect();
        let seed = draw(world_seed, "sampling", &keys) >> (64 - 53);
        let frozen = Frozen {
            stage,
            npc: &task.npc,
            input: &task.input,
            words: &task.words,
            schema: task.schema.as_deref().map(Value::to_string),
            form: &task.form,
            constraints: &constraints,
            feedback: &feedback,
            attempt,
            seed,
        };
        let encoded = to_canonical(&frozen)?;
        Ok(Self {
            id: Digest::of_bytes(encoded.as_bytes()),
            attempt,
            seed,
            constraints,
            feedback,
        })
    }
}
