//! What dialogues wait for has come, or will never come.

use super::act::{is_turn_of, result_of};
use super::variables::{escape, set_choices, set_outcome, unescape};
use super::wait::{Acted, Asked, Waits, WaitsFor, go_on, node_of};
use crate::actor_turns::TurnQueue;
use crate::events::{LinesOffered, RunEnded, TurnEnded};
use crate::npc::{LoadedCharacter, RequestQueue, Thinking};
use crate::pipeline::{ApprovedIntents, InteractionContext, Outcome};
use crate::town::offer::OfferingLines;
use crate::world::WorldIndex;
use bevy::prelude::*;
use bevy_yarnspinner::events::DialogueStarted;
use bevy_yarnspinner::prelude::DialogueRunner;

/// On a runner: what a character has answered last. It is remembered already.
#[derive(Component, Debug)]
pub(super) struct Answered {
    /// The id of the character.
    pub npc: String,
    /// The line, as it is shown.
    pub line: String,
}

/// The observer of the ends of runs.
pub(super) fn take_answer(
    ended: On<RunEnded>,
    waiting: Query<(Entity, &Waits)>,
    mut commands: Commands,
) {
    for (runner, waits) in &waiting {
        let WaitsFor::Answer(asked) = &waits.what else {
            continue;
        };
        // Of a character that is gone, `lost_answer` says it.
        if Some(asked.npc) == ended.entity {
            let (asked, run, outcome) = (asked.clone(), ended.run, ended.outcome.clone());
            commands.queue(move |world: &mut World| {
                if !is_in_queue(world, &asked) && answers(world, run, &asked) {
                    give_answer(world, runner, &asked, run, &outcome);
                }
            });
        }
    }
}

fn give_answer(world: &mut World, runner: Entity, asked: &Asked, run: Entity, outcome: &Outcome) {
    let (word, line) = match outcome {
        Outcome::Accepted { line } => ("accepted", line.as_str()),
        Outcome::Fallback { line, .. } => ("fallback", line.as_str()),
        Outcome::Rejected | Outcome::Failed | Outcome::Cancelled => {
            let why = format!(
                "the run of \"{}\" ended as {}",
                asked.npc_id,
                outcome.name()
            );
            return give_up(world, runner, &why);
        }
    };
    let approved = match word {
        "accepted" => world.get::<ApprovedIntents>(run),
        _ => None,
    };
    let names = approved.into_iter().flat_map(|approved| &approved.0);
    let names: Vec<&str> = names.map(|intent| intent.kind()).collect();
    set_outcome(world, runner, word, line, &names.join(" "));
    if let Ok(mut runner) = world.get_entity_mut(runner) {
        runner.insert(Answered {
            npc: asked.npc_id.to_string(),
            line: unescape(&escape(line)),
        });
    }
    go_on(world, runner);
}

/// The observer of the ends of turns.
pub(super) fn take_turn_result(
    ended: On<TurnEnded>,
    waiting: Query<(Entity, &Waits)>,
    mut commands: Commands,
) {
    for (runner, waits) in &waiting {
        let WaitsFor::Turn(acted) = &waits.what else {
            continue;
        };
        if is_turn_of(&ended.record, acted) {
            let (outcome, why, names) = result_of(&ended.record);
            commands.queue(move |world: &mut World| {
                set_outcome(world, runner, outcome, &why, &names);
                go_on(world, runner);
            });
        }
    }
}

/// The observer of lines that the player could say.
pub(super) fn take_lines(
    offered: On<LinesOffered>,
    waiting: Query<(Entity, &Waits)>,
    mut commands: Commands,
) {
    for (runner, waits) in &waiting {
        if matches!(waits.what, WaitsFor::Lines(npc) if npc == offered.entity) {
            let lines = offered.lines.clone();
            commands.queue(move |world: &mut World| {
                set_choices(world, runner, &lines);
                go_on(world, runner);
            });
        }
    }
}

