//! What of plans is saved, and comes back with a load.

use super::execute::take_back;
use super::plans::Plans;
use crate::judged_world::change::take_back::ChangedParts;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// What of plans is saved: how many there were, and what those that are being carried out have changed. Waiting plans are not:
/// an approval ends with its session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPlans {
    /// How many were asked for.
    pub asked: u64,
    /// How many have failed since the profile was lowered last.
    pub failed: u32,
    /// What plans that have begun and are not over have changed, step by step: a load takes it back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) begun: Vec<Vec<ChangedParts>>,
}

impl SavedPlans {
    /// What of these plans is saved.
    #[must_use]
    pub fn of(plans: &Plans) -> Self {
        let begun = plans.open().filter(|plan| plan.has_begun());
        Self {
            asked: plans.asked,
            failed: plans.failed,
            begun: begun.map(|plan| plan.progress.changed.clone()).collect(),
        }
    }
}

/// Puts saved plans in the place of those that there are: none of them goes on, and what a plan had begun is taken back.
pub(crate) fn restore_plans(world: &mut World, saved: &SavedPlans) {
    let hosts: Vec<Entity> = {
        let mut plans = world.get_resource_or_init::<Plans>();
        let hosts = plans.open().filter_map(|plan| plan.progress.host).collect();
        plans.clear();
        plans.asked = saved.asked.min(u64::MAX / 2);
        plans.failed = saved.failed;
        hosts
    };
    for host in hosts {
        world.try_despawn(host).ok();
    }
    for changed in saved.begun.iter().rev() {
        take_back(world, changed, None);
    }
}
