//! A chat with one character in a window: `docs/guide/chat_window.md` explains it.
//!
//! ```text
//! cargo run --example chat_window
//! ```

mod chat;

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use chat::Typed;

const BRAM: &str = r#"(
    id: "bram", name: "Bram", persona: "You guard the north gate. You are tired and kind.",
    fallbacks: (generic: ["Move along, please."]),
)"#;

fn main() -> AppExit {
    let engine = ScriptedEngine::saying(["Good evening. The gate is shut.", "Come back at dawn."]);
    App::new()
        .add_plugins((DefaultPlugins, DramatisPlugins::new(engine), chat::plugin))
        .add_systems(Startup, setup)
        .add_observer(say)
        .run()
}

fn setup(mut commands: Commands) -> Result {
    commands.spawn(Player);
    commands.spawn(LoadedCharacter::from_ron(BRAM)?);
    Ok(())
}

fn say(
    typed: On<Typed>,
    player: Single<Entity, With<Player>>,
    bram: Single<Entity, With<LoadedCharacter>>,
    mut commands: Commands,
) {
    commands.entity(*bram).hear(*player, &typed.0);
}
