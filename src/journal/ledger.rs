//! The ledger: records as they are made, in the order in which things took effect.
//!
//! It keeps a [`WorldMirror`](crate::judged_world::change::mirror::WorldMirror) of what has been written down. Before anything reads the
//! judged world, the ledger looks for what has changed since, so that a record that depends on a change always comes after
//! it. What the game writes through [`GameWrite`](crate::world::GameWrite) is written down as such; what its own systems
//! changed in place is found by comparison.

mod adventure_turns;
mod changes;
mod checkpoint;
mod ended_run;
mod entry;
mod minds;
mod plans;
mod resource;
mod runs;
mod settings_seen;

pub(crate) use changes::{is_due, observe, observe_minds, refused};
pub(crate) use checkpoint::accept_current_state;
#[cfg(feature = "store")]
pub(crate) use checkpoint::go_on_from;
pub(crate) use checkpoint::restart;
pub(crate) use entry::LedgerEntry;
#[cfg(feature = "store")]
pub(crate) use entry::{About, Sign};
pub(crate) use resource::InstalledLedger;
#[cfg(feature = "store")]
use resource::with_ledger;

#[cfg(feature = "store")]
use super::record::CheckpointReason;
use crate::adventure::hook::InstalledAdventureHook;
use crate::npc::{CharacterLog, MindWriteLog};
use crate::pipeline::driver::hook::InstalledHook;
use crate::plans::hook::InstalledPlanHook;
use crate::recorded::InputLog;
use crate::world::game_write::WriteLog;
use crate::world::tracker::WorldTracker;
use bevy::prelude::*;
use runs::LedgerHook;
use std::sync::Arc;

/// Begins to write down what happens. The first record is a checkpoint, made when the first record is due.
pub(crate) fn begin(app: &mut App) {
    app.insert_resource(InstalledLedger::new())
        .insert_resource(InstalledHook(Arc::new(LedgerHook)))
        .insert_resource(InstalledAdventureHook(Arc::new(LedgerHook)))
        .insert_resource(InstalledPlanHook(Arc::new(LedgerHook)))
        .init_resource::<WriteLog>()
        .init_resource::<InputLog>()
        .init_resource::<MindWriteLog>()
        .init_resource::<CharacterLog>();
    let mut watch = app.world_mut().get_resource_or_init::<WorldTracker>();
    watch.keep_touched();
}

/// Writes a checkpoint down: everything as it is now.
#[cfg(feature = "store")]
pub(crate) fn write_checkpoint(world: &mut World, reason: CheckpointReason) {
    observe(world);
    observe_minds(world);
    with_ledger(world, |world, ledger| {
        checkpoint::checkpoint(ledger, world, reason, 0);
    });
}
