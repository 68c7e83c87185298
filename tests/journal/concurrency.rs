//! A game that does everything at once, and from everywhere: what is written down of it happens again (contract row J4).

use bevy::prelude::*;
use bevy_dramatis::actor_turns;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::clock::{DramatisClock, ManualClock};
use bevy_dramatis::base::fixed::{Millionths, Millis};
use bevy_dramatis::base::seed::WorldSeed;
use bevy_dramatis::base::time::{CallTime, GameTime};
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineError, EngineEvent, EngineIdentity, EngineRequest,
};
use bevy_dramatis::gate::{CustomCheck, CustomChecks};
use bevy_dramatis::journal::{
    MemoryJournal, MemoryJournalPlugin, RecordKind, Recording, ReplayReport, replay,
};
use bevy_dramatis::memory::{Episode, Mind, NewBelief};
use bevy_dramatis::npc::{
    KnownNames, OnNewRequest, QueuePolicy, Request, WhenFull, submit_request,
};
use bevy_dramatis::pipeline::DialoguePolicy;
use bevy_dramatis::pipeline::{Escalation, PromptBudget, RunPolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::story::{ActiveStory, install_world};
use bevy_dramatis::testing::{FnEngine, ManualEngine, character as from_ron, test_identity};
use bevy_dramatis::world::{
    ActionRegistry, Attributes, DisplayName, GameWrite, Location, Placement, ProposedAction,
    TurnOf, WorldFacts, WorldFlags, WorldIndex,
};
use crossbeam_channel::Sender;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

const STORY: &str = r#"(
    canon: [(id: "sky", text: "The sky is blue")],
    world_facts: {"mood": "calm"},
    world: (
        locations: {"hall": (name: "the hall", connected_to: ["cellar"]), "cellar": (name: "cellar", connected_to: ["hall"])},
        entities: {
            "ann": (name: "Ann", kind: "character", at: In("hall")),
            "bob": (name: "Bob", kind: "character", at: In("hall")),
            "key": (name: "brass key", kind: "item", at: In("hall"), attributes: {"takeable": true}),
            "coin": (name: "coin", kind: "item", at: In("cellar"), attributes: {"takeable": true}),
            "box": (name: "box", kind: "item", at: In("hall"), attributes: {"openable": true}),
        },
    ),
)"#;

const OTHER_STORY: &str = r#"(
    canon: [(id: "sea", text: "The sea is deep")],
    rules: [(id: "loud", when: Flag("night"), constraints: [(id: "no_shout", kind: Prohibition, severity: Hard, patterns: ["!"])])],
)"#;

fn character(id: &str, version: u64) -> LoadedCharacter {
    from_ron(&format!(
        r#"(id: "{id}", name: "The {id}", persona: "Version {version}.", location: "hall",
            constraints: [(id: "no_secret", kind: Prohibition, severity: Hard, patterns: ["secret"])],
            rules: [(id: "by_night", when: Flag("night"), constraints: [(id: "low", kind: Requirement, severity: Soft, patterns: ["who"])])],
            hidden: [(topic: "crown*", until: Flag("crowned"))],
            memories: [(id: "m1", text: "The {id} lost a coin.", age_seconds: 60.0)],
            fallbacks: (generic: ["Hm.", "Well.", "So."], thinking: ["Let me think."]))"#
    ))
}

fn story(source: &str) -> Arc<StoryBook> {
    let registry = ActionRegistry::default();
    Arc::new(StoryBook::parse(source.as_bytes(), "a.story.ron", &NoFiles, &registry).unwrap())
}

/// Numbers that are the same on every machine.
#[derive(Resource, Clone)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // The sequence of Steele, Lea and Flood's SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let sides = u64::try_from(from.len()).unwrap();
        from[usize::try_from(self.roll(sides)).unwrap()]
    }
}

/// A call whose events come when the test says so.
struct SlowCall {
    frames: u64,
    events: VecDeque<EngineEvent>,
    to: Sender<EngineEvent>,
}

/// An engine whose replies take some frames, in pieces that end anywhere.
#[derive(Clone)]
struct SlowEngine {
    dice: Arc<Mutex<Dice>>,
    calls: Arc<Mutex<Vec<SlowCall>>>,
}

