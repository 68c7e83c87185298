//! The one writer of the judged world into the ECS.
//!
//! There are two kinds of writing, like the two forms of a difference (see [`change`](crate::judged_world::change)):
//!
//! - [`apply_change`] makes a [`WorldChange`] happen. It is strict: a change that makes no sense is refused. The
//!   commit, the game's writes and a story's placements come this way, and nothing else.
//! - [`write_part`] and [`write_state`] make things what a journal or a save says they were. They are lenient: what was
//!   recorded is taken as it is, and things come in any order, so that where a thing is ([`put_down`]) is said after
//!   everything is there.

use super::bindings::{WorldBindings, write_bound};
use super::components::{
    Aliases, Attributes, DisplayName, Kind, Location, PlacedIn, TurnOf, WorldFacts, WorldFlags,
};
use super::index::{WorldId, WorldIndex};
use crate::base::ids::Id;
use crate::judged_world::change::WorldChange;
use crate::judged_world::state::part::WorldPart;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::state::{EntityView, LocationView, MAX_CARRIERS, Placement, WorldState};
use bevy::prelude::*;
use thiserror::Error;

/// Why a change of the judged world cannot happen. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// No living entity has this id.
    #[error("UnknownEntity: nothing in the world has the id \"{0}\"")]
    UnknownEntity(Id),
    /// An entity should be put into a location, but no location has this id.
    #[error("UnknownLocation: no location has the id \"{0}\"")]
    UnknownLocation(Id),
    /// The id is that of a location, which is not a thing: it is not moved, carried, or described by attributes.
    #[error("IsLocation: \"{0}\" is a location")]
    IsLocation(Id),
    /// An entity would be inside itself.
    #[error("Circular: \"{0}\" cannot be put into itself")]
    Circular(Id),
    /// More than 64 things would carry one another.
    #[error("TooDeep: \"{0}\" would be inside more than {MAX_CARRIERS} things")]
    TooDeep(Id),
    /// The world fact of this key is bound to a resource of the game: the game must change that resource.
    #[error("BoundFact: \"{0}\" is bound to a resource: change that")]
    BoundFact(String),
    /// The id of a new entity is taken.
    #[error("TakenId: something in the world has the id \"{0}\" already")]
    TakenId(Id),
}

/// What becomes of recorded world facts that are bound to a resource of this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundFacts {
    /// They are written all the same: in a replay only the recording says what they were.
    Write,
    /// They are left out: the game brings its resources in step itself.
    LeaveOut,
}

/// Makes one change happen.
///
/// # Errors
/// See [`ChangeError`]; nothing has changed then.
pub(crate) fn apply_change(world: &mut World, change: &WorldChange) -> Result<(), ChangeError> {
    match change {
        WorldChange::Attribute {
            entity,
            name,
            value,
        } => write_attribute(world, entity, name, value),
        WorldChange::Place { entity, at } => place(world, entity, at),
        WorldChange::Flag { name, value } => {
            write_flag(world, name, Some(*value));
            Ok(())
        }
        WorldChange::Fact { key, value } => {
            let bindings = world.get_resource::<WorldBindings>();
            if bindings.is_some_and(|bindings| bindings.is_bound_fact(key)) {
                return Err(ChangeError::BoundFact(key.clone()));
            }
            write_fact(world, key, Some(value));
            Ok(())
        }
        WorldChange::Spawn { id, name, kind, at } => {
            if WorldIndex::find(world, id).is_some() {
                return Err(ChangeError::TakenId(id.clone()));
            }
            holder_of(world, at)?;
            let view = EntityView {
                name: name.clone(),
                kind: kind.clone(),
                ..EntityView::default()
            };
            spawn_entity(world, id, &view);
            place(world, id, at)
        }
    }
}

/// Makes one part of the world what it was recorded to be, except for where an entity is: [`put_down`] does that once its
/// holder is there. Where an entity and a location share the id, only the one that is meant is despawned.
pub(crate) fn write_part(world: &mut World, part: &WorldPart) {
    match part {
        WorldPart::Entity(id, Some(view)) => write_entity(world, id, view),
        WorldPart::Location(id, Some(view)) => write_location(world, id, view),
        WorldPart::Entity(id, None) => despawn(world, id, false),
        WorldPart::Location(id, None) => despawn(world, id, true),
        WorldPart::Flag(name, value) => write_flag(world, name, *value),
        WorldPart::Fact(key, value) => write_fact(world, key, value.as_ref()),
        WorldPart::TurnOf(actor) => world.insert_resource(TurnOf(actor.clone())),
    }
}

