//! What the game itself writes to the judged world, with its own authority.

use super::writer::{ChangeError, apply_change};
use crate::base::ids::Id;
use crate::judged_world::change::WorldChange;
use crate::judged_world::state::Placement;
use crate::judged_world::state::value::WorldValue;
use crate::memory::authority::WriteSource;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use serde::{Serialize, Serializer};

/// One write of the game: a change, and on whose authority it happens.
///
/// ```
/// use bevy_dramatis::id;
/// use bevy_dramatis::world::{GameWrite, Placement};
/// let night = GameWrite::flag("night", true);
/// let key = GameWrite::place(id!("key"), Placement::CarriedBy(id!("ann")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameWrite {
    source: WriteSource,
    change: WorldChange,
}

/// The writes of the game since a journal last looked. It is there while one is kept.
#[derive(Resource, Debug, Default)]
pub(crate) struct WriteLog(pub Vec<GameWrite>);

impl GameWrite {
    /// A write that sets (`true`) or clears a flag.
    #[must_use]
    pub fn flag(name: impl Into<String>, value: bool) -> Self {
        Self::of_game(WorldChange::Flag {
            name: name.into(),
            value,
        })
    }

    /// Sets a world fact. One that is bound to a resource of the game is changed there: the write is refused.
    #[must_use]
    pub fn fact(key: impl Into<String>, value: impl Into<WorldValue>) -> Self {
        Self::of_game(WorldChange::Fact {
            key: key.into(),
            value: value.into(),
        })
    }

    /// Sets an attribute of the entity with this id, in the component that is bound to it where there is one.
    #[must_use]
    pub fn attribute(entity: Id, name: impl Into<String>, value: impl Into<WorldValue>) -> Self {
        Self::of_game(WorldChange::Attribute {
            entity,
            name: name.into(),
            value: value.into(),
        })
    }

    /// Puts the entity with this id somewhere.
    #[must_use]
    pub fn place(entity: Id, at: Placement) -> Self {
        Self::of_game(WorldChange::Place { entity, at })
    }

    /// The same write on the designer's authority: a story that is installed puts its things where they belong.
    pub(crate) fn of_story(mut self) -> Self {
        self.source = WriteSource::Designer;
        self
    }

    fn of_game(change: WorldChange) -> Self {
        Self {
            source: WriteSource::GameSystem,
            change,
        }
    }

    /// The change itself: what becomes different in the judged world.
    #[must_use]
    pub fn change(&self) -> &WorldChange {
        &self.change
    }

    /// The source of the write: [`WriteSource::GameSystem`], which may write world facts and nothing above them, or
    /// [`WriteSource::Designer`] for what a story puts into the world as it is installed.
    #[must_use]
    pub fn source(&self) -> WriteSource {
        self.source
    }

    /// Applies the write at once. If a journal is kept, it records the write.
    ///
    /// # Errors
    /// See [`ChangeError`]; nothing has changed then.
    pub fn apply(self, world: &mut World) -> Result<(), ChangeError> {
        apply_change(world, &self.change)?;
        if let Some(mut log) = world.get_resource_mut::<WriteLog>() {
            log.0.push(self);
        }
        Ok(())
    }
}

/// Journal format 1 writes only the change, its kind in lower case; the source is next to it.
impl Serialize for GameWrite {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Written<'a> {
            Flag {
                name: &'a str,
                value: bool,
            },
            Fact {
                key: &'a str,
                value: &'a WorldValue,
            },
            Attribute {
                entity: &'a str,
                name: &'a str,
                value: &'a WorldValue,
            },
            Place {
                entity: &'a str,
                at: &'a Placement,
            },
            Spawn {
                id: &'a str,
                name: &'a str,
                kind: &'a str,
                at: &'a Placement,
            },
        }
        let written = match &self.change {
            WorldChange::Flag { name, value } => Written::Flag {
                name,
                value: *value,
            },
            WorldChange::Fact { key, value } => Written::Fact { key, value },
            WorldChange::Attribute {
                entity,
                name,
                value,
            } => Written::Attribute {
                entity,
                name,
                value,
            },
            WorldChange::Place { entity, at } => Written::Place { entity, at },
            WorldChange::Spawn { id, name, kind, at } => Written::Spawn { id, name, kind, at },
        };
        written.serialize(serializer)
    }
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
    /// Sets (`true`) or clears a flag.
    pub fn set_flag(&mut self, name: impl Into<String>, value: bool) {
        self.write(GameWrite::flag(name, value));
    }

    /// Sets a world fact. One that is bound to a resource of the game is logged as an error, and nothing changes.
    pub fn set_fact(&mut self, key: impl Into<String>, value: impl Into<WorldValue>) {
        self.write(GameWrite::fact(key, value));
    }

    /// Sets an attribute of the entity with this id. A text that is not an id is logged as an error, and nothing changes.
    pub fn set_attribute(
        &mut self,
        entity: impl AsRef<str>,
        name: impl Into<String>,
        value: impl Into<WorldValue>,
    ) {
        match Id::new(entity) {
            Ok(entity) => self.write(GameWrite::attribute(entity, name, value)),
            Err(error) => log::error!("a write of the game failed: {error}"),
        }
    }

    /// Puts the entity with this id somewhere. A text that is not an id is logged as an error, and nothing changes.
    pub fn place(&mut self, entity: impl AsRef<str>, at: Placement) {
        match Id::new(entity) {
            Ok(entity) => self.write(GameWrite::place(entity, at)),
            Err(error) => log::error!("a write of the game failed: {error}"),
        }
    }

    /// Applies any write when commands are applied. One that fails is logged as an error and changes nothing.
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
    use crate::id;
    use crate::world::{WorldId, WorldIndex};

    #[test]
    fn j4_a_write_is_written_as_journal_format_1_has_it() {
        let written = |write: GameWrite| serde_json::to_string(&write).unwrap();
        assert_eq!(
            written(GameWrite::flag("night", true)),
            r#"{"flag":{"name":"night","value":true}}"#
        );
        assert_eq!(
            written(GameWrite::fact("weather", "fog")),
            r#"{"fact":{"key":"weather","value":"fog"}}"#
        );
        assert_eq!(
            written(GameWrite::attribute(id!("door"), "open", true)),
            r#"{"attribute":{"entity":"door","name":"open","value":true}}"#
        );
        assert_eq!(
            written(GameWrite::place(id!("key"), Placement::In(id!("hall")))),
            r#"{"place":{"entity":"key","at":{"in":"hall"}}}"#
        );
    }

    #[test]
    fn m1_a_write_that_is_refused_is_not_written_down() {
        let mut world = World::new();
        world.init_resource::<WorldIndex>();
        world.init_resource::<WriteLog>();
        world.spawn(WorldId(id!("ann")));
        assert!(
            GameWrite::attribute(id!("ghost"), "open", true)
                .apply(&mut world)
                .is_err()
        );
        let write = GameWrite::attribute(id!("ann"), "tired", true);
        assert_eq!(write.source(), WriteSource::GameSystem);
        write.clone().apply(&mut world).unwrap();
        assert_eq!(world.resource::<WriteLog>().0, [write]);
    }
}