const REPLIES: [&str; 9] = [
    "Wer da? Grüß dich, Wanderer – who goes there?",
    "It is a secret.",
    "Good day!",
    r#"{"dialogue": "There.", "intents": [{"type": "open", "target": "box"}]}"#,
    r#"{"dialogue": "Shut.", "intents": [{"type": "close", "target": "box"}]}"#,
    r#"{"dialogue": "Mine.", "intents": [{"type": "take", "target": "key"}, {"type": "move", "target": "cellar"}]}"#,
    r#"{"dialogue": "Back.", "intents": [{"type": "put", "target": "key"}, {"type": "move", "target": "hall"}],
        "mutations": [{"type": "AppendEpisodic", "content": "I put the key down."}]}"#,
    r#"{"dialogue": "The crown is gold.", "mutations": [{"type": "TransformBelief", "target": "gold", "content": "Gold is heavy."},
        {"type": "TransformRelationship", "target": "player", "content": "liked", "affinity": 0.1}]}"#,
    r#"{"dialogue": "Meet Zoë.", "intents": [{"type": "introduce", "name": "Zoë", "kind": "character"}]}"#,
];

impl SlowEngine {
    fn new(seed: u64) -> Self {
        Self {
            dice: Arc::new(Mutex::new(Dice(seed ^ 0xabcd))),
            calls: Arc::default(),
        }
    }

    /// One frame passes.
    fn tick(&self) {
        let mut dice = self.dice.lock().unwrap();
        let mut calls = self.calls.lock().unwrap();
        for call in calls.iter_mut() {
            if call.frames > 0 {
                call.frames -= 1;
                continue;
            }
            for _ in 0..=dice.roll(2) {
                if let Some(event) = call.events.pop_front() {
                    // Nobody may listen any more.
                    let _ = call.to.try_send(event);
                }
            }
        }
        // A call that is pending for ever keeps its sender.
        calls.retain(|call| !call.events.is_empty() || call.frames > 1_000);
    }
}

impl Engine for SlowEngine {
    fn identity(&self) -> EngineIdentity {
        test_identity(32_000)
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let mut dice = self.dice.lock().unwrap();
        let (to, events) = crossbeam_channel::bounded(64);
        let mut frames = dice.roll(6);
        let mut bytes = dice.pick(&REPLIES).as_bytes().to_vec();
        let mut ending = EngineEvent::Finished(Finish::Stop);
        match dice.roll(16) {
            0 => bytes.insert(bytes.len() / 2, 0xff),
            1 => ending = EngineEvent::Failed(EngineError::Timeout("slow".to_owned())),
            2 => ending = EngineEvent::Failed(EngineError::Unreachable("gone".to_owned())),
            3 => {
                let limit = request.max_reply_bytes;
                ending = EngineEvent::Failed(EngineError::Oversized { limit });
            }
            4 => ending = EngineEvent::Finished(Finish::Length),
            5 => frames = 1_000_000,
            _ => {}
        }
        let mut sent: VecDeque<EngineEvent> = VecDeque::new();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let most = u64::try_from(rest.len()).unwrap();
            let size = usize::try_from(1 + dice.roll(most)).unwrap();
            let (chunk, later) = rest.split_at(size);
            sent.push_back(EngineEvent::Chunk(chunk.to_vec()));
            rest = later;
            if sent.len() == 8 {
                sent.push_back(EngineEvent::Chunk(rest.to_vec()));
                rest = &[];
            }
        }
        sent.push_back(ending);
        self.calls.lock().unwrap().push(SlowCall {
            frames,
            events: sent,
            to,
        });
        EngineCall::new(events, ())
    }
}

/// A part of the game's own that is an attribute.
#[derive(Component)]
struct Lock(bool);

/// A resource of the game's own that is a fact.
#[derive(Resource)]
struct Weather(String);

/// What the game and its replay have in common.
pub fn configure(app: &mut App) {
    app.bind_attribute::<Lock>(
        "locked",
        |lock| lock.0.into(),
        |lock, to| lock.0 = to.truthy(),
    )
    .bind_world_fact::<Weather>("weather", |weather| weather.0.as_str().into());
}

const PEOPLE: [&str; 4] = ["guard", "mira", "carl", "dora"];
const ACTORS: [&str; 3] = ["ann", "bob", "player"];
const THINGS: [&str; 4] = ["key", "coin", "box", "guard"];

