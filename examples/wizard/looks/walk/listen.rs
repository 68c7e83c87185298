//! To whom the player talks.

use super::Steered;
use crate::cast::{GARDENER, WIZARD};
use crate::game::Listener;
use crate::looks::figures::Figure;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// The largest distance at which the player can talk to a character, in metres.
const EARSHOT: f32 = 3.5;

/// The player talks to the nearest character, else to the wizard: from outside through the door.
pub(super) fn listen(
    player: Single<&Transform, With<Steered>>,
    others: Query<(&WorldId, &Transform), (With<Figure>, Without<Steered>)>,
    mut listener: ResMut<Listener>,
) {
    let far = |at: &Transform| at.translation.distance(player.translation);
    let near = others.iter().filter(|(_, at)| far(at) < EARSHOT);
    let nearest = near.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)));
    let is_gardener = nearest.is_some_and(|(id, _)| id.0 == GARDENER);
    let whom = if is_gardener { GARDENER } else { WIZARD };
    if listener.0 != whom {
        listener.0 = whom;
    }
}
