//! A world with changes that have not happened yet: what a turn's later actions are judged against.
//!
//! An overlay holds a short list of changes over a world that it only reads, and what they change, as
//! [`WorldChange::outcome`](crate::judged_world::change::WorldChange::outcome) says. Nothing in it is proportional to the size
//! of the world. The result is the list, which one place installs, or which is dropped.

use super::apply::judged_change::JudgedChange;
use crate::base::ids::Id;
use crate::judged_world::change::WorldChange;
use crate::judged_world::state::groups::Groups;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::state::{EntityView, LocationView, Placement, WorldRead, WorldState};
use crate::judged_world::words::name_key::is_called;
use crate::memory::Relationship;

/// A world that is read, with the changes of judged actions over it.
pub(crate) struct Overlay<'a> {
    base: &'a dyn WorldRead,
    /// In order.
    changes: Vec<JudgedChange>,
    /// What they change, as it is after them: of the entities and flags those alone that differ from the base.
    changed: WorldState,
}

impl<'a> Overlay<'a> {
    /// An overlay over this world, with nothing changed yet.
    #[must_use]
    pub fn new(base: &'a dyn WorldRead) -> Self {
        Self {
            base,
            changes: Vec::new(),
            changed: WorldState::default(),
        }
    }

    /// The same, with these changes made already.
    #[must_use]
    pub fn after(base: &'a dyn WorldRead, changes: &[JudgedChange]) -> Self {
        let mut overlay = Self::new(base);
        for change in changes {
            overlay.push(change.clone());
        }
        overlay
    }

    /// The changes so far, in order.
    #[must_use]
    pub fn changes(&self) -> &[JudgedChange] {
        &self.changes
    }

    /// The changes in their order, for the code that installs them.
    #[must_use]
    pub fn into_changes(self) -> Vec<JudgedChange> {
        self.changes
    }

    pub(crate) fn push(&mut self, change: JudgedChange) {
        let outcome = change.change().outcome(|id| self.entity(id));
        if let Some(part) = outcome {
            self.changed.set(&part);
        }
        self.changes.push(change);
    }

    /// Takes back everything after the first `length` changes.
    pub(crate) fn truncate(&mut self, length: usize) {
        if length >= self.changes.len() {
            return;
        }
        let mut kept = std::mem::take(&mut self.changes);
        kept.truncate(length);
        self.changed = WorldState::default();
        for change in kept {
            self.push(change);
        }
    }

    /// Entities that differ from the base or are new, by id.
    fn changed_entities(&self) -> impl Iterator<Item = (&Id, &EntityView)> {
        self.changed.entities.iter()
    }

    /// What of a list of the base's ids has not changed, together with what the changes add to it.
    fn merged(&self, base: Vec<Id>, belongs: impl Fn(&EntityView) -> bool) -> Vec<Id> {
        let mut ids = base;
        if self.changed.entities.is_empty() {
            return ids;
        }
        ids.retain(|id| !self.changed.entities.contains_key(id));
        let added = self.changed_entities().filter(|(_, view)| belongs(view));
        ids.extend(added.map(|(id, _)| id.clone()));
        ids.sort();
        ids
    }
}

