//! Turns of an adventure, as steps with the replies of their stages.

use super::error::{NotWritten, Unsayable};
use super::lines::{Lines, Wished, WishedPlace};
use super::replies::{self, answer};
use super::text::{list, quoted};
use super::wish::ScenarioWish;
use crate::adventure::{AdventureSettings, Persona};
use crate::base::ids::Id;
use crate::journal::record::{AdventureTurnInputs, RecordedStage};
use serde_json::Value;
use std::collections::BTreeMap;

/// Says what was asked, with the replies of all stages; of the stage that is wished for up to the attempt. `wish`: of the turn whose
/// reply the scenario is about.
pub(super) fn turn(
    inputs: &AdventureTurnInputs,
    wish: Option<&ScenarioWish>,
    lines: &mut Lines,
) -> Result<Option<Wished>, NotWritten> {
    lines.steps.push(step(inputs)?);
    let mut wished = None;
    let mut first = 0;
    for (run, stage) in (lines.runs..).zip(&inputs.stages) {
        let count = u32::try_from(stage.replies.len()).unwrap_or(u32::MAX);
        let last = wish.and_then(|wish| wish.key.attempt.checked_sub(first));
        let last = last.filter(|attempt| *attempt < count);
        first = first.saturating_add(count);
        let only = whose(stage);
        for (attempt, recorded) in (0..).zip(&stage.replies) {
            if last.is_none_or(|last| attempt < last) {
                lines.replies.extend(answer(recorded, &only)?);
                continue;
            }
            let other = wish.and_then(|wish| wish.reply.as_deref());
            lines
                .replies
                .extend(replies::wished(recorded, other, &only)?);
            wished = Some(Wished {
                npc: stage.npc.clone(),
                place: WishedPlace::Attempt {
                    stage: stage.stage,
                    run,
                    attempt,
                },
            });
            break;
        }
    }
    // One for each stage.
    lines.runs += inputs.stages.len();
    lines.turns += 1;
    match (wish, &wished) {
        (Some(_), None) => Err(NotWritten::NoReply),
        _ => Ok(wished),
    }
}

/// The field of a scenario that says how adventures are played. A recap is no record of its turn: none is asked for.
pub(super) fn settings(of: &AdventureSettings) -> Result<String, Unsayable> {
    let settings = AdventureSettings {
        recap_chars: 1_000_000_000,
        ..*of
    };
    let written =
        ron::to_string(&settings).map_err(|_| "settings of adventures that have no text")?;
    let own = of.review_below != AdventureSettings::default().review_below;
    let written = match written.strip_suffix(')').filter(|_| own) {
        Some(fields) => format!("{fields},review_below:{})", of.review_below),
        None => written,
    };
    Ok(format!("    adventure: {written},\n"))
}

/// Whether a turn makes this change by itself, when it is the first one of somebody whom nobody has described.
pub(super) fn is_made_by_a_turn(parts: &BTreeMap<String, Option<Value>>) -> bool {
    let nobody = serde_json::to_value(Persona::default()).ok();
    let mut parts = parts.iter();
    parts.all(|(key, part)| key.starts_with("persona.") && *part == nobody)
}

fn step(inputs: &AdventureTurnInputs) -> Result<String, Unsayable> {
    let asked = &inputs.asked;
    if inputs.now.is_some() {
        return Err("it was interrupted, or something else happened during it");
    }
    if asked.version_of.is_some() {
        return Err("it is another version of a turn");
    }
    let mut fields = vec![format!("persona: {}", quoted(&asked.persona))];
    let words = [("intention", &asked.intention), ("thought", &asked.thought)];
    for (name, words) in words {
        fields.extend(
            words
                .as_ref()
                .map(|words| format!("{name}: {}", quoted(words))),
        );
    }
    if !asked.whisper_to.is_empty() {
        let listeners = list(&asked.whisper_to);
        fields.push(format!("whisper_to: {listeners}"));
    }
    Ok(format!("Turn({})", fields.join(", ")))
}

/// The calls that a reply of a stage answers: those of this stage, for this character.
fn whose(stage: &RecordedStage) -> String {
    match &stage.npc {
        Some(npc) => format!("stage: {:?}, npc: {}", stage.stage, quoted(npc)),
        None => format!("stage: {:?}", stage.stage),
    }
}

/// The field of a scenario that says who is played; nothing where nobody is.
pub(super) fn personas(personas: &BTreeMap<Id, Persona>) -> String {
    if personas.is_empty() {
        return String::new();
    }
    let written = personas.iter().map(|(id, persona)| {
        let states = persona.states.iter().map(|state| {
            format!(
                "(label: {}, category: {}, level: {}, held: {})",
                quoted(&state.label),
                quoted(&state.category),
                state.level,
                state.held
            )
        });
        let states: Vec<String> = states.collect();
        format!(
            "        (id: {}, description: {}, states: [{}]),\n",
            quoted(id),
            quoted(&persona.description),
            states.join(", ")
        )
    });
    format!("    personas: [\n{}    ],\n", written.collect::<String>())
}
