//! Reads the entries of a file ahead, on a thread of its own, while those before them are used: reading one takes about as long as
//! playing what it tells of.

use super::store::{Entry, EntryForm, Store};
use crossbeam_channel::{Receiver, bounded};
use std::collections::BTreeMap;
use std::thread::{self, JoinHandle};

/// How many entries are read at once.
const PAGE: usize = 64;
/// How many pages wait to be taken.
const PAGES_AHEAD: usize = 2;
/// How many entries are kept that nobody has taken.
const MAX_KEPT: usize = 4 * PAGE;

/// What was made of entries, in order. The thread ends with this.
pub(super) struct ReadAhead<T> {
    pages: Option<Receiver<Vec<(u64, T)>>>,
    thread: Option<JoinHandle<()>>,
    /// The number that the next page begins with.
    next: u64,
    kept: BTreeMap<u64, T>,
}

impl<T: Send + 'static> ReadAhead<T> {
    /// Begins to read the file of this store. `make` is called for every entry; `None`, and all that follows is left to whoever asks
    /// for it. `None` when the system gives no thread.
    pub fn begin(store: &Store, form: EntryForm, make: fn(Entry) -> Option<T>) -> Option<Self> {
        let (path, head) = (store.path().to_path_buf(), store.head());
        let (sender, pages) = bounded(PAGES_AHEAD);
        let read = move || {
            let Ok(store) = Store::read(&path) else {
                return;
            };
            // Another file may stand there by now.
            let last = store.page(head.seq, 1, EntryForm::Packed);
            if !last.is_ok_and(|last| last.first().is_some_and(|last| last.hash == head.hash)) {
                return;
            }
            let mut next = 1;
            while next <= head.seq {
                // What cannot be read is left to whoever asks for it: he gets the error, with its place.
                let Ok(page) = store.page(next, PAGE, form) else {
                    return;
                };
                let made = page.into_iter().map(|entry| (entry.seq, make(entry)));
                let made: Option<Vec<_>> = made.map(|(seq, made)| Some((seq, made?))).collect();
                let Some(made) = made.filter(|made| !made.is_empty()) else {
                    return;
                };
                next += made.len() as u64;
                if sender.send(made).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("dramatis reading".to_owned());
        Some(Self {
            pages: Some(pages),
            thread: Some(thread.spawn(read).ok()?),
            next: 1,
            kept: BTreeMap::new(),
        })
    }

    /// What was made of the entry with this number; `None` when it is too far ahead, when it was taken, and when it could not be read.
    pub fn take(&mut self, seq: u64) -> Option<T> {
        if seq >= self.next
            && seq - self.next < PAGE as u64
            && let Some(page) = self.pages.as_ref().and_then(|pages| pages.recv().ok())
        {
            self.next += page.len() as u64;
            self.kept.extend(page);
            while self.kept.len() > MAX_KEPT {
                self.kept.pop_first();
            }
        }
        self.kept.remove(&seq)
    }
}

impl<T> Drop for ReadAhead<T> {
    fn drop(&mut self) {
        self.pages = None;
        // It reads the page to its end that it is at. One that panicked has nothing to say.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
