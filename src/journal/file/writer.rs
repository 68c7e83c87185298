//! The writer: a separate thread that writes records to the disk.
//!
//! Entries come over a bounded channel, in order, and go to disk in batches, each in one transaction: the writer waits a moment
//! for more to come, since a transaction for each record, and being woken for each, costs the game more than the records. When the disk
//! refuses, the writer says so, throws away what was meant for that segment, and tries to open the file again,
//! at first after a second, at last every half a minute. When it is open again, the journal begins a new segment with
//! a full checkpoint. A segment is a part of a journal without a gap.

use crate::journal::ledger::LedgerEntry;
use crate::journal::save::ticket::{SaveGameError, SaveReporter};
use crate::journal::store::{Commit, Durability, Store, StoreError, StoreProblem};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The most commands that wait for the writer: those of more frames than come while it gathers.
const MAX_COMMANDS: usize = 512;
/// The most entries that go into one transaction.
const MAX_BATCH: usize = 512;
/// How long the writer waits for more entries before it writes those that have come.
const GATHERING: Duration = Duration::from_millis(5);
/// How long the writer waits before it tries a refused file again, at first and at last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);
/// How long an app that ends waits for its writer.
pub(in crate::journal) const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The file in which a journal is kept, and how it is kept.
#[derive(Debug, Clone)]
pub(in crate::journal) struct JournalLocation {
    pub path: PathBuf,
    pub durability: Durability,
    pub max_bytes: Arc<AtomicU64>,
    pub first_pause: Duration,
}

impl JournalLocation {
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            durability: Durability::default(),
            max_bytes: Arc::new(AtomicU64::new(u64::MAX)),
            first_pause: FIRST_PAUSE,
        }
    }

    /// Opens the journal, or begins a new one where there is no file, or an empty one: a program that was killed while it made the
    /// file has left that.
    pub(crate) fn open(&self) -> Result<Store, StoreError> {
        match Store::open(&self.path, self.durability) {
            Err(error) if error.problem == StoreProblem::NotFound => {
                Store::create(&self.path, self.durability)
            }
            Err(_) if self.is_empty() => Store::begin_in_empty(&self.path, self.durability),
            other => other,
        }
    }

    fn is_empty(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|file| file.is_file() && file.len() == 0)
    }
}

/// Entries on their way to the writer. They are large, and go from list to list.
pub(in crate::journal) type Entries = Vec<Box<LedgerEntry>>;

/// What the writer is asked for.
pub(in crate::journal) enum WriterCommand {
    /// Entries of a segment, in order.
    Write { segment: u64, entries: Entries },
    /// Where the file ends, to begin a new segment there.
    Head,
    /// A copy of the file as it is when all commands before this one are done. It is made only if the file holds the record
    /// with this number then.
    CopyTo { last: u64, reporter: SaveReporter },
}

/// What the writer reports.
pub(in crate::journal) enum WriterEvent {
    /// The disk refused; entries of this segment and of all before it are thrown away.
    Failed { error: StoreError, segment: u64 },
    /// The file is open, and ends with this entry.
    Ready { seq: u64 },
}

/// The writer's handle on the main thread.
pub(in crate::journal) struct Writer {
    commands: Option<Sender<WriterCommand>>,
    events: Receiver<WriterEvent>,
    stored: Arc<AtomicU64>,
    done: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Begins to write. Without a store the writer tries to open the file by itself.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn begin(location: JournalLocation, store: Option<Store>) -> std::io::Result<Self> {
        let (commands, inbox) = bounded(MAX_COMMANDS);
        // Events are few: one for each outage, and one for each time that the file is open again.
        let (outbox, events) = bounded(MAX_COMMANDS);
        let (alive, done) = bounded(1);
        let stored = Arc::new(AtomicU64::new(
            store.as_ref().map_or(0, |store| store.head().seq),
        ));
        let writer = WriterThread {
            pause: location.first_pause,
            location,
            store,
            inbox,
            outbox,
            stored: stored.clone(),
            failed_segment: 0,
        };
        let work = move || {
            writer.work();
            drop(alive);
        };
        let thread = thread::Builder::new().name("dramatis journal".to_owned());
        Ok(Self {
            commands: Some(commands),
            events,
            stored,
            done,
            thread: Some(thread.spawn(work)?),
        })
    }

    /// The number of the last entry that is on disk.
    pub fn stored(&self) -> u64 {
        self.stored.load(Ordering::Acquire)
    }

    /// What the writer reports, without waiting.
    pub fn events(&self) -> impl Iterator<Item = WriterEvent> + '_ {
        self.events.try_iter()
    }

    /// Whether it takes another command now. One that is gone takes every command, and gives it back.
    pub fn has_room(&self) -> bool {
        let commands = self.commands.as_ref();
        commands.is_none_or(|commands| !commands.is_full())
    }

    /// Sends a command, or gives it back when too many wait already.
    pub fn try_send(&self, command: WriterCommand) -> Option<WriterCommand> {
        match self.commands.as_ref()?.try_send(command) {
            Ok(()) => None,
            Err(TrySendError::Full(command) | TrySendError::Disconnected(command)) => Some(command),
        }
    }

    /// Whether the writer has gone: it does so only when it panics.
    pub fn is_gone(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Sends a command, and waits for room up to this time. False when it could not be sent. Only for an app that ends.
    pub fn send_timeout(&self, command: WriterCommand, timeout: Duration) -> bool {
        let commands = self.commands.as_ref();
        commands.is_some_and(|commands| commands.send_timeout(command, timeout).is_ok())
    }
}

