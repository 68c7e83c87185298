//! A file that begins with a checkpoint of a game, and holds nothing else: a save without a journal, or a pruned journal.

use super::writer::folder_of;
use crate::authoring::AssetSource;
use crate::journal::game::capture::Assets;
use crate::journal::game::saved_game::SavedGame;
use crate::journal::record::{
    CheckpointReason, EncodedRecord, PrunedHistory, RecordBody, checkpoint_bodies,
};
use crate::journal::store::{Commit, Durability, Store, StoreError};
use std::path::Path;

/// Writes a save next to its place, and puts it there when it is complete. Returns the number of records.
///
/// # Errors
/// What the disk says. `path` is as it was then.
pub(in crate::journal) fn write_fresh(
    path: &Path,
    game: SavedGame,
    assets: &Assets,
    pruned: Option<PrunedHistory>,
) -> Result<u64, StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder_of(path).join(format!(".{name}.{}.new", std::process::id()));
    let written = write_checkpoint(&beside, game, assets, pruned).and_then(|store| {
        store.copy_to(path)?;
        Ok(store.head().seq)
    });
    for ending in ["", "-wal", "-shm"] {
        let mut left = beside.clone().into_os_string();
        left.push(ending);
        // It is not there when nothing could be written.
        let _ = std::fs::remove_file(left);
    }
    written
}

fn write_checkpoint(
    path: &Path,
    game: SavedGame,
    assets: &Assets,
    pruned: Option<PrunedHistory>,
) -> Result<Store, StoreError> {
    let mut store = Store::create(path, Durability::Process)?;
    let (now, rows) = (game.session.game, game.rows());
    let (mut checkpoint, parts) = checkpoint_bodies(game, &rows, CheckpointReason::Saved, 0);
    checkpoint.pruned = pruned;
    let checkpoint = RecordBody::Checkpoint(Box::new(checkpoint));
    let bodies = std::iter::once(checkpoint).chain(parts.into_iter().map(RecordBody::Part));
    let mut commits: Vec<Commit> = (1..)
        .zip(bodies)
        .map(|(seq, body)| {
            let record = EncodedRecord::sealed(seq, now, None, &body);
            Commit {
                seq,
                kind: record.kind.name().to_owned(),
                game_ms: now.0,
                body: record.body,
                ..Commit::default()
            }
        })
        .collect();
    if let Some(first) = commits.first_mut() {
        first.state = rows;
        first.replaces_state = true;
        first.blobs = assets.values().map(AssetSource::encoded).collect();
    }
    store.commit(&commits)?;
    Ok(store)
}
