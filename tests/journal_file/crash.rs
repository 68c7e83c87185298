//! Games that a test kills at any moment (contract row J2; issue point 3).
//!
//! A child process plays turns and says which of them are acknowledged. The test kills it at a random moment, 200 times. After that, the
//! file contains all that was acknowledged, whole, and perhaps a little more.

use crate::bell::{game, ring, step, talk};
use crate::loading::load_game;
use bevy::prelude::*;
use bevy_dramatis::base::WorldSeed;
use bevy_dramatis::journal::{
    JournalFile, JournalPlugin, LoadGameError, Record, RecordKind, Recorded, Save, TurnStored,
};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const KILLS: u64 = 200;
/// This many children write to a file before the test begins a new one.
const KILLS_A_FILE: u64 = 10;
const FILE: &str = "DRAMATIS_TEST_CRASH_FILE";

/// Not a test by itself: the child plays until the test kills it, and at most ten thousand rounds.
#[test]
#[ignore = "the child of the crash test"]
fn crash_child() {
    let Ok(path) = std::env::var(FILE) else {
        return;
    };
    let known = Path::new(&path).exists();
    let mut app = game(JournalPlugin::new(&path));
    if known {
        match load_game(app.world_mut(), Path::new(&path)) {
            // An earlier child was killed before it had stored anything.
            Ok(()) | Err(LoadGameError::Empty(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    app.add_observer(|stored: On<TurnStored>| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "stored {}", stored.seq).unwrap();
        out.flush().unwrap();
    });
    for _ in 0..10_000 {
        ring(&mut app);
        talk(&mut app, "Again?");
        step(&mut app);
    }
}

/// A child process that plays.
fn player(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::crash_child",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn stored(line: String) -> Option<u64> {
    line.strip_prefix("stored ")
        .and_then(|seq| seq.parse().ok())
}

/// Plays until the test kills the child, and returns the last record that it acknowledged.
fn play_and_kill(path: &Path, after: Duration) -> u64 {
    let mut child = player(path);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // From here on the child is certainly playing.
    let first: Option<u64> = lines.by_ref().map_while(Result::ok).find_map(stored);
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    // The lines that it wrote before its death are acknowledgements, too.
    let last = lines.map_while(Result::ok).filter_map(stored).last();
    last.or(first)
        .expect("the child has stored something before it was killed")
}

#[test]
fn j2_what_was_acknowledged_survives_two_hundred_kills_and_no_half_turn_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut path = folder.path().to_path_buf();
    let mut turns = 0;
    for kill in 0..KILLS {
        if kill % KILLS_A_FILE == 0 {
            path = folder.path().join(format!("{kill}.dramatis"));
        }
        let after = WorldSeed(7).draw("kill", &[&kill.to_string()]) % 12_000;
        let acknowledged = play_and_kill(&path, Duration::from_micros(after));
        let file = JournalFile::open(&path).unwrap_or_else(|error| panic!("kill {kill}: {error}"));
        let verified = file
            .verify()
            .unwrap_or_else(|error| panic!("kill {kill}: {error}"));
        assert!(
            file.count() >= acknowledged,
            "kill {kill}: {acknowledged} was acknowledged, and the file ends with {}",
            file.count()
        );
        assert_eq!(verified, file.count());
        // The file has no half turn: the state is that after the last record, as the records tell it.
        let records: Vec<Record> = (1..=verified)
            .map(|seq| file.record(seq).unwrap())
            .collect();
        let of_kind = |kind| records.iter().filter(move |record| record.kind == kind);
        let rung = of_kind(RecordKind::Turn).count();
        let save = Save::read(&path).unwrap();
        let bell = &save.game().world.entities["bell"].attributes["rings"];
        assert_eq!(bell.to_string(), rung.to_string(), "kill {kill}");
        let talks = of_kind(RecordKind::Interaction).filter(|record| {
            let body = serde_json::to_string(&record.body).unwrap();
            body.contains("\"name\":\"Accepted\"")
        });
        assert_eq!(
            save.game().minds["keeper"].interactions,
            talks.count() as u64,
            "kill {kill}"
        );
        assert_eq!(save.game().turns_taken(), rung as u64, "kill {kill}");
        turns = turns.max(rung);
    }
    assert!(turns > 2, "the children have played: {turns}");
}

#[test]
fn j6_a_game_that_is_killed_from_its_first_moment_on_gives_back_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    let (mut rung, mut early) = (0, 0);
    for kill in 0..80u64 {
        let mut child = player(&path);
        // The kill comes before the child has opened the file, while it reads the file, in its first frames, or a little later. On a slow
        // machine the window grows as long as the child has done little.
        let window = if rung > 0 { 120 } else { 120 << (kill / 10) };
        let after = WorldSeed(11).draw("kill", &[&kill.to_string()]) % window;
        std::thread::sleep(Duration::from_millis(after));
        child.kill().unwrap();
        child.wait().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let acknowledged = lines.map_while(Result::ok).filter_map(stored).last();
        early += u64::from(acknowledged.is_none());
        if !path.exists() {
            assert_eq!(acknowledged, None);
            continue;
        }
        let file = match JournalFile::open(&path) {
            Ok(file) => file,
            // The child was killed while it created the file: it had played nothing yet.
            Err(error) => {
                assert_eq!((acknowledged, rung), (None, 0), "kill {kill}: {error}");
                continue;
            }
        };
        file.verify()
            .unwrap_or_else(|error| panic!("kill {kill}: {error}"));
        assert!(acknowledged.is_none_or(|seq| file.count() >= seq));
        if file.count() == 0 {
            assert_eq!((acknowledged, rung), (None, 0));
            continue;
        }
        let save = Save::read(&path).unwrap_or_else(|error| panic!("kill {kill}: {error}"));
        let bell = save.game().world.entities["bell"].attributes["rings"].to_string();
        let now: u64 = bell.parse().unwrap();
        assert!(now >= rung, "kill {kill}: {rung} rings became {now}");
        rung = now;
    }
    assert!(early > 0 && rung > 0, "{early} early kills, {rung} rings");
    let last = play_and_kill(&path, Duration::ZERO);
    assert!(last > 0, "the game goes on");
}
