//! What can happen to a plan. Each is an input of the journal: the same inputs on the same world make the same plan.

use super::order::PlanProblem;
use super::plan::{CallOf, PlanAsked, PlanId};
use crate::base::ids::Id;
use crate::engine::EngineIdentity;
use crate::proposal::{Finish, PlanConstraintSpec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A goal in typed form: what a wish would be understood as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanGoal {
    /// What is wanted, by its name in the taxonomy.
    pub intent: String,
    /// What it needs to know, by key.
    pub context: BTreeMap<String, String>,
    /// What it demands, forbids and prefers.
    pub constraints: Vec<PlanConstraintSpec>,
}

/// Something that happens to a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum PlanInput {
    /// It is asked for.
    Asked {
        asked: PlanAsked,
        /// What is wanted, where no model has to say so.
        goal: Option<PlanGoal>,
        /// The plan for whose wish this is another one.
        again: Option<PlanId>,
        /// The model that is asked; `None` when no engine can serve it.
        model: Option<EngineIdentity>,
    },
    /// A model has answered, and its answer passed its judge.
    Answered {
        of: CallOf,
        run: u64,
        reply: String,
        #[serde(with = "finish")]
        finish: Finish,
        model: EngineIdentity,
        /// How often it had to answer again.
        regenerations: u32,
        /// What was wrong with the last plan that failed its checks.
        failures: Vec<PlanProblem>,
    },
    /// No answer would do.
    CallFailed {
        of: CallOf,
        run: Option<u64>,
        /// The reason of the end.
        reason: String,
        regenerations: u32,
        failures: Vec<PlanProblem>,
    },
    /// The model is another before a call, or after it.
    OtherModel {
        /// The number of the run that it answered.
        run: Option<u64>,
        /// The model that serves now; `None` when none does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        now: Option<EngineIdentity>,
    },
    /// The player says yes.
    Granted {
        by: Id,
        /// The model that serves now, for the record: what was approved is what the question said.
        model: Option<EngineIdentity>,
    },
    /// The player says no.
    Refused,
    /// The player wants another plan for the same wish.
    Regenerated,
    /// The player has said nothing for too long.
    Silence,
    /// It is too old.
    Age,
    /// Its character is gone.
    Despawned {
        /// The number of the run that was in flight.
        run: Option<u64>,
    },
    /// A game was loaded, or the plan is dropped.
    Dropped,
    /// Its next step is due.
    Step {
        /// The model that serves now; `None` when none does.
        model: Option<EngineIdentity>,
    },
}

mod finish {
    use crate::proposal::Finish;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(finish: &Finish, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*finish == Finish::Stop)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Finish, D::Error> {
        Ok(match bool::deserialize(deserializer)? {
            true => Finish::Stop,
            false => Finish::Length,
        })
    }
}
