//! Talking to a character: frames, events, the queue, and endings from outside (contract rows P1 and P11).

use super::{HALL, WIZARD};
use bevy::prelude::*;
use bevy_dramatis::base::clock::DramatisClock;
use bevy_dramatis::base::fixed::Millis;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::{Applied, Remembered, RunEnded, RunStarted, Spoke};
use bevy_dramatis::memory::{DormantMinds, Mind};
use bevy_dramatis::npc::{
    LoadedCharacter, MAX_INPUT_CHARS, NpcCommandsExt, OnNewRequest, QueuePolicy, Request,
    RequestError, RequestQueue, Thinking, WhenFull, submit_request,
};
use bevy_dramatis::pipeline::Outcome;
use bevy_dramatis::rules::TriggerReason;
use bevy_dramatis::testing::{GameEvent, ManualEngine, SpokenLine, TestGame, character};
use bevy_dramatis::world::WorldId;
use bevy_dramatis::world::actions::{Open, Speak};

fn accepted(line: &str) -> Outcome {
    Outcome::Accepted { line: line.into() }
}

/// How many frames it takes until somebody speaks.
fn frames_until_spoken(game: &mut TestGame) -> usize {
    (1..=20)
        .find(|_| {
            game.frame();
            !game.take_lines().is_empty()
        })
        .expect("somebody speaks")
}

#[test]
fn p11_an_accepted_first_attempt_takes_at_most_two_frames() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Good evening."]));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    assert!(frames_until_spoken(&mut game) <= 2);
}

#[test]
fn p11_each_retry_takes_at_most_one_frame_more() {
    let mut game = TestGame::new(ScriptedEngine::saying([
        "A secret!",
        "The secret.",
        "Well.",
    ]));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    assert!(frames_until_spoken(&mut game) <= 4);
    assert_eq!(game.attempts().len(), 3);
    assert_eq!(game.take_outcomes(), [accepted("Well.")]);
}

#[test]
fn p11_a_character_can_be_spoken_to_in_the_frame_in_which_it_is_spawned() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Good evening."]));
    let player = game.player;
    let mut commands = game.world_mut().commands();
    commands.spawn(character(WIZARD)).hear(player, "Hello");
    game.world_mut().flush();
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Good evening.")]);
}

const ACTIONS: &str = r#"{"dialogue": "Come in.",
    "mutations": [{"type": "AppendEpisodic", "content": "Ann came by."},
                  {"type": "TransformBelief", "target": "ann", "content": "Ann is kind."}],
    "intents": [{"type": "open", "target": "door"}, {"type": "speak", "content": "Mind the step."}]}"#;

#[derive(Resource, Default)]
struct SnapshotView(Vec<String>);

/// What an observer finds: the NPC has answered once, remembers it, and its run is over.
fn look(
    npc: Entity,
    run: Entity,
    what: &str,
    minds: &Query<(&Mind, Has<Thinking>)>,
    runs: &Query<&Outcome>,
    seen: &mut SnapshotView,
) {
    let (mind, thinking) = minds.get(npc).unwrap();
    let committed = mind.interactions == 1
        && mind.exchanges.len() == 1
        && mind.beliefs.get("ann").is_some()
        && mind.episodes.len() == 2
        && !thinking
        && runs
            .get(run)
            .is_ok_and(|outcome| outcome.line() == Some("Come in."));
    seen.0.push(format!("{what} {committed}"));
}

#[test]
fn p11_events_leave_in_order_and_observers_see_committed_state() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.app.init_resource::<SnapshotView>();
    macro_rules! watch {
        ($($event:ident)*) => {$(
            game.app.add_observer(|e: On<$event>, minds: Query<(&Mind, Has<Thinking>)>, runs: Query<&Outcome>, mut seen: ResMut<SnapshotView>| {
                look(e.entity, Option::from(e.run).unwrap(), stringify!($event), &minds, &runs, &mut seen);
            });
        )*};
    }
    watch!(RunStarted Spoke Remembered RunEnded);
    macro_rules! watch_actions {
        ($($action:ident)*) => {$(
            game.app.add_observer(|e: On<Applied<$action>>, minds: Query<(&Mind, Has<Thinking>)>, runs: Query<&Outcome>, mut seen: ResMut<SnapshotView>| {
                look(e.entity.unwrap(), e.run.unwrap(), "Applied", &minds, &runs, &mut seen);
            });
        )*};
    }
    watch_actions!(Open Speak);
    game.talk(wizard, "Hello");
    let expected = [
        "RunStarted",
        "Spoke",
        "Applied",
        "Applied",
        "Remembered",
        "Remembered",
        "RunEnded",
    ];
    let told = game.take_events();
    assert_eq!(
        told.iter().map(GameEvent::name).collect::<Vec<_>>(),
        expected
    );
    let GameEvent::Applied { action, fields } = &told[2] else {
        panic!("{told:?}")
    };
    assert_eq!(*action, "open");
    assert_eq!(fields["target"], "door");
    let seen = &game.world().resource::<SnapshotView>().0;
    assert_eq!(*seen, expected.map(|what| format!("{what} true")));
}

