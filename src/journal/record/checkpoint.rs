//! Checkpoints, and the parts of one that is too large for a record.

use super::fields::input_fields;
use crate::base::canonical::Hashing;
use crate::journal::game::saved_game::{SavedGame, StateRow};
use crate::pipeline::steps::prompt::PROMPTS;
use serde::{Deserialize, Serialize};

/// Why a checkpoint was written. After every reason but [`CheckpointReason::Saved`], runs that began before it cannot
/// be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointReason {
    /// The journal began, in a new file or in one that holds records already.
    Begun,
    /// The game was saved. The only reason that interrupts nothing: runs go on across it.
    Saved,
    /// The journal goes on after it had stopped.
    Resumed,
    /// A game was loaded in place of the one that was played.
    Loaded,
}

impl CheckpointReason {
    /// The reason's name in a file.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Saved => "saved",
            Self::Resumed => "resumed",
            Self::Loaded => "loaded",
        }
    }
}

input_fields! {
    /// The whole game, as a checkpoint holds it.
    pub struct CheckpointBody {
        inputs {
            /// Why the checkpoint was written.
            reason: CheckpointReason = "reason",
            /// The game; `None` when it is in the parts that follow.
            game: Option<SavedGame> = "game",
        }
        notes {
            /// How many records are missing before it, because the disk refused them. `None` in a record of an older
            /// version.
            lost: Option<u64> = "lost",
            /// How many records of kind `part` follow. 0: the game is in this record. `None` in a record of an older
            /// version, which counts as 0.
            parts: Option<u64> = "parts",
        }
        extras {
            /// The history that was before this checkpoint and was taken away. Left out where there was none.
            pruned: PrunedHistory = "pruned",
            /// How minds and snapshots are hashed in the records that follow. Left out in a record of an older version:
            /// [`Hashing::Whole`].
            hashing: Hashing = "hashing",
            /// Which words and which order prompts have in the records that follow: the `PROMPTS` of the version that wrote them.
            /// Left out by a version that numbered none.
            prompts: u32 = "prompts",
        }
    }
}

/// The history before a checkpoint, which was taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrunedHistory {
    /// The number of its last record.
    pub records: u64,
    /// The hash of that record, in hexadecimal: with a copy of the history, one can tell that it is this one.
    pub hash: String,
}

input_fields! {
    /// A part of a checkpoint whose game is too large for one record. It follows the checkpoint.
    pub struct PartBody {
        inputs {
            /// Some of the rows that the game is made of.
            rows: Vec<StateRow> = "rows",
        }
    }
}

/// The approximate size of a part in bytes: a record must stay well below the most that a file takes.
const PART_BYTES: usize = 4 << 20;

/// The body of a checkpoint of this game, whose rows these are, and the bodies of the parts that follow it.
pub(crate) fn checkpoint_bodies(
    game: SavedGame,
    rows: &[StateRow],
    reason: CheckpointReason,
    lost: u64,
) -> (CheckpointBody, Vec<PartBody>) {
    let parts = parts_of(rows);
    let body = CheckpointBody {
        reason,
        // All of it in one record, where it fits.
        game: parts.is_empty().then_some(game),
        lost: Some(lost),
        parts: Some(parts.len() as u64),
        pruned: None,
        hashing: Some(Hashing::ByParts),
        prompts: Some(PROMPTS),
    };
    (body, parts)
}

/// The rows of a large game, cut into parts; nothing for a game that fits into one record.
fn parts_of(rows: &[StateRow]) -> Vec<PartBody> {
    let size = |row: &StateRow| {
        let value = row.value.as_ref().map_or(0, String::len);
        row.kind.len() + row.key.len() + value
    };
    if rows.iter().map(size).sum::<usize>() <= PART_BYTES {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let (mut part, mut bytes) = (Vec::new(), 0);
    for row in rows {
        if bytes > 0 && bytes + size(row) > PART_BYTES {
            let rows = std::mem::take(&mut part);
            parts.push(PartBody { rows });
            bytes = 0;
        }
        bytes += size(row);
        part.push(row.clone());
    }
    parts.push(PartBody { rows: part });
    parts
}
