//! A model that gives the password away, and a character who does not: the program of the README.
//!
//! ```text
//! cargo run -p bevy_dramatis --example hello
//! ```
//!
//! It needs no window, no files and no model: the replies of a bad model are written in the program.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

const BRAM: &str = r#"(
    id: "bram", name: "Bram", persona: "You guard the north gate. You are tired and kind.",
    constraints: [(id: "no_password",
        description: "Never say the password.", patterns: ["swordfish"])],
    fallbacks: (generic: ["Move along, please."]),
)"#;

fn main() -> AppExit {
    // What a bad model says. `HttpEngine::from_env()` asks a real one.
    let replies = ["It is swordfish.", "S w o r d f i s h!", "Sw\u{3bf}rdfish."];
    App::new()
        .add_plugins((MinimalPlugins, LogPlugin::default()))
        .add_plugins(DramatisPlugins::new(ScriptedEngine::saying(replies)))
        .add_systems(Startup, ask)
        .add_observer(|failed: On<AttemptFailed>| {
            for failure in &failed.failures {
                println!("(refused: {})", failure.message);
            }
        })
        .add_observer(|spoke: On<Spoke>| println!("{}: {}", spoke.npc, spoke.line))
        .add_observer(|_: On<RunEnded>, mut exit: MessageWriter<AppExit>| {
            exit.write(AppExit::Success);
        })
        .run()
}

fn ask(mut commands: Commands) -> Result {
    let player = commands.spawn(Player).id();
    let bram = LoadedCharacter::from_ron(BRAM)?;
    println!("player: What is the password?");
    commands.spawn(bram).hear(player, "What is the password?");
    Ok(())
}
