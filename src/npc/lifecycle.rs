//! What happens when a character comes into the game and when it leaves. The plugin registers these as observers.

use super::change_mind::tell_forgotten;
use super::components::{Baked, Chattiness, LoadedCharacter, Npc, Player};
use super::limits::{keep_to_limits, limits_of};
use super::names::KnownNames;
use super::queue::{ReadyNpcs, RequestQueue};
use super::request::RequestError;
use super::submit::refuse;
use crate::authoring::Character;
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::events::DuplicateCharacter;
use crate::memory::{DormantMinds, Mind};
use crate::outbox::Outbox;
use crate::story::ActiveStory;
use crate::story::awaited::{give_awaited_items, is_story_pending};
use crate::world::mentions::RecentMentions;
use crate::world::{
    Aliases, Attributes, Contents, DisplayName, Kind, Location, PlacedIn, WorldId, WorldIndex,
};
use bevy::prelude::*;

/// The kind of who speaks and acts, in the shipped rulebooks.
const CHARACTER: &str = "character";

/// Which characters have come or gone since the journal last looked. It is there while a journal is kept.
#[derive(Resource, Debug, Default)]
pub(crate) struct CharacterLog(pub Vec<CharacterChange>);

/// A character came or went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CharacterChange {
    /// This entity got its character, or another version of it.
    Entered(Entity),
    /// The character with this id is gone.
    Left(Id),
}

pub(crate) fn log_character_change(world: &mut World, change: CharacterChange) {
    if let Some(mut log) = world.get_resource_mut::<CharacterLog>() {
        log.0.push(change);
    }
}

/// Registers what happens when characters come and go.
pub(crate) fn observe_lifecycle(app: &mut App) {
    app.add_observer(on_character_inserted)
        .add_observer(make_player_a_character::<Player>)
        .add_observer(make_player_a_character::<WorldId>)
        .add_observer(forget_activity_of_file)
        .add_observer(store_dormant_mind)
        .add_observer(leave_for_another)
        .add_observer(refuse_waiting)
        .add_observer(refuse_waiting_without_file);
}

/// A player that has an id, and no kind yet, is a character: others can give it things.
fn make_player_a_character<C: Component>(
    added: On<Add, C>,
    players: Query<&Kind, (With<Player>, With<WorldId>)>,
    mut commands: Commands,
) {
    if players
        .get(added.entity)
        .is_ok_and(|kind| kind.0.is_empty())
    {
        let kind = Kind(CHARACTER.to_owned());
        commands.entity(added.entity).insert(kind);
    }
}

/// Gives a new character its id, its place and its mind: the one that is kept under its id, or its first one.
fn on_character_inserted(inserted: On<Insert, LoadedCharacter>, mut commands: Commands) {
    let entity = inserted.entity;
    commands.queue(move |world: &mut World| enter(world, entity));
}

fn enter(world: &mut World, entity: Entity) {
    let Some(loaded) = world.get::<LoadedCharacter>(entity) else {
        return;
    };
    let character = loaded.0.clone();
    let other = world
        .get_resource_or_init::<WorldIndex>()
        .get(&character.id);
    if let Some(other) = other.filter(|other| *other != entity) {
        if world.get::<LoadedCharacter>(other).is_some() {
            refuse_duplicate(world, entity, other, &character.id);
            return;
        }
        take_over(world, other, entity);
    }
    let aliases = world.get::<Aliases>(entity).cloned().unwrap_or_default();
    let mut names = world.get_resource_or_init::<KnownNames>();
    for name in [character.name.as_str(), character.id.as_str()] {
        names.add(name);
    }
    aliases.0.iter().for_each(|alias| names.add(alias));
    if world.get::<Mind>(entity).is_none() {
        let (mind, is_new) = mind_of(world, entity, &character);
        let forgotten = mind.episodes.forgotten().filter(|_| is_new);
        let forgotten = forgotten.cloned().collect();
        world.entity_mut(entity).insert(mind);
        tell_forgotten(world, Some(entity), &character.id, forgotten);
        // A mind that is there already keeps to them from its next run on.
        keep_to_limits(world, entity);
    }
    if world.get::<WorldId>(entity).is_none() {
        world
            .entity_mut(entity)
            .insert(WorldId(character.id.clone()));
    }
    let (chattiness, baked) = (Chattiness(character.chattiness), Baked(character.baked));
    world.entity_mut(entity).insert_if_new((chattiness, baked));
    let name = world.get::<DisplayName>(entity);
    if name.is_some_and(|name| name.0.is_empty()) {
        let name = DisplayName(character.name.clone());
        world.entity_mut(entity).insert(name);
    }
    let kind = world.get::<Kind>(entity);
    if kind.is_some_and(|kind| kind.0.is_empty()) {
        world.entity_mut(entity).insert(Kind(CHARACTER.to_owned()));
    }
    give_awaited_items(world, &character.id, entity);
    place(world, entity, &character);
    let queue = world.get::<RequestQueue>(entity);
    if queue.is_some_and(|queue| !queue.is_empty()) {
        world.get_resource_or_init::<ReadyNpcs>().0.insert(entity);
    }
    log_character_change(world, CharacterChange::Entered(entity));
}

