//! Single events in the middle of a run: a replay repeats them (contract row J4).

use super::concurrency::*;
use crate::by_id::tell;
use bevy::prelude::*;
use bevy_dramatis::base::CallTime;
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::engine::{Capabilities, Engine, EngineIdentity, NpcEngine, Stage};
use bevy_dramatis::gate::CustomCheck;
use bevy_dramatis::journal::{MemoryJournal, MemoryJournalPlugin, RecordKind, Recording};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::Request;
use bevy_dramatis::prelude::*;
use bevy_dramatis::replay::replay;
use bevy_dramatis::testing::{FnEngine, ManualEngine};
use bevy_dramatis::world::{ProposedAction, WorldIndex};

/// An app with one character and the key, with no run in flight.
fn quiet(engine: impl Engine) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock);
    configure(&mut app);
    app.add_plugins(MemoryJournalPlugin);
    let world = app.world_mut();
    world.commands().install_story(story(STORY));
    world.flush();
    world.spawn(character("guard", 0));
    world.flush();
    app.finish();
    app.cleanup();
    app
}

fn ask(app: &mut App, npc: &str) {
    let request = Request::speech("player", "player", "Who is there?");
    tell(app.world_mut(), npc, |npc| {
        npc.interact(request);
    });
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

/// After the deadline no attempt follows, though some are left and the last one failed only because of its words.
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

/// A run that is cancelled before its retry does not make the retry.
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

/// A character leaves while it thinks, and another takes its place: in the replay the run of the first one ends when it ended, and the
/// events in between come before its end.
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
                        world.spawn(WorldId(id!("guard")));
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
        tell(app.world_mut(), "ann", |actor| {
            actor.perform_all(vec![ProposedAction::of(&go)]);
        });
        (0..4).for_each(|_| app.update());
        let recording = take(app);
        assert_eq!(outcomes(&recording), ["Cancelled"]);
        let last = recording.records.last().unwrap();
        assert_eq!(last.kind, RecordKind::Interaction, "the turn came first");
        assert_holds(&recording);
    }
}

/// If a verdict differs, the replay names the verdict, though the run also ends at another place.
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
        app.add_check(no_stones);
    };
    let report = replay(&recording, &stricter).unwrap();
    let first = report.divergences.first().unwrap();
    assert!(first.field.starts_with("/attempts/0/verdict/"), "{first}");
}

/// A replay has none of the game's engines, and still writes each prompt for the engine that received it.
#[test]
fn j4_a_run_of_an_engine_of_its_own_happens_again_without_that_engine() {
    let small = ScriptedEngine::saying(["It is a stone.", "A stone still."]).with_identity(
        EngineIdentity {
            model: "small-1".to_owned(),
            capabilities: Capabilities {
                json: false,
                ..Capabilities::default()
            },
            ..EngineIdentity::new("test", "test")
        },
    );
    let mut app = quiet(FnEngine::always("It is a stone."));
    app.add_engine("small", small);
    ask(&mut app, "guard");
    (0..3).for_each(|_| app.update());
    let guard = app.world().resource::<WorldIndex>().get("guard").unwrap();
    let own = NpcEngine("small".to_owned());
    app.world_mut().entity_mut(guard).insert(own);
    ask(&mut app, "guard");
    (0..3).for_each(|_| app.update());
    let recording = take(app);
    assert_eq!(outcomes(&recording), ["Accepted", "Accepted"]);
    let runs = recording
        .records
        .iter()
        .filter(|record| record.kind == RecordKind::Interaction);
    let models: Vec<_> = runs
        .map(|run| {
            (
                run.body["identity"]["model"].clone(),
                run.body.contains_key("engine"),
            )
        })
        .collect();
    assert_eq!(models, [("test".into(), false), ("small-1".into(), true)]);
    assert_holds(&recording);
    // The game's own app adds its engines in a replay too; the replay asks none of them.
    let with_engine = |app: &mut App| {
        configure(app);
        app.add_engine("small", FnEngine::always("Nobody asked me."))
            .set_stage_engine(Stage::Dialogue, "small");
    };
    assert!(replay(&recording, &with_engine).unwrap().holds());
}

/// A character that lost its mind before it left still leaves a record.
#[test]
fn j1_who_leaves_without_a_mind_is_written_down_too() {
    let mut app = quiet(FnEngine::always("It is a stone."));
    app.update();
    let guard = app.world().resource::<WorldIndex>().get("guard").unwrap();
    app.world_mut().entity_mut(guard).remove::<Mind>();
    app.world_mut().despawn(guard);
    (0..2).for_each(|_| app.update());
    let request = Request::speech("player", "player", "Who is there?");
    app.world_mut().commands().entity(guard).interact(request);
    (0..2).for_each(|_| app.update());
    let recording = take(app);
    let left = recording
        .records
        .iter()
        .filter(|record| record.kind == RecordKind::Left);
    assert_eq!(left.count(), 1);
    assert_holds(&recording);
}

fn of_kind(recording: &Recording, kind: RecordKind) -> usize {
    let records = recording.records.iter();
    records.filter(|record| record.kind == kind).count()
}

#[test]
fn j4_a_second_entity_with_the_id_of_a_character_does_not_leave_for_the_first() {
    let mut app = quiet(FnEngine::always("It is a stone."));
    app.update();
    let second = app.world_mut().spawn(character("guard", 0)).id();
    (0..2).for_each(|_| app.update());
    app.world_mut().despawn(second);
    (0..2).for_each(|_| app.update());
    ask(&mut app, "guard");
    (0..3).for_each(|_| app.update());
    let recording = take(app);
    assert_eq!(of_kind(&recording, RecordKind::Left), 0);
    assert_eq!(outcomes(&recording), ["Accepted"]);
    assert_holds(&recording);
}

#[test]
fn j4_an_entity_that_gets_another_character_gets_it_again_in_a_replay() {
    let mut app = quiet(FnEngine::always("It is a stone."));
    app.update();
    ask(&mut app, "guard");
    (0..3).for_each(|_| app.update());
    let guard = app.world().resource::<WorldIndex>().get("guard").unwrap();
    app.world_mut()
        .entity_mut(guard)
        .insert(character("smith", 0));
    (0..2).for_each(|_| app.update());
    ask(&mut app, "smith");
    (0..3).for_each(|_| app.update());
    let recording = take(app);
    assert_eq!(of_kind(&recording, RecordKind::Left), 1);
    assert_eq!(outcomes(&recording), ["Accepted", "Accepted"]);
    assert_holds(&recording);
}
