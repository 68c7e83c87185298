//! Saving and loading (contract rows J3 and M5).

use crate::bell::{bare, game, mind, ring, rings, save_now, step, talk};
use crate::heard::{listen, take_heard};
use crate::loading::{load_game, outcome};
use crate::on_disk::{head, kinds, records, value};
use bevy::prelude::*;
use bevy_dramatis::base::GameTime;
use bevy_dramatis::base::Id;
use bevy_dramatis::engine::EngineEvent;
use bevy_dramatis::id;
use bevy_dramatis::journal::{
    JournalFile, JournalPlugin, JournalVerified, LoadGameError, MemoryJournal, MemoryJournalPlugin,
    RecordKind, Recorded, Save, SaveCommandsExt, prune_journal,
};
use bevy_dramatis::replay::replay;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::{change_mind, world_digest};
use bevy_dramatis::world::WorldIndex;
use std::path::{Path, PathBuf};

struct NoJournal;

impl Plugin for NoJournal {
    fn build(&self, _: &mut App) {}
}

fn everything(app: &mut App) -> (String, String, i64) {
    let mind = mind(app).digest().to_hex();
    (world_digest(app.world_mut()).to_hex(), mind, rings(app))
}

fn at(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

#[test]
fn m5_a_save_brings_everything_back_and_what_came_later_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(NoJournal);
    talk(&mut app, "Hello?");
    ring(&mut app);
    let saved = everything(&mut app);
    save_now(&mut app, &path).unwrap();
    talk(&mut app, "And now?");
    ring(&mut app);
    ring(&mut app);
    assert_ne!(everything(&mut app), saved);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut app), saved);
    // From here on everything is the same: numbers, seeds and ids continue where they were.
    talk(&mut app, "And now?");
    let once = everything(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    talk(&mut app, "And now?");
    assert_eq!(everything(&mut app), once);
}

#[test]
fn j2_a_journal_in_which_nothing_was_played_is_empty_and_the_game_goes_on_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    // The game ends before its first frame.
    drop(game(JournalPlugin::new(&path)));
    let mut app = game(JournalPlugin::new(&path));
    let error = load_game(app.world_mut(), &path).unwrap_err();
    assert!(
        matches!(&error, LoadGameError::Empty(of) if *of == path),
        "{error}"
    );
    assert!(error.to_string().ends_with("holds no game yet"), "{error}");
    ring(&mut app);
    let played = everything(&mut app);
    drop(app);
    let mut app = game(JournalPlugin::new(&path));
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut app), played);
}

#[test]
fn m5_a_save_loads_into_a_game_that_has_just_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(JournalPlugin::new(at(&folder, "game.dramatis")));
    talk(&mut app, "Hello?");
    ring(&mut app);
    save_now(&mut app, &path).unwrap();
    let saved = everything(&mut app);
    let mut other = game(NoJournal);
    load_game(other.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut other), saved);
    // This game has no story of its own: the save contains the story.
    let mut empty = bare(NoJournal);
    load_game(empty.world_mut(), &path).unwrap();
    step(&mut empty);
    step(&mut other);
    assert_eq!(everything(&mut empty), saved);
    talk(&mut empty, "Do you know me?");
    ring(&mut empty);
    talk(&mut other, "Do you know me?");
    ring(&mut other);
    assert_eq!(everything(&mut empty), everything(&mut other));
}

#[test]
fn j3_a_save_holds_the_journal_so_far_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(JournalPlugin::new(at(&folder, "game.dramatis")));
    talk(&mut app, "Hello?");
    ring(&mut app);
    save_now(&mut app, &path).unwrap();
    ring(&mut app);
    let kinds = kinds(&path);
    assert_eq!(*kinds.last().unwrap(), "checkpoint");
    assert_eq!(kinds.iter().filter(|kind| **kind == "turn").count(), 1);
    assert!(!Path::new(&format!("{}-wal", path.display())).exists());
    let save = Save::read(&path).unwrap();
    assert_eq!(save.game().turns_taken(), 1);
}

