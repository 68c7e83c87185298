//! Keeping the journal in a file: what a game adds, and what it is told.

use super::beginning::Beginning;
pub use super::events::{
    JournalBehind, JournalResumed, JournalStopped, JournalVerified, TurnStored,
};
use super::previous_game::PreviousGame;
use super::writer::{
    Entries, JournalLocation, SHUTDOWN_TIMEOUT, Writer, WriterCommand, WriterEvent,
};
use crate::journal::game::capture::session;
use crate::journal::ledger::{self, About, InstalledLedger, LedgerEntry, Sign};
use crate::journal::load::LoadHook;
use crate::journal::plugin::{JournalSystems, begin};
use crate::journal::record::CheckpointReason;
use crate::journal::save::file::{LoadGameError, Save};
use crate::journal::save::plugin::SavesPlugin;
use crate::journal::save::ticket::{SaveGameError, SaveReporter};
use crate::journal::store::{Durability, StoreError};
use crate::loading::Readiness;
use crate::npc::LoadedCharacter;
use crate::outbox::send;
use crate::story::awaited::awaited_items;
use crate::world::WorldId;
use bevy::prelude::*;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The most records that wait on the main thread for a slow disk. More than that, and the journal stops.
pub const MAX_WAITING: usize = 16_384;
/// The most records that wait for a game to begin. More than that, and one checkpoint takes their place: before a game has begun,
/// how it came to be as it is does not matter.
const MAX_OF_START: usize = 1_024;
/// The most records in one command.
const MAX_RECORDS_PER_COMMAND: usize = 256;

/// Keeps a journal of the game in a file.
///
/// Add it after [`DramatisPlugins`](crate::plugin::DramatisPlugins). A file that holds a game already is written on once the new
/// game has begun: with a run, a turn, a plan, a load, a save or [`Journal::begin_game`]. It then begins a new segment with a
/// checkpoint of the game as it began. Until then it writes nothing, whatever the game's own systems change. To go on with the
/// game that was in it, [load](crate::journal::SaveCommandsExt::load_game) that very file: the journal has kept what it held. The table in
/// `journal` says what begins a game.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_dramatis::journal::{JournalPlugin, JournalStopped, TurnStored};
/// use bevy_dramatis::prelude::*;
///
/// App::new()
///     .add_plugins((MinimalPlugins, DramatisPlugins::silent(), JournalPlugin::new("game.dramatis")))
///     .add_observer(|stored: On<TurnStored>| info!("record {} is safe", stored.seq))
///     .add_observer(|stopped: On<JournalStopped>| warn!("not stored any more: {}", stopped.why));
/// ```
pub struct JournalPlugin {
    location: JournalLocation,
}

impl JournalPlugin {
    /// Keeps the journal in this file. An existing file is continued; otherwise a new one is begun. When neither is possible, the
    /// journal stops, the game goes on, and the plugin tries the file again later.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            location: JournalLocation::new(path.into()),
        }
    }

    /// Makes a stored turn survive a loss of power as well, and not only the end or a crash of the process.
    #[must_use]
    pub fn survives_power_loss(mut self) -> Self {
        self.location.durability = Durability::Power;
        self
    }

    /// The most bytes that the file may have, rounded down to pages; no limit by default. A full file counts as a full
    /// disk.
    #[must_use]
    pub fn max_bytes(self, bytes: u64) -> Self {
        self.location.max_bytes.store(bytes, Ordering::Relaxed);
        self
    }

    /// How long the plugin waits before it tries a refused file again; one second by default. The pause doubles each
    /// time, up to half a minute.
    #[must_use]
    pub fn retry_after(mut self, pause: Duration) -> Self {
        self.location.first_pause = pause;
        self
    }
}

