//! One attempt of a run, as its parts are drawn.

use super::view::RunView;
use crate::pipeline::AttemptRecord;

/// One attempt of a run, with all that the parts below draw.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The run that the attempt belongs to.
    pub view: &'a RunView<'a>,
    /// The attempt; `None` before the first prompt.
    pub attempt: Option<&'a AttemptRecord>,
    /// Whether it is the last attempt, of which more is kept.
    pub is_last: bool,
}
