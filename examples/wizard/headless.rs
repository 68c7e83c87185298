//! The scripted visit of `visit.rs` without a window: what is said and done goes to the terminal, and must come out as written.

mod watch;

use self::watch::{VisitLog, watch};
use crate::gossip::{self, Gossip};
use crate::visit::{Step, VISIT, VISIT_OF_BRYN};
use crate::{ASSETS, cast, door, game, tale};
use bevy::log::{Level, LogPlugin};
use bevy::prelude::*;
use bevy_dramatis::adventure::Stream;
use bevy_dramatis::base::{DramatisClock, ManualClock};
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{GameWrite, Placement, WorldIndex, WorldView};
use std::process::ExitCode;
use std::time::Duration;

use Step::{Answer, BrynComesIn, Check, CheckTale, Enter, Knock, Tell, Undo, Weather, Wish};

/// The secret, the crown before the letters were read, and the door that got barred.
const REJECTED_ATTEMPTS: usize = 3;
/// No wait takes longer: a frame sleeps a millisecond.
const MOST_FRAMES: usize = 10_000;

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
