//! The two who talk, and whether they can.

use crate::cast::{GARDENER, WIZARD};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_dramatis::pipeline::ActiveRun;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// They talk when they are no farther apart, in metres: their usual spots in a place are nearer (`looks/things.rs`). Without
/// a scene it is enough to be in the same place.
const NEAR: f32 = 3.2;

/// The two, and whether a character is busy.
#[derive(SystemParam)]
pub(super) struct Pair<'w, 's> {
    pub(super) ids: Res<'w, WorldIndex>,
    placed: Query<'w, 's, (&'static PlacedIn, Option<&'static Transform>)>,
    runs: Query<'w, 's, (), With<ActiveRun>>,
}

impl Pair<'_, '_> {
    /// Whether they could talk now, without shouting.
    pub(super) fn can_talk(&self) -> bool {
        let both = [GARDENER, WIZARD].map(|who| self.placed.get(self.ids.get(who)?).ok());
        let [Some((here, one)), Some((there, other))] = both else {
            return false;
        };
        let far = one.zip(other);
        let far = far.map_or(0.0, |(one, other)| {
            one.translation.distance(other.translation)
        });
        here.0 == there.0 && far < NEAR && self.runs.is_empty()
    }
}
