//! Turns of actors in a running game (rows R1, W1, W3, W6, W7, W8, W9).

use super::support::read;
use super::{GUARD, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::actor_turns::ActorCommandsExt;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::{Applied, ClarificationNeeded};
use bevy_dramatis::id;
use bevy_dramatis::npc::{Player, RequestError};
use bevy_dramatis::testing::{FnEngine, GameEvent, TestGame, world_digest};
use bevy_dramatis::world::actions::{Give, MoveTo, Open, Take};
use bevy_dramatis::world::{Attributes, Kind, PlacedIn, Placement, ReasonCode, WorldId, WorldRead};

/// The most waiting turns of an actor.
const MAX_WAITING_TURNS: usize = 64;

#[test]
fn w8_each_applied_action_is_told_once_in_order_after_the_commit() {
    #[derive(Resource, Default)]
    struct SnapshotView(Vec<String>);
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let player = game.entity("player");
    game.app.init_resource::<SnapshotView>();
    fn note<A: bevy_dramatis::world::NpcAction>(
        on: On<Applied<A>>,
        keys: Query<&bevy_dramatis::world::PlacedIn>,
        mut seen: ResMut<SnapshotView>,
    ) {
        let carried = on
            .target
            .and_then(|t| keys.get(t).ok())
            .map(|placed| Some(placed.0) == on.entity);
        seen.0.push(format!(
            "{} {} {:?} {carried:?}",
            on.actor,
            A::NAME,
            on.turn
        ));
    }
    game.app
        .add_observer(note::<Take>)
        .add_observer(note::<MoveTo>)
        .add_observer(note::<Open>);
    game.act(
        player,
        "open the oak door, take the brass key, fly, and go to the yard",
    );
    game.frame();
    let seen = &game.world().resource::<SnapshotView>().0;
    // When the plugin tells the take, the thing is already in the player's hands.
    assert_eq!(
        *seen,
        [
            "player open Some(1) Some(false)",
            "player take Some(1) Some(true)",
            "player move Some(1) None"
        ]
    );
    let applied = |told: Vec<GameEvent>| told.iter().filter(|t| t.name() == "Applied").count();
    assert_eq!(applied(game.take_events()), 3);
    let counters = game.counters();
    assert_eq!(
        (
            counters.turns,
            counters.actions_applied,
            counters.actions_refused
        ),
        (1, 3, 1)
    );
}

#[test]
fn w3_what_is_unclear_is_asked_back_and_answered() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let player = game.entity("player");
    game.app
        .add_observer(|ask: On<ClarificationNeeded>, mut commands: Commands| {
            let iron = ask
                .clarification
                .options
                .iter()
                .find(|o| o.name == "iron key")
                .expect("an option");
            commands
                .entity(ask.entity.expect("an actor"))
                .answer(&ask.clarification, iron.id.clone());
        });
    game.act(player, "take the key");
    game.frames(2);
    assert_eq!(
        read(&game, |w| w.placement("key_2")),
        Some(Placement::CarriedBy(id!("player")))
    );
    assert_eq!(
        read(&game, |w| w.placement("key_1")),
        Some(Placement::In(id!("hall")))
    );
    // "It" refers to a thing of an earlier turn.
    game.act(player, "drop it");
    game.frame();
    assert_eq!(
        read(&game, |w| w.placement("key_2")),
        Some(Placement::In(id!("hall")))
    );
}

#[test]
fn w1_typed_actions_take_ids() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let guard = game.spawn_npc(GUARD);
    let player = game.entity("player");
    game.perform(
        player,
        Take {
            target: "key_1".into(),
        },
    );
    game.perform(
        player,
        Give {
            target: "key_1".into(),
            to: "guard".into(),
        },
    );
    game.perform(
        player,
        Take {
            target: "iron key".into(),
        },
    );
    game.frame();
    let results: Vec<ReasonCode> = game
        .take_turns()
        .iter()
        .flat_map(|record| record.actions.iter().map(|action| action.judgement.result))
        .collect();
    assert_eq!(
        results,
        [ReasonCode::Ok, ReasonCode::Ok, ReasonCode::NotFound]
    );
    assert_eq!(read(&game, |w| w.contents("guard")), ["key_1"]);
    assert!(
        game.world()
            .get::<bevy_dramatis::world::Contents>(guard)
            .is_some()
    );
}

