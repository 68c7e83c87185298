//! How far a character is in its day.

use super::meet::{Company, Meetings};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::npc::LoadedCharacter;
use crate::world::ReasonCode;
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// How many denied steps are kept of a character.
pub(super) const MAX_BLOCKED: usize = 100;

/// When the days were looked at last.
#[derive(Resource, Debug, Default)]
pub(crate) struct Town {
    pub last: Option<GameTime>,
    /// When flags, facts and groups were changed last, which conditions ask for.
    pub conditions: Option<[Tick; 3]>,
}

impl Town {
    /// Days begin at this time, if they have not begun.
    pub(super) fn begin(&mut self, now: GameTime) {
        self.last.get_or_insert(now);
    }

    /// Everything until now has happened.
    pub(super) fn from(now: GameTime) -> Self {
        Self {
            last: Some(now),
            conditions: None,
        }
    }
}

/// How far a character is in its day. Each character with a routine has it.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Life {
    /// The entry of its routine that holds, by its number.
    pub entry: Option<usize>,
    /// Whether the character was where the entry wants it to be while it held.
    pub was_there: bool,
    /// When it takes its next step, or tries it again. `None`: it is not on its way.
    pub due: Option<GameTime>,
    /// Until when its last talk holds it.
    pub held_until: GameTime,
    /// The denied steps of the entry, by where they lead.
    pub tried: Vec<Id>,
    /// Denied steps, the last ones.
    pub blocked: VecDeque<Blocked>,
    /// When something happens to it next by itself.
    #[serde(skip)]
    pub next: GameTime,
    /// What held it when it was looked at last: a location or a carrier, if any. `None`: it was not looked at.
    #[serde(skip)]
    pub seen: Option<Option<Entity>>,
    /// When its mind was changed last before that: conditions ask for it.
    #[serde(skip)]
    pub mind: Option<Tick>,
}

/// A step that a character could not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Blocked {
    /// The id of the location where it leads; where there is no way, the place of the entry.
    pub to: Id,
    /// What the rulebook said, or that there is no way.
    pub reason: ReasonCode,
    /// When it was denied first.
    pub at: GameTime,
}

/// How far all characters are, as a save holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedLives {
    /// The game time at which this was true. At another time it says nothing.
    at: GameTime,
    lives: BTreeMap<Id, Life>,
    /// Since when each character is undisturbed where it is. Left out where no news travels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    undisturbed: BTreeMap<Id, GameTime>,
}

impl SavedLives {
    /// How far all characters are; `None` where none has a routine.
    pub(crate) fn of(world: &mut World) -> Option<Self> {
        let at = world.resource::<DramatisClock>().game;
        let mut living = world.query::<(&LoadedCharacter, &Life)>();
        let lives = living.iter(world);
        let lives: BTreeMap<Id, Life> = lives
            .map(|(npc, life)| {
                let life = Life {
                    next: GameTime::default(),
                    seen: None,
                    mind: None,
                    ..life.clone()
                };
                (npc.0.id.clone(), life)
            })
            .collect();
        let mut companions = world.query::<(&LoadedCharacter, &Company)>();
        let undisturbed = companions.iter(world);
        let undisturbed: BTreeMap<Id, GameTime> = undisturbed
            .map(|(npc, company)| (npc.0.id.clone(), company.since))
            .collect();
        (!lives.is_empty() || !undisturbed.is_empty()).then_some(Self {
            at,
            lives,
            undisturbed,
        })
    }
}

/// Puts the lives of a save in the place of those that there are. A character of which the save says nothing begins its day again.
pub(crate) fn restore_lives(world: &mut World, saved: Option<&SavedLives>) {
    let now = world.resource::<DramatisClock>().game;
    let mut living = world.query::<(Entity, &LoadedCharacter, Has<Life>)>();
    let characters: Vec<(Entity, Id, bool)> = living
        .iter(world)
        .map(|(entity, npc, has_life)| (entity, npc.0.id.clone(), has_life))
        .collect();
    let saved = saved.filter(|saved| saved.at == now);
    world.insert_resource(Town::from(now));
    // What was planned belongs to the game before: all look around again.
    world.insert_resource(Meetings::default());
    for (entity, id, has_life) in characters {
        let since = saved.and_then(|saved| saved.undisturbed.get(&id)).copied();
        match since {
            Some(since) => world.entity_mut(entity).insert(Company::since(since)),
            None => world.entity_mut(entity).remove::<Company>(),
        };
        if !has_life {
            continue;
        }
        let life = saved.and_then(|saved| saved.lives.get(&id));
        let mut life = life.cloned().unwrap_or_default();
        life.next = now;
        world.entity_mut(entity).insert(life);
    }
}

/// A character that comes with a routine begins its day, and so does one that gets another file.
pub(crate) fn begin_day(inserted: On<Insert, LoadedCharacter>, mut commands: Commands) {
    let npc = inserted.entity;
    commands.queue(move |world: &mut World| {
        let Some(LoadedCharacter(character)) = world.get::<LoadedCharacter>(npc) else {
            return;
        };
        let has_routine = !character.routine.is_empty();
        let clock = world.get_resource::<DramatisClock>();
        let now = clock.map(|clock| clock.game).unwrap_or_default();
        world.get_resource_or_init::<Town>().begin(now);
        let Ok(mut entity) = world.get_entity_mut(npc) else {
            return;
        };
        let before = entity.take::<Life>();
        if has_routine {
            entity.insert(Life {
                blocked: before.map(|life| life.blocked).unwrap_or_default(),
                next: now,
                ..Life::default()
            });
        }
    });
}

/// A character that has left has no day.
pub(crate) fn end_day(removed: On<Remove, LoadedCharacter>, mut commands: Commands) {
    commands.entity(removed.entity).try_remove::<Life>();
}
