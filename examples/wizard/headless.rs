//! A scripted visit without a window: the dialogue goes to the terminal, and the door must be open at its end.

use crate::{ASSETS, game};
use bevy::ecs::system::RunSystemOnce;
use bevy::log::{Level, LogPlugin};
use bevy::prelude::*;
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::components::JudgedWorld;
use bevy_dramatis::world::{Placement, WorldRead};
use std::process::ExitCode;
use std::time::Duration;

/// What the traveller says, after knocking.
const VISIT: [&str; 6] = [
    "Hello? Is anybody there?",
    "My name is Ann.",
    "Is this weather usual here?",
    "Tell me the secret of this tower.",
    "Would you let me in?",
    "May I borrow the key?",
];
/// No wait takes longer: a frame sleeps a millisecond.
const MOST_FRAMES: usize = 10_000;

/// How many runs have ended, and how.
#[derive(Resource, Default)]
struct Seen {
    ended: usize,
    accepted: usize,
    rejected_attempts: usize,
}

/// Plays the visit.
pub fn visit() -> ExitCode {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        LogPlugin {
            level: Level::WARN,
            ..default()
        },
        AssetPlugin {
            file_path: ASSETS.to_owned(),
            ..default()
        },
        DramatisPlugins::new(EngineSource::Script(game::SCRIPT.to_owned())),
        game::plugin,
    ))
    .init_resource::<Seen>()
    .add_observer(|spoke: On<Spoke>| {
        let how = if spoke.fallback { " (fallback)" } else { "" };
        println!("Eldrin{how}: {}", spoke.line);
    })
    .add_observer(|approved: On<IntentApproved>| {
        println!("  * Eldrin means to {}", deed(&approved.intent));
    })
    .add_observer(|failed: On<AttemptFailed>, mut seen: ResMut<Seen>| {
        seen.rejected_attempts += 1;
        for failure in &failed.failures {
            println!("  x rejected by {}: {}", failure.rule, failure.message);
        }
    })
    .add_observer(|ended: On<RunEnded>, mut seen: ResMut<Seen>| {
        seen.ended += 1;
        seen.accepted += usize::from(matches!(ended.outcome, Outcome::Accepted { .. }));
    });
    app.finish();
    app.cleanup();

    match play(&mut app).and_then(|()| check(app.world_mut())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("The visit did not go as written: {why}.");
            ExitCode::FAILURE
        }
    }
}

fn play(app: &mut App) -> Result<(), String> {
    wait(app, "the files to load", |world| {
        world.run_system_cached(game::is_ready).unwrap_or_default()
    })?;
    println!("(Somebody knocks.)");
    let world = app.world_mut();
    world.run_system_cached(game::knock).map_err(text)?;
    answer(app)?;
    for line in VISIT {
        println!("You: {line}");
        let world = app.world_mut();
        world
            .run_system_cached_with(game::say, line.to_owned())
            .map_err(text)?;
        answer(app)?;
    }
    Ok(())
}

/// Waits for the run that was asked for to end.
fn answer(app: &mut App) -> Result<(), String> {
    let before = app.world().resource::<Seen>().ended;
    wait(app, "an answer", |world| {
        world.resource::<Seen>().ended > before
    })
}

fn wait(app: &mut App, what: &str, done: impl Fn(&mut World) -> bool) -> Result<(), String> {
    for _ in 0..MOST_FRAMES {
        app.update();
        if done(app.world_mut()) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(format!("waited in vain for {what}"))
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The door is open, the key has changed hands, and the secret was kept at the first attempt to tell it.
fn check(world: &mut World) -> Result<(), String> {
    let state = world
        .run_system_once(|judged: JudgedWorld| judged.to_state())
        .map_err(text)?;
    let seen = world.resource::<Seen>();
    let door = state.entity("door_1");
    let open = door.and_then(|door| door.attributes.get("open").map(WorldValue::truthy));
    let key = state.entity("key_1").map(|key| key.at);
    if open != Some(true) {
        Err("the door is closed".to_owned())
    } else if key != Some(Placement::CarriedBy(game::PLAYER.to_owned())) {
        Err("the player has no key".to_owned())
    } else if seen.accepted != VISIT.len() + 1 {
        Err(format!(
            "{} runs of {} were accepted",
            seen.accepted, seen.ended
        ))
    } else if seen.rejected_attempts == 0 {
        Err("the secret was told".to_owned())
    } else {
        println!("(The door is open, and the traveller has the key.)");
        Ok(())
    }
}

/// An intent in one line.
pub fn deed(intent: &Intent) -> String {
    let fields = intent.fields.iter().map(|(k, v)| format!(" {k}={v}"));
    format!("{}{}", intent.kind, fields.collect::<String>())
}
