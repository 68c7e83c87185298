//! The plugin in an app: schedules, ambiguities, clocks, and an app in which nothing happens.

use super::WIZARD;
use bevy::asset::AssetPlugin;
use bevy::ecs::change_detection::ComponentTicks;
use bevy::ecs::component::ComponentId;
use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_dramatis::adventure::{AdventureCommandsExt, AdventurePlugin, PlayerTurn};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::base::Millis;
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::journal::{MemoryJournal, MemoryJournalPlugin};
use bevy_dramatis::npc::RequestError;
use bevy_dramatis::pipeline::AttemptError;
use bevy_dramatis::plans::{PlanCharacterExt, PlansPlugin};
use bevy_dramatis::plugin::{DramatisPlugins, PipelineSystems, ResultSystems};
use bevy_dramatis::replay::replay;
use bevy_dramatis::testing::{FnEngine, ManualEngine, SpokenLine, TestGame};
use std::time::Duration;

#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Ours;

/// A game in an app that already has other plugins.
fn game_in(mut app: App, plugins: DramatisPlugins) -> TestGame {
    app.add_plugins(plugins);
    TestGame::from_app(app)
}

#[test]
fn the_pipeline_runs_in_a_schedule_of_the_games_own() {
    let mut app = App::new();
    app.init_schedule(Ours);
    let mut game = game_in(
        app,
        DramatisPlugins::new(ScriptedEngine::saying(["Well."])).in_schedule(Ours),
    );
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frames(5);
    assert_eq!(game.take_lines(), [], "no code runs the schedule");
    for _ in 0..2 {
        game.world_mut().run_schedule(Ours);
    }
    assert_eq!(game.take_lines(), [SpokenLine::reply("Well.")]);
}

#[test]
fn the_pipeline_runs_in_fixed_update() {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let mut game = game_in(
        app,
        DramatisPlugins::new(ScriptedEngine::saying(["Well."])).in_schedule(FixedUpdate),
    );
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    assert_eq!(game.take_lines(), [SpokenLine::reply("Well.")]);
}

/// An error when two systems of the schedule could run in either order and touch the same data.
fn forbid_ambiguities(app: &mut App, schedule: impl ScheduleLabel) {
    app.edit_schedule(schedule, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
}

#[test]
fn a_game_without_adventures_and_plans_talks_and_refuses_them() {
    let plugins = DramatisPlugins::new(ScriptedEngine::saying(["Well.", "Yes."])).build();
    let plugins = plugins
        .disable::<AdventurePlugin>()
        .disable::<PlansPlugin>();
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()));
    app.add_plugins(plugins).add_plugins(MemoryJournalPlugin);
    let mut game = TestGame::from_app(app);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let mut commands = game.world_mut().commands();
    commands.play_turn(PlayerTurn::new(id!("player"), "I look."));
    commands.ask_aside("Who is that?");
    commands.entity(wizard).ask_plan("Bring me the key.");
    commands.retract_turn();
    commands.retract_last(wizard);
    game.frames(3);
    game.talk(wizard, "And?");
    let lines = ["Well.", "Yes."].map(SpokenLine::reply);
    assert_eq!(game.take_lines(), lines);
    let refused: Vec<_> = game.take_refusals();
    let left_out = ["AdventurePlugin", "AdventurePlugin", "PlansPlugin"].map(RequestError::LeftOut);
    assert_eq!(refused, left_out);
    let recording = game
        .world_mut()
        .resource::<MemoryJournal>()
        .recording()
        .clone();
    let report = replay(&recording, &|_| ()).unwrap();
    assert!(report.holds() && report.repeated >= 2, "{report:?}");
}

#[test]
fn no_two_systems_are_ambiguous() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default()));
    forbid_ambiguities(&mut app, Update);
    let mut game = game_in(app, DramatisPlugins::new(ManualEngine::default()));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frames(3);
}

#[test]
fn no_two_systems_are_ambiguous_in_fixed_update_with_a_script() {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin::default(),
        TimePlugin,
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    forbid_ambiguities(&mut app, FixedUpdate);
    let engine = bevy_dramatis::plugin::EngineSource::Script("none.script.ron".into());
    let mut game = game_in(app, DramatisPlugins::new(engine).in_schedule(FixedUpdate));
    game.frames(3);
}

#[test]
fn a_game_orders_its_systems_against_the_sets() {
    #[derive(Resource, Default)]
    struct WriterCommand(Vec<usize>);
    let mut game = TestGame::new(ScriptedEngine::saying(["Well."]));
    game.app.init_resource::<WriterCommand>();
    for (i, set) in PipelineSystems::ALL.into_iter().enumerate().rev() {
        game.app.add_systems(
            Update,
            (move |mut order: ResMut<WriterCommand>| order.0.push(i)).in_set(set),
        );
    }
    game.app.add_systems(
        Update,
        (|mut order: ResMut<WriterCommand>| order.0.push(9)).in_set(ResultSystems),
    );
    game.frame();
    assert_eq!(
        game.world().resource::<WriterCommand>().0,
        (0..10).collect::<Vec<_>>()
    );
}

#[test]
fn the_clocks_follow_bevys_and_call_time_goes_on_while_the_game_is_paused() {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            100,
        )));
    let mut game = game_in(app, DramatisPlugins::new(ManualEngine::default()));
    game.world_mut().remove_resource::<ManualClock>();
    game.frames(3);
    let before = *game.world().resource::<DramatisClock>();
    assert!(before.game > GameTime(0));
    game.world_mut().resource_mut::<Time<Virtual>>().pause();
    game.frames(3);
    let paused = *game.world().resource::<DramatisClock>();
    assert_eq!(paused.game, before.game);
    assert_eq!(paused.call, before.call.after(Millis(300)));

    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frames(310);
    assert_eq!(
        game.take_lines(),
        [SpokenLine::fallback("Hm.")],
        "a paused game does not wait forever"
    );
    assert_eq!(game.attempts()[0].error, Some(AttemptError::Deadline));
}

/// When each component of an entity was added and last changed.
fn ticks(world: &World, entity: Entity) -> Vec<(ComponentId, ComponentTicks)> {
    let entity = world.entity(entity);
    let ids = entity.archetype().components().to_vec();
    ids.into_iter()
        .filter_map(|id| Some((id, entity.get_change_ticks_by_id(id)?)))
        .collect()
}

#[test]
fn f1_while_nobody_talks_no_component_of_a_character_changes() {
    let mut game = TestGame::new(FnEngine::always("Well."));
    let crowd: Vec<Entity> = (0..20)
        .map(|i| game.spawn_npc(&format!("(id: \"npc_{i}\")")))
        .collect();
    game.talk(crowd[0], "Hello");
    game.frame();
    let look = |game: &mut TestGame| {
        let world = game.world_mut();
        crowd
            .iter()
            .map(|npc| ticks(world, *npc))
            .map(|t| format!("{t:?}"))
            .collect::<Vec<_>>()
    };
    let before = look(&mut game);
    for _ in 0..20 {
        game.advance(600_000);
        game.frame();
    }
    assert_eq!(look(&mut game), before);
    assert_eq!(game.counters().engine_calls, 1);
    // The other characters do not change while one talks.
    game.talk(crowd[0], "Hello again");
    assert_eq!(look(&mut game)[1..], before[1..]);
}