#[test]
fn p11_messages_tell_the_same_as_observers() {
    let mut game = TestGame::new(ScriptedEngine::saying(["A secret!", ACTIONS]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "");
    game.talk(wizard, "Hello");
    let sorted = |mut told: Vec<GameEvent>| {
        told.sort_by_key(|told| (told.name(), format!("{told:?}")));
        told
    };
    let (observed, read) = (sorted(game.take_events()), sorted(game.take_messages()));
    assert_eq!(observed.len(), 9);
    assert_eq!(observed, read);
}

#[test]
fn p11_what_an_observer_starts_belongs_to_the_next_run() {
    let mut game = TestGame::new(ScriptedEngine::saying(["One.", "Two.", "Three."]));
    let wizard = game.spawn_npc(WIZARD);
    let player = game.player;
    game.app.add_observer(
        move |ended: On<RunEnded>, minds: Query<&Mind>, mut commands: Commands| {
            if minds
                .get(ended.entity)
                .is_ok_and(|mind| mind.interactions < 3)
            {
                commands.entity(ended.entity).hear(player, "And then?");
            }
        },
    );
    game.say(wizard, "Hello");
    for line in ["One.", "Two.", "Three."] {
        game.frame();
        assert_eq!(
            game.take_lines(),
            [SpokenLine::reply(line)],
            "one run a frame"
        );
    }
    game.run_until_idle();
    assert_eq!(game.runs().len(), 3);
    assert_eq!(game.mind(wizard).exchanges[2].heard, "And then?");
}

#[test]
fn p11_despawning_a_thinking_character_cancels_its_run_and_keeps_its_mind() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    assert!(game.world().get::<Thinking>(wizard).is_some());
    let call = engine.last_call();
    assert!(call.chunk("Good "));
    game.frame();
    game.world_mut().despawn(wizard);
    call.reply("evening.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [Outcome::Cancelled]);
    assert!(call.is_dropped(), "the call is dropped");
    game.frames(3);
    assert_eq!(game.take_lines(), [], "late chunks change nothing");
    let asleep = &game.world().resource::<DormantMinds>().0["wizard"];
    assert_eq!(
        (
            asleep.interactions,
            asleep.episodes.len(),
            asleep.exchanges.len()
        ),
        (0, 1, 0)
    );

    let again = game.spawn_npc(WIZARD);
    assert!(game.world().resource::<DormantMinds>().0.is_empty());
    game.say(again, "Hello again");
    game.frame();
    engine.last_call().reply("You again.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("You again.")]);
}

#[test]
fn p11_a_respawned_character_remembers() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS, "Welcome back."]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    game.world_mut().despawn(wizard);
    game.frames(3);
    let again = game.spawn_npc(WIZARD);
    let mind = game.mind(again);
    assert_eq!(
        (mind.interactions, mind.exchanges.len(), mind.episodes.len()),
        (1, 1, 2)
    );
    game.talk(again, "Me again");
    assert!(game.attempts()[0].prompt.contains("Ann came by."));
}

#[test]
fn p11_a_character_that_loses_its_persona_and_gets_it_back_remembers() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let persona = game
        .world_mut()
        .entity_mut(wizard)
        .take::<LoadedCharacter>()
        .unwrap();
    game.frame();
    game.world_mut().entity_mut(wizard).insert(persona);
    game.world_mut().flush();
    let mind = game.mind(wizard);
    assert_eq!(
        (mind.interactions, mind.exchanges.len(), mind.episodes.len()),
        (1, 1, 2)
    );
    assert!(game.world().resource::<DormantMinds>().0.is_empty());
}

#[test]
fn p11_a_new_persona_on_a_living_character_keeps_its_mind_and_its_run() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    let changed = character(&WIZARD.replace("Eldrin", "Merlin"));
    game.world_mut().entity_mut(wizard).insert(changed);
    engine.last_call().reply("Good evening.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("Good evening.")]);
    assert_eq!(game.mind(wizard).episodes.len(), 1);
    assert!(game.world().resource::<DormantMinds>().0.is_empty());
}

