//! Scene markers: boundaries of the scene, which the game sets.

use super::states::Personas;
use super::stream::Stream;
use crate::base::canonical::canonical_json;
use crate::base::clock::{DramatisClock, GameTimeOffset};
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::npc::PlayerId;
use crate::world::{ChangeError, GameWrite, Placement, WorldRead, WorldView};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;

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
            // A canonical number is whole: this one is written by hand.
            Self::TimeSkip(span) => {
                return format!(
                    "{{\"duration\":{},\"subtype\":\"time_skip\"}}",
                    seconds(*span)
                );
            }
            Self::SceneOpen => json!({"subtype": "scene_open"}),
            Self::SceneClose => json!({"subtype": "scene_close"}),
        })
    }
}

/// Seconds as a number of JSON, exact to the thousandth.
fn seconds(span: Millis) -> String {
    let (sign, span) = match span.0 < 0 {
        true => ("-", span.0.unsigned_abs()),
        false => ("", span.0.unsigned_abs()),
    };
    let whole = span / 1_000;
    match span % 1_000 {
        0 => format!("{sign}{whole}"),
        rest => {
            let rest = format!("{rest:03}");
            format!("{sign}{whole}.{}", rest.trim_end_matches('0'))
        }
    }
}

/// Why a marker was not set. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// Game time cannot go back.
    #[error("BadTime: a skip of {} s goes back in time: skip 0 s or more", seconds(*.0))]
    Backwards(Millis),
    /// The persona is not where the marker says that it is.
    #[error("NotThere: \"{persona}\" is not in \"{from}\": name the place where it is")]
    NotThere {
        /// The id of the persona.
        persona: Id,
        /// The id of the place that the marker names.
        from: Id,
    },
    /// The marker leads to the place where the persona is already.
    #[error("SamePlace: the change leads from \"{0}\" to the same place: name another one")]
    SamePlace(Id),
    /// No location has this id.
    #[error("UnknownPlace: no location has the id \"{0}\": describe it in the world first")]
    UnknownPlace(Id),
    /// The persona cannot be moved.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

/// The content of the marker of a turn in which no character acted, as JSON.
pub(super) fn quiet_marker() -> String {
    canonical_json(&json!({"subtype": "quiet"}))
}

/// Markers that come before the next turn.
#[derive(Resource, Debug, Clone, Default)]
pub struct PendingMarkers(pub(super) Vec<SceneMarker>);

/// Sets a marker: what it says happens at once, and its message is the first of the next turn. `persona` is who goes to
/// another place.
///
/// # Errors
/// [`MarkerError`] when time would go back, when the persona is not where the marker says, when it would go where it already is
/// or to a place that does not exist, and when it cannot be moved. Then no marker is set.
pub fn set_marker(
    world: &mut World,
    persona: &Id,
    marker: SceneMarker,
) -> std::result::Result<(), MarkerError> {
    set_marker_after(world, persona, marker, Millis(0))
}

/// Lets game time pass that a marker skips.
pub(crate) fn skip_time(world: &mut World, span: Millis) {
    let mut clock = world.get_resource_or_init::<DramatisClock>();
    clock.game = clock.game.after(span);
    let mut offset = world.get_resource_or_init::<GameTimeOffset>();
    offset.0 = offset.0.plus(span);
}

/// Sets a marker. The last argument says how much of the time that it skips has passed already.
///
/// # Errors
/// As [`set_marker`].
pub(crate) fn set_marker_after(
    world: &mut World,
    persona: &Id,
    marker: SceneMarker,
    skipped: Millis,
) -> std::result::Result<(), MarkerError> {
    match &marker {
        SceneMarker::LocationChange { from, to } => {
            check_change(&WorldView::new(world), persona, from, to)?;
            GameWrite::place(persona.clone(), Placement::In(to.clone())).apply(world)?;
        }
        SceneMarker::TimeSkip(span) if span.0 < 0 => return Err(MarkerError::Backwards(*span)),
        SceneMarker::TimeSkip(span) => {
            skip_time(world, Millis(span.0 - skipped.0));
        }
        SceneMarker::SceneOpen | SceneMarker::SceneClose => {}
    }
    world
        .get_resource_or_init::<PendingMarkers>()
        .0
        .push(marker);
    Ok(())
}