/// Two living entities cannot be one character: the second one stays mute.
fn refuse_duplicate(world: &mut World, entity: Entity, other: Entity, id: &Id) {
    log::error!("two characters have the id \"{id}\": {entity} is disabled, {other} keeps it");
    world
        .entity_mut(entity)
        .remove::<(LoadedCharacter, RequestQueue)>();
    let duplicate = DuplicateCharacter {
        entity,
        npc: id.clone(),
        other,
    };
    world.get_resource_or_init::<Outbox>().tell(duplicate);
}

/// What the file of a character says of its activity goes with the file; what the game has set stays.
fn forget_activity_of_file(
    replaced: On<Discard, LoadedCharacter>,
    characters: Query<(&LoadedCharacter, Option<&Chattiness>, Option<&Baked>)>,
    mut commands: Commands,
) {
    let entity = replaced.entity;
    let Ok((LoadedCharacter(character), chattiness, baked)) = characters.get(entity) else {
        return;
    };
    if chattiness.is_some_and(|own| own.0 == character.chattiness) {
        commands.entity(entity).try_remove::<Chattiness>();
    }
    if baked.is_some_and(|own| own.0 == character.baked) {
        commands.entity(entity).try_remove::<Baked>();
    }
}

/// The mind that a character left behind, or its first one, which is new.
fn mind_of(world: &mut World, entity: Entity, character: &Character) -> (Mind, bool) {
    let mut dormant = world.get_resource_or_init::<DormantMinds>();
    if let Some(mind) = dormant.take(&character.id) {
        return (mind, false);
    }
    let clock = world.get_resource::<DramatisClock>();
    let now = clock.map(|clock| clock.game).unwrap_or_default();
    let story = world.get_resource_or_init::<ActiveStory>().0.clone();
    let lexicon = story.language_of(character);
    let limits = limits_of(world, entity);
    let mind = character.first_mind(now, &story.canon_of(character), &limits, lexicon);
    (mind, true)
}

/// Puts a character where its file says, unless it is somewhere already.
fn place(world: &mut World, entity: Entity, character: &Character) {
    let Some(id) = &character.location else {
        return;
    };
    if world.get::<PlacedIn>(entity).is_some() {
        return;
    }
    let place = world.get_resource_or_init::<WorldIndex>().get(id);
    match place.filter(|place| world.get::<Location>(*place).is_some()) {
        Some(place) => {
            world.entity_mut(entity).insert(PlacedIn(place));
        }
        // The story that describes the place may still be loading.
        None if is_story_pending(world) => {}
        None => log::warn!(
            "\"{}\" stays offstage: no location has the id \"{}\"",
            character.id,
            id.escape_debug()
        ),
    }
}

/// A story may have described a character before it came into the game: the newcomer takes over what is known of it.
fn take_over(world: &mut World, described: Entity, entity: Entity) {
    let carried: Vec<Entity> = world
        .get::<Contents>(described)
        .map(|contents| contents.iter().collect())
        .unwrap_or_default();
    let place = world.get::<PlacedIn>(described).cloned();
    let mentions = world.get::<RecentMentions>(described).cloned();
    let parts = (
        world.get::<WorldId>(described).cloned(),
        world
            .get::<DisplayName>(described)
            .cloned()
            .unwrap_or_default(),
        world.get::<Kind>(described).cloned().unwrap_or_default(),
        world.get::<Aliases>(described).cloned().unwrap_or_default(),
        world
            .get::<Attributes>(described)
            .cloned()
            .unwrap_or_default(),
    );
    world.despawn(described);
    let (Some(id), name, kind, aliases, attributes) = parts else {
        return;
    };
    world
        .entity_mut(entity)
        .insert((id, name, kind, aliases, attributes));
    if let Some(place) = place {
        world.entity_mut(entity).insert(place);
    }
    if let Some(mentions) = mentions {
        world.entity_mut(entity).insert(mentions);
    }
    for thing in carried {
        world.entity_mut(thing).insert(PlacedIn(entity));
    }
}