/// What a game may do at any moment, one of it.
fn meddle(world: &mut World) {
    let mut dice = world.resource::<Dice>().clone();
    let npc = dice.pick(&PEOPLE);
    let thing = dice.pick(&THINGS);
    let on = dice.roll(2) == 0;
    let number = dice.roll(1_000);
    let place = dice.pick(&["hall", "cellar"]);
    let flag = dice.pick(&["night", "crowned", "odd"]);
    let actor = dice.pick(&ACTORS);
    let index = world.resource::<WorldIndex>();
    let (npc_entity, thing_entity) = (index.get(npc), index.get(thing));
    let place_entity = index.get(place).unwrap();
    let awake = npc_entity.filter(|entity| world.get::<LoadedCharacter>(*entity).is_some());
    let action = dice.roll(30);
    *world.resource_mut::<Dice>() = dice;
    let write = |world: &mut World, write: GameWrite| {
        // Some things cannot be done, and change nothing.
        let _ = write.apply(world);
    };
    match (action, awake, thing_entity) {
        (0, ..) => {
            let mut flags = world.resource_mut::<WorldFlags>();
            flags.0.insert(flag.to_owned(), on);
        }
        (1, ..) => {
            world.resource_mut::<WorldFlags>().0.remove(flag);
        }
        (2, ..) => {
            let mut facts = world.resource_mut::<WorldFacts>();
            facts
                .0
                .insert("mood".to_owned(), format!("mood {number}").into());
        }
        (3, ..) => world.resource_mut::<Weather>().0 = format!("weather {number}"),
        (4, _, Some(thing)) => {
            if let Some(mut attributes) = world.get_mut::<Attributes>(thing) {
                attributes
                    .0
                    .insert("weight".to_owned(), i64::try_from(number).unwrap().into());
            }
        }
        (5, _, Some(thing)) => match world.get_mut::<Lock>(thing) {
            Some(mut lock) => lock.0 = on,
            None => {
                world.entity_mut(thing).insert(Lock(on));
            }
        },
        (6, _, Some(thing)) => {
            world.entity_mut(thing).remove::<Lock>();
        }
        (7, _, Some(thing)) => {
            world.entity_mut(thing).insert(PlacedIn(place_entity));
        }
        (8, _, Some(thing)) => {
            world
                .entity_mut(thing)
                .insert(DisplayName(format!("thing {number}")));
        }
        (9, ..) => write(world, GameWrite::flag(flag, on)),
        (10, ..) => {
            let value = i64::try_from(number).unwrap();
            write(world, GameWrite::fact("coins", value));
        }
        (11, ..) => {
            write(world, GameWrite::attribute(thing, "locked", on));
        }
        (12, ..) => {
            let at = match number % 3 {
                0 => Placement::In(place.to_owned()),
                1 => Placement::CarriedBy(npc.to_owned()),
                _ => Placement::Offstage,
            };
            write(world, GameWrite::place(thing, at));
        }
        // The same id comes back as another entity, or is another thing in between.
        (13, Some(npc), _) => {
            world.despawn(npc);
        }
        (13 | 14, None, _) => {
            world.spawn(character(npc, number));
        }
        (14, Some(entity), _) => {
            world.entity_mut(entity).insert(character(npc, number));
        }
        (15, Some(entity), _) if number < 200 => {
            world.entity_mut(entity).remove::<LoadedCharacter>();
        }
        (16, Some(entity), _) => {
            let now = world.resource::<DramatisClock>().game;
            let mut mind = world.get_mut::<Mind>(entity).unwrap();
            let episode = Episode::new(format!("game-{number}"), "The game told me.", now);
            mind.episodes.store(episode, now).unwrap();
            mind.interactions += number % 2;
        }
        (17, Some(entity), _) => {
            let mut mind = world.get_mut::<Mind>(entity).unwrap();
            let now = GameTime(i64::try_from(number).unwrap());
            let belief = NewBelief {
                text: "It rains.",
                confidence: Millionths::ONE,
                contradicts_canon: false,
            };
            let held = mind.beliefs.hold("b", belief, now);
            assert_eq!(held, Ok(()));
        }
        (18, ..) => {
            let book = [STORY, OTHER_STORY][usize::from(on)];
            world.insert_resource(ActiveStory(story(book)));
        }
        (19, ..) => {
            let policy = RunPolicy {
                max_attempts: u32::try_from(1 + number % 3).unwrap(),
                escalation: [Escalation::Full, Escalation::None][usize::from(on)],
                fallback: !number.is_multiple_of(5),
                deadline: Millis(if on { 500 } else { 5_000 }),
                ..RunPolicy::DIALOGUE
            };
            world.insert_resource(DialoguePolicy(policy));
        }
        (20, ..) => world.insert_resource(QueuePolicy {
            limit: usize::try_from(number % 3).unwrap(),
            when_full: [WhenFull::Refuse, WhenFull::DropOldest][usize::from(on)],
            on_new: [OnNewRequest::Queue, OnNewRequest::Replace]
                [usize::from(number.is_multiple_of(2))],
        }),
        (21, ..) => world.insert_resource(match number % 2 {
            0 => PromptBudget::MINIMAL,
            _ => PromptBudget::default(),
        }),
        (22, ..) => world.insert_resource(WorldSeed(number)),
        (23, ..) => {
            let id = format!("pebble_{}", number % 3);
            match world.resource::<WorldIndex>().get(&id) {
                Some(pebble) => {
                    world.despawn(pebble);
                }
                None if on => {
                    world.spawn((WorldId(id), PlacedIn(place_entity)));
                }
                None => {
                    world.spawn((Location::default(), WorldId(id)));
                }
            }
        }
        (24, ..) => world.insert_resource(TurnOf(on.then(|| actor.to_owned()))),
        (25, ..) => world
            .resource_mut::<KnownNames>()
            .add(&format!("Name {}", number % 4)),
        (26, ..) => {
            let words = [
                "take the key",
                "open the box",
                "close the box",
                "go to the cellar",
                "put down the key",
                "dance",
            ];
            let words = words[usize::try_from(number).unwrap() % words.len()];
            actor_turns::act(world, actor, words);
        }
        (27, ..) => {
            let to = MoveTo {
                target: place.to_owned(),
            };
            let take = Take {
                target: "coin".to_owned(),
            };
            actor_turns::perform(
                world,
                actor,
                vec![ProposedAction::of(&to), ProposedAction::of(&take)],
            );
        }
        (28, Some(entity), _) if number < 500 => {
            world.commands().entity(entity).cancel_run();
        }
        _ => {
            let words = if number == 0 {
                ""
            } else {
                "Who is there, and where is the coin?"
            };
            submit_request(world, npc, Request::speech("player", "player", words));
        }
    }
    world.flush();
}