#[test]
fn w7_somebody_who_is_introduced_is_an_entity_with_a_name() {
    let reply = r#"{"dialogue": "Meet Tom.", "intents": [{"type": "introduce", "name": "Tom", "kind": "cat"}]}"#;
    let play = || {
        let mut game = TestGame::new(ScriptedEngine::saying([reply]));
        game.install_story(HOUSE);
        let guard = game.spawn_npc(GUARD);
        game.talk(guard, "Who is there?");
        let player = game.entity("player");
        game.act(player, "give the brass key to Tom");
        game.frame();
        game
    };
    let mut game = play();
    let ids = read(&game, |w| w.named("tom"));
    assert_eq!(ids.len(), 1);
    let tom = read(&game, |w| w.entity(&ids[0])).expect("Tom");
    assert_eq!(
        (tom.kind.as_str(), tom.at),
        ("cat", Placement::In(id!("hall")))
    );
    // The next turn already knows the name.
    let turns = game.take_turns();
    assert!(turns[0].rejected.is_empty(), "{turns:?}");
    assert_eq!(
        world_digest(game.world_mut()),
        world_digest(play().world_mut())
    );
}

#[test]
fn w6_the_schema_offers_what_can_be_reached_and_always_to_do_nothing() {
    let engine = FnEngine::always("Well.");
    let mut game = TestGame::new(engine.clone());
    game.install_story(HOUSE);
    let guard = game.spawn_npc(r#"(id: "guard", location: "hall", may: ["take", "move", "speak"], fallbacks: (generic: ["Hm."]))"#);
    game.talk(guard, "Hello");
    let schema = engine.requests()[0].schema.clone().expect("a schema");
    let intents = &schema["properties"]["intents"];
    assert!(intents.get("minItems").is_none());
    let offered: Vec<String> = intents["items"]["anyOf"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| {
            format!(
                "{} {}",
                s["properties"]["type"]["const"], s["properties"]["target"]["enum"]
            )
        })
        .collect();
    assert_eq!(
        offered,
        [
            r#""move" ["yard"]"#,
            r#""speak" null"#,
            r#""speak" null"#,
            r#""take" ["key_1","key_2"]"#
        ]
    );
    let prompt = &game.attempts()[0].prompt;
    assert!(prompt.contains("## What you can do now\n- move yard\n- speak; to: player, or none\n- take key_1, key_2\n"), "{prompt}");
}

#[test]
fn r1_one_actor_whose_words_take_long_refuses_no_other() {
    use bevy_dramatis::actor_turns::EngineParser;
    use bevy_dramatis::app::DramatisAppExt;
    use bevy_dramatis::engine::Stage;
    use bevy_dramatis::testing::ManualEngine;
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    game.app
        .add_engine("slow", ManualEngine::default())
        .set_stage_engine(Stage::Parser, "slow")
        .set_action_parser(EngineParser);
    let (player, guard) = (game.entity("player"), game.spawn_npc(GUARD));
    for _ in 0..=MAX_WAITING_TURNS {
        game.act(player, "wait");
    }
    game.frame();
    assert_eq!(game.take_refusals().len(), 1);
    let take = Take {
        target: "key_2".into(),
    };
    game.perform(guard, take);
    game.frame();
    assert!(game.take_refusals().is_empty());
    assert_eq!(game.take_turns().len(), 1, "the guard's");
}

#[test]
fn r1_turns_are_bounded_and_nothing_is_refused_in_silence() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let player = game.entity("player");
    for _ in 0..=MAX_WAITING_TURNS {
        game.act(player, "wait");
    }
    game.act(player, &"x".repeat(2_001));
    // An entity outside the judged world: the plugin logs and tells it, and nothing else happens.
    let nobody = game.world_mut().spawn_empty().id();
    game.act(nobody, "take the brass key");
    game.frame();
    let limit = MAX_WAITING_TURNS;
    assert_eq!(
        game.take_refusals(),
        [
            RequestError::QueueFull { limit },
            RequestError::TooLong { chars: 2_001 },
            RequestError::NotInWorld,
        ]
    );
    assert_eq!(game.counters().turns, MAX_WAITING_TURNS as u64);
    game.act(player, " \n ");
    game.frame();
    assert_eq!(
        game.take_turns().last().expect("a record").rejected[0].rule,
        "empty"
    );
}