impl Plugin for JournalPlugin {
    fn build(&self, app: &mut App) {
        let Some(schedule) = begin(app) else {
            return;
        };
        let (store, refused) = match self.location.open() {
            Ok(store) => (Some(store), None),
            Err(error) => (None, Some(error)),
        };
        let seq = store.as_ref().map_or(0, |store| store.head().seq);
        app.world_mut().resource_mut::<InstalledLedger>().at(seq);
        let mut journal = Journal::new(self.location.clone());
        if refused.is_none() {
            journal.look_at_file(seq);
        }
        match Writer::begin(self.location.clone(), store) {
            Ok(writer) => journal.writer = Some(writer),
            Err(error) => journal.stop(error.to_string()),
        }
        if let Some(error) = refused {
            journal.stop(error.to_string());
        }
        if !app.is_plugin_added::<SavesPlugin>() {
            app.add_plugins(SavesPlugin);
        }
        app.insert_resource(journal)
            .insert_resource(LoadHook {
                before: take_entries,
                after: write_load,
            })
            .add_systems(schedule, run_journal.in_set(JournalSystems))
            .add_systems(Last, write_at_exit.run_if(on_message::<AppExit>));
    }

    fn finish(&self, app: &mut App) {
        ledger::observe(app.world_mut());
    }
}

/// Whether what happens is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JournalState {
    /// The journal is written: what happens is stored.
    Writing,
    /// A checkpoint is on its way, after a stop. When it is stored, the journal is written again.
    Resuming,
    /// Nothing is stored. The text says why, for people.
    Stopped(String),
}

/// What waits for the writer.
enum Waiting {
    Entry(Box<LedgerEntry>),
    /// A save: a copy of the file that ends with the record of this number.
    Copy {
        last: u64,
        reporter: SaveReporter,
    },
}

/// The journal that is kept in a file. [`JournalPlugin`] inserts it.
#[derive(Resource)]
pub struct Journal {
    pub(in crate::journal) location: JournalLocation,
    pub(in crate::journal) writer: Option<Writer>,
    state: JournalState,
    /// Told when the next pass ends.
    stopped: Option<String>,
    /// What belongs together: from one checkpoint to the next stop.
    segment: u64,
    waiting: VecDeque<Waiting>,
    /// Which events to send when which record is stored.
    unacknowledged: VecDeque<(u64, About)>,
    lost: u64,
    behind_announced: bool,
    ask_head: bool,
    /// The game that was in the file when it was opened.
    previous: Option<PreviousGame>,
    /// Whether the game has begun. Records written before that wait: a player who looks at the title and leaves has lost
    /// nothing.
    beginning: Beginning,
    /// Whether the file could be opened since the app started.
    was_opened: bool,
    /// Whether the app had loaded all that it asked for when the journal looked at it last.
    is_set_up: bool,
}

impl Journal {
    fn new(location: JournalLocation) -> Self {
        Self {
            location,
            writer: None,
            state: JournalState::Writing,
            stopped: None,
            segment: 1,
            waiting: VecDeque::new(),
            unacknowledged: VecDeque::new(),
            lost: 0,
            behind_announced: false,
            ask_head: false,
            previous: None,
            // It may hold one, until it is opened.
            beginning: Beginning::of_file(true),
            was_opened: false,
            is_set_up: false,
        }
    }

    /// The file was opened, and ends with this record: it is known by now whether a game is in it.
    fn look_at_file(&mut self, last: u64) {
        self.was_opened = true;
        self.beginning.found(last > 0);
        self.previous = (last > 0).then(|| PreviousGame::read(&self.location.path));
    }

    /// Says that the player has begun this game, for instance by choosing "New game": from now on it replaces the game that was in
    /// the file. A run, a turn, a plan, a load and a save have the same effect. Only a game in which much can happen before the
    /// first of them needs this call.
    pub fn begin_game(&mut self) {
        self.beginning.see(Sign::Played, self.is_set_up);
    }

