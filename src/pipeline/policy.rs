//! How a run goes about it: attempts, escalation, deadline, and what happens when no attempt passes (DESIGN.md section 4).

use crate::base::fixed::Millis;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// What a retry adds to the constraints of the attempt before it (contract row P10).
///
/// Feedback on the failed attempt and a new sampling seed come with every retry, whatever is chosen here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub enum Escalation {
    /// The constraints stay as they are.
    None,
    /// For each prohibition that was violated, one more prohibition with the offending words. The default.
    #[default]
    AddSpecificProhibition,
    /// Requirements that were not met become Hard and are restated as a must.
    HardenRequirements,
    /// Both: a prohibition for each violation, and hardened requirements.
    Full,
}

/// How many attempts a run makes, how long it may take, and how it ends when none of them passes. Plain data, with one
/// preset for each kind of run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Reflect, Serialize, Deserialize)]
pub struct RunPolicy {
    /// The most attempts, at least 1. With 0 the run fails before its first attempt.
    pub max_attempts: u32,
    /// What a retry adds to the constraints.
    pub escalation: Escalation,
    /// How long the whole run may take, in milliseconds of call time, counted from its start. A reply that arrives exactly
    /// at the deadline is in time.
    pub deadline: Millis,
    /// Whether an authored line is spoken when no attempt passed. Without it the run ends as
    /// [`Outcome::Failed`](super::Outcome::Failed), or as `Rejected` when it is sealed.
    pub fallback: bool,
    /// Whether every fault of the engine counts as an empty reply, and no acceptance as a rejection (contract rows S1, S4).
    pub sealed: bool,
}

impl RunPolicy {
    /// For talk: three attempts within 30 seconds, one more prohibition for each violation, then an authored line.
    pub const DIALOGUE: Self = Self {
        max_attempts: 3,
        escalation: Escalation::AddSpecificProhibition,
        deadline: Millis(30_000),
        fallback: true,
        sealed: false,
    };

    /// For a stage of an adventure: two attempts within 60 seconds, one more prohibition for each violation, and no authored
    /// line: the turn fails.
    pub const STAGE: Self = Self {
        max_attempts: 2,
        escalation: Escalation::AddSpecificProhibition,
        deadline: Millis(60_000),
        fallback: false,
        sealed: false,
    };

    /// One call within 30 seconds, no retry, no authored line. Every fault of the engine is an empty reply, and a rejection is
    /// a normal outcome (contract rows S1 to S4).
    pub const SEALED: Self = Self {
        max_attempts: 1,
        escalation: Escalation::None,
        deadline: Millis(30_000),
        fallback: false,
        sealed: true,
    };
}

impl Default for RunPolicy {
    fn default() -> Self {
        Self::DIALOGUE
    }
}

/// The policy with which dialogue runs start. A change counts for runs that start after it.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
pub struct DialoguePolicy(pub RunPolicy);
