//! Characters in the game: what to spawn, and how to speak to them.
//!
//! Spawn an [`Npc`] with the handle of its file, or a [`LoadedCharacter`] that was built in code. Then talk:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_dramatis::prelude::*;
//! fn greet(mut commands: Commands, wizard: Single<Entity, With<LoadedCharacter>>, player: Single<Entity, With<Player>>) {
//!     commands.entity(*wizard).hear(*player, "Would you let me in?");
//! }
//! # #[derive(Component)] struct Player;
//! ```

use crate::authoring::Character;
use crate::authoring::assets::CharacterAsset;
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::ids::{BadId, check_id};
use crate::events::{Outbox, Outgoing, RequestRefused};
use crate::memory::{DormantMinds, Mind};
use crate::pipeline::run::{CancelRun, ReadyNpcs};
use crate::rules::TriggerReason;
use crate::story::{ActiveStory, give_awaited_items};
use crate::world::{
    Aliases, Attributes, Contents, DisplayName, JudgedChange, Kind, Location, PlacedIn,
    WorldChange, WorldId, WorldIndex,
};
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use thiserror::Error;

/// The most characters that may be said to a character at once.
pub const MAX_INPUT_CHARS: usize = 2_000;
/// The most tags of a request.
pub const MAX_TAGS: usize = 32;

/// A character whose file is loaded by the asset server.
#[derive(Component, Debug, Clone)]
#[require(RequestQueue)]
pub struct Npc(pub Handle<CharacterAsset>);

/// A character, loaded. [`Npc`] gets it when its file is there; spawn it directly for a character built in code.
#[derive(Component, Debug, Clone)]
#[component(immutable, on_insert = on_character_inserted, on_remove = store_dormant_mind)]
#[require(RequestQueue)]
pub struct LoadedCharacter(pub Arc<Character>);

/// On an NPC while it has a run in flight.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thinking {
    /// The run.
    pub run: Entity,
    /// Since when, in call time.
    pub since: crate::base::fixed::Millis,
    /// The attempt, from 0.
    pub attempt: u32,
}

/// Requests that wait for an NPC.
#[derive(Component, Debug, Default)]
#[component(on_remove = refuse_waiting)]
pub struct RequestQueue {
    /// In order of arrival.
    pub(crate) waiting: VecDeque<(u64, Request)>,
}

impl RequestQueue {
    /// How many requests wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// How many requests were made: runs start in the order of their requests.
#[derive(Resource, Debug, Default)]
struct RequestNumbers(u64);

/// What happens with requests while a run is in flight.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePolicy {
    /// How many requests may wait for one NPC.
    pub limit: usize,
    /// What happens to one more.
    pub when_full: WhenFull,
    /// What a new request does to the run in flight.
    pub on_new: OnNewRequest,
}

impl Default for QueuePolicy {
    fn default() -> Self {
        Self {
            limit: 4,
            when_full: WhenFull::Refuse,
            on_new: OnNewRequest::Queue,
        }
    }
}

/// What happens to a request when the queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum WhenFull {
    /// It is refused.
    #[default]
    Refuse,
    /// The oldest waiting one is refused in its place.
    DropOldest,
}

/// What a new request does to the run in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum OnNewRequest {
    /// It waits.
    #[default]
    Queue,
    /// The run in flight and all that waits end, the run as Cancelled.
    Replace,
}

/// The id of the actor whom the player plays. What it says is a [`TriggerReason::PlayerUtterance`].
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub struct PlayerId(pub String);

impl Default for PlayerId {
    fn default() -> Self {
        Self("player".to_owned())
    }
}

/// Who has come on stage or left it since a journal last looked. It is there while one is kept.
#[derive(Resource, Debug, Default)]
pub(crate) struct CharacterLog(pub Vec<CharacterChange>);

/// A character came or went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CharacterChange {
    /// This entity got its persona, or another one.
    Entered(Entity),
    /// The character with this id lost its persona.
    Left(String),
}

fn log_character_change(world: &mut World, change: CharacterChange) {
    if let Some(mut log) = world.get_resource_mut::<CharacterLog>() {
        log.0.push(change);
    }
}

/// The names and ids of the characters that have lived so far: a leading `Name:` of a reply that is one of them is a
/// speaker label, not speech (G1).
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownNames(pub Vec<String>);

impl KnownNames {
    /// Adds a name, once.
    pub fn add(&mut self, name: &str) {
        if !name.is_empty() && !self.0.iter().any(|known| known == name) {
            self.0.push(name.to_owned());
        }
    }
}

