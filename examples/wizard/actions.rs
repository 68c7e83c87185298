//! The player's actions, in the window: their results, the question back, and what can be done now.

use crate::cast::PLAYER;
use crate::offers::offered;
use crate::style::{self, action_button};
use crate::talk::{Talk, Who};
use crate::words::Names;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Clarification, ProposedAction, WorldIndex};
use bevy_egui::egui;
use bevy_egui::input::egui_wants_any_keyboard_input;
use std::time::Duration;

/// The keys of the first nine things that can be done.
const KEYS: [KeyCode; 9] = [
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

/// Adds the actions.
pub fn plugin(app: &mut App) {
    app.init_resource::<Actions>()
        .add_systems(
            Update,
            (
                look_around.run_if(on_timer(GLANCE)),
                choose_by_key.run_if(not(egui_wants_any_keyboard_input)),
                choose,
            )
                .chain(),
        )
        .add_observer(ask_back)
        .add_observer(|_: On<GameLoaded>, mut actions: ResMut<Actions>| actions.question = None)
        .add_observer(tell);
}

/// What the player can choose.
#[derive(Resource, Default)]
pub struct Actions {
    /// Which one is meant?
    question: Option<Clarification>,
    /// What can be done now, in words.
    offered: Vec<(String, ProposedAction)>,
    /// What was clicked and not yet done. The UI may be drawn several times a frame: it notes, and `choose` acts.
    chosen: Option<Choice>,
}

enum Choice {
    /// This one is meant, by id.
    Answer(String),
    /// This is to be done.
    Action(ProposedAction),
}

/// Something that was asked for can mean several things.
fn ask_back(asked: On<ClarificationNeeded>, mut actions: ResMut<Actions>) {
    if asked.actor == PLAYER && !asked.clarification.options.is_empty() {
        actions.question = Some(asked.clarification.clone());
    }
}

/// The result of the player's turn. A question that it did not ask is no longer open.
fn tell(ended: On<TurnEnded>, names: Names, mut talk: ResMut<Talk>, mut actions: ResMut<Actions>) {
    if ended.actor != PLAYER {
        return;
    }
    for line in names.outcomes(&ended.record) {
        talk.note(Who::Nobody, &line);
    }
    let question = ended.record.clarification.clone();
    actions.question = question.filter(|question| !question.options.is_empty());
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

/// The question back, with a button for each answer.
pub fn question(ui: &mut egui::Ui, actions: &mut Actions) {
    let Actions {
        question: Some(question),
        chosen,
        ..
    } = actions
    else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        let words = format!("{}: which one?", question.words);
        ui.colored_label(style::HINT, words);
        for option in &question.options {
            if action_button(ui, None, &option.name).clicked() {
                *chosen = Some(Choice::Answer(option.id.to_string()));
            }
        }
    });
}

/// What can be done now, a button for each.
pub fn menu(ui: &mut egui::Ui, actions: &mut Actions) {
    let Actions {
        offered, chosen, ..
    } = actions;
    if offered.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (index, (words, action)) in offered.iter().enumerate() {
            let key = (index < KEYS.len()).then_some(index + 1);
            if action_button(ui, key, words).clicked() {
                *chosen = Some(Choice::Action(action.clone()));
            }
        }
    });
}
