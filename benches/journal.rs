//! The journal's speed: what it costs to keep one, to replay it, to check it, to load a long save, and how much room a
//! turn takes. Each ratio compares two things in one run; the figures per second are of this machine, on this day.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/journal_file/bell.rs"]
mod bell;

use bevy::prelude::*;
use bevy_dramatis::base::canonical::Digest;
use bevy_dramatis::journal::store::Store;
use bevy_dramatis::journal::{Journal, JournalFile, JournalPlugin, Recorded, load_game, replay};
use std::path::Path;
use std::time::{Duration, Instant};

struct NoJournal;

impl Plugin for NoJournal {
    fn build(&self, _: &mut App) {}
}

fn main() {
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let turns = if quick { 60 } else { 2_000 };
    let long = if quick { 200 } else { 100_000 };
    let folder = tempfile::tempdir().expect("a folder for files");
    let at = |name: &str| folder.path().join(name);

    // Keeping: the same turns with and without a journal, in turn, so that a noisy machine disturbs both alike.
    let (mut bare, mut kept) = (
        bell::game(NoJournal),
        bell::game(JournalPlugin::new(at("a"))),
    );
    let (mut without, mut with) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..turns / 20 {
        without += play(&mut bare, 20);
        with += play(&mut kept, 20);
    }
    let waited = finish(&mut kept);
    drop(kept);
    let journal = JournalFile::open(&at("a")).expect("a journal");
    let records = journal.count();
    report(
        "J1  a turn with a journal / without (main thread)",
        with,
        without,
    );
    report(
        "J2  until all is on disk / playing without a journal",
        with + waited,
        without,
    );
    rate("J2  records written", records, with + waited);

    let began = Instant::now();
    let replayed = replay(&journal, &|_| {}).expect("a recording");
    let latency = began.elapsed();
    assert!(replayed.holds(), "{:?}", replayed.divergences.first());
    report(
        "J4  replaying / playing without a journal",
        latency,
        without,
    );
    rate("J4  records replayed", records, latency);
    drop(journal);

    // A long game.
    let mut app = bell::game(JournalPlugin::new(at("long")));
    let began = Instant::now();
    let mut played = 0;
    while played < long {
        play(&mut app, 500.min(long - played));
        played += 500;
    }
    finish(&mut app);
    println!(
        "    {long} turns were played and stored in {:.1} s",
        began.elapsed().as_secs_f64()
    );
    bell::save_now(&mut app, &at("long.save")).expect("a save");
    drop(app);
    let bytes = size(&at("long.save"));
    println!(
        "J2  bytes a turn: {} ({:.1} MB for {long} turns)",
        bytes / long,
        bytes as f64 / 1e6
    );

    let store = Store::read(&at("long.save")).expect("a save");
    let began = Instant::now();
    let verified = store.verify().expect("a whole save");
    let latency = began.elapsed();
    rate("J2  records verified", verified.entries, latency);
    let all = vec![7_u8; usize::try_from(verified.bytes).unwrap_or(0)];
    let began = Instant::now();
    std::hint::black_box(Digest::of_bytes(&all));
    report(
        "J2  verifying / hashing as many bytes",
        latency,
        began.elapsed(),
    );

    let mut app = bell::game(NoJournal);
    bell::save_now(&mut app, &at("new.save")).expect("a save");
    let mut load = |name: &str| {
        let began = Instant::now();
        load_game(app.world_mut(), &at(name)).expect("a save");
        began.elapsed()
    };
    let (a, b) = (load("long.save"), load("new.save"));
    println!(
        "J3  loading a save of {long} turns: {:.2} s",
        a.as_secs_f64()
    );
    report(
        &format!("J3  loading a save of {long} turns / one of none"),
        a,
        b,
    );
}

/// Half of the turns ring a bell, half are talks.
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

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

fn report(what: &str, a: Duration, b: Duration) {
    println!("{what}: {:.2}", a.as_secs_f64() / b.as_secs_f64().max(1e-9));
}

fn rate(what: &str, count: u64, latency: Duration) {
    println!(
        "{what}: {:.0} a second",
        count as f64 / latency.as_secs_f64().max(1e-9)
    );
}
