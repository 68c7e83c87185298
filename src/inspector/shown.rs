//! One attempt of a run, as its parts are drawn.

use super::view::RunView;
use crate::pipeline::AttemptRecord;
use crate::proposal::{InvalidFormat, Proposal};

/// One attempt of a run, with all that the parts below draw.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The run.
    pub view: &'a RunView<'a>,
    /// The attempt; none before the first prompt.
    pub attempt: Option<&'a AttemptRecord>,
    /// Its reply, read again.
    pub parsed: Option<&'a Parsed>,
    /// Whether it is the last attempt, of which more is kept.
    pub is_last: bool,
}

/// A reply, read.
pub type Parsed = Result<Proposal, InvalidFormat>;
