//! Component 5, prompt: words for a model, from the snapshot alone.
//!
//! A prompt is a conversation: the system message holds the part that stays the same, earlier speeches are separate messages,
//! and the last message holds the current state and the input. So a server can reuse its prefix cache. The bounded parts are cut
//! by worth, and the cuts are listed. Words that have no author are escaped: they cannot forge a section, a role, a marker or a
//! token of a chat template.

mod assembled;
mod bounded;
pub(crate) mod budget;
mod conversation;
mod escape;
mod fixed;
pub(in crate::pipeline) mod kept_schema;
pub(crate) mod schema;
mod sheet;
pub(super) mod standing;
mod surroundings;

pub(crate) use assembled::AssembledPrompt;
#[cfg(any(test, feature = "inspector"))]
pub(crate) use budget::CutKind;
#[cfg(test)]
pub(crate) use budget::CutReason;
pub use budget::{BudgetPreset, PromptBudget};
pub(crate) use budget::{CutItem, Section};
pub use escape::escape;

use self::bounded::{beliefs, episodes, examples, exchanges, trigger_examples};
use self::budget::Room;
use self::conversation::conversation;
use self::fixed::fixed_sections;
use self::sheet::Sheet;
use self::surroundings::surroundings;
use super::snapshot::{Ask, SnapshotBody, StateSnapshot};
use crate::base::counters::DramatisCounters;
use crate::engine::{Inference, Role};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{Step, StepResult, run_component};
use crate::pipeline::run::attempt::{AttemptError, AttemptFailure, ChoiceRecord};
use crate::pipeline::run::{Run, RunPhase};
use bevy::prelude::*;
use thiserror::Error;

/// The parts of the prompt that cannot be cut are longer than the engine takes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the parts of the prompt that cannot be cut have {chars} characters, and the engine takes {limit}"
)]
pub struct ContextLimit {
    /// How long the sections that cannot be cut are together, in characters.
    pub chars: usize,
    /// The longest prompt that the engine takes, in characters.
    pub limit: usize,
    /// The sections that cannot be cut, with their sizes.
    pub(crate) sections: Vec<Section>,
}

/// Writes the prompt of a snapshot. Pure: the same snapshot, the same bytes.
///
/// # Errors
/// [`ContextLimit`] when what cannot be cut is longer than the engine takes.
pub(crate) fn assemble(body: &SnapshotBody) -> std::result::Result<AssembledPrompt, ContextLimit> {
    Sheet::with(|sheet| assemble_on(sheet, body))
}

fn assemble_on(
    sheet: &mut Sheet,
    body: &SnapshotBody,
) -> std::result::Result<AssembledPrompt, ContextLimit> {
    let budget = match body.ask {
        Ask::Choice(_) => body.budget.or_default().for_choice(),
        Ask::Memories => body
            .budget
            .or_default()
            .for_memories(body.retrieved.exchanges.len()),
        Ask::Diary => body
            .budget
            .or_default()
            .for_diary(body.retrieved.memories.episodes.len()),
        _ => body.budget.or_default(),
    };
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
    let exchanges = exchanges(body, budget, &mut room);
    episodes(body, &exchanges, budget, &mut room, sheet);
    beliefs(body, budget, &mut room, sheet);
    let examples = examples(body, budget, &mut room);
    trigger_examples(&examples, body, sheet);
    let is_named = conversation(&examples, &exchanges, body, sheet);
    lay_out(body, is_named, sheet);
    let mut cut = room.cut;
    cut.extend(unseen);
    Ok(sheet.prompt(cut))
}

/// Lays out the messages. Where words alone are asked for, they are prose: a small model goes on as its prompt is written.
fn lay_out(body: &SnapshotBody, is_named: bool, sheet: &mut Sheet) {
    if body.ask == Ask::Diary {
        let who = ["system", "persona", "format"];
        sheet.lay_out_prose(Role::System, &who, "\n\n", &[], |_| "");
        return sheet.lay_out(Role::User, &["episodes", "input"]);
    }
    if body.ask.words().is_none() {
        sheet.lay_out(Role::System, &STANDING);
        sheet.lay_out_pairs();
        return sheet.lay_out(Role::User, &NOW);
    }
    let lead = |name: &str| match LEADS.iter().find(|(section, _)| *section == name) {
        Some((_, words)) => body.words.get(words),
        None => "",
    };
    sheet.lay_out_prose(Role::System, &SPEAKING, "\n\n", &[], lead);
    sheet.lay_out_pairs();
    let (now, _) = NOW.split_at(NOW.len() - 1);
    let input = match is_named {
        true => &["input_name", "input"][..],
        false => &["input"],
    };
    sheet.lay_out_prose(Role::User, now, " ", input, lead);
}

