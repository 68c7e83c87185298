//! A journal in a file: save, go on, load, and play the whole session again without a model.
//!
//! ```text
//! cargo run -p bevy_dramatis --features store --example save_and_replay
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::journal::{GameSaved, JournalFile, JournalPlugin, SaveCommandsExt};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::prelude::*;
use bevy_dramatis::replay::replay;
use std::path::PathBuf;

const ODO: &str = r#"(id: "odo", name: "Odo", persona: "You keep the gate.")"#;

/// Where the game is saved.
#[derive(Resource)]
struct Slot(PathBuf);

fn main() -> Result {
    let folder = std::env::temp_dir().join(format!("dramatis-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (journal, slot) = (folder.join("game.dramatis"), folder.join("slot1.dramatis"));
    let engine = ScriptedEngine::saying(["Well met, Ann.", "As you like."]);
    // The journal holds everything that happens from here on.
    let journal_plugin = JournalPlugin::new(&journal);
    App::new()
        .add_plugins((MinimalPlugins, DramatisPlugins::new(engine), journal_plugin))
        .insert_resource(Slot(slot))
        .add_systems(Startup, greet)
        .add_observer(save_or_load)
        .add_observer(go_on)
        .add_observer(leave)
        .run();

    // Everything but the model happens again, and the first field that differs would be named.
    let report = replay(&JournalFile::open(&journal)?, &|_| {})?;
    let (records, holds) = (report.records, report.holds());
    println!("{records} records replayed, all as they were: {holds}");
    Ok(std::fs::remove_dir_all(&folder)?)
}

fn greet(mut commands: Commands) -> Result {
    let player = commands.spawn(Player).id();
    commands
        .spawn(LoadedCharacter::from_ron(ODO)?)
        .hear(player, "My name is Ann.");
    Ok(())
}

/// After the first talk the game is saved, after the second the save is loaded.
fn save_or_load(_: On<RunEnded>, odo: Single<&Mind>, slot: Res<Slot>, mut commands: Commands) {
    match odo.exchanges().len() {
        1 => commands.save_game(&slot.0),
        talks => {
            println!("before the load Odo remembers {talks} talks");
            commands.load_game(&slot.0);
        }
    }
}

fn go_on(
    _: On<GameSaved>,
    odo: Single<Entity, With<Mind>>,
    player: Single<Entity, With<Player>>,
    mut commands: Commands,
) {
    let mut odo = commands.entity(*odo);
    odo.hear(*player, "Forget that I was here.");
}

/// The save replaces the game: what came after it is forgotten.
fn leave(_: On<GameLoaded>, odo: Single<&Mind>, mut exit: MessageWriter<AppExit>) {
    let talks = odo.exchanges().len();
    println!("after the load Odo remembers {talks} talk");
    exit.write(AppExit::Success);
}
