//! A journal in a file: save, go on, load, and play the whole session again without a model.
//!
//! ```text
//! cargo run -p bevy_dramatis --features store --example save_and_replay
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::journal::{JournalFile, JournalPlugin, Save, load_game, save_game_blocking};
use bevy_dramatis::prelude::*;
use bevy_dramatis::replay::replay;
use bevy_dramatis::testing::TestGame;
use std::path::Path;
use std::time::Duration;

const ODO: &str = r#"(id: "odo", name: "Odo", persona: "You keep the gate.")"#;

fn main() -> Result {
    let folder = std::env::temp_dir().join(format!("dramatis-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (journal, slot) = (folder.join("game.dramatis"), folder.join("slot1.dramatis"));

    // The journal holds everything that happens from here on.
    let (mut game, odo) = start(&journal);
    game.talk(odo, "My name is Ann.");
    // A running game calls `save_game`, which returns at once, and hears of `GameSaved`.
    save_game_blocking(game.world_mut(), &slot, Duration::from_secs(10))?;
    game.talk(odo, "Forget that I was here.");
    println!("before the load Odo remembers {} talks", talks(&game, odo));

    // The save takes the place of the game: what came after it is forgotten.
    load_game(game.world_mut(), &slot)?;
    let odo = game.entity("odo");
    println!("after the load Odo remembers {} talk", talks(&game, odo));
    drop(game);

    // Everything but the model happens again, and the first field that differs would be named.
    let recorded = JournalFile::open(&journal)?;
    let report = replay(&recorded, &|_| {})?;
    println!(
        "{} records replayed, all as they were: {}",
        report.records,
        report.holds()
    );
    let save = Save::read(&slot)?;
    println!("the save holds {} characters", save.game().minds.len());

    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn start(journal: &Path) -> (TestGame, Entity) {
    let replies = ["Well met, Ann.", "As you like."];
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        DramatisPlugins::new(ScriptedEngine::saying(replies)),
        JournalPlugin::new(journal),
    ));
    let mut game = TestGame::from_app(app);
    let odo = game.spawn_npc(ODO);
    (game, odo)
}

fn talks(game: &TestGame, npc: Entity) -> usize {
    game.mind(npc).exchanges.len()
}
