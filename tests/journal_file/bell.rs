//! A small game: a keeper that remembers each talk, and a bell that counts its rings.

#![allow(dead_code, reason = "each test, and the bench, uses a part")]

use bevy::prelude::*;
use bevy_dramatis::actor_turns::ActorCommandsExt;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::base::{CallTime, GameTime};
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::engine::{ScriptSpec, ScriptedEngine};
use bevy_dramatis::journal::{GameSaved, SaveGameError};
use bevy_dramatis::memory::{Mind, SavedMind};
use bevy_dramatis::npc::{LoadedCharacter, NpcCommandsExt, Request};
use bevy_dramatis::plugin::{DramatisPlugins, EngineSource};
use bevy_dramatis::staging::StoryCommandsExt;
use bevy_dramatis::testing::save_game_blocking;
use bevy_dramatis::world::actions::Use;
use bevy_dramatis::world::{ActionRegistry, WorldIndex, WorldRead, WorldValue, WorldView};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const STORY: &str = r#"(
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "ann": (name: "Ann", kind: "character", at: In("hall")),
            "bell": (name: "bell", kind: "thing", at: In("hall"), attributes: {"rings": 0}),
        },
    ),
    rulebook: (id: "bells", extends: "default", actions: {
        "use": (checks: [(id: "near", when: Perceivable(Target), else: NOT_PRESENT, message: "it is not here")],
                effects: [AddAttribute(Target, "rings", 1)]),
    }),
    canon: [(id: "hall", text: "The hall is old")],
)"#;

const KEEPER: &str = r#"(id: "keeper", name: "Odo", persona: "You keep the hall.", location: "hall",
    memories: [(id: "m1", text: "Ann came in the rain.", significance: 0.9)],
    fallbacks: (generic: ["Hm.", "Well.", "So.", "Ah.", "Oh."]))"#;

const REPLIES: &str = r##"(repeat: true, replies: [
    Say(r#"{"dialogue": "The bell is old.", "mutations": [{"type": "AppendEpisodic", "content": "Ann asked again."}]}"#),
])"##;

/// The game with `plugin`.
pub fn game(plugin: impl Plugin) -> App {
    game_with(scripted(), plugin)
}

/// The same with another engine.
pub fn game_with(engine: impl Into<EngineSource>, plugin: impl Plugin) -> App {
    let mut app = bare_with(engine, plugin);
    let world = app.world_mut();
    let book = StoryBook::parse(
        STORY.as_bytes(),
        "bell.story.ron",
        &NoFiles,
        &ActionRegistry::default(),
    );
    world.commands().install_story(Arc::new(book.unwrap()));
    world.flush();
    let keeper = Character::parse(KEEPER.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    world.spawn(LoadedCharacter(Arc::new(keeper)));
    world.flush();
    app
}

/// An app without story and characters.
pub fn bare(plugin: impl Plugin) -> App {
    bare_with(scripted(), plugin)
}

fn scripted() -> ScriptedEngine {
    let script: ScriptSpec =
        bevy_dramatis::format::parse_ron(REPLIES.as_bytes(), "script").unwrap();
    ScriptedEngine::new(&script).unwrap()
}

fn bare_with(engine: impl Into<EngineSource>, plugin: impl Plugin) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock)
        .add_plugins(plugin);
    app.finish();
    app.cleanup();
    app
}

/// Ann says something; the keeper answers and remembers.
pub fn talk(app: &mut App, words: &str) {
    let keeper = entity(app, "keeper");
    let request = Request::speech("ann", "ann", words);
    app.world_mut().commands().entity(keeper).interact(request);
    step(app);
    step(app);
}

/// Ann rings the bell.
pub fn ring(app: &mut App) {
    let ring = Use {
        target: "bell".to_owned(),
        tool: None,
    };
    let ann = entity(app, "ann");
    app.world_mut().commands().entity(ann).perform(ring);
    step(app);
}

fn entity(app: &App, id: &str) -> Entity {
    let index = app.world().resource::<WorldIndex>();
    index.get(id).expect("the story has it")
}

/// Plays a frame, a hundredth of a second later.
pub fn step(app: &mut App) {
    let mut clock = app.world_mut().resource_mut::<DramatisClock>();
    clock.game = GameTime(clock.game.0 + 10);
    clock.call = CallTime(clock.call.0 + 10);
    app.update();
}

/// How often a character has rung the bell.
pub fn rings(app: &App) -> i64 {
    match WorldView::new(app.world()).attribute("bell", "rings") {
        Some(WorldValue::Int(rings)) => rings,
        other => panic!("the bell counts in numbers: {other:?}"),
    }
}

/// The keeper's mind.
pub fn mind(app: &mut App) -> SavedMind {
    let mut minds = app.world_mut().query::<(&LoadedCharacter, &Mind)>();
    let (_, mind) = minds
        .iter(app.world())
        .find(|(p, _)| p.0.id == "keeper")
        .unwrap();
    SavedMind::from(mind)
}

/// Saves the game, and waits until the file is complete.
pub fn save_now(app: &mut App, path: &Path) -> Result<GameSaved, SaveGameError> {
    save_game_blocking(app.world_mut(), path, Duration::from_secs(60))
}
