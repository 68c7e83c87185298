//! Single calls outside of turns, which tell something without a speaking character: their start, and their answers.

use crate::base::ids::Id;
use crate::engine::Stage;
use crate::gate::{Told, Voices};
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::stage::template::StageTemplates;
use crate::pipeline::{StageForm, StageResult, StageTask};
use crate::proposal::Speaker;
use crate::rules::TriggerReason;
use crate::text::PromptWords;
use bevy::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

/// A call that is to be made.
pub(super) struct SingleCall<'a> {
    /// What it is called in the log.
    pub what: &'static str,
    pub stage: Stage,
    /// The actor for which the call is made.
    pub actor: &'a Id,
    /// The character whose call this is for engines and traces; `None`: it belongs to no character.
    pub npc: Option<Id>,
    pub reason: TriggerReason,
    /// What tells it from all other calls of the game.
    pub keys: Vec<String>,
    pub input: String,
    /// The template, and its variables.
    pub template: (&'static str, Value),
    /// The language of the call.
    pub prompt_words: PromptWords,
    /// The actors whose names are known.
    pub speakers: Vec<Speaker>,
    /// The ids of the characters whose acts it tells.
    pub present: BTreeSet<Id>,
    /// What must not be told.
    pub denied: Vec<Told>,
}

/// Starts a call; `None`, with a line in the log, when it cannot be made.
pub(super) fn start_call(world: &mut World, host: Entity, call: SingleCall) -> Option<StageCall> {
    let (template, data) = call.template;
    let words = world
        .get_resource_or_init::<StageTemplates>()
        .render(template, call.prompt_words.language(), &data)
        .inspect_err(|error| log::error!("{error}"))
        .ok()?;
    let task = StageTask {
        npc: call.npc,
        keys: call.keys,
        input: call.input,
        words,
        prompt_words: call.prompt_words,
        schema: None,
        form: StageForm::Narration {
            speakers: call.speakers,
            voices: Voices::none(call.present),
            denied: call.denied,
        },
    };
    StageCall::start(world, host, call.stage, call.actor, call.reason, 0, task)
        .inspect_err(|error| log::warn!("{} cannot be made: {error}", call.what))
        .ok()
}

/// On an entity that belongs to one call, and waits for it.
pub(super) trait OneCall: Component {
    /// The call; `None` when it could not be made.
    fn call(&self) -> Option<StageCall>;
}

/// Takes what has waited for calls that are over, each with the words that the gate approved for that call; `None` where no reply
/// would do.
pub(super) fn take_answered<C: OneCall>(
    world: &mut World,
    waiting: &mut QueryState<(Entity, &C)>,
) -> Vec<(C, Option<String>)> {
    let over: Vec<Entity> = waiting
        .iter(world)
        .filter(|(_, one)| one.call().is_none_or(|call| call.is_over(world)))
        .map(|(entity, _)| entity)
        .collect();
    let mut answered = Vec::new();
    for entity in over {
        let Some(one) = world.entity_mut(entity).take::<C>() else {
            continue;
        };
        let answer = one.call().and_then(|call| match call.take(world).ok()? {
            (run, StageResult::Narration(narration)) => Some(narration.spend(&run)?.content),
            _ => None,
        });
        world.despawn(entity);
        answered.push((one, answer));
    }
    answered
}
