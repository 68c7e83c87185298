//! Engines that fail, hang, talk without end or send garbage (contract rows P6, P9, P11, R1, R3).

use super::WIZARD;
use bevy_dramatis::engine::Inference;
use bevy_dramatis::engine::ScriptSpec;
use bevy_dramatis::engine::{EngineError, EngineEvent, EngineIdentity, ScriptedEngine};
use bevy_dramatis::format::parse_ron;
use bevy_dramatis::pipeline::CallInFlight;
use bevy_dramatis::pipeline::DialoguePolicy;
use bevy_dramatis::pipeline::{AttemptError, FallbackTier, Outcome, RunPolicy};
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::testing::{FnEngine, GameEvent, ManualEngine, SpokenLine, TestGame};
use std::time::Duration;

/// The most bytes of a reply.
const MAX_REPLY_BYTES: usize = 256 * 1024;

fn fallback(line: &str) -> Outcome {
    Outcome::Fallback {
        line: line.into(),
        tier: FallbackTier::Generic,
    }
}

fn accepted(line: &str) -> Outcome {
    Outcome::Accepted { line: line.into() }
}

#[test]
fn r3_an_engine_that_hangs_meets_the_deadline_and_its_call_is_dropped() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    let call = engine.last_call();
    assert_eq!(call.request.time_left.as_millis(), 30_000);
    call.chunk("Half an ans");
    game.advance(29_999);
    game.frames(3);
    assert!(!call.is_dropped());
    game.advance(2);
    game.run_until_idle();
    assert!(call.is_dropped());
    assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
    let attempts = game.attempts();
    assert_eq!(attempts.len(), 1, "no time is left for another");
    assert_eq!(
        (attempts[0].error, attempts[0].reply.as_deref()),
        (Some(AttemptError::Deadline), None)
    );
    let before = format!("{:?}", game.mind(wizard));
    call.reply("wer.");
    game.frames(3);
    assert_eq!(
        format!("{:?}", game.mind(wizard)),
        before,
        "late chunks change nothing"
    );
    assert_eq!(engine.calls().len(), 1);
}

#[test]
fn p6_a_deadline_says_how_fast_the_engine_was() {
    for (chunk, says) in [
        (
            "Half an ans",
            "11 bytes came in the 30.0 s of the call, about 0.0 tokens a second",
        ),
        ("", "nothing of the reply came in the 30.0 s of the call"),
    ] {
        let engine = ManualEngine::default();
        let mut game = TestGame::new(engine.clone());
        let wizard = game.spawn_npc(WIZARD);
        game.say(wizard, "Hello");
        game.frame();
        engine.last_call().chunk(chunk);
        game.advance(30_001);
        game.run_until_idle();
        let attempt = &game.attempts()[0];
        assert_eq!(attempt.error, Some(AttemptError::Deadline));
        let message = attempt.error_message.clone().unwrap();
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn r3_a_call_that_hangs_is_made_again_and_the_first_answer_counts() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    game.advance(9_999);
    game.frames(2);
    assert_eq!(engine.calls().len(), 1);
    game.advance(1);
    game.frames(2);
    let calls = engine.calls();
    assert_eq!(calls.len(), 2, "a third of the deadline has passed");
    assert_eq!(calls[1].request.time_left.as_millis(), 20_000);
    assert_eq!(calls[1].request.messages, calls[0].request.messages);
    assert!(!calls[0].is_dropped(), "it may still answer");
    calls[1].reply("At last.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("At last.")]);
    assert!(calls[0].is_dropped());
    assert_eq!(game.attempts().len(), 1);
    // An engine that has begun to answer does not hang.
    game.say(wizard, "Hello");
    game.frame();
    engine.last_call().chunk("");
    game.advance(20_000);
    game.frames(2);
    assert_eq!(engine.calls().len(), 3);
}

#[test]
fn p6_a_reply_exactly_at_the_deadline_is_in_time() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    game.advance(30_000);
    engine.last_call().reply("At last.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("At last.")]);
}

#[test]
fn p10_the_deadline_is_for_the_whole_run_and_a_queued_request_is_no_run() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let policy = RunPolicy {
        deadline: Duration::from_secs(10),
        ..RunPolicy::DIALOGUE
    };
    game.world_mut().insert_resource(DialoguePolicy(policy));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "One");
    game.frame();
    game.say(wizard, "Two");
    game.advance(6_000);
    engine.last_call().reply("The secret.");
    game.frames(2);
    assert_eq!(
        engine.calls().len(),
        2,
        "the first failed, the second is in flight"
    );
    assert_eq!(engine.last_call().request.time_left.as_millis(), 4_000);
    game.advance(4_001);
    game.frames(3);
    assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
    assert_eq!(engine.calls().len(), 3);
    let second = engine.last_call();
    assert_eq!(second.request.input, "Two");
    assert_eq!(
        second.request.time_left.as_millis(),
        10_000,
        "its time begins now"
    );
    second.reply("Well.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("Well.")]);
}

#[test]
fn r3_endless_chunks_are_oversized_and_bounded() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    let mut frames = 0;
    while game.counters().fallbacks == 0 {
        game.frame();
        frames += 1;
        assert!(frames < 50, "it ends");
        while engine.last_call().chunk(vec![b'a'; 10_000]) {}
        let world = game.world_mut();
        for flight in world.query::<&CallInFlight>().iter(world) {
            assert!(flight.arrived().len() <= MAX_REPLY_BYTES);
        }
    }
    let attempts = game.attempts();
    assert_eq!(attempts.len(), 3);
    assert!(
        attempts
            .iter()
            .all(|attempt| attempt.error == Some(AttemptError::Oversized))
    );
    assert!(
        attempts[1].prompt.contains("too long"),
        "the next attempt is told"
    );
    assert!(engine.calls().iter().all(|call| call.is_dropped()));
    game.frame();
    assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
}