#[test]
fn j3_a_load_is_written_down_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(MemoryJournalPlugin);
    talk(&mut app, "Hello?");
    save_now(&mut app, &path).unwrap();
    ring(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    ring(&mut app);
    talk(&mut app, "Hello again?");
    let recording = app.world_mut().resource_mut::<MemoryJournal>().take();
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(report.holds(), "{report:?}");
    assert_eq!(report.repeated, 4);
}

/// Loads a save, and checks that a refused load has changed neither the game nor the file.
fn refused(app: &mut App, path: &Path) -> LoadGameError {
    let (before, bytes) = (everything(app), std::fs::read(path).ok());
    let error = load_game(app.world_mut(), path).unwrap_err();
    assert_eq!(everything(app), before);
    assert_eq!(std::fs::read(path).ok(), bytes, "the file is untouched");
    error
}

#[test]
fn j3_a_corrupt_truncated_or_newer_file_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(NoJournal);
    talk(&mut app, "Hello?");
    save_now(&mut app, &path).unwrap();
    let good = std::fs::read(&path).unwrap();

    let mut newer = good.clone();
    newer[63] = 99;
    std::fs::write(&path, &newer).unwrap();
    let error = refused(&mut app, &path);
    assert!(
        matches!(error, LoadGameError::Store(_))
            && error.to_string().contains("written in format 99"),
        "{error}"
    );
    for length in [0, 50, 100, 4096, good.len() / 2, good.len() - 1] {
        std::fs::write(&path, &good[..length]).unwrap();
        refused(&mut app, &path);
    }
    // A large part of such a small file is unused room.
    let used: Vec<usize> = (100..good.len()).filter(|at| good[*at] != 0).collect();
    let tried = used.iter().copied().step_by(used.len() / 60);
    let (mut tries, mut refusals) = (0, 0);
    for at in tried {
        tries += 1;
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        std::fs::write(&path, &bad).unwrap();
        let before = everything(&mut app);
        match load_game(app.world_mut(), &path) {
            // A byte that no code reads may have any value.
            Ok(()) => assert_eq!(everything(&mut app), before),
            Err(_) => refusals += 1,
        }
        assert_eq!(std::fs::read(&path).unwrap(), bad);
    }
    assert!(refusals > tries / 2, "{refusals} of {tries}");
    assert!(load_game(app.world_mut(), &at(&folder, "nothing here")).is_err());
    std::fs::write(&path, &good).unwrap();
    load_game(app.world_mut(), &path).unwrap();
}

#[test]
fn j3_a_save_that_cannot_be_written_leaves_the_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(NoJournal);
    let missing = folder.path().join("nowhere").join("game.save");
    assert!(save_now(&mut app, &missing).is_err());
    let path = at(&folder, "game.save");
    save_now(&mut app, &path).unwrap();
    ring(&mut app);
    save_now(&mut app, &path).unwrap();
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    ring(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(rings(&app), 1);
}

#[test]
fn j3_a_game_too_large_for_one_record_is_saved_in_parts_and_replays() {
    use bevy_dramatis::journal::JournalFile;
    use bevy_dramatis::world::{Attributes, WorldId};
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (at(&folder, "game.dramatis"), at(&folder, "game.save"));
    let mut app = game(JournalPlugin::new(&journal));
    for i in 0..250 {
        let words = format!("{i} ").repeat(10_000);
        let attributes = [("words".to_owned(), words.into())];
        app.world_mut().spawn((
            WorldId(Id::new(format!("book_{i}")).unwrap()),
            Attributes(attributes.into()),
        ));
    }
    step(&mut app);
    save_now(&mut app, &path).unwrap();
    ring(&mut app);
    talk(&mut app, "So many books!");
    save_now(&mut app, &path).unwrap();
    let saved = everything(&mut app);
    drop(app);
    let recording = JournalFile::open(&path).unwrap();
    recording.verify().unwrap();
    let kinds = kinds(&path);
    assert!(kinds.iter().filter(|kind| **kind == "part").count() > 2);
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(
        report.holds(),
        "{:?} {:?}",
        report.stopped,
        report.divergences.first()
    );
    assert_eq!(report.repeated, 2);
    let mut other = game(NoJournal);
    load_game(other.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut other), saved);
}

