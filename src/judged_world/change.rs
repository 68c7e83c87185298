//! The one vocabulary of change in the judged world, and what each change does to plain data.
//!
//! A [`WorldChange`] alone has no author. The type around it says where it comes from. There are two such types:
//!
//! - [`JudgedChange`](crate::judged_world::change::apply::JudgedChange): an allowed action brings it about. Only the applier
//!   ([`apply`](mod@crate::judged_world::change::apply)) can build one.
//! - [`GameWrite`](crate::world::game_write::GameWrite): the game writes it, with its source.
//!
//! The code says in only two places what a change does: `WorldChange::outcome` here for plain data, which the turn's
//! `Overlay`, [`WorldState`] and the journal's
//! [`WorldMirror`](crate::judged_world::change::mirror::WorldMirror) use, and `writer` for the ECS. How a thing is, whatever
//! has changed it, is a `WorldPart`.

pub(crate) mod apply;
pub(crate) mod difference;
pub(crate) mod digest;
pub(crate) mod mirror;
pub(crate) mod overlay;
pub(crate) mod take_back;

use super::state::{EntityView, Placement, WorldState};
use crate::base::ids::Id;
use crate::judged_world::state::part::WorldPart;
use crate::judged_world::state::value::WorldValue;
use serde::Serialize;

/// One thing that becomes different in the judged world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum WorldChange {
    /// An attribute of an entity gets a value, in the component that is bound to it where there is one.
    Attribute {
        /// The entity's id. A location has no attributes.
        entity: Id,
        /// The name of the attribute. The entity gets it where it lacks it.
        name: String,
        /// The value of the attribute afterwards.
        value: WorldValue,
    },
    /// An entity is put somewhere else.
    Place {
        /// The entity's id. A location is never put anywhere.
        entity: Id,
        /// Where the entity is afterwards.
        at: Placement,
    },
    /// A flag is set or cleared.
    Flag {
        /// The name of the flag.
        name: String,
        /// `true` when the flag is set, `false` when it is cleared.
        value: bool,
    },
    /// A world fact gets a value. Only the game changes one; no action does.
    Fact {
        /// The key of the world fact.
        key: String,
        /// The value of the world fact afterwards.
        value: WorldValue,
    },
    /// A new entity appears. Only an action makes this change; the game spawns entities itself.
    Spawn {
        /// Its id, which nothing else has.
        id: Id,
        /// Its name. Empty: its id is used as its name.
        name: String,
        /// The kind of the newcomer, such as `character`.
        kind: String,
        /// Where the newcomer appears.
        at: Placement,
    },
}

impl WorldChange {
    /// How the part that it changes is afterwards. `before` tells how an entity is until then.
    ///
    /// `None`: it changes nothing, because the entity is not there, or because the id of the new entity is taken.
    #[must_use]
    pub(crate) fn outcome(&self, before: impl Fn(&str) -> Option<EntityView>) -> Option<WorldPart> {
        let edited = |id: &Id, edit: &dyn Fn(&mut EntityView)| {
            let mut view = before(id)?;
            edit(&mut view);
            Some(WorldPart::Entity(id.clone(), Some(view)))
        };
        match self {
            Self::Attribute {
                entity,
                name,
                value,
            } => edited(entity, &|view| {
                view.attributes.insert(name.clone(), value.clone());
            }),
            Self::Place { entity, at } => edited(entity, &|view| view.at = at.clone()),
            Self::Flag { name, value } => Some(WorldPart::Flag(name.clone(), Some(*value))),
            Self::Fact { key, value } => Some(WorldPart::Fact(key.clone(), Some(value.clone()))),
            Self::Spawn { id, name, kind, at } => {
                if before(id).is_some() {
                    return None;
                }
                let view = EntityView {
                    name: if name.is_empty() { id } else { name.as_str() }.to_owned(),
                    kind: kind.clone(),
                    at: at.clone(),
                    ..EntityView::default()
                };
                Some(WorldPart::Entity(id.clone(), Some(view)))
            }
        }
    }
}

impl WorldState {
    /// Makes one change happen, and says how the part that it concerns is now; `None` when it changes nothing (see
    /// `WorldChange::outcome`).
    pub(crate) fn change(&mut self, change: &WorldChange) -> Option<WorldPart> {
        let part = change.outcome(|id| self.entities.get(id).cloned())?;
        self.set(&part);
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    #[test]
    fn what_is_not_there_cannot_be_changed_and_nobody_comes_twice() {
        let mut world = WorldState::default();
        let place = WorldChange::Place {
            entity: id!("tom"),
            at: Placement::In(id!("hall")),
        };
        assert_eq!(world.change(&place), None);
        let spawn = WorldChange::Spawn {
            id: id!("tom"),
            name: String::new(),
            kind: "cat".into(),
            at: Placement::Offstage,
        };
        assert!(world.change(&spawn).is_some());
        assert_eq!(world.entities["tom"].name, "tom");
        assert!(world.change(&place).is_some());
        assert_eq!(world.change(&spawn), None);
        assert_eq!(world.entities["tom"].at, Placement::In(id!("hall")));
    }
}
