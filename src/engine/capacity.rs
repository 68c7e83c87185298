//! What an engine can take.

use super::breaker::BreakerSettings;

/// How many calls and tokens an engine takes, and when it gets no calls because it fails. By default there is no limit.
///
/// ```
/// use bevy_dramatis::engine::{Budget, Capacity};
///
/// // Four calls at once, and no more than sixty in a minute.
/// let capacity = Capacity {
///     calls: Some(4),
///     budget: Budget { calls: Some(60), tokens: None },
///     ..Capacity::default()
/// };
/// assert!(!capacity.slots);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capacity {
    /// The most calls in flight. Further runs wait for their turn, by [`NpcPriority`](crate::npc::NpcPriority). `None`: no
    /// limit. 0 counts as 1.
    pub calls: Option<u32>,
    /// Whether each of these calls can be sent to a slot of its own, from 0 on, which remembers the last prompt that it has
    /// read: see [`EngineRequest::slot`](super::EngineRequest::slot). Without `calls` it means nothing.
    pub slots: bool,
    /// How much it takes in a minute. Calls beyond it wait.
    pub budget: Budget,
    /// When the engine is not asked for a while. `None`: it is always asked.
    pub breaker: Option<BreakerSettings>,
}

/// The most calls and tokens in any minute of call time. By default there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bevy::reflect::Reflect)]
pub struct Budget {
    /// The most calls that begin within a minute. `None`: no limit. 0 counts as 1.
    pub calls: Option<u32>,
    /// The most tokens of prompts and replies within a minute. A call counts with an estimate until its engine tells what it
    /// took: a token for four bytes of the prompt, and all tokens that the reply may have. A single call is always made, even
    /// if it is larger than this. `None`: no limit.
    pub tokens: Option<u64>,
}

impl Budget {
    /// Whether it bounds anything.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.calls.is_some() || self.tokens.is_some()
    }
}
