//! Tells when an engine cannot be asked any more, or can be asked again.

use crate::engine::{DefaultEngine, EngineStatus, Engines};
use crate::events::EngineStatusChanged;
use crate::outbox::Outbox;
use crate::pipeline::engine_room::EngineRoom;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// The statuses of the engines, as [`EngineStatusChanged`] last reported them. Engines that
/// are ready are left out.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineStatuses(BTreeMap<Option<String>, EngineStatus>);

impl EngineStatuses {
    /// The status of the engine with this name; `None` asks for the default engine.
    #[must_use]
    pub fn of(&self, engine: Option<&str>) -> EngineStatus {
        let known = self.0.get(&engine.map(str::to_owned));
        known.cloned().unwrap_or_default()
    }

    /// All engines that cannot be asked now, by name; `None` for the default one.
    pub fn not_ready(&self) -> impl Iterator<Item = (Option<&str>, &EngineStatus)> {
        self.0
            .iter()
            .map(|(name, status)| (name.as_deref(), status))
    }
}

/// The system that asks every engine whether it can be asked.
pub(crate) fn watch_engines(
    default: Option<Res<DefaultEngine>>,
    engines: Option<Res<Engines>>,
    mut statuses: ResMut<EngineStatuses>,
    mut outbox: ResMut<Outbox>,
    mut room: Option<ResMut<EngineRoom>>,
) {
    let default = default.map(|default| (None, default.engine.status()));
    let named = engines.iter().flat_map(|engines| engines.statuses());
    let named = named.map(|(name, status)| (Some(name.to_owned()), status));
    let now: BTreeMap<Option<String>, EngineStatus> = default
        .into_iter()
        .chain(named)
        .filter(|(_, status)| *status != EngineStatus::Ready)
        .collect();
    if now == statuses.0 {
        return;
    }
    let before = std::mem::replace(&mut statuses.0, now);
    let again = before.keys().filter(|name| !statuses.0.contains_key(name));
    let again = again.map(|name| (name.clone(), EngineStatus::Ready));
    let changed = statuses
        .0
        .iter()
        .filter(|(name, status)| before.get(*name) != Some(status));
    let changed = changed.map(|(name, status)| (name.clone(), status.clone()));
    for (engine, status) in again.chain(changed) {
        if let (EngineStatus::Ready, Some(room)) = (&status, &mut room) {
            // What failed before does not count any more.
            room.trust(&engine);
        }
        let event = EngineStatusChanged { engine, status };
        outbox.tell_all(event);
    }
}