#[test]
fn r1_one_byte_over_the_cap_is_oversized_and_the_cap_itself_is_not() {
    for (extra, error) in [(0, None), (1, Some(AttemptError::Oversized))] {
        let mut game = TestGame::new(FnEngine::always("a".repeat(MAX_REPLY_BYTES + extra)));
        let wizard = game.spawn_npc(WIZARD);
        game.talk(wizard, "Hello");
        assert_eq!(game.attempts()[0].error, error);
    }
}

#[test]
fn r1_a_flood_of_empty_chunks_is_bounded() {
    let mut game = TestGame::new(FnEngine::new(|call, _| {
        let flood = vec![EngineEvent::Chunk(Vec::new()); MAX_REPLY_BYTES + 1];
        if call == 0 {
            flood
                .into_iter()
                .chain(EngineEvent::whole_reply("Well."))
                .collect()
        } else {
            EngineEvent::whole_reply("Well.")
        }
    }));
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_outcomes(), [accepted("Well.")]);
    let inference: &Inference = game.last_run();
    assert!(
        inference.chunk_ends.len() <= MAX_REPLY_BYTES,
        "{} chunks are kept",
        inference.chunk_ends.len()
    );
}

#[test]
fn p6_bytes_that_are_not_utf8_fail_the_attempt_and_the_next_is_told() {
    let engine = FnEngine::new(|call, _| {
        if call == 0 {
            EngineEvent::whole_reply(b"caf\xff".to_vec())
        } else {
            EngineEvent::whole_reply("Well.")
        }
    });
    let mut game = TestGame::new(engine);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let attempts = game.attempts();
    assert_eq!(attempts[0].error, Some(AttemptError::NotUtf8));
    assert_eq!(attempts[0].reply, None);
    assert!(attempts[1].prompt.contains("could not be read"));
    assert_eq!(game.take_outcomes(), [accepted("Well.")]);
    let failed: Vec<GameEvent> = game
        .take_events()
        .into_iter()
        .filter(|told| told.name() == "AttemptFailed")
        .collect();
    assert_eq!(
        failed,
        [GameEvent::AttemptFailed {
            attempt: 0,
            error: Some(AttemptError::NotUtf8),
            rules: Vec::new()
        }]
    );
}

