//! How fast a figure walks.

use super::Figure;
use bevy::prelude::*;

pub(super) fn measure_pace(mut figures: Query<(&mut Figure, &Transform)>, time: Res<Time>) {
    let dt = time.delta_secs().max(0.001);
    for (mut figure, transform) in &mut figures {
        let here = transform.translation;
        let way = here.distance(figure.last.unwrap_or(here));
        let pace = (way / dt / 2.4).min(1.0);
        figure.pace = figure.pace.lerp(pace, (8.0 * dt).min(1.0));
        figure.walked += way;
        figure.talking = (figure.talking - dt).max(0.0);
        figure.last = Some(here);
    }
}
