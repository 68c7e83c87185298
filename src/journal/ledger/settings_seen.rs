//! Whether somebody may have touched the settings of a game: comparing all of them takes longer than a small run.

use crate::base::resource_ticks::ResourceTicks;
use crate::base::seed::WorldSeed;
use crate::engine::DefaultEngine;
use crate::limits::Limits;
use crate::npc::limits::{NpcLimits, RecordedLimits};
use crate::npc::policy::{NpcPolicy, RecordedPolicies};
use crate::npc::{PlayerId, QueuePolicy};
use crate::pipeline::{DialoguePolicy, PromptBudget};
use bevy::prelude::*;

/// What was seen of the settings at the last look.
pub(super) struct SettingsSeen {
    resources: ResourceTicks<9>,
    /// Whether a character had settings of its own, which a game may change in place, or take away.
    had_own: bool,
    limits: Found<NpcLimits>,
    policies: Found<NpcPolicy>,
}

impl Default for SettingsSeen {
    fn default() -> Self {
        Self {
            resources: ResourceTicks::of([
                World::component_id::<WorldSeed>,
                World::component_id::<PlayerId>,
                World::component_id::<DialoguePolicy>,
                World::component_id::<QueuePolicy>,
                World::component_id::<PromptBudget>,
                World::component_id::<Limits>,
                World::component_id::<DefaultEngine>,
                World::component_id::<RecordedLimits>,
                World::component_id::<RecordedPolicies>,
            ]),
            had_own: false,
            limits: Found::default(),
            policies: Found::default(),
        }
    }
}

impl SettingsSeen {
    /// Whether nobody has written to them since the last call. False when that is not known.
    pub fn are_untouched(&mut self, world: &World) -> bool {
        let are_same = self.resources.are_same(world);
        let has_own = self.limits.is_anywhere(world) || self.policies.is_anywhere(world);
        let had_own = std::mem::replace(&mut self.had_own, has_own);
        are_same && !has_own && !had_own
    }
}

/// Looks for a component.
struct Found<C: Component> {
    query: Option<QueryState<(), With<C>>>,
    /// How many components the world knew when it did not know this one.
    unknown_among: usize,
}

impl<C: Component> Default for Found<C> {
    fn default() -> Self {
        Self {
            query: None,
            unknown_among: 0,
        }
    }
}

impl<C: Component> Found<C> {
    /// Whether any entity has it. Nobody has one that the world does not even know.
    fn is_anywhere(&mut self, world: &World) -> bool {
        let known = world.components().len();
        if self.query.is_none() && self.unknown_among != known {
            self.unknown_among = known;
            if world.component_id::<C>().is_some() {
                self.query = QueryState::try_new(world);
            }
        }
        let query = self.query.as_mut();
        query.is_some_and(|query| query.iter(world).next().is_some())
    }
}
