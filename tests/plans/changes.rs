//! What a game can do with plans: commands and events, its own gates, profiles, holding, records, saves.

use crate::loading::load_game;
use crate::stage::{carry, fetch};
use bevy::prelude::*;
use bevy_dramatis::engine::{ScriptSpec, Stage as EngineStage};
use bevy_dramatis::events::ModelChanged;
use bevy_dramatis::format::parse_ron;
use bevy_dramatis::plans::{Answer, PlanGoal, PlanId, PlanSettings, PlanStatus, Profile};
use bevy_dramatis::prelude::*;
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::{WorldRead, WorldView};
use serde_json::json;

/// An engine that gives these replies, in this order.
fn scripted(replies: &[String], repeat: bool) -> ScriptedEngine {
    let script = format!("(replies: [{}], repeat: {repeat})", replies.join(", "));
    let script: ScriptSpec = parse_ron(script.as_bytes(), "script").unwrap();
    ScriptedEngine::new(&script).unwrap()
}

fn reply(stage: EngineStage, text: &str) -> String {
    format!("Reply((stage: {stage:?}, text: r##\"{text}\"##))")
}

/// The replies that make a plan.
fn pair() -> [String; 2] {
    [
        reply(EngineStage::PlanIntent, &fetch().to_string()),
        reply(EngineStage::Plan, &json!({"steps": carry()}).to_string()),
    ]
}

fn engine(plans: usize) -> ScriptedEngine {
    let replies: Vec<String> = (0..plans).flat_map(|_| pair()).collect();
    scripted(&replies, false)
}

const STORY: &str = r#"(world: (locations: {"hall": (name: "Hall")}, entities: {
    "player": (name: "Ann", kind: "character", at: In("hall")),
    "rope": (name: "rope", kind: "item", at: In("hall"), attributes: {"takeable": true}),
}))"#;
const PORTER: &str =
    r#"(id: "porter", name: "Odo", location: "hall", fallbacks: (generic: ["Hm."]))"#;

fn game(configure: impl FnOnce(&mut App)) -> (TestGame, Entity) {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine(4)));
    configure(&mut app);
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let porter = game.spawn_npc(PORTER);
    (game, porter)
}

fn frames(game: &mut TestGame, count: usize) {
    for _ in 0..count {
        game.app.update();
    }
}

fn ask(game: &mut TestGame, porter: Entity) -> PlanId {
    game.app
        .world_mut()
        .commands()
        .entity(porter)
        .ask_plan("Bring me the rope.");
    game.app.world_mut().flush();
    frames(game, 12);
    let plans = game.app.world().resource::<Plans>();
    plans.iter().last().expect("there is a plan").id
}

fn give(game: &mut TestGame, porter: Entity, goal: PlanGoal) -> PlanId {
    let world = game.app.world_mut();
    world.commands().entity(porter).plan_goal(goal);
    world.flush();
    let plans = world.resource::<Plans>();
    plans.iter().last().expect("there is a plan").id
}

/// Why the last command failed.
fn failure(game: &mut TestGame) -> String {
    game.frame();
    let failed = game.take_sent::<CommandFailed>();
    failed
        .last()
        .map(|failed| failed.error.clone())
        .unwrap_or_default()
}

fn status(game: &TestGame, id: PlanId) -> (PlanStatus, Option<String>) {
    let plan = game.app.world().resource::<Plans>().get(id).unwrap();
    (plan.status, plan.reason.clone())
}

fn holder(game: &TestGame) -> String {
    let at = WorldView::new(game.app.world()).placement("rope");
    at.map(|at| at.to_json().to_string()).unwrap_or_default()
}

#[derive(Resource, Default)]
struct Told(Vec<String>);

fn listen(app: &mut App) {
    app.init_resource::<Told>()
        .add_observer(|event: On<PlanProposed>, mut told: ResMut<Told>| {
            told.0.push(format!("proposed {}", event.plan))
        })
        .add_observer(|event: On<PlanQuestion>, mut told: ResMut<Told>| {
            told.0.push(format!("question {}", event.status.name()))
        })
        .add_observer(|event: On<PlanDecided>, mut told: ResMut<Told>| {
            told.0.push(format!("decided {:?}", event.decision))
        })
        .add_observer(|event: On<StepDone>, mut told: ResMut<Told>| {
            told.0.push(format!("step {}", event.step))
        })
        .add_observer(|event: On<PlanEnded>, mut told: ResMut<Told>| {
            told.0.push(format!("ended {}", event.status.name()))
        });
}

fn with(profile: Profile) -> PlanSettings {
    PlanSettings {
        profile,
        ..PlanSettings::default()
    }
}

