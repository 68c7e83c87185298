//! A game that does everything at once and from everywhere: a replay repeats all that the journal recorded of it (contract row J4).

use super::slow_engine::*;
use bevy::prelude::*;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::Millis;
use bevy_dramatis::base::WorldSeed;
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::journal::{MemoryJournal, MemoryJournalPlugin, RecordKind, Recording};
use bevy_dramatis::limits::{LimitOverrides, Limits};
use bevy_dramatis::memory::Episode;
use bevy_dramatis::npc::{NpcLimits, NpcPolicy, OnNewRequest, QueuePolicy, Request, WhenFull};
use bevy_dramatis::pipeline::DialoguePolicy;
use bevy_dramatis::pipeline::{Escalation, PromptBudget, RunPolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::replay::{ReplayReport, replay};
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::change_mind;
use bevy_dramatis::world::{
    ActionRegistry, Attributes, DisplayName, GameWrite, Location, Placement, ProposedAction,
    TurnOf, WorldFacts, WorldFlags, WorldIndex,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

pub const STORY: &str = r#"(
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

pub const OTHER_STORY: &str = r#"(
    canon: [(id: "sea", text: "The sea is deep")],
    rules: [(id: "loud", when: Flag("night"), constraints: [(id: "no_shout", kind: Prohibition, severity: Hard, patterns: ["!"])])],
)"#;

pub fn character(id: &str, version: u64) -> LoadedCharacter {
    LoadedCharacter::from_ron(&format!(
        r#"(id: "{id}", name: "The {id}", persona: "Version {version}.", location: "hall",
            may: ["move", "take", "drop", "give", "open", "close", "use", "speak", "introduce", "describe"],
            constraints: [(id: "no_secret", kind: Prohibition, severity: Hard, patterns: ["secret"])],
            rules: [(id: "by_night", when: Flag("night"), constraints: [(id: "low", kind: Requirement, severity: Soft, patterns: ["who"])])],
            hidden: [(topic: "crown*", until: Flag("crowned"))],
            memories: [(id: "m1", text: "The {id} lost a coin.", age_seconds: 60.0)],
            fallbacks: (generic: ["Hm.", "Well.", "So."], thinking: ["Let me think."]))"#
    ))
    .unwrap()
}

pub fn story(source: &str) -> Arc<StoryBook> {
    let registry = ActionRegistry::default();
    Arc::new(StoryBook::parse(source.as_bytes(), "a.story.ron", &NoFiles, &registry).unwrap())
}

/// A component of the game that is an attribute.
#[derive(Component)]
pub struct Lock(bool);

/// A resource of the game that is a fact.
#[derive(Resource)]
pub struct Weather(String);

/// What the game and its replay have in common.
pub fn configure(app: &mut App) {
    app.bind_attribute::<Lock>(
        "locked",
        |lock| lock.0.into(),
        |lock, to| lock.0 = to.truthy(),
    )
    .bind_world_fact::<Weather>("weather", |weather| weather.0.as_str().into());
}

pub const PEOPLE: [&str; 4] = ["guard", "mira", "carl", "dora"];
const ACTORS: [&str; 3] = ["ann", "bob", "player"];
const THINGS: [&str; 4] = ["key", "coin", "box", "guard"];

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

