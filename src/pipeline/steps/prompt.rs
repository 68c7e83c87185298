//! Component 5, prompt: words for a model, from the snapshot alone.
//!
//! The layout goes from stable to volatile, so that an inference server can reuse its prefix cache. What is bounded
//! is cut by worth, and what was cut is listed. Words that nobody authored are escaped: they cannot forge a
//! section, a role, a marker or a token of a chat template.

mod bounded;
pub(crate) mod budget;
mod fixed;
pub(in crate::pipeline) mod kept_schema;
pub(crate) mod schema;
mod sheet;
mod surroundings;

pub use budget::{BudgetPreset, CutItem, CutKind, CutReason, PromptBudget, Section};
pub use fixed::escape;

use self::bounded::{beliefs, episodes, examples, exchanges};
use self::budget::Room;
use self::fixed::fixed_sections;
use self::sheet::Sheet;
use self::surroundings::surroundings;
use super::snapshot::{SnapshotBody, StateSnapshot};
use crate::base::counters::DramatisCounters;
use crate::base::shared_text::SharedText;
use crate::engine::{Inference, PromptMessage, Role};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{Step, StepResult, run_component};
use crate::pipeline::run::attempt::{AttemptError, AttemptFailure};
use crate::pipeline::run::{Run, RunPhase};
use bevy::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// The prompt of an attempt. The prompt component puts it on the run; it stays until the next attempt begins.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(storage = "SparseSet", immutable)]
pub struct AssembledPrompt {
    text: Arc<str>,
    /// Where the user message begins, in bytes.
    user_from: usize,
    /// The sections of both messages, in order; of a prompt that was too long, those that cannot be cut.
    pub sections: Arc<[Section]>,
    /// What was retrieved and left out for lack of room.
    pub cut: Arc<[CutItem]>,
}

impl AssembledPrompt {
    /// A prompt whose system message is the first `system_bytes` bytes of a text, rounded down to a whole character.
    pub(in crate::pipeline) fn new(
        text: Arc<str>,
        system_bytes: usize,
        sections: Vec<Section>,
    ) -> Self {
        Self {
            user_from: text.floor_char_boundary(system_bytes),
            text,
            sections: sections.into(),
            cut: Arc::default(),
        }
    }

    /// No prompt, since it would have been too long: only what it would have held.
    pub(in crate::pipeline) fn too_long(sections: Vec<Section>) -> Self {
        Self {
            sections: sections.into(),
            ..Self::default()
        }
    }

    /// The system message: the part that hardly ever changes. Empty, like the user message, when the prompt would have passed the
    /// engine's context limit.
    #[must_use]
    pub fn system(&self) -> &str {
        &self.text[..self.user_from]
    }

    /// The user message: the part that changes from attempt to attempt.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.text[self.user_from..]
    }

    /// The whole prompt as one text: the system message, then the user message.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The prompt as two messages for an engine: the system message, then the user message.
    #[must_use]
    pub fn messages(&self) -> Vec<PromptMessage> {
        let message = |role, range| PromptMessage {
            role,
            content: SharedText::part(&self.text, range),
        };
        vec![
            message(Role::System, 0..self.user_from),
            message(Role::User, self.user_from..self.text.len()),
        ]
    }
}

/// What cannot be cut is longer than the engine takes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("what cannot be cut has {chars} characters, and the engine takes {limit}")]
pub struct ContextLimit {
    /// How long the sections that cannot be cut are together, in characters.
    pub chars: usize,
    /// The longest prompt that the engine takes, in characters.
    pub limit: usize,
    /// The sections that cannot be cut, with their sizes.
    pub sections: Vec<Section>,
}

/// Writes the prompt of a snapshot. Pure: the same snapshot, the same bytes.
///
/// # Errors
/// [`ContextLimit`] when what cannot be cut is longer than the engine takes.
pub fn assemble(body: &SnapshotBody) -> std::result::Result<AssembledPrompt, ContextLimit> {
    Sheet::with(|sheet| assemble_on(sheet, body))
}

