//! A recorded game as it was after one of its records.

use super::report::ReplayReport;
use crate::base::ids::Id;
use crate::memory::{DormantMinds, Mind, SavedMind};
use crate::npc::LoadedCharacter;
use crate::world::refresh::refresh;
use crate::world::{WorldState, WorldView};
use bevy::prelude::World;
use std::collections::BTreeMap;

/// A recorded game as it was after one of its records: what was where, and what everybody remembered.
#[derive(Debug, Clone)]
pub struct PastGame {
    /// What was where then, and what was true of it.
    pub world: WorldState,
    /// What each character remembered, by its id; those that were not in the game then among them.
    pub minds: BTreeMap<Id, SavedMind>,
    /// Whether what came before replays: from the first divergence on nothing of this can be trusted.
    pub replay: ReplayReport,
}

impl PastGame {
    /// The game as it is in this world.
    pub(super) fn of(world: &mut World, replay: ReplayReport) -> Self {
        refresh(world);
        let mut spawned = world.query::<(&LoadedCharacter, &Mind)>();
        let spawned = spawned.iter(world);
        let mut minds: BTreeMap<Id, SavedMind> = spawned
            .map(|(character, mind)| (character.0.id.clone(), SavedMind::from(mind)))
            .collect();
        let dormant = world.get_resource::<DormantMinds>();
        let dormant = dormant.into_iter().flat_map(DormantMinds::iter);
        minds.extend(dormant.map(|(id, mind)| (id.clone(), SavedMind::from(mind))));
        Self {
            world: WorldView::new(world).to_state(),
            minds,
            replay,
        }
    }
}