impl WorldRead for Overlay<'_> {
    fn entity(&self, id: &str) -> Option<EntityView> {
        let changed = self.changed.entities.get(id);
        changed.cloned().or_else(|| self.base.entity(id))
    }

    fn contents(&self, holder: &str) -> Vec<Id> {
        self.merged(self.base.contents(holder), |view| match &view.at {
            Placement::In(at) | Placement::CarriedBy(at) => at == holder,
            Placement::Offstage => false,
        })
    }

    fn location(&self, id: &str) -> Option<LocationView> {
        self.base.location(id)
    }

    fn groups(&self) -> &Groups {
        self.base.groups()
    }

    fn named(&self, wanted: &str) -> Vec<Id> {
        let mut ids = self.base.named(wanted);
        // No change gives a new name to what there is.
        for change in &self.changes {
            if let WorldChange::Spawn { id, name, .. } = change.change()
                && (is_called(id, wanted) || is_called(name, wanted))
            {
                ids.push(id.clone());
            }
        }
        ids.sort();
        ids
    }

    fn offstage(&self) -> Vec<Id> {
        self.merged(self.base.offstage(), |view| view.at == Placement::Offstage)
    }

    fn introduced(&self) -> usize {
        let spawned = self.changes.iter().map(JudgedChange::change);
        let spawned = spawned.filter(|change| matches!(change, WorldChange::Spawn { .. }));
        self.base.introduced() + spawned.count()
    }

    fn flag(&self, name: &str) -> bool {
        let changed = self.changed.flags.get(name).copied();
        changed.unwrap_or_else(|| self.base.flag(name))
    }

    fn known_flag(&self, name: &str) -> Option<bool> {
        let changed = self.changed.flags.get(name).copied();
        changed.or_else(|| self.base.known_flag(name))
    }

    // No action changes a world fact, whose turn it is, or a relationship.

    fn relationship(&self, actor: &str, other: &str) -> Relationship {
        self.base.relationship(actor, other)
    }

    fn fact(&self, key: &str) -> Option<WorldValue> {
        self.base.fact(key)
    }

    fn facts(&self) -> Vec<(String, WorldValue)> {
        self.base.facts()
    }

    fn turn_of(&self) -> Option<Id> {
        self.base.turn_of()
    }

    fn placement(&self, id: &str) -> Option<Placement> {
        match self.changed.entities.get(id) {
            Some(view) => Some(view.at.clone()),
            None => self.base.placement(id),
        }
    }

    fn attribute(&self, id: &str, name: &str) -> Option<WorldValue> {
        match self.changed.entities.get(id) {
            Some(view) => view.attributes.get(name).cloned(),
            None => self.base.attribute(id, name),
        }
    }

    fn is_kind(&self, id: &str, kind: &str) -> bool {
        match self.changed.entities.get(id) {
            Some(view) => view.kind == kind,
            None => self.base.is_kind(id, kind),
        }
    }

    fn is_location(&self, id: &str) -> bool {
        self.base.is_location(id)
    }
}

impl WorldState {
    /// Makes the changes of a turn happen, in order. A change of something that is not there does nothing.
    pub fn install(&mut self, changes: &[JudgedChange]) {
        for change in changes {
            self.change(change.change());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    #[test]
    fn w7_an_overlay_reads_as_the_world_that_its_changes_make() {
        let mut world = WorldState::default();
        for id in [id!("hall"), id!("yard")] {
            world.locations.insert(id, LocationView::default());
        }
        for (id, at) in [
            (id!("ann"), Placement::In(id!("hall"))),
            (id!("key"), Placement::In(id!("hall"))),
            (id!("bob"), Placement::Offstage),
        ] {
            let view = EntityView {
                at,
                ..EntityView::default()
            };
            world.entities.insert(id, view);
        }
        let base = world.clone();
        let mut overlay = Overlay::new(&base);
        for change in [
            WorldChange::Place {
                entity: id!("key"),
                at: Placement::CarriedBy(id!("ann")),
            },
            WorldChange::Place {
                entity: id!("ann"),
                at: Placement::In(id!("yard")),
            },
            WorldChange::Attribute {
                entity: id!("key"),
                name: "worn".into(),
                value: 3.into(),
            },
            WorldChange::Flag {
                name: "night".into(),
                value: true,
            },
            WorldChange::Spawn {
                id: id!("e-1"),
                name: "Tom".into(),
                kind: "character".into(),
                at: Placement::In(id!("yard")),
            },
            WorldChange::Place {
                entity: id!("bob"),
                at: Placement::In(id!("yard")),
            },
            WorldChange::Place {
                entity: id!("e-1"),
                at: Placement::Offstage,
            },
        ] {
            let change = JudgedChange::unjudged(change);
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

    #[test]
    fn w2_what_is_taken_back_never_was() {
        let mut base = WorldState::default();
        base.entities.insert(id!("key"), EntityView::default());
        let mut overlay = Overlay::new(&base);
        let worn = |value: i64| {
            JudgedChange::unjudged(WorldChange::Attribute {
                entity: id!("key"),
                name: "worn".into(),
                value: value.into(),
            })
        };
        overlay.push(worn(1));
        overlay.push(worn(2));
        overlay.truncate(1);
        assert_eq!(overlay.attribute("key", "worn"), Some(1.into()));
        overlay.truncate(0);
        assert_eq!(overlay.attribute("key", "worn"), None);
        assert!(overlay.into_changes().is_empty());
    }
}
