//! The plugin of days.

use super::events::RoutineBlocked;
use super::life::{Life, begin_day, end_day};
use super::live::{Town, hold, live};
use crate::pipeline::driver::systems::PipelineSystems;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// Days of characters. Part of [`DramatisPlugins`](crate::plugin::DramatisPlugins); a game without them disables it there.
pub struct TownPlugin(Interned<dyn ScheduleLabel>);

impl TownPlugin {
    pub(crate) fn new(schedule: Interned<dyn ScheduleLabel>) -> Self {
        Self(schedule)
    }
}

impl Plugin for TownPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<RoutineBlocked>()
            .init_resource::<Town>()
            .add_observer(begin_day)
            .add_observer(end_day)
            .add_observer(hold)
            .add_systems(
                self.0,
                live.run_if(any_with_component::<Life>)
                    .in_set(PipelineSystems::Interaction)
                    .in_set(LiveSystems),
            );
    }
}

/// Here characters live their days: when the time of the frame is known, and before triggers fire and runs begin.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LiveSystems;
