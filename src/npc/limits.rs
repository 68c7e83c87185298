//! The limits that count for one character: the setting nearest to it.

use super::change_mind::change_mind;
use super::components::LoadedCharacter;
use crate::base::ids::Id;
use crate::limits::{LimitOverrides, Limits};
use crate::memory::Mind;
use crate::settings::{ComesBack, Setting};
use crate::story::ActiveStory;
use crate::text::Lexicon;
use crate::world::WorldIndex;
use bevy::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The limits of one character, set by the game: they override those of its file, its story, and the game. Put it on the
/// character's entity; a change counts from its next run on.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Reflect)]
#[reflect(Component)]
pub struct NpcLimits(pub LimitOverrides);

/// In a replay: what the recorded game had set for its characters by [`NpcLimits`], by their ids.
#[derive(Resource, Debug, Default)]
pub(crate) struct RecordedLimits(pub BTreeMap<Id, LimitOverrides>);

/// What the game has set for its characters, by their ids.
pub(crate) fn set_by_game(world: &World) -> BTreeMap<Id, LimitOverrides> {
    let mut set = BTreeMap::new();
    if let Some(recorded) = world.get_resource::<RecordedLimits>() {
        set.clone_from(&recorded.0);
    }
    if let Some(mut own) = world.try_query::<(&LoadedCharacter, &NpcLimits)>() {
        for (character, limits) in own.iter(world) {
            set.insert(character.0.id.clone(), limits.0);
        }
    }
    set
}

/// What the game, the character's file and the story set for this character, the nearest first. An entity without a file has
/// what the story sets.
#[must_use]
pub(crate) fn limit_overrides(world: &World, npc: Entity) -> LimitOverrides {
    let character = world.get::<LoadedCharacter>(npc).map(|loaded| &loaded.0);
    let own = world.get::<NpcLimits>(npc).map(|own| &own.0);
    let set = own.or_else(|| {
        let recorded = world.get_resource::<RecordedLimits>()?;
        recorded.0.get(&character?.id)
    });
    let character = character.map(|character| &character.limits);
    let story = world.get_resource::<ActiveStory>().map(|s| &s.0.limits);
    // They are large: none is copied but the first.
    let mut layers = [set, character, story].into_iter().flatten();
    let nearest = layers.next().copied().unwrap_or_default();
    layers.fold(nearest, |near, far| near.or(far))
}

/// Every number that counts for this character now. Where the game has removed the resource [`Limits`], its defaults count.
#[must_use]
pub(crate) fn limits_of(world: &World, npc: Entity) -> Limits {
    limits_with(world, &limit_overrides(world, npc))
}

/// The same for the character or actor with this id, which may have no entity.
pub(crate) fn limits_of_id(world: &World, id: &Id) -> Limits {
    let entity = WorldIndex::find(world, id);
    match (entity, world.get_resource::<ActiveStory>()) {
        (Some(entity), _) => limits_of(world, entity),
        (None, Some(story)) => limits_with(world, &story.0.limits),
        (None, None) => limits_with(world, &LimitOverrides::default()),
    }
}

/// The numbers of the game, with these overrides applied.
pub(crate) fn limits_with(world: &World, overrides: &LimitOverrides) -> Limits {
    let game = world.get_resource::<Limits>().copied().unwrap_or_default();
    overrides.over(game).bounded()
}

/// Makes the mind of a character keep to its current limits.
pub(crate) fn keep_to_limits(world: &mut World, npc: Entity) {
    let overrides = limit_overrides(world, npc);
    let limits = limits_with(world, &overrides);
    let exchanges = overrides.exchanges.unwrap_or_default();
    let lexicon = lexicon_of(world, Some(npc));
    let mind = world.get::<Mind>(npc);
    if mind.is_none_or(|mind| mind.keeps_to(&limits, exchanges, &lexicon)) {
        // Do not write to the mind without need: the journal looks at every mind that is written to.
        return;
    }
    change_mind(world, npc, |mind| {
        mind.keep_to(&limits, exchanges, &lexicon)
    });
}

/// The language of a character: its own, or else that of its story. `None` is for a character that is not in the game.
pub(crate) fn lexicon_of(world: &World, npc: Option<Entity>) -> Arc<Lexicon> {
    let own = npc.and_then(|npc| world.get::<LoadedCharacter>(npc));
    let own = own.and_then(|character| character.0.lexicon.clone());
    let story = world.get_resource::<ActiveStory>();
    own.or_else(|| Some(story?.0.lexicon.clone()))
        .unwrap_or_default()
}

/// The limits of single characters, as a setting that saves keep.
pub(crate) const SETTING: Setting = Setting {
    name: "npc_limits",
    comes_back: ComesBack::InReplay,
    is_required: false,
    find: World::component_id::<RecordedLimits>,
    write: |world| {
        let set: BTreeMap<Id, _> = set_by_game(world)
            .into_iter()
            .map(|(id, set)| (id, set.units()))
            .collect();
        (!set.is_empty()).then(|| serde_json::to_value(set).ok())?
    },
    check: |value| BTreeMap::<Id, BTreeMap<String, i64>>::deserialize(value).map(|_| ()),
    put: |world, value| {
        let set =
            value.and_then(|value| BTreeMap::<Id, BTreeMap<String, i64>>::deserialize(value).ok());
        let set = set.unwrap_or_default().into_iter();
        let set = set.map(|(id, set)| (id, LimitOverrides::from_units(&set)));
        world.insert_resource(RecordedLimits(set.collect()));
    },
};

/// The limits of the game, as a setting that saves keep: those that are not the default ones.
pub(crate) const GAME_SETTING: Setting = Setting {
    name: "limits",
    comes_back: ComesBack::InReplay,
    is_required: false,
    find: World::component_id::<Limits>,
    write: |world| {
        // Those of a fading memory are left out, as they were when it was the default.
        let saved = world.get_resource::<Limits>()?.changed_from_fading();
        (!saved.is_empty()).then(|| serde_json::to_value(saved).ok())?
    },
    check: |value| BTreeMap::<String, i64>::deserialize(value).map(|_| ()),
    put: |world, value| {
        let changed = value.and_then(|value| BTreeMap::deserialize(value).ok());
        world.insert_resource(Limits::changing_fading(&changed.unwrap_or_default()));
    },
};
