//! Plans with the real server: its replies have the requested form, the plugin notices a model that is swapped while a plan waits, and if
//! the server dies while a plan is made, the plan ends with a reason.

use super::by_id::tell;
use super::{fast_url, url};
use bevy::prelude::*;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineIdentity, EngineRequest, IdentityProbe, Stage,
};
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::gate::FailureReason;
use bevy_dramatis::pipeline::AttemptLog;
use bevy_dramatis::plans::{PlanGoal, PlanStatus};
use bevy_dramatis::prelude::*;
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::testing::TestGame;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

const STORY: &str = r#"(world: (locations: {"hall": (name: "Hall"), "yard": (name: "Yard")}, entities: {
    "player": (name: "Ann", kind: "character", at: In("hall")),
    "rope": (name: "rope", kind: "item", at: In("hall"), attributes: {"takeable": true}),
    "kettle": (name: "kettle", kind: "item", at: In("hall")),
}))"#;
const PORTER: &str =
    r#"(id: "porter", name: "Odo", location: "hall", fallbacks: (generic: ["Hm."]))"#;

/// Asks the porter for a plan in one of the possible ways.
fn ask(game: &mut TestGame, how: impl FnOnce(&mut EntityCommands)) -> PlanId {
    let world = game.app.world_mut();
    tell(world, "porter", how);
    let plans = world.resource::<Plans>();
    plans.iter().last().expect("there is a plan").id
}