/// Makes parts of the world what they are to be, where entities are included.
pub(crate) fn write_parts(world: &mut World, parts: &[WorldPart]) {
    for part in parts {
        write_part(world, part);
    }
    world.flush();
    for part in parts {
        if let WorldPart::Entity(id, Some(view)) = part
            && let Some(entity) = WorldIndex::find(world, id)
        {
            put_down(world, entity, &view.at);
        }
    }
    world.flush();
}

/// Makes everything what it was recorded to be, except for where entities are (see [`put_down`]). Flags and facts that were
/// not recorded are removed; entities and locations that were not recorded stay.
pub(crate) fn write_state(world: &mut World, state: &WorldState, bound: BoundFacts) {
    for (id, view) in &state.locations {
        write_location(world, id, view);
    }
    for (id, view) in &state.entities {
        write_entity(world, id, view);
    }
    world.insert_resource(WorldFlags(state.flags.clone()));
    let mut facts = state.facts.clone();
    let bindings = world.get_resource::<WorldBindings>();
    if let Some(bindings) = bindings.filter(|_| bound == BoundFacts::LeaveOut) {
        facts.retain(|key, _| !bindings.is_bound_fact(key));
    }
    world.insert_resource(WorldFacts(facts));
    world.insert_resource(TurnOf(state.turn_of.clone()));
}

/// Spawns an entity that is nowhere yet. The id must be free.
pub(crate) fn spawn_entity(world: &mut World, id: &Id, view: &EntityView) -> Entity {
    let entity = world.spawn((
        DisplayName(view.name.clone()),
        Kind(view.kind.clone()),
        Aliases(view.aliases.clone()),
        Attributes(view.attributes.clone()),
        WorldId(id.clone()),
    ));
    entity.id()
}

/// Makes a location what it was recorded to be; one that is not there is spawned.
pub(crate) fn write_location(world: &mut World, id: &Id, view: &LocationView) {
    let location = Location {
        connected_to: view.connected_to.clone(),
    };
    let parts = (location, DisplayName(view.name.clone()));
    match WorldIndex::find(world, id) {
        Some(place) => {
            world.entity_mut(place).insert(parts);
        }
        None => {
            let kind = Kind("location".to_owned());
            world.spawn((parts, kind, WorldId(id.clone())));
        }
    }
}

/// Puts a thing where it was recorded to be, even if a rule would forbid it. False when its holder is not there (yet): the
/// thing is then offstage.
pub(crate) fn put_down(world: &mut World, thing: Entity, at: &Placement) -> bool {
    let holder = match at {
        Placement::Offstage => None,
        Placement::In(holder) | Placement::CarriedBy(holder) => WorldIndex::find(world, holder),
    };
    match holder.filter(|holder| *holder != thing) {
        Some(holder) => world.entity_mut(thing).insert(PlacedIn(holder)),
        None => world.entity_mut(thing).remove::<PlacedIn>(),
    };
    holder.is_some() || *at == Placement::Offstage
}

/// Makes an entity what it was recorded to be, except for its place; one that does not live is spawned.
fn write_entity(world: &mut World, id: &Id, view: &EntityView) {
    // A name that is equal to the id means that there is no name.
    let name = if view.name == *id { "" } else { &view.name };
    let name = DisplayName(name.to_owned());
    let parts = (Kind(view.kind.clone()), Aliases(view.aliases.clone()));
    let entity = match WorldIndex::find(world, id) {
        Some(entity) => {
            let own = world.get::<DisplayName>(entity).map(|n| n.0.as_str());
            if own == Some(view.name.as_str()) {
                world.entity_mut(entity).insert(parts);
            } else {
                world.entity_mut(entity).insert((name, parts));
            }
            entity
        }
        None => world.spawn((name, parts, WorldId(id.clone()))).id(),
    };
    let unbound = view.attributes.iter();
    let unbound = unbound.filter(|(name, value)| !write_bound(world, entity, name, value));
    let unbound = unbound.map(|(name, value)| (name.clone(), value.clone()));
    let attributes = Attributes(unbound.collect());
    world.entity_mut(entity).insert(attributes);
}

