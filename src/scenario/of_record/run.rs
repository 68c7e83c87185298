//! A run of a character, as a step with its replies.

use super::error::{NotWritten, Unsayable};
use super::replies::{self, answer};
use super::script::{Said, ScenarioWish, Script, Wished, WishedPlace};
use super::text::{list, placement, quoted, seconds, value};
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::journal::Recorded;
use crate::journal::record::run_timeline::Moment;
use crate::journal::record::{InteractionInputs, RecordBody, RecordedContext, RecordedReply};
use crate::pipeline::driver::hook::RunStep;
use crate::rules::TriggerReason;
use crate::world::WorldPart;

/// When a run began.
pub(super) fn began(inputs: &InteractionInputs, wish: &ScenarioWish) -> Result<Moment, NotWritten> {
    let attempt = usize::try_from(wish.key.attempt).unwrap_or(usize::MAX);
    if attempt >= inputs.replies.len() {
        return Err(NotWritten::NoReply);
    }
    let timeline = &inputs.run_timeline;
    let started = timeline.started.filter(|_| !timeline.begun_before);
    started.ok_or(NotWritten::Unsayable("its run began before the recording"))
}

/// The step that begins the run, with its replies up to the attempt that is meant.
pub(super) fn script(
    recording: &dyn Recorded,
    said: &Said,
    began: &Moment,
    inputs: &InteractionInputs,
    wish: &ScenarioWish,
    player: Option<&Id>,
) -> Result<Script, NotWritten> {
    let stage = said.fields.get("stage").and_then(serde_json::Value::as_str);
    if stage.is_some_and(|stage| stage != Stage::Dialogue.snake_case()) {
        return Err("its run is of a stage".into());
    }
    let last = usize::try_from(wish.key.attempt).unwrap_or(usize::MAX);
    let mut replies = Vec::new();
    for recorded in inputs.replies.iter().take(last) {
        for call in recorded.calls() {
            replies.extend(answer(call, &only(call))?);
        }
    }
    let recorded = inputs.replies.get(last).ok_or(NotWritten::NoReply)?;
    if let Some(choice) = &recorded.choice {
        replies.extend(answer(choice, &only(choice))?);
    }
    let other = wish.reply.as_deref();
    replies.extend(replies::wished(recorded, other, &only(recorded))?);
    let meanwhile = meanwhile(recording, said, began, inputs)?;
    Ok(Script {
        settings: String::new(),
        replies,
        steps: vec![step(&inputs.context, &meanwhile, player)?],
        wished: Wished {
            npc: Some(inputs.context.npc.clone()),
            place: WishedPlace::Attempt {
                stage: Stage::Dialogue,
                run: 0,
                attempt: wish.key.attempt,
            },
        },
    })
}

/// Which calls of a run a reply answers, as fields of it.
fn only(recorded: &RecordedReply) -> String {
    let stage = recorded.stage.map(|stage| format!("stage: {stage:?}"));
    stage.unwrap_or_default()
}

/// What the game wrote while the first reply was awaited, and how long that took. Nothing else may have happened before the run ended.
fn meanwhile(
    recording: &dyn Recorded,
    said: &Said,
    began: &Moment,
    inputs: &InteractionInputs,
) -> Result<Vec<String>, NotWritten> {
    let timeline = &inputs.run_timeline;
    let prompted = timeline.moment(RunStep::Snapshot, 0);
    let answers = [
        RunStep::Choice,
        RunStep::Sentence,
        RunStep::Validation,
        RunStep::Failure,
    ];
    let answered = answers
        .into_iter()
        .filter_map(|step| timeline.moment(step, 0))
        .min();
    let mut steps = Vec::new();
    let mut now = prompted.unwrap_or(*began).game;
    for seq in began.after + 1..said.seq {
        let waited =
            prompted.is_some_and(|at| at.after < seq) && answered.is_none_or(|at| at.after >= seq);
        let found = Said::read(recording, seq)?;
        match found.says {
            RecordBody::Refused(_) | RecordBody::Checkpoint(_) | RecordBody::Part(_) => {}
            RecordBody::Write(write) if waited => {
                steps.extend(advance(&mut now, found.game.0));
                steps.extend(parts(&write.now)?);
            }
            _ => return Err("something else happened while it was in flight".into()),
        }
    }
    steps.extend(answered.and_then(|at| advance(&mut now, at.game)));
    Ok(steps)
}

