//! The game in a window: the app and all of its plugins.

use crate::looks::Quality;
use crate::talking::Talk;
use crate::tools::options::Options;
use crate::tools::{frame_times, help, pictures, saves, settings};
use crate::{ASSETS, door, game, gossip, looks, problems, tale, talking, weather};
use bevy::app::PluginGroupBuilder;
use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorPlugin;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiGlobalSettings, EguiPlugin};
use std::process::ExitCode;

/// Plays until the window is closed.
pub fn play(options: Options) -> ExitCode {
    problems::explain_what_is_missing();
    let (engine, problem) = options.engine();
    let mut app = App::new();
    app.add_plugins((
        bevy_plugins(),
        (
            EguiPlugin::default(),
            DramatisPlugins::new(engine),
            InspectorPlugin,
        ),
        // What happens.
        (game::plugin, door::plugin, weather::plugin),
        (gossip::plugin, tale::plugin),
        // What it looks like, and what is read and typed.
        (looks::plugin, talking::plugin),
        (help::plugin, settings::plugin, problems::plugin),
    ))
    // Egui gets a camera of its own, see looks/camera.rs.
    .insert_resource(EguiGlobalSettings {
        auto_create_primary_context: false,
        ..default()
    });
    if let Some(sentence) = problem {
        app.add_systems(Startup, move |mut talk: ResMut<Talk>| {
            problems::tell(&mut talk, &sentence);
        });
    }
    if let Some(quality) = options.quality {
        app.insert_resource(quality);
    }
    if let Some(folder) = options.pictures {
        // Nothing happens by itself while pictures are taken, and the player's saves are left alone.
        pictures::take(&mut app, folder, options.quality.unwrap_or(Quality::Low));
    } else if options.frames {
        app.add_plugins(frame_times::plugin);
    } else {
        app.add_plugins(saves::plugin);
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// Bevy, with the window of the game and the assets of the repository.
fn bevy_plugins() -> PluginGroupBuilder {
    let window = Window {
        title: "The wizard's tower".to_owned(),
        resolution: (1280, 720).into(),
        ..default()
    };
    let windows = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    let assets = AssetPlugin {
        file_path: ASSETS.to_owned(),
        ..default()
    };
    DefaultPlugins.set(windows).set(assets)
}
