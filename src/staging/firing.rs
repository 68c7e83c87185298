//! Triggers that fire by themselves: a story says when a character should respond, and a writer needs no Rust for it.

use crate::authoring::StoryBook;
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::commit::applied::DoneActions;
use crate::memory::Mind;
use crate::npc::submit::submit_request;
use crate::npc::{LoadedCharacter, PlayerId, Request};
use crate::rules::firing::{Firing, Occasion};
use crate::rules::{Interaction, holds};
use crate::story::ActiveStory;
use crate::world::refresh::refresh;
use crate::world::{Intent, WorldIndex, WorldRead, WorldValue, WorldView};
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether the triggers of the story fire by themselves; they do unless the game says otherwise.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
pub struct AuthoredTriggers(pub bool);

impl Default for AuthoredTriggers {
    fn default() -> Self {
        Self(true)
    }
}

/// How what a trigger waits for was when it was last looked at.
#[derive(Debug, Clone, PartialEq)]
enum Seen {
    People(BTreeSet<Id>),
    Value(Option<WorldValue>),
    Flag(bool),
    Nothing,
}

/// What the triggers wait for, and when each has fired.
#[derive(Resource, Debug, Default)]
pub(crate) struct FiringWatch {
    story: Option<Arc<StoryBook>>,
    seen: Vec<Seen>,
    time: GameTime,
    /// When each trigger fired last.
    pub(crate) fired: BTreeMap<Id, GameTime>,
}

impl FiringWatch {
    /// Another game is played: what is there now is no change.
    pub(crate) fn look_anew(&mut self) {
        self.story = None;
    }
}

/// A run condition: a trigger of the story can fire by itself.
pub(crate) fn has_firings(story: Option<Res<ActiveStory>>) -> bool {
    story.is_some_and(|story| !story.0.firings.is_empty())
}

/// The system that lets triggers fire.
pub(crate) fn fire_triggers(world: &mut World) {
    let story = world.resource::<ActiveStory>().0.clone();
    let done = std::mem::take(&mut world.get_resource_or_init::<DoneActions>().0);
    let on = world.get_resource_or_init::<AuthoredTriggers>().0;
    if story.firings.is_empty() || !on {
        return;
    }
    let now = world.resource::<DramatisClock>().game;
    let seen = look_around(world, &story);
    let mut watch = world.get_resource_or_init::<FiringWatch>();
    let same = watch
        .story
        .as_ref()
        .is_some_and(|known| Arc::ptr_eq(known, &story));
    let before = std::mem::replace(&mut watch.seen, seen.clone());
    let last = std::mem::replace(&mut watch.time, now);
    watch.story = Some(story.clone());
    if !same {
        return;
    }
    for (i, firing) in story.firings.iter().enumerate() {
        let occasions = match &firing.on {
            Occasion::Time { .. } if last < firing.at && firing.at <= now => vec![None],
            Occasion::Time { .. } => Vec::new(),
            _ => occasions(firing, &before[i], &seen[i], &done),
        };
        for actor in occasions {
            fire(world, firing, actor.as_ref(), now);
        }
    }
}

/// Whether something has happened that triggers have not looked at yet: one may fire in the next frame.
pub(crate) fn are_due(world: &mut World) -> bool {
    let story = world.get_resource_or_init::<ActiveStory>().0.clone();
    let on = world.get_resource_or_init::<AuthoredTriggers>().0;
    if story.firings.is_empty() || !on {
        return false;
    }
    let done = world.get_resource_or_init::<DoneActions>();
    let waits_for = |firing: &Firing| matches!(firing.on, Occasion::Done { .. });
    if !done.0.is_empty() && story.firings.iter().any(waits_for) {
        return true;
    }
    let seen = look_around(world, &story);
    let watch = world.get_resource_or_init::<FiringWatch>();
    let known = watch.story.as_ref();
    known.is_some_and(|known| Arc::ptr_eq(known, &story)) && watch.seen != seen
}

/// How everything that the triggers of a story wait for is now.
fn look_around(world: &mut World, story: &StoryBook) -> Vec<Seen> {
    refresh(world);
    let firings = story.firings.iter();
    firings.map(|firing| look(world, firing)).collect()
}

