//! Waiting requests: order, limits, replacement and cancelling (contract row P11).

use super::WIZARD;
use super::talk::accepted;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::npc::{OnNewRequest, QueuePolicy, RequestError, RequestQueue, WhenFull};
use bevy_dramatis::pipeline::Outcome;
use bevy_dramatis::testing::{GameEvent, ManualEngine, SpokenLine, TestGame};

#[test]
fn p11_a_cancelled_run_is_silent_and_the_queue_goes_on() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "One");
    game.frame();
    game.say(wizard, "Two");
    let first = engine.last_call();
    game.cancel_run(wizard);
    game.frame();
    assert!(first.is_dropped());
    assert_eq!(game.take_outcomes(), [Outcome::Cancelled]);
    game.frames(2);
    assert_eq!(engine.calls().len(), 2, "the next request starts");
    engine.last_call().reply("Two it is.");
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Two it is.")]);
    let mind = game.mind(wizard);
    assert_eq!(
        (mind.interactions, mind.exchanges().len()),
        (1, 1),
        "a cancelled run leaves nothing"
    );
    game.take_events();
    game.cancel_run(wizard);
    game.frames(2);
    assert_eq!(
        game.take_event_names(),
        Vec::<&str>::new(),
        "there is nothing to cancel"
    );
}

#[test]
fn p11_the_queue_is_bounded_and_keeps_its_order() {
    let engine = ScriptedEngine::saying(["a", "b", "c", "d", "e"]);
    engine.hold();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "0");
    game.frame();
    for text in ["1", "2", "3", "4", "5", "6"] {
        game.say(wizard, text);
    }
    game.frame();
    assert_eq!(game.world().get::<RequestQueue>(wizard).unwrap().len(), 4);
    let full = RequestError::QueueFull { limit: 4 };
    assert_eq!(game.take_refusals(), [full.clone(), full]);
    engine.release();
    game.run_until_idle();
    let lines: Vec<String> = game
        .take_lines()
        .into_iter()
        .map(|line| line.text().to_owned())
        .collect();
    assert_eq!(lines, ["a", "b", "c", "d", "e"]);
    let heard: Vec<&str> = game
        .mind(wizard)
        .exchanges()
        .map(|(_, heard, _)| heard)
        .collect();
    assert_eq!(heard, ["0", "1", "2", "3", "4"]);
    assert_eq!(game.counters().refused, 2);
}

#[test]
fn p11_one_request_of_many_in_a_frame_starts_and_the_limit_waits() {
    let engine = ScriptedEngine::saying(["a"]);
    engine.hold();
    let mut game = TestGame::new(engine);
    let wizard = game.spawn_npc(WIZARD);
    for i in 0..10 {
        game.say(wizard, &i.to_string());
    }
    game.frame();
    assert_eq!(game.world().get::<RequestQueue>(wizard).unwrap().len(), 4);
    assert_eq!(game.take_refusals().len(), 5);
}

#[test]
fn p11_a_full_queue_may_drop_the_oldest() {
    let engine = ScriptedEngine::saying(["a", "b", "c"]);
    engine.hold();
    let mut game = TestGame::new(engine.clone());
    game.world_mut().insert_resource(QueuePolicy {
        limit: 2,
        when_full: WhenFull::DropOldest,
        on_new: OnNewRequest::Queue,
    });
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "0");
    game.frame();
    for text in ["1", "2", "3"] {
        game.say(wizard, text);
    }
    game.frame();
    assert_eq!(game.take_refusals(), [RequestError::Replaced]);
    engine.release();
    game.run_until_idle();
    let heard: Vec<&str> = game
        .mind(wizard)
        .exchanges()
        .map(|(_, heard, _)| heard)
        .collect();
    assert_eq!(heard, ["0", "2", "3"]);
}

#[test]
fn p11_a_new_line_may_replace_the_old_one() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    game.world_mut().insert_resource(QueuePolicy {
        on_new: OnNewRequest::Replace,
        ..QueuePolicy::default()
    });
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Old");
    game.frame();
    let old = engine.last_call();
    game.say(wizard, "Waiting");
    game.say(wizard, "New");
    game.frame();
    assert!(old.is_dropped());
    game.frame();
    assert_eq!(engine.calls().len(), 2);
    assert_eq!(engine.last_call().request.input, "New");
    engine.last_call().reply("New it is.");
    game.run_until_idle();
    let told = game.take_events();
    assert!(told.contains(&GameEvent::RequestRefused(RequestError::Replaced)));
    let endings: Vec<&GameEvent> = told
        .iter()
        .filter(|told| matches!(told, GameEvent::RunEnded(_)))
        .collect();
    assert_eq!(
        endings,
        [
            &GameEvent::RunEnded(Outcome::Cancelled),
            &GameEvent::RunEnded(accepted("New it is."))
        ]
    );
    assert_eq!(game.mind(wizard).exchanges().len(), 1);
}

#[test]
fn p11_a_refused_line_replaces_nothing() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    game.world_mut().insert_resource(QueuePolicy {
        on_new: OnNewRequest::Replace,
        ..QueuePolicy::default()
    });
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Old");
    game.frame();
    game.say(wizard, "  ");
    engine.last_call().reply("Old it is.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("Old it is.")]);
}
