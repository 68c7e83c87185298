//! How a step of the visit is taken.

use super::watch::VisitLog;
use crate::tools::visit::Step::{
    self, Answer, BrynComesIn, Check, CheckTale, Enter, Knock, Tell, Undo, Weather, Wish,
};
use crate::{cast, game, weather};
use bevy::prelude::*;
use bevy_dramatis::adventure::Stream;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{WorldIndex, WorldView};

/// Takes a step. True: the visit must wait for its result.
pub(super) fn take(world: &mut World, step: &Step) -> Result<bool, String> {
    match step {
        Knock => {
            println!("(Somebody knocks.)");
            world.run_system_cached(cast::knock).map_err(text)?;
        }
        Enter(line) | Tell(line) => {
            println!("You: {line}");
            let line = (*line).to_owned();
            let done = world.run_system_cached_with(game::enter, line);
            done.map_err(text)?;
        }
        Wish(wish, _) => {
            println!("You: {wish}");
            let done = world.run_system_cached_with(game::enter, format!("! {wish}"));
            done.map_err(text)?;
        }
        Answer(id) => {
            println!("You: {id}");
            let done = world.run_system_cached_with(answer, id);
            done.map_err(text)?;
        }
        BrynComesIn => return Ok(false),
        Undo => {
            println!("You: * undo");
            world.commands().retract_turn();
            world.flush();
            return Ok(false);
        }
        Weather => {
            let done = world.run_system_cached(weather::turn_weather);
            done.map_err(text)?;
            return Ok(false);
        }
        Check(what, holds) if holds(&WorldView::new(world).to_state()) => {
            println!("  = {what}");
            return Ok(false);
        }
        CheckTale(what, holds) if holds(world.resource::<Stream>()) => {
            println!("  = {what}");
            return Ok(false);
        }
        CheckTale(what, _) | Check(what, _) => return Err(format!("this does not hold: {what}")),
    }
    Ok(true)
}

fn answer(
    In(id): In<&'static str>,
    mut commands: Commands,
    mut seen: ResMut<VisitLog>,
    ids: Res<WorldIndex>,
) {
    if let (Some(question), Some(player)) = (seen.question.take(), ids.get(cast::PLAYER)) {
        commands.entity(player).answer(&question, id);
    }
}

pub(super) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
