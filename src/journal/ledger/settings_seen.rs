//! Whether other code may have touched the settings of a game: comparing all of them takes longer than a small run.

use crate::base::resource_ticks::ResourceTicks;
use crate::npc::limits::NpcLimits;
use crate::npc::policy::NpcPolicy;
use crate::settings::SettingRegistry;
use bevy::prelude::*;

/// The settings at the last look.
#[derive(Default)]
pub(super) struct SettingsSeen {
    resources: Option<ResourceTicks>,
    /// How many settings there were then.
    count: usize,
    /// Whether a character had its own settings, which a game may change in place, or take away.
    had_own: bool,
    limits: Found<NpcLimits>,
    policies: Found<NpcPolicy>,
}

impl SettingsSeen {
    /// Whether no code has written to them since the last call. False when that is not known.
    pub fn are_untouched(&mut self, world: &World) -> bool {
        let registry = world.resource::<SettingRegistry>();
        if std::mem::replace(&mut self.count, registry.len()) != registry.len() {
            self.resources = None;
        }
        let resources = self
            .resources
            .get_or_insert_with(|| ResourceTicks::of(registry.iter().map(|setting| setting.find)));
        let are_same = resources.are_same(world);
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
    /// Whether any entity has it. No entity has one that the world does not even know.
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
