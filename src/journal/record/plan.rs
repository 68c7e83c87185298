//! What happened to plans: one record for each input, with all that the gates said.

use super::fields::{input_fields, output_fields};
use super::hashes::BeforeAfter;
use crate::plans::PlanSettings;
use serde_json::Value;

input_fields! {
    /// The inputs of a plan's record: what a replay is fed with.
    pub struct PlanInputs {
        inputs {
            /// The plan: `p1`, `p2`, ..
            plan: String = "plan",
            /// What happened to it, by name, with all that belongs to it.
            event: Value = "event",
        }
        extras {
            /// How plans were judged; left out where it is as in the record before.
            settings: PlanSettings = "settings",
        }
        labels {
            /// The call that it answers, with its attempts: prompts, replies and verdicts.
            call: Value = "call",
        }
    }
}

output_fields! {
    /// The results, which a replay must find again.
    pub struct PlanOutputs<'a> {
        /// The id of the character.
        npc: &'a str = "npc",
        /// The plan as a trace shows it: steps, risk, quality, gates, decision, status.
        state: Value = "state",
        /// The hash of the judged world, before and after.
        world: BeforeAfter = "world",
    }
}
