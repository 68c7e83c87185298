//! What every load does, and saves that need no file: a game as a recording of nothing but itself.

use super::game::capture::{Assets, RestoreError, Restoring, capture, restore};
use super::game::saved_game::SavedGame;
use super::ledger::{self, InstalledLedger};
use super::record::{CheckpointReason, EncodedRecord, RecordBody, checkpoint_bodies};
use super::recording::error::ReplayError;
use super::recording::reading::checkpoint_game;
use crate::journal::events::GameLoaded;
use crate::journal::{Recorded, Recording};
use crate::loading::CharacterLoadFailed;
use crate::npc::{LoadedCharacter, Npc};
use crate::outbox::send;
use crate::story::{ActiveStory, Story};
use bevy::prelude::*;
use std::path::PathBuf;

/// The game as it is now, as a recording of nothing but this game.
pub(crate) fn capture_game(world: &mut World) -> Recording {
    let (game, assets) = capture(world);
    recording_of(&game, assets)
}

/// Puts the game with which a recording begins in place of the current one. Nothing has changed after an error.
pub(super) fn load_recording(
    world: &mut World,
    recording: &dyn Recorded,
) -> Result<(), ReplayError> {
    let game = checkpoint_game(recording, recording.first())?;
    let assets = recording.assets()?;
    let loaded = put(world, &game, &assets, PathBuf::new(), recording.count());
    loaded.map_err(|error| match error {
        PutError::StillLoading => ReplayError::StillLoading,
        PutError::Unplayable(error) => ReplayError::Unplayable(error.to_string()),
    })
}

/// A recording of nothing but this game.
pub(crate) fn recording_of(game: &SavedGame, assets: Assets) -> Recording {
    let now = game.session.game;
    let rows = game.rows();
    let (first, parts) = checkpoint_bodies(game.clone(), &rows, CheckpointReason::Begun, 0);
    let first = RecordBody::Checkpoint(Box::new(first));
    let bodies = std::iter::once(first).chain(parts.into_iter().map(RecordBody::Part));
    let records = (1..).zip(bodies).filter_map(|(seq, body)| {
        // They are encoded here: they can be read.
        EncodedRecord::sealed(seq, now, None, &body)
            .to_record()
            .ok()
    });
    Recording {
        records: records.collect(),
        assets,
    }
}

/// What the journal in a file does when a game is loaded.
#[derive(Resource, Clone, Copy)]
pub(in crate::journal) struct LoadHook {
    /// Takes over what happened before.
    pub before: fn(&mut World),
    /// Writes the load down.
    pub after: fn(&mut World),
}

/// Why a game is not put in place of the current one. Nothing has changed then.
pub(in crate::journal) enum PutError {
    StillLoading,
    Unplayable(RestoreError),
}

/// Puts a saved game in place of the current one, and tells everybody. `path` is its file, which holds so many `records`.
pub(in crate::journal) fn put(
    world: &mut World,
    game: &SavedGame,
    assets: &Assets,
    path: PathBuf,
    records: u64,
) -> Result<(), PutError> {
    if is_loading(world) {
        return Err(PutError::StillLoading);
    }
    let hook = world.get_resource::<LoadHook>().copied();
    if let Some(hook) = hook {
        (hook.before)(world);
    }
    restore(world, game, assets, Restoring::Game).map_err(PutError::Unplayable)?;
    if world.contains_resource::<InstalledLedger>() {
        match hook {
            Some(hook) => (hook.after)(world),
            None => ledger::restart(world, CheckpointReason::Loaded),
        }
    }
    send(world, GameLoaded { path, records });
    Ok(())
}

/// Whether something that the game has asked for by file is not there yet: it would come on top of what is loaded.
fn is_loading(world: &mut World) -> bool {
    let story = world.contains_resource::<Story>();
    let installed = world.resource::<ActiveStory>().0.source().is_some();
    let mut waiting = world.query_filtered::<(), (
        With<Npc>,
        Without<LoadedCharacter>,
        Without<CharacterLoadFailed>,
    )>();
    story && !installed || waiting.iter(world).next().is_some()
}