/// The step that moves game time on to `to`; `None` where game time is there already.
pub(super) fn advance(now: &mut i64, to: i64) -> Option<String> {
    let waited = Millis(to.saturating_sub(*now));
    *now = to;
    (waited.0 > 0).then(|| format!("Advance(seconds: {})", seconds(waited)))
}

fn step(
    context: &RecordedContext,
    meanwhile: &[String],
    player: Option<&Id>,
) -> Result<String, Unsayable> {
    let mut fields = Vec::new();
    let mut add = |name: &str, written: String| fields.push(format!("{name}: {written}"));
    let mut tags = &context.tags[..];
    let step = match (context.reason, &context.speaker, &context.input) {
        (reason, Some(speaker), Some(text)) => {
            if reason != reason_of(speaker, player)
                || context.trigger_id.is_some()
                || context.prompt.is_some()
            {
                return Err("its speaker has a reason of another kind");
            }
            add("to", quoted(&context.npc));
            add("text", quoted(text));
            if Some(speaker) != player {
                add("from", quoted(speaker));
                // The step adds the speaker by itself.
                let speaker = [speaker.to_string()];
                tags = tags.strip_prefix(&speaker[..]).unwrap_or(tags);
            }
            if context.whisper {
                add("whisper", "true".to_owned());
            }
            "Say"
        }
        (reason, None, None) if reason != TriggerReason::PlayerUtterance => {
            add("npc", quoted(&context.npc));
            add("reason", format!("{reason:?}"));
            if let Some(trigger) = &context.trigger_id {
                add("trigger_id", quoted(trigger));
            }
            if let Some(prompt) = &context.prompt {
                add("prompt", quoted(prompt));
            }
            "Trigger"
        }
        _ => return Err("it does not say who speaks, or what is said"),
    };
    if let Some(scene) = &context.scene {
        add("scene", quoted(scene));
    }
    if !tags.is_empty() {
        add("tags", list(tags));
    }
    if !meanwhile.is_empty() {
        add("while_waiting", format!("[{}]", meanwhile.join(", ")));
    }
    Ok(format!("{step}({})", fields.join(", ")))
}

/// Why a character responds to this speaker.
pub(super) fn reason_of(speaker: &Id, player: Option<&Id>) -> TriggerReason {
    match Some(speaker) == player {
        true => TriggerReason::PlayerUtterance,
        false => TriggerReason::NpcInteraction,
    }
}

/// What the game has changed.
pub(super) fn parts(parts: &[WorldPart]) -> Result<Vec<String>, Unsayable> {
    let mut steps = Vec::new();
    for part in parts {
        match part {
            WorldPart::Flag(name, Some(value)) => {
                let name = quoted(name);
                steps.push(format!("SetFlag(name: {name}, value: {value})"));
            }
            WorldPart::Fact(key, Some(fact)) => {
                let (key, value) = (quoted(key), value(fact));
                steps.push(format!("SetWorldFact(key: {key}, value: {value})"));
            }
            // All of it is said: what has not changed is the same again.
            WorldPart::Entity(id, Some(view)) => {
                let entity = quoted(id);
                let at = placement(&view.at);
                steps.push(format!("Place(entity: {entity}, at: {at})"));
                steps.extend(view.attributes.iter().map(|(name, is)| {
                    let (name, value) = (quoted(name), value(is));
                    format!("SetAttribute(entity: {entity}, name: {name}, value: {value})")
                }));
            }
            WorldPart::Entity(_, None) => return Err("something leaves the world meanwhile"),
            WorldPart::Location(..) => return Err("a location changes meanwhile"),
            WorldPart::TurnOf(_) => return Err("it changes meanwhile whose turn it is"),
            WorldPart::Flag(_, None) | WorldPart::Fact(_, None) => {
                return Err("a flag or a fact is taken away meanwhile");
            }
        }
    }
    Ok(steps)
}
