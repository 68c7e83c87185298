//! Settings that a save contains: the plugin's own, and those that a plugin of the game adds.

use crate::bell::{game, save_now, step, talk};
use crate::heard::{listen, take_heard};
use crate::loading::load_game;
use bevy::prelude::*;
use bevy_dramatis::adventure::TurnNarration;
use bevy_dramatis::authoring::{Character, NoFiles};
use bevy_dramatis::events::Outbox;
use bevy_dramatis::journal::{JournalFile, JournalPlugin, Recorded, Save};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::LoadedCharacter;
use bevy_dramatis::pipeline::Overhearing;
use bevy_dramatis::prelude::*;
use bevy_dramatis::recorded::{RecordCommandsExt, RecordedInput};
use bevy_dramatis::replay::replay;
use bevy_dramatis::world::{GameWrite, WorldRead, WorldValue, WorldView};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A setting of the game.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Difficulty(u8);

/// A setting without a canonical form.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Volume(f32);

fn add_difficulty(app: &mut App) {
    app.add_setting::<Difficulty>("bells.difficulty")
        .add_setting::<Volume>("bells.volume");
}

/// A game with these settings, in this journal.
fn bells(journal: &std::path::Path) -> App {
    let mut app = game(JournalPlugin::new(journal));
    add_difficulty(&mut app);
    app
}

fn switches(app: &App) -> (bool, bool) {
    let world = app.world();
    let overhearing = world.resource::<Overhearing>().0;
    (overhearing, world.resource::<TurnNarration>().0)
}

#[test]
fn j3_a_save_keeps_the_setting_of_a_plugin_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (
        folder.path().join("a.dramatis"),
        folder.path().join("a.save"),
    );
    let mut app = bells(&journal);
    talk(&mut app, "Hello");
    let plain = folder.path().join("plain.save");
    save_now(&mut app, &plain).unwrap();
    app.insert_resource(Difficulty(3))
        .insert_resource(Volume(0.5));
    talk(&mut app, "And now?");
    save_now(&mut app, &path).unwrap();
    app.insert_resource(Difficulty(1));
    talk(&mut app, "Later");

    let kept = Save::read(&path).unwrap();
    let kept = kept.game();
    assert_eq!(kept.setting("bells.difficulty"), Some(Difficulty(3)));
    let volume: Option<Volume> = kept.setting("bells.volume");
    assert!(volume.is_none(), "it has a fraction");
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(*app.world().resource::<Difficulty>(), Difficulty(3));
    load_game(app.world_mut(), &plain).unwrap();
    assert_eq!(
        *app.world().resource::<Difficulty>(),
        Difficulty(0),
        "left out"
    );

    // A game without that plugin also loads the save.
    let mut other = game(JournalPlugin::new(folder.path().join("b.dramatis")));
    load_game(other.world_mut(), &path).unwrap();
    assert!(!other.world().contains_resource::<Difficulty>());
    drop((app, other));

    let file = JournalFile::open(&journal).unwrap();
    let report = replay(&file, &add_difficulty).unwrap();
    assert!(report.holds(), "{:?}", report.divergences);
}

