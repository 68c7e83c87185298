//! A game's own components and resources as attributes and world facts (row W7).

use super::support::{Door, OPENS, read, with_door};
use super::{GUARD, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::testing::{FnEngine, TestGame};
use bevy_dramatis::world::world_digest;
use bevy_dramatis::world::{ChangeError, GameWrite, WorldRead, WorldValue};

#[derive(Resource)]
struct Weather(&'static str);

#[test]
fn w7_a_component_of_the_game_is_an_attribute() {
    let (mut game, door) = with_door(TestGame::new(ScriptedEngine::saying([OPENS])));
    let guard = game.spawn_npc(GUARD);
    assert_eq!(
        read(&game, |w| w.attribute("door", "open")),
        Some(false.into())
    );
    let closed = world_digest(game.world_mut());
    game.talk(guard, "Would you?");
    let now = game.world().get::<Door>(door).expect("the door").clone();
    assert!(
        now.open,
        "the rulebook's effect is written into the component"
    );
    assert_ne!(world_digest(game.world_mut()), closed);
    // What the game changes, rules see at once, and the hash too.
    let open = world_digest(game.world_mut());
    game.world_mut()
        .get_mut::<Door>(door)
        .expect("the door")
        .open = false;
    assert_eq!(
        read(&game, |w| w.attribute("door", "open")),
        Some(false.into())
    );
    assert_ne!(world_digest(game.world_mut()), open);
    let write = GameWrite::attribute(id!("door"), "locked", true);
    write.apply(game.world_mut()).expect("a write");
    assert!(game.world().get::<Door>(door).expect("the door").locked);
    // Without the component the attribute is gone.
    let bound = world_digest(game.world_mut());
    game.world_mut().entity_mut(door).remove::<Door>();
    assert_eq!(read(&game, |w| w.attribute("door", "locked")), None);
    assert_ne!(world_digest(game.world_mut()), bound);
}

#[test]
fn w7_a_resource_of_the_game_is_a_world_fact() {
    let mut game = TestGame::new(FnEngine::always("Well."));
    game.app
        .bind_world_fact::<Weather>("weather", |w| w.0.into());
    game.install_story(HOUSE);
    let guard = game.spawn_npc(GUARD);
    assert_eq!(read(&game, |w| w.fact("weather")), Some("sun".into()));
    game.app.insert_resource(Weather("hail"));
    assert_eq!(
        read(&game, |w| w.facts()),
        [("weather".to_owned(), WorldValue::from("hail"))]
    );
    game.talk(guard, "Nice day?");
    assert!(game.attempts()[0].prompt.contains("weather: hail"));
    let key = "weather".to_owned();
    let write = GameWrite::fact(key.clone(), "snow");
    assert_eq!(
        write.apply(game.world_mut()),
        Err(ChangeError::BoundFact(key))
    );
}
