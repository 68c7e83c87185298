//! The policy of one character's runs: the setting nearest to it.

use super::components::LoadedCharacter;
use crate::base::ids::Id;
use crate::policy::{DialoguePolicy, RunPolicy};
use crate::settings::{ComesBack, Setting};
use crate::story::ActiveStory;
use bevy::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The policy of one character's dialogue runs, set by the game: it overrides that of its file, and
/// [`DialoguePolicy`]. Put it on the character's entity; a change counts for runs that start after it.
///
/// With [`RunPolicy::SEALED`] a character decides by a sealed engine while others talk.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcPolicy(pub RunPolicy);

/// In a replay: what the recorded game had set for its characters by [`NpcPolicy`], by their ids.
#[derive(Resource, Debug, Default)]
pub(crate) struct RecordedPolicies(pub BTreeMap<Id, RunPolicy>);

/// What the game has set for its characters, by their ids.
pub(crate) fn policies_set_by_game(world: &World) -> BTreeMap<Id, RunPolicy> {
    let recorded = world.get_resource::<RecordedPolicies>();
    let mut set = recorded.map(|r| r.0.clone()).unwrap_or_default();
    if let Some(mut own) = world.try_query::<(&LoadedCharacter, &NpcPolicy)>() {
        let own = own.iter(world);
        set.extend(own.map(|(character, policy)| (character.0.id.clone(), policy.0)));
    }
    set
}

/// The policy with which the next dialogue run of this character starts.
#[must_use]
pub fn policy_of(world: &World, npc: Entity) -> RunPolicy {
    let character = world.get::<LoadedCharacter>(npc).map(|loaded| &loaded.0);
    let own = world.get::<NpcPolicy>(npc).map(|own| own.0);
    let recorded = || {
        let recorded = world.get_resource::<RecordedPolicies>()?;
        recorded.0.get(&character?.id).copied()
    };
    let all = world.get_resource::<DialoguePolicy>().map(|all| all.0);
    let all = all.unwrap_or_default();
    let of_file = || {
        let policy = character
            .and_then(|character| character.policy)
            .unwrap_or(all);
        let delivery = character.and_then(|character| character.delivery);
        policy.delivered(delivery.unwrap_or(all.delivery))
    };
    let own = own.or_else(recorded);
    let story = world.get_resource::<ActiveStory>();
    let form = own
        .and_then(|own| own.form)
        .or_else(|| character?.form)
        .or_else(|| story?.0.form)
        .or(all.form);
    RunPolicy {
        form,
        ..own.unwrap_or_else(of_file)
    }
}

/// The policies of single characters, as a setting that saves keep.
pub(crate) const SETTING: Setting = Setting {
    name: "npc_policies",
    comes_back: ComesBack::InReplay,
    is_required: false,
    find: World::component_id::<RecordedPolicies>,
    write: |world| {
        let set = policies_set_by_game(world);
        (!set.is_empty()).then(|| serde_json::to_value(set).ok())?
    },
    check: |value| BTreeMap::<Id, RunPolicy>::deserialize(value).map(|_| ()),
    put: |world, value| {
        let set = value.and_then(|value| BTreeMap::deserialize(value).ok());
        world.insert_resource(RecordedPolicies(set.unwrap_or_default()));
    },
};
