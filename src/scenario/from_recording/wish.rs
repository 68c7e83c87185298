//! What a scenario is to expect.

use crate::replay::regate::ReplyKey;

/// Which reply or turn of a recording a scenario is about, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioWish {
    /// The reply. The later attempts of the run, or of the stage, are left out. Of a plan: attempt 0 of the record of the answer that
    /// wrote its steps. The turn of an actor has no reply: attempt 0 of its record.
    pub key: ReplyKey,
    /// The raw reply that stands in for the recorded one. `None`: the recorded one is used; it must be `None` for the turn of an actor.
    pub reply: Option<String>,
    /// Whether the reply is to pass. Of the turn of an actor: whether all of its actions are to be done. Of a plan: whether nobody is
    /// to be asked before it is carried out.
    pub passes: bool,
}
