//! What the player may ask of a character, and which requests the plugin refuses (contract row P1).

use super::WIZARD;
use super::talk::accepted;
use bevy_dramatis::base::DramatisClock;
use bevy_dramatis::base::GameTime;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::npc::{NpcCommandsExt, Request, RequestError};
use bevy_dramatis::rules::TriggerReason;
use bevy_dramatis::testing::{SpokenLine, TestGame};
use bevy_dramatis::world::{Aliases, DisplayName, WorldId};

#[test]
fn p1_speech_that_is_empty_or_too_long_is_refused() {
    let engine = ScriptedEngine::saying(["Yes."]);
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    for text in ["", " \t\r\n", "\u{0}\u{1b}"] {
        game.say(wizard, text);
    }
    game.say(wizard, &"x".repeat(10_000));
    game.say(wizard, &"é".repeat(Request::MAX_INPUT_CHARS + 1));
    game.run_until_idle();
    use RequestError as E;
    assert_eq!(
        game.take_refusals(),
        [
            E::EmptyUtterance,
            E::EmptyUtterance,
            E::EmptyUtterance,
            E::TooLong { chars: 10_000 },
            E::TooLong {
                chars: Request::MAX_INPUT_CHARS + 1
            }
        ]
    );
    assert_eq!(engine.calls(), 0);
    assert_eq!(game.runs(), []);
    game.talk(wizard, &"é".repeat(Request::MAX_INPUT_CHARS));
    assert_eq!(
        game.take_lines(),
        [SpokenLine::reply("Yes.")],
        "exactly this many are accepted"
    );
}

#[test]
fn p1_control_characters_are_removed() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, " a\tb\r\nc\u{0}\u{7f}\u{85}d ");
    assert_eq!(game.mind(wizard).exchanges().next().unwrap().1, "a b  c d");
}

#[test]
fn p1_what_is_no_character_is_refused_with_a_typed_error() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    let wizard = game.spawn_npc(WIZARD);
    game.world_mut().spawn(WorldId(id!("door")));
    let door = game.entity("door");
    game.say(door, "Hello");
    game.run_until_idle();
    assert!(matches!(
        game.take_refusals()[..],
        [RequestError::UnknownNpc(_)]
    ));
    let stranger = game.world_mut().spawn_empty().id();
    game.say(stranger, "Hello");
    game.run_until_idle();
    assert!(matches!(
        game.take_refusals()[..],
        [RequestError::UnknownNpc(_)]
    ));
    game.world_mut().despawn(stranger);
    game.say(stranger, "Hello");
    game.cancel_run(stranger);
    game.run_until_idle();
    assert!(matches!(
        game.take_refusals()[..],
        [RequestError::UnknownNpc(_)]
    ));
    game.talk(wizard, "Hello");
    assert_eq!(game.take_outcomes(), [accepted("Yes.")]);
}

#[test]
fn p1_bad_parts_of_a_request_are_refused() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    let wizard = game.spawn_npc(WIZARD);
    let base = || Request::new(TriggerReason::ZoneTrigger);
    let bad = [
        Request {
            speaker: Some("no id".into()),
            ..base()
        },
        Request {
            trigger_id: Some("a/b".into()),
            ..base()
        },
        Request {
            prompt: Some("x".repeat(2_001)),
            ..base()
        },
        Request {
            tags: vec!["t".into(); 33],
            ..base()
        },
        Request {
            scene: Some("s".repeat(65)),
            ..base()
        },
    ];
    let count = bad.len();
    bad.into_iter()
        .for_each(|request| game.interact(wizard, request));
    game.run_until_idle();
    assert_eq!(game.take_refusals().len(), count);
    game.interact(wizard, base());
    game.run_until_idle();
    assert_eq!(
        game.take_outcomes(),
        [accepted("Yes.")],
        "a zone needs no words"
    );
}

#[test]
fn p1_negative_game_time_is_refused() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    let wizard = game.spawn_npc(WIZARD);
    game.world_mut().resource_mut::<DramatisClock>().game = GameTime(-1);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_refusals(), [RequestError::BadTime]);
    game.world_mut().resource_mut::<DramatisClock>().game = GameTime(0);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_outcomes(), [accepted("Yes.")]);
}

#[test]
fn p1_an_npc_that_speaks_is_an_npc_interaction_with_a_tag() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    let wizard = game.spawn_npc(WIZARD);
    let guard = game.spawn_npc("(id: \"guard\")");
    game.world_mut()
        .commands()
        .entity(wizard)
        .hear(guard, "All is well.");
    game.world_mut().flush();
    game.run_until_idle();
    let context: &bevy_dramatis::pipeline::InteractionContext = game.last_run();
    assert_eq!(context.reason, TriggerReason::NpcInteraction);
    assert_eq!(
        (context.speaker.as_deref(), context.tags.as_slice()),
        (Some("guard"), &["guard".to_owned()][..])
    );
}

#[test]
fn p15_a_player_that_the_game_spawned_is_known_by_its_name() {
    for words in [
        "Ann: I swear to pay you.",
        "Annie: Take my sword.",
        "**Ann:** Yes!",
    ] {
        let mut game = TestGame::new(ScriptedEngine::saying([words, words, words, words]));
        let wizard = game.spawn_npc(WIZARD);
        let player = game.player;
        game.world_mut().entity_mut(player).insert((
            DisplayName("Ann".to_owned()),
            Aliases(vec!["Annie".to_owned()]),
        ));
        game.talk(wizard, "Well?");
        let lines = game.take_lines();
        assert!(
            lines
                .iter()
                .all(|line| matches!(line, SpokenLine::Fallback(_))),
            "{words}: {lines:?}"
        );
    }
}
