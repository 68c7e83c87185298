//! The shortest way from one location to another.

use crate::base::ids::Id;
use crate::world::WorldRead;
use std::collections::{BTreeMap, VecDeque};

/// First steps that were looked for already, while no way changes.
#[derive(Debug, Default)]
pub(super) struct Ways(BTreeMap<Id, BTreeMap<Id, Option<Id>>>);

impl Ways {
    /// See [`first_step`].
    pub fn first_step(&mut self, world: &dyn WorldRead, from: &Id, to: &Id) -> Option<Id> {
        let known = self.0.get(to).and_then(|ways| ways.get(from));
        if let Some(known) = known {
            return known.clone();
        }
        let found = first_step(world, from, to);
        let ways = self.0.entry(to.clone()).or_default();
        ways.insert(from.clone(), found.clone());
        found
    }
}

/// The first location on the shortest way, over the fewest connections; of equal ways the one whose first differing location has the
/// smaller id. `None`: no way leads there. Whether a door on it is open does not matter.
fn first_step(world: &dyn WorldRead, from: &Id, to: &Id) -> Option<Id> {
    let mut reached: BTreeMap<Id, Id> = BTreeMap::new();
    let mut open: VecDeque<(Id, Option<Id>)> = VecDeque::from([(from.clone(), None)]);
    // The nearer locations come first, and of equally near ones those on the ways with the smaller ids: each is reached first on
    // the way that counts.
    while let Some((here, first)) = open.pop_front() {
        let mut next = world
            .location(&here)
            .map(|location| location.connected_to)
            .unwrap_or_default();
        next.sort_unstable();
        next.dedup();
        for there in next {
            if there == *from || reached.contains_key(&there) || !world.is_location(&there) {
                continue;
            }
            let first = first.clone().unwrap_or_else(|| there.clone());
            if there == *to {
                return Some(first);
            }
            reached.insert(there.clone(), first.clone());
            open.push_back((there, Some(first)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{LocationView, WorldState};

    fn ways(ways: &[(&str, &[&str])]) -> WorldState {
        let mut world = WorldState::default();
        for (place, connected) in ways {
            let connected = connected.iter().map(|id| Id::new(id).unwrap());
            let view = LocationView {
                connected_to: connected.collect(),
                ..LocationView::default()
            };
            world.locations.insert(Id::new(place).unwrap(), view);
        }
        world
    }

    #[test]
    fn l1_the_way_is_the_shortest_and_of_equal_ones_that_with_the_smaller_ids() {
        let world = ways(&[
            ("a", &["z", "c", "b", "nowhere", "a"]),
            ("b", &["y"]),
            ("c", &["x"]),
            ("x", &["goal"]),
            ("y", &["goal"]),
            ("z", &["w"]),
            ("w", &["v"]),
            ("v", &["goal"]),
            ("goal", &[]),
            ("alone", &["a"]),
        ]);
        let first = |from: &str, to: &str| {
            let ids = (Id::new(from).unwrap(), Id::new(to).unwrap());
            first_step(&world, &ids.0, &ids.1).map(|id| id.to_string())
        };
        // Over b and y as over c and x: b comes first, whatever comes behind it.
        assert_eq!(first("a", "goal").as_deref(), Some("b"));
        assert_eq!(first("a", "x").as_deref(), Some("c"));
        assert_eq!(first("alone", "goal").as_deref(), Some("a"));
        // A connection leads one way.
        assert_eq!(first("goal", "a"), None);
        assert_eq!(first("a", "alone"), None);
        assert_eq!(first("a", "nowhere"), None);
    }
}
