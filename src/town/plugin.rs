//! The plugin of days.

use super::life::{Life, Town, begin_day, end_day};
use super::live::{hold, live};
use super::meet::{Company, Meetings, ToldNews};
use super::offer::{OfferingLines, send_offers};
use super::walks::WalksItself;
use crate::npc::Doing;
use crate::pipeline::driver::systems::{AdvanceSystems, PipelineSystems};
use crate::story::ActiveStory;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// Routines of characters. Part of [`DramatisPlugins`](crate::plugin::DramatisPlugins); a game without them disables it there.
pub struct TownPlugin(Interned<dyn ScheduleLabel>);

impl TownPlugin {
    pub(crate) fn new(schedule: Interned<dyn ScheduleLabel>) -> Self {
        Self(schedule)
    }
}

impl Plugin for TownPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Doing>()
            .register_type::<WalksItself>()
            .init_resource::<Town>()
            .init_resource::<Meetings>()
            .init_resource::<ToldNews>()
            .add_observer(begin_day)
            .add_observer(end_day)
            .add_observer(hold)
            .add_systems(
                self.0,
                send_offers
                    .run_if(any_with_component::<OfferingLines>)
                    .in_set(AdvanceSystems::Offers),
            )
            .add_systems(
                self.0,
                live.in_set(PipelineSystems::Interaction)
                    .in_set(LiveSystems)
                    .run_if(any_with_component::<Life>.or_else(news_travels)),
            );
    }
}

/// A run condition: characters tell one another news, or did so until now.
fn news_travels(story: Option<Res<ActiveStory>>, company: Query<(), With<Company>>) -> bool {
    story.is_some_and(|story| story.0.gossip.is_some()) || !company.is_empty()
}

/// Here characters live their days: when the time of the frame is known, and before triggers fire and runs begin.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LiveSystems;
