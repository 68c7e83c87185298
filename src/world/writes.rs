//! How the judged world changes: the game writes with the authority of the game (contract row M1), and what actions
//! bring about is installed here.

use super::bindings::{WorldBindings, write_bound};
use super::components::{
    Aliases, Attributes, DisplayName, Kind, Location, PlacedIn, WorldFacts, WorldFlags, WorldId,
    WorldIndex,
};
use super::overlay::Change;
use super::state::{EntityView, Placement};
use super::value::WorldValue;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use serde::Serialize;
use thiserror::Error;

/// One write by the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameWrite {
    /// Sets or clears a flag.
    Flag {
        /// Its name.
        name: String,
        /// Its value.
        value: bool,
    },
    /// Sets a world fact.
    Fact {
        /// Its key.
        key: String,
        /// Its value.
        value: WorldValue,
    },
    /// Sets an attribute of an entity.
    Attribute {
        /// The entity's id.
        entity: String,
        /// The attribute.
        name: String,
        /// Its value.
        value: WorldValue,
    },
    /// Puts an entity somewhere.
    Place {
        /// The entity's id.
        entity: String,
        /// Where.
        at: Placement,
    },
}

/// Why a write of the game does nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameWriteError {
    /// No living entity has this id.
    #[error("UnknownEntity: nothing in the world has the id \"{0}\"")]
    UnknownEntity(String),
    /// No location has this id.
    #[error("UnknownLocation: no location has the id \"{0}\"")]
    UnknownLocation(String),
    /// The id is that of a location, which is no thing.
    #[error("IsLocation: \"{0}\" is a location")]
    IsLocation(String),
    /// An entity would be inside itself.
    #[error("Circular: \"{0}\" cannot be put into itself")]
    Circular(String),
    /// The world fact is a resource of the game, which changes it there.
    #[error("BoundFact: \"{0}\" is bound to a resource: change that")]
    BoundFact(String),
}

/// The writes of the game since a journal last looked. It is there while one is kept.
#[derive(Resource, Debug, Default)]
pub(crate) struct WriteLog(pub Vec<GameWrite>);

impl GameWrite {
    /// Applies the write at once.
    ///
    /// # Errors
    /// See [`GameWriteError`]; nothing has changed then.
    pub fn apply(self, world: &mut World) -> Result<(), GameWriteError> {
        let kept = world.contains_resource::<WriteLog>().then(|| self.clone());
        self.do_it(world)?;
        if let (Some(write), Some(mut log)) = (kept, world.get_resource_mut::<WriteLog>()) {
            log.0.push(write);
        }
        Ok(())
    }

    fn do_it(self, world: &mut World) -> Result<(), GameWriteError> {
        match self {
            Self::Flag { name, value } => {
                world
                    .get_resource_or_init::<WorldFlags>()
                    .0
                    .insert(name, value);
            }
            Self::Fact { key, .. }
                if world
                    .get_resource::<WorldBindings>()
                    .is_some_and(|bindings| bindings.is_bound_fact(&key)) =>
            {
                return Err(GameWriteError::BoundFact(key));
            }
            Self::Fact { key, value } => {
                world
                    .get_resource_or_init::<WorldFacts>()
                    .0
                    .insert(key, value);
            }
            Self::Attribute {
                entity,
                name,
                value,
            } => set_attribute(world, &entity, &name, &value)?,
            Self::Place { entity, at } => place(world, &entity, &at)?,
        }
        Ok(())
    }
}

/// Sets an attribute where it lives: in the component that is bound to it, else among [`Attributes`].
fn set_attribute(
    world: &mut World,
    id: &str,
    name: &str,
    value: &WorldValue,
) -> Result<(), GameWriteError> {
    let entity = find_thing(world, id)?;
    if write_bound(world, entity, name, value) {
        return Ok(());
    }
    let mut attributes = world
        .get_mut::<Attributes>(entity)
        .ok_or_else(|| GameWriteError::UnknownEntity(id.to_owned()))?;
    attributes.0.insert(name.to_owned(), value.clone());
    Ok(())
}

/// Makes the changes of a turn happen, in order. They were built on this very world, so none can fail; one that does is
/// our own fault and is logged.
pub(crate) fn install(world: &mut World, changes: &[Change]) {
    for change in changes {
        let done = match change {
            Change::Attribute {
                entity,
                name,
                value,
            } => set_attribute(world, entity, name, value),
            Change::Place { entity, at } => place(world, entity, at),
            Change::Flag { name, value } => {
                let mut flags = world.get_resource_or_init::<WorldFlags>();
                flags.0.insert(name.clone(), *value);
                Ok(())
            }
            Change::Spawn { id, name, kind, at } => {
                world.spawn((
                    DisplayName(name.clone()),
                    Kind(kind.clone()),
                    WorldId(id.clone()),
                ));
                place(world, id, at)
            }
        };
        if let Err(error) = done {
            log::error!("an approved change could not be installed: {error}");
        }
    }
}

/// Makes an entity what a save says it is, but for its place; one that does not live is spawned.
pub(crate) fn restore_entity(world: &mut World, id: &str, view: &EntityView) {
    // A name that is the id stands for none.
    let name = if view.name == id { "" } else { &view.name };
    let parts = (
        DisplayName(name.to_owned()),
        Kind(view.kind.clone()),
        Aliases(view.aliases.clone()),
    );
    let entity = match world.resource::<WorldIndex>().get(id) {
        Some(entity) => {
            let own = world.get::<DisplayName>(entity).map(|n| n.0.as_str());
            if own == Some(view.name.as_str()) {
                world.entity_mut(entity).insert((parts.1, parts.2));
            } else {
                world.entity_mut(entity).insert(parts);
            }
            entity
        }
        None => world.spawn((parts, WorldId(id.to_owned()))).id(),
    };
    let unbound = view.attributes.iter();
    let unbound = unbound.filter(|(name, value)| !write_bound(world, entity, name, value));
    let unbound = unbound.map(|(name, value)| (name.clone(), value.clone()));
    let attributes = Attributes(unbound.collect());
    world.entity_mut(entity).insert(attributes);
}