/// The number of the words and the order that prompts have. It rises when either changes: a replay of a recording with another
/// number compares everything but prompts.
pub(crate) const PROMPTS: u32 = 7;

/// The prompt of a stage: its messages, with rules and feedback before the words of the last one and the input after them.
pub(in crate::pipeline) fn of_stage(
    words: &[(Role, String)],
    now: [(&'static str, String); 3],
) -> AssembledPrompt {
    // Chat templates want user and assistant in turns: what the user said last belongs to the last message.
    let is_last = |(role, _): &&(Role, String)| *role == Role::User;
    let last = words.iter().rev().take_while(is_last).count();
    let (before, last) = words.split_at(words.len() - last);
    Sheet::with(|sheet| {
        sheet.plain("view", |out| {
            for (nth, (_, text)) in last.iter().enumerate() {
                out.extend([if nth > 0 { "\n" } else { "" }, text]);
            }
        });
        for (name, text) in &now {
            sheet.plain(name, |out| out.push_str(text));
        }
        for (role, text) in before {
            let section = match role {
                Role::System => "system",
                _ => "history",
            };
            sheet.lay_out_text(*role, section, text);
        }
        let [rules, feedback, input] = now.each_ref().map(|(name, _)| *name);
        sheet.lay_out_prose(
            Role::User,
            &[rules, feedback],
            " ",
            &["view", input],
            |_| "",
        );
        sheet.prompt(Vec::new())
    })
}

/// What stays the same for a character, in order: a server keeps it in its cache from turn to turn.
const STANDING: [&str; 5] = ["system", "canon", "persona", "format", "standing"];

/// The same where the engine is asked for words alone: the description of the character comes first, and the format last.
const SPEAKING: [&str; 5] = ["system", "persona", "canon", "standing", "format"];

/// What leads in the sections that are no sentences by themselves, in prose. These are nouns ("In sight:"): led in by "You see:", 12 of 60
/// lines of SmolLM2-135M repeated the prompt as the character's own words, and 4 with nouns.
const LEADS: [(&str, &str); 7] = [
    ("lore", "lead_lore"),
    ("surroundings", "lead_seen"),
    ("carried", "lead_carried"),
    ("beliefs", "lead_beliefs"),
    ("uncertain", "lead_uncertain"),
    ("episodes", "lead_episodes"),
    ("trigger_examples", "lead_examples"),
];

/// What may be another with every turn, in order. What a retry changes comes last.
const NOW: [&str; 16] = [
    "world_facts",
    "lore",
    "place",
    "surroundings",
    "carried",
    "relationship",
    "beliefs",
    "uncertain",
    "episodes",
    "trigger_examples",
    "constraints",
    "does",
    "deeds",
    "restated",
    "feedback",
    "input",
];

/// More than the headings of all bounded sections together, in English.
const HEADINGS: usize = 200;

/// More than the headings of all bounded sections together.
fn headings(body: &SnapshotBody) -> usize {
    let bounded = ["episodes", "beliefs", "uncertain", "examples"];
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
        let body = run_component::<StateSnapshot>(world, entity)?.body();
        let is_mute = body.ask.words().is_some_and(|words| words.mute);
        let assembled = match is_mute {
            // No words are asked for.
            true => Ok(AssembledPrompt::default()),
            false => assemble(body),
        };
        let has_chosen = world.get::<ChoiceRecord>(entity);
        if has_chosen.is_none_or(|choice| choice.call.is_none()) {
            world.resource_mut::<DramatisCounters>().attempts += 1;
        }
        let mut run = world.entity_mut(entity);
        let error = match assembled {
            Ok(prompt) => {
                run.insert(prompt);
                return Ok(match is_mute {
                    true => RunPhase::Validation,
                    false => RunPhase::Call,
                });
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
