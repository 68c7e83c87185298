//! `<<act "phrase">>`: the player does something, and the rulebook judges it.

use super::choices::Offered;
use super::talk::speaker;
use super::variables::one_line;
use super::wait::{Acted, Done, WaitsFor, fail, wait_for};
use crate::actor_turns::{ActorCommandsExt, TurnQueue};
use crate::world::{ProposedAction, TurnRecord};
use bevy::prelude::*;

pub(super) fn act(world: &mut World, runner: Entity, words: &[String]) -> Done {
    let phrase = words.join(" ");
    match try_act(world, runner, phrase.trim()) {
        Ok(acted) => wait_for(world, runner, WaitsFor::Turn(acted)),
        Err(why) => fail(world, runner, &format!("act {phrase}"), why),
    }
}

fn try_act(world: &mut World, runner: Entity, phrase: &str) -> Result<Acted, String> {
    if phrase.is_empty() {
        return Err("it says nothing to do: write <<act \"open the door\">>".to_owned());
    }
    let speaker = speaker(world, runner)?;
    let offered = offered_as(world, runner, phrase);
    let before = requested(world);
    let mut commands = world.commands();
    let mut actor = commands.entity(speaker.entity);
    let acted = match offered {
        Some(action) => {
            let actions = vec![action];
            actor.perform_all(actions.clone());
            Acted {
                actor: speaker.id,
                text: None,
                actions,
            }
        }
        None => {
            actor.act(phrase);
            Acted {
                actor: speaker.id,
                text: Some(phrase.to_owned()),
                actions: Vec::new(),
            }
        }
    };
    world.flush();
    match requested(world) > before {
        true => Ok(acted),
        false => Err(format!(
            "\"{}\" cannot act now: it is not an actor of the story's world, or too much waits already; the event \
             RequestRefused says why",
            acted.actor
        )),
    }
}

/// The typed action that was offered in these words.
fn offered_as(world: &World, runner: Entity, phrase: &str) -> Option<ProposedAction> {
    let phrase = one_line(phrase);
    let Offered(offered) = world.get::<Offered>(runner)?;
    let found = offered.iter().find(|(words, _)| one_line(words) == phrase);
    found.map(|(_, action)| action.clone())
}

/// How many turns were asked for so far.
fn requested(world: &World) -> u64 {
    let queue = world.get_resource::<TurnQueue>();
    queue.map_or(0, |queue| queue.requested)
}

/// Whether this turn is the one that was asked for.
pub(super) fn is_turn_of(record: &TurnRecord, acted: &Acted) -> bool {
    record.actor == acted.actor
        && record.text == acted.text
        && (acted.text.is_some() || record.parsed == acted.actions)
}

/// How a turn has ended: `done` or `denied`, why something was not done, and the names of what was done.
pub(super) fn result_of(record: &TurnRecord) -> (&'static str, String, String) {
    let (done, denied): (Vec<_>, Vec<_>) = record
        .actions
        .iter()
        .partition(|action| action.judgement.is_ok());
    let rejected = record.rejected.iter().map(|one| one.message.as_str());
    let denied = denied.iter().map(|one| one.judgement.message.as_str());
    let why: Vec<&str> = rejected.chain(denied).collect();
    let outcome = match done.is_empty() || !why.is_empty() {
        true => "denied",
        false => "done",
    };
    let names: Vec<&str> = done.iter().map(|action| action.intent.kind()).collect();
    (outcome, why.join(" "), names.join(" "))
}