#[test]
fn a7_a_game_is_told_of_everything_and_answers() {
    let (mut game, porter) = game(|app| {
        listen(app);
        app.insert_resource(with(Profile::Safe));
        app.add_observer(|question: On<PlanQuestion>, mut commands: Commands| {
            commands.approve_plan(question.plan);
        });
    });
    let id = ask(&mut game, porter);
    frames(&mut game, 6);
    assert_eq!(status(&game, id), (PlanStatus::Done, None));
    let told = &game.app.world().resource::<Told>().0;
    let expected = [
        "proposed p1",
        "question pending",
        "decided Allow",
        "step s1",
        "step s2",
        "ended done",
    ];
    assert_eq!(*told, expected);
}

#[test]
fn a8_a_held_plan_waits_between_two_steps() {
    let (mut game, porter) = game(|app| {
        app.add_observer(|step: On<StepDone>, mut commands: Commands| {
            if step.step == "s1" {
                commands.hold_plan(step.plan, true);
            }
        });
    });
    let id = ask(&mut game, porter);
    frames(&mut game, 20);
    assert_eq!(status(&game, id).0, PlanStatus::Running);
    assert_eq!(holder(&game), r#"{"carried_by":"porter"}"#);
    game.app.world_mut().commands().hold_plan(id, false);
    frames(&mut game, 3);
    assert_eq!(status(&game, id).0, PlanStatus::Done);
    game.app.world_mut().commands().hold_plan(id, true);
    assert!(failure(&mut game).contains("UnknownPlan"), "it is over");
}

#[test]
fn x36_a_gate_that_errs_or_panics_denies_and_none_can_allow() {
    for (name, expected) in [
        ("errs", PlanStatus::Denied),
        ("panics", PlanStatus::Denied),
        ("allows", PlanStatus::Pending),
    ] {
        let (mut game, porter) = game(|app| {
            app.insert_resource(with(Profile::Safe));
            app.add_plan_gate(name, move |_, _, _| match name {
                "errs" => Err("no opinion".into()),
                "panics" => panic!("as a test"),
                _ => Ok(Answer::Allow),
            });
        });
        let id = ask(&mut game, porter);
        assert_eq!(status(&game, id).0, expected, "{name}");
        assert_eq!(holder(&game), r#"{"in":"hall"}"#);
    }
}

#[test]
fn a5_a_cause_of_risk_of_the_game_can_only_add() {
    for (points, expected) in [
        (Ok(0), PlanStatus::Done),
        (Ok(90), PlanStatus::Pending),
        (Err("broken"), PlanStatus::Pending),
    ] {
        let (mut game, porter) = game(|app| {
            app.add_plan_risk("curfew", move |_, _, _| points.map_err(Into::into));
        });
        let id = ask(&mut game, porter);
        frames(&mut game, 6);
        assert_eq!(status(&game, id).0, expected, "{points:?}");
    }
}

#[test]
fn x41_x56_no_plan_runs_above_the_ceiling_or_without_approval() {
    let (mut game, porter) = game(|app| {
        app.insert_resource(PlanSettings {
            profile: Profile::FullAuto,
            ceiling: Profile::Safe,
            has_approver: false,
            ..PlanSettings::default()
        });
    });
    let id = ask(&mut game, porter);
    assert_eq!(
        status(&game, id),
        (PlanStatus::Denied, Some("no_approver".to_owned()))
    );
    game.app
        .world_mut()
        .commands()
        .set_profile(Profile::Dev, true);
    assert!(failure(&mut game).starts_with("Ceiling"));
}

#[test]
fn x43_x44_a_profile_becomes_stricter_at_once_and_laxer_only_when_idle_and_approved() {
    let (mut game, porter) = game(|app| {
        app.insert_resource(with(Profile::Dev));
        app.add_observer(|proposed: On<PlanProposed>, mut commands: Commands| {
            commands.hold_plan(proposed.plan, true);
        });
    });
    let id = ask(&mut game, porter);
    assert_eq!(status(&game, id).0, PlanStatus::Ready);
    game.app
        .world_mut()
        .commands()
        .set_profile(Profile::FullAuto, true);
    assert!(
        failure(&mut game).starts_with("Busy"),
        "a plan is about to run"
    );
    game.app
        .world_mut()
        .commands()
        .set_profile(Profile::Safe, false);
    game.app.world_mut().commands().hold_plan(id, false);
    frames(&mut game, 4);
    assert_eq!(
        status(&game, id).0,
        PlanStatus::Pending,
        "the stricter setting counts at once"
    );
    game.app
        .world_mut()
        .commands()
        .set_profile(Profile::Dev, false);
    assert!(failure(&mut game).starts_with("NotApproved"));
    game.app
        .world_mut()
        .commands()
        .set_profile(Profile::Dev, true);
    game.frame();
    assert_eq!(game.take_sent::<CommandFailed>(), []);
    assert_eq!(
        game.world().resource::<PlanSettings>().profile,
        Profile::Dev
    );
}

#[test]
fn a1_a_goal_in_rust_skips_the_first_call() {
    let (mut game, porter) = game(|_| {});
    let goal = PlanGoal {
        intent: "fetch".to_owned(),
        context: [("thing", "rope"), ("to", "player")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into(),
        constraints: Vec::new(),
    };
    let id = give(&mut game, porter, goal);
    frames(&mut game, 16);
    assert_eq!(status(&game, id), (PlanStatus::Done, None));
    let plan = game.app.world().resource::<Plans>().get(id).unwrap();
    assert_eq!(plan.runs.len(), 1);
    assert_eq!(plan.to_json()["confidence"], "1.000000");
    let odd = PlanGoal {
        intent: "conquer".to_owned(),
        context: Default::default(),
        constraints: Vec::new(),
    };
    let id = give(&mut game, porter, odd);
    assert_eq!(status(&game, id).1.as_deref(), Some("UnknownIntent"));
}

#[test]
fn a2_the_clock_of_silence_stands_while_the_game_is_paused() {
    let (mut game, porter) = game(|app| {
        app.insert_resource(with(Profile::Safe));
    });
    let id = ask(&mut game, porter);
    game.app.world_mut().init_resource::<Time<Virtual>>();
    game.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    game.advance(600_000);
    frames(&mut game, 2);
    assert_eq!(status(&game, id).0, PlanStatus::Pending);
    game.app
        .world_mut()
        .resource_mut::<Time<Virtual>>()
        .unpause();
    game.advance(300_000);
    frames(&mut game, 2);
    assert_eq!(
        status(&game, id),
        (PlanStatus::Denied, Some("silence".to_owned()))
    );
}

#[test]
fn s5_a_changed_model_is_told() {
    let engine = engine(1);
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine.clone()))
        .init_resource::<Told>();
    app.add_observer(|changed: On<ModelChanged>, mut told: ResMut<Told>| {
        told.0.push(changed.now.model.clone())
    });
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let porter = game.spawn_npc(PORTER);
    let mut other = bevy_dramatis::engine::Engine::identity(&engine);
    other.model = "another".to_owned();
    engine.set_identity(other);
    ask(&mut game, porter);
    assert_eq!(game.app.world().resource::<Told>().0, ["another"]);
}

#[test]
fn s5_a_plan_of_another_model_asks_whether_another_one_is_wanted() {
    let engine = engine(2);
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine.clone()))
        .insert_resource(with(Profile::Safe));
    listen(&mut app);
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let porter = game.spawn_npc(PORTER);
    let id = ask(&mut game, porter);
    let made = bevy_dramatis::engine::Engine::identity(&engine);
    let mut now = made.clone();
    now.model = "another".to_owned();
    engine.set_identity(now.clone());
    game.app.world_mut().commands().approve_plan(id);
    frames(&mut game, 6);
    assert_eq!(
        status(&game, id),
        (PlanStatus::Blocked, Some("model_changed".to_owned()))
    );
    let plan = game.app.world().resource::<Plans>().get(id).unwrap();
    assert!(plan.asks_for_another());
    assert_eq!((&plan.model, &plan.model_now), (&Some(made), &Some(now)));
    let told = &game.app.world().resource::<Told>().0;
    assert_eq!(
        told[told.len() - 2..],
        ["question blocked", "ended blocked"]
    );
    game.app.world_mut().commands().regenerate_plan(id);
    frames(&mut game, 12);
    let plans = game.app.world().resource::<Plans>();
    let another = plans.iter().last().unwrap();
    assert_eq!(another.id.to_string(), "p2");
    assert_eq!(another.status, PlanStatus::Pending);
    assert!(!another.asks_for_another());
}

