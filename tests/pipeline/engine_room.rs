//! Which calls the plugin makes when an engine cannot serve all at once, or fails (contract rows E1 and E3).

use bevy::prelude::*;
use bevy_dramatis::engine::{
    BreakerSettings, BreakerState, Budget, Capacity, Engine, EngineCall, EngineError, EngineEvent,
    EngineIdentity, EngineRequest, EngineStatus, Stage,
};
use bevy_dramatis::events::{BreakerChanged, CallPostponed, CallRefusal, CallRefused};
use bevy_dramatis::npc::{NpcBudget, NpcCommandsExt, NpcPriority, Request};
use bevy_dramatis::pipeline::{AttemptError, Outcome};
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::testing::{FnEngine, ManualEngine, TestGame};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// An engine that serves at most this many calls at once.
struct Bounded<E>(E, Capacity);

impl<E: Engine> Engine for Bounded<E> {
    fn identity(&self) -> EngineIdentity {
        self.0.identity()
    }

    fn capacity(&self) -> Capacity {
        self.1
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.0.start(request)
    }
}

fn serving(calls: u32) -> Capacity {
    Capacity {
        calls: Some(calls),
        ..Capacity::default()
    }
}

fn breaking() -> Capacity {
    Capacity {
        breaker: Some(BreakerSettings::default()),
        ..Capacity::default()
    }
}

fn game(engine: impl Engine, capacity: Capacity) -> TestGame {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(Bounded(engine, capacity)));
    TestGame::from_app(app)
}

fn crowd(game: &mut TestGame, count: usize) -> Vec<Entity> {
    let spawn = |n| {
        game.spawn_npc(&format!(
            r#"(id: "npc_{n}", fallbacks: (generic: ["Hm."]))"#
        ))
    };
    (0..count).map(spawn).collect()
}

/// The characters that the engine was asked for, in the order of the calls.
fn asked(engine: &ManualEngine) -> Vec<String> {
    let calls = engine.calls().into_iter();
    calls.filter_map(|call| call.request.npc).collect()
}

#[test]
fn e1_no_more_calls_are_made_than_the_engine_serves() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), serving(2));
    for npc in crowd(&mut game, 5) {
        game.say(npc, "Hello?");
    }
    for served in [2, 3, 4, 5] {
        game.frames(3);
        assert_eq!(engine.calls().len(), served);
        // Answers the oldest open call.
        engine.calls()[served - 2].reply("Yes.");
    }
    engine.last_call().reply("Yes.");
    game.run_until_idle();
    assert_eq!(
        asked(&engine),
        ["npc_0", "npc_1", "npc_2", "npc_3", "npc_4"]
    );
    let accepted = |outcome: &Outcome| matches!(outcome, Outcome::Accepted { .. });
    assert_eq!(
        game.take_outcomes()
            .iter()
            .filter(|one| accepted(one))
            .count(),
        5
    );
}

#[test]
fn e1_who_is_asked_in_parts_keeps_its_turn_between_its_calls() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), serving(1));
    game.install_story(
        r#"(world: (
            locations: {"tower": (name: "Tower")},
            entities: {"door_1": (name: "oak door", kind: "door", at: In("tower"), attributes: {"openable": true, "open": false})},
        ))"#,
    );
    let spawn = |n| {
        game.spawn_npc(&format!(
            r#"(id: "npc_{n}", form: Apart, location: "tower", may: ["open"])"#
        ))
    };
    let npcs: Vec<Entity> = (0..2).map(spawn).collect();
    for npc in npcs {
        game.say(npc, "Open the door, please.");
    }
    let mut stages = Vec::new();
    for answer in ["open the oak door", "There.", "nothing", "It is open."] {
        game.frames(4);
        let call = engine.last_call();
        let asked = (
            call.request.npc.clone().unwrap_or_default(),
            call.request.stage,
        );
        stages.push(asked);
        call.reply(answer);
    }
    game.run_until_idle();
    let [first, second] = ["npc_0", "npc_1"].map(str::to_owned);
    assert_eq!(
        stages,
        [
            (first.clone(), Stage::Decide),
            (first, Stage::Speak),
            (second.clone(), Stage::Decide),
            (second, Stage::Speak),
        ]
    );
}

#[test]
fn e1_who_is_spoken_to_goes_first_and_what_waits_is_told() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), serving(1));
    let crowd = crowd(&mut game, 4);
    game.world_mut()
        .entity_mut(crowd[3])
        .insert(NpcPriority::Background);
    game.say(crowd[0], "Hello?");
    game.frames(2);
    for npc in [1, 3] {
        game.interact(
            crowd[npc],
            Request::new(bevy_dramatis::rules::TriggerReason::WorldEvent),
        );
    }
    game.frames(2);
    game.say(crowd[2], "Hello?");
    game.frames(2);
    let postponed = game.take_sent::<CallPostponed>();
    let mut waiting: Vec<&str> = postponed.iter().map(|one| one.npc.as_str()).collect();
    waiting.sort_unstable();
    assert_eq!(waiting, ["npc_1", "npc_2", "npc_3"], "once for each run");
    for _ in 0..4 {
        engine.last_call().reply("Yes.");
        game.frames(4);
    }
    game.run_until_idle();
    assert_eq!(asked(&engine), ["npc_0", "npc_2", "npc_1", "npc_3"]);
}

