//! A street of eight people over a day: they go to work, eat, drink and tell one another news, and no model is asked.
//!
//! ```text
//! cargo run -p bevy_dramatis --example village
//! DRAMATIS_URL=http://127.0.0.1:8080 cargo run -p bevy_dramatis --example village
//! ```
//!
//! A minute of the street takes a second. Type `ada: What did you do today?` to ask one of them; the people are in `assets/village`.
//! Without a server a script answers, and the line below it says what the character remembers. Where the input has ended, the day takes
//! five seconds and Dora is asked when it is over.
//!
//! `street.rs` tells what happens there, and `talk.rs` asks people.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

mod street;
mod talk;

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_dramatis::base::ManualClock;
use bevy_dramatis::prelude::*;
use std::time::Duration;

const PEOPLE: [&str; 8] = [
    "ada", "bram", "cole", "dora", "edwin", "finn", "gwen", "hal",
];
/// When the street wakes up, in seconds after midnight, as its story says; and when the day is over.
const WAKES: i64 = 20_700;
const DAY_ENDS: i64 = 84_600;

const FRAME: Duration = Duration::from_millis(16);

/// How many times faster than the clock on the wall the street is.
#[derive(Resource)]
struct Pace(i64);

fn main() -> AppExit {
    let engine = HttpEngine::from_env().or_scripted("scripts/village.script.ron");
    App::new()
        .add_plugins((
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(FRAME)),
            AssetPlugin::default(),
            bevy::log::LogPlugin::default(),
        ))
        .add_plugins(DramatisPlugins::new(engine))
        .add_plugins((street::plugin, talk::plugin))
        .insert_resource(ManualClock)
        .insert_resource(Pace(60))
        .add_systems(Startup, open)
        .run()
}

fn open(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(Story(assets.load("village/village.story.ron")));
    commands.spawn(Player);
    for id in PEOPLE {
        commands.spawn((
            Npc(assets.load(format!("village/{id}.npc.ron"))),
            Name::new(id),
        ));
    }
}