#[test]
fn p11_requests_of_a_despawned_character_are_refused() {
    let mut game = TestGame::new(ManualEngine::default());
    let wizard = game.spawn_npc(WIZARD);
    for text in ["One", "Two", "Three"] {
        game.say(wizard, text);
        game.frame();
    }
    game.world_mut().despawn(wizard);
    game.run_until_idle();
    game.frame();
    let messages = game.take_messages();
    let gone = GameEvent::RequestRefused(RequestError::Despawned);
    assert_eq!(messages.iter().filter(|told| **told == gone).count(), 2);
    assert!(messages.contains(&GameEvent::RunEnded(Outcome::Cancelled)));
    assert_eq!(game.counters().engine_calls, 1);
}

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
        (mind.interactions, mind.exchanges.len()),
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
        .exchanges
        .iter()
        .map(|e| e.heard.as_str())
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
        .exchanges
        .iter()
        .map(|e| e.heard.as_str())
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
    let messages = game.take_messages();
    assert!(messages.contains(&GameEvent::RequestRefused(RequestError::Replaced)));
    let endings: Vec<&GameEvent> = messages
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
    assert_eq!(game.mind(wizard).exchanges.len(), 1);
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

#[test]
fn p11_of_two_living_characters_with_one_id_the_second_is_mute() {
    let mut game = TestGame::new(ScriptedEngine::saying(["First.", "First again."]));
    let first = game.spawn_npc(WIZARD);
    let second = game.spawn_npc(WIZARD);
    assert!(game.world().get::<Mind>(second).is_none());
    game.say(second, "Hello");
    game.talk(first, "Hello");
    assert_eq!(game.take_lines(), [SpokenLine::reply("First.")]);
    assert!(matches!(
        game.take_refusals()[..],
        [RequestError::UnknownNpc(_)]
    ));
    game.world_mut().despawn(second);
    assert!(
        game.world().resource::<DormantMinds>().0.is_empty(),
        "the first one's mind is awake"
    );
    game.talk(first, "Hello again");
    assert_eq!(game.take_lines(), [SpokenLine::reply("First again.")]);
}

#[test]
fn p1_speech_that_is_empty_or_too_long_is_refused() {
    let engine = ScriptedEngine::saying(["Yes."]);
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    for text in ["", " \t\r\n", "\u{0}\u{1b}"] {
        game.say(wizard, text);
    }
    game.say(wizard, &"x".repeat(10_000));
    game.say(wizard, &"é".repeat(MAX_INPUT_CHARS + 1));
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
                chars: MAX_INPUT_CHARS + 1
            }
        ]
    );
    assert_eq!(engine.calls(), 0);
    assert_eq!(game.runs(), []);
    game.talk(wizard, &"é".repeat(MAX_INPUT_CHARS));
    assert_eq!(
        game.take_lines(),
        [SpokenLine::reply("Yes.")],
        "exactly so many are heard"
    );
}

#[test]
fn p1_control_characters_are_removed() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, " a\tb\r\nc\u{0}\u{7f}\u{85}d ");
    assert_eq!(game.mind(wizard).exchanges[0].heard, "a b  cd");
}

#[test]
fn p1_an_unknown_or_bad_id_is_a_typed_error() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes."]));
    game.spawn_npc(WIZARD);
    game.world_mut().spawn(WorldId("door".to_owned()));
    let request = || Request::speech("player", "player", "Hello");
    for id in ["nobody", "door", "", "two words", &"x".repeat(65)] {
        submit_request(game.world_mut(), id, request());
    }
    game.run_until_idle();
    let refusals = game.take_refusals();
    assert_eq!(refusals.len(), 5);
    assert_eq!(
        refusals[..2],
        ["nobody", "door"].map(|id| RequestError::UnknownNpc(id.to_owned()))
    );
    assert!(
        refusals[2..]
            .iter()
            .all(|error| matches!(error, RequestError::BadId(_))),
        "{refusals:?}"
    );
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
    submit_request(game.world_mut(), "wizard", request());
    game.run_until_idle();
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
    game.world_mut().resource_mut::<DramatisClock>().game = Millis(-1);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_refusals(), [RequestError::BadTime]);
    game.world_mut().resource_mut::<DramatisClock>().game = Millis(0);
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