/// A character that leaves keeps its mind, under its id.
fn store_dormant_mind(
    removed: On<Remove, LoadedCharacter>,
    characters: Query<&LoadedCharacter>,
    minds: Query<&Mind>,
    index: Option<Res<WorldIndex>>,
    dormant: Option<ResMut<DormantMinds>>,
    log: Option<ResMut<CharacterLog>>,
    mut commands: Commands,
) {
    let entity = removed.entity;
    let Ok(character) = characters.get(entity) else {
        return;
    };
    let id = &character.0.id;
    // A second entity with the id of a character is none, and its leaving is no leaving.
    let of_id = index
        .and_then(|index| index.get(id))
        .filter(|one| *one != entity);
    let is_duplicate =
        of_id.is_some_and(|one| characters.get(one).is_ok_and(|one| one.0.id == *id));
    if !is_duplicate && let Some(mut log) = log {
        log.0.push(CharacterChange::Left(id.clone()));
    }
    // A game may have taken the mind away before: then it has gone with it.
    let Ok(mind) = minds.get(entity) else {
        return;
    };
    if !is_duplicate && let Some(mut dormant) = dormant {
        dormant.keep(id.clone(), mind.copy());
    }
    commands.queue(move |world: &mut World| {
        // Only the character was removed: its mind must not stay on the entity.
        if let Ok(mut entity) = world.get_entity_mut(entity)
            && !entity.contains::<LoadedCharacter>()
        {
            entity.remove::<Mind>();
        }
    });
}

/// An entity that gets another character is no longer the one before, which leaves with its mind, its id and its name. The requests
/// that wait for it are refused.
fn leave_for_another(
    replaced: On<Discard, LoadedCharacter>,
    characters: Query<&LoadedCharacter>,
    mut commands: Commands,
) {
    let entity = replaced.entity;
    let Ok(LoadedCharacter(before)) = characters.get(entity) else {
        return;
    };
    let before = before.clone();
    commands.queue(move |world: &mut World| {
        let now = world.get::<LoadedCharacter>(entity);
        let id = world.get::<WorldId>(entity);
        let is_same = now.is_none_or(|now| now.0.id == before.id);
        if is_same || id.is_none_or(|id| id.0 != before.id) {
            return;
        }
        log_character_change(world, CharacterChange::Left(before.id.clone()));
        let mut npc = world.entity_mut(entity);
        let mind = npc.take::<Mind>();
        npc.remove::<WorldId>();
        if npc
            .get::<DisplayName>()
            .is_some_and(|name| name.0 == before.name)
        {
            npc.insert(DisplayName::default());
        }
        let queue = npc.get_mut::<RequestQueue>();
        let waiting = queue.map_or(0, |mut queue| queue.waiting.drain(..).count());
        if let Some(mind) = mind {
            let mut dormant = world.get_resource_or_init::<DormantMinds>();
            dormant.keep(before.id.clone(), mind);
        }
        for _ in 0..waiting {
            refuse(world, Some(entity), &before.id, RequestError::Despawned);
        }
    });
}

/// Requests that wait for a character that leaves are refused: nothing is lost in silence.
fn refuse_waiting(
    removed: On<Remove, RequestQueue>,
    mut queues: Query<(&mut RequestQueue, Option<&LoadedCharacter>)>,
    mut commands: Commands,
) {
    if let Ok((mut queue, character)) = queues.get_mut(removed.entity) {
        empty_queue(&mut commands, removed.entity, &mut queue, character);
    }
}

/// The same for a character that was built in code and is taken away: no file will bring it back.
fn refuse_waiting_without_file(
    removed: On<Remove, LoadedCharacter>,
    mut queues: Query<(&mut RequestQueue, Option<&LoadedCharacter>), Without<Npc>>,
    mut commands: Commands,
) {
    if let Ok((mut queue, character)) = queues.get_mut(removed.entity) {
        empty_queue(&mut commands, removed.entity, &mut queue, character);
    }
}

fn empty_queue(
    commands: &mut Commands,
    entity: Entity,
    queue: &mut RequestQueue,
    character: Option<&LoadedCharacter>,
) {
    let waiting = queue.waiting.drain(..).count();
    if waiting == 0 {
        return;
    }
    let id = character.map(|character| character.0.id.clone());
    commands.queue(move |world: &mut World| {
        for _ in 0..waiting {
            let id = id.as_deref().unwrap_or_default();
            refuse(world, Some(entity), id, RequestError::Despawned);
        }
    });
}
