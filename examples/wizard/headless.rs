//! The scripted visit of `visit.rs` without a window: what is said and done goes to the terminal, and must come out as written.

use crate::door::{self, Happens};
use crate::gossip::{self, Gossip, Says};
use crate::tale::{self, NotTold, Tells};
use crate::visit::{Step, VISIT, VISIT_OF_BRYN};
use crate::words::Names;
use crate::{ASSETS, cast, game};
use bevy::log::{Level, LogPlugin};
use bevy::prelude::*;
use bevy_dramatis::adventure::Stream;
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::pipeline::ApprovedIntents;
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{
    Clarification, DisplayName, GameWrite, Placement, WorldIndex, WorldView,
};
use std::process::ExitCode;
use std::time::Duration;

use Step::{Answer, BrynComesIn, Check, CheckTale, Enter, Knock, Tell, Undo, Weather, Wish};

/// The secret, the crown before the letters were read, and the door that got barred.
const REJECTED_ATTEMPTS: usize = 3;
/// No wait takes longer: a frame sleeps a millisecond.
const MOST_FRAMES: usize = 10_000;

/// How many runs and turns have ended, and how.
#[derive(Resource, Default)]
struct VisitLog {
    ended: usize,
    authored: usize,
    rejected_attempts: usize,
    /// How many lines the characters have said.
    lines: usize,
    question: Option<Clarification>,
    plans_ended: usize,
    tales_ended: usize,
    /// What is taken away after the first step of a plan.
    taken_away: Option<&'static str>,
}

/// Plays the visit.
pub fn visit() -> ExitCode {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        LogPlugin {
            level: Level::WARN,
            ..default()
        },
        AssetPlugin {
            file_path: ASSETS.to_owned(),
            ..default()
        },
        DramatisPlugins::new(EngineSource::Script(cast::SCRIPT.to_owned())),
        game::plugin,
        door::plugin,
        gossip::plugin,
        tale::plugin,
    ));
    // No player reads along, and the time of the game goes on by the steps of the visit alone.
    app.world_mut().resource_mut::<Gossip>().pause = 0.0;
    app.insert_resource(ManualClock);
    watch(&mut app);
    app.finish();
    app.cleanup();

    match play(&mut app).and_then(|()| check_replies(app.world().resource())) {
        Ok(()) => {
            println!("(The chest is open, and its letters are read.)");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("The visit did not go as written: {why}.");
            ExitCode::FAILURE
        }
    }
}

/// Prints what happens.
fn watch(app: &mut App) {
    app.init_resource::<VisitLog>()
        .add_observer(
            |spoke: On<Spoke>, names: Query<&DisplayName>, mut seen: ResMut<VisitLog>| {
                let how = if spoke.fallback { " (fallback)" } else { "" };
                println!("{}{how}: {}", name(&names, spoke.entity), spoke.line);
                seen.lines += 1;
            },
        )
        .add_observer(
            |says: On<Says>, names: Query<&DisplayName>, mut seen: ResMut<VisitLog>| {
                println!("{}: {}", name(&names, says.who), says.line);
                seen.lines += 1;
            },
        )
        .add_observer(|failed: On<AttemptFailed>, mut seen: ResMut<VisitLog>| {
            seen.rejected_attempts += 1;
            for failure in &failed.failures {
                println!("  x rejected by {}: {}", failure.rule, failure.message);
            }
        })
        .add_observer(
            |ended: On<RunEnded>,
             runs: Query<&ApprovedIntents>,
             names: Names,
             called: Query<&DisplayName>,
             mut seen: ResMut<VisitLog>| {
                let who = ended
                    .entity
                    .map(|who| name(&called, who))
                    .unwrap_or_default();
                for intent in runs.get(ended.run).iter().flat_map(|done| &done.0) {
                    println!("  * {who}: {}", names.action(intent));
                }
                seen.ended += 1;
                seen.authored += usize::from(!matches!(ended.outcome, Outcome::Accepted { .. }));
            },
        )
        .add_observer(
            |ended: On<TurnEnded>,
             names: Names,
             called: Query<&DisplayName>,
             mut seen: ResMut<VisitLog>| {
                let other = ended.entity.filter(|_| ended.actor != cast::PLAYER);
                let who = other.map(|who| format!("{}: ", name(&called, who)));
                for line in names.outcomes(&ended.record) {
                    println!("  * {}{line}", who.as_deref().unwrap_or_default());
                }
                seen.ended += 1;
            },
        )
        .add_observer(
            |asked: On<ClarificationNeeded>, mut seen: ResMut<VisitLog>| {
                let options = asked.clarification.options.iter();
                let options: Vec<&str> = options.map(|option| option.name.as_str()).collect();
                println!("  ? {}", options.join(" or "));
                seen.question = Some(asked.clarification.clone());
            },
        )
        .add_observer(|happens: On<Happens>| println!("({})", happens.0))
        .add_observer(|tells: On<Tells>| println!("{}", tells.text))
        .add_observer(|not: On<NotTold>| println!("({})", not.why))
        .add_observer(|_: On<AdventureTurnEnded>, mut seen: ResMut<VisitLog>| {
            seen.tales_ended += 1;
        })
        .add_observer(
            |question: On<PlanQuestion>, plans: Res<Plans>, mut commands: Commands| {
                if !question.status.is_waiting() {
                    return;
                }
                for step in plans.get(question.plan).iter().flat_map(|plan| &plan.steps) {
                    println!("  ? {}", step.why);
                }
                println!("You: Do it.");
                commands.approve_plan(question.plan);
            },
        )
        .add_observer(
            |_: On<StepDone>, mut seen: ResMut<VisitLog>, mut writes: GameWrites| {
                if let Some(thing) = seen.taken_away.take() {
                    println!("(Somebody takes it away.)");
                    writes.place(thing, Placement::CarriedBy(id!(cast::PLAYER)));
                }
            },
        )
        .add_observer(
            |ended: On<PlanEnded>, plans: Res<Plans>, mut seen: ResMut<VisitLog>| {
                let steps = plans.get(ended.plan).map(|plan| &plan.steps);
                let why =
                    steps.and_then(|steps| steps.iter().find_map(|step| step.message.clone()));
                let reason = why.map(|reason| format!(" ({reason})"));
                println!(
                    "  = the plan: {}{}",
                    ended.status.name(),
                    reason.unwrap_or_default()
                );
                seen.plans_ended += 1;
            },
        );
}

