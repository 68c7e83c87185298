//! The characters whose prompts are to be read ahead.

use bevy::prelude::*;
use std::collections::VecDeque;

/// The most characters that wait to be warmed; further ones are forgotten.
const MAX_WAITING: usize = 64;

/// The characters that wait to be warmed, in the order in which the game asked for them.
#[derive(Resource, Debug, Default)]
pub(crate) struct ToWarm(VecDeque<Entity>);

impl ToWarm {
    /// This character is to be warmed.
    pub fn ask(&mut self, npc: Entity) {
        if self.0.len() < MAX_WAITING && !self.0.contains(&npc) {
            self.0.push_back(npc);
        }
    }

    /// Takes the character that the game asked for first; `None` when none waits.
    pub fn take(&mut self) -> Option<Entity> {
        self.0.pop_front()
    }

    /// Whether no character waits to be warmed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
