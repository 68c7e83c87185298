//! Settings: F3 shows and hides them. What is chosen counts at once.

mod apply;
mod choices;
mod choose;
mod engine;
mod engine_ui;
mod limits;
mod window;

use crate::cast;
use apply::Wish;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::authoring::ScriptAsset;
use bevy_dramatis::engine::DefaultEngine;
use bevy_egui::EguiPrimaryContextPass;
use std::env::var;

/// Adds the settings.
pub fn plugin(app: &mut App) {
    app.init_resource::<Settings>()
        .add_plugins(apply::plugin)
        .add_systems(Update, toggle.run_if(input_just_pressed(KeyCode::F3)))
        .add_systems(
            EguiPrimaryContextPass,
            window::window.run_if(|settings: Res<Settings>| settings.open),
        );
}

/// What is typed and not used yet, and what was chosen and not done yet. The window may be drawn several times a frame:
/// it notes, and `apply` acts.
#[derive(Resource)]
struct Settings {
    open: bool,
    /// Whether a server is to answer, or the script.
    server: bool,
    url: String,
    model: String,
    wish: Option<Wish>,
    /// Why the last wish was not granted.
    problem: Option<String>,
    /// The authored lines, for a game that began with a server.
    script: Handle<ScriptAsset>,
}

impl FromWorld for Settings {
    fn from_world(world: &mut World) -> Self {
        let url = var("DRAMATIS_URL").ok();
        // An address with an `@` or a `?` may hold a secret; no engine takes it.
        let url = url.filter(|url| !url.is_empty() && !url.contains(['@', '?']));
        let model = var("DRAMATIS_MODEL").ok();
        Self {
            open: false,
            server: false,
            url: url.unwrap_or_else(|| "http://127.0.0.1:8080".to_owned()),
            model: model.unwrap_or_else(|| "default".to_owned()),
            wish: None,
            problem: None,
            script: world.resource::<AssetServer>().load(cast::SCRIPT),
        }
    }
}

fn toggle(mut settings: ResMut<Settings>, engine: Res<DefaultEngine>) {
    settings.open = !settings.open;
    settings.server = engine.identity.provider != "scripted";
    settings.problem = None;
}
