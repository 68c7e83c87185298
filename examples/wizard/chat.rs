//! The line to type in, over it the last words, and what can be done. It takes the keys only while it is open: Enter opens
//! it, Enter sends what was typed, Escape leaves it.

use crate::actions::{self, Actions};
use crate::game::Listener;
use crate::style::{self, glass};
use crate::talk::{Line, Talk, Who};
use crate::words::Names;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::inspector::{InspectorSettings, Selection};
use bevy_egui::input::egui_wants_any_keyboard_input;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// How high the log is, in points. Older lines can be scrolled to.
const LOG_HEIGHT: f32 = 120.0;

/// Adds the chat.
pub fn plugin(app: &mut App) {
    app.init_resource::<Chat>()
        .add_systems(EguiPrimaryContextPass, chat)
        .add_systems(
            Update,
            (
                open.run_if(
                    input_just_pressed(KeyCode::Enter).and_then(not(egui_wants_any_keyboard_input)),
                ),
                ask_why.run_if(input_just_pressed(KeyCode::F4)),
                explain,
            ),
        );
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

/// What did he just think?
fn ask_why(mut chat: ResMut<Chat>, talk: Res<Talk>) {
    chat.explain = talk.last_run;
}

fn explain(
    mut chat: ResMut<Chat>,
    mut selection: ResMut<Selection>,
    mut inspector: ResMut<InspectorSettings>,
) {
    if let Some(run) = chat.explain.take() {
        selection.show_run(run);
        inspector.open = true;
    }
}

fn chat(
    mut contexts: EguiContexts,
    mut chat: ResMut<Chat>,
    mut talk: ResMut<Talk>,
    mut actions: ResMut<Actions>,
    listener: Res<Listener>,
    names: Names,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    egui::Window::new("chat")
        .title_bar(false)
        .resizable(false)
        .frame(glass())
        .anchor(egui::Align2::LEFT_BOTTOM, [14.0, -14.0])
        .show(ctx, |ui| {
            ui.set_width(470.0);
            egui::ScrollArea::vertical()
                .max_height(LOG_HEIGHT)
                .auto_shrink([false, true])
                .stick_to_bottom(true)
                .show(ui, |ui| {
                    for (index, line) in talk.log.iter().enumerate() {
                        if line_ui(ui, index, line) {
                            chat.explain = line.run;
                        }
                    }
                });
            actions::question(ui, &mut actions);
            actions::menu(ui, &mut actions);
            ui.add_space(2.0);
            let whom = names.of(listener.0);
            let edit_id = egui::Id::new("chat line");
            let is_open = ui.memory(|memory| memory.has_focus(edit_id));
            let hint = if is_open {
                "Hello?  or  > take the key  or  ! brew a potion  or  * I sit down by the fire"
                    .to_owned()
            } else {
                format!("Enter: talk to {whom}      F1: help")
            };
            let edit = egui::TextEdit::singleline(&mut talk.draft)
                .id(edit_id)
                .hint_text(hint)
                .char_limit(bevy_dramatis::npc::Request::MAX_INPUT_CHARS)
                .desired_width(f32::INFINITY);
            let edit = ui.add(edit);
            let entered =
                edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if entered && !talk.draft.trim().is_empty() {
                talk.outgoing = Some(std::mem::take(&mut talk.draft));
            }
            if std::mem::take(&mut chat.opens) {
                edit.request_focus();
            }
        });
    Ok(())
}

/// A line of the log. True: the player wants to know why it was said.
fn line_ui(ui: &mut egui::Ui, index: usize, line: &Line) -> bool {
    let (name, colour) = match &line.who {
        Who::Player => ("You: ", style::PLAYER),
        Who::Npc(name) => (name.as_str(), style::NPC),
        Who::Nobody => ("", style::NOBODY),
        Who::Narrator => ("", style::NARRATOR),
        Who::Problem => ("", style::PROBLEM),
    };
    let colon = if matches!(line.who, Who::Npc(_)) {
        ": "
    } else {
        ""
    };
    ui.push_id(index, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.colored_label(colour, format!("{name}{colon}{}", line.text));
            line.run.is_some()
                && ui
                    .link(egui::RichText::new("why?").small())
                    .on_hover_text("Shows what was asked, answered and judged.")
                    .clicked()
        })
        .inner
    })
    .inner
}
