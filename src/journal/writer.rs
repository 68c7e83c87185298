//! The writer: a thread of its own that brings to disk what was written down (contract row J2).
//!
//! Entries come over a bounded channel, in order, and go to disk in batches, each in one transaction. When the disk
//! refuses, the writer says so, throws away what was meant for the broken stretch, and tries to open the file again,
//! at first after a second, at last every half a minute. Whoever hears that it is open again begins a new stretch with
//! a full checkpoint.

use super::ledger::Entry;
use super::store::{Commit, Durability, Problem, Store, StoreError};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The most orders that wait for the writer.
const MAX_ORDERS: usize = 64;
/// The most entries that go into one transaction.
const MAX_BATCH: usize = 512;
/// How long the writer waits before it tries a refused file again, at first and at last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);
/// How long an app that ends waits for its writer.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(10);

/// Where and how a journal is kept.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub path: PathBuf,
    pub durability: Durability,
    pub max_bytes: Arc<AtomicU64>,
    pub first_pause: Duration,
}

impl Place {
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            durability: Durability::default(),
            max_bytes: Arc::new(AtomicU64::new(u64::MAX)),
            first_pause: FIRST_PAUSE,
        }
    }

    /// The journal at this place, a new one where there is none.
    pub fn open(&self) -> Result<Store, StoreError> {
        match Store::open(&self.path, self.durability) {
            Err(error) if error.problem == Problem::NotFound => {
                Store::create(&self.path, self.durability)
            }
            other => other,
        }
    }
}

/// What the writer is asked for.
pub(super) enum WriterCommand {
    /// Entries of a stretch, in order.
    Write { stretch: u64, entries: Vec<Entry> },
    /// Where the file ends, to begin a new stretch there.
    Head,
    /// A copy of the file as it is when all orders before this one are done, if it holds this entry then.
    CopyTo {
        path: PathBuf,
        least: u64,
        wanted: Arc<AtomicBool>,
        answer: Sender<Result<(), StoreError>>,
    },
}

/// What the writer says.
pub(super) enum WriterEvent {
    /// The disk refused; entries of this stretch and of all before it are thrown away.
    Failed { error: StoreError, stretch: u64 },
    /// The file is open, and ends with this entry.
    Ready { seq: u64 },
}

/// The writer, as the main thread knows it.
pub(super) struct Writer {
    orders: Option<Sender<WriterCommand>>,
    news: Receiver<WriterEvent>,
    stored: Arc<AtomicU64>,
    done: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Begins to write. Without a store the writer tries to open the file by itself.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn begin(place: Place, store: Option<Store>) -> std::io::Result<Self> {
        let (orders, inbox) = bounded(MAX_ORDERS);
        // News are few: one for each outage, and one for each time that the file is open again.
        let (outbox, news) = bounded(MAX_ORDERS);
        let (alive, done) = bounded(1);
        let stored = Arc::new(AtomicU64::new(
            store.as_ref().map_or(0, |store| store.head().seq),
        ));
        let keeper = WriterThread {
            pause: place.first_pause,
            place,
            store,
            inbox,
            outbox,
            stored: stored.clone(),
            broken: 0,
        };
        let work = move || {
            keeper.work();
            drop(alive);
        };
        let thread = thread::Builder::new().name("dramatis journal".to_owned());
        Ok(Self {
            orders: Some(orders),
            news,
            stored,
            done,
            thread: Some(thread.spawn(work)?),
        })
    }

    /// The number of the last entry that is on disk.
    pub fn stored(&self) -> u64 {
        self.stored.load(Ordering::Acquire)
    }

    /// What the writer has to say.
    pub fn news(&self) -> impl Iterator<Item = WriterEvent> + '_ {
        self.news.try_iter()
    }

    /// Gives an order, or gives it back when too many wait.
    pub fn order(&self, order: WriterCommand) -> Option<WriterCommand> {
        match self.orders.as_ref()?.try_send(order) {
            Ok(()) => None,
            Err(TrySendError::Full(order) | TrySendError::Disconnected(order)) => Some(order),
        }
    }

    /// Whether the writer has gone: it does so only when it panics.
    pub fn is_gone(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Gives an order, and waits for room.
    pub fn order_and_wait(&self, order: WriterCommand, patience: Duration) -> bool {
        let orders = self.orders.as_ref();
        orders.is_some_and(|orders| orders.send_timeout(order, patience).is_ok())
    }
}

