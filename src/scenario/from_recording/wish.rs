//! What a scenario is to expect.

use crate::journal::regate::ReplyKey;

/// Which reply of a recording a scenario is about, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioWish {
    /// The reply. The later attempts of the run, or of the stage, are left out.
    pub key: ReplyKey,
    /// The raw reply that stands in for the recorded one; `None`: the recorded one.
    pub reply: Option<String>,
    /// Whether it is to pass.
    pub passes: bool,
}