fn sometimes(odds: u64) -> impl Fn(&mut World) + Send + Sync + Clone + 'static {
    move |world: &mut World| {
        if world.resource_mut::<Dice>().roll(odds) == 0 {
            meddle(world);
        }
    }
}

/// Observers that write: of what is told, and of what is installed while it is.
fn add_observers(app: &mut App) {
    app.add_observer(
        |_: On<Spoke>, mut writes: GameWrites, mut flags: ResMut<WorldFlags>| {
            writes.set_fact("spoken", "yes");
            let odd = flags.0.entry("odd".to_owned()).or_default();
            *odd = !*odd;
        },
    )
    .add_observer(|_: On<Applied<Open>>, mut facts: ResMut<WorldFacts>| {
        facts.0.insert("box".to_owned(), "opened".into());
    })
    .add_observer(|_: On<Applied<Take>>, mut commands: Commands| {
        commands.queue(meddle);
    })
    .add_observer(|_: On<RunEnded>, mut commands: Commands| {
        commands.queue(sometimes(6));
    })
    .add_observer(
        |placed: On<Insert, PlacedIn>, ids: Query<&WorldId>, facts: Option<ResMut<WorldFacts>>| {
            if let (Ok(id), Some(mut facts)) = (ids.get(placed.entity), facts) {
                facts.0.insert("moved".to_owned(), id.0.as_str().into());
            }
        },
    )
    .add_observer(
        |placed: On<Insert, PlacedIn>, mut writes: GameWrites, ids: Query<&WorldId>| {
            if ids.get(placed.entity).is_ok_and(|id| id.0 == "coin") {
                writes.set_flag("coin_moved", true);
                writes.set_attribute("box", "open", false);
            }
        },
    );
}