impl Drop for Writer {
    /// What waits is written; a disk that hangs is not waited for without end.
    fn drop(&mut self) {
        self.orders.take();
        let hangs = self.done.recv_timeout(LAST_WORDS) == Err(RecvTimeoutError::Timeout);
        if let Some(thread) = self.thread.take().filter(|_| !hangs)
            && thread.join().is_err()
        {
            log::error!("the journal's writer panicked");
        }
    }
}

/// The writer's own side.
struct WriterThread {
    place: Place,
    store: Option<Store>,
    inbox: Receiver<WriterCommand>,
    outbox: Sender<WriterEvent>,
    stored: Arc<AtomicU64>,
    pause: Duration,
    /// Entries of this stretch and of those before it are thrown away.
    broken: u64,
}

impl WriterThread {
    fn work(mut self) {
        loop {
            let order = if self.store.is_some() {
                self.inbox
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.inbox.recv_timeout(self.pause)
            };
            match order {
                Ok(order) => {
                    let mut next = Some(order);
                    while let Some(order) = next {
                        next = self.obey(order);
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.try_again(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Does what is asked, and gives back an order that came meanwhile and is of another kind.
    fn obey(&mut self, order: WriterCommand) -> Option<WriterCommand> {
        match order {
            WriterCommand::Write { stretch, entries } => return self.write(stretch, entries),
            WriterCommand::Head => self.say_where(),
            // Who asked has lost patience.
            WriterCommand::CopyTo { wanted, .. } if !wanted.load(Ordering::Acquire) => {}
            WriterCommand::CopyTo {
                path,
                least,
                answer,
                ..
            } => {
                let copied = match &self.store {
                    Some(store) if store.head().seq >= least => store.copy_to(&path),
                    _ => Err(StoreError {
                        path: self.place.path.clone(),
                        problem: Problem::Io("the journal is not being written".to_owned()),
                    }),
                };
                let _ = answer.try_send(copied);
            }
        }
        None
    }

    fn write(&mut self, stretch: u64, mut entries: Vec<Entry>) -> Option<WriterCommand> {
        let mut next = None;
        while entries.len() < MAX_BATCH && next.is_none() {
            match self.inbox.try_recv() {
                Ok(WriterCommand::Write {
                    stretch: same,
                    entries: more,
                }) if same == stretch => entries.extend(more),
                Ok(other) => next = Some(other),
                Err(_) => break,
            }
        }
        if stretch <= self.broken {
            return next;
        }
        let commits: Vec<Commit> = entries.into_iter().map(commit_of).collect();
        let written = match &mut self.store {
            Some(store) => store
                .limit_bytes(self.place.max_bytes.load(Ordering::Relaxed))
                .and_then(|()| store.commit(&commits)),
            None => Err(StoreError {
                path: self.place.path.clone(),
                problem: Problem::NotFound,
            }),
        };
        match (written, &self.store) {
            (Ok(()), Some(store)) => {
                self.pause = self.place.first_pause;
                self.stored.store(store.head().seq, Ordering::Release);
            }
            (Err(error), _) => self.fail(error, stretch),
            (Ok(()), None) => {}
        }
        next
    }

    fn fail(&mut self, error: StoreError, stretch: u64) {
        self.broken = stretch;
        self.store = None;
        // Nobody reads the news of an app that has ended.
        let _ = self.outbox.try_send(WriterEvent::Failed { error, stretch });
    }

    fn try_again(&mut self) {
        self.pause = (self.pause * 2).min(LAST_PAUSE);
        if let Ok(store) = self.place.open() {
            self.store = Some(store);
            self.say_where();
        }
    }

    fn say_where(&mut self) {
        if let Some(store) = &self.store {
            let seq = store.head().seq;
            self.stored.store(seq, Ordering::Release);
            let _ = self.outbox.try_send(WriterEvent::Ready { seq });
        }
    }
}

/// An entry as the store takes it.
pub(super) fn commit_of(entry: Entry) -> Commit {
    Commit {
        seq: entry.record.seq,
        kind: entry.record.kind.name().to_owned(),
        game_ms: entry.record.game.0,
        body: entry.record.encoded(),
        subject: entry.record.subject,
        state: entry.rows,
        replaces_state: entry.replaces_state,
        blobs: entry.blobs,
    }
}

/// The folder that a file lies in.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
