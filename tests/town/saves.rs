//! A save in the middle of a day.

use crate::loading::load_game;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::memory::SavedMind;
use bevy_dramatis::npc::{MindChange, MindWrite, NewEpisode};
use bevy_dramatis::testing::{TestGame, save_game_blocking, world_digest};
use bevy_dramatis::world::{Groups, WorldRead, WorldView};
use std::time::Duration;

const STORY: &str = "Story(
    calendar: (day_seconds: 2400.0),
    gossip: (every_seconds: 70.0),
    groups: {\"guild\": (members: [\"ada\"])},
    world: (locations: {
        \"inn\": (name: \"inn\", connected_to: [\"lane\"]),
        \"lane\": (name: \"lane\", connected_to: [\"inn\", \"mill\"]),
        \"mill\": (name: \"mill\", connected_to: [\"lane\"]),
    }),
)";

fn game() -> TestGame {
    let mut game = TestGame::new(ScriptedEngine::saying(["Well met."]));
    game.install_story(STORY);
    for (npc, from) in [("ada", "00:00"), ("bo", "00:20")] {
        game.spawn_npc(&format!(
            "Npc(id: \"{npc}\", name: \"{npc}\", location: \"inn\", memories: [(id: \"{npc}\", text: \"You are {npc}.\", significance: 0.9)], routine: [
                (from: \"{from}\", to: \"12:00\", place: \"mill\", doing: \"mills\", done: \"milled\"),
                (from: \"12:00\", to: \"{from}\", place: \"inn\", doing: \"rests\", done: \"rested\"),
            ])"
        ));
    }
    game.frame();
    game
}

/// The state of a game.
fn state(game: &mut TestGame) -> (String, Vec<SavedMind>) {
    let minds = ["ada", "bo"].map(|id| SavedMind::from(game.mind(game.entity(id))));
    let world = world_digest(game.world_mut()).to_hex();
    (world, minds.to_vec())
}

#[test]
fn l2_a_save_in_the_middle_of_a_way_goes_on_as_if_nothing_had_been() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("day.save");
    // The stops: on the way, while a talk holds a character, while two are together, and at rest.
    for stop in [45_000, 61_000, 95_000, 130_000, 1_210_000] {
        let mut one = game();
        one.advance(20_000);
        one.frame();
        let ada = one.entity("ada");
        one.say(ada, "Hello.");
        one.run_until_idle();
        one.advance(stop - 20_000);
        one.frame();
        let target = id!("player");
        let mut groups = one.world_mut().resource_mut::<Groups>();
        assert!(groups.set_standing("guild", target, 0.5));
        save_game_blocking(one.world_mut(), &path, Duration::from_secs(60)).unwrap();
        let mut other = game();
        other.advance(7_000);
        other.frame();
        load_game(other.world_mut(), &path).unwrap();
        for game in [&mut one, &mut other] {
            game.frame();
            for _ in 0..50 {
                game.advance(97_000);
                game.frame();
            }
        }
        assert_eq!(state(&mut one), state(&mut other), "{stop}");
        let standing = WorldView::new(other.world())
            .groups()
            .standing("guild", "player");
        assert_eq!(standing, Some(0.5));
    }
}

#[test]
fn l4_a_meeting_that_was_planned_before_a_load_does_not_take_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meeting.save");
    let game = || {
        let mut game = TestGame::new(ScriptedEngine::silent());
        game.install_story(STORY);
        for npc in ["ada", "bo"] {
            game.spawn_npc(&format!(
                "Npc(id: \"{npc}\", name: \"{npc}\", location: \"inn\", memories: [(id: \"{npc}\", text: \"You are {npc}.\", significance: 0.9)])"
            ));
        }
        game.frame();
        game
    };
    // They have told their news after 70 seconds; the next one waits until 140.
    let mut one = game();
    one.advance(90_000);
    one.frame();
    let fire = NewEpisode {
        significance: 0.9,
        ..NewEpisode::new(id!("fire"), "You saw the fire.")
    };
    let write = MindWrite::new(id!("ada"), MindChange::Remember(fire));
    write.apply_to(one.world_mut()).unwrap();
    one.frame();
    one.advance(10_000);
    save_game_blocking(one.world_mut(), &path, Duration::from_secs(60)).unwrap();
    let told = |game: &TestGame| {
        let mut episodes = game.mind(game.entity("bo")).episodes.iter();
        episodes.any(|episode| episode.text == "ada saw the fire.")
    };
    // This one has planned a meeting that lies before the save.
    let mut other = game();
    other.advance(7_000);
    other.frame();
    load_game(other.world_mut(), &path).unwrap();
    for seconds in (100..=150).step_by(10) {
        other.frame();
        assert_eq!(told(&other), seconds >= 140, "{seconds}");
        other.advance(10_000);
    }
}
