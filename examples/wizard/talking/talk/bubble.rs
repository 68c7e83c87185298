//! The words over a head: they come, stay for a while, and go.

use super::Talk;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;

/// How long a bubble stays once its words are there, in seconds.
const BUBBLE: f32 = 9.0;
/// How many characters of a bubble come in a second.
const PACE: f32 = 55.0;

/// Adds how they come and go.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, grow)
        .add_observer(|_: On<GameLoaded>, mut talk: ResMut<Talk>| talk.bubbles.clear());
}

/// The words over a head.
pub struct Bubble {
    pub words: String,
    /// How long they have been there, in seconds.
    pub age: f32,
}

impl Bubble {
    /// As many of the words as have come by now.
    pub fn shown(&self) -> &str {
        let come = (self.age * PACE) as usize;
        let end = self.words.char_indices().nth(come).map(|(at, _)| at);
        &self.words[..end.unwrap_or(self.words.len())]
    }

    fn lasts(&self) -> f32 {
        self.words.chars().count() as f32 / PACE + BUBBLE
    }

    /// From 1 to 0 in its last second.
    pub fn strength(&self) -> f32 {
        (self.lasts() - self.age).clamp(0.0, 1.0)
    }
}

/// Bubbles grow, and go.
fn grow(mut talk: ResMut<Talk>, time: Res<Time>) {
    talk.bubbles.retain(|_, bubble| {
        bubble.age += time.delta_secs();
        bubble.age < bubble.lasts()
    });
}
