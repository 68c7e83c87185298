//! Reads the entries of a file ahead, on a separate thread, while the game uses those before them: reading one takes about as
//! long as playing it.

use crate::journal::store::{Entry, EntryForm, Store};
use crossbeam_channel::{Receiver, bounded};
use std::collections::BTreeMap;
use std::thread::{self, JoinHandle};

/// How many entries are read at once.
const PAGE: usize = 64;
/// How many pages wait to be taken.
const PAGES_AHEAD: usize = 2;
/// How many unused entries are kept.
const MAX_KEPT: usize = 4 * PAGE;

/// The results for entries, in order. The thread ends with this.
pub(in crate::journal) struct ReadAhead<T> {
    pages: Option<Receiver<Vec<(u64, T)>>>,
    thread: Option<JoinHandle<()>>,
    /// The number that the next page begins with.
    next: u64,
    kept: BTreeMap<u64, T>,
}

impl<T: Send + 'static> ReadAhead<T> {
    /// Begins to read the file of this store from its first entry on. Where `make` gives `None` of an entry, nothing is read ahead any
    /// more from its page on. `None` when the system gives no thread.
    pub(crate) fn begin(
        store: &Store,
        form: EntryForm,
        make: fn(Entry) -> Option<T>,
    ) -> Option<Self> {
        let (path, head) = (store.path().to_path_buf(), store.head());
        let (sender, pages) = bounded(PAGES_AHEAD);
        let read = move || {
            let Ok(store) = Store::read(&path) else {
                return;
            };
            // There may be another file by now.
            let last = store.page(head.seq, 1, EntryForm::PackedOf(|_| false));
            if !last.is_ok_and(|last| last.first().is_some_and(|last| last.hash == head.hash)) {
                return;
            }
            let mut next = 1;
            while next <= head.seq {
                // The caller reads an unreadable entry once more, and gets the error with its place.
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

    /// The result for the entry with this number, once it has been read. `None` when it is too far ahead, when it was taken, and
    /// when it could not be read: the caller then reads it itself.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::store::{Commit, Durability};
    use std::path::Path;

    fn file(path: &Path, entries: u64, body: &str) -> Store {
        let mut store = Store::create(path, Durability::Process).unwrap();
        let commits: Vec<Commit> = (1..=entries)
            .map(|seq| Commit {
                seq,
                kind: "write".to_owned(),
                body: format!("{body} {seq}"),
                ..Commit::default()
            })
            .collect();
        store.commit(&commits).unwrap();
        store
    }

    fn ahead(store: &Store, make: fn(Entry) -> Option<String>) -> ReadAhead<String> {
        ReadAhead::begin(store, EntryForm::Whole, make).unwrap()
    }

    #[test]
    fn j4_entries_are_read_ahead_nearly_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let store = file(&folder.path().join("a"), 1_000, "said");
        let mut ahead = ahead(&store, |entry| Some(entry.body));
        assert_eq!(ahead.take(900), None, "it is too far ahead");
        for seq in 1..=1_000 {
            // A run begins before its record is reached.
            let early = seq + 30;
            if seq % 100 == 0 {
                let body = (early <= 1_000).then(|| format!("said {early}"));
                assert_eq!(ahead.take(early), body);
            }
            let was_taken = seq > 100 && seq % 100 == 30;
            let body = (!was_taken).then(|| format!("said {seq}"));
            assert_eq!(ahead.take(seq), body, "{seq}");
        }
        assert_eq!(ahead.take(1_001), None);
        assert!(ahead.kept.is_empty());
    }

    #[test]
    fn j4_what_nobody_takes_is_not_kept_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let store = file(&folder.path().join("a"), 2_000, "said");
        let mut ahead = ahead(&store, |entry| Some(entry.body));
        for page in 0..30 {
            assert!(ahead.take(page * PAGE as u64 + 1).is_some());
            assert!(ahead.kept.len() <= MAX_KEPT);
        }
    }

    #[test]
    fn j4_what_cannot_be_read_ahead_is_left_to_whoever_asks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        drop(file(&path, 200, "said"));
        let store = Store::read(&path).unwrap();
        let mut some = ahead(&store, |entry| (entry.seq < 100).then_some(entry.body));
        assert_eq!(some.take(64).as_deref(), Some("said 64"));
        assert_eq!(some.take(65), None);
        drop(some);
        // Another program has put another file there since.
        drop(file(&folder.path().join("b"), 200, "never said"));
        std::fs::rename(folder.path().join("b"), &path).unwrap();
        assert_eq!(ahead(&store, |entry| Some(entry.body)).take(1), None);
    }
}
