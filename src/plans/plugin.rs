//! The plugin of plans.

use super::custom::PlanChecks;
use super::driver::advance_plans;
use super::plans::Plans;
use super::settings::PlanSettings;
use crate::pipeline::driver::systems::AdvanceSystems;
use crate::recorded::InputsAreFed;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// Plans. Part of [`DramatisPlugins`](crate::plugin::DramatisPlugins); a game without them disables it there.
pub struct PlansPlugin(Interned<dyn ScheduleLabel>);

impl PlansPlugin {
    pub(crate) fn new(schedule: Interned<dyn ScheduleLabel>) -> Self {
        Self(schedule)
    }
}

impl Plugin for PlansPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PlanChecks>()
            .init_resource::<Plans>()
            .init_resource::<PlanSettings>()
            .add_systems(
                self.0,
                advance_plans
                    .run_if(|plans: Option<Res<Plans>>| {
                        plans.is_some_and(|plans| plans.open().next().is_some())
                    })
                    .run_if(not(resource_exists::<InputsAreFed>))
                    .in_set(AdvanceSystems::Plans),
            );
    }
}
