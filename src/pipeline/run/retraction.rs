//! Taking back the last line of a character.

use crate::base::ids::Id;
use crate::gate::MemoryChange;
use crate::judged_world::change::take_back::ChangedParts;
use crate::memory::take_back::take_back;
use crate::memory::{Mind, MindPart, SavedMind};
use crate::npc::{LoadedCharacter, tell_forgotten};
use crate::pipeline::run::Run;
use crate::world::writer::write_parts;
use crate::world::{WorldIndex, WorldView};
use bevy::prelude::*;
use std::collections::{BTreeSet, VecDeque};
use thiserror::Error;

/// How many lines of a character can be taken back, one after the other.
pub const MAX_RETRACTABLE: usize = 8;

/// A command took something back: the last line of a character, a turn of an adventure, or the last act in it.
#[derive(Event, Debug, Clone, PartialEq, Eq, Reflect)]
pub struct Retraction {
    /// Whether it was a line, a turn or an act of a turn, and which.
    pub what: Retracted,
    /// The numbers of the runs that are taken back with it.
    pub runs: Vec<u64>,
    /// The ids that stay as they are, because someone else has changed them since; sorted.
    pub kept: Vec<String>,
}

/// What can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
pub enum Retracted {
    /// The last line of the character with this id.
    Line(Id),
    /// The turn of an adventure with this number.
    Turn(u64),
    /// The last act of a turn of an adventure.
    Act {
        /// The id of the character that acted.
        npc: Id,
        /// The number of the turn.
        turn: u64,
    },
}

/// Why nothing was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RetractError {
    /// No character in the game has this id.
    #[error("UnknownNpc: no character has the id \"{0}\"")]
    UnknownNpc(String),
    /// There is no line, or no turn, that could be taken back.
    #[error("NothingToRetract: there is nothing to take back")]
    Nothing,
    /// It is not the last turn, or there is no such alternative.
    #[error("NotThatTurn: {0}")]
    NotThatTurn(String),
}

/// The lines that were taken back in this game, oldest first, at most [`MAX_RETRACTIONS`].
#[derive(Resource, Debug, Clone, Default)]
pub struct Retractions(VecDeque<Retraction>);

/// The most retractions that are listed.
pub const MAX_RETRACTIONS: usize = 1_024;

impl Retractions {
    /// All of them, oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Retraction> {
        self.0.iter()
    }

    pub(crate) fn push(&mut self, retraction: Retraction) {
        self.0.push_back(retraction);
        while self.0.len() > MAX_RETRACTIONS {
            self.0.pop_front();
        }
    }
}

/// On a character: its last lines, each with what it changed.
#[derive(Component, Debug, Default)]
pub(crate) struct RetractableLines(VecDeque<LineUndo>);

#[derive(Debug)]
struct LineUndo {
    npc: Id,
    run: u64,
    before: SavedMind,
    after: SavedMind,
    world: ChangedParts,
}

/// What a run may change of a mind, as it is before.
pub(crate) struct MindBefore {
    part: MindPart,
    saved: SavedMind,
    /// How many episodes it had forgotten.
    forgotten: usize,
}

impl MindBefore {
    /// The state of the mind of this character; `None` when it has no mind.
    pub(crate) fn of<'c>(
        world: &World,
        npc: Entity,
        changes: impl Iterator<Item = &'c MemoryChange>,
    ) -> Option<Self> {
        let mind = world.get::<Mind>(npc)?;
        let (mut beliefs, mut relationships) = (BTreeSet::new(), BTreeSet::new());
        for change in changes {
            match change {
                MemoryChange::TransformBelief { target, .. } => {
                    beliefs.insert(target.clone());
                }
                MemoryChange::TransformRelationship { target, .. } => {
                    relationships.insert(target.clone());
                }
                MemoryChange::AppendEpisodic { .. } => {}
            }
        }
        let part = MindPart::to_change(mind, beliefs, relationships);
        let saved = SavedMind::of_part(mind, &part);
        Some(Self {
            part,
            saved,
            forgotten: mind.episodes.forgotten_count(),
        })
    }

    /// How the mind was before, with what has made room since.
    fn with_forgotten(self, now: &Mind) -> SavedMind {
        let forgotten = now.episodes.forgotten_since(self.forgotten);
        self.saved.with_forgotten(forgotten)
    }
}

/// Notes what a run has changed that spoke a line. `before` is the mind as it was.
pub(crate) fn note_line(world: &mut World, run: Entity, before: MindBefore, changed: ChangedParts) {
    let Some(run) = world.get::<Run>(run) else {
        return;
    };
    let (number, npc, id) = (run.number(), run.npc_entity(), run.npc().clone());
    let Some(now) = world.get::<Mind>(npc) else {
        return;
    };
    let after = SavedMind::of_part(now, &before.part);
    let before = before.with_forgotten(now);
    let changed = changed.changed(&WorldView::new(world));
    let line = LineUndo {
        npc: id,
        run: number,
        before,
        after,
        world: changed,
    };
    let mut npc = world.entity_mut(npc);
    // It stays where it is: coming and going moves all that a character has.
    let Some(mut lines) = npc.get_mut::<RetractableLines>() else {
        npc.insert(RetractableLines([line].into()));
        return;
    };
    lines.0.push_back(line);
    while lines.0.len() > MAX_RETRACTABLE {
        lines.0.pop_front();
    }
}

/// The number of the run of the last line of a character that can be taken back.
pub(crate) fn last_line(world: &World, npc: Entity) -> Option<u64> {
    let lines = world.get::<RetractableLines>(npc)?;
    let id = LoadedCharacter::id_of(world, npc)?;
    let last = lines.0.back().filter(|line| line.npc == id);
    last.map(|line| line.run)
}

/// Takes back the last line of a character: its mind, and what its actions changed, are as before, except for what other changes
/// have touched since. The run stays on record. A line can be taken back as long as it is one of the last 8.
///
/// # Errors [`RetractError`] when there is no such character, or nothing to take back.
pub fn retract_line(world: &mut World, npc: &str) -> std::result::Result<Retraction, RetractError> {
    let unknown = || RetractError::UnknownNpc(npc.to_owned());
    let entity = WorldIndex::find(world, npc).ok_or_else(unknown)?;
    let id = LoadedCharacter::id_of(world, entity).ok_or_else(unknown)?;
    let lines = world.get_mut::<RetractableLines>(entity);
    // The entity may have been another character.
    let line = lines.and_then(|mut lines| lines.0.pop_back_if(|line| line.npc == id));
    let line = line.ok_or(RetractError::Nothing)?;
    let (parts, mut kept) = line.world.take_back(&WorldView::new(world));
    write_parts(world, &parts);
    if let Some(now) = world.get::<Mind>(entity) {
        let (mind, more) = take_back(&SavedMind::from(now), &line.before, &line.after);
        kept.extend(more);
        let mut mind = mind.restore(&id);
        let before = now.episodes.forgotten_count();
        mind.episodes.take_back_from(&now.episodes);
        let forgotten = mind.episodes.forgotten_since(before).cloned().collect();
        world.entity_mut(entity).insert(mind);
        tell_forgotten(world, Some(entity), &id, forgotten);
    }
    kept.sort();
    kept.dedup();
    let retraction = Retraction {
        what: Retracted::Line(id),
        runs: vec![line.run],
        kept,
    };
    world
        .get_resource_or_init::<Retractions>()
        .push(retraction.clone());
    Ok(retraction)
}
