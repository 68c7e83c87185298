//! Turns that were committed, with what each changed.

use super::markers::SceneMarker;
use super::player_turn::PlayerTurn;
use super::states::StateEntry;
use crate::base::ids::Id;
use crate::judged_world::change::take_back::ChangedParts;
use crate::story::lore::LoreEntry;
use bevy::prelude::Resource;
use std::collections::VecDeque;

/// How many turns can be taken back or picked.
pub const MAX_PLAYED: usize = 32;

/// A turn that was committed.
#[derive(Debug, Clone)]
pub(super) struct PlayedTurn {
    pub turn_id: u64,
    /// The turn that this one is another version of: itself, unless it was done again.
    pub root: u64,
    pub asked: PlayerTurn,
    /// Its acts: that of the persona, then those of the characters.
    pub acts: Vec<PlayedAct>,
    /// How many of them count: the last ones may have been taken back.
    pub live_acts: usize,
    pub markers: Vec<SceneMarker>,
    pub live: bool,
}

impl PlayedTurn {
    /// Whether none of its acts was taken back.
    pub(super) fn is_whole(&self) -> bool {
        self.live_acts == self.acts.len()
    }
}

/// What one actor did in a turn, with all that it changed.
#[derive(Debug, Clone)]
pub(super) struct PlayedAct {
    pub actor: Id,
    /// The number in the turn of its first message.
    pub first_seq: u32,
    pub runs: Vec<u64>,
    pub world: ChangedParts,
    /// States before and after, by whose they are.
    pub states: Vec<(Id, Vec<StateEntry>, Vec<StateEntry>)>,
    /// Entries of lore before and after, by key.
    pub lore: Vec<(String, Option<LoreEntry>, Option<LoreEntry>)>,
}

/// The last turns, oldest first.
#[derive(Resource, Debug, Default)]
pub(crate) struct PlayedTurns(pub(super) VecDeque<PlayedTurn>);

impl PlayedTurns {
    pub(super) fn push(&mut self, turn: PlayedTurn) {
        self.0.push_back(turn);
        while self.0.len() > MAX_PLAYED {
            self.0.pop_front();
        }
    }

    pub(super) fn last_live(&self) -> Option<usize> {
        self.0.iter().rposition(|turn| turn.live)
    }

    /// The last act of a character in the last turn that counts, with the place of that turn. The persona's act is none.
    pub(super) fn last_act(&self) -> Option<(usize, &PlayedAct)> {
        let at = self.last_live()?;
        let turn = self.0.get(at)?;
        let last = turn.live_acts.checked_sub(1).filter(|last| *last > 0)?;
        Some((at, turn.acts.get(last)?))
    }

    /// The places of all versions of a turn, in the order in which they were played.
    pub(super) fn versions(&self, turn_id: u64) -> Vec<usize> {
        let turns = self.0.iter().enumerate();
        let root = self
            .0
            .iter()
            .find(|turn| turn.turn_id == turn_id)
            .map(|turn| turn.root);
        let same = turns.filter(|(_, turn)| Some(turn.root) == root);
        same.map(|(at, _)| at).collect()
    }

    /// How often a turn was played, in all its versions; 1 for one that is not known any more.
    pub(crate) fn alternatives(&self, turn_id: u64) -> usize {
        self.versions(turn_id).len().max(1)
    }
}
