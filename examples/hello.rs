//! The smallest game: one character built in code, one line said to it, one answer heard.
//!
//! ```text
//! cargo run -p bevy_dramatis --example hello
//! ```
//!
//! It needs no window, no files and no model: a scripted engine answers. With `HttpEngine` in its place a server would.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::testing::character;

fn main() -> AppExit {
    let engine = ScriptedEngine::saying(["Who knocks at this hour? Come in, come in."]);
    App::new()
        .add_plugins((MinimalPlugins, DramatisPlugins::new(engine)))
        .add_systems(Startup, knock)
        .add_observer(|spoke: On<Spoke>| println!("{}: {}", spoke.npc, spoke.line))
        .add_observer(leave)
        .run()
}

fn knock(mut commands: Commands) {
    let player = commands.spawn(Player).id();
    let wizard = character(r#"(id: "eldrin", name: "Eldrin", persona: "You keep the tower.")"#);
    println!("player: Hello?");
    commands.spawn(wizard).hear(player, "Hello?");
}

fn leave(_: On<RunEnded>, mut exit: MessageWriter<AppExit>) {
    exit.write(AppExit::Success);
}