/// The name of a character.
fn name<'a>(names: &'a Query<&DisplayName>, who: Entity) -> &'a str {
    names.get(who).map_or("Somebody", |name| name.0.as_str())
}

fn play(app: &mut App) -> Result<(), String> {
    wait(app, "the files to load", |world| {
        world.run_system_cached(dramatis_ready).unwrap_or_default()
    })?;
    for step in VISIT {
        if let BrynComesIn = step {
            hear_gossip(app)?;
            continue;
        }
        if let Tell(_) = step {
            let before = app.world().resource::<VisitLog>().tales_ended;
            take(app.world_mut(), step)?;
            wait(app, "the end of the tale", |world| {
                world.resource::<VisitLog>().tales_ended > before
            })?;
            continue;
        }
        if let Wish(_, taken_away) = step {
            let before = app.world().resource::<VisitLog>().plans_ended;
            app.world_mut().resource_mut::<VisitLog>().taken_away = *taken_away;
            take(app.world_mut(), step)?;
            wait(app, "the end of the plan", |world| {
                world.resource::<VisitLog>().plans_ended > before
            })?;
            if let Some(thing) = taken_away {
                let back = Placement::In(id!("tower"));
                let put = GameWrite::place(Id::new(*thing).map_err(text)?, back);
                put.apply(app.world_mut()).map_err(text)?;
            }
            continue;
        }
        let before = app.world().resource::<VisitLog>().ended;
        if take(app.world_mut(), step)? {
            wait(app, "an answer", |world| {
                world.resource::<VisitLog>().ended > before
            })?;
        }
    }
    Ok(())
}

/// Lets Bryn come in, and waits until she has gone.
fn hear_gossip(app: &mut App) -> Result<(), String> {
    let before = app.world().resource::<VisitLog>().lines;
    for (what, comes, time) in [
        ("Bryn to come", true, VISIT_OF_BRYN[0]),
        ("Bryn to go", false, VISIT_OF_BRYN[1]),
    ] {
        app.world_mut().resource_mut::<DramatisClock>().game = time;
        wait(app, what, |world| {
            world.resource_mut::<DramatisClock>().game.0 += 1_000;
            let gossip = world.resource::<Gossip>();
            gossip.visits == comes && gossip.is_over()
        })?;
    }
    let said = app.world().resource::<VisitLog>().lines - before;
    let most = usize::from(gossip::MOST_LINES);
    if said == most {
        Ok(())
    } else {
        Err(format!("{said} lines were said, not {most}"))
    }
}

/// Takes a step. True: the visit must wait for its result.
fn take(world: &mut World, step: &Step) -> Result<bool, String> {
    match step {
        Knock => {
            println!("(Somebody knocks.)");
            world.run_system_cached(cast::knock).map_err(text)?;
        }
        Enter(line) | Tell(line) => {
            println!("You: {line}");
            let line = (*line).to_owned();
            let done = world.run_system_cached_with(game::enter, line);
            done.map_err(text)?;
        }
        Wish(wish, _) => {
            println!("You: {wish}");
            let done = world.run_system_cached_with(game::enter, format!("! {wish}"));
            done.map_err(text)?;
        }
        Answer(id) => {
            println!("You: {id}");
            let done = world.run_system_cached_with(answer, id);
            done.map_err(text)?;
        }
        BrynComesIn => return Ok(false),
        Undo => {
            println!("You: * undo");
            world.commands().retract_turn();
            world.flush();
            return Ok(false);
        }
        Weather => {
            let done = world.run_system_cached(door::turn_weather);
            done.map_err(text)?;
            return Ok(false);
        }
        Check(what, holds) if holds(&WorldView::new(world).to_state()) => {
            println!("  = {what}");
            return Ok(false);
        }
        CheckTale(what, holds) if holds(world.resource::<Stream>()) => {
            println!("  = {what}");
            return Ok(false);
        }
        CheckTale(what, _) | Check(what, _) => return Err(format!("this does not hold: {what}")),
    }
    Ok(true)
}

fn answer(
    In(id): In<&'static str>,
    mut commands: Commands,
    mut seen: ResMut<VisitLog>,
    ids: Res<WorldIndex>,
) {
    if let (Some(question), Some(player)) = (seen.question.take(), ids.get(cast::PLAYER)) {
        commands.entity(player).answer(&question, id);
    }
}

fn wait(app: &mut App, what: &str, done: impl Fn(&mut World) -> bool) -> Result<(), String> {
    for _ in 0..MOST_FRAMES {
        app.update();
        if done(app.world_mut()) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(format!("waited in vain for {what}"))
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The wizard always found words of his own, and was stopped where he had to be.
fn check_replies(seen: &VisitLog) -> Result<(), String> {
    if seen.authored > 0 {
        Err(format!("{} runs were not accepted", seen.authored))
    } else if seen.rejected_attempts != REJECTED_ATTEMPTS {
        Err(format!(
            "{} attempts were rejected, not {REJECTED_ATTEMPTS}",
            seen.rejected_attempts
        ))
    } else {
        Ok(())
    }
}