/// How what a trigger waits for is now.
fn look(world: &World, firing: &Firing) -> Seen {
    let view = WorldView::new(world);
    match &firing.on {
        Occasion::Entered { place, .. } | Occasion::Left { place, .. } => {
            let here = view.contents(place).into_iter();
            Seen::People(here.filter(|id| is_somebody(world, id)).collect())
        }
        Occasion::Attribute { entity, name, .. } => Seen::Value(view.attribute(entity, name)),
        Occasion::Fact { key, .. } => Seen::Value(view.fact(key)),
        Occasion::Flag { name, .. } => Seen::Flag(view.flag(name)),
        Occasion::Time { .. } | Occasion::Done { .. } => Seen::Nothing,
    }
}

/// A character, or the player.
fn is_somebody(world: &World, id: &Id) -> bool {
    let player = world.get_resource::<PlayerId>();
    player.is_some_and(|player| player.0 == *id)
        || WorldView::new(world).is_kind(id, "character")
        || character(world, id).is_some()
}

fn character(world: &World, id: &Id) -> Option<Entity> {
    let entity = WorldIndex::find(world, id)?;
    world
        .get::<LoadedCharacter>(entity)
        .is_some()
        .then_some(entity)
}

/// The occasions since then, each with its actor, where an actor caused it.
fn occasions(firing: &Firing, before: &Seen, now: &Seen, done: &[Intent]) -> Vec<Option<Id>> {
    let meant = |wanted: &Option<String>, id: &str| wanted.as_deref().is_none_or(|it| it == id);
    match (&firing.on, before, now) {
        (Occasion::Entered { actor, .. }, Seen::People(before), Seen::People(now)) => now
            .difference(before)
            .filter(|id| meant(actor, id))
            .map(|id| Some(id.clone()))
            .collect(),
        (Occasion::Left { actor, .. }, Seen::People(before), Seen::People(now)) => before
            .difference(now)
            .filter(|id| meant(actor, id))
            .map(|id| Some(id.clone()))
            .collect(),
        (
            Occasion::Attribute { becomes, .. } | Occasion::Fact { becomes, .. },
            Seen::Value(before),
            Seen::Value(now),
        ) if before != now && (becomes.is_none() || becomes == now) => vec![None],
        (Occasion::Flag { becomes, .. }, Seen::Flag(before), Seen::Flag(now))
            if before != now && becomes.is_none_or(|wanted| wanted == *now) =>
        {
            vec![None]
        }
        (
            Occasion::Done {
                action,
                actor,
                target,
            },
            ..,
        ) => done
            .iter()
            .filter(|intent| {
                intent.kind() == action
                    && meant(actor, intent.actor())
                    && (target.is_none() || target.as_deref() == intent.target())
            })
            .map(|intent| Some(intent.actor().clone()))
            .collect(),
        _ => Vec::new(),
    }
}

/// Lets a trigger fire, if it may again: each character for which its condition holds is asked.
fn fire(world: &mut World, firing: &Firing, actor: Option<&Id>, now: GameTime) {
    let watch = world.get_resource_or_init::<FiringWatch>();
    let waits = watch
        .fired
        .get(&firing.trigger)
        .is_some_and(|last| firing.once || now.since(*last) < firing.cooldown);
    if waits {
        return;
    }
    let npcs = match (&firing.on, firing.npcs.is_empty()) {
        (Occasion::Entered { place, .. } | Occasion::Left { place, .. }, true) => {
            WorldView::new(world).contents(place)
        }
        _ => firing.npcs.clone(),
    };
    let reason = firing.on.reason();
    let tags: Vec<String> = actor.map(Id::to_string).into_iter().collect();
    let responds = |world: &World, npc: &Id| {
        let Some(entity) = character(world, npc).filter(|_| Some(npc) != actor) else {
            return false;
        };
        let interaction = Interaction {
            reason,
            npc,
            trigger_id: Some(&firing.trigger),
            scene: None,
            tags: &tags,
            interaction_count: world
                .get::<Mind>(entity)
                .map_or(0, |mind| mind.interactions),
        };
        holds(&firing.when, &interaction, &WorldView::new(world))
    };
    let npcs: Vec<Id> = npcs
        .into_iter()
        .filter(|npc| responds(world, npc))
        .collect();
    if npcs.is_empty() {
        return;
    }
    world
        .get_resource_or_init::<FiringWatch>()
        .fired
        .insert(firing.trigger.clone(), now);
    for npc in npcs {
        let request = Request {
            trigger_id: Some(firing.trigger.to_string()),
            prompt: firing.prompt.clone(),
            tags: tags.clone(),
            ..Request::new(reason)
        };
        submit_request(world, &npc, request);
    }
}