/// Learns the names of those who have just been introduced.
pub(crate) fn learn_names(world: &mut World, changes: &[JudgedChange]) {
    for change in changes {
        if let WorldChange::Spawn { id, name, .. } = change.change() {
            let mut names = world.get_resource_or_init::<KnownNames>();
            names.add(name);
            names.add(id);
        }
    }
}

/// Why a character should respond (P1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The reason.
    pub reason: TriggerReason,
    /// Who speaks, by id.
    pub speaker: Option<String>,
    /// What is said.
    pub input: Option<String>,
    /// The trigger's id.
    pub trigger_id: Option<String>,
    /// What the trigger wants.
    pub prompt: Option<String>,
    /// The scene.
    pub scene: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
}

impl Request {
    /// A request for this reason, with nothing said.
    #[must_use]
    pub fn new(reason: TriggerReason) -> Self {
        Self {
            reason,
            speaker: None,
            input: None,
            trigger_id: None,
            prompt: None,
            scene: None,
            tags: Vec::new(),
        }
    }

    /// Somebody speaks. From the player it is a [`TriggerReason::PlayerUtterance`]; from anybody else a
    /// [`TriggerReason::NpcInteraction`] with the speaker's id as a tag.
    #[must_use]
    pub fn speech(speaker: &str, player: &str, text: &str) -> Self {
        let from_player = speaker == player;
        Self {
            speaker: Some(speaker.to_owned()),
            input: Some(text.to_owned()),
            tags: if from_player {
                Vec::new()
            } else {
                vec![speaker.to_owned()]
            },
            ..Self::new(if from_player {
                TriggerReason::PlayerUtterance
            } else {
                TriggerReason::NpcInteraction
            })
        }
    }

    /// Checks and cleans the request.
    fn check(mut self) -> Result<Self, RequestError> {
        for id in [&self.speaker, &self.trigger_id].into_iter().flatten() {
            check_id(id)?;
        }
        for text in [&mut self.input, &mut self.prompt].into_iter().flatten() {
            let chars = text.chars().count();
            if chars > MAX_INPUT_CHARS {
                return Err(RequestError::TooLong { chars });
            }
            *text = without_controls(text).trim().to_owned();
        }
        if self.reason == TriggerReason::PlayerUtterance
            && self.input.as_deref().is_none_or(str::is_empty)
        {
            return Err(RequestError::EmptyUtterance);
        }
        let words = self.tags.iter().chain(&self.scene);
        if self.tags.len() > MAX_TAGS || words.clone().any(|word| word.chars().count() > 64) {
            return Err(RequestError::BadTags);
        }
        Ok(self)
    }
}

/// TAB, CR and LF become a space; other control characters vanish.
#[must_use]
pub fn without_controls(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\t' | '\r' | '\n' => Some(' '),
            c if c.is_control() => None,
            c => Some(c),
        })
        .collect()
}

/// Why a request starts no run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RequestError {
    /// An id is not one.
    #[error("BadId: {0}")]
    BadId(#[from] BadId),
    /// No living character has this id.
    #[error("UnknownNpc: no character has the id \"{0}\"")]
    UnknownNpc(String),
    /// The player says nothing.
    #[error("EmptyUtterance: the player says nothing")]
    EmptyUtterance,
    /// More than [`MAX_INPUT_CHARS`] characters.
    #[error("TooLong: {chars} characters, more than {MAX_INPUT_CHARS}")]
    TooLong {
        /// How many.
        chars: usize,
    },
    /// Too many tags, or one that is too long.
    #[error("BadTags: at most {MAX_TAGS} tags, each and the scene of at most 64 characters")]
    BadTags,
    /// Game time is negative.
    #[error("BadTime: game time is negative")]
    BadTime,
    /// As many requests wait as may wait.
    #[error("QueueFull: {limit} requests wait already")]
    QueueFull {
        /// How many.
        limit: usize,
    },
    /// A newer request took its place, or the run it waited for was replaced.
    #[error("Replaced: a newer request took its place")]
    Replaced,
    /// The character is gone.
    #[error("Despawned: the character is gone")]
    Despawned,
}

/// Verbs for talking to a character.
pub trait NpcCommandsExt {
    /// Somebody speaks to this character. A speaker without a [`WorldId`] is the player.
    fn hear(&mut self, speaker: Entity, text: impl Into<String>) -> &mut Self;
    /// Something gives this character a reason to respond.
    fn interact(&mut self, request: Request) -> &mut Self;
    /// Ends the character's run in flight as Cancelled. Requests that wait go on.
    fn cancel_run(&mut self) -> &mut Self;
}