impl Drop for Writer {
    /// What waits is written; a disk that hangs is not waited for without end.
    fn drop(&mut self) {
        self.commands.take();
        let hangs = self.done.recv_timeout(SHUTDOWN_TIMEOUT) == Err(RecvTimeoutError::Timeout);
        if let Some(thread) = self.thread.take().filter(|_| !hangs)
            && thread.join().is_err()
        {
            log::error!("the journal's writer panicked");
        }
    }
}

/// The writer's side of the channel.
struct WriterThread {
    location: JournalLocation,
    store: Option<Store>,
    inbox: Receiver<WriterCommand>,
    outbox: Sender<WriterEvent>,
    stored: Arc<AtomicU64>,
    pause: Duration,
    /// Entries of this segment and of those before it are thrown away.
    failed_segment: u64,
}

impl WriterThread {
    fn work(mut self) {
        loop {
            let command = if self.store.is_some() {
                self.inbox
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.inbox.recv_timeout(self.pause)
            };
            match command {
                Ok(command) => {
                    let mut next = Some(command);
                    while let Some(command) = next {
                        next = self.execute(command);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.try_again(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Executes a command, and returns a command of another kind that came meanwhile.
    fn execute(&mut self, command: WriterCommand) -> Option<WriterCommand> {
        match command {
            WriterCommand::Write { segment, entries } => return self.write(segment, entries),
            WriterCommand::Head => self.report_position(),
            WriterCommand::CopyTo { last, reporter } => self.copy(last, reporter),
        }
        None
    }

    /// Copies the file, unless the save was abandoned.
    fn copy(&self, last: u64, reporter: SaveReporter) {
        if !reporter.is_wanted() {
            let path = reporter.path().to_path_buf();
            reporter.finish(Err(SaveGameError::GivenUp(path)));
            return;
        }
        let copied = match &self.store {
            Some(store) if store.head().seq >= last => {
                store.copy_to(reporter.path()).map(|()| store.head().seq)
            }
            _ => Err(StoreError {
                path: self.location.path.clone(),
                problem: StoreProblem::Io("the journal is not being written".to_owned()),
            }),
        };
        reporter.finish(copied.map_err(SaveGameError::from));
    }

    /// Writes entries, and those of the same segment that wait after them, in one transaction. Returns a command of another kind
    /// that came meanwhile.
    fn write(&mut self, segment: u64, mut entries: Entries) -> Option<WriterCommand> {
        let mut next = None;
        // Asleep, and not at the channel: a sender has to wake a thread that waits there.
        thread::sleep(GATHERING);
        while entries.len() < MAX_BATCH && next.is_none() {
            match self.inbox.try_recv() {
                Ok(WriterCommand::Write {
                    segment: same,
                    entries: more,
                }) if same == segment => entries.extend(more),
                Ok(other) => next = Some(other),
                Err(_) => break,
            }
        }
        if segment <= self.failed_segment {
            return next;
        }
        let commits: Vec<Commit> = entries.into_iter().map(|entry| commit_of(*entry)).collect();
        let written = match &mut self.store {
            Some(store) => store
                .limit_bytes(self.location.max_bytes.load(Ordering::Relaxed))
                .and_then(|()| store.commit(&commits)),
            None => Err(StoreError {
                path: self.location.path.clone(),
                problem: StoreProblem::NotFound,
            }),
        };
        match (written, &self.store) {
            (Ok(()), Some(store)) => {
                self.pause = self.location.first_pause;
                self.stored.store(store.head().seq, Ordering::Release);
            }
            (Err(error), _) => self.fail(error, segment),
            (Ok(()), None) => {}
        }
        next
    }

    /// Closes the file after an error; what belongs to this segment is thrown away from now on.
    fn fail(&mut self, error: StoreError, segment: u64) {
        self.failed_segment = segment;
        self.store = None;
        // No code reads the events of an app that has ended.
        let _ = self.outbox.try_send(WriterEvent::Failed { error, segment });
    }

    /// Tries to open a refused file.
    fn try_again(&mut self) {
        self.pause = (self.pause * 2).min(LAST_PAUSE);
        if let Ok(store) = self.location.open() {
            self.store = Some(store);
            self.report_position();
        }
    }

    /// Reports where the file ends.
    fn report_position(&mut self) {
        if let Some(store) = &self.store {
            let seq = store.head().seq;
            self.stored.store(seq, Ordering::Release);
            let _ = self.outbox.try_send(WriterEvent::Ready { seq });
        }
    }
}

/// An entry as the store takes it.
pub(in crate::journal) fn commit_of(mut entry: LedgerEntry) -> Commit {
    let replaces_state = entry.replaces_state;
    let blobs = std::mem::take(&mut entry.blobs);
    let (record, state) = entry.finish();
    Commit {
        seq: record.seq,
        kind: record.kind.name().to_owned(),
        game_ms: record.game.0,
        body: record.body,
        subject: record.subject,
        state,
        replaces_state,
        blobs,
    }
}

/// The folder that a file lies in.
pub(in crate::journal) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
