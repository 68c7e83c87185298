//! A save of format 1 from the repository loads into this version (contract rows J2 and J3).
//!
//! Format 1 had no column `subject`, and its chain did not contain it. It kept no sources of authored files, so a save loads into a game
//! that has its files, and does not replay. The ignored test below made the file; it does not use the store.

use crate::bell::{game, mind, ring, rings, save_now, talk};
use crate::loading::load_game;
use crate::on_disk::{records, state};
use bevy_dramatis::journal::{JournalFile, JournalPlugin, RecordKind};
use bevy_dramatis::replay::{ReplayReport, replay};
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};

struct NoJournal;

impl bevy::prelude::Plugin for NoJournal {
    fn build(&self, _: &mut bevy::prelude::App) {}
}

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/save-v1.dramatis")
}

#[test]
fn j3_a_save_of_an_older_version_loads_and_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.save");
    std::fs::copy(kept(), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let mut app = game(NoJournal);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(rings(&app), 2);
    let mind = mind(&mut app);
    assert_eq!(mind.interactions, 1);
    assert!(mind.episodes().any(|(_, text)| text == "Ann asked again."));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // The game goes on after the load.
    ring(&mut app);
    assert_eq!(rings(&app), 3);
}

#[test]
fn j2_a_journal_of_an_older_version_is_migrated_where_it_is_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.save");
    std::fs::copy(kept(), &path).unwrap();
    let mut app = game(JournalPlugin::new(&path));
    load_game(app.world_mut(), &path).unwrap();
    talk(&mut app, "Do you remember?");
    drop(app);
    let records = records(&path);
    assert!(records.len() >= 3);
    assert_eq!(records[0].kind, RecordKind::Checkpoint);
    assert_eq!(records.last().unwrap().subject.as_deref(), Some("keeper"));
}

/// Six turns and six talks, written by the last version with format 2. It hashed minds as a whole and kept their episodes in one row.
fn format_2() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal-v2.dramatis")
}

/// The shipped rulebook has changed since the recording, and nothing else differs.
fn assert_other_rules_alone(report: &ReplayReport) {
    assert!(report.stopped.is_none() && !report.divergences.is_empty());
    let others = report
        .divergences
        .iter()
        .filter(|one| one.field != "/rulebook");
    let others: Vec<_> = others.collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn j4_a_journal_of_format_2_replays_and_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old");
    std::fs::copy(format_2(), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let journal = JournalFile::open(&path).unwrap();
    journal.verify().unwrap();
    let report = replay(&journal, &|_| {}).unwrap();
    assert_other_rules_alone(&report);
    assert_eq!(report.skipped.len(), 0);
    drop(journal);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn j2_a_journal_of_format_2_is_written_on_and_replays_from_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old");
    std::fs::copy(format_2(), &path).unwrap();
    let mut app = game(JournalPlugin::new(&path));
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!((rings(&app), mind(&mut app).interactions), (6, 6));
    ring(&mut app);
    talk(&mut app, "Do you remember?");
    drop(app);
    JournalFile::open(&path).unwrap().verify().unwrap();
    let rows = state(&path);
    let of_mind = |kind: &str| rows.iter().filter(|row| row.0 == kind).count();
    // The character's file has one episode, and the last talk added two.
    assert_eq!((of_mind("mind"), of_mind("episode")), (1, 9));
    let report = replay(&JournalFile::open(&path).unwrap(), &|_| {}).unwrap();
    assert_other_rules_alone(&report);
    let mut app = game(NoJournal);
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!((rings(&app), mind(&mut app).interactions), (7, 7));
}

fn sized(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

#[test]
#[ignore = "makes tests/data/save-v1.dramatis anew"]
fn make_the_old_save() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.save");
    let mut app = game(NoJournal);
    ring(&mut app);
    ring(&mut app);
    talk(&mut app, "Hello?");
    save_now(&mut app, &new).unwrap();
    let record = records(&new).remove(0);
    let (kind, body) = (
        record.kind.name(),
        serde_json::to_string(&record.body).unwrap(),
    );
    let mut lanes = [0_u64; 4];
    let rows = state(&new);
    for (kind, key, value) in &rows {
        let row = [sized(kind), sized(key), sized(value)].concat();
        for (lane, part) in lanes
            .iter_mut()
            .zip(blake3::hash(&row).as_bytes().chunks(8))
        {
            *lane = lane.wrapping_add(u64::from_le_bytes(part.try_into().unwrap()));
        }
    }
    let sum: Vec<u8> = lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
    let link = [
        vec![0; 32],
        sum.clone(),
        1_u64.to_le_bytes().to_vec(),
        sized(kind),
        record.game.0.to_le_bytes().to_vec(),
        body.clone().into_bytes(),
    ];
    let hash = blake3::hash(&link.concat()).as_bytes().to_vec();
    let _ = std::fs::remove_file(kept());
    let file = Connection::open(kept()).unwrap();
    file.execute_batch(
        "CREATE TABLE records(seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, game_ms INTEGER NOT NULL, body TEXT NOT NULL, state_sum BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TABLE state(kind TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY(kind, key)) WITHOUT ROWID;
PRAGMA application_id = 0x44524D54; PRAGMA user_version = 1;",
    )
    .unwrap();
    let insert = "INSERT INTO records VALUES(1, ?1, ?2, ?3, ?4, ?5)";
    file.execute(insert, params![kind, record.game.0, body, sum, hash])
        .unwrap();
    for (kind, key, value) in rows {
        let insert = "INSERT INTO state VALUES(?1, ?2, ?3)";
        file.execute(insert, params![kind, key, value]).unwrap();
    }
}
