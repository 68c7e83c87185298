//! A world with changes that have not happened yet: what a turn's later actions are judged against.
//!
//! An overlay holds a short list of changes over a world that it only reads. Nothing in it is proportional to the size
//! of the world. What comes of it is the list, which one place installs, or which is dropped.

use super::reference::key;
use super::state::{EntityView, LocationView, Placement, WorldRead, WorldState};
use super::value::WorldValue;
use serde::Serialize;

/// One change of the judged world that an action brings about. Only [`apply`](super::apply::apply) makes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Change {
    /// An attribute gets a value.
    #[non_exhaustive]
    Attribute {
        /// The entity's id.
        entity: String,
        /// The attribute.
        name: String,
        /// Its new value.
        value: WorldValue,
    },
    /// An entity is put somewhere.
    #[non_exhaustive]
    Place {
        /// The entity's id.
        entity: String,
        /// Where.
        at: Placement,
    },
    /// A flag is set or cleared.
    #[non_exhaustive]
    Flag {
        /// Its name.
        name: String,
        /// Its new value.
        value: bool,
    },
    /// Somebody or something new appears.
    #[non_exhaustive]
    Spawn {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
        /// Its kind.
        kind: String,
        /// Where.
        at: Placement,
    },
}

/// A world that is read, with changes over it.
pub struct Overlay<'a> {
    base: &'a dyn WorldRead,
    changes: Vec<Change>,
}

impl<'a> Overlay<'a> {
    /// Nothing changed yet.
    #[must_use]
    pub fn new(base: &'a dyn WorldRead) -> Self {
        Self {
            base,
            changes: Vec::new(),
        }
    }

    /// The changes so far, in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The changes, in order.
    #[must_use]
    pub fn into_changes(self) -> Vec<Change> {
        self.changes
    }

    pub(super) fn push(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Takes back everything after the first `length` changes.
    pub(super) fn truncate(&mut self, length: usize) {
        self.changes.truncate(length);
    }

    fn spawned(&self, wanted: &str) -> Option<EntityView> {
        self.changes.iter().find_map(|change| match change {
            Change::Spawn { id, name, kind, at } if id == wanted => Some(EntityView {
                name: name.clone(),
                kind: kind.clone(),
                at: at.clone(),
                ..EntityView::default()
            }),
            _ => None,
        })
    }

    fn placed(&self, id: &str) -> Option<&Placement> {
        self.changes.iter().rev().find_map(|change| match change {
            Change::Place { entity, at } if entity == id => Some(at),
            Change::Spawn { id: new, at, .. } if new == id => Some(at),
            _ => None,
        })
    }

    /// Ids that were placed or spawned, each once.
    fn moved(&self) -> Vec<&str> {
        let mut moved: Vec<&str> = self
            .changes
            .iter()
            .filter_map(|change| match change {
                Change::Place { entity: id, .. } | Change::Spawn { id, .. } => Some(id.as_str()),
                _ => None,
            })
            .collect();
        moved.sort_unstable();
        moved.dedup();
        moved
    }
}

impl WorldRead for Overlay<'_> {
    fn entity(&self, id: &str) -> Option<EntityView> {
        if self.changes.is_empty() {
            return self.base.entity(id);
        }
        let mut view = self.spawned(id).or_else(|| self.base.entity(id))?;
        for change in &self.changes {
            if let Change::Attribute {
                entity,
                name,
                value,
            } = change
                && entity == id
            {
                view.attributes.insert(name.clone(), value.clone());
            }
        }
        if let Some(at) = self.placed(id) {
            view.at = at.clone();
        }
        Some(view)
    }

    fn contents(&self, holder: &str) -> Vec<String> {
        let mut ids = self.base.contents(holder);
        let moved = self.moved();
        if moved.is_empty() {
            return ids;
        }
        ids.retain(|id| moved.binary_search(&id.as_str()).is_err());
        let arrived = moved.into_iter().filter(|id| {
            matches!(self.placed(id), Some(Placement::In(at) | Placement::CarriedBy(at)) if at == holder)
        });
        ids.extend(arrived.map(str::to_owned));
        ids.sort();
        ids
    }

    fn location(&self, id: &str) -> Option<LocationView> {
        self.base.location(id)
    }

    fn named(&self, wanted: &str) -> Vec<String> {
        let mut ids = self.base.named(wanted);
        for change in &self.changes {
            if let Change::Spawn { id, name, .. } = change
                && (key(id) == wanted || key(name) == wanted)
            {
                ids.push(id.clone());
            }
        }
        ids.sort();
        ids
    }