#[test]
fn j3_overhearing_and_told_turns_survive_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (
        folder.path().join("a.dramatis"),
        folder.path().join("a.save"),
    );
    let mut app = game(JournalPlugin::new(&journal));
    let listener = r#"(id: "mira", name: "Mira", location: "hall")"#;
    let listener = Character::parse(listener.as_bytes(), "mira.npc.ron", &NoFiles).unwrap();
    let mira = app
        .world_mut()
        .spawn(LoadedCharacter(Arc::new(listener)))
        .id();
    step(&mut app);
    app.insert_resource(Overhearing(true))
        .insert_resource(TurnNarration(true));
    talk(&mut app, "Hello");
    crate::bell::ring(&mut app);
    for _ in 0..6 {
        step(&mut app);
    }
    let heard = |app: &App| app.world().get::<Mind>(mira).unwrap().episodes.len();
    assert_eq!(heard(&app), 2, "what Ann said, and the answer");
    save_now(&mut app, &path).unwrap();
    talk(&mut app, "Once more");
    app.insert_resource(Overhearing(false))
        .insert_resource(TurnNarration(false));
    talk(&mut app, "Quietly");
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!((switches(&app), heard(&app)), ((true, true), 2));
    talk(&mut app, "Again");
    assert_eq!(heard(&app), 4, "Ann still listens");
    drop(app);

    let mut fresh = game(JournalPlugin::new(folder.path().join("b.dramatis")));
    assert_eq!(switches(&fresh), (false, false));
    load_game(fresh.world_mut(), &path).unwrap();
    assert_eq!(switches(&fresh), (true, true));
    drop(fresh);

    let file = JournalFile::open(&journal).unwrap();
    let report = replay(&file, &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences);
}

/// What the game tells its plugin.
#[derive(Serialize, Deserialize)]
struct Toll {
    times: u32,
    force: f32,
}

/// The state that the input changes.
#[derive(Resource, Default, Debug, PartialEq, Serialize, Deserialize)]
struct Tolled(u32);

/// What the plugin tells the game.
#[derive(Event, Clone, Debug)]
struct BellRang(u32);

impl RecordedInput for Toll {
    fn apply(self, world: &mut World) {
        let loud = if self.force > 0.5 { 2 } else { 1 };
        let mut tolled = world.resource_mut::<Tolled>();
        tolled.0 += self.times * loud;
        let all = tolled.0;
        GameWrite::fact("tolls", i64::from(all))
            .apply(world)
            .unwrap();
        world.resource_mut::<Outbox>().tell_all(BellRang(all));
    }
}

fn add_tolls(app: &mut App) {
    app.add_setting::<Tolled>("bells.tolled")
        .add_recorded::<Toll>("bells.toll");
    listen::<BellRang>(app.world_mut());
}

fn toll(app: &mut App, times: u32, force: f32) {
    app.world_mut().commands().record(Toll { times, force });
    step(app);
}

fn tolls(app: &App) -> (u32, Option<WorldValue>) {
    let world = app.world();
    let fact = WorldView::new(world).fact("tolls");
    (world.resource::<Tolled>().0, fact)
}

#[test]
fn j1_what_a_plugin_of_the_game_is_told_is_sent_saved_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (
        folder.path().join("a.dramatis"),
        folder.path().join("a.save"),
    );
    let mut app = game(JournalPlugin::new(&journal));
    add_tolls(&mut app);
    talk(&mut app, "Hello");
    toll(&mut app, 3, 0.25);
    toll(&mut app, 1, 0.75);
    let rang = take_heard::<BellRang>(app.world_mut());
    let rang: Vec<u32> = rang.iter().map(|rang| rang.0).collect();
    assert_eq!(rang, [3, 5]);
    talk(&mut app, "Did you hear it?");
    save_now(&mut app, &path).unwrap();
    toll(&mut app, 9, 0.0);
    assert_eq!(tolls(&app), (14, Some(WorldValue::Int(14))));
    talk(&mut app, "And now?");
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(tolls(&app), (5, Some(WorldValue::Int(5))));
    toll(&mut app, 1, 0.0);
    talk(&mut app, "Goodbye");
    drop(app);

    let file = JournalFile::open(&journal).unwrap();
    let report = replay(&file, &add_tolls).unwrap();
    assert!(report.holds(), "{:?}", report.divergences);
    let kinds: Vec<_> = (1..=file.count())
        .map(|seq| file.record(seq).unwrap().kind.name())
        .filter(|kind| *kind == "input")
        .collect();
    assert_eq!(kinds.len(), 4);

    // Without the plugin, the replay says what it lacks.
    let error = replay(&file, &|_| ()).unwrap_err().to_string();
    assert!(
        error.contains("bells.toll") && error.contains("add_recorded"),
        "{error}"
    );
}