/// The observer of dialogues that begin: they do not wait for what an earlier one has asked. The runner is not looked at: Yarn
/// Spinner has taken its dialogue.
pub(super) fn begin_anew(started: On<DialogueStarted>, mut commands: Commands) {
    let runner = started.entity;
    commands.queue(move |world: &mut World| go_on(world, runner));
}

/// The system that lets dialogues go on that wait for what will never come.
pub(super) fn give_up_lost(
    world: &mut World,
    waiting: &mut QueryState<(Entity, &'static Waits)>,
    offering: &mut QueryState<(), With<OfferingLines>>,
) {
    let all = waiting.iter(world);
    let all: Vec<(Entity, WaitsFor)> = all.map(|(at, waits)| (at, waits.what.clone())).collect();
    let no_lines_come = offering.iter(world).next().is_none();
    for (runner, what) in all {
        let dialogue = world.get::<DialogueRunner>(runner);
        if !dialogue.is_some_and(DialogueRunner::is_running) {
            // The game has stopped it: no node is there to be told.
            go_on(world, runner);
            continue;
        }
        let why = match &what {
            WaitsFor::Answer(asked) => lost_answer(world, asked),
            WaitsFor::Turn(acted) => lost_turn(world, acted),
            WaitsFor::Lines(npc) => lost_lines(world, *npc, no_lines_come),
        };
        match (why, what) {
            (None, _) => {}
            (Some(why), WaitsFor::Lines(_)) => {
                set_choices(world, runner, &[]);
                give_up(world, runner, &why);
            }
            (Some(why), _) => give_up(world, runner, &why),
        }
    }
}

/// The dialogue goes on with the outcome `failed`.
fn give_up(world: &mut World, runner: Entity, why: &str) {
    let node = node_of(world, runner);
    log::warn!("a command in the Yarn node \"{node}\" failed: {why}");
    set_outcome(world, runner, "failed", "", "");
    go_on(world, runner);
}

fn lost_answer(world: &World, asked: &Asked) -> Option<String> {
    if world.get::<LoadedCharacter>(asked.npc).is_none() {
        return Some(format!(
            "\"{}\" left the game before it answered",
            asked.npc_id
        ));
    }
    let run = world
        .get::<Thinking>(asked.npc)
        .map(|thinking| thinking.run);
    if is_in_queue(world, asked) || run.is_some_and(|run| answers(world, run, asked)) {
        return None;
    }
    Some(format!(
        "\"{}\" gives no answer: its request was refused or replaced, or the game has removed its run. The event \
         RequestRefused says why",
        asked.npc_id
    ))
}

fn lost_turn(world: &World, acted: &Acted) -> Option<String> {
    if WorldIndex::find(world, &acted.actor).is_none() {
        return Some(format!("\"{}\" left the game before it acted", acted.actor));
    }
    let queue = world.get_resource::<TurnQueue>();
    let is_over = queue.is_none_or(TurnQueue::is_empty);
    is_over.then(|| format!("the turn of \"{}\" was dropped", acted.actor))
}

fn lost_lines(world: &World, npc: Entity, no_lines_come: bool) -> Option<String> {
    if world.get::<LoadedCharacter>(npc).is_none() {
        return Some("the character left the game before lines for the player came".to_owned());
    }
    let why = "no lines for the player come: TownPlugin makes them, and the event RequestRefused says why it does not";
    no_lines_come.then(|| why.to_owned())
}

/// Whether the request still waits for its character.
fn is_in_queue(world: &World, asked: &Asked) -> bool {
    let queue = world.get::<RequestQueue>(asked.npc);
    queue.is_some_and(|queue| {
        let mut waiting = queue.waiting.iter();
        waiting.any(|(number, _)| *number == asked.request)
    })
}

/// Whether this run answers what was asked.
fn answers(world: &World, run: Entity, asked: &Asked) -> bool {
    let context = world.get::<InteractionContext>(run);
    context.is_some_and(|context| {
        context.npc == asked.npc_id
            && context.speaker.as_ref() == Some(&asked.speaker)
            && context.input.as_deref() == Some(asked.words.as_str())
    })
}