/// Despawns the location or the entity with this id; what is of the other sort stays.
fn despawn(world: &mut World, id: &str, location: bool) {
    let found = WorldIndex::find(world, id);
    if let Some(entity) = found.filter(|e| world.get::<Location>(*e).is_some() == location) {
        world.despawn(entity);
    }
}

/// Sets an attribute where it lives: in the component that is bound to it, else among [`Attributes`].
fn write_attribute(
    world: &mut World,
    id: &Id,
    name: &str,
    value: &WorldValue,
) -> Result<(), ChangeError> {
    let entity = find_thing(world, id)?;
    if write_bound(world, entity, name, value) {
        return Ok(());
    }
    let known = world.get::<Attributes>(entity);
    if known.is_some_and(|known| known.0.get(name) == Some(value)) {
        // Nothing changes, so the entity needs no new look.
        return Ok(());
    }
    let write = |attributes: &mut Attributes| {
        attributes.0.insert(name.to_owned(), value.clone());
    };
    let mut entity = world.entity_mut(entity);
    let written = entity.modify_component(write);
    written.ok_or_else(|| ChangeError::UnknownEntity(id.clone()))
}

fn write_flag(world: &mut World, name: &str, value: Option<bool>) {
    let mut flags = world.get_resource_or_init::<WorldFlags>();
    match value {
        Some(value) => flags.0.insert(name.to_owned(), value),
        None => flags.0.remove(name),
    };
}

fn write_fact(world: &mut World, key: &str, value: Option<&WorldValue>) {
    let mut facts = world.get_resource_or_init::<WorldFacts>();
    match value {
        Some(value) => facts.0.insert(key.to_owned(), value.clone()),
        None => facts.0.remove(key),
    };
}

/// An entity that is not a location: places are not moved, carried, or described by attributes.
fn find_thing(world: &World, id: &Id) -> Result<Entity, ChangeError> {
    let entity =
        WorldIndex::find(world, id).ok_or_else(|| ChangeError::UnknownEntity(id.clone()))?;
    if world.get::<Location>(entity).is_some() {
        return Err(ChangeError::IsLocation(id.clone()));
    }
    Ok(entity)
}

/// The location or the entity that holds what is placed so; none offstage.
fn holder_of(world: &World, at: &Placement) -> Result<Option<Entity>, ChangeError> {
    match at {
        Placement::Offstage => Ok(None),
        Placement::In(location) => WorldIndex::find(world, location)
            .filter(|e| world.get::<Location>(*e).is_some())
            .map(Some)
            .ok_or_else(|| ChangeError::UnknownLocation(location.clone())),
        Placement::CarriedBy(actor) => find_thing(world, actor).map(Some),
    }
}

