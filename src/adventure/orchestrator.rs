//! The orchestrator: takes a turn from stage to stage.
//!
//! Each stage call is a run of the pipeline. The narrator and the extractor of one intention are in flight together, and so
//! are the lore extractor and the intention of the next character. The answers are taken in canonical order, not in the order
//! in which they arrive, and nothing is installed before the last stage has answered.

use super::commit::commit;
use super::hook::{InstalledAdventureHook, JudgedIntention, call_hook};
use super::markers::{PendingMarkers, markers_of_turn};
use super::mentioned::Mentioned;
use super::message::{MessageType, Owner};
use super::recap_call::begin_recaps;
use super::record::{StageLog, TurnFailure};
use super::roster::{choose_active, next_actor};
use super::scene::{Cast, with_staged};
use super::stage_call::{review_below, start};
use super::stream::Stream;
use super::turn::{AdventureTurn, EndedTurn, Position, Waiting};
use super::verdicts::resolve;
use crate::authoring::adventure_settings::{AdventureSettings, ExtractEvery, OnExtractorFailure};
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::engine::{RunEngine, Stage};
use crate::events::{AdventureTurnEnded, Narrated};
use crate::gate::Told;
use crate::judged_world::change::apply::TurnKey;
use crate::outbox::Outbox;
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::{AttemptLog, Outcome, Run, StageResult, StageTask};
use crate::story::Rules;
use crate::world::May;
use crate::world::refresh::refresh;
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The system that takes every turn as far as it comes.
pub(crate) fn advance_turns(
    world: &mut World,
    turns: &mut QueryState<Entity, With<AdventureTurn>>,
) {
    let playing: Vec<Entity> = turns.iter(world).collect();
    for entity in playing {
        refresh(world);
        let Some(mut turn) = world.entity_mut(entity).take::<AdventureTurn>() else {
            continue;
        };
        match advance(world, entity, &mut turn) {
            Ok(false) => {
                world.entity_mut(entity).insert(turn);
            }
            Ok(true) => {
                call_hook(world, |hook, world| hook.before_commit(world));
                let committed = commit(world, &mut turn);
                end_turn(world, entity, turn, committed.err());
            }
            Err(failure) => end_turn(world, entity, turn, Some(failure)),
        }
    }
}

/// Ends a turn and tells of it.
pub(super) fn end_turn(
    world: &mut World,
    entity: Entity,
    turn: AdventureTurn,
    failure: Option<TurnFailure>,
) {
    let waiting: Vec<StageCall> = turn.waiting.iter().map(|waiting| waiting.call).collect();
    if let Some(failure) = &failure {
        let stage = failure.stage.map(Stage::snake_case).unwrap_or("none");
        log::warn!(
            "turn {} failed, stage {stage}: {}",
            turn.turn_id,
            failure.error
        );
    }
    let record = Arc::new(turn.into_record(failure));
    call_hook(world, |hook, world| hook.turn_ended(world, entity, &record));
    if record.failure.is_none() {
        begin_recaps(world, &record.persona);
    }
    for call in waiting {
        call.cancel(world);
    }
    world
        .get_resource_or_init::<Outbox>()
        .tell(AdventureTurnEnded { entity, record });
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.insert(EndedTurn);
    }
}

/// Takes a turn as far as it comes: whether it is over.
fn advance(
    world: &mut World,
    host: Entity,
    turn: &mut AdventureTurn,
) -> std::result::Result<bool, TurnFailure> {
    loop {
        if turn.waiting.iter().any(|one| !one.call.is_over(world)) {
            return Ok(false);
        }
        let replies = collect(world, turn)?;
        let over = step(world, host, turn, replies)?;
        if over {
            return Ok(true);
        }
    }
}

/// A stage, and what it answered with the run that the answer was approved for.
type StageReply = (Stage, Option<(Run, StageResult)>);

