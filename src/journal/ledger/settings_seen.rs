//! Whether somebody may have touched the settings of a game: comparing all of them takes longer than a small run.

use crate::base::seed::WorldSeed;
use crate::engine::DefaultEngine;
use crate::limits::Limits;
use crate::npc::limits::{NpcLimits, RecordedLimits};
use crate::npc::policy::{NpcPolicy, RecordedPolicies};
use crate::npc::{PlayerId, QueuePolicy};
use crate::pipeline::{DialoguePolicy, PromptBudget};
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;

/// When each of the resources was changed last that hold settings; `None` where there is none.
type Ticks = [Option<Tick>; 9];

/// What was seen of the settings at the last look.
#[derive(Default)]
pub(super) struct SettingsSeen {
    ticks: Option<Ticks>,
    /// Whether a character had settings of its own, which a game may change in place, or take away.
    had_own: bool,
    limits: Found<NpcLimits>,
    policies: Found<NpcPolicy>,
}

impl SettingsSeen {
    /// Whether nobody has written to them since the last call. False when that is not known.
    pub fn are_untouched(&mut self, world: &World) -> bool {
        let now = ticks(world);
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

fn ticks(world: &World) -> Ticks {
    fn tick<R: Resource>(world: &World) -> Option<Tick> {
        Some(world.get_resource_ref::<R>()?.last_changed())
    }
    [
        tick::<WorldSeed>(world),
        tick::<PlayerId>(world),
        tick::<DialoguePolicy>(world),
        tick::<QueuePolicy>(world),
        tick::<PromptBudget>(world),
        tick::<Limits>(world),
        tick::<DefaultEngine>(world),
        tick::<RecordedLimits>(world),
        tick::<RecordedPolicies>(world),
    ]
}