#[test]
fn w9_a_command_may_stand_on_the_next_line() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let player = game.entity("player");
    game.act(player, "say hello\ntake the brass key\u{7}");
    game.frame();
    let record = &game.take_turns()[0];
    let done: Vec<_> = record
        .actions
        .iter()
        .map(|action| action.intent.kind())
        .collect();
    assert_eq!(done, ["speak", "take"], "{record:?}");
    assert_eq!(
        record.text.as_deref(),
        Some("say hello\ntake the brass key\u{7}"),
        "raw"
    );
}

#[test]
fn r1_a_turn_that_an_observer_asks_for_is_not_lost_and_a_lost_actor_harms_nobody() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let player = game.entity("player");
    let key = game.entity("key_1");
    // While the plugin installs the first turn.
    game.app.add_observer(
        move |placed: On<Insert, PlacedIn>, mut commands: Commands| {
            if placed.entity == key {
                commands.entity(player).act("take the iron key");
            }
        },
    );
    game.act(player, "take the brass key");
    game.frames(2);
    assert_eq!(game.take_turns().len(), 2);
    // A trap: the character that touches the door is removed before the turn is over.
    game.app
        .add_observer(move |_: On<Insert, Attributes>, mut commands: Commands| {
            commands.entity(player).try_despawn();
        });
    let door = game.entity("door");
    game.act(player, "drop the brass key");
    game.app.add_observer(
        move |placed: On<Insert, PlacedIn>, mut commands: Commands| {
            if placed.entity == key {
                commands.entity(player).try_despawn();
            }
        },
    );
    game.frames(2);
    assert!(game.world().get_entity(door).is_ok() && game.world().get_entity(player).is_err());
}

#[test]
fn w8_a_player_without_an_id_acts_as_the_player_of_the_story_and_a_stranger_is_refused() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    let early = game.world_mut().spawn(Player).id();
    game.act(early, "go to the hall");
    game.run_until_idle();
    assert_eq!(game.take_refusals(), [RequestError::NotInWorld]);
    game.install_story(HOUSE);
    game.act(early, "take the key");
    game.run_until_idle();
    assert_eq!(game.take_turns()[0].actor, id!("player"));
    assert_eq!(game.take_refusals(), []);
    let stranger = game.world_mut().spawn_empty().id();
    game.act(stranger, "take the key");
    game.run_until_idle();
    assert_eq!(game.take_refusals(), [RequestError::NotInWorld]);
    assert!(game.take_turns().is_empty());
}

#[test]
fn a_player_whose_kind_is_not_said_can_be_given_things() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(HOUSE);
    let hall = game.entity("hall");
    let world = game.world_mut();
    let visitors = [
        world
            .spawn((Player, WorldId(id!("ann")), PlacedIn(hall)))
            .id(),
        world
            .spawn((WorldId(id!("bo")), PlacedIn(hall)))
            .insert(Player)
            .id(),
    ];
    let own = Kind("ghost".to_owned());
    let ghost = world
        .spawn((Player, WorldId(id!("cy")), own.clone(), PlacedIn(hall)))
        .id();
    for visitor in visitors {
        assert_eq!(game.world().get::<Kind>(visitor).unwrap().0, "character");
    }
    assert_eq!(game.world().get(ghost), Some(&own));
}
