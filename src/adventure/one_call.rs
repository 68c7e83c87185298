//! Single calls outside of turns, in which somebody tells something and nobody speaks: their start, and their answers.

use super::template::TemplateError;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::gate::{Told, Voices};
use crate::pipeline::stage::start::start_stage;
use crate::pipeline::stage::take_approved;
use crate::pipeline::{Outcome, Run, StageForm, StageResult, StageTask};
use crate::proposal::Speaker;
use crate::rules::TriggerReason;
use bevy::prelude::*;
use std::collections::BTreeSet;

/// A call that is to be made.
pub(super) struct SingleCall<'a> {
    /// What it is called in the log.
    pub what: &'static str,
    pub stage: Stage,
    /// For whom it is made.
    pub actor: &'a Id,
    /// Whose call engines and traces take it for; `None`: nobody's.
    pub npc: Option<Id>,
    pub reason: TriggerReason,
    /// What tells it from all other calls of the game.
    pub keys: Vec<String>,
    pub input: String,
    /// The rendered template.
    pub words: std::result::Result<[String; 2], TemplateError>,
    /// Whose names are known.
    pub speakers: Vec<Speaker>,
    /// The ids of the characters whose acts it tells.
    pub present: BTreeSet<Id>,
    /// What must not be told.
    pub denied: Vec<Told>,
}

/// Starts a call; `None`, with a line in the log, when it cannot be made.
pub(super) fn start_call(world: &mut World, host: Entity, call: SingleCall) -> Option<Entity> {
    let words = call
        .words
        .inspect_err(|error| log::error!("{error}"))
        .ok()?;
    let task = StageTask {
        npc: call.npc,
        keys: call.keys,
        input: call.input,
        words,
        schema: None,
        form: StageForm::Narration {
            speakers: call.speakers,
            voices: Voices::none(call.present),
            denied: call.denied,
        },
    };
    start_stage(world, host, call.stage, call.actor, call.reason, 0, task)
        .inspect_err(|error| log::warn!("{} cannot be made: {error}", call.what))
        .ok()
}

/// On an entity that belongs to one call, and waits for it.
pub(super) trait OneCall: Component {
    /// The run of the call; `None` when it could not be made.
    fn run(&self) -> Option<Entity>;
}

/// Takes what has waited for calls that are over, each with the words that the gate approved for that call; `None` where no reply
/// would do.
pub(super) fn take_answered<C: OneCall>(
    world: &mut World,
    waiting: &mut QueryState<(Entity, &C)>,
) -> Vec<(C, Option<String>)> {
    let over: Vec<Entity> = waiting
        .iter(world)
        .filter(|(_, one)| {
            let live = one.run().filter(|run| world.get::<Run>(*run).is_some());
            live.is_none_or(|run| world.get::<Outcome>(run).is_some())
        })
        .map(|(entity, _)| entity)
        .collect();
    let mut answered = Vec::new();
    for entity in over {
        let Some(one) = world.entity_mut(entity).take::<C>() else {
            continue;
        };
        let answer = one.run().and_then(|run| approved_words(world, run));
        world.despawn(entity);
        answered.push((one, answer));
    }
    answered
}

/// What the gate approved of the reply of this run; `None` where it approved no words.
fn approved_words(world: &mut World, run: Entity) -> Option<String> {
    match take_approved(world, run)? {
        (run, StageResult::Narration(narration)) => Some(narration.spend(&run)?.content),
        _ => None,
    }
}