    /// Whether this game has begun. Until then the journal writes nothing to the file.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.beginning.has_begun()
    }

    /// Forgets what waits of a game that has not begun. Returns the number of the last record in the file; `None` for a game that
    /// has begun, and while nothing is written.
    fn forget_start(&mut self) -> Option<u64> {
        if self.has_begun() || matches!(self.state, JournalState::Stopped(_)) {
            return None;
        }
        self.waiting.clear();
        self.unacknowledged.clear();
        Some(self.stored())
    }

    /// The game that was in this file when it was opened, once.
    pub(in crate::journal) fn take_previous(
        &mut self,
        path: &Path,
    ) -> Option<Result<Save, LoadGameError>> {
        let same =
            std::fs::canonicalize(path).ok() == std::fs::canonicalize(&self.location.path).ok();
        let previous = if same { self.previous.take() } else { None };
        previous.map(PreviousGame::wait)
    }

    /// Looks whether the file has been checked by now: once, with the result.
    fn verified(&mut self) -> Option<JournalVerified> {
        let records = self.previous.as_mut()?.look()?;
        Some(JournalVerified { records })
    }

    /// The file that the journal is kept in, by the path that the game gave.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.location.path
    }

    /// Whether what happens is stored now. [`JournalStopped`] says why not.
    #[must_use]
    pub fn is_writing(&self) -> bool {
        self.state == JournalState::Writing
    }

    #[cfg(feature = "inspector")]
    pub(crate) fn state(&self) -> &JournalState {
        &self.state
    }

    /// How many records have been made and are not known to be on disk yet; 0 while the journal is stopped.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.unacknowledged.len()
    }

    /// The number of the last record that is on disk; 0 when there is none.
    #[must_use]
    pub fn stored(&self) -> u64 {
        self.writer.as_ref().map_or(0, Writer::stored)
    }

    /// Sets the most bytes that the file may have, from the next record on. What the file has already stays.
    pub fn set_max_bytes(&self, bytes: u64) {
        self.location.max_bytes.store(bytes, Ordering::Relaxed);
    }

    /// No more than this is stored.
    fn stop(&mut self, why: String) {
        if self.state == JournalState::Writing {
            self.stopped = Some(why.clone());
        }
        self.lost += self.unacknowledged.len() as u64;
        for waiting in self.waiting.drain(..) {
            if let Waiting::Copy { reporter, .. } = waiting {
                reporter.finish(Err(SaveGameError::Stopped(why.clone())));
            }
        }
        self.state = JournalState::Stopped(why);
        self.unacknowledged.clear();
        self.behind_announced = false;
    }

    /// Takes over what was written down.
    pub(in crate::journal) fn take(&mut self, entries: Vec<LedgerEntry>) {
        for entry in &entries {
            self.beginning.see(entry.sign, self.is_set_up);
        }
        if matches!(self.state, JournalState::Stopped(_)) {
            self.lost += entries.len() as u64;
            return;
        }
        for entry in entries {
            self.unacknowledged
                .push_back((entry.seq, entry.about.clone()));
            self.waiting.push_back(Waiting::Entry(Box::new(entry)));
        }
    }

    /// Asks for a copy of the file that ends with the record of this number.
    pub(in crate::journal) fn copy(
        &mut self,
        last: u64,
        reporter: SaveReporter,
    ) -> Result<(), SaveGameError> {
        if !matches!(self.state, JournalState::Stopped(_)) {
            self.begin_game();
            self.waiting.push_back(Waiting::Copy { last, reporter });
            self.flush();
        }
        match &self.state {
            JournalState::Stopped(why) => Err(SaveGameError::Stopped(why.clone())),
            _ => Ok(()),
        }
    }

    /// Sends as much as the writer takes. Whether something is left.
    pub(in crate::journal) fn flush_some(&mut self) -> bool {
        self.flush();
        !self.waiting.is_empty()
    }

    /// The next command for the writer: one save, or all records before the next save, up to a limit.
    fn next_command(&mut self) -> Option<WriterCommand> {
        let mut entries = Entries::new();
        while entries.len() < MAX_RECORDS_PER_COMMAND {
            match self.waiting.pop_front() {
                Some(Waiting::Entry(entry)) => entries.push(entry),
                Some(Waiting::Copy { last, reporter }) if entries.is_empty() => {
                    return Some(WriterCommand::CopyTo { last, reporter });
                }
                Some(copy) => {
                    self.waiting.push_front(copy);
                    break;
                }
                None => break,
            }
        }
        let segment = self.segment;
        (!entries.is_empty()).then_some(WriterCommand::Write { segment, entries })
    }

    /// Puts back a command that the writer did not take.
    fn put_back(&mut self, command: WriterCommand) {
        match command {
            WriterCommand::Write { entries, .. } => {
                for entry in entries.into_iter().rev() {
                    self.waiting.push_front(Waiting::Entry(entry));
                }
            }
            WriterCommand::CopyTo { last, reporter } => {
                self.waiting.push_front(Waiting::Copy { last, reporter });
            }
            WriterCommand::Head => self.ask_head = true,
        }
    }

    /// Sends as much as the writer takes, without waiting.
    pub(in crate::journal) fn flush(&mut self) {
        if !self.has_begun() {
            return;
        }
        let Some(writer) = self.writer.take() else {
            return;
        };
        if self.ask_head {
            self.ask_head = writer.try_send(WriterCommand::Head).is_some();
        }
        // Putting a command together takes its entries out of the queue, and putting them back costs as much again.
        while writer.has_room()
            && let Some(command) = self.next_command()
        {
            if let Some(refused) = writer.try_send(command) {
                self.put_back(refused);
                break;
            }
        }
        let is_gone = writer.is_gone();
        self.writer = Some(writer);
        if is_gone && !matches!(self.state, JournalState::Stopped(_)) {
            let path = self.location.path.display();
            self.stop(format!("{path}: the writer is gone"));
        }
        if self.waiting.len() > MAX_WAITING {
            self.segment += 1;
            self.ask_head = true;
            let path = self.location.path.display();
            self.stop(format!("{path}: the disk is too slow"));
        }
    }
}

