//! Takes back what actions have changed, except for parts that were changed again since then.

use super::apply::JudgedChange;
use crate::base::ids::Id;
use crate::judged_world::change::WorldChange;
use crate::judged_world::state::part::WorldPart;
use crate::judged_world::state::{EntityView, Placement, WorldRead};
use crate::memory::take_back::take_back_map;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Parts of the world before and after actions changed them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChangedParts {
    /// How each was.
    before: Vec<WorldPart>,
    /// How each was left, in the same order.
    after: Vec<WorldPart>,
}

impl ChangedParts {
    /// Parts that these changes are about to change.
    #[must_use]
    pub fn before(world: &dyn WorldRead, changes: &[JudgedChange]) -> Self {
        let mut seen = BTreeSet::new();
        let mut before = Vec::new();
        for change in changes {
            let part = match change.change() {
                WorldChange::Flag { name, .. } => {
                    if !seen.insert(("flag", name.clone())) {
                        continue;
                    }
                    WorldPart::Flag(name.clone(), world.known_flag(name))
                }
                WorldChange::Fact { key, .. } => {
                    if !seen.insert(("fact", key.clone())) {
                        continue;
                    }
                    WorldPart::Fact(key.clone(), world.fact(key))
                }
                WorldChange::Attribute { entity: id, .. }
                | WorldChange::Place { entity: id, .. }
                | WorldChange::Spawn { id, .. } => {
                    if !seen.insert(("entity", id.to_string())) {
                        continue;
                    }
                    WorldPart::Entity(id.clone(), world.entity(id))
                }
            };
            before.push(part);
        }
        Self {
            before,
            after: Vec::new(),
        }
    }

    /// The same, once they have changed.
    #[must_use]
    pub fn changed(mut self, world: &dyn WorldRead) -> Self {
        self.after = self.before.iter().map(|part| now(world, part)).collect();
        self
    }

    /// The other way round: to do again what was taken back.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }

    /// What to write so that all of it is as before, value by value. What is no longer as it was left is not written; the ids
    /// of such entities and the names of such flags and facts are returned, sorted.
    #[must_use]
    pub(crate) fn take_back(&self, world: &dyn WorldRead) -> (Vec<WorldPart>, Vec<String>) {
        self.take_back_without(world, None)
    }

    /// The same after the entity `gone` has left. What it carried is now nowhere, and counts as unchanged; the entity itself
    /// is neither written nor kept.
    #[must_use]
    pub(crate) fn take_back_without(
        &self,
        world: &dyn WorldRead,
        gone: Option<&Id>,
    ) -> (Vec<WorldPart>, Vec<String>) {
        let (mut write, mut kept) = (Vec::new(), BTreeSet::new());
        for (before, after) in self.before.iter().zip(&self.after) {
            let of_gone = gone.is_some_and(|gone| name_of(before) == gone.as_str());
            if before == after || of_gone {
                continue;
            }
            let now = now(world, after);
            match (before, after, now) {
                (
                    WorldPart::Entity(id, Some(before)),
                    WorldPart::Entity(_, Some(after)),
                    WorldPart::Entity(_, Some(now)),
                ) => {
                    let (view, whole) = entity_before(before, after, &now, gone);
                    if !whole {
                        kept.insert(id.to_string());
                    }
                    if view != now {
                        write.push(WorldPart::Entity(id.clone(), Some(view)));
                    }
                }
                (_, after, now) if *after == now => write.push(before.clone()),
                (before, ..) => {
                    kept.insert(name_of(before));
                }
            }
        }
        (write, kept.into_iter().collect())
    }
}

fn name_of(part: &WorldPart) -> String {
    match part {
        WorldPart::Entity(id, _) | WorldPart::Location(id, _) => id.to_string(),
        WorldPart::Flag(name, _) | WorldPart::Fact(name, _) => name.clone(),
        WorldPart::TurnOf(_) => "turn_of".to_owned(),
    }
}

/// How a part is now.
fn now(world: &dyn WorldRead, part: &WorldPart) -> WorldPart {
    match part {
        WorldPart::Entity(id, _) => WorldPart::Entity(id.clone(), world.entity(id)),
        WorldPart::Location(id, _) => WorldPart::Location(id.clone(), world.location(id)),
        WorldPart::Flag(name, _) => WorldPart::Flag(name.clone(), world.known_flag(name)),
        WorldPart::Fact(key, _) => WorldPart::Fact(key.clone(), world.fact(key)),
        WorldPart::TurnOf(_) => WorldPart::TurnOf(world.turn_of()),
    }
}

/// An entity with what was changed taken back, and whether all of it could be.
fn entity_before(
    before: &EntityView,
    after: &EntityView,
    now: &EntityView,
    gone: Option<&Id>,
) -> (EntityView, bool) {
    let (mut view, mut whole) = (now.clone(), true);
    if before.at != after.at {
        let lay_with = |gone: &Id| after.at == Placement::CarriedBy(gone.clone());
        let lost = now.at == Placement::Offstage && gone.is_some_and(lay_with);
        match now.at == after.at || lost {
            true => view.at = before.at.clone(),
            false => whole = false,
        }
    }
    take_back_map(
        &mut view.attributes,
        &before.attributes,
        &after.attributes,
        |_| whole = false,
    );
    (view, whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::judged_world::{Placement, WorldState, WorldValue};

    fn door(open: bool, at: &str) -> EntityView {
        EntityView {
            attributes: [("open".to_owned(), WorldValue::Bool(open))].into(),
            at: Placement::In(at.parse().unwrap()),
            ..EntityView::default()
        }
    }

    fn world(view: EntityView) -> WorldState {
        let mut world = WorldState::default();
        world.entities.insert(id!("door"), view);
        world
    }

    #[test]
    fn t12_values_are_taken_back_one_by_one() {
        let part = |view: &EntityView| vec![WorldPart::Entity(id!("door"), Some(view.clone()))];
        let changed = ChangedParts {
            before: part(&door(false, "hall")),
            after: part(&door(true, "yard")),
        };
        let (write, kept) = changed.take_back(&world(door(true, "yard")));
        assert_eq!((write, kept.len()), (part(&door(false, "hall")), 0));
        // An actor has carried it away since: only its being open is taken back.
        let (write, kept) = changed.take_back(&world(door(true, "attic")));
        assert_eq!(write, part(&door(false, "attic")));
        assert_eq!(kept, ["door"]);
        let (write, kept) = changed.reversed().take_back(&world(door(false, "hall")));
        assert_eq!((write, kept.len()), (part(&door(true, "yard")), 0));
    }

    #[test]
    fn t12_who_was_brought_goes_unless_changed_since() {
        let changed = ChangedParts {
            before: vec![WorldPart::Entity(id!("door"), None)],
            after: vec![WorldPart::Entity(id!("door"), Some(door(true, "hall")))],
        };
        let (write, kept) = changed.take_back(&world(door(true, "hall")));
        assert_eq!((write.len(), kept.len()), (1, 0));
        let (write, kept) = changed.take_back(&world(door(false, "hall")));
        assert_eq!((write.len(), kept), (0, vec!["door".to_owned()]));
    }
}
