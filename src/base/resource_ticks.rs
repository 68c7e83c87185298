//! When resources were changed last: looking takes less time than comparing what they hold.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::component::ComponentId;
use bevy::prelude::World;

/// Finds the number of a resource in a world; `None` where the world does not know it.
pub(crate) type FindId = fn(&World) -> Option<ComponentId>;

/// When each of some resources was changed last, as far as was seen.
pub(crate) struct ResourceTicks {
    find: Box<[FindId]>,
    /// Their numbers in this world, once they are known: looking a number up takes longer than looking at the resource.
    ids: Box<[Option<ComponentId>]>,
    /// How many components the world knew at the last look: a number that it did not know then it knows only when there are more.
    known: usize,
    seen: Box<[Option<Tick>]>,
    /// Whether there was a look since it began, or forgot.
    has_looked: bool,
}

impl ResourceTicks {
    /// Looks at these resources, such as `World::component_id::<Limits>`.
    pub(crate) fn of(find: impl IntoIterator<Item = FindId>) -> Self {
        let find: Box<[FindId]> = find.into_iter().collect();
        Self {
            ids: vec![None; find.len()].into(),
            seen: vec![None; find.len()].into(),
            find,
            known: 0,
            has_looked: false,
        }
    }

    /// Whether none was written, added or removed since the last look. False at the first look.
    ///
    /// Call [`World::increment_change_tick`] before looking where the same system may write afterwards: otherwise what it
    /// writes has the tick that was seen already, and looks unchanged. Writes of a game with `bypass_change_detection` are not
    /// seen.
    pub(crate) fn are_same(&mut self, world: &World) -> bool {
        let known = world.components().len();
        if std::mem::replace(&mut self.known, known) != known {
            for (id, find) in self.ids.iter_mut().zip(&self.find) {
                *id = id.or_else(|| find(world));
            }
        }
        let mut are_same = std::mem::replace(&mut self.has_looked, true);
        for (seen, id) in self.seen.iter_mut().zip(&self.ids) {
            let ticks = id.and_then(|id| world.get_resource_change_ticks_by_id(id));
            let now = ticks.map(|ticks| ticks.changed);
            are_same &= std::mem::replace(seen, now) == now;
        }
        are_same
    }

    /// Lets the next look say that something has changed.
    pub(crate) fn forget(&mut self) {
        self.has_looked = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::seed::WorldSeed;

    #[test]
    fn j1_what_is_written_comes_or_goes_is_seen_once() {
        let mut world = World::new();
        let mut ticks = ResourceTicks::of([World::component_id::<WorldSeed> as FindId]);
        let mut look = |world: &mut World| {
            world.increment_change_tick();
            ticks.are_same(world)
        };
        assert!(!look(&mut world), "nothing is known at first");
        assert!(look(&mut world));
        world.insert_resource(WorldSeed(1));
        assert!(!look(&mut world), "it has come");
        assert!(look(&mut world));
        world.resource_mut::<WorldSeed>().0 = 2;
        assert!(!look(&mut world), "it was written");
        world.resource_mut::<WorldSeed>().0 = 3;
        assert!(
            !look(&mut world),
            "it was written after the look, in the same system"
        );
        assert!(look(&mut world));
        world.remove_resource::<WorldSeed>();
        assert!(!look(&mut world), "it has gone");
        ticks.forget();
        assert!(!ticks.are_same(&world));
    }
}
