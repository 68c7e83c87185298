//! Bryn comes in, talks with the wizard, and goes again.

use super::play::wait;
use super::watch::VisitLog;
use crate::gossip::{self, Gossip};
use crate::tools::visit::VISIT_OF_BRYN;
use bevy::prelude::*;
use bevy_dramatis::base::DramatisClock;

/// Lets Bryn come in, and waits until she has gone.
pub(super) fn hear_gossip(app: &mut App) -> Result<(), String> {
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
