//! F1, F2 and F3: what characters cost that are idle, one that is spoken to, and a hundred that wait for an engine.

use crate::table::{Pair, Table, pair, timed};
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::base::canonical::Digest;
use bevy_dramatis::base::clock::ManualClock;
use bevy_dramatis::base::fixed::Millionths;
use bevy_dramatis::base::time::GameTime;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, ScriptedEngine,
};
use bevy_dramatis::id;
use bevy_dramatis::memory::{Episode, Episodes, Mind};
use bevy_dramatis::npc::{Request, submit_request};
use bevy_dramatis::pipeline::policy::{Delivery, DialoguePolicy, RunPolicy};
use bevy_dramatis::pipeline::{AttemptLog, RunHistory};
use bevy_dramatis::prelude::*;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::empty_mind;
use bevy_dramatis::world::{ActionRegistry, GameWrite};
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;

/// The rows of this file.
pub fn rows(table: &mut Table) {
    idle(table);
    whole_run(table);
    crowd(table);
    in_flight(table);
    sentences(table);
}

pub fn app(engine: impl Engine) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock);
    app.finish();
    app.cleanup();
    app.update();
    app
}

pub fn character(id: &str, rules: usize) -> Arc<Character> {
    let mut source =
        format!("(id: \"{id}\", name: \"Eldrin\", persona: \"You keep the tower.\", rules: [");
    for i in 0..rules {
        // Four in five prohibit, one in five requires, as in the comparison of other systems.
        let (kind, patterns) = if i % 5 == 0 {
            ("Requirement", "[\"traveller\"]".to_owned())
        } else {
            (
                "Prohibition",
                format!("[\"forbidden{i}\", \"hidden{i}\", \"lost{i}\"]"),
            )
        };
        let _ = write!(
            source,
            "(id: \"r{i}\", constraints: [(id: \"c{i}\", kind: {kind}, severity: Hard, prompt: \"rule {i}\", patterns: {patterns})]),"
        );
    }
    source.push_str("])");
    let parsed = Character::parse(source.as_bytes(), "bench.npc.ron", &NoFiles);
    Arc::new(parsed.unwrap_or_else(|errors| panic!("{errors:?}")))
}

/// What is said to the wizard.
pub const LINE: &str = "Would you tell me of the key, the door and the rain on the road?";

/// So many episodes of twenty words each, of a vocabulary of 5,000: as in a language, the second word comes half as often as
/// the first, the third one a third as often, and so on.
pub fn remember(count: usize) -> Mind {
    const FREQUENT: [&str; 16] = [
        "the", "of", "and", "on", "a", "me", "you", "tower", "key", "door", "rain", "bread",
        "road", "king", "letter", "wolf",
    ];
    let mut state = 1_u64;
    let mut word = || {
        // The multiplier of a linear congruential generator (Knuth's MMIX).
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 40) as f64 / (1_u64 << 24) as f64;
        let rank = (share * 5_000_f64.ln()).exp() as usize - 1;
        let frequent = FREQUENT.get(rank).map(ToString::to_string);
        frequent.unwrap_or_else(|| format!("word{rank}"))
    };
    let mut mind = empty_mind();
    mind.episodes = Episodes::with_cap(count + 10);
    for i in 0..count {
        let text: Vec<String> = (0..20).map(|_| word()).collect();
        let time = GameTime(i64::try_from(i).unwrap_or(i64::MAX));
        let episode = Episode {
            significance: Millionths((i * 7_919 % 1_000 * 1_000) as i64),
            ..Episode::new(format!("m{i}"), text.join(" "), time)
        };
        mind.episodes.store(episode, time).expect("room for it");
    }
    mind
}

/// F1: idle characters cost nothing.
fn idle(table: &mut Table) {
    let count = table.size(10_000);
    let what = format!("an idle frame with {count} characters that remember / with none");
    let rounds = table.rounds(2_000);
    table.row("F1 idle", &what, || {
        let mut with = app(ScriptedEngine::silent());
        for i in 0..count {
            with.world_mut().spawn((
                remember(3),
                LoadedCharacter(character(&format!("npc{i}"), 0)),
            ));
        }
        with.update();
        let mut without = app(ScriptedEngine::silent());
        pair(rounds, || with.update(), || without.update()).row()
    });
}

/// Answers at once, and as often as it is asked.
pub struct Ready;

impl Engine for Ready {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        let reply = r#"{"dialogue": "Come in, traveller, and shut the door behind you; the rain has been at my letters all week.", "mutations": [{"type": "TransformBelief", "target": "guest", "content": "The guest came in the rain."}], "intents": [{"type": "open", "target": "door_1"}]}"#;
        EngineCall::ready([
            EngineEvent::Chunk(reply.into()),
            EngineEvent::Finished(Default::default()),
        ])
    }
}