#[test]
fn e1_nobody_starves() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), serving(1));
    let crowd = crowd(&mut game, 3);
    game.world_mut()
        .entity_mut(crowd[2])
        .insert(NpcPriority::Background);
    game.say(crowd[0], "Hello?");
    game.frames(2);
    game.say(crowd[2], "Hello?");
    // The player speaks to the first two characters alternately, so that one of them always waits.
    for n in 0..20 {
        game.say(crowd[(n + 1) % 2], "And?");
        game.frames(2);
        game.advance(2_000);
        engine.last_call().reply("Yes.");
        game.frames(4);
    }
    let place = asked(&engine).iter().position(|npc| npc == "npc_2");
    assert!(
        place.is_some_and(|place| place < 12),
        "{:?}",
        asked(&engine)
    );
}

#[test]
fn e1_a_deadline_passes_while_a_call_waits() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), serving(1));
    for npc in crowd(&mut game, 2) {
        game.say(npc, "Hello?");
    }
    game.frames(3);
    game.advance(30_001);
    game.run_until_idle();
    assert_eq!(engine.calls().len(), 1);
    let attempt = game.attempts().last().cloned().unwrap();
    assert_eq!(attempt.error, Some(AttemptError::Deadline));
    assert_eq!(game.take_lines().len(), 2, "both characters said a line");
}

/// Whether the last event said that the plugin does not ask the engine for a while.
fn is_told_open(game: &mut TestGame) -> bool {
    let told = game.take_sent::<BreakerChanged>();
    let last = told.last().map(|told| &told.state);
    matches!(last, Some(BreakerState::Open { .. }))
}

fn refusals(game: &mut TestGame) -> Vec<(String, CallRefusal)> {
    let refused = game.take_sent::<CallRefused>().into_iter();
    refused
        .map(|one| (one.npc.to_string(), one.reason))
        .collect()
}

#[test]
fn e1_what_cannot_be_in_time_is_refused_at_once_with_a_line() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), serving(1));
    let crowd = crowd(&mut game, 8);
    // The plugin learns that a call takes eight seconds.
    for _ in 0..4 {
        game.say(crowd[0], "Hello?");
        game.frames(2);
        game.advance(8_000);
        engine.last_call().reply("Yes.");
        game.run_until_idle();
    }
    game.take_lines();
    for npc in &crowd {
        game.say(*npc, "And?");
    }
    game.frame();
    let refused = refusals(&mut game);
    game.frames(2);
    // One character is served at once, and three more can be served within thirty seconds.
    let names: Vec<&str> = refused.iter().map(|(npc, _)| npc.as_str()).collect();
    assert_eq!(names, ["npc_4", "npc_5", "npc_6", "npc_7"]);
    assert!(refused.iter().all(|(_, why)| *why == CallRefusal::TooLate));
    assert_eq!(game.take_lines().len(), 4, "authored lines come at once");
    let refused = game
        .attempts()
        .iter()
        .filter(|one| one.error == Some(AttemptError::Timeout));
    assert_eq!(refused.count(), 1);
    for _ in 0..4 {
        engine.last_call().reply("Yes.");
        game.frames(4);
    }
    game.run_until_idle();
    assert_eq!(engine.calls().len(), 8);
}

#[test]
fn e1_a_minute_has_no_more_calls_than_the_engine_allows() {
    let engine = FnEngine::always("Yes.");
    let capacity = Capacity {
        budget: Budget {
            calls: Some(3),
            tokens: None,
        },
        ..Capacity::default()
    };
    let mut game = game(engine.clone(), capacity);
    let crowd = crowd(&mut game, 5);
    for npc in &crowd[..2] {
        game.talk(*npc, "Hello?");
    }
    game.advance(40_000);
    for npc in &crowd {
        game.say(*npc, "And?");
    }
    game.frame();
    let refused: Vec<String> = refusals(&mut game).into_iter().map(|one| one.0).collect();
    game.frames(3);
    // The plugin makes the third call of the minute; two characters wait twenty seconds, and two more would wait a minute.
    assert_eq!(engine.requests().len(), 3);
    assert_eq!(refused, ["npc_3", "npc_4"]);
    game.advance(19_900);
    game.frames(2);
    assert_eq!(engine.requests().len(), 3);
    game.advance(100);
    game.run_until_idle();
    assert_eq!(engine.requests().len(), 5);
}