fn find(world: &World, id: &str) -> Result<Entity, GameWriteError> {
    world
        .get_resource::<WorldIndex>()
        .and_then(|index| index.get(id))
        .ok_or_else(|| GameWriteError::UnknownEntity(id.to_owned()))
}

/// An entity that is no location: places are not moved, carried, or described by attributes.
fn find_thing(world: &World, id: &str) -> Result<Entity, GameWriteError> {
    let entity = find(world, id)?;
    if world.get::<Location>(entity).is_some() {
        return Err(GameWriteError::IsLocation(id.to_owned()));
    }
    Ok(entity)
}

fn place(world: &mut World, id: &str, at: &Placement) -> Result<(), GameWriteError> {
    let entity = find_thing(world, id)?;
    let holder = match at {
        Placement::Offstage => None,
        Placement::In(location) => Some(
            find(world, location)
                .ok()
                .filter(|e| world.get::<Location>(*e).is_some())
                .ok_or_else(|| GameWriteError::UnknownLocation(location.clone()))?,
        ),
        Placement::CarriedBy(actor) => Some(find_thing(world, actor)?),
    };
    // Walk up from the holder: an entity must not end up inside itself.
    let mut above = holder;
    let mut seen = Vec::new();
    while let Some(current) = above {
        // A game may have made a circle of its own; it must not hold us for ever.
        if current == entity || seen.contains(&current) {
            return Err(GameWriteError::Circular(id.to_owned()));
        }
        seen.push(current);
        above = world.get::<PlacedIn>(current).map(|placed| placed.0);
    }
    match holder {
        Some(holder) => world.entity_mut(entity).insert(PlacedIn(holder)),
        None => world.entity_mut(entity).remove::<PlacedIn>(),
    };
    Ok(())
}

/// Writes to the judged world from a system. They take effect when commands are applied; one that fails is
/// logged as an error and changes nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::world::GameWrites;
/// fn night_falls(mut writes: GameWrites) {
///     writes.set_flag("night", true);
///     writes.set_fact("weather", "fog");
/// }
/// # let mut app = App::new();
/// # app.init_resource::<bevy_dramatis::world::WorldIndex>().add_systems(Update, night_falls).update();
/// # assert!(app.world().resource::<bevy_dramatis::world::WorldFlags>().0["night"]);
/// ```
#[derive(SystemParam)]
pub struct GameWrites<'w, 's> {
    commands: Commands<'w, 's>,
}

impl GameWrites<'_, '_> {
    /// Sets or clears a flag.
    pub fn set_flag(&mut self, name: impl Into<String>, value: bool) {
        let name = name.into();
        self.write(GameWrite::Flag { name, value });
    }

    /// Sets a world fact.
    pub fn set_fact(&mut self, key: impl Into<String>, value: impl Into<WorldValue>) {
        let (key, value) = (key.into(), value.into());
        self.write(GameWrite::Fact { key, value });
    }

    /// Sets an attribute of the entity with this id.
    pub fn set_attribute(
        &mut self,
        entity: impl Into<String>,
        name: impl Into<String>,
        value: impl Into<WorldValue>,
    ) {
        let (entity, name, value) = (entity.into(), name.into(), value.into());
        self.write(GameWrite::Attribute {
            entity,
            name,
            value,
        });
    }

    /// Puts the entity with this id somewhere.
    pub fn place(&mut self, entity: impl Into<String>, at: Placement) {
        let entity = entity.into();
        self.write(GameWrite::Place { entity, at });
    }

    /// Any write.
    pub fn write(&mut self, write: GameWrite) {
        self.commands.queue(move |world: &mut World| {
            if let Err(error) = write.apply(world) {
                log::error!("a write of the game failed: {error}");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldId;

    fn world() -> World {
        let mut world = World::new();
        world.init_resource::<WorldIndex>();
        world.spawn((WorldId("tower".into()), Location::default()));
        world.spawn(WorldId("ann".into()));
        world.spawn(WorldId("box".into()));
        world
    }

    fn put(world: &mut World, entity: &str, at: Placement) -> Result<(), GameWriteError> {
        let entity = entity.to_owned();
        GameWrite::Place { entity, at }.apply(world)
    }

    #[test]
    fn w7_an_entity_is_in_one_place_and_never_inside_itself() {
        let mut world = world();
        put(&mut world, "ann", Placement::In("tower".into())).unwrap();
        put(&mut world, "box", Placement::CarriedBy("ann".into())).unwrap();
        assert_eq!(
            put(&mut world, "ann", Placement::CarriedBy("box".into())),
            Err(GameWriteError::Circular("ann".into()))
        );
        assert_eq!(
            put(&mut world, "box", Placement::In("ann".into())),
            Err(GameWriteError::UnknownLocation("ann".into()))
        );
        put(&mut world, "box", Placement::Offstage).unwrap();
        put(&mut world, "ann", Placement::CarriedBy("box".into())).unwrap();
    }

    #[test]
    fn a_write_to_an_unknown_entity_changes_nothing() {
        let mut world = world();
        let write = GameWrite::Attribute {
            entity: "ghost".into(),
            name: "open".into(),
            value: true.into(),
        };
        assert_eq!(
            write.apply(&mut world),
            Err(GameWriteError::UnknownEntity("ghost".into()))
        );
    }
}
