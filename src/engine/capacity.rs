//! What an engine can take at once (contract rows E1 and E3).

use super::breaker::BreakerSettings;

/// How many calls an engine serves at once, and when it is left alone because it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capacity {
    /// The most calls in flight. Further runs wait for their turn, by [`CallPriority`](crate::npc::CallPriority). `None`: as
    /// many as there are. 0 counts as 1.
    pub calls: Option<u32>,
    /// When nobody asks it for a while. `None`: it is always asked.
    pub breaker: Option<BreakerSettings>,
}