/// A game that cannot reach its model for this call; the model answers both calls when it is asked again.
fn unreachable_for(stage: EngineStage) -> (TestGame, PlanId) {
    let fault = format!("Fail((kind: Transport, stage: {stage:?}))");
    let replies = [vec![fault; 4], pair().to_vec()].concat();
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(scripted(&replies, false)));
    listen(&mut app);
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let porter = game.spawn_npc(PORTER);
    let id = ask(&mut game, porter);
    for _ in 0..4 {
        game.advance(5_000);
        frames(&mut game, 6);
    }
    (game, id)
}

#[test]
fn a4_a_model_that_cannot_be_reached_ends_in_a_question_whether_another_plan_is_wanted() {
    for stage in [EngineStage::PlanIntent, EngineStage::Plan] {
        let (mut game, id) = unreachable_for(stage);
        assert_eq!(
            status(&game, id),
            (PlanStatus::Rejected, Some("EngineUnavailable".to_owned())),
            "{stage:?}"
        );
        let told = game.app.world().resource::<Told>().0.clone();
        assert_eq!(told, ["question rejected", "ended rejected"], "{stage:?}");
        game.app.world_mut().commands().regenerate_plan(id);
        frames(&mut game, 16);
        let plans = game.app.world().resource::<Plans>();
        let another = plans.iter().last().unwrap();
        assert_eq!(another.status, PlanStatus::Done, "{stage:?}");
    }
}