/// The replies of the stages that a turn has waited for, in canonical order. `None`: that extractor failed, and the turn goes
/// on without it.
fn collect(
    world: &mut World,
    turn: &mut AdventureTurn,
) -> std::result::Result<Vec<StageReply>, TurnFailure> {
    let settings = *world.get_resource_or_init::<AdventureSettings>();
    let mut replies = Vec::new();
    let waiting = std::mem::take(&mut turn.waiting);
    for waiting in &waiting {
        if let Some(log) = log_of(world, waiting) {
            turn.staged.stages.push(log);
            call_hook(world, |hook, world| {
                hook.stage_ended(world, waiting.call.run())
            });
        }
    }
    for Waiting { call, stage, .. } in waiting {
        let result = call.take(world);
        let extracts = matches!(
            stage,
            Stage::PersonaExtractor | Stage::CharacterExtractor | Stage::LoreExtractor
        );
        let result = match result {
            Ok(result) => Some(result),
            Err(error)
                if !extracts || settings.on_extractor_failure == OnExtractorFailure::Fail =>
            {
                let stage = Some(stage);
                return Err(TurnFailure { stage, error });
            }
            Err(_) => {
                turn.staged.degraded.push(stage);
                None
            }
        };
        replies.push((stage, result));
    }
    Ok(replies)
}

/// What a stage was asked and answered; `None` when its run is gone.
fn log_of(world: &World, waiting: &Waiting) -> Option<StageLog> {
    let run = waiting.call.run();
    Some(StageLog {
        stage: waiting.stage,
        npc: world.get::<StageTask>(run)?.npc.clone(),
        seq: waiting.seq,
        at: waiting.at,
        engine: world
            .get::<RunEngine>(run)
            .map(|engine| engine.identity().clone()),
        attempts: world.get::<AttemptLog>(run)?.0.clone(),
        outcome: world.get::<Outcome>(run)?.clone(),
    })
}

fn step(
    world: &mut World,
    host: Entity,
    turn: &mut AdventureTurn,
    replies: Vec<StageReply>,
) -> std::result::Result<bool, TurnFailure> {
    let cast = Cast::of(world, &turn.persona, &turn.staged.changes);
    match turn.position.clone() {
        Position::Begin => {
            begin(world, turn, &cast);
            let Some(intention) = turn.text.clone() else {
                let persona = turn.persona.clone();
                start(
                    world,
                    host,
                    turn,
                    &cast,
                    Stage::PersonaIntent,
                    &persona,
                    &[],
                )?;
                turn.position = Position::PersonaIntent;
                return Ok(false);
            };
            let thought = turn.thought.clone();
            let persona = turn.persona.clone();
            turn.intend(&persona, thought, &intention, &cast);
            resolve_intention(world, host, turn, &persona)?;
        }
        Position::PersonaIntent => {
            let persona = turn.persona.clone();
            take_intention(world, turn, &cast, &persona, replies);
            resolve_intention(world, host, turn, &persona)?;
        }
        Position::Resolving(actor) => {
            take_narration(world, host, turn, &cast, &actor, replies);
            let cast = Cast::of(world, &turn.persona, &turn.staged.changes);
            if actor == turn.persona {
                choose_active(world, turn, &cast);
            }
            if is_due(world, Stage::LoreExtractor, turn.turn_id) {
                start(world, host, turn, &cast, Stage::LoreExtractor, &actor, &[])?;
            }
            let next = next_actor(turn, &cast);
            if let Some(next) = &next {
                start(world, host, turn, &cast, Stage::NpcIntent, next, &[])?;
            }
            turn.position = Position::Between(next);
        }
        Position::Between(next) => {
            let mut replies = replies;
            if let Some(at) = replies
                .iter()
                .position(|(stage, _)| *stage == Stage::LoreExtractor)
            {
                let review = review_below(world);
                if let (_, Some((run, StageResult::Calls(calls)))) = replies.remove(at) {
                    turn.extract(None, &run, calls, &cast, review);
                }
            }
            let Some(next) = next else {
                return Ok(true);
            };
            if cast.character(&next).is_none() {
                // It has gone meanwhile: what it wanted comes to nothing.
                let next = next_actor(turn, &cast);
                if let Some(next) = &next {
                    start(world, host, turn, &cast, Stage::NpcIntent, next, &[])?;
                }
                turn.position = Position::Between(next);
                return Ok(false);
            }
            take_intention(world, turn, &cast, &next, replies);
            resolve_intention(world, host, turn, &next)?;
        }
    }
    Ok(false)
}

