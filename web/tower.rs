//! The wizard's tower: what the page asks of the game, and what the game tells the page. The story and the characters are those of
//! `examples/wizard`.

use crate::cast::{self, PLAYER, SCRIPT, WIZARD};
use crate::page::{Asked, note, show};
use crate::words::Names;
use crate::{actions, bubbles, page, room, saves, server, why};
use bevy::asset::AssetMetaCheck;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::journal::MemoryJournalPlugin;
use bevy_dramatis::pipeline::{
    ApprovedIntents, Delivery, DialoguePolicy, InteractionContext, RunPolicy,
};
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use serde_json::json;

macro_rules! files {
    ($($path:literal),*) => { &[$(($path, include_str!(concat!("../assets/", $path)))),*] };
}
const FILES: &[(&str, &str)] = files![
    "tower.story.ron",
    "rulebooks/tower.rulebook.ron",
    "npcs/wizard.npc.ron",
    "npcs/gardener.npc.ron",
    "scripts/wizard.script.ron"
];

/// Begins the game on the canvas `#room`.
pub fn play() {
    let window = Window {
        canvas: Some("#room".to_owned()),
        fit_canvas_to_parent: true,
        // The page itself receives keys, clicks and touches.
        prevent_default_event_handling: false,
        ..default()
    };
    App::new()
        .add_plugins(page::plugin(FILES))
        .add_plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: Some(window),
                    ..default()
                })
                .set(AssetPlugin {
                    meta_check: AssetMetaCheck::Never,
                    ..default()
                }),
        )
        .add_plugins((
            DramatisPlugins::new(EngineSource::Script(SCRIPT.to_owned())),
            MemoryJournalPlugin,
        ))
        .add_plugins((
            plugin,
            actions::plugin,
            bubbles::plugin,
            room::plugin,
            (saves::plugin, server::plugin, why::plugin),
        ))
        .run();
}

fn plugin(app: &mut App) {
    app.insert_resource(DialoguePolicy(
        RunPolicy::DIALOGUE.delivered(Delivery::Sentences),
    ))
    .insert_resource(Listener(WIZARD))
    .add_systems(Startup, cast::arrive)
    .add_systems(Last, begin.run_if(dramatis_ready.and_then(run_once)))
    .add_observer(enter)
    .add_observer(cast::read_letters)
    .add_observer(tell_trigger)
    .add_observer(tell_line)
    .add_observer(tell_actions)
    .add_observer(|_: On<GameLoaded>| note("note", "Everything is as it was saved."));
}

/// The id of the character to whom the player speaks, if a line names no other.
#[derive(Resource)]
pub struct Listener(pub &'static str);

/// A line of the player: after a `>` it is an action, any other line is words to a character.
fn enter(asked: On<Asked>, mut commands: Commands, ids: Res<WorldIndex>, listener: Res<Listener>) {
    let line = asked.words.trim();
    let Some(player) = ids.get(PLAYER).filter(|_| asked.what == "say") else {
        return;
    };
    note("player", line);
    if let Some(action) = line.strip_prefix('>') {
        commands.entity(player).act(action);
    } else if let Some(to) = ids.get(cast::named(line).unwrap_or(listener.0)) {
        commands.entity(to).hear(player, line);
    }
}

/// Everything is ready.
fn begin(mut commands: Commands) {
    show("ready", json!({}));
    commands.run_system_cached(cast::knock);
}

fn tell_trigger(started: On<RunStarted>, runs: Query<&InteractionContext>) {
    let run = runs.get(started.run).ok();
    if let Some(prompt) = run.and_then(|run| run.prompt.as_ref()) {
        note("note", prompt);
    }
}

fn tell_line(spoke: On<Spoke>, names: Names) {
    if !spoke.line.is_empty() {
        let who = names.of(&spoke.npc);
        show(
            "line",
            json!({"kind": "npc", "who": who, "text": spoke.line}),
        );
    }
}

fn tell_actions(ended: On<RunEnded>, runs: Query<&ApprovedIntents>, names: Names) {
    for intent in runs.get(ended.run).iter().flat_map(|done| &done.0) {
        let who = names.of(&ended.npc);
        note("note", &format!("{who}: {}", names.action(intent)));
    }
}
