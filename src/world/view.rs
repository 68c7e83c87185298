//! The judged world as the ECS holds it, read in place.

use super::bindings::WorldBindings;
use super::components::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, TurnOf, WorldFacts,
    WorldFlags,
};
use super::index::{WorldId, WorldIndex};
use super::tracker::WorldTracker;
use crate::base::ids::Id;
use crate::judged_world::action::newcomer::is_newcomer;
use crate::judged_world::state::groups::{Groups, NO_GROUPS};
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::state::{EntityView, LocationView, Placement, WorldRead, WorldState};
use crate::judged_world::words::name_key::is_called;
use crate::memory::{Mind, Relationship};
use bevy::prelude::*;

/// The judged world of a running game, read through [`WorldRead`]. Nothing is copied before it is asked for.
///
/// What is asked by name, and what is offstage, is as the last `refresh` found it, where there
/// is a `WorldTracker`; all else is read at once.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::world::{WorldView, WorldRead};
///
/// fn is_it_night(world: &World) -> bool {
///     WorldView::new(world).flag("night")
/// }
/// # let mut world = World::new();
/// # assert!(!world.run_system_once(is_it_night).unwrap());
/// # use bevy::ecs::system::RunSystemOnce;
/// ```
#[derive(Clone, Copy)]
pub struct WorldView<'w> {
    world: &'w World,
}

impl<'w> WorldView<'w> {
    /// The judged part of this world.
    #[must_use]
    pub fn new(world: &'w World) -> Self {
        Self { world }
    }

    /// A copy of all of it as plain data, for traces and tests. Locations are not among the entities.
    #[must_use]
    pub fn to_state(&self) -> WorldState {
        let mut state = WorldState {
            flags: self
                .world
                .get_resource::<WorldFlags>()
                .map(|flags| flags.0.clone())
                .unwrap_or_default(),
            facts: self.facts().into_iter().collect(),
            turn_of: self.turn_of(),
            ..WorldState::default()
        };
        let Some(index) = self.world.get_resource::<WorldIndex>() else {
            return state;
        };
        for (id, _) in index.iter() {
            if let Some(location) = self.location(id) {
                state.locations.insert(id.clone(), location);
            } else if let Some(view) = self.entity(id) {
                state.entities.insert(id.clone(), view);
            }
        }
        state
    }

    /// An entity that is not a location.
    fn find_entity(&self, id: &str) -> Option<Entity> {
        let entity = WorldIndex::find(self.world, id)?;
        (!self.is_place(entity)).then_some(entity)
    }

    fn is_place(&self, entity: Entity) -> bool {
        self.world.get::<Location>(entity).is_some()
    }

    /// The id of an entity; a second one with a taken id has none.
    fn id_of(&self, entity: Entity) -> Option<&'w Id> {
        let id = &self.world.get::<WorldId>(entity)?.0;
        let index = self.world.get_resource::<WorldIndex>()?;
        // Looking an id up is dear where many are asked for, and needed only while some entity waits for a taken one.
        (!index.has_doubles() || index.get(id) == Some(entity)).then_some(id)
    }

    fn placement_of(&self, entity: Entity) -> Placement {
        let holder = self.world.get::<PlacedIn>(entity).map(|placed| placed.0);
        let Some((holder, id)) = holder.and_then(|h| Some((h, self.id_of(h)?.clone()))) else {
            return Placement::Offstage;
        };
        if self.is_place(holder) {
            Placement::In(id)
        } else {
            Placement::CarriedBy(id)
        }
    }

    fn bindings(&self) -> Option<&'w WorldBindings> {
        self.world.get_resource::<WorldBindings>()
    }
}