    fn offstage(&self) -> Vec<String> {
        let mut ids = self.base.offstage();
        let moved = self.moved();
        ids.retain(|id| moved.binary_search(&id.as_str()).is_err());
        let gone = moved
            .into_iter()
            .filter(|id| self.placed(id) == Some(&Placement::Offstage));
        ids.extend(gone.map(str::to_owned));
        ids.sort();
        ids
    }

    fn flag(&self, name: &str) -> bool {
        let changed = self.changes.iter().rev().find_map(|change| match change {
            Change::Flag { name: flag, value } if flag == name => Some(*value),
            _ => None,
        });
        changed.unwrap_or_else(|| self.base.flag(name))
    }

    fn fact(&self, key: &str) -> Option<WorldValue> {
        self.base.fact(key)
    }

    fn facts(&self) -> Vec<(String, WorldValue)> {
        self.base.facts()
    }

    fn turn_of(&self) -> Option<String> {
        self.base.turn_of()
    }

    fn placement(&self, id: &str) -> Option<Placement> {
        let placed = self.placed(id).cloned();
        placed.or_else(|| self.base.placement(id))
    }

    fn attribute(&self, id: &str, name: &str) -> Option<WorldValue> {
        let changed = self.changes.iter().rev().find_map(|change| match change {
            Change::Attribute {
                entity,
                name: attribute,
                value,
            } if entity == id && attribute == name => Some(value.clone()),
            _ => None,
        });
        changed.or_else(|| self.base.attribute(id, name))
    }

    fn is_kind(&self, id: &str, kind: &str) -> bool {
        match self.spawned(id) {
            Some(view) => view.kind == kind,
            None => self.base.is_kind(id, kind),
        }
    }

    fn is_location(&self, id: &str) -> bool {
        self.base.is_location(id)
    }
}

impl WorldState {
    /// Makes changes happen. A change of something that is not there does nothing.
    pub fn install(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Attribute {
                    entity,
                    name,
                    value,
                } => {
                    if let Some(view) = self.entities.get_mut(entity) {
                        view.attributes.insert(name.clone(), value.clone());
                    }
                }
                Change::Place { entity, at } => {
                    if let Some(view) = self.entities.get_mut(entity) {
                        view.at = at.clone();
                    }
                }
                Change::Flag { name, value } => {
                    self.flags.insert(name.clone(), *value);
                }
                Change::Spawn { id, name, kind, at } => {
                    let view = EntityView {
                        name: name.clone(),
                        kind: kind.clone(),
                        at: at.clone(),
                        ..EntityView::default()
                    };
                    self.entities.entry(id.clone()).or_insert(view);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w7_an_overlay_reads_as_the_world_that_its_changes_make() {
        let mut world = WorldState::default();
        for id in ["hall", "yard"] {
            world.locations.insert(id.into(), LocationView::default());
        }
        for (id, at) in [
            ("ann", Placement::In("hall".into())),
            ("key", Placement::In("hall".into())),
            ("bob", Placement::Offstage),
        ] {
            let view = EntityView {
                at,
                ..EntityView::default()
            };
            world.entities.insert(id.into(), view);
        }
        let base = world.clone();
        let mut overlay = Overlay::new(&base);
        for change in [
            Change::Place {
                entity: "key".into(),
                at: Placement::CarriedBy("ann".into()),
            },
            Change::Place {
                entity: "ann".into(),
                at: Placement::In("yard".into()),
            },
            Change::Attribute {
                entity: "key".into(),
                name: "worn".into(),
                value: 3.into(),
            },
            Change::Flag {
                name: "night".into(),
                value: true,
            },
            Change::Spawn {
                id: "e-1".into(),
                name: "Tom".into(),
                kind: "character".into(),
                at: Placement::In("yard".into()),
            },
            Change::Place {
                entity: "bob".into(),
                at: Placement::In("yard".into()),
            },
            Change::Place {
                entity: "e-1".into(),
                at: Placement::Offstage,
            },
        ] {
            world.install(std::slice::from_ref(&change));
            overlay.push(change);
            for id in ["ann", "key", "bob", "e-1", "nobody"] {
                assert_eq!(overlay.entity(id), world.entity(id), "{id}");
                assert_eq!(overlay.placement(id), world.placement(id), "{id}");
                assert_eq!(overlay.attribute(id, "worn"), world.attribute(id, "worn"));
                assert_eq!(
                    overlay.is_kind(id, "character"),
                    world.is_kind(id, "character")
                );
            }
            for holder in ["hall", "yard", "ann"] {
                assert_eq!(overlay.contents(holder), world.contents(holder), "{holder}");
            }
            assert_eq!(overlay.offstage(), world.offstage());
            assert_eq!(overlay.named("tom"), world.named("tom"));
            assert_eq!(overlay.flag("night"), world.flag("night"));
        }
    }
}
