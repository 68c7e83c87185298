//! Events about plans.

use super::decision::Gate;
use super::plan::PlanId;
use super::plan::PlanStatus;
use super::profile::Answer;
use crate::base::ids::Id;
use crate::outbox::about_entity;
use bevy::prelude::*;

/// A plan has passed its checks, and the gates have judged it. The plan holds what they say.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct PlanProposed {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
}

/// The player is to answer a question about a plan, or learns that the plan is over:
///
/// - [`PlanStatus::Asking`]: is this what was meant? [`PlanStatus::Pending`]: may the plan be carried out?
///   Answer with [`approve_plan`](crate::plans::PlanCommandsExt::approve_plan) or
///   [`deny_plan`](crate::plans::PlanCommandsExt::deny_plan). Silence for 300 seconds counts as a no.
/// - [`PlanStatus::Blocked`]: another model answers now than the one that made the plan. [`PlanStatus::Rejected`]: no model could
///   be asked. The plan is over, and the game need not answer. It can ask for another plan for the same wish with
///   [`regenerate_plan`](crate::plans::PlanCommandsExt::regenerate_plan).
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct PlanQuestion {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// What is asked.
    pub status: PlanStatus,
}

/// It is decided whether a plan is carried out.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct PlanDecided {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// What is decided.
    pub decision: Answer,
    /// The gate that decided; `None` when none had anything to say.
    pub gate: Option<Gate>,
    /// Why it is not carried out; `None` when it is.
    pub reason: Option<String>,
}

/// A step of a plan was carried out. The next one follows in a later frame, unless the game
/// [holds](crate::plans::PlanCommandsExt::hold_plan) the plan now.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct StepDone {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// The id of the step.
    pub step: String,
}

/// A plan is over. It is the last event of its plan.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
#[non_exhaustive]
pub struct PlanEnded {
    /// The entity of the character; `None` when it is gone.
    pub entity: Option<Entity>,
    /// The id of the character.
    pub npc: Id,
    /// The plan; [`Plans`](crate::plans::Plans) holds it.
    pub plan: PlanId,
    /// How it ended.
    pub status: PlanStatus,
    /// Why it was not carried out to its end; `None` when it was.
    pub reason: Option<String>,
}

about_entity!(PlanProposed, PlanQuestion, PlanDecided, StepDone, PlanEnded);
