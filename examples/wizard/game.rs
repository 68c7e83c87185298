//! The game: what the player asks for, and what the rulebook leaves to the game. It needs no window.

mod plan_steps;

use crate::cast::{self, PLAYER, WIZARD};
use crate::tale;
use bevy::prelude::*;
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, RunPolicy};
use bevy_dramatis::plans::{PlanSettings, Profile};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// The places of the story, by their ids.
pub const TOWER: &str = "tower";
pub const YARD: &str = "yard";

/// Adds the cast and the game's own rule.
pub fn plugin(app: &mut App) {
    app.insert_resource(PlanSettings {
        // Every plan is shown before it is carried out.
        profile: Profile::Safe,
        ..PlanSettings::default()
    })
    // What he says is heard sentence by sentence.
    .insert_resource(DialoguePolicy(
        RunPolicy::DIALOGUE.delivered(Delivery::Sentences),
    ))
    .init_resource::<Listener>()
    .add_plugins(plan_steps::plugin)
    .add_systems(Startup, cast::arrive)
    .add_observer(cast::read_letters);
}

/// The id of the character to whom the player speaks when a line names no character. The scene may set it to the nearest one.
#[derive(Resource)]
pub struct Listener(pub &'static str);

impl Default for Listener {
    fn default() -> Self {
        Self(WIZARD)
    }
}

/// The player says something, asks for something, or lets something be told: others fall silent.
#[derive(Event)]
pub struct PlayerSpeaks;

/// A line of the player: after a `>` it is an action, after a `*` it is told, after a `!` it is a wish that the wizard plans
/// for. Any other line is said to a character.
pub fn enter(
    In(line): In<String>,
    mut commands: Commands,
    ids: Res<WorldIndex>,
    listener: Res<Listener>,
) {
    let line = line.trim();
    let Some(player) = ids.get(PLAYER) else {
        return;
    };
    if let Some(action) = line.strip_prefix('>') {
        commands.entity(player).act(action);
        return;
    }
    commands.trigger(PlayerSpeaks);
    if let Some(intention) = line.strip_prefix('*') {
        tale::tell(&mut commands, intention);
        return;
    }
    if let Some(wish) = line.strip_prefix('!') {
        if let Some(wizard) = ids.get(WIZARD) {
            commands.entity(wizard).ask_plan(wish.trim());
        }
        return;
    }
    let to = cast::named(line).unwrap_or(listener.0);
    if let Some(to) = ids.get(to) {
        commands.entity(to).hear(player, line);
    }
}
