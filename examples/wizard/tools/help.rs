//! Help: F1 shows and hides what can be typed, and the keys.

use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

const LINES: [(&str, &str); 15] = [
    ("W A S D, arrows", "walks"),
    (
        "Enter",
        "opens the line to type in, and sends it; Escape leaves it",
    ),
    ("Hello?", "says this to the nearest character"),
    ("Bryn, hello!", "says this to Bryn"),
    ("> take the key", "does something"),
    (
        "! brew a potion",
        "asks the wizard for something that takes a plan",
    ),
    (
        "* I sit down",
        "is told, as a turn of an adventure; * undo takes it back",
    ),
    ("1 to 9", "does what the rules allow here, as listed"),
    ("F1", "shows and hides this help"),
    ("F2", "makes a storm, which bars the shut door, and ends it"),
    ("F3", "shows and hides the settings"),
    ("F4", "what did he just think? The inspector shows it"),
    ("F5, F9", "saves the game, brings the save back"),
    ("F6", "draws with or without shadows and glow"),
    ("F12", "shows and hides the inspector"),
];

/// Adds the help.
pub fn plugin(app: &mut App) {
    app.init_resource::<Help>()
        .add_systems(Update, toggle.run_if(input_just_pressed(KeyCode::F1)))
        .add_systems(
            EguiPrimaryContextPass,
            help.run_if(|help: Res<Help>| help.0),
        );
}

/// Whether the help is shown.
#[derive(Resource, Default)]
struct Help(bool);

fn toggle(mut help: ResMut<Help>) {
    help.0 = !help.0;
}

fn help(mut contexts: EguiContexts, mut help: ResMut<Help>) -> Result {
    let mut open = help.0;
    egui::Window::new("Help")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .show(contexts.ctx_mut()?, |ui| {
            egui::Grid::new("keys").spacing([24.0, 6.0]).show(ui, |ui| {
                for (key, meaning) in LINES {
                    ui.strong(key);
                    ui.add(egui::Label::new(meaning).extend());
                    ui.end_row();
                }
            });
        });
    help.0 = open;
    Ok(())
}
