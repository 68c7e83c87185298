//! The game: who is in it, what the player asks for, and what the rulebook leaves to the game. It needs no window.

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
    .init_resource::<StepPause>()
    .init_resource::<Listener>()
    .add_systems(Startup, cast::arrive)
    .add_systems(Update, end_pause)
    .add_observer(cast::read_letters)
    .add_observer(take_time);
}

/// How long the wizard takes for each step of a plan, in seconds.
const STEP_SECONDS: f32 = 1.5;

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

/// The plan whose step the wizard is busy with, and for how many seconds yet. `None`: he is not.
#[derive(Resource, Default)]
struct StepPause(Option<(PlanId, f32)>);

/// A step takes its time: the plan is held until it is over.
fn take_time(
    done: On<StepDone>,
    mut pause: ResMut<StepPause>,
    mut commands: Commands,
    plans: Res<Plans>,
) {
    // After the last step there is nothing to hold.
    if plans
        .get(done.plan)
        .is_none_or(|plan| plan.status.is_over())
    {
        return;
    }
    pause.0 = Some((done.plan, STEP_SECONDS));
    commands.hold_plan(done.plan, true);
}

fn end_pause(
    mut pause: ResMut<StepPause>,
    mut commands: Commands,
    time: Res<Time>,
    plans: Res<Plans>,
) {
    let Some((plan, left)) = &mut pause.0 else {
        return;
    };
    *left -= time.delta_secs();
    if *left <= 0.0 {
        // It may be over: then there is nothing to hold.
        if plans.get(*plan).is_some_and(|plan| !plan.status.is_over()) {
            commands.hold_plan(*plan, false);
        }
        pause.0 = None;
    }
}