fn assemble_on(
    sheet: &mut Sheet,
    body: &SnapshotBody,
) -> std::result::Result<AssembledPrompt, ContextLimit> {
    let budget = body.budget.or_default();
    fixed_sections(body, sheet);
    let uncuttable = sheet.chars();
    if uncuttable > body.context_chars {
        return Err(ContextLimit {
            chars: uncuttable,
            limit: body.context_chars,
            sections: sheet.sections().cloned().collect(),
        });
    }
    // Crowded rooms share what the engine's limit leaves.
    let unseen = surroundings(body, body.context_chars - uncuttable, sheet);
    let taken = sheet.chars();
    let bound_by_budget = budget
        .chars
        .saturating_sub(sheet.chars_of("canon") + sheet.chars_of("world_facts"));
    let mut room = Room {
        // Headings of bounded sections count too where the engine's limit is near.
        left: bound_by_budget.min(body.context_chars.saturating_sub(taken + headings(body))),
        cut: Vec::new(),
    };
    exchanges(body, budget, &mut room, sheet);
    let all_episodes = episodes(body, budget, &mut room, sheet);
    let all_beliefs = beliefs(body, budget, &mut room, sheet);
    examples(body, budget, &mut room, sheet);

    let memories = [
        ("beliefs", all_beliefs),
        ("uncertain", all_beliefs),
        ("episodes", all_episodes),
    ];
    let those = |whole: bool| memories.iter().filter(move |(_, all)| *all == whole);
    let names = |whole: bool| those(whole).map(|(name, _)| *name);
    let mut volatile = SELDOM.to_vec();
    volatile.extend(names(true));
    volatile.push("examples");
    volatile.extend(OFTEN);
    volatile.extend(names(false));
    volatile.extend(ALWAYS);

    let mut sections = Vec::with_capacity(STABLE.len() + volatile.len());
    sheet.lay_out(&STABLE, &mut sections);
    let system_bytes = sheet.len();
    sheet.lay_out(&volatile, &mut sections);
    let mut cut = room.cut;
    cut.extend(unseen);
    Ok(AssembledPrompt {
        cut: cut.into(),
        ..AssembledPrompt::new(sheet.text(), system_bytes, sections)
    })
}

/// What hardly ever changes, in order.
const STABLE: [&str; 5] = ["system", "canon", "persona", "format", "world_facts"];

// What changes, from seldom to always. Measured against a real llama.cpp server, this order takes most of the prompt from its
// cache (F5).

/// What outlives many exchanges. Beliefs and episodes follow where all of them are shown, and then examples, which leave while exchanges
/// take their room.
const SELDOM: [&str; 3] = ["place", "surroundings", "constraints"];

/// Exchanges grow at their end, what is felt changes with some replies, what is carried and what can be done with actions. Beliefs
/// and episodes follow where they were chosen by what is said.
const OFTEN: [&str; 4] = ["exchanges", "relationship", "carried", "deeds"];

/// What a retry restates depends on the last reply.
const ALWAYS: [&str; 3] = ["restated", "feedback", "input"];

/// More than the headings of all bounded sections together, in English.
const HEADINGS: usize = 200;

/// More than the headings of all bounded sections together.
fn headings(body: &SnapshotBody) -> usize {
    let bounded = ["exchanges", "episodes", "beliefs", "uncertain", "examples"];
    let chars = bounded.map(|section| {
        let heading = body.words.get(&format!("heading_{section}"));
        heading.chars().count() + 10
    });
    HEADINGS.max(chars.iter().sum())
}

/// The step: writes the prompt of a run. With it an attempt begins.
pub(crate) struct WritePrompt;

impl Step for WritePrompt {
    const PHASE: RunPhase = RunPhase::Prompt;
    const READS: Option<RunStep> = None;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let policy = run_component::<Run>(world, entity)?.policy();
        let assembled = assemble(run_component::<StateSnapshot>(world, entity)?.body());
        world.resource_mut::<DramatisCounters>().attempts += 1;
        let mut run = world.entity_mut(entity);
        let error = match assembled {
            Ok(prompt) => {
                run.insert(prompt);
                return Ok(RunPhase::Call);
            }
            Err(error) => error,
        };
        let message = error.to_string();
        run.insert(AssembledPrompt::too_long(error.sections));
        if let Some(mut run) = run.get_mut::<Run>() {
            log::error!("{}: {message}", run.npc());
            // A longer prompt would not fit either.
            run.forbid_retry();
        }
        if policy.sealed {
            run.insert(Inference::default());
            return Ok(RunPhase::Validation);
        }
        run.insert(AttemptFailure {
            error: AttemptError::ContextLimit,
            message,
        });
        Ok(RunPhase::Failed)
    }
}