fn place(world: &mut World, id: &Id, at: &Placement) -> Result<(), ChangeError> {
    let entity = find_thing(world, id)?;
    let holder = holder_of(world, at)?;
    // Walk up from the holder: an entity must not end up inside itself.
    let mut above = holder;
    let mut carriers = 0;
    while let Some(current) = above {
        if current == entity {
            return Err(ChangeError::Circular(id.clone()));
        }
        // A location carries nothing, and is in nothing.
        if world.get::<Location>(current).is_some() {
            break;
        }
        // A game may have made a circle itself; it must not cause an endless loop here.
        if carriers > MAX_CARRIERS {
            return Err(ChangeError::TooDeep(id.clone()));
        }
        carriers += 1;
        above = world.get::<PlacedIn>(current).map(|placed| placed.0);
    }
    match holder {
        Some(holder) => world.entity_mut(entity).insert(PlacedIn(holder)),
        None => world.entity_mut(entity).remove::<PlacedIn>(),
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::world::{WorldRead, WorldView};

    fn world() -> World {
        let mut world = World::new();
        world.init_resource::<WorldIndex>();
        world.spawn((WorldId(id!("tower")), Location::default()));
        world.spawn(WorldId(id!("ann")));
        world.spawn(WorldId(id!("box")));
        world
    }

    fn move_to(world: &mut World, entity: &str, at: Placement) -> Result<(), ChangeError> {
        let entity = Id::new(entity).unwrap();
        apply_change(world, &WorldChange::Place { entity, at })
    }

    #[test]
    fn w7_an_entity_is_in_one_place_and_never_inside_itself() {
        let mut world = world();
        move_to(&mut world, "ann", Placement::In(id!("tower"))).unwrap();
        move_to(&mut world, "box", Placement::CarriedBy(id!("ann"))).unwrap();
        assert_eq!(
            move_to(&mut world, "ann", Placement::CarriedBy(id!("box"))),
            Err(ChangeError::Circular(id!("ann")))
        );
        assert_eq!(
            move_to(&mut world, "box", Placement::In(id!("ann"))),
            Err(ChangeError::UnknownLocation(id!("ann")))
        );
        move_to(&mut world, "box", Placement::Offstage).unwrap();
        move_to(&mut world, "ann", Placement::CarriedBy(id!("box"))).unwrap();
    }

    #[test]
    fn w7_a_thing_can_be_put_into_the_innermost_of_as_many_carriers_as_may_be() {
        let mut world = world();
        let mut outer = Placement::In(id!("tower"));
        for number in 0..=MAX_CARRIERS {
            let id = Id::new(format!("box_{number}")).unwrap();
            world.spawn(WorldId(id.clone()));
            move_to(&mut world, id.as_str(), outer).unwrap();
            outer = Placement::CarriedBy(id);
        }
        assert_eq!(move_to(&mut world, "ann", outer), Ok(()));
        assert_eq!(
            move_to(&mut world, "box", Placement::CarriedBy(id!("ann"))),
            Err(ChangeError::TooDeep(id!("box")))
        );
    }

    #[test]
    fn a_change_of_an_unknown_entity_changes_nothing() {
        let mut world = world();
        let change = WorldChange::Attribute {
            entity: id!("ghost"),
            name: "open".into(),
            value: true.into(),
        };
        assert_eq!(
            apply_change(&mut world, &change),
            Err(ChangeError::UnknownEntity(id!("ghost")))
        );
    }

    #[test]
    fn somebody_new_needs_a_free_id_and_a_place_that_is_there() {
        let mut world = world();
        let spawn = |id: &str, at| WorldChange::Spawn {
            id: Id::new(id).unwrap(),
            name: "Tom".into(),
            kind: "cat".into(),
            at,
        };
        let before = WorldView::new(&world).to_state();
        assert_eq!(
            apply_change(&mut world, &spawn("ann", Placement::Offstage)),
            Err(ChangeError::TakenId(id!("ann")))
        );
        let nowhere = spawn("tom", Placement::In(id!("cave")));
        assert_eq!(
            apply_change(&mut world, &nowhere),
            Err(ChangeError::UnknownLocation(id!("cave")))
        );
        assert_eq!(WorldView::new(&world).to_state(), before);
        let here = spawn("tom", Placement::In(id!("tower")));
        apply_change(&mut world, &here).unwrap();
        assert_eq!(WorldView::new(&world).contents("tower"), ["tom"]);
    }

    #[test]
    fn w7_the_writer_and_the_interpreter_of_plain_data_agree() {
        let mut ecs = world();
        let mut plain = WorldView::new(&ecs).to_state();
        for change in [
            WorldChange::Place {
                entity: id!("ann"),
                at: Placement::In(id!("tower")),
            },
            WorldChange::Attribute {
                entity: id!("box"),
                name: "open".into(),
                value: true.into(),
            },
            WorldChange::Flag {
                name: "night".into(),
                value: true,
            },
            WorldChange::Fact {
                key: "weather".into(),
                value: "fog".into(),
            },
            WorldChange::Spawn {
                id: id!("e-1"),
                name: String::new(),
                kind: "cat".into(),
                at: Placement::CarriedBy(id!("ann")),
            },
        ] {
            apply_change(&mut ecs, &change).unwrap();
            assert!(plain.change(&change).is_some());
            assert_eq!(WorldView::new(&ecs).to_state(), plain, "{change:?}");
        }
        // And what was recorded of it comes back.
        let mut again = world();
        write_state(&mut again, &plain, BoundFacts::Write);
        for (id, view) in &plain.entities {
            let thing = WorldIndex::find(&again, id).unwrap();
            assert!(put_down(&mut again, thing, &view.at));
        }
        assert_eq!(WorldView::new(&again).to_state(), plain);
    }
}
