//! How a run can end.

use bevy::prelude::*;
use serde::Serialize;

/// Where a fallback line comes from, in the order in which the places are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FallbackTier {
    /// The lines of the trigger.
    Trigger,
    /// The lines for the reason of the interaction.
    Reason,
    /// The lines for what went wrong.
    Failure,
    /// The lines for any reason.
    Generic,
    /// The lines for when nothing else is left.
    Emergency,
    /// The built-in last line.
    Builtin,
}

/// How a run ended. The pipeline puts it on the run when the run ends; until then a run has none.
#[derive(Component, Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(opaque, from_reflect = false)]
#[component(storage = "SparseSet", immutable)]
pub enum Outcome {
    /// An attempt passed the gate and was committed.
    Accepted {
        /// What the character said. It can be empty when the character only acts.
        line: String,
    },
    /// No attempt passed, and an authored line was spoken.
    Fallback {
        /// The line; never empty.
        line: String,
        /// Where it comes from.
        tier: FallbackTier,
    },
    /// A sealed run that was not accepted.
    Rejected,
    /// No attempt passed, and the policy has no fallback.
    Failed,
    /// The run was ended from outside: cancelled, replaced, or its character is gone. Nothing was spoken.
    Cancelled,
}

impl Outcome {
    /// The name in a trace: `Accepted`, `Fallback`, `Rejected`, `Failed` or `Cancelled`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Accepted { .. } => "Accepted",
            Self::Fallback { .. } => "Fallback",
            Self::Rejected => "Rejected",
            Self::Failed => "Failed",
            Self::Cancelled => "Cancelled",
        }
    }

    /// The spoken line; `None` when the run ended without one.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            Self::Accepted { line } | Self::Fallback { line, .. } => Some(line),
            _ => None,
        }
    }
}
