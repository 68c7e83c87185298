//! The groups of the story that is played, and their standings now.

use super::ActiveStory;
use crate::judged_world::state::groups::ChangedStandings;
use crate::settings::{ComesBack, Setting};
use crate::world::Groups;
use bevy::prelude::*;
use serde::Deserialize;

/// Standings that differ from their initial values: a save keeps only these, since the story has the rest.
pub(crate) const SETTING: Setting = Setting {
    name: "standings",
    comes_back: ComesBack::WithSave,
    is_required: false,
    find: World::component_id::<Groups>,
    write: |world| {
        let changed = world.get_resource::<Groups>()?.changed();
        (!changed.is_empty()).then(|| serde_json::to_value(changed).ok())?
    },
    check: |value| ChangedStandings::deserialize(value).map(|_| ()),
    put: |world, value| {
        let changed = value.and_then(|value| ChangedStandings::deserialize(value).ok());
        let book = world.get_resource_or_init::<ActiveStory>().0.groups.clone();
        world.insert_resource(Groups::new(book, changed.unwrap_or_default()));
    },
};

/// The system that takes over the groups of another story, or of another version of it. Their standings stay.
pub(crate) fn open_groups(story: Res<ActiveStory>, mut groups: ResMut<Groups>) {
    *groups = Groups::new(story.0.groups.clone(), groups.changed().clone());
}
