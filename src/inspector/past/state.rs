//! What was looked at of a past.

use super::super::background::Background;
use crate::replay::PastGame;

/// What was looked at last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::inspector) struct Past(pub(super) Background<Then>);

/// The game as it was after a record.
#[derive(Debug)]
pub(super) struct Then {
    /// The number of the record.
    pub seq: u64,
    /// How many records there were: a recording that has fewer is another one.
    pub count: u64,
    /// The game; or why there is none, in a sentence.
    pub game: Result<PastGame, String>,
}