/// A hall with a door that can be opened again and again.
pub const HALL: &str = r#"(
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "npc": (name: "Eldrin", kind: "character", at: In("hall")),
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "door_1": (name: "oak door", kind: "door", at: In("hall"), attributes: {"openable": true}),
        },
    ),
    rulebook: Rulebook(id: "bench", extends: "default", actions: {"open": (
        checks: [
            (id: "exists", when: Exists(Target), else: NOT_FOUND),
            (id: "here", when: Perceivable(Target), else: NOT_PRESENT),
            (id: "openable", when: Attribute(Target, "openable", true), else: INVALID_TARGET),
        ],
        effects: [SetAttribute(Target, "open", true)],
    )}),
)"#;

/// A game in the hall with a wizard who remembers so much and has so many rules.
pub fn hall(engine: impl Engine, memories: usize, rules: usize) -> App {
    hall_of(engine, HALL, memories, rules)
}

/// The same by another story.
pub fn hall_of(engine: impl Engine, story: &str, memories: usize, rules: usize) -> App {
    let mut app = app(engine);
    app.world_mut().resource_mut::<RunHistory>().cap = 1;
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(story.as_bytes(), "hall.story.ron", &NoFiles, &registry);
    let story = Arc::new(story.expect("the hall"));
    app.insert_resource(ActiveStory(story.clone()));
    bevy_dramatis::story::install_world(app.world_mut(), &story);
    app.world_mut()
        .spawn((remember(memories), LoadedCharacter(character("npc", rules))));
    app.update();
    app
}

/// One whole run, from the words to what comes of them.
pub fn say(app: &mut App) {
    let request = Request::speech("player", "player", LINE);
    submit_request(app.world_mut(), "npc", request);
    app.update();
}

/// The prompt of the last run, which must have passed.
fn last_prompt(app: &App) -> String {
    let run = app.world().resource::<RunHistory>().iter().next_back();
    let log = run.and_then(|run| app.world().get::<AttemptLog>(run));
    let last = log.and_then(|log| log.0.last()).expect("an attempt");
    assert!(last.passed, "{last:?}");
    last.prompt.clone()
}

/// F2: a whole run without the engine.
fn whole_run(table: &mut Table) {
    let rounds = table.rounds(2_000);
    let what = "a whole run, 1,000 memories, 100 rules / an empty frame";
    table.row("F2 run", what, || {
        let (mut game, mut empty) = (hall(Ready, 1_000, 100), app(Ready));
        say(&mut game);
        let times = pair(rounds, || say(&mut game), || empty.update());
        last_prompt(&game);
        let (ratio, text) = times.row();
        let slowest = times.p99.as_secs_f64() / times.first.as_secs_f64();
        (
            ratio,
            format!("{text}; the slowest hundredth: {slowest:.1} times the median"),
        )
    });
    table.row("F2 hash", "the same run / hashing its own prompt", || {
        let mut game = hall(Ready, 1_000, 100);
        say(&mut game);
        let prompt = last_prompt(&game);
        let times = pair(
            rounds,
            || say(&mut game),
            || {
                black_box(Digest::of_bytes(prompt.as_bytes()));
            },
        );
        let (ratio, text) = times.row();
        (ratio, format!("{text}; {} bytes", prompt.len()))
    });
    let what = "a whole run after something in sight has changed / an empty frame";
    table.row("F2 changed", what, || {
        let (mut game, mut empty) = (hall(Ready, 1_000, 100), app(Ready));
        let mut knocks = 0;
        let mut times = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            knocks += 1;
            let write = GameWrite::attribute(id!("door_1"), "knocks", knocks);
            write.apply(game.world_mut()).expect("a door");
            times.0.push(timed(|| say(&mut game)));
            times.1.push(timed(|| empty.update()));
        }
        Pair::of(times.0, times.1).row()
    });
    for (name, memories, rules) in [("F2 memories", 100_000, 100), ("F2 rules", 1_000, 1_000)] {
        let (memories, rules) = (table.size(memories), table.size(rules));
        let what = format!("a whole run, {memories} memories, {rules} rules / with 1,000 and 100");
        let rounds = table.rounds(300);
        table.row(name, &what, || {
            let (mut game, mut usual) = (hall(Ready, memories, rules), hall(Ready, 1_000, 100));
            pair(rounds, || say(&mut game), || say(&mut usual)).row()
        });
    }
}

