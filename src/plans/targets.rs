//! What is known of the targets of a plan: where they are, whose they are, and whether they have changed.

use super::constraint::resolve;
use super::step_facts::TargetFacts;
use crate::base::ids::Id;
use crate::text::Lexicon;
use crate::world::{Placement, WorldRead, WorldValue};
use std::collections::{BTreeMap, BTreeSet};

/// How many carriers are looked through.
const MAX_DEPTH: usize = 64;

/// All carriers of something, the nearest first.
fn carriers(world: &dyn WorldRead, id: &str) -> Vec<Id> {
    let mut carriers: Vec<Id> = Vec::new();
    let mut at = world.placement(id);
    while let Some(Placement::CarriedBy(holder)) = at {
        if carriers.len() >= MAX_DEPTH || carriers.contains(&holder) {
            break;
        }
        at = world.placement(&holder);
        carriers.push(holder);
    }
    carriers
}

/// The location that something lies in: its own id for a location, that of its carrier for what is carried; `None` for what is
/// offstage or not there.
#[must_use]
pub fn location_of(world: &dyn WorldRead, id: &str) -> Option<Id> {
    let carriers = carriers(world, id);
    let outermost = carriers.last().map_or(id, Id::as_str);
    world.place_of(outermost)
}

/// What risk and policy know of a target of `npc`'s plan.
#[must_use]
pub(crate) fn target_facts(
    world: &dyn WorldRead,
    npc: &Id,
    lexicon: &Lexicon,
    id: &str,
) -> TargetFacts {
    let view = world.entity(id).unwrap_or_default();
    let carriers = carriers(world, id);
    let is_own = carriers.is_empty() || carriers.contains(npc);
    let of_another = match view.attributes.get("owner") {
        Some(WorldValue::Text(owner)) => {
            *owner != **npc && !resolve(world, npc, lexicon, owner).contains(npc)
        }
        _ => false,
    };
    TargetFacts {
        kind: view.kind,
        of_another: of_another || !is_own,
        attributes: view.attributes,
        location: location_of(world, id),
    }
}

/// How a target was when its plan was proposed: where it was, and its attributes, except for those that change all the time.
/// `None` for a target that does not exist, and for a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetState(Option<(Placement, BTreeMap<String, WorldValue>)>);

impl TargetState {
    /// How a target is now. `volatile`: attributes that do not count.
    #[must_use]
    pub fn of(world: &dyn WorldRead, id: &str, volatile: &BTreeSet<String>) -> Self {
        Self(world.entity(id).map(|mut view| {
            view.attributes.retain(|name, _| !volatile.contains(name));
            (view.at, view.attributes)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::world::{EntityView, LocationView, WorldState};

    fn world() -> WorldState {
        let mut world = WorldState::default();
        world.locations.insert(id!("hall"), LocationView::default());
        let put = |at| EntityView {
            at,
            ..EntityView::default()
        };
        for (id, at) in [
            (id!("ann"), Placement::In(id!("hall"))),
            (id!("bag"), Placement::CarriedBy(id!("ann"))),
            (id!("gem"), Placement::CarriedBy(id!("bag"))),
            (id!("cup"), Placement::In(id!("hall"))),
            (id!("ghost"), Placement::Offstage),
        ] {
            world.entities.insert(id, put(at));
        }
        world
    }

    #[test]
    fn a5_what_is_carried_is_where_its_carrier_is() {
        let world = world();
        for (id, place) in [
            ("hall", Some("hall")),
            ("gem", Some("hall")),
            ("cup", Some("hall")),
            ("ghost", None),
            ("nobody", None),
        ] {
            assert_eq!(location_of(&world, id).as_deref(), place, "{id}");
        }
    }

    #[test]
    fn a5_a_possession_is_what_another_carries_or_owns() {
        let mut world = world();
        let is = |world: &WorldState, npc: &str, id: &str| {
            target_facts(world, &npc.parse().unwrap(), Lexicon::english(), id).of_another
        };
        assert!(is(&world, "bob", "gem") && !is(&world, "ann", "gem"));
        assert!(!is(&world, "bob", "cup"));
        let cup = world.entities.get_mut("cup").unwrap();
        cup.attributes.insert("owner".into(), "ann".into());
        assert!(is(&world, "bob", "cup") && !is(&world, "ann", "cup"));
    }
}