#[test]
fn e1_a_character_has_a_budget_of_its_own() {
    let engine = FnEngine::always("Yes.");
    let mut game = game(engine.clone(), Capacity::default());
    let crowd = crowd(&mut game, 2);
    let budget = Budget {
        calls: None,
        tokens: Some(1),
    };
    game.world_mut()
        .entity_mut(crowd[0])
        .insert(NpcBudget(budget));
    game.talk(crowd[0], "Hello?");
    assert_eq!(engine.requests().len(), 1, "a single call is always made");
    game.take_lines();
    game.talk(crowd[0], "And?");
    assert_eq!(engine.requests().len(), 1);
    assert_eq!(refusals(&mut game).len(), 1);
    assert_eq!(game.take_lines()[0].text(), "Hm.");
    for _ in 0..3 {
        game.talk(crowd[1], "Hello?");
    }
    assert_eq!(
        engine.requests().len(),
        4,
        "the other character has no budget"
    );
    game.advance(60_000);
    game.talk(crowd[0], "And?");
    assert_eq!(engine.requests().len(), 5);
}

#[test]
fn e2_who_begins_alike_follows_in_the_same_slot() {
    let engine = ManualEngine::default();
    let capacity = Capacity {
        slots: true,
        ..serving(2)
    };
    let mut game = game(engine.clone(), capacity);
    let crowd = crowd(&mut game, 4);
    for npc in &crowd[..2] {
        game.say(*npc, "Hello?");
    }
    game.frames(2);
    let slots = || -> Vec<Option<u32>> {
        let calls = engine.calls();
        calls.iter().map(|call| call.request.slot).collect()
    };
    assert_eq!(slots(), [Some(0), Some(1)]);
    for npc in [2, 1, 3, 0] {
        game.say(crowd[npc], "And?");
    }
    game.frames(3);
    // The second slot becomes free first: the plugin continues with that slot's own character, before one that came earlier.
    engine.calls()[1].reply("Yes.");
    game.frames(6);
    engine.calls()[0].reply("Yes.");
    game.frames(6);
    let named = asked(&engine);
    assert_eq!(named[2..], ["npc_1", "npc_0"]);
    assert_eq!(slots()[2..], [Some(1), Some(0)]);
}

/// An engine that fails until the test tells it to answer.
fn failing(answers_from: u64) -> FnEngine {
    FnEngine::new(move |call, _| match call < answers_from {
        true => vec![EngineEvent::Failed(EngineError::Unreachable(
            "down".to_owned(),
        ))],
        false => EngineEvent::whole_reply("I am back."),
    })
}

#[test]
fn e3_a_server_that_fails_is_probed_and_not_stormed() {
    let engine = failing(u64::MAX);
    let mut game = game(engine.clone(), breaking());
    let crowd = crowd(&mut game, 100);
    for npc in &crowd {
        game.say(*npc, "Hello?");
    }
    game.run_until_idle();
    // The plugin makes all calls of one frame at once, and makes none of them again.
    assert_eq!(game.take_lines().len(), 100, "authored lines come at once");
    let stormed = engine.requests().len();
    assert!(stormed <= 100, "{stormed}");
    assert!(is_told_open(&mut game));
    for npc in &crowd {
        game.say(*npc, "Hello?");
    }
    game.run_until_idle();
    assert_eq!(
        engine.requests().len(),
        stormed,
        "no call is made while the breaker is open"
    );
    let message = game
        .attempts()
        .last()
        .and_then(|one| one.error_message.clone());
    assert!(message.is_some_and(|why| why.contains("failed too often")));
}

#[test]
fn e3_one_call_sees_whether_the_server_answers_again() {
    let engine = failing(4);
    let mut game = game(engine.clone(), breaking());
    let crowd = crowd(&mut game, 3);
    for _ in 0..2 {
        // Three attempts are three faults.
        game.talk(crowd[0], "Hello?");
    }
    assert_eq!(engine.requests().len(), 3);
    game.advance(1_000);
    for npc in &crowd {
        game.say(*npc, "Hello?");
    }
    game.run_until_idle();
    assert_eq!(engine.requests().len(), 4, "one call, which fails");
    game.advance(1_999);
    game.talk(crowd[1], "Hello?");
    assert_eq!(engine.requests().len(), 4, "the wait has doubled");
    game.advance(1);
    game.take_lines();
    game.talk(crowd[1], "Hello?");
    assert_eq!(game.take_lines()[0].text(), "I am back.");
    let last = game.take_sent::<BreakerChanged>().pop();
    assert_eq!(last.map(|change| change.state), Some(BreakerState::Closed));
    game.talk(crowd[2], "Hello?");
    assert_eq!(engine.requests().len(), 6);
}

