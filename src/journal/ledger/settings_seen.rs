//! Whether somebody may have touched the settings of a game: comparing all of them takes longer than a small run.

use crate::base::seed::WorldSeed;
use crate::engine::DefaultEngine;
use crate::limits::Limits;
use crate::npc::limits::{NpcLimits, RecordedLimits};
use crate::npc::policy::{NpcPolicy, RecordedPolicies};
use crate::npc::{PlayerId, QueuePolicy};
use crate::pipeline::{DialoguePolicy, PromptBudget};
use bevy::ecs::change_detection::Tick;
use bevy::ecs::component::ComponentId;
use bevy::prelude::*;

/// How many resources hold settings.
const COUNT: usize = 9;
/// When each of them was changed last; `None` where there is none.
type Ticks = [Option<Tick>; COUNT];

/// What was seen of the settings at the last look.
#[derive(Default)]
pub(super) struct SettingsSeen {
    /// Their numbers in this world, once they are known: looking a number up takes longer than looking at the resource.
    ids: [Option<ComponentId>; COUNT],
    ticks: Option<Ticks>,
    /// Whether a character had settings of its own, which a game may change in place, or take away.
    had_own: bool,
    limits: Found<NpcLimits>,
    policies: Found<NpcPolicy>,
}

impl SettingsSeen {
    /// Whether nobody has written to them since the last call. False when that is not known.
    pub fn are_untouched(&mut self, world: &World) -> bool {
        let now = ticks(world, &mut self.ids);
        let before = self.ticks.replace(now);
        let has_own = self.limits.is_anywhere(world) || self.policies.is_anywhere(world);
        let had_own = std::mem::replace(&mut self.had_own, has_own);
        before == Some(now) && !has_own && !had_own
    }
}

/// Looks for a component.
struct Found<C: Component>(Option<QueryState<(), With<C>>>);

impl<C: Component> Default for Found<C> {
    fn default() -> Self {
        Self(None)
    }
}

impl<C: Component> Found<C> {
    /// Whether any entity has it. Nobody has one that the world does not even know.
    fn is_anywhere(&mut self, world: &World) -> bool {
        let Self(query) = self;
        if query.is_none() {
            *query = QueryState::try_new(world);
        }
        let query = query.as_mut();
        query.is_some_and(|query| query.iter(world).next().is_some())
    }
}

fn ticks(world: &World, ids: &mut [Option<ComponentId>; COUNT]) -> Ticks {
    const FIND: [fn(&World) -> Option<ComponentId>; COUNT] = [
        World::component_id::<WorldSeed>,
        World::component_id::<PlayerId>,
        World::component_id::<DialoguePolicy>,
        World::component_id::<QueuePolicy>,
        World::component_id::<PromptBudget>,
        World::component_id::<Limits>,
        World::component_id::<DefaultEngine>,
        World::component_id::<RecordedLimits>,
        World::component_id::<RecordedPolicies>,
    ];
    let mut ticks = [None; COUNT];
    for ((tick, id), find) in ticks.iter_mut().zip(ids).zip(FIND) {
        *id = id.or_else(|| find(world));
        let changed = id.and_then(|id| world.get_resource_change_ticks_by_id(id));
        *tick = changed.map(|ticks| ticks.changed);
    }
    ticks
}