/// Whether a persona can go from one place to another as a marker says.
fn check_change(
    world: &dyn WorldRead,
    persona: &Id,
    from: &Id,
    to: &Id,
) -> std::result::Result<(), MarkerError> {
    if from == to {
        return Err(MarkerError::SamePlace(to.clone()));
    }
    if world.location(to).is_none() {
        return Err(MarkerError::UnknownPlace(to.clone()));
    }
    // The write itself refuses a persona without an entity.
    match world.entity(persona).is_some() && world.place_of(persona).as_ref() != Some(from) {
        true => Err(MarkerError::NotThere {
            persona: persona.clone(),
            from: from.clone(),
        }),
        false => Ok(()),
    }
}

/// The markers before a turn of this persona: those that wait, and a change of place for each time that it has come to another
/// place without one, by its own act or by the game. `then` is where it wanted something last.
pub(super) fn markers_of_turn(
    pending: &[SceneMarker],
    then: Option<&Id>,
    now: Option<&Id>,
) -> Vec<SceneMarker> {
    let mut markers = Vec::new();
    let mut at = then;
    let gone = |at: Option<&Id>, to: Option<&Id>| match (at, to) {
        (Some(from), Some(to)) if from != to => Some(SceneMarker::LocationChange {
            from: from.clone(),
            to: to.clone(),
        }),
        _ => None,
    };
    for marker in pending {
        if let SceneMarker::LocationChange { from, to } = marker {
            markers.extend(gone(at, Some(from)));
            at = Some(to);
        }
        markers.push(marker.clone());
    }
    markers.extend(gone(at, now));
    markers
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    #[test]
    fn t9_a_span_is_a_number_of_seconds() {
        let written = |span| SceneMarker::TimeSkip(Millis(span)).content();
        assert_eq!(written(2_000), r#"{"duration":2,"subtype":"time_skip"}"#);
        assert_eq!(written(1_500), r#"{"duration":1.5,"subtype":"time_skip"}"#);
        assert_eq!(written(50), r#"{"duration":0.05,"subtype":"time_skip"}"#);
        let value: serde_json::Value = serde_json::from_str(&written(1_500)).unwrap();
        assert!(value["duration"].is_number());
    }

    #[test]
    fn t9_a_persona_that_came_to_another_place_leaves_a_marker() {
        let (inn, mill, yard) = (id!("inn"), id!("mill"), id!("yard"));
        let change = |from: &Id, to: &Id| SceneMarker::LocationChange {
            from: from.clone(),
            to: to.clone(),
        };
        let set = |pending: &[SceneMarker], then, now| markers_of_turn(pending, then, now);
        assert_eq!(set(&[], Some(&inn), Some(&inn)), []);
        assert_eq!(set(&[], None, Some(&inn)), [], "its first turn");
        assert_eq!(set(&[], Some(&inn), Some(&mill)), [change(&inn, &mill)]);
        // The game has set a marker for the whole way, or for a part of it.
        let whole = [change(&inn, &mill)];
        assert_eq!(set(&whole, Some(&inn), Some(&mill)), whole);
        let part = [SceneMarker::SceneOpen, change(&mill, &yard)];
        let all = [
            SceneMarker::SceneOpen,
            change(&inn, &mill),
            change(&mill, &yard),
        ];
        assert_eq!(set(&part, Some(&inn), Some(&yard)), all);
        let moved_on = [change(&inn, &mill), change(&mill, &yard)];
        assert_eq!(set(&whole, Some(&inn), Some(&yard)), moved_on);
    }
}