#[test]
fn e3_a_probe_that_is_cancelled_leaves_the_way_open() {
    let engine = ManualEngine::default();
    let capacity = Capacity {
        breaker: Some(BreakerSettings {
            faults: 1,
            first_wait: Duration::from_millis(500),
            ..BreakerSettings::default()
        }),
        ..Capacity::default()
    };
    let mut game = game(engine.clone(), capacity);
    let crowd = crowd(&mut game, 2);
    game.say(crowd[0], "Hello?");
    game.frames(2);
    let down = EngineError::Unreachable("down".to_owned());
    engine.last_call().event(EngineEvent::Failed(down));
    game.run_until_idle();
    game.advance(500);
    game.say(crowd[0], "Hello?");
    game.frames(2);
    assert_eq!(engine.calls().len(), 2);
    game.cancel_run(crowd[0]);
    game.run_until_idle();
    game.say(crowd[1], "Hello?");
    game.frames(2);
    assert_eq!(
        engine.calls().len(),
        3,
        "the next character tries the engine"
    );
}

/// An engine that fails until it says that it is ready again.
#[derive(Clone, Default)]
struct Restarted(Arc<AtomicU8>);

impl Restarted {
    fn turn_to(&self, state: u8) {
        self.0.store(state, Ordering::Relaxed);
    }
}

impl Engine for Restarted {
    fn identity(&self) -> EngineIdentity {
        ManualEngine::default().identity()
    }

    fn capacity(&self) -> Capacity {
        breaking()
    }

    fn status(&self) -> EngineStatus {
        match self.0.load(Ordering::Relaxed) {
            1 => EngineStatus::Starting("it starts".to_owned()),
            _ => EngineStatus::Ready,
        }
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        EngineCall::ready(match self.0.load(Ordering::Relaxed) {
            0 => vec![EngineEvent::Failed(EngineError::Unreachable(
                "down".to_owned(),
            ))],
            _ => EngineEvent::whole_reply("I am back."),
        })
    }
}

#[test]
fn e5_an_engine_that_is_ready_again_is_asked_at_once() {
    let engine = Restarted::default();
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine.clone()));
    let mut game = TestGame::from_app(app);
    let crowd = crowd(&mut game, 1);
    game.talk(crowd[0], "Hello?");
    assert!(is_told_open(&mut game));
    engine.turn_to(1);
    game.frame();
    game.talk(crowd[0], "Hello?");
    assert!(matches!(
        refusals(&mut game).last(),
        Some((_, CallRefusal::NotReady(_)))
    ));
    engine.turn_to(2);
    game.frame();
    game.take_lines();
    // The test has not advanced the clock; the breaker would have waited a second.
    game.talk(crowd[0], "Hello?");
    assert_eq!(game.take_lines()[0].text(), "I am back.");
}

/// An engine that keeps what it has read.
struct Keeping(ManualEngine);

impl Engine for Keeping {
    fn identity(&self) -> EngineIdentity {
        self.0.identity()
    }

    fn warm(&self, request: EngineRequest) -> Option<EngineCall> {
        Some(self.0.start(request))
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.0.start(request)
    }
}

#[test]
fn e2_a_character_is_read_ahead_while_nothing_else_is_to_be_done() {
    let engine = ManualEngine::default();
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(Keeping(engine.clone())));
    let mut game = TestGame::from_app(app);
    let crowd = crowd(&mut game, 3);
    let warm = |game: &mut TestGame, npc| {
        game.world_mut().commands().entity(npc).warm();
        game.world_mut().flush();
    };
    game.say(crowd[0], "Hello?");
    game.frames(2);
    for npc in &crowd[1..] {
        warm(&mut game, *npc);
        warm(&mut game, *npc);
    }
    game.frames(3);
    assert_eq!(engine.calls().len(), 1, "a run is under way");
    engine.last_call().reply("Yes.");
    game.run_until_idle();
    game.frames(2);
    assert_eq!(engine.calls().len(), 2, "one at a time");
    let warmed = engine.last_call().request.clone();
    assert_eq!(warmed.npc.as_deref(), Some("npc_1"));
    assert_eq!(warmed.max_tokens, 1);
    engine.last_call().reply("x");
    game.frames(2);
    assert_eq!(engine.calls().len(), 3);
    assert!(!engine.last_call().is_dropped());
    game.take_events();
    game.say(crowd[1], "Hello?");
    game.frames(2);
    assert!(
        engine.calls()[2].is_dropped(),
        "the read-ahead call makes room"
    );
    let spoken = engine.last_call().request.clone();
    assert_eq!(spoken.messages[0], warmed.messages[0]);
    engine.last_call().reply("Yes.");
    game.run_until_idle();
    assert_eq!(game.take_lines()[0].text(), "Yes.");
    assert_eq!(
        game.counters().engine_calls,
        2,
        "calls that read ahead do not count"
    );
}
