//! The commit: the one door through which what a model proposed reaches the judged world, and the door for what a player does.
//!
//! | door | what goes through it |
//! |---|---|
//! | [`commit`] | changes that the gate has approved, of a dialogue, a turn of an adventure, a step of a plan |
//! | [`commit_own_turn`] | the turn of an actor that the game or the player moves |

pub(crate) mod applied;

use crate::gate::{Approved, SpendsApprovals};
use crate::judged_world::change::take_back::ChangedParts;
use crate::judged_world::rulebook::turn::TurnRecord;
use crate::npc::learn_names;
use crate::world::writer::apply_change;
use crate::world::{JudgedChange, WorldView};
use bevy::prelude::*;

/// What a commit has installed.
pub(crate) struct Committed {
    /// The changes, in order.
    pub changes: Vec<JudgedChange>,
    /// How the parts of the world that they touch were before.
    pub before: ChangedParts,
}

/// Installs approved changes. `None` when they were approved for something else than `by`: nothing changes then.
#[must_use]
pub(crate) fn commit(
    world: &mut World,
    approved: Approved<Vec<JudgedChange>>,
    by: &impl SpendsApprovals,
) -> Option<Committed> {
    let changes = approved.spend(by)?;
    let before = ChangedParts::before(&WorldView::new(world), &changes);
    install(world, &changes);
    Some(Committed { changes, before })
}

/// Installs an actor's action in its own turn, which the game, the player or a routine asked for and the rulebook has judged. It takes
/// the record of the turn, and nothing that a model proposed.
pub(crate) fn commit_own_turn(world: &mut World, turn: &TurnRecord) {
    install(world, &turn.changes);
}

/// Makes judged changes happen, in order. They were built on this very world, so none can fail; one that does is
/// our own fault and is logged as an error.
fn install(world: &mut World, changes: &[JudgedChange]) {
    for change in changes {
        if let Err(error) = apply_change(world, change.change()) {
            log::error!("an approved change could not be installed: {error}");
        }
    }
    learn_names(world, changes);
}