#[test]
fn g1_characters_split_between_chunks_arrive_whole() {
    let reply = "Ünïcödé 🧙 \u{1F468}\u{200D}\u{1F469} — ja.";
    let split = |size: usize| {
        let chunks = reply
            .as_bytes()
            .chunks(size)
            .map(|chunk| EngineEvent::Chunk(chunk.to_vec()));
        chunks
            .chain([EngineEvent::Finished(Finish::Stop)])
            .collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for size in [1, 2, 3, 5, 1_000] {
        let mut game = TestGame::new(FnEngine::new(move |_, _| split(size)));
        let wizard = game.spawn_npc(WIZARD);
        game.talk(wizard, "Hello");
        let inference: &Inference = game.last_run();
        assert_eq!(inference.bytes, reply.as_bytes());
        assert_eq!(inference.chunk_ends.len(), reply.len().div_ceil(size));
        assert_eq!(inference.chunk_ends.last(), Some(&reply.len()));
        lines.extend(game.take_lines());
    }
    assert_eq!(lines.len(), 5);
    assert!(
        lines
            .iter()
            .all(|line| matches!(line, SpokenLine::Reply(text) if text.starts_with("Ünïcödé 🧙")))
    );
    lines.dedup();
    assert_eq!(lines.len(), 1);
}

#[test]
fn p6_every_fault_of_an_engine_is_typed_and_counts_as_an_attempt() {
    let errors = [
        (EngineError::Timeout("slow".into()), AttemptError::Timeout),
        (
            EngineError::Unreachable("gone".into()),
            AttemptError::Transport,
        ),
        (
            EngineError::Status {
                status: 500,
                message: "no".into(),
            },
            AttemptError::Transport,
        ),
        (
            EngineError::Interrupted("cut".into()),
            AttemptError::Transport,
        ),
        (
            EngineError::Protocol("what".into()),
            AttemptError::Transport,
        ),
        (EngineError::Oversized { limit: 1 }, AttemptError::Oversized),
        (EngineError::NotUtf8, AttemptError::NotUtf8),
    ];
    for (error, expected) in errors {
        let engine = FnEngine::new(move |_, _| {
            vec![
                EngineEvent::Chunk(b"Half".to_vec()),
                EngineEvent::Failed(error.clone()),
            ]
        });
        let mut game = TestGame::new(engine);
        let wizard = game.spawn_npc(WIZARD);
        game.talk(wizard, "Hello");
        let found: Vec<_> = game
            .attempts()
            .iter()
            .map(|attempt| attempt.error)
            .collect();
        assert_eq!(found, [Some(expected); 3]);
        assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
        assert_eq!(
            (game.counters().attempts, game.counters().engine_calls),
            (3, 3)
        );
    }
}

#[test]
fn p6_an_engine_that_vanishes_is_a_transport_error() {
    let mut game = TestGame::new(FnEngine::new(|_, _| {
        vec![EngineEvent::Chunk(b"Half".to_vec())]
    }));
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(game.attempts()[0].error, Some(AttemptError::Transport));
    assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
}

#[test]
fn p6_events_after_the_end_of_a_call_are_ignored() {
    let engine = FnEngine::new(|_, _| {
        EngineEvent::whole_reply("Well.")
            .into_iter()
            .chain(EngineEvent::whole_reply(" And the secret."))
            .collect()
    });
    let mut game = TestGame::new(engine);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_lines(), [SpokenLine::reply("Well.")]);
}

#[test]
fn p5_a_prompt_over_the_context_limit_asks_nobody_and_falls_back() {
    let mut identity = EngineIdentity::new("test", "test");
    identity.capabilities.context_chars = 100;
    let engine = ScriptedEngine::saying(["Well."]).with_identity(identity);
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(engine.calls(), 0);
    assert_eq!(game.attempts()[0].error, Some(AttemptError::ContextLimit));
    assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
}

#[test]
fn p9_somebody_without_any_line_speaks_the_built_in_one() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    let npc = game.spawn_npc("(id: \"mute\", fallbacks: (generic: [\" \"]))");
    game.talk(npc, "Hello");
    assert_eq!(game.take_lines(), [SpokenLine::fallback("...")]);
}

#[test]
fn p10_a_policy_without_a_fallback_fails_in_silence() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    let policy = RunPolicy {
        fallback: false,
        ..RunPolicy::DIALOGUE
    };
    game.world_mut().insert_resource(DialoguePolicy(policy));
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_outcomes(), [Outcome::Failed]);
    assert_eq!(game.take_lines(), []);
    assert_eq!(game.mind(wizard).interactions, 0);
}

#[test]
fn p10_a_call_that_failed_is_repeated_where_the_policy_allows_one_attempt() {
    let failing = |call: u64| match call {
        0 | 1 => vec![EngineEvent::Failed(EngineError::Unreachable("gone".into()))],
        _ => EngineEvent::whole_reply("Well."),
    };
    let engine = FnEngine::new(move |call, _| failing(call));
    let mut game = TestGame::new(engine.clone());
    let policy = RunPolicy {
        max_attempts: 1,
        fault_retries: u32::MAX,
        ..RunPolicy::DIALOGUE
    };
    game.world_mut().insert_resource(DialoguePolicy(policy));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    for _ in 0..8 {
        game.frames(3);
        game.advance(1_000);
    }
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("Well.")]);
    assert_eq!(engine.requests().len(), 3);
}

