//! Saving does not stop the game (contract row J3).

use crate::bell::{bare, game, ring, rings, save_now, step};
use crate::by_id::tell;
use crate::loading::load_game;
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::id;
use bevy_dramatis::journal::{
    GameSaved, JournalFile, JournalPlugin, LoadFailed, LoadGameError, Save, SaveCommandsExt,
    SaveFailed, SaveGameError, SavesPlugin,
};
use bevy_dramatis::npc::LoadedCharacter;
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::replay::replay;
use bevy_dramatis::staging::StoryCommandsExt;
use bevy_dramatis::world::{ActionRegistry, Placement, WorldRead, WorldView};
use std::sync::Arc;
use std::time::{Duration, Instant};

struct NoJournal;

impl Plugin for NoJournal {
    fn build(&self, _: &mut App) {}
}

#[derive(Resource, Default)]
struct Announced {
    saved: Vec<GameSaved>,
    failed: Vec<SaveFailed>,
}

fn listen(app: &mut App) {
    app.init_resource::<Announced>()
        .add_observer(|event: On<GameSaved>, mut all: ResMut<Announced>| {
            all.saved.push(event.clone());
        })
        .add_observer(|event: On<SaveFailed>, mut all: ResMut<Announced>| {
            all.failed.push(event.clone());
        });
}

/// Plays frames until this many saves have ended; a minute is more than enough.
fn until_announced(app: &mut App, count: usize) {
    let began = Instant::now();
    loop {
        let all = app.world().resource::<Announced>();
        if all.saved.len() + all.failed.len() >= count {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(60));
        step(app);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[derive(Resource, Default)]
struct Loads(Vec<Result<(), LoadFailed>>);

#[test]
fn j3_commands_save_and_load_and_say_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let mut app = game(NoJournal);
    listen(&mut app);
    app.init_resource::<Loads>()
        .add_observer(|_: On<GameLoaded>, mut all: ResMut<Loads>| all.0.push(Ok(())))
        .add_observer(|failed: On<LoadFailed>, mut all: ResMut<Loads>| {
            all.0.push(Err(failed.clone()));
        });
    ring(&mut app);
    app.world_mut().commands().save_game(&path);
    step(&mut app);
    until_announced(&mut app, 1);
    assert!(path.exists());
    ring(&mut app);
    app.world_mut().commands().load_game(&path);
    step(&mut app);
    assert_eq!(rings(&app), 1);
    let nowhere = folder.path().join("no.save");
    app.world_mut().commands().load_game(&nowhere);
    step(&mut app);
    assert_eq!(rings(&app), 1, "nothing has changed");
    let loads = &app.world().resource::<Loads>().0;
    assert!(
        matches!(&loads[..], [Ok(()), Err(failed)] if failed.path == nowhere),
        "{loads:?}"
    );
    // The folder of this save does not exist.
    app.world_mut()
        .commands()
        .save_game(folder.path().join("no/a.save"));
    step(&mut app);
    until_announced(&mut app, 2);
    assert_eq!(app.world().resource::<Announced>().failed.len(), 1);
}

#[test]
fn j3_a_game_that_left_out_saves_is_told_so_and_a_journal_brings_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let plugins = || DramatisPlugins::silent().build().disable::<SavesPlugin>();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, plugins()));
    listen(&mut app);
    app.world_mut().commands().save_game(&path);
    app.update();
    let failed = &app.world().resource::<Announced>().failed;
    assert_eq!(failed[0].error, SaveGameError::LeftOut);
    app.init_resource::<Loads>()
        .add_observer(|failed: On<LoadFailed>, mut all: ResMut<Loads>| {
            all.0.push(Err(failed.clone()));
        });
    app.world_mut().commands().load_game(&path);
    app.update();
    let loads = &app.world().resource::<Loads>().0;
    assert!(
        matches!(&loads[..], [Err(failed)] if failed.error == LoadGameError::LeftOut),
        "{loads:?}"
    );
    let journal = JournalPlugin::new(folder.path().join("a.dramatis"));
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, plugins(), journal));
    listen(&mut app);
    app.world_mut().commands().save_game(&path);
    let began = Instant::now();
    while app.world().resource::<Announced>().saved.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60));
        app.update();
    }
    assert!(path.exists());
}

#[test]
fn j3_saving_does_not_wait_for_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (
        folder.path().join("game.dramatis"),
        folder.path().join("a.save"),
    );
    let mut app = game(JournalPlugin::new(&journal));
    listen(&mut app);
    ring(&mut app);
    // While the test holds this lock, no other connection can write: the writer waits.
    let held = rusqlite::Connection::open(&journal).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    app.world_mut().commands().save_game(&path);
    app.world_mut().flush();
    ring(&mut app);
    assert_eq!(rings(&app), 2, "the game goes on");
    assert!(!path.exists());
    held.execute_batch("ROLLBACK").unwrap();
    until_announced(&mut app, 1);
    let saved = app.world().resource::<Announced>().saved[0].clone();
    assert_eq!(saved.path, path);
    // The save does not contain what happened after the command.
    let save = Save::read(&path).unwrap();
    let records = JournalFile::open(&path).unwrap().verify().unwrap();
    assert_eq!(records, saved.records);
    assert_eq!(save.game().turns_taken(), 1);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(rings(&app), 1);
}

#[test]
fn j3_saves_without_a_journal_are_written_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let mut app = game(NoJournal);
    listen(&mut app);
    for _ in 0..3 {
        ring(&mut app);
        app.world_mut().commands().save_game(&path);
        app.world_mut().flush();
    }
    until_announced(&mut app, 3);
    assert!(app.world().resource::<Announced>().failed.is_empty());
    ring(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(rings(&app), 3, "the last save is the one that stays");
}

