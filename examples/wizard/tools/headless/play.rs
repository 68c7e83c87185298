//! How the visit is played: a step after the other, each when the one before has ended.

use super::gossip_visit::hear_gossip;
use super::take::{take, text};
use super::watch::VisitLog;
use crate::tools::visit::{Step, VISIT};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{GameWrite, Placement};
use std::time::Duration;

/// No wait takes longer: a frame sleeps a millisecond.
const MOST_FRAMES: usize = 10_000;

/// Plays the visit.
pub(super) fn play(app: &mut App) -> Result<(), String> {
    wait(app, "the files to load", |world| {
        world.run_system_cached(dramatis_ready).unwrap_or_default()
    })?;
    for step in VISIT {
        if let Step::BrynComesIn = step {
            hear_gossip(app)?;
            continue;
        }
        if let Step::Tell(_) = step {
            let before = app.world().resource::<VisitLog>().tales_ended;
            take(app.world_mut(), step)?;
            wait(app, "the end of the tale", |world| {
                world.resource::<VisitLog>().tales_ended > before
            })?;
            continue;
        }
        if let Step::Wish(_, taken_away) = step {
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

pub(super) fn wait(
    app: &mut App,
    what: &str,
    done: impl Fn(&mut World) -> bool,
) -> Result<(), String> {
    for _ in 0..MOST_FRAMES {
        app.update();
        if done(app.world_mut()) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(format!("waited in vain for {what}"))
}
