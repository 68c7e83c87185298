//! Who answers, and how the engine is doing.

use super::Settings;
use super::apply::Wish;
use super::window::Now;
use bevy_dramatis::engine::EngineStatus;
use bevy_egui::egui;

/// Who answers: nothing happens before the button is pressed.
pub(super) fn engine_ui(ui: &mut egui::Ui, settings: &mut Settings) {
    ui.radio_value(
        &mut settings.server,
        false,
        "The characters speak authored lines",
    );
    ui.radio_value(
        &mut settings.server,
        true,
        "A model on a server speaks for them",
    );
    ui.add_enabled_ui(settings.server, |ui| {
        for (name, text) in [
            ("Address", &mut settings.url),
            ("Model", &mut settings.model),
        ] {
            ui.horizontal(|ui| {
                ui.label(name);
                ui.add(egui::TextEdit::singleline(text).char_limit(300));
            });
        }
        ui.weak("A key is read from the environment variable DRAMATIS_API_KEY alone.");
    });
    if ui.button("Use it").clicked() {
        settings.wish = Some(Wish::Engine);
    }
}

/// How the engine is doing, in one line.
pub(super) fn status(now: &Now) -> String {
    let identity = &now.engine.identity;
    match now.statuses.of(None) {
        EngineStatus::Starting(why) => format!("The server is starting: {why}."),
        EngineStatus::Down(why) => format!("The server does not answer: {why}."),
        EngineStatus::Ready if identity.provider == "scripted" => {
            "The authored lines are ready.".to_owned()
        }
        EngineStatus::Ready => match now.server.trouble() {
            Some(trouble) => format!("{trouble}."),
            None => format!("The model \"{}\" is ready.", identity.model),
        },
    }
}
