//! How much of a prompt a real server takes from its cache during one talk (contract row F5).

use super::{slow_server, until, url};
use crate::by_id::tell;
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, Files, NoFiles, StoryBook};
use bevy_dramatis::engine::{Engine, EngineStatus, LlamaServer};
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::limits::Limits;
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::{DialoguePolicy, Form, RunPolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const TURNS: usize = 12;

/// How many of a thousand prompt tokens of the second and later turns came from the cache, with the example's wizard and a separate
/// server. On a shared server, another character could use his slot between two of his turns.
fn cached_share(may: &str, form: Form) -> u64 {
    let server = LlamaServer::new(url("DRAMATIS_TEST_SERVER"), url("DRAMATIS_TEST_FAST_GGUF"));
    let engine = server.start().unwrap();
    // Until the server has said how many slots it has, it chooses one itself, and the next turn may begin in another slot.
    until("it is ready, and its slots are known", || {
        engine.status() == EngineStatus::Ready && engine.capacity().slots
    });
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let files = Files {
        roots: vec![assets.clone()],
    };
    let story = std::fs::read(assets.join("tower.story.ron")).unwrap();
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(&story, "tower.story.ron", &files, &registry).unwrap();
    let story = Arc::new(story);
    let written = std::fs::read_to_string(assets.join("npcs/wizard.npc.ron")).unwrap();
    let all = r#"may: ["open", "close", "give", "speak", "take", "use"]"#;
    assert!(written.contains(all));
    let written = written.replace(all, &format!("form: {form:?}, may: {may}"));
    let wizard = Character::parse(written.as_bytes(), "wizard.npc.ron", &files).unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine.clone())))
        // Noise does not end by itself, so the test cuts its lines to a usual length.
        .insert_resource(Limits {
            reply_chars: 160,
            ..Limits::DEFAULT
        });
    app.world_mut().commands().install_story(story.clone());
    app.world_mut().flush();
    app.world_mut().spawn(LoadedCharacter(Arc::new(wizard)));
    app.finish();
    app.cleanup();
    let mut first = engine.usage();
    for turn in 0..TURNS {
        let words = format!("Tell me of star number {turn}.");
        let request = Request::speech("player", "player", &words);
        tell(app.world_mut(), "wizard_001", |npc| {
            npc.interact(request);
        });
        let is_over = (0..20_000).any(|_| {
            app.update();
            std::thread::sleep(Duration::from_millis(2));
            let world = app.world_mut();
            let mut thinking = world.query_filtered::<(), With<Thinking>>();
            thinking.iter(world).next().is_none()
        });
        assert!(is_over);
        if turn == 0 {
            first = engine.usage();
        }
    }
    let last = engine.usage();
    let prompts = last.prompt - first.prompt;
    (last.cached - first.cached) * 1_000 / prompts.max(1)
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SERVER and DRAMATIS_TEST_FAST_GGUF"]
#[allow(clippy::print_stdout, reason = "the figures are what it is for")]
fn f5_a_talk_comes_mostly_from_the_cache() {
    let acts = r#"["open", "close", "give", "speak", "take", "use"]"#;
    for form in [Form::Together, Form::Apart] {
        let talk = cached_share(r#"["speak"]"#, form);
        let acting = cached_share(acts, form);
        println!(
            "{form:?}: of 1000 prompt tokens from the cache: {talk} in a talk, {acting} acting all the time"
        );
        // The present state comes after the exchanges, so the server reads it again in every turn, and with it up to five older exchanges,
        // as memories.
        let least = match form {
            Form::Together => (640, 580),
            Form::Apart => (850, 850),
        };
        assert!(
            talk >= least.0 && acting >= least.1,
            "{form:?}: {talk} {acting}"
        );
    }
}

/// How many of a thousand prompt tokens of a character's first answer came from the cache, if the server does not know the character.
fn first_answer(url: &str, name: &str, is_warmed: bool) -> u64 {
    let config = HttpConfig::new(url, "tiny-npc").with_cache_prompt();
    let engine = HttpEngine::new(config).unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine.clone())))
        .insert_resource(Limits {
            reply_tokens: 8,
            ..Limits::DEFAULT
        })
        .insert_resource(DialoguePolicy(RunPolicy {
            max_attempts: 1,
            ..RunPolicy::DIALOGUE
        }));
    let persona =
        "You keep the inn at the ford, and you like to be asked about the river. ".repeat(20);
    let character = format!(
        r#"(id: "npc", name: "{name}", persona: "{persona}", fallbacks: (generic: ["Hm."]))"#
    );
    let character = Character::parse(character.as_bytes(), "npc.ron", &NoFiles).unwrap();
    let npc = app
        .world_mut()
        .spawn(LoadedCharacter(Arc::new(character)))
        .id();
    app.finish();
    app.cleanup();
    app.update();
    let play_until = |app: &mut App, done: &dyn Fn(&mut World) -> bool| {
        let is_over = (0..20_000).any(|_| {
            app.update();
            std::thread::sleep(Duration::from_millis(2));
            done(app.world_mut())
        });
        assert!(is_over);
    };
    // The server says how many slots it has.
    play_until(&mut app, &|_| engine.capacity().slots);
    if is_warmed {
        app.world_mut().commands().entity(npc).warm();
        play_until(&mut app, &|_| engine.usage().prompt > 0);
    }
    let before = engine.usage();
    tell(app.world_mut(), "npc", |npc| {
        npc.interact(Request::speech("player", "player", "Hello?"));
    });
    play_until(&mut app, &|world| {
        world
            .query_filtered::<(), With<Thinking>>()
            .iter(world)
            .next()
            .is_none()
    });
    let after = engine.usage();
    let prompts = after.prompt - before.prompt;
    (after.cached - before.cached) * 1_000 / prompts.max(1)
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SLOW_URL"]
#[allow(clippy::print_stdout, reason = "the figures are what it is for")]
fn e2_who_was_warmed_is_known_at_the_first_word() {
    let now = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_millis();
    let (url, _alone) = slow_server();
    let cold = first_answer(&url, &format!("Ann{now}"), false);
    let warm = first_answer(&url, &format!("Bob{now}"), true);
    println!("of 1000 prompt tokens of a first answer from the cache: {cold}, and {warm} warmed");
    assert!(warm > 700 && warm > cold, "{warm} {cold}");
}
