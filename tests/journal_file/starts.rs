//! Starting a game never destroys the game that the player could resume.
//!
//! The game runs in another process that the test starts again and again, with its own files, components and weather. It reads its orders
//! from standard input, so that the test can kill it between any two of them, and in the middle of one.

mod game;
mod model;

use game::{Player, kept};
use std::path::Path;
use std::time::Duration;

/// A file of a game that a player played until it had 12 coins, and then left.
fn with_twelve_coins(path: &Path) {
    let mut player = Player::start(path);
    player.order("look");
    assert_eq!(player.order("play"), "12 coins");
    player.quit();
    assert_eq!(kept(path), Some(12));
}

fn file() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    (folder, path)
}

#[test]
fn j6_a_game_that_was_played_is_there_after_a_start_in_which_the_player_only_looked() {
    let (_folder, path) = file();
    with_twelve_coins(&path);
    let mut player = Player::start(&path);
    for _ in 0..3 {
        player.order("look");
    }
    player.quit();
    let mut player = Player::start(&path);
    player.order("look");
    assert_eq!(player.order("load"), "12 coins");
    assert_eq!(player.order("play"), "14 coins");
    player.quit();
    let mut player = Player::start(&path);
    assert_eq!(player.order("load"), "14 coins");
}

#[test]
fn j6_a_start_that_is_killed_at_any_moment_leaves_the_game_as_it_was() {
    let (_folder, path) = file();
    with_twelve_coins(&path);
    for orders in [&["look"][..], &["look", "look"], &[]] {
        let mut player = Player::start(&path);
        orders.iter().for_each(|order| {
            player.order(order);
        });
        player.kill();
        assert_eq!(kept(&path), Some(12), "killed after {orders:?}");
    }
    // During the start: before the game has opened the file, while it loads its own files, and in its first frames.
    for after in (0..16).map(|step| Duration::from_millis(step * 6)) {
        let player = Player::begin(&path);
        std::thread::sleep(after);
        player.kill();
        assert_eq!(kept(&path), Some(12), "killed after {after:?}");
    }
    let mut player = Player::start(&path);
    assert_eq!(player.order("load"), "12 coins");
    player.kill();
    assert_eq!(kept(&path), Some(12));
}

#[test]
fn j6_looking_again_and_again_does_not_make_the_file_larger() {
    let (_folder, path) = file();
    with_twelve_coins(&path);
    let bytes = || std::fs::read(&path).unwrap();
    let before = bytes();
    for _ in 0..4 {
        let mut player = Player::start(&path);
        player.order("look");
        player.quit();
    }
    assert!(bytes() == before, "the file is untouched");
}

#[test]
fn j6_a_new_game_that_the_player_begins_is_the_newest_and_checkpoints_of_the_earlier_one_stay() {
    use bevy_dramatis::journal::{JournalFile, Save};
    let (_folder, path) = file();
    let mut player = Player::start(&path);
    assert_eq!(player.order("play"), "12 coins");
    player.order("save");
    player.quit();
    let saved = JournalFile::open(&path).unwrap().checkpoints().unwrap();
    let saved = saved.last().unwrap().0;
    // The player does not load, and begins again.
    let mut player = Player::start(&path);
    player.order("look");
    assert_eq!(player.order("play"), "12 coins");
    assert_eq!(player.order("play"), "14 coins");
    player.kill();
    let mut player = Player::start(&path);
    assert_eq!(player.order("load"), "14 coins");
    player.quit();
    let earlier = Save::read_checkpoint(&path, saved).unwrap();
    assert_eq!(game::coins_of(&earlier), 12);
}

#[test]
fn j6_each_way_to_play_begins_a_game_and_a_refused_request_does_not() {
    for (order, begins) in [
        ("talk", true),
        ("adventure", true),
        ("plan", true),
        ("new game", true),
        ("save", true),
        ("write", false),
        ("refused", false),
    ] {
        let (_folder, path) = file();
        with_twelve_coins(&path);
        let mut player = Player::start(&path);
        player.order("look");
        player.order(order);
        player.quit();
        let expected = if begins { 10 } else { 12 };
        assert_eq!(kept(&path), Some(expected), "after \"{order}\"");
    }
}

#[test]
fn j6_in_a_file_without_a_game_what_the_game_itself_writes_is_kept_and_a_look_is_none() {
    let (_folder, path) = file();
    let mut player = Player::start_quiet(&path);
    player.order("look");
    player.quit();
    assert_eq!(kept(&path), None, "a game that never began is not a game");
    let mut player = Player::start_quiet(&path);
    player.order("look");
    assert_eq!(player.order("load"), "no game");
    assert_eq!(player.order("find"), "11 coins");
    player.quit();
    assert_eq!(kept(&path), Some(11));
}

#[test]
fn j6_a_file_that_was_killed_while_it_was_made_is_made_once_more() {
    let (_folder, path) = file();
    std::fs::write(&path, "").unwrap();
    with_twelve_coins(&path);
}

#[test]
fn j6_a_file_that_could_not_be_opened_at_the_start_keeps_its_game_until_a_new_one_has_begun() {
    use crate::bell::{game, ring, step};
    use crate::on_disk::records;
    use bevy_dramatis::journal::{Journal, JournalPlugin};
    let folder = tempfile::tempdir().unwrap();
    let (away, here) = (folder.path().join("away"), folder.path().join("here"));
    std::fs::create_dir(&away).unwrap();
    let mut app = game(JournalPlugin::new(away.join("game.dramatis")));
    ring(&mut app);
    drop(app);
    let path = here.join("game.dramatis");
    let plugin = JournalPlugin::new(&path).retry_after(Duration::from_millis(5));
    let mut app = game(plugin);
    step(&mut app);
    let stopped = |app: &bevy::prelude::App| !app.world().resource::<Journal>().is_writing();
    assert!(stopped(&app));
    // From now on the folder exists.
    std::fs::rename(&away, &here).unwrap();
    let before = records(&path);
    for _ in 0..2_000 {
        step(&mut app);
        if !stopped(&app) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!stopped(&app));
    step(&mut app);
    drop(app);
    assert_eq!(records(&path), before);
}

#[test]
fn j6_a_game_that_does_not_begin_for_long_takes_no_more_and_more_room_and_replays_when_it_has() {
    use crate::bell::{game, ring, rings, step, talk};
    use crate::loading::load_game;
    use bevy_dramatis::journal::{Journal, JournalFile, JournalPlugin};
    use bevy_dramatis::replay::replay;
    use bevy_dramatis::world::GameWrite;
    let (_folder, path) = file();
    let mut app = game(JournalPlugin::new(&path));
    ring(&mut app);
    drop(app);
    let mut app = game(JournalPlugin::new(&path));
    for hour in 0..2_500 {
        let write = GameWrite::fact("hour", i64::from(hour));
        write.apply(app.world_mut()).unwrap();
        step(&mut app);
        let waiting = app.world().resource::<Journal>().waiting();
        assert!(waiting < 1_100, "{waiting} records wait");
    }
    assert!(!app.world().resource::<Journal>().has_begun());
    talk(&mut app, "Hello?");
    assert!(app.world().resource::<Journal>().has_begun());
    // The player can still load the game that was in the file at the start.
    load_game(app.world_mut(), &path).unwrap();
    assert_eq!(rings(&app), 1);
    drop(app);
    let report = replay(&JournalFile::open(&path).unwrap(), &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences.first());
}
