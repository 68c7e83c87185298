//! Component 5, prompt: words for a model, from the snapshot alone (contract row P5).
//!
//! The layout goes from stable to volatile, so that an inference server can reuse its prefix cache. What is bounded
//! is cut by worth, and what was cut is listed. Words that nobody authored are escaped: they cannot forge a
//! section, a role, a marker or a token of a chat template.

mod bounded;
pub(crate) mod budget;
mod fixed;
pub(crate) mod schema;
mod surroundings;

pub use budget::{BudgetPreset, CutItem, CutKind, PromptBudget, Section};
pub use fixed::escape;

use self::bounded::{beliefs, episodes, examples, exchanges};
use self::budget::Room;
use self::fixed::fixed_sections;
use self::surroundings::surroundings;
use super::attempt::{AttemptError, AttemptFailure};
use super::hook::RunStep;
use super::run::{Run, RunPhase};
use super::snapshot::{SnapshotBody, StateSnapshot};
use super::step::{Step, StepResult, run_component};
use crate::base::counters::DramatisCounters;
use crate::engine::{Inference, PromptMessage, Role};
use bevy::prelude::*;
use thiserror::Error;

/// The prompt of an attempt. The prompt component puts it on the run; it stays until the next attempt begins.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(immutable)]
pub struct AssembledPrompt {
    /// The system message: the part that hardly ever changes. Empty, like `user`, when the prompt would have passed the
    /// engine's context limit.
    pub system: String,
    /// The user message: the part that changes from attempt to attempt.
    pub user: String,
    /// The sections of both messages, in order; of a prompt that was too long, those that cannot be cut.
    pub sections: Vec<Section>,
    /// What was retrieved and left out for lack of room.
    pub cut: Vec<CutItem>,
}

impl AssembledPrompt {
    /// The whole prompt as one text: the system message, then the user message.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.system, self.user)
    }

    /// The prompt as two messages for an engine: the system message, then the user message.
    #[must_use]
    pub fn messages(&self) -> Vec<PromptMessage> {
        let message = |role, content: &str| PromptMessage {
            role,
            content: content.to_owned(),
        };
        vec![
            message(Role::System, &self.system),
            message(Role::User, &self.user),
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
    let budget = body.budget.or_default();
    let fixed = fixed_sections(body);
    let uncuttable: usize = fixed.iter().map(|(_, text)| text.chars().count()).sum();
    if uncuttable > body.context_chars {
        return Err(ContextLimit {
            chars: uncuttable,
            limit: body.context_chars,
            sections: sections(&fixed),
        });
    }
    // Crowded rooms share what the engine's limit leaves.
    let around = surroundings(body, body.context_chars - uncuttable);
    let around_it = [&around.seen, &around.carried, &around.offers];
    let taken = uncuttable
        + around_it
            .map(|text| text.chars().count())
            .iter()
            .sum::<usize>();
    let size = |name| {
        fixed
            .iter()
            .find(|(n, _)| *n == name)
            .map_or(0, |(_, text)| text.chars().count())
    };
    let bound_by_budget = budget
        .chars
        .saturating_sub(size("canon") + size("world_facts"));
    let mut room = Room {
        // Headings of bounded sections count too where the engine's limit is near.
        left: bound_by_budget.min(body.context_chars.saturating_sub(taken + headings(body))),
        cut: Vec::new(),
    };
    let exchanges = exchanges(body, budget, &mut room);
    let episodes = episodes(body, budget, &mut room);
    let (beliefs, uncertain) = beliefs(body, budget, &mut room);
    let examples = examples(body, budget, &mut room);

    room.cut.extend(around.cut);
    let mut parts = fixed;
    parts.extend([
        ("surroundings", around.seen),
        ("carried", around.carried),
        ("deeds", around.offers),
        ("exchanges", exchanges),
        ("examples", examples),
    ]);
    let memories = [
        ("beliefs", beliefs),
        ("uncertain", uncertain),
        ("episodes", episodes),
    ];
    let mut volatile = SELDOM.to_vec();
    let whole = memories.iter().filter(|(_, memories)| memories.is_whole);
    volatile.extend(whole.map(|(name, _)| *name));
    volatile.extend(OFTEN);
    let chosen = memories.iter().filter(|(_, memories)| !memories.is_whole);
    volatile.extend(chosen.map(|(name, _)| *name));
    volatile.extend(ALWAYS);
    parts.extend(memories.map(|(name, memories)| (name, memories.text)));

    let mut laid_out = Vec::new();
    let mut lay_out = |layout: &[&'static str]| {
        let mut text = String::new();
        for name in layout {
            let part = parts
                .iter()
                .find(|(part, text)| part == name && !text.is_empty());
            if let Some((name, part)) = part {
                text.push_str(part);
                laid_out.push(section_of(name, part));
            }
        }
        text
    };
    let (system, user) = (lay_out(&STABLE), lay_out(&volatile));
    Ok(AssembledPrompt {
        system,
        user,
        sections: laid_out,
        cut: room.cut,
    })
}

/// What hardly ever changes, in order.
const STABLE: [&str; 5] = ["system", "canon", "persona", "format", "world_facts"];

// What changes, from seldom to always. Measured against a real llama.cpp server, this order takes most of the prompt from its
// cache (F5).

/// What outlives many exchanges. Examples leave when there is no room. Beliefs and episodes follow where all of them are shown.
const SELDOM: [&str; 3] = ["surroundings", "constraints", "examples"];

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

fn sections(parts: &[(&'static str, String)]) -> Vec<Section> {
    parts
        .iter()
        .map(|(name, text)| section_of(name, text))
        .collect()
}

fn section_of(name: &'static str, text: &str) -> Section {
    Section {
        name,
        chars: text.chars().count(),
    }
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
        run.insert(AssembledPrompt {
            sections: error.sections,
            ..AssembledPrompt::default()
        });
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
