//! A room with a thousand things in it.

use crate::engine::Engine;
use crate::pipeline::CutKind;
use crate::pipeline::{AssembledPrompt, Outcome, StateSnapshot};
use crate::testing::{FnEngine, SpokenLine, TestGame};
use crate::world::actions::Take;
use crate::world::{PlacedIn, WorldIndex};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A cellar with this number of barrels, which can be taken, and a keeper who carries this number of keys.
fn cellar(engine: impl Engine, barrels: usize, keys: usize) -> (TestGame, Entity) {
    let mut entities = String::from(
        r#""player": (name: "Ann", kind: "character", at: In("cellar")),
           "chest": (name: "chest", kind: "item", at: In("cellar"), attributes: {"openable": true}),"#,
    );
    for i in 0..barrels {
        let _ = write!(
            entities,
            r#""barrel_{i}": (name: "barrel number {i}", kind: "item", at: In("cellar"), attributes: {{"takeable": true}}),"#
        );
    }
    for i in 0..keys {
        let _ = write!(
            entities,
            r#""key_{i}": (name: "key number {i}", kind: "item", at: CarriedBy("keeper"), attributes: {{"takeable": true}}),"#
        );
    }
    let mut game = TestGame::new(engine);
    game.install_story(&format!(
        r#"(world: (locations: {{"cellar": (name: "Cellar")}}, entities: {{{entities}}}))"#
    ));
    let keeper = game.spawn_npc(r#"(id: "keeper", name: "Odo", location: "cellar")"#);
    (game, keeper)
}

#[test]
fn p5_a_crowd_mutes_nobody_and_what_has_no_room_is_listed() {
    let reply = r#"{"dialogue": "There.", "intents": [{"type": "take", "target": "barrel_777"}]}"#;
    let (mut game, keeper) = cellar(FnEngine::always(reply), 1_000, 100);
    game.talk(keeper, "Give me barrel number 912, will you?");
    assert_eq!(game.take_lines(), [SpokenLine::reply("There.")]);
    // What has no room in the prompt can be referred to all the same.
    assert_eq!(game.take_actions::<Take>()[0].target, "barrel_777");

    let prompt = game.last_run::<AssembledPrompt>();
    let text = prompt.text();
    assert!(
        text.contains("barrel number 912 (barrel_912, item)"),
        "{text}"
    );
    assert!(
        text.contains("Ann (player, character)"),
        "who speaks is in sight"
    );
    assert!(text.chars().count() < 6_000, "{}", text.chars().count());
    let sized = |name: &str| {
        let section = prompt.sections.iter().find(|section| section.name == name);
        section.map_or(0, |section| section.chars)
    };
    assert!((1_000..=3_000).contains(&(sized("surroundings") + sized("deeds"))));
    // Everything in sight is in the prompt or is listed, and nothing twice.
    let cut: BTreeSet<&str> = prompt
        .cut
        .iter()
        .filter(|cut| cut.kind == CutKind::Entity)
        .map(|cut| cut.id.as_str())
        .collect();
    for i in 0..1_000 {
        let id = format!("barrel_{i}");
        let shown = text.contains(&format!("({id}, item"));
        assert_ne!(shown, cut.contains(id.as_str()), "{id}");
    }
}

#[test]
fn p4_a_crowd_is_frozen_small() {
    let (mut game, keeper) = cellar(FnEngine::always("Hm."), 1_000, 100);
    game.talk(keeper, "Hello");
    let body = game.last_run::<StateSnapshot>().body();
    assert!(body.seen.len() <= 64);
    assert_eq!(body.seen.len() + body.crowd.len(), 1_000 + 100 + 3);
    let offered = body.affordances.iter().map(|can| can.combinations.len());
    assert!(offered.clone().sum::<usize>() > 50 && offered.max() <= Some(512));
}

#[test]
fn w6_with_twenty_things_and_twenty_tools_every_target_is_offered() {
    let (mut game, keeper) = cellar(FnEngine::always("Hm."), 20, 20);
    game.talk(keeper, "Hello");
    let body = game.last_run::<StateSnapshot>().body();
    let targets = |action: &str| {
        let can = body.affordances.iter().find(|can| can.action == action);
        let ids = can.into_iter().flat_map(|can| &can.combinations);
        ids.filter_map(|ids| ids[0].clone())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(targets("take").len(), 20);
    let described = targets("describe");
    assert!(described.len() >= 40, "{described:?}");
    // Nothing says what any of it could be used for.
    assert!(targets("use").is_empty());
}

#[test]
fn p5_a_small_room_is_told_whole() {
    let (mut game, keeper) = cellar(FnEngine::always("Hm."), 5, 2);
    game.talk(keeper, "Hello");
    assert!(game.last_run::<AssembledPrompt>().cut.is_empty());
    assert!(matches!(
        game.take_outcomes()[..],
        [Outcome::Accepted { .. }]
    ));
    let index = game.world().resource::<WorldIndex>();
    let barrel = index.get("barrel_3").unwrap();
    assert!(game.world().get::<PlacedIn>(barrel).is_some());
}