#[test]
fn a4_words_that_a_model_has_not_understood_are_not_planned_again() {
    let nonsense = r#"Say("I would rather not say.")"#.to_owned();
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(scripted(&[nonsense], true)));
    listen(&mut app);
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let porter = game.spawn_npc(PORTER);
    let id = ask(&mut game, porter);
    frames(&mut game, 16);
    assert_eq!(
        status(&game, id),
        (PlanStatus::Rejected, Some("InvalidIntent".to_owned()))
    );
    let world = game.app.world_mut();
    assert!(
        !world
            .resource::<Plans>()
            .get(id)
            .unwrap()
            .asks_for_another()
    );
    world.commands().regenerate_plan(id);
    assert!(failure(&mut game).starts_with("NoIntent"));
}

#[test]
fn a1_too_many_open_plans_are_refused() {
    let (mut game, porter) = game(|app| {
        app.insert_resource(with(Profile::Safe));
    });
    for _ in 0..20 {
        game.app
            .world_mut()
            .commands()
            .entity(porter)
            .ask_plan("Bring me the rope.");
    }
    game.app.world_mut().flush();
    frames(&mut game, 12);
    let plans = game.app.world().resource::<Plans>();
    assert_eq!(plans.iter().count(), 16);
}

#[cfg(feature = "store")]
#[test]
fn x54_x58_a_load_ends_what_waits_takes_back_what_had_begun_and_every_decision_is_on_record() {
    use bevy_dramatis::journal::{JournalFile, JournalPlugin, Recorded};
    use bevy_dramatis::testing::save_game_blocking;
    let folder = std::env::temp_dir().join(format!("dramatis-plans-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (journal, saved) = (folder.join("game.dramatis"), folder.join("save.dramatis"));
    let start = || {
        let (game, porter) = game(|app| {
            app.add_plugins(JournalPlugin::new(&journal));
            app.add_observer(|step: On<StepDone>, mut commands: Commands| {
                commands.hold_plan(step.plan, true);
            });
        });
        (game, porter)
    };
    let (mut game, porter) = start();
    let id = ask(&mut game, porter);
    frames(&mut game, 4);
    assert_eq!(status(&game, id).0, PlanStatus::Running);
    assert_eq!(holder(&game), r#"{"carried_by":"porter"}"#);
    save_game_blocking(
        game.app.world_mut(),
        &saved,
        std::time::Duration::from_secs(20),
    )
    .unwrap();
    frames(&mut game, 2);
    load_game(game.app.world_mut(), &saved).unwrap();
    frames(&mut game, 2);
    assert_eq!(holder(&game), r#"{"in":"hall"}"#, "half a plan is no plan");
    assert!(game.app.world().resource::<Plans>().get(id).is_none());
    // The next plan has the next number.
    assert_eq!(ask(&mut game, porter).to_string(), "p2");
    drop(game);
    let file = JournalFile::open(&journal).unwrap();
    file.verify().unwrap();
    let mut decided = 0;
    for seq in 1..=file.count() {
        let record = file.record(seq).unwrap();
        let Some(state) = record.body.get("state") else {
            continue;
        };
        if state["decision"] == "ALLOW" && record.body["event"].get("Answered").is_some() {
            decided += 1;
            assert_eq!(state["gates"].as_array().unwrap().len(), 5);
            assert_eq!(state["deciding_gate"], "policy");
            assert_eq!(state["correlation"].as_str().unwrap().len(), 16);
        }
    }
    assert_eq!(decided, 2);
    let replayed = bevy_dramatis::replay::replay(&file, &|_| {}).unwrap();
    assert!(replayed.holds(), "{:?}", replayed.divergences);
    std::fs::remove_dir_all(&folder).unwrap();
}
