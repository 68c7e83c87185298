//! Observers that print what happens in the visit, and count it.

mod acts;
mod plans;

use crate::door::Happens;
use crate::gossip::Says;
use crate::tale::{NotTold, Tells};
use bevy::prelude::*;
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Clarification, DisplayName};

/// How many runs and turns have ended, and how.
#[derive(Resource, Default)]
pub(super) struct VisitLog {
    pub(super) ended: usize,
    pub(super) authored: usize,
    pub(super) rejected_attempts: usize,
    /// How many lines the characters have said.
    pub(super) lines: usize,
    pub(super) question: Option<Clarification>,
    pub(super) plans_ended: usize,
    pub(super) tales_ended: usize,
    /// What is taken away after the first step of a plan.
    pub(super) taken_away: Option<&'static str>,
}

/// Prints what happens.
pub(super) fn watch(app: &mut App) {
    app.init_resource::<VisitLog>()
        .add_plugins((acts::plugin, plans::plugin))
        .add_observer(
            |spoke: On<Spoke>, names: Query<&DisplayName>, mut seen: ResMut<VisitLog>| {
                let how = if spoke.fallback { " (fallback)" } else { "" };
                println!("{}{how}: {}", name(&names, spoke.entity), spoke.line);
                seen.lines += 1;
            },
        )
        .add_observer(
            |says: On<Says>, names: Query<&DisplayName>, mut seen: ResMut<VisitLog>| {
                println!("{}: {}", name(&names, says.who), says.line);
                seen.lines += 1;
            },
        )
        .add_observer(|failed: On<AttemptFailed>, mut seen: ResMut<VisitLog>| {
            seen.rejected_attempts += 1;
            for failure in &failed.failures {
                println!("  x rejected by {}: {}", failure.rule, failure.message);
            }
        })
        .add_observer(|happens: On<Happens>| println!("({})", happens.0))
        .add_observer(|tells: On<Tells>| println!("{}", tells.text))
        .add_observer(|not: On<NotTold>| println!("({})", not.why))
        .add_observer(|_: On<AdventureTurnEnded>, mut seen: ResMut<VisitLog>| {
            seen.tales_ended += 1;
        });
}

/// The name of a character.
fn name<'a>(names: &'a Query<&DisplayName>, who: Entity) -> &'a str {
    names.get(who).map_or("Somebody", |name| name.0.as_str())
}