impl NpcCommandsExt for EntityCommands<'_> {
    fn hear(&mut self, speaker: Entity, text: impl Into<String>) -> &mut Self {
        let (npc, text) = (self.id(), text.into());
        self.commands().queue(move |world: &mut World| {
            let player = world.get_resource_or_init::<PlayerId>().0.clone();
            let speaker = world
                .get::<WorldId>(speaker)
                .map_or(player.clone(), |id| id.0.clone());
            submit(world, npc, Request::speech(&speaker, &player, &text));
        });
        self
    }

    fn interact(&mut self, request: Request) -> &mut Self {
        let npc = self.id();
        self.commands()
            .queue(move |world: &mut World| submit(world, npc, request));
        self
    }

    fn cancel_run(&mut self) -> &mut Self {
        let npc = self.id();
        self.commands()
            .queue(move |world: &mut World| cancel(world, npc));
        self
    }
}

/// Gives a character, named by id, a reason to respond.
///
/// Whatever is wrong with the id or the request is reported as [`RequestRefused`] in the next pass.
pub fn submit_request(world: &mut World, npc: &str, request: Request) {
    let found = check_id(npc).map_err(RequestError::from).and_then(|()| {
        world
            .get_resource::<WorldIndex>()
            .and_then(|index| index.get(npc))
            .filter(|entity| world.get::<LoadedCharacter>(*entity).is_some())
            .ok_or_else(|| RequestError::UnknownNpc(npc.to_owned()))
    });
    match found {
        Ok(entity) => submit(world, entity, request),
        Err(error) => refuse(world, Entity::PLACEHOLDER, npc, error),
    }
}

/// Ends the run in flight of a character.
pub(crate) fn cancel(world: &mut World, npc: Entity) {
    if let Some(run) = world.get::<Thinking>(npc).map(|thinking| thinking.run) {
        world.entity_mut(run).insert(CancelRun);
    }
}

fn submit(world: &mut World, npc: Entity, request: Request) {
    let name = world
        .get::<LoadedCharacter>(npc)
        .map(|persona| persona.0.id.clone())
        .unwrap_or_default();
    if let Err((name, error)) = enqueue(world, npc, request).map_err(|error| (name, error)) {
        refuse(world, npc, &name, error);
    }
}

fn enqueue(world: &mut World, npc: Entity, request: Request) -> Result<(), RequestError> {
    if world.get::<RequestQueue>(npc).is_none() {
        return Err(RequestError::UnknownNpc(npc.to_string()));
    }
    if world
        .get_resource::<DramatisClock>()
        .is_some_and(|clock| clock.game.0 < 0)
    {
        return Err(RequestError::BadTime);
    }
    let request = request.check()?;
    let policy = world
        .get_resource::<QueuePolicy>()
        .copied()
        .unwrap_or_default();
    let busy = world.get::<Thinking>(npc).is_some();
    let mut numbers = world.get_resource_or_init::<RequestNumbers>();
    let number = numbers.0;
    numbers.0 += 1;
    let mut displaced = Vec::new();
    if let Some(mut queue) = world.get_mut::<RequestQueue>(npc) {
        if policy.on_new == OnNewRequest::Replace {
            displaced.extend(queue.waiting.drain(..));
        } else if queue.waiting.len() >= policy.limit + usize::from(!busy) {
            // A request that will start in the next pass does not wait.
            match policy.when_full {
                WhenFull::Refuse => {
                    return Err(RequestError::QueueFull {
                        limit: policy.limit,
                    });
                }
                WhenFull::DropOldest => displaced.extend(queue.waiting.pop_front()),
            }
        }
        queue.waiting.push_back((number, request));
    }
    if policy.on_new == OnNewRequest::Replace {
        cancel(world, npc);
    }
    let name = world
        .get::<LoadedCharacter>(npc)
        .map(|p| p.0.id.clone())
        .unwrap_or_default();
    for _ in displaced {
        refuse(world, npc, &name, RequestError::Replaced);
    }
    world.get_resource_or_init::<ReadyNpcs>().0.insert(npc);
    Ok(())
}

pub(crate) fn refuse(world: &mut World, entity: Entity, npc: &str, error: RequestError) {
    log::debug!(
        "a request to \"{}\" was refused: {error}",
        npc.escape_debug()
    );
    world.get_resource_or_init::<DramatisCounters>().refused += 1;
    let refused = RequestRefused {
        entity,
        npc: npc.to_owned(),
        error,
    };
    world
        .get_resource_or_init::<Outbox>()
        .0
        .push(Outgoing::RequestRefused(refused));
}

