//! Why something is not told, or does not count.

use crate::cast::PLAYER;
use crate::problems::reason;
use bevy::prelude::*;
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::prelude::*;

/// Adds the reasons.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(say_why_refused)
        .add_observer(say_why_failed)
        .add_observer(say_why_not);
}

/// Nothing is told, or what was told does not count.
#[derive(Event)]
pub struct NotTold {
    /// Why, in a sentence.
    pub why: String,
}

fn say_why_refused(refused: On<RequestRefused>, mut commands: Commands) {
    if refused.entity.is_none() && refused.npc == PLAYER {
        let why = format!("That cannot be: {}.", reason(&refused.error));
        commands.trigger(NotTold { why });
    }
}

/// Nothing counts of a turn that has failed, also what was told already.
fn say_why_failed(ended: On<AdventureTurnEnded>, mut commands: Commands) {
    if let Some(failure) = &ended.record.failure {
        let why = format!("That has not happened: {}.", reason(&failure.error));
        commands.trigger(NotTold { why });
    }
}

/// There is nothing to take back.
fn say_why_not(failed: On<CommandFailed>, mut commands: Commands) {
    if failed.command == "retract_turn" {
        let why = reason(&failed.error);
        commands.trigger(NotTold { why });
    }
}