/// A game of so many frames, as it was written down.
pub fn recorded(seed: u64, frames: usize) -> Recording {
    use PipelineSystems as S;
    let engine = SlowEngine::new(seed);
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine.clone()))
        .insert_resource(ManualClock)
        .insert_resource(Weather("rain".to_owned()))
        .insert_resource(Dice(seed))
        .insert_resource(ActiveStory(story(STORY)));
    configure(&mut app);
    app.add_plugins(MemoryJournalPlugin);
    add_observers(&mut app);
    let sets = [
        S::Interaction,
        S::Expectancy,
        S::Retrieval,
        S::Snapshot,
        S::Prompt,
        S::Inference,
        S::Validation,
        S::Mutation,
        S::Fallback,
    ];
    app.add_systems(Update, sometimes(4).before(S::Interaction));
    for pair in sets.windows(2) {
        let between = sometimes(6).after(pair[0]).before(pair[1]);
        app.add_systems(Update, between);
    }
    app.add_systems(Update, sometimes(6).after(S::Fallback));
    app.add_systems(PostUpdate, sometimes(6));
    let world = app.world_mut();
    install_world(world, &story(STORY));
    world.spawn((WorldId("player".to_owned()), Name::new("player")));
    for id in ["guard", "mira", "carl"] {
        world.spawn(character(id, 0));
    }
    world.flush();
    app.finish();
    app.cleanup();
    for _ in 0..frames {
        let world = app.world_mut();
        let mut dice = world.resource::<Dice>().clone();
        let mut clock = world.resource_mut::<DramatisClock>();
        let span = Millis(i64::try_from(dice.roll(4) * 30).unwrap());
        clock.game = clock.game.after(Millis(span.0 / 2));
        clock.call = clock.call.after(span);
        *world.resource_mut::<Dice>() = dice;
        engine.tick();
        app.update();
    }
    app.world_mut().resource_mut::<MemoryJournal>().take()
}

fn replayed(recording: &Recording) -> ReplayReport {
    replay(recording, &configure).unwrap()
}

