//! A hundred characters on one server (contract rows E1 and E2): which characters wait, and how much of the prompts comes from the cache.

use super::fast_url;
use crate::by_id::tell;
use crate::heard::{listen, take_heard};
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::engine::{Engine, HttpConfig, HttpEngine, TokenUsage};
use bevy_dramatis::events::RunEnded;
use bevy_dramatis::limits::Limits;
use bevy_dramatis::npc::{NpcPriority, Request};
use bevy_dramatis::pipeline::{AttemptError, AttemptLog, DialoguePolicy, Form, RunPolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::rules::TriggerReason;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::world::ActionRegistry;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

const CROWD: usize = 100;
const SPOKEN_TO: usize = 20;
const ROUNDS: usize = 3;

/// The shared part of all prompts: a story of the usual size.
fn story(town: &str) -> StoryBook {
    let facts: String = (0..16)
        .map(|n| format!("(id: \"fact_{n}\", text: \"In {town} the house number {n} of the market street belongs to the guild of weavers since the flood.\"),"))
        .collect();
    let ron = format!("(canon: [{facts}])");
    StoryBook::parse(
        ron.as_bytes(),
        "crowd.story.ron",
        &NoFiles,
        &ActionRegistry::default(),
    )
    .unwrap()
}

fn character(n: usize, town: &str) -> Character {
    let trade = ["baker", "smith", "weaver", "miller", "tanner"][n % 5];
    let ron = format!(
        r#"(id: "npc_{n}", name: "Number {n} of {town}", may: [],
            persona: "You are a {trade}, number {n} of your guild, and you have lived in {town} for {n} years. You speak in short, plain sentences, and you like to be asked about your trade and about the weather in the valley. You never raise your voice. When you do not know a thing, you say so.",
            fallbacks: (generic: ["Hm."]))"#
    );
    Character::parse(ron.as_bytes(), "npc.ron", &NoFiles).unwrap()
}

/// The results of a game.
#[derive(Debug, Default)]
struct Told {
    usage: TokenUsage,
    ended: usize,
    late: usize,
    /// How long the runs took of the characters to whom the player spoke, and those of the others.
    spoken_to: Vec<Duration>,
    others: Vec<Duration>,
    frames: Vec<Duration>,
}

/// A game in which the player speaks to twenty of a hundred characters at once, round after round, and ten others have something to say
/// among themselves. Each town has its own story and characters, so that no server knows them.
fn play(config: HttpConfig, town: &str) -> Told {
    let engine = HttpEngine::new(config.with_cache_prompt()).unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine.clone())))
        .insert_resource(Limits {
            reply_tokens: 24,
            ..Limits::DEFAULT
        })
        .insert_resource(DialoguePolicy(RunPolicy {
            deadline: Duration::from_secs(120),
            max_attempts: 1,
            ..RunPolicy::DIALOGUE.asked(Form::Together)
        }))
        .insert_resource(ActiveStory(Arc::new(story(town))));
    let mut crowd = Vec::new();
    for n in 0..CROWD {
        let npc = app
            .world_mut()
            .spawn(LoadedCharacter(Arc::new(character(n, town))))
            .id();
        crowd.push(npc);
    }
    for npc in &crowd[SPOKEN_TO..] {
        app.world_mut()
            .entity_mut(*npc)
            .insert(NpcPriority::Ambient);
    }
    listen::<RunEnded>(app.world_mut());
    app.finish();
    app.cleanup();
    app.update();
    let mut told = Told::default();
    for round in 0..ROUNDS {
        let begun = Instant::now();
        // The others come first: they must not delay the characters to whom the player speaks.
        for n in (SPOKEN_TO..CROWD).step_by(8) {
            let request = Request::new(TriggerReason::WorldEvent);
            tell(app.world_mut(), &format!("npc_{n}"), |npc| {
                npc.interact(request);
            });
        }
        for n in 0..SPOKEN_TO {
            let words = format!("Round {round}: what news?");
            let request = Request::speech("player", "player", &words);
            tell(app.world_mut(), &format!("npc_{n}"), |npc| {
                npc.interact(request);
            });
        }
        let wanted = told.ended + SPOKEN_TO + (SPOKEN_TO..CROWD).step_by(8).count();
        while told.ended < wanted {
            assert!(
                begun.elapsed() < Duration::from_secs(300),
                "{} of {wanted}",
                told.ended
            );
            let frame = Instant::now();
            app.update();
            told.frames.push(frame.elapsed());
            for RunEnded { entity, run, .. } in take_heard(app.world_mut()) {
                told.ended += 1;
                let took = begun.elapsed();
                match crowd.iter().position(|one| Some(*one) == entity) {
                    Some(n) if n < SPOKEN_TO => told.spoken_to.push(took),
                    _ => told.others.push(took),
                }
                let log = app.world().get::<AttemptLog>(run);
                let late = log.is_some_and(|log| {
                    log.0.iter().any(|attempt| {
                        matches!(
                            attempt.error,
                            Some(AttemptError::Deadline | AttemptError::Timeout)
                        )
                    })
                });
                told.late += usize::from(late);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    told.usage = engine.usage();
    told
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
#[allow(clippy::print_stdout, reason = "the figures are what it is for")]
fn e2_a_crowd_shares_a_server() {
    let url = fast_url();
    let config = || HttpConfig::new(&url, "tiny-npc");
    let mut shares = BTreeMap::new();
    let now = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_millis();
    for (what, config) in [
        ("all at once", config().with_props(false)),
        (
            "four at once, in order",
            config().with_props(false).with_calls(4),
        ),
        ("four at once, in order, each in its slot", config()),
    ] {
        let town = format!("Tor{now}a{}", what.len());
        let told = play(config, &town);
        let share = told.usage.cached * 1_000 / told.usage.prompt.max(1);
        println!(
            "{what}: {share} of 1000 prompt tokens from the cache; spoken to {:?}, others {:?}; {} late; a frame {:?}",
            median(&told.spoken_to),
            median(&told.others),
            told.late,
            median(&told.frames),
        );
        assert_eq!(told.late, 0);
        shares.insert(what, share);
    }
    let plain = shares["all at once"];
    assert!(
        shares["four at once, in order, each in its slot"] + 50 >= plain,
        "{shares:?}"
    );
}
