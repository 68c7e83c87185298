//! Checkpoints: everything as it is now, in one record or in several.

use super::resource::{Ledger, with_ledger};
use crate::adventure::saved::{WrittenAdventure, changed_parts};
use crate::base::canonical::Hashing;
use crate::journal::game::capture::{Assets, capture, settings};
use crate::journal::record::{CheckpointReason, RecordBody, checkpoint_bodies};
use crate::judged_world::change::mirror::WorldMirror;
use crate::memory::{DormantMinds, Mind};
use crate::npc::{CharacterLog, KnownNames, LoadedCharacter, MindWriteLog};
use crate::recorded::InputLog;
use crate::story::ActiveStory;
use crate::world::WorldView;
use crate::world::game_write::WriteLog;
use crate::world::refresh::refresh;
use crate::world::tracker::WorldTracker;
use bevy::prelude::*;

/// Goes on in a file after `position` records, with a checkpoint: what happened meanwhile is in no record.
#[cfg(feature = "store")]
pub(crate) fn go_on_from(world: &mut World, position: u64, reason: CheckpointReason, lost: u64) {
    with_ledger(world, |world, ledger| {
        ledger.position = position;
        ledger.stored_assets.clear();
        ledger.entries.clear();
        checkpoint(ledger, world, reason, lost);
    });
}

/// Everything is another: a checkpoint, and runs that began before cannot be replayed.
pub(crate) fn restart(world: &mut World, reason: CheckpointReason) {
    with_ledger(world, |world, ledger| {
        checkpoint(ledger, world, reason, 0);
    });
}

/// Takes the app as it is for what has been written down.
///
/// `hashing`: how minds are hashed from now on.
pub(crate) fn accept_current_state(world: &mut World, hashing: Hashing) {
    with_ledger(world, |world, ledger| {
        remember_current_state(ledger, world, hashing);
    });
}

fn remember_current_state(ledger: &mut Ledger, world: &mut World, hashing: Hashing) {
    world.flush();
    refresh(world);
    world.resource_mut::<WorldTracker>().take_touched();
    world.resource_mut::<WriteLog>().0.clear();
    world.resource_mut::<InputLog>().0.clear();
    world.resource_mut::<MindWriteLog>().0.clear();
    world.resource_mut::<CharacterLog>().0.clear();
    ledger.mirror = WorldMirror::of(WorldView::new(world).to_state());
    ledger.world_seen.forget();
    let settings = settings(world);
    ledger.remember_settings(settings);
    ledger.names = world.resource::<KnownNames>().learned();
    ledger.story = Some(world.resource::<ActiveStory>().0.clone());
    ledger.adventure = WrittenAdventure::default();
    changed_parts(world, &mut ledger.adventure);
    ledger.adventure_seen.forget();
    ledger.minds.begin(hashing);
    for (id, mind) in world.resource::<DormantMinds>().iter() {
        ledger.minds.look(id, mind, None);
    }
    let mut awake = world.query::<(&LoadedCharacter, Ref<Mind>)>();
    for (character, mind) in awake.iter(world) {
        let (id, tick) = (&character.0.id, mind.last_changed());
        ledger.minds.look(id, &mind, Some(tick));
    }
}

pub(super) fn checkpoint(
    ledger: &mut Ledger,
    world: &mut World,
    reason: CheckpointReason,
    lost: u64,
) {
    remember_current_state(ledger, world, Hashing::ByParts);
    let (game, assets) = capture(world);
    if reason != CheckpointReason::Saved {
        ledger.segment += 1;
    }
    let blobs = blobs(ledger, &assets);
    let now = game.session.game;
    let rows = game.rows();
    ledger.awaited.clone_from(&game.awaited);
    let (body, parts) = checkpoint_bodies(game, &rows, reason, lost);
    let body = RecordBody::Checkpoint(Box::new(body));
    let entry = ledger.write(now, None, &body);
    entry.rows = rows;
    entry.replaces_state = true;
    entry.blobs = blobs;
    for part in parts {
        ledger.write(now, None, &RecordBody::Part(part));
    }
}

fn blobs(ledger: &mut Ledger, assets: &Assets) -> Vec<String> {
    let assets = assets.values();
    assets
        .flat_map(|source| ledger.new_text(source.digest(), || source.encoded()))
        .collect()
}
