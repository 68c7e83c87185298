//! The hall in which the benches measure: a wizard with a given number of memories and rules, to whom the player speaks.

use bevy::asset::AssetPlugin;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::base::ManualClock;
use bevy_dramatis::base::Millionths;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, ScriptedEngine,
};
use bevy_dramatis::memory::{Episode, Episodes, Mind};
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::{AttemptLog, RunHistory};
use bevy_dramatis::prelude::*;
use bevy_dramatis::testing::empty_mind;
use bevy_dramatis::world::{ActionRegistry, WorldIndex};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// A game without window and clock, with this engine.
pub fn app(engine: impl Engine) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock);
    begin(app)
}

/// The same with an asset server.
#[allow(dead_code, reason = "tests use a part of this file")]
pub fn app_with_files(engine: impl Engine) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()))
        .add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock);
    begin(app)
}

fn begin(mut app: App) -> App {
    app.finish();
    app.cleanup();
    on_one_thread(&mut app);
    app.update();
    app
}

/// Runs everything on one thread, whatever features of Bevy the build has: a frame that waits for threads would measure the threads.
pub fn on_one_thread(app: &mut App) {
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// A character with this many rules.
pub fn character(id: &str, rules: usize) -> Arc<Character> {
    let mut source =
        format!("(id: \"{id}\", name: \"Eldrin\", persona: \"You keep the tower.\", rules: [");
    for i in 0..rules {
        // Four rules in five prohibit and one in five requires, as in the comparison with other systems.
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

/// What the player says to the wizard.
pub const LINE: &str = "Would you tell me of the key, the door and the rain on the road?";

/// Words of a vocabulary of 5,000. As in a language, the second word is half as frequent as the first, the third word a third as frequent,
/// and so on.
pub struct Words(u64);

impl Default for Words {
    fn default() -> Self {
        Self(1)
    }
}

impl Words {
    fn word(&mut self) -> String {
        const FREQUENT: [&str; 16] = [
            "the", "of", "and", "on", "a", "me", "you", "tower", "key", "door", "rain", "bread",
            "road", "king", "letter", "wolf",
        ];
        // The multiplier of a linear congruential generator (Knuth's MMIX).
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let share = (self.0 >> 40) as f64 / (1_u64 << 24) as f64;
        let rank = (share * 5_000_f64.ln()).exp() as usize - 1;
        let frequent = FREQUENT.get(rank).map(ToString::to_string);
        frequent.unwrap_or_else(|| format!("word{rank}"))
    }

    /// The text of an episode: twenty words.
    pub fn text(&mut self) -> String {
        let words: Vec<String> = (0..20).map(|_| self.word()).collect();
        words.join(" ")
    }
}

/// A mind with this many episodes of twenty words each.
pub fn remember(count: usize) -> Mind {
    let mut words = Words::default();
    let mut mind = empty_mind();
    mind.episodes = Episodes::with_cap(count + 10);
    for i in 0..count {
        let time = GameTime(i64::try_from(i).unwrap_or(i64::MAX));
        let mut episode = Episode::new(format!("m{i}"), words.text(), time);
        episode.significance = Millionths((i * 7_919 % 1_000 * 1_000) as i64);
        mind.episodes.store(episode, time).expect("room for it");
    }
    mind
}

/// An engine that answers each call at once.
pub struct Ready;

/// How many different lines the engine says in turn: more lines than the gate compares a new line with.
const LINES: usize = 32;

fn replies() -> &'static [String; LINES] {
    static REPLIES: OnceLock<[String; LINES]> = OnceLock::new();
    REPLIES.get_or_init(|| {
        std::array::from_fn(|n| {
            format!(
                r#"{{"dialogue": "Come in w{n:02}, traveller, and shut w{n:02} door behind you; w{n:02} rain has been w{n:02} my letters all week.", "mutations": [{{"type": "TransformBelief", "target": "guest", "content": "The guest came in the rain."}}], "intents": [{{"type": "open", "target": "door_1"}}]}}"#
            )
        })
    })
}

impl Engine for Ready {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed) % LINES;
        EngineCall::ready([
            EngineEvent::Chunk(replies()[next].as_str().into()),
            EngineEvent::Finished(Default::default()),
        ])
    }
}

/// A hall with a door that characters can open again and again.
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

/// A game in the hall with a wizard that has this many memories and rules.
pub fn hall(engine: impl Engine, memories: usize, rules: usize) -> App {
    hall_of(engine, HALL, memories, rules)
}

/// The same with another story.
pub fn hall_of(engine: impl Engine, story: &str, memories: usize, rules: usize) -> App {
    let mut app = app(engine);
    app.world_mut().resource_mut::<RunHistory>().cap = 1;
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(story.as_bytes(), "hall.story.ron", &NoFiles, &registry);
    let story = Arc::new(story.expect("the hall"));
    app.world_mut().commands().install_story(story);
    app.world_mut().flush();
    app.world_mut()
        .spawn((remember(memories), LoadedCharacter(character("npc", rules))));
    app.update();
    app
}

/// One whole run, from the player's words to their effects. It is never inlined, so that a profiler finds it.
#[inline(never)]
pub fn say(app: &mut App) {
    let request = Request::speech("player", "player", LINE);
    let npc = app.world().resource::<WorldIndex>().get("npc");
    let npc = npc.expect("it was spawned");
    app.world_mut().commands().entity(npc).interact(request);
    app.update();
}

/// The prompt of the last run, which must have passed.
pub fn last_prompt(app: &App) -> Arc<str> {
    let run = app.world().resource::<RunHistory>().iter().next_back();
    let log = run.and_then(|run| app.world().get::<AttemptLog>(run));
    let last = log.and_then(|log| log.0.last()).expect("an attempt");
    assert!(last.passed, "{last:?}");
    last.prompt.clone()
}
