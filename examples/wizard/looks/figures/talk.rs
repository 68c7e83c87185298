//! A figure that talks moves as one.

use super::Figure;
use crate::gossip::Says;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// How long a figure moves as a speaker does, in seconds for each character of the line.
const TALK: f32 = 0.055;

/// Adds how they talk.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(
        |spoke: On<SpokeSentence>, mut figures: Query<&mut Figure>| {
            if let Ok(mut figure) = figures.get_mut(spoke.entity) {
                figure.talk(&spoke.sentence);
            }
        },
    )
    .add_observer(|spoke: On<Spoke>, mut figures: Query<&mut Figure>| {
        // A character that was heard by sentences talks already.
        if let Ok(mut figure) = figures.get_mut(spoke.entity)
            && figure.talking <= 0.0
        {
            figure.talk(&spoke.line);
        }
    })
    .add_observer(|says: On<Says>, mut figures: Query<&mut Figure>| {
        if let Ok(mut figure) = figures.get_mut(says.who) {
            figure.talk(&says.line);
        }
    });
}

impl Figure {
    /// Moves as one who says this.
    fn talk(&mut self, line: &str) {
        if !line.is_empty() {
            self.talking = line.chars().count() as f32 * TALK + 0.5;
        }
    }
}