/// Takes over new records and what the writer reports, sends records to the writer, and announces what is new.
fn run_journal(world: &mut World) {
    take_entries(world);
    if process_writer_events(world) {
        // A checkpoint, when the journal goes on.
        take_entries(world);
    }
    let verified = world.resource_mut::<Journal>().verified();
    if let Some(verified) = verified {
        send(world, verified);
    }
    shorten_start(world);
    let readiness = world.get_resource::<Readiness>();
    let is_set_up = readiness.is_none_or(Readiness::is_ready);
    let mut journal = world.resource_mut::<Journal>();
    journal.is_set_up = is_set_up;
    journal.flush();
    let entries = journal.waiting.iter().filter(|_| journal.has_begun());
    let behind = entries
        .filter(|waiting| matches!(waiting, Waiting::Entry(_)))
        .count();
    if behind == 0 {
        journal.behind_announced = false;
    } else if !journal.behind_announced {
        journal.behind_announced = true;
        send(world, JournalBehind { waiting: behind });
    }
    if let Some(why) = world.resource_mut::<Journal>().stopped.take() {
        log::error!("the journal stopped: {why}");
        send(world, JournalStopped { why });
    }
}

/// Takes over what the ledger has written down.
pub(in crate::journal) fn take_entries(world: &mut World) {
    if world.resource::<InstalledLedger>().is_empty() {
        return;
    }
    let (session, awaited) = (session(world), awaited_items(world));
    let mut ledger = world.resource_mut::<InstalledLedger>();
    ledger.add_state_rows(session, awaited);
    let entries = ledger.take();
    world.resource_mut::<Journal>().take(entries);
}

/// A game that does not begin for long, and changes all the while, takes no more and more room.
fn shorten_start(world: &mut World) {
    let mut journal = world.resource_mut::<Journal>();
    if journal.waiting.len() > MAX_OF_START
        && let Some(last) = journal.forget_start()
    {
        ledger::go_on_from(world, last, CheckpointReason::Begun, 0);
        take_entries(world);
    }
}