#[test]
fn j3_a_save_is_complete_when_the_app_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [folder.path().join("a.save"), folder.path().join("b.save")];
    let mut app = game(JournalPlugin::new(folder.path().join("game.dramatis")));
    ring(&mut app);
    app.world_mut().commands().save_game(&paths[0]);
    app.world_mut().flush();
    drop(app);
    let mut app = game(NoJournal);
    ring(&mut app);
    app.world_mut().commands().save_game(&paths[1]);
    app.world_mut().flush();
    drop(app);
    for path in paths {
        assert_eq!(Save::read(&path).unwrap().game().turns_taken(), 1);
    }
}

#[test]
fn j3_a_save_that_fails_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere").join("a.save");
    for with_journal in [false, true] {
        let mut app = match with_journal {
            true => game(JournalPlugin::new(folder.path().join("game.dramatis"))),
            false => game(NoJournal),
        };
        listen(&mut app);
        app.world_mut().commands().save_game(&nowhere);
        until_announced(&mut app, 1);
        step(&mut app);
        let failed = &app.world().resource::<Announced>().failed;
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].path, nowhere);
        assert!(matches!(failed[0].error, SaveGameError::Store(_)));
    }
}

#[test]
fn j3_a_journal_that_has_stopped_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("not yet").join("game.dramatis");
    let mut app = game(JournalPlugin::new(journal));
    step(&mut app);
    listen(&mut app);
    let path = folder.path().join("a.save");
    app.world_mut().commands().save_game(path);
    step(&mut app);
    let failed = &app.world().resource::<Announced>().failed;
    assert!(matches!(failed[0].error, SaveGameError::Stopped(_)));
}

const STORY: &str = r#"(world: (
    locations: {"hall": (name: "Hall")},
    entities: {"lamp": (name: "lamp", kind: "thing", at: CarriedBy("keeper"))},
))"#;

const KEEPER: &str = r#"(id: "keeper", name: "Odo", persona: "You keep the hall.", location: "hall",
    fallbacks: (generic: ["Hm."]))"#;

fn tell_story(app: &mut App) {
    let registry = ActionRegistry::default();
    let book = StoryBook::parse(STORY.as_bytes(), "lamp.story.ron", &NoFiles, &registry);
    let book = Arc::new(book.unwrap());
    app.world_mut().commands().install_story(book);
    app.world_mut().flush();
    step(app);
}

fn load_keeper(app: &mut App) {
    let keeper = Character::parse(KEEPER.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    app.world_mut().spawn(LoadedCharacter(Arc::new(keeper)));
    step(app);
    step(app);
}

fn lamp(app: &App) -> Option<Placement> {
    WorldView::new(app.world()).placement("lamp")
}

#[test]
fn m5_what_waits_for_the_character_who_carries_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let mut app = bare(NoJournal);
    tell_story(&mut app);
    save_now(&mut app, &path).unwrap();
    let waiting = Save::read(&path).unwrap();
    assert_eq!(waiting.game().awaited["keeper"], ["lamp"]);
    let mut other = bare(NoJournal);
    load_game(other.world_mut(), &path).unwrap();
    step(&mut other);
    assert_eq!(lamp(&other), Some(Placement::Offstage));
    load_keeper(&mut other);
    assert_eq!(lamp(&other), Some(Placement::CarriedBy(id!("keeper"))));
    save_now(&mut other, &path).unwrap();
    assert!(Save::read(&path).unwrap().game().awaited.is_empty());
}

#[test]
fn m5_a_journal_knows_what_waits_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (
        folder.path().join("game.dramatis"),
        folder.path().join("a.save"),
    );
    let mut app = bare(JournalPlugin::new(&journal));
    tell_story(&mut app);
    save_now(&mut app, &path).unwrap();
    assert_eq!(
        Save::read(&path).unwrap().game().awaited["keeper"],
        ["lamp"]
    );
    load_keeper(&mut app);
    drop(app);
    let save = Save::read(&journal).unwrap();
    assert!(save.game().awaited.is_empty(), "{:?}", save.game().awaited);
    for file in [journal, path] {
        let report = replay(&JournalFile::open(&file).unwrap(), &|_| {}).unwrap();
        assert!(report.holds(), "{:?}", report.divergences.first());
    }
}

#[test]
fn m5_what_pronouns_refer_to_survives_a_character_that_is_loaded_and_a_save() {
    use bevy_dramatis::actor_turns::ActorCommandsExt;
    use bevy_dramatis::world::actions::Use;
    let folder = tempfile::tempdir().unwrap();
    let (path, look) = (folder.path().join("a.save"), folder.path().join("look"));
    let mentions = |app: &mut App| {
        save_now(app, &look).unwrap();
        Save::read(&look)
            .unwrap()
            .game()
            .mentioned
            .get("ann")
            .cloned()
    };
    let mut app = game(NoJournal);
    let bell = Use {
        target: "bell".to_owned(),
        tool: None,
    };
    tell(app.world_mut(), "ann", |actor| {
        actor.perform(bell);
    });
    step(&mut app);
    let before = mentions(&mut app);
    assert!(before.is_some());
    // So far only the story described Ann; now her character is loaded.
    let ann = r#"(id: "ann", name: "Ann", persona: "You visit.", fallbacks: (generic: ["Hm."]))"#;
    let ann = Character::parse(ann.as_bytes(), "ann.npc.ron", &NoFiles).unwrap();
    app.world_mut().spawn(LoadedCharacter(Arc::new(ann)));
    step(&mut app);
    assert_eq!(mentions(&mut app), before);
    save_now(&mut app, &path).unwrap();
    let mut other = game(NoJournal);
    load_game(other.world_mut(), &path).unwrap();
    step(&mut other);
    assert_eq!(mentions(&mut other), before);
}
