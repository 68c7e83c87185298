//! An evening in a tavern: turns of an adventure, with three characters, in the terminal.
//!
//! ```text
//! cargo run -p bevy_dramatis --example tavern
//! DRAMATIS_URL=http://127.0.0.1:8080 cargo run -p bevy_dramatis --example tavern
//! ```
//!
//! Type what you want to do. Each stage is named as it happens, and what the narrator tells is told at once; a turn whose stage
//! fails is withdrawn. `whisper mira: ..` is heard by Mira alone, `ask ..` is a question outside the story, and `undo` takes the last
//! turn back. Without a server a script answers. If no player types, a short evening plays by itself.
//!
//! `player.rs` makes turns of what is typed, and `telling.rs` tells what happens in them.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

mod player;
mod telling;

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_dramatis::adventure::{Persona, Personas};
use bevy_dramatis::prelude::*;
use std::time::Duration;

const CAST: [&str; 3] = ["mira", "tom", "old_ivo"];

fn main() -> AppExit {
    let engine = HttpEngine::from_env().or_scripted("tavern/tavern.script.ron");
    App::new()
        .add_plugins((
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(Duration::from_millis(2))),
            AssetPlugin::default(),
            bevy::log::LogPlugin::default(),
        ))
        .add_plugins(DramatisPlugins::new(engine))
        .add_plugins((player::plugin, telling::plugin))
        .add_systems(Startup, furnish)
        .run()
}

/// The world, the cast, and who is played.
fn furnish(mut commands: Commands, assets: Res<AssetServer>, mut personas: ResMut<Personas>) {
    println!(
        "The Crooked Tankard. Mira keeps it; Tom and old Ivo drink. There is an oak chest, and an iron key on a table."
    );
    commands.insert_resource(Story(assets.load("tavern/tavern.story.ron")));
    for id in CAST {
        commands.spawn(Npc(assets.load(format!("tavern/{id}.npc.ron"))));
    }
    let ann = Persona {
        description: "A traveller, wet and curious.".to_owned(),
        ..default()
    };
    personas.0.insert(id!("ann"), ann);
}