/// Writes down that a game was loaded. What waits of a game that had not begun is left out: it counts for nothing.
fn write_load(world: &mut World) {
    match world.resource_mut::<Journal>().forget_start() {
        Some(last) => ledger::go_on_from(world, last, CheckpointReason::Loaded, 0),
        None => ledger::restart(world, CheckpointReason::Loaded),
    }
}

/// What changed since the last look would otherwise be lost with the app.
fn write_at_exit(world: &mut World) {
    ledger::observe(world);
    ledger::observe_minds(world);
    take_entries(world);
}

/// What waits is sent to the writer when the app ends: nothing is lost because the disk was slow.
impl Drop for Journal {
    fn drop(&mut self) {
        let Some(writer) = self.writer.take() else {
            return;
        };
        if !self.has_begun() {
            return;
        }
        let began = Instant::now();
        while !writer.is_gone()
            && let Some(command) = self.next_command()
        {
            let left = SHUTDOWN_TIMEOUT.saturating_sub(began.elapsed());
            if !writer.send_timeout(command, left) {
                break;
            }
        }
    }
}

/// Takes in what the writer reports, and tells what is stored. False when the writer had nothing to report.
pub(in crate::journal) fn process_writer_events(world: &mut World) -> bool {
    let journal = world.resource::<Journal>();
    let events: Vec<WriterEvent> = journal.writer.iter().flat_map(Writer::events).collect();
    let has_reported = !events.is_empty();
    for event in events {
        match event {
            WriterEvent::Failed { error, segment } => failed(world, &error, segment),
            WriterEvent::Ready { seq } => resume(world, seq),
        }
    }
    announce_stored(world);
    has_reported
}

fn failed(world: &mut World, error: &StoreError, segment: u64) {
    // Report the records that were stored before the stop, then the stop.
    announce_stored(world);
    let mut journal = world.resource_mut::<Journal>();
    if segment == journal.segment {
        journal.segment += 1;
        journal.stop(error.to_string());
    }
}

/// Begins a new segment after the last record in the file.
fn resume(world: &mut World, seq: u64) {
    let mut journal = world.resource_mut::<Journal>();
    if !matches!(journal.state, JournalState::Stopped(_)) {
        return;
    }
    let lost = journal.lost;
    journal.state = JournalState::Resuming;
    if !journal.was_opened {
        journal.look_at_file(seq);
    }
    let has_begun = journal.has_begun();
    ledger::go_on_from(world, seq, CheckpointReason::Resumed, lost);
    if !has_begun {
        // No record waits for the disk: the game has to begin first.
        resumed(world);
    }
}

fn resumed(world: &mut World) {
    let mut journal = world.resource_mut::<Journal>();
    journal.state = JournalState::Writing;
    let lost = std::mem::take(&mut journal.lost);
    send(world, JournalResumed { lost });
}

fn announce_stored(world: &mut World) {
    let mut journal = world.resource_mut::<Journal>();
    let stored = journal.stored();
    let mut told = Vec::new();
    while journal
        .unacknowledged
        .front()
        .is_some_and(|(seq, _)| *seq <= stored)
    {
        told.extend(journal.unacknowledged.pop_front());
    }
    if !told.is_empty() && journal.state == JournalState::Resuming {
        resumed(world);
    }
    for (seq, about) in told {
        let (entity, run, turn) = match about {
            About::Nobody => continue,
            About::Run { npc, run } => (Some(npc), Some(run), None),
            About::Turn { actor, turn } => (actor, None, Some(turn)),
        };
        let living = entity.and_then(|entity| world.get_entity(entity).ok());
        let id = living.and_then(|entity| {
            let character = entity
                .get::<LoadedCharacter>()
                .map(|character| character.0.id.clone());
            character.or_else(|| entity.get::<WorldId>().map(|id| id.0.clone()))
        });
        let stored = TurnStored {
            entity: living.map(|entity| entity.id()),
            id,
            seq,
            run,
            turn,
        };
        send(world, stored);
    }
}