/// Passes bytes on to a server that the test can exchange, which cuts all connections.
struct Relay {
    url: String,
    to: Arc<Mutex<Option<String>>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Relay {
    fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let relay = Self {
            url,
            to: Arc::default(),
            open: Arc::default(),
        };
        relay.exchange(Some(server));
        let (to, open) = (relay.to.clone(), relay.open.clone());
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let to = to.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let server = to.and_then(|to| TcpStream::connect(to).ok());
                let Some(server) = server else {
                    let _ = client.shutdown(Shutdown::Both);
                    continue;
                };
                let copies = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                open.extend([client.try_clone().unwrap(), server.try_clone().unwrap()]);
                thread::spawn(move || pass(client, server));
                thread::spawn(move || pass(copies.1, copies.0));
            }
        });
        relay
    }

    /// From now on another server answers, or none.
    fn exchange(&self, server: Option<&str>) {
        let address = server.map(|url| url.trim_start_matches("http://").to_owned());
        *self.to.lock().unwrap_or_else(PoisonError::into_inner) = address;
        for stream in self
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
        {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let mut block = [0; 4096];
    while let Ok(read) = from.read(&mut block) {
        if read == 0 || to.write_all(&block[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// The server gives the identity of the model; the answers come from a script, since noise makes no valid plan.
struct Steady {
    server: HttpEngine,
    script: ScriptedEngine,
}

impl Engine for Steady {
    fn identity(&self) -> EngineIdentity {
        self.server.identity()
    }

    fn probe(&self) -> Option<IdentityProbe> {
        self.server.probe()
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.script.start(request)
    }
}

fn game(engine: impl Engine) -> TestGame {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)));
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    game.spawn_npc(PORTER);
    game
}

fn goal() -> PlanGoal {
    PlanGoal {
        intent: "fetch".to_owned(),
        context: [("thing", "rope"), ("to", "player")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        constraints: Vec::new(),
    }
}

/// Plays frames until the plan has reached this status, in a bounded number of frames.
fn until(
    game: &mut TestGame,
    plan: PlanId,
    done: impl Fn(PlanStatus, usize) -> bool,
) -> PlanStatus {
    for _ in 0..30_000 {
        game.app.update();
        // The clocks of a test game are scripted, so the test advances them past back-off and patience.
        game.advance(2);
        let plans = game.app.world().resource::<Plans>();
        let plan = plans.get(plan).unwrap();
        let carried_out = plan
            .steps
            .iter()
            .filter(|step| step.result.is_some())
            .count();
        if done(plan.status, carried_out) {
            return plan.status;
        }
        thread::sleep(Duration::from_millis(2));
    }
    panic!("the plan never reached the status");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn s5_a_model_that_is_swapped_between_plan_and_step_blocks() {
    let relay = Relay::to(&fast_url());
    let plan = r#"{"steps": [{"id": "s1", "why": "it lies there", "action": {"type": "take", "target": "rope"}},
        {"id": "s2", "needs": ["s1"], "why": "she wants it", "action": {"type": "give", "target": "rope", "to": "player"}}]}"#;
    let steady = Steady {
        server: HttpEngine::new(HttpConfig::new(&relay.url, "tiny-npc")).unwrap(),
        script: ScriptedEngine::saying([plan, plan]),
    };
    let mut game = game(steady);
    game.app
        .add_observer(|step: On<StepDone>, mut commands: Commands| {
            commands.hold_plan(step.plan, true);
        });
    let id = ask(&mut game, |porter| {
        porter.plan_goal(goal());
    });
    until(&mut game, id, |_, steps| steps == 1);
    let made = game
        .app
        .world()
        .resource::<Plans>()
        .get(id)
        .unwrap()
        .model
        .clone()
        .unwrap();
    assert!(
        made.hash.is_some() && made.model.contains(".gguf"),
        "{made:?}"
    );
    relay.exchange(Some(&url("DRAMATIS_TEST_SLOW_URL")));
    game.app.world_mut().commands().hold_plan(id, false);
    let status = until(&mut game, id, |status, _| status.is_over());
    assert_eq!(status, PlanStatus::Blocked);
    // The same server continues with another plan.
    let id = ask(&mut game, |porter| {
        porter.plan_goal(goal());
    });
    until(&mut game, id, |_, steps| steps == 1);
    game.app.world_mut().commands().hold_plan(id, false);
    assert_eq!(
        until(&mut game, id, |status, _| status.is_over()),
        PlanStatus::Done
    );
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn s6_a_server_that_dies_while_a_plan_is_made_ends_it_with_a_reason() {
    let relay = Relay::to(&fast_url());
    let engine = HttpEngine::new(HttpConfig::new(&relay.url, "tiny-npc")).unwrap();
    let mut game = game(engine);
    game.app.update();
    relay.exchange(None);
    let id = ask(&mut game, |porter| {
        porter.plan_goal(goal());
    });
    assert_eq!(
        until(&mut game, id, |status, _| status.is_over()),
        PlanStatus::Rejected
    );
    let plan = game
        .app
        .world()
        .resource::<Plans>()
        .get(id)
        .unwrap()
        .clone();
    assert_eq!(plan.reason.as_deref(), Some("EngineUnavailable"));
    let counters = game
        .app
        .world()
        .resource::<bevy_dramatis::base::DramatisCounters>();
    assert_eq!(counters.engine_calls, 4);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p13_replies_of_both_stages_have_the_form_that_is_asked_for() {
    let mut game = game(HttpEngine::new(HttpConfig::new(fast_url(), "tiny-npc")).unwrap());
    let (mut wishes, mut plans) = (0, 0);
    for i in 0..6 {
        let id = ask(&mut game, |porter| match i % 2 {
            0 => {
                porter.ask_plan("Bring me the rope.");
            }
            _ => {
                porter.plan_goal(goal());
            }
        });
        until(&mut game, id, |status, _| {
            status.is_over() || status.is_waiting()
        });
        let world = game.app.world_mut();
        let mut runs = world.query::<(&bevy_dramatis::pipeline::Run, &AttemptLog)>();
        for (run, log) in runs.iter(world) {
            for attempt in log
                .0
                .iter()
                .filter(|attempt| attempt.finish == Finish::Stop)
            {
                let verdict = attempt.verdict.clone().unwrap_or_default();
                let broken = verdict
                    .failures
                    .iter()
                    .find(|f| f.reason == FailureReason::InvalidFormat);
                assert_eq!(broken, None, "{:?}", attempt.reply);
                match run.stage() {
                    Stage::PlanIntent => wishes += 1,
                    _ => plans += 1,
                }
            }
        }
    }
    assert!(wishes > 0 && plans > 0, "{wishes} {plans}");
}
