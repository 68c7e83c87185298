//! An evening in a tavern, told without a picture: turns of an adventure. The story is that of `examples/tavern`.

use crate::page::{Asked, note, show};
use crate::{page, saves, server, why};
use bevy::app::ScheduleRunnerPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy_dramatis::adventure::{Persona, Personas, PlayerTurn, TurnStatus};
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::engine::ScriptSpec;
use bevy_dramatis::events::{AdventureTurnEnded, AsideAnswered, GameLoaded, Narrated, Retraction};
use bevy_dramatis::journal::MemoryJournalPlugin;
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::ActionRegistry;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const PLAYER: &str = "ann";
const STORY: &str = include_str!("../assets/tavern/tavern.story.ron");
const SCRIPT: &str = include_str!("../assets/tavern/tavern.script.ron");
const CAST: [&str; 3] = [
    include_str!("../assets/tavern/mira.npc.ron"),
    include_str!("../assets/tavern/tom.npc.ron"),
    include_str!("../assets/tavern/old_ivo.npc.ron"),
];
/// The words on the buttons.
const OFFERS: [&str; 5] = [
    "I take the iron key.",
    "whisper mira: I ask whose chest that is.",
    "I open the chest with the key.",
    "ask What do I carry?",
    "undo",
];
/// Without a picture, the game needs no more frames.
const FRAME: Duration = Duration::from_millis(33);

/// Begins the evening.
pub fn play() {
    let script: ScriptSpec =
        bevy_dramatis::format::parse_ron(SCRIPT.as_bytes(), "the script").expect("CI plays it");
    let engine = ScriptedEngine::new(&script).expect("CI plays it");
    App::new()
        .add_plugins((
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(FRAME)),
            LogPlugin::default(),
            page::plugin(&[]),
            DramatisPlugins::new(engine),
            MemoryJournalPlugin,
            (saves::plugin, server::plugin, why::plugin),
        ))
        .add_systems(Startup, furnish)
        .add_observer(obey)
        .add_observer(name_stage)
        .add_observer(|narrated: On<Narrated>| {
            // The game tells at once what Ann perceives.
            if narrated.message.audience.contains(&id!(PLAYER)) {
                show(
                    "line",
                    json!({"kind": "npc", "text": narrated.message.content}),
                );
            }
        })
        .add_observer(|ended: On<AdventureTurnEnded>| {
            let record = &ended.record;
            if let (TurnStatus::Failed, Some(failure)) = (record.status(), &record.failure) {
                note(
                    "problem",
                    &format!("That has not happened: {}. Try again.", failure.error),
                );
            }
        })
        .add_observer(|answered: On<AsideAnswered>| {
            note(
                "note",
                answered.answer.as_deref().unwrap_or("There is no answer."),
            );
        })
        .add_observer(|_: On<Retraction>| note("note", "It has not happened."))
        .add_observer(|failed: On<CommandFailed>| {
            if failed.command != saves::LOAD {
                note("problem", &failed.error);
            }
        })
        .add_observer(|_: On<GameLoaded>| note("note", "The evening is as it was saved."))
        .run();
}

/// The world, the cast, and the character that the player plays.
fn furnish(world: &mut World) -> Result {
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(STORY.as_bytes(), "tavern.story.ron", &NoFiles, &registry);
    let story = Arc::new(story.expect("CI plays it"));
    world.commands().install_story(story);
    world.flush();
    for npc in CAST {
        world.spawn(LoadedCharacter::from_ron(npc)?);
    }
    let ann = Persona {
        description: "A traveller, wet and curious.".to_owned(),
        ..default()
    };
    world.resource_mut::<Personas>().0.insert(id!(PLAYER), ann);
    show("ready", json!({}));
    show("offers", json!(OFFERS));
    note(
        "note",
        "The Crooked Tankard. Mira keeps it; Tom and old Ivo drink. There is an oak chest, and an iron key on a table.",
    );
    Ok(())
}

/// What the player wants to do. Only Mira hears `whisper mira: ..`, `ask ..` has no effect, and `undo` takes the last turn back.
fn obey(asked: On<Asked>, mut commands: Commands) {
    if !matches!(asked.what.as_str(), "say" | "do") {
        return;
    }
    let line = asked.words.trim().to_owned();
    note("player", &line);
    match line.split_once(' ').unwrap_or((&line, "")) {
        ("undo", _) => commands.retract_turn(),
        ("ask", question) => commands.ask_aside(question),
        ("whisper", rest) => {
            let (name, words) = rest.split_once(':').unwrap_or(("", ""));
            match name.trim().to_lowercase().parse() {
                Ok(listener) => {
                    let mut turn = PlayerTurn::new(id!(PLAYER), words.trim());
                    turn.whisper_to = vec![listener];
                    commands.play_turn(turn);
                }
                Err(_) => note("problem", "whisper NAME: what you say"),
            }
        }
        _ => commands.play_turn(PlayerTurn::new(id!(PLAYER), line.as_str())),
    }
}

fn name_stage(started: On<RunStarted>, runs: Query<&Run>) {
    if let Ok(run) = runs.get(started.run) {
        let words = run.stage().snake_case().replace('_', " ");
        note("note", &format!("{}: {words}", started.npc));
    }
}
