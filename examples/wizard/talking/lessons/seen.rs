//! What the player has done and seen by now.

use crate::cast::PLAYER;
use crate::door::Door;
use crate::game::TOWER;
use crate::looks::Steered;
use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorSettings;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;

/// Adds the observers.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Seen>()
        .add_observer(|taken: On<Applied<Take>>, mut seen: ResMut<Seen>| {
            seen.took |= taken.actor == PLAYER;
        })
        .add_observer(|given: On<Applied<Give>>, mut seen: ResMut<Seen>| {
            seen.took |= given.action.to == PLAYER;
        })
        .add_observer(
            |started: On<RunStarted>, runs: Query<&InteractionContext>, mut seen: ResMut<Seen>| {
                let run = runs.get(started.run).ok();
                let speaker = run.and_then(|run| run.speaker.as_deref());
                seen.said |= speaker == Some(PLAYER);
            },
        )
        .add_observer(|_: On<PlanQuestion>, mut seen: ResMut<Seen>| seen.planned = true);
}

/// What the player has done and seen by now.
#[derive(Resource, Default)]
pub(super) struct Seen {
    last: Option<Vec3>,
    /// How far, in metres.
    pub(super) walked: f32,
    pub(super) said: bool,
    pub(super) door_is_open: bool,
    pub(super) inside: bool,
    pub(super) took: bool,
    pub(super) planned: bool,
    pub(super) inspected: bool,
}

pub(super) fn watch(
    mut seen: ResMut<Seen>,
    player: Single<(&Transform, &PlacedIn), With<Steered>>,
    doors: Query<&Door>,
    ids: Res<WorldIndex>,
    inspector: Res<InspectorSettings>,
) {
    let (at, placed) = *player;
    let last = seen.last.replace(at.translation).unwrap_or(at.translation);
    seen.walked += last.distance(at.translation);
    seen.door_is_open |= doors.iter().any(|door| door.open);
    seen.inside |= ids.get(TOWER) == Some(placed.0);
    seen.inspected |= inspector.open;
}
