//! Scene markers: boundaries of the scene, which the game sets (contract row T9).

use super::states::Personas;
use super::stream::Stream;
use crate::base::canonical::canonical_json;
use crate::base::clock::{DramatisClock, GameTimeOffset};
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::npc::PlayerId;
use crate::story::ensure_location;
use crate::world::{ChangeError, GameWrite, Placement};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A boundary of the scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneMarker {
    /// The persona goes to another place, and the roster follows.
    LocationChange {
        /// The id of the place that it leaves.
        from: Id,
        /// The id of the place that it comes to.
        to: Id,
    },
    /// Game time leaps on; call time does not.
    TimeSkip(Millis),
    /// A scene begins.
    SceneOpen,
    /// A scene ends.
    SceneClose,
}

impl SceneMarker {
    /// The content of its message, as JSON.
    #[must_use]
    pub fn content(&self) -> String {
        canonical_json(&match self {
            Self::LocationChange { from, to } => {
                json!({"subtype": "location_change", "from": from, "to": to})
            }
            Self::TimeSkip(span) => json!({"subtype": "time_skip", "duration": seconds(*span)}),
            Self::SceneOpen => json!({"subtype": "scene_open"}),
            Self::SceneClose => json!({"subtype": "scene_close"}),
        })
    }
}

/// Seconds as a whole number, or as a text with thousandths.
fn seconds(span: Millis) -> Value {
    match span.0 % 1_000 {
        0 => json!(span.0 / 1_000),
        rest => json!(format!("{}.{rest:03}", span.0 / 1_000)),
    }
}

/// Markers that stand before the next turn.
#[derive(Resource, Debug, Clone, Default)]
pub struct PendingMarkers(pub(super) Vec<SceneMarker>);

/// Sets a marker: what it says happens at once, and its message is the first of the next turn. `persona` is who goes to
/// another place.
///
/// # Errors
/// [`ChangeError`] when the persona cannot be moved. No marker is set then.
pub fn set_marker(
    world: &mut World,
    persona: &Id,
    marker: SceneMarker,
) -> std::result::Result<(), ChangeError> {
    match &marker {
        SceneMarker::LocationChange { to, .. } => {
            ensure_location(world, to);
            GameWrite::place(persona.clone(), Placement::In(to.clone())).apply(world)?;
        }
        SceneMarker::TimeSkip(span) => {
            let mut clock = world.get_resource_or_init::<DramatisClock>();
            clock.game = clock.game.after(*span);
            let mut offset = world.get_resource_or_init::<GameTimeOffset>();
            offset.0 = offset.0.plus(*span);
        }
        SceneMarker::SceneOpen | SceneMarker::SceneClose => {}
    }
    world
        .get_resource_or_init::<PendingMarkers>()
        .0
        .push(marker);
    Ok(())
}

/// The persona that plays now: that of the last turn, else the player, else the first one.
#[must_use]
pub fn current_persona(world: &World) -> Id {
    let personas = world.get_resource::<Personas>();
    let stream = world.get_resource::<Stream>();
    let last = stream.and_then(|stream| {
        let mut tail = stream.tail().iter().rev();
        tail.find_map(|message| {
            let owner = message.owner.actor()?;
            personas?.0.contains_key(owner).then(|| owner.clone())
        })
    });
    let player = || {
        world
            .get_resource::<PlayerId>()
            .cloned()
            .unwrap_or_default()
            .0
    };
    last.unwrap_or_else(|| {
        let personas = personas.map(|personas| &personas.0);
        match personas.and_then(|personas| personas.keys().next()) {
            Some(first) if !personas.is_some_and(|all| all.contains_key(&player())) => {
                first.clone()
            }
            _ => player(),
        }
    })
}
