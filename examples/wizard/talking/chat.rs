//! The line to type in, over it the last words, and what can be done. It takes the keys only while it is open: Enter opens
//! it, Enter sends what was typed, Escape leaves it.

mod line;
mod log;
mod why;

use super::actions::{self, Actions};
use super::talk::Talk;
use crate::game::Listener;
use crate::looks::style::glass;
use crate::words::Names;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_egui::input::egui_wants_any_keyboard_input;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// Adds the chat.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Chat>()
        .add_systems(EguiPrimaryContextPass, chat)
        .add_systems(
            Update,
            open.run_if(
                input_just_pressed(KeyCode::Enter).and_then(not(egui_wants_any_keyboard_input)),
            ),
        )
        .add_plugins(why::plugin);
}

/// What was asked of the chat. The UI may be drawn several times a frame: it notes, and systems act.
#[derive(Resource, Default)]
struct Chat {
    /// The keys are to go to the line.
    opens: bool,
    /// The inspector is to show this run.
    explain: Option<Entity>,
}

fn open(mut chat: ResMut<Chat>) {
    chat.opens = true;
}

fn chat(
    mut contexts: EguiContexts,
    mut chat: ResMut<Chat>,
    mut talk: ResMut<Talk>,
    mut actions: ResMut<Actions>,
    listener: Res<Listener>,
    names: Names,
) -> Result {
    egui::Window::new("chat")
        .title_bar(false)
        .resizable(false)
        .frame(glass())
        .anchor(egui::Align2::LEFT_BOTTOM, [14.0, -14.0])
        .show(contexts.ctx_mut()?, |ui| {
            ui.set_width(470.0);
            chat.explain = log::ui(ui, &talk.log).or(chat.explain);
            actions::question(ui, &mut actions);
            actions::menu(ui, &mut actions);
            ui.add_space(2.0);
            let opens = std::mem::take(&mut chat.opens);
            line::ui(ui, &mut talk, &names.of(listener.0), opens);
        });
    Ok(())
}
