//! All plans of a game.

use super::plan::{Plan, PlanId, PlanStatus};
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::CallTime;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// The most plans of one character that are not over. More are refused.
pub const MAX_OPEN_PLANS: usize = 16;
/// The most plans that are over and are kept.
pub const MAX_ENDED_PLANS: usize = 1_024;

/// The plans of a game: those that are not over, and the last 1,024 that are.
#[derive(Resource, Debug, Clone, Default)]
pub struct Plans {
    plans: BTreeMap<PlanId, Plan>,
    /// How many there have been.
    pub(crate) asked: u64,
    /// How many approvals there have been.
    pub(crate) approvals: u64,
    /// How many have failed since the profile was lowered last.
    pub(crate) failed: u32,
    /// How long players could have answered so far: call time, without the time that passed while the game was paused.
    pub(crate) patience: Millis,
    /// Call time when that was counted last.
    pub(crate) counted_at: CallTime,
}

impl Plans {
    /// The plan with this number.
    #[must_use]
    pub fn get(&self, id: PlanId) -> Option<&Plan> {
        self.plans.get(&id)
    }

    /// All of them, in the order in which they were asked for.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Plan> {
        self.plans.values()
    }

    /// Those of a character that are not over, in the order in which they were asked for.
    pub fn open_plans_of<'a>(&'a self, npc: &'a Id) -> impl Iterator<Item = &'a Plan> {
        self.open().filter(move |plan| plan.asked.npc == *npc)
    }

    /// Those that are not over.
    pub fn open(&self) -> impl Iterator<Item = &Plan> {
        self.iter().filter(|plan| !plan.status.is_over())
    }

    /// Whether one is being carried out, or is about to be.
    #[must_use]
    pub fn is_running_now(&self) -> bool {
        self.open().any(|plan| {
            plan.has_begun() || matches!(plan.status, PlanStatus::Ready | PlanStatus::Running)
        })
    }

    pub(crate) fn get_mut(&mut self, id: PlanId) -> Option<&mut Plan> {
        self.plans.get_mut(&id)
    }

    /// Keeps a plan; the oldest of those that are over leave when there are too many.
    pub(crate) fn put(&mut self, plan: Plan) {
        self.plans.insert(plan.id, plan);
        let over = self.iter().filter(|plan| plan.status.is_over());
        let over: Vec<PlanId> = over.map(|plan| plan.id).collect();
        let surplus = over.len().saturating_sub(MAX_ENDED_PLANS);
        for id in &over[..surplus] {
            self.plans.remove(id);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.plans.clear();
    }
}