#[test]
fn j3_a_game_goes_on_from_its_own_journal_at_any_time_after_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    ring(&mut app);
    talk(&mut app, "Hello?");
    let before = everything(&mut app);
    drop(app);
    let mut app = game(JournalPlugin::new(&path));
    // The menu is open for a while.
    for _ in 0..300 {
        step(&mut app);
    }
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut app), before);
    ring(&mut app);
    drop(app);
    JournalFile::open(&path).unwrap().verify().unwrap();
    assert!(value(&path, "bell").contains("\"rings\":2"));
}

#[test]
fn j3_who_starts_a_game_and_leaves_without_playing_has_lost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    ring(&mut app);
    talk(&mut app, "Hello?");
    let before = everything(&mut app);
    drop(app);
    let records = head(&path);
    // The player only looks at the title screen, three times, and neither loads nor plays.
    for _ in 0..3 {
        let mut app = game(JournalPlugin::new(&path));
        (0..5).for_each(|_| step(&mut app));
    }
    assert_eq!(head(&path), records);
    let mut app = game(JournalPlugin::new(&path));
    step(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut app), before);
    step(&mut app);
    drop(app);
    assert!(head(&path) > records, "the load was written down");
    // A player that plays a new game has begun one.
    let mut app = game(JournalPlugin::new(&path));
    ring(&mut app);
    drop(app);
    let mut app = game(JournalPlugin::new(&path));
    step(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_ne!(everything(&mut app), before);
}

#[test]
fn j3_a_large_game_without_a_journal_is_saved_too() {
    use bevy_dramatis::world::{Attributes, WorldId};
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(NoJournal);
    for i in 0..300 {
        let attributes = [("words".to_owned(), format!("{i} ").repeat(30_000).into())];
        app.world_mut().spawn((
            WorldId(Id::new(format!("book_{i}")).unwrap()),
            Attributes(attributes.into()),
        ));
    }
    step(&mut app);
    save_now(&mut app, &path).unwrap();
    let saved = everything(&mut app);
    ring(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut app), saved);
}

#[test]
fn m5_what_the_game_did_to_a_mind_by_itself_is_saved_and_replays() {
    use bevy_dramatis::memory::{Episode, Mind};
    use bevy_dramatis::npc::LoadedCharacter;
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    talk(&mut app, "Hello?");
    let mut minds = app.world_mut().query_filtered::<Entity, With<Mind>>();
    let keeper = minds.single(app.world()).unwrap();
    let episode = Episode::new("told", "The bridge is down.", GameTime(0));
    change_mind(app.world_mut(), keeper, |mind| {
        mind.episodes.store(episode, GameTime(0)).unwrap();
    });
    app.world_mut()
        .entity_mut(keeper)
        .remove::<LoadedCharacter>();
    step(&mut app);
    save_now(&mut app, &at(&folder, "game.save")).unwrap();
    drop(app);
    for path in [path, at(&folder, "game.save")] {
        let save = Save::read(&path).unwrap();
        let mut kept = save.game().minds["keeper"].episodes();
        assert!(kept.any(|(_, text)| text == "The bridge is down."));
        let journal = bevy_dramatis::journal::JournalFile::open(&path).unwrap();
        let report = replay(&journal, &|_| {}).unwrap();
        assert!(report.holds(), "{:?}", report.divergences.first());
    }
}

#[test]
fn m1_a_write_into_a_mind_is_recorded_with_its_source() {
    use bevy_dramatis::memory::WriteSource;
    use bevy_dramatis::npc::{MindChange, MindWrite};
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    talk(&mut app, "Hello?");
    let told = MindChange::remember(id!("told"), "The bridge is down.");
    let write = MindWrite::new(id!("keeper"), told).from_source(WriteSource::Designer);
    write.apply_to(app.world_mut()).unwrap();
    let weak = MindChange::remember(id!("weak"), "It is not.");
    let weak = MindWrite::new(id!("keeper"), weak).from_source(WriteSource::LlmSuggestion);
    assert!(weak.apply_to(app.world_mut()).is_err());
    talk(&mut app, "And now?");
    save_now(&mut app, &at(&folder, "game.save")).unwrap();
    let rulebook = app.world().resource::<ActiveStory>().0.rulebook().digest();
    drop(app);
    let records = records(&path);
    let body_of = |kind: RecordKind| {
        let last = records.iter().rfind(|record| record.kind == kind);
        &last.unwrap().body
    };
    let writes = &body_of(RecordKind::Mind)["writes"];
    assert_eq!(writes.as_array().unwrap().len(), 1, "{writes}");
    assert_eq!(writes[0]["source"], "Designer");
    assert_eq!(writes[0]["change"]["remember"]["id"], "told");
    let judged_by = &body_of(RecordKind::Interaction)["rulebook"];
    assert_eq!(judged_by, &rulebook.to_hex());
}