#[test]
fn j4_whatever_a_game_does_at_once_happens_again() {
    let mut wrong = Vec::new();
    let mut kinds: BTreeMap<RecordKind, usize> = BTreeMap::new();
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut actions, mut broken_bytes, mut retries) = (0, 0, 0);
    for seed in (0..17).chain([49, 65, 125]) {
        let recording = recorded(seed, 120);
        for record in &recording.records {
            *kinds.entry(record.kind).or_default() += 1;
            if record.kind != RecordKind::Interaction {
                continue;
            }
            let text = |pointer: &str| {
                let body = serde_json::Value::Object(record.body.clone());
                body.pointer(pointer)
                    .map(ToString::to_string)
                    .unwrap_or_default()
            };
            *outcomes.entry(text("/outcome/name")).or_default() += 1;
            actions += usize::from(text("/effects/changes").len() > 2);
            retries += usize::from(!text("/attempts/1").is_empty());
            broken_bytes += usize::from(text("/bytes/0/hex").len() > 4);
        }
        let report = replayed(&recording);
        if !report.holds() || !report.skipped.is_empty() {
            let first = report.divergences.first();
            let first = first.map(ToString::to_string).unwrap_or_default();
            wrong.push(format!(
                "seed {seed}: {first}, skipped {:?}",
                report.skipped
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(kinds.len(), 11, "every kind of record comes up: {kinds:?}");
    assert_eq!(outcomes.len(), 4, "every outcome comes up: {outcomes:?}");
    let enough = [actions, broken_bytes, retries].into_iter().min();
    assert!(enough > Some(3), "{actions} {broken_bytes} {retries}");
}

/// An app with one character and the key, at rest.
fn quiet(engine: impl Engine) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock)
        .insert_resource(ActiveStory(story(STORY)));
    configure(&mut app);
    app.add_plugins(MemoryJournalPlugin);
    let world = app.world_mut();
    install_world(world, &story(STORY));
    world.spawn(character("guard", 0));
    world.flush();
    app.finish();
    app.cleanup();
    app
}

fn ask(app: &mut App, npc: &str) {
    let request = Request::speech("player", "player", "Who is there?");
    submit_request(app.world_mut(), npc, request);
}

fn take(mut app: App) -> Recording {
    app.world_mut().resource_mut::<MemoryJournal>().take()
}

fn outcomes(recording: &Recording) -> Vec<&str> {
    let runs = recording.records.iter();
    let runs = runs.filter(|record| record.kind == RecordKind::Interaction);
    runs.map(|run| run.body["outcome"]["name"].as_str().unwrap())
        .collect()
}

fn assert_holds(recording: &Recording) {
    let report = replayed(recording);
    assert!(report.holds() && report.skipped.is_empty(), "{report:?}");
}

/// No attempt follows when the time is up, though some are left and the last one failed by its words alone.
#[test]
fn j4_time_that_runs_out_between_two_attempts_runs_out_again() {
    let mut app = quiet(FnEngine::always("It is a secret."));
    app.add_systems(
        Update,
        (|mut clock: ResMut<DramatisClock>| clock.call = CallTime(31_000))
            .after(PipelineSystems::Validation)
            .before(PipelineSystems::Mutation),
    );
    ask(&mut app, "guard");
    (0..5).for_each(|_| app.update());
    let recording = take(app);
    assert_eq!(outcomes(&recording), ["Fallback"]);
    let attempts = &recording.records.last().unwrap().body["attempts"];
    assert_eq!(attempts.as_array().map(Vec::len), Some(1));
    assert_holds(&recording);
}

/// A run that is cancelled before its retry makes none.
#[test]
fn j4_a_run_that_is_cancelled_before_its_retry_makes_none_again() {
    let mut app = quiet(FnEngine::always("It is a secret."));
    ask(&mut app, "guard");
    app.update();
    let guard = app.world().resource::<WorldIndex>().get("guard").unwrap();
    app.world_mut().commands().entity(guard).cancel_run();
    (0..3).for_each(|_| app.update());
    let recording = take(app);
    assert_eq!(outcomes(&recording), ["Cancelled"]);
    assert_holds(&recording);
}

/// Who goes while it thinks, and whoever comes in its place: the run of the first one ends when it ended, and what happens
/// meanwhile comes before.
#[test]
fn j4_a_character_that_goes_while_it_thinks_goes_again_and_comes_back_as_another() {
    for back in [false, true] {
        let engine = ManualEngine::default();
        let mut app = quiet(engine.clone());
        app.add_systems(
            Update,
            (move |world: &mut World| {
                let guard = world.resource::<WorldIndex>().get("guard").unwrap();
                if world.get::<Thinking>(guard).is_some() {
                    world.despawn(guard);
                    if back {
                        world.spawn(character("guard", 1));
                    } else {
                        world.spawn(WorldId("guard".to_owned()));
                    }
                }
            })
            .after(PipelineSystems::Inference)
            .before(PipelineSystems::Validation),
        );
        ask(&mut app, "guard");
        let go = MoveTo {
            target: "cellar".to_owned(),
        };
        actor_turns::perform(app.world_mut(), "ann", vec![ProposedAction::of(&go)]);
        (0..4).for_each(|_| app.update());
        let recording = take(app);
        assert_eq!(outcomes(&recording), ["Cancelled"]);
        let last = recording.records.last().unwrap();
        assert_eq!(last.kind, RecordKind::Interaction, "the turn came first");
        assert_holds(&recording);
    }
}

/// Where a verdict is another one, that is what is named, though the run does not end where it ended.
#[test]
fn j4_a_verdict_that_would_be_another_is_named() {
    let mut app = quiet(FnEngine::always("It is a stone."));
    ask(&mut app, "guard");
    (0..3).for_each(|_| app.update());
    let recording = take(app);
    assert_eq!(outcomes(&recording), ["Accepted"]);
    let stricter = |app: &mut App| {
        configure(app);
        let no_stones = CustomCheck::new("no_stones", |_, _, _| Err("no stones".into()));
        app.world_mut()
            .resource_mut::<CustomChecks>()
            .0
            .push(no_stones);
    };
    let report = replay(&recording, &stricter).unwrap();
    let first = report.divergences.first().unwrap();
    assert!(first.field.starts_with("/attempts/0/verdict/"), "{first}");
}
