//! Taking away the history of a journal or a save, and keeping the game.

use super::fresh_file::write_fresh;
use crate::journal::record::PrunedHistory;
use crate::journal::save::file::{LoadGameError, Save};
use crate::journal::store::Store;
use std::fmt::Write;
use std::path::Path;

/// Takes away the history in a journal or a save: the file begins with a checkpoint of the game as it holds it now. It can be
/// loaded and written on; what happened before can be replayed no more. The checkpoint says how many records were taken away
/// and the hash of the last one, so that a copy of the old file can be recognised. Returns how many records were taken away.
///
/// Call it while no game has the file open, such as before [`JournalPlugin`](crate::journal::JournalPlugin) is added. All of the file is
/// read and checked first.
///
/// # Errors
/// See [`LoadGameError`]; the file is as it was then.
///
/// ```no_run
/// use bevy_dramatis::journal::prune_journal;
///
/// let pruned = prune_journal("game.dramatis".as_ref())?;
/// println!("{pruned} records were taken away");
/// # Ok::<(), bevy_dramatis::journal::LoadGameError>(())
/// ```
pub fn prune_journal(path: &Path) -> Result<u64, LoadGameError> {
    let save = Save::read(path)?;
    let head = Store::read(path)?.head();
    let mut hash = String::with_capacity(64);
    for byte in head.hash {
        let _ = write!(hash, "{byte:02x}");
    }
    let pruned = PrunedHistory {
        records: head.seq,
        hash,
    };
    let (game, assets) = save.into_parts();
    write_fresh(path, game, &assets, Some(pruned))?;
    Ok(head.seq)
}
