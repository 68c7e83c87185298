//! What happens to a reply if the world changes in the meantime (rows G7, P7, W5, W6).

use super::support::{Door, OPENS, read, with_door};
use super::{COOK, GUARD, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::engine::{EngineEvent, EngineRequest, ScriptedEngine};
use bevy_dramatis::id;
use bevy_dramatis::pipeline::Outcome;
use bevy_dramatis::plugin::PipelineSystems;
use bevy_dramatis::testing::{FnEngine, GameEvent, ManualEngine, TestGame};
use bevy_dramatis::world::{Placement, WorldRead};

const TAKES: &str = r#"{"dialogue": "Mine.", "intents": [{"type": "take", "target": "key_1"}]}"#;

#[test]
fn g7_what_the_game_locks_in_flight_stays_locked() {
    let engine = ManualEngine::default();
    let (mut game, door) = with_door(TestGame::new(engine.clone()));
    let guard = game.spawn_npc(GUARD);
    game.say(guard, "Would you?");
    game.frames(2);
    // The gate has not judged yet: the world differs from that of the prompt.
    game.world_mut()
        .get_mut::<Door>(door)
        .expect("the door")
        .locked = true;
    engine.last_call().reply(OPENS);
    game.frames(2);
    engine.last_call().reply("I cannot.");
    game.run_until_idle();
    let first = &game.attempts()[0].verdict.clone().expect("a verdict");
    assert_eq!(first.failures[0].rule, "open_key");
    let message = &first.failures[0].message;
    assert!(
        message.starts_with("LOCKED")
            && message.contains("locked of door was false and is true now"),
        "{message}"
    );
    assert!(
        game.attempts()[1]
            .prompt
            .contains("locked of door was false")
    );
    assert_eq!(game.take_outcomes().len(), 1);
    assert!(!game.world().get::<Door>(door).expect("the door").open);
}

#[derive(Resource, Default)]
struct Locks(u32);

#[test]
fn p7_a_verdict_that_the_world_outran_fails_its_attempt() {
    let (mut game, door) = with_door(TestGame::new(ScriptedEngine::saying([OPENS, "I cannot."])));
    // Changes the world once, between the gate and the commit.
    let lock = |mut doors: Query<&mut Door>,
                mut locks: ResMut<Locks>,
                runs: Query<&bevy_dramatis::gate::Verdict>| {
        if locks.0 == 0 && runs.iter().any(|verdict| verdict.passed) {
            locks.0 = 1;
            doors.iter_mut().for_each(|mut door| door.locked = true);
        }
    };
    game.app.init_resource::<Locks>().add_systems(
        Update,
        lock.after(PipelineSystems::Validation)
            .before(PipelineSystems::Mutation),
    );
    let guard = game.spawn_npc(GUARD);
    game.talk(guard, "Would you?");
    let attempts = game.attempts();
    let failed = attempts[0].verdict.as_ref().expect("a verdict");
    assert!(!failed.passed && !attempts[0].passed);
    assert_eq!(failed.failures.len(), 1);
    assert_eq!(failed.failures[0].rule, "open_key");
    assert!(
        failed.failures[0]
            .message
            .contains("locked of door was false")
    );
    assert!(attempts[1].prompt.contains("You cannot do that: "));
    assert_eq!(game.world().get::<Door>(door).map(|d| d.open), Some(false));
    assert!(matches!(
        game.take_outcomes()[..],
        [Outcome::Accepted { .. }]
    ));
    assert!(!game.take_event_names().contains(&"Applied"));
}

#[test]
fn w6_two_characters_cannot_take_one_thing() {
    let reply = |_: u64, request: &EngineRequest| {
        let told = request
            .messages
            .iter()
            .any(|m| m.content().contains("not accepted"));
        EngineEvent::whole_reply(if told { "Then keep it." } else { TAKES })
    };
    let mut game = TestGame::new(FnEngine::new(reply));
    game.install_story(HOUSE);
    let (guard, cook) = (game.spawn_npc(GUARD), game.spawn_npc(COOK));
    game.say(cook, "Take it!");
    game.say(guard, "Take it!");
    game.run_until_idle();
    assert_eq!(
        read(&game, |w| w.placement("key_1")),
        Some(Placement::CarriedBy(id!("cook"))),
        "the character that was asked first"
    );
    assert_eq!(game.take_outcomes().len(), 2);
    let told = game.take_events();
    let taken = told
        .iter()
        .filter(|t| matches!(t, GameEvent::Applied { action: "take", .. }));
    assert_eq!(taken.count(), 1);
    let failed = told
        .iter()
        .any(|t| matches!(t, GameEvent::AttemptFailed { attempt: 0, error: None, rules } if rules == &["take_unowned"]));
    assert!(failed, "{told:?}");
}

#[test]
fn w5_two_characters_do_not_introduce_one_name_in_one_frame() {
    let reply = |_: u64, request: &EngineRequest| {
        let told = request
            .messages
            .iter()
            .any(|m| m.content().contains("not accepted"));
        let introduce =
            r#"{"dialogue": "This is Tom.", "intents": [{"type": "introduce", "name": "Tom"}]}"#;
        EngineEvent::whole_reply(if told { "You know him." } else { introduce })
    };
    let mut game = TestGame::new(FnEngine::new(reply));
    game.install_story(HOUSE);
    let (guard, cook) = (game.spawn_npc(GUARD), game.spawn_npc(COOK));
    game.say(guard, "Who is he?");
    game.say(cook, "Who is he?");
    game.run_until_idle();
    assert_eq!(read(&game, |w| w.named("tom").len()), 1);
    assert!(
        game.take_events().iter().any(
            |t| matches!(t, GameEvent::AttemptFailed { attempt: 0, error: None, rules } if rules == &["introduce_name_free"])
        )
    );
}

#[test]
fn p11_a_scripted_answer_is_there_in_the_frame_of_the_question() {
    let mut game = TestGame::new(ScriptedEngine::saying([OPENS, "Well."]));
    game.install_story(HOUSE);
    let guard = game.spawn_npc(GUARD);
    for _ in 0..2 {
        game.say(guard, "Would you?");
        game.frame();
        assert_eq!(game.take_outcomes().len(), 1);
    }
}
