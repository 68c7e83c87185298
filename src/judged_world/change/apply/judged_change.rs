//! Changes that a judged action brings about.

use crate::judged_world::change::WorldChange;
use serde::Serialize;

/// A change by an action that was allowed. Only `apply` can build one, so that no action reaches the world without a
/// judgement.
///
/// ```compile_fail
/// // No other code makes one.
/// use bevy_dramatis::world::{JudgedChange, WorldChange};
/// let change = JudgedChange(WorldChange::Flag { name: "night".to_owned(), value: true });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct JudgedChange(WorldChange);

impl JudgedChange {
    /// The effect of an action that was judged.
    pub(super) fn of_action(change: WorldChange) -> Self {
        Self(change)
    }

    /// Any change, for tests of code that takes only judged ones.
    #[cfg(test)]
    pub(crate) fn unjudged(change: WorldChange) -> Self {
        Self(change)
    }

    /// The change itself: what becomes different in the judged world.
    #[must_use]
    pub fn change(&self) -> &WorldChange {
        &self.0
    }
}
