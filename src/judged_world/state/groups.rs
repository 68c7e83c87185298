//! Groups: who belongs together, what they alone know, and their standings towards others.

use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::judged_world::words::name_key::name_key;
use bevy::prelude::Resource;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A group, as a story says it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Group {
    /// What people call it; its id where it has no name.
    pub name: String,
    /// The ids of its members: characters, the player, any actor.
    pub members: BTreeSet<Id>,
    /// The keys of lore that its members alone know, as [`name_key`] compares them.
    pub lore: BTreeSet<String>,
    /// Its initial standing towards others, by their ids, -1 to 1.
    pub standing: BTreeMap<Id, Millionths>,
}

/// The groups of the story, by id, and their standings towards others now.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::prelude::*;
/// use bevy_dramatis::world::Groups;
///
/// fn pay_the_guild(mut groups: ResMut<Groups>) {
///     if !groups.set_standing("guild", id!("player"), 0.5) {
///         warn!("there is no guild");
///     }
/// }
/// # App::new().init_resource::<Groups>().add_systems(Update, pay_the_guild).update();
/// ```
#[derive(Resource, Debug, Clone, PartialEq, Eq, Default)]
pub struct Groups {
    book: Arc<BTreeMap<String, Group>>,
    /// The standings that differ from their initial values.
    changed: ChangedStandings,
}

/// Standings that differ from their initial values, by the ids of the group and of the other, in millionths.
pub(crate) type ChangedStandings = BTreeMap<String, BTreeMap<Id, i64>>;

impl Groups {
    /// The groups of a story, with the standings that differ from their initial values.
    pub(crate) fn new(book: Arc<BTreeMap<String, Group>>, changed: ChangedStandings) -> Self {
        Self { book, changed }
    }

    pub(crate) fn changed(&self) -> &ChangedStandings {
        &self.changed
    }

    /// All groups, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Group)> {
        self.book.iter().map(|(id, group)| (id.as_str(), group))
    }

    /// The groups to which an actor belongs, each with its id, in order of the ids.
    pub fn of(&self, actor: &str) -> impl Iterator<Item = (&str, &Group)> {
        self.iter()
            .filter(move |(_, group)| group.members.contains(actor))
    }

    /// Whether an actor belongs to a group; false where there is no such group.
    #[must_use]
    pub fn has(&self, group: &str, actor: &str) -> bool {
        let group = self.book.get(group);
        group.is_some_and(|group| group.members.contains(actor))
    }

    /// The standing of a group towards another now, -1 to 1; 0 where it has none, and `None` where there is no such group.
    #[must_use]
    pub fn standing(&self, group: &str, target: &str) -> Option<f32> {
        self.exact_standing(group, target).map(Millionths::to_f32)
    }

    /// The same, as it is compared and recorded.
    pub(crate) fn exact_standing(&self, group: &str, target: &str) -> Option<Millionths> {
        let written = self.book.get(group)?.standing.get(target);
        let changed = self.changed.get(group).and_then(|to| to.get(target));
        let changed = changed.map(|value| cut(*value));
        Some(changed.or(written.copied()).unwrap_or_default())
    }

    /// The standings of a group towards all others for which it has one, by their ids.
    #[must_use]
    pub fn standings(&self, group: &str) -> BTreeMap<Id, Millionths> {
        let written = self.book.get(group).map(|group| &group.standing);
        let mut now = written.cloned().unwrap_or_default();
        let changed = self.changed.get(group).into_iter().flatten();
        now.extend(changed.map(|(other, value)| (other.clone(), cut(*value))));
        now
    }

    /// Sets the standing of a group towards another, to a millionth, clamped to -1 to 1. Returns whether that was possible: there
    /// is such a group, and `value` is a number.
    pub fn set_standing(&mut self, group: &str, target: Id, value: f32) -> bool {
        let value = Millionths::from_f64(value.clamp(-1.0, 1.0).into());
        let (true, Some(value)) = (self.book.contains_key(group), value) else {
            return false;
        };
        let changed = self.changed.entry(group.to_owned()).or_default();
        changed.insert(target, value.0);
        true
    }

    /// Whether one of these may know the lore of this key: lore that groups list is known to their members alone.
    pub(crate) fn is_open(&self, key: &str, actors: &[&Id]) -> bool {
        let key = name_key(key);
        let groups = self.book.values();
        let mut listing = groups.filter(|group| group.lore.contains(&key)).peekable();
        let has_member = |group: &Group| actors.iter().any(|actor| group.members.contains(*actor));
        listing.peek().is_none() || listing.any(has_member)
    }
}

/// A standing is -1 to 1.
fn cut(millionths: i64) -> Millionths {
    Millionths(millionths.clamp(-1_000_000, 1_000_000))
}

/// What a world without groups has.
pub(crate) static NO_GROUPS: std::sync::LazyLock<Groups> =
    std::sync::LazyLock::new(Groups::default);
