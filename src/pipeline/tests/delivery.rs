//! Lines that are heard sentence by sentence, in a game (contract row P12). What scenarios can say is in
//! `assets/scenarios/p12_*`.

use super::WIZARD;
use crate::engine::{EngineError, EngineEvent};
use crate::events::{Spoke, SpokeSentence};
use crate::npc::Thinking;
use crate::pipeline::{Delivery, DialoguePolicy, HeardSentences, Outcome, RunPolicy};
use crate::proposal::Finish;
use crate::testing::{FnEngine, ManualEngine, TestGame};
use bevy::prelude::*;

/// What was heard, in order: sentences, and whole lines in brackets.
#[derive(Resource, Default)]
struct Heard(Vec<String>);

fn game(engine: ManualEngine) -> TestGame {
    let mut game = TestGame::new(engine);
    game.app
        .insert_resource(DialoguePolicy(
            RunPolicy::DIALOGUE.delivered(Delivery::Sentences),
        ))
        .init_resource::<Heard>()
        .add_observer(|said: On<SpokeSentence>, mut heard: ResMut<Heard>| {
            heard.0.push(said.sentence.clone());
        })
        .add_observer(|spoke: On<Spoke>, mut heard: ResMut<Heard>| {
            heard.0.push(format!("[{}]", spoke.line));
        });
    game
}

fn heard(game: &mut TestGame) -> Vec<String> {
    std::mem::take(&mut game.world_mut().resource_mut::<Heard>().0)
}

/// An engine that is asked for JSON, and answers as it comes.
const BEGINNING: &str = r#"{"intents": [], "mutations": [], "dialogue": ""#;

#[test]
fn p12_the_first_sentence_is_heard_before_the_last_has_come() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone());
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello?");
    game.frames(2);
    let call = engine.last_call();
    let schema = call.request.schema.clone().unwrap();
    assert_eq!(
        schema["required"],
        serde_json::json!(["intents", "mutations", "dialogue"])
    );
    call.chunk(BEGINNING);
    call.chunk("Come in. Si");
    game.frames(3);
    assert_eq!(heard(&mut game), ["Come in."]);
    call.chunk("t down. Rest.");
    game.frames(3);
    assert_eq!(heard(&mut game), ["Sit down."]);
    call.chunk("\"}");
    call.event(EngineEvent::Finished(Finish::Stop));
    game.run_until_idle();
    assert_eq!(heard(&mut game), ["Rest.", "[Come in. Sit down. Rest.]"]);
}

#[test]
fn p12_a_stream_that_breaks_off_is_gone_on_with() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone());
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello?");
    game.frames(2);
    let call = engine.last_call();
    call.chunk(format!("{BEGINNING}Come in. Sit dow"));
    call.event(EngineEvent::Failed(EngineError::Interrupted(
        "gone".to_owned(),
    )));
    game.frames(5);
    let second = engine.last_call();
    let prompt = &second.request.messages.last().unwrap().content;
    assert!(prompt.contains("\"Come in.\""), "{prompt}");
    second.reply(&format!("{BEGINNING}Sit down.\"}}"));
    game.run_until_idle();
    assert_eq!(
        heard(&mut game),
        ["Come in.", "Sit down.", "[Come in. Sit down.]"]
    );
    let outcome = game.take_outcomes().pop();
    assert_eq!(
        outcome,
        Some(Outcome::Accepted {
            line: "Come in. Sit down.".to_owned()
        })
    );
}

#[test]
fn p12_a_mute_character_is_not_heard() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone());
    game.install_story(
        r#"(world: (locations: {"hall": (name: "Hall")}, entities: {"wizard": (name: "Eldrin", kind: "character", at: In("hall"), attributes: {"mute": true})}))"#,
    );
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello?");
    game.frames(2);
    engine
        .last_call()
        .reply(&format!("{BEGINNING}Come in. Sit down.\"}}"));
    game.run_until_idle();
    let heard = heard(&mut game);
    assert!(
        heard.iter().all(|words| !words.contains("Come in")),
        "{heard:?}"
    );
}