impl WorldRead for WorldView<'_> {
    fn entity(&self, id: &str) -> Option<EntityView> {
        let entity = self.find_entity(id)?;
        let mut attributes = self.world.get::<Attributes>(entity)?.0.clone();
        if let (Some(bindings), Ok(entity)) = (self.bindings(), self.world.get_entity(entity)) {
            attributes.extend(bindings.attributes_of(entity));
        }
        let name = &self.world.get::<DisplayName>(entity)?.0;
        Some(EntityView {
            name: if name.is_empty() { id } else { name }.to_owned(),
            aliases: self.world.get::<Aliases>(entity)?.0.clone(),
            kind: self.world.get::<Kind>(entity)?.0.clone(),
            at: self.placement_of(entity),
            attributes,
        })
    }

    fn contents(&self, holder: &str) -> Vec<Id> {
        let contents = WorldIndex::find(self.world, holder)
            .and_then(|holder| self.world.get::<Contents>(holder));
        let ids = contents.into_iter().flat_map(|contents| contents.iter());
        let mut ids: Vec<Id> = ids
            .filter_map(|entity| self.id_of(entity).cloned())
            .collect();
        ids.sort();
        ids
    }

    fn location(&self, id: &str) -> Option<LocationView> {
        let entity = WorldIndex::find(self.world, id)?;
        let location = self.world.get::<Location>(entity)?;
        let name = self.world.get::<DisplayName>(entity);
        Some(LocationView {
            name: name.map(|name| name.0.clone()).unwrap_or_default(),
            connected_to: location.connected_to.clone(),
        })
    }

    fn named(&self, wanted: &str) -> Vec<Id> {
        match self.world.get_resource::<WorldTracker>() {
            Some(tracker) => tracker.named(wanted),
            // Without the plugin there is no index.
            None => {
                let index = self.world.get_resource::<WorldIndex>();
                let ids = index.into_iter().flat_map(WorldIndex::iter);
                ids.filter(|(id, entity)| {
                    names_of(self.world, id, *entity).any(|name| is_called(name, wanted))
                })
                .map(|(id, _)| id.clone())
                .collect()
            }
        }
    }

    fn introduced(&self) -> usize {
        let index = self.world.get_resource::<WorldIndex>();
        let ids = index.into_iter().flat_map(WorldIndex::iter);
        ids.filter(|(id, _)| is_newcomer(id)).count()
    }

    fn offstage(&self) -> Vec<Id> {
        match self.world.get_resource::<WorldTracker>() {
            Some(tracker) => tracker.offstage(),
            None => {
                let index = self.world.get_resource::<WorldIndex>();
                let ids = index.into_iter().flat_map(WorldIndex::iter);
                ids.filter(|(id, _)| self.placement(id) == Some(Placement::Offstage))
                    .map(|(id, _)| id.clone())
                    .collect()
            }
        }
    }

    fn flag(&self, name: &str) -> bool {
        let flags = self.world.get_resource::<WorldFlags>();
        flags.is_some_and(|flags| flags.0.get(name).copied().unwrap_or_default())
    }

    fn known_flag(&self, name: &str) -> Option<bool> {
        self.world
            .get_resource::<WorldFlags>()?
            .0
            .get(name)
            .copied()
    }

    fn fact(&self, key: &str) -> Option<WorldValue> {
        let bound = self.bindings().and_then(|b| b.fact(self.world, key));
        bound.or_else(|| {
            let facts = self.world.get_resource::<WorldFacts>()?;
            facts.0.get(key).cloned()
        })
    }

    fn facts(&self) -> Vec<(String, WorldValue)> {
        let facts = self.world.get_resource::<WorldFacts>();
        let mut facts = facts.map(|facts| facts.0.clone()).unwrap_or_default();
        if let Some(bindings) = self.bindings() {
            facts.extend(bindings.facts(self.world));
        }
        facts.into_iter().collect()
    }

    fn turn_of(&self) -> Option<Id> {
        self.world.get_resource::<TurnOf>()?.0.clone()
    }

    fn relationship(&self, actor: &str, other: &str) -> Relationship {
        let mind =
            WorldIndex::find(self.world, actor).and_then(|actor| self.world.get::<Mind>(actor));
        mind.map(|mind| mind.relationships.get(other))
            .unwrap_or_default()
    }

    fn groups(&self) -> &Groups {
        self.world.get_resource().unwrap_or(&NO_GROUPS)
    }

    fn placement(&self, id: &str) -> Option<Placement> {
        Some(self.placement_of(self.find_entity(id)?))
    }

    fn attribute(&self, id: &str, name: &str) -> Option<WorldValue> {
        let entity = self.find_entity(id)?;
        let bound = self
            .bindings()
            .and_then(|b| b.attribute(self.world.get_entity(entity).ok()?, name));
        bound.or_else(|| {
            let attributes = self.world.get::<Attributes>(entity)?;
            attributes.0.get(name).cloned()
        })
    }

    fn is_kind(&self, id: &str, kind: &str) -> bool {
        let kind_of = self.find_entity(id).and_then(|e| self.world.get::<Kind>(e));
        kind_of.is_some_and(|of| of.0 == kind)
    }

    fn is_location(&self, id: &str) -> bool {
        WorldIndex::find(self.world, id).is_some_and(|entity| self.is_place(entity))
    }

    fn name_of(&self, id: &str) -> Option<String> {
        let entity = WorldIndex::find(self.world, id)?;
        let name = &self.world.get::<DisplayName>(entity)?.0;
        Some(if name.is_empty() { id } else { name }.to_owned())
    }
}

/// Everything by which something can be called: its id, its name, its aliases.
pub(super) fn names_of<'a>(
    world: &'a World,
    id: &'a str,
    entity: Entity,
) -> impl Iterator<Item = &'a str> {
    let name = world.get::<DisplayName>(entity).map(|n| n.0.as_str());
    // A place has no other names, because no text shows them.
    let aliases = world.get::<Aliases>(entity);
    let aliases = aliases.filter(|_| world.get::<Location>(entity).is_none());
    let aliases = aliases.into_iter().flat_map(|aliases| &aliases.0);
    [id].into_iter()
        .chain(name)
        .chain(aliases.map(String::as_str))
}