fn is_due(world: &World, stage: Stage, turn_id: u64) -> bool {
    let settings = world.get_resource::<AdventureSettings>();
    let every = settings.copied().unwrap_or_default().extract_every;
    let every = match stage {
        Stage::PersonaExtractor => every.persona,
        Stage::CharacterExtractor => every.character,
        _ => every.lore,
    };
    ExtractEvery::is_due(every, turn_id)
}

/// Scene markers come first: those that wait, and those of ways that the persona went without one.
fn begin(world: &mut World, turn: &mut AdventureTurn, cast: &Cast) {
    let pending = world.get_resource_or_init::<PendingMarkers>().0.clone();
    turn.staged.markers = pending.len();
    let place = cast.place(&turn.persona).cloned();
    let stream = world.get_resource_or_init::<Stream>();
    let mut tail = stream.live_tail().rev();
    let last = tail.find(|message| {
        message.kind == MessageType::Intention && message.owner.actor() == Some(&turn.persona)
    });
    let then = last.and_then(|message| message.place.as_ref());
    for marker in markers_of_turn(&pending, then, place.as_ref()) {
        turn.say(
            Owner::System,
            MessageType::SceneMarker,
            marker.content(),
            place.clone(),
            Vec::new(),
        );
    }
}

fn take_intention(
    _world: &World,
    turn: &mut AdventureTurn,
    cast: &Cast,
    actor: &Id,
    replies: Vec<StageReply>,
) {
    for (_, reply) in replies {
        if let Some((run, StageResult::Intention(reply))) = reply
            && let Some(reply) = reply.spend(&run)
        {
            turn.intend(actor, reply.thought, &reply.intention, cast);
        }
    }
}

fn take_narration(
    world: &mut World,
    host: Entity,
    turn: &mut AdventureTurn,
    cast: &Cast,
    actor: &Id,
    replies: Vec<StageReply>,
) {
    let review = review_below(world);
    for (stage, reply) in replies {
        match reply {
            Some((run, StageResult::Narration(reply))) => {
                if let Some(narration) = reply.spend(&run) {
                    let place = cast.place(actor).cloned();
                    turn.narrate(narration, actor, place);
                    if *actor == turn.persona && !turn.whisper_to.is_empty() {
                        let heard = &turn.staged.audience;
                        let mut others = cast.at(cast.place(actor));
                        others.retain(|id| !heard.contains(id));
                        turn.tell_of_whisper(others, cast);
                    }
                    if let Some(message) = turn.last_narration().cloned() {
                        let narrated = Narrated {
                            entity: host,
                            message,
                        };
                        world.get_resource_or_init::<Outbox>().tell(narrated);
                    }
                }
            }
            Some((run, StageResult::Calls(calls))) if stage != Stage::LoreExtractor => {
                turn.extract(Some(actor), &run, calls, cast, review);
            }
            _ => {}
        }
    }
}

/// The rulebook decides on an intention; then it is narrated, and read at the same time.
fn resolve_intention(
    world: &mut World,
    host: Entity,
    turn: &mut AdventureTurn,
    actor: &Id,
) -> std::result::Result<(), TurnFailure> {
    let before = Cast::of(world, &turn.persona, &turn.staged.changes);
    let denied = judge_intention(world, turn, &before, actor);
    let after = Cast::of(world, &turn.persona, &turn.staged.changes);
    turn.staged.audience = audience(turn, actor, &before, &after);
    start(world, host, turn, &after, Stage::Narrator, actor, &denied)?;
    let extractor = match *actor == turn.persona {
        true => Stage::PersonaExtractor,
        false => Stage::CharacterExtractor,
    };
    if is_due(world, extractor, turn.turn_id) {
        start(world, host, turn, &after, extractor, actor, &[])?;
    }
    turn.position = Position::Resolving(actor.clone());
    Ok(())
}

