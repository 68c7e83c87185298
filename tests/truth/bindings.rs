//! A game's own components and resources as attributes and world facts (row W7).

use super::support::{Door, OPENS, read, with_door};
use super::{GUARD, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::testing::{FnEngine, TestGame, world_digest};
use bevy_dramatis::world::{ChangeError, GameWrite, Kind, WorldId, WorldRead, WorldValue};

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
    // Rules see at once what the game changes, and so does the hash.
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

#[test]
fn w7_a_component_is_attached_to_what_the_story_describes_as_its_attributes_say() {
    #[derive(Component, Default)]
    struct Keeper;
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(ScriptedEngine::silent()))
        .attach::<Hatch>("hatch")
        .attach::<Keeper>("ann")
        .bind_attribute::<Hatch>("open", |h| h.open.into(), |h, v| h.open = v.truthy())
        .bind_attribute::<Hatch>(
            "rust",
            |h| h.rust.into(),
            |h, v| {
                if let WorldValue::Int(rust) = v {
                    h.rust = *rust;
                }
            },
        );
    let mut game = TestGame::from_app(app);
    // The plugin does not change what the game has made.
    let own = (
        WorldId(id!("own")),
        Kind("hatch".to_owned()),
        Hatch {
            open: false,
            rust: 9,
        },
    );
    game.world_mut().spawn(own);
    game.install_story(
        r#"(world: (locations: {"yard": (name: "Yard")}, entities: {
            "a": (name: "old hatch", kind: "hatch", at: In("yard"), attributes: {"open": true, "rust": 3, "key": "k"}),
            "b": (name: "new hatch", kind: "hatch", at: In("yard")),
            "ann": (name: "Ann", kind: "character", at: In("yard")),
        }))"#,
    );
    let mut hatches = game.world_mut().query::<(&WorldId, &Hatch)>();
    let mut found: Vec<(String, bool, i64)> = hatches
        .iter(game.world())
        .map(|(id, hatch)| (id.0.to_string(), hatch.open, hatch.rust))
        .collect();
    found.sort();
    let expected = [("a", true, 3), ("b", false, 0), ("own", false, 9)];
    assert_eq!(
        found,
        expected.map(|(id, open, rust)| (id.to_owned(), open, rust))
    );
    let mut keepers = game.world_mut().query_filtered::<&WorldId, With<Keeper>>();
    let keepers: Vec<&WorldId> = keepers.iter(game.world()).collect();
    assert_eq!(keepers, [&WorldId(id!("ann"))]);
    // From then on the component is the attribute.
    let write = GameWrite::attribute(id!("b"), "open", true);
    write.apply(game.world_mut()).expect("a write");
    assert_eq!(read(&game, |w| w.attribute("b", "open")), Some(true.into()));
    assert_eq!(read(&game, |w| w.attribute("a", "key")), Some("k".into()));
}

#[derive(Component, Default)]
struct Hatch {
    open: bool,
    rust: i64,
}
