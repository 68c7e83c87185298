//! The prose of an actor's turn outside of an adventure, told by an engine from its verdicts alone.
//!
//! The engine gets what the rulebook answered, and no word of the actor. What it tells is judged as a narration is; where no
//! reply can be used, built-in sentences tell it.

use super::brief::variables;
use super::one_call::{OneCall, SingleCall, start_call, take_answered};
use super::scene::Cast;
use super::verdicts::{line_of, told};
use crate::engine::Stage;
use crate::events::{TurnEnded, TurnTold};
use crate::gate::Told;
use crate::judged_world::rulebook::turn::{JudgedAction, TurnRecord};
use crate::outbox::Outbox;
use crate::pipeline::StageHost;
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::steps::prompt::escape;
use crate::recorded::InputsAreFed;
use crate::rules::TriggerReason;
use crate::story::{ActiveStory, action_rules};
use crate::text::PromptWords;
use crate::world::{WorldIndex, WorldRead, WorldView};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Whether turns of actors are told in prose; off unless the game says otherwise. Then [`TurnTold`](crate::events::TurnTold)
/// follows on each [`TurnEnded`] in which something was judged.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
pub struct TurnNarration(pub bool);

/// Turns that have ended and are to be told.
#[derive(Resource, Debug, Default)]
pub(super) struct EndedTurns(Vec<Arc<TurnRecord>>);

/// Keeps a turn in which something was judged, if turns are told. A replay has the words on record.
pub(super) fn note_ended(
    ended: On<TurnEnded>,
    is_told: Option<Res<TurnNarration>>,
    is_replayed: Option<Res<InputsAreFed>>,
    mut turns: ResMut<EndedTurns>,
) {
    if is_told.is_some_and(|told| told.0)
        && is_replayed.is_none()
        && !ended.record.actions.is_empty()
    {
        turns.0.push(ended.record.clone());
    }
}

/// Another game is loaded: the turns that have ended in this one are not told.
pub(crate) fn forget_ended_turns(world: &mut World) {
    if let Some(mut turns) = world.get_resource_mut::<EndedTurns>() {
        turns.0.clear();
    }
}

/// Whether turns are to be told.
pub(super) fn some_have_ended(turns: Res<EndedTurns>) -> bool {
    !turns.0.is_empty()
}

/// On the entity of a turn that is being told.
#[derive(Component, Debug)]
pub(super) struct TellingTurn {
    record: Arc<TurnRecord>,
    call: Option<StageCall>,
}

/// The system that begins to tell the turns that have ended.
pub(super) fn begin_telling(world: &mut World) {
    let ended = std::mem::take(&mut world.resource_mut::<EndedTurns>().0);
    for record in ended {
        let host = world.spawn(StageHost).id();
        let call = start_telling(world, host, &record);
        world.entity_mut(host).insert(TellingTurn { record, call });
    }
}

/// Starts the call; `None` when it cannot be made.
fn start_telling(world: &mut World, host: Entity, record: &TurnRecord) -> Option<StageCall> {
    let actor = &record.actor;
    let cast = Cast::of(world, actor, &[]);
    let others = cast.seen_beside(actor);
    let view = WorldView::new(world);
    let canon = world.resource::<ActiveStory>().0.canon.facts().iter();
    let canon: Vec<String> = canon.map(|fact| fact.text.clone()).collect();
    let verdicts: Vec<String> = record.actions.iter().map(line_of).collect();
    let place = cast.place(actor).and_then(|place| view.name_of(place));
    let rules = action_rules(world);
    let denied = record
        .actions
        .iter()
        .filter_map(|action| told(&rules, &view, action));
    let denied: Vec<Told> = denied.collect();
    let data = variables([
        ("canon", canon.into()),
        ("place", place.into()),
        ("present", others.join(", ").into()),
        ("verdicts", verdicts.clone().into()),
        ("plain", plainly(world, record, &cast.bands.words).into()),
    ]);
    // The verdicts hold what was said.
    let call = SingleCall {
        what: "the prose of a turn",
        stage: Stage::Narrator,
        actor,
        npc: Some(actor.clone()),
        reason: TriggerReason::WorldEvent,
        keys: vec!["told".to_owned(), record.id.to_string(), actor.to_string()],
        input: verdicts.join("\n"),
        template: ("told_turn", data),
        prompt_words: cast.bands.words.clone(),
        speakers: cast.speakers(),
        present: cast.at(cast.place(actor)).into_iter().collect(),
        denied,
    };
    start_call(world, host, call)
}

impl OneCall for TellingTurn {
    fn call(&self) -> Option<StageCall> {
        self.call
    }
}

/// The system that tells the turns whose call is over.
pub(super) fn end_telling(world: &mut World, telling: &mut QueryState<(Entity, &TellingTurn)>) {
    for (turn, told) in take_answered(world, telling) {
        let by_engine = told.is_some();
        let text = told.unwrap_or_else(|| {
            let words = Cast::of(world, &turn.record.actor, &[]).bands.words;
            plainly(world, &turn.record, &words).join(" ")
        });
        let event = TurnTold {
            entity: WorldIndex::find(world, &turn.record.actor),
            actor: turn.record.actor.clone(),
            turn: turn.record.id,
            text,
            by_engine,
        };
        world.get_resource_or_init::<Outbox>().tell_about(event);
    }
}

/// A turn in built-in sentences, one for each action.
fn plainly(world: &World, record: &TurnRecord, words: &PromptWords) -> Vec<String> {
    let view = WorldView::new(world);
    let name = |id: &str| view.name_of(id).unwrap_or_else(|| id.to_string());
    let sentence = |action: &JudgedAction| {
        let intent = &action.intent;
        let target = intent.target().map(|target| format!(" {}", name(target)));
        let done = format!(
            "{}: {}{}",
            name(&record.actor),
            intent.kind(),
            target.unwrap_or_default()
        );
        let sentence = match action.judgement.is_ok() {
            true => format!("{done}."),
            false => {
                let message = &*action.judgement.message;
                words.say("told_denied", &[("done", &done), ("message", message)])
            }
        };
        escape(&sentence)
    };
    record.actions.iter().map(sentence).collect()
}
