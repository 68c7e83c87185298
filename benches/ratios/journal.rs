//! J1 to J4: what it costs to keep, replay and check a journal and to load a long save, and how much room a turn takes.

#[path = "../../tests/journal_file/bell.rs"]
mod bell;

use crate::loading::load_game;
use crate::table::{Effort, Table, ratio};
use crate::turn::empty_frame;
use bevy::prelude::*;
use bevy_dramatis::base::Digest;
use bevy_dramatis::journal::{Journal, JournalFile, JournalPlugin, Recorded};
use bevy_dramatis::replay::replay;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many bytes the records of a save have.
fn records_bytes(save: &Path) -> i64 {
    let file = rusqlite::Connection::open(save).expect("a save");
    let sum = file.query_row("SELECT sum(bytes) FROM records", [], |row| row.get(0));
    sum.expect("records")
}

struct NoJournal;

impl Plugin for NoJournal {
    fn build(&self, _: &mut App) {}
}

/// The rows of this file.
pub fn rows(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder for files");
    short_game(table, folder.path());
    long_game(table, folder.path());
}

/// Plays the same turns with and without a journal, alternately, so that a noisy machine disturbs both alike.
fn short_game(table: &mut Table, folder: &Path) {
    let turns = match table.effort {
        Effort::Quick => 60,
        Effort::Guard => 400,
        Effort::Full => 4_000,
    };
    let mut games = 0;
    let mut fresh = || {
        games += 1;
        folder.join(format!("game{games}"))
    };
    let what = "a turn with a journal / without (main thread)";
    table.row("J1 turn", what, || {
        let (mut bare, mut kept) = (
            bell::game(NoJournal),
            bell::game(JournalPlugin::new(fresh())),
        );
        let (mut without, mut with) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..turns / 20 {
            without += play(&mut bare, 20);
            with += play(&mut kept, 20);
        }
        let per_turn = |time: Duration| time / u32::try_from(turns).unwrap_or(1);
        let waited = finish(&mut kept);
        let text = format!(
            "{:.1?} / {:.1?}; {:.1?} more until all is on disk",
            per_turn(with),
            per_turn(without),
            per_turn(waited)
        );
        (ratio(with, without), text)
    });
    let what = "replaying a session / playing it without a journal";
    table.row("J4 replay", what, || {
        let path = fresh();
        let mut kept = bell::game(JournalPlugin::new(&path));
        play(&mut kept, turns);
        finish(&mut kept);
        drop(kept);
        let without = play(&mut bell::game(NoJournal), turns);
        let journal = JournalFile::open(&path).expect("a journal");
        let records = journal.count();
        let began = Instant::now();
        let replayed = replay(&journal, &|_| {}).expect("a recording");
        let took = began.elapsed();
        assert!(replayed.holds(), "{:?}", replayed.divergences.first());
        let each = took / u32::try_from(turns).unwrap_or(1);
        let text = format!(
            "{records} records, {}: a turn takes as long as {:.0} empty frames",
            a_second(turns, "turns", took),
            ratio(each, empty_frame())
        );
        (ratio(took, without), text)
    });
}

fn long_game(table: &mut Table, folder: &Path) {
    let names = ["J2 bytes", "J2 verify", "J3 load"];
    if !table.wants(&names) {
        return;
    }
    let turns: u64 = match table.effort {
        Effort::Quick => 200,
        Effort::Guard => 2_000,
        Effort::Full => 100_000,
    };
    let save = folder.join("long.save");
    let mut app = bell::game(JournalPlugin::new(folder.join("long")));
    let mut played = 0;
    while played < turns {
        play(&mut app, 500.min(turns - played));
        played += 500;
        // No game plays ten thousand turns a second for ten seconds: the disk may be slower than that.
        finish(&mut app);
    }
    bell::save_now(&mut app, &save).expect("a save");
    drop(app);
    let bytes = std::fs::metadata(&save).expect("a save").len();
    table.row(names[0], "kilobytes that a turn takes in a save", || {
        let total = format!("{:.1} MB for {turns} turns", bytes as f64 / 1e6);
        (bytes as f64 / turns as f64 / 1_000.0, total)
    });
    table.row(names[1], "verifying a save / hashing as many bytes", || {
        let file = JournalFile::open(&save).expect("a save");
        let began = Instant::now();
        let verified = file.verify().expect("a whole save");
        let took = began.elapsed();
        let all = vec![7_u8; usize::try_from(records_bytes(&save)).unwrap_or(0)];
        let began = Instant::now();
        std::hint::black_box(Digest::of_bytes(&all));
        let text = a_second(verified, "records", took);
        (ratio(took, began.elapsed()), text)
    });
    let what = format!("loading a save of {turns} turns / reading its bytes");
    table.row(names[2], &what, || {
        let mut app = bell::game(NoJournal);
        let began = Instant::now();
        load_game(app.world_mut(), &save).expect("a save");
        let took = began.elapsed();
        let began = Instant::now();
        std::hint::black_box(std::fs::read(&save).expect("a save"));
        (ratio(took, began.elapsed()), format!("{took:.2?}"))
    });
}

fn a_second(count: u64, what: &str, took: Duration) -> String {
    let each = count as f64 / took.as_secs_f64().max(1e-9);
    format!("{each:.0} {what} a second")
}

/// Half of the turns ring a bell, the other half are talks.
fn play(app: &mut App, turns: u64) -> Duration {
    let began = Instant::now();
    for turn in 0..turns {
        if turn % 2 == 0 {
            bell::ring(app);
        } else {
            bell::talk(app, "Do you remember the rain?");
        }
    }
    began.elapsed()
}

/// Waits until everything is on disk.
fn finish(app: &mut App) -> Duration {
    let began = Instant::now();
    while app.world().resource::<Journal>().waiting() > 0 {
        bell::step(app);
        std::thread::sleep(Duration::from_micros(200));
    }
    began.elapsed()
}
