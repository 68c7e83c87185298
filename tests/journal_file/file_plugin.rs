//! The journal on disk (contract rows J1 and J2; issue point "disk full and read-only folder").

use crate::bell::{bare, game, ring, rings, step, talk};
use crate::on_disk::{head, kinds, state, value};
use bevy::prelude::*;
use bevy_dramatis::journal::{Journal, JournalPlugin, JournalResumed, JournalStopped, TurnStored};
use std::time::{Duration, Instant};

#[derive(Resource, Default, Debug)]
struct Told {
    stored: Vec<TurnStored>,
    stopped: Vec<String>,
    resumed: Vec<u64>,
}

fn listen(app: &mut App) {
    app.init_resource::<Told>()
        .add_observer(|stored: On<TurnStored>, mut told: ResMut<Told>| {
            told.stored.push(stored.clone())
        })
        .add_observer(|stop: On<JournalStopped>, mut told: ResMut<Told>| {
            told.stopped.push(stop.why.clone())
        })
        .add_observer(|on: On<JournalResumed>, mut told: ResMut<Told>| told.resumed.push(on.lost));
}

fn told(app: &App) -> &Told {
    app.world().resource::<Told>()
}

/// Plays frames until something holds; a minute is more than enough.
fn until(app: &mut App, what: &str, mut holds: impl FnMut(&App) -> bool) {
    let began = Instant::now();
    while !holds(app) {
        assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
        step(app);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn j2_a_turn_is_acknowledged_when_its_record_and_its_effects_are_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    listen(&mut app);
    ring(&mut app);
    talk(&mut app, "Who rang?");
    until(&mut app, "two turns are stored", |app| {
        told(app).stored.len() == 2
    });
    let [turn, run] = &told(&app).stored[..] else {
        panic!()
    };
    assert_eq!((turn.id.as_deref(), turn.turn), (Some("ann"), Some(1)));
    assert_eq!((run.id.as_deref(), run.turn), (Some("keeper"), None));
    // The app still runs; another reader sees all that was acknowledged.
    let kinds = kinds(&path);
    let kind = |seq: u64| kinds[usize::try_from(seq - 1).unwrap()];
    assert_eq!((kind(turn.seq), kind(run.seq)), ("turn", "interaction"));
    let state = state(&path);
    let row = |kind: &str, key: &str| {
        let row = state.iter().find(|row| row.0 == kind && row.1 == key);
        row.unwrap().2.clone()
    };
    assert!(row("entity", "bell").contains("\"rings\":1"));
    // The first memory is in the character's file.
    assert!(row("episode", "keeper/1").contains("Ann asked again."));
    assert!(!row("mind", "keeper").contains("Ann asked again."));
}

#[test]
fn j1_everything_that_happens_leaves_one_record_in_order() {
    use bevy_dramatis::world::GameWrite;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    let mut app = game(JournalPlugin::new(&path));
    step(&mut app);
    let flag = GameWrite::flag("night", true);
    flag.apply(app.world_mut()).unwrap();
    talk(&mut app, "Hello?");
    talk(&mut app, "");
    ring(&mut app);
    drop(app);
    assert_eq!(
        kinds(&path),
        [
            "checkpoint",
            "story",
            "write",
            "write",
            "write",
            "settings",
            "entered",
            "write",
            "interaction",
            "refused",
            "turn"
        ]
    );
}

#[test]
fn j2_a_file_that_is_there_is_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    for _ in 0..3 {
        let mut app = game(JournalPlugin::new(&path));
        ring(&mut app);
    }
    let kinds = kinds(&path);
    assert_eq!(
        kinds.iter().filter(|kind| **kind == "checkpoint").count(),
        3
    );
    assert_eq!(kinds.iter().filter(|kind| **kind == "turn").count(), 3);
}