#[test]
fn p10_a_policy_without_attempts_still_ends() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Well."]));
    let policy = RunPolicy {
        max_attempts: 0,
        ..RunPolicy::DIALOGUE
    };
    game.world_mut().insert_resource(DialoguePolicy(policy));
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_outcomes(), [fallback("Hm.")]);
}

fn thoughts(game: &mut TestGame) -> Vec<String> {
    let told = game.take_events().into_iter();
    told.filter_map(|told| match told {
        GameEvent::ThinkingLine(line) => Some(line),
        _ => None,
    })
    .collect()
}

#[test]
fn p11_the_thinking_line_is_spoken_once_after_two_seconds_and_remembered_by_nobody() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    let before = format!("{:?}", game.mind(wizard));
    game.say(wizard, "Hello");
    game.frame();
    game.advance(1_999);
    game.frames(2);
    assert_eq!(thoughts(&mut game), Vec::<String>::new());
    game.advance(1);
    game.frames(2);
    assert_eq!(thoughts(&mut game), ["Let me think."]);
    assert_eq!(format!("{:?}", game.mind(wizard)), before);
    engine.last_call().reply("The secret.");
    game.frames(2);
    game.advance(5_000);
    game.frames(2);
    assert_eq!(engine.calls().len(), 2);
    assert_eq!(
        thoughts(&mut game),
        Vec::<String>::new(),
        "once a run, not once an attempt"
    );
    engine.last_call().reply("Well.");
    game.run_until_idle();
    assert_eq!(game.mind(wizard).exchanges().len(), 1);
    assert_eq!(game.mind(wizard).exchanges().next().unwrap().2, "Well.");
    assert!(game.mind(wizard).recent_fallbacks.is_empty());
    game.say(wizard, "And now?");
    game.frame();
    game.advance(2_000);
    game.frame();
    assert_eq!(thoughts(&mut game), ["Let me think."], "each run anew");
}

#[test]
fn p11_nobody_thinks_aloud_once_the_answer_is_there() {
    let script = br#"(replies: [Reply((text: "Well.", delay_seconds: 1.0))])"#;
    let script: ScriptSpec = parse_ron(script, "script").unwrap();
    let mut game = TestGame::new(ScriptedEngine::new(&script).unwrap());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    // One slow frame: the answer arrived after a second of it.
    game.advance(3_000);
    game.run_until_idle();
    assert_eq!(game.take_event_names(), ["RunStarted", "Spoke", "RunEnded"]);
}

#[test]
fn p11_a_character_without_thinking_lines_is_silent_while_it_thinks() {
    let mut game = TestGame::new(ManualEngine::default());
    let npc = game.spawn_npc("(id: \"guard\")");
    game.say(npc, "Hello");
    game.frame();
    game.advance(3_000);
    game.frames(2);
    assert_eq!(game.take_event_names(), ["RunStarted"]);
}

#[test]
fn p9_a_line_that_stands_twice_in_a_list_does_not_empty_it() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    let npc = game
        .spawn_npc("(id: \"guard\", fallbacks: (generic: [\"Hm.\", \"Hm.\", \"No.\", \"No.\"]))");
    for _ in 0..8 {
        game.talk(npc, "Hello");
    }
    let lines = game.take_lines();
    assert!(
        lines
            .iter()
            .all(|line| matches!(line.text(), "Hm." | "No.")),
        "{lines:?}"
    );
}

#[test]
fn p6_a_reply_that_came_in_time_survives_a_long_frame() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    engine.last_call().reply("Who knocks?");
    // The game loads a level: the next frame comes a minute later.
    game.advance(60_000);
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Who knocks?")]);

    game.say(wizard, "Hello?");
    game.frame();
    game.advance(60_000);
    game.run_until_idle();
    assert!(matches!(game.take_lines()[..], [SpokenLine::Fallback(_)]));
    let counters = game.counters();
    assert_eq!((counters.fallbacks, counters.fallbacks_deadline), (1, 1));
}

#[test]
fn p9_fallbacks_are_counted_by_what_went_wrong() {
    let replies = ScriptedEngine::saying(["The secret.", "The secret.", "The secret."]);
    let mut game = TestGame::new(replies);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    game.talk(wizard, "Hello");
    let counters = game.counters();
    assert_eq!(counters.fallbacks, 2);
    assert_eq!(counters.fallbacks_refused, 1);
    assert_eq!(counters.fallbacks_engine, 1, "the script has run out");
}
