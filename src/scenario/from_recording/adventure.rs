//! Turns of an adventure, as steps with the replies of their stages.

use super::error::{NotWritten, Unsayable};
use super::text::{quoted, reply};
use super::wish::ScenarioWish;
use crate::adventure::{AdventureSettings, Persona};
use crate::base::ids::Id;
use crate::journal::record::{AdventureTurnInputs, RecordedReply, RecordedStage};
use std::collections::BTreeMap;

/// A turn, as a scenario says it.
pub(super) struct WrittenTurn {
    pub step: String,
    pub replies: Vec<String>,
    /// How many runs the trace has of it: one for each stage.
    pub runs: usize,
    /// Of the turn whose reply is wished for: which of these runs it is of, and which of its attempts.
    pub wished: Option<(usize, u32)>,
}

/// Says what was asked, with the replies of all stages; of the stage that is wished for up to the attempt. `wish`: of the turn whose
/// reply the scenario is about.
pub(super) fn turn(
    inputs: &AdventureTurnInputs,
    wish: Option<&ScenarioWish>,
) -> Result<WrittenTurn, NotWritten> {
    let mut written = WrittenTurn {
        step: step(inputs)?,
        replies: Vec::new(),
        runs: inputs.stages.len(),
        wished: None,
    };
    let mut first = 0;
    for (run, stage) in inputs.stages.iter().enumerate() {
        let count = u32::try_from(stage.replies.len()).unwrap_or(u32::MAX);
        let last = wish.and_then(|wish| wish.key.attempt.checked_sub(first));
        let last = last.filter(|attempt| *attempt < count);
        first = first.saturating_add(count);
        for (attempt, recorded) in (0..).zip(&stage.replies) {
            if last.is_none_or(|last| attempt < last) {
                written.replies.extend(answer(stage, recorded)?);
                continue;
            }
            if recorded.error.is_some() || recorded.pending {
                return Err(NotWritten::NoReply);
            }
            let other = wish.and_then(|wish| wish.reply.as_deref());
            match other.filter(|text| text.as_bytes() != recorded.bytes()) {
                Some(text) => written.replies.push(said(stage, text, false)),
                None => written.replies.extend(answer(stage, recorded)?),
            }
            written.wished = Some((run, attempt));
            break;
        }
    }
    match (wish, written.wished) {
        (Some(_), None) => Err(NotWritten::NoReply),
        _ => Ok(written),
    }
}

fn step(inputs: &AdventureTurnInputs) -> Result<String, Unsayable> {
    let asked = &inputs.asked;
    if inputs.now.is_some() {
        return Err("it was interrupted, or something else happened during it");
    }
    if asked.version_of.is_some() {
        return Err("it is another version of a turn");
    }
    if asked.settings() != AdventureSettings::default() {
        return Err("adventures are played by settings of their own");
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
        let listeners = super::text::list(&asked.whisper_to);
        fields.push(format!("whisper_to: {listeners}"));
    }
    Ok(format!("Turn({})", fields.join(", ")))
}

/// What an engine answered to a stage; `None` where it was not asked.
fn answer(stage: &RecordedStage, recorded: &RecordedReply) -> Result<Option<String>, Unsayable> {
    match (&recorded.error, &recorded.text) {
        (Some((kind, _)), _) => match kind.as_str() {
            "ContextLimit" => Ok(None),
            "Timeout" | "Transport" | "Oversized" | "NotUtf8" => {
                Ok(Some(format!("Fail((kind: {kind}, {}))", whose(stage))))
            }
            _ => Err("its time was over"),
        },
        (None, _) if recorded.pending => Err("it was ended while the engine was asked"),
        (None, Some(text)) => Ok(Some(said(stage, text, recorded.cut))),
        (None, None) => Err("its reply is no text"),
    }
}

fn said(stage: &RecordedStage, text: &str, is_cut: bool) -> String {
    let finish = if is_cut { ", finish: Length" } else { "" };
    format!("Reply(({}, text: {}{finish}))", whose(stage), reply(text))
}

/// The conditions of a reply: which stage it answers, and whose.
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
