//! F1, F2 and F3 of the contract, as ratios: each compares two things in one run, so that a noisy machine
//! disturbs both alike.
//!
//! ```text
//! cargo bench
//! ```
//!
//! F5 is measured against a real server: `tests/real_server/prefix.rs`.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::base::canonical::Digest;
use bevy_dramatis::base::clock::ManualClock;
use bevy_dramatis::base::time::GameTime;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, ScriptedEngine,
};
use bevy_dramatis::memory::{Episode, Episodes, Mind};
use bevy_dramatis::npc::{Request, submit_request};
use bevy_dramatis::pipeline::{AttemptLog, RunHistory};
use bevy_dramatis::prelude::*;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::empty_mind;
use bevy_dramatis::world::ActionRegistry;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    // `cargo test --benches` asks for a quick proof that it runs; `cargo bench` for figures.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if quick { 3 } else { 2_000 };
    println!(
        "median ratios over {rounds} rounds; the other side of each ratio ran in the same loop\n"
    );
    idle(rounds, if quick { 100 } else { 10_000 });
    whole_run(rounds);
    crowd(rounds.min(200));
    in_flight(rounds);
}

/// Times two closures in turn, and gives the medians.
fn pair(rounds: usize, mut one: impl FnMut(), mut two: impl FnMut()) -> (Duration, Duration) {
    let (mut first, mut second) = (Vec::with_capacity(rounds), Vec::with_capacity(rounds));
    for _ in 0..rounds {
        let start = Instant::now();
        one();
        first.push(start.elapsed());
        let start = Instant::now();
        two();
        second.push(start.elapsed());
    }
    (median(first), median(second))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn app(engine: impl Engine) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock);
    app.finish();
    app.cleanup();
    app.update();
    app
}

fn character(id: &str, rules: usize) -> Arc<Character> {
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

fn remember(count: usize) -> Mind {
    let words = [
        "tower", "key", "door", "rain", "bread", "star", "river", "king", "letter", "road", "wolf",
        "snow",
    ];
    let mut mind = empty_mind();
    mind.episodes = Episodes::with_cap(count + 10);
    for i in 0..count {
        let text: Vec<String> = (0..20)
            .map(|j| format!("{}{}", words[(i * 7 + j * 5) % words.len()], (i + j) % 97))
            .collect();
        let _ = mind.episodes.store(
            Episode::new(format!("m{i}"), text.join(" "), GameTime(0)),
            GameTime(0),
        );
    }
    mind
}

/// F1: idle characters cost nothing.
fn idle(rounds: usize, count: usize) {
    let mut with = app(ScriptedEngine::silent());
    for i in 0..count {
        with.world_mut().spawn((
            remember(3),
            LoadedCharacter(character(&format!("npc{i}"), 0)),
        ));
    }
    with.update();
    let mut without = app(ScriptedEngine::silent());
    let (a, b) = pair(rounds, || with.update(), || without.update());
    println!(
        "F1  idle frame, {count} characters with memory / none:        {:.3}",
        ratio(a, b)
    );
}

/// Answers at once, and as often as it is asked.
struct Ready;

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
const HALL: &str = r#"(
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

/// F2: a whole run without the engine, 1,000 memories, 100 rules.
fn whole_run(rounds: usize) {
    let mut app = app(Ready);
    app.world_mut().resource_mut::<RunHistory>().cap = 1;
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(HALL.as_bytes(), "hall.story.ron", &NoFiles, &registry);
    let story = Arc::new(story.unwrap_or_default());
    app.insert_resource(ActiveStory(story.clone()));
    bevy_dramatis::story::install_world(app.world_mut(), &story);
    app.world_mut()
        .spawn((remember(1_000), LoadedCharacter(character("npc", 100))));
    app.update();
    let say = |app: &mut App| {
        let line = "Would you tell me of the key, the door and the rain on the road?";
        submit_request(
            app.world_mut(),
            "npc",
            Request::speech("player", "player", line),
        );
        app.update();
    };
    say(&mut app);
    let run = app.world().resource::<RunHistory>().iter().next_back();
    let log = run
        .and_then(|run| app.world().get::<AttemptLog>(run))
        .cloned()
        .unwrap_or_default();
    let prompt = log
        .0
        .last()
        .map(|attempt| attempt.prompt.clone())
        .unwrap_or_default();
    assert!(
        log.0.last().is_some_and(|attempt| attempt.passed),
        "{log:?}"
    );
    let mut empty = self::app(Ready);
    let (a, b) = pair(rounds, || say(&mut app), || empty.update());
    println!(
        "F2  a whole run, 1,000 memories, 100 rules / an empty frame:   {:.2}",
        ratio(a, b)
    );
    let mut sink = Digest::default();
    let (a, b) = pair(
        rounds,
        || say(&mut app),
        || sink = Digest::of_bytes(prompt.as_bytes()),
    );
    println!(
        "F2  the same / hashing its own prompt ({} bytes):            {:.1}",
        prompt.len(),
        ratio(a, b)
    );
    println!("    (one run took {a:?} here; {})", &sink.to_hex()[..4]);
}

/// A run in a cellar with 1,000 things in sight and 100 carried, against one with three.
fn crowd(rounds: usize) {
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
    let (mut full, mut small) = (stage(1_000, 100), stage(2, 1));
    let (a, b) = pair(rounds, || say(&mut full), || say(&mut small));
    println!(
        "    a run among 1,000 things, 100 carried / among 3:          {:.2}",
        ratio(a, b)
    );
    println!("    (it took {a:?} here, the other one {b:?})");
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
fn in_flight(rounds: usize) {
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
    let (mut busy, mut calm) = (stage(100), stage(0));
    let (a, b) = pair(rounds, || busy.update(), || calm.update());
    println!(
        "F3  a frame with 100 runs in flight / with none:              {:.2}",
        ratio(a, b)
    );
    println!("    (they added {:?} a frame here)", a.saturating_sub(b));
}