#[test]
fn j2_a_folder_that_takes_no_file_stops_the_journal_once_and_the_game_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not yet").join("game.dramatis");
    let plugin = JournalPlugin::new(&path).retry_after(Duration::from_millis(5));
    let mut app = game(plugin);
    listen(&mut app);
    for _ in 0..20 {
        ring(&mut app);
    }
    std::thread::sleep(Duration::from_millis(40));
    ring(&mut app);
    assert_eq!(rings(&app), 21);
    assert_eq!(told(&app).stopped.len(), 1, "{:?}", told(&app).stopped);
    assert!(told(&app).stored.is_empty());
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    until(&mut app, "the journal goes on", |app| {
        !told(app).resumed.is_empty()
    });
    ring(&mut app);
    until(&mut app, "the turn is stored", |app| {
        told(app).stored.len() == 1
    });
    assert_eq!(told(&app).stopped.len(), 1);
    assert!(told(&app).resumed[0] >= 21, "{:?}", told(&app).resumed);
    drop(app);
    assert_eq!(
        kinds(&path),
        ["checkpoint", "turn"],
        "the journal begins with the whole game, since records are missing"
    );
    assert!(value(&path, "bell").contains("\"rings\":22"));
}

#[test]
fn j2_a_full_disk_stops_the_journal_once_and_it_goes_on_with_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    let plugin = JournalPlugin::new(&path).max_bytes(200_000);
    let mut app = game(plugin.retry_after(Duration::from_millis(5)));
    listen(&mut app);
    let began = Instant::now();
    while told(&app).stopped.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60));
        talk(&mut app, "Again?");
        ring(&mut app);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(
        told(&app).stopped[0].contains("full"),
        "{:?}",
        told(&app).stopped
    );
    assert!(!app.world().resource::<Journal>().is_writing());
    // If there was no room for the last batch, there may be room for a checkpoint and a turn: then the journal goes on for a while.
    for _ in 0..10 {
        ring(&mut app);
        std::thread::sleep(Duration::from_millis(3));
    }
    let acknowledged = told(&app).stored.last().map_or(0, |stored| stored.seq);
    let on_disk = head(&path);
    assert!(
        acknowledged <= on_disk,
        "nothing is acknowledged that is not stored: {acknowledged} of {on_disk}"
    );
    app.world().resource::<Journal>().set_max_bytes(u64::MAX);
    until(&mut app, "the journal goes on", |app| {
        app.world().resource::<Journal>().is_writing()
    });
    let before = told(&app).stored.len();
    ring(&mut app);
    until(&mut app, "a turn is stored", |app| {
        told(app).stored.len() > before
    });
    let (stopped, resumed) = (told(&app).stopped.len(), told(&app).resumed.len());
    assert_eq!(stopped, resumed, "each stop is told of once");
    let rung = rings(&app);
    drop(app);
    let kinds = kinds(&path);
    let checkpoints = kinds.iter().filter(|kind| **kind == "checkpoint");
    assert_eq!(checkpoints.count(), 1 + resumed);
    assert!(value(&path, "bell").contains(&format!("\"rings\":{rung}")));
}

#[test]
fn j2_a_damaged_file_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    std::fs::write(&path, "this is a diary, and no journal").unwrap();
    let mut app = bare(JournalPlugin::new(&path).retry_after(Duration::from_millis(5)));
    listen(&mut app);
    for _ in 0..10 {
        step(&mut app);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(told(&app).stopped.len(), 1);
    assert!(
        told(&app).stopped[0].contains("not a journal"),
        "{:?}",
        told(&app).stopped
    );
    drop(app);
    assert_eq!(
        std::fs::read(&path).unwrap(),
        b"this is a diary, and no journal"
    );
}

#[test]
fn j2_what_waits_is_bounded_and_seen() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(JournalPlugin::new(folder.path().join("game.dramatis")));
    listen(&mut app);
    for _ in 0..200 {
        ring(&mut app);
    }
    let waiting = app.world().resource::<Journal>().waiting();
    let stored = told(&app).stored.len();
    assert!(
        waiting + stored >= 200,
        "what is not stored is counted: {waiting} and {stored}"
    );
    until(&mut app, "all is stored", |app| {
        app.world().resource::<Journal>().waiting() == 0
    });
    assert_eq!(told(&app).stored.len(), 200);
}