#[test]
fn m6_a_write_into_the_mind_of_a_character_that_has_left_is_in_the_journal() {
    use bevy_dramatis::npc::{MindChange, MindWrite};
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    talk(&mut app, "Hello?");
    let keeper = app.world().resource::<WorldIndex>().get("keeper").unwrap();
    app.world_mut().despawn(keeper);
    step(&mut app);
    let told = MindChange::remember(id!("told"), "The bridge is down.");
    let write = MindWrite::new(id!("keeper"), told);
    write.apply_to(app.world_mut()).unwrap();
    for _ in 0..150 {
        step(&mut app);
    }
    drop(app);
    let records = records(&path);
    let last = records
        .iter()
        .rfind(|record| record.kind == RecordKind::Mind);
    let writes = &last.unwrap().body["writes"];
    assert_eq!(writes[0]["change"]["remember"]["id"], "told", "{writes}");
    let save = Save::read(&path).unwrap();
    let mut kept = save.game().minds["keeper"].episodes();
    assert!(kept.any(|(_, text)| text == "The bridge is down."));
    let report = replay(&JournalFile::open(&path).unwrap(), &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences.first());
}

#[test]
fn m5_a_line_of_the_game_before_a_load_cannot_be_taken_back() {
    use bevy_dramatis::adventure::AdventureCommandsExt;
    use bevy_dramatis::events::{CommandFailed, Retraction};
    #[derive(Resource, Default)]
    struct Said(Vec<&'static str>);
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(NoJournal);
    app.init_resource::<Said>()
        .add_observer(|_: On<Retraction>, mut said: ResMut<Said>| said.0.push("taken back"))
        .add_observer(|_: On<CommandFailed>, mut said: ResMut<Said>| said.0.push("failed"));
    talk(&mut app, "Hello?");
    save_now(&mut app, &path).unwrap();
    talk(&mut app, "And now?");
    load_game(app.world_mut(), &path).unwrap();
    step(&mut app);
    let before = everything(&mut app);
    let keeper = app.world().resource::<WorldIndex>().get("keeper").unwrap();
    app.world_mut().commands().retract_last(keeper);
    step(&mut app);
    assert_eq!(app.world().resource::<Said>().0, ["failed"]);
    assert_eq!(everything(&mut app), before);
}

#[test]
fn j3_events_of_the_old_game_do_not_reach_the_loaded_one() {
    use bevy_dramatis::events::{Applied, GameLoaded, TurnEnded};
    use bevy_dramatis::world::actions::Use;
    #[derive(Resource, Default)]
    struct Heard(Vec<&'static str>);
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(NoJournal);
    save_now(&mut app, &path).unwrap();
    app.init_resource::<Heard>()
        .add_observer(|_: On<GameLoaded>, mut heard: ResMut<Heard>| heard.0.push("loaded"))
        .add_observer(|_: On<TurnEnded>, mut heard: ResMut<Heard>| heard.0.push("turn"))
        .add_observer(
            move |_: On<Applied<Use>>, mut heard: ResMut<Heard>, mut commands: Commands| {
                heard.0.push("rung");
                let path = path.clone();
                commands.load_game(&path);
            },
        );
    ring(&mut app);
    step(&mut app);
    assert_eq!(app.world().resource::<Heard>().0, ["rung", "loaded"]);
    assert_eq!(rings(&app), 0);
}

#[test]
fn j3_a_load_waits_for_the_files_of_the_game() {
    use bevy_dramatis::events::GameLoaded;
    use bevy_dramatis::story::{ActiveStory, Story};
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.save");
    let mut app = game(NoJournal);
    ring(&mut app);
    save_now(&mut app, &path).unwrap();
    let saved = everything(&mut app);
    let mut other = game(NoJournal);
    // The story of the other game is still loading.
    let story = other.world().resource::<ActiveStory>().clone();
    other.insert_resource(ActiveStory::default());
    other.insert_resource(Story(Handle::default()));
    listen::<GameLoaded>(other.world_mut());
    load_game(other.world_mut(), &path).unwrap();
    step(&mut other);
    assert_eq!(rings(&other), 0, "the load waits for the story");
    assert!(take_heard::<GameLoaded>(other.world_mut()).is_empty());
    other.insert_resource(story);
    step(&mut other);
    assert_eq!(take_heard::<GameLoaded>(other.world_mut()).len(), 1);
    assert_eq!(everything(&mut other), saved);
}

#[test]
fn j6_any_checkpoint_that_is_kept_can_be_loaded_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    let mut then = Vec::new();
    for i in 0..3 {
        ring(&mut app);
        talk(&mut app, "Hello?");
        then.push(everything(&mut app));
        save_now(&mut app, &at(&folder, &format!("{i}.save"))).unwrap();
    }
    ring(&mut app);
    step(&mut app);
    drop(app);
    let checkpoints = JournalFile::open(&path).unwrap().checkpoints().unwrap();
    assert_eq!(checkpoints.len(), 4, "the beginning and three saves");
    let mut app = game(NoJournal);
    for (checkpoint, then) in checkpoints[1..].iter().zip(&then) {
        let seq = checkpoint.0;
        outcome(app.world_mut(), |commands| {
            commands.load_checkpoint(&path, seq)
        })
        .unwrap();
        assert_eq!(everything(&mut app), *then);
    }
    let before = everything(&mut app);
    for seq in [0, 2, 10_000] {
        let loaded = outcome(app.world_mut(), |commands| {
            commands.load_checkpoint(&path, seq)
        });
        let error = loaded.unwrap_err();
        assert!(
            matches!(error, LoadGameError::NoCheckpoint { .. }),
            "{error}"
        );
    }
    assert_eq!(everything(&mut app), before);
}

#[test]
fn j3_opening_verifies_in_the_background_and_says_when_it_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    ring(&mut app);
    drop(app);
    let verified = |app: &mut App| {
        listen::<JournalVerified>(app.world_mut());
        for _ in 0..2_000 {
            step(app);
            if let Some(told) = take_heard::<JournalVerified>(app.world_mut()).pop() {
                return told.records;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("nothing was said");
    };
    let mut app = game(JournalPlugin::new(&path));
    let records = verified(&mut app).unwrap();
    assert!(records > 1);
    // Play in the meantime changes nothing in the file.
    ring(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(rings(&app), 1);
    drop(app);
    // Changes the time of an old record.
    let database = rusqlite::Connection::open(&path).unwrap();
    let changed = "UPDATE records SET game_ms = game_ms + 1 WHERE seq = 1";
    assert_eq!(database.execute(changed, []).unwrap(), 1);
    drop(database);
    let mut app = game(JournalPlugin::new(&path));
    let error = verified(&mut app).unwrap_err();
    assert!(matches!(error, LoadGameError::Store(_)), "{error}");
    ring(&mut app);
    assert_eq!(rings(&app), 1, "the game goes on");
}

#[test]
fn j3_a_history_can_be_pruned_behind_a_checkpoint_which_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(&folder, "game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    for _ in 0..20 {
        ring(&mut app);
        talk(&mut app, "Hello?");
    }
    let before = everything(&mut app);
    drop(app);
    let last = head(&path);
    let database = rusqlite::Connection::open(&path).unwrap();
    let of_last = "SELECT lower(hex(hash)) FROM records ORDER BY seq DESC LIMIT 1";
    let hash: String = database.query_row(of_last, [], |row| row.get(0)).unwrap();
    drop(database);
    let size = || std::fs::metadata(&path).unwrap().len();
    let large = size();
    let pruned = prune_journal(&path).unwrap();
    assert_eq!(pruned, last);
    assert!(size() < large, "{} of {large}", size());
    let file = JournalFile::open(&path).unwrap();
    file.verify().unwrap();
    assert_eq!(file.count(), 1);
    let record = file.record(1).unwrap();
    assert_eq!(record.body["pruned"]["records"], last);
    assert_eq!(record.body["pruned"]["hash"], hash);
    drop(file);
    // The file still has the game; its journal continues, and a replay starts from there.
    let mut app = game(JournalPlugin::new(&path));
    step(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(everything(&mut app), before);
    ring(&mut app);
    talk(&mut app, "And now?");
    drop(app);
    let file = JournalFile::open(&path).unwrap();
    let report = replay(&file, &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences);
    assert!(prune_journal(&at(&folder, "nothing here")).is_err());
}

#[test]
fn t1_an_adventure_is_saved_and_loaded() {
    use bevy_dramatis::adventure::{AdventureCommandsExt, Lorebook, Personas, PlayerTurn, Stream};
    use bevy_dramatis::engine::{EngineRequest, Stage};
    use bevy_dramatis::events::CommandFailed;
    use bevy_dramatis::testing::FnEngine;

    fn answer(request: &EngineRequest) -> String {
        match request.stage {
            Stage::Narrator => "Ann looks at the bell.".to_owned(),
            Stage::LoreExtractor => r#"{"calls": [{"tool": "lore_upsert", "key": "bell", "text": "It is cracked."}]}"#.to_owned(),
            Stage::PersonaExtractor => r#"{"calls": [{"tool": "state_adjust", "category": "core", "label": "bold", "by": 2}]}"#.to_owned(),
            Stage::CharacterExtractor => r#"{"calls": []}"#.to_owned(),
            _ => "I wait.".to_owned(),
        }
    }
    fn play(app: &mut App) {
        app.world_mut()
            .commands()
            .play_turn(PlayerTurn::new(id!("ann"), "I look at the bell."));
        for _ in 0..40 {
            step(app);
        }
    }
    fn told(app: &App) -> (String, String, String) {
        let world = app.world();
        let stream = world.resource::<Stream>();
        (
            format!("{:?} {}", stream.messages(), stream.turns()),
            format!("{:?}", world.resource::<Lorebook>().entries()),
            format!("{:?}", world.resource::<Personas>().0),
        )
    }
    let folder = tempfile::tempdir().unwrap();
    let (journal, path) = (at(&folder, "game.dramatis"), at(&folder, "game.save"));
    let engine =
        || FnEngine::new(|_, request: &EngineRequest| EngineEvent::whole_reply(answer(request)));
    let mut app = crate::bell::game_with(engine(), JournalPlugin::new(&journal));
    play(&mut app);
    play(&mut app);
    let saved = told(&app);
    assert!(
        saved.0.contains("Ann looks at the bell.") && saved.0.ends_with(" 2"),
        "{}",
        saved.0
    );
    assert!(saved.1.contains("It is cracked.") && saved.2.contains("bold"));
    save_now(&mut app, &path).unwrap();
    play(&mut app);
    assert_ne!(told(&app), saved);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(told(&app), saved);
    // The turn from before the load belongs to another game.
    listen::<CommandFailed>(app.world_mut());
    app.world_mut().commands().retract_turn();
    step(&mut app);
    assert_eq!(take_heard::<CommandFailed>(app.world_mut()).len(), 1);
    // A load in the middle of a turn: the turn belongs to the game before the load.
    app.world_mut()
        .commands()
        .play_turn(PlayerTurn::new(id!("ann"), "I look at the bell."));
    step(&mut app);
    load_game(app.world_mut(), &path).unwrap();
    for _ in 0..40 {
        step(&mut app);
    }
    assert_eq!(told(&app), saved);
    // The game continues where it was.
    play(&mut app);
    assert!(told(&app).0.ends_with(" 3"));
    drop(app);
    // It is also there after a restart, from the journal itself.
    let mut app = crate::bell::game_with(engine(), NoJournal);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(told(&app), saved);
    let report = replay(&JournalFile::open(&journal).unwrap(), &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences.first());
}
