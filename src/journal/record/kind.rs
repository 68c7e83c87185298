//! The kinds of records, with their names in a file.

use serde::{Deserialize, Serialize};

/// What a record is about. [`RecordBody`](super::RecordBody) has one variant for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// The whole game: at the start of a journal, after a gap, at a save, after a load.
    Checkpoint,
    /// A part of the checkpoint before it, when a game is too large for one record.
    Part,
    /// A run that ended, whatever its outcome.
    Interaction,
    /// A turn that an actor took.
    Turn,
    /// A write of the game, or what its systems changed in place.
    Write,
    /// A character was loaded, or got another file.
    Entered,
    /// A character was removed from the game.
    Left,
    /// The story was replaced, or was loaded.
    Story,
    /// The game itself changed what a character remembers.
    Mind,
    /// Policies, budget, seed, player, engine or known names changed.
    Settings,
    /// A run was cancelled from outside.
    Cancel,
    /// A request was refused and started no run.
    Refused,
    /// Parts of the adventure are new or otherwise: a turn was taken back, or the game changed something.
    Adventure,
    /// A turn of an adventure ended, whatever came of it.
    AdventureTurn,
    /// Something happened to a plan: it was asked for, answered, approved, carried out by a step, or ended.
    Plan,
}

impl RecordKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 15] = [
        Self::Checkpoint,
        Self::Part,
        Self::Interaction,
        Self::Turn,
        Self::Write,
        Self::Entered,
        Self::Left,
        Self::Story,
        Self::Mind,
        Self::Settings,
        Self::Cancel,
        Self::Refused,
        Self::Adventure,
        Self::AdventureTurn,
        Self::Plan,
    ];

    /// Whether such a record names the sources of what was authored.
    pub(crate) fn names_assets(self) -> bool {
        matches!(
            self,
            Self::Checkpoint | Self::Part | Self::Entered | Self::Story
        )
    }

    /// The kind's name in a file, such as `interaction`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Checkpoint => "checkpoint",
            Self::Part => "part",
            Self::Interaction => "interaction",
            Self::Turn => "turn",
            Self::Write => "write",
            Self::Entered => "entered",
            Self::Left => "left",
            Self::Story => "story",
            Self::Mind => "mind",
            Self::Settings => "settings",
            Self::Cancel => "cancel",
            Self::Refused => "refused",
            Self::Adventure => "adventure",
            Self::AdventureTurn => "adventure_turn",
            Self::Plan => "plan",
        }
    }

    /// The kind with this name; `None` for a name that no kind has.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::named(kind.name()), Some(kind));
        }
        assert_eq!(RecordKind::named("nothing"), None);
    }
}