/// A run in a cellar with 1,000 things in sight and 100 carried, against one with three.
fn crowd(table: &mut Table) {
    let rounds = table.rounds(200);
    let stage = |things: usize, carried: usize| {
        let mut app = app(Ready);
        app.world_mut().resource_mut::<RunHistory>().cap = 1;
        let item = |i: usize, at: &str| {
            format!(
                "\"thing_{at}_{i}\": (name: \"thing number {i}\", kind: \"item\", at: {at}, attributes: {{\"takeable\": true}}),"
            )
        };
        let entities: String =
            (0..things)
                .map(|i| item(i, "In(\"cellar\")").replace("thing_In(\"cellar\")", "thing"))
                .chain((0..carried).map(|i| {
                    item(i, "CarriedBy(\"npc\")").replace("thing_CarriedBy(\"npc\")", "held")
                }))
                .collect();
        let source = format!(
            "(world: (locations: {{\"cellar\": (name: \"Cellar\")}}, entities: {{\"npc\": (name: \"Odo\", kind: \"character\", at: In(\"cellar\")), {entities}}}))"
        );
        let registry = ActionRegistry::default();
        let story = StoryBook::parse(source.as_bytes(), "cellar.story.ron", &NoFiles, &registry);
        let story = Arc::new(story.expect("the cellar"));
        app.insert_resource(ActiveStory(story.clone()));
        bevy_dramatis::story::install_world(app.world_mut(), &story);
        app.world_mut()
            .spawn((remember(3), LoadedCharacter(character("npc", 1))));
        app.update();
        app
    };
    let say = |app: &mut App| {
        let request = Request::speech("player", "player", "Give me thing number 77.");
        submit_request(app.world_mut(), "npc", request);
        app.update();
    };
    let what = "a run among 1,000 things with 100 more carried / among three";
    table.row("F2 crowd", what, || {
        let (mut full, mut small) = (stage(1_000, 100), stage(2, 1));
        pair(rounds, || say(&mut full), || say(&mut small)).row()
    });
}

/// Never answers.
struct Silent;

impl Engine for Silent {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        EngineCall::new(receiver, sender)
    }
}

/// F3: 100 runs in flight.
fn in_flight(table: &mut Table) {
    let rounds = table.rounds(2_000);
    let stage = |count: usize| {
        let mut app = app(Silent);
        for i in 0..100 {
            app.world_mut().spawn((
                remember(3),
                LoadedCharacter(character(&format!("npc{i}"), 10)),
            ));
        }
        app.update();
        for i in 0..count {
            submit_request(
                app.world_mut(),
                &format!("npc{i}"),
                Request::speech("player", "player", "Hello?"),
            );
        }
        app.update();
        app
    };
    let what = "a frame with 100 runs in flight / with none";
    table.row("F3 in flight", what, || {
        let (mut busy, mut calm) = (stage(100), stage(0));
        let times = pair(rounds, || busy.update(), || calm.update());
        let added = times.first.saturating_sub(times.second);
        let (ratio, text) = times.row();
        (ratio, format!("{text}; they added {added:.1?}"))
    });
}

/// Says so many sentences.
struct Talks(usize);

impl Engine for Talks {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        let Self(sentences) = self;
        let line: String = (0..*sentences)
            .map(|i| format!("The rain of day {i} has been at my letters, traveller. "))
            .collect();
        let reply = format!("{{\"intents\": [], \"mutations\": [], \"dialogue\": \"{line}\"}}");
        EngineCall::ready([
            EngineEvent::Chunk(reply.into()),
            EngineEvent::Finished(Default::default()),
        ])
    }
}

/// P12: what it costs to judge a line sentence by sentence.
fn sentences(table: &mut Table) {
    const SENTENCES: usize = 9;
    let rounds = table.rounds(1_000);
    let what = format!("a run whose {SENTENCES} sentences are judged one by one / as a whole");
    table.row("P12 sentence", &what, || {
        let game = |delivery: Delivery| {
            let mut game = hall(Talks(SENTENCES), 1_000, 100);
            game.insert_resource(DialoguePolicy(RunPolicy::DIALOGUE.delivered(delivery)));
            say(&mut game);
            game
        };
        let (mut parts, mut whole) = (game(Delivery::Sentences), game(Delivery::Whole));
        let times = pair(
            rounds,
            || {
                say(&mut parts);
                for _ in 0..SENTENCES + 2 {
                    parts.update();
                }
            },
            || {
                say(&mut whole);
                for _ in 0..SENTENCES + 2 {
                    whole.update();
                }
            },
        );
        last_prompt(&parts);
        last_prompt(&whole);
        let added = times.first.saturating_sub(times.second);
        let each = added / u32::try_from(SENTENCES).unwrap_or(1);
        let (ratio, text) = times.row();
        (ratio, format!("{text}; {each:.1?} a sentence"))
    });
}
