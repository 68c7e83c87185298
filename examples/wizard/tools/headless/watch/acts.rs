//! What characters and the traveller do.

use super::{VisitLog, name};
use crate::cast;
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::pipeline::ApprovedIntents;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::DisplayName;

/// Adds the observers.
pub(super) fn plugin(app: &mut App) {
    app.add_observer(
        |ended: On<RunEnded>,
         runs: Query<&ApprovedIntents>,
         names: Names,
         mut seen: ResMut<VisitLog>| {
            let who = names.of(&ended.npc);
            for intent in runs.get(ended.run).iter().flat_map(|done| &done.0) {
                println!("  * {who}: {}", names.action(intent));
            }
            seen.ended += 1;
            seen.authored += usize::from(!matches!(ended.outcome, Outcome::Accepted { .. }));
        },
    )
    .add_observer(
        |ended: On<TurnEnded>,
         names: Names,
         called: Query<&DisplayName>,
         mut seen: ResMut<VisitLog>| {
            let other = ended.entity.filter(|_| ended.actor != cast::PLAYER);
            let who = other.map(|who| format!("{}: ", name(&called, who)));
            for line in names.outcomes(&ended.record) {
                println!("  * {}{line}", who.as_deref().unwrap_or_default());
            }
            seen.ended += 1;
        },
    )
    .add_observer(
        |asked: On<ClarificationNeeded>, mut seen: ResMut<VisitLog>| {
            let options = asked.clarification.options.iter();
            let options: Vec<&str> = options.map(|option| option.name.as_str()).collect();
            println!("  ? {}", options.join(" or "));
            seen.question = Some(asked.clarification.clone());
        },
    );
}