/// Gives a new character its id, its place and its mind: the one that sleeps under its id, or its first one.
fn on_character_inserted(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    world.commands().queue(move |world: &mut World| {
        let Some(persona) = world
            .get::<LoadedCharacter>(entity)
            .map(|persona| persona.0.clone())
        else {
            return;
        };
        let other = world.get_resource_or_init::<WorldIndex>().get(&persona.id);
        if let Some(other) = other.filter(|other| *other != entity) {
            if world.get::<LoadedCharacter>(other).is_some() {
                log::error!(
                    "\"{}\" lives already as {other}: {entity} stays mute",
                    persona.id
                );
                world
                    .entity_mut(entity)
                    .remove::<(LoadedCharacter, RequestQueue)>();
                return;
            }
            take_over(world, other, entity);
        }
        let index = world.get_resource_or_init::<WorldIndex>();
        let place = persona.location.as_ref().and_then(|id| index.get(id));
        let mut names = world.get_resource_or_init::<KnownNames>();
        names.add(&persona.name);
        names.add(&persona.id);
        let place = place.filter(|place| world.get::<Location>(*place).is_some());
        if world.get::<Mind>(entity).is_none() {
            let asleep = world
                .get_resource_or_init::<DormantMinds>()
                .0
                .remove(&persona.id);
            let mind = asleep.unwrap_or_else(|| {
                let now = world
                    .get_resource::<DramatisClock>()
                    .map(|c| c.game)
                    .unwrap_or_default();
                let story = world.get_resource_or_init::<ActiveStory>().0.clone();
                persona.first_mind(now, &story.canon)
            });
            world.entity_mut(entity).insert(mind);
        }
        if world.get::<WorldId>(entity).is_none() {
            world.entity_mut(entity).insert(WorldId(persona.id.clone()));
        }
        if let Some(mut name) = world
            .get_mut::<DisplayName>(entity)
            .filter(|name| name.0.is_empty())
        {
            name.0.clone_from(&persona.name);
        }
        if let Some(mut kind) = world
            .get_mut::<Kind>(entity)
            .filter(|kind| kind.0.is_empty())
        {
            "character".clone_into(&mut kind.0);
        }
        give_awaited_items(world, &persona.id, entity);
        if let Some(place) = place.filter(|_| world.get::<PlacedIn>(entity).is_none()) {
            world.entity_mut(entity).insert(PlacedIn(place));
        }
        if world
            .get::<RequestQueue>(entity)
            .is_some_and(|queue| !queue.is_empty())
        {
            world.get_resource_or_init::<ReadyNpcs>().0.insert(entity);
        }
        log_character_change(world, CharacterChange::Entered(entity));
    });
}

/// A story may have described a character before it came on stage: the newcomer takes over what is known of it.
fn take_over(world: &mut World, described: Entity, entity: Entity) {
    let carried: Vec<Entity> = world
        .get::<Contents>(described)
        .map(|contents| contents.iter().collect())
        .unwrap_or_default();
    let place = world.get::<PlacedIn>(described).cloned();
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
    for thing in carried {
        world.entity_mut(thing).insert(PlacedIn(entity));
    }
}

/// A character that goes away leaves its mind behind, under its id.
fn store_dormant_mind(mut world: DeferredWorld, context: HookContext) {
    let Some(id) = world
        .get::<LoadedCharacter>(context.entity)
        .map(|p| p.0.id.clone())
    else {
        return;
    };
    let Some(mind) = world
        .get_mut::<Mind>(context.entity)
        .map(|mut mind| std::mem::take(&mut *mind))
    else {
        return;
    };
    let entity = context.entity;
    if let Some(mut log) = world.get_resource_mut::<CharacterLog>() {
        log.0.push(CharacterChange::Left(id.clone()));
    }
    if let Some(mut dormant) = world.get_resource_mut::<DormantMinds>() {
        dormant.0.insert(id, mind);
    }
    world.commands().queue(move |world: &mut World| {
        // Only the persona went: what is left behind is no mind.
        if let Ok(mut entity) = world.get_entity_mut(entity)
            && !entity.contains::<LoadedCharacter>()
        {
            entity.remove::<Mind>();
        }
    });
}

/// Requests that wait for a character that goes away are refused: nothing is lost in silence.
fn refuse_waiting(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let waiting = world
        .get_mut::<RequestQueue>(entity)
        .map_or(0, |mut queue| queue.waiting.drain(..).count());
    if waiting == 0 {
        return;
    }
    let npc = world
        .get::<LoadedCharacter>(entity)
        .map(|persona| persona.0.id.clone())
        .unwrap_or_default();
    world.commands().queue(move |world: &mut World| {
        for _ in 0..waiting {
            refuse(world, entity, &npc, RequestError::Despawned);
        }
    });
}
