//! A game as bytes, without a file and without a feature: saves in a browser (contract row I4).

use bevy::prelude::*;
use bevy_dramatis::adventure::TurnNarration;
use bevy_dramatis::events::{GameLoaded, TurnTold};
use bevy_dramatis::journal::{
    GameCaptured, MemoryJournal, MemoryJournalPlugin, RecordKind, Recording, Redaction, export,
    import,
};
use bevy_dramatis::prelude::*;
use bevy_dramatis::replay::replay;
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::{WorldRead, WorldView};
use std::path::PathBuf;

const STORY: &str = r#"(world: (
    locations: {"hall": (name: "Hall")},
    entities: {
        "player": (name: "Ann", kind: "character", at: In("hall")),
        "door": (name: "door", kind: "door", at: In("hall"), attributes: {"openable": true, "open": false}),
    },
))"#;

fn game(replies: &[&str]) -> (TestGame, Entity) {
    let mut app = App::new();
    let engine = ScriptedEngine::saying(replies.iter().copied());
    app.add_plugins((
        MinimalPlugins,
        DramatisPlugins::new(engine),
        MemoryJournalPlugin,
    ));
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let odo = game.spawn_npc(r#"(id: "odo", name: "Odo", location: "hall")"#);
    (game, odo)
}

fn saved(game: &mut TestGame) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.world_mut().commands().capture_game();
    game.world_mut().flush();
    let captured = game.take_sent::<GameCaptured>().pop();
    let captured = captured.expect("it is told at once");
    export(&*captured.recording, &mut bytes, &Redaction::default()).unwrap();
    bytes
}

fn load(game: &mut TestGame, recording: Recording) {
    game.world_mut().commands().load_recording(recording);
    game.world_mut().flush();
}

/// The paths of the loads that the plugin told.
fn told(game: &mut TestGame) -> Vec<PathBuf> {
    let loads = game.take_sent::<GameLoaded>();
    loads.into_iter().map(|loaded| loaded.path).collect()
}

fn is_open(game: &mut TestGame) -> bool {
    let judged = WorldView::new(game.world());
    let open = judged.attribute("door", "open");
    open.is_some_and(|open| open.truthy())
}

#[test]
fn i4_a_save_of_bytes_brings_the_game_back_also_into_another_app() {
    let (mut game, odo) = game(&["Well met.", "Then go."]);
    game.talk(odo, "My name is Ann.");
    let player = game.entity("player");
    game.act(player, "open the door");
    game.run_until_idle();
    let bytes = saved(&mut game);
    let mind = format!("{:?}", game.mind(odo));
    assert!(is_open(&mut game));

    game.talk(odo, "Forget me.");
    game.act(player, "close the door");
    game.run_until_idle();
    assert!(!is_open(&mut game) && format!("{:?}", game.mind(odo)) != mind);

    load(&mut game, import(&*bytes).unwrap());
    assert_eq!(told(&mut game), [PathBuf::new()]);
    assert!(is_open(&mut game));
    assert_eq!(format!("{:?}", game.mind(odo)), mind);
    // The same game gives the same bytes.
    assert_eq!(saved(&mut game), bytes);

    let (mut other, odo) = self::game(&["Again?"]);
    load(&mut other, import(&*bytes).unwrap());
    assert!(is_open(&mut other));
    assert_eq!(format!("{:?}", other.mind(odo)), mind);

    // The journal goes on after the load, and a replay repeats all of it.
    other.talk(odo, "Hello again.");
    let recording = other.world_mut().resource_mut::<MemoryJournal>().take();
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(report.holds(), "{report:?}");
}

#[test]
fn i4_what_is_no_save_changes_nothing() {
    let (mut game, _) = game(&[]);
    let whole = saved(&mut game);
    assert!(import(&whole[..whole.len() - 2]).is_err(), "it is cut");
    let mut without_files = import(&*whole).unwrap();
    without_files.assets.clear();

    let mut other = TestGame::new(ScriptedEngine::silent());
    let before = saved(&mut other);
    load(&mut other, Recording::default());
    load(&mut other, without_files);
    assert_eq!(saved(&mut other), before);
    other.frame();
    let failures = other.take_sent::<CommandFailed>();
    let errors: Vec<&str> = failures.iter().map(|failed| &*failed.error).collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert_eq!(errors[0], "record 1 is missing");
    assert!(errors[1].contains("does not hold the source"), "{errors:?}");
    assert!(told(&mut other).is_empty());
}

#[test]
fn j3_what_a_load_in_the_middle_of_the_results_leaves_behind_is_not_told() {
    let (mut game, _) = game(&["The door opens."]);
    game.world_mut().insert_resource(TurnNarration(true));
    game.frame();
    let before = import(&*saved(&mut game)).unwrap();
    let player = game.entity("player");
    game.act(player, "open the door");
    game.app
        .add_observer(move |_: On<TurnEnded>, mut commands: Commands| {
            commands.load_recording(before.clone());
        });
    game.run_until_idle();
    game.frames(4);
    assert_eq!(told(&mut game), [PathBuf::new()]);
    assert!(!is_open(&mut game));
    assert!(game.take_sent::<TurnTold>().is_empty());
    let asked = game.take_event_names();
    assert!(!asked.contains(&"RunStarted"), "{asked:?}");
}

#[test]
fn j1_a_refusal_of_the_game_before_a_load_is_not_in_the_record_of_the_next_one() {
    let (mut game, odo) = game(&[]);
    game.frame();
    let before = import(&*saved(&mut game)).unwrap();
    game.app
        .add_observer(move |_: On<RequestRefused>, mut commands: Commands| {
            commands.load_recording(before.clone());
        });
    let too_long = "a".repeat(100_000);
    game.say(odo, &too_long);
    game.frames(4);
    assert_eq!(told(&mut game), [PathBuf::new()]);
    let recording = game.world_mut().resource_mut::<MemoryJournal>().take();
    let kinds: Vec<RecordKind> = recording.records.iter().map(|record| record.kind).collect();
    let load = kinds
        .iter()
        .rposition(|kind| *kind == RecordKind::Checkpoint);
    let behind = &kinds[load.expect("the load is on record")..];
    assert!(!behind.contains(&RecordKind::Refused), "{kinds:?}");
}
