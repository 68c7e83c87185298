//! Keeping a journal: what a game adds.

use super::ledger::{self, InstalledLedger};
use crate::authoring::AssetSource;
use crate::base::canonical::Digest;
use crate::events::{GameLoaded, RequestRefused};
use crate::journal::Recording;
use crate::pipeline::driver::systems::{DramatisSchedule, ResultSystems};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// The journal takes over what was written down, after results have been sent. It runs in the schedule of
/// [`DramatisPlugins`](crate::plugin::DramatisPlugins), after [`ResultSystems`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct JournalSystems;

/// Writes down everything that happens, and keeps it in memory: for tests, and for reports of what has just happened.
///
/// Add it after [`DramatisPlugins`](crate::plugin::DramatisPlugins).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::journal::{MemoryJournal, MemoryJournalPlugin};
/// use bevy_dramatis::replay::replay;
/// use bevy_dramatis::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((DramatisPlugins::silent(), MemoryJournalPlugin));
/// app.finish();
/// app.update();
/// let recording = app.world_mut().resource_mut::<MemoryJournal>().take();
/// assert!(replay(&recording, &|_| {}).unwrap().holds());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryJournalPlugin;

impl Plugin for MemoryJournalPlugin {
    fn build(&self, app: &mut App) {
        if let Some(schedule) = begin(app) {
            app.init_resource::<MemoryJournal>()
                .add_systems(schedule, keep_in_memory.in_set(JournalSystems));
        }
    }

    fn finish(&self, app: &mut App) {
        ledger::observe(app.world_mut());
    }
}

/// The records so far. It grows until [`MemoryJournal::take`] is called.
#[derive(Resource, Debug, Default)]
pub struct MemoryJournal(Recording);

impl MemoryJournal {
    /// Takes the recording. What follows is not a recording by itself: it has no checkpoint.
    #[must_use]
    pub fn take(&mut self) -> Recording {
        std::mem::take(&mut self.0)
    }

    /// The recording so far, which stays where it is.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.0
    }
}

/// What every journal does, wherever it is kept. Returns the schedule of the plugin group, in which the journal runs too;
/// `None`, and an error in the log, when there is nothing to write down.
pub(super) fn begin(app: &mut App) -> Option<Interned<dyn ScheduleLabel>> {
    let Some(schedule) = app.world().get_resource::<DramatisSchedule>() else {
        log::error!("no journal is kept: add DramatisPlugins before it");
        return None;
    };
    let schedule = schedule.0;
    if app.world().contains_resource::<InstalledLedger>() {
        log::error!("a journal is kept already: the second one is left out");
        return None;
    }
    ledger::begin(app);
    app.init_resource::<UnwrittenRefusals>()
        .add_observer(note_refusal)
        // Those of the game before it are over.
        .add_observer(
            |_: On<GameLoaded>, mut unwritten: ResMut<UnwrittenRefusals>| unwritten.0.clear(),
        );
    app.configure_sets(schedule, JournalSystems.after(ResultSystems))
        .add_systems(
            schedule,
            write_the_rest.before(JournalSystems).after(ResultSystems),
        );
    Some(schedule)
}

/// Requests that started nothing and are not written down yet.
#[derive(Resource, Debug, Default)]
struct UnwrittenRefusals(Vec<RequestRefused>);

fn note_refusal(refused: On<RequestRefused>, mut unwritten: ResMut<UnwrittenRefusals>) {
    unwritten.0.push(refused.event().clone());
}

/// Writes the changes that are due, and requests that started nothing.
fn write_the_rest(world: &mut World) {
    let refusals = std::mem::take(&mut world.resource_mut::<UnwrittenRefusals>().0);
    if ledger::is_due(world) {
        ledger::observe(world);
        ledger::observe_minds(world);
    }
    for refusal in &refusals {
        ledger::refused(world, refusal);
    }
}

fn keep_in_memory(mut ledger: ResMut<InstalledLedger>, mut journal: ResMut<MemoryJournal>) {
    for entry in ledger.take() {
        for blob in &entry.blobs {
            // They were encoded by us.
            if let Ok(source) = serde_json::from_str::<AssetSource>(blob) {
                let hash = Digest::of_bytes(blob.as_bytes()).to_hex();
                journal.0.assets.insert(hash, source);
            }
        }
        // We wrote it: it can be read.
        journal.0.records.extend(entry.finish().0.to_record());
    }
}