#[test]
fn p12_what_a_game_takes_away_in_mid_stream_ends_the_run() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone());
    let wizard = game.spawn_npc(&WIZARD);
    for removed in 0..3 {
        game.say(wizard, "Hello?");
        game.frames(2);
        let call = engine.last_call();
        call.chunk(format!("{BEGINNING}Come in. Sit down. Re"));
        game.frame();
        let run = game.world().get::<Thinking>(wizard).unwrap().run;
        let mut run = game.world_mut().entity_mut(run);
        match removed {
            0 => _ = run.remove::<HeardSentences>(),
            1 => _ = run.remove::<crate::pipeline::StateSnapshot>(),
            _ => run.despawn(),
        }
        game.frames(20);
        assert!(call.is_dropped());
        game.take_outcomes();
    }
    game.say(wizard, "Hello?");
    game.frames(2);
    engine
        .last_call()
        .reply(&format!("{BEGINNING}I am here.\"}}"));
    game.run_until_idle();
    assert!(heard(&mut game).contains(&"I am here.".to_owned()));
}

#[test]
fn p12_a_long_reply_in_small_chunks_ends() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone());
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello?");
    game.frames(2);
    let call = engine.last_call();
    call.chunk(BEGINNING);
    for number in 0..400 {
        call.chunk(format!("And on to {number}. "));
        game.frames(2);
    }
    call.reply("Rest.\"}");
    game.run_until_idle();
    let heard = heard(&mut game);
    let whole = heard.last().unwrap();
    // As long as a line may be, and no word of it was heard twice.
    let chars = whole.chars().count();
    assert!((1_900..=2_002).contains(&chars), "{chars}");
    assert_eq!(format!("[{}]", heard[..heard.len() - 1].join(" ")), *whole);
}

/// Whether a line passes when it comes in pieces of `size` bytes.
fn passes(line: &str, delivery: Delivery, size: usize) -> bool {
    let reply = format!("{BEGINNING}{line}\"}}");
    let mut game = TestGame::new(FnEngine::new(move |_, _| {
        let pieces = reply.as_bytes().chunks(size);
        let pieces = pieces.map(|piece| EngineEvent::Chunk(piece.to_vec()));
        pieces
            .chain([EngineEvent::Finished(Finish::Stop)])
            .collect()
    }));
    game.app.insert_resource(DialoguePolicy(RunPolicy {
        max_attempts: 1,
        ..RunPolicy::DIALOGUE.delivered(delivery)
    }));
    let wizard = game.spawn_npc(&WIZARD);
    game.talk(wizard, "Hello?");
    let verdict = game.attempts()[0].verdict.as_ref();
    verdict.is_some_and(|verdict| verdict.passed)
}

#[test]
fn p12_what_is_no_speech_gets_one_verdict_for_every_chunking() {
    for (line, is_speech) in [
        ("Come in. json_json", false),
        ("door_open. Come in.", false),
        ("Come in. door_open. Sit. And rest.", false),
        ("2022-08-21T17:35:00. It is late.", false),
        ("It is late. 2022-08-21 17:35:00", false),
        ("aaaaaaaaaa", false),
        (
            "Sit down by me. Sit down by me. Sit down by me. Sit down by me. Sit down by me. Go.",
            false,
        ),
        (
            "我是这座塔的守护者。我是这座塔的守护者。我是这座塔的守护者。我是这座塔的守护者。我是这座塔的守护者。",
            false,
        ),
        ("Come. <|strange|> Sit.", false),
        ("Come. No. No. No. No. No! Sit.", true),
        ("1066. Or was it 1067? 42. Move! Door.", true),
        ("Hm. aaaaaaaaaa. Hm.", true),
        (
            "Long live the king! Long live the king! Long live the king! Hurrah!",
            true,
        ),
    ] {
        assert_eq!(passes(line, Delivery::Whole, 1_000), is_speech, "{line}");
        for size in [1, 2, 7, 1_000] {
            let one_by_one = passes(line, Delivery::Sentences, size);
            assert_eq!(one_by_one, is_speech, "{line} in pieces of {size}");
        }
    }
}