/// Does one of the things that a game may do at any moment.
fn meddle(world: &mut World) {
    let mut dice = world.resource::<Dice>().clone();
    let npc = *dice.pick(&PEOPLE);
    let thing = *dice.pick(&THINGS);
    let on = dice.roll(2) == 0;
    let number = dice.roll(1_000);
    let place = *dice.pick(&["hall", "cellar"]);
    let flag = *dice.pick(&["night", "crowned", "odd"]);
    let actor = *dice.pick(&ACTORS);
    let index = world.resource::<WorldIndex>();
    let (npc_entity, thing_entity) = (index.get(npc), index.get(thing));
    let place_entity = index.get(place).unwrap();
    let awake = npc_entity.filter(|entity| world.get::<LoadedCharacter>(*entity).is_some());
    let action = dice.roll(35);
    *world.resource_mut::<Dice>() = dice;
    let write = |world: &mut World, write: GameWrite| {
        // Some of these are not possible and change nothing.
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
            world
                .entity_mut(thing)
                .modify_component(|attributes: &mut Attributes| {
                    let weight = i64::try_from(number).unwrap().into();
                    attributes.0.insert("weight".to_owned(), weight);
                });
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
            write(world, GameWrite::attribute(id(thing), "locked", on));
        }
        (12, ..) => {
            let at = match number % 3 {
                0 => Placement::In(id(place)),
                1 => Placement::CarriedBy(id(npc)),
                _ => Placement::Offstage,
            };
            write(world, GameWrite::place(id(thing), at));
        }
        // The same id comes back as another entity, or is another thing in the meantime.
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
            let episode = Episode::new(format!("game-{number}"), "The game told me.", now);
            change_mind(world, entity, |mind| {
                // The same number may come up twice.
                let _ = mind.episodes.store(episode, now);
                mind.interactions += number % 2;
            });
        }
        (17, Some(entity), _) => {
            change_mind(world, entity, |mind| mind.interactions += 2);
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
                deadline: Duration::from_millis(if on { 500 } else { 5_000 }),
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
            let id = id(&format!("pebble_{}", number % 3));
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
        (24, ..) => world.insert_resource(TurnOf(on.then(|| id(actor)))),
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
            if let Some(actor) = world.resource::<WorldIndex>().get(actor) {
                world.commands().entity(actor).act(words);
            };
        }
        (27, ..) => {
            let to = MoveTo {
                target: place.to_owned(),
            };
            let take = Take {
                target: "coin".to_owned(),
            };
            let turn = vec![ProposedAction::of(&to), ProposedAction::of(&take)];
            if let Some(actor) = world.resource::<WorldIndex>().get(actor) {
                world.commands().entity(actor).perform_all(turn);
            }
        }
        (29, ..) => world.insert_resource(Limits {
            no_repeat: usize::try_from(number % 3).unwrap(),
            retrieved_episodes: usize::try_from(number % 2).unwrap(),
            episodes: usize::try_from(1 + number % 4).unwrap(),
            reply_chars: usize::try_from(8 + number % 40).unwrap(),
            ..Limits::DEFAULT
        }),
        (30, Some(entity), _) => {
            let limits = LimitOverrides {
                reply_chars: on.then_some(12),
                decay_rate: Some(0.5),
                exchanges: Some(usize::try_from(number % 40).unwrap()),
                ..default()
            };
            world.entity_mut(entity).insert(NpcLimits(limits));
        }
        (31, Some(entity), _) => {
            world.entity_mut(entity).remove::<NpcLimits>();
        }
        (32, Some(entity), _) => {
            let policy = [RunPolicy::SEALED, RunPolicy::DIALOGUE][usize::from(on)];
            world.entity_mut(entity).insert(NpcPolicy(policy));
        }
        (33, Some(entity), _) => {
            world.entity_mut(entity).remove::<NpcPolicy>();
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
            let request = Request::speech("player", "player", words);
            if let Some(npc) = world.resource::<WorldIndex>().get(npc) {
                world.commands().entity(npc).interact(request);
            }
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

/// Observers that write while the plugin tells events and installs changes.
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

/// A game of this many frames, as its journal recorded it.
pub fn recorded(seed: u64, frames: usize) -> Recording {
    use PipelineSystems as S;
    let engine = SlowEngine::new(seed);
    let mut app = App::new();
    let plugins = DramatisPlugins::new(engine.clone()).with_sealed_engine(engine.clone());
    app.add_plugins(plugins)
        .insert_resource(ManualClock)
        .insert_resource(Weather("rain".to_owned()))
        .insert_resource(Dice(seed))
        .insert_resource(ActiveStory(story(STORY)));
    configure(&mut app);
    app.add_plugins(MemoryJournalPlugin);
    add_observers(&mut app);
    app.add_systems(Update, sometimes(4).before(S::Interaction));
    for pair in S::ALL.windows(2) {
        let between = sometimes(6).after(pair[0]).before(pair[1]);
        app.add_systems(Update, between);
    }
    app.add_systems(Update, sometimes(6).after(S::Fallback));
    app.add_systems(PostUpdate, sometimes(6));
    let world = app.world_mut();
    world.commands().install_story(story(STORY));
    world.flush();
    world.spawn((WorldId(id!("player")), Name::new("player")));
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

pub fn replayed(recording: &Recording) -> ReplayReport {
    replay(recording, &configure).unwrap()
}

#[test]
fn j4_whatever_a_game_does_at_once_happens_again() {
    let mut wrong = Vec::new();
    let mut kinds: BTreeMap<RecordKind, usize> = BTreeMap::new();
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut actions, mut broken_bytes, mut retries) = (0, 0, 0);
    for seed in (0..16).chain([49, 65, 88, 105, 114, 125, 132]) {
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
    assert_eq!(outcomes.len(), 5, "every outcome comes up: {outcomes:?}");
    let enough = [actions, broken_bytes, retries].into_iter().min();
    assert!(enough > Some(3), "{actions} {broken_bytes} {retries}");
}