/// All actors that are at the place of the act before or after it; for a whisper, those whom it is for.
fn audience(turn: &AdventureTurn, actor: &Id, before: &Cast, after: &Cast) -> Vec<Id> {
    if *actor == turn.persona && !turn.whisper_to.is_empty() {
        let mut heard = turn.whisper_to.clone();
        heard.push(actor.clone());
        heard.sort();
        heard.dedup();
        return heard;
    }
    let places: BTreeSet<Option<&Id>> = [before.place(actor), after.place(actor)].into();
    let here = places
        .into_iter()
        .flat_map(|place| before.at(place).into_iter().chain(after.at(place)));
    let heard: BTreeSet<Id> = here.chain([actor.clone()]).collect();
    heard.into_iter().collect()
}

fn judge_intention(
    world: &mut World,
    turn: &mut AdventureTurn,
    cast: &Cast,
    actor: &Id,
) -> Vec<Told> {
    turn.staged.verdicts.clear();
    turn.staged.outcomes.clear();
    let settings = *world.get_resource_or_init::<AdventureSettings>();
    let Some(intention) = turn.intention(actor).map(str::to_owned) else {
        return Vec::new();
    };
    let key = TurnKey {
        seed: world.get_resource_or_init::<WorldSeed>().0,
        keys: vec![
            "adventure".to_owned(),
            turn.turn_id.to_string(),
            actor.to_string(),
        ],
    };
    if settings.narrator_decides {
        // Each act has its place among what was judged.
        turn.staged.judged.push((key, Vec::new()));
        return Vec::new();
    }
    let mentioned = match turn.staged.mentioned.get(actor) {
        Some(mentioned) => mentioned.clone(),
        None => mentions_of(world, actor),
    };
    let character = cast.character(actor).map(|one| one.character.clone());
    let judge = |rules: &Rules| {
        let character = character.as_deref().map(|own| rules.of_character(own));
        let may = match character {
            Some(character) => May::of_character(character.may.as_deref()),
            None => May::AllButIntroduce,
        };
        let lexicon = character.and_then(|character| character.lexicon.as_ref());
        with_staged(world, &turn.staged.changes, |staged| {
            resolve(
                &rules.of_actions(),
                lexicon.unwrap_or(&rules.story().lexicon),
                key.clone(),
                staged,
                actor,
                may,
                &intention,
                mentioned.clone(),
            )
        })
    };
    let resolved = judge(&Rules::of_game(world));
    if let Some(InstalledAdventureHook(hook)) = world.get_resource::<InstalledAdventureHook>() {
        let judged = JudgedIntention {
            actor,
            text: &intention,
            judged: &resolved.judged,
        };
        hook.intention_judged(world, &judged, &|rules| judge(rules).judged);
    }
    let done = resolved
        .judged
        .actions
        .iter()
        .filter(|action| action.judgement.is_ok());
    let done = done.map(|action| action.intent.clone()).collect();
    turn.staged.judged.push((key, done));
    turn.staged.parsed.extend(resolved.parsed);
    turn.staged.rejected.extend(resolved.judged.rejected);
    turn.staged.actions.extend(resolved.judged.actions);
    turn.staged.changes.extend(resolved.changes);
    turn.staged
        .mentioned
        .insert(actor.clone(), resolved.mentioned);
    turn.staged.verdicts = resolved.lines;
    turn.staged.outcomes = resolved.outcomes;
    resolved.denied
}

fn mentions_of(world: &World, actor: &Id) -> Vec<Vec<Id>> {
    let mentioned = world.get_resource::<Mentioned>();
    let own = mentioned.and_then(|mentioned| mentioned.0.get(actor));
    own.cloned().unwrap_or_default()
}
