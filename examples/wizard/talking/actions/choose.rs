//! How the player chooses what to do: by a key, or by a click.

use super::{Actions, Choice};
use crate::cast::PLAYER;
use crate::offers::offered;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use bevy_egui::input::egui_wants_any_keyboard_input;
use std::time::Duration;

/// The keys of the first nine things that can be done.
pub(super) const KEYS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];
/// How often the player looks around.
const GLANCE: Duration = Duration::from_millis(200);

/// Adds the choice.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            look_around.run_if(on_timer(GLANCE)),
            choose_by_key.run_if(not(egui_wants_any_keyboard_input)),
            choose,
        )
            .chain(),
    );
}

fn look_around(world: &mut World) {
    let offered = offered(world);
    world.resource_mut::<Actions>().offered = offered;
}

fn choose_by_key(mut actions: ResMut<Actions>, keys: Res<ButtonInput<KeyCode>>) {
    // On many keyboards this is how a `!` is typed, which begins a wish.
    if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        return;
    }
    let pressed = KEYS.iter().position(|key| keys.just_pressed(*key));
    let action = pressed.and_then(|index| actions.offered.get(index));
    if let Some((_, action)) = action.cloned() {
        actions.chosen = Some(Choice::Action(action));
    }
}

fn choose(mut commands: Commands, mut actions: ResMut<Actions>, ids: Res<WorldIndex>) {
    let (Some(choice), Some(player)) = (actions.chosen.take(), ids.get(PLAYER)) else {
        return;
    };
    let mut player = commands.entity(player);
    match (choice, actions.question.take()) {
        (Choice::Answer(id), Some(question)) => player.answer(&question, id),
        (Choice::Answer(_), None) => return,
        (Choice::Action(action), _) => player.perform_all(vec![action]),
    };
}
